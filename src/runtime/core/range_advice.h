// runtime/core/range_advice.h - what a program said of ranges of managed memory (hipMemAdvise, hipMemPrefetchAsync),
// kept so that it can be asked for; memory that is one for host and devices needs no advice. Thread safety: all
// functions may be called from any thread.
#pragma once

#include "runtime/core/address_map.h"

#include <cstdint>

namespace hip::core {

// The numbers of hipCpuDeviceId and hipInvalidDeviceId; others are ordinals.
inline constexpr int kCpu = -1, kNowhere = -2;

struct RangeState {
  bool read_mostly = false, coarse_grain = false;
  int preferred = kNowhere, prefetched = kNowhere;
  uint64_t accessed_by = 0; // a bit per ordinal
  bool accessed_by_cpu = false;
  bool operator==(const RangeState&) const = default;
};

// Changes what is known of [address, address + bytes), which lies in the allocation, page by page.
void advise_range(const Allocation& allocation, const void* address, size_t bytes, void (*change)(RangeState&, int),
                  int device);
// What is true of the whole range: a location only where it is the same everywhere, a device only where it has access
// everywhere. `mixed_grain`: the range is coarse in one place and fine in another.
RangeState range_state(const Allocation& allocation, const void* address, size_t bytes, bool& mixed_grain);
// The allocation has been freed.
void forget_advice(const Allocation& allocation);

} // namespace hip::core
