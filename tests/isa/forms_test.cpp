// Operand forms and modifiers: neg, abs, clamp, omod, op_sel, packed selects, SDWA, DPP, scalar and constant operands, and
// instructions that cross lanes. Each case is an instruction and what it does to a whole wave, written from the ISA
// manual; every host level must do exactly that.
#include "cases.h"

#include <cfenv>
#include <cmath>
#include <limits>

using namespace isa_test;

namespace {

// The value of an 8-bit float, and the nearest code by search: the even one of two that are equally near.
float float8(u32 code, int mantissa_bits, int bias) {
  if (code == 0x80) return std::numeric_limits<float>::quiet_NaN();
  const int exponent = int(code & 0x7f) >> mantissa_bits, mantissa = int(code) & ((1 << mantissa_bits) - 1);
  const float m = exponent ? std::ldexp(float(mantissa + (1 << mantissa_bits)), exponent - bias - mantissa_bits)
                           : std::ldexp(float(mantissa), 1 - bias - mantissa_bits);
  return code & 0x80 ? -m : m;
}
u32 to_float8(float v, int mantissa_bits, int bias) {
  const double m = std::fabs(double(v));
  const double last = float8(0x7f, mantissa_bits, bias), before = float8(0x7e, mantissa_bits, bias);
  if (!(m < last + (last - before) / 2)) return 0x80;
  u32 best = 0;
  for (u32 code = 1; code < 0x80; ++code) {
    const double d = std::fabs(float8(code, mantissa_bits, bias) - m), e = std::fabs(float8(best, mantissa_bits, bias) - m);
    if (d < e || (d == e && !(code & 1))) best = code;
  }
  return best && std::signbit(v) ? best | 0x80 : best;
}

// v_add_u32 v6, v0, v2 with DPP on v0: the lane that a lane reads, or -1.
Whole dpp(std::function<int(int)> from, u32 row_mask = 15, u32 bank_mask = 15, bool bound_ctrl = false) {
  return [=](const State& b, State& a) {
    for (int lane = 0; lane < 64; ++lane) {
      const int source = from(lane);
      const bool valid = source >= 0 && (b.exec >> source & 1);
      if (!(b.exec >> lane & 1) || !(row_mask >> (lane / 16) & 1) || !(bank_mask >> (lane / 4 % 4) & 1)) continue;
      if (valid || bound_ctrl) a.v[6][lane] = (valid ? b.v[0][source] : 0) + b.v[2][lane];
    }
  };
}
// Dword k of an access of `bytes` at `address`; all of it is 0 where any of it lies outside.
u32 lds_dword(u32 address, u32 bytes, u32 k) {
  if (u64(address) + bytes > kLdsBytes) return 0;
  u32 r = 0;
  for (u32 n = 0; n < 4; ++n) r |= u32(lds_byte(address + 4 * k + n)) << (8 * n);
  return r;
}

std::vector<Case> cases() {
  std::vector<Case> c;
  auto add = [&](const char* text, Whole expected) { c.push_back({text, std::move(expected)}); };
  // --- operands
  add("v_sub_f32 v6, 0.5, v2", each([](auto& s, u32 l) { return raw(0.5f - s.f(2, l)); }));
  add("v_sub_f32 v6, s8, v2", each([](auto& s, u32 l) { return raw(std::bit_cast<float>(s.s[8]) - s.f(2, l)); }));
  add("v_sub_f32 v6, v2, s8", each([](auto& s, u32 l) { return raw(s.f(2, l) - std::bit_cast<float>(s.s[8])); }));
  add("v_sub_u32 v6, 0x12345678, v2", each([](auto& s, u32 l) { return 0x12345678 - s.v[2][l]; }));
  add("v_sub_u32 v6, -16, v2", each([](auto& s, u32 l) { return u32(-16) - s.v[2][l]; }));
  add("v_sub_u32 v6, v0, 64", each([](auto& s, u32 l) { return s.v[0][l] - 64; }));
  add("v_fma_f32 v6, v0, s8, v4", each([](auto& s, u32 l) { return raw(std::fma(s.f(0, l), std::bit_cast<float>(s.s[8]), s.f(4, l))); }));
  add("v_fma_f32 v6, v0, v2, -4.0", each([](auto& s, u32 l) { return raw(std::fma(s.f(0, l), s.f(2, l), -4.0f)); }));
  add("v_fma_f32 v6, s8, v2, s8", each([](auto& s, u32 l) { float k = std::bit_cast<float>(s.s[8]); return raw(std::fma(k, s.f(2, l), k)); }));
  add("v_fmaak_f32 v6, v0, v2, 0xff", each([](auto& s, u32 l) { return raw(std::fma(s.f(0, l), s.f(2, l), std::bit_cast<float>(0xff))); }));
  add("v_fmamk_f32 v6, v0, 0x80, v2", each([](auto& s, u32 l) { return raw(std::fma(s.f(0, l), std::bit_cast<float>(0x80), s.f(2, l))); }));
  add("v_lshl_add_u32 v6, v0, 3, v4", each([](auto& s, u32 l) { return (s.v[0][l] << 3) + s.v[4][l]; }));
  add("v_perm_b32 v6, v0, v2, s8", each([](auto& s, u32 l) {
        const u64 data = u64(s.v[0][l]) << 32 | s.v[2][l];
        u32 r = 0;
        for (int i = 0; i < 4; ++i) {
          const u32 sel = byte(s.s[8], i);
          u32 b = sel >= 13 ? 0xff : sel == 12 ? 0 : sel >= 8 ? (data >> (16 * (sel - 8) + 15) & 1) * 0xff : data >> (8 * sel) & 0xff;
          r |= b << (8 * i);
        }
        return r;
      }));
  add("v_cndmask_b32 v6, 0, 1, s[10:11]", each([](auto& s, u32 l) { return s.s[10 + l / 32] >> (l % 32) & 1; }));
  add("v_cndmask_b32 v6, -v0, |v2|, vcc", each([](auto& s, u32 l) { return s.vcc >> l & 1 ? s.v[2][l] & 0x7fffffff : s.v[0][l] ^ 0x80000000; }));
  add("v_lshlrev_b64 v[6:7], 4, v[0:1]", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1) a.v[6][l] = u32(b.v64(0, l) << 4), a.v[7][l] = u32(b.v64(0, l) << 4 >> 32);
  });
  add("v_add_f64 v[6:7], s[8:9], -v[2:3]", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l) {
      const u64 r = std::bit_cast<u64>(std::bit_cast<double>(b.s[8] | u64(b.s[9]) << 32) - std::bit_cast<double>(b.v64(2, l)));
      if (b.exec >> l & 1) a.v[6][l] = u32(r), a.v[7][l] = u32(r >> 32);
    }
  });
  add("v_add_f64 v[6:7], v[0:1], 1.0", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l) {
      const u64 r = std::bit_cast<u64>(std::bit_cast<double>(b.v64(0, l)) + 1.0);
      if (b.exec >> l & 1) a.v[6][l] = u32(r), a.v[7][l] = u32(r >> 32);
    }
  });
  // --- neg, abs, clamp, omod
  add("v_add_f32 v6, -v0, |v2|", each([](auto& s, u32 l) { return raw(-s.f(0, l) + std::fabs(s.f(2, l))); }));
  add("v_fma_f32 v6, -|v0|, v2, -v4", each([](auto& s, u32 l) { return raw(std::fma(-std::fabs(s.f(0, l)), s.f(2, l), -s.f(4, l))); }));
  add("v_mul_f32 v6, v0, -s8", each([](auto& s, u32 l) { return raw(s.f(0, l) * -std::bit_cast<float>(s.s[8])); }));
  add("v_add_f32 v6, v0, v2 clamp", each([](auto& s, u32 l) { return raw(clamp01(s.f(0, l) + s.f(2, l))); }));
  add("v_add_f32 v6, v0, v2 mul:2", each([](auto& s, u32 l) { return raw((s.f(0, l) + s.f(2, l)) * 2); }));
  add("v_add_f32 v6, v0, v2 mul:4", each([](auto& s, u32 l) { return raw((s.f(0, l) + s.f(2, l)) * 4); }));
  add("v_mul_f32 v6, v0, v2 clamp div:2", each([](auto& s, u32 l) { return raw(clamp01(s.f(0, l) * s.f(2, l) / 2)); }));
  add("v_add_u32 v6, v0, v2 clamp", each([](auto& s, u32 l) { u64 r = u64(s.v[0][l]) + s.v[2][l]; return r >> 32 ? ~0u : u32(r); }));
  add("v_sub_u32 v6, v0, v2 clamp", each([](auto& s, u32 l) { return s.v[0][l] < s.v[2][l] ? 0 : s.v[0][l] - s.v[2][l]; }));
  add("v_add_i32 v6, v0, v2 clamp", each([](auto& s, u32 l) {
        const int64_t r = int64_t(int32_t(s.v[0][l])) + int32_t(s.v[2][l]);
        return r > INT32_MAX ? u32(INT32_MAX) : r < INT32_MIN ? u32(INT32_MIN) : u32(r);
      }));
  add("v_cmp_lt_f32 vcc, -v0, |v2|", mask([](auto& s, u32 l) { return -s.f(0, l) < std::fabs(s.f(2, l)); }));
  add("v_cmp_gt_u32 vcc, s8, v2", mask([](auto& s, u32 l) { return s.s[8] > s.v[2][l]; }));
  add("v_cmp_gt_u32 vcc, v2, 17", mask([](auto& s, u32 l) { return s.v[2][l] > 17; }));
  add("v_cmp_lt_u32 s[10:11], v0, v2", [](const State& b, State& a) {
    u64 m = 0;
    for (u32 l = 0; l < 64; ++l) m |= u64((b.exec >> l & 1) && b.v[0][l] < b.v[2][l]) << l;
    a.s[10] = u32(m), a.s[11] = u32(m >> 32);
  });
  add("v_cmpx_lt_u32 v0, v2", [](const State& b, State& a) {
    u64 m = 0;
    for (u32 l = 0; l < 64; ++l) m |= u64((b.exec >> l & 1) && b.v[0][l] < b.v[2][l]) << l;
    a.vcc = a.exec = m;
  });
  add("v_addc_co_u32 v6, s[10:11], v0, v2, s[12:13]", [](const State& b, State& a) {
    u64 carries = 0, in = b.s[12] | u64(b.s[13]) << 32;
    for (u32 l = 0; l < 64; ++l) {
      if (!(b.exec >> l & 1)) continue;
      const u64 r = u64(b.v[0][l]) + b.v[2][l] + (in >> l & 1);
      a.v[6][l] = u32(r), carries |= (r >> 32) << l;
    }
    a.s[10] = u32(carries), a.s[11] = u32(carries >> 32);
  });
  // --- 16-bit and packed selects
  add("v_mad_u16 v6, v0, v2, v4 op_sel:[1,0,1,0]", each([](auto& s, u32 l) { return pair(s.hi(0, l) * s.lo(2, l) + s.hi(4, l), s.hi(6, l)); }));
  add("v_mad_u16 v6, v0, v2, v4 op_sel:[0,1,0,1]", each([](auto& s, u32 l) { return pair(s.lo(6, l), s.lo(0, l) * s.hi(2, l) + s.lo(4, l)); }));
  add("v_mad_u16 v6, v0, v2, v4", each([](auto& s, u32 l) { return pair(s.lo(0, l) * s.lo(2, l) + s.lo(4, l), s.hi(6, l)); }));
  add("v_pk_add_u16 v6, v0, v2", each([](auto& s, u32 l) { return pair(s.lo(0, l) + s.lo(2, l), s.hi(0, l) + s.hi(2, l)); }));
  add("v_pk_add_u16 v6, v0, v2 op_sel:[1,0] op_sel_hi:[0,1]", each([](auto& s, u32 l) { return pair(s.hi(0, l) + s.lo(2, l), s.lo(0, l) + s.hi(2, l)); }));
  add("v_pk_sub_u16 v6, v0, v2 clamp", each([](auto& s, u32 l) {
        auto sat = [](u32 a, u32 b) { return a < b ? 0 : a - b; };
        return pair(sat(s.lo(0, l), s.lo(2, l)), sat(s.hi(0, l), s.hi(2, l)));
      }));
  add("v_pk_add_u16 v6, v0, s8 op_sel_hi:[1,0]", each([](auto& s, u32 l) { return pair(s.lo(0, l) + s.s[8], s.hi(0, l) + s.s[8]); }));
  // Constants: integers have 32 bits, floats lie in the low half, and op_sel chooses as of registers.
  add("v_pk_add_u16 v6, v0, 5", each([](auto& s, u32 l) { return pair(s.lo(0, l) + 5, s.hi(0, l)); }));
  add("v_pk_add_u16 v6, v0, -3", each([](auto& s, u32 l) { return pair(s.lo(0, l) - 3, s.hi(0, l) + 0xffff); }));
  add("v_pk_add_u16 v6, v0, 5 op_sel_hi:[1,0]", each([](auto& s, u32 l) { return pair(s.lo(0, l) + 5, s.hi(0, l) + 5); }));
  add("v_pk_sub_u16 v6, v0, 5 op_sel:[0,1]", each([](auto& s, u32 l) { return pair(s.lo(0, l), s.hi(0, l)); }));
  add("v_pk_mul_f16 v6, v0, 2.0 op_sel_hi:[1,0]",
      each([](auto& s, u32 l) { return pair(half_bits(half(s.lo(0, l)) * 2), half_bits(half(s.hi(0, l)) * 2)); }));
  add("v_pk_mul_f16 v6, v0, 2.0",
      each([](auto& s, u32 l) { return pair(half_bits(half(s.lo(0, l)) * 2), half_bits(half(s.hi(0, l)) * 0)); }));
  add("v_pk_mul_f16 v6, v0, v2 neg_lo:[1,0] neg_hi:[0,1]", each([](auto& s, u32 l) {
        return pair(half_bits(-half(s.lo(0, l)) * half(s.lo(2, l))), half_bits(half(s.hi(0, l)) * -half(s.hi(2, l))));
      }));
  add("v_pk_fma_f32 v[6:7], v[0:1], v[2:3], v[4:5] op_sel_hi:[0,1,1] neg_lo:[0,1,0] neg_hi:[0,0,1]", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l) {
      if (!(b.exec >> l & 1)) continue;
      a.v[6][l] = raw(std::fma(b.f(0, l), -b.f(2, l), b.f(4, l)));
      a.v[7][l] = raw(std::fma(b.f(0, l), b.f(3, l), -b.f(5, l)));
    }
  });
  add("v_pk_mul_f32 v[6:7], v[0:1], s[8:9] op_sel:[1,0] op_sel_hi:[0,0]", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l) {
      if (!(b.exec >> l & 1)) continue;
      a.v[6][l] = raw(b.f(1, l) * std::bit_cast<float>(b.s[8]));
      a.v[7][l] = raw(b.f(0, l) * std::bit_cast<float>(b.s[8]));
    }
  });
  add("v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[1,0]", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1) a.v[6][l] = b.v[1][l], a.v[7][l] = b.v[2][l];
  });
  add("v_fma_mix_f32 v6, v0, -v2, |v4| op_sel:[1,0,0] op_sel_hi:[1,0,1]", each([](auto& s, u32 l) {
        return raw(std::fma(half(s.hi(0, l)), -s.f(2, l), std::fabs(half(s.lo(4, l)))));
      }));
  // Packed operands of encodings without op_sel_hi: the high result reads the high halves.
  add("v_pk_fmac_f16 v6, v0, v2", each([](auto& s, u32 l) {
        auto fma16 = [](u32 a, u32 b, u32 d) { // exact in f64, then rounded to odd for the last rounding
          const double exact = double(half(a)) * double(half(b)), sum = exact + double(half(d));
          const double rest = (exact - (sum - (sum - exact))) + (double(half(d)) - (sum - exact));
          u64 bits = std::bit_cast<u64>(sum);
          if (rest != 0 && std::isfinite(rest) && !(bits & 1)) bits += (rest > 0) == (sum > 0) ? 1 : -1;
          return u32(std::bit_cast<uint16_t>(static_cast<_Float16>(std::bit_cast<double>(bits))));
        };
        return pair(fma16(s.lo(0, l), s.lo(2, l), s.lo(6, l)), fma16(s.hi(0, l), s.hi(2, l), s.hi(6, l)));
      }));
  add("v_dot2c_i32_i16 v6, v0, v2", each([](auto& s, u32 l) {
        auto product = [](u32 a, u32 b) { return u32(int32_t(int16_t(a)) * int32_t(int16_t(b))); };
        return s.v[6][l] + product(s.lo(0, l), s.lo(2, l)) + product(s.hi(0, l), s.hi(2, l));
      }));
  // --- 8-bit floats
  add("v_cvt_f32_fp8 v6, v0", each([](auto& s, u32 l) { return raw(float8(byte(s.v[0][l], 0), 3, 8)); }));
  add("v_cvt_f32_bf8 v6, v0", each([](auto& s, u32 l) { return raw(float8(byte(s.v[0][l], 0), 2, 16)); }));
  add("v_cvt_f32_fp8_sdwa v6, v0 src0_sel:BYTE_2", each([](auto& s, u32 l) { return raw(float8(byte(s.v[0][l], 2), 3, 8)); }));
  add("v_cvt_pk_f32_bf8_sdwa v[6:7], v0 src0_sel:WORD_1", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1)
        a.v[6][l] = raw(float8(byte(b.v[0][l], 2), 2, 16)), a.v[7][l] = raw(float8(byte(b.v[0][l], 3), 2, 16));
  });
  add("v_cvt_pk_fp8_f32 v6, v0, v2", each([](auto& s, u32 l) { return pair(to_float8(s.f(0, l), 3, 8) | to_float8(s.f(2, l), 3, 8) << 8, s.hi(6, l)); }));
  add("v_cvt_pk_bf8_f32 v6, v0, v2 op_sel:[0,0,1]", each([](auto& s, u32 l) { return pair(s.lo(6, l), to_float8(s.f(0, l), 2, 16) | to_float8(s.f(2, l), 2, 16) << 8); }));
  // --- SDWA
  add("v_add_u32_sdwa v6, v0, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:WORD_1",
      each([](auto& s, u32 l) { return byte(s.v[0][l], 2) + s.hi(2, l); }));
  add("v_add_u32_sdwa v6, sext(v0), v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:DWORD",
      each([](auto& s, u32 l) { return pair(s.lo(6, l), u32(int8_t(byte(s.v[0][l], 3))) + s.v[2][l]); }));
  add("v_add_u32_sdwa v6, v0, v2 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_0",
      each([](auto& s, u32 l) { return u32(int32_t(int8_t(s.v[0][l] + byte(s.v[2][l], 0)))) << 8; }));
  add("v_add_u32_sdwa v6, v0, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0",
      each([](auto& s, u32 l) { return (s.v[0][l] + s.lo(2, l)) & 0xff; }));
  add("v_mul_f32_sdwa v6, -v0, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
      each([](auto& s, u32 l) { return raw(-s.f(0, l) * std::fabs(s.f(2, l))); }));
  add("v_add_f16_sdwa v6, v0, -v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",
      each([](auto& s, u32 l) { return pair(s.lo(6, l), half_bits(half(s.hi(0, l)) - half(s.lo(2, l)))); }));
  add("v_cvt_f32_u32_sdwa v6, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1",
      each([](auto& s, u32 l) { return raw(float(s.hi(0, l))); }));
  add("v_cmp_eq_u32_sdwa vcc, v0, v2 src0_sel:BYTE_0 src1_sel:BYTE_3",
      mask([](auto& s, u32 l) { return byte(s.v[0][l], 0) == byte(s.v[2][l], 3); }));
  add("v_max_u32_sdwa v6, 37, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1",
      each([](auto& s, u32 l) { return std::max(37u, u32(int8_t(byte(s.v[2][l], 1)))); }));
  add("v_add_f32_sdwa v6, v0, 0.5 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
      each([](auto& s, u32 l) { return raw(s.f(0, l) + 0.5f); }));
  add("v_lshlrev_b32_sdwa v6, s8, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1",
      each([](auto& s, u32 l) { return s.hi(2, l) << (byte(s.s[8], 1) & 31); }));
  add("v_sub_u16_sdwa v6, sext(v0), sext(v2) dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_1 src1_sel:BYTE_3",
      each([](auto& s, u32 l) { return u32(int8_t(byte(s.v[0][l], 1)) - int8_t(byte(s.v[2][l], 3))); }));
  add("v_add_u32_sdwa v6, v6, v6 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0",
      each([](auto& s, u32 l) { return (s.v[6][l] & 0xff00ffff) | ((s.v[6][l] >> 16) + s.lo(6, l) & 0xff) << 16; }));
  add("v_add_co_u32_sdwa v6, vcc, v0, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD",
      [](const State& b, State& a) {
        a.vcc = 0;
        for (u32 l = 0; l < 64; ++l) {
          if (!(b.exec >> l & 1)) continue;
          const u64 r = u64(b.lo(0, l)) + b.v[2][l];
          a.v[6][l] = pair(b.lo(6, l), u32(r)), a.vcc |= (r >> 32) << l;
        }
      });
  // --- DPP
  add("v_add_u32_dpp v6, v0, v2 quad_perm:[3,0,0,1] row_mask:0xf bank_mask:0xf",
      dpp([](int l) { return (l & ~3) | (const int[]){3, 0, 0, 1}[l & 3]; }));
  add("v_add_u32_dpp v6, v0, v2 row_shl:3 row_mask:0xf bank_mask:0xf", dpp([](int l) { return (l & 15) + 3 < 16 ? l + 3 : -1; }));
  add("v_add_u32_dpp v6, v0, v2 row_shr:1 row_mask:0xf bank_mask:0xf", dpp([](int l) { return (l & 15) >= 1 ? l - 1 : -1; }));
  add("v_add_u32_dpp v6, v0, v2 row_shr:8 row_mask:0xf bank_mask:0xc", dpp([](int l) { return (l & 15) >= 8 ? l - 8 : -1; }, 15, 12));
  add("v_add_u32_dpp v6, v0, v2 row_shr:15 row_mask:0xf bank_mask:0xf bound_ctrl:0",
      dpp([](int l) { return (l & 15) == 15 ? l - 15 : -1; }, 15, 15, true));
  add("v_add_u32_dpp v6, v0, v2 row_ror:4 row_mask:0xf bank_mask:0xf", dpp([](int l) { return (l & ~15) | ((l - 4) & 15); }));
  add("v_add_u32_dpp v6, v0, v2 wave_shl:1 row_mask:0xf bank_mask:0xf", dpp([](int l) { return l < 63 ? l + 1 : -1; }));
  add("v_add_u32_dpp v6, v0, v2 wave_rol:1 row_mask:0xf bank_mask:0xf", dpp([](int l) { return (l + 1) & 63; }));
  add("v_add_u32_dpp v6, v0, v2 wave_shr:1 row_mask:0xf bank_mask:0xf", dpp([](int l) { return l - 1; }));
  add("v_add_u32_dpp v6, v0, v2 wave_ror:1 row_mask:0xf bank_mask:0xf", dpp([](int l) { return (l + 63) & 63; }));
  add("v_add_u32_dpp v6, v0, v2 row_mirror row_mask:0x5 bank_mask:0xf", dpp([](int l) { return l ^ 15; }, 5));
  add("v_add_u32_dpp v6, v0, v2 row_half_mirror row_mask:0xf bank_mask:0xf", dpp([](int l) { return l ^ 7; }));
  for (uint32_t rows : {15u, 10u, 12u, 3u}) {
    add(fmt::format("v_add_u32_dpp v6, v0, v2 row_bcast:15 row_mask:{:#x} bank_mask:0xf", rows).c_str(), dpp([](int l) { return l < 16 ? l : (l & ~15) - 1; }, rows));
    add(fmt::format("v_add_u32_dpp v6, v0, v2 row_bcast:31 row_mask:{:#x} bank_mask:0xf", rows).c_str(), dpp([](int l) { return l < 32 ? l : 31; }, rows));
  }
  add("v_add_u32_dpp v6, v0, v2 row_newbcast:5 row_mask:0xf bank_mask:0xf", dpp([](int l) { return (l & ~15) | 5; }));
  // --- lanes
  add("v_readlane_b32 s10, v0, 37", [](const State& b, State& a) { a.s[10] = b.v[0][37]; });
  add("v_readlane_b32 s10, v0, s8", [](const State& b, State& a) { a.s[10] = b.v[0][b.s[8] & 63]; });
  add("v_writelane_b32 v6, s8, 41", [](const State& b, State& a) { a.v[6][41] = b.s[8]; });
  add("v_writelane_b32 v6, 7, s8", [](const State& b, State& a) { a.v[6][b.s[8] & 63] = 7; });
  add("v_readfirstlane_b32 s10, v0", [](const State& b, State& a) { a.s[10] = b.v[0][b.exec ? std::countr_zero(b.exec) : 0]; });
  add("v_mbcnt_lo_u32_b32 v6, s8, 5", each([](auto& s, u32 l) { return 5 + u32(std::popcount(s.s[8] & (l >= 32 ? ~0u : (1u << l) - 1))); }));
  add("v_mbcnt_hi_u32_b32 v6, -1, v2", each([](auto& s, u32 l) { return s.v[2][l] + (l > 32 ? l - 32 : 0); }));
  add("v_swap_b32 v6, v0", [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1) a.v[6][l] = b.v[0][l], a.v[0][l] = b.v[6][l];
  });
  add("s_and_saveexec_b64 s[10:11], s[12:13]", [](const State& b, State& a) {
    a.s[10] = u32(b.exec), a.s[11] = u32(b.exec >> 32);
    a.exec = b.exec & (b.s[12] | u64(b.s[13]) << 32);
    a.scc = a.exec != 0;
  });
  // SCC of equal numbers: the maximum is the first one, the minimum the second.
  add("s_max_i32 s10, s8, s8", [](const State& b, State& a) { a.s[10] = b.s[8], a.scc = 1; });
  add("s_max_u32 s10, s8, s8", [](const State& b, State& a) { a.s[10] = b.s[8], a.scc = 1; });
  add("s_min_i32 s10, s8, s8", [](const State& b, State& a) { a.s[10] = b.s[8], a.scc = 0; });
  add("s_min_u32 s10, s8, s8", [](const State& b, State& a) { a.s[10] = b.s[8], a.scc = 0; });
  // --- VGPR indexing and the float mode
  add("s_set_gpr_idx_on 2, gpr_idx(SRC0)\nv_mov_b32 v6, v2\ns_set_gpr_idx_off", each([](auto& s, u32 l) { return s.v[4][l]; }));
  add("s_set_gpr_idx_on 3, gpr_idx(DST)\nv_mov_b32 v3, v2\ns_set_gpr_idx_off", each([](auto& s, u32 l) { return s.v[2][l]; }));
  // Beyond the wave's registers (it has 16): v0 is read, and nothing is written.
  add("s_set_gpr_idx_on 20, gpr_idx(SRC0)\nv_mov_b32 v6, v2\ns_set_gpr_idx_off", each([](auto& s, u32 l) { return s.v[0][l]; }));
  add("s_set_gpr_idx_on 20, gpr_idx(DST)\nv_mov_b32 v6, v2\ns_set_gpr_idx_off", each([](auto& s, u32 l) { return s.v[6][l]; }));
  // --- special scalars
  add("v_mov_b32 v6, src_scc", each([](auto& s, u32) { return s.scc; }));
  add("s_mov_b64 s[10:11], src_shared_base",
      [](const State&, State& a) { a.s[10] = u32(kSharedAperture), a.s[11] = u32(kSharedAperture >> 32); });
  add("v_mov_b32 v6, src_shared_base", each([](auto&, u32) { return u32(kSharedAperture); }));
  // --- LDS and what lies behind it
  add("ds_read_b32 v6, v0 offset:188", each([](auto& s, u32 l) { return lds_dword(s.v[0][l] + 188, 4, 0); }));
  add("ds_read_b64 v[6:7], v0 offset:188", [](const State& b, State& a) { // of address 64 the last four bytes are missing
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1)
        for (u32 k = 0; k < 2; ++k) a.v[6 + k][l] = lds_dword(b.v[0][l] + 188, 8, k);
  });
  add("v_mov_b32 v6, 0x7ffffff0\nds_write_b32 v6, v0\nds_add_rtn_u32 v6, v6, v0", each([](auto&, u32) { return 0; }));
  add("ds_bpermute_b32 v6, v0, v2", each([](auto& s, u32 l) {
        const u32 from = s.v[0][l] / 4 % 64;
        return s.exec >> from & 1 ? s.v[2][from] : 0;
      }));
  add("s_getpc_b64 s[10:11]\ns_getpc_b64 s[12:13]\ns_sub_u32 s10, s12, s10\ns_mov_b32 s11, 0\ns_mov_b64 s[12:13], 0",
      [](const State&, State& a) { a.s[10] = 4, a.s[11] = a.s[12] = a.s[13] = 0, a.scc = 0; });
  add("s_trap 3\nv_mov_b32 v6, v0", each([](auto& s, u32 l) { return s.v[0][l]; })); // a breakpoint
  add("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\nv_add_f32 v6, v0, v2", each([](auto& s, u32 l) {
        std::fesetround(FE_TOWARDZERO);
        const volatile float x = s.f(0, l), y = s.f(2, l);
        const volatile float sum = x + y;
        std::fesetround(FE_TONEAREST);
        return raw(sum);
      }));
  return c;
}

} // namespace

