// tools/smi_device.h - what librocm_smi64 says of each device, for rocm-smi and amd-smi.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hip::tools {

struct SmiDevice {
  struct Memory {
    std::optional<uint64_t> total_bytes, used_bytes;
  };
  uint32_t index = 0, node = 0;
  std::string busy_percent = "N/A";           // of the software GPUs, or of a card
  std::string name, vendor, processor, place; // place: "ffff:00:00.0"
  uint64_t unique_id = 0, memory_bytes = 0, used_bytes = 0;
  Memory visible, gtt; // what of its memory the host sees, and what of the host's memory it may use
  // Of a card; nothing where it has no such sensor, and for a software GPU.
  std::optional<int64_t> edge_millidegrees, junction_millidegrees, memory_millidegrees;
  std::optional<int64_t> power_microwatts, core_hertz, memory_hertz;
};

// Empty, with a line on standard error in the name of `tool`, when there is none and when the library fails.
std::vector<SmiDevice> smi_devices(const char* tool);
std::string hexadecimal(uint64_t value); // "0x942"
std::string digits16(uint64_t value);    // "0000000000000942"

} // namespace hip::tools
