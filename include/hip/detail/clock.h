// Clocks and waiting: clock64 counts shader clock cycles, wall_clock64 ticks of the constant-rate timer
// (hipDeviceAttributeWallClockRate tells its rate in kHz).
#ifndef HIP_DETAIL_CLOCK_H
#define HIP_DETAIL_CLOCK_H

#include <hip/detail/qualifiers.h>

#if defined(__NVPTX__)
__device__ static inline long long __clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__device__ static inline long long wall_clock64() { return __nvvm_read_ptx_sreg_globaltimer(); }
__device__ static inline unsigned int __smid() { return __nvvm_read_ptx_sreg_smid(); }
#else
// readcyclecounter and readsteadycounter become the counter of each family (s_memtime, s_getreg SHADER_CYCLES;
// s_memrealtime, s_sendmsg_rtn REALTIME).
__device__ static inline long long __clock64() { return static_cast<long long>(__builtin_readcyclecounter()); }
__device__ static inline long long wall_clock64() { return static_cast<long long>(__builtin_readsteadycounter()); }

// The operand of s_getreg for bits of a hardware register, by AMD's name, as programs read such registers themselves.
#define GETREG_IMMED(width_less_1, offset, id) (((width_less_1) << 11) | ((offset) << 6) | (id))

// Number of the compute unit that the wave runs on, made from the fields of the HW_ID register: not dense, unique per
// device.
__device__ static inline unsigned int __smid() {
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  unsigned int wgp = __builtin_amdgcn_s_getreg(GETREG_IMMED(3, 10, 23)); // HW_ID1.WGP_ID
  unsigned int sa = __builtin_amdgcn_s_getreg(GETREG_IMMED(0, 16, 23));  // HW_ID1.SA_ID
  unsigned int se = __builtin_amdgcn_s_getreg(GETREG_IMMED(2, 18, 23));  // HW_ID1.SE_ID
  return se << 5 | sa << 4 | wgp;
#else
  unsigned int cu = __builtin_amdgcn_s_getreg(GETREG_IMMED(3, 8, 4));  // HW_ID.CU_ID
  unsigned int sh = __builtin_amdgcn_s_getreg(GETREG_IMMED(0, 12, 4)); // HW_ID.SH_ID
#if defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__)
  unsigned int se = __builtin_amdgcn_s_getreg(GETREG_IMMED(2, 13, 4));  // HW_ID.SE_ID
  unsigned int xcc = __builtin_amdgcn_s_getreg(GETREG_IMMED(3, 0, 20)); // XCC_ID
  return xcc << 8 | se << 5 | sh << 4 | cu;
#else
  unsigned int se = __builtin_amdgcn_s_getreg(GETREG_IMMED(1, 13, 4)); // HW_ID.SE_ID
  return se << 5 | sh << 4 | cu;
#endif
#endif
}
#endif

__device__ static inline long long __clock() { return __clock64(); }
__device__ static inline long long clock64() { return __clock64(); }
__device__ static inline long long clock() { return __clock64(); }

// Waits for about `ns` nanoseconds, at least one pause instruction.
__device__ static inline void __nanosleep(unsigned int ns) {
#if defined(__NVPTX__)
  __nvvm_nanosleep(ns);
#else
  // One s_sleep step is 64 cycles, taken as 32 ns.
  for (unsigned int slept_ns = 0; slept_ns <= ns; slept_ns += 32) __builtin_amdgcn_s_sleep(1);
#endif
}

#endif
