// What calls answer while a stream is being captured, and what capturing itself answers when something is wrong.
#include "registered.h"

#include <functional>
#include <thread>

namespace {

void no_callback(hipStream_t, hipError_t, void*) {}

// A capture in a stream of its own, ended with whatever it has come to. It is ended before anything is checked, so that
// a failure leaves no capture behind for the tests to come.
template<class F> hipError_t during_capture(hipStreamCaptureMode mode, F call, unsigned flags = hipStreamDefault) {
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, flags));
  OK(hipStreamBeginCapture(stream, mode));
  const hipError_t result = call(stream);
  hipGraph_t graph = nullptr;
  const hipError_t ended = hipStreamEndCapture(stream, &graph);
  (void)hipGetLastError();
  CHECK((ended == hipSuccess || ended == hipErrorStreamCaptureInvalidated));
  if (graph) OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
  return result;
}

struct Refused {
  const char* name;
  std::function<hipError_t(hipStream_t capturing)> call;
};

} // namespace

TEST_CASE("Calls that might wait for the device while a stream is captured") {
  void *memory = nullptr, *managed = nullptr, *result = nullptr;
  OK(hipMalloc(&memory, 64));
  OK(hipMallocManaged(&managed, 64, hipMemAttachGlobal));
  hipEvent_t event;
  OK(hipEventCreate(&event));
  OK(hipEventRecord(event, nullptr));
  hipMemPool_t pool = nullptr, standard = nullptr;
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.location = {hipMemLocationTypeDevice, 0};
  OK(hipMemPoolCreate(&pool, &props));
  OK(hipDeviceGetDefaultMemPool(&standard, 0));
  char host[64] = {};

  const Refused calls[] = {
      {"hipMalloc", [&](auto) { return hipMalloc(&result, 64); }},
      {"hipFree", [&](auto) { return hipFree(memory); }},
      {"hipMallocManaged", [&](auto) { return hipMallocManaged(&result, 64, hipMemAttachGlobal); }},
      {"hipMemAdvise", [&](auto) { return hipMemAdvise(managed, 64, hipMemAdviseSetReadMostly, 0); }},
      {"hipEventQuery", [&](auto) { return hipEventQuery(event); }},
      {"hipEventSynchronize", [&](auto) { return hipEventSynchronize(event); }},
      {"hipDeviceSetMemPool", [&](auto) { return hipDeviceSetMemPool(0, standard); }},
      {"hipMemPoolCreate", [&](auto) { return hipMemPoolCreate(reinterpret_cast<hipMemPool_t*>(&result), &props); }},
      {"hipMemPoolDestroy", [&](auto) { return hipMemPoolDestroy(pool); }},
      {"hipDeviceSetCacheConfig", [](auto) { return hipDeviceSetCacheConfig(hipFuncCachePreferL1); }},
      {"hipDeviceSetSharedMemConfig", [](auto) { return hipDeviceSetSharedMemConfig(hipSharedMemBankSizeFourByte); }},
      {"hipDeviceSynchronize", [](auto) { return hipDeviceSynchronize(); }},
      {"hipStreamSynchronize", [](auto stream) { return hipStreamSynchronize(stream); }},
      {"hipStreamSynchronize_spt", [](auto stream) { return hipStreamSynchronize_spt(stream); }},
      {"hipStreamQuery", [](auto stream) { return hipStreamQuery(stream); }},
      {"hipMemcpyWithStream",
       [&](auto stream) { return hipMemcpyWithStream(memory, host, 64, hipMemcpyHostToDevice, stream); }},
      {"hipStreamAddCallback", [](auto stream) { return hipStreamAddCallback(stream, no_callback, nullptr, 0); }},
      {"hipStreamAddCallback_spt",
       [](auto stream) { return hipStreamAddCallback_spt(stream, no_callback, nullptr, 0); }},
  };
  for (const Refused& refused : calls) {
    INFO(refused.name);
    CHECK(during_capture(hipStreamCaptureModeGlobal, refused.call) == hipErrorStreamCaptureUnsupported);
  }
  OK(hipEventSynchronize(event));
  OK(hipMemPoolDestroy(pool));
  OK(hipEventDestroy(event));
  OK(hipFree(managed));
  OK(hipFree(memory));
  OK(hipDeviceSynchronize());
  OK(hipDeviceSetCacheConfig(hipFuncCachePreferNone));
  OK(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeDefault));
}

TEST_CASE("The legacy stream while a blocking stream is captured") {
  hipStreamCaptureStatus status{};
  unsigned long long id = 0;
  const Refused calls[] = {
      {"hipStreamIsCapturing", [&](auto) { return hipStreamIsCapturing(nullptr, &status); }},
      {"hipStreamGetCaptureInfo", [&](auto) { return hipStreamGetCaptureInfo(nullptr, &status, &id); }},
      {"hipStreamGetCaptureInfo_v2",
       [&](auto) { return hipStreamGetCaptureInfo_v2(nullptr, &status, &id, nullptr, nullptr, nullptr); }},
  };
  for (const Refused& refused : calls) {
    INFO(refused.name);
    CHECK(during_capture(hipStreamCaptureModeGlobal, refused.call) == hipErrorStreamCaptureImplicit);
    CHECK(during_capture(hipStreamCaptureModeGlobal, refused.call, hipStreamNonBlocking) == hipSuccess);
    CHECK(status == hipStreamCaptureStatusNone);
  }
}

