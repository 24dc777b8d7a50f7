// tests/tier1/traps_mode_test.cpp - known traps of the MODE register: each of its fields concerns some widths and some
// instructions. Facts: AMD, "CDNA 3 Instruction Set Architecture", "Mode Register"; LLVM, AMDGPUUsage, "Floating-Point
// Modes".
#include "exact.h"
#include "traps.h"

#include <algorithm>
#include <bit>

using namespace tier1_test;

namespace {

constexpr uint32_t kUsualMode = kModeDx10Clamp | kModeIeee | 0xf0;

struct Mode {
  uint32_t bits = kUsualMode;
  Round round(const FloatFormat& f) const { return Round(bits >> (&f == &kSingle ? 0 : 2) & 3); }
  Denormals denormals(const FloatFormat& f) const { return {bits >> (&f == &kSingle ? 4 : 6) & 3}; }
  bool ieee() const { return bits & kModeIeee; }
  uint64_t operand(const FloatFormat& f, uint64_t v) const { return denormals(f).taken() ? v : f.flushed(v); }
  uint64_t result(const FloatFormat& f, uint64_t v) const { return denormals(f).given() ? v : f.flushed(v); }
};

// The text with MODE's bits set in front of it; and MODE is expected to stay so.
void check_in(Mode mode, const std::string& text, const Model& model, const Fill& fill) {
  check(
      fmt::format("s_mov_b32 s15, {:#x}\ns_setreg_b32 hwreg(HW_REG_MODE), s15\n{}", mode.bits, text),
      [&](const State& before, State& after) {
        State start = before;
        start.s[15] = after.s[15] = mode.bits;
        start.mode = after.mode = mode.bits;
        model(start, after);
      },
      fill);
}

// Random bits with exponents near that of 1, so that sums and products are exact as a Real.
uint64_t moderate(const FloatFormat& f, Random& random, uint32_t spread) {
  const uint64_t exponent = ((1ull << (f.exponent_bits - 1)) - 1) + random.below(2 * spread) - spread;
  return (random() & f.sign()) | exponent << f.mantissa_bits | (random() & ((1ull << f.mantissa_bits) - 1));
}
void set(Wave& wave, const FloatFormat& f, uint32_t r, uint32_t lane, uint64_t v) {
  wave.row(r)[lane] = uint32_t(v);
  if (&f == &kDouble) wave.row(r + 1)[lane] = uint32_t(v >> 32);
}
uint64_t get(const State& s, const FloatFormat& f, uint32_t r, uint32_t lane) {
  return &f == &kDouble ? s.v64(r, lane) : &f == &kHalf ? s.v[r][lane] & 0xffff : s.v[r][lane];
}
void put(State& s, const FloatFormat& f, uint32_t r, uint32_t lane, uint64_t v) {
  if (&f == &kDouble)
    s.set_v64(r, lane, v);
  else
    s.v[r][lane] = uint32_t(v);
}
// Operands are v[0:1], v[2:3] and v[8:9].
using Draw = std::function<uint64_t(Random&)>;
Fill operands(const FloatFormat& f, const Draw& draw) {
  return [&f, draw](Wave& wave) {
    Random random(wave.row(0)[0]);
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (uint32_t r : {0u, 2u, 8u}) set(wave, f, r, l, draw(random));
  };
}
// v[4:5] is the exact value of the operands, rounded.
template<class F> Model rounded(Mode mode, const FloatFormat& f, const FloatFormat& to, F exact) {
  return each([=, &f, &to](const State& b, State& a, uint32_t l) {
    const auto in = [&](uint32_t r) { return f.real(mode.operand(f, get(b, f, r, l))); };
    put(a, to, 4, l, mode.result(to, to.rounded(exact(in(0), in(2), in(8)), mode.round(to))));
  });
}
// v[4:5] is a function of the operands' bits.
template<class F> Model chosen(Mode mode, const FloatFormat& f, F choice) {
  return each([=, &f](const State& b, State& a, uint32_t l) {
    const auto in = [&](uint32_t r) { return mode.operand(f, get(b, f, r, l)); };
    put(a, f, 4, l, mode.result(f, choice(in(0), in(2), in(8))));
  });
}
const auto sum = [](Real a, Real b, Real) { return a + b; };
const auto product = [](Real a, Real b, Real) { return a * b; };
const auto product_and_sum = [](Real a, Real b, Real c) { return a * b + c; };
const auto number = [](Real a, Real, Real) { return a; };

// A number, a denormal, a zero, or one whose products are denormals.
Draw small(const FloatFormat& f) {
  return [&f](Random& random) -> uint64_t {
    const uint64_t mantissa = random() & ((1ull << f.mantissa_bits) - 1), sign = random() & f.sign();
    const uint64_t one = ((1ull << (f.exponent_bits - 1)) - 1) << f.mantissa_bits;
    switch (random.below(4)) {
    case 0:
      return sign | mantissa;
    case 1:
      return sign | uint64_t(random.between(1, 3)) << f.mantissa_bits | mantissa;
    case 2:
      return sign | (one - (uint64_t(random.below(3)) << f.mantissa_bits)) | mantissa;
    default:
      return sign | (random.one_in(2) ? one : 0);
    }
  };
}

} // namespace

