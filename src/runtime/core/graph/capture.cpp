#include "runtime/core/graph/capture.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/event.h"
#include "runtime/core/thread_state.h"

#include <algorithm>
#include <unordered_set>

namespace hip::core {
namespace detail {
constinit std::atomic<uint32_t> captures_under_way{0};
}

namespace {

using CapturePtr = std::shared_ptr<StreamCapture>;

// All captures under way; with graph_mutex().
std::vector<CapturePtr>& captures() {
  static auto* const list = new std::vector<CapturePtr>;
  return *list;
}

uint64_t next_capture_id() noexcept {
  static constinit std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

Status invalidated() {
  return error(ErrorCode::StreamCaptureInvalidated,
               "The capture was invalidated by an earlier call; it can only be ended.");
}

Status not_capturing() { return error(ErrorCode::IllegalState, "The stream is not being captured."); }

// Ends a capture for all its streams. The graph goes to the caller, who drops it without the lock.
GraphPtr finish(const CapturePtr& capture) noexcept {
  while (!capture->participants.empty()) capture->leave(*capture->participants.back().stream);
  detail::captures_under_way.fetch_sub(1, std::memory_order_relaxed);
  std::erase(captures(), capture);
  capture->graph->is_captured_into = false;
  return std::move(capture->graph);
}

Status begin(Stream& stream, GraphPtr graph, std::vector<NodePtr> dependencies, CaptureMode mode, bool makes_graph) {
  auto capture = std::make_shared<StreamCapture>();
  // All that needs memory comes first: a capture that is listed without its origin could never be ended.
  capture->participants.reserve(1);
  captures().reserve(captures().size() + 1);
  captures().push_back(capture);
  capture->makes_graph = makes_graph;
  capture->mode = mode;
  capture->id = next_capture_id();
  capture->thread = std::this_thread::get_id();
  capture->origin = &stream;
  capture->graph = std::move(graph);
  capture->graph->is_captured_into = true;
  detail::captures_under_way.fetch_add(1, std::memory_order_relaxed);
  capture->join(capture, stream, std::move(dependencies));
  return {};
}

Status check_can_begin(Stream& stream) {
  if (stream.kind() == Stream::Kind::Null)
    return error(ErrorCode::StreamCaptureUnsupported, "The legacy default stream cannot be captured.");
  if (StreamCapture::in(stream)) return error(ErrorCode::IllegalState, "The stream is being captured already.");
  return {};
}

// The capture of a stream that is given work. Errors: StreamCaptureImplicit for a null stream,
// StreamCaptureInvalidated.
Result<CapturePtr> capture_of(Stream& stream) {
  const CapturePtr& capture = StreamCapture::in(stream);
  if (!capture) return stream.refuse_work(); // a null stream; or the capture has ended in another thread just now
  if (capture->invalidated) return invalidated();
  return capture;
}

// Adds a node behind what the stream was given before.
GraphNode& append(StreamCapture& capture, Stream& stream, Operation operation) {
  StreamCapture::Participant& participant = capture.of(stream);
  std::vector<GraphNode*> dependencies;
  for (const NodePtr& node : participant.dependencies)
    if (node->graph == capture.graph.get()) dependencies.push_back(node.get());
  GraphNode& node = capture.graph->add(std::move(operation), dependencies);
  participant.dependencies = {capture.graph->nodes.back()};
  return node;
}

void add_missing(std::vector<NodePtr>& list, const NodePtr& node) {
  if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
}

// Every stream that joined was joined again: what it was given last comes before the origin's next node.
bool all_joined(StreamCapture& capture) {
  if (capture.participants.size() < 2 && capture.left.empty()) return true;
  std::unordered_set<const GraphNode*> before;
  std::vector<const GraphNode*> to_visit;
  for (const NodePtr& node : capture.of(*capture.origin).dependencies) to_visit.push_back(node.get());
  while (!to_visit.empty()) {
    const GraphNode* node = to_visit.back();
    to_visit.pop_back();
    if (!before.insert(node).second) continue;
    to_visit.insert(to_visit.end(), node->dependencies.begin(), node->dependencies.end());
  }
  const auto joined = [&](const NodePtr& node) { return !node->graph || before.contains(node.get()); };
  return std::all_of(capture.left.begin(), capture.left.end(), joined) &&
         std::all_of(capture.participants.begin(), capture.participants.end(), [&](const auto& participant) {
           return std::all_of(participant.dependencies.begin(), participant.dependencies.end(), joined);
         });
}

} // namespace

// ---- StreamCapture -------------------------------------------------------------------------------------------------

std::shared_ptr<StreamCapture>& StreamCapture::in(Stream& stream) noexcept { return stream.capture_; }

StreamCapture::Participant& StreamCapture::of(const Stream& stream) {
  return *std::find_if(participants.begin(), participants.end(),
                       [&](const Participant& participant) { return participant.stream == &stream; });
}

void StreamCapture::join(const std::shared_ptr<StreamCapture>& self, Stream& stream,
                         std::vector<NodePtr> dependencies) {
  participants.push_back({&stream, std::move(dependencies), {}});
  stream.capture_ = self;
  stream.captures_.store(1, std::memory_order_relaxed);
  if (stream.kind() == Stream::Kind::Blocking)
    stream.device().null_stream().captures_.fetch_add(1, std::memory_order_relaxed);
}

void StreamCapture::leave(Stream& stream) noexcept {
  if (stream.kind() == Stream::Kind::Blocking)
    stream.device().null_stream().captures_.fetch_sub(1, std::memory_order_relaxed);
  stream.captures_.store(0, std::memory_order_relaxed);
  std::erase_if(participants, [&](const Participant& participant) { return participant.stream == &stream; });
  stream.capture_.reset(); // the caller holds another reference
}

void invalidate_capture_of(Stream& stream) noexcept {
  std::lock_guard lock(graph_mutex());
  if (const CapturePtr capture = StreamCapture::in(stream)) capture->invalidated = true;
}

void forget_captured_stream(Stream& stream) noexcept {
  GraphPtr dropped;
  std::lock_guard lock(graph_mutex());
  const CapturePtr capture = StreamCapture::in(stream);
  if (!capture) return;
  if (capture->origin != &stream) {
    try {
      for (const NodePtr& node : capture->of(stream).dependencies) add_missing(capture->left, node);
    } catch (const std::bad_alloc&) { // its end could not ask for them
      capture->invalidated = true;
    }
    capture->leave(stream);
    return;
  }
  capture->invalidated = true;
  dropped = finish(capture);
  if (capture->makes_graph) end_handle(*dropped);
}

// ---- begin and end -------------------------------------------------------------------------------------------------

Status begin_capture(Stream& stream, CaptureMode mode) {
  std::lock_guard lock(graph_mutex());
  RT_TRY(check_can_begin(stream));
  return begin(stream, std::make_shared<Graph>(), {}, mode, true);
}

Status begin_capture_to_graph(Stream& stream, Handle handle, const Handle* dependencies, size_t count,
                              CaptureMode mode) {
  std::lock_guard lock(graph_mutex());
  RT_TRY(check_can_begin(stream));
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  if (graph->is_captured_into) return error(ErrorCode::IllegalState, "Another capture is adding nodes to the graph.");
  RT_TRY_ASSIGN(const std::vector<GraphNode*> found, find_nodes_of(*graph, dependencies, count));
  std::vector<NodePtr> nodes;
  for (const NodePtr& node : graph->nodes)
    if (std::find(found.begin(), found.end(), node.get()) != found.end()) nodes.push_back(node);
  return begin(stream, graph, std::move(nodes), mode, false);
}

Result<Handle> end_capture(Stream& stream) {
  GraphPtr graph; // dropped after the lock, unless it has a handle
  std::lock_guard lock(graph_mutex());
  const CapturePtr capture = StreamCapture::in(stream);
  if (!capture) return not_capturing();
  if (capture->origin != &stream) {
    capture->invalidated = true;
    return error(ErrorCode::StreamCaptureUnmatched, "The capture began in another stream and must be ended there.");
  }
  if (capture->mode != CaptureMode::Relaxed && capture->thread != std::this_thread::get_id())
    return error(ErrorCode::StreamCaptureWrongThread,
                 "The capture began in another thread; only one of the relaxed mode may be ended here.");
  const bool valid = !capture->invalidated, joined = all_joined(*capture);
  const bool owned = capture->makes_graph;
  graph = finish(capture);
  if (valid && joined) return give_handle(graph);
  if (owned) end_handle(*graph); // which capture_info may have given out
  if (!valid) return invalidated();
  return error(ErrorCode::StreamCaptureUnjoined,
               "A stream that joined the capture has work that the origin's stream does not wait for.");
}

Result<CaptureInfo> capture_info(Stream& stream) {
  if (!stream.captures()) return CaptureInfo();
  std::lock_guard lock(graph_mutex());
  const CapturePtr& capture = StreamCapture::in(stream);
  if (!capture) {
    if (stream.kind() != Stream::Kind::Null) return CaptureInfo();
    return error(ErrorCode::StreamCaptureImplicit, "A blocking stream is being captured; the legacy default stream "
                                                   "cannot be asked about its capture meanwhile.");
  }
  if (capture->invalidated) return CaptureInfo{.status = CaptureStatus::Invalidated, .id = capture->id};
  StreamCapture::Participant& participant = capture->of(stream);
  participant.handles.clear();
  for (const NodePtr& node : participant.dependencies)
    if (node->graph) participant.handles.push_back(node->handle);
  return CaptureInfo{CaptureStatus::Active, capture->id, give_handle(capture->graph), participant.handles};
}

Status update_capture_dependencies(Stream& stream, const Handle* nodes, size_t count, DependencyUpdate update) {
  std::lock_guard lock(graph_mutex());
  const CapturePtr capture = StreamCapture::in(stream);
  if (!capture) return not_capturing();
  if (capture->invalidated) return invalidated();
  RT_TRY_ASSIGN(const std::vector<GraphNode*> found, find_nodes_of(*capture->graph, nodes, count));
  std::vector<NodePtr>& dependencies = capture->of(stream).dependencies;
  if (update == DependencyUpdate::Set) dependencies.clear();
  for (const NodePtr& node : capture->graph->nodes)
    if (std::find(found.begin(), found.end(), node.get()) != found.end()) add_missing(dependencies, node);
  return {};
}

CaptureMode exchange_capture_mode(CaptureMode mode) noexcept { return std::exchange(this_thread().capture_mode, mode); }

// ---- recording -----------------------------------------------------------------------------------------------------

Status capture_operation(Stream& stream, Operation operation) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const CapturePtr capture, capture_of(stream));
  RT_TRY(check_can_take(*capture->graph, operation));
  append(*capture, stream, std::move(operation));
  return {};
}

