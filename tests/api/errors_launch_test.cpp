// What launches answer for streams that are none, functions that are none and lists of grids that cannot be; and what
// is asked about functions.
#include "registered.h"

#include <atomic>
#include <cstring>
#include <functional>

namespace {

struct Launch {
  const char* name;
  std::function<hipError_t(hipStream_t stream)> launch;
};

void no_callback(hipStream_t, hipError_t, void*) {}

} // namespace

TEST_CASE("A stream that never was one, by every launch") {
  Registered code("kernels.hipfb");
  TestModule module;
  const hipFunction_t f = module.function("count_up");
  int by = 0;
  void* arguments[] = {&by};
  const dim3 one(1);
  hipLaunchConfig_t config{};
  config.gridDim = config.blockDim = one;
  HIP_LAUNCH_CONFIG driver{};
  driver.gridDimX = driver.gridDimY = driver.gridDimZ = 1;
  driver.blockDimX = driver.blockDimY = driver.blockDimZ = 1;
  const Launch launches[] = {
      {"hipLaunchKernel", [&](auto s) { return hipLaunchKernel(&code.count_up, one, one, arguments, 0, s); }},
      {"hipLaunchKernel_spt", [&](auto s) { return hipLaunchKernel_spt(&code.count_up, one, one, arguments, 0, s); }},
      {"hipLaunchKernelExC",
       [&](auto s) {
         config.stream = s;
         return hipLaunchKernelExC(&config, &code.count_up, arguments);
       }},
      {"hipDrvLaunchKernelEx",
       [&](auto s) {
         driver.hStream = s;
         return hipDrvLaunchKernelEx(&driver, f, arguments, nullptr);
       }},
      {"hipExtLaunchKernel",
       [&](auto s) { return hipExtLaunchKernel(&code.count_up, one, one, arguments, 0, s, nullptr, nullptr, 0); }},
      {"hipModuleLaunchKernel",
       [&](auto s) { return hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments, nullptr); }},
      {"hipExtModuleLaunchKernel",
       [&](auto s) {
         return hipExtModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments, nullptr, nullptr, nullptr, 0);
       }},
      {"hipModuleLaunchCooperativeKernel",
       [&](auto s) { return hipModuleLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, arguments); }},
  };
  for (const Launch& each : launches) {
    INFO(each.name);
    FAILS(each.launch(garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
    OK(each.launch(nullptr));
  }
  OK(hipDeviceSynchronize());
}

TEST_CASE("Launch attributes of CUDA that HIP has no name for") {
  Registered code("kernels.hipfb");
  int by = 0;
  void* arguments[] = {&by};
  const auto launch = [&](int id, int first_member) {
    hipLaunchAttribute attribute{};
    attribute.id = static_cast<hipLaunchAttributeID>(id);
    std::memcpy(&attribute.val, &first_member, sizeof(first_member));
    hipLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.attrs = &attribute;
    config.numAttrs = 1;
    return hipLaunchKernelExC(&config, &code.count_up, arguments);
  };
  OK(launch(6, 1));   // may begin before the kernel in front of it ends
  OK(launch(11, 2));  // prefers clusters
  OK(launch(14, 50)); // prefers so much shared memory
  OK(launch(13, 0));  // a node that kernels do not update
  FAILS(launch(13, 1), hipErrorNotSupported);
  FAILS(launch(7, 0), hipErrorNotSupported);  // records an event when blocks ask for it
  FAILS(launch(12, 0), hipErrorNotSupported); // records an event when all blocks have begun
  FAILS(launch(15, 0), hipErrorInvalidValue);
  OK(hipDeviceSynchronize());
}

TEST_CASE("Functions that are none, and what is asked about them") {
  Registered code("kernels.hipfb");
  int blocks = 0, grid = 0, block = 0;
  size_t bytes = 0;
  char none = 0;
  FAILS(hipFuncSetSharedMemConfig(&none, hipSharedMemBankSizeFourByte), hipErrorInvalidDeviceFunction);
  FAILS(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &none, 64, 0), hipErrorInvalidDeviceFunction);
  FAILS(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &none, 64, 0, 0), hipErrorInvalidDeviceFunction);
  FAILS(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, &none, 1, 64), hipErrorInvalidDeviceFunction);
  FAILS(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, &code.scale, 0, 64), hipErrorInvalidValue);
  FAILS(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &code.scale, 0, 0), hipErrorInvalidValue);
  FAILS(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &code.scale, 64, 0, 77), hipErrorInvalidValue);
  FAILS(hipOccupancyMaxPotentialBlockSize(&grid, &block, &code.scale, 0, -1), hipErrorInvalidValue);

  int plain = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&plain, &code.scale, 64, 0));
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &code.scale, 64, 0, hipOccupancyDefault));
  CHECK((blocks == plain && blocks > 0));
  TestModule module;
  const hipFunction_t f = module.function("scale");
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, f, 64, 0, hipOccupancyDefault));
  CHECK(blocks == plain);
  int again = 0;
  OK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, f, 0, 0));
  OK(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&grid, &again, f, 0, 0, hipOccupancyDefault));
  CHECK((again == block && block > 0 && grid > 0));
  FAILS(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, f, 0, -1), hipErrorInvalidValue);
  FAILS(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, 0, 0, 77), hipErrorInvalidValue);
  hipModule_t loaded = nullptr;
  const char nonsense[64] = "this is not a code object";
  FAILS(hipModuleLoadFatBinary(&loaded, nonsense), hipErrorInvalidImage);
  OK(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  FAILS(hipSetupArgument(nullptr, 8, 0), hipErrorInvalidValue);
  FAILS(hipSetupArgument(&none, SIZE_MAX, 8), hipErrorInvalidValue);
  FAILS(hipLaunchByPtr(&none), hipErrorInvalidDeviceFunction);
}

