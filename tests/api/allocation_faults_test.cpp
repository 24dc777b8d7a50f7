// Memory of the host that runs out inside a call: every allocation that a call of the API makes on its thread fails
// once, the first, the second and so on. Each time the call answers hipErrorOutOfMemory or succeeds without it, keeps
// nothing, and the same call succeeds afterwards. This program's operator new and mmap are the runtime's, too.
#include "registered.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// Of the calling thread: how many allocations are still made before one fails; negative: none fails.
thread_local long allocations_left = -1;
thread_local bool failed = false;
// The same of all threads together.
std::atomic<long> allocations_left_to_all{-1};
std::atomic<bool> failed_anywhere{false};
// Blocks of operator new that nobody has given back: another thread may be the one that does.
std::atomic<long> live_blocks{0};

bool fails_now() noexcept {
  if (allocations_left_to_all.load() >= 0 && allocations_left_to_all.fetch_sub(1) == 0) {
    failed_anywhere = true;
    return true;
  }
  if (allocations_left < 0) return false;
  if (allocations_left-- != 0) return false;
  failed = true;
  return true;
}

// NVIDIA's driver has allocations of its own, and so the one that stands for it (tests/backend/cuda).
bool is_drivers(const void* caller) noexcept {
  Dl_info info{};
  return dladdr(caller, &info) != 0 && info.dli_fname && std::strstr(info.dli_fname, "libfake_cuda");
}

bool may_fail(const void* caller) noexcept {
  return (allocations_left >= 0 || allocations_left_to_all.load() >= 0) && !is_drivers(caller);
}

void* allocate(size_t bytes, size_t alignment, const void* caller) noexcept {
  if (may_fail(caller) && fails_now()) return nullptr;
  void* memory = nullptr;
  if (alignment <= alignof(max_align_t))
    memory = std::malloc(bytes ? bytes : 1);
  else if (posix_memalign(&memory, alignment, bytes) != 0)
    memory = nullptr;
  if (memory) ++live_blocks;
  return memory;
}

void* allocate_or_throw(size_t bytes, size_t alignment, const void* caller) {
  void* const memory = allocate(bytes, alignment, caller);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory) --live_blocks;
  std::free(memory);
}

} // namespace

#define CALLER __builtin_return_address(0)
void* operator new(size_t bytes) { return allocate_or_throw(bytes, 1, CALLER); }
void* operator new[](size_t bytes) { return allocate_or_throw(bytes, 1, CALLER); }
void* operator new(size_t bytes, std::align_val_t a) {
  return allocate_or_throw(bytes, static_cast<size_t>(a), CALLER);
}
void* operator new[](size_t bytes, std::align_val_t a) {
  return allocate_or_throw(bytes, static_cast<size_t>(a), CALLER);
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1, CALLER); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1, CALLER); }
#undef CALLER
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, size_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { release(memory); }

extern "C" void* mmap(void* address, size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  if (fails_now()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset));
}

namespace {

struct Step {
  const char* name;
  std::function<hipError_t()> call;
  std::function<hipError_t()> undo = [] { return hipSuccess; }; // after a success
};

struct Attempt {
  hipError_t result;
  bool failed; // an allocation
  long kept;   // blocks
};

// The call with its n-th allocation failing, from 0 on; negative: with all of them. A success is undone.
Attempt attempt(const Step& step, long n) {
  const long before = live_blocks;
  failed = false;
  allocations_left = n;
  const hipError_t result = step.call();
  allocations_left = -1;
  Attempt a{result, failed, 0};
  if (result == hipSuccess && step.undo() != hipSuccess) a.result = hipErrorUnknown;
  if (result != hipSuccess) (void)hipDeviceSynchronize(); // what has been begun keeps blocks until it is done
  (void)hipGetLastError();
  a.kept = live_blocks - before;
  return a;
}

// How many blocks so many attempts keep. What is cached once (a decoder, where the last one is still in use by a launch
// that another thread ends) is not kept by the next series.
long kept_by_many(const Step& step, long n, long repeats) {
  long least = 0;
  for (int series = 0; series < 3; ++series) {
    long kept = 0;
    for (long i = 0; i < repeats; ++i) kept += attempt(step, n).kept;
    least = series == 0 ? kept : std::min(least, kept);
    if (least < repeats) break;
  }
  return least;
}

// What calls may cache is made by the first; nothing may be kept by each of many.
void check(const Step& step) {
  constexpr long kMost = 2000, kRepeats = 16;
  INFO(step.name);
  for (int i = 0; i < 3; ++i) REQUIRE(attempt(step, -1).result == hipSuccess);
  REQUIRE(hipDeviceSynchronize() == hipSuccess);
  long n = 0;
  for (; n < kMost; ++n) {
    INFO("allocation " << n);
    Attempt a = attempt(step, n);
    if (!a.failed) {
      CHECK(a.result == hipSuccess);
      break;
    }
    REQUIRE((a.result == hipErrorOutOfMemory || a.result == hipSuccess));
    CHECK(kept_by_many(step, n, kRepeats) < kRepeats);
  }
  CHECK(n < kMost);
  CHECK(attempt(step, -1).result == hipSuccess);
}

hipError_t in_turn(std::initializer_list<hipError_t> results) {
  for (const hipError_t result : results)
    if (result != hipSuccess) return result;
  return hipSuccess;
}

void no_function(void*) {}
void no_callback(hipStream_t, hipError_t, void*) {}

} // namespace

