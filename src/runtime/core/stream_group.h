// runtime/core/stream_group.h - what the streams of one execution context have in common: the part of the device that
// their kernels use. Lives as long as the last of them. Thread safety: does not change, but for first_waits.
#pragma once

#include "runtime/backend/compute_units.h"
#include "runtime/core/device.h"

#include <memory>
#include <vector>

namespace hip::core {

class StreamGroup {
public:
  // `mask` is empty where all compute units are used, or where the device has a partition for the context.
  StreamGroup(Device& device, const backend::ComputeUnits& units, std::vector<uint32_t> mask,
              std::unique_ptr<backend::UnitPartition> partition)
      : device_(device), units_(units), mask_(std::move(mask)), partition_(std::move(partition)) {}

  Device& device() const noexcept { return device_; }
  const backend::ComputeUnits& units() const noexcept { return units_; }
  const std::vector<uint32_t>& compute_unit_mask() const noexcept { return mask_; }
  backend::UnitPartition* partition() const noexcept { return partition_.get(); }

  FirstWaits first_waits;

private:
  Device& device_;
  const backend::ComputeUnits units_;
  const std::vector<uint32_t> mask_;
  const std::unique_ptr<backend::UnitPartition> partition_;
};

} // namespace hip::core