TEST_CASE("What is being captured, and where") {
  hipStreamCaptureStatus status{};
  unsigned long long id = 0, again = 0;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  const auto kNoMode = static_cast<hipStreamCaptureMode>(77);
  FAILS(hipStreamBeginCapture(stream, kNoMode), hipErrorInvalidValue);
  FAILS(hipStreamBeginCapture_spt(stream, kNoMode), hipErrorInvalidValue);
  FAILS(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  FAILS(hipStreamUpdateCaptureDependencies(stream, nullptr, 0, hipStreamAddCaptureDependencies), hipErrorIllegalState);

  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  OK(hipStreamGetCaptureInfo(stream, &status, &id));
  CHECK(status == hipStreamCaptureStatusActive);
  OK(hipStreamGetCaptureInfo_spt(stream, &status, &again));
  CHECK(again == id);
  CHECK(id != 0);
  FAILS(hipStreamUpdateCaptureDependencies(stream, nullptr, 0, 77), hipErrorInvalidValue);
  hipGraphNode_t none = garbage_handle<hipGraphNode_t>();
  FAILS(hipStreamUpdateCaptureDependencies(stream, &none, 1, hipStreamAddCaptureDependencies), hipErrorInvalidValue);
  OK(hipStreamUpdateCaptureDependencies(stream, nullptr, 0, hipStreamSetCaptureDependencies));
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  FAILS(hipStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, kNoMode), hipErrorInvalidValue);
  FAILS(hipStreamBeginCaptureToGraph(stream, graph, &none, nullptr, 1, hipStreamCaptureModeRelaxed),
        hipErrorInvalidValue);
  OK(hipStreamIsCapturing(stream, &status));
  CHECK(status == hipStreamCaptureStatusNone);
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Captures of the thread's own stream by the forms for it") {
  hipStreamCaptureStatus status{};
  unsigned long long id = 0;
  hipGraph_t graph = nullptr, inside = nullptr;
  const hipGraphNode_t* nodes = nullptr;
  size_t count = 77;
  OK(hipStreamBeginCapture_spt(nullptr, hipStreamCaptureModeRelaxed));
  OK(hipStreamIsCapturing_spt(nullptr, &status));
  CHECK(status == hipStreamCaptureStatusActive);
  OK(hipStreamIsCapturing(hipStreamPerThread, &status));
  CHECK(status == hipStreamCaptureStatusActive);
  OK(hipStreamGetCaptureInfo_spt(nullptr, &status, &id));
  CHECK(id != 0);
  OK(hipStreamGetCaptureInfo_v2_spt(nullptr, &status, &id, &inside, &nodes, &count));
  CHECK(count == 0);
  std::thread([] { // another thread's own stream is not captured
    hipStreamCaptureStatus other{};
    OK(hipStreamIsCapturing_spt(nullptr, &other));
    CHECK(other == hipStreamCaptureStatusNone);
  })
      .join();
  OK(hipStreamEndCapture_spt(nullptr, &graph));
  CHECK(graph == inside);
  OK(hipGraphDestroy(graph));
}

// The grids would have to wait for one another, which no node does.
TEST_CASE("Grids that wait for one another are not captured") {
  Registered code("kernels.hipfb");
  int by = 1;
  void* arguments[] = {&by};
  hipLaunchParams params{};
  params.func = &code.count_up;
  params.gridDim = params.blockDim = dim3(1);
  params.args = arguments;
  const auto launch = [&](hipStream_t stream) {
    params.stream = stream;
    return hipLaunchCooperativeKernelMultiDevice(&params, 1, 0);
  };
  CHECK(during_capture(hipStreamCaptureModeGlobal, launch) == hipErrorStreamCaptureUnsupported);
  const auto twice = [&](hipStream_t stream) {
    (void)hipStreamSynchronize(stream); // ends the capture's validity
    return launch(stream);
  };
  CHECK(during_capture(hipStreamCaptureModeGlobal, twice) == hipErrorStreamCaptureInvalidated);
}

TEST_CASE("The thread's own stream is a blocking one to the legacy stream's captures") {
  hipStreamCaptureStatus status{};
  unsigned long long id = 0;
  OK(hipStreamBeginCapture_spt(nullptr, hipStreamCaptureModeGlobal));
  const hipError_t legacy[] = {
      hipStreamIsCapturing_spt(hipStreamLegacy, &status), hipStreamGetCaptureInfo_spt(hipStreamLegacy, &status, &id),
      hipStreamGetCaptureInfo_v2_spt(hipStreamLegacy, &status, &id, nullptr, nullptr, nullptr)};
  hipGraph_t graph = nullptr;
  OK(hipStreamEndCapture_spt(nullptr, &graph));
  OK(hipGraphDestroy(graph));
  for (const hipError_t result : legacy) CHECK(result == hipErrorStreamCaptureImplicit);
  (void)hipGetLastError();
}