TEST_CASE("Trap: MODE rounds f32 apart from f64 and f16") {
  const Draw singles = [](Random& random) { return moderate(kSingle, random, 12); };
  const Draw doubles = [](Random& random) { return moderate(kDouble, random, 20); };
  const Draw halves = [](Random& random) { return moderate(kHalf, random, 4); };
  for (uint32_t round = 1; round < 16; ++round) {
    const Mode mode{kUsualMode | round};
    check_in(mode, "v_add_f32 v4, v0, v2", rounded(mode, kSingle, kSingle, sum), operands(kSingle, singles));
    check_in(mode, "v_mul_f32 v4, v0, v2", rounded(mode, kSingle, kSingle, product), operands(kSingle, singles));
    check_in(mode, "v_fma_f32 v4, v0, v2, v8", rounded(mode, kSingle, kSingle, product_and_sum),
             operands(kSingle, singles));
    check_in(mode, "v_add_f64 v[4:5], v[0:1], v[2:3]", rounded(mode, kDouble, kDouble, sum),
             operands(kDouble, doubles));
    check_in(mode, "v_mul_f64 v[4:5], v[0:1], v[2:3]", rounded(mode, kDouble, kDouble, product),
             operands(kDouble, doubles));
    check_in(mode, "v_add_f16 v4, v0, v2", rounded(mode, kHalf, kHalf, sum), operands(kHalf, halves));
    check_in(mode, "v_mul_f16 v4, v0, v2", rounded(mode, kHalf, kHalf, product), operands(kHalf, halves));
    check_in(mode, "v_fma_legacy_f16 v4, v0, v2, v8", rounded(mode, kHalf, kHalf, product_and_sum),
             operands(kHalf, halves));
    check_in(mode, "v_cvt_f16_f32 v4, v0", rounded(mode, kSingle, kHalf, number), operands(kSingle, singles));
    check_in(mode, "v_cvt_f32_f64 v4, v[0:1]", rounded(mode, kDouble, kSingle, number), operands(kDouble, doubles));
    check_in(mode, "v_cvt_f32_u32 v4, v0", each([=](const State& b, State& a, uint32_t l) {
               a.v[4][l] = uint32_t(kSingle.rounded(Real(b.v[0][l]), mode.round(kSingle)));
             }),
             {});
    check_in(mode, "v_cvt_f32_u32 v4, 0", each([](const State&, State& a, uint32_t l) { a.v[4][l] = 0; }), {});
    check_in(mode, "v_cvt_f64_u32 v[4:5], v0", each([](const State& b, State& a, uint32_t l) {
               const auto exact = std::bit_cast<uint64_t>(double(b.v[0][l]));
               a.v[4][l] = uint32_t(exact), a.v[5][l] = uint32_t(exact >> 32);
             }),
             {});
    check_in(mode, "v_cvt_f64_u32 v[4:5], 0",
             each([](const State&, State& a, uint32_t l) { a.v[4][l] = a.v[5][l] = 0; }), {});
  }
}

