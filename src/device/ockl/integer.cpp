// Integer functions: bit counting, products, saturating sums, dot products. Plain C++; the compiler picks the
// instructions of the target.
#include "device.h"

namespace {

// Sum of 64-bit width to 32 bits, saturated when asked for. Without branches, which LLVM 22 compiles wrongly without our
// guard (codegen/phi_guard.cpp).
int narrow(long sum, bool saturate) {
  const long clamped = __builtin_elementwise_max(__builtin_elementwise_min(sum, 0x7fffffffl), -0x80000000l);
  return static_cast<int>(saturate ? clamped : sum);
}
unsigned narrow(unsigned long sum, bool saturate) {
  return static_cast<unsigned>(saturate ? __builtin_elementwise_min(sum, 0xfffffffful) : sum);
}
int add(int x, int y, bool saturate) {
  return saturate ? __builtin_elementwise_add_sat(x, y) : static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
}
unsigned add(unsigned x, unsigned y, bool saturate) { return saturate ? __builtin_elementwise_add_sat(x, y) : x + y; }
int nibble(int x, int i) { return static_cast<int>(static_cast<unsigned>(x) << (28 - 4 * i)) >> 28; }
unsigned nibble(unsigned x, int i) { return x >> (4 * i) & 15u; }

} // namespace

extern "C" {

uint8_t __ockl_clz_u8(uint8_t x) { return x == 0 ? 8 : static_cast<uint8_t>(__builtin_clz(x) - 24); }
uint16_t __ockl_clz_u16(uint16_t x) { return x == 0 ? 16 : static_cast<uint16_t>(__builtin_clz(x) - 16); }
uint32_t __ockl_clz_u32(uint32_t x) { return x == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(x)); }
uint64_t __ockl_clz_u64(uint64_t x) { return x == 0 ? 64 : static_cast<uint64_t>(__builtin_clzll(x)); }
uint8_t __ockl_ctz_u8(uint8_t x) { return x == 0 ? 8 : static_cast<uint8_t>(__builtin_ctz(x)); }
uint16_t __ockl_ctz_u16(uint16_t x) { return x == 0 ? 16 : static_cast<uint16_t>(__builtin_ctz(x)); }
uint32_t __ockl_ctz_u32(uint32_t x) { return x == 0 ? 32 : static_cast<uint32_t>(__builtin_ctz(x)); }
uint64_t __ockl_ctz_u64(uint64_t x) { return x == 0 ? 64 : static_cast<uint64_t>(__builtin_ctzll(x)); }
uint32_t __ockl_popcount_u32(uint32_t x) { return static_cast<uint32_t>(__builtin_popcount(x)); }
uint64_t __ockl_popcount_u64(uint64_t x) { return static_cast<uint64_t>(__builtin_popcountll(x)); }

int32_t __ockl_mul24_i32(int32_t x, int32_t y) {
  return static_cast<int32_t>(static_cast<uint32_t>((x << 8) >> 8) * static_cast<uint32_t>((y << 8) >> 8));
}
uint32_t __ockl_mul24_u32(uint32_t x, uint32_t y) { return (x & 0xffffffu) * (y & 0xffffffu); }
int32_t __ockl_mul_hi_i32(int32_t x, int32_t y) { return static_cast<int32_t>((static_cast<int64_t>(x) * y) >> 32); }
uint32_t __ockl_mul_hi_u32(uint32_t x, uint32_t y) {
  return static_cast<uint32_t>((static_cast<uint64_t>(x) * y) >> 32);
}
int64_t __ockl_mul_hi_i64(int64_t x, int64_t y) { return static_cast<int64_t>((static_cast<__int128>(x) * y) >> 64); }
uint64_t __ockl_mul_hi_u64(uint64_t x, uint64_t y) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(x) * y) >> 64);
}
// The absolute difference of x and y, plus z.
uint32_t __ockl_sadd_u32(uint32_t x, uint32_t y, uint32_t z) { return (x > y ? x - y : y - x) + z; }

// Dot products with an addend. The packed forms hold 2, 4 or 8 elements; `saturate` clamps the 32-bit sum.
float __ockl_fdot2(ockl_half2 a, ockl_half2 b, float c, bool saturate) {
  const float sum = static_cast<float>(a.x) * static_cast<float>(b.x) + (static_cast<float>(a.y) * static_cast<float>(b.y) + c);
  if (!saturate) return sum;
  return sum > 1.0f ? 1.0f : sum > 0.0f ? sum : 0.0f;
}
int __ockl_sdot2(ockl_short2 a, ockl_short2 b, int c, bool saturate) {
  return narrow(static_cast<long>(a.x) * b.x + static_cast<long>(a.y) * b.y + c, saturate);
}
unsigned __ockl_udot2(ockl_ushort2 a, ockl_ushort2 b, unsigned c, bool saturate) {
  return narrow(static_cast<unsigned long>(a.x) * b.x + static_cast<unsigned long>(a.y) * b.y + c, saturate);
}
// The products of bytes and nibbles sum up within 32 bits. (Summed in 64 bits, clang 22 makes one wrapping dot instruction
// of them, addend included.)
int __ockl_sdot4(ockl_char4 a, ockl_char4 b, int c, bool saturate) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<signed char>(a[i]) * static_cast<signed char>(b[i]);
  return add(c, sum, saturate);
}
unsigned __ockl_udot4(ockl_uchar4 a, ockl_uchar4 b, unsigned c, bool saturate) {
  unsigned sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<unsigned>(a[i]) * b[i];
  return add(c, sum, saturate);
}
int __ockl_sdot8(int a, int b, int c, bool saturate) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += nibble(a, i) * nibble(b, i);
  return add(c, sum, saturate);
}
unsigned __ockl_udot8(unsigned a, unsigned b, unsigned c, bool saturate) {
  unsigned sum = 0;
  for (int i = 0; i < 8; ++i) sum += nibble(a, i) * nibble(b, i);
  return add(c, sum, saturate);
}

} // extern "C"
