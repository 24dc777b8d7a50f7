// What MODE's fields mean for scalar arithmetic of gfx11.5 and gfx12: in tier 0, and translated. What is expected is
// computed exactly and rounded once (exact.h). Facts: AMD, "RDNA 4 Instruction Set Architecture", "MODE register"; LLVM,
// whose scalar floating-point instructions read MODE.
#include "exact.h"
#include "machine.h"

#include <optional>

using namespace tier1_test;

namespace {

// MODE.ROUND and MODE.DENORM: two bits of f32, then two of f16 (and f64).
struct Mode {
  Round single, half;
  Denormals single_denormals, half_denormals;
  uint32_t bits() const {
    return (kUsualFloatMode & ~0xffu) | uint32_t(single) | uint32_t(half) << 2 | single_denormals.bits << 4 | half_denormals.bits << 6;
  }
  Round round(const FloatFormat& f) const { return &f == &kSingle ? single : half; }
  Denormals denormals(const FloatFormat& f) const { return &f == &kSingle ? single_denormals : half_denormals; }
  uint64_t in(const FloatFormat& f, uint64_t v) const { return denormals(f).taken() ? v : f.flushed(v); }
  uint64_t out(const FloatFormat& f, uint64_t v) const { return denormals(f).given() ? v : f.flushed(v); }
  // The result of operands' exact values; of zeros the sign is not followed.
  uint64_t result(const FloatFormat& f, Real exact) const { return out(f, f.rounded(exact, round(f))); }
};

// Numbers near 1, denormals and the smallest others, and numbers whose products are denormals; no NaNs, no infinities.
uint32_t some_number(const FloatFormat& f, Random& random) {
  const uint64_t bias = (1ull << (f.exponent_bits - 1)) - 1;
  const uint64_t exponent = random.one_in(4) ? random.below(3) : random.one_in(3) ? bias / 2 + random.below(3) : bias - 3 + random.below(6);
  return uint32_t((random() & f.sign()) | exponent << f.mantissa_bits | (random() & ((1ull << f.mantissa_bits) - 1)));
}

// Two numbers that are to be added, and their sum where a Real holds it exactly.
struct Terms {
  Real first, second = 0;
  std::optional<Real> sum() const {
    const Real sum = first + second, of_second = sum - first;
    if (first - (sum - of_second) != 0 || second - of_second != 0) return std::nullopt;
    return sum;
  }
};

struct Case {
  const char* text; // a, b and the old destination are s16, s17 and s18 (f32), s20, s21 and s22 (f16); the result goes to s{}
  const FloatFormat &from, &to;
  Terms (*exact)(Real a, Real b, Real old);
};
const Case kCases[] = {
    {"s_add_f32 {}, s16, s17", kSingle, kSingle, [](Real a, Real b, Real) -> Terms { return {a, b}; }},
    {"s_sub_f32 {}, s16, s17", kSingle, kSingle, [](Real a, Real b, Real) -> Terms { return {a, -b}; }},
    {"s_mul_f32 {}, s16, s17", kSingle, kSingle, [](Real a, Real b, Real) -> Terms { return {a * b}; }},
    {"s_mul_f32 {}, s16, 0.5", kSingle, kSingle, [](Real a, Real, Real) -> Terms { return {a / 2}; }},
    {"s_mov_b32 {0}, s18\ns_fmac_f32 {0}, s16, s17", kSingle, kSingle, [](Real a, Real b, Real old) -> Terms { return {a * b, old}; }},
    {"s_fmamk_f32 {}, s16, 0.25, s17", kSingle, kSingle, [](Real a, Real b, Real) -> Terms { return {a / 4, b}; }},
    {"s_cvt_f16_f32 {}, s16", kSingle, kHalf, [](Real a, Real, Real) -> Terms { return {a}; }},
    {"s_cvt_f32_f16 {}, s20", kHalf, kSingle, [](Real a, Real, Real) -> Terms { return {a}; }},
    {"s_lshl_b32 s24, s20, 16\ns_cvt_hi_f32_f16 {}, s24", kHalf, kSingle, [](Real a, Real, Real) -> Terms { return {a}; }},
    {"s_add_f16 {}, s20, s21", kHalf, kHalf, [](Real a, Real b, Real) -> Terms { return {a, b}; }},
    {"s_mul_f16 {}, s20, s21", kHalf, kHalf, [](Real a, Real b, Real) -> Terms { return {a * b}; }},
    {"s_mov_b32 {0}, s22\ns_fmac_f16 {0}, s20, s21", kHalf, kHalf, [](Real a, Real b, Real old) -> Terms { return {a * b, old}; }},
};

} // namespace