TEST_CASE("Allocations that fail inside streams, events and memory") {
  void* memory = nullptr;
  hipStream_t stream = nullptr, made = nullptr;
  hipEvent_t event = nullptr;
  hipMemPool_t pool = nullptr;
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.location = {hipMemLocationTypeDevice, 0};
  std::vector<char> host(1 << 16), registered(1 << 16);
  void* block = nullptr;
  OK(hipMalloc(&block, host.size()));
  OK(hipStreamCreate(&stream));
  const auto synchronize = [&] { return hipStreamSynchronize(stream); };
  const Step steps[] = {
      {"hipStreamCreate", [&] { return hipStreamCreate(&made); }, [&] { return hipStreamDestroy(made); }},
      {"hipStreamCreateWithPriority", [&] { return hipStreamCreateWithPriority(&made, hipStreamNonBlocking, 0); },
       [&] { return hipStreamDestroy(made); }},
      {"hipEventCreate", [&] { return hipEventCreate(&event); }, [&] { return hipEventDestroy(event); }},
      {"hipEventCreateWithFlags", [&] { return hipEventCreateWithFlags(&event, hipEventDisableTiming); },
       [&] { return hipEventDestroy(event); }},
      {"hipMalloc", [&] { return hipMalloc(&memory, 100); }, [&] { return hipFree(memory); }},
      {"hipMalloc of much", [&] { return hipMalloc(&memory, 64 << 20); }, [&] { return hipFree(memory); }},
      {"hipMallocPitch",
       [&] {
         size_t pitch;
         return hipMallocPitch(&memory, &pitch, 100, 100);
       },
       [&] { return hipFree(memory); }},
      {"hipMallocManaged", [&] { return hipMallocManaged(&memory, 100000, hipMemAttachGlobal); },
       [&] { return hipFree(memory); }},
      {"hipHostMalloc", [&] { return hipHostMalloc(&memory, 100000, 0); }, [&] { return hipHostFree(memory); }},
      {"hipHostRegister", [&] { return hipHostRegister(registered.data(), registered.size(), 0); },
       [&] { return hipHostUnregister(registered.data()); }},
      {"hipMallocAsync", [&] { return hipMallocAsync(&memory, 100000, stream); },
       [&] { return in_turn({hipFreeAsync(memory, stream), hipStreamSynchronize(stream)}); }},
      {"hipMemPoolCreate", [&] { return hipMemPoolCreate(&pool, &props); }, [&] { return hipMemPoolDestroy(pool); }},
      {"hipMemcpy", [&] { return hipMemcpy(block, host.data(), host.size(), hipMemcpyHostToDevice); }},
      {"hipMemcpyAsync", [&] { return hipMemcpyAsync(block, host.data(), host.size(), hipMemcpyHostToDevice, stream); },
       synchronize},
      {"hipMemcpy2D", [&] { return hipMemcpy2D(block, 64, host.data(), 64, 32, 100, hipMemcpyHostToDevice); }},
      {"hipMemset", [&] { return hipMemset(block, 1, host.size()); }},
      {"hipMemsetAsync", [&] { return hipMemsetAsync(block, 1, host.size(), stream); }, synchronize},
      {"hipLaunchHostFunc", [&] { return hipLaunchHostFunc(stream, no_function, nullptr); }, synchronize},
      {"hipStreamAddCallback", [&] { return hipStreamAddCallback(stream, no_callback, nullptr, 0); }, synchronize},
      {"hipStreamSynchronize", synchronize},
      {"hipDeviceSynchronize", [] { return hipDeviceSynchronize(); }},
  };
  for (const Step& step : steps) check(step);
  OK(hipEventCreate(&event));
  const Step events[] = {
      {"hipEventRecord", [&] { return hipEventRecord(event, stream); }, synchronize},
      {"hipStreamWaitEvent", [&] { return hipStreamWaitEvent(stream, event, 0); }, synchronize},
      {"hipEventSynchronize", [&] { return hipEventSynchronize(event); }},
  };
  for (const Step& step : events) check(step);
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
  OK(hipFree(block));
}

