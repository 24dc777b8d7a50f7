// runtime/base/mapped.h - whether the process has memory at an address. Thread safety: any thread; the answer holds for
// as long as nobody maps or unmaps memory there.
#pragma once

#include <cstdint>
#include <string>

namespace hip {

// Whether the process has all pages of [address, address + bytes) mapped, readable or not. Looks once at each mapping
// in the range, not at each page, because callers may pass ranges of any size.
bool is_mapped(uint64_t address, uint64_t bytes) noexcept;

enum class HostAccess { Read, Write };

// Whether the process may read, or write, all of [address, address + bytes): what a copy asks before it would
// end the process. Pages of small ranges are populated, as the copy would do.
bool may_access(uint64_t address, uint64_t bytes, HostAccess access) noexcept;

// The first address in the range where the process may not do so; the range's end where it may everywhere. Reads the
// list of all mappings.
uint64_t first_without_access(uint64_t address, uint64_t bytes, HostAccess access);

// What the process may do with the byte at `address`: "rw", "r", "w", or "-" for nothing; empty where it has no memory.
// Reads the list of all its mappings, so it is for messages.
std::string mapped_access(uint64_t address);

} // namespace hip
