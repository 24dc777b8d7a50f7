// smi/amd_smi.h - what libamd_smi.so has beyond NOT_SUPPORTED. Numbers and layouts are those of AMD SMI 27 (10.1).
//
// Devices are those that librocm_smi64 shows. Each is the only processor of a socket of its own. Functions return
// NOT_INIT before amdsmi_init and INVAL for no processor's handle or a null pointer. Numbers that a software GPU does
// not have are all ones, texts empty. Thread safety: any thread.
#pragma once

#include <cstddef>
#include <cstdint>

// Others than these five are in no file of the driver's.
enum amdsmi_clk_type_t : int {
  AMDSMI_CLK_TYPE_SYS = 0,
  AMDSMI_CLK_TYPE_DF = 1,
  AMDSMI_CLK_TYPE_DCEF = 2,
  AMDSMI_CLK_TYPE_SOC = 3,
  AMDSMI_CLK_TYPE_MEM = 4
};
// Others than these three are in no file of the driver's, and of their values only the present ones.
enum amdsmi_temperature_type_t : int {
  AMDSMI_TEMPERATURE_TYPE_EDGE = 0,
  AMDSMI_TEMPERATURE_TYPE_HOTSPOT = 1,
  AMDSMI_TEMPERATURE_TYPE_VRAM = 2
};
enum amdsmi_temperature_metric_t : int { AMDSMI_TEMP_CURRENT = 0 };
struct amdsmi_frequencies_t {
  bool has_deep_sleep; // the first level
  uint32_t num_supported;
  uint32_t current; // index; UINT32_MAX: none
  uint64_t frequency[33];
};
struct amdsmi_clk_info_t {
  uint32_t clk; // MHz; UINT32_MAX: not known
  uint32_t min_clk, max_clk;
  uint8_t clk_locked, clk_deep_sleep;
  uint32_t reserved[4];
};
// UINT32_MAX in any member: not known.
struct amdsmi_power_info_t {
  uint64_t socket_power; // W; what a card has of the next two
  uint32_t current_socket_power, average_socket_power;
  uint64_t gfx_voltage, soc_voltage, mem_voltage; // mV
  uint32_t power_limit;                           // W
  uint64_t reserved[18];
};
static_assert(sizeof(amdsmi_power_info_t) == 192 && offsetof(amdsmi_power_info_t, average_socket_power) == 12 &&
              offsetof(amdsmi_power_info_t, power_limit) == 40 && offsetof(amdsmi_power_info_t, reserved) == 48);

