// Integer, bit and 64-bit vector instructions.
#include "reference.h"

#include <algorithm>

namespace isa_test {
namespace {

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using u128 = unsigned __int128;

i32 sext24(u32 v) { return i32(v << 8) >> 8; }
u32 zext24(u32 v) { return v & 0xffffff; }
u32 find_first_high(u32 v) {
  for (int i = 0; i < 32; ++i)
    if (v >> (31 - i) & 1) return u32(i);
  return ~0u;
}
u32 find_first_low(u32 v) {
  for (int i = 0; i < 32; ++i)
    if (v >> i & 1) return u32(i);
  return ~0u;
}
u32 find_sign_change(u32 v) {
  for (int i = 1; i < 32; ++i)
    if ((v >> (31 - i) & 1) != v >> 31) return u32(i);
  return ~0u;
}
u32 reverse(u32 v) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (v >> i & 1) << (31 - i);
  return r;
}
u32 count(u32 v) {
  u32 n = 0;
  for (int i = 0; i < 32; ++i) n += v >> i & 1;
  return n;
}
u32 extract_u(u32 v, u32 offset, u32 width) {
  return (v >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
u32 extract_i(u32 v, u32 offset, u32 width) {
  width &= 31;
  if (width == 0) return 0;
  u32 field = u32(i32(v) >> (offset & 31)) & ((1u << width) - 1);
  return field >> (width - 1) & 1 ? field | ~((1u << width) - 1) : field;
}
u32 median_u(u32 a, u32 b, u32 c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }
i32 median_i(i32 a, i32 b, i32 c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }
u32 byte(u32 v, int n) { return v >> (8 * n) & 0xff; }
u32 abs_diff(u32 a, u32 b) { return a > b ? a - b : b - a; }
u32 permute(u32 high, u32 low, u32 select) {
  u64 data = u64(high) << 32 | low;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    u32 s = byte(select, i), v;
    if (s >= 13) v = 0xff;
    else if (s == 12) v = 0;
    else if (s >= 8) v = (data >> (16 * (s - 8) + 15) & 1) ? 0xff : 0;
    else v = u32(data >> (8 * s)) & 0xff;
    r |= v << (8 * i);
  }
  return r;
}
u32 sad_u8(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) c += abs_diff(byte(a, i), byte(b, i));
  return c;
}
i32 dot4_i8(u32 a, u32 b, i32 c) {
  u32 r = u32(c);
  for (int i = 0; i < 4; ++i) r += u32(i32(int8_t(byte(a, i))) * int8_t(byte(b, i)));
  return i32(r);
}
u32 dot4_u8(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) c += byte(a, i) * byte(b, i);
  return c;
}
template <class F> u32 halves(u32 a, u32 b, F f) {
  return (u32(f(u16(a), u16(b))) & 0xffff) | u32(f(u16(a >> 16), u16(b >> 16))) << 16;
}