TEST_CASE("Operand forms, modifiers and lane crossings do what the ISA says") { check_cases(cases(), "gfx942"); }

TEST_CASE("What gfx90a has and gfx942 has not") {
  auto product_and_sum = [](float a, float b, float c) { // two roundings, denormals kept
    const volatile float product = a * b;
    return raw(product + c);
  };
  const std::vector<Case> all = {
      {"v_mad_f32 v6, v0, v2, v4", each([=](auto& s, u32 l) { return product_and_sum(s.f(0, l), s.f(2, l), s.f(4, l)); })},
      {"v_mac_f32 v6, v0, v2", each([=](auto& s, u32 l) { return product_and_sum(s.f(0, l), s.f(2, l), s.f(6, l)); })},
      {"v_mad_f32 v6, v0, 1.0, 0", each([=](auto& s, u32 l) { return product_and_sum(s.f(0, l), 1, 0); })},
  };
  check_cases(all, "gfx90a");
}

namespace {

// What lane l gets of v0 by v_permlane16 and its like: lane select(l) of its row of 16, or of the row beside it.
Whole permuted(bool other_row, bool fetches_inactive, bool bound, std::function<u32(const State&, u32)> select) {
  return [=](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l) {
      if (!(b.exec >> l & 1)) continue;
      const u32 row = l / 16 ^ (other_row ? 1u : 0u), from = row * 16 + select(b, l) % 16;
      if (b.exec >> from & 1 || fetches_inactive)
        a.v[6][l] = b.v[0][from];
      else if (bound)
        a.v[6][l] = 0;
    }
  };
}
u32 by_scalars(const State& s, u32 l) { return (l % 16 < 8 ? s.s[8] : s.s[10]) >> (l % 8 * 4); }
u32 by_lanes(const State& s, u32 l) { return s.v[2][l]; }
u32 f16_sum(u32 a, u32 b, u32 c) {
  const auto number = [](u32 v) { return std::bit_cast<_Float16>(static_cast<uint16_t>(v)); };
  return std::bit_cast<uint16_t>(fma_f16(number(a), number(b), number(c)));
}

} // namespace

