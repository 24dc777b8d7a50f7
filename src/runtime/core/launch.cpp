#include "runtime/core/launch.h"

#include "runtime/base/env.h"
#include "runtime/core/occupancy.h"

namespace hip::core {
namespace {

// Whether check_shape has nothing against the launch: the usual case in a few cache lines of code, for between two launches
// the driver or the kernel has had the processor's caches to itself. False may be wrong. Sets `items` when true.
inline bool fits(const Function& function, const LaunchRequest& r, const backend::DeviceProperties& p, Dim3& items) {
  const backend::KernelAttributes& k = function.kernel().attributes;
  bool good = !r.grid_in_items && r.kind != LaunchKind::Cooperative && k.required_group[0] == 0;
  for (size_t d = 0; d < 3; ++d) {
    const uint64_t total = uint64_t{r.grid[d]} * r.group[d];
    good &= total - 1 < UINT32_MAX; // also not zero
    good &= r.grid[d] <= p.max_grid_dim[d];
    good &= r.group[d] <= p.max_group_dim[d];
    items[d] = static_cast<uint32_t>(total);
  }
  const uint64_t group_items = uint64_t{r.group[0]} * r.group[1] * r.group[2]; // cannot wrap where all three are good
  good &= group_items <= p.max_group_items;
  good &= group_items <= k.max_group_items;
  const uint64_t lds_limit = p.most_lds_bytes_per_group();
  good &= r.dynamic_lds_bytes <= lds_limit;
  good &= k.static_lds_bytes + r.dynamic_lds_bytes <= lds_limit;
  return good;
}

[[gnu::cold, gnu::noinline]] Status check_shape(const Function& function, const LaunchRequest& r,
                                                const backend::DeviceProperties& p, Dim3& items) {
  uint64_t group_items = 1;
  for (int d = 0; d < 3; ++d) {
    if (r.grid[d] == 0 || r.group[d] == 0)
      return error(ErrorCode::InvalidValue, "Kernel {} is launched with a grid of {} x {} x {} and blocks of {} x {} x {}; "
                   "none may be zero.", function.name(), r.grid[0], r.grid[1], r.grid[2], r.group[0], r.group[1], r.group[2]);
    group_items *= r.group[d];
    // More work-items in one dimension than a packet can say.
    const uint64_t total = r.grid_in_items ? r.grid[d] : uint64_t{r.grid[d]} * r.group[d];
    if (total > UINT32_MAX)
      return error(ErrorCode::InvalidConfiguration, "Kernel {}: {} blocks of {} in dimension {} are {} work-items; a grid "
                   "has at most {}.", function.name(), r.grid[d], r.group[d], d, total, UINT32_MAX);
    items[d] = static_cast<uint32_t>(total);
    if (!r.grid_in_items && r.grid[d] > p.max_grid_dim[static_cast<size_t>(d)])
      return error(r.kind == LaunchKind::Cooperative ? ErrorCode::InvalidConfiguration : ErrorCode::InvalidValue,
                   "Kernel {}: a grid of {} blocks in dimension {}; the device takes {}.", function.name(), r.grid[d], d,
                   p.max_grid_dim[static_cast<size_t>(d)]);
  }
  if (group_items > p.max_group_items || r.group[0] > p.max_group_dim[0] || r.group[1] > p.max_group_dim[1] ||
      r.group[2] > p.max_group_dim[2])
    return error(ErrorCode::InvalidConfiguration, "Kernel {}: a block of {} x {} x {} has {} work-items; the device takes "
                 "{}.", function.name(), r.group[0], r.group[1], r.group[2], group_items, p.max_group_items);
  const backend::KernelAttributes& k = function.kernel().attributes;
  if (group_items > k.max_group_items)
    return error(ErrorCode::LaunchFailure, "Kernel {} was compiled for at most {} work-items in a block "
                 "(__launch_bounds__); it is launched with {}.", function.name(), k.max_group_items, group_items);
  if (k.required_group[0] != 0 && r.group != k.required_group)
    return error(ErrorCode::InvalidConfiguration, "Kernel {} requires blocks of {} x {} x {}; it is launched with "
                 "{} x {} x {}.", function.name(), k.required_group[0], k.required_group[1], k.required_group[2], r.group[0],
                 r.group[1], r.group[2]);
  const uint64_t lds = uint64_t{k.static_lds_bytes} + r.dynamic_lds_bytes;
  if (r.dynamic_lds_bytes > p.most_lds_bytes_per_group() || lds > p.most_lds_bytes_per_group()) {
    const ErrorCode code =
        r.kind == LaunchKind::Cooperative ? ErrorCode::CooperativeLaunchTooLarge : ErrorCode::InvalidValue;
    return error(code, "Kernel {} needs {} static and {} dynamic bytes of shared memory; a block has {}.", function.name(),
                 k.static_lds_bytes, r.dynamic_lds_bytes, p.most_lds_bytes_per_group());
  }
  if (r.kind == LaunchKind::Cooperative) {
    uint64_t groups = 1;
    for (int d = 0; d < 3; ++d)
      groups *= r.grid[d]; // never grid_in_items
    const uint64_t room = uint64_t{p.compute_units} *
                          active_groups_per_cu(function, static_cast<uint32_t>(group_items),
                                               static_cast<uint32_t>(r.dynamic_lds_bytes));
    if (groups > room)
      return error(ErrorCode::CooperativeLaunchTooLarge, "Kernel {}: a cooperative launch of {} blocks; the device holds {} "
                   "at once.", function.name(), groups, room);
  }
  return {};
}

inline bool has_arguments(const backend::Kernel& kernel, const LaunchRequest& r) {
  const size_t count = kernel.arguments.size();
  if (!r.argument_pointers) return count == 0;
  bool good = true;
  for (size_t i = 0; i < count; ++i) good &= r.argument_pointers[i] != nullptr;
  return good;
}

[[gnu::cold, gnu::noinline]] Status check_arguments(const Function& function, const LaunchRequest& r) {
  const backend::Kernel& kernel = function.kernel();
  if (kernel.arguments.empty()) return {};
  if (r.argument_pointers) {
    for (size_t i = 0; i < kernel.arguments.size(); ++i)
      if (!r.argument_pointers[i])
        return error(ErrorCode::InvalidValue, "Kernel {}: the pointer to argument {} of {} is null.", function.name(), i,
                     kernel.arguments.size());
    return {};
  }
  if (r.packed_arguments.empty())
    return error(ErrorCode::InvalidValue, "Kernel {} takes {} arguments and got none.", function.name(),
                 kernel.arguments.size());
  if (r.packed_arguments.size() < kernel.explicit_bytes)
    return error(ErrorCode::InvalidValue, "Kernel {} takes {} bytes of arguments and got {}.", function.name(),
                 kernel.explicit_bytes, r.packed_arguments.size());
  return {};
}

} // namespace

bool launch_blocking() noexcept {
  // Read once: the variable cannot change the rules in the middle of a program.
  static const bool blocking = [] {
    const auto number = env_number(Env::HIP_LAUNCH_BLOCKING, 0, INT64_MAX);
    return number.ok() && number.value() != 0;
  }();
  return blocking;
}

Status launch(Function& function, Stream& stream, const LaunchRequest& request) {
  Dim3 items;
  const backend::DeviceProperties& properties = stream.device().properties();
  if (!fits(function, request, properties, items)) [[unlikely]]
    RT_TRY(check_shape(function, request, properties, items));
  if (!has_arguments(function.kernel(), request)) [[unlikely]]
    RT_TRY(check_arguments(function, request));
  if (&function.device() != &stream.device()) [[unlikely]]
    return error(ErrorCode::InvalidHandle, "Kernel {} is loaded on device {}; the stream belongs to device {}.",
                 function.name(), function.device().ordinal(), stream.device().ordinal());
  backend::Launch launch;
  launch.kernel = &function.kernel();
  launch.grid_items = items;
  launch.group_items = request.group;
  launch.dynamic_lds_bytes = static_cast<uint32_t>(request.dynamic_lds_bytes);
  launch.stack_bytes = static_cast<uint32_t>(stream.device().limit(Limit::StackSize));
  launch.argument_pointers = request.argument_pointers;
  launch.packed_arguments = request.packed_arguments;
  launch.cooperative = request.kind == LaunchKind::Cooperative;
  launch.out_of_order = request.out_of_order;
  auto submit = [&](backend::Queue& queue) -> Status {
    if (request.start) {
      RT_TRY_ASSIGN(Ref<backend::Completion> point, queue.record(request.start->point_options()));
      request.start->set_point(std::move(point));
    }
    RT_TRY(queue.launch(launch));
    if (request.stop) {
      RT_TRY_ASSIGN(Ref<backend::Completion> point, queue.record(request.stop->point_options()));
      request.stop->set_point(std::move(point));
    }
    return {};
  };
  RT_TRY(stream.submit(submit));
  return launch_blocking() ? stream.synchronize() : Status();
}

} // namespace hip::core
