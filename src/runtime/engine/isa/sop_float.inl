// runtime/engine/isa/sop_float.inl - floating-point SALU of gfx11.5 and gfx12, and VALU instructions with a scalar result
// (v_s_*). See scalar_bodies.inl.
OP(s_add_f32, F32, (F32 a, F32 b)) { return a + b; }
OP(s_sub_f32, F32, (F32 a, F32 b)) { return a - b; }
OP(s_mul_f32, F32, (F32 a, F32 b)) { return a * b; }
OP(s_min_f32, F32, (F32 a, F32 b)) { return min_ieee(a, b); }
OP(s_max_f32, F32, (F32 a, F32 b)) { return max_ieee(a, b); }
OP(s_minimum_f32, F32, (F32 a, F32 b)) { return minimum(a, b); }
OP(s_maximum_f32, F32, (F32 a, F32 b)) { return maximum(a, b); }
OP(s_min_num_f32, F32, (F32 a, F32 b)) { return min_num(a, b); }
OP(s_max_num_f32, F32, (F32 a, F32 b)) { return max_num(a, b); }
OP(s_fmac_f32, F32, (F32 a, F32 b, F32 d)) { return fma(a, b, d); }
OP(s_fmamk_f32, F32, (F32 a, F32 k, F32 b)) { return fma(a, k, b); }
OP(s_fmaak_f32, F32, (F32 a, F32 b, F32 k)) { return fma(a, b, k); }
OP(s_ceil_f32, F32, (F32 a)) { return __builtin_elementwise_ceil(a); }
OP(s_floor_f32, F32, (F32 a)) { return __builtin_elementwise_floor(a); }
OP(s_trunc_f32, F32, (F32 a)) { return __builtin_elementwise_trunc(a); }
OP(s_rndne_f32, F32, (F32 a)) { return __builtin_elementwise_roundeven(a); }
OP(s_cvt_f32_i32, F32, (I32 a)) { return to<F32>(a); }
OP(s_cvt_f32_u32, F32, (U32 a)) { return single_of(a); }
OP(s_cvt_i32_f32, I32, (F32 a)) { return v_cvt_i32_f32(a); }
OP(s_cvt_u32_f32, U32, (F32 a)) { return v_cvt_u32_f32(a); }

// Halves are the low ones of registers, whose high halves become 0 (ERRATA 63).
OP(s_add_f16, F16, (F16 a, F16 b)) { return a + b; }
OP(s_sub_f16, F16, (F16 a, F16 b)) { return a - b; }
OP(s_mul_f16, F16, (F16 a, F16 b)) { return a * b; }
OP(s_min_f16, F16, (F16 a, F16 b)) { return min_ieee(a, b); }
OP(s_max_f16, F16, (F16 a, F16 b)) { return max_ieee(a, b); }
OP(s_minimum_f16, F16, (F16 a, F16 b)) { return minimum(a, b); }
OP(s_maximum_f16, F16, (F16 a, F16 b)) { return maximum(a, b); }
OP(s_min_num_f16, F16, (F16 a, F16 b)) { return min_num(a, b); }
OP(s_max_num_f16, F16, (F16 a, F16 b)) { return max_num(a, b); }
OP(s_fmac_f16, F16, (F16 a, F16 b, F16 d)) { return fma(a, b, d); }
OP(s_ceil_f16, F16, (F16 a)) { return v_ceil_f16(a); }
OP(s_floor_f16, F16, (F16 a)) { return v_floor_f16(a); }
OP(s_trunc_f16, F16, (F16 a)) { return v_trunc_f16(a); }
OP(s_rndne_f16, F16, (F16 a)) { return v_rndne_f16(a); }
OP(s_cvt_f16_f32, F16, (F32 a)) { return to<F16>(a); }
OP(s_cvt_f32_f16, F32, (F16 a)) { return to<F32>(a); }
OP(s_cvt_hi_f32_f16, F32, (PF16 a)) { return to<F32>(a.hi); }
OP(s_cvt_pk_rtz_f16_f32, PF16, (F32 a, F32 b)) { return v_cvt_pkrtz_f16_f32(a, b); }

#define OP_COMPARE_FLOAT(name, expression)                                                                             \
  OP(s_cmp_##name##_f32, Scc, (F32 a, F32 b)) { return {expression}; }                                                 \
  OP(s_cmp_##name##_f16, Scc, (F16 a, F16 b)) { return {expression}; }
OP_COMPARE_FLOAT(lt, a < b)
OP_COMPARE_FLOAT(eq, a == b)
OP_COMPARE_FLOAT(le, a <= b)
OP_COMPARE_FLOAT(gt, a > b)
OP_COMPARE_FLOAT(lg, a < b || a > b)
OP_COMPARE_FLOAT(ge, a >= b)
OP_COMPARE_FLOAT(o, a == a && b == b)
OP_COMPARE_FLOAT(u, a != a || b != b)
OP_COMPARE_FLOAT(nge, !(a >= b))
OP_COMPARE_FLOAT(nlg, !(a < b || a > b))
OP_COMPARE_FLOAT(ngt, !(a > b))
OP_COMPARE_FLOAT(nle, !(a <= b))
OP_COMPARE_FLOAT(neq, a != b)
OP_COMPARE_FLOAT(nlt, !(a < b))
#undef OP_COMPARE_FLOAT

OP(v_s_exp_f32, F32, (F32 a)) { return v_exp_f32(a); }
OP(v_s_log_f32, F32, (F32 a)) { return v_log_f32(a); }
OP(v_s_rcp_f32, F32, (F32 a)) { return v_rcp_f32(a); }
OP(v_s_rsq_f32, F32, (F32 a)) { return v_rsq_f32(a); }
OP(v_s_sqrt_f32, F32, (F32 a)) { return v_sqrt_f32(a); }
OP(v_s_exp_f16, F16, (F16 a)) { return v_exp_f16(a); }
OP(v_s_log_f16, F16, (F16 a)) { return v_log_f16(a); }
OP(v_s_rcp_f16, F16, (F16 a)) { return v_rcp_f16(a); }
OP(v_s_rsq_f16, F16, (F16 a)) { return v_rsq_f16(a); }
OP(v_s_sqrt_f16, F16, (F16 a)) { return v_sqrt_f16(a); }
