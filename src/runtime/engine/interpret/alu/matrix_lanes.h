// runtime/engine/interpret/alu/matrix_lanes.h - which lanes of A and B a matrix instruction reads, by its modifiers; used by both
// tiers.
#pragma once

#include "runtime/engine/wave/wave.h"

namespace hip::engine {

// cbsz and abid: of each 2^cbsz blocks of A, block abid is used for all of them.
inline uint32_t matrix_lane_a(uint32_t rows, uint32_t blocks, uint32_t cbsz, uint32_t abid, uint32_t lane) {
  if (cbsz == 0) return lane;
  const uint32_t block = lane / rows % blocks;
  return lane + ((block >> cbsz << cbsz) + abid - block) * rows;
}

// blgp (except for f64) selects lanes of B: one half or one quarter of the wave for all lanes, or a rotation by a quarter.
inline uint32_t matrix_lane_b(uint32_t blgp, uint32_t lane) {
  switch (blgp) {
  case 0:
    return lane;
  case 1:
    return lane % 32;
  case 2:
    return 32 + lane % 32;
  case 3:
    return (lane + 16) % kMaxLanes;
  default:
    return (blgp - 4) * 16 + lane % 16;
  }
}

// Sparse: the first bit of a lane's index in its register. A cbsz other than 0 means index 0 (ERRATA 41).
inline uint32_t matrix_index_shift(uint32_t index_bits, uint32_t cbsz, uint32_t abid) {
  return cbsz ? 0 : abid * index_bits;
}

} // namespace hip::engine
