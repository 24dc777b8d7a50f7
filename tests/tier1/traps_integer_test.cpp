// tests/tier1/traps_integer_test.cpp - known traps of integer arithmetic: what the clamp bit does to each instruction
// that has it, masks of carries, SCC. Facts: AMD, "CDNA 3 Instruction Set Architecture".
#include "traps.h"

#include <algorithm>
#include <cstdlib>

using namespace tier1_test;

namespace {

const std::vector<uint32_t> kIntegers = {0,          1,          2,      0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
                                         0x7fff,     0x8000,     0xffff, 0x7fff7fff, 0x80008000, 0xffffff,   0x800000,
                                         0x7f7f7f7f, 0x80808080, 0xff,   0x12345678, 0x00ff00ff};

int64_t low24(uint32_t a, bool is_signed) { return is_signed ? int32_t(a << 8) >> 8 : int32_t(a & 0xffffff); }
uint32_t saturated(__int128 value, bool is_signed) {
  const __int128 low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : __int128(UINT32_MAX);
  return uint32_t(value < low ? low : value > high ? high : value);
}
// The sum of products of the fields of a and b, each of `bits` bits, and c.
__int128 dot(uint32_t a, uint32_t b, uint32_t c, uint32_t bits, bool is_signed) {
  const auto part = [&](uint32_t v, uint32_t k) -> int64_t {
    const uint32_t up = v << (32 - bits * (k + 1));
    return is_signed ? int64_t(int32_t(up) >> (32 - bits)) : int64_t(up >> (32 - bits));
  };
  __int128 sum = is_signed ? __int128(int32_t(c)) : __int128(c);
  for (uint32_t k = 0; k < 32 / bits; ++k) sum += part(a, k) * part(b, k);
  return sum;
}
int64_t apart(uint32_t a, uint32_t b) { return std::abs(int64_t(a) - int64_t(b)); }
int64_t bytes_apart(uint32_t a, uint32_t b, bool masked) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < 32; k += 8)
    if (!masked || (b >> k & 0xff)) sum += apart(a >> k & 0xff, b >> k & 0xff);
  return sum;
}

} // namespace

TEST_CASE("Trap: integers saturate with clamp") {
  const auto clamped = [](const std::string& text, auto value, bool is_signed) {
    check(text + " clamp",
          result([=](uint32_t a, uint32_t b, uint32_t c) { return saturated(value(a, b, c), is_signed); }),
          combinations(kIntegers));
  };
  using U = uint32_t;
  const auto i = [](U a) { return __int128(int32_t(a)); };
  const auto u = [](U a) { return __int128(a); };
  clamped("v_add_u32 v4, v0, v1", [=](U a, U b, U) { return u(a) + b; }, false);
  clamped("v_sub_u32 v4, v0, v1", [=](U a, U b, U) { return u(a) - b; }, false);
  clamped("v_subrev_u32 v4, v0, v1", [=](U a, U b, U) { return u(b) - a; }, false);
  clamped("v_add_i32 v4, v0, v1", [=](U a, U b, U) { return i(a) + i(b); }, true);
  clamped("v_sub_i32 v4, v0, v1", [=](U a, U b, U) { return i(a) - i(b); }, true);
  clamped("v_mad_i32_i24 v4, v0, v1, v2", [=](U a, U b, U c) { return low24(a, true) * low24(b, true) + i(c); }, true);
  clamped(
      "v_mad_u32_u24 v4, v0, v1, v2", [=](U a, U b, U c) { return low24(a, false) * low24(b, false) + u(c); }, false);
  clamped("v_mad_u32_u16 v4, v0, v1, v2", [=](U a, U b, U c) { return u(a & 0xffff) * (b & 0xffff) + c; }, false);
  clamped(
      "v_mad_i32_i16 v4, v0, v1, v2", [=](U a, U b, U c) { return __int128(int16_t(a)) * int16_t(b) + i(c); }, true);
  clamped("v_sad_u8 v4, v0, v1, v2", [=](U a, U b, U c) { return bytes_apart(a, b, false) + u(c); }, false);
  clamped("v_msad_u8 v4, v0, v1, v2", [=](U a, U b, U c) { return bytes_apart(a, b, true) + u(c); }, false);
  clamped("v_sad_hi_u8 v4, v0, v1, v2", [=](U a, U b, U c) { return (bytes_apart(a, b, false) << 16) + u(c); }, false);
  clamped(
      "v_sad_u16 v4, v0, v1, v2",
      [=](U a, U b, U c) { return apart(a & 0xffff, b & 0xffff) + apart(a >> 16, b >> 16) + u(c); }, false);
  clamped("v_sad_u32 v4, v0, v1, v2", [=](U a, U b, U c) { return apart(a, b) + u(c); }, false);
  for (const auto& [bits, type] : {std::pair(16u, "2"), std::pair(8u, "4"), std::pair(4u, "8")})
    for (const bool is_signed : {false, true})
      clamped(
          fmt::format("v_dot{}_{}32_{}{} v4, v0, v1, v2", type, is_signed ? "i" : "u", is_signed ? "i" : "u", bits),
          [=](U a, U b, U c) { return dot(a, b, c, bits, is_signed); }, is_signed);
}