TEST_CASE("Allocations that fail where processes share memory") {
  const char* const backend = std::getenv("OMNIHIP_BACKEND");
  if (backend && std::string(backend) == "cuda") {
    WARN("left out: the driver has pools of its own"); // which the one of the tests shares with nobody
    return;
  }
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.location = {hipMemLocationTypeDevice, 0};
  props.handleTypes = hipMemHandleTypePosixFileDescriptor;
  hipMemPool_t pool = nullptr, imported = nullptr, again = nullptr;
  if (hipMemPoolCreate(&pool, &props) == hipErrorNotSupported) {
    WARN("left out: the device shares no memory");
    return;
  }
  REQUIRE(pool);
  int descriptor = -1, made = -1;
  OK(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypePosixFileDescriptor, 0));
  const auto import = [&](hipMemPool_t* to) {
    return hipMemPoolImportFromShareableHandle(to, reinterpret_cast<void*>(intptr_t{descriptor}),
                                               hipMemHandleTypePosixFileDescriptor, 0);
  };
  OK(import(&imported));
  void *memory = nullptr, *block = nullptr, *there = nullptr;
  OK(hipMallocFromPoolAsync(&memory, 5000, pool, nullptr));
  OK(hipMalloc(&block, 1 << 20));
  hipMemPoolPtrExportData data;
  OK(hipMemPoolExportPointer(&data, memory));
  const Step steps[] = {
      {"hipMemPoolExportToShareableHandle",
       [&] { return hipMemPoolExportToShareableHandle(&made, pool, hipMemHandleTypePosixFileDescriptor, 0); },
       [&] {
         ::close(made);
         return hipSuccess;
       }},
      {"hipMemPoolImportFromShareableHandle", [&] { return import(&again); }, [&] { return hipMemPoolDestroy(again); }},
      {"hipMemPoolExportPointer",
       [&] {
         hipMemPoolPtrExportData other;
         return hipMemPoolExportPointer(&other, memory);
       }},
      {"hipMemPoolImportPointer", [&] { return hipMemPoolImportPointer(&there, imported, &data); },
       [&] { return hipFree(there); }},
      {"hipIpcGetMemHandle",
       [&] {
         hipIpcMemHandle_t handle;
         return hipIpcGetMemHandle(&handle, block);
       }},
  };
  for (const Step& step : steps) check(step);
  ::close(descriptor);
  OK(hipFree(block));
  OK(hipFreeAsync(memory, nullptr));
  OK(hipMemPoolDestroy(imported));
  OK(hipMemPoolDestroy(pool));
}

