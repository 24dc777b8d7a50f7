// What NVIDIA's driver says reaches the program: errors that HIP documents and that only a driver can have (it shuts
// down, its context is gone, a device lacks a feature) are given to a function by each of the driver's calls in turn,
// until the function returns them. Only where a driver of ours stands for NVIDIA's (tests/backend/cuda).
#include "descriptors.h"

#include <dlfcn.h>
#include <functional>

namespace {

// Numbers of CUresult.
enum DriverError {
  kOutOfMemory = 2,
  kDeinitialized = 4,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kMapFailed = 205,
  kSharedObjectInitFailed = 303,
  kInvalidHandle = 400,
  kOutOfResources = 701,
  kTimeout = 702,
  kPrimaryContextActive = 708,
  kLaunchFailed = 719,
  kNotSupported = 801,
  kUnknown = 999
};

struct Driver {
  Driver() {
    const char* const file = std::getenv("OMNIHIP_CUDA_DRIVER");
    if (!file || !on_nvidia()) return;
    library = dlopen(file, RTLD_NOW);
    REQUIRE(library);
    find(fail, "fake_cuda_fail"), find(fault, "fake_cuda_fault"), find(calls, "fake_cuda_calls");
    find(make_foreign, "fake_cuda_make_foreign");
  }
  ~Driver() {
    if (library) dlclose(library);
  }
  template<class F> void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    REQUIRE(function);
  }
  explicit operator bool() const { return library != nullptr; }
  void* library = nullptr;
  void (*fail)(const char*, int, int) = nullptr;
  void (*fault)(const char*, int) = nullptr;
  int (*calls)(const char*) = nullptr;
  void (*make_foreign)(void*) = nullptr;
};

using Call = std::function<hipError_t()>;
hipError_t nothing() { return hipSuccess; }

struct Error {
  DriverError given;
  hipError_t returned;
};

// The call returns each of the errors when one of the driver's calls gives it. What succeeds all the same is undone,
// and what it needs anew each time is made before.
void returns(const Driver& driver, const char* name, std::initializer_list<Error> errors, const Call& call,
             const Call& undo = nothing, const Call& before = nothing) {
  for (const Error& error : errors) {
    CAPTURE(name, error.returned);
    bool returned = false, reached = true;
    for (int n = 1; reached && !returned; ++n) {
      OK(before());
      const int calls = driver.calls("*");
      driver.fail("*", n, error.given);
      const hipError_t result = call();
      reached = driver.calls("*") - calls >= n;
      while (!reached && driver.calls("*") - calls < n) { // the error that nobody met is met here
        size_t free_bytes, total_bytes;
        (void)hipMemGetInfo(&free_bytes, &total_bytes);
      }
      returned = result == error.returned;
      if (result == hipSuccess) OK(undo());
      (void)hipGetLastError();
    }
    CHECK(returned);
  }
}

constexpr Error kGone = {kInvalidContext, hipErrorInvalidContext};
constexpr Error kEnds = {kDeinitialized, hipErrorDeinitialized};
constexpr Error kLacks = {kNotSupported, hipErrorNotSupported};
constexpr Error kNoMemory = {kOutOfMemory, hipErrorOutOfMemory};
constexpr Error kNoDevice = {kInvalidDevice, hipErrorInvalidDevice};
constexpr Error kNoHandle = {kInvalidHandle, hipErrorInvalidHandle};
constexpr Error kNoName = {kUnknown, hipErrorUnknown};

void no_function(void*) {}
void no_callback(hipStream_t, hipError_t, void*) {}

} // namespace

