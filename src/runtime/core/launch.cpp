#include "runtime/core/launch.h"

#include "runtime/base/env.h"
#include "runtime/core/occupancy.h"

namespace hip::core {
namespace {

// Whether check_shape has nothing against a plain launch: the usual case in a few cache lines of code, for between two
// launches the driver or the kernel has had the processor's caches to itself. False may be wrong. Sets `grid_items`
// when true.
inline bool fits(const Function& function, backend::Launch& launch, const backend::DeviceProperties& p) {
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t groups = launch.groups[d], group = launch.group_items[d];
    const uint64_t total = uint64_t{groups} * group;
    if (group > p.max_group_dim[d] || groups > p.max_grid_dim[d] || total - 1 >= UINT32_MAX) return false; // also zero
    launch.grid_items[d] = static_cast<uint32_t>(total);
  }
  const backend::KernelAttributes& k = function.kernel().attributes;
  const std::array<uint32_t, 3>& group = launch.group_items;
  const uint64_t group_items = uint64_t{group[0]} * group[1] * group[2]; // cannot wrap where all three are good
  if (group_items > p.max_group_items || group_items > k.max_group_items || k.required_group[0] != 0) return false;
  const uint64_t lds = uint64_t{k.static_lds_bytes} + launch.dynamic_lds_bytes;
  return lds <= p.lds_bytes_per_group || lds <= p.lds_bytes_per_group_optin;
}

// A pointer for each argument.
inline bool has_arguments(const backend::Kernel& kernel, void* const* pointers) {
  const size_t count = kernel.arguments.size();
  if (!pointers) return count == 0;
#pragma clang loop vectorize(disable) unroll(disable)
  for (size_t i = 0; i < count; ++i)
    if (!pointers[i]) return false;
  return true;
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

namespace detail {
constinit std::atomic<int> launch_blocking{-1};

// Read once: the variable cannot change the rules in the middle of a program.
[[gnu::cold, gnu::noinline]] bool read_launch_blocking() noexcept {
  const auto number = env_number(Env::HIP_LAUNCH_BLOCKING, 0, INT64_MAX);
  const bool blocking = number.ok() && number.value() != 0;
  launch_blocking.store(blocking ? 1 : 0, std::memory_order_relaxed);
  return blocking;
}
} // namespace detail

namespace {

// What is not on the way of a plain launch.
[[gnu::cold, gnu::noinline]] Status launch_with_events(Stream& stream, const LaunchRequest& request,
                                                       const backend::Launch& launch) {
  return stream.submit([&](backend::Queue& queue) -> Status {
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
  });
}

[[gnu::cold, gnu::noinline]] Status wrong_device(const Function& function, const Stream& stream) {
  return error(ErrorCode::InvalidHandle, "Kernel {} is loaded on device {}; the stream belongs to device {}.",
               function.name(), function.device().ordinal(), stream.device().ordinal());
}

[[gnu::cold, gnu::noinline]] Status no_kernel(const void* host) {
  return error(ErrorCode::InvalidDeviceFunction, "{} is not the address of a registered kernel.",
               const_cast<void*>(host));
}

// The end of every launch.
[[gnu::always_inline]] inline Status submit(Function& function, Stream& stream, backend::Launch& launch) {
  if (&function.device() != &stream.device()) [[unlikely]]
    return wrong_device(function, stream);
  launch.kernel = &function.kernel();
  launch.stack_bytes = static_cast<uint32_t>(stream.device().limit(Limit::StackSize));
  RT_TRY(stream.submit([&launch](backend::Queue& queue) { return queue.launch(launch); }));
  if (launch_blocking()) [[unlikely]]
    return stream.synchronize();
  return {};
}

} // namespace

Status launch(Function& function, Stream& stream, const LaunchRequest& request) {
  const backend::DeviceProperties& properties = stream.device().properties();
  backend::Launch launch;
  launch.group_items = request.group;
  launch.dynamic_lds_bytes = static_cast<uint32_t>(request.dynamic_lds_bytes);
  launch.argument_pointers = request.argument_pointers;
  launch.packed_arguments = request.packed_arguments;
  launch.cooperative = request.kind == LaunchKind::Cooperative;
  launch.out_of_order = request.out_of_order;
  const bool plain = !request.grid_in_items && !launch.cooperative && request.dynamic_lds_bytes <= UINT32_MAX;
  if (plain) launch.groups = request.grid;
  if (!plain || !fits(function, launch, properties)) [[unlikely]]
    RT_TRY(check_shape(function, request, properties, launch.grid_items));
  if (!has_arguments(function.kernel(), request.argument_pointers)) [[unlikely]]
    RT_TRY(check_arguments(function, request));
  if (request.start || request.stop) [[unlikely]] {
    if (&function.device() != &stream.device()) return wrong_device(function, stream);
    launch.kernel = &function.kernel();
    launch.stack_bytes = static_cast<uint32_t>(stream.device().limit(Limit::StackSize));
    RT_TRY(launch_with_events(stream, request, launch));
    return launch_blocking() ? stream.synchronize() : Status();
  }
  return submit(function, stream, launch);
}

Status launch_registered(const void* host, Handle stream, const LaunchRequest& request) {
  RegisteredFunction* const registered = find_registered_function(host);
  if (!registered) return no_kernel(host);
  RT_TRY_ASSIGN(const Pin<Stream> target, find_stream(stream));
  RT_TRY_ASSIGN(Function* const function, registered->on(target->device()));
  return launch(*function, *target, request);
}

Status launch_registered(const void* host, Handle stream, backend::Launch& plain) {
  RegisteredFunction* const registered = find_registered_function(host);
  if (!registered) [[unlikely]]
    return no_kernel(host);
  Pin<Stream> pin; // as find_stream, with less to carry around
  Stream* target;
  if (stream) {
    pin = streams().pin(stream);
    if (!pin) [[unlikely]] {
      RT_TRY_ASSIGN(pin, find_special_stream(stream));
    }
    target = pin.get();
  } else {
    RT_TRY_ASSIGN(Device* const device, current_device());
    target = &device->null_stream();
  }
  RT_TRY_ASSIGN(Function* const function, registered->on(target->device()));
  if (!fits(*function, plain, target->device().properties()) ||
      !has_arguments(function->kernel(), plain.argument_pointers)) [[unlikely]]
    return launch(*function, *target,
                  {.grid = plain.groups,
                   .group = plain.group_items,
                   .dynamic_lds_bytes = plain.dynamic_lds_bytes,
                   .argument_pointers = plain.argument_pointers});
  return submit(*function, *target, plain);
}

} // namespace hip::core
