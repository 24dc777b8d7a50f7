// runtime/core/launch.h - kernel launches: the checks that HIP prescribes, then one submission to the stream's queue.
// Thread safety: all functions may be called from any thread. Nothing is allocated on the way.
#pragma once

#include "runtime/core/event.h"
#include "runtime/core/fat_binary.h"
#include "runtime/core/launch_shape.h"
#include "runtime/core/runtime.h"
#include "runtime/core/thread_state.h"

namespace hip::core {

struct LaunchRequest {
  LaunchShape shape{};
  // One of the two, or none for a kernel without arguments.
  void* const* argument_pointers = nullptr;
  std::span<const std::byte> packed_arguments = {};
  bool may_end_early = false; // packed_arguments may lack the kernel's last ones
  bool out_of_order = false;
  Event* start = nullptr; // recorded before and after the kernel
  Event* stop = nullptr;
  const void* named = nullptr; // how the user named the kernel; null: not known
};

// Errors: InvalidHandle for a kernel of another device than the stream's, and for a stream of another device than the
// calling thread's, unless it is captured; those of launch_shape.h, InvalidValue for missing arguments. Kernel faults
// come from the calls that synchronise.
[[gnu::hot]] Status launch(Function& function, Stream& stream, const LaunchRequest& request);
// The same of the kernel that was registered under `host`. Errors: also InvalidDeviceFunction when there is none, those
// of RegisteredFunction::on and of find_stream.
Status launch_registered(const void* host, Handle stream, const LaunchRequest& request);
// The same of a plain launch: `plain` has groups, group_items, dynamic_lds_bytes and argument_pointers alone.
[[gnu::hot]] Status launch_registered(const void* host, Handle stream, backend::Launch& plain);

// The two halves of launch(): all checks, which fill in `launch`, and the submission.
Status prepare_launch(Function& function, Device& device, const LaunchRequest& request, backend::Launch& launch);
Status submit_launch(Stream& stream, const backend::Launch& launch);
// Makes a launch that was prepared with this shape one of another kind. With an error, which a launch of that kind
// would have, neither changes.
Status change_kind(const Function& function, LaunchKind kind, LaunchShape& shape, backend::Launch& launch);

namespace detail {
extern constinit std::atomic<int> launch_blocking; // -1: not read from the environment yet
bool read_launch_blocking() noexcept;
} // namespace detail

// HIP_LAUNCH_BLOCKING asks that each launch waits for its kernel.
inline bool launch_blocking() noexcept {
  const int state = detail::launch_blocking.load(std::memory_order_relaxed);
  return state != 0 && (state > 0 || detail::read_launch_blocking());
}

} // namespace hip::core
