// runtime/core/execution_context.h - hipExecutionCtx_t: streams on a part of a device's compute units ("green
// contexts"), and the context of a whole device. And the descriptors that contexts are made of. Thread safety: all
// functions may be called from any thread; no lock of a context is held while work is waited for.
#pragma once

#include "runtime/core/compute_units.h"
#include "runtime/core/event.h"
#include "runtime/core/stream_group.h"

#include <optional>

namespace hip::core {

// hipDevResourceDesc_t: what a context is to be made of.
class ResourceDescriptor {
public:
  // hipDevWorkqueueConfigResource, which is only kept: every stream has a queue of its own.
  struct Queues {
    int device;
    unsigned concurrency, scope;
  };
  ResourceDescriptor(Device& device, std::vector<ComputeUnits> parts, std::optional<Queues> queues)
      : device_(device), parts_(std::move(parts)), queues_(queues) {}
  Device& device() const noexcept { return device_; }
  std::span<const ComputeUnits> parts() const noexcept { return parts_; }
  const std::optional<Queues>& queues() const noexcept { return queues_; }
  // True the first time: the caller's context takes the descriptor with it when it ends.
  bool take() noexcept { return !taken_.exchange(true); }
  Handle handle() const noexcept { return handle_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }

private:
  Device& device_;
  const std::vector<ComputeUnits> parts_;
  const std::optional<Queues> queues_;
  std::atomic<bool> taken_{false};
  Handle handle_ = nullptr;
};
using DescriptorTable = HandleTable<ResourceDescriptor, HandleKind::ResourceDescriptor>;
DescriptorTable& descriptors() noexcept;

class ExecutionContext {
public:
  // A context of a descriptor. Errors: NotSupported, and the driver's.
  static Result<std::unique_ptr<ExecutionContext>> create(ResourceDescriptor& descriptor);
  // The whole device's. Error: the driver's.
  static Result<std::unique_ptr<ExecutionContext>> create(Device& device);
  ~ExecutionContext(); // detaches the streams that are left

  Device& device() const noexcept { return group_->device(); }
  bool is_device() const noexcept { return is_device_; }
  uint64_t id() const noexcept { return id_; } // unique in the process
  const ComputeUnits& units() const noexcept { return group_->units(); }
  const std::optional<ResourceDescriptor::Queues>& queues() const noexcept { return queues_; }
  void set_handle(Handle) noexcept {}

  Result<Handle> create_stream(unsigned flags, int priority);
  // Blocks until all work of the streams is done; for a device's context as Device::synchronize.
  Status synchronize();
  // Errors: StreamCaptureUnsupported while a stream is captured; Event::record's.
  Status record(Event& event);
  // Work that the streams are given from now on waits. Errors: as record().
  Status wait(Event& event);

private:
  ExecutionContext(std::shared_ptr<StreamGroup> group, bool is_device);
  // Live ones; the default stream of a device's context is one.
  std::vector<Pin<Stream>> streams();
  Status check_not_captured(std::span<const Pin<Stream>> streams) const;

  const std::shared_ptr<StreamGroup> group_;
  const bool is_device_;
  const uint64_t id_;
  std::optional<ResourceDescriptor::Queues> queues_;
  Handle descriptor_ = nullptr; // that ends with the context
  std::mutex mutex_;            // streams_; a leaf
  std::vector<Handle> streams_;
  std::mutex collector_mutex_; // held while an event is recorded
  Stream collector_;           // waits for all streams, so that one event can follow them
};
using ExecutionContextTable = HandleTable<ExecutionContext, HandleKind::ExecutionContext>;
ExecutionContextTable& execution_contexts() noexcept;

// The handle of the whole device's context, the same each time. Error: the driver's.
Result<Handle> device_execution_context(Device& device);

} // namespace hip::core