Status capture_transfer(Stream& stream, CopyWait wait, PreparedTransfer transfer, CopyKind kind) {
  if (stream.kind() == Stream::Kind::Null || wait == CopyWait::Blocking) return stream.refuse_work();
  const backend::Extent3& e = transfer.extent;
  if (transfer.pattern_bytes != 0) {
    FillOperation fill;
    fill.memory = transfer.dst.memory.base;
    fill.pitch_bytes = transfer.dst.memory.pitch_bytes;
    fill.width = e.width_bytes / transfer.pattern_bytes;
    fill.height = e.height;
    fill.value = transfer.pattern;
    fill.element_bytes = transfer.pattern_bytes;
    fill.transfers.push_back(std::move(transfer));
    return capture_operation(stream, std::move(fill));
  }
  const auto place = [&e](const backend::BoxEnd& end) {
    CopyPlace place;
    place.memory = end.memory.base;
    place.pitch_bytes = end.memory.pitch_bytes;
    place.width = e.width_bytes;
    place.height =
        end.memory.pitch_bytes ? std::max(e.height, end.memory.slice_bytes / end.memory.pitch_bytes) : e.height;
    return place;
  };
  CopyOperation copy;
  copy.dst = place(transfer.dst);
  copy.src = place(transfer.src);
  copy.extent = {e.width_bytes, e.height, e.depth};
  copy.kind = kind;
  copy.transfers.push_back(std::move(transfer));
  return capture_operation(stream, std::move(copy));
}