// On devices of several vendors nothing of this begins; what is wrong with the list is said before.
TEST_CASE("Lists of grids that cannot be") {
  Registered code("kernels.hipfb");
  TestModule module;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  int by = 0;
  void* arguments[] = {&by};
  hipLaunchParams params{};
  params.func = &code.count_up;
  params.gridDim = params.blockDim = dim3(1);
  params.args = arguments;
  params.stream = stream;
  hipFunctionLaunchParams driver{};
  driver.function = module.function("count_up");
  driver.gridDimX = driver.gridDimY = driver.gridDimZ = 1;
  driver.blockDimX = driver.blockDimY = driver.blockDimZ = 1;
  driver.kernelParams = arguments;
  driver.hStream = stream;
  struct Row {
    const char* what;
    std::function<void()> spoil;
    hipError_t cooperative, plain;
  };
  const hipLaunchParams good = params;
  const hipFunctionLaunchParams good_driver = driver;
  const Row rows[] = {
      {"the default stream", [&] { params.stream = nullptr, driver.hStream = nullptr; }, hipErrorInvalidHandle,
       hipErrorInvalidHandle},
      {"a block that is too large", [&] { params.blockDim = dim3(2048), driver.blockDimX = 2048; },
       hipErrorInvalidConfiguration, hipErrorInvalidConfiguration},
      {"no block", [&] { params.gridDim = dim3(0), driver.gridDimX = 0; }, hipErrorInvalidConfiguration,
       hipErrorInvalidConfiguration},
      {"blocks of nothing", [&] { params.blockDim = dim3(1, 0, 1), driver.blockDimY = 0; },
       hipErrorInvalidConfiguration, hipErrorInvalidConfiguration},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    params = good, driver = good_driver;
    row.spoil();
    FAILS(hipLaunchCooperativeKernelMultiDevice(&params, 1, 0), row.cooperative);
    FAILS(hipModuleLaunchCooperativeKernelMultiDevice(&driver, 1, 0), row.cooperative);
    FAILS(hipExtLaunchMultiKernelMultiDevice(&params, 1, 0), row.plain);
  }
  params = good, driver = good_driver;
  FAILS(hipLaunchCooperativeKernelMultiDevice(&params, 0, 0), hipErrorInvalidValue);
  FAILS(hipModuleLaunchCooperativeKernelMultiDevice(&driver, 0, 0), hipErrorInvalidValue);
  FAILS(hipExtLaunchMultiKernelMultiDevice(&params, 1, 77), hipErrorInvalidValue);
  driver.function = garbage_handle<hipFunction_t>();
  FAILS(hipModuleLaunchCooperativeKernelMultiDevice(&driver, 1, 0), hipErrorInvalidHandle);
  params.func = &params;
  FAILS(hipLaunchCooperativeKernelMultiDevice(&params, 1, 0), hipErrorInvalidDeviceFunction);
  OK(hipStreamDestroy(stream));
}