TEST_CASE("Copies return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  constexpr size_t kBytes = 64;
  const hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  hipArray_t a = nullptr, b = nullptr;
  OK(hipMallocArray(&a, &format, kBytes, 1, 0));
  OK(hipMallocArray(&b, &format, kBytes, 1, 0));
  hipDeviceptr_t to = nullptr, from = nullptr;
  OK(hipMalloc(&to, kBytes));
  OK(hipMalloc(&from, kBytes));
  unsigned char host[kBytes] = {};
  const auto both = {kGone, kEnds};
  returns(driver, "hipMemcpyAtoA", both, [&] { return hipMemcpyAtoA(a, 0, b, 0, kBytes); });
  returns(driver, "hipMemcpyAtoD", both, [&] { return hipMemcpyAtoD(to, a, 0, kBytes); });
  returns(driver, "hipMemcpyAtoHAsync", both, [&] { return hipMemcpyAtoHAsync(host, a, 0, kBytes, nullptr); });
  returns(driver, "hipMemcpyDtoA", both, [&] { return hipMemcpyDtoA(a, 0, from, kBytes); });
  returns(driver, "hipMemcpyHtoAAsync", both, [&] { return hipMemcpyHtoAAsync(a, 0, host, kBytes, nullptr); });
  returns(driver, "hipMemcpyDtoD", both, [&] { return hipMemcpyDtoD(to, from, kBytes); });
  returns(driver, "hipMemcpyDtoDAsync", both, [&] { return hipMemcpyDtoDAsync(to, from, kBytes, nullptr); });
  returns(driver, "hipMemcpyDtoH", both, [&] { return hipMemcpyDtoH(host, from, kBytes); });
  returns(driver, "hipMemcpyDtoHAsync", both, [&] { return hipMemcpyDtoHAsync(host, from, kBytes, nullptr); });
  returns(driver, "hipMemcpyHtoD", both, [&] { return hipMemcpyHtoD(to, host, kBytes); });
  returns(driver, "hipMemcpyHtoDAsync", both, [&] { return hipMemcpyHtoDAsync(to, host, kBytes, nullptr); });

  constexpr hipMemcpyKind kKind = hipMemcpyHostToDevice;
  returns(driver, "hipMemcpy", {kNoName}, [&] { return hipMemcpy(to, host, kBytes, kKind); });
  returns(driver, "hipMemcpyAsync", {kNoName}, [&] { return hipMemcpyAsync(to, host, kBytes, kKind, nullptr); });
  returns(driver, "hipMemcpyWithStream", {kNoName},
          [&] { return hipMemcpyWithStream(to, host, kBytes, kKind, nullptr); });
  returns(driver, "hipMemcpy_spt", {kNoName}, [&] { return hipMemcpy_spt(to, host, kBytes, kKind); });
  returns(driver, "hipMemcpyAsync_spt", {kNoName},
          [&] { return hipMemcpyAsync_spt(to, host, kBytes, kKind, nullptr); });
  OK(hipDeviceSynchronize());
  OK(hipFree(to));
  OK(hipFree(from));
  OK(hipFreeArray(a));
  OK(hipFreeArray(b));
}

TEST_CASE("Modules and launches return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  const std::string path = std::string(CODE_DIR) + "/kernels.hipfb";
  hipModule_t module = nullptr;
  returns(
      driver, "hipModuleLoad", {kGone, {kSharedObjectInitFailed, hipErrorSharedObjectInitFailed}},
      [&] { return hipModuleLoad(&module, path.c_str()); }, [&] { return hipModuleUnload(module); });
  hipFunction_t function = nullptr;
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  // What a module has is asked of the driver once.
  const auto fresh = [&](const Call& call) {
    return [&module, &path, call] {
      const hipError_t loaded = hipModuleLoad(&module, path.c_str());
      if (loaded != hipSuccess)
        return loaded == hipErrorInvalidContext ? hipErrorUnknown : loaded; // another function's
      const hipError_t result = call();
      const hipError_t unloaded = hipModuleUnload(module);
      return result != hipSuccess ? result : unloaded;
    };
  };
  returns(driver, "hipModuleGetFunction", {kGone},
          fresh([&] { return hipModuleGetFunction(&function, module, "count_up"); }));
  returns(driver, "hipModuleGetGlobal", {kGone},
          fresh([&] { return hipModuleGetGlobal(&address, &bytes, module, "counter"); }));

  const TestModule loaded;
  OK(hipModuleGetFunction(&function, loaded.module, "count_up"));
  int by = 1;
  void* arguments[] = {&by};
  const std::initializer_list<Error> launch_errors = {kGone,
                                                      kEnds,
                                                      {kInvalidImage, hipErrorInvalidImage},
                                                      {kSharedObjectInitFailed, hipErrorSharedObjectInitFailed},
                                                      {kOutOfResources, hipErrorLaunchOutOfResources}};
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  returns(driver, "hipModuleLaunchCooperativeKernel", launch_errors,
          [&] { return hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments); });
  hipFunctionLaunchParams grid{function, 1, 1, 1,      64,
                               1,        1, 0, stream, arguments}; // one device has several's launch, too
  returns(driver, "hipModuleLaunchCooperativeKernelMultiDevice", launch_errors,
          [&] { return hipModuleLaunchCooperativeKernelMultiDevice(&grid, 1, 0); });
  OK(hipStreamSynchronize(stream));
  OK(hipStreamDestroy(stream));
}

