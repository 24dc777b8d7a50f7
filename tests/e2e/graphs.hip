// Graphs: made by hand and by capture, launched, changed, cloned and destroyed; and the errors that HIP documents for
// what captures forbid (captures.hip). Results are computed on the host.
#include "e2e.h"

#include <atomic>
#include <thread>

namespace {

__global__ void add_value(int* data, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += value;
}
__global__ void multiply(int* data, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= value;
}
// Reverses each block's 64 values through shared memory.
__global__ void reverse(int* data) {
  __shared__ int tile[64];
  int* const block = data + blockIdx.x * 64;
  tile[threadIdx.x] = block[threadIdx.x];
  __syncthreads();
  block[threadIdx.x] = tile[63 - threadIdx.x];
}
// As long as `rounds` says.
__global__ void take_time(const int* rounds, int* data) {
  int x = data[threadIdx.x];
  for (int i = 0; i < *rounds; ++i) x = x * 5 + 1;
  data[threadIdx.x] = x;
}
__device__ int variable[16];

constexpr int kCount = 1000;

// A kernel node of add_value or multiply; the arguments are the caller's only during the call.
hipGraphNode_t add_kernel(hipGraph_t graph, std::vector<hipGraphNode_t> before, void (*kernel)(int*, int, int),
                          int* data, int value, int count = kCount) {
  void* arguments[] = {&data, &value, &count};
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(kernel);
  params.gridDim = dim3((count + 63) / 64);
  params.blockDim = dim3(64);
  params.kernelParams = arguments;
  hipGraphNode_t node = nullptr;
  CHECK_EQ(hipGraphAddKernelNode(&node, graph, before.data(), before.size(), &params), hipSuccess);
  return node;
}

hipGraphNode_t add_fill(hipGraph_t graph, std::vector<hipGraphNode_t> before, int* data, unsigned value,
                        size_t count = kCount) {
  hipMemsetParams params{};
  params.dst = data;
  params.value = value;
  params.elementSize = 4;
  params.width = count;
  params.height = 1;
  hipGraphNode_t node = nullptr;
  CHECK_EQ(hipGraphAddMemsetNode(&node, graph, before.data(), before.size(), &params), hipSuccess);
  return node;
}

struct Graph {
  hipGraph_t graph = nullptr;
  Graph() { CHECK_EQ(hipGraphCreate(&graph, 0), hipSuccess); }
  ~Graph() {
    if (graph) CHECK_EQ(hipGraphDestroy(graph), hipSuccess);
  }
  operator hipGraph_t() const { return graph; }
};

struct Exec {
  hipGraphExec_t exec = nullptr;
  explicit Exec(hipGraph_t graph, unsigned long long flags = 0) {
    CHECK_EQ(hipGraphInstantiateWithFlags(&exec, graph, flags), hipSuccess);
  }
  ~Exec() { CHECK_EQ(hipGraphExecDestroy(exec), hipSuccess); }
  operator hipGraphExec_t() const { return exec; }
  void run(hipStream_t stream = nullptr) {
    CHECK_EQ(hipGraphLaunch(exec, stream), hipSuccess);
    CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  }
};

bool all_are(const std::vector<int>& data, int value) {
  return std::all_of(data.begin(), data.end(), [value](int x) { return x == value; });
}

} // namespace