extern "C" {

enum amdsmi_status_t : uint32_t {
  AMDSMI_STATUS_SUCCESS = 0,
  AMDSMI_STATUS_INVAL = 1,
  AMDSMI_STATUS_NOT_SUPPORTED = 2,
  AMDSMI_STATUS_API_FAILED = 7,
  AMDSMI_STATUS_OUT_OF_RESOURCES = 15,
  AMDSMI_STATUS_INTERNAL_EXCEPTION = 16,
  AMDSMI_STATUS_NOT_FOUND = 31,
  AMDSMI_STATUS_NOT_INIT = 32,
  AMDSMI_STATUS_INSUFFICIENT_SIZE = 41,
};

enum amdsmi_processor_type_t : int { AMDSMI_PROCESSOR_TYPE_UNKNOWN = 0, AMDSMI_PROCESSOR_TYPE_AMD_GPU = 1 };
enum amdsmi_memory_type_t : int { AMDSMI_MEM_TYPE_VRAM = 0, AMDSMI_MEM_TYPE_VIS_VRAM = 1, AMDSMI_MEM_TYPE_GTT = 2 };
enum amdsmi_virtualization_mode_t : int { AMDSMI_VIRTUALIZATION_MODE_UNKNOWN = 0 };
inline constexpr uint64_t AMDSMI_INIT_AMD_GPUS = 2;

using amdsmi_processor_handle = void*;
using amdsmi_socket_handle = void*;

union amdsmi_bdf_t {
  struct {
    uint64_t function_number : 3;
    uint64_t device_number : 5;
    uint64_t bus_number : 8;
    uint64_t domain_number : 48;
  } bdf;
  uint64_t as_uint;
};

struct amdsmi_asic_info_t {
  char market_name[256];
  uint32_t vendor_id;
  char vendor_name[256];
  uint32_t subvendor_id;
  uint64_t device_id;
  uint32_t rev_id;
  char asic_serial[256];
  uint32_t oam_id;
  uint32_t num_of_compute_units;
  uint64_t target_graphics_version;
  uint32_t subsystem_id;
  uint64_t flags;
  uint32_t physical_acc_id;
  uint32_t chip_rev_id;
  uint32_t external_rev_id;
  uint32_t reserved[15];
};
static_assert(sizeof(amdsmi_asic_info_t) == 896 && offsetof(amdsmi_asic_info_t, device_id) == 520 &&
              offsetof(amdsmi_asic_info_t, target_graphics_version) == 800);

struct amdsmi_board_info_t {
  char model_number[256], product_serial[256], fru_id[256], product_name[256], manufacturer_name[256];
  uint64_t reserved[64];
};
static_assert(sizeof(amdsmi_board_info_t) == 1792);

struct amdsmi_vram_info_t {
  int vram_type; // 0: not known
  char vram_vendor[256];
  uint64_t vram_size; // MiB
  uint32_t vram_bit_width;
  uint64_t vram_max_bandwidth; // GB/s
  uint64_t reserved[37];
};
static_assert(sizeof(amdsmi_vram_info_t) == 584 && offsetof(amdsmi_vram_info_t, vram_size) == 264);

struct amdsmi_vram_usage_t {
  uint32_t vram_total, vram_used; // MiB; used by this process
  uint32_t reserved[2];
};
struct amdsmi_engine_usage_t {
  uint32_t gfx_activity, umc_activity, mm_activity; // percent
  uint32_t reserved[13];
};
struct amdsmi_driver_info_t {
  char driver_version[256], driver_date[256], driver_name[256];
};
struct amdsmi_kfd_info_t {
  uint64_t kfd_id;
  uint32_t node_id, current_partition_id;
  uint32_t reserved[12];
};
struct amdsmi_enumeration_info_t {
  uint32_t drm_render, drm_card, hsa_id, hip_id;
  char hip_uuid[256];
  uint32_t oam_id, physical_acc_id;
};
struct amdsmi_version_t {
  uint32_t major, minor, release;
  const char* build;
};
static_assert(sizeof(amdsmi_vram_usage_t) == 16 && sizeof(amdsmi_engine_usage_t) == 64 &&
              sizeof(amdsmi_driver_info_t) == 768 && sizeof(amdsmi_kfd_info_t) == 64 &&
              sizeof(amdsmi_enumeration_info_t) == 280 && sizeof(amdsmi_version_t) == 24);

amdsmi_status_t amdsmi_init(uint64_t flags);
amdsmi_status_t amdsmi_shut_down();
amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t* version);
amdsmi_status_t amdsmi_status_code_to_string(amdsmi_status_t status, const char** text);

// Lists: with a null destination *count gets their number; else *count handles at most are written, and counted.
amdsmi_status_t amdsmi_get_socket_handles(uint32_t* count, amdsmi_socket_handle* sockets);
amdsmi_status_t amdsmi_get_socket_info(amdsmi_socket_handle socket, size_t bytes, char* name);
amdsmi_status_t amdsmi_get_processor_handles(amdsmi_socket_handle socket, uint32_t* count,
                                             amdsmi_processor_handle* processors);
amdsmi_status_t amdsmi_get_processor_handles_by_type(amdsmi_socket_handle socket, amdsmi_processor_type_t type,
                                                     amdsmi_processor_handle* processors, uint32_t* count);
amdsmi_status_t amdsmi_get_processor_count_from_handles(amdsmi_processor_handle* processors, uint32_t* count,
                                                        uint32_t* cpu_sockets, uint32_t* cpu_cores, uint32_t* gpus);
