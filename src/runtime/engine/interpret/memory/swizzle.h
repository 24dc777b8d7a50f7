// runtime/engine/interpret/memory/swizzle.h - which lane ds_swizzle_b32 reads (AMDGPUUsage and the ISA documents,
// "DS_SWIZZLE_B32"). Bits 15-14 of the offset are the mode.
#pragma once

#include <bit>
#include <cstdint>

namespace hip::engine {

// The lane that `lane` reads. `mode` is the instruction's offset.
constexpr uint32_t swizzle_source(uint32_t mode, uint32_t lane) {
  if (mode >= 0xe000) { // FFT: the lane's number in its 32 reversed, above the bits that the mask keeps
    uint32_t reversed = 0;
    for (uint32_t b = 0; b < 5; ++b) reversed |= (lane >> b & 1) << (4 - b);
    const uint32_t mask = mode & 0x1f;
    return (lane & 32) | reversed >> std::popcount(mask) | (lane & mask);
  }
  if (mode >= 0xc000) { // rotate by bits 9-5, left (bit 10 clear) or right; lanes in bits 4-0 of the mask stay
    const uint32_t amount = mode >> 5 & 0x1f, keep = mode & 0x1f;
    const uint32_t rotated = mode >> 10 & 1 ? lane - amount : lane + amount;
    return (lane & 32) | (lane & keep) | (rotated & ~keep & 31);
  }
  if (mode & 0x8000) return (lane & ~3u) | (mode >> (2 * (lane & 3)) & 3);
  return (lane & 32) | ((((lane & 31) & (mode & 0x1f)) | (mode >> 5 & 0x1f)) ^ (mode >> 10 & 0x1f));
}

} // namespace hip::engine
