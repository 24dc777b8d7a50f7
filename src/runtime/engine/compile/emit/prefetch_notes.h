// runtime/engine/compile/emit/prefetch_notes.h - where translated code keeps, in a wave's block, which memory is to be
// fetched ahead: notes in rows of VGPRs that hardly any operand reaches. They are hints, all of them: what is
// overwritten is fetched in vain.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/compile/library/line_notes.h"

#include <llvm/IR/IRBuilder.h>

namespace hip::engine::compile {

inline constexpr uint32_t kLineBytes = 64;

// Where accesses have been lies behind the registers, a row for each column of work-groups; lines to be fetched lie in the last
// rows of registers.
inline constexpr uint32_t kNotesOfRow = kRowBytes / sizeof(uint64_t);
inline constexpr uint32_t kSeenOffset = Wave::vgpr_offset(kFirstHintRow), kMostSeen = kNotesOfRow;
inline constexpr uint32_t kLinesOffset = Wave::vgpr_offset(kFirstLineRow);
static_assert(kMostLines >= kMostSeen * kMaxStrips); // kernels have lines of one kind or the other

// Into the second of the host's caches: what is fetched into the first one makes the loads at hand wait. Lines to be
// written are fetched as for reading, too, for the host takes those that it fetches for writing into its first one.
inline void fetch_line(llvm::IRBuilder<>& builder, llvm::Value* pointer) {
  constexpr uint32_t kSecondLevel = 2;
  builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::prefetch,
                          {pointer, builder.getInt32(0), builder.getInt32(kSecondLevel), builder.getInt32(1)});
}

// Whether what the instruction accesses is fetched ahead at all.
inline bool is_fetched_ahead(const Instr& i) {
  return i.kind == Kind::Memory && i.memory->space == library::Space::Global && !i.memory->atomic();
}

} // namespace hip::engine::compile