E2E_CASE(diamond_by_hand) {
  e2e::Device<int> left(kCount), right(kCount);
  std::vector<int> out(kCount);
  Graph graph;
  const hipGraphNode_t clear = add_fill(graph, {}, left.data(), 3);
  const hipGraphNode_t clear2 = add_fill(graph, {}, right.data(), 5);
  const hipGraphNode_t a = add_kernel(graph, {clear}, add_value, left.data(), 4);
  const hipGraphNode_t b = add_kernel(graph, {clear2}, multiply, right.data(), 6);
  hipGraphNode_t join, copy;
  const hipGraphNode_t both[] = {a, b};
  CHECK_EQ(hipGraphAddEmptyNode(&join, graph, both, 2), hipSuccess);
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&copy, graph, &join, 1, left.data(), right.data(), kCount * 2, hipMemcpyDeviceToDevice),
      hipSuccess);
  hipGraphNode_t back;
  CHECK_EQ(hipGraphAddMemcpyNode1D(&back, graph, &copy, 1, out.data(), left.data(), kCount * 4, hipMemcpyDeviceToHost),
           hipSuccess);
  Exec exec(graph);
  for (int run = 0; run < 3; ++run) {
    std::fill(out.begin(), out.end(), -1);
    exec.run();
    for (int i = 0; i < kCount; ++i) CHECK_EQ(out[i], i < kCount / 2 ? 30 : 7);
  }
  size_t count = 0;
  CHECK_EQ(hipGraphGetNodes(graph, nullptr, &count), hipSuccess);
  CHECK_EQ(count, size_t(7));
  CHECK_EQ(hipGraphGetEdges(graph, nullptr, nullptr, &count), hipSuccess);
  CHECK_EQ(count, size_t(6));
  CHECK_EQ(hipGraphGetRootNodes(graph, nullptr, &count), hipSuccess);
  CHECK_EQ(count, size_t(2));
}

E2E_CASE(long_chains_go_through_the_ring_in_parts) {
  e2e::Device<int> data(kCount);
  Graph graph;
  std::vector<hipGraphNode_t> last;
  for (int i = 0; i < 3000; ++i)
    last = {add_kernel(graph, last, i % 3 == 2 ? multiply : add_value, data.data(), i % 3 == 2 ? -1 : i)};
  Exec exec(graph);
  int expected = 0;
  for (int run = 0; run < 3; ++run) {
    CHECK_EQ(hipGraphLaunch(exec, nullptr), hipSuccess);
    for (int i = 0; i < 3000; ++i) expected = i % 3 == 2 ? -expected : expected + i;
  }
  CHECK(all_are(data.download(), expected));
}

E2E_CASE(small_kernels_replayed_while_they_are_changed_and_translated) {
  constexpr int kBlocks = 3, kItems = kBlocks * 64, kNodes = 40, kRuns = 400;
  e2e::Device<int> data(kItems), other(64);
  std::vector<int> expected(kItems), values(kNodes);
  std::vector<bool> enabled(kNodes, true);
  Graph graph;
  std::vector<hipGraphNode_t> nodes;
  for (int i = 0; i < kNodes; ++i) {
    values[i] = i % 2 ? 3 : i - 7;
    const std::vector<hipGraphNode_t> before = nodes.empty() ? nodes : std::vector<hipGraphNode_t>{nodes.back()};
    if (i % 5 == 4) { // several groups with a barrier
      int* pointer = data.data();
      void* arguments[] = {&pointer};
      hipKernelNodeParams params{};
      params.func = reinterpret_cast<void*>(reverse);
      params.gridDim = dim3(kBlocks);
      params.blockDim = dim3(64);
      params.kernelParams = arguments;
      CHECK_EQ(hipGraphAddKernelNode(&nodes.emplace_back(), graph, before.data(), before.size(), &params), hipSuccess);
    } else { // the last group of some is not full
      nodes.push_back(
          add_kernel(graph, before, i % 2 ? multiply : add_value, data.data(), values[i], kItems - i % 3 * 10));
    }
  }
  Exec exec(graph);
  for (int run = 0; run < kRuns; ++run) {
    const int changed = run * 7 % kNodes;
    if (run % 20 == 10 && changed % 5 != 4) { // one value, or one kernel
      values[changed] = run;
      int* pointer = data.data();
      int count = kItems - changed % 3 * 10;
      void* arguments[] = {&pointer, &values[changed], &count};
      hipKernelNodeParams params{};
      params.func = reinterpret_cast<void*>(changed % 2 ? multiply : add_value);
      params.gridDim = dim3(kBlocks);
      params.blockDim = dim3(64);
      params.kernelParams = arguments;
      CHECK_EQ(hipGraphExecKernelNodeSetParams(exec, nodes[changed], &params), hipSuccess);
    }
    if (run % 50 == 49) {
      enabled[changed] = !enabled[changed];
      CHECK_EQ(hipGraphNodeSetEnabled(exec, nodes[changed], enabled[changed]), hipSuccess);
    }
    CHECK_EQ(hipGraphLaunch(exec, nullptr), hipSuccess); // several are under way at once
    for (int i = 0; i < kNodes; ++i) {
      if (!enabled[i]) continue;
      for (int k = 0; i % 5 != 4 && k < kItems - i % 3 * 10; ++k)
        expected[k] = static_cast<int>(i % 2 ? unsigned(expected[k]) * unsigned(values[i])
                                             : unsigned(expected[k]) + unsigned(values[i]));
      for (int b = 0; i % 5 == 4 && b < kBlocks; ++b)
        std::reverse(expected.begin() + b * 64, expected.begin() + (b + 1) * 64);
    }
    if (run % 40 == 39) CHECK(data.download() == expected);
  }
}

