// smi/rocm_smi.h - what librocm_smi64.so has beyond NOT_SUPPORTED: the public header, as the library's sources and
// tests see it.
#pragma once

// In librocm_smi64.so.7 alone: programs that ask for .so.1 may be of ROCm 5, where the structure was another one.
#ifdef OMNIHIP_SMI_OF_ROCM_5
#define rsmi_dev_gpu_clk_freq_get rsmi_dev_gpu_clk_freq_get_of_rocm_6
#endif
#include <rocm_smi/rocm_smi.h>
#undef rsmi_dev_gpu_clk_freq_get

static_assert(sizeof(rsmi_device_identifiers_t) == 72 && offsetof(rsmi_device_identifiers_t, kfd_gpu_id) == 16);
static_assert(sizeof(rsmi_frequencies_t) == 280 && sizeof(rsmi_status_t) == 4);