TEST_CASE("Trap: MODE flushes denormals of f32 apart from those of f64 and f16, operands apart from results") {
  for (uint32_t denormals = 0; denormals < 15; ++denormals) {
    const Mode mode{(kUsualMode & ~0xf0u) | denormals << 4};
    const auto add = [&](const std::string& text, const Model& model, const FloatFormat& f) {
      check_in(mode, text, model, operands(f, small(f)));
    };
    const auto less = [&](const FloatFormat& f) {
      return [=, &f](const State& b, State& a) {
        a.vcc = 0;
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          const auto in = [&](uint32_t r) { return f.real(mode.operand(f, get(b, f, r, l))); };
          a.vcc |= uint64_t(b.exec >> l & 1 && in(0) < in(2)) << l;
        }
      };
    };
    for (const FloatFormat* f : {&kSingle, &kDouble, &kHalf}) {
      const char* const type = f == &kSingle ? "f32" : f == &kDouble ? "f64" : "f16";
      const char *const a = f == &kDouble ? "v[0:1]" : "v0", *const b = f == &kDouble ? "v[2:3]" : "v2",
                        *const d = f == &kDouble ? "v[4:5]" : "v4";
      // Zeros come from several places, each with its sign: products have it, sums of this test are made of one number.
      const auto times = [=](uint64_t x, uint64_t y, uint64_t) {
        return f->rounded(f->real(x) * f->real(y), Round::Nearest, (x ^ y) & f->sign());
      };
      add(fmt::format("v_mul_{} {}, {}, {}", type, d, a, b), chosen(mode, *f, times), *f);
      add(fmt::format("v_add_{} {}, {}, 0", type, d, a),
          chosen(mode, *f, [=](uint64_t x, uint64_t, uint64_t) { return f->magnitude(x) ? x : 0; }), *f);
      add(fmt::format("v_max_{} {}, {}, {}", type, d, a, b),
          chosen(mode, *f, [=](uint64_t x, uint64_t y, uint64_t) { return f->minmax(x, y, true); }), *f);
      add(fmt::format("v_min_{} {}, -{}, {}", type, d, a, b),
          chosen(mode, *f, [=](uint64_t x, uint64_t y, uint64_t) { return f->minmax(x ^ f->sign(), y, false); }), *f);
      add(fmt::format("v_cmp_lt_{} vcc, {}, {}", type, a, b), less(*f), *f);
      add(
          fmt::format("v_mov_b32 v6, 0x90\nv_cmp_class_{} vcc, {}, v6", type, a), // denormals of both signs
          [=](const State& before, State& after) {
            after.vcc = 0;
            for (uint32_t l = 0; l < kMaxLanes; ++l)
              if (before.exec >> l & 1) {
                after.v[6][l] = 0x90;
                after.vcc |= uint64_t(f->is_denormal(get(before, *f, 0, l))) << l;
              }
          },
          *f);
    }
    add("v_med3_f32 v4, v0, v2, v8",
        chosen(mode, kSingle, [](uint64_t x, uint64_t y, uint64_t z) { return kSingle.med3(x, y, z); }), kSingle);
    // Moves and bits are no arithmetic.
    add("v_mov_b32 v4, v0", each([](const State& b, State& a, uint32_t l) { a.v[4][l] = b.v[0][l]; }), kSingle);
    // Conversions have an operand of one width and a result of another.
    const auto converted = [=](const FloatFormat& f, const FloatFormat& to) {
      return each([=, &f, &to](const State& b, State& a, uint32_t l) {
        const uint64_t x = mode.operand(f, get(b, f, 0, l));
        put(a, to, 4, l, mode.result(to, to.rounded(f.real(x), Round::Nearest, x & f.sign() ? to.sign() : 0)));
      });
    };
    add("v_cvt_f32_f16 v4, v0", converted(kHalf, kSingle), kHalf);
    add("v_cvt_f16_f32 v4, v0", converted(kSingle, kHalf), kSingle);
    add("v_cvt_f64_f32 v[4:5], v0", converted(kSingle, kDouble), kSingle);
    add("v_cvt_f32_f64 v4, v[0:1]", converted(kDouble, kSingle), kDouble);
    // Constants and scalars are operands, too: 0x3ff and 1 are denormals of both widths.
    add(
        "s_movk_i32 s2, 0x3ff\nv_max_f32 v4, s2, v0",
        [=](const State& b, State& a) {
          a.s[2] = 0x3ff;
          for (uint32_t l = 0; l < kMaxLanes; ++l)
            if (b.exec >> l & 1)
              a.v[4][l] = uint32_t(mode.result(
                  kSingle, kSingle.minmax(mode.operand(kSingle, 0x3ff), mode.operand(kSingle, b.v[0][l]), true)));
        },
        kSingle);
    add("v_max_f16 v4, 1, v0",
        chosen(mode, kHalf,
               [=](uint64_t x, uint64_t, uint64_t) { return kHalf.minmax(mode.operand(kHalf, 1), x, true); }),
        kHalf);
  }
}

