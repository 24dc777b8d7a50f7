// runtime/engine/interpret/memory/words.h - loads and stores of 64 and of 128 bits that other threads see as one
// access, as they see the guest's, also where these are no atomics: rocPRIM's scans pass a value and its flag in 16
// bytes. They are volatile, because the compiler may split other accesses. The address need not be aligned, but hosts
// promise one access of 128 bits (those with AVX do) for multiples of 16 alone.
#pragma once

#include <cstdint>

namespace hip::engine {

using UnalignedWord64 [[gnu::aligned(1), gnu::may_alias]] = uint64_t;

[[gnu::always_inline]] inline uint64_t load_word64(const void* p) { return *static_cast<const volatile UnalignedWord64*>(p); }
[[gnu::always_inline]] inline void store_word64(void* p, uint64_t v) { *static_cast<volatile UnalignedWord64*>(p) = v; }

using Word128 = uint32_t __attribute__((ext_vector_type(4)));
using UnalignedWord128 [[gnu::aligned(1), gnu::may_alias]] = Word128;

[[gnu::always_inline]] inline Word128 load_word128(const void* p) {
  return *static_cast<const volatile UnalignedWord128*>(p);
}
[[gnu::always_inline]] inline void store_word128(void* p, Word128 v) {
  *static_cast<volatile UnalignedWord128*>(p) = v;
}

} // namespace hip::engine
