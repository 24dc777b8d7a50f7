// runtime/engine/isa/vop_int.inl - 32-bit and 64-bit integer arithmetic, logic, shifts and bit fields.
OP(v_mov_b32, U32, (U32 a)) { return a; }
OP(v_mov_b64, W64, (W64 a)) { return a; }
OP(v_accvgpr_read_b32, U32, (U32 a)) { return a; }
OP(v_accvgpr_write_b32, U32, (U32 a)) { return a; }
OP(v_accvgpr_mov_b32, U32, (U32 a)) { return a; }
OP(v_not_b32, U32, (U32 a)) { return ~a; }
OP(v_and_b32, U32, (U32 a, U32 b)) { return a & b; }
OP(v_or_b32, U32, (U32 a, U32 b)) { return a | b; }
OP(v_xor_b32, U32, (U32 a, U32 b)) { return a ^ b; }
OP(v_xnor_b32, U32, (U32 a, U32 b)) { return ~(a ^ b); }
OP(v_bfrev_b32, U32, (U32 a)) { return __builtin_elementwise_bitreverse(a); }
OP(v_ffbh_u32, U32, (U32 a)) {
  return sel(CMP(a == splat<U32>(0)), splat<U32>(0xffffffffu), __builtin_elementwise_clzg(a, splat<U32>(32)));
}
OP(v_ffbl_b32, U32, (U32 a)) {
  return sel(CMP(a == splat<U32>(0)), splat<U32>(0xffffffffu), __builtin_elementwise_ctzg(a, splat<U32>(32)));
}
OP(v_ffbh_i32, U32, (I32 a)) {
  const U32 d = bits<U32>(a ^ (a >> 31));
  return sel(CMP(d == splat<U32>(0)), splat<U32>(0xffffffffu), __builtin_elementwise_clzg(d, splat<U32>(32)));
}
OP(v_bcnt_u32_b32, U32, (U32 a, U32 b)) { return bits<U32>(__builtin_elementwise_popcount(a)) + b; }
OP(v_mbcnt_lo_u32_b32, U32, (U32 mask, U32 add, LaneIndex lane)) {
  const U32 below = sel(CMP(lane.value >= splat<U32>(32)), splat<U32>(~0u), (splat<U32>(1) << (lane.value & 31u)) - 1u);
  return bits<U32>(__builtin_elementwise_popcount(U32(mask & below))) + add;
}
OP(v_mbcnt_hi_u32_b32, U32, (U32 mask, U32 add, LaneIndex lane)) {
  const U32 below = sel(CMP(lane.value < splat<U32>(32)), splat<U32>(0), (splat<U32>(1) << (lane.value & 31u)) - 1u);
  return bits<U32>(__builtin_elementwise_popcount(U32(mask & below))) + add;
}
OP(v_cndmask_b32, U32, (U32 a, U32 b, M m)) { return sel(m, b, a); }

