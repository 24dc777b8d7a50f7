// tests/host_disassembler.h - LLVM's disassembler for x86-64, by which tests read code that the engine made.
#pragma once

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace hip::testing {

class HostDisassembler {
public:
  // Knows the instructions of the processor, as LLVM calls it.
  explicit HostDisassembler(const char* processor) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    const llvm::Triple triple("x86_64-unknown-linux-gnu");
    std::string why;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
    if (!target) return;
    registers_.reset(target->createMCRegInfo(triple));
    info_.reset(target->createMCAsmInfo(*registers_, triple, options_));
    instructions_.reset(target->createMCInstrInfo());
    subtarget_.reset(target->createMCSubtargetInfo(triple, processor, ""));
    context_ = std::make_unique<llvm::MCContext>(triple, info_.get(), registers_.get(), subtarget_.get());
    reader_.reset(target->createMCDisassembler(*subtarget_, *context_));
    constexpr unsigned kIntel = 1;
    printer_.reset(target->createMCInstPrinter(triple, kIntel, *info_, *instructions_, *registers_));
  }
  // False: this LLVM has no x86-64.
  bool works() const noexcept { return reader_ && printer_; }

  struct Instruction {
    llvm::MCInst inst;
    uint64_t bytes = 0;
  };
  // The first instruction of `code`; none: there is none.
  std::optional<Instruction> read(llvm::ArrayRef<uint8_t> code) const {
    Instruction out;
    if (reader_->getInstruction(out.inst, out.bytes, code, 0, llvm::nulls()) != llvm::MCDisassembler::Success)
      return {};
    return out;
  }
  // In Intel's syntax, with single spaces.
  std::string text(const llvm::MCInst& inst) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printer_->printInst(&inst, 0, "", *subtarget_, stream);
    std::ranges::replace(text, '\t', ' ');
    return text.substr(text.find_first_not_of(' '));
  }

private:
  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> info_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> reader_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

} // namespace hip::testing
