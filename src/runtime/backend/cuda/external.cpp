// Memory and semaphores of other interfaces are the driver's; this file translates their descriptions into CUDA's
// structures. It also has the signals and waits of a Queue.
#include "runtime/backend/cuda/external.h"

#include "runtime/backend/cuda/images.h"
#include "runtime/backend/cuda/queue.h"
#include "runtime/base/own.h"

#include <fcntl.h>
#include <unistd.h>

namespace hip::cuda {
namespace {

class ExternalMemory final : public backend::ExternalMemory {
public:
  ExternalMemory(Context& context, CUexternalMemory handle, uint64_t bytes) noexcept
      : backend::ExternalMemory(bytes), context_(context), handle_(handle) {}
  // Errors are dropped, because a destructor cannot report them.
  ~ExternalMemory() override {
    if (context_.enter().ok()) static_cast<void>(context_.driver().cuDestroyExternalMemory(handle_));
  }

  Result<void*> map(uint64_t offset, uint64_t bytes) override {
    RT_TRY(context_.enter());
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC description{};
    description.offset = offset;
    description.size = bytes;
    CUdeviceptr address = 0;
    RT_TRY(context_.check(context_.driver().cuExternalMemoryGetMappedBuffer(&address, handle_, &description),
                          "cuExternalMemoryGetMappedBuffer"));
    return from_cuda(address);
  }

  Result<Ref<backend::Image>> map_image(uint64_t offset, const backend::ImageShape& shape) override {
    RT_TRY(context_.enter());
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC description{};
    description.offset = offset;
    description.arrayDesc = array_descriptor(shape);
    description.numLevels = shape.levels;
    CUmipmappedArray array = nullptr;
    RT_TRY(context_.check(context_.driver().cuExternalMemoryGetMappedMipmappedArray(&array, handle_, &description),
                          "cuExternalMemoryGetMappedMipmappedArray"));
    return Ref<backend::Image>(make_ref<Image>(context_, shape, nullptr, array));
  }

private:
  Context& context_;
  const CUexternalMemory handle_;
};

} // namespace

ExternalSemaphore::~ExternalSemaphore() {
  if (context_.enter().ok()) static_cast<void>(context_.driver().cuDestroyExternalSemaphore(handle_));
}

Result<Ref<backend::ExternalMemory>> External::import_memory(const backend::ExternalMemorySource& source) {
  RT_TRY(context_.enter());
  // The driver also closes a descriptor that it looked at and refused (580.159: CUDA_ERROR_UNKNOWN), so it is given
  // another one of the same.
  const int descriptor = source.descriptor < 0 ? -1 : ::fcntl(source.descriptor, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return error(ErrorCode::InvalidValue, "File descriptor {} is not open.", source.descriptor);
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
  description.type = kExternalMemoryOpaqueFd;
  description.handle.fd = descriptor;
  description.size = source.bytes;
  description.flags = source.dedicated ? kExternalMemoryDedicated : 0;
  CUexternalMemory handle = nullptr;
  const CUresult result = context_.driver().cuImportExternalMemory(&handle, &description);
  if (result == kErrorUnknown)
    return error(ErrorCode::InvalidValue, "File descriptor {} is of no memory that {} can import {} bytes of.",
                 source.descriptor, context_.name(), source.bytes);
  if (result != kSuccess) {
    ::close(descriptor);
    return context_.check(result, "cuImportExternalMemory");
  }
  ::close(source.descriptor);
  return own([&] { return Ref<backend::ExternalMemory>(make_ref<ExternalMemory>(context_, handle, source.bytes)); },
             [&] { return context_.driver().cuDestroyExternalMemory(handle); });
}

Result<Ref<backend::ExternalSemaphore>> External::import_semaphore(const backend::ExternalSemaphoreSource& source) {
  RT_TRY(context_.enter());
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
  description.type =
      source.kind == backend::SemaphoreKind::Timeline ? kExternalSemaphoreTimelineFd : kExternalSemaphoreOpaqueFd;
  description.handle.fd = source.descriptor;
  CUexternalSemaphore handle = nullptr;
  const CUresult result = context_.driver().cuImportExternalSemaphore(&handle, &description);
  if (result == kErrorUnknown) // what the driver says of other descriptors; it leaves them open
    return error(ErrorCode::InvalidValue, "File descriptor {} is of no semaphore that {} can import.",
                 source.descriptor, context_.name());
  RT_TRY(context_.check(result, "cuImportExternalSemaphore"));
  return own([&] { return Ref<backend::ExternalSemaphore>(make_ref<ExternalSemaphore>(context_, handle)); },
             [&] { return context_.driver().cuDestroyExternalSemaphore(handle); });
}

// ---- queues --------------------------------------------------------------------------------------------------------

namespace {

std::vector<CUexternalSemaphore> handles_of(std::span<const backend::ExternalStep> steps) {
  std::vector<CUexternalSemaphore> handles;
  for (const backend::ExternalStep& step : steps)
    handles.push_back(static_cast<const ExternalSemaphore&>(*step.semaphore).handle());
  return handles;
}

template<class P> std::vector<P> values_of(std::span<const backend::ExternalStep> steps) {
  std::vector<P> values(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) values[i].params.fence.value = steps[i].value;
  return values;
}

} // namespace

Status Queue::external(backend::ExternalAction action, std::span<const backend::ExternalStep> steps) {
  if (steps.empty()) return {};
  RT_TRY(context_.enter());
  const std::vector<CUexternalSemaphore> handles = handles_of(steps);
  const auto count = static_cast<unsigned>(steps.size());
  if (action == backend::ExternalAction::Signal) {
    const auto values = values_of<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>(steps);
    return context_.check(driver_.cuSignalExternalSemaphoresAsync(handles.data(), values.data(), count, handle_),
                          "cuSignalExternalSemaphoresAsync");
  }
  const auto values = values_of<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>(steps);
  return context_.check(driver_.cuWaitExternalSemaphoresAsync(handles.data(), values.data(), count, handle_),
                        "cuWaitExternalSemaphoresAsync");
}

} // namespace hip::cuda
