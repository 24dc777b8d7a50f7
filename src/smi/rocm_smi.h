// smi/rocm_smi.h - what librocm_smi64.so has beyond NOT_SUPPORTED. Numbers and layouts are those of ROCm SMI 7 (and 6).
//
// Functions of a device return RSMI_STATUS_INIT_ERROR before rsmi_init, and INVALID_ARGS for no device or a null
// pointer. Texts are cut to `bytes`, with INSUFFICIENT_SIZE. Thread safety: any thread.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

enum rsmi_status_t : uint32_t {
  RSMI_STATUS_SUCCESS = 0,
  RSMI_STATUS_INVALID_ARGS = 1,
  RSMI_STATUS_NOT_SUPPORTED = 2,
  RSMI_STATUS_FILE_ERROR = 3,
  RSMI_STATUS_PERMISSION = 4,
  RSMI_STATUS_OUT_OF_RESOURCES = 5,
  RSMI_STATUS_INTERNAL_EXCEPTION = 6,
  RSMI_STATUS_INPUT_OUT_OF_BOUNDS = 7,
  RSMI_STATUS_INIT_ERROR = 8,
  RSMI_STATUS_NOT_YET_IMPLEMENTED = 9,
  RSMI_STATUS_NOT_FOUND = 10,
  RSMI_STATUS_INSUFFICIENT_SIZE = 11,
  RSMI_STATUS_INTERRUPT = 12,
  RSMI_STATUS_UNEXPECTED_SIZE = 13,
  RSMI_STATUS_NO_DATA = 14,
  RSMI_STATUS_UNEXPECTED_DATA = 15,
  RSMI_STATUS_BUSY = 16,
  RSMI_STATUS_REFCOUNT_OVERFLOW = 17,
  RSMI_STATUS_SETTING_UNAVAILABLE = 18,
  RSMI_STATUS_AMDGPU_RESTART_ERR = 19,
  RSMI_STATUS_DRM_ERROR = 20,
  RSMI_STATUS_FAIL_LOAD_MODULE = 21,
  RSMI_STATUS_FAIL_LOAD_SYMBOL = 22,
  RSMI_STATUS_UNKNOWN_ERROR = 0xffffffff,
};

enum rsmi_memory_type_t : int { RSMI_MEM_TYPE_VRAM = 0, RSMI_MEM_TYPE_VIS_VRAM = 1, RSMI_MEM_TYPE_GTT = 2 };
enum rsmi_temperature_type_t : int { RSMI_TEMP_TYPE_EDGE = 0, RSMI_TEMP_TYPE_JUNCTION = 1, RSMI_TEMP_TYPE_MEMORY = 2 };
enum rsmi_temperature_metric_t : int { RSMI_TEMP_CURRENT = 0 };
// Others than these five are in no file of the driver's.
enum rsmi_clk_type_t : int {
  RSMI_CLK_TYPE_SYS = 0,
  RSMI_CLK_TYPE_DF = 1,
  RSMI_CLK_TYPE_DCEF = 2,
  RSMI_CLK_TYPE_SOC = 3,
  RSMI_CLK_TYPE_MEM = 4
};
enum rsmi_sw_component_t : int { RSMI_SW_COMP_DRIVER = 0 };

struct rsmi_version_t {
  uint32_t major, minor, patch;
  const char* build;
};

// As ROCm 6 and 7 have it.
struct rsmi_frequencies_t {
  bool has_deep_sleep; // the first level
  uint32_t num_supported;
  uint32_t current; // index; UINT32_MAX: none
  uint64_t frequency[33];
};

struct rsmi_device_identifiers_t {
  uint32_t card_index;
  uint32_t drm_render_minor; // UINT32_MAX: a software GPU has none
  uint64_t bdfid;
  uint64_t kfd_gpu_id; // UINT64_MAX: likewise
  uint32_t partition_id;
  uint32_t smi_device_id;
  uint32_t reserved[10];
};
static_assert(sizeof(rsmi_device_identifiers_t) == 72 && offsetof(rsmi_device_identifiers_t, kfd_gpu_id) == 16);

rsmi_status_t rsmi_init(uint64_t flags); // any number of times; devices are looked for by the first
rsmi_status_t rsmi_shut_down();          // as many times as rsmi_init
rsmi_status_t rsmi_num_monitor_devices(uint32_t* count);
rsmi_status_t rsmi_status_string(rsmi_status_t status, const char** text);
rsmi_status_t rsmi_version_get(rsmi_version_t* version);
rsmi_status_t rsmi_version_str_get(rsmi_sw_component_t component, char* text, uint32_t bytes);

rsmi_status_t rsmi_dev_vendor_id_get(uint32_t device, uint16_t* id);
rsmi_status_t rsmi_dev_name_get(uint32_t device, char* name, size_t bytes);
rsmi_status_t rsmi_dev_brand_get(uint32_t device, char* brand, uint32_t bytes);
rsmi_status_t rsmi_dev_vendor_name_get(uint32_t device, char* name, size_t bytes);
rsmi_status_t rsmi_dev_market_name_get(uint32_t device, char* name, uint32_t bytes);
rsmi_status_t rsmi_dev_unique_id_get(uint32_t device, uint64_t* id);
rsmi_status_t rsmi_dev_node_id_get(uint32_t device, uint32_t* node); // behind the host's node, 0
rsmi_status_t rsmi_dev_device_identifiers_get(uint32_t device, rsmi_device_identifiers_t* identifiers);
rsmi_status_t rsmi_dev_pci_id_get(uint32_t device, uint64_t* bdf_id);
rsmi_status_t rsmi_dev_target_graphics_version_get(uint32_t device, uint64_t* version); // 0x942
rsmi_status_t rsmi_dev_partition_id_get(uint32_t device, uint32_t* partition);
rsmi_status_t rsmi_dev_memory_total_get(uint32_t device, rsmi_memory_type_t type, uint64_t* bytes);
rsmi_status_t rsmi_dev_memory_usage_get(uint32_t device, rsmi_memory_type_t type, uint64_t* bytes); // see devices.h
rsmi_status_t rsmi_dev_busy_percent_get(uint32_t device, uint32_t* percent);
// Of a card: what the kernel's driver says (card.h).
rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, rsmi_temperature_metric_t metric,
                                       int64_t* millidegrees);
rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t* microwatts); // of sensor 0
rsmi_status_t rsmi_dev_pci_replay_counter_get(uint32_t device, uint64_t* count);
// In librocm_smi64.so.7 alone: programs that ask for .so.1 may be of ROCm 5, where the structure was another one.
#ifndef OMNIHIP_SMI_OF_ROCM_5
rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t device, rsmi_clk_type_t type, rsmi_frequencies_t* frequencies);
#endif
rsmi_status_t rsmi_is_P2P_accessible(uint32_t from, uint32_t to, bool* accessible);
}
