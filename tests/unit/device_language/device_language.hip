// The functions of include/hip/detail that the end-to-end programs leave out: conversions with a rounding mode, funnel
// shifts, bit fields, n-th set bit, rounded arithmetic, mixed dot products, block votes, match, reductions with masks that
// differ between lanes. Each result is computed again on the host, by another way where there is one.
#include "e2e.h"

#include <cfenv>

namespace {

constexpr int kCount = 1024;
constexpr int kBlock = 128;

// --- Conversions ---

struct FromFloat {
  int to_int[4];
  unsigned to_uint[4];
  long long to_ll[4];
  unsigned long long to_ull[4];
};
template <class T> __global__ void from_floating(const T* in, FromFloat* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T x = in[i];
  FromFloat& r = out[i];
  if constexpr (sizeof(T) == 4) {
    r = {{__float2int_rn(x), __float2int_rz(x), __float2int_ru(x), __float2int_rd(x)},
         {__float2uint_rn(x), __float2uint_rz(x), __float2uint_ru(x), __float2uint_rd(x)},
         {__float2ll_rn(x), __float2ll_rz(x), __float2ll_ru(x), __float2ll_rd(x)},
         {__float2ull_rn(x), __float2ull_rz(x), __float2ull_ru(x), __float2ull_rd(x)}};
  } else {
    r = {{__double2int_rn(x), __double2int_rz(x), __double2int_ru(x), __double2int_rd(x)},
         {__double2uint_rn(x), __double2uint_rz(x), __double2uint_ru(x), __double2uint_rd(x)},
         {__double2ll_rn(x), __double2ll_rz(x), __double2ll_ru(x), __double2ll_rd(x)},
         {__double2ull_rn(x), __double2ull_rz(x), __double2ull_ru(x), __double2ull_rd(x)}};
  }
}

// Modes in the order of the tables above.
constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

template <class I> I saturated(long double x, int mode) {
  if (std::isnan(x)) return 0;
  const long double rounded = mode == 0 ? std::nearbyint(x) : mode == 1 ? std::trunc(x) : mode == 2 ? std::ceil(x) : std::floor(x);
  if (rounded >= static_cast<long double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  if (rounded <= static_cast<long double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  return static_cast<I>(rounded);
}

template <class T> void check_from_floating() {
  auto in = e2e::interesting<T>(kCount);
  for (int i = 100; i < kCount; ++i) in[i] *= static_cast<T>(std::ldexp(1.0, i % 70)); // around the integers' limits
  e2e::Device<T> device_in(in);
  e2e::Device<FromFloat> out(kCount);
  from_floating<T><<<kCount / kBlock, kBlock>>>(device_in, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i)
    for (int mode = 0; mode < 4; ++mode) {
      CHECK_AT(i, got[i].to_int[mode], saturated<int>(in[i], mode));
      CHECK_AT(i, got[i].to_uint[mode], saturated<unsigned>(in[i], mode));
      CHECK_AT(i, got[i].to_ll[mode], saturated<long long>(in[i], mode));
      CHECK_AT(i, got[i].to_ull[mode], saturated<unsigned long long>(in[i], mode));
    }
}

struct ToFloat {
  float from_int[4], from_uint[4], from_ll[4], from_ull[4], from_double[4];
  double d_from_ll[4], d_from_ull[4];
};
__global__ void to_floating(const unsigned long long* in, const double* reals, ToFloat* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long u = in[i];
  const long long s = static_cast<long long>(u);
  const double d = reals[i];
  const int n = static_cast<int>(s);
  const unsigned m = static_cast<unsigned>(u);
  out[i] = {{__int2float_rn(n), __int2float_rz(n), __int2float_ru(n), __int2float_rd(n)},
            {__uint2float_rn(m), __uint2float_rz(m), __uint2float_ru(m), __uint2float_rd(m)},
            {__ll2float_rn(s), __ll2float_rz(s), __ll2float_ru(s), __ll2float_rd(s)},
            {__ull2float_rn(u), __ull2float_rz(u), __ull2float_ru(u), __ull2float_rd(u)},
            {__double2float_rn(d), __double2float_rz(d), __double2float_ru(d), __double2float_rd(d)},
            {__ll2double_rn(s), __ll2double_rz(s), __ll2double_ru(s), __ll2double_rd(s)},
            {__ull2double_rn(u), __ull2double_rz(u), __ull2double_ru(u), __ull2double_rd(u)}};
}

// On the host by way of an 80-bit number, which holds every 64-bit integer, rounded in the processor's mode.
template <class To> To rounded(long double x, int mode) {
  volatile long double v = x;
  std::fesetround(kModes[mode]);
  volatile To r = static_cast<To>(v);
  std::fesetround(FE_TONEAREST);
  return r;
}

// --- Bits ---

struct BitResults {
  unsigned funnel[4];
  unsigned extract32, insert32;
  unsigned long long extract64, insert64;
  int fns[3];
  int hadd, rhadd;
  unsigned uhadd, urhadd, last, perm;
  int sdot2, sdot4, sdot8;
  unsigned udot2, udot4, udot8;
};
__global__ void bits(const unsigned long long* a, const unsigned long long* b, BitResults* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = static_cast<unsigned>(a[i]), y = static_cast<unsigned>(b[i]);
  const unsigned n = static_cast<unsigned>(b[i] >> 32);
  const short2 s = make_short2(static_cast<short>(x), static_cast<short>(x >> 16));
  const short2 t = make_short2(static_cast<short>(y), static_cast<short>(y >> 16));
  BitResults r;
  r.funnel[0] = __funnelshift_l(x, y, n % 70);
  r.funnel[1] = __funnelshift_lc(x, y, n % 70);
  r.funnel[2] = __funnelshift_r(x, y, n % 70);
  r.funnel[3] = __funnelshift_rc(x, y, n % 70);
  r.extract32 = __bitextract_u32(x, n % 32, n / 32 % 32);
  r.extract64 = __bitextract_u64(a[i], n % 64, n / 64 % 64);
  r.insert32 = __bitinsert_u32(x, y, n % 32, n / 32 % 32);
  r.insert64 = __bitinsert_u64(a[i], b[i], n % 64, n / 64 % 64);
  r.fns[0] = __fns(x, n % 32, static_cast<int>(n / 32 % 8));
  r.fns[1] = __fns(x, n % 32, -static_cast<int>(n / 32 % 8));
  r.fns[2] = __fns64(a[i], n % 64, static_cast<int>(n / 64 % 8));
  r.hadd = __hadd(static_cast<int>(x), static_cast<int>(y));
  r.rhadd = __rhadd(static_cast<int>(x), static_cast<int>(y));
  r.uhadd = __uhadd(x, y);
  r.urhadd = __urhadd(x, y);
  r.last = __lastbit_u32_u64(a[i]);
  r.perm = __byte_perm(x, y, n);
  const bool saturate = (n & 1) != 0;
  r.sdot2 = amd_mixed_dot(s, t, static_cast<int>(n), saturate);
  r.udot2 = amd_mixed_dot(make_ushort2(s.x, s.y), make_ushort2(t.x, t.y), n, saturate);
  r.sdot4 = amd_mixed_dot(make_char4(x, x >> 8, x >> 16, x >> 24), make_char4(y, y >> 8, y >> 16, y >> 24), static_cast<int>(n), saturate);
  r.udot4 = amd_mixed_dot(make_uchar4(x, x >> 8, x >> 16, x >> 24), make_uchar4(y, y >> 8, y >> 16, y >> 24), n, saturate);
  r.sdot8 = amd_mixed_dot(static_cast<int>(x), static_cast<int>(y), static_cast<int>(n), saturate);
  r.udot8 = amd_mixed_dot(x, y, n, saturate);
  out[i] = r;
}

// Position of the offset-th set bit, counted one by one.
int find_set(unsigned long long mask, int width, int base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  int left = offset == 0 ? 1 : offset < 0 ? -offset : offset;
  for (int i = base; i >= 0 && i < width; i += step) {
    if ((mask >> i & 1) != 0 && --left == 0) return i;
    if (offset == 0) break;
  }
  return -1;
}

template <class I> I clamp_to(long long sum, bool saturate) {
  if (!saturate) return static_cast<I>(sum);
  if (sum > static_cast<long long>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  if (sum < static_cast<long long>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  return static_cast<I>(sum);
}
// Sum of products of `width`-bit fields.
long long dot(unsigned x, unsigned y, int width, bool is_signed) {
  long long sum = 0;
  for (int k = 0; k < 32; k += width) {
    long long p = x >> k & ((1ull << width) - 1), q = y >> k & ((1ull << width) - 1);
    if (is_signed && (p >> (width - 1)) != 0) p -= 1ll << width;
    if (is_signed && (q >> (width - 1)) != 0) q -= 1ll << width;
    sum += p * q;
  }
  return sum;
}

// --- Arithmetic in a rounding mode ---

__global__ void directed(const float* a, const float* b, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* r = out + 12 * i;
#if defined(__HIP_DEVICE_COMPILE__)
  r[0] = __ocml_add_rtz_f32(a[i], b[i]);
  r[1] = __ocml_add_rtp_f32(a[i], b[i]);
  r[2] = __ocml_add_rtn_f32(a[i], b[i]);
  r[3] = __ocml_mul_rtz_f32(a[i], b[i]);
  r[4] = __ocml_mul_rtp_f32(a[i], b[i]);
  r[5] = __ocml_mul_rtn_f32(a[i], b[i]);
  r[6] = __ocml_div_rtz_f32(a[i], b[i]);
  r[7] = __ocml_div_rtp_f32(a[i], b[i]);
  r[8] = __ocml_div_rtn_f32(a[i], b[i]);
  r[9] = __ocml_sqrt_rtz_f32(a[i]);
  r[10] = __ocml_sqrt_rtp_f32(a[i]);
  r[11] = __ocml_sqrt_rtn_f32(a[i]);
#else
  (void)a;
  (void)b;
  (void)r;
#endif
}

// --- Merges of several paths, which the compiler needs our guard for (src/device/codegen) ---

__device__ __attribute__((noinline)) int saturate(long sum, bool wanted) {
  if (wanted) {
    if (sum > 0x7fffffffl) return 0x7fffffff;
    if (sum < -0x80000000l) return -0x7fffffff - 1;
  }
  return static_cast<int>(sum);
}
__device__ __attribute__((noinline)) double pick(int which, double x, double y) {
  double r;
  switch (which & 3) {
  case 0: r = x; break;
  case 1: r = -y; break;
  case 2: r = -x; break;
  default: r = y; break;
  }
  return r;
}
__global__ void merges(const long* in, int* saturated, double* picked) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  saturated[i] = saturate(in[i], (i & 3) != 0);
  picked[i] = pick(static_cast<int>(in[i]), i, i + 0.5);
}

// --- Blocks and waves ---

__global__ void block_votes(const int* in, int* out) {
  const int i = threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    const int value = in[round * blockDim.x + i];
    const int count = __syncthreads_count(value);
    const int all = __syncthreads_and(value);
    const int any = __syncthreads_or(value);
    if (i == static_cast<int>(blockDim.x) - 1) {
      out[3 * round] = count;
      out[3 * round + 1] = all;
      out[3 * round + 2] = any;
    }
  }
}

struct WaveResults {
  unsigned long long any_match, all_match;
  int all_same, sum, least;
  unsigned bits_or;
};
// Three sets of lanes work with masks of their own in one call.
__global__ void matches(const int* in, WaveResults* out) {
  const int lane = static_cast<int>(__lane_id());
  const int value = in[threadIdx.x];
  unsigned long long mask = 0;
  for (int k = lane % 3; k < warpSize; k += 3) mask |= 1ull << k;
  WaveResults r;
  r.any_match = __match_any_sync(mask, value);
  r.all_match = __match_all_sync(mask, value / 100, &r.all_same);
  r.sum = __reduce_add_sync(mask, value);
  r.least = __reduce_min_sync(mask, value);
  r.bits_or = __reduce_or_sync(mask, 1u << (value & 31));
  out[threadIdx.x] = r;
}

} // namespace

E2E_CASE(floating_to_integer) {
  check_from_floating<float>();
  check_from_floating<double>();
}

E2E_CASE(to_floating_in_a_mode) {
  const auto in = e2e::interesting<unsigned long long>(kCount);
  const auto reals = e2e::interesting<double>(kCount, 2);
  e2e::Device<unsigned long long> device_in(in);
  e2e::Device<double> device_reals(reals);
  e2e::Device<ToFloat> out(kCount);
  to_floating<<<kCount / kBlock, kBlock>>>(device_in, device_reals, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i)
    for (int mode = 0; mode < 4; ++mode) {
      const ToFloat& r = got[i];
      CHECK_AT(i, r.from_int[mode], rounded<float>(static_cast<int>(in[i]), mode));
      CHECK_AT(i, r.from_uint[mode], rounded<float>(static_cast<unsigned>(in[i]), mode));
      CHECK_AT(i, r.from_ll[mode], rounded<float>(static_cast<long long>(in[i]), mode));
      CHECK_AT(i, r.from_ull[mode], rounded<float>(in[i], mode));
      CHECK_AT(i, r.from_double[mode], rounded<float>(reals[i], mode));
      CHECK_AT(i, r.d_from_ll[mode], rounded<double>(static_cast<long long>(in[i]), mode));
      CHECK_AT(i, r.d_from_ull[mode], rounded<double>(in[i], mode));
    }
}

E2E_CASE(bit_functions) {
  const auto a = e2e::interesting<unsigned long long>(kCount), b = e2e::interesting<unsigned long long>(kCount, 5);
  e2e::Device<unsigned long long> da(a), db(b);
  e2e::Device<BitResults> out(kCount);
  bits<<<kCount / kBlock, kBlock>>>(da, db, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) {
    const BitResults& r = got[i];
    const unsigned x = static_cast<unsigned>(a[i]), y = static_cast<unsigned>(b[i]), n = static_cast<unsigned>(b[i] >> 32);
    const auto both = static_cast<unsigned __int128>(static_cast<unsigned long long>(y) << 32 | x);
    const unsigned shift = n % 70, clamped = shift > 32 ? 32 : shift;
    CHECK_AT(i, r.funnel[0], static_cast<unsigned>((both << shift % 32) >> 32));
    CHECK_AT(i, r.funnel[1], static_cast<unsigned>((both << clamped) >> 32));
    CHECK_AT(i, r.funnel[2], static_cast<unsigned>(both >> shift % 32));
    CHECK_AT(i, r.funnel[3], static_cast<unsigned>(both >> clamped));
    const unsigned o32 = n % 32, w32 = n / 32 % 32, o64 = n % 64, w64 = n / 64 % 64;
    if (o32 + w32 <= 32) CHECK_AT(i, r.extract32, static_cast<unsigned>(x >> o32 & ((1ull << w32) - 1)));
    if (o64 + w64 <= 64) CHECK_AT(i, r.extract64, a[i] >> o64 & ((1ull << w64) - 1));
    const unsigned long long m32 = (1ull << w32) - 1, m64 = (1ull << w64) - 1;
    CHECK_AT(i, r.insert32, static_cast<unsigned>((x & ~(m32 << o32)) | (y & m32) << o32));
    CHECK_AT(i, r.insert64, (a[i] & ~(m64 << o64)) | (b[i] & m64) << o64);
    CHECK_AT(i, r.fns[0], find_set(x, 32, static_cast<int>(o32), static_cast<int>(n / 32 % 8)));
    CHECK_AT(i, r.fns[1], find_set(x, 32, static_cast<int>(o32), -static_cast<int>(n / 32 % 8)));
    CHECK_AT(i, r.fns[2], find_set(a[i], 64, static_cast<int>(o64), static_cast<int>(n / 64 % 8)));
    const long long sx = static_cast<int>(x), sy = static_cast<int>(y);
    CHECK_AT(i, r.hadd, static_cast<int>((sx + sy) >> 1));
    CHECK_AT(i, r.rhadd, static_cast<int>((sx + sy + 1) >> 1));
    CHECK_AT(i, r.uhadd, static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1));
    CHECK_AT(i, r.urhadd, static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1));
    CHECK_AT(i, r.last, a[i] == 0 ? ~0u : static_cast<unsigned>(find_set(a[i], 64, 0, 1)));
    unsigned perm = 0;
    for (int k = 0; k < 4; ++k) perm |= static_cast<unsigned>(both >> 8 * (n >> 4 * k & 7) & 0xff) << 8 * k;
    CHECK_AT(i, r.perm, perm);
    const bool saturate = (n & 1) != 0;
    const int sn = static_cast<int>(n);
    CHECK_AT(i, r.sdot2, clamp_to<int>(dot(x, y, 16, true) + sn, saturate));
    CHECK_AT(i, r.sdot4, clamp_to<int>(dot(x, y, 8, true) + sn, saturate));
    CHECK_AT(i, r.sdot8, clamp_to<int>(dot(x, y, 4, true) + sn, saturate));
    CHECK_AT(i, r.udot2, clamp_to<unsigned>(dot(x, y, 16, false) + n, saturate));
    CHECK_AT(i, r.udot4, clamp_to<unsigned>(dot(x, y, 8, false) + n, saturate));
    CHECK_AT(i, r.udot8, clamp_to<unsigned>(dot(x, y, 4, false) + n, saturate));
  }
}

