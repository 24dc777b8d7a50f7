// Conversions to 8-bit floats while MODE.FP16_OVFL is 1, as Triton's kernels have it: finite numbers that are too large
// become the largest one (isa/ERRATA.md, 58). The judge looks a number up in the list of all that the format has.
#include "traps.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tier1_test;

namespace {

struct SmallFormat {
  int mantissa, bias;
  bool fnuz, has_infinity;
  // The number of a code without sign; none: it is an infinity or a NaN.
  double value(uint32_t code) const {
    const uint32_t exponent = code >> mantissa, fraction = code & ((1u << mantissa) - 1);
    return exponent == 0 ? std::ldexp(fraction, 1 - bias - mantissa)
                         : std::ldexp((1u << mantissa) + fraction, int(exponent) - bias - mantissa);
  }
  uint32_t largest() const { return fnuz ? 0x7f : has_infinity ? 0x7b : 0x7e; }
  uint32_t with_sign(uint32_t code, bool negative) const {
    return fnuz && code == 0 ? 0 : code | (negative ? 0x80u : 0u);
  }

  // What an infinity or a NaN becomes, as without the bit.
  uint32_t special(double x) const {
    if (fnuz) return 0x80;
    return (std::isinf(x) && has_infinity ? 0x7cu : 0x7fu) | (std::signbit(x) ? 0x80u : 0u);
  }
  // To nearest, ties to even codes.
  uint32_t nearest(double x) const {
    if (!std::isfinite(x)) return special(x);
    const double magnitude = std::min(std::abs(x), value(largest()));
    uint32_t best = 0;
    for (uint32_t code = 1; code <= largest(); ++code) {
      const double far = std::abs(value(code) - magnitude), so_far = std::abs(value(best) - magnitude);
      if (far < so_far || (far == so_far && code % 2 == 0)) best = code;
    }
    return with_sign(best, std::signbit(x));
  }
  // Stochastically: the numbers on both sides of it, if it is none itself.
  bool is_beside(double x, uint32_t code) const {
    if (!std::isfinite(x)) return code == special(x);
    uint32_t below = 0;
    while (below < largest() && value(below + 1) <= std::abs(x)) ++below;
    const uint32_t above = value(below) == std::abs(x) || below == largest() ? below : below + 1;
    return code == with_sign(below, std::signbit(x)) || code == with_sign(above, std::signbit(x));
  }
};
constexpr SmallFormat kFp8Fnuz{3, 8, true, false}, kBf8Fnuz{2, 16, true, false}, kFp8{3, 7, false, false},
    kBf8{2, 15, false, true};

// Numbers around the largest ones of all formats, some far above, infinities, NaNs and zeros; and scales, in v2.
Fill numbers(bool scales_are_small) {
  return [=](Wave& wave) {
    Random random(wave.row(0)[0]);
    for (uint32_t l = 0; l < kMaxLanes; ++l) {
      for (uint32_t r : {0u, 1u}) {
        const uint32_t sign = random.below(2) << 31;
        switch (random.below(8)) {
        case 0:
          wave.row(r)[l] = sign | 0x7f800000;
          break;
        case 1:
          wave.row(r)[l] = sign | 0x7fc00000;
          break;
        case 2:
          wave.row(r)[l] = sign;
          break;
        case 3:
          wave.row(r)[l] = sign | random.between(200, 254) << 23 | (uint32_t(random()) & 0x7fffff);
          break;
        default:
          wave.row(r)[l] = sign | random.between(117, 145) << 23 | (uint32_t(random()) & 0x7f0000);
        }
      }
      wave.row(2)[l] = (scales_are_small ? random.between(0, 127) : 127) << 23;
    }
  };
}
double number(uint32_t bits) { return std::bit_cast<float>(bits); }
double quotient(uint32_t bits, uint32_t scale) { return std::ldexp(number(bits), 127 - int(scale >> 23 & 0xff)); }

void check_limited(const char* processor, const std::string& instruction, const SmallFormat& format, bool scaled) {
  const std::string set = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n";
  const auto mode = [](const State& before, State& after) { after.mode = before.mode | kModeFp16Overflow; };
  check(
      set + instruction,
      [&](const State& before, State& after) {
        mode(before, after);
        each([&](const State& b, State& a, uint32_t l) {
          const uint32_t scale = scaled ? b.v[2][l] : 127u << 23;
          const uint32_t low = format.nearest(quotient(b.v[0][l], scale)),
                         high = format.nearest(quotient(b.v[1][l], scale));
          a.v[4][l] = (b.v[4][l] & 0xffff0000) | high << 8 | low;
        })(before, after);
      },
      numbers(scaled), processor);
}

} // namespace

TEST_CASE("Conversions to 8-bit floats limit what is too large while MODE.FP16_OVFL is 1") {
  check_limited("gfx942", "v_cvt_pk_fp8_f32 v4, v0, v1", kFp8Fnuz, false);
  check_limited("gfx942", "v_cvt_pk_bf8_f32 v4, v0, v1", kBf8Fnuz, false);
  check_limited("gfx950", "v_cvt_pk_fp8_f32 v4, v0, v1", kFp8, false);
  check_limited("gfx950", "v_cvt_pk_bf8_f32 v4, v0, v1", kBf8, false);
  check_limited("gfx950", "v_cvt_scalef32_pk_fp8_f32 v4, v0, v1, v2", kFp8, true);
  check_limited("gfx950", "v_cvt_scalef32_pk_bf8_f32 v4, v0, v1, v2", kBf8, true);
}

TEST_CASE("Stochastic conversions to 8-bit floats limit what is too large while MODE.FP16_OVFL is 1") {
  const struct {
    const char *processor, *instruction;
    const SmallFormat& format;
  } cases[] = {{"gfx942", "v_cvt_sr_fp8_f32 v4, v0, v3", kFp8Fnuz},
               {"gfx942", "v_cvt_sr_bf8_f32 v4, v0, v3", kBf8Fnuz},
               {"gfx950", "v_cvt_sr_fp8_f32 v4, v0, v3", kFp8},
               {"gfx950", "v_cvt_sr_bf8_f32 v4, v0, v3", kBf8},
               {"gfx950", "v_cvt_scalef32_sr_fp8_f32 v4, v0, v3, v2", kFp8},
               {"gfx950", "v_cvt_scalef32_sr_bf8_f32 v4, v0, v3, v2", kBf8}};
  for (const auto& [processor, instruction, format] : cases) {
    INFO(processor << ": " << instruction);
    const Assembler assembler(processor);
    Guest guest(assembler, processor,
                std::string("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n") + instruction + "\n");
    Machine machine;
    for (const Inst* entry : {guest.tier0(), guest.tier1({})}) {
      Random random(7);
      machine.randomize(random);
      Wave& wave = machine.wave();
      numbers(false)(wave);
      const std::vector<uint32_t> old(wave.row(4), wave.row(4) + kMaxLanes);
      machine.run(guest, entry);
      REQUIRE(wave.stop == Stop::Ended);
      for (uint32_t l = 0; l < kMaxLanes; ++l) {
        INFO("lane " << l << fmt::format(": {:#x} of {:#x}", wave.row(4)[l], wave.row(0)[l]));
        CHECK(format.is_beside(number(wave.row(0)[l]), wave.row(4)[l] & 0xff));
        CHECK((wave.row(4)[l] ^ old[l]) >> 8 == 0);
      }
    }
  }
}
