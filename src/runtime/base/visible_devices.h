// runtime/base/visible_devices.h - HIP_VISIBLE_DEVICES and its kin: which of the enumerated devices a program sees, and
// in which order. A pure function on text.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace hip {

// Indices into `uuids` that `list` selects: comma-separated indices or UUIDs ("GPU-" and 16 hexadecimal digits). As
// users know it, the list ends at the first entry that names no device, and a repeated device is ignored.
std::vector<size_t> select_devices(std::string_view list, std::span<const std::string_view> uuids);

} // namespace hip
