// runtime/engine/isa/vop_cmp.inl - comparisons: the result is a lane mask. v_cmpx_* have no definitions of their own:
// they are v_cmp_* that write EXEC too (ERRATA 24).
#define OP_CMP_FLOAT(T, t)                                                                                             \
  OP(v_cmp_f_##t, M, (T a, T b)) { return CMP(a != a) & CMP(a == a); }                                                 \
  OP(v_cmp_lt_##t, M, (T a, T b)) { return CMP(a < b); }                                                               \
  OP(v_cmp_eq_##t, M, (T a, T b)) { return CMP(a == b); }                                                              \
  OP(v_cmp_le_##t, M, (T a, T b)) { return CMP(a <= b); }                                                              \
  OP(v_cmp_gt_##t, M, (T a, T b)) { return CMP(a > b); }                                                               \
  OP(v_cmp_lg_##t, M, (T a, T b)) { return CMP(a < b) | CMP(a > b); }                                                  \
  OP(v_cmp_ge_##t, M, (T a, T b)) { return CMP(a >= b); }                                                              \
  OP(v_cmp_o_##t, M, (T a, T b)) { return CMP(a == a) & CMP(b == b); }                                                 \
  OP(v_cmp_u_##t, M, (T a, T b)) { return CMP(a != a) | CMP(b != b); }                                                 \
  OP(v_cmp_nge_##t, M, (T a, T b)) { return not_(CMP(a >= b)); }                                                       \
  OP(v_cmp_nlg_##t, M, (T a, T b)) { return not_(CMP(a < b) | CMP(a > b)); }                                           \
  OP(v_cmp_ngt_##t, M, (T a, T b)) { return not_(CMP(a > b)); }                                                        \
  OP(v_cmp_nle_##t, M, (T a, T b)) { return not_(CMP(a <= b)); }                                                       \
  OP(v_cmp_neq_##t, M, (T a, T b)) { return CMP(a != b); }                                                             \
  OP(v_cmp_nlt_##t, M, (T a, T b)) { return not_(CMP(a < b)); }                                                        \
  OP(v_cmp_tru_##t, M, (T a, T b)) { return CMP(a != a) | CMP(a == a); }
#define OP_CMP_INT(T, t)                                                                                               \
  OP(v_cmp_f_##t, M, (T a, T b)) { return CMP(a != a); }                                                               \
  OP(v_cmp_lt_##t, M, (T a, T b)) { return CMP(a < b); }                                                               \
  OP(v_cmp_eq_##t, M, (T a, T b)) { return CMP(a == b); }                                                              \
  OP(v_cmp_le_##t, M, (T a, T b)) { return CMP(a <= b); }                                                              \
  OP(v_cmp_gt_##t, M, (T a, T b)) { return CMP(a > b); }                                                               \
  OP(v_cmp_ne_##t, M, (T a, T b)) { return CMP(a != b); }                                                              \
  OP(v_cmp_ge_##t, M, (T a, T b)) { return CMP(a >= b); }                                                              \
  OP(v_cmp_t_##t, M, (T a, T b)) { return CMP(a == a); }
// T: I32 or U32, as the high halves compare.
#define OP_CMP_WIDE(T, t)                                                                                              \
  OP(v_cmp_f_##t, M, (W64 a, W64 b)) { return CMP(a.lo != a.lo); }                                                     \
  OP(v_cmp_lt_##t, M, (W64 a, W64 b)) { return is_less<T, false>(a, b); }                                              \
  OP(v_cmp_eq_##t, M, (W64 a, W64 b)) { return is_equal(a, b); }                                                       \
  OP(v_cmp_le_##t, M, (W64 a, W64 b)) { return is_less<T, true>(a, b); }                                               \
  OP(v_cmp_gt_##t, M, (W64 a, W64 b)) { return is_less<T, false>(b, a); }                                              \
  OP(v_cmp_ne_##t, M, (W64 a, W64 b)) { return not_(is_equal(a, b)); }                                                 \
  OP(v_cmp_ge_##t, M, (W64 a, W64 b)) { return is_less<T, true>(b, a); }                                               \
  OP(v_cmp_t_##t, M, (W64 a, W64 b)) { return CMP(a.lo == a.lo); }
OP_CMP_FLOAT(F32, f32)
OP_CMP_FLOAT(F64, f64)
OP_CMP_FLOAT(F16, f16)
OP_CMP_INT(I32, i32)
OP_CMP_INT(U32, u32)
OP_CMP_WIDE(I32, i64)
OP_CMP_WIDE(U32, u64)
OP_CMP_INT(I16, i16)
OP_CMP_INT(U16, u16)
#undef OP_CMP_FLOAT
#undef OP_CMP_INT
#undef OP_CMP_WIDE

// Bits of the class mask: 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal,
// 8 +normal, 9 +inf.
template <class F> [[gnu::always_inline]] inline M has_class(F a, U32 wanted) {
  using U = UintOf<F>;
  const U u = ubits(a), exponent = u & splat<U>(FloatBits<F>::kExp), mantissa = u & splat<U>(FloatBits<F>::kMant);
  const M negative = CMP(U(u & splat<U>(FloatBits<F>::kSign)) != splat<U>(0));
  const M special = CMP(exponent == splat<U>(FloatBits<F>::kExp)), no_mantissa = CMP(mantissa == splat<U>(0));
  const M low = CMP(exponent == splat<U>(0)), signalling = CMP(U(u & splat<U>(FloatBits<F>::kQuiet)) == splat<U>(0));
  U32 bit = sel(negative, splat<U32>(3), splat<U32>(8));
  bit = sel(low, sel(negative, splat<U32>(4), splat<U32>(7)), bit);
  bit = sel(low & no_mantissa, sel(negative, splat<U32>(5), splat<U32>(6)), bit);
  bit = sel(special, sel(signalling, splat<U32>(0), splat<U32>(1)), bit);
  bit = sel(special & no_mantissa, sel(negative, splat<U32>(2), splat<U32>(9)), bit);
  return CMP(((wanted >> bit) & 1u) != splat<U32>(0));
}
OP(v_cmp_class_f32, M, (F32 a, U32 wanted)) { return has_class(a, wanted); }
OP(v_cmp_class_f64, M, (F64 a, U32 wanted)) { return has_class(a, wanted); }
OP(v_cmp_class_f16, M, (F16 a, U32 wanted)) { return has_class(a, wanted); }
