// Instructions that gfx9 has not, after AMD's documents of RDNA 2, 3 and 4.
#include "reference.h"

#include <algorithm>
#include <cmath>

namespace isa_test {
namespace {

using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;

// Bits of an f32 that say what kind of number it is.
u32 magnitude(float v) { return to_bits(v) & 0x7fffffff; }
bool is_nan(float v) { return magnitude(v) > 0x7f800000; }
bool is_signalling(float v) { return is_nan(v) && !(to_bits(v) & 0x00400000); }
u32 magnitude(f16 v) { return to_bits(v) & 0x7fff; }
bool is_nan(f16 v) { return magnitude(v) > 0x7c00; }
bool is_signalling(f16 v) { return is_nan(v) && !(to_bits(v) & 0x200); }
u64 magnitude(double v) { return to_bits(v) & 0x7fffffffffffffff; }
bool is_nan(double v) { return magnitude(v) > 0x7ff0000000000000; }
template <class T> bool is_negative(T v) { return to_bits(v) >> (8 * sizeof(T) - 1) & 1; }
template <class T> bool is_less(T a, T b) { return a < b || (magnitude(a) == 0 && magnitude(b) == 0 && is_negative(a) && !is_negative(b)); }

// gfx11, with MODE.IEEE set: a signalling NaN gives a NaN, a quiet one the other operand; -0 is less than +0.
template <class T> T min_of(T a, T b) {
  if (is_signalling(a) || is_signalling(b) || (is_nan(a) && is_nan(b))) return T(NAN);
  return is_nan(a) ? b : is_nan(b) || is_less(a, b) ? a : b;
}
template <class T> T max_of(T a, T b) {
  if (is_signalling(a) || is_signalling(b) || (is_nan(a) && is_nan(b))) return T(NAN);
  return is_nan(a) ? b : is_nan(b) || is_less(b, a) ? a : b;
}
// gfx12: a number comes out where there is one, whatever the NaN.
template <class T> T min_num(T a, T b) { return is_nan(a) ? b : is_nan(b) || is_less(a, b) ? a : b; }
template <class T> T max_num(T a, T b) { return is_nan(a) ? b : is_nan(b) || is_less(b, a) ? a : b; }
template <class T> T med3_num(T a, T b, T c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return min_num(min_num(a, b), c);
  const T largest = max_num(max_num(a, b), c);
  return largest == a ? max_num(b, c) : largest == b ? max_num(a, c) : max_num(a, b);
}

// gfx12 and gfx950, IEEE 754-2019: a NaN comes out where there is one.
template <class T> T minimum_of(T a, T b) { return is_nan(a) || is_nan(b) ? T(NAN) : is_less(a, b) ? a : b; }
template <class T> T maximum_of(T a, T b) { return is_nan(a) || is_nan(b) ? T(NAN) : is_less(b, a) ? a : b; }

// Conversions that saturate; NaN is 0.
i32 to_signed(float v) { return is_nan(v) ? 0 : v >= 2147483648.0f ? 0x7fffffff : v <= -2147483648.0f ? i32(0x80000000) : i32(v); }
u32 to_unsigned(float v) { return is_nan(v) || v <= 0 ? 0 : v >= 4294967296.0f ? 0xffffffff : u32(v); }

const Op kOps[] = {
    OP3("v_xor3_b32", u32, u32, u32, u32, 0, 0, a ^ b ^ c),
    OP3("v_maxmin_i32", i32, i32, i32, i32, 0, 0, std::min(std::max(a, b), c)),
    OP3("v_minmax_i32", i32, i32, i32, i32, 0, 0, std::max(std::min(a, b), c)),
    OP3("v_maxmin_u32", u32, u32, u32, u32, 0, 0, std::min(std::max(a, b), c)),
    OP3("v_minmax_u32", u32, u32, u32, u32, 0, 0, std::max(std::min(a, b), c)),
    OP3("v_maxmin_f32", float, float, float, float, 0, 0, min_of(max_of(a, b), c)),
    OP3("v_minmax_f32", float, float, float, float, 0, 0, max_of(min_of(a, b), c)),
    OP3("v_maxmin_f16", f16, f16, f16, f16, 0, 0, min_of(max_of(a, b), c)),
    OP3("v_minmax_f16", f16, f16, f16, f16, 0, 0, max_of(min_of(a, b), c)),
    OP2("v_minimum_f32", float, float, float, 0, 0, minimum_of(a, b)),
    OP2("v_maximum_f32", float, float, float, 0, 0, maximum_of(a, b)),
    OP3("v_minimum3_f32", float, float, float, float, 0, 0, minimum_of(minimum_of(a, b), c)),
    OP3("v_maximum3_f32", float, float, float, float, 0, 0, maximum_of(maximum_of(a, b), c)),
    OP3("v_minimummaximum_f32", float, float, float, float, 0, 0, maximum_of(minimum_of(a, b), c)),
    OP3("v_maximumminimum_f32", float, float, float, float, 0, 0, minimum_of(maximum_of(a, b), c)),
    OP2("v_minimum_f16", f16, f16, f16, 0, 0, minimum_of(a, b)),
    OP2("v_maximum_f16", f16, f16, f16, 0, 0, maximum_of(a, b)),
    OP3("v_minimum3_f16", f16, f16, f16, f16, 0, 0, minimum_of(minimum_of(a, b), c)),
    OP3("v_maximum3_f16", f16, f16, f16, f16, 0, 0, maximum_of(maximum_of(a, b), c)),
    OP3("v_minimummaximum_f16", f16, f16, f16, f16, 0, 0, maximum_of(minimum_of(a, b), c)),
    OP3("v_maximumminimum_f16", f16, f16, f16, f16, 0, 0, minimum_of(maximum_of(a, b), c)),
    OP2("v_pk_minimum_f16", u32, u32, u32, kHalves, 0, halves2(a, b, minimum_of<f16>)),
    OP2("v_pk_maximum_f16", u32, u32, u32, kHalves, 0, halves2(a, b, maximum_of<f16>)),
    OP2("v_minimum_f64", double, double, double, 0, 0, minimum_of(a, b)),
    OP2("v_maximum_f64", double, double, double, 0, 0, maximum_of(a, b)),
    OP1("v_prng_b32", u32, u32, 0, 0, a << 1 ^ (a >> 31 ? 197u : 0u)),
    OP2("v_min_num_f32", float, float, float, 0, 0, min_num(a, b)),
    OP2("v_max_num_f32", float, float, float, 0, 0, max_num(a, b)),
    OP3("v_min3_num_f32", float, float, float, float, 0, 0, min_num(min_num(a, b), c)),
    OP3("v_max3_num_f32", float, float, float, float, 0, 0, max_num(max_num(a, b), c)),
    OP3("v_med3_num_f32", float, float, float, float, 0, 0, med3_num(a, b, c)),
    OP3("v_maxmin_num_f32", float, float, float, float, 0, 0, min_num(max_num(a, b), c)),
    OP3("v_minmax_num_f32", float, float, float, float, 0, 0, max_num(min_num(a, b), c)),
    OP2("v_min_num_f16", f16, f16, f16, 0, 0, min_num(a, b)),
    OP2("v_max_num_f16", f16, f16, f16, 0, 0, max_num(a, b)),
    OP3("v_min3_num_f16", f16, f16, f16, f16, 0, 0, min_num(min_num(a, b), c)),
    OP3("v_max3_num_f16", f16, f16, f16, f16, 0, 0, max_num(max_num(a, b), c)),
    OP3("v_med3_num_f16", f16, f16, f16, f16, 0, 0, med3_num(a, b, c)),
    OP3("v_maxmin_num_f16", f16, f16, f16, f16, 0, 0, min_num(max_num(a, b), c)),
    OP3("v_minmax_num_f16", f16, f16, f16, f16, 0, 0, max_num(min_num(a, b), c)),
    OP2("v_min_num_f64", double, double, double, 0, 0, min_num(a, b)),
    OP2("v_max_num_f64", double, double, double, 0, 0, max_num(a, b)),
    OP2("v_pk_min_num_f16", u32, u32, u32, kHalves, 0, halves2(a, b, min_num<f16>)),
    OP2("v_pk_max_num_f16", u32, u32, u32, kHalves, 0, halves2(a, b, max_num<f16>)),
    OP1("v_mov_b16", u16, u16, 0, 0, a),
    OP1("v_not_b16", u16, u16, 0, 0, u16(~a)),
    OP2("v_and_b16", u16, u16, u16, 0, 0, u16(a& b)),
    OP2("v_or_b16", u16, u16, u16, 0, 0, u16(a | b)),
    OP2("v_xor_b16", u16, u16, u16, 0, 0, u16(a ^ b)),
    OP2("v_cndmask_b16", u16, u16, u16, kReadsVcc, 0, vcc ? b : a),
    OP1("v_cvt_i32_i16", i32, i16, 0, 0, i32(a)),
    OP1("v_cvt_u32_u16", u32, u16, 0, 0, u32(a)),
    OP2("v_cvt_pk_i16_f32", u32, float, float, 0, 0,
        u32(u16(std::clamp(to_signed(a), -32768, 32767))) | u32(u16(std::clamp(to_signed(b), -32768, 32767))) << 16),
    OP2("v_cvt_pk_u16_f32", u32, float, float, 0, 0,
        std::min(to_unsigned(a), 65535u) | std::min(to_unsigned(b), 65535u) << 16),
    OP2("v_mul_lo_i32", u32, u32, u32, 0, 0, a* b),
    OP3("v_mullit_f32", float, float, float, float, 0, 0,
        !(b > -std::numeric_limits<float>::max()) || !(c > 0) ? -std::numeric_limits<float>::max() : a * b),
    OP3("v_fma_legacy_f32", float, float, float, float, 0, 0, a == 0 || b == 0 ? c + 0.0f : std::fma(a, b, c)),
};

#define CMP(name, A, expr)                                                                                             \
  Op{name, Type::None, {TypeOf<A>::value, TypeOf<A>::value, Type::None}, kCompare, 0, [](const Inputs& in, Outputs& out) { \
       A a = from_bits<A>(in.s[0]), b = from_bits<A>(in.s[1]);                                                         \
       out.vcc = (expr);                                                                                               \
     }}

const Op kScalarOps[] = {
    OP2("s_add_f32", float, float, float, 0, 0, a + b),
    OP2("s_sub_f32", float, float, float, 0, 0, a - b),
    OP2("s_mul_f32", float, float, float, 0, 0, a* b),
    OP2("s_min_num_f32", float, float, float, 0, 0, min_num(a, b)),
    OP2("s_max_num_f32", float, float, float, 0, 0, max_num(a, b)),
    OP2("s_fmac_f32", float, float, float, kReadsDst, 0, std::fma(a, b, d)),
    OP2("s_minimum_f32", float, float, float, 0, 0, minimum_of(a, b)),
    OP2("s_maximum_f32", float, float, float, 0, 0, maximum_of(a, b)),
    OP1("s_ceil_f32", float, float, 0, 0, std::ceil(a)),
    OP1("s_floor_f32", float, float, 0, 0, std::floor(a)),
    OP1("s_trunc_f32", float, float, 0, 0, std::trunc(a)),
    OP1("s_rndne_f32", float, float, 0, 0, std::nearbyint(a)),
    OP2("s_add_f16", f16, f16, f16, 0, 0, f16(a + b)),
    OP2("s_sub_f16", f16, f16, f16, 0, 0, f16(a - b)),
    OP2("s_mul_f16", f16, f16, f16, 0, 0, f16(a* b)),
    OP2("s_min_num_f16", f16, f16, f16, 0, 0, min_num(a, b)),
    OP2("s_max_num_f16", f16, f16, f16, 0, 0, max_num(a, b)),
    OP2("s_minimum_f16", f16, f16, f16, 0, 0, minimum_of(a, b)),
    OP2("s_maximum_f16", f16, f16, f16, 0, 0, maximum_of(a, b)),
    OP1("s_ceil_f16", f16, f16, 0, 0, f16(std::ceil(float(a)))),
    OP1("s_floor_f16", f16, f16, 0, 0, f16(std::floor(float(a)))),
    OP1("s_trunc_f16", f16, f16, 0, 0, f16(std::trunc(float(a)))),
    OP1("s_rndne_f16", f16, f16, 0, 0, f16(std::nearbyint(float(a)))),
    OP1("s_cvt_f16_f32", f16, float, 0, 0, f16(a)),
    OP1("s_cvt_f32_f16", float, f16, 0, 0, float(a)),
    OP1("s_cvt_hi_f32_f16", float, u32, 0, 0, float(from_bits<f16>(a >> 16))),
    CMP("s_cmp_lt_f16", f16, a < b),
    CMP("s_cmp_eq_f16", f16, a == b),
    CMP("s_cmp_le_f16", f16, a <= b),
    CMP("s_cmp_gt_f16", f16, a > b),
    CMP("s_cmp_lg_f16", f16, a<b || a> b),
    CMP("s_cmp_ge_f16", f16, a >= b),
    CMP("s_cmp_o_f16", f16, !is_nan(a) && !is_nan(b)),
    CMP("s_cmp_u_f16", f16, is_nan(a) || is_nan(b)),
    CMP("s_cmp_nge_f16", f16, !(a >= b)),
    CMP("s_cmp_nlg_f16", f16, !(a < b || a > b)),
    CMP("s_cmp_ngt_f16", f16, !(a > b)),
    CMP("s_cmp_nle_f16", f16, !(a <= b)),
    CMP("s_cmp_neq_f16", f16, !(a == b)),
    CMP("s_cmp_nlt_f16", f16, !(a < b)),
    OP1("s_cvt_f32_i32", float, i32, 0, 0, float(a)),
    OP1("s_cvt_f32_u32", float, u32, 0, 0, float(a)),
    OP1("s_cvt_i32_f32", i32, float, 0, 0, to_signed(a)),
    OP1("s_cvt_u32_f32", u32, float, 0, 0, to_unsigned(a)),
    OP2("s_pack_hl_b32_b16", u32, u32, u32, 0, 0, a >> 16 | b << 16),
    OP2("s_add_nc_u64", u64, u64, u64, 0, 0, a + b),
    OP2("s_sub_nc_u64", u64, u64, u64, 0, 0, a - b),
    OP2("s_mul_u64", u64, u64, u64, 0, 0, a* b),
    CMP("s_cmp_lt_f32", float, a < b),
    CMP("s_cmp_eq_f32", float, a == b),
    CMP("s_cmp_le_f32", float, a <= b),
    CMP("s_cmp_gt_f32", float, a > b),
    CMP("s_cmp_lg_f32", float, a<b || a> b),
    CMP("s_cmp_ge_f32", float, a >= b),
    CMP("s_cmp_o_f32", float, !is_nan(a) && !is_nan(b)),
    CMP("s_cmp_u_f32", float, is_nan(a) || is_nan(b)),
    CMP("s_cmp_nge_f32", float, !(a >= b)),
    CMP("s_cmp_nlg_f32", float, !(a < b || a > b)),
    CMP("s_cmp_ngt_f32", float, !(a > b)),
    CMP("s_cmp_nle_f32", float, !(a <= b)),
    CMP("s_cmp_neq_f32", float, !(a == b)),
    CMP("s_cmp_nlt_f32", float, !(a < b)),
};

} // namespace

std::span<const Op> later_ops() { return kOps; }
std::span<const Op> later_scalar_ops() { return kScalarOps; }

} // namespace isa_test
