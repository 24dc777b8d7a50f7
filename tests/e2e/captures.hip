// Stream capture: what streams are given becomes nodes; streams join by events; the errors of what a capture cannot
// record, in the three modes; and capturing what other interfaces make (memory, graphs, events outside).
#include "e2e.h"

#include <thread>

namespace {

__global__ void add_value(int* data, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += value;
}
__global__ void add_arrays(int* data, const int* other, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += other[i];
}

constexpr int kCount = 1000;
constexpr dim3 kGrid(16), kBlock(64);

struct Stream {
  hipStream_t stream = nullptr;
  explicit Stream(unsigned flags = hipStreamDefault) { CHECK_EQ(hipStreamCreateWithFlags(&stream, flags), hipSuccess); }
  ~Stream() {
    if (stream) CHECK_EQ(hipStreamDestroy(stream), hipSuccess);
  }
  operator hipStream_t() const { return stream; }
  void begin(hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
    CHECK_EQ(hipStreamBeginCapture(stream, mode), hipSuccess);
  }
  hipStreamCaptureStatus status() const {
    hipStreamCaptureStatus status{};
    CHECK_EQ(hipStreamIsCapturing(stream, &status), hipSuccess);
    return status;
  }
  // Ends a capture with this result.
  hipGraph_t end(hipError_t expected = hipSuccess) {
    hipGraph_t graph = nullptr;
    CHECK_EQ(hipStreamEndCapture(stream, &graph), expected);
    CHECK_EQ(graph != nullptr, expected == hipSuccess);
    CHECK_EQ(status(), hipStreamCaptureStatusNone);
    return graph;
  }
};

struct Event {
  hipEvent_t event = nullptr;
  Event() { CHECK_EQ(hipEventCreate(&event), hipSuccess); }
  ~Event() { CHECK_EQ(hipEventDestroy(event), hipSuccess); }
  operator hipEvent_t() const { return event; }
};

// A graph that was captured, ready to run.
struct Captured {
  hipGraph_t graph;
  hipGraphExec_t exec = nullptr;
  explicit Captured(hipGraph_t graph) : graph(graph) {
    CHECK_EQ(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipSuccess);
  }
  ~Captured() {
    CHECK_EQ(hipGraphExecDestroy(exec), hipSuccess);
    CHECK_EQ(hipGraphDestroy(graph), hipSuccess);
  }
  void run(hipStream_t stream) {
    CHECK_EQ(hipGraphLaunch(exec, stream), hipSuccess);
    CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  }
  size_t nodes() const {
    size_t count = 0;
    CHECK_EQ(hipGraphGetNodes(graph, nullptr, &count), hipSuccess);
    return count;
  }
  size_t edges() const {
    size_t count = 0;
    CHECK_EQ(hipGraphGetEdges(graph, nullptr, nullptr, &count), hipSuccess);
    return count;
  }
};

bool all_are(const std::vector<int>& data, int value) {
  return std::all_of(data.begin(), data.end(), [value](int x) { return x == value; });
}

// The error that a launch leaves behind.
hipError_t error_of_launch(hipStream_t stream, int* data) {
  (void)hipGetLastError(); // that of an earlier call
  add_value<<<kGrid, kBlock, 0, stream>>>(data, 1, kCount);
  return hipGetLastError();
}

} // namespace