TEST_CASE("Trap: sums with carry saturate with clamp, and their mask is the carry") {
  // What the sum or difference is, from the operands and the carry.
  const auto carrying = [](const std::string& text, auto value, bool takes_carry) {
    const std::string full = text + (takes_carry ? ", vcc clamp" : " clamp");
    check(
        full,
        [=](const State& b, State& a) {
          a.vcc = 0;
          for (uint32_t l = 0; l < kMaxLanes; ++l) {
            if (!(b.exec >> l & 1)) continue;
            const int64_t exact =
                value(int64_t(b.v[0][l]), int64_t(b.v[1][l]), takes_carry ? int64_t(b.vcc >> l & 1) : 0);
            a.v[4][l] = saturated(exact, false);
            a.vcc |= uint64_t(exact < 0 || exact > int64_t(UINT32_MAX)) << l;
          }
        },
        combinations(kIntegers));
  };
  using I = int64_t;
  carrying("v_add_co_u32 v4, vcc, v0, v1", [](I a, I b, I) { return a + b; }, false);
  carrying("v_sub_co_u32 v4, vcc, v0, v1", [](I a, I b, I) { return a - b; }, false);
  carrying("v_subrev_co_u32 v4, vcc, v0, v1", [](I a, I b, I) { return b - a; }, false);
  carrying("v_addc_co_u32 v4, vcc, v0, v1", [](I a, I b, I c) { return a + b + c; }, true);
  carrying("v_subb_co_u32 v4, vcc, v0, v1", [](I a, I b, I c) { return a - b - c; }, true);
  carrying("v_subbrev_co_u32 v4, vcc, v0, v1", [](I a, I b, I c) { return b - a - c; }, true);
  for (const bool is_signed : {false, true})
    check(
        fmt::format("v_mad_{}64_{}32 v[4:5], vcc, v0, v1, v[2:3] clamp", is_signed ? "i" : "u", is_signed ? "i" : "u"),
        [=](const State& b, State& a) {
          a.vcc = 0;
          for (uint32_t l = 0; l < kMaxLanes; ++l) {
            if (!(b.exec >> l & 1)) continue;
            const uint32_t x = b.v[0][l], y = b.v[1][l];
            const uint64_t z = b.v64(2, l);
            const __int128 exact =
                is_signed ? __int128(int32_t(x)) * int32_t(y) + int64_t(z) : __int128(uint64_t(x) * y) + z;
            const __int128 low = is_signed ? __int128(INT64_MIN) : 0,
                           high = is_signed ? __int128(INT64_MAX) : __int128(UINT64_MAX);
            a.set_v64(4, l, uint64_t(exact < low ? low : exact > high ? high : exact));
            a.vcc |= uint64_t(exact >> 64 & 1) << l;
          }
        },
        [](Wave& wave) {
          combinations(kIntegers)(wave);
          for (uint32_t l = 0; l < kMaxLanes; ++l) wave.row(3)[l] = kIntegers[(l + wave.row(0)[0]) % kIntegers.size()];
        });
}