TEST_CASE("Trap: MODE's denormals with parts of registers, packed halves, pairs, DPP and SDWA") {
  for (uint32_t denormals : {0u, 1u, 2u, 4u, 7u, 8u, 12u, 13u}) {
    const Mode mode{(kUsualMode & ~0xf0u) | denormals << 4};
    const auto times = [=](const FloatFormat& f, uint64_t x, uint64_t y) {
      x = mode.operand(f, x), y = mode.operand(f, y);
      return mode.result(f, f.rounded(f.real(x) * f.real(y), Round::Nearest, (x ^ y) & f.sign()));
    };
    const auto halves = [=](uint64_t x, uint64_t y) { return uint32_t(times(kHalf, x & 0xffff, y & 0xffff)); };
    const Fill two_halves = [](Wave& wave) {
      Random random(wave.row(0)[0]);
      for (uint32_t l = 0; l < kMaxLanes; ++l)
        for (uint32_t r : {0u, 2u}) wave.row(r)[l] = uint32_t(small(kHalf)(random) | small(kHalf)(random) << 16);
    };
    check_in(mode, "v_pk_mul_f16 v4, v0, v2 op_sel:[1,0] op_sel_hi:[0,1]",
             each([=](const State& b, State& a, uint32_t l) {
               const uint32_t x = b.v[0][l], y = b.v[2][l];
               a.v[4][l] = halves(x >> 16, y) | halves(x, y >> 16) << 16;
             }),
             two_halves);
    check_in(mode,
             "v_mul_f16_sdwa v4, v0, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",
             each([=](const State& b, State& a, uint32_t l) {
               a.v[4][l] = (b.v[4][l] & 0xffff) | halves(b.v[0][l] >> 16, b.v[2][l]) << 16;
             }),
             two_halves);
    check_in(mode, "v_mul_f32_dpp v4, v0, v2 row_shr:1 row_mask:0xf bank_mask:0xe",
             each([=](const State& b, State& a, uint32_t l) {
               if (l % 16 < 4 || !(b.exec >> (l - 1) & 1)) return;
               a.v[4][l] = uint32_t(times(kSingle, b.v[0][l - 1], b.v[2][l]));
             }),
             operands(kSingle, small(kSingle)));
    check_in(mode, "v_pk_mul_f32 v[4:5], v[0:1], v[2:3]", each([=](const State& b, State& a, uint32_t l) {
               for (uint32_t k = 0; k < 2; ++k) a.v[4 + k][l] = uint32_t(times(kSingle, b.v[k][l], b.v[2 + k][l]));
             }),
             [](Wave& wave) {
               Random random(wave.row(0)[0]);
               for (uint32_t l = 0; l < kMaxLanes; ++l)
                 for (uint32_t r : {0u, 1u, 2u, 3u}) wave.row(r)[l] = uint32_t(small(kSingle)(random));
             });
    // Each operand is a half or a single.
    check_in(mode, "v_fma_mix_f32 v4, v0, v2, 0 op_sel:[1,0,0] op_sel_hi:[1,0,0]",
             each([=](const State& b, State& a, uint32_t l) {
               const uint64_t x = mode.operand(kHalf, b.v[0][l] >> 16), y = mode.operand(kSingle, b.v[2][l]);
               a.v[4][l] =
                   uint32_t(mode.result(kSingle, kSingle.rounded(kHalf.real(x) * kSingle.real(y), Round::Nearest)));
             }),
             [](Wave& wave) {
               Random random(wave.row(0)[0]);
               for (uint32_t l = 0; l < kMaxLanes; ++l)
                 wave.row(0)[l] = uint32_t(small(kHalf)(random) << 16),
                 wave.row(2)[l] = uint32_t(small(kSingle)(random));
             });
  }
}

