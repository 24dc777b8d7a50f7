// Conversions to and from formats of 4, 6 and 8 bits, bf16 and f16: gfx942's, gfx950's with scales and stochastic rounding, and gfx12's.
#include "cases.h"
#include "small_floats.h"
#include "test_seed.h"

#include <random>

using namespace isa_test;

namespace {

float bf16(u32 bits) { return std::bit_cast<float>(bits << 16); }
// To nearest even, by the distances to both neighbours.
u32 bf16_bits(float v) {
  const u32 u = std::bit_cast<u32>(v), below = u >> 16;
  if (std::isnan(v)) return below | 0x40;
  const u32 rest = u & 0xffff;
  return below + (rest > 0x8000 || (rest == 0x8000 && (below & 1)) ? 1 : 0);
}
u32 put_byte(u32 old, u32 n, u32 v) { return (old & ~(0xffu << (8 * n))) | v << (8 * n); }
u32 put_half(u32 old, u32 n, u32 v) { return n ? pair(old, v) : pair(v, old >> 16); }

// Of a wider number in a register pair, a register or one of its halves.
struct Wide {
  const char* name;
  double (*low)(const State&, u32 row, u32 lane);
  double (*high)(const State&, u32 row, u32 lane); // the second of two
};
const Wide kWides[] = {
    {"f32", [](const State& s, u32 r, u32 l) { return double(s.f(r, l)); }, [](const State& s, u32 r, u32 l) { return double(s.f(r + 1, l)); }},
    {"f16", [](const State& s, u32 r, u32 l) { return double(half(s.lo(r, l))); }, [](const State& s, u32 r, u32 l) { return double(half(s.hi(r, l))); }},
    {"bf16", [](const State& s, u32 r, u32 l) { return double(bf16(s.lo(r, l))); }, [](const State& s, u32 r, u32 l) { return double(bf16(s.hi(r, l))); }},
};
struct Small {
  const char* name;
  const SmallFormat& format;
};

// op_sel for byte n of the destination, and of the source.
std::string to_byte(u32 n) { return fmt::format(" op_sel:[0,0,{},{}]", n & 1, n >> 1); }
std::string from_byte(u32 n) { return fmt::format(" op_sel:[{},{},0]", n & 1, n >> 1); }

std::vector<Case> unscaled(const std::vector<Small>& smalls) {
  std::vector<Case> c;
  for (const auto& [name, format] : smalls) {
    c.push_back({fmt::format("v_cvt_f32_{} v6, v0", name), each([&](auto& s, u32 l) { return raw(float(value_of(format, s.v[0][l]))); })});
    c.push_back({fmt::format("v_cvt_f32_{}_sdwa v6, v0 src0_sel:BYTE_3", name),
                 each([&](auto& s, u32 l) { return raw(float(value_of(format, s.v[0][l] >> 24))); })});
    c.push_back({fmt::format("v_cvt_pk_f32_{}_sdwa v[6:7], v0 src0_sel:WORD_1", name), [&](const State& b, State& a) {
                   for (u32 l = 0; l < 64; ++l)
                     if (b.exec >> l & 1)
                       a.v[6][l] = raw(float(value_of(format, byte(b.v[0][l], 2)))), a.v[7][l] = raw(float(value_of(format, byte(b.v[0][l], 3))));
                 }});
    c.push_back({fmt::format("v_cvt_pk_{}_f32 v6, v0, v2", name),
                 each([&](auto& s, u32 l) { return pair(nearest(format, s.f(0, l)) | nearest(format, s.f(2, l)) << 8, s.hi(6, l)); }), true});
    c.push_back({fmt::format("v_cvt_pk_{}_f32 v6, -v0, |v2| op_sel:[0,0,1]", name), each([&](auto& s, u32 l) {
                   return pair(s.lo(6, l), nearest(format, -s.f(0, l)) | nearest(format, std::fabs(s.f(2, l))) << 8);
                 }), true});
    for (u32 n = 0; n < 4; ++n)
      c.push_back({fmt::format("v_cvt_sr_{}_f32 v6, v0, v2{}", name, to_byte(n)),
                   each([&, n](auto& s, u32 l) { return put_byte(s.v[6][l], n, stochastic(format, s.f(0, l), s.v[2][l])); }), true});
    c.push_back({fmt::format("v_cvt_sr_{}_f32 v6, v6, s8{}", name, to_byte(2)),
                 each([&](auto& s, u32 l) { return put_byte(s.v[6][l], 2, stochastic(format, s.f(6, l), s.s[8])); }), true});
  }
  return c;
}

// gfx12 names bytes by a number of their own, and has no SDWA.
std::vector<Case> of_gfx12() {
  std::vector<Case> c;
  const std::vector<Small> smalls = {{"fp8", kE4m3}, {"bf8", kE5m2}};
  for (const auto& [name, format] : smalls) {
    c.push_back({fmt::format("v_cvt_f32_{} v6, v0", name), each([&](auto& s, u32 l) { return raw(float(value_of(format, s.v[0][l]))); })});
    for (u32 n = 0; n < 4; ++n) {
      c.push_back({fmt::format("v_cvt_f32_{}_e64 v6, v0 byte_sel:{}", name, n),
                   each([&, n](auto& s, u32 l) { return raw(float(value_of(format, byte(s.v[0][l], n)))); })});
      c.push_back({fmt::format("v_cvt_f32_{}_e64 v6, s8 byte_sel:{}", name, n), each([&, n](auto& s, u32) { return raw(float(value_of(format, byte(s.s[8], n)))); })});
      c.push_back({fmt::format("v_cvt_f32_{}_e64_dpp v6, v0 byte_sel:{} quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf fi:1", name, n),
                   each([&, n](auto& s, u32 l) { return raw(float(value_of(format, byte(s.v[0][l ^ 1], n)))); })});
      c.push_back({fmt::format("v_cvt_sr_{}_f32 v6, -v0, v2 byte_sel:{}", name, n),
                   each([&, n](auto& s, u32 l) { return put_byte(s.v[6][l], n, stochastic(format, -s.f(0, l), s.v[2][l])); }), true});
      c.push_back({fmt::format("v_cvt_sr_{}_f32_e64_dpp v6, v0, v2 byte_sel:{} quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf fi:1", name, n),
                   each([&, n](auto& s, u32 l) { return put_byte(s.v[6][l], n, stochastic(format, s.f(0, l ^ 1), s.v[2][l])); }), true});
    }
    for (u32 high = 0; high < 2; ++high) {
      c.push_back({fmt::format("v_cvt_pk_f32_{}_e64 v[6:7], v0 op_sel:[{},0]", name, high), [&, high](const State& b, State& a) {
                     for (u32 l = 0; l < 64; ++l)
                       if (b.exec >> l & 1)
                         for (u32 n = 0; n < 2; ++n) a.v[6 + n][l] = raw(float(value_of(format, byte(b.v[0][l], 2 * high + n))));
                   }});
      c.push_back({fmt::format("v_cvt_pk_{}_f32 v6, -v0, |v2| op_sel:[0,0,{}]", name, high), each([&, high](auto& s, u32 l) {
                     return put_half(s.v[6][l], high, nearest(format, -s.f(0, l)) | nearest(format, std::fabs(s.f(2, l))) << 8);
                   }), true});
    }
    for (const auto& [other, other_format] : smalls) {
      const auto sum = [&](const State& s, u32 l, float v) {
        for (u32 n = 0; n < 4; ++n) v = std::fma(float(value_of(format, byte(s.v[0][l], n))), float(value_of(other_format, byte(s.v[2][l], n))), v);
        return raw(v);
      };
      c.push_back({fmt::format("v_dot4_f32_{}_{} v6, v0, v2, v4", name, other), each([sum](auto& s, u32 l) { return sum(s, l, s.f(4, l)); })});
      c.push_back({fmt::format("v_dot4_f32_{}_{} v6, v0, v2, v4 neg_lo:[0,0,1] neg_hi:[0,0,1]", name, other),
                   each([sum](auto& s, u32 l) { return sum(s, l, -std::fabs(s.f(4, l))); })});
    }
  }
  return c;
}

std::vector<Case> scaled_to_8_bits() {
  std::vector<Case> c;
  for (const Small& small : {Small{"fp8", kE4m3}, Small{"bf8", kE5m2}}) {
    const SmallFormat& f = small.format;
    c.push_back({fmt::format("v_cvt_scalef32_pk_{}_f32 v6, v0, v2, v4", small.name), each([&](auto& s, u32 l) {
                   return pair(nearest(f, by_scale(s.f(0, l), s.v[4][l])) | nearest(f, by_scale(s.f(2, l), s.v[4][l])) << 8, s.hi(6, l));
                 }), true});
    c.push_back({fmt::format("v_cvt_scalef32_pk_{}_f32 v6, v0, v6, s8 op_sel:[0,0,0,1]", small.name), each([&](auto& s, u32 l) {
                   return pair(s.lo(6, l), nearest(f, by_scale(s.f(0, l), s.s[8])) | nearest(f, by_scale(s.f(6, l), s.s[8])) << 8);
                 }), true});
    for (const Wide& wide : kWides) {
      if (&wide != &kWides[0])
        for (u32 high = 0; high < 2; ++high)
          c.push_back({fmt::format("v_cvt_scalef32_pk_{}_{} v6, v0, v4 op_sel:[0,0,{}]", small.name, wide.name, high), each([&, high](auto& s, u32 l) {
                         const u32 v = nearest(f, by_scale(wide.low(s, 0, l), s.v[4][l])) | nearest(f, by_scale(wide.high(s, 0, l), s.v[4][l])) << 8;
                         return put_half(s.v[6][l], high, v);
                       }), true});
      for (u32 n = 0; n < 4; ++n)
        c.push_back({fmt::format("v_cvt_scalef32_sr_{}_{} v6, v0, v2, v4{}", small.name, wide.name, to_byte(n)), each([&, n](auto& s, u32 l) {
                       return put_byte(s.v[6][l], n, stochastic(f, by_scale(wide.low(s, 0, l), s.v[4][l]), s.v[2][l]));
                     }), true});
    }
  }
  return c;
}

std::vector<Case> scaled_to_4_bits() {
  std::vector<Case> c;
  for (u32 n = 0; n < 4; ++n) {
    c.push_back({fmt::format("v_cvt_scalef32_pk_fp4_f32 v6, v0, v2, v4{}", to_byte(n)), each([n](auto& s, u32 l) {
                   return put_byte(s.v[6][l], n, nearest(kE2m1, by_scale(s.f(0, l), s.v[4][l])) | nearest(kE2m1, by_scale(s.f(2, l), s.v[4][l])) << 4);
                 }), true});
    for (const Wide& wide : kWides) {
      if (&wide != &kWides[0])
        c.push_back({fmt::format("v_cvt_scalef32_pk_fp4_{} v6, v0, v4{}", wide.name, to_byte(n)), each([&, n](auto& s, u32 l) {
                       return put_byte(s.v[6][l], n,
                                       nearest(kE2m1, by_scale(wide.low(s, 0, l), s.v[4][l])) | nearest(kE2m1, by_scale(wide.high(s, 0, l), s.v[4][l])) << 4);
                     }), true});
      c.push_back({fmt::format("v_cvt_scalef32_sr_pk_fp4_{} v6, {}, v2, v4{}", wide.name, &wide == &kWides[0] ? "v[0:1]" : "v0", to_byte(n)),
                   each([&, n](auto& s, u32 l) {
                     const u32 low = stochastic(kE2m1, by_scale(wide.low(s, 0, l), s.v[4][l]), s.v[2][l]);
                     return put_byte(s.v[6][l], n, low | stochastic(kE2m1, by_scale(wide.high(s, 0, l), s.v[4][l]), next_seed(s.v[2][l])) << 4);
                   }), true});
    }
  }
  return c;
}

// Both numbers of v6 or v[6:7].
Whole two_results(const char* wide, std::function<std::pair<double, double>(const State&, u32)> numbers) {
  const std::string name = wide;
  return [=](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l) {
      if (!(b.exec >> l & 1)) continue;
      const auto [low, high] = numbers(b, l);
      if (name == "f32")
        a.v[6][l] = raw(float(low)), a.v[7][l] = raw(float(high));
      else if (name == "f16")
        a.v[6][l] = pair(std::bit_cast<uint16_t>(_Float16(low)), std::bit_cast<uint16_t>(_Float16(high)));
      else
        a.v[6][l] = pair(bf16_bits(float(low)), bf16_bits(float(high)));
    }
  };
}

