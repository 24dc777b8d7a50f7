// runtime/core/graph/capture.h - recording what streams are given into a graph instead of doing it. A capture begins in
// one stream, its origin. Other streams join it by waiting for an event that was recorded in it, and must be joined
// again, the same way, before it ends. What a capture cannot record is refused and invalidates it: nothing but its end
// is then possible.
//
// | what is wrong                                                         | error                    |
// |-----------------------------------------------------------------------|--------------------------|
// | waiting for, or querying, a stream that captures; blocking calls      | StreamCaptureUnsupported |
// | calls that might wait for the device, as the thread's mode says       | StreamCaptureUnsupported |
// | work for the legacy default stream while a blocking stream captures   | StreamCaptureImplicit    |
// | waiting in a captured stream for an event from outside                | StreamCaptureIsolation   |
// | an event of one capture in a stream of another                        | StreamCaptureMerge       |
// | waiting for, or querying, an event that was recorded in a capture     | CapturedEvent            |
// | work after one of these                                               | StreamCaptureInvalidated |
// | the end: in another stream; in another thread; with streams not joined| Unmatched, WrongThread, Unjoined |
//
// Thread safety: all functions may be called from any thread. The state of captures is guarded by graph_mutex(), which
// is taken before any stream's lock; a stream that takes no part in a capture pays one load (Stream::captures).
#pragma once

#include "runtime/core/graph/graph.h"

#include <thread>

namespace hip::core {

class Event;

// hipStreamCaptureMode's numbers.
enum class CaptureMode : uint8_t { Global, ThreadLocal, Relaxed };
// hipStreamCaptureStatus' numbers.
enum class CaptureStatus { None, Active, Invalidated };

struct StreamCapture {
  GraphPtr graph; // null once the capture has ended
  CaptureMode mode = CaptureMode::Global;
  uint64_t id = 0;
  std::thread::id thread;
  Stream* origin = nullptr;
  bool invalidated = false;
  bool makes_graph = true; // else it adds to a graph of the user's
  struct Participant {
    Stream* stream;
    std::vector<NodePtr> dependencies; // of the next node
    std::vector<Handle> handles;       // the same, for capture_info
  };
  std::vector<Participant> participants; // the origin first
  std::vector<NodePtr> left;             // the last nodes of streams that were destroyed meanwhile

  Participant& of(const Stream& stream);
  void join(const std::shared_ptr<StreamCapture>& self, Stream& stream, std::vector<NodePtr> dependencies);
  void leave(Stream& stream) noexcept;
  static std::shared_ptr<StreamCapture>& in(Stream& stream) noexcept;
};

// Where in a capture an event was recorded last.
struct EventCapture {
  std::weak_ptr<StreamCapture> capture;
  std::vector<std::weak_ptr<GraphNode>> nodes;
};

// Errors: StreamCaptureUnsupported for the legacy default stream, IllegalState for a stream that captures already.
Status begin_capture(Stream& stream, CaptureMode mode);
// Errors also: InvalidValue as find_nodes_of.
Status begin_capture_to_graph(Stream& stream, Handle graph, const Handle* dependencies, size_t count, CaptureMode mode);
// Ends the capture, also when it returns StreamCaptureInvalidated or Unjoined. Errors: IllegalState for a stream that
// does not capture, StreamCaptureUnmatched, StreamCaptureWrongThread.
Result<Handle> end_capture(Stream& stream);

struct CaptureInfo {
  CaptureStatus status = CaptureStatus::None;
  uint64_t id = 0;
  Handle graph = nullptr;
  std::span<const Handle> dependencies{}; // valid until the stream is given more work
};
// Error: StreamCaptureImplicit for the legacy default stream while a blocking stream captures.
Result<CaptureInfo> capture_info(Stream& stream);
enum class DependencyUpdate { Add, Set };
Status update_capture_dependencies(Stream& stream, const Handle* nodes, size_t count, DependencyUpdate update);
// Sets the calling thread's mode; returns the one before.
CaptureMode exchange_capture_mode(CaptureMode mode) noexcept;

// ---- recording: for streams that captures() ------------------------------------------------------------------------

Status capture_operation(Stream& stream, Operation operation);
Status capture_transfer(Stream& stream, CopyWait wait, PreparedTransfer transfer, CopyKind kind);
Status capture_launch(Stream& stream, Function& function, const void* named, const backend::Launch& launch,
                      LaunchKind kind);
Status capture_event_record(Stream& stream, Event& event, Handle handle, bool external);
// Of an event that was recorded in a capture, or for a stream that captures.
Status capture_event_wait(Stream& stream, Event& event, Handle handle, bool external);
Result<void*> capture_allocation(Stream& stream, size_t bytes);
Status capture_free(Stream& stream, void* address);

// ---- refusing ------------------------------------------------------------------------------------------------------

namespace detail {
extern constinit std::atomic<uint32_t> captures_under_way;
Status check_call_slowly();
Status check_device_wait_slowly(Device& device);
Status check_wait_slowly(Stream& stream);
} // namespace detail

// For calls that a capture may forbid because they might wait for the device (hipMalloc, hipDeviceSynchronize, ...).
// Error: StreamCaptureUnsupported.
inline Status check_call_allowed() {
  if (detail::captures_under_way.load(std::memory_order_relaxed) == 0) [[likely]]
    return {};
  return detail::check_call_slowly();
}
// The same for a call that waits for, or asks about, one stream.
inline Status check_wait_allowed(Stream& stream) {
  if (stream.captures()) [[unlikely]]
    return detail::check_wait_slowly(stream);
  return check_call_allowed();
}
// For hipDeviceSynchronize: no capture of the calling thread, whatever its mode, may be under way on the device.
inline Status check_device_wait_allowed(Device& device) {
  if (detail::captures_under_way.load(std::memory_order_relaxed) == 0) [[likely]]
    return {};
  return detail::check_device_wait_slowly(device);
}
// The error of a call that waits for, or asks about, an event of a capture; success for another event.
Status check_event_wait_allowed(Event& event);

// What the stream takes part in cannot become a graph any more.
void invalidate_capture_of(Stream& stream) noexcept;
// A stream that takes part in a capture is destroyed. The origin takes the capture with it; what another one was given
// stays in the graph and must be joined before the end, as if the stream were still there.
void forget_captured_stream(Stream& stream) noexcept;

} // namespace hip::core