E2E_CASE(fork_and_join) {
  e2e::Device<int> left(kCount), right(kCount);
  std::vector<int> out(kCount);
  Stream first, second;
  Event forked, joined;
  first.begin();
  CHECK_EQ(first.status(), hipStreamCaptureStatusActive);
  CHECK_EQ(second.status(), hipStreamCaptureStatusNone);
  CHECK_EQ(hipMemsetAsync(left.data(), 0, kCount * 4, first), hipSuccess);
  CHECK_EQ(hipEventRecord(forked, first), hipSuccess);
  CHECK_EQ(hipStreamWaitEvent(second, forked, 0), hipSuccess);
  CHECK_EQ(second.status(), hipStreamCaptureStatusActive);
  CHECK_EQ(hipMemsetAsync(right.data(), 0, kCount * 4, second), hipSuccess);
  add_value<<<kGrid, kBlock, 0, second>>>(right, 30, kCount);
  add_value<<<kGrid, kBlock, 0, first>>>(left, 4, kCount);
  CHECK_EQ(hipEventRecord(joined, second), hipSuccess);
  CHECK_EQ(hipStreamWaitEvent(first, joined, 0), hipSuccess);
  add_arrays<<<kGrid, kBlock, 0, first>>>(left, right, kCount);
  CHECK_EQ(hipMemcpyAsync(out.data(), left.data(), kCount * 4, hipMemcpyDeviceToHost, first), hipSuccess);
  Captured captured(first.end());
  CHECK_EQ(second.status(), hipStreamCaptureStatusNone);
  CHECK_EQ(captured.nodes(), size_t(6));
  // left fill - left add - sum - copy; left fill - right fill - right add - sum
  CHECK_EQ(captured.edges(), size_t(6));
  CHECK(all_are(left.download(), 0)); // nothing has run
  for (int run = 0; run < 3; ++run) {
    std::fill(out.begin(), out.end(), -1);
    captured.run(second);
    CHECK(all_are(out, 34));
  }
}

