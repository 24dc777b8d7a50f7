// runtime/engine/isa/sop.inl - scalar ALU definitions, on plain integers (instantiate with kLanes = 1). Scc as a result
// type writes only SCC, WithScc<T> both, Maybe<T> writes the destination when `write` holds; SccIn reads SCC. A parameter
// beyond the operands that the instruction names is the destination's old value.
template <class T> [[gnu::always_inline]] inline WithScc<T> nonzero(T v) { return {v, v != 0}; }

OP(s_mov_b32, U32, (U32 a)) { return a; }
OP(s_mov_b64, U64, (U64 a)) { return a; }
OP(s_movk_i32, U32, (U32 k)) { return k; }
OP(s_cmov_b32, Maybe<U32>, (U32 a, SccIn c)) { return {a, c.scc}; }
OP(s_cmov_b64, Maybe<U64>, (U64 a, SccIn c)) { return {a, c.scc}; }
OP(s_cmovk_i32, Maybe<U32>, (U32 k, SccIn c)) { return {k, c.scc}; }
OP(s_cselect_b32, U32, (U32 a, U32 b, SccIn c)) { return c.scc ? a : b; }
OP(s_cselect_b64, U64, (U64 a, U64 b, SccIn c)) { return c.scc ? a : b; }

// --- arithmetic
OP(s_add_u32, WithScc<U32>, (U32 a, U32 b)) { return {a + b, U32(a + b) < a}; }
OP(s_sub_u32, WithScc<U32>, (U32 a, U32 b)) { return {a - b, b > a}; }
OP(s_add_i32, WithScc<U32>, (U32 a, U32 b)) { return {a + b, ((~(a ^ b) & (a ^ (a + b))) >> 31) != 0}; }
OP(s_sub_i32, WithScc<U32>, (U32 a, U32 b)) { return {a - b, (((a ^ b) & (a ^ (a - b))) >> 31) != 0}; }
OP(s_addc_u32, WithScc<U32>, (U32 a, U32 b, SccIn c)) {
  const U64 s = U64(a) + b + c.scc;
  return {U32(s), (s >> 32) != 0};
}
OP(s_subb_u32, WithScc<U32>, (U32 a, U32 b, SccIn c)) { return {a - b - c.scc, U64(b) + c.scc > a}; }
OP(s_addk_i32, WithScc<U32>, (U32 k, U32 d)) { return s_add_i32(d, k); }
OP(s_mulk_i32, U32, (U32 k, U32 d)) { return d * k; }
OP(s_mul_i32, U32, (U32 a, U32 b)) { return a * b; }
OP(s_mul_hi_u32, U32, (U32 a, U32 b)) { return U32((U64(a) * b) >> 32); }
OP(s_mul_hi_i32, U32, (I32 a, I32 b)) { return U32(U64(I64(a) * b) >> 32); }
OP(s_abs_i32, WithScc<U32>, (I32 a)) { return nonzero(a < 0 ? U32(0) - U32(a) : U32(a)); }
OP(s_absdiff_i32, WithScc<U32>, (U32 a, U32 b)) {
  const I32 d = I32(a - b);
  return nonzero(d < 0 ? U32(0) - U32(d) : U32(d));
}
OP(s_min_i32, WithScc<I32>, (I32 a, I32 b)) { return {a < b ? a : b, a < b}; }
OP(s_min_u32, WithScc<U32>, (U32 a, U32 b)) { return {a < b ? a : b, a < b}; }
OP(s_max_i32, WithScc<I32>, (I32 a, I32 b)) { return {a >= b ? a : b, a >= b}; }
OP(s_max_u32, WithScc<U32>, (U32 a, U32 b)) { return {a >= b ? a : b, a >= b}; }
[[gnu::always_inline]] inline WithScc<U32> shift_add(U32 a, int n, U32 b) {
  const U64 s = (U64(a) << n) + b;
  return {U32(s), (s >> 32) != 0};
}
OP(s_lshl1_add_u32, WithScc<U32>, (U32 a, U32 b)) { return shift_add(a, 1, b); }
OP(s_lshl2_add_u32, WithScc<U32>, (U32 a, U32 b)) { return shift_add(a, 2, b); }
OP(s_lshl3_add_u32, WithScc<U32>, (U32 a, U32 b)) { return shift_add(a, 3, b); }
OP(s_lshl4_add_u32, WithScc<U32>, (U32 a, U32 b)) { return shift_add(a, 4, b); }