std::vector<Case> scaled_to_wide() {
  std::vector<Case> c;
  for (const Small& small : {Small{"fp8", kE4m3}, Small{"bf8", kE5m2}}) {
    const SmallFormat& f = small.format;
    for (u32 n = 0; n < 4; ++n) {
      c.push_back({fmt::format("v_cvt_scalef32_f32_{} v6, v0, v4{}", small.name, from_byte(n)),
                   each([&, n](auto& s, u32 l) { return raw(float(times_scale(value_of(f, byte(s.v[0][l], int(n))), s.v[4][l]))); })});
      for (u32 high = 0; high < 2; ++high)
        c.push_back({fmt::format("v_cvt_scalef32_f16_{} v6, v0, v4 op_sel:[{},{},{}]", small.name, n & 1, n >> 1, high), each([&, n, high](auto& s, u32 l) {
                       const double v = times_scale(value_of(f, byte(s.v[0][l], int(n))), s.v[4][l]);
                       return put_half(s.v[6][l], high, std::bit_cast<uint16_t>(_Float16(v)));
                     })});
    }
    for (const Wide& wide : kWides)
      for (u32 high = 0; high < 2; ++high)
        c.push_back({fmt::format("v_cvt_scalef32_pk_{}_{} {}, v0, v4 op_sel:[{},0,0]", wide.name, small.name, &wide == &kWides[0] ? "v[6:7]" : "v6", high),
                     two_results(wide.name, [&, high](const State& s, u32 l) {
                       const u32 v = s.v[0][l] >> (16 * high);
                       return std::pair(times_scale(value_of(f, byte(v, 0)), s.v[4][l]), times_scale(value_of(f, byte(v, 1)), s.v[4][l]));
                     })});
  }
  for (const Wide& wide : kWides)
    for (u32 n = 0; n < 4; ++n)
      c.push_back({fmt::format("v_cvt_scalef32_pk_{}_fp4 {}, v0, v4{}", wide.name, &wide == &kWides[0] ? "v[6:7]" : "v6", from_byte(n)),
                   two_results(wide.name, [n](const State& s, u32 l) {
                     const u32 v = byte(s.v[0][l], int(n));
                     return std::pair(times_scale(value_of(kE2m1, v & 15), s.v[4][l]), times_scale(value_of(kE2m1, v >> 4), s.v[4][l]));
                   })});
  return c;
}

