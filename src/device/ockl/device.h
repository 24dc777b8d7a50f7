// What the parts of the device runtime library (__ockl_*) share: the hidden kernel arguments and the lanes of a wave.
// Compiled as plain C++ for amdgcn without a processor; the processor is known when a program links the bitcode.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define OCKL_GLOBAL __attribute__((address_space(1)))
#define OCKL_LOCAL __attribute__((address_space(3)))
#define OCKL_CONSTANT __attribute__((address_space(4)))
// For functions whose meaning depends on which lanes are active.
#define OCKL_CONVERGENT __attribute__((convergent))

typedef long ockl_long2 __attribute__((ext_vector_type(2)));
typedef _Float16 ockl_half2 __attribute__((ext_vector_type(2)));
typedef short ockl_short2 __attribute__((ext_vector_type(2)));
typedef unsigned short ockl_ushort2 __attribute__((ext_vector_type(2)));
typedef char ockl_char4 __attribute__((ext_vector_type(4)));
typedef unsigned char ockl_uchar4 __attribute__((ext_vector_type(4)));

// The processor as a number: 1000 * major version + 100 * minor version + stepping. The driver links the constant.
extern "C" const OCKL_CONSTANT int __oclc_ISA_version;

namespace hip::device {

// Offsets of the hidden kernel arguments, counted from the end of the explicit ones (code object version 5 and later).
enum HiddenOffset : unsigned {
  kHiddenBlockCount = 0,      // 3 x uint32_t
  kHiddenGroupSize = 12,      // 3 x uint16_t
  kHiddenRemainder = 18,      // 3 x uint16_t
  kHiddenGlobalOffset = 40,   // 3 x uint64_t
  kHiddenGridDims = 64,       // uint16_t
  kHiddenPrintfBuffer = 72,   // address
  kHiddenHostcallBuffer = 80, // address
  kHiddenMultigridSync = 88,  // address
  kHiddenHeap = 96,           // address
};

template <class T> inline T hidden(unsigned offset) {
  const auto* base = static_cast<const OCKL_CONSTANT char*>(__builtin_amdgcn_implicitarg_ptr());
  return *reinterpret_cast<const OCKL_CONSTANT T*>(base + offset);
}

inline unsigned lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
inline uint64_t active_lanes() { return __builtin_amdgcn_ballot_w64(true); }

// The first active lane's value in every active lane, held in scalar registers.
inline uint32_t first_lane(uint32_t x) { return static_cast<uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(x))); }
inline uint64_t first_lane(uint64_t x) {
  return static_cast<uint64_t>(first_lane(static_cast<uint32_t>(x >> 32))) << 32 | first_lane(static_cast<uint32_t>(x));
}
inline bool is_first_lane() { return lane_id() == static_cast<unsigned>(__builtin_ctzll(active_lanes())); }

inline unsigned group_size(int axis) {
  // A group at the end of a grid that is no multiple of the group size is smaller.
  const unsigned counts[3] = {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                              __builtin_amdgcn_workgroup_id_z()};
  const bool whole = counts[axis] < hidden<uint32_t>(kHiddenBlockCount + 4 * axis);
  return hidden<uint16_t>((whole ? kHiddenGroupSize : kHiddenRemainder) + 2 * axis);
}
inline unsigned linear_local_id() {
  return (__builtin_amdgcn_workitem_id_z() * group_size(1) + __builtin_amdgcn_workitem_id_y()) * group_size(0) +
         __builtin_amdgcn_workitem_id_x();
}

inline void group_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

} // namespace hip::device