// As when the program has ended the stream's context by the driver's own functions.
TEST_CASE("Streams return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  hipStream_t stream = nullptr;
  void* memory = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(&memory, 64));
  const auto gone = {kNoHandle};
  for (const hipStream_t each : {stream, hipStreamPerThread}) { // which have the driver's streams from now on
    OK(hipMemsetAsync(memory, 0, 64, each));
    OK(hipStreamSynchronize(each));
  }
  returns(driver, "hipStreamQuery", gone, [&] { return hipStreamQuery(stream); });
  returns(driver, "hipStreamSynchronize", gone, [&] { return hipStreamSynchronize(stream); });
  returns(driver, "hipStreamQuery_spt", gone, [] { return hipStreamQuery_spt(nullptr); });
  returns(driver, "hipStreamSynchronize_spt", gone, [] { return hipStreamSynchronize_spt(nullptr); });
  returns(driver, "hipLaunchHostFunc", gone, [&] { return hipLaunchHostFunc(stream, no_function, nullptr); });
  returns(driver, "hipLaunchHostFunc_spt", gone, [] { return hipLaunchHostFunc_spt(nullptr, no_function, nullptr); });
  returns(driver, "hipStreamAddCallback", gone, [&] { return hipStreamAddCallback(stream, no_callback, nullptr, 0); });
  returns(driver, "hipStreamAddCallback_spt", gone,
          [] { return hipStreamAddCallback_spt(nullptr, no_callback, nullptr, 0); });
  OK(hipDeviceSynchronize());
  OK(hipFree(memory));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Host functions return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  returns(driver, "hipLaunchHostFunc", {kLacks}, [] { return hipLaunchHostFunc(nullptr, no_function, nullptr); });
  returns(driver, "hipLaunchHostFunc_spt", {kLacks},
          [] { return hipLaunchHostFunc_spt(nullptr, no_function, nullptr); });
  returns(driver, "hipStreamAddCallback", {kLacks},
          [] { return hipStreamAddCallback(nullptr, no_callback, nullptr, 0); });
  returns(driver, "hipStreamAddCallback_spt", {kLacks},
          [] { return hipStreamAddCallback_spt(nullptr, no_callback, nullptr, 0); });
  OK(hipDeviceSynchronize());
}

