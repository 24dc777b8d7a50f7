// runtime/backend/cuda/partitions.h - parts of a GPU's multiprocessors through the driver ("green contexts",
// CUDA 12.5). A part is a context beside the primary one that shares its memory and its code: streams of it are used as
// all others. Thread safety: any thread.
#pragma once

#include "runtime/backend/compute_units.h"
#include "runtime/backend/cuda/context.h"

namespace hip::cuda {

class Partition final : public backend::UnitPartition {
public:
  Partition(Context& context, CUgreenCtx green) noexcept : context_(context), green_(green) {}
  ~Partition() override;
  Result<CUstream> create_stream(int priority);

private:
  Context& context_;
  const CUgreenCtx green_;
};

class Partitions final : public backend::UnitPartitions {
public:
  // Null where the driver is older.
  static std::unique_ptr<Partitions> create(Context& context, CUdevice device, int major);
  Result<backend::ComputeUnits> all() override;
  Status split_evenly(backend::ComputeUnits* result, uint32_t& groups, const backend::ComputeUnits& input,
                      backend::ComputeUnits* rest, uint32_t flags, uint32_t least) override;
  Status split(backend::ComputeUnits* result, std::span<backend::UnitGroup> groups, const backend::ComputeUnits& input,
               backend::ComputeUnits* rest) override;
  Result<std::unique_ptr<backend::UnitPartition>> create(std::span<const backend::ComputeUnits> parts) override;

private:
  Partitions(Context& context, CUdevice device, int major) noexcept
      : context_(context), device_(device), major_(major) {}
  void complete(backend::ComputeUnits& units) const noexcept;
  backend::ComputeUnits of_driver(const backend::ComputeUnits& units) const noexcept;

  Context& context_;
  const CUdevice device_;
  const int major_; // of the compute capability
};

} // namespace hip::cuda
