// Preloaded into rocm-smi and amd-smi, the first device has the sensors of a card and a unique id that begins with
// zeros; the second one has nothing of both.
#include <rocm_smi/rocm_smi.h>

#define CARD_EXPORT extern "C" __attribute__((visibility("default")))

CARD_EXPORT rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, rsmi_temperature_metric_t,
                                                   int64_t* millidegrees) {
  if (device != 0 || sensor == RSMI_TEMP_TYPE_MEMORY) return RSMI_STATUS_NOT_SUPPORTED;
  *millidegrees = sensor == RSMI_TEMP_TYPE_EDGE ? 41500 : 52000;
  return RSMI_STATUS_SUCCESS;
}

CARD_EXPORT rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t, uint64_t* microwatts) {
  if (device != 0) return RSMI_STATUS_NOT_SUPPORTED;
  *microwatts = 87'000'000;
  return RSMI_STATUS_SUCCESS;
}

// The memory's clock is off.
CARD_EXPORT rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t device, rsmi_clk_type_t type, rsmi_frequencies_t* to) {
  if (device != 0) return RSMI_STATUS_NOT_SUPPORTED;
  *to = {};
  to->num_supported = 2;
  to->current = type == RSMI_CLK_TYPE_SYS ? 1 : UINT32_MAX;
  to->frequency[0] = 500'000'000;
  to->frequency[1] = 2'100'000'000;
  return RSMI_STATUS_SUCCESS;
}

CARD_EXPORT rsmi_status_t rsmi_dev_unique_id_get(uint32_t device, uint64_t* id) {
  *id = 0xab + device;
  return RSMI_STATUS_SUCCESS;
}
