// Two devices: what belongs to one is not the other's. Run with OMNIHIP_SOFT_DEVICES=2 (test api_two_devices).
#include "registered.h"
#include "testing.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace {
bool two_devices() {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  return count >= 2;
}
} // namespace

TEST_CASE("Memory, streams and events belong to a device", "[two]") {
  if (!two_devices()) return;
  void *first, *second;
  hipStream_t stream;
  hipEvent_t event;
  OK(hipSetDevice(0));
  OK(hipMalloc(&first, 1000));
  OK(hipSetDevice(1));
  OK(hipMalloc(&second, 1000));
  OK(hipStreamCreate(&stream));
  hipDevice_t of_stream = -1;
  OK(hipStreamGetDevice(stream, &of_stream));
  CHECK(of_stream == 1);
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, first));
  CHECK(a.device == 0);
  OK(hipPointerGetAttributes(&a, second));
  CHECK(a.device == 1);
  OK(hipSetDevice(0));
  OK(hipEventCreate(&event));
  FAILS(hipEventRecord(event, stream), hipErrorInvalidHandle);
  OK(hipEventRecord(event, nullptr));
  OK(hipStreamWaitEvent(stream, event, 0)); // waiting across devices is allowed
  OK(hipStreamSynchronize(stream));
  hipUUID a_id, b_id;
  OK(hipDeviceGetUuid(&a_id, 0));
  OK(hipDeviceGetUuid(&b_id, 1));
  CHECK(std::memcmp(&a_id, &b_id, sizeof a_id) != 0);
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
  OK(hipFree(first));
  OK(hipFree(second));
}

TEST_CASE("Copies and access between two devices", "[two]") {
  if (!two_devices()) return;
  std::vector<int> source(1000, 7), back(1000);
  void *a, *b;
  OK(hipSetDevice(0));
  OK(hipMalloc(&a, 4000));
  OK(hipMemcpy(a, source.data(), 4000, hipMemcpyHostToDevice));
  OK(hipSetDevice(1));
  OK(hipMalloc(&b, 4000));
  OK(hipMemcpyPeer(b, 1, a, 0, 4000));
  OK(hipMemcpy(back.data(), b, 4000, hipMemcpyDeviceToHost));
  CHECK(back == source);
  OK(hipMemset(b, 0, 4000));
  OK(hipMemcpy(b, a, 4000, hipMemcpyDefault));
  OK(hipMemcpy(back.data(), b, 4000, hipMemcpyDeviceToHost));
  CHECK(back == source);
  int can = 0, value = -1;
  OK(hipDeviceCanAccessPeer(&can, 0, 1));
  CHECK(can == 1);
  OK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1));
  CHECK(value == 1);
  FAILS(hipDeviceGetP2PAttribute(&value, static_cast<hipDeviceP2PAttr>(-1), 0, 1), hipErrorInvalidValue);
  FAILS(hipDeviceDisablePeerAccess(0), hipErrorPeerAccessNotEnabled);
  OK(hipDeviceEnablePeerAccess(0, 0));
  FAILS(hipDeviceEnablePeerAccess(0, 0), hipErrorPeerAccessAlreadyEnabled);
  OK(hipDeviceDisablePeerAccess(0));
  uint32_t type = 0, hops = 0;
  OK(hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops));
  CHECK(hops == 1);
  OK(hipFree(a));
  OK(hipFree(b));
  OK(hipSetDevice(0));
}

