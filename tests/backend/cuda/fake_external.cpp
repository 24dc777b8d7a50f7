// The fake driver: memory and semaphores of other interfaces. What stands for them are the descriptors that the
// software GPU takes: files for memory and for timelines, eventfds for opaque semaphores.
#include "fake_state.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

FAKE_EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                            unsigned levels); // fake_array.cpp

namespace {

constexpr CUresult kErrorInvalidHandle = 400;
constexpr size_t kPage = 4096;

// Of a file that is open for reading and writing; negative for anything else.
off_t file_bytes(int descriptor) {
  struct stat facts{};
  return ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) ? facts.st_size : -1;
}

bool is_event_descriptor(int descriptor) {
  char name[64] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  return ::readlink(link.c_str(), name, sizeof name - 1) > 0 && std::string(name) == "anon_inode:[eventfd]";
}

// What signals and waits do on the thread that runs operations.
void signal(const CUextSemaphore_st& semaphore, uint64_t value) {
  if (semaphore.timeline)
    __atomic_store_n(semaphore.timeline, std::max(value, *semaphore.timeline), __ATOMIC_RELEASE); // one thread signals
  else if (const uint64_t one = 1; ::write(semaphore.descriptor, &one, sizeof one) < 0)
    std::abort();
}
void wait(const CUextSemaphore_st& semaphore, uint64_t value) {
  if (semaphore.timeline) {
    while (__atomic_load_n(semaphore.timeline, __ATOMIC_ACQUIRE) < value)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    return;
  }
  pollfd ready{semaphore.descriptor, POLLIN, 0};
  ::poll(&ready, 1, -1);
  if (uint64_t taken = 0; ::read(semaphore.descriptor, &taken, sizeof taken) < 0) std::abort();
}

template<class P, class F> CUresult submit_all(Fake& fake, const CUexternalSemaphore* semaphores, const P* parameters,
                                               unsigned count, CUstream stream, F f) {
  if (!semaphores || !parameters) return kErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i) {
    if (!fake.semaphores.contains(semaphores[i])) return kErrorInvalidHandle;
    if (parameters[i].flags != 0) return kErrorInvalidValue;
    const CUresult result = fake.submit(
        stream, [f, semaphore = *semaphores[i], value = parameters[i].params.fence.value] { f(semaphore, value); });
    if (result != kSuccess) return result;
  }
  return kSuccess;
}

} // namespace

FAKE_EXPORT CUresult cuImportExternalMemory(CUexternalMemory* memory,
                                            const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* description) {
  FAKE_ENTER_CONTEXT(cuImportExternalMemory);
  if (description->type != kExternalMemoryOpaqueFd || description->size == 0 || description->flags > 1)
    return kErrorInvalidValue;
  const off_t bytes = file_bytes(description->handle.fd);
  const bool fits = bytes >= 0 && static_cast<uint64_t>(bytes) >= description->size;
  void* const probe =
      fits ? ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, description->handle.fd, 0) : MAP_FAILED;
  if (probe == MAP_FAILED) {
    ::close(description->handle.fd); // as NVIDIA's driver does
    return kErrorUnknown;
  }
  ::munmap(probe, kPage);
  *memory = new CUextMemory_st{description->handle.fd, description->size};
  fake.external_memories.insert(*memory);
  return kSuccess;
}

FAKE_EXPORT CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr* address, CUexternalMemory memory,
                                                     const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* description) {
  FAKE_ENTER_CONTEXT(cuExternalMemoryGetMappedBuffer);
  if (!fake.external_memories.contains(memory)) return kErrorInvalidHandle;
  const uint64_t offset = description->offset, bytes = description->size;
  if (bytes == 0 || offset > memory->bytes || bytes > memory->bytes - offset || description->flags != 0)
    return kErrorInvalidValue;
  const uint64_t first = offset / kPage * kPage;
  const size_t mapped = (offset + bytes - first + kPage - 1) / kPage * kPage;
  void* const base =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, memory->descriptor, static_cast<off_t>(first));
  if (base == MAP_FAILED) return kErrorOutOfMemory;
  *address = to_cuda(base) + (offset - first);
  fake.blocks[*address] = {bytes, mapped, From::Device, context};
  fake.used_bytes += bytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray* array, CUexternalMemory memory, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* description) {
  {
    FAKE_ENTER_CONTEXT(cuExternalMemoryGetMappedMipmappedArray);
    if (!fake.external_memories.contains(memory)) return kErrorInvalidHandle;
    if (description->offset >= memory->bytes) return kErrorInvalidValue;
  }
  // An array of its own: where a GPU's arrays have their elements in memory is the GPU's secret.
  return cuMipmappedArrayCreate(array, &description->arrayDesc, description->numLevels);
}

FAKE_EXPORT CUresult cuDestroyExternalMemory(CUexternalMemory memory) {
  FAKE_ENTER_CONTEXT(cuDestroyExternalMemory);
  if (!fake.external_memories.erase(memory)) return kErrorInvalidHandle;
  ::close(memory->descriptor);
  delete memory;
  return kSuccess;
}

FAKE_EXPORT CUresult cuImportExternalSemaphore(CUexternalSemaphore* semaphore,
                                               const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* description) {
  FAKE_ENTER_CONTEXT(cuImportExternalSemaphore);
  const int descriptor = description->handle.fd;
  void* timeline = nullptr;
  if (description->type == kExternalSemaphoreTimelineFd) {
    if (file_bytes(descriptor) < static_cast<off_t>(sizeof(uint64_t))) return kErrorUnknown;
    timeline = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (timeline == MAP_FAILED) return kErrorUnknown;
  } else if (description->type != kExternalSemaphoreOpaqueFd || description->flags != 0) {
    return kErrorInvalidValue;
  } else if (!is_event_descriptor(descriptor)) {
    return kErrorUnknown;
  }
  *semaphore = new CUextSemaphore_st{descriptor, static_cast<uint64_t*>(timeline)};
  fake.semaphores.insert(*semaphore);
  return kSuccess;
}

FAKE_EXPORT CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                                     const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters,
                                                     unsigned count, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuSignalExternalSemaphoresAsync);
  return submit_all(fake, semaphores, parameters, count, stream, signal);
}

FAKE_EXPORT CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* semaphores,
                                                   const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters,
                                                   unsigned count, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuWaitExternalSemaphoresAsync);
  return submit_all(fake, semaphores, parameters, count, stream, wait);
}

FAKE_EXPORT CUresult cuDestroyExternalSemaphore(CUexternalSemaphore semaphore) {
  FAKE_ENTER_CONTEXT(cuDestroyExternalSemaphore);
  if (!fake.semaphores.erase(semaphore)) return kErrorInvalidHandle;
  if (semaphore->timeline) ::munmap(semaphore->timeline, kPage);
  ::close(semaphore->descriptor);
  delete semaphore;
  return kSuccess;
}