TEST_CASE("gfx10 and later permute the lanes of rows") {
  std::vector<Case> all;
  for (const bool other : {false, true})
    for (const bool inactive : {false, true})
      for (const bool bound : {false, true}) {
        const std::string name = other ? "v_permlanex16" : "v_permlane16",
                          flags = fmt::format(" op_sel:[{},{}]", int(inactive), int(bound));
        all.push_back({name + "_b32 v6, v0, s8, s10" + flags, permuted(other, inactive, bound, by_scalars)});
        all.push_back({name + "_b32 v6, v0, 3, -2" + flags, permuted(other, inactive, bound, [](const State&, u32 l) {
                         return l % 16 < 8 ? 3u >> (l % 8 * 4) : 0xfffffffeu >> (l % 8 * 4);
                       })});
      }
  check_cases(all, "gfx1030", 64);
  for (const bool other : {false, true})
    for (const bool inactive : {false, true})
      all.push_back(
          {fmt::format("{}_var_b32 v6, v0, v2 op_sel:[{},1]", other ? "v_permlanex16" : "v_permlane16", int(inactive)),
           permuted(other, inactive, true, by_lanes)});
  check_cases(all, "gfx1201", 64);
  check_cases({{"v_permlane64_b32 v6, v0", each([](auto& s, u32 l) { return s.v[0][l ^ 32]; })}}, "gfx1100", 64);
}

