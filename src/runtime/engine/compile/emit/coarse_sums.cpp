// runtime/engine/compile/emit/coarse_sums.cpp - see coarse_sums.h.
#include "runtime/engine/compile/emit/coarse_sums.h"

namespace hip::engine::compile {

void CoarseSums::allocate() {
  for (uint32_t n : plan_.region().nodes)
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      if (i.kind != Kind::Matrix || !i.matrix->coarse) continue;
      const uint32_t first = vgpr_of(i.raw.vdst), count = i.raw.matrix.registers_d;
      if (flag_of(first, count)) continue;
      sums_.push_back({first, count, ir_.frame_slot(ir_.i32())});
      builder_.CreateStore(ir_.constant(0), sums_.back().coarse);
    }
}

llvm::AllocaInst* CoarseSums::flag_of(uint32_t first, uint32_t count) const {
  for (const Sums& s : sums_)
    if (s.first == first && s.count == count) return s.coarse;
  return nullptr;
}

void CoarseSums::set_unknown(uint32_t first, uint32_t count) {
  for (const Sums& s : sums_)
    if (s.first < first + count && first < s.first + s.count) builder_.CreateStore(ir_.constant(0), s.coarse);
}

} // namespace hip::engine::compile
