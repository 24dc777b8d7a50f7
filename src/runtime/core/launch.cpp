#include "runtime/core/launch.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/occupancy.h"

namespace hip::core {
namespace {

// Whether there is a pointer for each argument.
inline bool has_arguments(const backend::Kernel& kernel, void* const* pointers) {
  const size_t count = kernel.arguments.size();
  if (!pointers) return count == 0;
#pragma clang loop vectorize(disable) unroll(disable)
  for (size_t i = 0; i < count; ++i)
    if (!pointers[i]) return false;
  return true;
}

// A cooperative launch's groups wait for each other, so all of them must have a place at the same time.
[[gnu::cold, gnu::noinline]] Status check_all_resident(const Function& function, const backend::Launch& launch) {
  const std::array<uint32_t, 3>& group = launch.group_items;
  uint64_t groups = 1;
  for (const uint32_t count : launch.groups) groups *= count; // none is above the device's limit, so this cannot wrap
  const uint64_t room = uint64_t{function.device().properties().compute_units} *
                        active_groups_per_cu(function, group[0] * group[1] * group[2], launch.dynamic_lds_bytes);
  if (groups <= room) return {};
  RT_TRY(function.device().hal().fault()); // on which nothing has room
  return error(ErrorCode::CooperativeLaunchTooLarge,
               "Kernel {}: a cooperative launch of {} blocks; the device holds {} at once.", function.name(), groups,
               room);
}

// Libraries leave out last arguments that their kernels do not use (rocFFT's callbacks), and HIP does not compare
// sizes. It is said once in a process, for it may be a mistake.
void tell_of_missing_arguments(const Function& function, size_t bytes) {
  static std::atomic<bool> told{false};
  const LogLevel level = told.exchange(true, std::memory_order_relaxed) ? LogLevel::Warning : LogLevel::Fault;
  log(level,
      "Kernel {} takes {} bytes of arguments and got {} (HIP_LAUNCH_PARAM_BUFFER_SIZE); what is missing reads as 0.",
      function.name(), function.kernel().explicit_bytes, bytes);
}

[[gnu::cold, gnu::noinline]] Status check_arguments(const Function& function, const LaunchRequest& r) {
  const backend::Kernel& kernel = function.kernel();
  if (kernel.arguments.empty()) return {};
  if (r.argument_pointers) {
    for (size_t i = 0; i < kernel.arguments.size(); ++i)
      if (!r.argument_pointers[i])
        return error(ErrorCode::InvalidValue, "Kernel {}: the pointer to argument {} of {} is null.", function.name(),
                     i, kernel.arguments.size());
    return {};
  }
  if (r.packed_arguments.empty())
    return error(ErrorCode::InvalidValue, "Kernel {} takes {} arguments and got none.", function.name(),
                 kernel.arguments.size());
  if (r.packed_arguments.size() >= kernel.explicit_bytes) return {};
  if (!r.may_end_early || !function.device().properties().takes_short_arguments)
    return error(ErrorCode::InvalidValue, "Kernel {} takes {} bytes of arguments and got {}.", function.name(),
                 kernel.explicit_bytes, r.packed_arguments.size());
  tell_of_missing_arguments(function, r.packed_arguments.size());
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

// The launch with events, kept out of the code of plain launches.
[[gnu::cold, gnu::noinline]] Status launch_with_events(Function& function, Stream& stream, const LaunchRequest& request,
                                                       backend::Launch& launch) {
  for (const Event* const event : {request.start, request.stop})
    if (event) RT_TRY(event->check_stream(stream)); // before anything is submitted or captured
  launch.kernel = &function.kernel();
  launch.stack_bytes = static_cast<uint32_t>(stream.device().limit(Limit::StackSize));
  if (stream.captures()) {
    if (request.start) RT_TRY(capture_event_record(stream, *request.start, request.start->handle(), true));
    RT_TRY(capture_launch(stream, function, nullptr, launch, request.shape.kind));
    return request.stop ? capture_event_record(stream, *request.stop, request.stop->handle(), true) : Status();
  }
  RT_TRY(stream.submit_now([&](backend::Queue& queue) -> Status {
    if (request.start) RT_TRY(request.start->record_in(queue));
    RT_TRY(queue.launch(launch));
    return request.stop ? request.stop->record_in(queue) : Status();
  }));
  return launch_blocking() ? stream.synchronize() : Status();
}

[[gnu::cold, gnu::noinline]] Status wrong_device(const Function& function, const Device& device) {
  return error(ErrorCode::InvalidHandle, "Kernel {} is loaded on device {}; the stream belongs to device {}.",
               function.name(), function.device().ordinal(), device.ordinal());
}

[[gnu::cold, gnu::noinline]] Status no_kernel(const void* host) {
  return error(ErrorCode::InvalidDeviceFunction, "{} is not the address of a registered kernel.",
               const_cast<void*>(host));
}

// AMD's HIP from 7.1 on, and CUDA, take streams of the calling thread's device alone; HIP 6 and 5 launched on the
// stream's device. What a capture records is checked by neither.
[[gnu::cold, gnu::noinline]] Status of_other_device(const Stream& stream, const Device& current) {
  if (stream.captures() || this_thread().launches_in_any_stream) return {};
  return error(ErrorCode::InvalidHandle,
               "The stream belongs to device {}; the calling thread's is device {} (hipSetDevice).",
               stream.device().ordinal(), current.ordinal());
}

[[gnu::always_inline]] inline Status check_device(const Stream& stream) {
  RT_TRY_ASSIGN(Device* const current, current_device());
  if (&stream.device() != current) [[unlikely]]
    return of_other_device(stream, *current);
  return {};
}

// The end of a launch that has passed all checks. `named` is how the user named the kernel, when it is known.
[[gnu::always_inline]] inline Status submit(Function& function, Stream& stream, const void* named,
                                            backend::Launch& launch) {
  launch.kernel = &function.kernel();
  launch.stack_bytes = static_cast<uint32_t>(stream.device().limit(Limit::StackSize));
  if (stream.captures()) [[unlikely]]
    return capture_launch(stream, function, named, launch,
                          launch.cooperative ? LaunchKind::Cooperative : LaunchKind::Plain);
  RT_TRY(stream.submit_now([&launch](backend::Queue& queue) { return queue.launch(launch); }));
  if (launch_blocking()) [[unlikely]]
    return stream.synchronize();
  return {};
}

[[gnu::always_inline]] inline Status check(Function& function, Device& on, const LaunchRequest& request,
                                           backend::Launch& launch) {
  if (&function.device() != &on) [[unlikely]]
    return wrong_device(function, on);
  const backend::DeviceProperties& device = on.properties();
  const backend::Kernel& kernel = function.kernel();
  const LaunchShape& shape = request.shape;
  launch.groups = shape.grid;
  launch.group_items = shape.group;
  launch.dynamic_lds_bytes = static_cast<uint32_t>(shape.dynamic_lds_bytes);
  launch.argument_pointers = request.argument_pointers;
  launch.packed_arguments = request.packed_arguments;
  launch.out_of_order = request.out_of_order;
  const bool plain =
      shape.grid_unit == GridUnit::Groups && shape.kind == LaunchKind::Plain && shape.dynamic_lds_bytes <= UINT32_MAX;
  if (!plain || !surely_fits(launch, kernel, device)) [[unlikely]] {
    RT_TRY(check_shape(shape, kernel, device, launch));
    if (launch.cooperative) RT_TRY(check_all_resident(function, launch));
  }
  if (!has_arguments(kernel, request.argument_pointers)) [[unlikely]]
    RT_TRY(check_arguments(function, request));
  return {};
}

} // namespace

Status launch(Function& function, Stream& stream, const LaunchRequest& request) {
  RT_TRY(check_device(stream));
  backend::Launch launch;
  RT_TRY(check(function, stream.device(), request, launch));
  if (request.start || request.stop) [[unlikely]]
    return launch_with_events(function, stream, request, launch);
  return submit(function, stream, request.named, launch);
}

Status prepare_launch(Function& function, Device& device, const LaunchRequest& request, backend::Launch& launch) {
  RT_TRY(check(function, device, request, launch));
  launch.kernel = &function.kernel();
  launch.stack_bytes = static_cast<uint32_t>(device.limit(Limit::StackSize));
  return {};
}

Status change_kind(const Function& function, LaunchKind kind, LaunchShape& shape, backend::Launch& launch) {
  LaunchShape changed = shape;
  changed.kind = kind;
  backend::Launch checked = launch;
  RT_TRY(check_shape(changed, function.kernel(), function.device().properties(), checked));
  if (checked.cooperative) RT_TRY(check_all_resident(function, checked));
  shape = changed;
  launch = checked;
  return {};
}

Status submit_launch(Stream& stream, const backend::Launch& launch) {
  return stream.submit([&launch](backend::Queue& queue) { return queue.launch(launch); });
}

Status launch_registered(const void* host, Handle stream, const LaunchRequest& request) {
  RegisteredFunction* const registered = find_registered_function(host);
  if (!registered) return no_kernel(host);
  RT_TRY_ASSIGN(const Pin<Stream> target, find_stream(stream));
  RT_TRY(check_device(*target)); // before code is loaded there
  RT_TRY_ASSIGN(Function* const function, registered->on(target->device()));
  LaunchRequest named = request;
  named.named = host;
  return launch(*function, *target, named);
}

Status launch_registered(const void* host, Handle stream, backend::Launch& plain) {
  RegisteredFunction* const registered = find_registered_function(host);
  if (!registered) [[unlikely]]
    return no_kernel(host);
  Pin<Stream> pin; // does what find_stream does, but a default stream needs no pin
  Stream* target;
  if (stream) {
    pin = streams().pin(stream);
    if (!pin || pin->detached()) [[unlikely]] {
      RT_TRY_ASSIGN(pin, find_special_stream(stream));
    }
    target = pin.get();
    RT_TRY(check_device(*target));
  } else {
    RT_TRY_ASSIGN(Device* const device, current_device());
    target = &device->null_stream();
  }
  RT_TRY_ASSIGN(Function* const function, registered->on(target->device()));
  const backend::Kernel& kernel = function->kernel();
  if (!surely_fits(plain, kernel, target->device().properties()) || !has_arguments(kernel, plain.argument_pointers))
      [[unlikely]]
    return launch(
        *function, *target,
        {.shape = {.grid = plain.groups, .group = plain.group_items, .dynamic_lds_bytes = plain.dynamic_lds_bytes},
         .argument_pointers = plain.argument_pointers,
         .named = host});
  return submit(*function, *target, host, plain);
}

} // namespace hip::core
