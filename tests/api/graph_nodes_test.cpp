// Nodes of graphs, kind by kind: what their parameters read as, that setting them changes the graph or the executable
// alone, and that another kind of node is refused. Copies and fills show it on every back end.
#include "registered.h"

namespace {

constexpr size_t kBytes = 256;

struct Memory {
  Memory() {
    OK(hipMalloc(&a, kBytes));
    OK(hipMalloc(&b, kBytes));
    OK(hipMemset(a, 1, kBytes));
    OK(hipMemset(b, 2, kBytes));
  }
  ~Memory() {
    OK(hipFree(a));
    OK(hipFree(b));
  }
  char *a = nullptr, *b = nullptr;
};

struct Graph {
  Graph() { OK(hipGraphCreate(&handle, 0)); }
  ~Graph() { OK(hipGraphDestroy(handle)); }
  operator hipGraph_t() const { return handle; }
  hipGraph_t handle = nullptr;
};

struct Exec {
  explicit Exec(hipGraph_t graph) { OK(hipGraphInstantiate(&handle, graph, nullptr, nullptr, 0)); }
  ~Exec() { OK(hipGraphExecDestroy(handle)); }
  operator hipGraphExec_t() const { return handle; }
  void run() const {
    OK(hipGraphLaunch(handle, nullptr));
    OK(hipStreamSynchronize(nullptr));
  }
  hipGraphExec_t handle = nullptr;
};

hipGraphNode_t empty_node(hipGraph_t graph) {
  hipGraphNode_t node;
  OK(hipGraphAddEmptyNode(&node, graph, nullptr, 0));
  return node;
}

hipMemsetParams fill_of(void* memory, unsigned value, size_t bytes = kBytes) {
  hipMemsetParams params{};
  params.dst = memory;
  params.value = value;
  params.elementSize = 1;
  params.width = bytes;
  params.height = 1;
  return params;
}

hipGraphNode_t fill_node(hipGraph_t graph, void* memory, unsigned value) {
  hipGraphNode_t node;
  const hipMemsetParams params = fill_of(memory, value);
  OK(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
  return node;
}

hipMemcpy3DParms copy_of(void* dst, const void* src, size_t bytes = kBytes) {
  hipMemcpy3DParms params{};
  params.dstPtr = make_hipPitchedPtr(dst, bytes, bytes, 1);
  params.srcPtr = make_hipPitchedPtr(const_cast<void*>(src), bytes, bytes, 1);
  params.extent = make_hipExtent(bytes, 1, 1);
  params.kind = hipMemcpyDefault;
  return params;
}

HIP_MEMCPY3D driver_copy_of(void* dst, const void* src, size_t bytes = kBytes) {
  HIP_MEMCPY3D params{};
  params.dstMemoryType = params.srcMemoryType = hipMemoryTypeDevice;
  params.dstDevice = dst;
  params.srcDevice = const_cast<void*>(src);
  params.dstPitch = params.srcPitch = bytes;
  params.WidthInBytes = bytes;
  params.Height = params.Depth = 1;
  return params;
}

bool is_all(const void* memory, char value, size_t bytes = kBytes) {
  std::vector<char> host(bytes);
  OK(hipMemcpy(host.data(), memory, bytes, hipMemcpyDefault));
  return host == std::vector<char>(bytes, value);
}

struct HostCall {
  int calls = 0;
  static void count(void* self) { ++static_cast<HostCall*>(self)->calls; }
};

} // namespace

TEST_CASE("A graph says how its nodes depend on each other") {
  Graph graph;
  hipGraphNode_t first = empty_node(graph), second, third;
  OK(hipGraphAddEmptyNode(&second, graph, &first, 1));
  const hipGraphNode_t both[] = {first, second};
  OK(hipGraphAddEmptyNode(&third, graph, both, 2));
  size_t count = 0;
  OK(hipGraphNodeGetDependencies(third, nullptr, &count));
  REQUIRE(count == 2);
  hipGraphNode_t found[2] = {};
  OK(hipGraphNodeGetDependencies(third, found, &count));
  CHECK((found[0] == first && found[1] == second));
  OK(hipGraphNodeGetDependentNodes(first, nullptr, &count));
  REQUIRE(count == 2);
  OK(hipGraphNodeGetDependentNodes(first, found, &count));
  CHECK((found[0] == second && found[1] == third));
  OK(hipGraphNodeGetDependentNodes(third, nullptr, &count));
  CHECK(count == 0);
}

TEST_CASE("A graph is instantiated with every flag") {
  Memory memory;
  Graph graph;
  fill_node(graph, memory.a, 7);
  constexpr unsigned kAll = hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
                            hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;
  for (unsigned flags = 0; flags <= kAll; ++flags) {
    INFO("flags " << flags);
    hipGraphInstantiateParams instantiate{};
    instantiate.flags = flags;
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithParams(&exec, graph, &instantiate));
    unsigned long long found = 77;
    OK(hipGraphExecGetFlags(exec, &found));
    CHECK(found == flags);
    OK(hipMemset(memory.a, 1, kBytes));
    OK(hipGraphLaunch(exec, nullptr));
    OK(hipStreamSynchronize(nullptr));
    CHECK(is_all(memory.a, 7));
    OK(hipGraphExecDestroy(exec));
  }
}

