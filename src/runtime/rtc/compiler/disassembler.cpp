#include "runtime/rtc/compiler/code_reading.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>

namespace hip::rtc {
namespace {

const llvm::Triple& triple() {
  static const llvm::Triple only("amdgcn-amd-amdhsa");
  return only;
}

// "gfx942:sramecc+:xnack-" as LLVM's processor and features ("+sramecc,-xnack").
std::pair<std::string, std::string> processor_and_features(llvm::StringRef target) {
  auto [processor, rest] = target.split(':');
  std::string features;
  while (!rest.empty()) {
    llvm::StringRef feature;
    std::tie(feature, rest) = rest.split(':');
    if (feature.size() < 2) continue;
    if (!features.empty()) features += ',';
    features += feature.back();
    features += feature.drop_back();
  }
  return {processor.str(), features};
}

class LlvmDisassembler : public Disassembler {
public:
  bool make(const std::string& target) {
    std::string problem;
    const llvm::Target* const llvm_target = llvm::TargetRegistry::lookupTarget(triple(), problem);
    if (!llvm_target) return false;
    const auto [processor, features] = processor_and_features(target);
    registers_.reset(llvm_target->createMCRegInfo(triple()));
    if (!registers_) return false;
    const llvm::MCTargetOptions options;
    asm_info_.reset(llvm_target->createMCAsmInfo(*registers_, triple(), options));
    instructions_.reset(llvm_target->createMCInstrInfo());
    subtarget_.reset(llvm_target->createMCSubtargetInfo(triple(), processor, features));
    if (!asm_info_ || !instructions_ || !subtarget_ || !subtarget_->isCPUStringValid(processor)) return false;
    context_ = std::make_unique<llvm::MCContext>(triple(), asm_info_.get(), registers_.get(), subtarget_.get());
    disassembler_.reset(llvm_target->createMCDisassembler(*subtarget_, *context_));
    printer_.reset(llvm_target->createMCInstPrinter(triple(), asm_info_->getAssemblerDialect(), *asm_info_,
                                                    *instructions_, *registers_));
    analysis_.reset(llvm_target->createMCInstrAnalysis(instructions_.get()));
    return disassembler_ && printer_;
  }

  Instruction at(uint64_t address, const uint8_t* bytes, size_t count) override {
    Instruction out;
    llvm::MCInst instruction;
    uint64_t size = 0;
    const auto status =
        disassembler_->getInstruction(instruction, size, llvm::ArrayRef(bytes, count), address, llvm::nulls());
    out.valid = status == llvm::MCDisassembler::Success;
    out.bytes = size ? size : std::min<size_t>(count, 4); // words are skipped one by one
    if (!out.valid) return out;
    llvm::raw_string_ostream stream(out.text);
    printer_->printInst(&instruction, address, "", *subtarget_, stream);
    uint64_t target = 0;
    if (analysis_ && (analysis_->isBranch(instruction) || analysis_->isCall(instruction)) &&
        analysis_->evaluateBranch(instruction, address, size, target))
      out.target = target;
    return out;
  }

private:
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> asm_info_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
};

} // namespace

Disassembler::~Disassembler() = default;

std::unique_ptr<Disassembler> Disassembler::open(const std::string& target) {
  initialise_llvm();
  auto made = std::make_unique<LlvmDisassembler>();
  if (!made->make(target)) return nullptr;
  return made;
}

} // namespace hip::rtc