Status capture_launch(Stream& stream, Function& function, const void* named, const backend::Launch& launch,
                      LaunchKind kind) {
  KernelOperation kernel;
  kernel.named = named;
  if (!named) {
    RT_TRY_ASSIGN(kernel.named, function.code().function_handle(function.name()));
  }
  kernel.function = &function;
  kernel.code = Ref<LoadedCode>(&function.code());
  kernel.shape = {
      .grid = launch.groups, .group = launch.group_items, .dynamic_lds_bytes = launch.dynamic_lds_bytes, .kind = kind};
  kernel.arguments = KernelArguments(function.kernel(), launch.argument_pointers, launch.packed_arguments);
  kernel.launch = launch;
  kernel.launch.argument_pointers = nullptr;
  kernel.launch.packed_arguments = {};
  kernel.launch.out_of_order = false; // the graph's edges say what it waits for
  return capture_operation(stream, std::move(kernel));
}

Status capture_event_record(Stream& stream, Event& event, Handle handle, bool external) {
  if (&event.device() != &stream.device())
    return error(ErrorCode::InvalidHandle, "The event belongs to device {}, the stream to device {}.",
                 event.device().ordinal(), stream.device().ordinal());
  if (external) return capture_operation(stream, EventRecordOperation{handle});
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const CapturePtr capture, capture_of(stream));
  auto where = std::make_shared<EventCapture>();
  where->capture = capture;
  for (const NodePtr& node : capture->of(stream).dependencies) where->nodes.push_back(node);
  event.set_capture(std::move(where));
  return {};
}