// --- addition, with and without carry
OP(v_add_u32, U32, (U32 a, U32 b)) { return a + b; }
OP(v_add_u32_clamp, U32, (U32 a, U32 b)) { return __builtin_elementwise_add_sat(a, b); }
OP(v_sub_u32, U32, (U32 a, U32 b)) { return a - b; }
OP(v_sub_u32_clamp, U32, (U32 a, U32 b)) { return __builtin_elementwise_sub_sat(a, b); }
OP(v_subrev_u32, U32, (U32 a, U32 b)) { return b - a; }
OP(v_subrev_u32_clamp, U32, (U32 a, U32 b)) { return __builtin_elementwise_sub_sat(b, a); }
OP(v_add_i32, I32, (I32 a, I32 b)) { return a + b; }
OP(v_add_i32_clamp, I32, (I32 a, I32 b)) { return __builtin_elementwise_add_sat(a, b); }
OP(v_sub_i32, I32, (I32 a, I32 b)) { return a - b; }
OP(v_sub_i32_clamp, I32, (I32 a, I32 b)) { return __builtin_elementwise_sub_sat(a, b); }
OP(v_add_co_u32, U32C, (U32 a, U32 b)) { return {a + b, CMP(U32(a + b) < a)}; }
OP(v_sub_co_u32, U32C, (U32 a, U32 b)) { return {a - b, CMP(a < b)}; }
OP(v_subrev_co_u32, U32C, (U32 a, U32 b)) { return {b - a, CMP(b < a)}; }
OP(v_addc_co_u32, U32C, (U32 a, U32 b, M c)) {
  const U32 s = a + b, r = s + sel(c, splat<U32>(1), splat<U32>(0));
  return {r, CMP(s < a) | CMP(r < s)};
}
OP(v_subb_co_u32, U32C, (U32 a, U32 b, M c)) {
  const U32 d = a - b, r = d - sel(c, splat<U32>(1), splat<U32>(0));
  return {r, CMP(a < b) | CMP(d < r)};
}
OP(v_subbrev_co_u32, U32C, (U32 a, U32 b, M c)) {
  const U32 d = b - a, r = d - sel(c, splat<U32>(1), splat<U32>(0));
  return {r, CMP(b < a) | CMP(d < r)};
}
// Saturated results; the mask tells of the sum before (ERRATA 56).
OP(v_add_co_u32_clamp, U32C, (U32 a, U32 b)) { return {__builtin_elementwise_add_sat(a, b), CMP(U32(a + b) < a)}; }
OP(v_sub_co_u32_clamp, U32C, (U32 a, U32 b)) { return {__builtin_elementwise_sub_sat(a, b), CMP(a < b)}; }
OP(v_subrev_co_u32_clamp, U32C, (U32 a, U32 b)) { return {__builtin_elementwise_sub_sat(b, a), CMP(b < a)}; }
OP(v_addc_co_u32_clamp, U32C, (U32 a, U32 b, M c)) {
  const U32C r = v_addc_co_u32(a, b, c);
  return {sel(r.carry, splat<U32>(~0u), r.value), r.carry};
}
OP(v_subb_co_u32_clamp, U32C, (U32 a, U32 b, M c)) {
  const U32C r = v_subb_co_u32(a, b, c);
  return {sel(r.carry, splat<U32>(0), r.value), r.carry};
}
OP(v_subbrev_co_u32_clamp, U32C, (U32 a, U32 b, M c)) { return v_subb_co_u32_clamp(b, a, c); }
OP(v_add3_u32, U32, (U32 a, U32 b, U32 c)) { return a + b + c; }
OP(v_lshl_add_u32, U32, (U32 a, U32 n, U32 c)) { return (a << (n & 31u)) + c; }
OP(v_add_lshl_u32, U32, (U32 a, U32 b, U32 n)) { return (a + b) << (n & 31u); }
// Most addresses are sums of these two. v_add_nc_u64 exists from gfx1250 on; here v_lshl_add_u64 with a shift of 0 is lifted
// as one.
OP(v_lshl_add_u64, W64, (W64 a, U32 n, W64 c)) { return shifted_sum(a, n & 7u, c); }
OP(v_add_nc_u64, W64, (W64 a, W64 b)) { return wide_sum(a, b); }
OP(v_xad_u32, U32, (U32 a, U32 b, U32 c)) { return (a ^ b) + c; }
OP(v_sad_u32, U32, (U32 a, U32 b, U32 c)) { return absdiff(a, b) + c; }
OP(v_sad_u32_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(absdiff(a, b), c); }

