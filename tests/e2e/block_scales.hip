// hip_ext_ocp.h: conversions with a scale to and from 8, 6 and 4 bits, to nearest even and stochastically, of float,
// fp16 and bf16, on the device and on the host, against the model of the formats that the instructions are tested with.
#include "../isa/small_floats.h"
#include "e2e.h"

#include <hip/hip_ext_ocp.h>

namespace {

using namespace isa_test;

// What 32 numbers become, as [e4m3 or e5m2, e2m3 or e3m2][to nearest or stochastically].
struct Codes {
  unsigned char fp8[2][2][8], fp8_pair[2][2], fp4[2][4];
  unsigned int fp6[2][2][6];
};
struct Seeded {
  unsigned int seed;
  __amd_scale_t scale;
};
constexpr __amd_fp8_interpretation_t kFp8[2] = {__AMD_OCP_E4M3, __AMD_OCP_E5M2};
constexpr __amd_fp6_interpretation_t kFp6[2] = {__AMD_OCP_E2M3, __AMD_OCP_E3M2};

// Not by conversions of __bf16: the host's run-time library may lack them.
__host__ __device__ inline void round_to(float& to, float v) { to = v; }
__host__ __device__ inline void round_to(_Float16& to, float v) { to = static_cast<_Float16>(v); }
__host__ __device__ inline void round_to(__bf16& to, float v) { // to nearest even
  const unsigned int bits = __builtin_bit_cast(unsigned int, v);
  to = __builtin_bit_cast(
      __bf16, static_cast<unsigned short>((v != v ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u)) >> 16));
}
template<class One> __host__ __device__ inline One rounded(float v) {
  One r;
  round_to(r, v);
  return r;
}