E2E_CASE(arithmetic_in_a_mode) {
  const auto a = e2e::interesting<float>(kCount), b = e2e::interesting<float>(kCount, 3);
  e2e::Device<float> da(a), db(b), out(12 * kCount);
  directed<<<kCount / kBlock, kBlock>>>(da, db, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i)
    for (int mode = 1; mode < 4; ++mode) {
      volatile float x = a[i], y = b[i], r[4];
      std::fesetround(kModes[mode]);
      r[0] = x + y;
      r[1] = x * y;
      r[2] = x / y;
      r[3] = std::sqrt(x);
      std::fesetround(FE_TONEAREST);
      for (int k = 0; k < 4; ++k) CHECK_AT(i, got[12 * i + 3 * k + mode - 1], static_cast<float>(r[k]));
    }
}

E2E_CASE(merges_of_several_paths) {
  auto in = e2e::interesting<long>(kCount);
  for (int i = 0; i < kCount; i += 2) in[i] >>= 30; // some around the limits of 32 bits
  e2e::Device<long> device_in(in);
  e2e::Device<int> saturated(kCount);
  e2e::Device<double> picked(kCount);
  merges<<<kCount / kBlock, kBlock>>>(device_in, saturated, picked);
  RUN_OK();
  const auto got = saturated.download();
  const auto got_picked = picked.download();
  for (int i = 0; i < kCount; ++i) {
    CHECK_AT(i, got[i], clamp_to<int>(in[i], (i & 3) != 0));
    const double x = i, y = i + 0.5, wanted[4] = {x, -y, -x, y};
    CHECK_AT(i, got_picked[i], wanted[in[i] & 3]);
  }
}

