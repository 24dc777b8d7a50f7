// runtime/base/mapped.h - whether the process has memory at an address. Thread safety: any thread; the answer holds for
// as long as nobody maps or unmaps memory there.
#pragma once

#include <cstdint>
#include <string>

namespace hip {

// Whether the process has all pages of [address, address + bytes) mapped, readable or not. Looks once at each mapping
// in the range, not at each page, because callers may pass ranges of any size.
bool is_mapped(uint64_t address, uint64_t bytes) noexcept;

// What the process may do with the byte at `address`: "rw", "r", "w", or "-" for nothing; empty where it has no memory.
// Reads the list of all its mappings, so it is for messages.
std::string mapped_access(uint64_t address);

} // namespace hip