TEST_CASE("Trap: min, max and med3 of NaNs while MODE.IEEE is 0") {
  static const uint64_t kPayloads[] = {1, 2, 0x155, 0x2aa};
  const auto draw = [](const FloatFormat& f) -> Draw {
    return [&f](Random& random) -> uint64_t {
      const uint64_t sign = random() & f.sign();
      switch (random.below(4)) {
      case 0:
        return sign | f.infinity() | random.of(kPayloads);
      case 1:
        return sign | f.infinity() | f.quiet() | random.of(kPayloads);
      case 2:
        return sign | (random.one_in(2) ? f.infinity() : 0);
      default:
        return moderate(f, random, 3);
      }
    };
  };
  for (const bool ieee : {false, true}) {
    // Another field makes the mode an unusual one where IEEE does not.
    const Mode mode{ieee ? kUsualMode & ~kModeDx10Clamp : kUsualMode & ~kModeIeee};
    for (const FloatFormat* f : {&kSingle, &kDouble, &kHalf}) {
      const char* const type = f == &kSingle ? "f32" : f == &kDouble ? "f64" : "f16";
      for (const bool maximum : {false, true}) {
        const std::string name = fmt::format("v_{}", maximum ? "max" : "min");
        const auto two = [=](uint64_t x, uint64_t y, uint64_t) { return f->minmax(x, y, maximum, ieee); };
        check_in(mode,
                 f == &kDouble ? name + "_f64 v[4:5], v[0:1], v[2:3]" : fmt::format("{}_{} v4, v0, v2", name, type),
                 chosen(mode, *f, two), operands(*f, draw(*f)));
        if (f == &kDouble) continue;
        check_in(mode, fmt::format("{}3_{} v4, v0, v2, v8", name, type),
                 chosen(mode, *f, [=](uint64_t x, uint64_t y, uint64_t z) { return two(two(x, y, 0), z, 0); }),
                 operands(*f, draw(*f)));
      }
      if (f == &kDouble) continue;
      check_in(mode, fmt::format("v_med3_{} v4, v0, v2, v8", type),
               chosen(mode, *f, [=](uint64_t x, uint64_t y, uint64_t z) { return f->med3(x, y, z, ieee); }),
               operands(*f, draw(*f)));
    }
    check_in(mode, "v_pk_max_f16 v4, v0, v2", each([=](const State& b, State& a, uint32_t l) {
               const uint32_t x = b.v[0][l], y = b.v[2][l];
               a.v[4][l] = uint32_t(kHalf.minmax(x & 0xffff, y & 0xffff, true, ieee) |
                                    kHalf.minmax(x >> 16, y >> 16, true, ieee) << 16);
             }),
             [=](Wave& wave) {
               Random random(wave.row(0)[0]);
               for (uint32_t l = 0; l < kMaxLanes; ++l)
                 for (uint32_t r : {0u, 2u}) wave.row(r)[l] = uint32_t(draw(kHalf)(random) | draw(kHalf)(random) << 16);
             });
  }
}

TEST_CASE("Trap: a NaN passes through clamp while MODE.DX10_CLAMP is 0") {
  for (const bool to_zero : {false, true}) {
    const Mode mode{to_zero ? kUsualMode & ~kModeIeee : kUsualMode & ~kModeDx10Clamp};
    for (const FloatFormat* f : {&kSingle, &kDouble, &kHalf}) {
      const uint64_t one = ((1ull << (f->exponent_bits - 1)) - 1) << f->mantissa_bits;
      const auto clamped = [=](uint64_t x) -> uint64_t {
        if (f->is_nan(x)) return to_zero ? 0 : x | f->quiet();
        return x & f->sign() ? 0 : std::min(x, one);
      };
      const Draw draw = [=](Random& random) -> uint64_t {
        if (random.one_in(3)) return (random() & f->sign()) | f->infinity() | (random.one_in(2) ? f->quiet() : 0) | 5;
        return moderate(*f, random, 3);
      };
      const char* const type = f == &kSingle   ? "f32 v4, v0, 0"
                               : f == &kDouble ? "f64 v[4:5], v[0:1], 0"
                                               : "f16 v4, v0, 0";
      check_in(mode, fmt::format("v_add_{} clamp", type),
               chosen(mode, *f, [=](uint64_t x, uint64_t, uint64_t) { return clamped(x); }), operands(*f, draw));
    }
  }
}

