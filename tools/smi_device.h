// tools/smi_device.h - what librocm_smi64 says of each device, for rocm-smi and amd-smi.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hip::tools {

struct SmiDevice {
  uint32_t index = 0, node = 0;
  std::string busy_percent = "N/A";           // of a card
  std::string name, vendor, processor, place; // place: "ffff:00:00.0"
  uint64_t unique_id = 0, memory_bytes = 0, used_bytes = 0;
};

// Empty, with a line on standard error in the name of `tool`, when there is none and when the library fails.
std::vector<SmiDevice> smi_devices(const char* tool);
std::string hexadecimal(uint64_t value); // "0x942"

} // namespace hip::tools
