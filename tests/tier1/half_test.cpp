// Fused multiply-adds of halves, translated: rounded once. The judge is arithmetic of 113 bits, in which every such sum is
// exact; most numbers are chosen so that sums lie on or beside the middle between two halves. And dot products of halves.
#include "machine.h"

#include <bit>
#include <cmath>

using namespace tier1_test;

namespace {

float wide(uint32_t half) { return static_cast<float>(std::bit_cast<_Float16>(uint16_t(half))); }
bool is_nan(uint32_t half) { return (half & 0x7fff) > 0x7c00; }

// a * b + c, to nearest, ties to even.
uint32_t fused(uint32_t a, uint32_t b, uint32_t c) {
  const float product = wide(a) * wide(b), sum = product + wide(c);
  if (!std::isfinite(sum)) return std::isnan(sum) ? 0x7e00 : std::signbit(sum) ? 0xfc00 : 0x7c00;
  const __float128 exact = __float128(product) + wide(c);
  if (exact == 0) return std::signbit(sum) ? 0x8000 : 0;
  const __float128 magnitude = exact < 0 ? -exact : exact;
  int exponent = -14; // of the half's last binade that is not above it
  while (exponent < 16 && magnitude >= __float128(std::ldexp(1.0, exponent + 1))) ++exponent;
  if (exponent > 15) return exact < 0 ? 0xfc00 : 0x7c00;
  const __float128 units = magnitude * __float128(std::ldexp(1.0, 10 - exponent)); // of the last place
  uint32_t whole = uint32_t(units);
  const __float128 rest = units - whole;
  whole += rest > 0.5 || (rest == 0.5 && whole % 2);
  // (What is rounded up to the next binade carries into the exponent, up to infinity.)
  const uint32_t bits = whole < 1024 ? whole : uint32_t((exponent + 14) << 10) + whole;
  return bits | (exact < 0 ? 0x8000 : 0);
}

// Factors and a summand for which much happens in the last places.
void draw(Random& random, uint32_t& a, uint32_t& b, uint32_t& c) {
  a = random() & 0xffff, b = random() & 0xffff, c = random() & 0xffff;
  switch (random.below(7)) {
  case 0: break;
  case 1: a &= 0x83ff; break; // denormal
  case 2: c &= 0x80ff; break;
  case 3: // nearly opposite
    c = std::bit_cast<uint16_t>(static_cast<_Float16>(-wide(a) * wide(b)));
    c = (c & 0x8000) | ((c + random.below(4)) & 0x7fff);
    break;
  case 4: a = (a & 0xfc00) | (a & 0x200), b = (b & 0xfc00) | (b & 3); break; // few bits: exact ties
  case 5: // one bit far below, or at, the middle of the summand's last place
    a = (a & 0x8000) | 0x3c00 | 1u << random.below(10), b = (b & 0x83ff) | random.below(31) << 10;
    c = (c & 0x83ff) | random.below(31) << 10;
    break;
  default: c = (c & 0x8000) | random.below(31) << 10;
  }
}

// v0-v15 times v16-v31 plus v32-v47; from v64 on the results of v_pk_fma_f16, from v80 on those of v_fma_f16 on the low
// halves, from v96 on of v_pk_fmac_f16, from v112 on of v_dot2c_f32_f16.
constexpr uint32_t kTriples = 16;
std::string program() {
  std::string text = "s_mov_b64 exec, s[94:95]\n";
  for (uint32_t k = 0; k < kTriples; ++k)
    text += fmt::format("v_pk_fma_f16 v{0}, v{3}, v{4}, v{5}\nv_fma_f16 v{1}, v{3}, v{4}, v{5}\nv_mov_b32 v{2}, v{5}\n"
                        "v_pk_fmac_f16 v{2}, v{3}, v{4}\nv_mov_b32 v{6}, v{5}\nv_dot2c_f32_f16 v{6}, v{3}, v{4}\n",
                        64 + k, 80 + k, 96 + k, k, 16 + k, 32 + k, 112 + k);
  return text;
}

} // namespace

TEST_CASE("Translated fused multiply-adds of halves are rounded once") {
  const Assembler assembler("gfx942");
  Guest guest(assembler, "gfx942", program());
  const Inst* tier1 = guest.tier1(compile::Start());
  Machine machine;
  Random random(11);
  for (uint32_t round = 0; round < tries(100); ++round) {
    machine.randomize(random);
    Wave& wave = machine.wave();
    wave.set_sgpr64(94, ~0ull);
    for (uint32_t k = 0; k < kTriples; ++k)
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
        uint32_t low[3], high[3];
        draw(random, low[0], low[1], low[2]);
        draw(random, high[0], high[1], high[2]);
        for (uint32_t n = 0; n < 3; ++n) wave.row(16 * n + k)[lane] = low[n] | high[n] << 16;
      }
    machine.run(guest, tier1);
    REQUIRE(wave.stop == Stop::Ended);
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < kTriples; ++k)
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane)
        for (uint32_t shift : {0u, 16u}) {
          const uint32_t a = wave.row(k)[lane] >> shift & 0xffff, b = wave.row(16 + k)[lane] >> shift & 0xffff,
                         c = wave.row(32 + k)[lane] >> shift & 0xffff, wanted = fused(a, b, c);
          for (uint32_t row : {64u, 80u, 96u}) {
            const uint32_t got = wave.row(row + k)[lane] >> shift & 0xffff;
            if ((row == 80 && shift) || got == wanted || (is_nan(got) && is_nan(wanted))) continue;
            if (++wrong > 4) continue;
            UNSCOPED_INFO(fmt::format("{:#06x} * {:#06x} + {:#06x} is {:#06x} in v{}, not {:#06x}", a, b, c, got, row + k, wanted));
          }
        }
    for (uint32_t k = 0; k < kTriples; ++k)
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
        const uint32_t a = wave.row(k)[lane], b = wave.row(16 + k)[lane], c = wave.row(32 + k)[lane];
        const float low = std::fma(wide(a), wide(b), std::bit_cast<float>(c)), sum = std::fma(wide(a >> 16), wide(b >> 16), low);
        const float got = std::bit_cast<float>(wave.row(112 + k)[lane]);
        if (std::bit_cast<uint32_t>(got) == std::bit_cast<uint32_t>(sum) || (std::isnan(got) && std::isnan(sum))) continue;
        if (++wrong <= 4) UNSCOPED_INFO(fmt::format("{:#x} . {:#x} + {} is {}, not {}", a, b, std::bit_cast<float>(c), got, sum));
      }
    REQUIRE(wrong == 0);
  }
}
