// Waves whose MODE rounds otherwise than to nearest, or flushes denormals: in tier 0, and translated, where the
// compiler must not fold, merge or move arithmetic as if numbers were rounded to nearest. What is expected is computed
// by the host's scalar arithmetic with its own rounding set.
#include "machine.h"
#include "raw_bits.h"

#include <cfenv>
#include <cmath>

using namespace tier1_test;

namespace {

using hip::test::from_bits;
using hip::test::to_bits;

constexpr uint32_t kNearest = 0, kUp = 5, kDown = 10, kToZero = 15; // of all widths
constexpr uint32_t kFlush = kModeDx10Clamp | kModeIeee, kKeep = kFlush | kModeDenorm32 | kModeDenorm64;
struct Mode {
  uint32_t bits;
  int host;
};
const Mode kModes[] = {{kNearest | kKeep, FE_TONEAREST},  {kUp | kKeep, FE_UPWARD},
                       {kDown | kKeep, FE_DOWNWARD},      {kToZero | kKeep, FE_TOWARDZERO},
                       {kNearest | kFlush, FE_TONEAREST}, {kToZero | kFlush, FE_TOWARDZERO}};

bool flushes(const Mode& mode) { return (mode.bits & kKeep) == kFlush; }

// Arithmetic of one number in the mode. Operands are volatile, so that the compiler computes nothing itself.
template<class T> class Scalar {
public:
  explicit Scalar(const Mode& mode) : flushes_(flushes(mode)) { std::fesetround(mode.host); }
  ~Scalar() { std::fesetround(FE_TONEAREST); }
  T add(T a, T b) const {
    volatile T x = in(a), y = in(b);
    return out(x + y);
  }
  T mul(T a, T b) const {
    volatile T x = in(a), y = in(b);
    return out(x * y);
  }
  T fma(T a, T b, T c) const {
    volatile T x = in(a), y = in(b), z = in(c);
    return out(std::fma(x, y, z));
  }

private:
  // A denormal becomes a zero of its sign.
  T in(T v) const { return flushes_ && std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(T(0), v) : v; }
  T out(T v) const { return in(v); }
  bool flushes_;
};

// A number, denormals and small ones among them, but no NaN and nothing near to overflowing.
template<class T> T some_number(Random& random) {
  const uint64_t bits = random() ^ random() << 32;
  const bool is_double = sizeof(T) == 8;
  const uint64_t fraction = bits & (is_double ? 0xfffffffffffffull : 0x7fffffull), sign = bits >> 63;
  const uint64_t bias = is_double ? 1023 : 127;
  const uint64_t exponent = random.one_in(4)   ? random.below(3)
                            : random.one_in(3) ? bias / 2 + random.below(4)
                                               : bias - 8 + random.below(16);
  return from_bits<T>(sign << (is_double ? 63 : 31) | exponent << (is_double ? 52 : 23) | fraction);
}

template<class T> void put(Wave& w, uint32_t r, uint32_t lane, T v) {
  const uint64_t bits = to_bits(v);
  w.row(r)[lane] = uint32_t(bits);
  if (sizeof(T) == 8) w.row(r + 1)[lane] = uint32_t(bits >> 32);
}
template<class T> T get(const Wave& w, uint32_t r, uint32_t lane) {
  return from_bits<T>(w.row(r)[lane] | (sizeof(T) == 8 ? uint64_t(w.row(r + 1)[lane]) << 32 : 0));
}

// v16, v18, v20: operands; v32, v34, v36: their sum, product and v16 * v18 + v20; v38 and v40: the sum of constants,
// and the same sum once more behind what another instruction made of the mode.
template<class T> void check_arithmetic(const Mode& mode, bool set_by_code, uint64_t seed) {
  const bool wide = sizeof(T) == 8;
  const auto v = [&](uint32_t r) { return wide ? fmt::format("v[{}:{}]", r, r + 1) : fmt::format("v{}", r); };
  const char* type = wide ? "f64" : "f32";
  std::string text;
  if (set_by_code) text += fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), {}\n", mode.bits & 0xff);
  text += fmt::format("v_add_{0} {1}, {4}, {5}\nv_mul_{0} {2}, {4}, {5}\nv_fma_{0} {3}, {4}, {5}, {6}\n", type, v(32),
                      v(34), v(36), v(16), v(18), v(20));
  if (set_by_code)
    text += fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), {}\nv_add_{} {}, {}, {}\n", kKeep & 0xff, type, v(40),
                        v(16), v(18));
  const Dialect dialect("gfx942", kMaxLanes);
  Guest guest(dialect, text);
  if (!set_by_code) guest.float_mode = mode.bits;
  const Inst* const tier1 = guest.tier1({});
  CHECK(guest.translation().usual_mode == (mode.bits == kKeep && !set_by_code));
  CHECK(guest.translation().native >= 3);
  Random random(seed);
  Machine machine;
  for (int trial = 0; trial < 40; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    if (!set_by_code) set_float_mode(w, mode.bits);
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (const uint32_t r : {16u, 18u, 20u}) put(w, r, l, some_number<T>(random));
    const std::string wrong = machine.compare(guest, guest.tier0(), tier1);
    REQUIRE(wrong == "");
    for (uint32_t l = 0; l < kMaxLanes; ++l) {
      const T a = get<T>(w, 16, l), b = get<T>(w, 18, l), c = get<T>(w, 20, l);
      T sum, product, both;
      {
        const Scalar<T> scalar(mode);
        sum = scalar.add(a, b), product = scalar.mul(a, b), both = scalar.fma(a, b, c);
      }
      CAPTURE(type, mode.bits, set_by_code, l, to_bits(a), to_bits(b), to_bits(c));
      REQUIRE(to_bits(get<T>(w, 32, l)) == to_bits(sum));
      REQUIRE(to_bits(get<T>(w, 34, l)) == to_bits(product));
      REQUIRE(to_bits(get<T>(w, 36, l)) == to_bits(both));
      if (set_by_code) REQUIRE(to_bits(get<T>(w, 40, l)) == to_bits(Scalar<T>(kModes[0]).add(a, b)));
    }
  }
}

} // namespace

