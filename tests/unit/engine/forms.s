// Instruction forms that compiled kernels seldom hold; assembled for the decoder's test.
v_add_f32_e64 v0, -v1, |v2| clamp mul:2
v_fma_f64 v[0:1], v[2:3], 2.0, v[4:5]
v_mul_f64 v[0:1], v[2:3], s[0:1] div:2
s_mov_b64 s[0:1], 0x1234567
v_add_f16 v0, 1.0, v1
v_pk_add_f16 v0, 1.0, v1 op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] neg_hi:[0,1]
v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel_hi:[0,1,1]
v_fmac_f32_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0x3
v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:DWORD
v_cmp_eq_u32_sdwa vcc, v0, v1 src0_sel:BYTE_0 src1_sel:DWORD
v_cmp_lt_f32_e64 s[4:5], |v1|, -v0
v_addc_co_u32_e32 v0, vcc, 0, v1, vcc
v_addc_co_u32_e64 v0, s[2:3], 0, v1, s[4:5]
v_cndmask_b32_e64 v0, -v1, v2, s[4:5]
v_readlane_b32 s3, v1, s4
v_readfirstlane_b32 s3, v1
v_writelane_b32 v0, s1, 2
v_swap_b32 v0, v1
v_fmamk_f32 v0, v1, 0x42424242, v2
v_fmaak_f32 v0, v1, v2, 0x42424242
v_mad_u64_u32 v[0:1], s[0:1], v2, v3, v[4:5]
v_div_scale_f32 v0, vcc, v1, v2, v3
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15] cbsz:1 abid:2 blgp:3
v_smfmac_f32_16x16x32_f16 a[0:3], v[0:1], v[2:5], v6 cbsz:1
v_accvgpr_read_b32 v0, a1
v_accvgpr_write_b32 a0, v1
global_load_dwordx4 v[0:3], v[4:5], off offset:-16 sc0 sc1 nt
global_store_dwordx4 v[0:1], a[2:5], off
global_atomic_add v0, v1, v2, s[2:3] sc0
global_atomic_cmpswap v[0:1], v[2:3], off
global_load_short_d16_hi v0, v1, s[2:3] offset:4095
flat_load_dword v0, v[2:3] offset:4095
flat_atomic_add_f64 v[0:1], v[2:3]
scratch_load_dword v0, v1, s3 offset:4
scratch_load_dword v0, v1, off offset:-4
scratch_load_dword v0, off, s3 offset:4
scratch_load_dword v0, off, off offset:4
scratch_store_dword v1, v0, s3 offset:-4
scratch_store_dword off, v0, s3 offset:4
scratch_store_dwordx4 off, v[0:3], off offset:4
scratch_load_short_d16 v0, v1, s3
ds_read_b32 v0, v1 offset:65535
ds_read2st64_b64 v[0:3], v4 offset0:3 offset1:5
ds_write2_b32 v0, v1, v2 offset0:3 offset1:5
ds_cmpst_rtn_b32 v0, v1, v2, v3
ds_append v0 offset:8
ds_bpermute_b32 v0, v1, v2 offset:4
ds_read_u16_d16_hi v0, v1
ds_read_addtid_b32 v0 offset:4
ds_write_addtid_b32 v0 offset:4
s_load_dwordx4 s[0:3], s[4:5], 0x10
s_load_dword s0, s[4:5], s6
s_load_dword s0, s[4:5], s6 offset:0x10
s_buffer_load_dword s0, s[4:7], 0x10
s_store_dword s0, s[4:5], 0x10
s_memtime s[0:1]
s_dcache_wb
s_call_b64 s[0:1], 4
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s1
s_cmpk_eq_u32 s0, 0x1234
s_addk_i32 s0, 0xfffb
s_bitset0_b32 s0, s1
s_cmp_eq_u32 vcc_lo, m0
s_mov_b64 s[0:1], src_shared_base
s_and_saveexec_b64 s[0:1], vcc
s_swappc_b64 s[30:31], s[4:5]
buffer_load_dword v0, v1, s[8:11], s3 offen offset:8
buffer_store_dword v0, off, s[8:11], 0 offset:8
buffer_load_short_d16 v0, v1, s[8:11], s3 offen
buffer_atomic_add v0, v[2:3], s[8:11], s3 idxen offen sc0
buffer_inv sc1
buffer_wbl2 sc0 sc1
v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]
v_pack_b32_f16 v0, v1, v2 op_sel:[1,0,0]
v_med3_f16 v0, v1, v2, v3 op_sel:[1,0,1,1] clamp
v_cvt_i32_f32_e64 v0, -v1 clamp
v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[0,1]
v_cmp_class_f32_e64 s[0:1], v1, v2
s_endpgm