// --- logic, for both widths
#define OP_LOGIC(name, expression)                                                                                     \
  OP(s_##name##_b32, WithScc<U32>, (U32 a, U32 b)) { return nonzero(U32(expression)); }                                \
  OP(s_##name##_b64, WithScc<U64>, (U64 a, U64 b)) { return nonzero(U64(expression)); }
OP_LOGIC(and, a & b)
OP_LOGIC(or, a | b)
OP_LOGIC(xor, a ^ b)
OP_LOGIC(andn2, a & ~b)
OP_LOGIC(orn2, a | ~b)
OP_LOGIC(nand, ~(a & b))
OP_LOGIC(nor, ~(a | b))
OP_LOGIC(xnor, ~(a ^ b))
#undef OP_LOGIC
OP(s_not_b32, WithScc<U32>, (U32 a)) { return nonzero(U32(~a)); }
OP(s_not_b64, WithScc<U64>, (U64 a)) { return nonzero(U64(~a)); }

// --- shifts and bit fields
OP(s_lshl_b32, WithScc<U32>, (U32 a, U32 n)) { return nonzero(U32(a << (n & 31))); }
OP(s_lshl_b64, WithScc<U64>, (U64 a, U32 n)) { return nonzero(U64(a << (n & 63))); }
OP(s_lshr_b32, WithScc<U32>, (U32 a, U32 n)) { return nonzero(U32(a >> (n & 31))); }
OP(s_lshr_b64, WithScc<U64>, (U64 a, U32 n)) { return nonzero(U64(a >> (n & 63))); }
OP(s_ashr_i32, WithScc<I32>, (I32 a, U32 n)) { return nonzero(I32(a >> (n & 31))); }
OP(s_ashr_i64, WithScc<I64>, (I64 a, U32 n)) { return nonzero(I64(a >> (n & 63))); }
OP(s_bfm_b32, U32, (U32 width, U32 offset)) { return ((U32(1) << (width & 31)) - 1) << (offset & 31); }
OP(s_bfm_b64, U64, (U32 width, U32 offset)) { return ((U64(1) << (width & 63)) - 1) << (offset & 63); }
// The field's width is bits 22:16 of the second operand; a width of the register's size or more takes all bits that are left
// (ERRATA 23).
OP(s_bfe_u32, WithScc<U32>, (U32 a, U32 field)) {
  const U32 w = field >> 16 & 127;
  return nonzero(U32((a >> (field & 31)) & (w >= 32 ? ~U32(0) : (U32(1) << w) - 1)));
}
OP(s_bfe_i32, WithScc<I32>, (I32 a, U32 field)) {
  const U32 w = field >> 16 & 127;
  const I32 s = a >> (field & 31);
  return nonzero(w == 0 ? 0 : w >= 32 ? s : I32(U32(s) << (32 - w)) >> (32 - w));
}
OP(s_bfe_u64, WithScc<U64>, (U64 a, U32 field)) {
  const U32 w = field >> 16 & 127;
  return nonzero(U64((a >> (field & 63)) & (w >= 64 ? ~U64(0) : (U64(1) << w) - 1)));
}
OP(s_bfe_i64, WithScc<I64>, (I64 a, U32 field)) {
  const U32 w = field >> 16 & 127;
  const I64 s = a >> (field & 63);
  return nonzero(w == 0 ? I64(0) : w >= 64 ? s : I64(U64(s) << (64 - w)) >> (64 - w));
}
OP(s_pack_ll_b32_b16, U32, (U32 a, U32 b)) { return (a & 0xffff) | b << 16; }
OP(s_pack_lh_b32_b16, U32, (U32 a, U32 b)) { return (a & 0xffff) | (b & 0xffff0000u); }
OP(s_pack_hh_b32_b16, U32, (U32 a, U32 b)) { return a >> 16 | (b & 0xffff0000u); }
OP(s_sext_i32_i8, I32, (U32 a)) { return I8(a); }
OP(s_sext_i32_i16, I32, (U32 a)) { return I16(a); }
OP(s_bitset0_b32, U32, (U32 n, U32 d)) { return d & ~(U32(1) << (n & 31)); }
OP(s_bitset1_b32, U32, (U32 n, U32 d)) { return d | U32(1) << (n & 31); }
OP(s_bitset0_b64, U64, (U32 n, U64 d)) { return d & ~(U64(1) << (n & 63)); }
OP(s_bitset1_b64, U64, (U32 n, U64 d)) { return d | U64(1) << (n & 63); }
OP(s_brev_b32, U32, (U32 a)) { return __builtin_elementwise_bitreverse(a); }
OP(s_brev_b64, U64, (U64 a)) { return __builtin_elementwise_bitreverse(a); }
OP(s_bitreplicate_b64_b32, U64, (U32 a)) {
  U64 x = a;
  x = (x | x << 16) & 0x0000ffff0000ffffull;
  x = (x | x << 8) & 0x00ff00ff00ff00ffull;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
  x = (x | x << 2) & 0x3333333333333333ull;
  x = (x | x << 1) & 0x5555555555555555ull;
  return x | x << 1;
}

// --- counting and searching
OP(s_bcnt0_i32_b32, WithScc<U32>, (U32 a)) { return nonzero(U32(__builtin_popcount(~a))); }
OP(s_bcnt0_i32_b64, WithScc<U32>, (U64 a)) { return nonzero(U32(__builtin_popcountll(~a))); }
OP(s_bcnt1_i32_b32, WithScc<U32>, (U32 a)) { return nonzero(U32(__builtin_popcount(a))); }
OP(s_bcnt1_i32_b64, WithScc<U32>, (U64 a)) { return nonzero(U32(__builtin_popcountll(a))); }
OP(s_ff0_i32_b32, U32, (U32 a)) { return ~a ? U32(__builtin_ctz(~a)) : ~U32(0); }
OP(s_ff0_i32_b64, U32, (U64 a)) { return ~a ? U32(__builtin_ctzll(~a)) : ~U32(0); }
OP(s_ff1_i32_b32, U32, (U32 a)) { return a ? U32(__builtin_ctz(a)) : ~U32(0); }
OP(s_ff1_i32_b64, U32, (U64 a)) { return a ? U32(__builtin_ctzll(a)) : ~U32(0); }
OP(s_flbit_i32_b32, U32, (U32 a)) { return a ? U32(__builtin_clz(a)) : ~U32(0); }
OP(s_flbit_i32_b64, U32, (U64 a)) { return a ? U32(__builtin_clzll(a)) : ~U32(0); }
OP(s_flbit_i32, U32, (I32 a)) {
  const U32 d = U32(a ^ (a >> 31));
  return d ? U32(__builtin_clz(d)) : ~U32(0);
}
OP(s_flbit_i32_i64, U32, (I64 a)) {
  const U64 d = U64(a ^ (a >> 63));
  return d ? U32(__builtin_clzll(d)) : ~U32(0);
}
template <class T> [[gnu::always_inline]] inline T any_of_quad(T a) { // lowest bit of each quad: any bit of it set
  a |= a >> 1;
  a |= a >> 2;
  return a & T(0x1111111111111111ull);
}
OP(s_wqm_b32, WithScc<U32>, (U32 a)) { return nonzero(U32(any_of_quad(a) * 15)); }
OP(s_wqm_b64, WithScc<U64>, (U64 a)) { return nonzero(U64(any_of_quad(a) * 15)); }
OP(s_quadmask_b64, WithScc<U64>, (U64 a)) {
  U64 q = any_of_quad(a), r = 0;
  for (int i = 0; i < 16; ++i) r |= (q >> (4 * i) & 1) << i;
  return nonzero(r);
}
OP(s_quadmask_b32, WithScc<U32>, (U32 a)) { return nonzero(U32(s_quadmask_b64(a).value)); }

// --- comparisons
#define OP_COMPARE(name, T, condition)                                                                                 \
  OP(s_cmp_##name, Scc, (T a, T b)) { return {condition}; }                                                            \
  OP(s_cmpk_##name, Scc, (T a, T b)) { return {condition}; }
OP_COMPARE(eq_i32, I32, a == b)
OP_COMPARE(lg_i32, I32, a != b)
OP_COMPARE(gt_i32, I32, a > b)
OP_COMPARE(ge_i32, I32, a >= b)
OP_COMPARE(lt_i32, I32, a < b)
OP_COMPARE(le_i32, I32, a <= b)
OP_COMPARE(eq_u32, U32, a == b)
OP_COMPARE(lg_u32, U32, a != b)
OP_COMPARE(gt_u32, U32, a > b)
OP_COMPARE(ge_u32, U32, a >= b)
OP_COMPARE(lt_u32, U32, a < b)
OP_COMPARE(le_u32, U32, a <= b)
#undef OP_COMPARE
OP(s_cmp_eq_u64, Scc, (U64 a, U64 b)) { return {a == b}; }
OP(s_cmp_lg_u64, Scc, (U64 a, U64 b)) { return {a != b}; }
OP(s_bitcmp0_b32, Scc, (U32 a, U32 n)) { return {(a >> (n & 31) & 1) == 0}; }
OP(s_bitcmp1_b32, Scc, (U32 a, U32 n)) { return {(a >> (n & 31) & 1) != 0}; }
OP(s_bitcmp0_b64, Scc, (U64 a, U32 n)) { return {(a >> (n & 63) & 1) == 0}; }
OP(s_bitcmp1_b64, Scc, (U64 a, U32 n)) { return {(a >> (n & 63) & 1) != 0}; }

// --- EXEC
#define OP_SAVEEXEC(name, expression)                                                                                  \
  OP(s_##name##_saveexec_b64, SaveExec<U64>, (U64 a, ExecIn e)) { return {e.value, expression}; }                      \
  OP(s_##name##_saveexec_b32, SaveExec<U32>, (U32 a, ExecIn e)) { return {U32(e.value), U32(expression)}; }
OP_SAVEEXEC(and, a & e.value)
OP_SAVEEXEC(or, a | e.value)
OP_SAVEEXEC(xor, a ^ e.value)
OP_SAVEEXEC(andn2, a & ~e.value)
OP_SAVEEXEC(orn2, a | ~e.value)
OP_SAVEEXEC(nand, ~(a & e.value))
OP_SAVEEXEC(nor, ~(a | e.value))
OP_SAVEEXEC(xnor, ~(a ^ e.value))
OP_SAVEEXEC(andn1, ~a & e.value)
OP_SAVEEXEC(orn1, ~a | e.value)
#undef OP_SAVEEXEC
OP(s_andn1_wrexec_b64, SaveExec<U64>, (U64 a, ExecIn e)) { return {~a & e.value, ~a & e.value}; }
OP(s_andn2_wrexec_b64, SaveExec<U64>, (U64 a, ExecIn e)) { return {a & ~e.value, a & ~e.value}; }
OP(s_andn1_wrexec_b32, SaveExec<U32>, (U32 a, ExecIn e)) { return {~a & U32(e.value), ~a & U32(e.value)}; }
OP(s_andn2_wrexec_b32, SaveExec<U32>, (U32 a, ExecIn e)) { return {a & ~U32(e.value), a & ~U32(e.value)}; }

// --- 64-bit arithmetic and packing (gfx11, gfx12)
OP(s_add_nc_u64, U64, (U64 a, U64 b)) { return a + b; }
OP(s_sub_nc_u64, U64, (U64 a, U64 b)) { return a - b; }
OP(s_mul_u64, U64, (U64 a, U64 b)) { return a * b; }
OP(s_pack_hl_b32_b16, U32, (U32 a, U32 b)) { return a >> 16 | b << 16; }