TEST_CASE("Allocations that fail where memory is mapped") {
  hipMemAllocationProp prop{};
  prop.type = hipMemAllocationTypePinned;
  prop.location = {hipMemLocationTypeDevice, 0};
  prop.requestedHandleTypes = hipMemHandleTypePosixFileDescriptor;
  const size_t bytes = 2 << 20;
  hipMemGenericAllocationHandle_t handle = nullptr, other = nullptr;
  if (hipMemCreate(&handle, bytes, &prop, 0) == hipErrorNotSupported) {
    WARN("left out: the device maps no memory");
    return;
  }
  void *base = nullptr, *range = nullptr;
  OK(hipMemAddressReserve(&base, bytes, 0, nullptr, 0));
  hipMemAccessDesc access{};
  access.location = prop.location;
  access.flags = hipMemAccessFlagsProtReadWrite;
  const Step steps[] = {
      {"hipMemAddressReserve", [&] { return hipMemAddressReserve(&range, bytes, 0, nullptr, 0); },
       [&] { return hipMemAddressFree(range, bytes); }},
      {"hipMemCreate", [&] { return hipMemCreate(&other, bytes, &prop, 0); }, [&] { return hipMemRelease(other); }},
      {"hipMemMap", [&] { return hipMemMap(base, bytes, 0, handle, 0); }, [&] { return hipMemUnmap(base, bytes); }},
  };
  for (const Step& step : steps) check(step);
  OK(hipMemMap(base, bytes, 0, handle, 0));
  check({"hipMemSetAccess", [&] { return hipMemSetAccess(base, bytes, &access, 1); }});
  OK(hipMemUnmap(base, bytes));
  OK(hipMemAddressFree(base, bytes));
  OK(hipMemRelease(handle));
}

TEST_CASE("Allocations that fail inside arrays and textures") {
  int has_images = 0;
  OK(hipDeviceGetAttribute(&has_images, hipDeviceAttributeImageSupport, 0));
  if (!has_images) {
    WARN("left out: the device has no images");
    return;
  }
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipArray_t array = nullptr, made = nullptr;
  hipMipmappedArray_t mipmapped = nullptr;
  hipTextureObject_t texture = nullptr;
  OK(hipMallocArray(&array, &format, 16, 8, 0));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc sampling{};
  const Step steps[] = {
      {"hipMallocArray", [&] { return hipMallocArray(&made, &format, 16, 8, 0); }, [&] { return hipFreeArray(made); }},
      {"hipMalloc3DArray", [&] { return hipMalloc3DArray(&made, &format, {16, 8, 4}, 0); },
       [&] { return hipFreeArray(made); }},
      {"hipMallocMipmappedArray", [&] { return hipMallocMipmappedArray(&mipmapped, &format, {16, 8, 0}, 2, 0); },
       [&] { return hipFreeMipmappedArray(mipmapped); }},
      {"hipCreateTextureObject", [&] { return hipCreateTextureObject(&texture, &resource, &sampling, nullptr); },
       [&] { return hipDestroyTextureObject(texture); }},
  };
  for (const Step& step : steps) check(step);
  OK(hipFreeArray(array));
}

TEST_CASE("Allocations that fail inside modules and launches") {
  const std::string path = std::string(CODE_DIR) + "/kernels.hipfb";
  const std::vector<char> image = read_file("kernels.hipfb");
  hipModule_t module = nullptr;
  hipLibrary_t library = nullptr;
  hipFunction_t function = nullptr;
  const auto unload = [&] { return hipModuleUnload(module); };
  const Step loads[] = {
      {"hipModuleLoad", [&] { return hipModuleLoad(&module, path.c_str()); }, unload},
      {"hipModuleLoadData", [&] { return hipModuleLoadData(&module, image.data()); }, unload},
      {"hipModuleLoadDataEx", [&] { return hipModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr); }, unload},
      {"hipLibraryLoadData",
       [&] { return hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0); },
       [&] { return hipLibraryUnload(library); }},
  };
  for (const Step& step : loads) check(step);
  OK(hipModuleLoadData(&module, image.data()));
  OK(hipModuleGetFunction(&function, module, "count_up"));
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  int by = 1;
  void* arguments[] = {&by};
  check({"hipModuleLaunchKernel",
         [&] { return hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr); },
         [&] { return hipStreamSynchronize(stream); }});
  OK(hipModuleUnload(module));

  // The first launch of a kernel, which reads its code. (What is read and not executed yet goes with the module.)
  check({"the first launch", [&] {
           const hipError_t loaded = hipModuleLoadData(&module, image.data());
           if (loaded != hipSuccess) return loaded;
           hipError_t result = hipModuleGetFunction(&function, module, "count_up");
           if (result == hipSuccess)
             result = hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
           if (result == hipSuccess) result = hipStreamSynchronize(stream);
           allocations_left = -1; // the end must be possible
           const hipError_t unloaded = hipModuleUnload(module);
           return result != hipSuccess ? result : unloaded;
         }});
  OK(hipStreamDestroy(stream));
}

