// Integer intrinsics: bit counting, byte permutation, funnel shifts, high products, averages, bit fields.
// All are pure and compile to one or two instructions where the target has them.
#ifndef HIP_DETAIL_INTEGER_INTRINSICS_H
#define HIP_DETAIL_INTEGER_INTRINSICS_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

// --- Bit counting. Zero gives 0 for popc and ffs, the width for clz. ---
__HIP_DEVICE_INLINE unsigned int __popc(unsigned int x) { return __builtin_popcount(x); }
__HIP_DEVICE_INLINE unsigned int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__HIP_DEVICE_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
__HIP_DEVICE_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
__HIP_DEVICE_INLINE int __ffs(unsigned int x) { return x == 0 ? 0 : __builtin_ctz(x) + 1; }
__HIP_DEVICE_INLINE int __ffs(int x) { return __ffs(static_cast<unsigned int>(x)); }
__HIP_DEVICE_INLINE int __ffsll(unsigned long long x) { return x == 0 ? 0 : __builtin_ctzll(x) + 1; }
__HIP_DEVICE_INLINE int __ffsll(long long x) { return __ffsll(static_cast<unsigned long long>(x)); }
__HIP_DEVICE_INLINE int __ffsll(unsigned long x) { return __ffsll(static_cast<unsigned long long>(x)); }
__HIP_DEVICE_INLINE int __ffsll(long x) { return __ffsll(static_cast<unsigned long long>(x)); }
__HIP_DEVICE_INLINE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__HIP_DEVICE_INLINE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

#include <hip/detail/bit_fields.h>

// As __fns64.
__HIP_DEVICE_INLINE int __fns(unsigned int mask, unsigned int base, int offset) {
  unsigned int rest;
  int count;
  if (offset == 0) {
    rest = mask & (1u << base);
    count = 1;
  } else if (offset > 0) {
    rest = mask & (~0u << base);
    count = offset;
  } else {
    rest = __builtin_bitreverse32(mask) & (~0u << (31 - base));
    count = -offset;
  }
  while (--count > 0) rest &= rest - 1;
  if (rest == 0) return -1;
  int index = __builtin_ctz(rest);
  return offset < 0 ? 31 - index : index;
}

// --- Bytes. Each of the four low nibbles of s picks one of the eight bytes of y:x (x holds bytes 0 to 3). ---
__HIP_DEVICE_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
#if defined(__NVPTX__)
  return __nvvm_prmt(x, y, s & 0x7777u);
#else
  // v_perm_b32 takes byte selectors; it numbers the bytes of its second operand first.
  unsigned int selectors = (s & 0x7u) | ((s & 0x70u) << 4) | ((s & 0x700u) << 8) | ((s & 0x7000u) << 12);
  return __builtin_amdgcn_perm(y, x, selectors);
#endif
}

// --- Funnel shifts of hi:lo. The plain forms shift modulo 32, the clamped ones by at most 32. ---
__HIP_DEVICE_INLINE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  return static_cast<unsigned int>(((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31)) >> 32);
}
__HIP_DEVICE_INLINE unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
__HIP_DEVICE_INLINE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31));
}
__HIP_DEVICE_INLINE unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

// --- Products ---
__HIP_DEVICE_INLINE int __mul24(int x, int y) {
  return static_cast<int>(static_cast<unsigned int>((x << 8) >> 8) * static_cast<unsigned int>((y << 8) >> 8));
}
__HIP_DEVICE_INLINE int __umul24(unsigned int x, unsigned int y) {
  return static_cast<int>((x & 0xffffffu) * (y & 0xffffffu));
}
__HIP_DEVICE_INLINE int __mulhi(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) * static_cast<long long>(y)) >> 32);
}
__HIP_DEVICE_INLINE unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
__HIP_DEVICE_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
__HIP_DEVICE_INLINE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
#ifndef mul24
__HIP_DEVICE_INLINE int mul24(int x, int y) { return __mul24(x, y); }
__HIP_DEVICE_INLINE int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
__HIP_DEVICE_INLINE int mulhi(int x, int y) { return __mulhi(x, y); }
#endif

// --- Averages (halving adds, with r: rounded up) and sums of absolute differences ---
__HIP_DEVICE_INLINE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__HIP_DEVICE_INLINE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__HIP_DEVICE_INLINE unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
__HIP_DEVICE_INLINE unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }
__HIP_DEVICE_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}
__HIP_DEVICE_INLINE unsigned int __sad(int x, int y, unsigned int z) {
  return (x > y ? static_cast<unsigned int>(x) - static_cast<unsigned int>(y)
                : static_cast<unsigned int>(y) - static_cast<unsigned int>(x)) + z;
}

// --- Packed bytes: four independent sums, differences, products modulo 256 ---
#if !defined(__OMNIHIP_CUDA__)
__HIP_DEVICE_INLINE char4 __hip_hc_add8pk(char4 a, char4 b) { return a + b; }
__HIP_DEVICE_INLINE char4 __hip_hc_sub8pk(char4 a, char4 b) { return a - b; }
__HIP_DEVICE_INLINE char4 __hip_hc_mul8pk(char4 a, char4 b) { return a * b; }
#endif

#endif
