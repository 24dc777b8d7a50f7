#include "runtime/rtc/compiler/code_reading.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

namespace hip::rtc {
namespace {

std::unique_ptr<llvm::Module> read_module(std::string_view bitcode, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef({bitcode.data(), bitcode.size()}, ""), context);
  if (module) return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

// The text that a pointer leads to; nothing when it leads to anything else.
std::optional<std::string> text_at(const llvm::Constant* pointer) {
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
  if (!variable || !variable->hasInitializer()) return std::nullopt;
  const auto* const data = llvm::dyn_cast<llvm::ConstantDataArray>(variable->getInitializer());
  if (!data || !data->isCString()) return std::nullopt;
  return data->getAsCString().str();
}

} // namespace

std::optional<std::vector<std::string>> bitcode_names(std::string_view bitcode) {
  initialise_llvm();
  llvm::LLVMContext context;
  const auto module = read_module(bitcode, context);
  if (!module) return std::nullopt;
  std::vector<std::string> names;
  for (const llvm::GlobalVariable& variable : module->globals()) names.push_back(variable.getName().str());
  for (const llvm::Function& function : module->functions()) names.push_back(function.getName().str());
  for (const llvm::GlobalAlias& alias : module->aliases()) names.push_back(alias.getName().str());
  return names;
}

std::optional<std::vector<std::pair<std::string, std::string>>> bitcode_name_pairs(std::string_view bitcode,
                                                                                   std::string_view prefix) {
  initialise_llvm();
  llvm::LLVMContext context;
  const auto module = read_module(bitcode, context);
  if (!module) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const llvm::GlobalVariable& variable : module->globals()) {
    if (!variable.getName().contains(llvm::StringRef(prefix.data(), prefix.size())) || !variable.hasInitializer())
      continue;
    const auto* const pair = llvm::dyn_cast<llvm::ConstantAggregate>(variable.getInitializer());
    if (!pair || pair->getNumOperands() != 2) continue;
    const auto* const first = llvm::cast<llvm::Constant>(pair->getOperand(0));
    const auto* const second = llvm::cast<llvm::Constant>(pair->getOperand(1));
    if (!first->getType()->isPointerTy() || !second->getType()->isPointerTy()) continue;
    const auto text = text_at(first);
    const auto* const symbol = llvm::dyn_cast<llvm::GlobalValue>(second->stripPointerCasts());
    if (text && symbol) pairs.emplace_back(*text, symbol->getName().str());
  }
  return pairs;
}

std::optional<std::vector<std::pair<std::string, std::string>>> bitcode_pointers(std::string_view bitcode,
                                                                                 std::string_view prefix) {
  initialise_llvm();
  llvm::LLVMContext context;
  const auto module = read_module(bitcode, context);
  if (!module) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> pointers;
  for (const llvm::GlobalVariable& variable : module->globals()) {
    if (!variable.getName().starts_with(llvm::StringRef(prefix.data(), prefix.size())) || !variable.hasInitializer())
      continue;
    const auto* const symbol = llvm::dyn_cast<llvm::GlobalValue>(variable.getInitializer()->stripPointerCasts());
    if (symbol) pointers.emplace_back(variable.getName().str(), symbol->getName().str());
  }
  return pointers;
}

} // namespace hip::rtc
