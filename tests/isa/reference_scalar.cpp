// Scalar ALU instructions. `vcc` is SCC here: in as the old SCC, out as the new one. Instructions that leave SCC alone
// carry no kWritesVcc; those that read it carry kReadsVcc. Compares (s_cmp_*) carry kCompare: no destination.
#include "reference.h"

#include <algorithm>

namespace isa_test {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

constexpr uint32_t kScc = kWritesVcc;

bool add_overflows(i32 a, i32 b) { return i64(a) + b != i32(u32(a) + u32(b)); }
bool sub_overflows(i32 a, i32 b) { return i64(a) - b != i32(u32(a) - u32(b)); }
template <class T> u32 ones(T v) {
  u32 n = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i) n += v >> i & 1;
  return n;
}
template <class T> u32 first_one(T v) {
  for (u32 i = 0; i < sizeof(T) * 8; ++i)
    if (v >> i & 1) return i;
  return ~0u;
}
template <class T> u32 leading_zeros(T v) {
  for (u32 i = 0; i < sizeof(T) * 8; ++i)
    if (v >> (sizeof(T) * 8 - 1 - i) & 1) return i;
  return ~0u;
}
template <class T> u32 leading_signs(T v) {
  constexpr u32 top = sizeof(T) * 8 - 1;
  for (u32 i = 1; i <= top; ++i)
    if ((v >> (top - i) & 1) != (v >> top & 1)) return i;
  return ~0u;
}
template <class T> T reverse(T v) {
  T r = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i) r |= (v >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return r;
}
template <class T> T field_u(T v, u32 spec) {
  constexpr u32 mask = sizeof(T) * 8 - 1;
  u32 offset = spec & mask, width = spec >> 16 & 0x7f;
  T shifted = v >> offset;
  return width >= sizeof(T) * 8 ? shifted : T(shifted & ((T(1) << width) - 1));
}
template <class T> T field_i(T v, u32 spec) {
  using S = std::make_signed_t<T>;
  constexpr u32 size = sizeof(T) * 8;
  u32 offset = spec & (size - 1), width = spec >> 16 & 0x7f;
  if (width == 0) return 0;
  T shifted = T(S(v) >> offset);
  if (width >= size) return shifted;
  return T(S(shifted << (size - width)) >> (size - width));
}
template <class T> T quad_mask(T v) {
  T r = 0;
  for (size_t i = 0; i < sizeof(T) * 2; ++i) r |= T((v >> (4 * i) & 15) != 0) << i;
  return r;
}
template <class T> T whole_quad(T v) {
  T r = 0;
  for (size_t i = 0; i < sizeof(T) * 2; ++i)
    if (v >> (4 * i) & 15) r |= T(15) << (4 * i);
  return r;
}

#define NZ(...) (d = (__VA_ARGS__), out.vcc = d != 0, d)
#define CMP(name, A, expr)                                                                                             \
  Op{name, Type::None, {TypeOf<A>::value, TypeOf<A>::value, Type::None}, kCompare, 0, [](const Inputs& in, Outputs& out) { \
       A a = from_bits<A>(in.s[0]), b = from_bits<A>(in.s[1]);                                                         \
       out.vcc = (expr);                                                                                               \
     }}

