#include "smi_device.h"

#include "smi/rocm_smi.h"

#include <cstdio>

namespace hip::tools {

std::string hexadecimal(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string digits16(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

namespace {

SmiDevice::Memory memory_of(uint32_t device, rsmi_memory_type_t type) {
  SmiDevice::Memory memory;
  if (uint64_t bytes = 0; rsmi_dev_memory_total_get(device, type, &bytes) == RSMI_STATUS_SUCCESS)
    memory.total_bytes = bytes;
  if (uint64_t bytes = 0; rsmi_dev_memory_usage_get(device, type, &bytes) == RSMI_STATUS_SUCCESS)
    memory.used_bytes = bytes;
  return memory;
}

std::optional<int64_t> temperature_of(uint32_t device, rsmi_temperature_type_t sensor) {
  int64_t millidegrees = 0;
  if (rsmi_dev_temp_metric_get(device, sensor, RSMI_TEMP_CURRENT, &millidegrees) != RSMI_STATUS_SUCCESS)
    return std::nullopt;
  return millidegrees;
}

std::optional<int64_t> hertz_of(uint32_t device, rsmi_clk_type_t clock) {
  rsmi_frequencies_t levels{};
  if (rsmi_dev_gpu_clk_freq_get(device, clock, &levels) != RSMI_STATUS_SUCCESS) return std::nullopt;
  if (levels.current >= levels.num_supported) return std::nullopt; // the clock is off
  return static_cast<int64_t>(levels.frequency[levels.current]);
}

void read_sensors(SmiDevice& device) {
  const uint32_t i = device.index;
  if (uint32_t percent = 0; rsmi_dev_busy_percent_get(i, &percent) == RSMI_STATUS_SUCCESS)
    device.busy_percent = std::to_string(percent);
  device.edge_millidegrees = temperature_of(i, RSMI_TEMP_TYPE_EDGE);
  device.junction_millidegrees = temperature_of(i, RSMI_TEMP_TYPE_JUNCTION);
  device.memory_millidegrees = temperature_of(i, RSMI_TEMP_TYPE_MEMORY);
  if (uint64_t power = 0; rsmi_dev_power_ave_get(i, 0, &power) == RSMI_STATUS_SUCCESS)
    device.power_microwatts = static_cast<int64_t>(power);
  device.core_hertz = hertz_of(i, RSMI_CLK_TYPE_SYS);
  device.memory_hertz = hertz_of(i, RSMI_CLK_TYPE_MEM);
}

} // namespace

std::vector<SmiDevice> smi_devices(const char* tool) {
  std::vector<SmiDevice> devices;
  rsmi_status_t status = rsmi_init(0);
  uint32_t count = 0;
  if (status == RSMI_STATUS_SUCCESS) status = rsmi_num_monitor_devices(&count);
  const auto take = [&](rsmi_status_t result) {
    if (status == RSMI_STATUS_SUCCESS) status = result;
  };
  for (uint32_t i = 0; i < count && status == RSMI_STATUS_SUCCESS; ++i) {
    SmiDevice device;
    device.index = i;
    char name[256] = "", vendor[256] = "", place[32];
    uint64_t version = 0, bdf = 0;
    take(rsmi_dev_name_get(i, name, sizeof name));
    take(rsmi_dev_vendor_name_get(i, vendor, sizeof vendor));
    take(rsmi_dev_target_graphics_version_get(i, &version));
    take(rsmi_dev_pci_id_get(i, &bdf));
    take(rsmi_dev_node_id_get(i, &device.node));
    take(rsmi_dev_unique_id_get(i, &device.unique_id));
    take(rsmi_dev_memory_total_get(i, RSMI_MEM_TYPE_VRAM, &device.memory_bytes));
    take(rsmi_dev_memory_usage_get(i, RSMI_MEM_TYPE_VRAM, &device.used_bytes));
    device.visible = memory_of(i, RSMI_MEM_TYPE_VIS_VRAM);
    device.gtt = memory_of(i, RSMI_MEM_TYPE_GTT);
    read_sensors(device);
    std::snprintf(place, sizeof place, "%04x:%02x:%02x.%x", static_cast<unsigned>(bdf >> 32),
                  static_cast<unsigned>(bdf >> 8 & 0xff), static_cast<unsigned>(bdf >> 3 & 0x1f),
                  static_cast<unsigned>(bdf & 7));
    device.name = name;
    device.vendor = vendor;
    device.place = place;
    device.processor = "gfx" + hexadecimal(version).substr(2);
    devices.push_back(device);
  }
  if (status == RSMI_STATUS_SUCCESS) {
    if (devices.empty()) std::fprintf(stderr, "%s: error: there is no device\n", tool);
    return devices;
  }
  const char* words = "";
  rsmi_status_string(status, &words);
  std::fprintf(stderr, "%s: error: the devices cannot be read: %s\n", tool, words);
  return {};
}

} // namespace hip::tools