E2E_CASE(votes_of_a_block) {
  for (int block : {1, 37, 64, 200, 1024}) {
    std::vector<int> in(4 * block, 0);
    e2e::Random random;
    for (int i = 0; i < block; ++i) {
      in[i] = static_cast<int>(random.bits() % 3);
      in[block + i] = 5;
      in[3 * block + i] = i == block / 2 ? 7 : 0;
    }
    e2e::Device<int> device_in(in), out(12);
    block_votes<<<1, block>>>(device_in, out);
    RUN_OK();
    const auto got = out.download();
    for (int round = 0; round < 4; ++round) {
      int count = 0;
      for (int i = 0; i < block; ++i) count += in[round * block + i] != 0;
      CHECK_AT(block, got[3 * round], count);
      CHECK_AT(block, got[3 * round + 1] != 0, count == block);
      CHECK_AT(block, got[3 * round + 2] != 0, count != 0);
    }
  }
}

E2E_CASE(match_and_reduce_with_masks_of_their_own) {
  const int wave = warpSize;
  std::vector<int> in(wave);
  e2e::Random random;
  for (int i = 0; i < wave; ++i) in[i] = i % 3 == 1 ? 700 + i % 5 : static_cast<int>(random.bits() % 4) * 90;
  e2e::Device<int> device_in(in);
  e2e::Device<WaveResults> out(wave);
  matches<<<1, wave>>>(device_in, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < wave; ++i) {
    unsigned long long mask = 0, same = 0;
    bool all_same = true;
    int sum = 0, least = in[i];
    unsigned bits_or = 0;
    for (int k = i % 3; k < wave; k += 3) {
      mask |= 1ull << k;
      if (in[k] == in[i]) same |= 1ull << k;
      all_same = all_same && in[k] / 100 == in[i] / 100;
      sum += in[k];
      least = std::min(least, in[k]);
      bits_or |= 1u << (in[k] & 31);
    }
    CHECK_AT(i, got[i].any_match, same);
    CHECK_AT(i, got[i].all_match, all_same ? mask : 0);
    CHECK_AT(i, got[i].all_same, all_same ? 1 : 0);
    CHECK_AT(i, got[i].sum, sum);
    CHECK_AT(i, got[i].least, least);
    CHECK_AT(i, got[i].bits_or, bits_or);
  }
}
