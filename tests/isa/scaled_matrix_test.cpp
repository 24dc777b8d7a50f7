// gfx950's matrix instructions with formats of 8, 6 and 4 bits and scales of 32 elements each, against products computed one
// element at a time from the layout that AMD's libraries use (ERRATA 50).
#include "code.h"
#include "small_floats.h"
#include "test_seed.h"

#include <bit>
#include <cmath>
#include <random>

using namespace isa_test;

namespace {

// By the numbers that cbsz and blgp give them.
constexpr const SmallFormat* kFormats[] = {&kE4m3, &kE5m2, &kE2m3, &kE3m2, &kE2m1};
constexpr uint32_t kA = 0, kB = 8, kC = 16, kScaleA = 48, kScaleB = 49, kRowsOfWave = 64, kBlock = 32;

struct Case {
  uint32_t m, k, a, b; // formats of A and B
  bool scaled, constant; // constant: C is the inline constant 1
  uint32_t byte_a, byte_b;
  std::string text;
};

std::string registers(uint32_t first, uint32_t count) { return fmt::format("v[{}:{}]", first, first + count - 1); }
uint32_t register_count(uint32_t format) { return uint32_t(kFormats[format]->bits); } // 32 elements
Case make_case(uint32_t m, uint32_t k, uint32_t a, uint32_t b, std::mt19937& random) {
  Case c{m, k, a, b, random() % 4 != 0, random() % 4 == 0, uint32_t(random()) % 4, uint32_t(random()) % 4, {}};
  const std::string d = registers(kC, m * m / 64);
  c.text = fmt::format("v_mfma{}_f32_{}x{}x{}_f8f6f4 {}, {}, {}, {}", c.scaled ? "_scale" : "", m, m, k, d, registers(kA, register_count(a)),
                       registers(kB, register_count(b)), c.constant ? "1.0" : d);
  if (c.scaled)
    c.text += fmt::format(", v{}, v{} op_sel:[{},{},0] op_sel_hi:[{},{},0]", kScaleA, kScaleB, c.byte_a & 1, c.byte_b & 1, c.byte_a >> 1, c.byte_b >> 1);
  if (a) c.text += fmt::format(" cbsz:{}", a);
  if (b) c.text += fmt::format(" blgp:{}", b);
  return c;
}

// Element k of row (of B: column) `outer`: 32 of a row are in a lane; of 8-bit formats two runs of 16.
double element(Wave& w, const Case& c, uint32_t first, uint32_t format, uint32_t outer, uint32_t k) {
  const SmallFormat& f = *kFormats[format];
  const uint32_t run = f.bits == 8 ? 16 : 32, half = c.k / (32 / run);
  const uint32_t lane = outer + c.m * (k % half / run), e = k / half * run + k % run;
  uint32_t code = 0;
  for (uint32_t bit = 0; bit < uint32_t(f.bits); ++bit) {
    const uint32_t at = e * uint32_t(f.bits) + bit;
    code |= (w.row(first + at / 32)[lane] >> (at % 32) & 1) << bit;
  }
  return value_of(f, code);
}
double scale_of(Wave& w, const Case& c, uint32_t row, uint32_t byte, uint32_t outer, uint32_t k) {
  if (!c.scaled) return 1;
  const uint32_t exponent = w.row(row)[outer + c.m * (k / kBlock)] >> (8 * byte) & 0xff;
  return exponent == 255 ? std::nan("") : std::ldexp(1.0, int(exponent) - 127);
}
float expected(Wave& w, const Case& c, uint32_t lane, uint32_t reg) {
  const uint32_t column = lane % c.m, row = c.m == 16 ? 4 * (lane / 16) + reg : 8 * (reg / 4) + 4 * (lane / 32) + reg % 4;
  float sum = c.constant ? 1.0f : std::bit_cast<float>(w.row(kC + reg)[lane]);
  for (uint32_t k = 0; k < c.k; ++k)
    sum = std::fma(float(element(w, c, kA, c.a, row, k) * scale_of(w, c, kScaleA, c.byte_a, row, k)),
                   float(element(w, c, kB, c.b, column, k) * scale_of(w, c, kScaleB, c.byte_b, column, k)), sum);
  return sum;
}

} // namespace

TEST_CASE("Matrix instructions of small formats multiply scaled blocks") {
  std::mt19937 random(hip::testing::seeded(11));
  std::vector<Case> cases;
  for (uint32_t a = 0; a < 5; ++a)
    for (uint32_t b = 0; b < 5; ++b)
      for (auto [m, k] : {std::pair(16u, 128u), std::pair(32u, 64u)})
        for (int n = 0; n < 2; ++n) cases.push_back(make_case(m, k, a, b, random));
  std::vector<Row> rows;
  for (const Case& c : cases) rows.push_back({nullptr, c.text});
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, "gfx950");
    for (size_t n = 0; n < cases.size(); ++n) {
      const Case& c = cases[n];
      INFO(level->name << ": " << c.text);
      auto wave = make_wave(kRowsOfWave);
      Wave& w = *wave;
      // NaNs of the 8-bit formats and scales that are NaN are rare, so that sums are numbers mostly.
      for (uint32_t r = 0; r < kRowsOfWave; ++r)
        for (uint32_t lane = 0; lane < 64; ++lane)
          w.row(r)[lane] = r < kC ? uint32_t(random()) & (random() % 64 ? 0x3f3f3f3f | 0x80808080 : ~0u) : std::bit_cast<uint32_t>(float(random()) * 0x1p-32f);
      for (uint32_t r : {kScaleA, kScaleB})
        for (uint32_t lane = 0; lane < 64; ++lane) {
          w.row(r)[lane] = 0;
          for (uint32_t b = 0; b < 4; ++b) w.row(r)[lane] |= (random() % 256 ? 117 + uint32_t(random()) % 20 : 255) << (8 * b);
        }
      std::vector<float> wanted(c.m * c.m);
      for (uint32_t k = 0; k < wanted.size(); ++k) wanted[k] = expected(w, c, k % 64, k / 64);
      w.set_sgpr64(kExecLo, n % 2 ? ~0ull : 0x5); // EXEC does not matter
      start(w, code, n);
      level->run(w);
      REQUIRE(w.stop == Stop::Ended);
      for (uint32_t k = 0; k < wanted.size(); ++k) {
        const float got = std::bit_cast<float>(w.row(kC + k / 64)[k % 64]);
        if (std::bit_cast<uint32_t>(got) == std::bit_cast<uint32_t>(wanted[k]) || (std::isnan(got) && std::isnan(wanted[k]))) continue;
        INFO("lane " << k % 64 << ", result " << k / 64);
        REQUIRE(got == wanted[k]);
      }
    }
  }
}