E2E_CASE(replayed_kernels_become_long_and_short_again) {
  constexpr int kNodes = 12;
  e2e::Device<int> rounds(1), data(64);
  int expected = 0;
  Graph graph;
  hipGraphNode_t last = nullptr;
  for (int i = 0; i < kNodes; ++i) {
    int *first = rounds.data(), *second = data.data();
    void* arguments[] = {&first, &second};
    hipKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(take_time);
    params.gridDim = dim3(1);
    params.blockDim = dim3(64);
    params.kernelParams = arguments;
    hipGraphNode_t node = nullptr;
    CHECK_EQ(hipGraphAddKernelNode(&node, graph, &last, last ? 1 : 0, &params), hipSuccess);
    last = node;
  }
  Exec exec(graph);
  for (int run = 0; run < 90; ++run) {
    const int count = run / 30 % 2 ? 20000 : 2;
    rounds.upload({count});
    exec.run();
    for (int i = 0; i < count * kNodes; ++i) expected = static_cast<int>(unsigned(expected) * 5 + 1);
    if (run % 10 == 0) CHECK(all_are(data.download(), expected));
  }
  CHECK(all_are(data.download(), expected));
}

E2E_CASE(wide_graphs) {
  constexpr int kWidth = 500;
  e2e::Device<int> data(kWidth * 64);
  Graph graph;
  std::vector<hipGraphNode_t> leaves;
  for (int i = 0; i < kWidth; ++i) leaves.push_back(add_kernel(graph, {}, add_value, data.data() + 64 * i, i, 64));
  for (int i = 0; i < kWidth; ++i)
    add_kernel(graph, {leaves[i], leaves[(i + 1) % kWidth]}, multiply, data.data() + 64 * i, 2, 64);
  Exec exec(graph);
  exec.run();
  const std::vector<int> out = data.download();
  for (int i = 0; i < kWidth * 64; ++i) CHECK_EQ(out[i], i / 64 * 2);
}

E2E_CASE(neighbouring_transfers_keep_their_order) {
  // Fills and copies that continue each other may become one; those that overlap may not.
  e2e::Device<int> data(64);
  Graph graph;
  hipGraphNode_t last = add_fill(graph, {}, data.data(), 1, 16);
  last = add_fill(graph, {last}, data.data() + 16, 1, 16);
  last = add_fill(graph, {last}, data.data() + 32, 2, 32);
  hipGraphNode_t next;
  // The second copy reads what the first has written.
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&next, graph, &last, 1, data.data() + 16, data.data() + 8, 32, hipMemcpyDeviceToDevice),
      hipSuccess);
  last = next;
  CHECK_EQ(hipGraphAddMemcpyNode1D(&next, graph, &last, 1, data.data(), data.data() + 32, 64, hipMemcpyDeviceToDevice),
           hipSuccess);
  last = next;
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&next, graph, &last, 1, data.data() + 16, data.data() + 48, 64, hipMemcpyDeviceToDevice),
      hipSuccess);
  last = next;
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&next, graph, &last, 1, data.data() + 40, data.data() + 36, 16, hipMemcpyDeviceToDevice),
      hipSuccess);
  last = add_kernel(graph, {next}, add_value, data.data() + 36, 10, 4);
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&next, graph, &last, 1, data.data() + 40, data.data() + 36, 16, hipMemcpyDeviceToDevice),
      hipSuccess);
  last = next;
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&next, graph, &last, 1, data.data() + 44, data.data() + 40, 16, hipMemcpyDeviceToDevice),
      hipSuccess);
  Exec exec(graph);
  exec.run();
  const std::vector<int> out = data.download();
  for (int i = 0; i < 64; ++i) CHECK_EQ(out[i], i >= 36 && i < 48 ? 12 : 2);
}