TEST_CASE("An executable is uploaded and knows its flags") {
  Memory memory;
  Graph graph;
  fill_node(graph, memory.a, 7);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, hipGraphInstantiateFlagUseNodePriority));
  unsigned long long flags = 77;
  OK(hipGraphExecGetFlags(exec, &flags));
  CHECK(flags == hipGraphInstantiateFlagUseNodePriority);
  OK(hipGraphUpload(exec, nullptr));
  OK(hipStreamSynchronize(nullptr));
  CHECK(is_all(memory.a, 1)); // an upload runs nothing
  OK(hipGraphLaunch_spt(exec, nullptr));
  OK(hipStreamSynchronize_spt(nullptr));
  CHECK(is_all(memory.a, 7));
  OK(hipGraphExecDestroy(exec));
  FAILS(hipGraphUpload(exec, nullptr), hipErrorInvalidValue);
}

TEST_CASE("Nodes of events") {
  hipEvent_t event, other, found = nullptr;
  OK(hipEventCreate(&event));
  OK(hipEventCreate(&other));
  Graph graph;
  hipGraphNode_t record, wait, empty = empty_node(graph);
  OK(hipGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
  OK(hipGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  OK(hipGraphEventRecordNodeGetEvent(record, &found));
  CHECK(found == event);
  OK(hipGraphEventWaitNodeGetEvent(wait, &found));
  CHECK(found == event);
  OK(hipGraphEventRecordNodeSetEvent(record, other));
  OK(hipGraphEventWaitNodeSetEvent(wait, other));
  OK(hipGraphEventRecordNodeGetEvent(record, &found));
  CHECK(found == other);
  OK(hipGraphEventWaitNodeGetEvent(wait, &found));
  CHECK(found == other);

  Exec exec(graph);
  OK(hipGraphExecEventRecordNodeSetEvent(exec, record, event));
  OK(hipGraphExecEventWaitNodeSetEvent(exec, wait, event));
  OK(hipGraphEventRecordNodeGetEvent(record, &found)); // the graph keeps its own
  CHECK(found == other);
  exec.run();
  OK(hipEventQuery(event));
  float ms = -1;
  FAILS(hipEventElapsedTime(&ms, other, event), hipErrorInvalidHandle); // `other` was not recorded

  FAILS(hipGraphEventRecordNodeGetEvent(empty, &found), hipErrorInvalidValue);
  FAILS(hipGraphEventWaitNodeGetEvent(record, &found), hipErrorInvalidValue);
  FAILS(hipGraphEventRecordNodeSetEvent(wait, event), hipErrorInvalidValue);
  FAILS(hipGraphEventWaitNodeSetEvent(record, event), hipErrorInvalidValue);
  FAILS(hipGraphExecEventRecordNodeSetEvent(exec, wait, event), hipErrorInvalidValue);
  FAILS(hipGraphExecEventWaitNodeSetEvent(exec, record, event), hipErrorInvalidValue);
  OK(hipEventDestroy(event));
  OK(hipEventDestroy(other));
}

TEST_CASE("Nodes of host functions") {
  HostCall one, two;
  Graph graph;
  hipGraphNode_t node, empty = empty_node(graph);
  hipHostNodeParams params{HostCall::count, &one}, found{};
  OK(hipGraphAddHostNode(&node, graph, nullptr, 0, &params));
  OK(hipGraphHostNodeGetParams(node, &found));
  CHECK((found.fn == HostCall::count && found.userData == &one));
  Exec before(graph);
  params.userData = &two;
  OK(hipGraphHostNodeSetParams(node, &params));
  Exec after(graph);
  before.run();
  CHECK((one.calls == 1 && two.calls == 0));
  after.run();
  CHECK((one.calls == 1 && two.calls == 1));
  OK(hipGraphExecHostNodeSetParams(before, node, &params));
  before.run();
  CHECK((one.calls == 1 && two.calls == 2));
  params.fn = nullptr;
  FAILS(hipGraphHostNodeSetParams(node, &params), hipErrorInvalidValue);
  FAILS(hipGraphHostNodeGetParams(empty, &found), hipErrorInvalidValue);
  params.fn = HostCall::count;
  FAILS(hipGraphExecHostNodeSetParams(before, empty, &params), hipErrorInvalidValue);
}

TEST_CASE("Nodes of graphs") {
  Memory memory;
  Graph inner, other, graph;
  hipGraphNode_t fill, child, empty = empty_node(graph);
  hipMemsetParams params = fill_of(memory.a, 5);
  OK(hipGraphAddMemsetNode(&fill, inner, nullptr, 0, &params));
  params.value = 6;
  OK(hipGraphAddMemsetNode(&fill, other, nullptr, 0, &params));
  OK(hipGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
  hipGraph_t found = nullptr;
  OK(hipGraphChildGraphNodeGetGraph(child, &found));
  CHECK((found != nullptr && found != inner.handle)); // the node has a clone
  size_t count = 0;
  OK(hipGraphGetNodes(found, nullptr, &count));
  CHECK(count == 1);
  Exec exec(graph);
  exec.run();
  CHECK(is_all(memory.a, 5));
  OK(hipGraphExecChildGraphNodeSetParams(exec, child, other));
  exec.run();
  CHECK(is_all(memory.a, 6));
  FAILS(hipGraphChildGraphNodeGetGraph(empty, &found), hipErrorInvalidValue);
  FAILS(hipGraphExecChildGraphNodeSetParams(exec, empty, other), hipErrorInvalidValue);
  FAILS(hipGraphExecChildGraphNodeSetParams(exec, child, graph), hipErrorInvalidValue); // of another shape
}

TEST_CASE("Nodes of copies and fills") {
  Memory memory;
  Graph graph;
  hipGraphNode_t copy, linear, fill, empty = empty_node(graph);
  hipMemcpy3DParms box = copy_of(memory.a, memory.b), found{};
  hipMemsetParams set = fill_of(memory.b, 3), found_set{};
  OK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  OK(hipGraphAddMemcpyNode(&copy, graph, &fill, 1, &box));
  OK(hipGraphAddMemcpyNode1D(&linear, graph, &copy, 1, memory.a, memory.b, 16, hipMemcpyDeviceToDevice));
  OK(hipGraphMemcpyNodeGetParams(copy, &found));
  CHECK((found.dstPtr.ptr == memory.a && found.srcPtr.ptr == memory.b && found.extent.width == kBytes));
  OK(hipGraphMemsetNodeGetParams(fill, &found_set));
  CHECK((found_set.dst == memory.b && found_set.value == 3 && found_set.width == kBytes));
  Exec exec(graph);
  exec.run();
  CHECK(is_all(memory.a, 3));

  // Of the executable: the fill has another value, the copy half the length.
  OK(hipMemset(memory.a, 1, kBytes));
  set.value = 4;
  box = copy_of(memory.a, memory.b, kBytes / 2);
  OK(hipGraphExecMemsetNodeSetParams(exec, fill, &set));
  OK(hipGraphExecMemcpyNodeSetParams(exec, copy, &box));
  OK(hipGraphExecMemcpyNodeSetParams1D(exec, linear, memory.a + kBytes - 16, memory.b, 16, hipMemcpyDeviceToDevice));
  exec.run();
  CHECK(is_all(memory.a, 4, kBytes / 2));
  CHECK(is_all(memory.a + kBytes / 2, 1, kBytes / 2 - 16));
  CHECK(is_all(memory.a + kBytes - 16, 4, 16));
  // Of the graph: what is instantiated from now on.
  OK(hipGraphMemcpyNodeSetParams(copy, &box));
  OK(hipGraphMemcpyNodeSetParams1D(linear, memory.a, memory.b, 8, hipMemcpyDeviceToDevice));
  OK(hipGraphMemsetNodeSetParams(fill, &set));
  OK(hipMemset(memory.a, 1, kBytes));
  Exec(graph).run();
  CHECK(is_all(memory.a, 4, kBytes / 2));
  CHECK(is_all(memory.a + kBytes / 2, 1, kBytes / 2));

  FAILS(hipGraphMemcpyNodeGetParams(fill, &found), hipErrorInvalidValue);
  FAILS(hipGraphMemcpyNodeSetParams(empty, &box), hipErrorInvalidValue);
  FAILS(hipGraphMemcpyNodeSetParams1D(empty, memory.a, memory.b, 8, hipMemcpyDefault), hipErrorInvalidValue);
  FAILS(hipGraphMemcpyNodeSetParams1D(linear, nullptr, memory.b, 8, hipMemcpyDefault), hipErrorInvalidValue);
  FAILS(hipGraphExecMemcpyNodeSetParams(exec, fill, &box), hipErrorInvalidValue);
  FAILS(hipGraphExecMemcpyNodeSetParams1D(exec, fill, memory.a, memory.b, 8, hipMemcpyDefault), hipErrorInvalidValue);
  FAILS(hipGraphMemsetNodeGetParams(copy, &found_set), hipErrorInvalidValue);
  FAILS(hipGraphExecMemsetNodeSetParams(exec, copy, &set), hipErrorInvalidValue);
  set.elementSize = 3;
  FAILS(hipGraphMemsetNodeSetParams(fill, &set), hipErrorInvalidValue);
}

TEST_CASE("Nodes of copies with variables") {
  Registered code("kernels.hipfb");
  const int values[4] = {10, 20, 30, 40};
  int back[4] = {}, other[4] = {};
  Graph graph;
  hipGraphNode_t to, from, empty = empty_node(graph);
  OK(hipGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, code.factors, values, 16, 0, hipMemcpyHostToDevice));
  OK(hipGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back, code.factors, 16, 0, hipMemcpyDeviceToHost));
  Exec exec(graph);
  exec.run();
  CHECK(std::memcmp(back, values, sizeof back) == 0);
  OK(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, to, code.factors, values + 2, 8, 0, hipMemcpyHostToDevice));
  OK(hipGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, other, code.factors, 8, 4, hipMemcpyDeviceToHost));
  exec.run();
  CHECK((other[0] == 40 && other[1] == 30 && other[2] == 0));
  OK(hipGraphMemcpyNodeSetParamsToSymbol(to, code.factors, values, 4, 12, hipMemcpyHostToDevice));
  OK(hipGraphMemcpyNodeSetParamsFromSymbol(from, back, code.factors, 4, 12, hipMemcpyDeviceToHost));
  Exec(graph).run();
  CHECK((back[0] == 10 && back[1] == 20));

  FAILS(hipGraphMemcpyNodeSetParamsToSymbol(to, code.factors, values, 16, 4, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  FAILS(hipGraphMemcpyNodeSetParamsFromSymbol(from, back, code.factors, 16, 4, hipMemcpyDeviceToHost),
        hipErrorInvalidValue);
  FAILS(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, empty, code.factors, values, 4, 0, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  FAILS(hipGraphExecMemcpyNodeSetParamsFromSymbol(exec, empty, back, code.factors, 4, 0, hipMemcpyDeviceToHost),
        hipErrorInvalidValue);
  hipGraphNode_t node;
  FAILS(hipGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, code.factors, values, 17, 0, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  FAILS(hipGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, back, code.factors, 17, 0, hipMemcpyDeviceToHost),
        hipErrorInvalidValue);
}

TEST_CASE("Nodes of kernels") {
  Registered code("kernels.hipfb");
  Memory memory;
  Graph graph;
  int by = 1;
  void* arguments[] = {&by};
  hipKernelNodeParams params{}, found{};
  params.func = &code.count_up;
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  hipGraphNode_t node, other, empty = empty_node(graph);
  OK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  OK(hipGraphAddKernelNode(&other, graph, &node, 1, &params));
  params.blockDim = dim3(32);
  OK(hipGraphKernelNodeSetParams(node, &params));
  OK(hipGraphKernelNodeGetParams(node, &found));
  CHECK((found.func == &code.count_up && found.blockDim.x == 32));
  hipLaunchAttributeValue value{}, read{};
  value.priority = -1;
  OK(hipGraphKernelNodeSetAttribute(node, hipLaunchAttributePriority, &value));
  OK(hipGraphKernelNodeCopyAttributes(node, other));
  OK(hipGraphKernelNodeGetAttribute(other, hipLaunchAttributePriority, &read));
  CHECK(read.priority == -1);

  FAILS(hipGraphKernelNodeCopyAttributes(node, empty), hipErrorInvalidValue);
  FAILS(hipGraphKernelNodeGetAttribute(empty, hipLaunchAttributePriority, &read), hipErrorInvalidValue);
  FAILS(hipGraphKernelNodeSetAttribute(empty, hipLaunchAttributePriority, &value), hipErrorInvalidValue);
  FAILS(hipGraphKernelNodeGetParams(empty, &found), hipErrorInvalidValue);
  params.func = memory.a;
  hipGraphNode_t none;
  FAILS(hipGraphAddKernelNode(&none, graph, nullptr, 0, &params), hipErrorInvalidDeviceFunction);
  hipGraphNodeParams general{};
  general.type = hipGraphNodeTypeKernel;
  general.kernel.func = memory.a;
  general.kernel.gridDim = general.kernel.blockDim = dim3(1);
  general.kernel.kernelParams = arguments;
  Exec exec(graph);
  FAILS(hipGraphNodeSetParams(node, &general), hipErrorInvalidDeviceFunction);
  FAILS(hipGraphExecNodeSetParams(exec, node, &general), hipErrorInvalidDeviceFunction);
  for (const hipGraphNodeType type : {hipGraphNodeTypeMemAlloc, hipGraphNodeTypeMemFree, hipGraphNodeTypeEmpty}) {
    CAPTURE(type);
    const hipError_t refused = type == hipGraphNodeTypeEmpty ? hipErrorInvalidValue : hipErrorNotSupported;
    general.type = type;
    FAILS(hipGraphNodeSetParams(node, &general), refused);
    FAILS(hipGraphExecNodeSetParams(exec, node, &general), refused);
  }
}

TEST_CASE("Nodes of memory, and what graphs keep of it") {
  Graph graph;
  hipMemAllocNodeParams params{}, found{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  params.bytesize = kBytes;
  hipGraphNode_t allocation, fill, free, empty = empty_node(graph);
  OK(hipGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params));
  REQUIRE(params.dptr != nullptr);
  const hipMemsetParams set = fill_of(params.dptr, 9);
  OK(hipGraphAddMemsetNode(&fill, graph, &allocation, 1, &set));
  OK(hipGraphAddMemFreeNode(&free, graph, &fill, 1, params.dptr));
  OK(hipGraphMemAllocNodeGetParams(allocation, &found));
  CHECK((found.dptr == params.dptr && found.bytesize == kBytes));
  void* freed = nullptr;
  OK(hipGraphMemFreeNodeGetParams(free, &freed));
  CHECK(freed == params.dptr);
  Exec(graph).run();
  FAILS(hipGraphMemAllocNodeGetParams(empty, &found), hipErrorInvalidValue);
  FAILS(hipGraphMemFreeNodeGetParams(empty, &freed), hipErrorInvalidValue);
  FAILS(hipGraphAddMemFreeNode(&free, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  hipGraphNode_t none;
  FAILS(hipDrvGraphAddMemFreeNode(&none, graph, nullptr, 0, nullptr), hipErrorInvalidValue);

  uint64_t high = 77, zero = 0, one = 1;
  OK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &high));
  OK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
  FAILS(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &one), hipErrorInvalidValue);
  FAILS(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &zero), hipErrorInvalidValue);
  OK(hipDeviceGraphMemTrim(0));
}

