// runtime/engine/interpret/memory/to_lds.h - where instructions that move data between memory and LDS without registers, and
// those that address LDS by the lane's number, find a lane's element in LDS.
#pragma once

#include "runtime/engine/interpret/inst.h"

#include <algorithm>

namespace hip::engine {

// M0 counts bytes. Of LDS with up to 64 KiB its upper half does not count.
inline uint32_t lds_base(const Wave* w) noexcept {
  constexpr uint32_t kHalfReaches = 0x10000;
  return w->lds_bytes > kHalfReaches ? w->sgpr[kM0] : w->sgpr[kM0] & (kHalfReaches - 1);
}
// Elements of less than a dword take one.
constexpr uint32_t lds_element_bytes(uint32_t bytes) noexcept { return std::max(4u, bytes); }
inline uint32_t lds_address(const Wave* w, const Inst* i, uint32_t lane, uint32_t bytes) noexcept {
  return lds_base(w) + uint32_t(i->imm[0]) + lane * lds_element_bytes(bytes);
}

} // namespace hip::engine
