// Memory: what an address is, copies that name memory types, pools, external memory.
#include "older.h"

#include <chrono>
#include <cstring>
#include <functional>

#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace {

// The structures as the headers of HIP 5 declare them; the tests do not read runtime/compat.
struct Memcpy3D5 {
  unsigned srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void* srcHost;
  void* srcDevice;
  void* srcArray;
  unsigned srcPitch, srcHeight;
  unsigned dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void* dstHost;
  void* dstDevice;
  void* dstArray;
  unsigned dstPitch, dstHeight;
  unsigned WidthInBytes, Height, Depth;
};
struct ExternalMemory5 {
  int type;
  union {
    int fd;
    void* pointers[2];
  } handle;
  unsigned long long size;
  unsigned flags;
};
struct ExternalBuffer5 {
  unsigned long long offset, size;
  unsigned flags;
};
struct ExternalSemaphore5 {
  int type;
  union {
    int fd;
    void* pointers[2];
  } handle;
  unsigned flags;
};
struct SemaphoreParams5 { // of signals and waits: the value comes first, the flags at 64
  unsigned long long value;
  unsigned char between[56];
  unsigned flags;
  unsigned reserved[16];
};
static_assert(sizeof(SemaphoreParams5) == 136);

constexpr int kHost5 = 0, kDevice5 = 1, kManaged5 = 4;

// A structure at the end of a page, so that what reads beyond it faults.
template<class T> class AtPageEnd {
public:
  explicit AtPageEnd(size_t count = 1) {
    pages_ = static_cast<char*>(mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages_ != MAP_FAILED);
    REQUIRE(mprotect(pages_ + 2 * kPage, kPage, PROT_NONE) == 0);
    at_ = reinterpret_cast<T*>(pages_ + 2 * kPage - count * sizeof(T));
  }
  ~AtPageEnd() { munmap(pages_, 3 * kPage); }
  T* get() { return at_; }
  T* operator->() { return at_; }
  template<class U> U* as() { return reinterpret_cast<U*>(at_); }

private:
  static constexpr size_t kPage = 4096;
  char* pages_;
  T* at_;
};

} // namespace