TEST_CASE("Trap: with MODE.FP16_OVFL an f16 that overflows is the largest number, and an infinity stays one") {
  const Mode mode{kUsualMode | kModeFp16Overflow};
  const Draw halves = [](Random& random) -> uint64_t {
    if (random.one_in(6)) return (random() & 0x8000) | 0x7c00;
    return (random() & 0x8000) | uint64_t(random.between(18, 30)) << 10 | (random() & 0x3ff);
  };
  const auto limited = [](uint64_t v) { return kHalf.is_infinite(v) ? v - 1 : v; };
  const auto times = [=](uint64_t x, uint64_t y) -> uint64_t {
    if (kHalf.is_infinite(x) || kHalf.is_infinite(y)) return ((x ^ y) & 0x8000) | 0x7c00;
    return limited(kHalf.rounded(kHalf.real(x) * kHalf.real(y), Round::Nearest));
  };
  check_in(mode, "v_mul_f16 v4, v0, v2",
           chosen(mode, kHalf, [=](uint64_t x, uint64_t y, uint64_t) { return times(x, y); }), operands(kHalf, halves));
  check_in(mode, "v_pk_mul_f16 v4, v0, v2", each([=](const State& b, State& a, uint32_t l) {
             const uint32_t x = b.v[0][l], y = b.v[2][l];
             a.v[4][l] = uint32_t(times(x & 0xffff, y & 0xffff) | times(x >> 16, y >> 16) << 16);
           }),
           [=](Wave& wave) {
             Random random(wave.row(0)[0]);
             for (uint32_t l = 0; l < kMaxLanes; ++l)
               for (uint32_t r : {0u, 2u}) wave.row(r)[l] = uint32_t(halves(random) | halves(random) << 16);
           });
  check_in(mode, "v_cvt_f16_f32 v4, v0", each([=](const State& b, State& a, uint32_t l) {
             const uint64_t x = b.v[0][l];
             a.v[4][l] = uint32_t(kSingle.is_infinite(x) ? (x >> 16 & 0x8000) | 0x7c00
                                                         : limited(kHalf.rounded(kSingle.real(x), Round::Nearest)));
           }),
           operands(kSingle, [](Random& random) -> uint64_t {
             if (random.one_in(6)) return (random() & 0x80000000) | 0x7f800000;
             return moderate(kSingle, random, 30);
           }));
  // A quotient by zero is infinite, and does not overflow.
  check_in(mode, "v_rcp_f16 v4, v0", chosen(mode, kHalf, [](uint64_t x, uint64_t, uint64_t) { return x | 0x7c00; }),
           operands(kHalf, [](Random& random) { return random() & 0x8000; }));
}

TEST_CASE("Trap: s_setreg and s_getreg of MODE take any field, and arithmetic follows at once") {
  for (const auto& [offset, bits] : {std::pair(0u, 2u), std::pair(2u, 2u), std::pair(4u, 2u), std::pair(6u, 2u),
                                     std::pair(0u, 8u), std::pair(8u, 1u), std::pair(9u, 1u), std::pair(23u, 1u)})
    check(
        fmt::format("s_setreg_b32 hwreg(HW_REG_MODE, {0}, {1}), s0\ns_getreg_b32 s4, hwreg(HW_REG_MODE, {0}, {1})\n"
                    "s_getreg_b32 s5, hwreg(HW_REG_MODE)",
                    offset, bits),
        [=](const State& b, State& a) {
          const uint32_t mask = (1u << bits) - 1;
          a.mode = (b.mode & ~(mask << offset)) | (b.s[0] & mask) << offset;
          a.s[4] = b.s[0] & mask, a.s[5] = a.mode;
        },
        {});
  // The engine's handlers, which compute where MODE is not known, read SCC as an operand.
  check(
      "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0\ns_cmp_lg_u32 s0, 0\nv_mov_b32 v5, 1.0\nv_mul_f32 v4, src_scc, v5",
      [](const State& b, State& a) {
        a.scc = 1;
        for (uint32_t l = 0; l < kMaxLanes; ++l)
          if (b.exec >> l & 1) a.v[5][l] = 0x3f800000, a.v[4][l] = 1;
      },
      [](Wave& wave) { wave.sgpr[0] = 3; }); // denormals stay
  // There and back, in a loop: the product is flushed each second time.
  check(
      "s_mov_b32 s1, 4\nagain: s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s1\nv_mul_f32 v4, 1.0, v0\nv_add_u32 v5, v5, v4\n"
      "s_sub_u32 s1, s1, 1\ns_cmp_lg_u32 s1, 0\ns_cbranch_scc1 again\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3",
      [](const State& b, State& a) {
        a.s[1] = 0, a.scc = 0;
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          if (!(b.exec >> l & 1)) continue;
          for (uint32_t mode : {0u, 3u, 2u, 1u}) {
            a.v[4][l] = uint32_t(mode == 3 ? b.v[0][l] : kSingle.flushed(b.v[0][l]));
            a.v[5][l] += a.v[4][l];
          }
        }
      },
      operands(kSingle, small(kSingle)));
  // Registers by number, of instructions that look at MODE.
  check(
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\ns_mov_b32 s0, 2\ns_set_gpr_idx_on s0, gpr_idx(SRC0,DST)\n"
      "v_mul_f32 v4, v0, v0\ns_set_gpr_idx_off",
      [](const State& b, State& a) {
        a.s[0] = 2, a.mode = b.mode & ~0x30u;
        for (uint32_t l = 0; l < kMaxLanes; ++l)
          if (b.exec >> l & 1) {
            const uint64_t x = kSingle.flushed(b.v[2][l]), y = kSingle.flushed(b.v[0][l]);
            a.v[6][l] = uint32_t(kSingle.flushed(
                kSingle.rounded(kSingle.real(x) * kSingle.real(y), Round::Nearest, (x ^ y) & 0x80000000)));
          }
      },
      operands(kSingle, small(kSingle)));
  for (const char* field : {"27, 1", "28, 1"})
    check_stops_as_unsupported(fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, {}), 1", field), 4);
}

