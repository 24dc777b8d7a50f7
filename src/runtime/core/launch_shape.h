// runtime/core/launch_shape.h - whether a device and a kernel take a launch's grid, blocks and shared memory. This is
// decided here and nowhere else: every entry point that launches ends here, and back ends trust what has passed.
//
// | what is wrong                                            | error                                                  |
// |----------------------------------------------------------|--------------------------------------------------------|
// | a dimension of the grid or of the block is zero          | InvalidConfiguration                                   |
// | 2^32 work-items or more in a dimension of the grid       | InvalidConfiguration                                   |
// | more blocks in a dimension than the device takes         | InvalidValue; InvalidConfiguration when cooperative    |
// | 2^64 blocks or more                                      | InvalidConfiguration                                   |
// | a larger block than the device takes                     | InvalidConfiguration                                   |
// | a partial block on a device that has whole ones only     | InvalidConfiguration                                   |
// | a block that the kernel was not compiled for             | LaunchFailure                                          |
// | more shared memory than a block has                      | InvalidValue; CooperativeLaunchTooLarge when cooperative
// | a cooperative grid that the device does not hold at once | CooperativeLaunchTooLarge (launch.cpp)                 |
//
// Where several are wrong, the first row counts. HIP documents these answers for the launches of HIP 7; that of the
// first row is AMD's HIP 7.2's own, and three entry points make hipErrorInvalidValue of it, as there (api/launch.cpp).
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/core/thread_state.h"

namespace hip::core {

enum class LaunchKind { Plain, Cooperative };
enum class GridUnit { Groups, Items }; // Items: hipExtModuleLaunchKernel, hipHccModuleLaunchKernel

struct LaunchShape {
  Dim3 grid{};
  Dim3 group{};
  size_t dynamic_lds_bytes = 0;
  GridUnit grid_unit = GridUnit::Groups;
  LaunchKind kind = LaunchKind::Plain;
};

inline bool is_empty(const LaunchShape& shape) noexcept {
  for (size_t d = 0; d < 3; ++d)
    if (shape.grid[d] == 0 || shape.group[d] == 0) return true;
  return false;
}

// Whether the number of blocks fits 64 bits.
inline bool can_be_counted(const std::array<uint32_t, 3>& groups) noexcept {
  uint64_t count = 0;
  return !__builtin_mul_overflow(uint64_t{groups[0]} * groups[1], uint64_t{groups[2]}, &count);
}

// Fills in the fields of `launch` that are about the shape.
Status check_shape(const LaunchShape& shape, const backend::Kernel& kernel, const backend::DeviceProperties& device,
                   backend::Launch& launch);

// Whether a plain launch is certain to pass check_shape; `launch` has groups, group_items and dynamic_lds_bytes.
// Decides the usual case in a few cache lines of code, because between two launches the driver or the kernel has had
// the processor's caches to itself. When it returns false, check_shape decides. Sets grid_items when true.
inline bool surely_fits(backend::Launch& launch, const backend::Kernel& kernel,
                        const backend::DeviceProperties& device) noexcept {
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t groups = launch.groups[d], group = launch.group_items[d];
    const uint64_t total = uint64_t{groups} * group;
    if (group > device.max_group_dim[d] || groups > device.most_groups[d] || total - 1 >= UINT32_MAX) // also zero
      return false;
    launch.grid_items[d] = static_cast<uint32_t>(total);
  }
  if (!can_be_counted(launch.groups)) return false;
  const backend::KernelAttributes& k = kernel.attributes;
  const std::array<uint32_t, 3>& group = launch.group_items;
  const uint64_t group_items = uint64_t{group[0]} * group[1] * group[2]; // cannot wrap where all three are good
  if (group_items > device.max_group_items || group_items > k.max_group_items || k.required_group[0] != 0) return false;
  const uint64_t lds = uint64_t{k.static_lds_bytes} + launch.dynamic_lds_bytes;
  return lds <= device.lds_bytes_per_group || lds <= device.lds_bytes_per_group_optin;
}

} // namespace hip::core
