// runtime/hsa/tables.h - the tables of functions that every exported function goes through: what tools and the checks
// (hsa_check/) change. Thread safety: a pointer may be replaced while others call; who calls sees the old or the new
// one.
#pragma once

#include <hsa/hsa_api_trace.h>

namespace hip::hsa {

HsaApiTable& api_table() noexcept;
// The library's own functions everywhere.
void reset_api_table() noexcept;
// Puts the functions of the checks that OMNIHIP_HSA_CHECK asks for into the tables. The runtime is initialised.
void check_api_table();

} // namespace hip::hsa
