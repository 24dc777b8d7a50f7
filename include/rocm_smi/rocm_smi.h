// rocm_smi/rocm_smi.h - questions about the GPUs of a machine: what librocm_smi64.so answers of ROCm SMI 7's interface, with its names,
// numbers and layouts. Link with -lrocm_smi64. The library exports the rest of the interface, too, which is not declared here: those
// functions return RSMI_STATUS_NOT_SUPPORTED.
//
// Devices are all of AMD's and all software GPUs, those that HIP_VISIBLE_DEVICES and its kin hide from HIP among them, in the order
// in which HIP numbers them without these variables. Functions of a device return RSMI_STATUS_INIT_ERROR before rsmi_init, and
// RSMI_STATUS_INVALID_ARGS for no device or a null pointer. Texts are cut to the number of bytes given, with
// RSMI_STATUS_INSUFFICIENT_SIZE. Thread safety: any thread.
#ifndef ROCM_SMI_ROCM_SMI_H
#define ROCM_SMI_ROCM_SMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Enumerations have a fixed size in both languages.
#ifdef __cplusplus
#define RSMI_ENUMERATION(name, type) enum name : type
extern "C" {
#else
#define RSMI_ENUMERATION(name, type) \
  typedef type name;                 \
  enum
#endif

RSMI_ENUMERATION(rsmi_status_t, uint32_t) {
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
#ifdef __cplusplus
  RSMI_STATUS_UNKNOWN_ERROR = 0xffffffff
#else
  RSMI_STATUS_UNKNOWN_ERROR = -1 // the same number: C's enumerators are ints
#endif
};

RSMI_ENUMERATION(rsmi_memory_type_t, int) { RSMI_MEM_TYPE_VRAM = 0, RSMI_MEM_TYPE_VIS_VRAM = 1, RSMI_MEM_TYPE_GTT = 2 };
RSMI_ENUMERATION(rsmi_temperature_type_t, int) { RSMI_TEMP_TYPE_EDGE = 0, RSMI_TEMP_TYPE_JUNCTION = 1, RSMI_TEMP_TYPE_MEMORY = 2 };
RSMI_ENUMERATION(rsmi_temperature_metric_t, int) { RSMI_TEMP_CURRENT = 0 };
// Others than these five are in no file of the driver's.
RSMI_ENUMERATION(rsmi_clk_type_t, int) {
  RSMI_CLK_TYPE_SYS = 0,
  RSMI_CLK_TYPE_DF = 1,
  RSMI_CLK_TYPE_DCEF = 2,
  RSMI_CLK_TYPE_SOC = 3,
  RSMI_CLK_TYPE_MEM = 4
};
RSMI_ENUMERATION(RSMI_IO_LINK_TYPE, int) {
  RSMI_IOLINK_TYPE_UNDEFINED = 0,
  RSMI_IOLINK_TYPE_PCIEXPRESS = 1,
  RSMI_IOLINK_TYPE_XGMI = 2
};
RSMI_ENUMERATION(rsmi_sw_component_t, int) { RSMI_SW_COMP_DRIVER = 0 };
#undef RSMI_ENUMERATION

typedef struct {
  uint32_t major, minor, patch;
  const char* build;
} rsmi_version_t;

// As ROCm 6 and 7 have it.
typedef struct {
  bool has_deep_sleep; // the first level
  uint32_t num_supported;
  uint32_t current; // index; UINT32_MAX: none
  uint64_t frequency[33];
} rsmi_frequencies_t;

typedef struct {
  uint32_t card_index;
  uint32_t drm_render_minor; // UINT32_MAX: a software GPU has none
  uint64_t bdfid;
  uint64_t kfd_gpu_id; // UINT64_MAX: likewise
  uint32_t partition_id;
  uint32_t smi_device_id;
  uint32_t reserved[10];
} rsmi_device_identifiers_t;

rsmi_status_t rsmi_init(uint64_t flags); // any number of times; devices are looked for by the first
rsmi_status_t rsmi_shut_down(void);      // as many times as rsmi_init
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
// Of a card, what the kernel's driver counts of all processes. A software GPU's memory is all visible; it has no GTT.
rsmi_status_t rsmi_dev_memory_total_get(uint32_t device, rsmi_memory_type_t type, uint64_t* bytes);
rsmi_status_t rsmi_dev_memory_usage_get(uint32_t device, rsmi_memory_type_t type, uint64_t* bytes);
rsmi_status_t rsmi_dev_busy_percent_get(uint32_t device, uint32_t* percent);
// Of a card, what the kernel's driver says; of a software GPU RSMI_STATUS_NOT_SUPPORTED.
rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, rsmi_temperature_metric_t metric, int64_t* millidegrees);
rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t* microwatts); // of sensor 0
rsmi_status_t rsmi_dev_pci_replay_counter_get(uint32_t device, uint64_t* count);
rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t device, rsmi_clk_type_t type, rsmi_frequencies_t* frequencies); // Hz
// A device can access its own memory.
rsmi_status_t rsmi_is_P2P_accessible(uint32_t from, uint32_t to, bool* accessible);
// Of two software GPUs; of cards RSMI_STATUS_NOT_SUPPORTED.
rsmi_status_t rsmi_topo_get_link_type(uint32_t from, uint32_t to, uint64_t* hops, RSMI_IO_LINK_TYPE* type);
rsmi_status_t rsmi_topo_get_link_weight(uint32_t from, uint32_t to, uint64_t* weight);

#ifdef __cplusplus
}
#endif

#endif