// With OMNIHIP_TIER=1 kernels are translated before they run, by other threads than this one: some 20,000 allocations.
TEST_CASE("Allocations that fail in any thread while a kernel is loaded and run") {
  const std::vector<char> image = read_file("kernels.hipfb");
  int by = 1;
  void* arguments[] = {&by};
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  const auto load_and_run = [&] {
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    hipError_t result = hipModuleLoadData(&module, image.data());
    if (result != hipSuccess) return result;
    result = hipModuleGetFunction(&function, module, "count_up");
    if (result == hipSuccess) result = hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
    if (result == hipSuccess) result = hipStreamSynchronize(stream);
    allocations_left_to_all = -1; // the end must be possible
    const hipError_t unloaded = hipModuleUnload(module);
    return result != hipSuccess ? result : unloaded;
  };
  OK(load_and_run()); // loads the engine, whose initialisation cannot fail
  constexpr long kMost = 1'000'000;
  for (long n = 0; n < kMost; n += 1 + n / 50) {
    INFO("allocation " << n);
    failed_anywhere = false;
    allocations_left_to_all = n;
    const hipError_t result = load_and_run();
    allocations_left_to_all = -1;
    CHECK((result == hipSuccess || result == hipErrorOutOfMemory));
    if (!failed_anywhere) break;
  }
  OK(load_and_run());
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Allocations that fail inside graphs") {
  void *a = nullptr, *b = nullptr;
  OK(hipMalloc(&a, 4096));
  OK(hipMalloc(&b, 4096));
  hipGraph_t graph = nullptr, made = nullptr;
  hipGraphNode_t node = nullptr, first = nullptr;
  hipGraphExec_t exec = nullptr;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipGraphCreate(&graph, 0));
  hipMemsetParams fill{};
  fill.dst = a;
  fill.elementSize = 1;
  fill.width = 4096;
  fill.height = 1;
  OK(hipGraphAddMemsetNode(&first, graph, nullptr, 0, &fill));
  OK(hipGraphAddMemcpyNode1D(&node, graph, &first, 1, b, a, 4096, hipMemcpyDeviceToDevice));
  const hipHostNodeParams host{no_function, nullptr};
  const Step steps[] = {
      {"hipGraphCreate", [&] { return hipGraphCreate(&made, 0); }, [&] { return hipGraphDestroy(made); }},
      {"hipGraphClone", [&] { return hipGraphClone(&made, graph); }, [&] { return hipGraphDestroy(made); }},
      {"hipGraphAddEmptyNode", [&] { return hipGraphAddEmptyNode(&node, graph, &first, 1); },
       [&] { return hipGraphDestroyNode(node); }},
      {"hipGraphAddHostNode", [&] { return hipGraphAddHostNode(&node, graph, &first, 1, &host); },
       [&] { return hipGraphDestroyNode(node); }},
      {"hipGraphAddMemsetNode", [&] { return hipGraphAddMemsetNode(&node, graph, nullptr, 0, &fill); },
       [&] { return hipGraphDestroyNode(node); }},
      {"hipGraphInstantiate", [&] { return hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0); },
       [&] { return hipGraphExecDestroy(exec); }},
  };
  for (const Step& step : steps) check(step);
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  check({"hipGraphLaunch", [&] { return hipGraphLaunch(exec, stream); }, [&] { return hipStreamSynchronize(stream); }});
  check({"a capture", [&] {
           hipGraph_t captured = nullptr;
           hipError_t result = hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed);
           if (result != hipSuccess) return result;
           result = hipMemsetAsync(a, 0, 4096, stream);
           allocations_left = -1; // the end must be possible
           const hipError_t ended = hipStreamEndCapture(stream, &captured);
           if (captured) (void)hipGraphDestroy(captured);
           return result != hipSuccess ? result : ended;
         }});
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
  OK(hipFree(a));
  OK(hipFree(b));
}