TEST_CASE("Memory types are those of the library's time") {
  char local = 0;
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  OK(IN(7, hipMalloc)(&device, 64));
  OK(IN(7, hipHostMalloc)(&pinned, 64, 0));
  OK(IN(7, hipMallocManaged)(&managed, 64, hipMemAttachGlobal));
  struct Expected {
    int number;
    void* memory;
    int type;
  };
  for (const Expected& e : {Expected{5, device, kDevice5},
                            {5, pinned, kHost5},
                            {5, managed, kManaged5},
                            {6, device, 2},
                            {6, pinned, 1},
                            {6, managed, 3},
                            {7, device, 2},
                            {7, pinned, 1}}) {
    INFO(e.number << " type " << e.type);
    hipPointerAttribute_t a;
    std::memset(&a, 0xff, sizeof a);
    OK(IN(e.number, hipPointerGetAttributes)(&a, e.memory));
    CHECK(static_cast<int>(a.type) == e.type);
    CHECK(a.devicePointer == e.memory);
    CHECK(a.device == 0);
    CHECK(a.isManaged == (e.memory == managed));
    unsigned type = 99;
    OK(IN(e.number, hipPointerGetAttribute)(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, e.memory));
    CHECK(static_cast<int>(type) == e.type);
    void* start = nullptr;
    type = 99;
    hipPointer_attribute which[] = {HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void* places[] = {&start, &type};
    OK(IN(e.number, hipDrvPointerGetAttributes)(2, which, places, e.memory));
    CHECK(start == e.memory);
    CHECK(static_cast<int>(type) == e.type);
  }
  hipPointerAttribute_t a;
  FAILS_IN(5, IN(5, hipPointerGetAttributes)(&a, &local), hipErrorInvalidValue);
  for (const int number : {6, 7}) {
    OK(IN(number, hipPointerGetAttributes)(&a, &local));
    CHECK(a.type == hipMemoryTypeUnregistered);
  }
  for (const int number : {5, 6}) {
    FAILS_IN(number, IN(number, hipPointerGetAttributes)(&a, nullptr), hipErrorInvalidValue);
    FAILS_IN(number, IN(number, hipPointerGetAttributes)(nullptr, device), hipErrorInvalidValue);
  }
  OK(IN(7, hipPointerGetAttributes)(&a, nullptr));
  CHECK(a.type == hipMemoryTypeUnregistered);
  for (const int number : {5, 6, 7}) { // of memory that HIP does not know
    unsigned type = 99;
    hipPointer_attribute which = HIP_POINTER_ATTRIBUTE_MEMORY_TYPE;
    void* place = &type;
    OK(IN(number, hipDrvPointerGetAttributes)(1, &which, &place, &local));
    CHECK(type == 0);
  }
  FAILS_IN(5, IN(5, hipPointerGetAttribute)(nullptr, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device), hipErrorInvalidValue);
  FAILS_IN(5, IN(5, hipDrvPointerGetAttributes)(1, nullptr, nullptr, device), hipErrorInvalidValue);
  OK(IN(7, hipFree)(device));
  OK(IN(7, hipHostFree)(pinned));
  OK(IN(7, hipFree)(managed));
}

TEST_CASE("The driver's copies of HIP 5") {
  void* device = nullptr;
  OK(IN(5, hipMalloc)(&device, 4096));
  std::vector<unsigned char> in(4096), out(4096);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 31 + 7);
  hipStream_t stream = nullptr;
  OK(IN(5, hipStreamCreate)(&stream));

  // Rows of 24 bytes, 32 apart in host memory, 64 apart on the device.
  hip_Memcpy2D flat{};
  flat.srcMemoryType = static_cast<hipMemoryType>(kHost5);
  flat.srcHost = in.data();
  flat.srcPitch = 32;
  flat.dstMemoryType = static_cast<hipMemoryType>(kDevice5);
  flat.dstDevice = device;
  flat.dstPitch = 64;
  flat.WidthInBytes = 24;
  flat.Height = 10;
  using Copy2D = hipError_t(const hip_Memcpy2D*);
  const auto async = [&](const hip_Memcpy2D* copy) {
    const hipError_t result = IN(5, hipMemcpyParam2DAsync)(copy, stream);
    return result == hipSuccess ? IN(5, hipStreamSynchronize)(stream) : result;
  };
  const std::function<Copy2D> copies[] = {IN(5, hipMemcpyParam2D), IN(5, hipDrvMemcpy2DUnaligned), async};
  for (const auto& copy : copies) {
    OK(IN(5, hipMemset)(device, 0, 4096));
    OK(copy(&flat));
    OK(IN(5, hipMemcpy)(out.data(), device, 4096, hipMemcpyDeviceToHost));
    for (size_t row = 0; row < 10; ++row) {
      CHECK(std::memcmp(&out[row * 64], &in[row * 32], 24) == 0);
      CHECK(out[row * 64 + 24] == 0);
    }
    hip_Memcpy2D wrong = flat;
    wrong.dstMemoryType = static_cast<hipMemoryType>(10); // HIP 6's Array
    FAILS_IN(5, copy(&wrong), hipErrorInvalidValue);
    FAILS_IN(5, copy(nullptr), hipErrorInvalidValue);
  }

  // Two slices of three such rows, back to the host.
  AtPageEnd<Memcpy3D5> box;
  box->srcMemoryType = kDevice5;
  box->srcDevice = device;
  box->srcPitch = 64;
  box->srcHeight = 5;
  box->srcXInBytes = 8;
  box->dstMemoryType = kHost5;
  box->dstHost = out.data();
  box->dstPitch = 16;
  box->dstHeight = 3;
  box->WidthInBytes = 16;
  box->Height = 3;
  box->Depth = 2;
  OK(IN(5, hipMemcpy)(device, in.data(), 4096, hipMemcpyHostToDevice));
  const auto async_box = [&](const HIP_MEMCPY3D* copy) {
    const hipError_t result = IN(5, hipDrvMemcpy3DAsync)(copy, stream);
    return result == hipSuccess ? IN(5, hipStreamSynchronize)(stream) : result;
  };
  const std::function<hipError_t(const HIP_MEMCPY3D*)> boxes[] = {IN(5, hipDrvMemcpy3D), async_box};
  for (const auto& copy : boxes) {
    std::fill(out.begin(), out.end(), static_cast<unsigned char>(0));
    OK(copy(box.as<HIP_MEMCPY3D>()));
    for (size_t z = 0; z < 2; ++z)
      for (size_t y = 0; y < 3; ++y) CHECK(std::memcmp(&out[(z * 3 + y) * 16], &in[(z * 5 + y) * 64 + 8], 16) == 0);
    CHECK(out[6 * 16] == 0);
    FAILS_IN(5, copy(nullptr), hipErrorInvalidValue);
  }
  OK(IN(5, hipStreamDestroy)(stream));
  OK(IN(5, hipFree)(device));
}

