// tests/tier1/traps_float_test.cpp - known traps of floating point: NaNs, zeros of both signs. Facts: AMD, "CDNA 3
// Instruction Set Architecture".
#include "exact.h"
#include "traps.h"

using namespace tier1_test;

namespace {

const std::vector<uint32_t> kSingles = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                        0xff800000, 0x7fc00001, 0xffc00002, 0x7f800003, 0xff800004,
                                        0x00000001, 0x80000001, 0x7f7fffff, 0x40490fdb, 0x7fa12345};
const std::vector<uint32_t> kHalves = {0x00000000, 0x80008000, 0x3c00bc00, 0x7c00fc00, 0x7e017e01, 0xfe02fe02,
                                       0x7c037c03, 0xfc04fc04, 0x00010001, 0x80018001, 0x7bff7bff, 0x42484248};

} // namespace

TEST_CASE("Trap: min, max and med3 of NaNs and zeros") {
  for (const bool maximum : {false, true}) {
    const std::string name = maximum ? "v_max" : "v_min";
    check(name + "_f32 v4, v0, v1",
          result([=](uint32_t a, uint32_t b, uint32_t) { return kSingle.minmax(a, b, maximum); }),
          combinations(kSingles));
    check(name + "3_f32 v4, v0, v1, v2", result([=](uint32_t a, uint32_t b, uint32_t c) {
            return kSingle.minmax(kSingle.minmax(a, b, maximum), c, maximum);
          }),
          combinations(kSingles));
    check(name + "_f16 v4, v0, v1",
          result([=](uint32_t a, uint32_t b, uint32_t) { return kHalf.minmax(uint16_t(a), uint16_t(b), maximum); }),
          combinations(kHalves));
    check("v_pk" + name.substr(1) + "_f16 v4, v0, v1", result([=](uint32_t a, uint32_t b, uint32_t) {
            return kHalf.minmax(uint16_t(a), uint16_t(b), maximum) |
                   kHalf.minmax(uint16_t(a >> 16), uint16_t(b >> 16), maximum) << 16;
          }),
          combinations(kHalves));
  }
  check("v_med3_f32 v4, v0, v1, v2", result([](uint32_t a, uint32_t b, uint32_t c) { return kSingle.med3(a, b, c); }),
        combinations(kSingles));
}

TEST_CASE("Trap: a signalling NaN is quieted and keeps its sign and payload") {
  // One operand is a NaN and the others are numbers.
  const Fill fill = [](Wave& wave) {
    Random random(wave.row(0)[0]);
    static const uint32_t nans[] = {0x7f800001, 0xff812345, 0x7fc00007, 0xffffffff},
                          numbers[] = {0, 0x3f800000, 0xc0490fdb, 0x00000001, 0x7f7fffff};
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (uint32_t r = 0, chosen = random.below(3); r < 3; ++r)
        wave.row(r)[l] = r == chosen ? random.of(nans) : random.of(numbers);
  };
  const auto first_nan = [](uint32_t a, uint32_t b, uint32_t c) {
    return (kSingle.is_nan(a) ? a : kSingle.is_nan(b) ? b : c) | kSingle.quiet();
  };
  check("v_fma_f32 v4, v0, v1, v2", result(first_nan), fill);
  for (const char* name : {"v_add_f32", "v_sub_f32", "v_mul_f32"})
    check(std::string(name) + " v4, v0, v1\nv_add_f32 v4, v4, v2", result(first_nan), fill);
  // Moves and modifiers of sign are no arithmetic.
  check("v_mov_b32 v4, v0", result([](uint32_t a, uint32_t, uint32_t) { return a; }), fill);
  check("v_cndmask_b32 v4, -v0, v1, vcc", each([](const State& b, State& a, uint32_t l) {
          a.v[4][l] = b.vcc >> l & 1 ? b.v[1][l] : b.v[0][l] ^ 0x80000000;
        }),
        fill);
}