template<class To, class From> __host__ __device__ void copy(To& to, const From& from) {
  static_assert(sizeof(To) <= sizeof(From), "A vector of six has the size of one of eight.");
  __builtin_memcpy(&to, &from, sizeof(To));
}
#define CONVERT(elements, One)                                                                                         \
  __host__ __device__ void convert(const float* in, Seeded s, Codes& r, One) {                                         \
    __amd_##elements##x8_storage_t eight = {};                                                                         \
    __amd_##elements##x32_storage_t all = {};                                                                          \
    for (int i = 0; i < 32; ++i) all[i] = rounded<One>(in[i]);                                                         \
    for (int i = 0; i < 8; ++i) eight[i] = all[i];                                                                     \
    for (int k = 0; k < 2; ++k) {                                                                                      \
      copy(r.fp8[k][0], __amd_cvt_##elements##x8_to_fp8x8_scale(eight, kFp8[k], s.scale));                             \
      copy(r.fp8[k][1], __amd_cvt_##elements##x8_to_fp8x8_sr_scale(eight, kFp8[k], s.seed, s.scale));                  \
      copy(r.fp8_pair[k], __amd_cvt_##elements##x2_to_fp8x2_scale(eight.s01, kFp8[k], s.scale));                       \
      copy(r.fp6[k][0], __amd_cvt_##elements##x32_to_fp6x32_scale(all, kFp6[k], s.scale));                             \
      copy(r.fp6[k][1], __amd_cvt_##elements##x32_to_fp6x32_sr_scale(all, kFp6[k], s.seed, s.scale));                  \
    }                                                                                                                  \
    copy(r.fp4[0], __amd_cvt_##elements##x8_to_fp4x8_scale(eight, __AMD_OCP_E2M1, s.scale));                           \
    copy(r.fp4[1], __amd_cvt_##elements##x8_to_fp4x8_sr_scale(eight, __AMD_OCP_E2M1, s.seed, s.scale));                \
  }
CONVERT(float, float)
CONVERT(fp16, _Float16)
CONVERT(bf16, __bf16)

template<class One> __global__ void convert_kernel(const float* in, const Seeded* s, Codes* out) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  Codes r = {};
  convert(in + 32 * i, s[i], r, One());
  out[i] = r;
}

unsigned int bits_at(const void* bytes, int first, int count) {
  unsigned int r = 0;
  for (int i = 0; i < count; ++i)
    r |= (static_cast<const unsigned char*>(bytes)[(first + i) / 8] >> (first + i) % 8 & 1u) << i;
  return r;
}
uint32_t float_scale(int scale) { return scale == -128 ? 0x7f800000u : static_cast<uint32_t>(scale + 127) << 23; }

// The codes of one thread against the model; `where` says whose they are.
template<class One> void check(const char* where, const float* in, Seeded s, const Codes& got) {
  const SmallFormat fp8[2] = {kE4m3, kE5m2}, fp6[2] = {kE2m3, kE3m2};
  auto compare = [&](const char* what, int i, unsigned int code, const SmallFormat& format, bool to_nearest,
                     uint32_t seed) {
    const double v = by_scale(static_cast<double>(static_cast<float>(rounded<One>(in[i]))), float_scale(s.scale));
    const unsigned int wanted = to_nearest ? nearest(format, v) : stochastic(format, v, seed);
    const bool both_nan = std::isnan(value_of(format, wanted)) && std::isnan(value_of(format, code));
    if (code != wanted && !both_nan)
      e2e::fail(__FILE__, __LINE__,
                std::string(where) + ", " + what + (to_nearest ? "" : ", stochastic") + ", element " +
                    std::to_string(i) + " of " + std::to_string(v) + " is " + std::to_string(code) + ", expected " +
                    std::to_string(wanted));
  };
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 8; ++i) {
      compare(k ? "e5m2" : "e4m3", i, got.fp8[k][0][i], fp8[k], true, 0);
      compare(k ? "e5m2" : "e4m3", i, got.fp8[k][1][i], fp8[k], false, s.seed);
    }
    for (int i = 0; i < 2; ++i) compare("pair", i, got.fp8_pair[k][i], fp8[k], true, 0);
    uint32_t seed = s.seed;
    for (int i = 0; i < 32; ++i, seed = next_seed(seed)) {
      compare(k ? "e3m2" : "e2m3", i, bits_at(got.fp6[k][0], 6 * i, 6), fp6[k], true, 0);
      compare(k ? "e3m2" : "e2m3", i, bits_at(got.fp6[k][1], 6 * i, 6), fp6[k], false, seed);
    }
  }
  for (int i = 0; i < 8; ++i) { // pairs begin with the seed each
    compare("e2m1", i, bits_at(got.fp4[0], 4 * i, 4), kE2m1, true, 0);
    compare("e2m1", i, bits_at(got.fp4[1], 4 * i, 4), kE2m1, false, i % 2 ? next_seed(s.seed) : s.seed);
  }
}

// Boundaries of the formats times the scale, and random numbers around them.
void make_input(std::vector<float>& in, std::vector<Seeded>& seeded) {
  std::vector<float> pool = e2e::interesting<float>(300);
  for (const SmallFormat& format : {kE4m3, kE5m2, kE2m3, kE3m2, kE2m1})
    for (uint32_t code = 0; code <= format.largest(); ++code) {
      const double a = magnitude_of(format, code), b = magnitude_of(format, code + 1);
      for (const double v : {a, a + (b - a) / 4, (a + b) / 2})
        pool.insert(pool.end(), {float(v), -std::nextafter(float(v), 0.0f)});
    }
  const int scales[] = {0, 0, 1, -3, 7, 20, -20, 127, -127, -128};
  uint32_t random = 12345;
  for (int i = 0; i < 1024; ++i) {
    const int scale = scales[i % 10];
    random = random * 1664525u + 1013904223u;
    seeded.push_back({i % 7 == 0 ? 0u : i % 11 == 0 ? ~0u : random, static_cast<__amd_scale_t>(scale)});
    for (int k = 0; k < 32; ++k) {
      random = random * 1664525u + 1013904223u;
      in.push_back(std::ldexp(pool[random % pool.size()], scale == -128 ? 0 : scale));
    }
  }
}

template<class One> void check_encoding(const char* name) {
  std::vector<float> in;
  std::vector<Seeded> seeded;
  make_input(in, seeded);
  e2e::Device<float> device_in(in);
  e2e::Device<Seeded> device_seeded(seeded);
  e2e::Device<Codes> out(seeded.size());
  convert_kernel<One>
      <<<static_cast<unsigned int>(seeded.size() / 64), 64>>>(device_in.data(), device_seeded.data(), out.data());
  RUN_OK();
  const auto got = out.download();
  for (size_t i = 0; i < seeded.size(); ++i) {
    check<One>((std::string(name) + " on the device").c_str(), &in[32 * i], seeded[i], got[i]);
    Codes host = {};
    convert(&in[32 * i], seeded[i], host, One());
    check<One>((std::string(name) + " on the host").c_str(), &in[32 * i], seeded[i], host);
  }
}

// --- Back: every code of every format, with a scale

struct Numbers {
  float fp8[2][3], fp4[3], fp6[2][3]; // as float, fp16 and bf16
};
__host__ __device__ Numbers numbers_of(int code, __amd_scale_t scale) {
  Numbers r;
  const unsigned char byte = static_cast<unsigned char>(code), nibble = byte & 15;
  __amd_fp6x32_storage_t block = {};
  block[5] = static_cast<unsigned int>(code & 63) << 26; // the last element
  for (int k = 0; k < 2; ++k) {
    r.fp8[k][0] = __amd_cvt_fp8x2_to_floatx2_scale(__amd_create_fp8x2(0, byte), kFp8[k], scale).y;
    r.fp8[k][1] = static_cast<float>(__amd_cvt_fp8_to_fp16_scale(byte, kFp8[k], scale));
    r.fp8[k][2] = static_cast<float>(
        __amd_cvt_fp8x8_to_bf16x8_scale(__amd_create_fp8x8(0, 0, 0, __amd_create_fp8x2(0, byte)), kFp8[k], scale)[7]);
    r.fp6[k][0] = __amd_cvt_fp6x32_to_floatx32_scale(block, kFp6[k], scale)[31];
    r.fp6[k][1] = static_cast<float>(__amd_cvt_fp6x32_to_fp16x32_scale(block, kFp6[k], scale)[31]);
    r.fp6[k][2] = static_cast<float>(__amd_cvt_fp6x32_to_bf16x32_scale(block, kFp6[k], scale)[31]);
  }
  r.fp4[0] = __amd_cvt_fp4x2_to_floatx2_scale(__amd_create_fp4x2(0, nibble), __AMD_OCP_E2M1, scale).y;
  r.fp4[1] = static_cast<float>(
      __amd_cvt_fp4x8_to_fp16x8_scale(__amd_create_fp4x8(0, nibble, 0, 0), __AMD_OCP_E2M1, scale)[2]);
  r.fp4[2] = static_cast<float>(__amd_cvt_fp4x2_to_bf16x2_scale(nibble, __AMD_OCP_E2M1, scale).x);
  return r;
}
__global__ void numbers_kernel(Numbers* out, __amd_scale_t scale) {
  out[threadIdx.x] = numbers_of(static_cast<int>(threadIdx.x), scale);
}

void check_numbers(const Numbers& got, int code, int scale) {
  auto compare = [&](const float* v, const SmallFormat& format) {
    const double exact = times_scale(value_of(format, code & (format.ones() | format.sign())), float_scale(scale));
    const float wanted[3] = {static_cast<float>(exact), static_cast<float>(static_cast<_Float16>(exact)),
                             static_cast<float>(rounded<__bf16>(static_cast<float>(exact)))};
    for (int i = 0; i < 3; ++i) CHECK_AT(code, v[i], wanted[i]);
  };
  compare(got.fp8[0], kE4m3);
  compare(got.fp8[1], kE5m2);
  compare(got.fp6[0], kE2m3);
  compare(got.fp6[1], kE3m2);
  compare(got.fp4, kE2m1);
}

// --- The classes, and numbers of 16 bits rounded stochastically

struct Rest {
  float fp8, seeded8, pair[2], block[2], fp4[2];
  unsigned short fp16[3], bf16;
};
__host__ __device__ Rest rest_of(float v, unsigned int seed) {
  Rest r;
  r.fp8 = __hipext_ocp_fp8_e5m2(v);
  r.seeded8 = __hipext_ocp_fp8_e4m3(v, seed, 2).get_scaled_float(2);
  const __amd_floatx2_storage_t two = __hipext_ocp_fp8x2_e5m2(v, -v);
  r.pair[0] = two.x;
  r.pair[1] = two.y;
  __amd_floatx16_storage_t low = {}, high = {};
  low[1] = v;
  high[15] = -v;
  const __amd_floatx32_storage_t all = __hipext_ocp_fp6x32_e3m2(low, high, 1).get_scaled_floatx32(1);
  r.block[0] = all[1];
  r.block[1] = all[31];
  const __amd_floatx2_storage_t fp4 = __hipext_ocp_fp4x2_e2m1(v, -v, -1).get_scaled_floatx2(-1);
  r.fp4[0] = fp4.x;
  r.fp4[1] = fp4.y;
  r.fp16[0] = __builtin_bit_cast(unsigned short, __amd_cvt_float_to_fp16_sr(v, seed));
  const __amd_fp16x2_storage_t halves = __amd_cvt_float_float_to_fp16x2_sr(v, -v, seed);
  copy(r.fp16[1], halves); // clang takes the first element whichever it is asked to cast
  r.fp16[2] = static_cast<unsigned short>(__builtin_bit_cast(unsigned int, halves) >> 16);
  r.bf16 = __builtin_bit_cast(unsigned short, __amd_cvt_float_to_bf16_sr(v, seed));
  return r;
}
__global__ void rest_kernel(const float* in, unsigned int seed, Rest* out) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = rest_of(in[i], seed + 0x01234567u * i);
}
void check_rest(const Rest& got, float v, uint32_t seed) {
  const double down = value_of(kE5m2, nearest(kE5m2, v));
  CHECK_AT(v, got.fp8, float(down));
  CHECK_AT(v, got.pair[0], float(down));
  CHECK_AT(v, got.pair[1], float(-down));
  CHECK_AT(v, got.seeded8, float(4 * value_of(kE4m3, stochastic(kE4m3, v / 4.0, seed))));
  const double block = 2 * value_of(kE3m2, nearest(kE3m2, v / 2.0)), fp4 = value_of(kE2m1, nearest(kE2m1, v * 2.0)) / 2;
  CHECK_AT(v, got.block[0], float(block));
  CHECK_AT(v, got.block[1], float(-block));
  CHECK_AT(v, got.fp4[0], float(fp4));
  CHECK_AT(v, got.fp4[1], float(-fp4));
  const unsigned int half = stochastic(kHalf, v, seed);
  CHECK_AT(v, unsigned(got.fp16[0]), half);
  CHECK_AT(v, unsigned(got.fp16[1]), half);
  CHECK_AT(v, unsigned(got.fp16[2]), half ^ 0x8000u);
  const uint32_t bits = __builtin_bit_cast(uint32_t, v);
  CHECK_AT(v, unsigned(got.bf16), (bits + (seed >> 16)) >> 16);
}

} // namespace

E2E_CASE(encoding_of_float) { check_encoding<float>("float"); }
E2E_CASE(encoding_of_fp16) { check_encoding<_Float16>("fp16"); }
E2E_CASE(encoding_of_bf16) { check_encoding<__bf16>("bf16"); }

E2E_CASE(decoding_of_every_code) {
  for (const int scale : {0, 5, -9, 127, -127, -128}) {
    e2e::Device<Numbers> out(256);
    numbers_kernel<<<1, 256>>>(out.data(), static_cast<__amd_scale_t>(scale));
    RUN_OK();
    const auto got = out.download();
    for (int code = 0; code < 256; ++code) {
      check_numbers(got[code], code, scale);
      check_numbers(numbers_of(code, static_cast<__amd_scale_t>(scale)), code, scale);
    }
  }
}

E2E_CASE(classes_and_sixteen_bits) {
  std::vector<float> in;
  for (int i = 0; i < 256; ++i)
    in.push_back(std::ldexp(1.0f + float(i) / 256 * 0.999f, i % 16 - 8) * (i % 3 ? 1.0f : -1.0f));
  e2e::Device<float> device_in(in);
  e2e::Device<Rest> out(in.size());
  const unsigned int seed = 0x80002000u;
  rest_kernel<<<4, 64>>>(device_in.data(), seed, out.data());
  RUN_OK();
  const auto got = out.download();
  for (unsigned int i = 0; i < in.size(); ++i) {
    check_rest(got[i], in[i], seed + 0x01234567u * i);
    check_rest(rest_of(in[i], seed + 0x01234567u * i), in[i], seed + 0x01234567u * i);
  }
}