// --- products
OP(v_mul_lo_u32, U32, (U32 a, U32 b)) { return a * b; }
// Bit k of the table is the result for the bits of a, b and c that k spells.
[[gnu::always_inline]] inline U32 by_truth_table(U32 a, U32 b, U32 c, U32 table) {
  U32 r = splat<U32>(0);
  for (uint32_t k = 0; k < 8; ++k) {
    const U32 here = (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    r |= here & (splat<U32>(0) - ((table >> k) & 1u));
  }
  return r;
}
OP(v_bitop3_b32, U32, (U32 a, U32 b, U32 c, Field table)) { return by_truth_table(a, b, c, table.value); }
OP(v_bitop3_b16, HU16, (U16 a, U16 b, U16 c, Field table)) {
  return {to<U16>(by_truth_table(to<U32>(a), to<U32>(b), to<U32>(c), table.value))};
}
OP(v_ashr_pk_i8_i32, HU16, (I32 a, I32 b, U32 n)) {
  const auto saturated = [&](I32 v) { return bits<U32>(imax(imin(v >> bits<I32>(n & 31u), splat<I32>(127)), splat<I32>(-128))) & 0xffu; };
  return {to<U16>(saturated(a) | (saturated(b) << 8))};
}
OP(v_ashr_pk_u8_i32, HU16, (I32 a, I32 b, U32 n)) {
  const auto saturated = [&](I32 v) { return bits<U32>(imax(imin(v >> bits<I32>(n & 31u), splat<I32>(255)), splat<I32>(0))); };
  return {to<U16>(saturated(a) | (saturated(b) << 8))};
}
OP(v_prng_b32, U32, (U32 a)) { return a << 1 ^ (bits<U32>(bits<I32>(a) >> 31) & 197u); }
OP(v_mul_hi_u32, U32, (U32 a, U32 b)) { return product(a, b).hi; }
OP(v_mul_hi_i32, U32, (I32 a, I32 b)) { return product(a, b).hi; }
OP(v_mul_i32_i24, I32, (I32 a, I32 b)) { return low24(a) * low24(b); }
OP(v_mul_u32_u24, U32, (U32 a, U32 b)) { return low24(a) * low24(b); }
OP(v_mul_hi_i32_i24, U32, (I32 a, I32 b)) { return product(low24(a), low24(b)).hi; }
OP(v_mul_hi_u32_u24, U32, (U32 a, U32 b)) { return product(low24(a), low24(b)).hi; }
OP(v_mad_i32_i24, I32, (I32 a, I32 b, I32 c)) { return low24(a) * low24(b) + c; }
OP(v_mad_u32_u24, U32, (U32 a, U32 b, U32 c)) { return low24(a) * low24(b) + c; }
OP(v_mad_u64_u32, W64C, (U32 a, U32 b, W64 c)) {
  const W64 r = wide_sum(product(a, b), c);
  return {r, is_less<U32, false>(r, c)};
}
OP(v_mad_i64_i32, W64C, (I32 a, I32 b, W64 c)) { // the mask is bit 64 of the 65-bit sum (ERRATA 22)
  const W64 p = product(a, b), r = wide_sum(p, c);
  return {r, CMP(bits<I32>(U32(((p.hi ^ r.hi) & (c.hi ^ r.hi)) ^ r.hi)) < splat<I32>(0))};
}
OP(v_mad_u64_u32_clamp, W64C, (U32 a, U32 b, W64 c)) {
  const W64C r = v_mad_u64_u32(a, b, c);
  const U32 most = splat<U32>(~0u);
  return {{sel(r.carry, most, r.value.lo), sel(r.carry, most, r.value.hi)}, r.carry};
}
OP(v_mad_i64_i32_clamp, W64C, (I32 a, I32 b, W64 c)) {
  const W64C sum = v_mad_i64_i32(a, b, c);
  const W64 p = product(a, b), r = sum.value;
  const M overflow = CMP(bits<I32>(U32((p.hi ^ r.hi) & (c.hi ^ r.hi))) < splat<I32>(0));
  const U32 sign = bits<U32>(bits<I32>(p.hi) >> splat<I32>(31));
  return {{sel(overflow, U32(~sign), r.lo), sel(overflow, U32(sign ^ 0x7fffffffu), r.hi)}, sum.carry};
}
OP(v_mad_i32_i24_clamp, I32, (I32 a, I32 b, I32 c)) { return sat32(I64(mul_wide(low24(a), low24(b)) + to<I64>(c))); }
OP(v_mad_u32_u24_clamp, U32, (U32 a, U32 b, U32 c)) { return sat32(U64(mul_wide(low24(a), low24(b)) + to<U64>(c))); }
OP(v_mad_u32_u16, U32, (U16 a, U16 b, U32 c)) { return to<U32>(a) * to<U32>(b) + c; }
OP(v_mad_i32_i16, I32, (I16 a, I16 b, I32 c)) { return to<I32>(a) * to<I32>(b) + c; }
OP(v_mad_u32_u16_clamp, U32, (U16 a, U16 b, U32 c)) { return __builtin_elementwise_add_sat(U32(to<U32>(a) * to<U32>(b)), c); }
OP(v_mad_i32_i16_clamp, I32, (I16 a, I16 b, I32 c)) { return __builtin_elementwise_add_sat(I32(to<I32>(a) * to<I32>(b)), c); }

// --- shifts
OP(v_lshlrev_b32, U32, (U32 n, U32 a)) { return a << (n & 31u); }
OP(v_lshrrev_b32, U32, (U32 n, U32 a)) { return a >> (n & 31u); }
OP(v_ashrrev_i32, I32, (U32 n, I32 a)) { return a >> bits<I32>(n & 31u); }
OP(v_lshlrev_b64, W64, (U32 n, W64 a)) { return shifted_left(a, n & 63u); }
OP(v_lshrrev_b64, W64, (U32 n, W64 a)) { return shifted_right<U32>(a, n & 63u); }
OP(v_ashrrev_i64, W64, (U32 n, W64 a)) { return shifted_right<I32>(a, n & 63u); }
OP(v_lshl_or_b32, U32, (U32 a, U32 n, U32 c)) { return (a << (n & 31u)) | c; }
OP(v_and_or_b32, U32, (U32 a, U32 b, U32 c)) { return (a & b) | c; }
OP(v_or3_b32, U32, (U32 a, U32 b, U32 c)) { return a | b | c; }
OP(v_alignbit_b32, U32, (U32 hi, U32 lo, U32 n)) { return __builtin_elementwise_fshr(hi, lo, n); }
OP(v_alignbyte_b32, U32, (U32 hi, U32 lo, U32 n)) { return __builtin_elementwise_fshr(hi, lo, n * 8u); }

// --- bit fields
OP(v_bfe_u32, U32, (U32 a, U32 offset, U32 width)) {
  return (a >> (offset & 31u)) & ((splat<U32>(1) << (width & 31u)) - 1u);
}
OP(v_bfe_i32, I32, (I32 a, U32 offset, U32 width)) {
  const I32 w = bits<I32>(width & 31u), up = (32 - w) & 31;
  const I32 field = ((a >> bits<I32>(offset & 31u)) << up) >> up;
  return sel(CMP(w == splat<I32>(0)), splat<I32>(0), field);
}
OP(v_bfi_b32, U32, (U32 mask, U32 a, U32 b)) { return (mask & a) | (~mask & b); }
OP(v_bfm_b32, U32, (U32 width, U32 offset)) { return ((splat<U32>(1) << (width & 31u)) - 1u) << (offset & 31u); }
OP(v_perm_b32, U32, (U32 hi, U32 lo, U32 selector)) {
#ifdef OMNIHIP_LIBRARY // hosts have instructions that permute bytes
  if constexpr (kLanes == 16) return to<U32>(omnihip_host_permute_bytes(to<HostU32>(hi), to<HostU32>(lo), to<HostU32>(selector)));
#endif
  const U64 data = join(lo, hi);
  U32 r = splat<U32>(0);
  for (int i = 0; i < 4; ++i) {
    const U32 s = byte_of(selector, i);
    const U32 plain = to<U32>(data >> to<U64>((s & 7u) * 8u)) & 0xffu;
    const U32 sign = to<U32>(data >> to<U64>((s & 3u) * 16u + 15u)) & 1u; // selectors 8-11: sign of bytes 1, 3, 5, 7
    U32 b = sel(CMP(s >= splat<U32>(8)), sign * 0xffu, plain);
    b = sel(CMP(s == splat<U32>(12)), splat<U32>(0), b);
    b = sel(CMP(s >= splat<U32>(13)), splat<U32>(0xff), b);
    r = r | (b << (8 * i));
  }
  return r;
}

// --- min and max
OP(v_min_i32, I32, (I32 a, I32 b)) { return imin(a, b); }
OP(v_max_i32, I32, (I32 a, I32 b)) { return imax(a, b); }
OP(v_min_u32, U32, (U32 a, U32 b)) { return imin(a, b); }
OP(v_max_u32, U32, (U32 a, U32 b)) { return imax(a, b); }
OP(v_min3_i32, I32, (I32 a, I32 b, I32 c)) { return imin(imin(a, b), c); }
OP(v_max3_i32, I32, (I32 a, I32 b, I32 c)) { return imax(imax(a, b), c); }
OP(v_min3_u32, U32, (U32 a, U32 b, U32 c)) { return imin(imin(a, b), c); }
OP(v_max3_u32, U32, (U32 a, U32 b, U32 c)) { return imax(imax(a, b), c); }
OP(v_med3_i32, I32, (I32 a, I32 b, I32 c)) { return med3(a, b, c); }
OP(v_med3_u32, U32, (U32 a, U32 b, U32 c)) { return med3(a, b, c); }

// --- bytes
OP(v_lerp_u8, U32, (U32 a, U32 b, U32 c)) {
  U32 r = splat<U32>(0);
  for (int i = 0; i < 4; ++i) r = r | (((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1u)) >> 1) << (8 * i));
  return r;
}
OP(v_sad_u8, U32, (U32 a, U32 b, U32 c)) {
  for (int i = 0; i < 4; ++i) c = c + absdiff(byte_of(a, i), byte_of(b, i));
  return c;
}
OP(v_sad_hi_u8, U32, (U32 a, U32 b, U32 c)) { return (v_sad_u8(a, b, splat<U32>(0)) << 16) + c; }
OP(v_sad_u16, U32, (U32 a, U32 b, U32 c)) { return c + absdiff(a & 0xffffu, b & 0xffffu) + absdiff(a >> 16, b >> 16); }
OP(v_msad_u8, U32, (U32 a, U32 b, U32 c)) {
  for (int i = 0; i < 4; ++i)
    c = c + sel(CMP(byte_of(b, i) == splat<U32>(0)), splat<U32>(0), absdiff(byte_of(a, i), byte_of(b, i)));
  return c;
}
OP(v_sad_u8_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(v_sad_u8(a, b, splat<U32>(0)), c); }
OP(v_sad_hi_u8_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(v_sad_hi_u8(a, b, splat<U32>(0)), c); }
OP(v_sad_u16_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(v_sad_u16(a, b, splat<U32>(0)), c); }
OP(v_msad_u8_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(v_msad_u8(a, b, splat<U32>(0)), c); }
[[gnu::always_inline]] inline U64 quad_sad(U64 a, U32 b, U64 c, bool masked, bool saturated = false) {
  U64 r = splat<U64>(0);
  for (int i = 0; i < 4; ++i) {
    const U32 window = to<U32>(a >> (8 * i)), add = to<U32>(c >> (16 * i)) & 0xffffu;
    U32 s = masked ? v_msad_u8(window, b, add) : v_sad_u8(window, b, add);
    if (saturated) s = imin(s, splat<U32>(0xffffu));
    r = r | (to<U64>(s & 0xffffu) << (16 * i));
  }
  return r;
}
OP(v_qsad_pk_u16_u8, U64, (U64 a, U32 b, U64 c)) { return quad_sad(a, b, c, false); }
OP(v_mqsad_pk_u16_u8, U64, (U64 a, U32 b, U64 c)) { return quad_sad(a, b, c, true); }
OP(v_qsad_pk_u16_u8_clamp, U64, (U64 a, U32 b, U64 c)) { return quad_sad(a, b, c, false, true); }
OP(v_mqsad_pk_u16_u8_clamp, U64, (U64 a, U32 b, U64 c)) { return quad_sad(a, b, c, true, true); }
OP(v_mqsad_u32_u8, Quad<U32>, (U64 a, U32 b, Quad<U32> c)) {
  return {v_msad_u8(to<U32>(a), b, c.x), v_msad_u8(to<U32>(a >> 8), b, c.y), v_msad_u8(to<U32>(a >> 16), b, c.z),
          v_msad_u8(to<U32>(a >> 24), b, c.w)};
}
OP(v_mqsad_u32_u8_clamp, Quad<U32>, (U64 a, U32 b, Quad<U32> c)) {
  return {v_msad_u8_clamp(to<U32>(a), b, c.x), v_msad_u8_clamp(to<U32>(a >> 8), b, c.y), v_msad_u8_clamp(to<U32>(a >> 16), b, c.z),
          v_msad_u8_clamp(to<U32>(a >> 24), b, c.w)};
}