TEST_CASE("Allocations and pools return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  hipPitchedPtr pitched{};
  void* memory = nullptr;
  const auto release = [&] { return hipFree(memory); };
  returns(
      driver, "hipMalloc3D", {kLacks}, [&] { return hipMalloc3D(&pitched, {64, 4, 4}); },
      [&] { return hipFree(pitched.ptr); });
  returns(
      driver, "hipMallocManaged", {kLacks}, [&] { return hipMallocManaged(&memory, 64, hipMemAttachGlobal); }, release);
  returns(driver, "hipMallocAsync", {kLacks}, [&] { return hipMallocAsync(&memory, 64, nullptr); }, release);
  returns(
      driver, "hipFreeAsync", {kLacks},
      [&] {
        const hipError_t result = hipFreeAsync(memory, nullptr);
        if (result != hipSuccess) OK(hipFree(memory));
        return result;
      },
      nothing, [&] { return hipMallocAsync(&memory, 64, nullptr); });
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.location = {hipMemLocationTypeDevice, 0};
  props.handleTypes = hipMemHandleTypePosixFileDescriptor;
  hipMemPool_t pool = nullptr;
  OK(hipMemPoolCreate(&pool, &props));
  returns(
      driver, "hipMallocFromPoolAsync", {kLacks}, [&] { return hipMallocFromPoolAsync(&memory, 64, pool, nullptr); },
      release);
  int descriptor = -1;
  returns(
      driver, "hipMemPoolExportToShareableHandle", {kNoMemory},
      [&] { return hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypePosixFileDescriptor, 0); },
      [&] {
        (void)::close(descriptor); // the driver of the tests gives numbers
        return hipSuccess;
      });
  OK(hipMallocFromPoolAsync(&memory, 64, pool, nullptr));
  hipMemPoolPtrExportData data;
  returns(driver, "hipMemPoolExportPointer", {kNoMemory}, [&] { return hipMemPoolExportPointer(&data, memory); });
  OK(hipFree(memory));
  OK(hipMemPoolDestroy(pool));

  OK(hipMalloc(&memory, 1 << 20));
  hipIpcMemHandle_t handle;
  returns(driver, "hipIpcGetMemHandle", {kNoMemory, {kMapFailed, hipErrorMapFailed}, kNoHandle},
          [&] { return hipIpcGetMemHandle(&handle, memory); });
  OK(hipIpcGetMemHandle(&handle, memory));
  driver.make_foreign(&handle);
  void* opened = nullptr;
  returns(
      driver, "hipIpcCloseMemHandle", {{kMapFailed, hipErrorMapFailed}, kNoHandle},
      [&] { return hipIpcCloseMemHandle(opened); }, nothing,
      [&] { return hipIpcOpenMemHandle(&opened, handle, hipIpcMemLazyEnablePeerAccess); });
  OK(hipFree(memory));
  size_t free_bytes = 0, total_bytes = 0;
  returns(driver, "hipMemGetInfo", {kNoDevice}, [&] { return hipMemGetInfo(&free_bytes, &total_bytes); });
  returns(driver, "hipSetDeviceFlags", {kNoDevice, {kPrimaryContextActive, hipErrorSetOnActiveProcess}},
          [] { return hipSetDeviceFlags(hipDeviceScheduleYield); });
  OK(hipSetDeviceFlags(hipDeviceScheduleAuto));
}

TEST_CASE("Mapped memory returns what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  constexpr size_t kBytes = 2 << 20;
  hipMemAllocationProp prop{};
  prop.type = hipMemAllocationTypePinned;
  prop.location = {hipMemLocationTypeDevice, 0};
  prop.requestedHandleTypes = hipMemHandleTypePosixFileDescriptor;
  hipMemAccessDesc access{};
  access.location = prop.location;
  access.flags = hipMemAccessFlagsProtReadWrite;
  hipMemGenericAllocationHandle_t handle = nullptr, other = nullptr;
  void *base = nullptr, *range = nullptr;
  OK(hipMemCreate(&handle, kBytes, &prop, 0));
  returns(
      driver, "hipMemAddressReserve", {kLacks}, [&] { return hipMemAddressReserve(&range, kBytes, 0, nullptr, 0); },
      [&] { return hipMemAddressFree(range, kBytes); });
  OK(hipMemAddressReserve(&base, kBytes, 0, nullptr, 0));
  returns(
      driver, "hipMemMap", {kLacks}, [&] { return hipMemMap(base, kBytes, 0, handle, 0); },
      [&] { return hipMemUnmap(base, kBytes); });
  OK(hipMemMap(base, kBytes, 0, handle, 0));
  returns(driver, "hipMemSetAccess", {kLacks}, [&] { return hipMemSetAccess(base, kBytes, &access, 1); });
  OK(hipMemUnmap(base, kBytes));
  int descriptor = -1;
  const auto close_it = [&] { return ::close(descriptor) == 0 ? hipSuccess : hipErrorUnknown; };
  returns(
      driver, "hipMemExportToShareableHandle", {kLacks},
      [&] { return hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor, 0); },
      close_it);
  OK(hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor, 0));
  returns(
      driver, "hipMemImportFromShareableHandle", {kLacks},
      [&] {
        return hipMemImportFromShareableHandle(&other, reinterpret_cast<void*>(intptr_t{descriptor}),
                                               hipMemHandleTypePosixFileDescriptor);
      },
      [&] { return hipMemRelease(other); });
  OK(close_it());
  returns(
      driver, "hipMemUnmap", {kLacks},
      [&] {
        const hipError_t result = hipMemUnmap(base, kBytes);
        if (result != hipSuccess) (void)hipMemUnmap(base, kBytes);
        return result;
      },
      nothing, [&] { return hipMemMap(base, kBytes, 0, handle, 0); });
  returns(
      driver, "hipMemAddressFree", {kLacks}, [&] { return hipMemAddressFree(range, kBytes); }, nothing,
      [&] { return hipMemAddressReserve(&range, kBytes, 0, nullptr, 0); });
  OK(hipMemAddressFree(base, kBytes));
  OK(hipMemRelease(handle));
}

