// Integer arithmetic of every width, signed and unsigned, against the host compiler's.
#include "e2e.h"

namespace {

constexpr int kResults = 24;

// Every operation on a pair of values; the host runs the same source through another compiler back end.
template<class T> __host__ __device__ void operations(T a, T b, T* out) {
  using U = std::make_unsigned_t<T>;
  constexpr int kBits = sizeof(T) * 8;
  const U ua = static_cast<U>(a), ub = static_cast<U>(b);
  const int shift = static_cast<int>(ub % kBits);
  const bool divides = b != 0 && !(std::is_signed_v<T> && b == T(-1)); // no overflow
  int n = 0;
  out[n++] = static_cast<T>(ua + ub);
  out[n++] = static_cast<T>(ua - ub);
  out[n++] = static_cast<T>(ua * 1ull * ub);
  out[n++] = divides ? static_cast<T>(a / b) : T(1);
  out[n++] = divides ? static_cast<T>(a % b) : T(2);
  out[n++] = static_cast<T>(a & b);
  out[n++] = static_cast<T>(a | b);
  out[n++] = static_cast<T>(a ^ b);
  out[n++] = static_cast<T>(~a);
  out[n++] = static_cast<T>(U(0) - ua);
  out[n++] = static_cast<T>(static_cast<unsigned long long>(ua) << shift);
  out[n++] = static_cast<T>(ua >> shift);
  out[n++] = static_cast<T>(a >> shift);
  out[n++] = static_cast<T>((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
  out[n++] = a < b ? a : b;
  out[n++] = a > b ? a : b;
  out[n++] = static_cast<T>(static_cast<signed char>(a));
  out[n++] = static_cast<T>(static_cast<unsigned short>(a));
  out[n++] = static_cast<T>(static_cast<int>(a));
  out[n++] = static_cast<T>(static_cast<unsigned long long>(a) * 3 - static_cast<unsigned long long>(b));
  out[n++] = static_cast<T>(ua << shift | ua >> ((kBits - shift) % kBits)); // rotation
  out[n++] = static_cast<T>(a ? b : ~b);
  out[n++] = static_cast<T>(divides ? a / 7 + a % 10 : 0); // division by constants
  out[n++] = static_cast<T>(ua / 3 + ua % 1000 % 7);
}

template<class T> __global__ void integer_kernel(const T* a, const T* b, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) operations(a[i], b[i], out + i * kResults);
}

template<class T> void run_all() {
  constexpr int kSide = 40;
  const auto x = e2e::interesting<T>(kSide), y = e2e::interesting<T>(kSide, 5);
  std::vector<T> a, b;
  for (const T p : x)
    for (const T q : y) a.push_back(p), b.push_back(q);
  const int count = static_cast<int>(a.size());
  e2e::Device<T> da(a), db(b), out(a.size() * kResults);
  integer_kernel<T><<<(count + 127) / 128, 128>>>(da, db, out, count);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < count; ++i) {
    T wanted[kResults];
    operations(a[i], b[i], wanted);
    for (int k = 0; k < kResults; ++k) {
      if (got[i * kResults + k] != wanted[k])
        e2e::fail(__FILE__, __LINE__,
                  "operation " + std::to_string(k) + " of " + e2e::text_of(a[i]) + " and " + e2e::text_of(b[i]) +
                      " is " + e2e::text_of(got[i * kResults + k]) + ", expected " + e2e::text_of(wanted[k]));
    }
  }
}

// Bit counting and wide products.
struct Bits {
  int clz, clzll, ffs, ffsll, popc, popcll, mulhi;
  unsigned brev, umulhi, sad, bytes;
  unsigned long long brevll, umul64hi;
  long long mul64hi, mul24;
};
__global__ void bit_kernel(const unsigned long long* a, const unsigned long long* b, Bits* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned x = static_cast<unsigned>(a[i]), y = static_cast<unsigned>(b[i]);
  Bits& r = out[i];
  r.clz = __clz(x);
  r.clzll = __clzll(a[i]);
  r.ffs = __ffs(x);
  r.ffsll = __ffsll(a[i]);
  r.popc = __popc(x);
  r.popcll = __popcll(a[i]);
  r.mulhi = __mulhi(static_cast<int>(x), static_cast<int>(y));
  r.brev = __brev(x);
  r.umulhi = __umulhi(x, y);
  r.sad = __usad(x, y, 5u);
  r.bytes = __byte_perm(x, y, 0x5140);
  r.brevll = __brevll(a[i]);
  r.umul64hi = __umul64hi(a[i], b[i]);
  r.mul64hi = __mul64hi(static_cast<long long>(a[i]), static_cast<long long>(b[i]));
  r.mul24 = __mul24(static_cast<int>(x) << 8 >> 8, static_cast<int>(y) << 8 >> 8);
}

// Sums of products of four bytes, of which compilers make dot products.
template<class A, class B> __host__ __device__ int dot(int a, int b, int sum) {
  for (int k = 0; k < 4; ++k) sum += static_cast<A>(a >> 8 * k) * static_cast<B>(b >> 8 * k);
  return sum;
}
__host__ __device__ void dots(int a, int b, int* out) {
  out[0] = dot<signed char, signed char>(a, b, 5);
  out[1] = dot<unsigned char, unsigned char>(a, b, 6);
  out[2] = dot<signed char, unsigned char>(a, b, 7);
  out[3] = dot<unsigned char, signed char>(a, b, 8);
}
__global__ void dot_kernel(const int* a, const int* b, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) dots(a[i], b[i], out + 4 * i);
}

} // namespace