E2E_CASE(kernel_arguments_are_copied_and_can_be_changed) {
  e2e::Device<int> data(kCount);
  Graph graph;
  const hipGraphNode_t node = add_kernel(graph, {}, add_value, data.data(), 7);
  Exec exec(graph);
  exec.run();
  CHECK(all_are(data.download(), 7));

  hipKernelNodeParams params{};
  CHECK_EQ(hipGraphKernelNodeGetParams(node, &params), hipSuccess);
  CHECK(params.func == reinterpret_cast<void*>(add_value));
  CHECK_EQ(*static_cast<int*>(params.kernelParams[1]), 7);
  CHECK_EQ(params.gridDim.x, 16u);

  int* pointer = data.data();
  int value = 3, count = 500;
  void* arguments[] = {&pointer, &value, &count};
  params.kernelParams = arguments;
  CHECK_EQ(hipGraphExecKernelNodeSetParams(exec, node, &params), hipSuccess);
  value = 1000000; // after the call nobody looks at it
  exec.run();
  std::vector<int> out = data.download();
  for (int i = 0; i < kCount; ++i) CHECK_EQ(out[i], i < 500 ? 10 : 7);
  // The graph's own node is as it was.
  CHECK_EQ(hipGraphKernelNodeGetParams(node, &params), hipSuccess);
  CHECK_EQ(*static_cast<int*>(params.kernelParams[1]), 7);

  CHECK_EQ(hipGraphNodeSetEnabled(exec, node, 0), hipSuccess);
  exec.run();
  CHECK(data.download() == out);
  unsigned enabled = 1;
  CHECK_EQ(hipGraphNodeGetEnabled(exec, node, &enabled), hipSuccess);
  CHECK_EQ(enabled, 0u);
  CHECK_EQ(hipGraphNodeSetEnabled(exec, node, 1), hipSuccess);
  exec.run();
  CHECK_EQ(data.download()[0], 13);
}

E2E_CASE(nodes_of_every_kind_changed_before_every_launch) {
  e2e::Device<int> data(kCount), source(kCount);
  std::vector<int> numbers(kCount);
  for (int i = 0; i < kCount; ++i) numbers[i] = i;
  source.upload(numbers);
  Graph graph;
  const hipGraphNode_t fill = add_fill(graph, {}, data.data(), 1);
  hipGraphNode_t copy;
  CHECK_EQ(hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, data.data(), source.data(), 40, hipMemcpyDeviceToDevice),
           hipSuccess);
  std::vector<hipGraphNode_t> kernels{add_kernel(graph, {copy}, add_value, data.data(), 0)};
  while (kernels.size() < 20) kernels.push_back(add_kernel(graph, {kernels.back()}, add_value, data.data(), 0));
  Exec exec(graph);
  for (int run = 0; run < 100; ++run) {
    hipMemsetParams params{};
    params.dst = data.data();
    params.value = static_cast<unsigned>(run);
    params.elementSize = 4;
    params.width = kCount;
    params.height = 1;
    CHECK_EQ(hipGraphExecMemsetNodeSetParams(exec, fill, &params), hipSuccess);
    CHECK_EQ(
        hipGraphExecMemcpyNodeSetParams1D(exec, copy, data.data(), source.data() + run, 40, hipMemcpyDeviceToDevice),
        hipSuccess);
    for (size_t i = 0; i < kernels.size(); ++i) { // some with another grid
      int* pointer = data.data();
      int value = run + int(i), count = run % 4 == 3 ? 500 : kCount;
      void* arguments[] = {&pointer, &value, &count};
      hipKernelNodeParams kernel{};
      kernel.func = reinterpret_cast<void*>(add_value);
      kernel.gridDim = dim3((count + 63) / 64);
      kernel.blockDim = dim3(64);
      kernel.kernelParams = arguments;
      CHECK_EQ(hipGraphExecKernelNodeSetParams(exec, kernels[i], &kernel), hipSuccess);
    }
    CHECK_EQ(hipGraphLaunch(exec, nullptr), hipSuccess);
    if (run % 3 == 0) continue; // the next one is changed while this one is under way
    const std::vector<int> out = data.download();
    const int added = 20 * run + 190;
    for (int i = 0; i < kCount; ++i)
      CHECK_EQ(out[i], (i < 10 ? run + i : run) + (run % 4 == 3 && i >= 500 ? 0 : added));
  }
}