TEST_CASE("External memory and semaphores return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  const FileMemory file(std::vector<unsigned char>(4096));
  hipExternalMemoryHandleDesc desc{};
  desc.type = hipExternalMemoryHandleTypeOpaqueFd;
  desc.size = 4096;
  hipExternalMemory_t memory = nullptr;
  returns(
      driver, "hipImportExternalMemory", {kNoDevice},
      [&] {
        desc.handle.fd = ::dup(file.own());
        const hipError_t result = hipImportExternalMemory(&memory, &desc);
        if (result != hipSuccess) ::close(desc.handle.fd);
        return result;
      },
      [&] { return hipDestroyExternalMemory(memory); });
  desc.handle.fd = file.given;
  OK(hipImportExternalMemory(&memory, &desc));
  hipExternalMemoryBufferDesc part{};
  part.size = 4096;
  void* buffer = nullptr;
  returns(
      driver, "hipExternalMemoryGetMappedBuffer", {kNoDevice},
      [&] { return hipExternalMemoryGetMappedBuffer(&buffer, memory, &part); }, [&] { return hipFree(buffer); });
  hipExternalMemoryMipmappedArrayDesc levels{};
  levels.formatDesc = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  levels.extent = {16, 16, 0};
  levels.numLevels = 1;
  hipMipmappedArray_t array = nullptr;
  returns(
      driver, "hipExternalMemoryGetMappedMipmappedArray", {kNoHandle},
      [&] { return hipExternalMemoryGetMappedMipmappedArray(&array, memory, &levels); },
      [&] { return hipFreeMipmappedArray(array); });
  OK(hipDestroyExternalMemory(memory));

  hipExternalSemaphoreHandleDesc event{};
  event.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  hipExternalSemaphore_t semaphore = nullptr;
  const auto import = [&] {
    event.handle.fd = ::eventfd(0, EFD_CLOEXEC);
    const hipError_t result = hipImportExternalSemaphore(&semaphore, &event);
    if (result != hipSuccess) ::close(event.handle.fd);
    return result;
  };
  returns(driver, "hipImportExternalSemaphore", {kNoDevice}, import,
          [&] { return hipDestroyExternalSemaphore(semaphore); });
  OK(import());
  const hipExternalSemaphoreSignalParams signal{};
  const hipExternalSemaphoreWaitParams wait{};
  returns(driver, "hipSignalExternalSemaphoresAsync", {kNoDevice},
          [&] { return hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr); });
  OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr));
  returns(
      driver, "hipWaitExternalSemaphoresAsync", {kNoDevice},
      [&] { return hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr); }, nothing,
      [&] { return hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr); });
  OK(hipDeviceSynchronize());
  OK(hipDestroyExternalSemaphore(semaphore));
}

TEST_CASE("Green contexts return what the driver says", "[driver]") {
  const Driver driver;
  if (!driver) return;
  hipDevResource all{};
  OK(hipDeviceGetDevResource(0, &all, hipDevResourceTypeSm));
  hipExecutionCtx_t context = nullptr;
  returns(
      driver, "hipGreenCtxCreate", {kLacks},
      [&] {
        hipDevResourceDesc_t desc = nullptr;
        OK(hipDevResourceGenerateDesc(&desc, &all, 1));
        return hipGreenCtxCreate(&context, desc, 0, 0);
      },
      [&] { return hipExecutionCtxDestroy(context); });
}

// A kernel of the test module with what it is launched with.
struct CountUp {
  TestModule module;
  hipFunction_t function = nullptr;
  int by = 1;
  void* arguments[1] = {&by};
  CountUp() { OK(hipModuleGetFunction(&function, module.module, "count_up")); }
};