TEST_CASE("Trap: 16-bit integers saturate with clamp, and keep the other half where they keep it without") {
  const auto sum16 = [](int64_t value, bool is_signed) {
    const int64_t low = is_signed ? -32768 : 0, high = is_signed ? 32767 : 65535;
    return uint32_t(value < low ? low : value > high ? high : value) & 0xffff;
  };
  const auto as = [](uint32_t a, bool is_signed) { return is_signed ? int64_t(int16_t(a)) : int64_t(a & 0xffff); };
  for (const bool is_signed : {false, true}) {
    const char* const type = is_signed ? "i16" : "u16";
    check(fmt::format("v_add_{} v4, v0, v1 clamp", type), result([=](uint32_t a, uint32_t b, uint32_t) {
            return sum16(as(a, is_signed) + as(b, is_signed), is_signed);
          }),
          combinations(kIntegers));
    check(fmt::format("v_sub_{} v4, v0, v1 clamp", type), result([=](uint32_t a, uint32_t b, uint32_t) {
            return sum16(as(a, is_signed) - as(b, is_signed), is_signed);
          }),
          combinations(kIntegers));
    const auto mad = [=](uint32_t a, uint32_t b, uint32_t c) {
      return sum16(as(a, is_signed) * as(b, is_signed) + as(c, is_signed), is_signed);
    };
    check(fmt::format("v_mad_{} v4, v0, v1, v2 clamp", type), each([=](const State& b, State& a, uint32_t l) {
            a.v[4][l] = (b.v[4][l] & 0xffff0000) | mad(b.v[0][l], b.v[1][l], b.v[2][l]);
          }),
          combinations(kIntegers));
    check(fmt::format("v_mad_{} v4, v0, v1, v2 op_sel:[1,0,0,1] clamp", type),
          each([=](const State& b, State& a, uint32_t l) {
            a.v[4][l] = (b.v[4][l] & 0xffff) | mad(b.v[0][l] >> 16, b.v[1][l], b.v[2][l]) << 16;
          }),
          combinations(kIntegers));
    check(fmt::format("v_mad_legacy_{} v4, v0, v1, v2 clamp", type),
          result([=](uint32_t a, uint32_t b, uint32_t c) { return mad(a, b, c); }), combinations(kIntegers));
    check(fmt::format("v_pk_mad_{} v4, v0, v1, v2 clamp", type), result([=](uint32_t a, uint32_t b, uint32_t c) {
            return mad(a, b, c) | mad(a >> 16, b >> 16, c >> 16) << 16;
          }),
          combinations(kIntegers));
  }
}

TEST_CASE("Trap: quads of absolute differences saturate each for itself") {
  const auto window = [](const State& b, uint32_t l, uint32_t k) { return uint32_t(b.v64(0, l) >> (8 * k)); };
  const Fill fill = [](Wave& wave) {
    Random random(wave.row(0)[0]);
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (uint32_t r : {8u, 9u, 10u, 11u})
        if (random.one_in(2)) wave.row(r)[l] |= 0xfffffc00;
  };
  for (const bool masked : {false, true})
    check(fmt::format("v_{}qsad_pk_u16_u8 v[4:5], v[0:1], v2, v[8:9] clamp", masked ? "m" : ""),
          each([=](const State& b, State& a, uint32_t l) {
            uint64_t all = 0;
            for (uint32_t k = 0; k < 4; ++k)
              all |= uint64_t(std::min<int64_t>(bytes_apart(window(b, l, k), b.v[2][l], masked) +
                                                    int64_t(b.v64(8, l) >> (16 * k) & 0xffff),
                                                0xffff))
                     << (16 * k);
            a.set_v64(4, l, all);
          }),
          fill);
  check("v_mqsad_u32_u8 v[4:7], v[0:1], v2, v[8:11] clamp", each([=](const State& b, State& a, uint32_t l) {
          for (uint32_t k = 0; k < 4; ++k)
            a.v[4 + k][l] = saturated(bytes_apart(window(b, l, k), b.v[2][l], true) + __int128(b.v[8 + k][l]), false);
        }),
        fill);
}

TEST_CASE("Trap: SCC of s_min and s_max says whether the first operand is taken, of equal ones by max alone") {
  for (const bool equal : {false, true})
    for (const bool maximum : {false, true})
      for (const bool is_signed : {false, true})
        check(
            fmt::format("s_{}_{}32 s4, s0, s1", maximum ? "max" : "min", is_signed ? "i" : "u"),
            [=](const State& b, State& a) {
              const int64_t x = is_signed ? int32_t(b.s[0]) : int64_t(b.s[0]),
                            y = is_signed ? int32_t(b.s[1]) : int64_t(b.s[1]);
              a.scc = maximum ? x >= y : x < y;
              a.s[4] = a.scc ? b.s[0] : b.s[1];
            },
            [=](Wave& wave) {
              if (equal) wave.sgpr[1] = wave.sgpr[0];
            });
}

TEST_CASE("Trap: a clamp bit whose meaning is not known is reported and never ignored") {
  for (const char* text : {"v_cvt_u32_f32 v4, v0", "v_mul_i32_i24 v4, v0, v1", "v_pk_mul_lo_u16 v4, v0, v1",
                           "v_pk_max_u16 v4, v0, v1", "v_cmp_lt_f32 s[2:3], v0, v1"})
    check_stops_as_unsupported(std::string(text) + " clamp");
}
