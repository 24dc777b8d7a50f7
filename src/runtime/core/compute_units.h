// runtime/core/compute_units.h - a device's compute units and how programs divide them. A resource says itself which
// units it means, so nothing is kept of it; who made it is known by a mark. Devices whose driver divides its units
// (backend::UnitPartitions) do so here, too. Thread safety: keeps no state.
#pragma once

#include "runtime/backend/compute_units.h"
#include "runtime/core/device.h"

#include <span>
#include <vector>

namespace hip::core {

using backend::ComputeUnits;
using backend::UnitGroup;

// All units of a device.
Result<ComputeUnits> all_compute_units(Device& device);
// Those of a mask, a bit for each; all of an empty one.
ComputeUnits units_of_mask(Device& device, std::span<const uint32_t> mask);

// Flags of split_evenly: hipDevSmResourceSplitByCount_flags.
inline constexpr unsigned kIgnoreCoscheduling = 1, kLargestClusters = 2;
// Groups of the same size, of at least `least` units: `groups` of them at most, which gets their number. A null
// `result` asks for the number of groups that there can be. `rest` may be null, and has type 0 when nothing is left.
// Errors: InvalidDevice for a resource that was not made here; NotSupported for kIgnoreCoscheduling.
Status split_evenly(ComputeUnits* result, unsigned& groups, const ComputeUnits& input, ComputeUnits* rest,
                    unsigned flags, unsigned least);
// A group for each of `groups`, which get what was chosen where they ask for 0. Errors: InvalidDevice,
// InvalidResourceConfiguration.
Status split(ComputeUnits* result, std::span<UnitGroup> groups, const ComputeUnits& input, ComputeUnits* rest);

// Checks parts that are to be one context: of one device and of one division. The device. Errors: InvalidDevice,
// InvalidResourceConfiguration.
Result<Device*> check_together(std::span<const ComputeUnits> parts);
// A part of the device that has all these units; null with an empty mask where that is the whole device. Error:
// NotSupported.
struct UnitSet {
  ComputeUnits units;
  std::vector<uint32_t> mask;
  std::unique_ptr<backend::UnitPartition> partition;
};
Result<UnitSet> take_together(Device& device, std::span<const ComputeUnits> parts);

} // namespace hip::core