TEST_CASE("Work in a default stream with memory of another device is in the order of both devices' streams", "[two]") {
  if (!two_devices() || !kernels_run()) return; // the null back end does everything at once
  struct Gate {
    std::atomic<bool> open{false};
    static void wait(void* gate) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!static_cast<Gate*>(gate)->open && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  constexpr size_t kBytes = 4000;
  std::array<char*, 2> memory{}; // of the other device
  OK(hipSetDevice(1));
  OK(hipDeviceSynchronize());
  for (char*& each : memory) OK(hipMalloc(reinterpret_cast<void**>(&each), kBytes));
  const auto all_are = [&](const char* address, char value) {
    std::vector<char> back(kBytes, 0x55);
    OK(hipMemcpy(back.data(), address, kBytes, hipMemcpyDeviceToHost));
    return std::all_of(back.begin(), back.end(), [value](char each) { return each == value; });
  };
  const auto zero = [&](bool copies) {
    return copies ? hipMemcpy(memory[0], memory[1], kBytes, hipMemcpyDeviceToDevice) : hipMemset(memory[0], 0, kBytes);
  };
  for (const bool copies : {false, true}) {
    CAPTURE(copies);
    OK(hipSetDevice(1));
    OK(hipMemset(memory[1], 0, kBytes));
    OK(hipDeviceSynchronize());
    // Later work of the calling thread's device comes behind what waits on the memory's device.
    hipStream_t stream = nullptr;
    Gate gate;
    OK(hipLaunchHostFunc(nullptr, Gate::wait, &gate));
    OK(hipSetDevice(0));
    OK(hipDeviceSynchronize());
    OK(zero(copies));
    OK(hipStreamCreate(&stream));
    OK(hipMemsetAsync(memory[0], 1, kBytes, stream));
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    gate.open = true;
    OK(hipStreamSynchronize(stream));
    CHECK(all_are(memory[0], 1));
    // Earlier work of the calling thread's device comes before it.
    Gate earlier;
    OK(hipLaunchHostFunc(stream, Gate::wait, &earlier));
    OK(hipMemsetAsync(memory[0], 1, kBytes, stream));
    OK(zero(copies));
    OK(hipSetDevice(1));
    CHECK(hipStreamQuery(nullptr) == hipErrorNotReady);
    earlier.open = true;
    OK(hipStreamSynchronize(nullptr));
    CHECK(all_are(memory[0], 0));
    OK(hipStreamDestroy(stream));
  }
  for (char* each : memory) OK(hipFree(each));
  OK(hipSetDevice(0));
}

TEST_CASE("A stream fills memory of another device, in its order", "[two]") {
  if (!two_devices()) return;
  constexpr size_t kBytes = 1000;
  char *there = nullptr, *here = nullptr;
  hipStream_t stream = nullptr;
  OK(hipSetDevice(1));
  OK(hipMalloc(reinterpret_cast<void**>(&there), 2 * kBytes));
  OK(hipSetDevice(0));
  OK(hipMalloc(reinterpret_cast<void**>(&here), kBytes));
  for (const hipStream_t each : {hipStream_t{}, hipStreamPerThread}) {
    stream = each;
    if (!stream) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipMemsetAsync(here, 5, kBytes, stream));
    for (int i = 0; i < 20; ++i) { // the last of each pair is there in the end
      OK(hipMemcpyAsync(there, here, kBytes, hipMemcpyDeviceToDevice, stream));
      OK(hipMemsetAsync(there, i, kBytes / 2, stream));
      OK(hipMemset2DAsync(there + kBytes, 100, i, 50, 10, stream));
    }
    std::vector<char> back(2 * kBytes);
    OK(hipStreamSynchronize(stream));
    OK(hipMemcpy(back.data(), there, 2 * kBytes, hipMemcpyDeviceToHost));
    for (size_t k = 0; k < kBytes; ++k) REQUIRE(back[k] == (k < kBytes / 2 ? 19 : 5));
    for (size_t k = 0; k < kBytes; ++k)
      if (k % 100 < 50) REQUIRE(back[kBytes + k] == 19);
  }
  OK(hipFree(there));
  OK(hipFree(here));
}

TEST_CASE("A function runs on the device of its module only", "[two]") {
  if (!two_devices()) return;
  OK(hipSetDevice(1));
  TestModule m;
  const hipFunction_t f = m.function("nothing");
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipSetDevice(0));
  FAILS(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidHandle);
}

