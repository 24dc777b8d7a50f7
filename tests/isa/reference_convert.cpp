// Conversions. Float to integer saturates and maps NaN to 0; f16 results round to nearest even.
#include "reference.h"

#include <cmath>

namespace isa_test {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u16 = uint16_t;
using i16 = int16_t;

template <class I> I saturate(double v) {
  if (v != v) return 0;
  if (v <= double(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  if (v >= double(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  return static_cast<I>(v);
}
u32 half_bits(f16 v) { return std::bit_cast<u16>(v); }
f16 half_toward_zero(float v) {
  if (v != v) return f16(v);
  f16 r = f16(v);
  double exact = v;
  if (std::isinf(float(r)) && !std::isinf(v)) return std::bit_cast<f16>(u16(v < 0 ? 0xfbff : 0x7bff));
  if (std::fabs(double(r)) > std::fabs(exact)) r = std::bit_cast<f16>(u16(std::bit_cast<u16>(r) - 1));
  return r;
}
u32 snorm(float v) { return u16(v != v ? 0 : i16(__builtin_roundeven(std::fmin(1.0, std::fmax(-1.0, double(v))) * 32767))); }
u32 unorm(float v) { return u16(v != v ? 0 : u16(__builtin_roundeven(std::fmin(1.0, std::fmax(0.0, double(v))) * 65535))); }

const Op kOps[] = {
    OP1("v_cvt_f32_i32", float, i32, 0, 0, float(a)),
    OP1("v_cvt_f32_u32", float, u32, 0, 0, float(a)),
    OP1("v_cvt_u32_f32", u32, float, 0, 0, saturate<u32>(a)),
    OP1("v_cvt_i32_f32", i32, float, 0, 0, saturate<i32>(a)),
    OP1("v_cvt_rpi_i32_f32", i32, float, 0, 0, saturate<i32>(std::floor(a + 0.5f))),
    OP1("v_cvt_flr_i32_f32", i32, float, 0, 0, saturate<i32>(std::floor(a))),
    OP1("v_cvt_f32_ubyte0", float, u32, 0, 0, float(a & 0xff)),
    OP1("v_cvt_f32_ubyte1", float, u32, 0, 0, float(a >> 8 & 0xff)),
    OP1("v_cvt_f32_ubyte2", float, u32, 0, 0, float(a >> 16 & 0xff)),
    OP1("v_cvt_f32_ubyte3", float, u32, 0, 0, float(a >> 24)),
    OP1("v_cvt_f64_f32", double, float, 0, 0, double(a)),
    OP1("v_cvt_f32_f64", float, double, 0, 0, float(a)),
    OP1("v_cvt_f64_i32", double, i32, 0, 0, double(a)),
    OP1("v_cvt_f64_u32", double, u32, 0, 0, double(a)),
    OP1("v_cvt_i32_f64", i32, double, 0, 0, saturate<i32>(a)),
    OP1("v_cvt_u32_f64", u32, double, 0, 0, saturate<u32>(a)),
    OP1("v_cvt_f16_f32", f16, float, kFullDst, 0, f16(a)),
    OP1("v_cvt_f32_f16", float, f16, 0, 0, float(a)),
    OP1("v_cvt_f16_u16", f16, u16, kFullDst, 0, f16(float(a))),
    OP1("v_cvt_f16_i16", f16, i16, kFullDst, 0, f16(float(a))),
    OP1("v_cvt_u16_f16", u16, f16, kFullDst, 0, saturate<u16>(double(a))),
    OP1("v_cvt_i16_f16", i16, f16, kFullDst, 0, saturate<i16>(double(a))),
    OP2("v_cvt_pkrtz_f16_f32", u32, float, float, kHalves, 0,
        half_bits(half_toward_zero(a)) | half_bits(half_toward_zero(b)) << 16),
    OP2("v_pack_b32_f16", u32, u16, u16, 0, 0, u32(a) | u32(b) << 16),
    OP2("v_cvt_pknorm_i16_f32", u32, float, float, 0, 0, snorm(a) | snorm(b) << 16),
    OP2("v_cvt_pknorm_u16_f32", u32, float, float, 0, 0, unorm(a) | unorm(b) << 16),
    OP3("v_cvt_pk_u8_f32", u32, float, u32, u32, 0, 0,
        (c & ~(0xffu << (8 * (b & 3)))) | u32(saturate<uint8_t>(__builtin_roundeven(a))) << (8 * (b & 3))),
};

} // namespace

std::span<const Op> convert_ops() { return kOps; }

} // namespace isa_test