// A device whose context is lost stays so for the process: cases that are run alone.
TEST_CASE("Events of a lost device", "[.][driver_fault]") {
  const Driver driver;
  REQUIRE(driver);
  CountUp count_up;
  hipEvent_t begin = nullptr, end = nullptr, made = nullptr, shared = nullptr;
  hipStream_t stream = nullptr, never_used = nullptr;
  unsigned* word = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&word), 64, hipHostMallocDefault));
  *word = 0;
  OK(hipStreamCreate(&stream));
  OK(hipStreamCreateWithFlags(&never_used, hipStreamNonBlocking));
  OK(hipStreamSynchronize(stream));
  OK(hipStreamSynchronize(never_used));
  OK(hipEventCreate(&begin));
  OK(hipEventCreate(&end));
  OK(hipEventCreateWithFlags(&shared, hipEventInterprocess | hipEventDisableTiming));
  OK(hipEventRecord(begin, nullptr));
  OK(hipEventRecord(end, nullptr)); // (behind the launch it may or may not succeed any more)
  driver.fault("count_up", kLaunchFailed);
  OK(hipStreamWaitValue32(nullptr, word, 1, hipStreamWaitValueEq, ~0u)); // the kernel fails when the test says so
  OK(hipModuleLaunchKernel(count_up.function, 1, 1, 1, 64, 1, 1, 0, nullptr, count_up.arguments, nullptr));
  OK(hipEventRecord(shared, nullptr));
  CHECK(hipEventQuery(shared) == hipErrorNotReady);
  __atomic_store_n(word, 1u, __ATOMIC_RELEASE);
  CHECK(hipEventSynchronize(shared) == hipErrorLaunchFailure); // its word is never written
  CHECK(hipEventQuery(shared) == hipErrorLaunchFailure);
  CHECK(hipDeviceSynchronize() == hipErrorLaunchFailure);
  CHECK(hipStreamSynchronize(never_used) == hipErrorLaunchFailure);
  CHECK(hipStreamQuery(never_used) == hipErrorLaunchFailure);
  float ms = 0;
  CHECK(hipEventElapsedTime(&ms, begin, end) == hipErrorLaunchFailure);
  CHECK(hipEventRecord(end, nullptr) == hipErrorLaunchFailure);
  CHECK(hipEventRecord_spt(end, nullptr) == hipErrorLaunchFailure);
  CHECK(hipEventCreate(&made) == hipErrorLaunchFailure);
  CHECK(hipEventCreateWithFlags(&made, hipEventDisableTiming) == hipErrorLaunchFailure);
  CHECK(hipEventDestroy(end) == hipErrorLaunchFailure);
  CHECK(hipEventDestroy(end) == hipErrorContextIsDestroyed); // it has ended
  hipFunctionLaunchParams grid{count_up.function, 1, 1, 1, 64, 1, 1, 0, stream, count_up.arguments};
  CHECK(hipModuleLaunchCooperativeKernelMultiDevice(&grid, 1, 0) == hipErrorLaunchFailure);
}

TEST_CASE("A launch that the driver ends for its time", "[.][driver_timeout]") {
  const Driver driver;
  REQUIRE(driver);
  CountUp count_up;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipStreamSynchronize(stream));
  driver.fail("cuLaunchCooperativeKernel", 1, kTimeout);
  driver.fail("cuLaunchKernelEx", 1, kTimeout);
  CHECK(hipModuleLaunchCooperativeKernel(count_up.function, 1, 1, 1, 64, 1, 1, 0, nullptr, count_up.arguments) ==
        hipErrorLaunchTimeOut);
  hipFunctionLaunchParams grid{count_up.function, 1, 1, 1, 64, 1, 1, 0, stream, count_up.arguments};
  CHECK(hipModuleLaunchCooperativeKernelMultiDevice(&grid, 1, 0) == hipErrorLaunchTimeOut); // and so from then on
}

TEST_CASE("A driver without pools", "[.][driver_pool]") {
  const Driver driver;
  REQUIRE(driver);
  hipMemPool_t pool = nullptr;
  for (int i = 0; i < 2; ++i) { // asked for until it is had
    driver.fail("cuDeviceGetDefaultMemPool", 1, kNotSupported);
    CHECK(hipDeviceGetDefaultMemPool(&pool, 0) == hipErrorNotSupported);
    driver.fail("cuDeviceGetDefaultMemPool", 1, kNotSupported);
    CHECK(hipDeviceGetMemPool(&pool, 0) == hipErrorNotSupported);
    driver.fail("cuDeviceGetDefaultMemPool", 1, kNotSupported);
    CHECK(hipDeviceSetMemPool(0, garbage_handle<hipMemPool_t>()) == hipErrorNotSupported);
  }
  OK(hipDeviceGetMemPool(&pool, 0));
}
