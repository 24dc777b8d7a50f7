// WMMA and SWMMAC of gfx11 and gfx12 against products computed one element at a time: layouts as AMD's matrix instruction
// calculator gives them for RDNA3 and RDNA4, modifiers, and products in the order of ERRATA 62.
#include "code.h"
#include "small_floats.h"
#include "test_seed.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace isa_test;

namespace {

enum class Elem { F16, Bf16, Fp8, Bf8, I8, I4 };
enum class Sum { F32, F16, Bf16, I32 };
struct Shape {
  const char* name;
  Elem a, b;
  uint32_t k;
  Sum sum;
  bool sparse = false;
};
constexpr Shape kBoth[] = {
    {"v_wmma_f32_16x16x16_f16", Elem::F16, Elem::F16, 16, Sum::F32},
    {"v_wmma_f32_16x16x16_bf16", Elem::Bf16, Elem::Bf16, 16, Sum::F32},
    {"v_wmma_f16_16x16x16_f16", Elem::F16, Elem::F16, 16, Sum::F16},
    {"v_wmma_bf16_16x16x16_bf16", Elem::Bf16, Elem::Bf16, 16, Sum::Bf16},
    {"v_wmma_i32_16x16x16_iu8", Elem::I8, Elem::I8, 16, Sum::I32},
    {"v_wmma_i32_16x16x16_iu4", Elem::I4, Elem::I4, 16, Sum::I32},
};
constexpr Shape kGfx12[] = {
    {"v_wmma_i32_16x16x32_iu4", Elem::I4, Elem::I4, 32, Sum::I32},
    {"v_wmma_f32_16x16x16_fp8_fp8", Elem::Fp8, Elem::Fp8, 16, Sum::F32},
    {"v_wmma_f32_16x16x16_fp8_bf8", Elem::Fp8, Elem::Bf8, 16, Sum::F32},
    {"v_wmma_f32_16x16x16_bf8_fp8", Elem::Bf8, Elem::Fp8, 16, Sum::F32},
    {"v_wmma_f32_16x16x16_bf8_bf8", Elem::Bf8, Elem::Bf8, 16, Sum::F32},
    {"v_swmmac_f32_16x16x32_f16", Elem::F16, Elem::F16, 32, Sum::F32, true},
    {"v_swmmac_f32_16x16x32_bf16", Elem::Bf16, Elem::Bf16, 32, Sum::F32, true},
    {"v_swmmac_f16_16x16x32_f16", Elem::F16, Elem::F16, 32, Sum::F16, true},
    {"v_swmmac_bf16_16x16x32_bf16", Elem::Bf16, Elem::Bf16, 32, Sum::Bf16, true},
    {"v_swmmac_i32_16x16x32_iu8", Elem::I8, Elem::I8, 32, Sum::I32, true},
    {"v_swmmac_i32_16x16x32_iu4", Elem::I4, Elem::I4, 32, Sum::I32, true},
    {"v_swmmac_i32_16x16x64_iu4", Elem::I4, Elem::I4, 64, Sum::I32, true},
    {"v_swmmac_f32_16x16x32_fp8_fp8", Elem::Fp8, Elem::Fp8, 32, Sum::F32, true},
    {"v_swmmac_f32_16x16x32_fp8_bf8", Elem::Fp8, Elem::Bf8, 32, Sum::F32, true},
    {"v_swmmac_f32_16x16x32_bf8_fp8", Elem::Bf8, Elem::Fp8, 32, Sum::F32, true},
    {"v_swmmac_f32_16x16x32_bf8_bf8", Elem::Bf8, Elem::Bf8, 32, Sum::F32, true},
};
uint32_t bits_of(Elem e) { return e == Elem::F16 || e == Elem::Bf16 ? 16 : e == Elem::I4 ? 4 : 8; }
bool is_half(Sum s) { return s == Sum::F16 || s == Sum::Bf16; }

struct Waves {
  bool gfx11;
  uint32_t lanes;
  const char* processor() const { return gfx11 ? "gfx1100" : "gfx1200"; }
};
// Where an element lies: register, lane, first bit.
struct Place {
  uint32_t gpr, lane, bit;
};

// Element k of row (of B: column) `outer` of a factor that holds all elements.
Place dense(const Waves& w, Elem e, uint32_t all_k, uint32_t outer, uint32_t k) {
  const uint32_t bits = bits_of(e), per_dword = 32 / bits, bit = bits * (k % per_dword);
  if (w.gfx11) return {k / per_dword, outer, bit};
  if (bits == 16)
    return w.lanes == 32 ? Place{2 * (k / 8) + k / 2 % 2, 16 * (k / 4 % 2) + outer, bit}
                         : Place{k / 2 % 2, 32 * (k / 8 % 2) + 16 * (k / 4 % 2) + outer, bit};
  if (bits == 8)
    return w.lanes == 32 ? Place{k / 4 % 2, 16 * (k / 8) + outer, bit} : Place{0, 32 * (k / 4 % 2) + 16 * (k / 8 % 2) + outer, bit};
  if (all_k == 16) return {0, 16 * (k / 8) + outer, bit};
  return w.lanes == 32 ? Place{k / 8 % 2, 16 * (k / 16) + outer, bit} : Place{0, 32 * (k / 8 % 2) + 16 * (k / 16 % 2) + outer, bit};
}
// Element k of column `outer` of a sparse instruction's B.
Place sparse_b(const Waves& w, Elem e, uint32_t all_k, uint32_t outer, uint32_t k) {
  const uint32_t bits = bits_of(e), bit = bits * (k % (32 / bits));
  const bool small = w.lanes == 32;
  if (bits == 16) return small ? Place{4 * (k / 16) + k / 2 % 4, 16 * (k / 8 % 2) + outer, bit} : Place{k / 2 % 4, 16 * (k / 8) + outer, bit};
  if (bits == 8)
    return small ? Place{k / 4 % 4, 16 * (k / 16) + outer, bit} : Place{k / 4 % 2, 32 * (k / 8 % 2) + 16 * (k / 16) + outer, bit};
  if (all_k == 32) return small ? Place{k / 8 % 2, 16 * (k / 16) + outer, bit} : Place{0, 32 * (k / 8 % 2) + 16 * (k / 16) + outer, bit};
  return small ? Place{k / 8 % 4, 16 * (k / 32) + outer, bit} : Place{k / 8 % 2, 32 * (k / 16 % 2) + 16 * (k / 32) + outer, bit};
}
// The first (nth = 0) or second element that is stored of A's elements k to k + 3, and where its index begins.
std::pair<Place, uint32_t> sparse_a(const Waves& w, Elem e, uint32_t all_k, uint32_t outer, uint32_t k, uint32_t nth) {
  const uint32_t bits = bits_of(e);
  const bool small = w.lanes == 32;
  if (bits == 16) {
    const uint32_t bit = 16 * nth;
    return small ? std::pair{Place{2 * (k / 16) + k / 4 % 2, 16 * (k / 8 % 2) + outer, bit}, 8 * (k / 16) + 4 * (k / 4 % 2) + 2 * nth}
                 : std::pair{Place{k / 4 % 2, 16 * (k / 8) + outer, bit}, 4 * (k / 4 % 2) + 2 * nth};
  }
  if (bits == 8) {
    const uint32_t bit = 16 * (k / 4 % 2) + 8 * nth;
    return small ? std::pair{Place{k / 8 % 2, 16 * (k / 16) + outer, bit}, 4 * (k / 4 % 4) + 2 * nth}
                 : std::pair{Place{0, 32 * (k / 8 % 2) + 16 * (k / 16) + outer, bit}, 4 * (k / 4 % 2) + 2 * nth};
  }
  const uint32_t bit = 8 * (k / 4 % 4) + 4 * nth;
  if (all_k == 32) return {Place{0, 16 * (k / 16) + outer, bit}, 4 * (k / 4 % 4) + 2 * nth};
  return small ? std::pair{Place{k / 16 % 2, 16 * (k / 32) + outer, bit}, 4 * (k / 4 % 8) + 2 * nth}
               : std::pair{Place{0, 32 * (k / 16 % 2) + 16 * (k / 32) + outer, bit}, 4 * (k / 4 % 4) + 2 * nth};
}
Place sum_place(const Waves& w, Sum s, bool high, uint32_t i, uint32_t j) {
  const bool small = w.lanes == 32;
  if (w.gfx11) {
    const uint32_t bit = is_half(s) && high ? 16 : 0;
    return small ? Place{i / 2, 16 * i % 32 + j, bit} : Place{i / 4, 16 * i % 64 + j, bit};
  }
  const uint32_t lane = small ? 16 * (i / 8) + j : 32 * (i / 4 % 2) + 16 * (i / 8) + j;
  if (is_half(s)) return {i / 2 % (small ? 4 : 2), lane, 16 * (i % 2)};
  return {i % (small ? 8 : 4), lane, 0};
}

struct Case {
  const Shape* shape;
  std::string text;
  bool negates_low[2] = {}, negates_high[2] = {}; // A, B; of integers negates_low says that they are signed
  bool negated = false, absolute = false;         // C
  bool clamps = false, high = false, constant = false;
  uint32_t index_key = 0, index_bits = 0;
  uint32_t to = 0; // first register of D
};
constexpr uint32_t kA = 0, kB = 8, kIndex = 16, kC = 20, kD = 30, kWaveRows = 64;

std::string registers(uint32_t first, uint32_t count) {
  return count == 1 ? "v" + std::to_string(first) : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
// Registers of `dwords` dwords for each of 16 rows.
uint32_t register_count(const Waves& w, uint32_t dwords) { return std::max(1u, 16 * dwords / w.lanes); }

Case make_case(const Shape& s, const Waves& w, std::mt19937& random, bool plain) {
  const auto coin = [&] { return !plain && random() % 2; };
  const uint32_t bits = bits_of(s.a), dwords_b = s.k * bits / 32, dwords_a = s.sparse ? dwords_b / 2 : dwords_b;
  const uint32_t a = w.gfx11 ? dwords_a : register_count(w, dwords_a), b = w.gfx11 ? dwords_b : register_count(w, dwords_b);
  const uint32_t d = register_count(w, is_half(s.sum) && !w.gfx11 ? 8 : 16);
  Case c{&s, {}};
  const bool integer = s.sum == Sum::I32, halves = bits == 16;
  for (uint32_t n = 0; n < 2; ++n) {
    c.negates_low[n] = (integer || halves) && coin();
    c.negates_high[n] = halves && coin();
  }
  c.negated = !integer && !s.sparse && coin();
  c.absolute = !integer && !s.sparse && coin();
  c.clamps = integer && coin();
  c.high = w.gfx11 && is_half(s.sum) && coin();
  c.constant = !s.sparse && !plain && random() % 3 == 0;
  c.index_bits = s.sparse ? std::min(32u, a * 2 * 32 / bits) : 0;
  if (s.sparse && !plain) c.index_key = unsigned(random()) % (32 / c.index_bits);
  c.to = s.sparse || coin() ? kC : kD;
  c.text = std::string(s.name) + " " + registers(c.to, d) + ", " + registers(kA, a) + ", " + registers(kB, b) + ", " +
           (s.sparse ? registers(kIndex, 1) : c.constant ? (integer ? "7" : "1.0") : registers(kC, d));
  if (c.high) c.text += " op_sel:[0,0,1]";
  if (c.index_key) c.text += " index_key:" + std::to_string(c.index_key);
  const auto list = [&](const char* name, bool x, bool y, bool z) {
    if (x || y || z) c.text += std::string(" ") + name + ":[" + (x ? "1," : "0,") + (y ? "1," : "0,") + (z ? "1]" : "0]");
  };
  list("neg_lo", c.negates_low[0], c.negates_low[1],
       c.negated || (integer && w.gfx11 && coin())); // (integer sums are signed whatever it says)
  list("neg_hi", c.negates_high[0], c.negates_high[1], c.absolute);
  if (c.clamps) c.text += " clamp";
  return c;
}
uint32_t any_element(Elem e, std::mt19937& random) { // no NaN and no infinity among 16 bits
  const uint32_t r = uint32_t(random());
  switch (e) {
  case Elem::F16: return random() % 8 == 0 ? r & 0x83ffu : (r & 0x8fffu) | 0x3000u;
  case Elem::Bf16: return random() % 8 == 0 ? r & 0x80ffu : (r & 0x83ffu) | 0x3c00u;
  default: return r;
  }
}
float bf16(uint32_t v) { return std::bit_cast<float>(v << 16); }
float f16(uint32_t v) { return float(std::bit_cast<_Float16>(uint16_t(v))); }
uint32_t to_bf16(float v) { // to nearest even
  const uint32_t u = std::bit_cast<uint32_t>(v);
  return std::isnan(v) ? 0x7fc0 : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
uint32_t to_f16(float v) { return std::isnan(v) ? 0x7e00 : std::bit_cast<uint16_t>(_Float16(v)); }

class Product {
public:
  Product(const Case& c, const Waves& waves, Wave& w) : c_(c), s_(*c.shape), waves_(waves), w_(w) {}
  void fill(std::mt19937& random) {
    for (uint32_t r = 0; r < kWaveRows; ++r)
      for (uint32_t lane = 0; lane < waves_.lanes; ++lane) {
        uint32_t& v = w_.row(r)[lane];
        v = uint32_t(random());
        const Elem e = r < kB ? s_.a : s_.b;
        if (r < kIndex && bits_of(e) == 16) v = (any_element(e, random) & 0xffff) | any_element(e, random) << 16;
        if (r >= kC && s_.sum == Sum::F32) v = (v & 0x83ffffff) | 0x3c000000;
        if (r >= kC && s_.sum == Sum::F16) v = (v & 0x8fff8fff) | 0x30003000;
        if (r >= kC && s_.sum == Sum::Bf16) v = (v & 0x83ff83ff) | 0x3c003c00;
        if (r >= kC && s_.sum == Sum::I32 && random() % 2) v = 0x7fffff00 + (v & 0xff) + (v >> 31); // near an overflow
        if (waves_.gfx11 && r < kIndex && lane >= 16) v = w_.row(r)[lane % 16]; // copies, as the manual asks for
      }
    before_.assign(w_.row(0), w_.row(0) + kWaveRows * kMaxLanes);
  }
  // Bits of D's element, from the registers as they were filled.
  uint32_t expected(uint32_t i, uint32_t j) const {
    const Place at = sum_place(waves_, s_.sum, c_.high, i, j);
    uint32_t c = before_[(kC + at.gpr) * kMaxLanes + at.lane] >> at.bit;
    if (s_.sum == Sum::I32) {
      int64_t sum = c_.constant ? 7 : int32_t(c);
      for_products(i, j, [&](double a, double b) { sum += int64_t(a) * int64_t(b); });
      if (c_.clamps) sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
      return uint32_t(sum);
    }
    float sum = c_.constant ? 1.0f : s_.sum == Sum::F32 ? std::bit_cast<float>(c) : s_.sum == Sum::F16 ? f16(c) : bf16(c & 0xffff);
    if (c_.absolute) sum = std::fabs(sum);
    if (c_.negated) sum = -sum;
    for_products(i, j, [&](double a, double b) { sum = std::fma(float(a), float(b), sum); });
    if (s_.sum == Sum::F16) return to_f16(sum);
    if (s_.sum == Sum::Bf16) return to_bf16(sum);
    return std::isnan(sum) ? 0x7fc00000u : std::bit_cast<uint32_t>(sum);
  }
  // Bits of D's element, and whether the rest of the register is as it was.
  uint32_t result(uint32_t i, uint32_t j, bool& rest_is_kept) const {
    const Place at = sum_place(waves_, s_.sum, c_.high, i, j);
    const uint32_t v = w_.row(c_.to + at.gpr)[at.lane], was = before_[(c_.to + at.gpr) * kMaxLanes + at.lane];
    const uint32_t other = at.bit ? 0xffffu : 0xffff0000u;
    rest_is_kept = !is_half(s_.sum) || !waves_.gfx11 || ((v ^ was) & other) == 0;
    if (!is_half(s_.sum)) return s_.sum == Sum::F32 && std::isnan(std::bit_cast<float>(v)) ? 0x7fc00000u : v;
    const uint32_t half = v >> at.bit & 0xffff;
    return s_.sum == Sum::F16 ? to_f16(f16(half)) : to_bf16(bf16(half));
  }

private:
  uint32_t dword(uint32_t first, const Place& at) const { return before_[(first + at.gpr) * kMaxLanes + at.lane] >> at.bit; }
  double get(uint32_t operand, const Place& at) const {
    const Elem e = operand == 0 ? s_.a : s_.b;
    const uint32_t v = dword(operand == 0 ? kA : kB, at);
    const bool negated = at.bit ? c_.negates_high[operand] : c_.negates_low[operand];
    switch (e) {
    case Elem::F16: return negated ? -f16(v) : f16(v);
    case Elem::Bf16: return negated ? -bf16(v & 0xffff) : bf16(v & 0xffff);
    case Elem::Fp8: return isa_test::value_of(kE4m3, v & 0xff);
    case Elem::Bf8: return isa_test::value_of(kE5m2, v & 0xff);
    case Elem::I8: return c_.negates_low[operand] ? double(int8_t(v)) : double(uint8_t(v));
    case Elem::I4: return c_.negates_low[operand] ? double(int32_t(v << 28) >> 28) : double(v & 15);
    }
    return 0;
  }
  // The products of an element of D, in the order in which they are added.
  template<class F> void for_products(uint32_t i, uint32_t j, F f) const {
    const uint32_t swapped = s_.a == Elem::F16 || s_.sum == Sum::I32 ? 0 : 1;
    for (uint32_t n = 0; n < (s_.sparse ? s_.k / 2 : s_.k); ++n) {
      const uint32_t e = n ^ swapped;
      if (!s_.sparse) {
        f(get(0, dense(waves_, s_.a, s_.k, i, e)), get(1, dense(waves_, s_.b, s_.k, j, e)));
        continue;
      }
      const uint32_t group = e / 2 * 4;
      const auto [at, index_bit] = sparse_a(waves_, s_.a, s_.k, i, group, e % 2);
      const uint32_t index = dword(kIndex, {0, at.lane, index_bit + c_.index_key * c_.index_bits}) & 3;
      f(get(0, at), get(1, sparse_b(waves_, s_.b, s_.k, j, group + index)));
    }
  }

  const Case& c_;
  const Shape& s_;
  const Waves& waves_;
  Wave& w_;
  std::vector<uint32_t> before_;
};

} // namespace

TEST_CASE("WMMA multiplies the matrices that AMD's calculator lays out") {
  const Waves waves = GENERATE(Waves{true, 32}, Waves{true, 64}, Waves{false, 32}, Waves{false, 64});
  std::mt19937 random(hip::testing::seeded(7));
  std::vector<Case> cases;
  const auto add = [&](const Shape& s) {
    for (uint32_t n = 0; n < 12; ++n) cases.push_back(make_case(s, waves, random, n == 0));
  };
  for (const Shape& s : kBoth) add(s);
  for (const Shape& s : kGfx12)
    if (!waves.gfx11) add(s);
  std::vector<Row> rows;
  for (const Case& c : cases) rows.push_back({nullptr, c.text});
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, waves.processor(), waves.lanes);
    for (size_t n = 0; n < cases.size(); ++n) {
      INFO(level->name << ", " << waves.processor() << ", " << waves.lanes << " lanes: " << cases[n].text);
      auto wave = make_wave(kWaveRows);
      Wave& w = *wave;
      w.lanes = waves.lanes;
      Product product(cases[n], waves, w);
      product.fill(random);
      w.set_sgpr64(kExecLo, n % 2 ? ~0ull : 0x5); // EXEC does not matter
      start(w, code, n);
      level->run(w);
      REQUIRE(w.stop == Stop::Ended);
      for (uint32_t k = 0; k < 256; ++k) {
        bool rest_is_kept = false;
        const uint32_t got = product.result(k / 16, k % 16, rest_is_kept), expected = product.expected(k / 16, k % 16);
        if (got == expected && rest_is_kept) continue;
        INFO("row " << k / 16 << ", column " << k % 16);
        REQUIRE(got == expected);
        REQUIRE(rest_is_kept);
      }
    }
  }
}

TEST_CASE("WMMA with modifiers that mean nothing for it is refused") {
  // neg_lo of A, which 8-bit floats have not: bit 61 of the instruction.
  const std::vector<Row> rows = {{nullptr, ".long 0xcc474000, 0x3c521908"}};
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, "gfx1200", 32);
    auto wave = make_wave(kWaveRows);
    wave->lanes = 32;
    start(*wave, code, 0);
    level->run(*wave);
    CHECK(wave->stop == Stop::Fault);
    CHECK((wave->fault == FaultKind::Unsupported || wave->fault == FaultKind::Undecodable));
  }
}
