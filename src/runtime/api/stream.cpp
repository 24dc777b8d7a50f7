// Streams, and host functions in stream order.
#include "runtime/core/stream.h"

#include "runtime/api/api.h"
#include "runtime/core/fat_binary.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/host_wait.h"

#include <algorithm>

namespace hip::api {
namespace {

// Smaller numbers are higher priorities.
constexpr int kHighest = -1, kLowest = 1;

Status create(hipStream_t* stream, unsigned flags, int priority) {
  *stream = nullptr;
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
    return error(ErrorCode::InvalidValue, "The stream flags {:#x} are not known.", flags);
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  core::load_registered_code(*device);
  const auto kind = flags == hipStreamNonBlocking ? core::Stream::Kind::NonBlocking : core::Stream::Kind::Blocking;
  *stream = as_handle<hipStream_t>(core::streams().insert(
      std::make_unique<core::Stream>(*device, kind, flags, std::clamp(priority, kHighest, kLowest))));
  return {};
}

struct Callback {
  hipStream_t stream;
  hipStreamCallback_t function;
  void* user_data;
};

struct HostCall {
  hipHostFn_t function;
  void* user_data;
};

} // namespace

Status hipStreamCreate(hipStream_t* stream) { return create(stream, hipStreamDefault, 0); }

Status hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) { return create(stream, flags, 0); }

Status hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

Status hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  RT_TRY(core::current_device().status());
  if (leastPriority) *leastPriority = kLowest;
  if (greatestPriority) *greatestPriority = kHighest;
  return {};
}

Status hipStreamDestroy(hipStream_t stream) {
  if (stream == nullptr || stream == hipStreamLegacy || stream == hipStreamPerThread)
    return error(ErrorCode::InvalidHandle, "A default stream cannot be destroyed.");
  if (!core::streams().remove(stream))
    return error(ErrorCode::ContextIsDestroyed, "{} is not a stream, or it was destroyed before.",
                 static_cast<void*>(stream));
  return {};
}

Status hipStreamQuery(hipStream_t stream) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  RT_TRY(core::check_wait_allowed(*pin));
  Status done = pin->query();
  if (done.ok()) core::after_host_query();
  return done;
}

Status hipStreamSynchronize(hipStream_t stream) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  RT_TRY(core::check_wait_allowed(*pin));
  Status done = pin->synchronize();
  core::after_host_wait();
  return done;
}

Status hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
  if (!stream) return error(ErrorCode::InvalidValue, "The stream is null; the default stream was made without flags.");
  RT_TRY_ASSIGN(auto pin, core::find_stream_even_detached(stream));
  *flags = pin->flags();
  return {};
}

Status hipStreamGetPriority(hipStream_t stream, int* priority) {
  RT_TRY_ASSIGN(auto pin, core::find_stream_even_detached(stream));
  *priority = pin->priority();
  return {};
}

Status hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  RT_TRY_ASSIGN(auto pin, core::find_stream_even_detached(stream));
  *device = pin->device().ordinal();
  return {};
}

Status hipStreamGetId(hipStream_t stream, unsigned long long* streamId) {
  RT_TRY_ASSIGN(auto pin, core::find_stream_even_detached(stream));
  *streamId = pin->id();
  return {};
}

int hipGetStreamDeviceId(hipStream_t stream) {
  if (!core::initialise().ok()) return -1;
  auto pin = core::find_stream_even_detached(stream);
  return pin.ok() ? pin.value()->device().ordinal() : -1;
}

Status hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags) {
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags of a callback are {:#x}; they must be 0.", flags);
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  auto call = std::make_unique<Callback>(Callback{stream, callback, userData});
  auto enqueue = [&](backend::Queue& queue) {
    return queue.host_function(
        [](void* data, const Status& status) {
          const std::unique_ptr<Callback> owned(static_cast<Callback*>(data));
          owned->function(owned->stream, to_hip(status.code()), owned->user_data);
        },
        call.get());
  };
  RT_TRY(pin->submit(enqueue));
  static_cast<void>(call.release()); // the queue's now
  return {};
}

Status hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  if (pin->captures()) [[unlikely]] {
    if (pin->kind() == core::Stream::Kind::Null) return pin->refuse_work();
    return core::capture_operation(*pin, core::HostOperation{fn, userData});
  }
  auto call = std::make_unique<HostCall>(HostCall{fn, userData});
  auto enqueue = [&](backend::Queue& queue) {
    return queue.host_function(
        [](void* data, const Status&) {
          const std::unique_ptr<HostCall> owned(static_cast<HostCall*>(data));
          owned->function(owned->user_data);
        },
        call.get());
  };
  RT_TRY(pin->submit(enqueue));
  static_cast<void>(call.release()); // the queue's now
  return {};
}

} // namespace hip::api