// --- dot products of small integers
OP(v_dot2_i32_i16, I32, (PI16 a, PI16 b, I32 c)) {
  const auto joined = [](PI16 p) { return bits<I32>(U32(to<U32>(bits<U16>(p.lo)) | to<U32>(bits<U16>(p.hi)) << 16)); };
  return dot2_i16(joined(a), joined(b), c);
}
OP(v_dot2_u32_u16, U32, (PU16 a, PU16 b, U32 c)) {
  return to<U32>(a.lo) * to<U32>(b.lo) + to<U32>(a.hi) * to<U32>(b.hi) + c;
}
OP(v_dot4_i32_i8, I32, (I32 a, I32 b, I32 c)) { return dot4_i8(a, b, c); }
OP(v_dot4_u32_u8, U32, (U32 a, U32 b, U32 c)) { return dot4_u8(a, b, c); }
// One source signed (v_dot4_i32_iu8).
OP(v_dot4_i32_i8_u8, I32, (I32 a, U32 b, I32 c)) { return dot4_i8_u8(a, b, c); }
OP(v_dot4_i32_u8_i8, I32, (U32 a, I32 b, I32 c)) { return dot4_i8_u8(b, a, c); }
// Integers of four bits: two products of bytes. A signed one in the upper half of its byte is 16 times as much.
[[gnu::always_inline]] inline U32 low_fours(U32 a) { return a & 0x0f0f0f0fu; }
[[gnu::always_inline]] inline U32 high_fours(U32 a) { return low_fours(a >> 4); }
[[gnu::always_inline]] inline I32 low_fours_16(I32 a) { return bits<I32>(U32((bits<U32>(a) << 4) & 0xf0f0f0f0u)); }
[[gnu::always_inline]] inline I32 high_fours_16(I32 a) { return bits<I32>(U32(bits<U32>(a) & 0xf0f0f0f0u)); }
OP(v_dot8_i32_i4, I32, (I32 a, I32 b, I32 c)) {
  const I32 low = dot4_i8(low_fours_16(a), low_fours_16(b), splat<I32>(0));
  return c + (dot4_i8(high_fours_16(a), high_fours_16(b), low) >> 8);
}
OP(v_dot8_u32_u4, U32, (U32 a, U32 b, U32 c)) { // (no number is negative as a byte)
  const I32 low = dot4_i8_u8(bits<I32>(low_fours(a)), low_fours(b), bits<I32>(c));
  return bits<U32>(dot4_i8_u8(bits<I32>(high_fours(a)), high_fours(b), low));
}
OP(v_dot8_i32_i4_u4, I32, (I32 a, U32 b, I32 c)) {
  const I32 low = dot4_i8_u8(low_fours_16(a), low_fours(b), splat<I32>(0));
  return c + (dot4_i8_u8(high_fours_16(a), high_fours(b), low) >> 4);
}
OP(v_dot8_i32_u4_i4, I32, (U32 a, I32 b, I32 c)) { return v_dot8_i32_i4_u4(b, a, c); }
// The whole sum is saturated, not what it is made of.
OP(v_dot2_i32_i16_clamp, I32, (PI16 a, PI16 b, I32 c)) {
  return sat32(I64(to<I64>(to<I32>(a.lo)) * to<I64>(to<I32>(b.lo)) + to<I64>(to<I32>(a.hi)) * to<I64>(to<I32>(b.hi)) + to<I64>(c)));
}
OP(v_dot2_u32_u16_clamp, U32, (PU16 a, PU16 b, U32 c)) {
  return sat32(U64(mul_wide(to<U32>(a.lo), to<U32>(b.lo)) + mul_wide(to<U32>(a.hi), to<U32>(b.hi)) + to<U64>(c)));
}
OP(v_dot4_i32_i8_clamp, I32, (I32 a, I32 b, I32 c)) { return __builtin_elementwise_add_sat(v_dot4_i32_i8(a, b, splat<I32>(0)), c); }
OP(v_dot4_u32_u8_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(v_dot4_u32_u8(a, b, splat<U32>(0)), c); }
OP(v_dot8_i32_i4_clamp, I32, (I32 a, I32 b, I32 c)) { return __builtin_elementwise_add_sat(v_dot8_i32_i4(a, b, splat<I32>(0)), c); }
OP(v_dot8_u32_u4_clamp, U32, (U32 a, U32 b, U32 c)) { return __builtin_elementwise_add_sat(v_dot8_u32_u4(a, b, splat<U32>(0)), c); }
OP(v_dot2c_i32_i16, I32, (PI16 a, PI16 b, I32 d)) { return v_dot2_i32_i16(a, b, d); }
OP(v_dot4c_i32_i8, I32, (I32 a, I32 b, I32 d)) { return v_dot4_i32_i8(a, b, d); }
OP(v_dot8c_i32_i4, I32, (I32 a, I32 b, I32 d)) { return v_dot8_i32_i4(a, b, d); }

// --- register pairs: op_sel chooses which register of each source is read
OP(v_pk_mov_b32, PU32, (PU32 a, PU32 b)) { return {a.lo, b.lo}; }

// --- gfx10 and later
OP(v_xor3_b32, U32, (U32 a, U32 b, U32 c)) { return a ^ b ^ c; }
OP(v_maxmin_i32, I32, (I32 a, I32 b, I32 c)) { return imin(imax(a, b), c); }
OP(v_minmax_i32, I32, (I32 a, I32 b, I32 c)) { return imax(imin(a, b), c); }
OP(v_maxmin_u32, U32, (U32 a, U32 b, U32 c)) { return imin(imax(a, b), c); }
OP(v_minmax_u32, U32, (U32 a, U32 b, U32 c)) { return imax(imin(a, b), c); }
