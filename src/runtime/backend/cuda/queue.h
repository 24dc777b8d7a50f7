// runtime/backend/cuda/queue.h - one CUstream as a Queue. HIP's null stream is the legacy default stream of the primary
// context and blocking streams are CUDA's, so that CUDA libraries in the process see the order that HIP prescribes.
// Thread safety: as backend.h says.
#pragma once

#include "runtime/backend/cuda/executable.h"
#include "runtime/backend/cuda/point.h"

namespace hip::cuda {

class Device;

class Queue final : public backend::Queue {
public:
  Queue(Device& device, Ref<Stream> stream);
  ~Queue() override;

  [[gnu::hot]] Status launch(const backend::Launch& launch) override;
  Status copy(void* dst, const void* src, size_t bytes) override;
  [[gnu::hot]] Status copy_between(void* dst, const void* src, size_t bytes,
                                   const backend::CopyOwners& owners) override;
  [[gnu::hot]] Status copy_now(void* dst, const void* src, size_t bytes, backend::CopyTo to) override;
  Status copy_3d(const backend::Region& dst, const backend::Region& src, const backend::Extent3& extent) override;
  Status copy_box(const backend::BoxEnd& dst, const backend::BoxEnd& src, const backend::Extent3& extent) override;
  Status fill_3d(const backend::Region& dst, uint64_t pattern, uint32_t pattern_bytes,
                 const backend::Extent3& extent) override;
  [[gnu::hot]] Status run(const Ref<backend::CommandList>& list) override;
  Status prefetch(const void* base, size_t bytes, backend::Device* where) override;
  Status discard(void* base, size_t bytes) override;
  Status set_access_window(const backend::AccessWindow& window) override;
  Result<Ref<backend::Completion>> record(const backend::PointOptions& options = {}) override;
  [[gnu::hot]] Status record_into(Ref<backend::Completion>& point, const backend::PointOptions& options) override;
  Result<Ref<backend::Completion>> tail() override { return Ref<backend::Completion>(end_); }
  Status wait(const Ref<backend::Completion>& completion) override;
  Status host_function(backend::HostFunction fn, void* user_data) override;
  Status external(backend::ExternalAction action, std::span<const backend::ExternalStep> steps) override;
  Status write_value(void* address, uint64_t value, uint32_t bytes) override;
  Status wait_value(const backend::ValueWait& wait) override;
  Result<void*> allocate(backend::Device& device, size_t bytes) override;
  Status release(backend::Device& device, void* base, backend::MemoryKind kind) override;
  CUstream handle() const noexcept { return handle_; }
  bool idle() noexcept override { return stream_->idle(); }
  Status synchronize() noexcept override { return stream_->synchronize(); }

private:
  Status copy_linear(void* dst, CUcontext to, const void* src, CUcontext from, size_t bytes);
  Status launch_packed(Kernel& kernel, const backend::Launch& launch);
  Status launch_cooperative(Kernel& kernel, const backend::Launch& launch);
  Status copy_boxes(const backend::Region& dst, const backend::Region& src, const backend::Extent3& extent);
  Status fill_row(CUdeviceptr dst, uint64_t pattern, uint32_t pattern_bytes, size_t bytes);
  Status fill_plane(CUdeviceptr dst, size_t pitch, uint64_t pattern, uint32_t pattern_bytes, size_t width, size_t rows);

  Device& device_;
  Context& context_;
  const Driver& driver_;
  const decltype(Driver::cuLaunchKernel) launch_kernel_; // a copy, beside the members that every launch reads
  const CUstream handle_;
  Ref<Stream> stream_;
  LaunchLog& log_; // the stream's
  Ref<StreamEnd> end_;
};

} // namespace hip::cuda