E2E_CASE(children_clones_and_updates) {
  e2e::Device<int> data(kCount);
  Graph inner, outer;
  const hipGraphNode_t in_a = add_kernel(inner, {}, add_value, data.data(), 2);
  add_kernel(inner, {in_a}, multiply, data.data(), 3);
  const hipGraphNode_t first = add_fill(outer, {}, data.data(), 1);
  hipGraphNode_t child;
  CHECK_EQ(hipGraphAddChildGraphNode(&child, outer, &first, 1, inner), hipSuccess);
  add_kernel(outer, {child}, add_value, data.data(), 100);
  // What is added to the original later is not in the copy.
  add_kernel(inner, {}, add_value, data.data(), 50000);
  Exec exec(outer);
  exec.run();
  CHECK(all_are(data.download(), 109)); // (1 + 2) * 3 + 100

  hipGraph_t clone = nullptr;
  CHECK_EQ(hipGraphClone(&clone, outer), hipSuccess);
  hipGraphNode_t cloned = nullptr;
  CHECK_EQ(hipGraphNodeFindInClone(&cloned, first, clone), hipSuccess);
  hipMemsetParams fill{};
  CHECK_EQ(hipGraphMemsetNodeGetParams(cloned, &fill), hipSuccess);
  CHECK_EQ(fill.value, 1u);
  CHECK_EQ(fill.width, size_t(kCount));
  fill.value = 5;
  CHECK_EQ(hipGraphMemsetNodeSetParams(cloned, &fill), hipSuccess);
  hipGraphNode_t wrong = nullptr;
  hipGraphExecUpdateResult result;
  CHECK_EQ(hipGraphExecUpdate(exec, clone, &wrong, &result), hipSuccess);
  CHECK_EQ(result, hipGraphExecUpdateSuccess);
  exec.run();
  CHECK(all_are(data.download(), 121)); // (5 + 2) * 3 + 100
  add_kernel(clone, {}, add_value, data.data(), 1);
  CHECK_EQ(hipGraphExecUpdate(exec, clone, &wrong, &result), hipErrorGraphExecUpdateFailure);
  CHECK_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  CHECK_EQ(hipGraphDestroy(clone), hipSuccess);
}

E2E_CASE(symbols_and_boxes) {
  Graph graph;
  std::vector<int> in(16), out(16), box(6 * 4);
  for (int i = 0; i < 16; ++i) in[i] = i * i;
  hipGraphNode_t to, from;
  CHECK_EQ(hipGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, HIP_SYMBOL(variable), in.data(), 64, 0,
                                         hipMemcpyHostToDevice),
           hipSuccess);
  CHECK_EQ(hipGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, out.data(), HIP_SYMBOL(variable), 32, 32,
                                           hipMemcpyDeviceToHost),
           hipSuccess);
  // 2 x 3 x 2 of 4 x 3 x 2 elements
  std::vector<int> source(4 * 3 * 2);
  for (size_t i = 0; i < source.size(); ++i) source[i] = int(i);
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(source.data(), 16, 16, 3);
  p.dstPtr = make_hipPitchedPtr(box.data(), 8, 8, 3);
  p.srcPos = make_hipPos(4, 0, 0);
  p.extent = make_hipExtent(8, 3, 2);
  p.kind = hipMemcpyHostToHost;
  hipGraphNode_t copy;
  CHECK_EQ(hipGraphAddMemcpyNode(&copy, graph, nullptr, 0, &p), hipSuccess);
  hipMemcpy3DParms read{};
  CHECK_EQ(hipGraphMemcpyNodeGetParams(copy, &read), hipSuccess);
  CHECK(read.srcPos.x == 4 && read.extent.height == 3 && read.srcPtr.pitch == 16 && read.kind == hipMemcpyHostToHost);
  Exec exec(graph);
  exec.run();
  for (int i = 0; i < 8; ++i) CHECK_EQ(out[i], (i + 8) * (i + 8));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 2; ++x) CHECK_EQ(box[z * 6 + y * 2 + x], z * 12 + y * 4 + x + 1);
}