E2E_CASE(int8) { run_all<signed char>(); }
E2E_CASE(uint8) { run_all<unsigned char>(); }
E2E_CASE(int16) { run_all<short>(); }
E2E_CASE(uint16) { run_all<unsigned short>(); }
E2E_CASE(int32) { run_all<int>(); }
E2E_CASE(uint32) { run_all<unsigned>(); }
E2E_CASE(int64) { run_all<long long>(); }
E2E_CASE(uint64) { run_all<unsigned long long>(); }

E2E_CASE(bit_functions) {
  constexpr int kCount = 600;
  const auto a = e2e::interesting<unsigned long long>(kCount), b = e2e::interesting<unsigned long long>(kCount, 3);
  e2e::Device<unsigned long long> da(a), db(b);
  e2e::Device<Bits> out(kCount);
  bit_kernel<<<5, 128>>>(da, db, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) {
    const unsigned x = static_cast<unsigned>(a[i]), y = static_cast<unsigned>(b[i]);
    unsigned brev = 0;
    unsigned long long brevll = 0;
    for (int k = 0; k < 32; ++k) brev |= (x >> k & 1u) << (31 - k);
    for (int k = 0; k < 64; ++k) brevll |= (a[i] >> k & 1u) << (63 - k);
    unsigned bytes = 0;
    const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
    for (int k = 0; k < 4; ++k) bytes |= static_cast<unsigned>(both >> (0x5140 >> k * 4 & 7) * 8 & 0xff) << k * 8;
    const Bits& r = got[i];
    CHECK_AT(i, r.clz, x ? __builtin_clz(x) : 32);
    CHECK_AT(i, r.clzll, a[i] ? __builtin_clzll(a[i]) : 64);
    CHECK_AT(i, r.ffs, __builtin_ffs(static_cast<int>(x)));
    CHECK_AT(i, r.ffsll, __builtin_ffsll(static_cast<long long>(a[i])));
    CHECK_AT(i, r.popc, __builtin_popcount(x));
    CHECK_AT(i, r.popcll, __builtin_popcountll(a[i]));
    CHECK_AT(i, r.mulhi, static_cast<int>(static_cast<long long>(static_cast<int>(x)) * static_cast<int>(y) >> 32));
    CHECK_AT(i, r.umulhi, static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32));
    CHECK_AT(i, r.brev, brev);
    CHECK_AT(i, r.brevll, brevll);
    CHECK_AT(i, r.sad, (x > y ? x - y : y - x) + 5u);
    CHECK_AT(i, r.bytes, bytes);
    CHECK_AT(i, r.umul64hi, static_cast<unsigned long long>(static_cast<unsigned __int128>(a[i]) * b[i] >> 64));
    CHECK_AT(i, r.mul64hi,
             static_cast<long long>(
                 static_cast<__int128>(static_cast<long long>(a[i])) * static_cast<long long>(b[i]) >> 64));
    const long long p = static_cast<long long>(static_cast<int>(x << 8) >> 8) * (static_cast<int>(y << 8) >> 8);
    CHECK_AT(i, r.mul24, static_cast<long long>(static_cast<int>(p)));
  }
}

// 128-bit arithmetic: carries, wide shifts.
__global__ void wide_kernel(const unsigned long long* a, const unsigned long long* b, unsigned __int128* out,
                            int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned __int128 x = static_cast<unsigned __int128>(a[i]) << 64 | b[i];
  const unsigned __int128 y = static_cast<unsigned __int128>(b[i]) << 32 | a[i];
  out[i * 4 + 0] = x + y;
  out[i * 4 + 1] = x - y;
  out[i * 4 + 2] = x * y;
  out[i * 4 + 3] = (x >> (a[i] & 127)) ^ (y << (b[i] & 127));
}
E2E_CASE(int128) {
  constexpr int kCount = 200;
  const auto a = e2e::interesting<unsigned long long>(kCount), b = e2e::interesting<unsigned long long>(kCount, 4);
  e2e::Device<unsigned long long> da(a), db(b);
  e2e::Device<unsigned __int128> out(kCount * 4);
  wide_kernel<<<2, 128>>>(da, db, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) {
    const unsigned __int128 x = static_cast<unsigned __int128>(a[i]) << 64 | b[i];
    const unsigned __int128 y = static_cast<unsigned __int128>(b[i]) << 32 | a[i];
    CHECK(got[i * 4 + 0] == x + y);
    CHECK(got[i * 4 + 1] == x - y);
    CHECK(got[i * 4 + 2] == x * y);
    CHECK(got[i * 4 + 3] == ((x >> (a[i] & 127)) ^ (y << (b[i] & 127))));
  }
}
E2E_CASE(dot_products_of_bytes) {
  constexpr int kCount = 500;
  const auto a = e2e::interesting<int>(kCount), b = e2e::interesting<int>(kCount, 3);
  e2e::Device<int> da(a), db(b), out(4 * kCount);
  dot_kernel<<<(kCount + 127) / 128, 128>>>(da, db, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) {
    int wanted[4];
    dots(a[i], b[i], wanted);
    for (int k = 0; k < 4; ++k) CHECK_EQ(got[4 * i + k], wanted[k]);
  }
}