TEST_CASE("A launch records events of its stream's device only", "[two]") {
  if (!two_devices()) return;
  hipEvent_t others = nullptr, own = nullptr;
  OK(hipSetDevice(0));
  OK(hipEventCreate(&others));
  OK(hipSetDevice(1));
  Registered r("kernels.hipfb");
  TestModule module;
  hipStream_t stream = nullptr;
  int* data = nullptr;
  OK(hipEventCreate(&own));
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&data), 64 * sizeof(int)));
  OK(hipMemsetD32Async(data, 1, 64, stream));
  void* args[] = {&data};
  const hipFunction_t f = module.function("apply_factors");
  const auto refused = [&](hipEvent_t start, hipEvent_t stop) {
    FAILS(hipExtModuleLaunchKernel(f, 64, 1, 1, 64, 1, 1, 0, stream, args, nullptr, start, stop, 0),
          hipErrorInvalidHandle);
    FAILS(hipExtLaunchKernel(&r.apply_factors, dim3(1), dim3(64), args, 0, stream, start, stop, 0),
          hipErrorInvalidHandle);
  };
  const auto all_refused = [&] {
    refused(others, nullptr);
    refused(nullptr, others);
    refused(own, others);
    refused(others, own);
  };
  all_refused();
  // Nothing was recorded, not in the event that belongs to the device either.
  float ms = 0;
  FAILS(hipEventElapsedTime(&ms, own, own), hipErrorInvalidHandle);
  FAILS(hipEventElapsedTime(&ms, others, others), hipErrorInvalidHandle);
  std::vector<int> back(64);
  OK(hipMemcpyAsync(back.data(), data, 64 * sizeof(int), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(std::count(back.begin(), back.end(), 1) == 64); // and nothing was launched

  hipGraph_t graph = nullptr;
  size_t nodes = 77;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  all_refused();
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 0);
  OK(hipGraphDestroy(graph));

  OK(hipExtModuleLaunchKernel(f, 64, 1, 1, 64, 1, 1, 0, stream, args, nullptr, own, own, 0));
  OK(hipEventSynchronize(own));
  OK(hipFree(data));
  OK(hipStreamDestroy(stream));
  OK(hipEventDestroy(own));
  OK(hipSetDevice(0));
  OK(hipEventDestroy(others));
}

