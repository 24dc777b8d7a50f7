#include "smi/devices.h"

#include "runtime/base/format.h"

#include <hip/hip_runtime_api.h>

#include <cstdlib>
#include <string_view>

namespace hip::smi {
namespace {

Device describe(int index, const hipDeviceProp_t& properties) {
  Device device;
  device.hip_index = index;
  device.name = properties.name;
  const std::string_view target(properties.gcnArchName);
  device.processor = target.substr(0, target.find(':'));
  device.gfx_version = std::strtoull(device.processor.c_str() + 3, nullptr, 16); // behind "gfx"
  // HIP has an AMD device's UUID as 16 hexadecimal digits.
  const std::string digits(properties.uuid.bytes, sizeof properties.uuid.bytes);
  device.unique_id = std::strtoull(digits.c_str(), nullptr, 16);
  device.uuid = fmt::format("GPU-{:016x}", device.unique_id);
  device.pci_domain = static_cast<uint32_t>(properties.pciDomainID);
  device.pci_bus = static_cast<uint8_t>(properties.pciBusID);
  device.pci_device = static_cast<uint8_t>(properties.pciDeviceID);
  device.compute_units = static_cast<uint32_t>(properties.multiProcessorCount);
  device.memory_bus_bits = static_cast<uint32_t>(properties.memoryBusWidth);
  device.memory_bytes = properties.totalGlobalMem;
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
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess) return devices;
  for (int index = 0; index < count; ++index) {
    hipDeviceProp_t properties;
    if (hipGetDeviceProperties(&properties, index) != hipSuccess) continue;
    if (std::string_view(properties.gcnArchName).starts_with("gfx")) devices.push_back(describe(index, properties));
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
  int current = 0;
  size_t free_bytes = 0, total_bytes = 0;
  if (hipGetDevice(&current) != hipSuccess || hipSetDevice(device.hip_index) != hipSuccess) return std::nullopt;
  const bool known = hipMemGetInfo(&free_bytes, &total_bytes) == hipSuccess;
  static_cast<void>(hipSetDevice(current));
  if (!known) return std::nullopt;
  return total_bytes - free_bytes;
}

bool can_access_peer(const Device& from, const Device& to) {
  if (from.hip_index == to.hip_index) return true; // HIP calls no device its own peer
  int can = 0;
  return hipDeviceCanAccessPeer(&can, from.hip_index, to.hip_index) == hipSuccess && can != 0;
}

} // namespace hip::smi