E2E_CASE(host_functions_and_events) {
  e2e::Device<int> data(kCount);
  static std::vector<int> seen;
  seen.clear();
  std::vector<int> out(kCount);
  Graph graph;
  hipEvent_t start, stop;
  CHECK_EQ(hipEventCreate(&start), hipSuccess);
  CHECK_EQ(hipEventCreate(&stop), hipSuccess);
  hipGraphNode_t record, copy, call, last;
  CHECK_EQ(hipGraphAddEventRecordNode(&record, graph, nullptr, 0, start), hipSuccess);
  const hipGraphNode_t kernel = add_kernel(graph, {record}, add_value, data.data(), 1);
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, out.data(), data.data(), kCount * 4, hipMemcpyDeviceToHost),
      hipSuccess);
  hipHostNodeParams host{[](void* user) { seen.push_back(*static_cast<int*>(user)); }, out.data() + 17};
  CHECK_EQ(hipGraphAddHostNode(&call, graph, &copy, 1, &host), hipSuccess);
  CHECK_EQ(hipGraphAddEventRecordNode(&last, graph, &call, 1, stop), hipSuccess);
  Exec exec(graph);
  for (int i = 0; i < 4; ++i) CHECK_EQ(hipGraphLaunch(exec, nullptr), hipSuccess);
  CHECK_EQ(hipEventSynchronize(stop), hipSuccess);
  CHECK(seen == std::vector<int>({1, 2, 3, 4}));
  float ms = -1;
  CHECK_EQ(hipEventElapsedTime(&ms, start, stop), hipSuccess);
  CHECK(ms >= 0);
  CHECK_EQ(hipEventDestroy(start), hipSuccess);
  CHECK_EQ(hipEventDestroy(stop), hipSuccess);
}

E2E_CASE(memory_of_graphs) {
  Graph graph;
  hipMemAllocNodeParams params{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  params.bytesize = kCount * 4;
  hipGraphNode_t allocation, copy, release;
  CHECK_EQ(hipGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params), hipSuccess);
  CHECK(params.dptr != nullptr);
  int* const memory = static_cast<int*>(params.dptr);
  std::vector<int> out(kCount);
  const hipGraphNode_t clear = add_fill(graph, {allocation}, memory, 9);
  const hipGraphNode_t kernel = add_kernel(graph, {clear}, add_value, memory, 1);
  CHECK_EQ(hipGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, out.data(), memory, kCount * 4, hipMemcpyDeviceToHost),
           hipSuccess);
  hipGraph_t clone;
  CHECK_EQ(hipGraphClone(&clone, graph), hipErrorNotSupported);
  {
    Exec exec(graph);
    hipGraphExec_t second;
    CHECK_EQ(hipGraphInstantiate(&second, graph, nullptr, nullptr, 0), hipErrorNotSupported);
    exec.run();
    CHECK(all_are(out, 10));
    uint64_t used = 0;
    CHECK_EQ(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used), hipSuccess);
    CHECK_EQ(used, uint64_t(kCount * 4));
    CHECK_EQ(hipGraphLaunch(exec, nullptr), hipErrorInvalidValue); // it was not freed
    CHECK_EQ(hipFree(memory), hipSuccess);
    CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
    exec.run();
    CHECK_EQ(hipFreeAsync(memory, nullptr), hipSuccess);
  }
  {
    Exec exec(graph, hipGraphInstantiateFlagAutoFreeOnLaunch);
    exec.run();
    exec.run();
    CHECK_EQ(hipFree(memory), hipSuccess);
  }
  CHECK_EQ(hipGraphAddMemFreeNode(&release, graph, &copy, 1, memory), hipSuccess);
  Exec exec(graph);
  exec.run();
  exec.run();
  CHECK(all_are(out, 10));
}

