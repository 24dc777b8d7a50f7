// runtime/engine/compile/library/support.h - what translated code calls: the slow ways of memory accesses. Compiled into the
// engine; translated code knows them by name and reaches them when its inline ways do not fit.
// Accesses return whether the wave may go on; false: it has been stopped with a fault. omnihip_t1_lds_misaligned stops it, one of
// whose atomics on LDS is not aligned. omnihip_t1_run_apart lets a wave that leaves its batch run from `next` until it stops.
// omnihip_t1_fill_rows writes all lanes of registers of which a wave that leaves its translation has stored lane 0.
// omnihip_t1_turn_is_over is turn_is_over() of wave/turn.h. omnihip_t1_count counts instructions that a wave of an instrumented
// launch executes with the lanes of `exec`: counts[k] of class k (tools/instruction_class.h).
// Thread safety: a wave belongs to one thread.
#pragma once

#include "runtime/engine/wave/wave.h"

#include <cstdint>

namespace hip::engine {

struct StateRange; // decode/waiting_loop.h

// An element in memory and how it becomes dwords; the bits of `format`.
enum ElementFormat : uint32_t {
  kFormatBytes = 0x1f,    // 1, 2, 4, 8, 12 or 16
  kFormatSigned = 1 << 5, // bytes and shorts: sign-extended
  kFormatHigh = 1 << 6,   // stores: taken from the upper half of the register
};

// With the `at` of an access: flat, so that addresses may mean LDS and private memory. (Addresses there are of no one else.)
inline constexpr uint64_t kAtFlat = 1ull << 63;
// Likewise: somebody else fetches ahead what the next such load reads.
inline constexpr uint64_t kFetchedAhead = 1ull << 62;

// A VGPR whose lanes follow from lane 0 of some strips, which the wave's block holds at their places in the row.
struct AffineRow {
  uint32_t vgpr;
  int32_t stride;  // from lane to lane
  uint32_t strips; // in a part: the stride leads from one to the next, and lane 0 of its first one is held. 0: only strip 0's
                   // lane 0 is held, and all strips are the same
  uint32_t high;   // the VGPR with the upper half of a 64-bit number, of which the row of `vgpr` holds both halves side
                   // by side; of a 32-bit number `vgpr` itself
};

} // namespace hip::engine

// `lanes`: the active ones of strip `strip` (16 lanes). Addresses, offsets and dwords are arrays of 16 (per dword).
// `at`: where the guest instruction lies, counted from its function's first byte, for reports. (While translated code runs,
// Wave::pc is the element of its region, which knows where the function begins.)
#define OMNIHIP_SUPPORT(X)                                                                                             \
  X(bool, omnihip_t1_load,                                                                                             \
    (hip::engine::Wave * w, const uint64_t* addresses, uint32_t lanes, uint32_t strip, uint64_t at, uint32_t format,   \
     uint32_t* dwords))                                                                                                \
  X(bool, omnihip_t1_store,                                                                                            \
    (hip::engine::Wave * w, const uint64_t* addresses, uint32_t lanes, uint32_t strip, uint64_t at, uint32_t format,   \
     const uint32_t* dwords))                                                                                          \
  X(bool, omnihip_t1_lds_load,                                                                                         \
    (hip::engine::Wave * w, const uint32_t* offsets, uint32_t lanes, uint32_t format, uint32_t* dwords))               \
  X(bool, omnihip_t1_lds_store,                                                                                        \
    (hip::engine::Wave * w, const uint32_t* offsets, uint32_t lanes, uint32_t format, const uint32_t* dwords))         \
  X(bool, omnihip_t1_lds_misaligned,                                                                                   \
    (hip::engine::Wave * w, const uint32_t* offsets, uint32_t lanes, uint32_t strip, uint64_t at, uint32_t bytes))     \
  X(void, omnihip_t1_count, (hip::engine::Wave * w, const uint32_t* counts, uint64_t exec))                            \
  X(bool, omnihip_t1_turn_is_over, (hip::engine::Wave * w, const hip::engine::StateRange* changing, uint32_t count))  \
  X(void, omnihip_t1_run_apart, (hip::engine::Wave * w, const hip::engine::Inst* next))                               \
  X(void, omnihip_t1_fill_rows, (hip::engine::Wave * w, const hip::engine::AffineRow* rows, uint32_t count))

#define OMNIHIP_DECLARE_SUPPORT(type, name, parameters) extern "C" type name parameters noexcept;
OMNIHIP_SUPPORT(OMNIHIP_DECLARE_SUPPORT)
#undef OMNIHIP_DECLARE_SUPPORT