std::vector<Case> halves_and_bits() {
  const auto sat = [](u32 v, u32 by, int low, int high) { return u32(std::clamp(int32_t(v) >> (by & 31), low, high)) & 0xff; };
  const auto truth = [](u32 a, u32 b, u32 c, u32 table) {
    u32 r = 0;
    for (u32 bit = 0; bit < 32; ++bit) r |= (table >> ((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)) & 1) << bit;
    return r;
  };
  return {
      {"v_cvt_f32_bf16 v6, v0", each([](auto& s, u32 l) { return s.v[0][l] << 16; })},
      {"v_cvt_f32_bf16_sdwa v6, -v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", each([](auto& s, u32 l) { return (s.v[0][l] & 0xffff0000) ^ 0x80000000; })},
      {"v_cvt_pk_bf16_f32 v6, v0, -v2", each([](auto& s, u32 l) { return pair(bf16_bits(s.f(0, l)), bf16_bits(-s.f(2, l))); })},
      {"v_cvt_pk_f16_f32 v6, v0, v2", each([](auto& s, u32 l) { return pair(nearest(kHalf, s.f(0, l)), nearest(kHalf, s.f(2, l))); })},
      // Whatever MODE says.
      {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\nv_cvt_pk_f16_f32 v6, v0, v2",
       each([](auto& s, u32 l) { return pair(nearest(kHalf, s.f(0, l)), nearest(kHalf, s.f(2, l))); })},
      {"v_cvt_sr_f16_f32 v6, v0, v2", each([](auto& s, u32 l) { return pair(stochastic(kHalf, s.f(0, l), s.v[2][l]), s.hi(6, l)); })},
      {"v_cvt_sr_f16_f32 v6, v0, v2 op_sel:[0,0,1]", each([](auto& s, u32 l) { return pair(s.lo(6, l), stochastic(kHalf, s.f(0, l), s.v[2][l])); })},
      {"v_cvt_sr_bf16_f32 v6, v0, v2", each([](auto& s, u32 l) {
         const u32 u = s.v[0][l];
         return pair(std::isfinite(s.f(0, l)) ? (u + (s.v[2][l] >> 16)) >> 16 : std::isnan(s.f(0, l)) ? u >> 16 | 0x40 : u >> 16, s.hi(6, l));
       })},
      {"v_dot2_f32_bf16 v6, v0, v2, v4", each([](auto& s, u32 l) {
         const float low = bf16(s.lo(0, l)) * bf16(s.lo(2, l));
         return raw(std::fma(bf16(s.hi(0, l)), bf16(s.hi(2, l)), low) + s.f(4, l));
       })},
      {"v_dot2_f32_bf16 v6, v0, v2, v4 neg_lo:[1,0,0]", each([](auto& s, u32 l) {
         const float low = -bf16(s.lo(0, l)) * bf16(s.lo(2, l));
         return raw(std::fma(bf16(s.hi(0, l)), bf16(s.hi(2, l)), low) + s.f(4, l));
       })},
      {"v_dot2c_f32_bf16 v6, v0, v2", each([](auto& s, u32 l) {
         return raw(std::fma(bf16(s.hi(0, l)), bf16(s.hi(2, l)), std::fma(bf16(s.lo(0, l)), bf16(s.lo(2, l)), s.f(6, l))));
       })},
      {"v_ashr_pk_i8_i32 v6, v0, v2, v4", each([=](auto& s, u32 l) { return pair(sat(s.v[0][l], s.v[4][l], -128, 127) | sat(s.v[2][l], s.v[4][l], -128, 127) << 8, s.hi(6, l)); }), true},
      {"v_ashr_pk_u8_i32 v6, v0, v2, 4 op_sel:[0,0,0,1]", each([=](auto& s, u32 l) { return pair(s.lo(6, l), sat(s.v[0][l], 4, 0, 255) | sat(s.v[2][l], 4, 0, 255) << 8); }), true},
      {"v_bitop3_b32 v6, v0, v2, v4 bitop3:0x27", each([=](auto& s, u32 l) { return truth(s.v[0][l], s.v[2][l], s.v[4][l], 0x27); }), true},
      {"v_bitop3_b32 v6, s8, v2, -7 bitop3:0xe8", each([=](auto& s, u32 l) { return truth(s.s[8], s.v[2][l], u32(-7), 0xe8); }), true},
      {"v_bitop3_b32 v6, v6, v6, v0 bitop3:0x96", each([=](auto& s, u32 l) { return s.v[0][l]; }), true},
      {"v_bitop3_b16 v6, v0, v2, v4 bitop3:0x1d op_sel:[1,0,1,0]", each([=](auto& s, u32 l) { return pair(truth(s.hi(0, l), s.lo(2, l), s.hi(4, l), 0x1d), s.hi(6, l)); }), true},
      {"v_bitop3_b16 v6, v0, v2, v4 bitop3:0xca op_sel:[0,1,0,1]", each([=](auto& s, u32 l) { return pair(s.lo(6, l), truth(s.lo(0, l), s.hi(2, l), s.lo(4, l), 0xca)); }), true},
      {"v_prng_b32 v6, v0", each([](auto& s, u32 l) { return next_seed(s.v[0][l]); }), true},
  };
}

