// Graphs over every back end: copies and fills, which all of them do, and the rules for nodes and references.
#include "testing.h"

namespace {

hipMemsetParams fill_of(void* memory, unsigned value, size_t bytes) {
  hipMemsetParams params{};
  params.dst = memory;
  params.value = value;
  params.elementSize = 1;
  params.width = bytes;
  params.height = 1;
  return params;
}

uint64_t reserved_by_graphs() {
  uint64_t bytes = 0;
  OK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrReservedMemCurrent, &bytes));
  return bytes;
}

// A graph that allocates 1000 bytes and fills them, and its executable.
struct GraphOfMemory {
  GraphOfMemory() {
    hipMemAllocNodeParams params{};
    params.poolProps.allocType = hipMemAllocationTypePinned;
    params.poolProps.location = {hipMemLocationTypeDevice, 0};
    params.bytesize = kBytes;
    hipGraphNode_t made;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemAllocNode(&made, graph, nullptr, 0, &params));
    address = params.dptr;
    const hipMemsetParams fill = fill_of(address, 1, kBytes);
    OK(hipGraphAddMemsetNode(&filled, graph, &made, 1, &fill));
  }
  void add_free() {
    hipGraphNode_t freed;
    OK(hipGraphAddMemFreeNode(&freed, graph, &filled, 1, address));
  }
  void launch(hipStream_t stream) {
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    OK(hipGraphLaunch(exec, stream));
  }
  void destroy() {
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
  }
  static constexpr size_t kBytes = 1000;
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  hipGraphNode_t filled = nullptr;
  void* address = nullptr;
};

// Streams that wait until the test lets them go on.
struct HeldStreams {
  HeldStreams() {
    OK(hipHostMalloc(reinterpret_cast<void**>(&words), 4096, 0));
    std::memset(words, 0, 4096);
    for (hipStream_t& stream : streams) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  }
  ~HeldStreams() {
    for (int i = 0; i < 2; ++i) release(i);
    for (hipStream_t stream : streams) (void)hipStreamDestroy(stream);
    (void)hipHostFree(words);
  }
  hipStream_t operator[](int i) const { return streams[i]; }
  void hold(int i) { OK(hipStreamWaitValue32(streams[i], words + i, 1, hipStreamWaitValueEq, ~0u)); }
  void release(int i) { __atomic_store_n(words + i, 1u, __ATOMIC_RELEASE); }
  char* host_bytes() { return reinterpret_cast<char*>(words) + 1024; } // pinned
  unsigned* words = nullptr;
  hipStream_t streams[2]{};
};

struct Counter {
  int destroyed = 0;
  static void destroy(void* self) { ++static_cast<Counter*>(self)->destroyed; }
};

} // namespace

TEST_CASE("A graph of fills and copies") {
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  // Blocks of their own, which may lie side by side: each is filled as if it were alone.
  constexpr int kBlocks = 16;
  constexpr size_t kBytes = 4096;
  std::vector<char*> blocks(kBlocks);
  std::vector<char> host(kBlocks * kBytes, 77);
  for (int i = 0; i < kBlocks; ++i) {
    OK(hipMalloc(&blocks[i], kBytes));
    hipGraphNode_t fill, copy;
    const hipMemsetParams params = fill_of(blocks[i], 9, kBytes);
    OK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &params));
    OK(hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, host.data() + i * kBytes, blocks[i], kBytes,
                               hipMemcpyDeviceToHost));
  }
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  hipStream_t one, two;
  OK(hipStreamCreate(&one));
  OK(hipStreamCreate(&two));
  for (int round = 0; round < 3; ++round) {
    std::fill(host.begin(), host.end(), 77);
    OK(hipGraphLaunch(exec, one));
    OK(hipGraphLaunch(exec, two)); // after the first
    OK(hipStreamSynchronize(two));
    OK(hipStreamQuery(one));
    CHECK(host == std::vector<char>(kBlocks * kBytes, 9));
  }
  OK(hipStreamDestroy(one));
  OK(hipStreamDestroy(two));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  for (char* block : blocks) OK(hipFree(block));
}

