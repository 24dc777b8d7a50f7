// Matrix instructions against products computed one element at a time: layouts as AMD's CDNA3 manual (section "Matrix
// arithmetic") and AMD's matrix instruction calculator lay them out, modifiers, and the order in which isa/matrix.inl
// says that products are added.
#include "code.h"
#include "small_floats.h"
#include "test_seed.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

using namespace isa_test;

namespace {

enum class Elem { F32, Xf32, F64, F16, Bf16, Fp8, Bf8, OcpFp8, OcpBf8, I8 };
struct Shape {
  const char* name;
  Elem a, b;
  uint32_t m, k, blocks;
  bool blgp = false, sparse = false;
  const char* processor = "gfx942";
};
constexpr Shape kShapes[] = {
    {"v_mfma_f32_32x32x1_2b_f32", Elem::F32, Elem::F32, 32, 1, 2, true},
    {"v_mfma_f32_16x16x1_4b_f32", Elem::F32, Elem::F32, 16, 1, 4, true},
    {"v_mfma_f32_4x4x1_16b_f32", Elem::F32, Elem::F32, 4, 1, 16, true},
    {"v_mfma_f32_32x32x2_f32", Elem::F32, Elem::F32, 32, 2, 1, true},
    {"v_mfma_f32_16x16x4_f32", Elem::F32, Elem::F32, 16, 4, 1, true},
    {"v_mfma_f32_16x16x8_xf32", Elem::Xf32, Elem::Xf32, 16, 8, 1},
    {"v_mfma_f32_32x32x4_xf32", Elem::Xf32, Elem::Xf32, 32, 4, 1},
    {"v_mfma_f32_32x32x4_2b_f16", Elem::F16, Elem::F16, 32, 4, 2, true},
    {"v_mfma_f32_16x16x4_4b_f16", Elem::F16, Elem::F16, 16, 4, 4, true},
    {"v_mfma_f32_4x4x4_16b_f16", Elem::F16, Elem::F16, 4, 4, 16, true},
    {"v_mfma_f32_32x32x8_f16", Elem::F16, Elem::F16, 32, 8, 1},
    {"v_mfma_f32_16x16x16_f16", Elem::F16, Elem::F16, 16, 16, 1},
    {"v_mfma_f32_32x32x4_2b_bf16", Elem::Bf16, Elem::Bf16, 32, 4, 2, true},
    {"v_mfma_f32_16x16x4_4b_bf16", Elem::Bf16, Elem::Bf16, 16, 4, 4, true},
    {"v_mfma_f32_4x4x4_16b_bf16", Elem::Bf16, Elem::Bf16, 4, 4, 16, true},
    {"v_mfma_f32_32x32x8_bf16", Elem::Bf16, Elem::Bf16, 32, 8, 1},
    {"v_mfma_f32_16x16x16_bf16", Elem::Bf16, Elem::Bf16, 16, 16, 1},
    {"v_mfma_i32_32x32x4_2b_i8", Elem::I8, Elem::I8, 32, 4, 2, true},
    {"v_mfma_i32_16x16x4_4b_i8", Elem::I8, Elem::I8, 16, 4, 4, true},
    {"v_mfma_i32_4x4x4_16b_i8", Elem::I8, Elem::I8, 4, 4, 16, true},
    {"v_mfma_i32_32x32x16_i8", Elem::I8, Elem::I8, 32, 16, 1},
    {"v_mfma_i32_16x16x32_i8", Elem::I8, Elem::I8, 16, 32, 1},
    {"v_mfma_f32_16x16x32_bf8_bf8", Elem::Bf8, Elem::Bf8, 16, 32, 1},
    {"v_mfma_f32_16x16x32_bf8_fp8", Elem::Bf8, Elem::Fp8, 16, 32, 1},
    {"v_mfma_f32_16x16x32_fp8_bf8", Elem::Fp8, Elem::Bf8, 16, 32, 1},
    {"v_mfma_f32_16x16x32_fp8_fp8", Elem::Fp8, Elem::Fp8, 16, 32, 1},
    {"v_mfma_f32_32x32x16_bf8_bf8", Elem::Bf8, Elem::Bf8, 32, 16, 1},
    {"v_mfma_f32_32x32x16_bf8_fp8", Elem::Bf8, Elem::Fp8, 32, 16, 1},
    {"v_mfma_f32_32x32x16_fp8_bf8", Elem::Fp8, Elem::Bf8, 32, 16, 1},
    {"v_mfma_f32_32x32x16_fp8_fp8", Elem::Fp8, Elem::Fp8, 32, 16, 1},
    {"v_mfma_f64_16x16x4_f64", Elem::F64, Elem::F64, 16, 4, 1, true},
    {"v_mfma_f64_4x4x4_4b_f64", Elem::F64, Elem::F64, 4, 4, 4, true},
    {"v_smfmac_f32_16x16x32_f16", Elem::F16, Elem::F16, 16, 32, 1, false, true},
    {"v_smfmac_f32_32x32x16_f16", Elem::F16, Elem::F16, 32, 16, 1, false, true},
    {"v_smfmac_f32_16x16x32_bf16", Elem::Bf16, Elem::Bf16, 16, 32, 1, false, true},
    {"v_smfmac_f32_32x32x16_bf16", Elem::Bf16, Elem::Bf16, 32, 16, 1, false, true},
    {"v_smfmac_i32_16x16x64_i8", Elem::I8, Elem::I8, 16, 64, 1, false, true},
    {"v_smfmac_i32_32x32x32_i8", Elem::I8, Elem::I8, 32, 32, 1, false, true},
    {"v_smfmac_f32_16x16x64_bf8_bf8", Elem::Bf8, Elem::Bf8, 16, 64, 1, false, true},
    {"v_smfmac_f32_16x16x64_bf8_fp8", Elem::Bf8, Elem::Fp8, 16, 64, 1, false, true},
    {"v_smfmac_f32_16x16x64_fp8_bf8", Elem::Fp8, Elem::Bf8, 16, 64, 1, false, true},
    {"v_smfmac_f32_16x16x64_fp8_fp8", Elem::Fp8, Elem::Fp8, 16, 64, 1, false, true},
    {"v_smfmac_f32_32x32x32_bf8_bf8", Elem::Bf8, Elem::Bf8, 32, 32, 1, false, true},
    {"v_smfmac_f32_32x32x32_bf8_fp8", Elem::Bf8, Elem::Fp8, 32, 32, 1, false, true},
    {"v_smfmac_f32_32x32x32_fp8_bf8", Elem::Fp8, Elem::Bf8, 32, 32, 1, false, true},
    {"v_smfmac_f32_32x32x32_fp8_fp8", Elem::Fp8, Elem::Fp8, 32, 32, 1, false, true},
    {"v_mfma_f32_32x32x2bf16", Elem::Bf16, Elem::Bf16, 32, 2, 2, true, false, "gfx90a"},
    {"v_mfma_f32_16x16x2bf16", Elem::Bf16, Elem::Bf16, 16, 2, 4, true, false, "gfx90a"},
    {"v_mfma_f32_4x4x2bf16", Elem::Bf16, Elem::Bf16, 4, 2, 16, true, false, "gfx90a"},
    {"v_mfma_f32_32x32x4bf16", Elem::Bf16, Elem::Bf16, 32, 4, 1, false, false, "gfx90a"},
    {"v_mfma_f32_16x16x8bf16", Elem::Bf16, Elem::Bf16, 16, 8, 1, false, false, "gfx90a"},
    {"v_mfma_i32_32x32x8i8", Elem::I8, Elem::I8, 32, 8, 1, false, false, "gfx90a"},
    {"v_mfma_i32_16x16x16i8", Elem::I8, Elem::I8, 16, 16, 1, false, false, "gfx90a"},
    {"v_mfma_f32_16x16x32_f16", Elem::F16, Elem::F16, 16, 32, 1, false, false, "gfx950"},
    {"v_mfma_f32_32x32x16_f16", Elem::F16, Elem::F16, 32, 16, 1, false, false, "gfx950"},
    {"v_smfmac_f32_16x16x64_f16", Elem::F16, Elem::F16, 16, 64, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x32_f16", Elem::F16, Elem::F16, 32, 32, 1, false, true, "gfx950"},
    {"v_mfma_f32_16x16x32_bf16", Elem::Bf16, Elem::Bf16, 16, 32, 1, false, false, "gfx950"},
    {"v_mfma_f32_32x32x16_bf16", Elem::Bf16, Elem::Bf16, 32, 16, 1, false, false, "gfx950"},
    {"v_smfmac_f32_16x16x64_bf16", Elem::Bf16, Elem::Bf16, 16, 64, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x32_bf16", Elem::Bf16, Elem::Bf16, 32, 32, 1, false, true, "gfx950"},
    {"v_mfma_i32_16x16x64_i8", Elem::I8, Elem::I8, 16, 64, 1, false, false, "gfx950"},
    {"v_mfma_i32_32x32x32_i8", Elem::I8, Elem::I8, 32, 32, 1, false, false, "gfx950"},
    {"v_smfmac_i32_16x16x128_i8", Elem::I8, Elem::I8, 16, 128, 1, false, true, "gfx950"},
    {"v_smfmac_i32_32x32x64_i8", Elem::I8, Elem::I8, 32, 64, 1, false, true, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_fp8", Elem::OcpFp8, Elem::OcpFp8, 16, 32, 1, false, false, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_fp8", Elem::OcpFp8, Elem::OcpFp8, 32, 16, 1, false, false, "gfx950"},
    {"v_smfmac_f32_16x16x64_fp8_fp8", Elem::OcpFp8, Elem::OcpFp8, 16, 64, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x32_fp8_fp8", Elem::OcpFp8, Elem::OcpFp8, 32, 32, 1, false, true, "gfx950"},
    {"v_smfmac_f32_16x16x128_fp8_fp8", Elem::OcpFp8, Elem::OcpFp8, 16, 128, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x64_fp8_fp8", Elem::OcpFp8, Elem::OcpFp8, 32, 64, 1, false, true, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_bf8", Elem::OcpFp8, Elem::OcpBf8, 16, 32, 1, false, false, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_bf8", Elem::OcpFp8, Elem::OcpBf8, 32, 16, 1, false, false, "gfx950"},
    {"v_smfmac_f32_16x16x64_fp8_bf8", Elem::OcpFp8, Elem::OcpBf8, 16, 64, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x32_fp8_bf8", Elem::OcpFp8, Elem::OcpBf8, 32, 32, 1, false, true, "gfx950"},
    {"v_smfmac_f32_16x16x128_fp8_bf8", Elem::OcpFp8, Elem::OcpBf8, 16, 128, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x64_fp8_bf8", Elem::OcpFp8, Elem::OcpBf8, 32, 64, 1, false, true, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_fp8", Elem::OcpBf8, Elem::OcpFp8, 16, 32, 1, false, false, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_fp8", Elem::OcpBf8, Elem::OcpFp8, 32, 16, 1, false, false, "gfx950"},
    {"v_smfmac_f32_16x16x64_bf8_fp8", Elem::OcpBf8, Elem::OcpFp8, 16, 64, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x32_bf8_fp8", Elem::OcpBf8, Elem::OcpFp8, 32, 32, 1, false, true, "gfx950"},
    {"v_smfmac_f32_16x16x128_bf8_fp8", Elem::OcpBf8, Elem::OcpFp8, 16, 128, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x64_bf8_fp8", Elem::OcpBf8, Elem::OcpFp8, 32, 64, 1, false, true, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_bf8", Elem::OcpBf8, Elem::OcpBf8, 16, 32, 1, false, false, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_bf8", Elem::OcpBf8, Elem::OcpBf8, 32, 16, 1, false, false, "gfx950"},
    {"v_smfmac_f32_16x16x64_bf8_bf8", Elem::OcpBf8, Elem::OcpBf8, 16, 64, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x32_bf8_bf8", Elem::OcpBf8, Elem::OcpBf8, 32, 32, 1, false, true, "gfx950"},
    {"v_smfmac_f32_16x16x128_bf8_bf8", Elem::OcpBf8, Elem::OcpBf8, 16, 128, 1, false, true, "gfx950"},
    {"v_smfmac_f32_32x32x64_bf8_bf8", Elem::OcpBf8, Elem::OcpBf8, 32, 64, 1, false, true, "gfx950"},
};

uint32_t bits_of(Elem e) {
  switch (e) {
  case Elem::F64:
    return 64;
  case Elem::F32:
  case Elem::Xf32:
    return 32;
  case Elem::F16:
  case Elem::Bf16:
    return 16;
  default:
    return 8;
  }
}
bool is_float8(Elem e) { return e == Elem::Fp8 || e == Elem::Bf8 || e == Elem::OcpFp8 || e == Elem::OcpBf8; }
// 8-bit floats without infinities and without a negative zero, which is the NaN.
double value_of_8(uint32_t code, int mantissa_bits, int bias) {
  if (code == 0x80) return std::nan("");
  const int field = int(code & 0x7f) >> mantissa_bits, mantissa = int(code) & ((1 << mantissa_bits) - 1);
  const double v = field ? std::ldexp((1 << mantissa_bits) + mantissa, field - bias - mantissa_bits)
                         : std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return code & 0x80 ? -v : v;
}
double value_of(Elem e, uint64_t v) {
  switch (e) {
  case Elem::F64:
    return std::bit_cast<double>(v);
  case Elem::F32:
    return std::bit_cast<float>(uint32_t(v));
  case Elem::F16:
    return double(std::bit_cast<_Float16>(uint16_t(v)));
  case Elem::Bf16:
    return std::bit_cast<float>(uint32_t(v) << 16);
  case Elem::Fp8:
    return value_of_8(uint32_t(v), 3, 8);
  case Elem::Bf8:
    return value_of_8(uint32_t(v), 2, 16);
  case Elem::OcpFp8:
    return isa_test::value_of(kE4m3, uint32_t(v));
  case Elem::OcpBf8:
    return isa_test::value_of(kE5m2, uint32_t(v));
  case Elem::I8:
    return int8_t(v);
  case Elem::Xf32:
    break;
  }
  const double x = std::bit_cast<float>(uint32_t(v));
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent;
  std::frexp(x, &exponent); // 11 bits from the highest one on, or what a denormal number has of them
  exponent = std::max(exponent, -125);
  return std::ldexp(std::nearbyint(std::ldexp(x, 11 - exponent)), exponent - 11);
}

struct Case {
  const Shape* shape;
  std::string text;
  uint32_t cbsz = 0, abid = 0, blgp = 0;
  bool constant = false; // C is the inline constant 1
};
constexpr uint32_t kA = 0, kB = 8, kIndex = 16, kC = 20, kWaveRows = 64;

std::string registers(uint32_t first, uint32_t count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
uint32_t lane_elements_a(const Shape& s) { return s.m * s.k * s.blocks / 64 / (s.sparse ? 2 : 1); }
uint32_t lane_elements_b(const Shape& s) { return s.m * s.k * s.blocks / 64; }
uint32_t results(const Shape& s) { return s.m * s.m * s.blocks / 64; }
uint32_t result_width(const Shape& s) { return s.a == Elem::F64 ? 2 : 1; }

Case make_case(const Shape& s, std::mt19937& random, bool plain) {
  auto dwords = [](uint32_t bits) { return (bits + 31) / 32; };
  const uint32_t a = dwords(lane_elements_a(s) * bits_of(s.a)), b = dwords(lane_elements_b(s) * bits_of(s.b));
  const std::string d = registers(kC, results(s) * result_width(s));
  Case c{&s, {}};
  if (!plain) {
    uint32_t most = 0;
    while (2u << most <= s.blocks) ++most;
    if (s.sparse) {
      c.cbsz = random() % 4 == 0;
      c.abid = unsigned(random()) % (32 / (2 * lane_elements_a(s)));
    } else if (s.a != Elem::F64) {
      c.cbsz = unsigned(random()) % (most + 1);
      c.abid = c.cbsz ? unsigned(random()) % (1u << c.cbsz) : 0;
    }
    if (s.blgp) c.blgp = unsigned(random()) % 8;
    c.constant = !s.sparse && random() % 3 == 0;
  }
  c.text = std::string(s.name) + " " + d + ", " + registers(kA, a) + ", " + registers(kB, b) + ", " +
           (s.sparse          ? registers(kIndex, 1)
            : !c.constant     ? d
            : s.a == Elem::I8 ? "1"
                              : "1.0");
  if (c.cbsz) c.text += " cbsz:" + std::to_string(c.cbsz);
  if (c.abid) c.text += " abid:" + std::to_string(c.abid);
  if (c.blgp && s.a != Elem::F64) c.text += " blgp:" + std::to_string(c.blgp);
  if (c.blgp && s.a == Elem::F64)
    c.text +=
        std::string(" neg:[") + (c.blgp & 1 ? "1," : "0,") + (c.blgp & 2 ? "1," : "0,") + (c.blgp & 4 ? "1]" : "0]");
  return c;
}

// Lane and element of a matrix element whose row (of B: column) is `outer`, where a lane has `per_lane` of them in a
// row.
void place(const Shape& s, uint32_t per_lane, uint32_t block, uint32_t outer, uint32_t k, uint32_t& lane, uint32_t& e) {
  e = k % per_lane;
  lane = outer + s.m * block + s.m * s.blocks * (k / per_lane);
}
// Block, row and column of result `reg` (a pair for f64) of a lane.
void place_d(const Shape& s, uint32_t lane, uint32_t reg, uint32_t& block, uint32_t& row, uint32_t& column) {
  column = lane % s.m;
  if (s.a == Elem::F64 && s.m == 16)
    block = 0, row = 4 * reg + lane / 16;
  else if (s.a == Elem::F64)
    block = lane / 4 % 4, row = lane / 16;
  else if (s.m == 32)
    block = reg / 16, row = 8 * (reg % 16 / 4) + 4 * (lane / 32) + reg % 4;
  else if (s.m == 16)
    block = reg / 4, row = 4 * (lane / 16) + reg % 4;
  else
    block = lane / 4, row = reg;
}
// Which quarter of B's lanes a quarter takes, by blgp.
constexpr uint32_t kQuarterOf[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                                       {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};

// Numbers whose products round, of all magnitudes up to denormal ones; no NaN and no infinity among 16 and 32 bits.
uint64_t any_element(Elem e, std::mt19937& random) {
  const uint32_t r = uint32_t(random());
  const uint32_t tiny = random() % 8 == 0;
  switch (e) {
  case Elem::F64:
    return uint64_t(r & 0x80ffffffu) << 32 | 0x3f00000000000000ull | random();
  case Elem::F32:
  case Elem::Xf32:
    return tiny ? r & 0x80ffffffu : (r & 0x83ffffffu) | 0x3c000000u;
  case Elem::F16:
    return tiny ? r & 0x83ffu : (r & 0x8fffu) | 0x3000u;
  case Elem::Bf16:
    return tiny ? r & 0x80ffu : (r & 0x83ffu) | 0x3c00u;
  default:
    return r & 0xff;
  }
}

class Product {
public:
  Product(const Case& c, Wave& w) : c_(c), s_(*c.shape), w_(w) {}
  void fill(std::mt19937& random) {
    for (uint32_t lane = 0; lane < 64; ++lane) {
      for (uint32_t e = 0; e < lane_elements_a(s_); ++e) put(kA, s_.a, lane, e, any_element(s_.a, random));
      for (uint32_t e = 0; e < lane_elements_b(s_); ++e) put(kB, s_.b, lane, e, any_element(s_.b, random));
      w_.row(kIndex)[lane] = uint32_t(random());
      for (uint32_t r = 0; r < results(s_) * result_width(s_); ++r)
        w_.row(kC + r)[lane] = s_.a == Elem::I8 ? uint32_t(random()) : uint32_t(any_element(Elem::F32, random));
    }
  }
  // Result `reg` of a lane, from the present registers.
  uint64_t expected(uint32_t lane, uint32_t reg) const {
    uint32_t block, row, column;
    place_d(s_, lane, reg, block, row, column);
    const uint64_t c = c_.constant ? (s_.a == Elem::I8    ? 1
                                      : s_.a == Elem::F64 ? std::bit_cast<uint64_t>(1.0)
                                                          : std::bit_cast<uint32_t>(1.0f))
                                   : result(lane, reg);
    if (s_.a == Elem::I8) {
      uint32_t sum = uint32_t(c);
      for_products(block, row, column, [&](double a, double b) { sum += uint32_t(int(a) * int(b)); });
      return sum;
    }
    if (s_.a == Elem::F64) {
      double sum = std::bit_cast<double>(c);
      if (c_.blgp & 4) sum = -sum;
      for_products(block, row, column,
                   [&](double a, double b) { sum = std::fma(c_.blgp & 1 ? -a : a, c_.blgp & 2 ? -b : b, sum); });
      return std::bit_cast<uint64_t>(sum);
    }
    float sum = std::bit_cast<float>(uint32_t(c));
    for_products(block, row, column, [&](double a, double b) { sum = std::fma(float(a), float(b), sum); });
    return std::isnan(sum) ? 0x7fc00000u : std::bit_cast<uint32_t>(sum);
  }
  uint64_t result(uint32_t lane, uint32_t reg) const {
    const uint32_t at = kC + reg * result_width(s_);
    return result_width(s_) == 2 ? w_.row(at)[lane] | uint64_t(w_.row(at + 1)[lane]) << 32 : w_.row(at)[lane];
  }

private:
  void put(uint32_t first, Elem elem, uint32_t lane, uint32_t e, uint64_t v) {
    const uint32_t bit = e * bits_of(elem), row = first + bit / 32;
    const uint32_t mask = elem == Elem::F64 ? ~0u : uint32_t(((1ull << bits_of(elem)) - 1) << (bit % 32));
    w_.row(row)[lane] = (w_.row(row)[lane] & ~mask) | (uint32_t(v << (bit % 32)) & mask);
    if (elem == Elem::F64) w_.row(row + 1)[lane] = uint32_t(v >> 32);
  }
  double get(uint32_t first, Elem elem, uint32_t lane, uint32_t e) const {
    const uint32_t bit = e * bits_of(elem), row = first + bit / 32;
    uint64_t v = w_.row(row)[lane] >> (bit % 32);
    if (bits_of(elem) < 32) v &= (1u << bits_of(elem)) - 1;
    if (elem == Elem::F64) v |= uint64_t(w_.row(row + 1)[lane]) << 32;
    return value_of(elem, v);
  }
  double b_at(uint32_t block, uint32_t k, uint32_t column) const {
    uint32_t lane, e;
    place(s_, lane_elements_b(s_), block, column, k, lane, e);
    return get(kB, s_.b, s_.a == Elem::F64 ? lane : kQuarterOf[c_.blgp][lane / 16] * 16 + lane % 16, e);
  }
  // The products of an element of D, in the order in which they are added.
  template<class F> void for_products(uint32_t block, uint32_t row, uint32_t column, F f) const {
    const bool swapped = s_.a == Elem::Bf16 || is_float8(s_.a);
    const uint32_t held = s_.sparse ? s_.k / 2 : s_.k;
    for (uint32_t n = 0; n < held; ++n) {
      uint32_t k = swapped ? n ^ 1 : n, lane, e;
      place(s_, lane_elements_a(s_), c_.cbsz && !s_.sparse ? block >> c_.cbsz << c_.cbsz | c_.abid : block, row, k,
            lane, e);
      const double a = get(kA, s_.a, lane, e);
      if (s_.sparse) {
        const uint32_t shift = c_.cbsz ? 0 : c_.abid * 2 * lane_elements_a(s_);
        k = k / 2 * 4 + (w_.row(kIndex)[lane] >> (shift + 2 * e) & 3);
      }
      f(a, b_at(block, k, column));
    }
  }

  const Case& c_;
  const Shape& s_;
  Wave& w_;
};

} // namespace

TEST_CASE("Matrix instructions multiply the matrices that the manual lays out") {
  const std::string processor = GENERATE("gfx90a", "gfx942", "gfx950");
  std::mt19937 random(hip::testing::seeded(5));
  std::vector<Case> cases;
  for (const Shape& s : kShapes)
    for (uint32_t n = 0; n < 8 && s.processor == processor; ++n) cases.push_back(make_case(s, random, n == 0));
  std::vector<Row> rows;
  for (const Case& c : cases) rows.push_back({nullptr, c.text});
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, processor.c_str());
    for (size_t n = 0; n < cases.size(); ++n) {
      const Case& c = cases[n];
      INFO(level->name << ": " << c.text);
      auto wave = make_wave(kWaveRows);
      Wave& w = *wave;
      Product product(c, w);
      product.fill(random);
      const uint32_t count = results(*c.shape);
      std::vector<uint64_t> expected(count * 64);
      for (uint32_t k = 0; k < expected.size(); ++k) expected[k] = product.expected(k % 64, k / 64);
      w.set_sgpr64(kExecLo, n % 2 ? ~0ull : 0x5); // EXEC does not matter
      start(w, code, n);
      level->run(w);
      REQUIRE(w.stop == Stop::Ended);
      for (uint32_t k = 0; k < expected.size(); ++k) {
        uint64_t got = product.result(k % 64, k / 64);
        if (is_float8(c.shape->a) && std::isnan(std::bit_cast<float>(uint32_t(got))))
          got = 0x7fc00000u;
        if (got == expected[k]) continue;
        INFO("lane " << k % 64 << ", result " << k / 64);
        REQUIRE(got == expected[k]);
      }
    }
  }
}

TEST_CASE("Matrix instructions with modifiers that mean nothing for them are refused") {
  const std::vector<Row> rows = {{nullptr, "v_mfma_f32_32x32x2_f32 v[20:35], v0, v8, v[20:35] cbsz:1"},
                                 {nullptr, "v_mfma_f32_16x16x16_f16 v[12:15], v[0:1], v[4:5], v[12:15] blgp:1"},
                                 {nullptr, "v_smfmac_f32_16x16x64_bf8_bf8 v[12:15], v[0:1], v[4:7], v8 abid:2"}};
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level);
    for (size_t n = 0; n < rows.size(); ++n) {
      INFO(rows[n].text);
      auto wave = make_wave(kWaveRows);
      start(*wave, code, n);
      level->run(*wave);
      CHECK(wave->stop == Stop::Fault);
      CHECK(wave->fault == FaultKind::Unsupported);
    }
  }
}
