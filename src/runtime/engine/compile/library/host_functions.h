// runtime/engine/compile/library/host_functions.h - what isa/helpers.inl leaves to the host when it is compiled for the translator's
// library (OMNIHIP_LIBRARY). Library says which of the functions of lanes.cpp and halves.cpp they are.
#pragma once

#include "runtime/engine/isa/value.h"

extern "C" {
using HostF32 = hip::engine::isa::Lane<16>::F32;
using HostU32 = hip::engine::isa::Lane<16>::U32;
HostF32 omnihip_host_fma_to_odd(HostF32 a, HostF32 b, HostF32 c);
HostF32 omnihip_host_ldexp(HostF32 a, hip::engine::isa::Lane<16>::I32 n);
HostF32 omnihip_host_scaled(HostF32 p, HostF32 n);
HostF32 omnihip_host_rsqrt(HostF32 a);
HostU32 omnihip_host_fma_half(HostU32 a, HostU32 b, HostU32 c);
HostU32 omnihip_host_fma_halves(HostU32 a, HostU32 b, HostU32 c);
}
