// runtime/hsa/implementation_names.h - the symbols of the library's function bodies. The exported functions are jumps
// through the tables that tools may change (tables.cpp), so the body of hsa_init is the symbol omnihip_hsa_init. A file
// that defines functions of the interface, or calls one past the tables, includes this first (entry.h does).
#pragma once

#include <hsa/hsa_api_trace.h>

#define HSA_BODY(name) extern "C" decltype(::name) name __asm__("omnihip_" #name);
#define HSA_CORE(name) HSA_BODY(name)
#define HSA_AMD(name) HSA_BODY(name)
#define HSA_FINALIZER(name) HSA_BODY(name)
#define HSA_IMAGE(name) HSA_BODY(name)
#define HSA_PC_SAMPLING(name) HSA_BODY(name)
#include <hsa/hsa_api_tables.def>
#define HSA_OLDER(older, name)
#define HSA_UNTABLED(name) HSA_BODY(name)
#include "runtime/hsa/exports.def"
#undef HSA_OLDER
#undef HSA_UNTABLED
#undef HSA_BODY