TEST_CASE("hipFree waits for memory of pools before HIP 7") {
  const TestModule code(7);
  if (!kernels_run()) return;
  int* flag = nullptr;
  OK(IN(7, hipHostMalloc)(reinterpret_cast<void**>(&flag), sizeof *flag, 0));
  hipStream_t stream = nullptr;
  OK(IN(7, hipStreamCreateWithFlags)(&stream, hipStreamNonBlocking));
  for (const int number : {5, 6, 7}) {
    INFO(number);
    *flag = 0;
    void* memory = nullptr;
    OK(IN(number, hipMallocAsync)(&memory, 4096, stream));
    OK(IN(number, hipStreamSynchronize)(stream));
    void* args[] = {&flag};
    OK(IN(number, hipModuleLaunchKernel)(code.function("wait_for"), 1, 1, 1, 1, 1, 1, 0, stream, args, nullptr));
    std::thread later([flag] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    });
    OK(IN(number, hipFree)(memory));
    const bool finished = __atomic_load_n(flag, __ATOMIC_ACQUIRE) == 1;
    if (number != 7) CHECK(finished); // HIP 7 may or may not
    later.join();
    OK(IN(number, hipStreamSynchronize)(stream));
    CHECK(IN(number, hipFree)(memory) == hipErrorInvalidValue);
  }
  OK(IN(7, hipStreamDestroy)(stream));
  OK(IN(7, hipHostFree)(flag));
}

TEST_CASE("A pool of HIP 5 has no greatest size") {
  AtPageEnd<hipMemPoolProps> props;
  std::memset(static_cast<void*>(props.get()), 0, sizeof(hipMemPoolProps));
  props->allocType = hipMemAllocationTypePinned;
  props->location = {hipMemLocationTypeDevice, 0};
  props->maxSize = 4096; // one of the bytes that HIP 5 calls reserved
  for (const int number : {5, 6}) {
    hipMemPool_t pool = nullptr;
    OK(IN(number, hipMemPoolCreate)(&pool, props.get()));
    void* memory = nullptr;
    const hipError_t result = IN(number, hipMallocFromPoolAsync)(&memory, 1 << 20, pool, nullptr);
    CHECK(result == (number == 5 ? hipSuccess : hipErrorOutOfMemory));
    if (memory) OK(IN(number, hipFreeAsync)(memory, nullptr));
    OK(IN(number, hipDeviceSynchronize)());
    OK(IN(number, hipMemPoolDestroy)(pool));
  }
  hipMemPool_t pool = nullptr;
  FAILS_IN(5, IN(5, hipMemPoolCreate)(&pool, nullptr), hipErrorInvalidValue);
  FAILS_IN(5, IN(5, hipMemPoolCreate)(nullptr, props.get()), hipErrorInvalidValue);
}

TEST_CASE("hipFreeAsync of null was an error before HIP 7") {
  for (const int number : {5, 6}) FAILS_IN(number, IN(number, hipFreeAsync)(nullptr, nullptr), hipErrorInvalidValue);
  OK(IN(7, hipFreeAsync)(nullptr, nullptr));
  for (const int number : {5, 6, 7}) { // what is not null is freed in all of them
    void* memory = nullptr;
    OK(IN(number, hipMallocAsync)(&memory, 64, nullptr));
    OK(IN(number, hipFreeAsync)(memory, nullptr));
  }
  OK(IN(7, hipDeviceSynchronize)());
}