TEST_CASE("Trap: s_getreg of registers other than MODE") {
  for (const char* processor : {"gfx90a", "gfx942", "gfx950"}) {
    // SCC, EXEC = 0, VCC = 0 and "valid".
    check(
        "s_getreg_b32 s4, hwreg(HW_REG_STATUS)\ns_getreg_b32 s5, hwreg(HW_REG_STATUS, 9, 2)",
        [](const State& b, State& a) {
          a.s[5] = uint32_t(b.exec == 0) | uint32_t(b.vcc == 0) << 1;
          a.s[4] = b.scc | a.s[5] << 9 | 1u << 16;
        },
        [](Wave& wave) {
          if (wave.sgpr[0] & 1) wave.set_sgpr64(kVccLo, 0);
        },
        processor);
    // What the instructions before have left in SCC, VCC and EXEC.
    for (const bool zero : {false, true})
      check(
          fmt::format("s_mov_b64 s[8:9], exec\ns_cmp_{} s0, s0\ns_mov_b64 vcc, {}\n"
                      "s_getreg_b32 s4, hwreg(HW_REG_STATUS, 0, 1)\ns_getreg_b32 s5, hwreg(HW_REG_STATUS, 10, 1)\n"
                      "s_mov_b64 exec, vcc\ns_getreg_b32 s6, hwreg(HW_REG_STATUS, 9, 1)\ns_mov_b64 exec, s[8:9]",
                      zero ? "lg_u32" : "eq_u32", zero ? 0 : 6),
          [=](const State& b, State& a) {
            a.s[4] = a.scc = !zero, a.s[5] = a.s[6] = zero, a.vcc = zero ? 0 : 6;
            a.s[8] = uint32_t(b.exec), a.s[9] = uint32_t(b.exec >> 32);
          },
          {}, processor);
    // The apertures' upper 16 bits: private memory's in the low half, LDS's in the high one.
    check(
        "s_mov_b64 s[4:5], src_private_base\ns_mov_b64 s[6:7], src_shared_base\ns_getreg_b32 s8, "
        "hwreg(HW_REG_SH_MEM_BASES)",
        [](const State&, State& a) {
          a.s[4] = a.s[6] = 0, a.s[5] = 2u << 24, a.s[7] = 1u << 24;
          a.s[8] = 2u << 8 | 1u << 24;
        },
        {}, processor);
    // Nothing is waited for, no exception is recorded, there is one accelerator complex, and no trap handler.
    for (const char* name : {"HW_REG_TRAPSTS", "HW_REG_IB_STS", "HW_REG_HW_ID", "16", "17", "18", "19", "20"})
      check(fmt::format("s_getreg_b32 s4, hwreg({})", name), [](const State&, State& a) { a.s[4] = 0; }, {}, processor);
    // Programs cannot write them.
    check(
        "s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0\ns_setreg_b32 hwreg(HW_REG_STATUS), s0", [](const State&, State&) {},
        {}, processor);
  }
  for (const char* name : {"HW_REG_GPR_ALLOC", "HW_REG_LDS_ALLOC"})
    check_stops_as_unsupported(fmt::format("s_getreg_b32 s4, hwreg({})", name));
}