Status capture_event_wait(Stream& stream, Event& event, Handle handle, bool external) {
  if (external && stream.captures()) return capture_operation(stream, EventWaitOperation{handle});
  std::lock_guard lock(graph_mutex());
  const std::shared_ptr<const EventCapture> where = event.capture();
  const CapturePtr mine = StreamCapture::in(stream);
  if (!where) { // the stream captures
    if (!mine) return stream.refuse_work();
    mine->invalidated = true;
    return error(ErrorCode::StreamCaptureIsolation,
                 "A captured stream cannot wait for an event that was not recorded in its capture.");
  }
  const CapturePtr capture = where->capture.lock();
  if (!capture || !capture->graph) {
    if (mine) mine->invalidated = true;
    return error(ErrorCode::CapturedEvent, "The event was last recorded in a capture that has ended.");
  }
  if (mine && mine != capture) {
    mine->invalidated = capture->invalidated = true;
    return error(ErrorCode::StreamCaptureMerge, "The event and the stream belong to different captures.");
  }
  if (capture->invalidated) return invalidated();
  if (stream.kind() == Stream::Kind::Null) {
    capture->invalidated = true;
    return error(ErrorCode::StreamCaptureImplicit, "The legacy default stream cannot join a capture.");
  }
  std::vector<NodePtr> nodes;
  for (const auto& weak : where->nodes)
    if (NodePtr node = weak.lock(); node && node->graph == capture->graph.get()) nodes.push_back(std::move(node));
  if (!mine) {
    capture->join(capture, stream, std::move(nodes));
    return {};
  }
  for (const NodePtr& node : nodes) add_missing(capture->of(stream).dependencies, node);
  return {};
}