TEST_CASE("Sums and products are rounded, and denormals kept or flushed, as a kernel's MODE says") {
  for (const Mode& mode : kModes) {
    check_arithmetic<float>(mode, false, 31);
    check_arithmetic<double>(mode, false, 32);
  }
}

TEST_CASE("Code that sets MODE computes by it from there on, and as usual when it has set it back") {
  for (const Mode& mode : kModes) {
    check_arithmetic<float>(mode, true, 33);
    check_arithmetic<double>(mode, true, 34);
  }
}

TEST_CASE("Constants are added in the wave's mode, not when they are translated") {
  const Dialect dialect("gfx942", kMaxLanes);
  // 1 + 2^-24 lies halfway between two floats.
  Guest guest(dialect, "v_mov_b32 v16, 1.0\nv_mov_b32 v17, 0x33800000\nv_add_f32 v32, v16, v17\n");
  Random random(35);
  Machine machine;
  for (const auto& [bits, expected] :
       {std::pair{kNearest, 0x3f800000u}, {kUp, 0x3f800001u}, {kDown, 0x3f800000u}, {kToZero, 0x3f800000u}}) {
    machine.randomize(random);
    guest.float_mode = kKeep | bits;
    set_float_mode(machine.wave(), guest.float_mode);
    machine.run(guest, guest.tier1({}));
    for (uint32_t l = 0; l < kMaxLanes; ++l) REQUIRE(machine.wave().row(32)[l] == expected);
  }
}

TEST_CASE("A division's steps stay what they are where numbers are not rounded to nearest") {
  const Dialect dialect("gfx942", kMaxLanes);
  Guest guest(
      dialect,
      "v_div_scale_f32 v40, s[8:9], v17, v17, v16\nv_div_scale_f32 v41, vcc, v16, v17, v16\nv_rcp_f32 v42, v40\n"
      "v_fma_f32 v43, -v40, v42, 1.0\nv_fma_f32 v42, v43, v42, v42\nv_mul_f32 v43, v41, v42\nv_fma_f32 v44, -v40, v43, "
      "v41\n"
      "v_fma_f32 v43, v44, v42, v43\nv_fma_f32 v40, -v40, v43, v41\nv_div_fmas_f32 v40, v40, v42, v43\n"
      "v_div_fixup_f32 v32, v40, v17, v16\n");
  Random random(36);
  Machine machine;
  for (const Mode& mode : kModes) {
    guest.float_mode = mode.bits;
    const Inst* const tier1 = guest.tier1({});
    for (int trial = 0; trial < 20; ++trial) {
      machine.randomize(random);
      set_float_mode(machine.wave(), mode.bits);
      for (uint32_t l = 0; l < kMaxLanes; ++l)
        for (const uint32_t r : {16u, 17u}) put(machine.wave(), r, l, some_number<float>(random));
      CAPTURE(mode.bits);
      // Which of two NaNs comes out is the compiler's choice (ERRATA 9).
      const auto both_nan = [](uint32_t, const uint32_t* a, const uint32_t* b, uint32_t l) {
        return (a[l] & 0x7fffffff) > 0x7f800000 && (b[l] & 0x7fffffff) > 0x7f800000;
      };
      REQUIRE(machine.compare(guest, guest.tier0(), tier1, both_nan) == "");
    }
  }
}