// --- 32 elements at once
constexpr u32 kBlockRows = 80;
struct Block {
  std::string text;
  u32 written; // registers of the destination, v0 on
  std::function<void(const Wave&, u32 lane, u32* out)> expected;
};
u32 lane_row(const Wave& w, u32 row, u32 lane) { return const_cast<Wave&>(w).row(row)[lane]; }
u64 code_at(const Wave& w, u32 row, u32 lane, u32 n) { // of 6 bits
  u64 r = 0;
  for (u32 bit = 0; bit < 6; ++bit) r |= u64(lane_row(w, row + (6 * n + bit) / 32, lane) >> ((6 * n + bit) % 32) & 1) << bit;
  return r;
}
void put_code(u32* out, u32 n, u32 code) {
  for (u32 bit = 0; bit < 6; ++bit) out[(6 * n + bit) / 32] |= (code >> bit & 1) << ((6 * n + bit) % 32);
}
double block_number(const Wave& w, const std::string& wide, u32 row, u32 lane, u32 n) {
  if (wide == "f32") return std::bit_cast<float>(lane_row(w, row + n, lane));
  const u32 h = lane_row(w, row + n / 2, lane) >> (n % 2 * 16) & 0xffff;
  return wide == "f16" ? half(h) : bf16(h);
}
void put_number(u32* out, const std::string& wide, u32 n, double v) {
  if (wide == "f32")
    out[n] = raw(float(v));
  else
    out[n / 2] |= (wide == "f16" ? u32(std::bit_cast<uint16_t>(_Float16(v))) : bf16_bits(float(v))) << (n % 2 * 16);
}
// Sources from v32 on, seed in v70, scale in v72.
std::vector<Block> blocks() {
  std::vector<Block> all;
  for (const Small& small : {Small{"fp6", kE2m3}, Small{"bf6", kE3m2}}) {
    const SmallFormat& f = small.format;
    for (const std::string wide : {"f32", "f16", "bf16"}) {
      const std::string many = wide == "f32" ? "v[32:63]" : "v[32:47]";
      if (wide != "f32")
        all.push_back({fmt::format("v_cvt_scalef32_pk32_{}_{} v[0:5], {}, v72", small.name, wide, many), 6, [&f, wide](const Wave& w, u32 l, u32* out) {
                         for (u32 n = 0; n < 32; ++n) put_code(out, n, nearest(f, by_scale(block_number(w, wide, 32, l, n), lane_row(w, 72, l))));
                       }});
      all.push_back({fmt::format("v_cvt_scalef32_sr_pk32_{}_{} v[0:5], {}, v70, v72", small.name, wide, many), 6, [&f, wide](const Wave& w, u32 l, u32* out) {
                       u32 seed = lane_row(w, 70, l);
                       for (u32 n = 0; n < 32; ++n, seed = next_seed(seed))
                         put_code(out, n, stochastic(f, by_scale(block_number(w, wide, 32, l, n), lane_row(w, 72, l)), seed));
                     }});
      all.push_back({fmt::format("v_cvt_scalef32_pk32_{}_{} {}, v[32:37], v72", wide, small.name, wide == "f32" ? "v[0:31]" : "v[0:15]"),
                     wide == "f32" ? 32u : 16u, [&f, wide](const Wave& w, u32 l, u32* out) {
                       for (u32 n = 0; n < 32; ++n) put_number(out, wide, n, times_scale(value_of(f, u32(code_at(w, 32, l, n))), lane_row(w, 72, l)));
                     }});
    }
    all.push_back({fmt::format("v_cvt_scalef32_2xpk16_{}_f32 v[0:5], v[32:47], v[48:63], s8", small.name), 6, [&f](const Wave& w, u32 l, u32* out) {
                     for (u32 n = 0; n < 32; ++n)
                       put_code(out, n, nearest(f, by_scale(block_number(w, "f32", n % 2 ? 48 : 32, l, n / 2), w.sgpr[8])));
                   }});
    // The destination among the sources.
    all.push_back({fmt::format("v_cvt_scalef32_pk32_f32_{0} v[0:31], v[2:7], v4", small.name), 32, [&f](const Wave& w, u32 l, u32* out) {
                     for (u32 n = 0; n < 32; ++n) put_number(out, "f32", n, times_scale(value_of(f, u32(code_at(w, 2, l, n))), lane_row(w, 4, l)));
                   }});
  }
  return all;
}
u32 any_number(std::mt19937_64& random) {
  switch (random() % 4) {
  case 0:
    return raw(std::ldexp(float(int32_t(random())), -31 - int(random() % 8)));
  case 1:
    return pair(half_bits(float(int32_t(random())) * 0x1p-30f), half_bits(float(int32_t(random())) * 0x1p-32f));
  default:
    return u32(random());
  }
}
bool same_number(u32 a, u32 b) { // NaNs of any payload are equal
  const auto nan = [](u32 v) { return (v & 0x7fffffff) > 0x7f800000; };
  const auto half_nan = [](u32 v) { return (v & 0x7fff) > 0x7c00; };
  const auto same_half = [&](u32 x, u32 y) { return x == y || (half_nan(x) && half_nan(y)); };
  return a == b || (nan(a) && nan(b)) || (same_half(a & 0xffff, b & 0xffff) && same_half(a >> 16, b >> 16));
}

} // namespace

