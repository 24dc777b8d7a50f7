/* Calls the library for watching GPUs from C. */
#include <rocm_smi/rocm_smi.h>

#include <stdio.h>

int main(void) {
  uint32_t devices = 0;
  uint64_t bytes = 0;
  if (rsmi_init(0) != RSMI_STATUS_SUCCESS) return 1;
  if (rsmi_num_monitor_devices(&devices) != RSMI_STATUS_SUCCESS || devices == 0) return 2;
  if (rsmi_dev_memory_total_get(0, RSMI_MEM_TYPE_VRAM, &bytes) != RSMI_STATUS_SUCCESS || bytes == 0) return 3;
  if (rsmi_shut_down() != RSMI_STATUS_SUCCESS) return 4;
  puts("right");
  return 0;
}