TEST_CASE("A captured graph of fills and copies") {
  constexpr size_t kBytes = 1000;
  char* memory = nullptr;
  std::vector<char> host(kBytes, 77);
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(&memory, kBytes));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  OK(hipMemsetAsync(memory, 5, kBytes, stream));
  OK(hipMemcpyAsync(host.data(), memory, kBytes, hipMemcpyDeviceToHost, stream));
  FAILS(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  CHECK(host[0] == 77);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(host == std::vector<char>(kBytes, 5));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipFree(memory));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("What nodes of executables refuse") {
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  char *a = nullptr, *b = nullptr;
  OK(hipMalloc(&a, 4096));
  OK(hipMalloc(&b, 4096));
  hipGraphNode_t copy, added;
  OK(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, a, b, 4096, hipMemcpyDeviceToDevice));
  hipGraphExec_t exec;
  FAILS(hipGraphInstantiateWithFlags(&exec, graph, 16), hipErrorInvalidValue);
  FAILS(hipGraphInstantiateWithFlags(&exec, graph, hipGraphInstantiateFlagUpload), hipErrorInvalidValue);
  FAILS(hipGraphInstantiateWithFlags(&exec, garbage_handle<hipGraph_t>(), 0), hipErrorInvalidValue);
  hipGraphInstantiateParams params{};
  params.flags = hipGraphInstantiateFlagUpload;
  params.uploadStream = garbage_handle<hipStream_t>();
  FAILS(hipGraphInstantiateWithParams(&exec, graph, &params), hipErrorInvalidValue);
  CHECK(params.result_out == hipGraphInstantiateError);
  params.uploadStream = nullptr;
  OK(hipGraphInstantiateWithParams(&exec, graph, &params));
  CHECK(params.result_out == hipGraphInstantiateSuccess);

  OK(hipGraphExecMemcpyNodeSetParams1D(exec, copy, b, a, 4096, hipMemcpyDeviceToDevice));
  FAILS(hipGraphExecMemcpyNodeSetParams1D(exec, copy, a, a + 95, 96, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  OK(hipGraphExecMemcpyNodeSetParams1D(exec, copy, a, a + 96, 96, hipMemcpyDeviceToDevice));
  FAILS(hipGraphExecMemcpyNodeSetParams1D(exec, copy, b, a, 4096, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  FAILS(hipGraphExecMemcpyNodeSetParams1D(exec, copy, b, a, 4097, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  OK(hipGraphAddMemcpyNode1D(&added, graph, nullptr, 0, a, b, 4096, hipMemcpyDeviceToDevice));
  FAILS(hipGraphNodeSetEnabled(exec, added, 0), hipErrorInvalidValue);
  OK(hipGraphNodeSetEnabled(exec, copy, 0));
  OK(hipGraphDestroyNode(copy)); // the executable keeps its copy, but the node is no name for it any more
  FAILS(hipGraphNodeSetEnabled(exec, copy, 1), hipErrorInvalidValue);
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipFree(a));
  OK(hipFree(b));
}

TEST_CASE("References to user objects") {
  Counter counter;
  hipUserObject_t object;
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  FAILS(hipUserObjectCreate(&object, &counter, Counter::destroy, 0, hipUserObjectNoDestructorSync),
        hipErrorInvalidValue);
  const auto create = [&](unsigned count) {
    counter.destroyed = 0;
    OK(hipUserObjectCreate(&object, &counter, Counter::destroy, count, hipUserObjectNoDestructorSync));
  };
  create(2);
  OK(hipUserObjectRelease(object, 3)); // more than there are: nothing happens
  OK(hipUserObjectRetain(object, 1));
  OK(hipUserObjectRelease(object, 2));
  CHECK(counter.destroyed == 0);
  OK(hipUserObjectRelease(object, 1));
  CHECK(counter.destroyed == 1);
  OK(hipUserObjectRelease(object, 1)); // it is gone
  CHECK(counter.destroyed == 1);
  FAILS(hipUserObjectRetain(object, 1), hipErrorInvalidValue);
  FAILS(hipGraphRetainUserObject(graph, object, 1, 0), hipErrorInvalidValue);
  FAILS(hipUserObjectRelease(nullptr, 1), hipErrorInvalidValue);

  create(1);
  OK(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  OK(hipUserObjectRelease(object, 1)); // it is the graph's
  CHECK(counter.destroyed == 0);
  OK(hipGraphReleaseUserObject(graph, object, 2)); // more than the graph has
  CHECK(counter.destroyed == 0);
  OK(hipGraphReleaseUserObject(graph, object, 1));
  CHECK(counter.destroyed == 1);

  create(5);
  OK(hipGraphRetainUserObject(graph, object, 3, hipGraphUserObjectMove));
  OK(hipUserObjectRelease(object, 5)); // as many as there are in all: the user's two go
  CHECK(counter.destroyed == 0);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphDestroy(graph));
  CHECK(counter.destroyed == 0);
  OK(hipGraphExecDestroy(exec));
  CHECK(counter.destroyed == 1);
}

TEST_CASE("Memory that a launch made outlives its graph") {
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams params{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  params.bytesize = 1000;
  hipGraphNode_t made;
  OK(hipGraphAddMemAllocNode(&made, graph, nullptr, 0, &params));
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipMemset(params.dptr, 7, 1000));
  char last = 0;
  OK(hipMemcpy(&last, static_cast<char*>(params.dptr) + 999, 1, hipMemcpyDeviceToHost));
  CHECK(last == 7);
  uint64_t used = 0;
  OK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  CHECK(used == 1000);
  OK(hipFree(params.dptr));
  OK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrReservedMemCurrent, &used));
  CHECK(used == 0);
  FAILS(hipFree(params.dptr), hipErrorInvalidValue);
}

TEST_CASE("Memory that a launch made is freed behind a stream's work without a wait for it") {
  if (!kernels_run()) return; // work is done at once
  HeldStreams streams;
  OK(hipDeviceSynchronize());
  const uint64_t before = reserved_by_graphs();
  GraphOfMemory graph;
  graph.launch(streams[0]);
  OK(hipStreamSynchronize(streams[0]));
  graph.destroy();
  streams.hold(0);
  OK(hipMemsetAsync(graph.address, 7, GraphOfMemory::kBytes, streams[0]));
  OK(hipMemcpyAsync(streams.host_bytes(), graph.address, GraphOfMemory::kBytes, hipMemcpyDeviceToHost, streams[0]));
  OK(hipFreeAsync(graph.address, streams[0]));
  FAILS(hipFreeAsync(graph.address, streams[0]), hipErrorInvalidValue);
  CHECK(reserved_by_graphs() == before + GraphOfMemory::kBytes); // the stream's work uses it still
  streams.release(0);
  OK(hipStreamSynchronize(streams[0]));
  CHECK(std::string(streams.host_bytes(), GraphOfMemory::kBytes) == std::string(GraphOfMemory::kBytes, 7));
  CHECK(reserved_by_graphs() == before);
}

TEST_CASE("A graph's memory goes without a wait for other streams") {
  if (!kernels_run()) return; // work is done at once
  HeldStreams streams;
  OK(hipDeviceSynchronize());
  const uint64_t before = reserved_by_graphs();
  GraphOfMemory graph;
  graph.add_free();
  SECTION("in the call that destroys the executable") {
    graph.launch(streams[0]);
    OK(hipStreamSynchronize(streams[0]));
    streams.hold(1);
    graph.destroy();
  }
  SECTION("in the call that finds its last run done") {
    streams.hold(0);
    graph.launch(streams[0]);
    graph.destroy();
    streams.hold(1);
    streams.release(0);
    hipError_t result;
    while ((result = hipStreamQuery(streams[0])) == hipErrorNotReady) {
    }
    CHECK(result == hipSuccess);
  }
  CHECK(reserved_by_graphs() == before + GraphOfMemory::kBytes); // the other stream might use it
  OK(hipDeviceGraphMemTrim(0));
  CHECK(reserved_by_graphs() == before + GraphOfMemory::kBytes);
  streams.release(1);
  while (hipStreamQuery(streams[1]) == hipErrorNotReady) {
  }
  CHECK(reserved_by_graphs() == before);
}

TEST_CASE("An event of a capture that a graph records is an event again") {
  hipStream_t stream;
  hipEvent_t event;
  OK(hipStreamCreate(&stream));
  OK(hipEventCreate(&event));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  OK(hipEventRecord(event, stream));
  OK(hipEventRecordWithFlags(event, stream, hipEventRecordExternal));
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  FAILS(hipEventQuery(event), hipErrorCapturedEvent);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphLaunch(exec, stream));
  OK(hipEventSynchronize(event));
  OK(hipStreamSynchronize(stream));
  OK(hipEventQuery(event));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("The graph of a capture that failed is gone, a graph that it added to is not") {
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  hipStreamCaptureStatus status;
  hipGraph_t seen = nullptr, ended = nullptr;
  for (const bool to_graph : {false, true}) {
    hipGraph_t given = nullptr;
    OK(hipGraphCreate(&given, 0));
    if (to_graph)
      OK(hipStreamBeginCaptureToGraph(stream, given, nullptr, nullptr, 0, hipStreamCaptureModeGlobal));
    else
      OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(hipStreamGetCaptureInfo_v2(stream, &status, nullptr, &seen, nullptr, nullptr));
    FAILS(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
    FAILS(hipStreamEndCapture(stream, &ended), hipErrorStreamCaptureInvalidated);
    size_t count = 0;
    if (to_graph)
      OK(hipGraphGetNodes(seen, nullptr, &count));
    else
      FAILS(hipGraphGetNodes(seen, nullptr, &count), hipErrorInvalidValue);
    OK(hipGraphDestroy(given));
  }
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Nodes become cooperative only where all their blocks have a place") {
  TestModule code;
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipKernelNodeParams params{};
  params.func = code.function("nothing");
  params.gridDim = dim3(1000000);
  params.blockDim = dim3(64);
  hipGraphNode_t large, small;
  OK(hipGraphAddKernelNode(&large, graph, nullptr, 0, &params));
  params.gridDim = dim3(1);
  OK(hipGraphAddKernelNode(&small, graph, nullptr, 0, &params));
  hipLaunchAttributeValue on{};
  on.cooperative = 1;
  FAILS(hipGraphKernelNodeSetAttribute(large, hipLaunchAttributeCooperative, &on), hipErrorCooperativeLaunchTooLarge);
  OK(hipGraphKernelNodeSetAttribute(small, hipLaunchAttributeCooperative, &on));
  FAILS(hipGraphKernelNodeCopyAttributes(small, large), hipErrorCooperativeLaunchTooLarge);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  params.gridDim = dim3(1000000);
  FAILS(hipGraphKernelNodeSetParams(small, &params), hipErrorCooperativeLaunchTooLarge);
  FAILS(hipGraphExecKernelNodeSetParams(exec, small, &params), hipErrorCooperativeLaunchTooLarge);
  hipLaunchAttributeValue got{};
  OK(hipGraphKernelNodeGetAttribute(large, hipLaunchAttributeCooperative, &got));
  CHECK(got.cooperative == 0);
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
}
