// smi/devices.h - the devices that the smi libraries tell of, as HIP's runtime describes them: those, too, that
// HIP_VISIBLE_DEVICES and its kin hide from HIP. Thread safety: any thread.
#pragma once

#include "smi/card.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hip::smi {

inline constexpr uint16_t kVendorId = 0x1002; // whose instruction set a device executes: clients look for AMD's
inline constexpr const char* kVendorName = "Advanced Micro Devices, Inc. [AMD/ATI]";

inline constexpr uint32_t kSoftwareDomain = 0xffff; // PCI domain of software GPUs, which no real bus has

struct Device {
  // In the runtime's list (runtime/api/found_devices.h): HIP's number of the device where nothing hides others.
  uint32_t found_index = 0;
  std::string name;         // "AMD Instinct MI300X (software)"
  std::string processor;    // "gfx942"
  std::string uuid;         // "GPU-" and 16 hexadecimal digits: unique_id
  uint64_t gfx_version = 0; // the processor's digits, as hexadecimal ones: 0x942
  uint64_t unique_id = 0;
  uint32_t pci_domain = 0;
  uint8_t pci_bus = 0, pci_device = 0;
  uint32_t compute_units = 0;
  uint32_t memory_bus_bits = 0;
  uint64_t memory_bytes = 0;       // as HIP says
  std::string sysfs_root = "/sys"; // where its card() is looked for

  bool is_software() const noexcept { return pci_domain == kSoftwareDomain; }
  // As ROCm counts it: domain << 32 | bus << 8 | device << 3 | function.
  uint64_t bdf_id() const noexcept {
    return uint64_t{pci_domain} << 32 | uint64_t{pci_bus} << 8 | uint64_t{pci_device} << 3;
  }
  std::string bdf_text() const; // "ffff:00:00.0"
  // What the kernel's driver says of it; nothing for a software GPU.
  std::optional<Card> card() const;
};

// AMD's devices and software GPUs, in the order in which HIP numbers them without the variables that hide some; none
// when HIP cannot be initialised.
std::vector<Device> list_devices();

// The kinds of memory, which both libraries number alike; nothing for another number.
inline std::optional<Card::Memory> memory_of(int type) noexcept {
  return type >= 0 && type <= static_cast<int>(Card::Memory::Gtt) ? std::optional(static_cast<Card::Memory>(type))
                                                                  : std::nullopt;
}
// Of a card, what its driver counts, so that total and use are of one count. Else HIP's, for which all memory of the
// device is visible; nothing for GTT.
std::optional<uint64_t> total_memory(const Device& device, Card::Memory memory);
// Memory that is in use on a card, or that this process uses of the one that software GPUs share, in bytes; nothing
// when HIP does not say.
std::optional<uint64_t> used_memory(const Device& device, Card::Memory memory);
// A device can access its own memory. Devices that HIP hides are no exception: what their driver says holds.
bool can_access_peer(const Device& from, const Device& to);

} // namespace hip::smi
