// Conversions to 8-bit floats while MODE.FP16_OVFL is 1, as Triton's kernels have it: finite numbers that are too large
// become the largest one (isa/ERRATA.md, 58). What they are otherwise is tests/isa/small_floats_test.cpp's.
#include "traps.h"

#include "isa/small_floats.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tier1_test;
using isa_test::SmallFormat;

namespace {

double limited(const SmallFormat& format, double v) {
  return std::isfinite(v) ? std::copysign(std::min(std::abs(v), isa_test::magnitude_of(format, format.largest())), v)
                          : v;
}

// v0 and v1: numbers around the largest ones of all formats, some far above, infinities, NaNs and zeros; v2: scales, so
// small that some quotients are no f32.
void numbers(Wave& wave) {
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
    wave.row(2)[l] = (random.one_in(2) ? 127 : random.between(0, 127)) << 23;
  }
}

// Runs "<instruction> v4, ..." under the bit. The code of a number and a lane's state is what `code` says.
using Code = std::function<uint32_t(const SmallFormat&, double v, const State&, uint32_t lane)>;
void check_limited(const char* processor, const std::string& instruction, const SmallFormat& format, bool scaled,
                   bool pair, const Code& code) {
  const auto lanes = each([&](const State& b, State& a, uint32_t l) {
    const auto of = [&](uint32_t r) {
      const double v = std::bit_cast<float>(b.v[r][l]);
      return code(format, limited(format, scaled ? isa_test::by_scale(v, b.v[2][l]) : v), b, l);
    };
    a.v[4][l] = pair ? (b.v[4][l] & 0xffff0000) | of(1) << 8 | of(0) : (b.v[4][l] & 0xffffff00) | of(0);
  });
  check(
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n" + instruction,
      [&](const State& before, State& after) {
        after.mode = before.mode | kModeFp16Overflow;
        lanes(before, after);
      },
      numbers, processor);
}

struct Named {
  const char *processor, *name;
  const SmallFormat& format;
};
constexpr Named kFormats[] = {{"gfx942", "fp8", isa_test::kE4m3Fnuz},
                              {"gfx942", "bf8", isa_test::kE5m2Fnuz},
                              {"gfx950", "fp8", isa_test::kE4m3},
                              {"gfx950", "bf8", isa_test::kE5m2}};

} // namespace

TEST_CASE("Conversions to 8-bit floats limit what is too large while MODE.FP16_OVFL is 1") {
  const Code nearest = [](const SmallFormat& f, double v, const State&, uint32_t) { return isa_test::nearest(f, v); };
  for (const auto& [processor, name, format] : kFormats) {
    check_limited(processor, fmt::format("v_cvt_pk_{}_f32 v4, v0, v1", name), format, false, true, nearest);
    if (processor == std::string_view("gfx950"))
      check_limited(processor, fmt::format("v_cvt_scalef32_pk_{}_f32 v4, v0, v1, v2", name), format, true, true,
                    nearest);
  }
}

TEST_CASE("Stochastic conversions to 8-bit floats limit what is too large while MODE.FP16_OVFL is 1") {
  const Code stochastic = [](const SmallFormat& f, double v, const State& b, uint32_t l) {
    return isa_test::stochastic(f, v, b.v[3][l]);
  };
  for (const auto& [processor, name, format] : kFormats) {
    check_limited(processor, fmt::format("v_cvt_sr_{}_f32 v4, v0, v3", name), format, false, false, stochastic);
    if (processor == std::string_view("gfx950"))
      check_limited(processor, fmt::format("v_cvt_scalef32_sr_{}_f32 v4, v0, v3, v2", name), format, true, false,
                    stochastic);
  }
}
