#include "runtime/core/execution_context.h"

#include "runtime/core/graph/capture.h"
#include "runtime/core/host_wait.h"
#include "runtime/core/shared_event.h"

namespace hip::core {
namespace {

RT_NO_DESTROY constinit DescriptorTable all_descriptors;
RT_NO_DESTROY constinit ExecutionContextTable all_contexts;

uint64_t next_id() noexcept {
  static constinit std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

DescriptorTable& descriptors() noexcept { return all_descriptors; }
ExecutionContextTable& execution_contexts() noexcept { return all_contexts; }

ExecutionContext::ExecutionContext(std::shared_ptr<StreamGroup> group, bool is_device)
    : group_(std::move(group)), is_device_(is_device), id_(next_id()),
      collector_(group_->device(), Stream::Kind::NonBlocking, 0, 0) {}

ExecutionContext::~ExecutionContext() {
  for (const Handle stream : streams_)
    if (const Pin<Stream> pin = core::streams().pin(stream)) pin->detach();
  if (descriptor_) descriptors().remove(descriptor_);
}

Result<std::unique_ptr<ExecutionContext>> ExecutionContext::create(ResourceDescriptor& descriptor) {
  Device& device = descriptor.device();
  RT_TRY_ASSIGN(UnitSet set, take_together(device, descriptor.parts()));
  std::unique_ptr<ExecutionContext> context(new ExecutionContext(
      std::make_shared<StreamGroup>(device, set.units, std::move(set.mask), std::move(set.partition)), false));
  context->queues_ = descriptor.queues();
  if (descriptor.take()) context->descriptor_ = descriptor.handle();
  return context;
}

Result<std::unique_ptr<ExecutionContext>> ExecutionContext::create(Device& device) {
  RT_TRY_ASSIGN(const ComputeUnits units, all_compute_units(device));
  return std::unique_ptr<ExecutionContext>(
      new ExecutionContext(std::make_shared<StreamGroup>(device, units, std::vector<uint32_t>(), nullptr), true));
}

Result<Handle> ExecutionContext::create_stream(unsigned flags, int priority) {
  // What is in the list before it is a stream is no live one.
  const Handle stream = core::streams().insert(std::make_unique<Stream>(group_, flags, priority));
  if (is_device_) return stream;
  try {
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](Handle each) { return !core::streams().pin(each); });
    streams_.push_back(stream);
  } catch (...) {
    core::streams().remove(stream);
    throw;
  }
  return stream;
}

std::vector<Pin<Stream>> ExecutionContext::streams() {
  std::vector<Handle> handles;
  if (is_device_) {
    handles = device().stream_handles();
  } else {
    std::lock_guard lock(mutex_);
    handles = streams_;
  }
  std::vector<Pin<Stream>> live;
  if (is_device_) live.push_back(Pin<Stream>::unowned(&device().null_stream()));
  for (const Handle handle : handles)
    if (Pin<Stream> pin = core::streams().pin(handle)) live.push_back(std::move(pin));
  return live;
}

Status ExecutionContext::check_not_captured(std::span<const Pin<Stream>> streams) const {
  for (const Pin<Stream>& stream : streams)
    if (stream->captures())
      return error(ErrorCode::StreamCaptureUnsupported, "A stream of the execution context is being captured.");
  return {};
}

Status ExecutionContext::synchronize() {
  const std::vector<Pin<Stream>> all = streams();
  for (const Pin<Stream>& stream : all) RT_TRY(check_wait_allowed(*stream));
  Status first = is_device_ ? device().synchronize() : Status();
  for (const Pin<Stream>& stream : all)
    if (Status done = is_device_ ? Status() : stream->synchronize(); first.ok()) first = std::move(done);
  after_host_wait();
  return first;
}

Status ExecutionContext::record(Event& event) {
  const std::vector<Pin<Stream>> all = streams();
  RT_TRY(check_not_captured(all));
  std::lock_guard lock(collector_mutex_);
  for (const Pin<Stream>& stream : all) {
    RT_TRY_ASSIGN(const Ref<backend::Completion> point, stream->record({.timed = false}));
    RT_TRY(collector_.wait_now(point, device()));
  }
  return event.record(collector_);
}

Status ExecutionContext::wait(Event& event) {
  const std::vector<Pin<Stream>> all = streams();
  RT_TRY(check_not_captured(all));
  RT_TRY(check_event_wait_allowed(event));
  if (SharedEvent* const shared = event.shared()) { // is waited for in a queue: the others wait for that queue
    std::lock_guard lock(collector_mutex_);
    RT_TRY(collector_.submit_now([&](backend::Queue& queue) { return shared->hold(queue); }));
    RT_TRY_ASSIGN(const Ref<backend::Completion> held, collector_.record({.timed = false}));
    (is_device_ ? device().first_waits : group_->first_waits).add(held);
    for (const Pin<Stream>& stream : all) RT_TRY(stream->wait_now(held, device()));
    return {};
  }
  const Event::Recorded recorded = event.recorded();
  if (!recorded.point) return {}; // never recorded
  if (!device().same_backend(event.device())) return recorded.point->wait();
  // First, so that a stream that is made meanwhile waits too.
  (is_device_ ? device().first_waits : group_->first_waits).add(recorded.point);
  for (const Pin<Stream>& stream : all) {
    RT_TRY(stream->wait_now(recorded.point, event.device()));
    stream->see(recorded.progress);
  }
  return {};
}

Result<Handle> device_execution_context(Device& device) {
  static constinit std::mutex mutex;
  if (const Handle known = device.execution_context.load(std::memory_order_acquire)) return known;
  std::lock_guard lock(mutex);
  if (const Handle known = device.execution_context.load(std::memory_order_relaxed)) return known;
  RT_TRY_ASSIGN(auto made, ExecutionContext::create(device));
  const Handle handle = execution_contexts().insert(std::move(made));
  device.execution_context.store(handle, std::memory_order_release);
  return handle;
}

} // namespace hip::core
