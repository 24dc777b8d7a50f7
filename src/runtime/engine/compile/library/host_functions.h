// runtime/engine/compile/library/host_functions.h - what isa/helpers.inl leaves to the host when it is compiled for the
// translator's library (OMNIHIP_LIBRARY). Library says which of the functions of lanes.cpp, halves.cpp and dots.cpp
// they are.
#pragma once

#include "runtime/engine/isa/value.h"

extern "C" {
using HostF32 = hip::engine::isa::Lane<16>::F32;
using HostU32 = hip::engine::isa::Lane<16>::U32;
using HostF64 = hip::engine::isa::Lane<16>::F64;
using HostI32 = hip::engine::isa::Lane<16>::I32;
HostF32 omnihip_host_fma_to_odd(HostF32 a, HostF32 b, HostF32 c);
HostF32 omnihip_host_ldexp(HostF32 a, HostI32 n);
HostF32 omnihip_host_scaled(HostF32 p, HostF32 n);
HostF32 omnihip_host_rsqrt(HostF32 a);
HostF32 omnihip_host_min_f32(HostF32 a, HostF32 b);
HostF32 omnihip_host_max_f32(HostF32 a, HostF32 b);
HostF64 omnihip_host_min_f64(HostF64 a, HostF64 b);
HostF64 omnihip_host_max_f64(HostF64 a, HostF64 b);
HostU32 omnihip_host_permute_bytes(HostU32 high, HostU32 low, HostU32 selector); // v_perm_b32
HostU32 omnihip_host_fma_half(HostU32 a, HostU32 b, HostU32 c);
HostU32 omnihip_host_fma_halves(HostU32 a, HostU32 b, HostU32 c);
// c and the products of the signed halves, of the bytes (signed, unsigned), or of signed by unsigned ones of a and b.
HostI32 omnihip_host_dot2_i16(HostI32 a, HostI32 b, HostI32 c);
HostI32 omnihip_host_dot4_i8(HostI32 a, HostI32 b, HostI32 c);
HostU32 omnihip_host_dot4_u8(HostU32 a, HostU32 b, HostU32 c);
HostI32 omnihip_host_dot4_i8_u8(HostI32 a, HostU32 b, HostI32 c);
}