const Op kOps[] = {
    OP1("v_mov_b32", u32, u32, 0, 0, a),
    OP1("v_mov_b64", u64, u64, 0, 0, a),
    OP1("v_not_b32", u32, u32, 0, 0, ~a),
    OP1("v_bfrev_b32", u32, u32, 0, 0, reverse(a)),
    OP1("v_ffbh_u32", u32, u32, 0, 0, find_first_high(a)),
    OP1("v_ffbl_b32", u32, u32, 0, 0, find_first_low(a)),
    OP1("v_ffbh_i32", u32, u32, 0, 0, find_sign_change(a)),
    OP2("v_add_u32", u32, u32, u32, 0, 0, a + b),
    OP2("v_sub_u32", u32, u32, u32, 0, 0, a - b),
    OP2("v_subrev_u32", u32, u32, u32, 0, 0, b - a),
    OP2("v_add_i32", u32, u32, u32, 0, 0, a + b),
    OP2("v_sub_i32", u32, u32, u32, 0, 0, a - b),
    OP2("v_mul_i32_i24", u32, u32, u32, 0, 0, u32(i64(sext24(a)) * sext24(b))),
    OP2("v_mul_hi_i32_i24", u32, u32, u32, 0, 0, u32(i64(sext24(a)) * sext24(b) >> 32)),
    OP2("v_mul_u32_u24", u32, u32, u32, 0, 0, u32(u64(zext24(a)) * zext24(b))),
    OP2("v_mul_hi_u32_u24", u32, u32, u32, 0, 0, u32(u64(zext24(a)) * zext24(b) >> 32)),
    OP2("v_min_i32", i32, i32, i32, 0, 0, std::min(a, b)),
    OP2("v_max_i32", i32, i32, i32, 0, 0, std::max(a, b)),
    OP2("v_min_u32", u32, u32, u32, 0, 0, std::min(a, b)),
    OP2("v_max_u32", u32, u32, u32, 0, 0, std::max(a, b)),
    OP2("v_lshrrev_b32", u32, u32, u32, 0, 0, b >> (a & 31)),
    OP2("v_ashrrev_i32", u32, u32, u32, 0, 0, u32(i32(b) >> (a & 31))),
    OP2("v_lshlrev_b32", u32, u32, u32, 0, 0, b << (a & 31)),
    OP2("v_and_b32", u32, u32, u32, 0, 0, a& b),
    OP2("v_or_b32", u32, u32, u32, 0, 0, a | b),
    OP2("v_xor_b32", u32, u32, u32, 0, 0, a ^ b),
    OP2("v_xnor_b32", u32, u32, u32, 0, 0, ~(a ^ b)),
    OP2("v_cndmask_b32", u32, u32, u32, kReadsVcc, 0, vcc ? b : a),
    OP2("v_add_co_u32", u32, u32, u32, kWritesVcc, 0, (out.vcc = (u64(a) + b) >> 32, a + b)),
    OP2("v_sub_co_u32", u32, u32, u32, kWritesVcc, 0, (out.vcc = b > a, a - b)),
    OP2("v_subrev_co_u32", u32, u32, u32, kWritesVcc, 0, (out.vcc = a > b, b - a)),
    OP2("v_addc_co_u32", u32, u32, u32, kWritesVcc | kReadsVcc, 0, (out.vcc = (u64(a) + b + vcc) >> 32, a + b + vcc)),
    OP2("v_subb_co_u32", u32, u32, u32, kWritesVcc | kReadsVcc, 0, (out.vcc = u64(b) + vcc > a, a - b - vcc)),
    OP2("v_subbrev_co_u32", u32, u32, u32, kWritesVcc | kReadsVcc, 0, (out.vcc = u64(a) + vcc > b, b - a - vcc)),
    OP2("v_mul_lo_u32", u32, u32, u32, 0, 0, a* b),
    OP2("v_mul_hi_u32", u32, u32, u32, 0, 0, u64(a) * b >> 32),
    OP2("v_mul_hi_i32", u32, i32, i32, 0, 0, u32(i64(a) * b >> 32)),
    OP2("v_bcnt_u32_b32", u32, u32, u32, 0, 0, count(a) + b),
    OP2("v_mbcnt_lo_u32_b32", u32, u32, u32, 0, 0, count(a & u32((u64(1) << lane) - 1)) + b),
    OP2("v_mbcnt_hi_u32_b32", u32, u32, u32, 0, 0, count(a & u32(((u64(1) << lane) - 1) >> 32)) + b),
    OP2("v_bfm_b32", u32, u32, u32, 0, 0, ((1u << (a & 31)) - 1) << (b & 31)),
    OP2("v_lshlrev_b64", u64, u32, u64, 0, 0, b << (a & 63)),
    OP2("v_lshrrev_b64", u64, u32, u64, 0, 0, b >> (a & 63)),
    OP2("v_ashrrev_i64", u64, u32, u64, 0, 0, u64(i64(b) >> (a & 63))),
    OP3("v_mad_i32_i24", u32, u32, u32, u32, 0, 0, u32(i64(sext24(a)) * sext24(b)) + c),
    OP3("v_mad_u32_u24", u32, u32, u32, u32, 0, 0, u32(u64(zext24(a)) * zext24(b)) + c),
    OP3("v_bfe_u32", u32, u32, u32, u32, 0, 0, extract_u(a, b, c)),
    OP3("v_bfe_i32", u32, u32, u32, u32, 0, 0, extract_i(a, b, c)),
    OP3("v_bfi_b32", u32, u32, u32, u32, 0, 0, (a & b) | (~a & c)),
    OP3("v_alignbit_b32", u32, u32, u32, u32, 0, 0, u32((u64(a) << 32 | b) >> (c & 31))),
    OP3("v_alignbyte_b32", u32, u32, u32, u32, 0, 0, u32((u64(a) << 32 | b) >> (8 * (c & 3)))),
    OP3("v_min3_i32", i32, i32, i32, i32, 0, 0, std::min({a, b, c})),
    OP3("v_min3_u32", u32, u32, u32, u32, 0, 0, std::min({a, b, c})),
    OP3("v_max3_i32", i32, i32, i32, i32, 0, 0, std::max({a, b, c})),
    OP3("v_max3_u32", u32, u32, u32, u32, 0, 0, std::max({a, b, c})),
    OP3("v_med3_i32", i32, i32, i32, i32, 0, 0, median_i(a, b, c)),
    OP3("v_med3_u32", u32, u32, u32, u32, 0, 0, median_u(a, b, c)),
    OP3("v_sad_u8", u32, u32, u32, u32, 0, 0, sad_u8(a, b, c)),
    OP3("v_sad_hi_u8", u32, u32, u32, u32, 0, 0, (sad_u8(a, b, 0) << 16) + c),
    OP3("v_sad_u16", u32, u32, u32, u32, 0, 0, abs_diff(a & 0xffff, b & 0xffff) + abs_diff(a >> 16, b >> 16) + c),
    OP3("v_sad_u32", u32, u32, u32, u32, 0, 0, abs_diff(a, b) + c),
    OP3("v_lerp_u8", u32, u32, u32, u32, 0, 0,
        ((byte(a, 0) + byte(b, 0) + (c & 1)) >> 1) | ((byte(a, 1) + byte(b, 1) + (c >> 8 & 1)) >> 1) << 8 |
            ((byte(a, 2) + byte(b, 2) + (c >> 16 & 1)) >> 1) << 16 | ((byte(a, 3) + byte(b, 3) + (c >> 24 & 1)) >> 1) << 24),
    OP3("v_perm_b32", u32, u32, u32, u32, 0, 0, permute(a, b, c)),
    OP3("v_lshl_add_u32", u32, u32, u32, u32, 0, 0, (a << (b & 31)) + c),
    OP3("v_add_lshl_u32", u32, u32, u32, u32, 0, 0, (a + b) << (c & 31)),
    OP3("v_add3_u32", u32, u32, u32, u32, 0, 0, a + b + c),
    OP3("v_lshl_or_b32", u32, u32, u32, u32, 0, 0, (a << (b & 31)) | c),
    OP3("v_and_or_b32", u32, u32, u32, u32, 0, 0, (a & b) | c),
    OP3("v_or3_b32", u32, u32, u32, u32, 0, 0, a | b | c),
    OP3("v_xad_u32", u32, u32, u32, u32, 0, 0, (a ^ b) + c),
    OP3("v_lshl_add_u64", u64, u64, u32, u64, 0, 0, (a << (b & 7)) + c),
    OP3("v_mad_u64_u32", u64, u32, u32, u64, kWritesVcc, 0,
        (out.vcc = (u128(u64(a) * b) + c) >> 64 != 0, u64(a) * b + c)),
    OP3("v_mad_i64_i32", i64, i32, i32, i64, kWritesVcc, 0,
        (out.vcc = u32(u128(__int128(i64(a) * b) + c) >> 64) & 1, i64(u64(i64(a) * b) + u64(c)))),
    OP2("v_add_u16", u16, u16, u16, kFullDst, 0, a + b),
    OP2("v_sub_u16", u16, u16, u16, kFullDst, 0, a - b),
    OP2("v_subrev_u16", u16, u16, u16, kFullDst, 0, b - a),
    OP2("v_mul_lo_u16", u16, u16, u16, kFullDst, 0, u32(a) * b),
    OP2("v_lshlrev_b16", u16, u16, u16, kFullDst, 0, u32(b) << (a & 15)),
    OP2("v_lshrrev_b16", u16, u16, u16, kFullDst, 0, b >> (a & 15)),
    OP2("v_ashrrev_i16", u16, u16, u16, kFullDst, 0, i16(b) >> (a & 15)),
    OP2("v_max_u16", u16, u16, u16, kFullDst, 0, std::max(a, b)),
    OP2("v_max_i16", i16, i16, i16, kFullDst, 0, std::max(a, b)),
    OP2("v_min_u16", u16, u16, u16, kFullDst, 0, std::min(a, b)),
    OP2("v_min_i16", i16, i16, i16, kFullDst, 0, std::min(a, b)),
    OP3("v_mad_u16", u16, u16, u16, u16, 0, 0, u32(a) * b + c),
    OP3("v_mad_i16", u16, u16, u16, u16, 0, 0, u32(a) * b + c),
    OP3("v_mad_u32_u16", u32, u16, u16, u32, 0, 0, u32(a) * b + c),
    OP3("v_mad_i32_i16", i32, i16, i16, i32, 0, 0, i32(u32(i32(a) * b) + u32(c))),
    OP2("v_cvt_pk_u16_u32", u32, u32, u32, 0, 0, std::min(a, 0xffffu) | std::min(b, 0xffffu) << 16),
    OP2("v_cvt_pk_i16_i32", u32, i32, i32, 0, 0,
        u32(u16(std::clamp(a, -32768, 32767))) | u32(u16(std::clamp(b, -32768, 32767))) << 16),
    OP2("v_pk_add_u16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return x + y; })),
    OP2("v_pk_sub_i16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return x - y; })),
    OP2("v_pk_sub_u16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return x - y; })),
    OP2("v_pk_mul_lo_u16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return u32(x) * y; })),
    OP2("v_pk_max_u16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return std::max(x, y); })),
    OP2("v_pk_min_u16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return std::min(x, y); })),
    OP2("v_pk_max_i16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return std::max(i16(x), i16(y)); })),
    OP2("v_pk_min_i16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return std::min(i16(x), i16(y)); })),
    OP2("v_pk_lshlrev_b16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return u32(y) << (x & 15); })),
    OP2("v_pk_lshrrev_b16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return y >> (x & 15); })),
    OP2("v_pk_ashrrev_i16", u32, u32, u32, 0, 0, halves(a, b, [](u16 x, u16 y) { return i16(y) >> (x & 15); })),
    OP3("v_dot4_i32_i8", i32, u32, u32, i32, 0, 0, dot4_i8(a, b, c)),
    OP3("v_dot4_u32_u8", u32, u32, u32, u32, 0, 0, dot4_u8(a, b, c)),
    OP3("v_dot2_i32_i16", i32, u32, u32, i32, 0, 0,
        i32(u32(c) + u32(i32(i16(a)) * i16(b)) + u32(i32(i16(a >> 16)) * i16(b >> 16)))),
    OP3("v_dot2_u32_u16", u32, u32, u32, u32, 0, 0, c + (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16)),
};

} // namespace

std::span<const Op> integer_ops() { return kOps; }

} // namespace isa_test