TEST_CASE("Kernels are launched in streams of the thread's device, all else in any", "[two]") {
  if (!two_devices()) return;
  Registered r("kernels.hipfb");
  OK(hipSetDevice(0));
  TestModule here;
  OK(hipSetDevice(1));
  TestModule there;
  hipStream_t stream = nullptr;
  int* data = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&data), 64 * sizeof(int)));
  void* args[] = {&data};
  const dim3 one(1), block(64);
  hipLaunchConfig_t config{one, block, 0, stream, nullptr, 0};
  HIP_LAUNCH_CONFIG of_function{};
  of_function.gridDimX = of_function.gridDimY = of_function.gridDimZ = 1;
  of_function.blockDimX = 64;
  of_function.blockDimY = of_function.blockDimZ = 1;
  of_function.hStream = stream;
  hipFunction_t f = there.function("apply_factors");
  const auto launch = [&] { return hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, stream, args, nullptr); };
  const auto launch_by_pointer = [&] {
    OK(hipConfigureCall(one, block, 0, stream));
    OK(hipSetupArgument(&data, sizeof data, 0));
    return hipLaunchByPtr(&r.apply_factors);
  };
  const auto all = [&](hipError_t expected) {
    CHECK(launch() == expected);
    CHECK(hipExtModuleLaunchKernel(f, 64, 1, 1, 64, 1, 1, 0, stream, args, nullptr, nullptr, nullptr, 0) == expected);
    CHECK(hipModuleLaunchCooperativeKernel(f, 1, 1, 1, 64, 1, 1, 0, stream, args) == expected);
    CHECK(hipDrvLaunchKernelEx(&of_function, f, args, nullptr) == expected);
    CHECK(hipLaunchKernel(&r.apply_factors, one, block, args, 0, stream) == expected);
    CHECK(hipLaunchKernel_spt(&r.apply_factors, one, block, args, 0, stream) == expected);
    CHECK(hipExtLaunchKernel(&r.apply_factors, one, block, args, 0, stream, nullptr, nullptr, 0) == expected);
    CHECK(hipLaunchKernelExC(&config, &r.apply_factors, args) == expected);
    CHECK(hipLaunchCooperativeKernel(&r.apply_factors, one, block, args, 0, stream) == expected);
    CHECK(launch_by_pointer() == expected);
  };
  all(hipSuccess);
  OK(hipSetDevice(0));
  all(hipErrorInvalidHandle);
  f = here.function("apply_factors");
  CHECK(launch() == hipErrorInvalidHandle);
  f = there.function("apply_factors");

  OK(hipMemsetD32Async(data, 1, 64, stream));
  OK(hipMemcpyAsync(data + 32, data, 32 * sizeof(int), hipMemcpyDeviceToDevice, stream));
  OK(hipLaunchHostFunc(stream, [](void*) {}, nullptr));
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  OK(launch());
  OK(hipLaunchKernel(&r.apply_factors, one, block, args, 0, stream));
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(exec, stream));
  std::vector<int> back(64);
  OK(hipMemcpyAsync(back.data(), data, 64 * sizeof(int), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  if (kernels_run())
    for (int i = 0; i < 64; ++i) CHECK(back[i] == (i % 4 + 1) * (i % 4 + 1));

  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
  OK(hipFree(data));
}

TEST_CASE("Attributes of a graph's kernels stay on one device", "[two]") {
  if (!two_devices()) return;
  hipGraph_t graph = nullptr;
  OK(hipGraphCreate(&graph, 0));
  std::array<hipGraphNode_t, 2> nodes{};
  std::array<TestModule*, 2> modules{};
  int by = 1;
  void* arguments[] = {&by};
  for (int i = 0; i < 2; ++i) {
    OK(hipSetDevice(i));
    modules[i] = new TestModule;
    hipKernelNodeParams params{};
    params.func = modules[i]->function("count_up");
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    OK(hipGraphAddKernelNode(&nodes[i], graph, nullptr, 0, &params));
  }
  hipLaunchAttributeValue value{};
  value.priority = -1;
  OK(hipGraphKernelNodeSetAttribute(nodes[0], hipLaunchAttributePriority, &value));
  FAILS(hipGraphKernelNodeCopyAttributes(nodes[0], nodes[1]), hipErrorInvalidContext);
  OK(hipGraphKernelNodeGetAttribute(nodes[1], hipLaunchAttributePriority, &value));
  CHECK(value.priority == 0);
  OK(hipGraphDestroy(graph));
  for (TestModule* module : modules) delete module;
  OK(hipSetDevice(0));
}

TEST_CASE("A graph records events of other devices than its stream's", "[two]") {
  if (!two_devices()) return;
  hipEvent_t own, others;
  OK(hipEventCreate(&own));
  OK(hipSetDevice(1));
  OK(hipEventCreate(&others));
  OK(hipSetDevice(0));
  hipGraph_t graph;
  hipGraphNode_t record, fill;
  hipGraphExec_t exec;
  hipStream_t stream;
  void* memory = nullptr;
  OK(hipMalloc(&memory, 4096));
  OK(hipGraphCreate(&graph, 0));
  hipMemsetParams params{};
  params.dst = memory;
  params.elementSize = params.height = 1;
  params.width = 4096;
  params.value = 7;
  OK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &params));
  OK(hipGraphAddEventRecordNode(&record, graph, &fill, 1, own));
  OK(hipStreamCreate(&stream));
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphExecEventRecordNodeSetEvent(exec, record, others));
  for (int i = 0; i < 3; ++i) {
    OK(hipMemset(memory, 0, 4096));
    OK(hipGraphLaunch(exec, stream));
    OK(hipEventSynchronize(others)); // behind the fill
    char last = 0;
    OK(hipMemcpy(&last, static_cast<char*>(memory) + 4095, 1, hipMemcpyDeviceToHost));
    CHECK(last == 7);
    OK(hipStreamSynchronize(stream));
  }
  OK(hipEventQuery(own)); // was never recorded
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
  OK(hipEventDestroy(own));
  OK(hipEventDestroy(others));
  OK(hipFree(memory));
}
