// runtime/engine/interpret/memory/words.h - 64-bit loads and stores that other threads see as one access, as they see the
// guest's, also where these are no atomics. They are volatile, because the compiler may split other accesses. The address need
// not be aligned.
#pragma once

#include <cstdint>

namespace hip::engine {

using UnalignedWord64 [[gnu::aligned(1), gnu::may_alias]] = uint64_t;

[[gnu::always_inline]] inline uint64_t load_word64(const void* p) { return *static_cast<const volatile UnalignedWord64*>(p); }
[[gnu::always_inline]] inline void store_word64(void* p, uint64_t v) { *static_cast<volatile UnalignedWord64*>(p) = v; }

} // namespace hip::engine