amdsmi_status_t amdsmi_get_processor_type(amdsmi_processor_handle processor, amdsmi_processor_type_t* type);
amdsmi_status_t amdsmi_get_processor_info(amdsmi_processor_handle processor, size_t bytes, char* name);
amdsmi_status_t amdsmi_get_processor_handle_from_bdf(amdsmi_bdf_t bdf, amdsmi_processor_handle* processor);

amdsmi_status_t amdsmi_get_gpu_device_bdf(amdsmi_processor_handle processor, amdsmi_bdf_t* bdf);
amdsmi_status_t amdsmi_get_gpu_bdf_id(amdsmi_processor_handle processor, uint64_t* bdf_id); // as ROCm SMI counts it
amdsmi_status_t amdsmi_get_gpu_device_uuid(amdsmi_processor_handle processor, unsigned* bytes, char* uuid);
amdsmi_status_t amdsmi_get_gpu_vendor_name(amdsmi_processor_handle processor, char* name, size_t bytes);
amdsmi_status_t amdsmi_get_gpu_asic_info(amdsmi_processor_handle processor, amdsmi_asic_info_t* info);
amdsmi_status_t amdsmi_get_gpu_board_info(amdsmi_processor_handle processor, amdsmi_board_info_t* info);
amdsmi_status_t amdsmi_get_gpu_vram_info(amdsmi_processor_handle processor, amdsmi_vram_info_t* info);
amdsmi_status_t amdsmi_get_gpu_vram_usage(amdsmi_processor_handle processor, amdsmi_vram_usage_t* usage);
amdsmi_status_t amdsmi_get_gpu_memory_total(amdsmi_processor_handle processor, amdsmi_memory_type_t type,
                                            uint64_t* bytes);
amdsmi_status_t amdsmi_get_gpu_memory_usage(amdsmi_processor_handle processor, amdsmi_memory_type_t type,
                                            uint64_t* bytes);
amdsmi_status_t amdsmi_get_gpu_activity(amdsmi_processor_handle processor, amdsmi_engine_usage_t* usage);
amdsmi_status_t amdsmi_get_gpu_busy_percent(amdsmi_processor_handle processor, uint32_t* percent);
// Of a card: what the kernel's driver says (card.h). Temperatures are degrees, without their fractions.
amdsmi_status_t amdsmi_get_temp_metric(amdsmi_processor_handle processor, amdsmi_temperature_type_t type,
                                       amdsmi_temperature_metric_t metric, int64_t* degrees);
amdsmi_status_t amdsmi_get_power_info(amdsmi_processor_handle processor, amdsmi_power_info_t* info);
amdsmi_status_t amdsmi_get_gpu_pci_replay_counter(amdsmi_processor_handle processor, uint64_t* count);
amdsmi_status_t amdsmi_get_clk_freq(amdsmi_processor_handle processor, amdsmi_clk_type_t type,
                                    amdsmi_frequencies_t* frequencies);
amdsmi_status_t amdsmi_get_clock_info(amdsmi_processor_handle processor, amdsmi_clk_type_t type,
                                      amdsmi_clk_info_t* info);
amdsmi_status_t amdsmi_get_gpu_driver_info(amdsmi_processor_handle processor, amdsmi_driver_info_t* info);
amdsmi_status_t amdsmi_get_gpu_kfd_info(amdsmi_processor_handle processor, amdsmi_kfd_info_t* info);
amdsmi_status_t amdsmi_get_gpu_enumeration_info(amdsmi_processor_handle processor, amdsmi_enumeration_info_t* info);
amdsmi_status_t amdsmi_get_gpu_virtualization_mode(amdsmi_processor_handle processor,
                                                   amdsmi_virtualization_mode_t* mode);
amdsmi_status_t amdsmi_is_gpu_power_management_enabled(amdsmi_processor_handle processor, bool* enabled);
amdsmi_status_t amdsmi_is_P2P_accessible(amdsmi_processor_handle from, amdsmi_processor_handle to, bool* accessible);
}