TEST_CASE("8-bit floats of gfx942 are FNUZ's") { check_cases(unscaled({{"fp8", kE4m3Fnuz}, {"bf8", kE5m2Fnuz}}), "gfx942"); }
TEST_CASE("8-bit floats of gfx950 are OCP's") { check_cases(unscaled({{"fp8", kE4m3}, {"bf8", kE5m2}}), "gfx950"); }
TEST_CASE("8-bit floats of gfx12 are OCP's") { check_cases(of_gfx12(), "gfx1201", 64); }
TEST_CASE("gfx950 converts to 8 and 4 bits with a scale") {
  check_cases(scaled_to_8_bits(), "gfx950");
  check_cases(scaled_to_4_bits(), "gfx950");
}
TEST_CASE("gfx950 converts from 8 and 4 bits with a scale") { check_cases(scaled_to_wide(), "gfx950"); }
TEST_CASE("gfx950's halves, dot products and bit operations") { check_cases(halves_and_bits(), "gfx950"); }

TEST_CASE("gfx950 converts 32 elements at once") {
  const std::vector<Block> all = blocks();
  std::vector<Row> rows;
  for (const Block& block : all) rows.push_back({nullptr, block.text});
  std::mt19937_64 random(hip::testing::seeded(3));
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, "gfx950");
    for (size_t n = 0; n < all.size(); ++n)
      for (int trial = 0; trial < 20; ++trial) {
        INFO(level->name << ": " << all[n].text);
        auto before = make_wave(kBlockRows), after = make_wave(kBlockRows);
        const u64 exec = trial % 3 == 0 ? ~0ull : random();
        for (auto* w : {before.get(), after.get()}) {
          std::mt19937_64 numbers(hip::testing::seeded(u64(trial) * 1000 + n));
          for (u32 r = 0; r < kBlockRows; ++r)
            for (u32 l = 0; l < 64; ++l) w->row(r)[l] = any_number(numbers);
          w->sgpr[8] = 0x3f000000 + u32(trial) * 0x00800000;
          w->set_sgpr64(kExecLo, exec);
        }
        start(*after, code, n);
        level->run(*after);
        REQUIRE(after->stop == Stop::Ended);
        for (u32 l = 0; l < 64; ++l) {
          u32 expected[32] = {};
          all[n].expected(*before, l, expected);
          for (u32 r = 0; r < kBlockRows; ++r) {
            const u32 wanted = r < all[n].written && (exec >> l & 1) ? expected[r] : before->row(r)[l];
            if (after->row(r)[l] == wanted || (r < all[n].written && all[n].written > 6 && same_number(after->row(r)[l], wanted))) continue;
            INFO("lane " << l << ", v" << r << fmt::format(" is {:#x}, expected {:#x}", after->row(r)[l], wanted));
            REQUIRE(after->row(r)[l] == wanted);
          }
        }
      }
  }
}