const Op kOps[] = {
    OP1("s_mov_b32", u32, u32, 0, 0, a),
    OP1("s_mov_b64", u64, u64, 0, 0, a),
    OP1("s_cmov_b32", u32, u32, kReadsVcc | kReadsDst, 0, vcc ? a : d),
    OP1("s_cmov_b64", u64, u64, kReadsVcc | kReadsDst, 0, vcc ? a : d),
    OP1("s_not_b32", u32, u32, kScc, 0, NZ(~a)),
    OP1("s_not_b64", u64, u64, kScc, 0, NZ(~a)),
    OP1("s_wqm_b32", u32, u32, kScc, 0, NZ(whole_quad(a))),
    OP1("s_wqm_b64", u64, u64, kScc, 0, NZ(whole_quad(a))),
    OP1("s_brev_b32", u32, u32, 0, 0, reverse(a)),
    OP1("s_brev_b64", u64, u64, 0, 0, reverse(a)),
    OP1("s_bcnt0_i32_b32", u32, u32, kScc, 0, NZ(ones(~a))),
    OP1("s_bcnt0_i32_b64", u32, u64, kScc, 0, NZ(ones(~a))),
    OP1("s_bcnt1_i32_b32", u32, u32, kScc, 0, NZ(ones(a))),
    OP1("s_bcnt1_i32_b64", u32, u64, kScc, 0, NZ(ones(a))),
    OP1("s_ff0_i32_b32", u32, u32, 0, 0, first_one(~a)),
    OP1("s_ff0_i32_b64", u32, u64, 0, 0, first_one(~a)),
    OP1("s_ff1_i32_b32", u32, u32, 0, 0, first_one(a)),
    OP1("s_ff1_i32_b64", u32, u64, 0, 0, first_one(a)),
    OP1("s_flbit_i32_b32", u32, u32, 0, 0, leading_zeros(a)),
    OP1("s_flbit_i32_b64", u32, u64, 0, 0, leading_zeros(a)),
    OP1("s_flbit_i32", u32, u32, 0, 0, leading_signs(a)),
    OP1("s_flbit_i32_i64", u32, u64, 0, 0, leading_signs(a)),
    OP1("s_sext_i32_i8", u32, u32, 0, 0, u32(i32(int8_t(a)))),
    OP1("s_sext_i32_i16", u32, u32, 0, 0, u32(i32(int16_t(a)))),
    OP1("s_bitset0_b32", u32, u32, kReadsDst, 0, d & ~(1u << (a & 31))),
    OP1("s_bitset1_b32", u32, u32, kReadsDst, 0, d | (1u << (a & 31))),
    OP1("s_bitset0_b64", u64, u32, kReadsDst, 0, d & ~(u64(1) << (a & 63))),
    OP1("s_bitset1_b64", u64, u32, kReadsDst, 0, d | (u64(1) << (a & 63))),
    OP1("s_quadmask_b32", u32, u32, kScc, 0, NZ(quad_mask(a))),
    OP1("s_quadmask_b64", u64, u64, kScc, 0, NZ(quad_mask(a))),
    OP1("s_abs_i32", u32, u32, kScc, 0, NZ(a >> 31 ? 0u - a : a)),
    OP2("s_add_u32", u32, u32, u32, kScc, 0, (out.vcc = (u64(a) + b) >> 32, a + b)),
    OP2("s_sub_u32", u32, u32, u32, kScc, 0, (out.vcc = b > a, a - b)),
    OP2("s_add_i32", u32, u32, u32, kScc, 0, (out.vcc = add_overflows(i32(a), i32(b)), a + b)),
    OP2("s_sub_i32", u32, u32, u32, kScc, 0, (out.vcc = sub_overflows(i32(a), i32(b)), a - b)),
    OP2("s_addc_u32", u32, u32, u32, kScc | kReadsVcc, 0, (out.vcc = (u64(a) + b + vcc) >> 32, a + b + vcc)),
    OP2("s_subb_u32", u32, u32, u32, kScc | kReadsVcc, 0, (out.vcc = u64(b) + vcc > a, a - b - vcc)),
    OP2("s_min_i32", i32, i32, i32, kScc, 0, (out.vcc = a < b, std::min(a, b))),
    OP2("s_min_u32", u32, u32, u32, kScc, 0, (out.vcc = a < b, std::min(a, b))),
    OP2("s_max_i32", i32, i32, i32, kScc, 0, (out.vcc = a >= b, std::max(a, b))),
    OP2("s_max_u32", u32, u32, u32, kScc, 0, (out.vcc = a >= b, std::max(a, b))),
    OP2("s_cselect_b32", u32, u32, u32, kReadsVcc, 0, vcc ? a : b),
    OP2("s_cselect_b64", u64, u64, u64, kReadsVcc, 0, vcc ? a : b),
    OP2("s_and_b32", u32, u32, u32, kScc, 0, NZ(a& b)),
    OP2("s_and_b64", u64, u64, u64, kScc, 0, NZ(a& b)),
    OP2("s_or_b32", u32, u32, u32, kScc, 0, NZ(a | b)),
    OP2("s_or_b64", u64, u64, u64, kScc, 0, NZ(a | b)),
    OP2("s_xor_b32", u32, u32, u32, kScc, 0, NZ(a ^ b)),
    OP2("s_xor_b64", u64, u64, u64, kScc, 0, NZ(a ^ b)),
    OP2("s_andn2_b32", u32, u32, u32, kScc, 0, NZ(a & ~b)),
    OP2("s_andn2_b64", u64, u64, u64, kScc, 0, NZ(a & ~b)),
    OP2("s_orn2_b32", u32, u32, u32, kScc, 0, NZ(a | ~b)),
    OP2("s_orn2_b64", u64, u64, u64, kScc, 0, NZ(a | ~b)),
    OP2("s_nand_b32", u32, u32, u32, kScc, 0, NZ(~(a & b))),
    OP2("s_nand_b64", u64, u64, u64, kScc, 0, NZ(~(a & b))),
    OP2("s_nor_b32", u32, u32, u32, kScc, 0, NZ(~(a | b))),
    OP2("s_nor_b64", u64, u64, u64, kScc, 0, NZ(~(a | b))),
    OP2("s_xnor_b32", u32, u32, u32, kScc, 0, NZ(~(a ^ b))),
    OP2("s_xnor_b64", u64, u64, u64, kScc, 0, NZ(~(a ^ b))),
    OP2("s_lshl_b32", u32, u32, u32, kScc, 0, NZ(a << (b & 31))),
    OP2("s_lshl_b64", u64, u64, u32, kScc, 0, NZ(a << (b & 63))),
    OP2("s_lshr_b32", u32, u32, u32, kScc, 0, NZ(a >> (b & 31))),
    OP2("s_lshr_b64", u64, u64, u32, kScc, 0, NZ(a >> (b & 63))),
    OP2("s_ashr_i32", u32, u32, u32, kScc, 0, NZ(u32(i32(a) >> (b & 31)))),
    OP2("s_ashr_i64", u64, u64, u32, kScc, 0, NZ(u64(i64(a) >> (b & 63)))),
    OP2("s_bfm_b32", u32, u32, u32, 0, 0, ((1u << (a & 31)) - 1) << (b & 31)),
    OP2("s_bfm_b64", u64, u32, u32, 0, 0, ((u64(1) << (a & 63)) - 1) << (b & 63)),
    OP2("s_mul_i32", u32, u32, u32, 0, 0, a* b),
    OP2("s_mul_hi_u32", u32, u32, u32, 0, 0, u64(a) * b >> 32),
    OP2("s_mul_hi_i32", u32, i32, i32, 0, 0, u32(i64(a) * b >> 32)),
    OP2("s_bfe_u32", u32, u32, u32, kScc, 0, NZ(field_u(a, b))),
    OP2("s_bfe_i32", u32, u32, u32, kScc, 0, NZ(field_i(a, b))),
    OP2("s_bfe_u64", u64, u64, u32, kScc, 0, NZ(field_u(a, b))),
    OP2("s_bfe_i64", u64, u64, u32, kScc, 0, NZ(field_i(a, b))),
    OP2("s_absdiff_i32", u32, i32, i32, kScc, 0, NZ(u32(i32(u32(a) - u32(b)) < 0 ? 0u - (u32(a) - u32(b)) : u32(a) - u32(b)))),
    OP2("s_lshl1_add_u32", u32, u32, u32, kScc, 0, (out.vcc = ((u64(a) << 1) + b) >> 32 != 0, (a << 1) + b)),
    OP2("s_lshl2_add_u32", u32, u32, u32, kScc, 0, (out.vcc = ((u64(a) << 2) + b) >> 32 != 0, (a << 2) + b)),
    OP2("s_lshl3_add_u32", u32, u32, u32, kScc, 0, (out.vcc = ((u64(a) << 3) + b) >> 32 != 0, (a << 3) + b)),
    OP2("s_lshl4_add_u32", u32, u32, u32, kScc, 0, (out.vcc = ((u64(a) << 4) + b) >> 32 != 0, (a << 4) + b)),
    OP2("s_pack_ll_b32_b16", u32, u32, u32, 0, 0, (a & 0xffff) | b << 16),
    OP2("s_pack_lh_b32_b16", u32, u32, u32, 0, 0, (a & 0xffff) | (b & 0xffff0000)),
    OP2("s_pack_hh_b32_b16", u32, u32, u32, 0, 0, a >> 16 | (b & 0xffff0000)),
    CMP("s_cmp_eq_i32", i32, a == b),
    CMP("s_cmp_lg_i32", i32, a != b),
    CMP("s_cmp_gt_i32", i32, a > b),
    CMP("s_cmp_ge_i32", i32, a >= b),
    CMP("s_cmp_lt_i32", i32, a < b),
    CMP("s_cmp_le_i32", i32, a <= b),
    CMP("s_cmp_eq_u32", u32, a == b),
    CMP("s_cmp_lg_u32", u32, a != b),
    CMP("s_cmp_gt_u32", u32, a > b),
    CMP("s_cmp_ge_u32", u32, a >= b),
    CMP("s_cmp_lt_u32", u32, a < b),
    CMP("s_cmp_le_u32", u32, a <= b),
    CMP("s_cmp_eq_u64", u64, a == b),
    CMP("s_cmp_lg_u64", u64, a != b),
    CMP("s_bitcmp0_b32", u32, !(a >> (b & 31) & 1)),
    CMP("s_bitcmp1_b32", u32, a >> (b & 31) & 1),
};

} // namespace

std::span<const Op> scalar_ops() { return kOps; }

} // namespace isa_test
