// tests/golden/host_code.cpp - see host_code.h. Instructions are counted by LLVM's disassembler.
#include "host_code.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/TargetSelect.h>

namespace golden {

using namespace hip;

namespace {

// All that is needed to disassemble x86-64 code; instructions that the counted code does not have do no harm.
class Disassembler {
public:
  Disassembler() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    const llvm::Triple triple("x86_64-unknown-linux-gnu");
    std::string why;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
    if (!target) return;
    registers_.reset(target->createMCRegInfo(triple));
    asm_info_.reset(target->createMCAsmInfo(*registers_, triple, options_));
    subtarget_.reset(target->createMCSubtargetInfo(triple, "x86-64-v4", ""));
    context_ = std::make_unique<llvm::MCContext>(triple, asm_info_.get(), registers_.get(), subtarget_.get());
    disassembler_.reset(target->createMCDisassembler(*subtarget_, *context_));
  }

  Result<uint64_t> count(llvm::ArrayRef<uint8_t> code) const {
    if (!disassembler_) return error(ErrorCode::Unknown, "LLVM has no disassembler for x86-64.");
    uint64_t instructions = 0;
    for (uint64_t at = 0, size = 0; at < code.size(); at += size, ++instructions) {
      llvm::MCInst inst;
      if (disassembler_->getInstruction(inst, size, code.slice(at), at, llvm::nulls()) != llvm::MCDisassembler::Success)
        return error(ErrorCode::InvalidImage, "The code at offset {} of a function is no instruction.", at);
    }
    return instructions;
  }

private:
  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> asm_info_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
};

Status not_readable(llvm::Error why) {
  return error(ErrorCode::InvalidImage, "The object cannot be read: {}.", llvm::toString(std::move(why)));
}

} // namespace

Result<HostCode> HostCode::count(const std::vector<std::byte>& object) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "translation"));
  if (!file) return not_readable(file.takeError());
  const Disassembler disassembler;
  HostCode out;
  for (const llvm::object::SymbolRef symbol : (*file)->symbols()) {
    auto type = symbol.getType();
    if (!type) return not_readable(type.takeError());
    const uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
    if (*type != llvm::object::SymbolRef::ST_Function || size == 0) continue;
    auto section = symbol.getSection();
    if (!section) return not_readable(section.takeError());
    auto value = symbol.getValue();
    if (!value) return not_readable(value.takeError());
    auto contents = (*section)->getContents();
    if (!contents) return not_readable(contents.takeError());
    RT_TRY_ASSIGN(const uint64_t instructions,
                  disassembler.count(llvm::arrayRefFromStringRef(contents->substr(*value, size))));
    out.instructions += instructions;
    out.bytes += size;
  }
  return out;
}

} // namespace golden
