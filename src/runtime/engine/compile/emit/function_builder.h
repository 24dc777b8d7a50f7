// runtime/engine/compile/emit/function_builder.h - the LLVM function of one region while it is made: void region(Wave*,
// const Inst*) in the handlers' calling convention. Three of its blocks are there from the start: `entry`, which runs
// once per call and holds all allocas; `begin`, which runs once per wave; and `failed`, for waves that have stopped
// with a fault. Beside them this class has the small values that all emitters make: strips, masks of lanes, halves of
// 64-bit numbers.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/compile/library/function_types.h"

#include <cassert>
#include <llvm/IR/IRBuilder.h>
#include <span>
#include <string>

namespace llvm {
class DISubprogram;
}

namespace hip::engine::compile {

class FunctionBuilder {
public:
  // Adds function `name` to the module. With a `scope` its instructions get debug lines: line k + 1 is instruction k.
  // Its waves have `lanes` lanes, 32 or 64.
  FunctionBuilder(llvm::Module& module, const std::string& name, llvm::DISubprogram* scope, uint32_t lanes);
  FunctionBuilder(const FunctionBuilder&) = delete;
  FunctionBuilder& operator=(const FunctionBuilder&) = delete;

  llvm::IRBuilder<>& builder() { return builder_; }
  uint32_t lanes() const { return lanes_; }
  uint32_t strips() const { return lanes_ / kStripLanes; }
  llvm::ConstantInt* all_lanes() { return builder_.getInt64(compile::all_lanes(lanes_)); }
  llvm::Function* function() const { return function_; }
  llvm::BasicBlock* entry() const { return entry_; }
  llvm::BasicBlock* begin() const { return begin_; }
  llvm::BasicBlock* new_block(const char* name);
  // From here on the builder makes code of that guest instruction.
  void set_instruction(uint32_t number);
  // Room in the function's frame, aligned to 64 bytes.
  llvm::AllocaInst* frame_slot(llvm::Type* type);
  // The compiler moves no access across.
  void fence();
  // Unless `ok`, the wave has stopped with a fault and the function returns.
  void must_hold(llvm::Value* ok);

  // A call of the library, with as many arguments as the function has parameters.
  template<class R, class... A, class... V> llvm::CallInst* call(const LibraryFunction<R(A...)>& f, V*... arguments) {
    static_assert(sizeof...(V) == sizeof...(A), "The function has another number of parameters.");
    assert(has_signature(f));
    return builder_.CreateCall(f.function(), {arguments...});
  }

  llvm::Type* i32() { return builder_.getInt32Ty(); }
  llvm::Type* i64() { return builder_.getInt64Ty(); }
  llvm::Type* strip_type() { return llvm::FixedVectorType::get(i32(), kStripLanes); }
  llvm::Type* mask_type() { return llvm::FixedVectorType::get(builder_.getInt1Ty(), kStripLanes); }
  llvm::Value* constant(uint64_t v) { return builder_.getInt32(uint32_t(v)); }
  llvm::Constant* constant_array(llvm::ArrayRef<uint32_t> numbers); // in read-only memory of the translation
  llvm::Value* iota(); // <16 x i32>: 0, 1, ..., 15
  llvm::Value* splat(llvm::Value* v) { return builder_.CreateVectorSplat(kStripLanes, v); }
  llvm::Value* strip_mask(llvm::Value* mask64, uint32_t strip); // i16
  llvm::Value* bools(llvm::Value* mask16);                      // <16 x i1>
  llvm::Value* all_true(llvm::Value* bools);                    // i1
  llvm::Value* byte_at(llvm::Value* base, uint64_t offset) {
    return builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), base, uint32_t(offset));
  }
  // Two dwords as a 64-bit value and back, of strips or of one lane, in the way of the library's functions, so that
  // LLVM sees one undo the other.
  llvm::Value* joined(llvm::Value* low, llvm::Value* high);
  llvm::Value* half_of(llvm::Value* joined, uint32_t dword);
  // The numbers in the dwords of an operand or a result, of strips or of one lane, with denormals replaced by zeros of
  // their sign.
  void flush(std::span<llvm::Value*> dwords, FloatKind kind);
  // Likewise of one f32, of which denormal is what is smaller than `smallest_normal`.
  llvm::Value* without_denormals(llvm::Value* single, uint32_t smallest_normal);

private:
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  uint32_t lanes_;
  llvm::BasicBlock *entry_ = nullptr, *begin_ = nullptr, *failed_ = nullptr;
};

} // namespace hip::engine::compile