Result<void*> capture_allocation(Stream& stream, size_t bytes) {
  if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
  RT_TRY_ASSIGN(Ref<GraphAllocation> allocation, GraphAllocation::create(stream.device(), bytes));
  void* const address = allocation->address();
  RT_TRY(capture_operation(stream, AllocationOperation{std::move(allocation), {}}));
  return address;
}

Status capture_free(Stream& stream, void* address) {
  if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
  if (!find_graph_allocation(address)) {
    static_cast<void>(stream.refuse_work());
    return error(ErrorCode::InvalidValue, "{} is no allocation of a graph; a captured stream cannot free it.", address);
  }
  return capture_operation(stream, FreeOperation{address});
}

// ---- refusing ------------------------------------------------------------------------------------------------------

Status Stream::refuse_work() {
  std::lock_guard lock(graph_mutex());
  if (kind_ != Kind::Null) {
    if (capture_ && capture_->invalidated) return invalidated();
    if (capture_) capture_->invalidated = true;
    return error(ErrorCode::StreamCaptureUnsupported, "A stream that is being captured cannot record this call.");
  }
  for (const CapturePtr& capture : core::captures())
    for (const StreamCapture::Participant& participant : capture->participants)
      if (participant.stream->kind() == Kind::Blocking && &participant.stream->device() == &device_)
        capture->invalidated = true;
  return error(ErrorCode::StreamCaptureImplicit,
               "Work for the legacy default stream would have to wait for a blocking stream that is being captured.");
}

namespace detail {

Status check_call_slowly() {
  const CaptureMode mode = this_thread().capture_mode;
  if (mode == CaptureMode::Relaxed) return {};
  std::lock_guard lock(graph_mutex());
  bool forbidden = false;
  for (const CapturePtr& capture : captures()) {
    if (capture->mode == CaptureMode::Relaxed) continue;
    const bool own = capture->thread == std::this_thread::get_id();
    if (!own && (mode != CaptureMode::Global || capture->mode != CaptureMode::Global)) continue;
    capture->invalidated = true;
    forbidden = true;
  }
  if (!forbidden) return {};
  return error(ErrorCode::StreamCaptureUnsupported,
               "The call might wait for the device, which the capture modes forbid while a stream is being captured.");
}

Status check_wait_slowly(Stream& stream) {
  if (stream.kind() != Stream::Kind::Null) {
    std::lock_guard lock(graph_mutex());
    if (const CapturePtr& capture = StreamCapture::in(stream)) {
      capture->invalidated = true;
      return error(ErrorCode::StreamCaptureUnsupported,
                   "A stream that is being captured cannot be waited for or asked whether it is done.");
    }
    return check_call_slowly();
  }
  return stream.refuse_work();
}

Status check_device_wait_slowly(Device& device) {
  RT_TRY(check_call_slowly());
  std::lock_guard lock(graph_mutex());
  bool forbidden = false;
  for (const CapturePtr& capture : captures())
    for (const StreamCapture::Participant& participant : capture->participants)
      if (&participant.stream->device() == &device && capture->thread == std::this_thread::get_id())
        forbidden = capture->invalidated = true;
  if (!forbidden) return {};
  return error(ErrorCode::StreamCaptureUnsupported,
               "Device {} cannot be waited for while a stream of it is being captured.", device.ordinal());
}

} // namespace detail

Status check_event_wait_allowed(Event& event) {
  if (!event.is_captured()) return check_call_allowed();
  std::lock_guard lock(graph_mutex());
  const std::shared_ptr<const EventCapture> where = event.capture();
  if (!where) return {};
  if (const CapturePtr capture = where->capture.lock()) capture->invalidated = true;
  return error(ErrorCode::CapturedEvent, "The event was last recorded in a stream that was being captured.");
}

} // namespace hip::core
