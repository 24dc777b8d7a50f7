#include "runtime/backend/cuda/partitions.h"

#include "runtime/base/own.h"

namespace hip::cuda {

using backend::ComputeUnits, backend::UnitGroup;

namespace {
constexpr unsigned kGreenDefaultStream = 1;
} // namespace

// ---- a part --------------------------------------------------------------------------------------------------------

Partition::~Partition() {
  // Errors are dropped, because a destructor cannot report them; a context that is lost has lost its parts.
  if (context_.enter().ok()) static_cast<void>(context_.driver().cuGreenCtxDestroy(green_));
}

Result<CUstream> Partition::create_stream(int priority) {
  CUstream stream = nullptr;
  RT_TRY(context_.check(context_.driver().cuGreenCtxStreamCreate(&stream, green_, kStreamNonBlocking, priority),
                        "cuGreenCtxStreamCreate"));
  return stream;
}

// ---- dividing ------------------------------------------------------------------------------------------------------

std::unique_ptr<Partitions> Partitions::create(Context& context, CUdevice device, int major) {
  const Driver& d = context.driver();
  if (!d.cuDeviceGetDevResource || !d.cuDevSmResourceSplitByCount || !d.cuDevResourceGenerateDesc ||
      !d.cuGreenCtxCreate || !d.cuGreenCtxDestroy || !d.cuGreenCtxStreamCreate)
    return nullptr;
  return std::unique_ptr<Partitions>(new Partitions(context, device, major));
}

// Drivers before CUDA 13.0 keep to these numbers and do not tell them ("CUDA Driver API", cuDevSmResourceSplitByCount).
// What a driver tells, it wants back as it was.
void Partitions::complete(ComputeUnits& units) const noexcept {
  if (units.type != ComputeUnits::kType || units.least != 0 || units.alignment != 0) return;
  units.least = major_ >= 9 ? 8 : major_ == 8 ? 4 : major_ == 7 ? 2 : 1;
  units.alignment = major_ >= 9 ? 8 : major_ >= 7 ? 2 : 1;
  units.completed = 1;
}

ComputeUnits Partitions::of_driver(const ComputeUnits& units) const noexcept {
  ComputeUnits plain = units;
  plain.next = nullptr;
  if (plain.completed) plain.least = plain.alignment = plain.flags = plain.completed = 0;
  return plain;
}

Result<ComputeUnits> Partitions::all() {
  RT_TRY(context_.enter());
  ComputeUnits units;
  RT_TRY(context_.check(context_.driver().cuDeviceGetDevResource(device_, &units, ComputeUnits::kType),
                        "cuDeviceGetDevResource"));
  complete(units);
  return units;
}

Status Partitions::split_evenly(ComputeUnits* result, uint32_t& groups, const ComputeUnits& input, ComputeUnits* rest,
                                uint32_t flags, uint32_t least) {
  RT_TRY(context_.enter());
  const ComputeUnits plain = of_driver(input);
  RT_TRY(context_.check(context_.driver().cuDevSmResourceSplitByCount(result, &groups, &plain, rest, flags, least),
                        "cuDevSmResourceSplitByCount"));
  for (uint32_t i = 0; result && i < groups; ++i) complete(result[i]);
  if (rest) complete(*rest);
  return {};
}

Status Partitions::split(ComputeUnits* result, std::span<UnitGroup> groups, const ComputeUnits& input,
                         ComputeUnits* rest) {
  const Driver& driver = context_.driver();
  if (!driver.cuDevSmResourceSplit)
    return error(ErrorCode::NotSupported, "{}: groups of different sizes need CUDA 13.1; the driver has {}.",
                 context_.name(), version_text(driver.version));
  RT_TRY(context_.enter());
  const ComputeUnits plain = of_driver(input);
  return context_.check(
      driver.cuDevSmResourceSplit(result, static_cast<unsigned>(groups.size()), &plain, rest, 0, groups.data()),
      "cuDevSmResourceSplit");
}

Result<std::unique_ptr<backend::UnitPartition>> Partitions::create(std::span<const ComputeUnits> parts) {
  RT_TRY(context_.enter());
  const Driver& driver = context_.driver();
  std::vector<ComputeUnits> plain;
  for (const ComputeUnits& part : parts) plain.push_back(of_driver(part));
  CUdevResourceDesc description = nullptr;
  RT_TRY(
      context_.check(driver.cuDevResourceGenerateDesc(&description, plain.data(), static_cast<unsigned>(plain.size())),
                     "cuDevResourceGenerateDesc"));
  CUgreenCtx green = nullptr;
  RT_TRY(
      context_.check(driver.cuGreenCtxCreate(&green, description, device_, kGreenDefaultStream), "cuGreenCtxCreate"));
  return own([&] { return std::unique_ptr<backend::UnitPartition>(std::make_unique<Partition>(context_, green)); },
             [&] { static_cast<void>(driver.cuGreenCtxDestroy(green)); });
}

} // namespace hip::cuda
