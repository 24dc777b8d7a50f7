#include "smi_device.h"

#include "smi/rocm_smi.h"

#include <cstdio>

namespace hip::tools {

std::string hexadecimal(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

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
    if (uint32_t percent = 0; rsmi_dev_busy_percent_get(i, &percent) == RSMI_STATUS_SUCCESS)
      device.busy_percent = std::to_string(percent);
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
