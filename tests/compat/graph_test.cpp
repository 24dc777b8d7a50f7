// Nodes of graphs whose parameters had another layout.
#include "older.h"

#include <cstring>

namespace {

// HIP_MEMSET_NODE_PARAMS of HIP 6.4.
struct MemsetNodeParams6 {
  void* dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
static_assert(sizeof(MemsetNodeParams6) == 40);

} // namespace

TEST_CASE("Memset nodes of the driver's interface in HIP 6") {
  unsigned* memory = nullptr;
  OK(IN(6, hipMalloc)(reinterpret_cast<void**>(&memory), 1024));
  OK(IN(6, hipMemset)(memory, 0, 1024));
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  hipGraphExec_t exec = nullptr;
  hipCtx_t context = nullptr;
  OK(IN(6, hipCtxGetCurrent)(&context));
  OK(IN(6, hipGraphCreate)(&graph, 0));
  const auto as7 = [](const MemsetNodeParams6* params) { return reinterpret_cast<const hipMemsetParams*>(params); };
  const MemsetNodeParams6 params{memory, 128, 0x01020304, 4, 3, 2};
  OK(IN(6, hipDrvGraphAddMemsetNode)(&node, graph, nullptr, 0, as7(&params), context));
  OK(IN(6, hipGraphInstantiate)(&exec, graph, nullptr, nullptr, 0));
  OK(IN(6, hipGraphLaunch)(exec, nullptr));
  unsigned got[256];
  const auto expect = [&](unsigned value, size_t columns, size_t rows) {
    OK(IN(6, hipMemcpy)(got, memory, sizeof got, hipMemcpyDeviceToHost));
    for (size_t i = 0; i < 256; ++i) CHECK(got[i] == (i % 32 < columns && i / 32 < rows ? value : 0));
  };
  expect(0x01020304, 3, 2);
  const MemsetNodeParams6 wider{memory, 128, 7, 4, 5, 4};
  OK(IN(6, hipDrvGraphExecMemsetNodeSetParams)(exec, node, as7(&wider), context));
  OK(IN(6, hipGraphLaunch)(exec, nullptr));
  expect(7, 5, 4);
  FAILS_IN(6, IN(6, hipDrvGraphAddMemsetNode)(&node, graph, nullptr, 0, nullptr, context), hipErrorInvalidValue);
  FAILS_IN(6, IN(6, hipDrvGraphExecMemsetNodeSetParams)(exec, node, nullptr, context), hipErrorInvalidValue);
  OK(IN(6, hipGraphExecDestroy)(exec));
  OK(IN(6, hipGraphDestroy)(graph));
  OK(IN(6, hipFree)(memory));
}

TEST_CASE("Values of attributes of nodes have 32 bytes before HIP 7") {
  const TestModule code(7);
  for (const int number : {5, 6}) {
    INFO(number);
    hipGraph_t graph = nullptr;
    hipGraphNode_t node = nullptr;
    OK(IN(number, hipGraphCreate)(&graph, 0));
    hipKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(code.function("nothing"));
    params.gridDim = params.blockDim = {1, 1, 1};
    OK(IN(number, hipGraphAddKernelNode)(&node, graph, nullptr, 0, &params));
    struct {
      int value[8];
      int behind;
    } attribute;
    std::memset(&attribute, 0, sizeof attribute);
    attribute.value[0] = -1; // a priority
    attribute.behind = 0x55555555;
    auto* const value = reinterpret_cast<hipLaunchAttributeValue*>(attribute.value);
    OK(IN(number, hipGraphKernelNodeSetAttribute)(node, hipLaunchAttributePriority, value));
    std::memset(attribute.value, 0x77, sizeof attribute.value);
    OK(IN(number, hipGraphKernelNodeGetAttribute)(node, hipLaunchAttributePriority, value));
    CHECK(attribute.value[0] == -1);
    CHECK(attribute.value[7] == 0);
    CHECK(attribute.behind == 0x55555555);
    FAILS_IN(number, IN(number, hipGraphKernelNodeGetAttribute)(node, hipLaunchAttributePriority, nullptr),
             hipErrorInvalidValue);
    FAILS_IN(number, IN(number, hipGraphKernelNodeSetAttribute)(node, hipLaunchAttributePriority, nullptr),
             hipErrorInvalidValue);
    std::memset(attribute.value, 0x77, sizeof attribute.value);
    FAILS_IN(number, IN(number, hipGraphKernelNodeGetAttribute)(node, static_cast<hipLaunchAttributeID>(1000), value),
             hipErrorInvalidValue);
    CHECK(attribute.value[0] == 0x77777777); // nothing is written
    OK(IN(number, hipGraphDestroy)(graph));
  }
}

TEST_CASE("Allocation nodes of HIP 5") {
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  OK(IN(5, hipGraphCreate)(&graph, 0));
  hipMemAllocNodeParams params{};
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  params.poolProps.maxSize = 16; // reserved in HIP 5
  params.bytesize = 4096;
  OK(IN(5, hipGraphAddMemAllocNode)(&node, graph, nullptr, 0, &params));
  CHECK(params.dptr != nullptr);
  CHECK(params.poolProps.maxSize == 16); // the program's own bytes
  FAILS_IN(5, IN(5, hipGraphAddMemAllocNode)(&node, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  OK(IN(5, hipGraphDestroy)(graph));
}