TEST_CASE("Registers are exchanged, whole and in halves, and chosen by two indices in M0") {
  const auto halves = [](bool high_a, bool high_b) -> Whole {
    return [=](const State& b, State& a) {
      const u32 shift_a = high_a ? 16 : 0, shift_b = high_b ? 16 : 0;
      for (u32 l = 0; l < 64; ++l) {
        if (!(b.exec >> l & 1)) continue;
        const u32 half_a = b.v[6][l] >> shift_a & 0xffff, half_b = b.v[0][l] >> shift_b & 0xffff;
        a.v[6][l] = (b.v[6][l] & ~(0xffffu << shift_a)) | half_b << shift_a;
        a.v[0][l] = (b.v[0][l] & ~(0xffffu << shift_b)) | half_a << shift_b;
      }
    };
  };
  check_cases({{"v_swap_b16 v6.l, v0.l", halves(false, false)},
               {"v_swap_b16 v6.h, v0.l", halves(true, false)},
               {"v_swap_b16 v6.l, v0.h", halves(false, true)},
               {"v_swap_b16 v6.h, v0.h", halves(true, true)}},
              "gfx1100", 64);
  const auto in_m0 = [](const std::string& text) {
    return "s_mov_b32 m0, 0x30002\n" + text;
  }; // the destination's is 3, the source's 2
  const Whole moved = [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1) a.v[6][l] = b.v[2][l];
  };
  const Whole exchanged = [](const State& b, State& a) {
    for (u32 l = 0; l < 64; ++l)
      if (b.exec >> l & 1) a.v[6][l] = b.v[2][l], a.v[2][l] = b.v[6][l];
  };
  const Whole scalar = [](const State& b, State& a) { a.s[13] = b.s[10]; };
  const std::vector<Case> indexed = {{in_m0("v_movrelsd_2_b32 v3, v0"), moved},
                                     {in_m0("v_swaprel_b32 v3, v0"), exchanged},
                                     {in_m0("s_movrelsd_2_b32 s10, s8"), scalar}};
  for (const char* target : {"gfx1030", "gfx1100", "gfx1201"}) check_cases(indexed, target, 64);
}

