// hip/detail/bit_fields.h - integer functions that HIP has and CUDA has not, in terms of those that both have: for clang and
// for nvcc.
#ifndef HIP_DETAIL_BIT_FIELDS_H
#define HIP_DETAIL_BIT_FIELDS_H

#include <hip/detail/qualifiers.h>

// Index of the lowest set bit, ~0 for zero.
__HIP_DEVICE_INLINE unsigned int __lastbit_u32_u64(unsigned long long x) {
  return x == 0 ? ~0u : static_cast<unsigned int>(__ffsll(static_cast<long long>(x)) - 1);
}

// Position of the offset-th set bit of mask at or above base (offset > 0), at or below it (offset < 0), or base itself
// when its bit is set (offset 0); -1 when there is none.
__HIP_DEVICE_INLINE int __fns64(unsigned long long mask, unsigned int base, int offset) {
  unsigned long long rest;
  int count;
  if (offset == 0) {
    rest = mask & (1ull << base);
    count = 1;
  } else if (offset > 0) {
    rest = mask & (~0ull << base);
    count = offset;
  } else {
    rest = __brevll(mask) & (~0ull << (63 - base));
    count = -offset;
  }
  while (--count > 0) rest &= rest - 1;
  if (rest == 0) return -1;
  int index = __ffsll(static_cast<long long>(rest)) - 1;
  return offset < 0 ? 63 - index : index;
}
__HIP_DEVICE_INLINE int __fns32(unsigned int mask, unsigned int base, int offset) {
  return __fns64(mask, base, offset);
}

// --- Bit fields. Offset and width count modulo the size; a width of 0 gives 0 (extract) or the source (insert). A field that
// goes beyond the top is extracted with its shift modulo the size, as the hardware would. ---
__HIP_DEVICE_INLINE unsigned int __bitextract_u32(unsigned int x, unsigned int offset, unsigned int width) {
  offset &= 31;
  width &= 31;
  return width == 0 ? 0 : (x << ((32 - offset - width) & 31)) >> (32 - width);
}
__HIP_DEVICE_INLINE unsigned long long __bitextract_u64(unsigned long long x, unsigned int offset, unsigned int width) {
  offset &= 63;
  width &= 63;
  return width == 0 ? 0 : (x << ((64 - offset - width) & 63)) >> (64 - width);
}
__HIP_DEVICE_INLINE unsigned int __bitinsert_u32(unsigned int x, unsigned int field, unsigned int offset,
                                                 unsigned int width) {
  offset &= 31;
  unsigned int mask = (1u << (width & 31)) - 1u;
  return (x & ~(mask << offset)) | ((field & mask) << offset);
}
__HIP_DEVICE_INLINE unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long field,
                                                       unsigned int offset, unsigned int width) {
  offset &= 63;
  unsigned long long mask = (1ull << (width & 63)) - 1ull;
  return (x & ~(mask << offset)) | ((field & mask) << offset);
}

#endif