// A process cannot open its own memory, so what takes the flag gives another error.
TEST_CASE("The flag of hipIpcOpenMemHandle is 0 in HIP 5, and 1 since") {
  void *memory = nullptr, *opened = nullptr;
  OK(IN(7, hipMalloc)(&memory, 1000));
  hipIpcMemHandle_t handle{};
  hipError_t taken = hipErrorNotSupported; // by the null back end, which has no such memory
  if (kernels_run()) {
    OK(IN(7, hipIpcGetMemHandle)(&handle, memory));
    taken = hipErrorInvalidContext;
  }
  for (const int number : {5, 6, 7})
    for (const unsigned flags : {0u, 1u, 2u, ~0u}) {
      INFO("libamdhip64.so." << number << ", flags " << flags);
      const bool right = flags == (number == 5 ? 0u : 1u);
      FAILS_IN(number, IN(number, hipIpcOpenMemHandle)(&opened, handle, flags), right ? taken : hipErrorInvalidValue);
      FAILS_IN(number, IN(number, hipIpcOpenMemHandle)(nullptr, handle, flags), hipErrorInvalidValue);
    }
  OK(IN(7, hipFree)(memory));
}

TEST_CASE("External memory and semaphores of HIP 5") {
  hipExternalMemory_t memory = nullptr;
  hipExternalSemaphore_t semaphores[2] = {};
  FAILS_IN(5, IN(5, hipImportExternalMemory)(&memory, nullptr), hipErrorInvalidValue);
  FAILS_IN(5, IN(5, hipImportExternalSemaphore)(semaphores, nullptr), hipErrorInvalidValue);
  FAILS_IN(5, IN(5, hipSignalExternalSemaphoresAsync)(semaphores, nullptr, 2, nullptr), hipErrorInvalidValue);
  FAILS_IN(5, IN(5, hipWaitExternalSemaphoresAsync)(nullptr, nullptr, 2, nullptr), hipErrorInvalidValue);
  if (!kernels_run()) return; // the null back end imports nothing

  const int file = memfd_create("external", MFD_CLOEXEC);
  REQUIRE(file >= 0);
  REQUIRE(pwrite(file, "0123456789abcdef", 16, 4096) == 16);
  AtPageEnd<ExternalMemory5> desc;
  desc->type = hipExternalMemoryHandleTypeOpaqueFd;
  desc->handle.fd = dup(file);
  desc->size = 4112;
  OK(IN(5, hipImportExternalMemory)(&memory, desc.as<hipExternalMemoryHandleDesc>()));
  AtPageEnd<ExternalBuffer5> part;
  part->offset = 4096;
  part->size = 16;
  void* mapped = nullptr;
  OK(IN(5, hipExternalMemoryGetMappedBuffer)(&mapped, memory, part.as<hipExternalMemoryBufferDesc>()));
  char text[16];
  OK(IN(5, hipMemcpy)(text, mapped, 16, hipMemcpyDeviceToHost));
  CHECK(std::memcmp(text, "0123456789abcdef", 16) == 0);
  FAILS_IN(5, IN(5, hipExternalMemoryGetMappedBuffer)(&mapped, memory, nullptr), hipErrorInvalidValue);
  OK(IN(5, hipFree)(mapped));
  OK(IN(5, hipDestroyExternalMemory)(memory));
  close(file);

  // Two timelines: the second list element lies 136 bytes behind the first, not 144.
  int files[2];
  AtPageEnd<ExternalSemaphore5> one;
  for (int i = 0; i < 2; ++i) {
    files[i] = memfd_create("timeline", MFD_CLOEXEC);
    REQUIRE(ftruncate(files[i], 8) == 0);
    one->type = hipExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    one->handle.fd = dup(files[i]);
    one->flags = 0;
    OK(IN(5, hipImportExternalSemaphore)(&semaphores[i], one.as<hipExternalSemaphoreHandleDesc>()));
  }
  AtPageEnd<SemaphoreParams5> params(2);
  params.get()[0].value = 17;
  params.get()[1].value = 0x100000012;
  OK(IN(5, hipSignalExternalSemaphoresAsync)(semaphores, params.as<hipExternalSemaphoreSignalParams>(), 2, nullptr));
  OK(IN(5, hipWaitExternalSemaphoresAsync)(semaphores, params.as<hipExternalSemaphoreWaitParams>(), 2, nullptr));
  OK(IN(5, hipDeviceSynchronize)());
  for (int i = 0; i < 2; ++i) {
    uint64_t value = 0;
    REQUIRE(pread(files[i], &value, 8, 0) == 8);
    CHECK(value == params.get()[i].value);
    OK(IN(5, hipDestroyExternalSemaphore)(semaphores[i]));
    close(files[i]);
  }
}