E2E_CASE(user_objects_live_as_long_as_their_graphs) {
  static std::atomic<int> destroyed;
  destroyed = 0;
  hipUserObject_t object = nullptr;
  CHECK_EQ(
      hipUserObjectCreate(&object, nullptr, [](void*) { ++destroyed; }, 2, hipUserObjectNoDestructorSync), hipSuccess);
  hipGraph_t graph, clone;
  CHECK_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  CHECK_EQ(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove), hipSuccess);
  CHECK_EQ(hipUserObjectRelease(object, 1), hipSuccess);
  CHECK_EQ(hipGraphClone(&clone, graph), hipSuccess);
  hipGraphExec_t exec;
  CHECK_EQ(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipSuccess);
  CHECK_EQ(hipGraphDestroy(graph), hipSuccess);
  CHECK_EQ(hipGraphDestroy(clone), hipSuccess);
  CHECK_EQ(destroyed.load(), 0);
  CHECK_EQ(hipGraphExecDestroy(exec), hipSuccess);
  CHECK_EQ(destroyed.load(), 1);
}

__global__ void wait_for(int* flag, int value, int) {
  while (*static_cast<volatile int*>(flag) != value) {}
}

E2E_CASE(user_objects_go_when_the_last_launch_ends) {
  static std::atomic<int> destroyed;
  destroyed = 0;
  int* flag = nullptr;
  CHECK_EQ(hipHostMalloc(reinterpret_cast<void**>(&flag), sizeof *flag, hipHostMallocDefault), hipSuccess);
  *flag = 0;
  {
    Graph graph;
    add_kernel(graph, {}, wait_for, flag, 1);
    hipUserObject_t object = nullptr;
    CHECK_EQ(hipUserObjectCreate(&object, nullptr, [](void*) { ++destroyed; }, 1, hipUserObjectNoDestructorSync),
             hipSuccess);
    CHECK_EQ(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove), hipSuccess);
    Exec exec(graph);
    CHECK_EQ(hipGraphLaunch(exec, nullptr), hipSuccess);
  } // both are destroyed while the kernel waits
  CHECK_EQ(destroyed.load(), 0);
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  CHECK_EQ(hipStreamSynchronize(nullptr), hipSuccess);
  CHECK_EQ(destroyed.load(), 1);
  CHECK_EQ(hipHostFree(flag), hipSuccess);
}

E2E_CASE(destroying_what_runs) {
  e2e::Device<int> data(kCount);
  for (int i = 0; i < 20; ++i) {
    Graph graph;
    std::vector<hipGraphNode_t> last;
    for (int k = 0; k < 50; ++k) last = {add_kernel(graph, last, add_value, data.data(), 1)};
    Exec exec(graph);
    CHECK_EQ(hipGraphLaunch(exec, nullptr), hipSuccess);
  }
  CHECK(all_are(data.download(), 1000));
}