TEST_CASE("gfx12 reads lanes that are not active by ds_bpermute_fi") {
  check_cases({{"ds_bpermute_fi_b32 v6, v0, v2 offset:8\ns_wait_dscnt 0",
                each([](auto& s, u32 l) { return s.v[2][(s.v[0][l] + 8) / 4 % 64]; })}},
              "gfx1201", 64);
}

TEST_CASE("gfx11's halves and dot products in their longer forms") {
  const auto dot = [](const State& s, u32 from, u32 l) {
    float sum = s.f(4, l);
    for (u32 shift = 0; shift < 32; shift += 16)
      sum = std::fma(half(s.v[0][from] >> shift), half(s.v[2][l] >> shift), sum);
    return raw(sum);
  };
  const std::string lanes = " quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf fi:1";
  const std::vector<Case> all = {
      // The accumulator is the half that is written.
      {"v_fmac_f16 v6.h, v0.l, v2.h",
       each([](auto& s, u32 l) { return pair(s.lo(6, l), f16_sum(s.lo(0, l), s.hi(2, l), s.hi(6, l))); })},
      {"v_fmac_f16 v6.l, v0.h, v2.l",
       each([](auto& s, u32 l) { return pair(f16_sum(s.hi(0, l), s.lo(2, l), s.lo(6, l)), s.hi(6, l)); })},
      {"v_fmac_f16_e64 v6.h, -v0.l, |v2.l|", each([](auto& s, u32 l) {
         return pair(s.lo(6, l), f16_sum(s.lo(0, l) ^ 0x8000, s.lo(2, l) & 0x7fff, s.hi(6, l)));
       })},
      {"v_fmac_f16_dpp v6.h, v0.l, v2.l" + lanes,
       each([](auto& s, u32 l) { return pair(s.lo(6, l), f16_sum(s.lo(0, l ^ 1), s.lo(2, l), s.hi(6, l))); })},
      {"v_fmaak_f16 v6.l, v0.l, v2.h, 0x4200",
       each([](auto& s, u32 l) { return pair(f16_sum(s.lo(0, l), s.hi(2, l), 0x4200), s.hi(6, l)); })},
      {"v_fmamk_f16 v6.h, v0.l, 0x4200, v2.l",
       each([](auto& s, u32 l) { return pair(s.lo(6, l), f16_sum(s.lo(0, l), 0x4200, s.lo(2, l))); })},
      {"v_add_f16_e64_dpp v6.l, -v0.l, v2.l" + lanes,
       each([](auto& s, u32 l) { return pair(half_bits(half(s.lo(2, l)) - half(s.lo(0, l ^ 1))), s.hi(6, l)); })},
      {"v_fma_f16_e64_dpp v6.h, v0.l, v2.h, v4.l" + lanes,
       each([](auto& s, u32 l) { return pair(s.lo(6, l), f16_sum(s.lo(0, l ^ 1), s.hi(2, l), s.lo(4, l))); })},
      {"v_dot2_f32_f16 v6, v0, v2, v4", each([=](auto& s, u32 l) { return dot(s, l, l); })},
      {"v_dot2_f32_f16_e64_dpp v6, v0, v2, v4" + lanes, each([=](auto& s, u32 l) { return dot(s, l ^ 1, l); })},
      {"v_fma_mix_f32_e64_dpp v6, v0, v2, v4 op_sel_hi:[1,0,0]" + lanes,
       each([](auto& s, u32 l) { return raw(std::fma(half(s.lo(0, l ^ 1)), s.f(2, l), s.f(4, l))); })},
      {"v_dot2_f16_f16 v6.l, v0, v2, v4.h", each([](auto& s, u32 l) {
         return pair(f16_sum(s.hi(0, l), s.hi(2, l), f16_sum(s.lo(0, l), s.lo(2, l), s.hi(4, l))), s.hi(6, l));
       })},
  };
  check_cases(all, "gfx1100", 64);
}

