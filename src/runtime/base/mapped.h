// runtime/base/mapped.h - whether the process has memory at an address. Thread safety: any thread; the answer holds for
// as long as nobody maps or unmaps memory there.
#pragma once

#include <cstdint>

namespace hip {

// The process has all pages of [address, address + bytes), readable or not. It takes the time of one look at each mapping
// in the range, not at each page: ranges may be as large as a caller makes them up.
bool is_mapped(uint64_t address, uint64_t bytes) noexcept;

} // namespace hip