E2E_CASE(wrong_handles_and_shapes) {
  Graph graph, other;
  hipGraphNode_t a, b, c, node;
  CHECK_EQ(hipGraphAddEmptyNode(&a, graph, nullptr, 0), hipSuccess);
  CHECK_EQ(hipGraphAddEmptyNode(&b, graph, &a, 1), hipSuccess);
  CHECK_EQ(hipGraphAddEmptyNode(&c, other, nullptr, 0), hipSuccess);
  CHECK_EQ(hipGraphAddEmptyNode(&node, graph, &c, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(nullptr, graph, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddEmptyNode(&node, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddDependencies(graph, &a, &b, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddDependencies(graph, &a, &a, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphRemoveDependencies(graph, &b, &a, 1), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddDependencies(graph, &b, &a, 1), hipSuccess); // a cycle
  hipGraphExec_t exec = nullptr;
  hipGraphNode_t wrong = nullptr;
  CHECK_EQ(hipGraphInstantiate(&exec, graph, &wrong, nullptr, 0), hipErrorInvalidValue);
  CHECK(wrong == a || wrong == b);
  CHECK_EQ(hipGraphRemoveDependencies(graph, &b, &a, 1), hipSuccess);
  CHECK_EQ(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipSuccess);
  CHECK_EQ(hipGraphExecDestroy(exec), hipSuccess);
  CHECK_EQ(hipGraphExecDestroy(exec), hipErrorInvalidValue);
  CHECK_EQ(hipGraphLaunch(exec, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphDestroyNode(a), hipSuccess);
  hipGraphNodeType type;
  CHECK_EQ(hipGraphNodeGetType(a, &type), hipErrorInvalidValue);
  CHECK_EQ(hipGraphNodeGetType(b, &type), hipSuccess);
  CHECK_EQ(type, hipGraphNodeTypeEmpty);
  hipKernelNodeParams kernel{};
  CHECK_EQ(hipGraphKernelNodeGetParams(b, &kernel), hipErrorInvalidValue);
  const hipGraph_t gone = other.graph;
  CHECK_EQ(hipGraphDestroy(other.graph), hipSuccess);
  other.graph = nullptr;
  CHECK_EQ(hipGraphDestroy(gone), hipErrorInvalidValue);
  CHECK_EQ(hipGraphNodeGetType(c, &type), hipErrorInvalidValue);
}

E2E_CASE(dot_files) {
  Graph graph;
  e2e::Device<int> data(kCount);
  const hipGraphNode_t fill = add_fill(graph, {}, data.data(), 1);
  add_kernel(graph, {fill}, add_value, data.data(), 1);
  const std::string path = "/tmp/omnihip_graph_" + std::to_string(reinterpret_cast<uintptr_t>(data.data())) + ".dot";
  CHECK_EQ(hipGraphDebugDotPrint(graph, path.c_str(), hipGraphDebugDotFlagsVerbose), hipSuccess);
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    char buffer[4096];
    text.assign(buffer, std::fread(buffer, 1, sizeof buffer, file));
    std::fclose(file);
  }
  std::remove(path.c_str());
  CHECK(text.rfind("digraph", 0) == 0);
  CHECK(text.find("MEMSET") != text.npos && text.find("add_value") != text.npos && text.find(" -> ") != text.npos);
  CHECK_EQ(hipGraphDebugDotPrint(graph, "/nowhere/at/all.dot", 0), hipErrorOperatingSystem);
}

E2E_CASE(threads_launch_one_executable) {
  e2e::Device<int> data(kCount);
  Graph graph;
  std::vector<hipGraphNode_t> last;
  for (int k = 0; k < 20; ++k) last = {add_kernel(graph, last, add_value, data.data(), 1)};
  Exec exec(graph);
  hipStream_t stream;
  CHECK_EQ(hipStreamCreate(&stream), hipSuccess);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) CHECK_EQ(hipGraphLaunch(exec, stream), hipSuccess);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  CHECK(all_are(data.download(), 4 * 50 * 20));
  CHECK_EQ(hipStreamDestroy(stream), hipSuccess);
}

E2E_CASE(streams_end_right_after_their_kernels) {
  e2e::Device<int> left(kCount), right(kCount);
  HIP_OK(hipStreamSynchronize(nullptr)); // which fills them
  Graph graph;
  add_kernel(graph, {}, add_value, left.data(), 1);
  add_kernel(graph, {}, add_value, right.data(), 2);
  Exec exec(graph);
  constexpr int kRounds = 300;
  for (int i = 0; i < kRounds; ++i) {
    hipStream_t stream;
    CHECK_EQ(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
    CHECK_EQ(hipGraphLaunch(exec, stream), hipSuccess);
    CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
    CHECK_EQ(hipStreamDestroy(stream), hipSuccess);
  }
  CHECK(all_are(left.download(), kRounds) && all_are(right.download(), 2 * kRounds));
}
