// runtime/engine/interpret/memory/words.h - 64-bit accesses that other threads see as one: the guest's 64-bit loads and stores are such, also
// where they are no atomics. Volatile, for the compiler may split others; the address need not be aligned.
#pragma once

#include <cstdint>

namespace hip::engine {

using UnalignedWord64 [[gnu::aligned(1), gnu::may_alias]] = uint64_t;

[[gnu::always_inline]] inline uint64_t load_word64(const void* p) { return *static_cast<const volatile UnalignedWord64*>(p); }
[[gnu::always_inline]] inline void store_word64(void* p, uint64_t v) { *static_cast<volatile UnalignedWord64*>(p) = v; }

} // namespace hip::engine