TEST_CASE("Nodes by the driver's functions") {
  Memory memory;
  hipCtx_t context;
  OK(hipCtxGetCurrent(&context));
  Graph graph;
  hipGraphNode_t copy, fill, allocation, free, empty = empty_node(graph);
  HIP_MEMCPY3D box = driver_copy_of(memory.a, memory.b), found{};
  hipMemsetParams set = fill_of(memory.b, 3);
  OK(hipDrvGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, context));
  OK(hipDrvGraphAddMemcpyNode(&copy, graph, &fill, 1, &box, context));
  OK(hipDrvGraphMemcpyNodeGetParams(copy, &found));
  CHECK((found.dstDevice == memory.a && found.srcDevice == memory.b && found.WidthInBytes == kBytes));
  Exec exec(graph);
  exec.run();
  CHECK(is_all(memory.a, 3));
  set.value = 4;
  box = driver_copy_of(memory.a, memory.b, 16);
  OK(hipDrvGraphExecMemsetNodeSetParams(exec, fill, &set, context));
  OK(hipDrvGraphExecMemcpyNodeSetParams(exec, copy, &box, context));
  exec.run();
  CHECK(is_all(memory.a, 4, 16));
  CHECK(is_all(memory.a + 16, 3, kBytes - 16));
  OK(hipDrvGraphMemcpyNodeSetParams(copy, &box));
  OK(hipDrvGraphMemcpyNodeGetParams(copy, &found));
  CHECK(found.WidthInBytes == 16);

  hipMemAllocNodeParams params{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  params.bytesize = kBytes;
  OK(hipGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params));
  OK(hipDrvGraphAddMemFreeNode(&free, graph, &allocation, 1, params.dptr));
  Exec(graph).run();

  FAILS(hipDrvGraphMemcpyNodeGetParams(empty, &found), hipErrorInvalidValue);
  FAILS(hipDrvGraphMemcpyNodeSetParams(empty, &box), hipErrorInvalidValue);
  FAILS(hipDrvGraphExecMemcpyNodeSetParams(exec, empty, &box, context), hipErrorInvalidValue);
  FAILS(hipDrvGraphExecMemsetNodeSetParams(exec, empty, &set, context), hipErrorInvalidValue);
  set.elementSize = 3;
  FAILS(hipDrvGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, context), hipErrorInvalidValue);
  box.srcDevice = nullptr;
  FAILS(hipDrvGraphAddMemcpyNode(&copy, graph, nullptr, 0, &box, context), hipErrorInvalidValue);
}