E2E_CASE(calls_that_might_wait_for_the_device) {
  void* memory = nullptr;
  Stream stream;
  stream.begin(hipStreamCaptureModeGlobal);
  CHECK_EQ(hipMalloc(&memory, 64), hipErrorStreamCaptureUnsupported);
  CHECK_EQ(stream.status(), hipStreamCaptureStatusInvalidated);
  stream.end(hipErrorStreamCaptureInvalidated);

  stream.begin(hipStreamCaptureModeRelaxed);
  CHECK_EQ(hipMalloc(&memory, 64), hipSuccess);
  CHECK_EQ(hipFree(memory), hipSuccess);
  CHECK_EQ(hipGraphDestroy(stream.end()), hipSuccess);

  // Another thread is forbidden to only by a capture in the global mode, and then not when it is relaxed itself.
  const auto in_thread = [&](hipStreamCaptureMode mode) {
    hipError_t result = hipErrorUnknown;
    std::thread([&] {
      CHECK_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
      CHECK_EQ(mode, hipStreamCaptureModeGlobal); // a thread begins with it
      result = hipMalloc(&memory, 64);
      if (result == hipSuccess) CHECK_EQ(hipFree(memory), hipSuccess);
    }).join();
    return result;
  };
  stream.begin(hipStreamCaptureModeThreadLocal);
  CHECK_EQ(in_thread(hipStreamCaptureModeGlobal), hipSuccess);
  CHECK_EQ(hipGraphDestroy(stream.end()), hipSuccess);
  stream.begin(hipStreamCaptureModeGlobal);
  CHECK_EQ(in_thread(hipStreamCaptureModeRelaxed), hipSuccess);
  CHECK_EQ(in_thread(hipStreamCaptureModeThreadLocal), hipSuccess);
  CHECK_EQ(in_thread(hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  stream.end(hipErrorStreamCaptureInvalidated);
}

E2E_CASE(waiting_for_a_capture) {
  e2e::Device<int> data(kCount);
  Stream stream;
  Event event;
  const auto invalidates = [&](auto call, hipError_t expected) {
    stream.begin();
    CHECK_EQ(hipEventRecord(event, stream), hipSuccess);
    CHECK_EQ(call(), expected);
    CHECK_EQ(stream.status(), hipStreamCaptureStatusInvalidated);
    CHECK_EQ(error_of_launch(stream, data), hipErrorStreamCaptureInvalidated);
    stream.end(hipErrorStreamCaptureInvalidated);
  };
  invalidates([&] { return hipStreamSynchronize(stream); }, hipErrorStreamCaptureUnsupported);
  invalidates([&] { return hipStreamQuery(stream); }, hipErrorStreamCaptureUnsupported);
  invalidates([&] { return hipDeviceSynchronize(); }, hipErrorStreamCaptureUnsupported);
  invalidates([&] { return hipEventSynchronize(event); }, hipErrorCapturedEvent);
  invalidates([&] { return hipEventQuery(event); }, hipErrorCapturedEvent);
  CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  CHECK(all_are(data.download(), 0));
}

E2E_CASE(the_legacy_default_stream) {
  e2e::Device<int> data(kCount);
  CHECK_EQ(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  Stream blocking, other(hipStreamNonBlocking);
  blocking.begin(hipStreamCaptureModeRelaxed);
  CHECK_EQ(error_of_launch(nullptr, data), hipErrorStreamCaptureImplicit);
  blocking.end(hipErrorStreamCaptureInvalidated);
  other.begin(hipStreamCaptureModeRelaxed); // which the default stream does not wait for
  CHECK_EQ(error_of_launch(nullptr, data), hipSuccess);
  CHECK_EQ(error_of_launch(other, data), hipSuccess);
  Captured captured(other.end());
  CHECK(all_are(data.download(), 1));
  captured.run(other);
  CHECK(all_are(data.download(), 2));
}

E2E_CASE(events_of_others) {
  e2e::Device<int> data(kCount);
  Stream first, second;
  Event outside, one, two;
  CHECK_EQ(hipEventRecord(outside, second), hipSuccess);
  first.begin();
  CHECK_EQ(hipStreamWaitEvent(first, outside, 0), hipErrorStreamCaptureIsolation);
  first.end(hipErrorStreamCaptureInvalidated);

  first.begin();
  second.begin();
  CHECK_EQ(hipEventRecord(one, first), hipSuccess);
  CHECK_EQ(hipStreamWaitEvent(second, one, 0), hipErrorStreamCaptureMerge);
  first.end(hipErrorStreamCaptureInvalidated);
  second.end(hipErrorStreamCaptureInvalidated);

  // A stream that joined and was not joined again.
  first.begin();
  CHECK_EQ(error_of_launch(first, data), hipSuccess);
  CHECK_EQ(hipEventRecord(one, first), hipSuccess);
  CHECK_EQ(hipStreamWaitEvent(second, one, 0), hipSuccess);
  CHECK_EQ(error_of_launch(second, data), hipSuccess);
  first.end(hipErrorStreamCaptureUnjoined);
  CHECK_EQ(second.status(), hipStreamCaptureStatusNone);
}

E2E_CASE(where_a_capture_ends) {
  e2e::Device<int> data(kCount);
  Stream first, second;
  Event event;
  hipGraph_t graph = nullptr;
  CHECK_EQ(hipStreamEndCapture(first, &graph), hipErrorIllegalState);
  first.begin();
  CHECK_EQ(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  CHECK_EQ(hipEventRecord(event, first), hipSuccess);
  CHECK_EQ(hipStreamWaitEvent(second, event, 0), hipSuccess);
  CHECK_EQ(hipStreamEndCapture(second, &graph), hipErrorStreamCaptureUnmatched);
  first.end(hipErrorStreamCaptureInvalidated);

  first.begin();
  std::thread([&] { CHECK_EQ(hipStreamEndCapture(first, &graph), hipErrorStreamCaptureWrongThread); }).join();
  CHECK_EQ(hipGraphDestroy(first.end()), hipSuccess);
  first.begin(hipStreamCaptureModeRelaxed);
  std::thread([&] { CHECK_EQ(hipStreamEndCapture(first, &graph), hipSuccess); }).join();
  CHECK_EQ(hipGraphDestroy(graph), hipSuccess);

  // A stream that captures can be destroyed; its capture ends with it.
  hipStream_t doomed;
  CHECK_EQ(hipStreamCreate(&doomed), hipSuccess);
  CHECK_EQ(hipStreamBeginCapture(doomed, hipStreamCaptureModeGlobal), hipSuccess);
  CHECK_EQ(error_of_launch(doomed, data), hipSuccess);
  CHECK_EQ(hipStreamDestroy(doomed), hipSuccess);
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
}

E2E_CASE(streams_destroyed_during_a_capture) {
  e2e::Device<int> data(kCount);
  Stream first;
  Event before, after;
  for (const bool joined : {true, false}) { // by an event that was recorded before the stream went
    hipStream_t helper;
    CHECK_EQ(hipStreamCreate(&helper), hipSuccess);
    first.begin();
    CHECK_EQ(hipMemsetAsync(data, 0, kCount * 4, first), hipSuccess);
    CHECK_EQ(hipEventRecord(before, first), hipSuccess);
    CHECK_EQ(hipStreamWaitEvent(helper, before, 0), hipSuccess);
    add_value<<<kGrid, kBlock, 0, helper>>>(data, 5, kCount);
    CHECK_EQ(hipEventRecord(after, helper), hipSuccess);
    CHECK_EQ(hipStreamDestroy(helper), hipSuccess);
    if (!joined) {
      first.end(hipErrorStreamCaptureUnjoined);
      continue;
    }
    CHECK_EQ(hipStreamWaitEvent(first, after, 0), hipSuccess);
    Captured captured(first.end());
    CHECK_EQ(captured.nodes(), size_t(2));
    captured.run(first);
    CHECK(all_are(data.download(), 5));
  }
}

E2E_CASE(memory_in_stream_order) {
  std::vector<int> out(kCount);
  Stream stream;
  void* memory = nullptr;
  stream.begin();
  CHECK_EQ(hipMallocAsync(&memory, kCount * 4, stream), hipSuccess);
  CHECK_EQ(hipMemsetAsync(memory, 0, kCount * 4, stream), hipSuccess);
  add_value<<<kGrid, kBlock, 0, stream>>>(static_cast<int*>(memory), 7, kCount);
  CHECK_EQ(hipMemcpyAsync(out.data(), memory, kCount * 4, hipMemcpyDeviceToHost, stream), hipSuccess);
  CHECK_EQ(hipFreeAsync(memory, stream), hipSuccess);
  Captured captured(stream.end());
  CHECK_EQ(captured.nodes(), size_t(5));
  for (int run = 0; run < 3; ++run) {
    std::fill(out.begin(), out.end(), -1);
    captured.run(stream);
    CHECK(all_are(out, 7));
  }
  stream.begin();
  CHECK_EQ(hipFreeAsync(out.data(), stream), hipErrorInvalidValue); // no graph has allocated it
  stream.end(hipErrorStreamCaptureInvalidated);
}

E2E_CASE(graphs_and_host_functions_in_captures) {
  e2e::Device<int> data(kCount);
  static int calls;
  calls = 0;
  Stream stream;
  stream.begin();
  add_value<<<kGrid, kBlock, 0, stream>>>(data, 1, kCount);
  Captured inner(stream.end());
  stream.begin();
  CHECK_EQ(hipGraphLaunch(inner.exec, stream), hipSuccess);
  CHECK_EQ(hipLaunchHostFunc(stream, [](void*) { ++calls; }, nullptr), hipSuccess);
  CHECK_EQ(hipGraphLaunch(inner.exec, stream), hipSuccess);
  Captured outer(stream.end());
  CHECK_EQ(outer.nodes(), size_t(3));
  outer.run(stream);
  outer.run(stream);
  CHECK_EQ(calls, 2);
  CHECK(all_are(data.download(), 4));
}

E2E_CASE(events_outside_the_capture) {
  e2e::Device<int> data(kCount);
  Stream stream, other;
  Event ready, done;
  stream.begin();
  CHECK_EQ(hipStreamWaitEvent(stream, ready, hipEventWaitExternal), hipSuccess);
  add_value<<<kGrid, kBlock, 0, stream>>>(data, 1, kCount);
  CHECK_EQ(hipEventRecordWithFlags(done, stream, hipEventRecordExternal), hipSuccess);
  Captured captured(stream.end());
  CHECK_EQ(captured.nodes(), size_t(3));
  CHECK_EQ(hipEventQuery(done), hipSuccess); // never recorded
  CHECK_EQ(hipMemsetAsync(data.data(), 0, kCount * 4, other), hipSuccess);
  CHECK_EQ(hipEventRecord(ready, other), hipSuccess);
  CHECK_EQ(hipGraphLaunch(captured.exec, stream), hipSuccess);
  CHECK_EQ(hipEventSynchronize(done), hipSuccess);
  CHECK(all_are(data.download(), 1));
}

E2E_CASE(capturing_into_a_graph) {
  e2e::Device<int> data(kCount);
  Stream stream;
  hipGraph_t graph;
  CHECK_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  hipMemsetParams params{};
  params.dst = data.data();
  params.value = 5;
  params.elementSize = 4;
  params.width = kCount;
  params.height = 1;
  hipGraphNode_t fill, empty;
  CHECK_EQ(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &params), hipSuccess);
  CHECK_EQ(hipStreamBeginCaptureToGraph(stream, graph, &fill, nullptr, 1, hipStreamCaptureModeGlobal), hipSuccess);
  CHECK_EQ(hipGraphDestroy(graph), hipErrorIllegalState);
  add_value<<<kGrid, kBlock, 0, stream>>>(data, 1, kCount);

  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  hipGraph_t into = nullptr;
  const hipGraphNode_t* dependencies = nullptr;
  size_t count = 0;
  CHECK_EQ(hipStreamGetCaptureInfo_v2(stream, &status, &id, &into, &dependencies, &count), hipSuccess);
  CHECK_EQ(status, hipStreamCaptureStatusActive);
  CHECK(id != 0 && into == graph);
  CHECK_EQ(count, size_t(1));
  const hipGraphNode_t kernel = dependencies[0];
  hipGraphNodeType type;
  CHECK_EQ(hipGraphNodeGetType(kernel, &type), hipSuccess);
  CHECK_EQ(type, hipGraphNodeTypeKernel);
  // The next node comes after one that was added by hand, and after nothing else.
  CHECK_EQ(hipGraphAddEmptyNode(&empty, graph, &kernel, 1), hipSuccess);
  CHECK_EQ(hipStreamUpdateCaptureDependencies(stream, &empty, 1, hipStreamSetCaptureDependencies), hipSuccess);
  add_value<<<kGrid, kBlock, 0, stream>>>(data, 10, kCount);
  CHECK(stream.end() == graph);
  Captured captured(graph);
  CHECK_EQ(captured.nodes(), size_t(4));
  CHECK_EQ(captured.edges(), size_t(3));
  captured.run(stream);
  captured.run(stream);
  CHECK(all_are(data.download(), 16));
}

E2E_CASE(threads_capture_at_the_same_time) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      hipStreamCaptureMode mode = hipStreamCaptureModeThreadLocal;
      CHECK_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
      e2e::Device<int> data(kCount);
      CHECK_EQ(hipStreamSynchronize(nullptr), hipSuccess); // which fills it
      Stream stream(hipStreamNonBlocking);
      for (int round = 0; round < 10; ++round) {
        stream.begin(hipStreamCaptureModeThreadLocal);
        for (int k = 0; k < 5; ++k) add_value<<<kGrid, kBlock, 0, stream>>>(data, t + 1, kCount);
        Captured captured(stream.end());
        captured.run(stream);
      }
      std::vector<int> out(kCount);
      CHECK_EQ(hipMemcpyAsync(out.data(), data.data(), kCount * 4, hipMemcpyDeviceToHost, stream), hipSuccess);
      CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
      CHECK(all_are(out, (t + 1) * 50));
    });
  for (std::thread& thread : threads) thread.join();
}
