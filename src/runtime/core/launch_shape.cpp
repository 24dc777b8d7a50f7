#include "runtime/core/launch_shape.h"

namespace hip::core {
namespace {

Status check_grid(const LaunchShape& shape, const backend::Kernel& kernel, const backend::DeviceProperties& device,
                  backend::Launch& launch) {
  if (is_empty(shape))
    return error(ErrorCode::InvalidConfiguration,
                 "Kernel {} is launched with a grid of {} x {} x {} and blocks of {} x {} x {}; none may be zero.",
                 kernel.name, shape.grid[0], shape.grid[1], shape.grid[2], shape.group[0], shape.group[1],
                 shape.group[2]);
  const bool in_items = shape.grid_unit == GridUnit::Items;
  for (size_t d = 0; d < 3; ++d) {
    const uint64_t items = in_items ? shape.grid[d] : uint64_t{shape.grid[d]} * shape.group[d];
    if (items > UINT32_MAX) // a packet has 32 bits for them
      return error(ErrorCode::InvalidConfiguration,
                   "Kernel {}: {} blocks of {} in dimension {} are {} work-items; a grid has at most {}.", kernel.name,
                   shape.grid[d], shape.group[d], d, items, UINT32_MAX);
    launch.grid_items[d] = static_cast<uint32_t>(items);
    launch.groups[d] = static_cast<uint32_t>((items + shape.group[d] - 1) / shape.group[d]);
  }
  for (size_t d = 0; d < 3; ++d)
    if (launch.groups[d] > device.most_groups[d])
      return error(shape.kind == LaunchKind::Cooperative ? ErrorCode::InvalidConfiguration : ErrorCode::InvalidValue,
                   "Kernel {}: a grid of {} blocks in dimension {}; the device takes {}.", kernel.name,
                   launch.groups[d], d, device.most_groups[d]);
  if (!can_be_counted(launch.groups))
    return error(ErrorCode::InvalidConfiguration, "Kernel {}: {} x {} x {} blocks are 2^64 or more.", kernel.name,
                 launch.groups[0], launch.groups[1], launch.groups[2]);
  return {};
}

Status check_group(const LaunchShape& shape, const backend::Kernel& kernel, const backend::DeviceProperties& device,
                   const backend::Launch& launch) {
  const Dim3& group = shape.group;
  bool too_large = false;
  for (size_t d = 0; d < 3; ++d) too_large |= group[d] > device.max_group_dim[d];
  const uint64_t items = too_large ? 0 : uint64_t{group[0]} * group[1] * group[2]; // cannot wrap then
  if (too_large || items > device.max_group_items)
    return error(ErrorCode::InvalidConfiguration,
                 "Kernel {}: a block of {} x {} x {} work-items; the device takes {} x {} x {}, and {} in all.",
                 kernel.name, group[0], group[1], group[2], device.max_group_dim[0], device.max_group_dim[1],
                 device.max_group_dim[2], device.max_group_items);
  for (size_t d = 0; d < 3; ++d)
    if (!device.partial_groups && launch.grid_items[d] % group[d] != 0)
      return error(ErrorCode::InvalidConfiguration,
                   "Kernel {}: {} work-items in dimension {} are no whole number of blocks of {}; the device has no "
                   "partial blocks.",
                   kernel.name, launch.grid_items[d], d, group[d]);
  const backend::KernelAttributes& k = kernel.attributes;
  if (items > k.max_group_items)
    return error(ErrorCode::LaunchFailure,
                 "Kernel {} takes at most {} work-items in a block, by its __launch_bounds__ or its registers; it is "
                 "launched with {}.",
                 kernel.name, k.max_group_items, items);
  if (k.required_group[0] != 0 && group != k.required_group)
    return error(ErrorCode::LaunchFailure,
                 "Kernel {} requires blocks of {} x {} x {}; it is launched with {} x {} x {}.", kernel.name,
                 k.required_group[0], k.required_group[1], k.required_group[2], group[0], group[1], group[2]);
  return {};
}

} // namespace

Status check_shape(const LaunchShape& shape, const backend::Kernel& kernel, const backend::DeviceProperties& device,
                   backend::Launch& launch) {
  RT_TRY(check_grid(shape, kernel, device, launch));
  RT_TRY(check_group(shape, kernel, device, launch));
  const uint64_t most = device.most_lds_bytes_per_group(), fixed = kernel.attributes.static_lds_bytes;
  if (shape.dynamic_lds_bytes > most || fixed + shape.dynamic_lds_bytes > most)
    return error(shape.kind == LaunchKind::Cooperative ? ErrorCode::CooperativeLaunchTooLarge : ErrorCode::InvalidValue,
                 "Kernel {} needs {} static and {} dynamic bytes of shared memory; a block has {}.", kernel.name, fixed,
                 shape.dynamic_lds_bytes, most);
  launch.group_items = shape.group;
  launch.dynamic_lds_bytes = static_cast<uint32_t>(shape.dynamic_lds_bytes);
  launch.cooperative = shape.kind == LaunchKind::Cooperative;
  return {};
}

} // namespace hip::core
