// runtime/backend/cuda/external.h - memory and semaphores of other interfaces, through the driver. Thread safety: any
// thread.
#pragma once

#include "runtime/backend/cuda/context.h"
#include "runtime/backend/external.h"

namespace hip::cuda {

class ExternalSemaphore final : public backend::ExternalSemaphore {
public:
  ExternalSemaphore(Context& context, CUexternalSemaphore handle) noexcept : context_(context), handle_(handle) {}
  ~ExternalSemaphore() override;
  CUexternalSemaphore handle() const noexcept { return handle_; }

private:
  Context& context_;
  const CUexternalSemaphore handle_;
};

class External final : public backend::ExternalObjects {
public:
  explicit External(Context& context) noexcept : context_(context) {}
  Result<Ref<backend::ExternalMemory>> import_memory(const backend::ExternalMemorySource& source) override;
  Result<Ref<backend::ExternalSemaphore>> import_semaphore(const backend::ExternalSemaphoreSource& source) override;

private:
  Context& context_;
};

} // namespace hip::cuda
