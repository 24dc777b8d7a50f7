// runtime/hsa/loader.h - AMD's loader extension as a table of functions. Thread safety: any thread.
#pragma once

#include <hsa/hsa_ven_amd_loader.h>

namespace hip::hsa {

const hsa_ven_amd_loader_1_03_pfn_t& loader_table() noexcept;

} // namespace hip::hsa
