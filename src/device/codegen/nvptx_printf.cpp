// A pass for device code of NVIDIA GPUs that makes printf's formats ones that NVIDIA's driver prints right.
//
// clang turns printf into a call of the driver's vprintf with the arguments in a structure. The driver reads that
// structure by the format, on the host, and is mistaken about some of C's formats: it takes hh to be eight bytes wide
// and z, j, t and L four or sixteen, so that this argument or all after it are wrong; of "*" it knows only some forms.
// Where the format is a literal this pass writes another one that means the same:
//   z j t     as l: all of them have eight bytes
//   L         without: long double is double on these GPUs
//   hh        without: the argument is brought to the char's value here
//   *         the number itself, where it is a constant
// A format that does not fit its arguments, or that is not known at compile time, is left alone.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "passes.h"

namespace omnihip::codegen {
namespace {

// What becomes of one argument.
enum class Change { None, SignedChar, UnsignedChar, Drop };

class Rewrite {
public:
  Rewrite(llvm::CallInst& call, llvm::AllocaInst& arguments, llvm::StringRef format)
      : call_(call), arguments_(arguments), type_(*llvm::cast<llvm::StructType>(arguments.getAllocatedType())),
        format_(format) {}

  // True: the format is read to its end, and fits the arguments.
  bool parse() {
    while (!format_.empty()) {
      const char c = take();
      text_ += c;
      if (c != '%') continue;
      if (format_.starts_with("%")) {
        text_ += take();
        continue;
      }
      if (!parse_conversion()) return false;
    }
    return changes_.size() == type_.getNumElements();
  }
  bool changed() const { return changed_; }

  void apply() {
    llvm::IRBuilder<> build(&call_);
    std::vector<llvm::Type*> kept;
    for (unsigned i = 0; i < changes_.size(); ++i)
      if (changes_[i] != Change::Drop) kept.push_back(type_.getElementType(i));
    auto* const type = llvm::StructType::get(call_.getContext(), kept);
    llvm::IRBuilder<> at_entry(&arguments_);
    auto* const block = at_entry.CreateAlloca(type);
    unsigned place = 0;
    for (unsigned i = 0; i < changes_.size(); ++i) {
      if (changes_[i] == Change::Drop) continue;
      llvm::Type* const element = type_.getElementType(i);
      llvm::Value* value = build.CreateLoad(element, build.CreateStructGEP(&type_, &arguments_, i));
      if (changes_[i] != Change::None) {
        value = build.CreateTrunc(value, build.getInt8Ty());
        value = changes_[i] == Change::SignedChar ? build.CreateSExt(value, element) : build.CreateZExt(value, element);
      }
      build.CreateStore(value, build.CreateStructGEP(type, block, place++));
    }
    llvm::Value* format =
        build.CreateGlobalString(text_, ".printf", call_.getArgOperand(0)->getType()->getPointerAddressSpace());
    call_.setArgOperand(0, format);
    call_.setArgOperand(1, block);
  }

private:
  char take() {
    const char c = format_.front();
    format_ = format_.drop_front();
    return c;
  }
  llvm::Type* next_type() const {
    const auto i = static_cast<unsigned>(changes_.size());
    return i < type_.getNumElements() ? type_.getElementType(i) : nullptr;
  }

  // The constant that the next argument is, when it is one.
  std::optional<int64_t> next_constant() const {
    const auto index = static_cast<unsigned>(changes_.size());
    std::optional<int64_t> found;
    for (llvm::User* user : arguments_.users()) {
      auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      // The first argument's place may be the structure itself.
      llvm::Value* address = user;
      if (place != nullptr) {
        auto* const last = llvm::dyn_cast<llvm::ConstantInt>(place->getOperand(place->getNumOperands() - 1));
        if (place->getNumIndices() != 2 || last == nullptr || last->getZExtValue() != index) continue;
      } else if (index == 0 && llvm::isa<llvm::StoreInst>(user)) {
        address = &arguments_;
      } else {
        continue;
      }
      for (llvm::User* use : address->users()) {
        auto* const store = llvm::dyn_cast<llvm::StoreInst>(use);
        if (store == nullptr || store->getPointerOperand() != address) continue;
        auto* const value = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
        if (value == nullptr || found.has_value()) return std::nullopt;
        found = value->getSExtValue();
      }
    }
    return found;
  }