TEST_CASE("Scalar arithmetic rounds, takes and gives denormals as MODE says") {
  constexpr uint32_t kFirstResult = 32;
  std::string text;
  for (uint32_t k = 0; k < std::size(kCases); ++k)
    text += fmt::format(fmt::runtime(kCases[k].text), fmt::format("s{}", kFirstResult + k)) + "\n";
  // Comparisons take denormals as MODE says: whether |s16| is 0.
  text += "s_cmp_eq_f32 s16, 0\ns_cselect_b32 s30, 1, 0\ns_cmp_eq_f16 s20, 0\ns_cselect_b32 s31, 1, 0\n";
  Random random(41);
  for (const char* processor : {"gfx1151", "gfx1201"}) {
    const Dialect dialect(processor, 32);
    for (uint32_t variant = 0; variant < 48; ++variant) {
      const Mode mode{Round(variant & 3), Round(random.below(4)), {variant >> 2 & 3}, {random.below(4)}};
      // MODE is the launch's, or code sets it: to a constant, or to what a register holds and the translator does not know.
      const uint32_t set_by_code = variant >> 4;
      const std::string set = set_by_code == 2 ? "s_mov_b32 s1, {0}\ns_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s1\n"
                              : set_by_code    ? "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), {0}\n"
                                               : "";
      Guest guest(dialect, fmt::format(fmt::runtime(set), mode.bits() & 0xff) + text);
      if (!set_by_code) guest.float_mode = mode.bits();
      const Inst* const tier1 = guest.tier1({});
      Machine machine(32);
      for (int trial = 0; trial < 40; ++trial) {
        machine.randomize(random);
        Wave& w = machine.wave();
        set_float_mode(w, set_by_code ? kUsualFloatMode : mode.bits());
        for (uint32_t k = 0; k < 3; ++k) w.sgpr[16 + k] = some_number(kSingle, random), w.sgpr[20 + k] = some_number(kHalf, random);
        REQUIRE(machine.compare(guest, guest.tier0(), tier1) == "");
        CAPTURE(processor, mode.bits(), set_by_code);
        for (uint32_t k = 0; k < std::size(kCases); ++k) {
          const Case& c = kCases[k];
          const auto operand = [&](uint32_t n) { return c.from.real(mode.in(c.from, w.sgpr[(&c.from == &kSingle ? 16 : 20) + n])); };
          const std::optional<Real> exact = c.exact(operand(0), operand(1), operand(2)).sum();
          if (!exact) continue;
          const uint64_t expected = mode.result(c.to, *exact), got = w.sgpr[kFirstResult + k];
          CAPTURE(c.text, w.sgpr[16], w.sgpr[17], w.sgpr[18], w.sgpr[20], w.sgpr[21], w.sgpr[22]);
          if (c.to.magnitude(expected) == 0)
            REQUIRE((got & ~c.to.sign()) == 0);
          else
            REQUIRE(got == expected);
        }
        REQUIRE(w.sgpr[30] == (kSingle.magnitude(mode.in(kSingle, w.sgpr[16])) == 0));
        REQUIRE(w.sgpr[31] == (kHalf.magnitude(mode.in(kHalf, w.sgpr[20])) == 0));
      }
    }
  }
}

TEST_CASE("With MODE.FP16_OVFL a scalar half that overflows is the largest number, and an infinity stays one") {
  const Dialect dialect("gfx1201", 32);
  Guest guest(dialect, "s_add_f16 s32, s20, s21\ns_mov_b32 s33, s20\ns_fmac_f16 s33, s20, s21\ns_add_f16 s34, s22, s21\ns_cvt_f16_f32 s35, s16\n");
  guest.float_mode = kUsualFloatMode | kModeFp16Overflow;
  Random random(42);
  Machine machine(32);
  machine.randomize(random);
  Wave& w = machine.wave();
  set_float_mode(w, guest.float_mode);
  w.sgpr[20] = 0xfbff, w.sgpr[21] = 0xfbff, w.sgpr[22] = 0xfc00, w.sgpr[16] = 0x7149f2ca; // -65504, -infinity, 1e30
  REQUIRE(machine.compare(guest, guest.tier0(), guest.tier1({})) == "");
  CHECK(w.sgpr[32] == 0xfbff);
  CHECK(w.sgpr[33] == 0x7bff);
  CHECK(w.sgpr[34] == 0xfc00);
  CHECK(w.sgpr[35] == 0x7bff);
}
