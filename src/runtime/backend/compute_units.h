// runtime/backend/compute_units.h - parts of a device's compute units, and queues on them. Devices with
// compute_unit_masks need no more than a mask for a queue (QueueOptions); a device whose driver divides its units
// itself has UnitPartitions. Plain structures as programs hold them: HIP's and CUDA's layout. Thread safety: any
// thread.
#pragma once

#include "runtime/backend/backend.h"

namespace hip::backend {

// hipDevResource, CUdevResource, of type kComputeUnits.
struct ComputeUnits {
  static constexpr int32_t kType = 1;
  int32_t type = kType;
  std::array<uint32_t, 23> which{}; // units, as who divides them says it
  uint32_t count = 0, least = 0, alignment = 0, flags = 0;
  uint32_t mark = 0; // these two are core's: a driver sees 0
  int32_t device = 0;
  uint32_t completed = 0; // the back end's: `least` and `alignment` are not the driver's, which knows none
  std::array<uint32_t, 3> unused{};
  ComputeUnits* next = nullptr;
};
static_assert(sizeof(ComputeUnits) == 144 && offsetof(ComputeUnits, count) == 96 &&
              offsetof(ComputeUnits, next) == 136);

// hipDevSmResourceGroupParams: 0 asks for what fits.
struct UnitGroup {
  static constexpr uint32_t kBackfill = 1;
  uint32_t count = 0, coscheduled = 0, preferred = 0, flags = 0;
  std::array<uint32_t, 12> unused{};
};
static_assert(sizeof(UnitGroup) == 64);

// A part of a device. Outlives the queues that are made on it (QueueOptions).
class UnitPartition {
public:
  virtual ~UnitPartition() = default;
};

class UnitPartitions {
public:
  virtual ~UnitPartitions() = default;
  virtual Result<ComputeUnits> all() = 0;
  // Groups of one size; `groups` says how many are wanted, and then how many there are. `result` and `rest` may be
  // null.
  virtual Status split_evenly(ComputeUnits* result, uint32_t& groups, const ComputeUnits& input, ComputeUnits* rest,
                              uint32_t flags, uint32_t least) = 0;
  // A result for each group; the same.
  virtual Status split(ComputeUnits* result, std::span<UnitGroup> groups, const ComputeUnits& input,
                       ComputeUnits* rest) = 0;
  virtual Result<std::unique_ptr<UnitPartition>> create(std::span<const ComputeUnits> parts) = 0;
};

} // namespace hip::backend