TEST_CASE("What gfx11 has and gfx9 has not") {
  // A dot product of four bytes; which sources are signed is said by neg_lo.
  auto dot = [](u32 a, u32 b, u32 c, bool a_signed, bool b_signed) {
    for (int n = 0; n < 4; ++n) {
      const u32 x = a >> 8 * n & 0xff, y = b >> 8 * n & 0xff;
      c += u32((a_signed && x > 127 ? int(x) - 256 : int(x)) * (b_signed && y > 127 ? int(y) - 256 : int(y)));
    }
    return c;
  };
  const std::vector<Case> all = {
      {"v_dot4_i32_iu8 v6, v0, v2, v4", each([=](auto& s, u32 l) { return dot(s.v[0][l], s.v[2][l], s.v[4][l], false, false); })},
      {"v_dot4_i32_iu8 v6, v0, v2, v4 neg_lo:[1,0,0]", each([=](auto& s, u32 l) { return dot(s.v[0][l], s.v[2][l], s.v[4][l], true, false); })},
      {"v_dot4_i32_iu8 v6, v0, v2, v4 neg_lo:[0,1,0]", each([=](auto& s, u32 l) { return dot(s.v[0][l], s.v[2][l], s.v[4][l], false, true); })},
      {"v_dot4_i32_iu8 v6, v0, v2, v4 neg_lo:[1,1,0]", each([=](auto& s, u32 l) { return dot(s.v[0][l], s.v[2][l], s.v[4][l], true, true); })},
      // Halves of registers: the destination's other half stays.
      {"v_mov_b16 v6.h, v0.l", each([](auto& s, u32 l) { return s.v[0][l] << 16 | (s.v[6][l] & 0xffff); })},
      {"v_add_nc_u16 v6.l, v0.h, v2.l", each([](auto& s, u32 l) { return ((s.v[0][l] >> 16) + s.v[2][l] & 0xffff) | (s.v[6][l] & 0xffff0000); })},
      // And with DPP, which reads lanes whatever EXEC says.
      {"v_cvt_u32_u16_dpp v6, v0.h quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf fi:1", each([](auto& s, u32 l) { return s.v[0][l ^ 1] >> 16; })},
      {"v_add_nc_u16_e64_dpp v6.h, v0.h, v2.l dpp8:[7,6,5,4,3,2,1,0] fi:1",
       each([](auto& s, u32 l) { return ((s.v[0][l ^ 7] >> 16) + s.v[2][l]) << 16 | (s.v[6][l] & 0xffff); })},
      {"v_xor_b32_e64_dpp v6, v0, v2 row_share:5 row_mask:0xf bank_mask:0xf fi:1", each([](auto& s, u32 l) { return s.v[0][(l & ~15u) + 5] ^ s.v[2][l]; })},
  };
  check_cases(all, "gfx1100", 64);
}