  // A width or a precision, after its "*".
  bool star(bool precision) {
    llvm::Type* const type = next_type();
    if (type == nullptr || !type->isIntegerTy(32)) return false;
    const auto number = next_constant();
    if (!number.has_value()) {
      text_ += '*';
      changes_.push_back(Change::None);
      return true;
    }
    changes_.push_back(Change::Drop);
    changed_ = true;
    if (precision && *number < 0) { // as if there were none
      text_.pop_back();
      return true;
    }
    if (*number < 0 && !left_) text_ += '-'; // a negative width is the flag "-" and a width
    text_ += std::to_string(std::abs(*number));
    return true;
  }
  bool digits_or_star(bool precision) {
    if (format_.starts_with("*")) {
      take();
      return star(precision);
    }
    while (!format_.empty() && llvm::isDigit(format_.front())) text_ += take();
    return true;
  }

  bool parse_conversion() {
    left_ = false;
    while (!format_.empty() && llvm::StringRef("-+ #0'").contains(format_.front())) {
      left_ |= format_.front() == '-';
      text_ += take();
    }
    if (!digits_or_star(false)) return false;
    if (format_.starts_with(".")) {
      text_ += take();
      if (!digits_or_star(true)) return false;
    }
    std::string length;
    while (!format_.empty() && llvm::StringRef("hljztqL").contains(format_.front())) length += take();
    if (format_.empty()) return false;
    const char conversion = take();
    llvm::Type* const type = next_type();
    if (type == nullptr) return false;
    Change change = Change::None;
    if (llvm::StringRef("diouxX").contains(conversion)) {
      const bool wide = length == "j" || length == "z" || length == "t" || length == "q";
      if (!type->isIntegerTy(wide || length == "l" || length == "ll" ? 64 : 32)) return false;
      if (wide) {
        length = "l";
        changed_ = true;
      } else if (length == "hh") {
        change = conversion == 'd' || conversion == 'i' ? Change::SignedChar : Change::UnsignedChar;
        length.clear();
        changed_ = true;
      }
    } else if (llvm::StringRef("aAeEfFgG").contains(conversion)) {
      if (!type->isDoubleTy()) return false;
      if (length == "L") {
        length.clear();
        changed_ = true;
      }
    } else if (conversion == 'c') {
      if (!type->isIntegerTy(32)) return false;
    } else if (conversion == 's' || conversion == 'p') {
      if (!type->isPointerTy()) return false;
    } else {
      return false;
    }
    text_ += length;
    text_ += conversion;
    changes_.push_back(change);
    return true;
  }

  llvm::CallInst& call_;
  llvm::AllocaInst& arguments_;
  llvm::StructType& type_;
  llvm::StringRef format_; // what is left to read
  std::string text_;
  std::vector<Change> changes_; // of each argument that was read
  bool changed_ = false;
  bool left_ = false; // the conversion has the flag "-"
};

} // namespace

llvm::PreservedAnalyses NvptxPrintfPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* const print = module.getFunction("vprintf");
  if (!module.getTargetTriple().isNVPTX() || print == nullptr) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::User* user : print->users()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != print || call->arg_size() != 2) continue;
    auto* const arguments = llvm::dyn_cast<llvm::AllocaInst>(call->getArgOperand(1)->stripPointerCasts());
    llvm::StringRef format;
    if (arguments == nullptr || !llvm::isa<llvm::StructType>(arguments->getAllocatedType()) ||
        !llvm::getConstantStringInfo(call->getArgOperand(0), format))
      continue;
    Rewrite rewrite(*call, *arguments, format);
    if (!rewrite.parse() || !rewrite.changed()) continue;
    rewrite.apply();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace omnihip::codegen