// The software GPU's alone: another vendor's devices have no barrier that is common to them.
TEST_CASE("Lists of grids") {
  if (on_nvidia()) return;
  Registered code("kernels.hipfb");
  TestModule module;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  int by = 1;
  void* arguments[] = {&by};
  hipLaunchParams params{};
  params.func = &code.count_up;
  params.gridDim = params.blockDim = dim3(1);
  params.args = arguments;
  params.stream = stream;
  hipFunctionLaunchParams driver{};
  driver.function = module.function("count_up");
  driver.gridDimX = driver.gridDimY = driver.gridDimZ = 1;
  driver.blockDimX = driver.blockDimY = driver.blockDimZ = 1;
  driver.kernelParams = arguments;
  driver.hStream = stream;
  OK(hipLaunchCooperativeKernelMultiDevice(&params, 1, 0));
  OK(hipExtLaunchMultiKernelMultiDevice(&params, 1, 0));
  OK(hipModuleLaunchCooperativeKernelMultiDevice(&driver, 1, 0));
  OK(hipStreamSynchronize(stream));
  if (kernels_run()) {
    int counter = 0;
    OK(hipMemcpyFromSymbol(&counter, code.counter, sizeof counter, 0, hipMemcpyDeviceToHost));
    CHECK(counter == 41 + 2); // the module has a variable of its own
  }
  params.gridDim = dim3(1'000'000);
  driver.gridDimX = 1'000'000;
  FAILS(hipLaunchCooperativeKernelMultiDevice(&params, 1, 0), hipErrorCooperativeLaunchTooLarge);
  FAILS(hipModuleLaunchCooperativeKernelMultiDevice(&driver, 1, 0), hipErrorCooperativeLaunchTooLarge);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Events that are not there yet") {
  if (!kernels_run()) return; // nor do host functions, beside the caller
  struct Gate {
    std::atomic<bool> open{false};
    static void wait(void* self) {
      while (!static_cast<Gate*>(self)->open.load()) {
      }
    }
  } gate;
  hipEvent_t start, stop;
  hipStream_t stream;
  OK(hipEventCreate(&start));
  OK(hipEventCreate(&stop));
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipEventRecord(start, stream));
  OK(hipLaunchHostFunc(stream, Gate::wait, &gate));
  OK(hipEventRecord(stop, stream));
  float ms = -1;
  const hipError_t elapsed = hipEventElapsedTime(&ms, start, stop), queried = hipEventQuery(stop);
  gate.open = true;
  OK(hipEventSynchronize(stop));
  CHECK(elapsed == hipErrorNotReady);
  CHECK(queried == hipErrorNotReady);
  OK(hipEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 0);
  for (hipEvent_t event : {start, stop}) OK(hipEventDestroy(event));
  FAILS(hipStreamAddCallback(stream, no_callback, nullptr, 77), hipErrorInvalidValue);
  OK(hipStreamDestroy(stream));
}
