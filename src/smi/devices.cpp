#include "smi/devices.h"

#include "runtime/api/found_devices.h"
#include "runtime/base/format.h"

#include <cstdlib>
#include <string_view>

namespace hip::smi {
namespace {

Device describe(uint32_t index, const OmnihipFoundDevice& found) {
  Device device;
  device.found_index = index;
  device.name = found.name;
  const std::string_view target(found.target);
  device.processor = target.substr(0, target.find(':'));
  device.gfx_version = std::strtoull(device.processor.c_str() + 3, nullptr, 16); // behind "gfx"
  // HIP has an AMD device's UUID as 16 hexadecimal digits.
  const std::string digits(reinterpret_cast<const char*>(found.uuid), sizeof found.uuid);
  device.unique_id = std::strtoull(digits.c_str(), nullptr, 16);
  device.uuid = fmt::format("GPU-{:016x}", device.unique_id);
  device.pci_domain = found.pci_domain;
  device.pci_bus = static_cast<uint8_t>(found.pci_bus);
  device.pci_device = static_cast<uint8_t>(found.pci_device);
  device.compute_units = found.compute_units;
  device.memory_bus_bits = found.memory_bus_bits;
  device.memory_bytes = found.memory_bytes;
  return device;
}

} // namespace

std::string Device::bdf_text() const { return fmt::format("{:04x}:{:02x}:{:02x}.0", pci_domain, pci_bus, pci_device); }

std::optional<Card> Device::card() const {
  if (is_software()) return std::nullopt;
  Card card(bdf_text(), sysfs_root);
  return card.exists() ? std::optional(std::move(card)) : std::nullopt;
}

std::vector<Device> list_devices() {
  std::vector<Device> devices;
  const uint32_t count = __omnihipFoundDevices();
  for (uint32_t index = 0; index < count; ++index) {
    OmnihipFoundDevice found;
    if (!__omnihipDescribeFound(index, &found)) continue;
    if (std::string_view(found.target).starts_with("gfx")) devices.push_back(describe(index, found));
  }
  return devices;
}

std::optional<uint64_t> total_memory(const Device& device, Card::Memory memory) {
  if (const auto card = device.card())
    if (const auto total = card->memory_bytes(memory)) return total;
  return memory == Card::Memory::Gtt ? std::nullopt : std::optional(device.memory_bytes);
}

std::optional<uint64_t> used_memory(const Device& device, Card::Memory memory) {
  if (const auto card = device.card())
    if (const auto used = card->used_memory_bytes(memory)) return used;
  if (memory == Card::Memory::Gtt) return std::nullopt;
  uint64_t free_bytes = 0, total_bytes = 0;
  if (!__omnihipFoundMemory(device.found_index, &free_bytes, &total_bytes)) return std::nullopt;
  return total_bytes - free_bytes;
}

bool can_access_peer(const Device& from, const Device& to) {
  if (from.found_index == to.found_index) return true; // the runtime calls no device its own peer
  return __omnihipFoundPeerAccess(from.found_index, to.found_index);
}

} // namespace hip::smi
