// runtime/backend/aql/soft/futex.h - sleeping on a 32-bit word of this process. Wake-ups may be spurious.
#pragma once

#include <atomic>
#include <cstdint>

namespace hip::aql::soft {

// Sleeps while word == expected, at most timeout_ns (UINT64_MAX: for ever).
void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns) noexcept;
void futex_wake(const std::atomic<uint32_t>& word, int threads) noexcept;

} // namespace hip::aql::soft
