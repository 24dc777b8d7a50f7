#include "runtime/api/found_devices.h"

#include "runtime/api/api.h"

#include <cstring>

namespace hip::api {

namespace {

// Null for an index that is none.
const core::FoundDevice* found_device(uint32_t index) {
  if (!core::initialise().ok()) return nullptr;
  const auto all = core::found_devices();
  return index < all.size() ? &all[index] : nullptr;
}

} // namespace

uint32_t __omnihipFoundDevices() {
  return core::initialise().ok() ? static_cast<uint32_t>(core::found_devices().size()) : 0;
}

bool __omnihipDescribeFound(uint32_t index, OmnihipFoundDevice* device) {
  const core::FoundDevice* const found = found_device(index);
  if (!found || !device) return false;
  const backend::DeviceProperties& properties = found->hal->properties();
  *device = {};
  device->name = properties.name.c_str();
  device->target = properties.target.c_str();
  static_assert(sizeof device->uuid == sizeof properties.uuid);
  std::memcpy(device->uuid, properties.uuid.data(), sizeof device->uuid);
  device->pci_domain = properties.pci_domain;
  device->pci_bus = properties.pci_bus;
  device->pci_device = properties.pci_device;
  device->compute_units = properties.compute_units;
  device->memory_bus_bits = properties.memory_bus_bits;
  device->memory_bytes = properties.memory_bytes;
  return true;
}

bool __omnihipFoundMemory(uint32_t index, uint64_t* free_bytes, uint64_t* total_bytes) {
  const core::FoundDevice* const found = found_device(index);
  if (!found || !free_bytes || !total_bytes) return false;
  auto info = found->hal->memory_info();
  if (!info.ok()) return false;
  *free_bytes = info->free_bytes;
  *total_bytes = info->total_bytes;
  return true;
}

bool __omnihipFoundPeerAccess(uint32_t from, uint32_t to) {
  const core::FoundDevice* const first = found_device(from);
  const core::FoundDevice* const second = found_device(to);
  // A back end knows links between its own devices alone.
  if (!first || !second || first == second || first->group != second->group) return false;
  return first->hal->peer_link(*second->hal).access;
}

} // namespace hip::api
