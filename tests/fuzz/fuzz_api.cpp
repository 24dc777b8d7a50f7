// A string of bytes as a sequence of HIP calls over the null back end, with arguments from small pools that hold wrong,
// ended and foreign handles beside good ones (api_world.h). The process survives; each call gives one of the errors
// that its row names and leaves it as the thread's last error; at the end all memory can be given back.
#include "api_calls.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace hip::fuzz;

namespace {

[[noreturn]] void fail(const char* call, const char* what, hipError_t result) {
  std::fprintf(stderr, "%s: %s (%s)\n", call, what, hipGetErrorName(result));
  std::abort();
}

void check(const Call& call, hipError_t result) {
  const bool listed = result == hipSuccess || result == hipErrorInvalidValue ||
                      std::find(call.errors.begin(), call.errors.end(), result) != call.errors.end();
  if (!listed) fail(call.name, "an error that is not documented", result);
  if (hipExtGetLastError() != result) fail(call.name, "the result is not the thread's last one", result);
  const bool is_error = result != hipSuccess && result != hipErrorNotReady;
  if (hipGetLastError() != (is_error ? result : hipSuccess)) fail(call.name, "the last error is another", result);
}

void expect(const char* what, hipError_t result) {
  if (result != hipSuccess) fail("at the end", what, result);
}

// Ends what the calls have left, so that each input begins alike.
void clean_up(World& world) {
  dim3 grid, block;
  size_t bytes;
  hipStream_t stream;
  while (__hipPopCallConfiguration(&grid, &block, &bytes, &stream) == hipSuccess) continue;
  for (hipCtx_t top = nullptr; hipCtxPopCurrent(&top) == hipSuccess;) continue;
  unsigned flags = 0;
  for (int active = 1; hipDevicePrimaryCtxGetState(0, &flags, &active) == hipSuccess && active != 0;)
    expect("context", hipDevicePrimaryCtxRelease(0));
  (void)hipGetLastError();
  expect("device", hipSetDevice(0));
  expect("waiting", hipDeviceSynchronize());
  for (hipStream_t each : world.streams.live) expect("stream", hipStreamDestroy(each));
  for (hipEvent_t each : world.events.live) expect("event", hipEventDestroy(each));
  for (hipModule_t each : world.modules.live) expect("module", hipModuleUnload(each));
  for (hipArray_t each : world.arrays.live) expect("array", hipFreeArray(each));
  for (hipMipmappedArray_t each : world.mipmapped.live) expect("mipmapped array", hipFreeMipmappedArray(each));
  for (const Block& each : world.blocks)
    expect("memory", each.origin == Origin::Registered ? hipHostUnregister(each.base)
                     : each.origin == Origin::Host     ? hipHostFree(each.base)
                                                       : hipFree(each.base));
  expect("waiting", hipDeviceSynchronize()); // pools keep what is freed until then
  unregister_program();
  size_t free_bytes = 0, total_bytes = 0;
  expect("memory", hipMemGetInfo(&free_bytes, &total_bytes));
  if (free_bytes != total_bytes) fail("at the end", "memory is missing", hipSuccess);
  expect("reset", hipDeviceReset());
  expect("limits", hipDeviceSetLimit(hipLimitStackSize, 1024));
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("OMNIHIP_BACKEND", "null", 1);
  setenv("OMNIHIP_LOG", "off", 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  World world(data, size);
  register_program();
  const bool prints = std::getenv("FUZZ_API_PRINT") != nullptr; // the calls, for a person
  while (!world.in.empty()) {
    const Call& call = calls()[world.in.byte() % calls().size()];
    if (prints) std::fprintf(stderr, "%s ", call.name);
    const hipError_t result = call.make(world);
    if (prints) std::fprintf(stderr, "= %s\n", hipGetErrorName(result));
    if (result != kNotCalled) check(call, result);
  }
  clean_up(world);
  return 0;
}
