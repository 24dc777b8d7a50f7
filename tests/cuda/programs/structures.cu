// Structures that CUDA lays out otherwise than HIP: their members lie where CUDA's documentation has them, so that
// programs may initialise them by position, and every function that takes or gives one reads and writes the members by
// name.
#include "check.h"

#include <cstddef>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

#define AT(structure, member, offset) static_assert(offsetof(structure, member) == offset, #structure "::" #member)
AT(cudaAccessPolicyWindow, base_ptr, 0);
AT(cudaAccessPolicyWindow, num_bytes, 8);
AT(cudaAccessPolicyWindow, hitRatio, 16);
AT(cudaAccessPolicyWindow, hitProp, 20);
AT(cudaAccessPolicyWindow, missProp, 24);
AT(CUaccessPolicyWindow, num_bytes, 8);
AT(CUaccessPolicyWindow, hitRatio, 16);
AT(CUaccessPolicyWindow, hitProp, 20);
AT(CUaccessPolicyWindow, missProp, 24);
AT(cudaFuncAttributes, sharedSizeBytes, 0);
AT(cudaFuncAttributes, constSizeBytes, 8);
AT(cudaFuncAttributes, localSizeBytes, 16);
AT(cudaFuncAttributes, maxThreadsPerBlock, 24);
AT(cudaFuncAttributes, numRegs, 28);
AT(cudaFuncAttributes, ptxVersion, 32);
AT(cudaFuncAttributes, binaryVersion, 36);
AT(cudaFuncAttributes, cacheModeCA, 40);
AT(cudaFuncAttributes, maxDynamicSharedSizeBytes, 44);
AT(cudaFuncAttributes, preferredShmemCarveout, 48);
AT(cudaFuncAttributes, clusterDimMustBeSet, 52);
AT(cudaFuncAttributes, nonPortableClusterSizeAllowed, 72);
AT(cudaKernelNodeParams, func, 0);
AT(cudaKernelNodeParams, gridDim, 8);
AT(cudaKernelNodeParams, blockDim, 20);
AT(cudaKernelNodeParams, sharedMemBytes, 32);
AT(cudaKernelNodeParams, kernelParams, 40);
AT(cudaKernelNodeParams, extra, 48);
AT(CUDA_KERNEL_NODE_PARAMS, gridDimX, 8);
AT(CUDA_KERNEL_NODE_PARAMS, blockDimX, 20);
AT(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes, 32);
AT(CUDA_KERNEL_NODE_PARAMS, kernelParams, 40);
AT(CUDA_KERNEL_NODE_PARAMS, extra, 48);
AT(CUDA_KERNEL_NODE_PARAMS, kern, 56);
AT(CUDA_KERNEL_NODE_PARAMS, ctx, 64);
AT(cudaMemsetParams, pitch, 8);
AT(cudaMemsetParams, value, 16);
AT(cudaMemsetParams, elementSize, 20);
AT(cudaMemsetParams, width, 24);
AT(cudaMemsetParams, height, 32);
AT(CUDA_MEMSET_NODE_PARAMS, pitch, 8);
AT(CUDA_MEMSET_NODE_PARAMS, value, 16);
AT(CUDA_MEMSET_NODE_PARAMS, elementSize, 20);
AT(CUDA_MEMSET_NODE_PARAMS, width, 24);
AT(CUDA_MEMSET_NODE_PARAMS, height, 32);
AT(CUDA_MEMSET_NODE_PARAMS_v2, ctx, 40);
AT(cudaGraphEdgeData, from_port, 0);
AT(cudaGraphEdgeData, to_port, 1);
AT(cudaGraphEdgeData, type, 2);
AT(cudaGraphEdgeData, reserved, 3);
AT(CUgraphEdgeData, to_port, 1);
AT(cudaGraphInstantiateParams, flags, 0);
AT(cudaGraphInstantiateParams, uploadStream, 8);
AT(cudaGraphInstantiateParams, errNode_out, 16);
AT(cudaGraphInstantiateParams, result_out, 24);
AT(CUDA_GRAPH_INSTANTIATE_PARAMS, hUploadStream, 8);
AT(CUDA_GRAPH_INSTANTIATE_PARAMS, hErrNode_out, 16);
AT(CUDA_MEMCPY3D, srcArray, 56);
AT(CUDA_MEMCPY3D, reserved0, 64);
AT(CUDA_MEMCPY3D, srcPitch, 72);
AT(CUDA_MEMCPY3D, dstArray, 144);
AT(CUDA_MEMCPY3D, reserved1, 152);
AT(CUDA_MEMCPY3D, WidthInBytes, 176);
AT(CUDA_MEMCPY_NODE_PARAMS, copyCtx, 8);
AT(CUDA_MEMCPY_NODE_PARAMS, copyParams, 16);
AT(cudaMemPoolProps, location, 8);
AT(cudaMemPoolProps, win32SecurityAttributes, 16);
AT(cudaMemPoolProps, maxSize, 24);
AT(cudaMemPoolProps, usage, 32);
AT(cudaMemPoolProps, reserved, 34);
AT(CUmemPoolProps, maxSize, 24);
AT(CUmemPoolProps, usage, 32);
AT(cudaTextureDesc, readMode, 16);
AT(cudaTextureDesc, borderColor, 24);
AT(cudaTextureDesc, mipmapFilterMode, 48);
AT(cudaTextureDesc, maxMipmapLevelClamp, 60);
AT(cudaTextureDesc, disableTrilinearOptimization, 64);
AT(cudaTextureDesc, seamlessCubemap, 68);
AT(cudaLaunchAttribute, val, 8);
AT(cudaLaunchAttributeValue, programmaticEvent.flags, 8);
AT(cudaLaunchAttributeValue, programmaticEvent.triggerAtBlockStart, 12);
AT(cudaLaunchAttributeValue, preferredClusterDim.z, 8);
AT(cudaLaunchAttributeValue, launchCompletionEvent.flags, 8);
AT(cudaLaunchAttributeValue, deviceUpdatableKernelNode.devNode, 8);
AT(CUlaunchAttributeValue, programmaticEvent.triggerAtBlockStart, 12);
AT(CUlaunchAttributeValue, preferredClusterDim.z, 8);
static_assert(sizeof(cudaMemPoolProps) == 88 && sizeof(CUmemPoolProps) == 88 && sizeof(cudaTextureDesc) == 72 &&
              sizeof(cudaLaunchAttributeValue) == 64 && sizeof(CUlaunchAttributeValue) == 64);
// Numbers of launch attributes, of which HIP has none of 6, 7 and 11 on.
static_assert(cudaLaunchAttributeIgnore == 0 && cudaLaunchAttributeAccessPolicyWindow == 1 &&
              cudaLaunchAttributeCooperative == 2 && cudaLaunchAttributeSynchronizationPolicy == 3 &&
              cudaLaunchAttributeClusterDimension == 4 && cudaLaunchAttributeClusterSchedulingPolicyPreference == 5 &&
              cudaLaunchAttributeProgrammaticStreamSerialization == 6 && cudaLaunchAttributeProgrammaticEvent == 7 &&
              cudaLaunchAttributePriority == 8 && cudaLaunchAttributeMemSyncDomainMap == 9 &&
              cudaLaunchAttributeMemSyncDomain == 10 && cudaLaunchAttributePreferredClusterDimension == 11 &&
              cudaLaunchAttributeLaunchCompletionEvent == 12 &&
              cudaLaunchAttributeDeviceUpdatableKernelNode == 13 &&
              cudaLaunchAttributePreferredSharedMemoryCarveout == 14);
static_assert(CU_LAUNCH_ATTRIBUTE_IGNORE == 0 && CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION == 6 &&
              CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT == 7 && CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION == 11 &&
              CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT == 12 &&
              CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE == 13 &&
              CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT == 14);
static_assert(sizeof(cudaFuncAttributes) == 144 && sizeof(cudaKernelNodeParams) == 56 &&
              sizeof(CUDA_KERNEL_NODE_PARAMS) == 72 && sizeof(cudaMemsetParams) == 40 &&
              sizeof(CUDA_MEMSET_NODE_PARAMS) == 40 && sizeof(cudaGraphEdgeData) == 8 && sizeof(CUDA_MEMCPY3D) == 200 &&
              sizeof(CUgraphNodeParams) == 256 && sizeof(cudaGraphNodeParams) == 256);

#define CHECK_CU(call) CHECK((call) == CUDA_SUCCESS)

constexpr size_t kPitch = 64, kRows = 5; // the memory that graphs write
constexpr int kSum = 100;

__global__ void add(int* data, int by) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = by;
  data[blockIdx.x * blockDim.x + threadIdx.x] += dynamic[threadIdx.x];
}

static unsigned char* memory = nullptr;

// What the memory holds once the graph has run over zeros.
static std::vector<unsigned char> after(cudaGraphExec_t exec) {
  std::vector<unsigned char> bytes(kPitch * kRows);
  CHECK_CUDA(cudaMemset(memory, 0, bytes.size()));
  CHECK_CUDA(cudaGraphLaunch(exec, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpy(bytes.data(), memory, bytes.size(), cudaMemcpyDeviceToHost));
  return bytes;
}
static std::vector<unsigned char> filled(unsigned value, unsigned element, size_t width, size_t height) {
  std::vector<unsigned char> bytes(kPitch * kRows);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width * element; ++x)
      bytes[y * kPitch + x] = static_cast<unsigned char>(value >> x % element * 8);
  return bytes;
}
static std::vector<unsigned char> added(int by, size_t count) {
  std::vector<int> numbers(kPitch * kRows / sizeof(int));
  for (size_t i = 0; i < count; ++i) numbers[i] = by;
  std::vector<unsigned char> bytes(kPitch * kRows);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

static bool same(const cudaMemsetParams& a, const cudaMemsetParams& b) {
  return a.dst == b.dst && a.pitch == b.pitch && a.value == b.value && a.elementSize == b.elementSize &&
         a.width == b.width && a.height == b.height;
}

static void test_fills() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  const cudaMemsetParams first = {memory, kPitch, 0xa1b2, 2, 7, 3}, second = {memory, kPitch, 0x51, 1, 9, 4};
  cudaMemsetParams got = {};
  CHECK_CUDA(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &first));
  CHECK_CUDA(cudaGraphMemsetNodeGetParams(node, &got));
  CHECK(same(got, first));
  cudaGraphInstantiateParams how = {cudaGraphInstantiateFlagUpload, nullptr, nullptr, cudaGraphInstantiateError};
  CHECK_CUDA(cudaGraphInstantiateWithParams(&exec, graph, &how));
  CHECK(how.flags == cudaGraphInstantiateFlagUpload && how.uploadStream == nullptr && how.errNode_out == nullptr &&
        how.result_out == cudaGraphInstantiateSuccess);
  CHECK(after(exec) == filled(0xa1b2, 2, 7, 3));
  CHECK_CUDA(cudaGraphExecMemsetNodeSetParams(exec, node, &second));
  CHECK(after(exec) == filled(0x51, 1, 9, 4));
  CHECK_CUDA(cudaGraphMemsetNodeSetParams(node, &second));
  CHECK_CUDA(cudaGraphMemsetNodeGetParams(node, &got));
  CHECK(same(got, second));
  CHECK(cudaGraphMemsetNodeSetParams(node, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemsetNodeGetParams(node, nullptr) == cudaErrorInvalidValue);
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeMemset;
  any.memset = first;
  CHECK_CUDA(cudaGraphExecNodeSetParams(exec, node, &any));
  CHECK(after(exec) == filled(0xa1b2, 2, 7, 3));
  CHECK_CUDA(cudaGraphNodeSetParams(node, &any));
  CHECK_CUDA(cudaGraphMemsetNodeGetParams(node, &got));
  CHECK(same(got, first));
  CHECK_CUDA(cudaGraphExecDestroy(exec));

  // The same node through the driver's interface.
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(memory);
  const CUDA_MEMSET_NODE_PARAMS third = {address, kPitch, 0x01020304, 4, 5, 2};
  CUDA_MEMSET_NODE_PARAMS driver = {};
  CHECK_CU(cuGraphMemsetNodeGetParams(node, &driver));
  CHECK(driver.dst == address && driver.pitch == kPitch && driver.value == 0xa1b2 && driver.elementSize == 2 &&
        driver.width == 7 && driver.height == 3);
  CHECK_CU(cuGraphMemsetNodeSetParams(node, &third));
  CUDA_GRAPH_INSTANTIATE_PARAMS driver_how = {CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, nullptr, nullptr,
                                              CUDA_GRAPH_INSTANTIATE_ERROR};
  CHECK_CU(cuGraphInstantiateWithParams(&exec, graph, &driver_how));
  CHECK(driver_how.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS && driver_how.hErrNode_out == nullptr &&
        driver_how.flags == CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD);
  CHECK(after(exec) == filled(0x01020304, 4, 5, 2));
  const CUDA_MEMSET_NODE_PARAMS fourth = {address, kPitch, 0x33, 1, 3, 5};
  CHECK_CU(cuGraphExecMemsetNodeSetParams(exec, node, &fourth, nullptr));
  CHECK(after(exec) == filled(0x33, 1, 3, 5));
  CUgraphNodeParams driver_any = {};
  driver_any.type = CU_GRAPH_NODE_TYPE_MEMSET;
  driver_any.memset = {address, kPitch, 0x44, 1, 6, 1, nullptr};
  CHECK_CU(cuGraphExecNodeSetParams(exec, node, &driver_any));
  CHECK(after(exec) == filled(0x44, 1, 6, 1));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));

  // What cannot be instantiated says so in the result.
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  how = {1ull << 40, nullptr, nullptr, cudaGraphInstantiateSuccess};
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &how) != cudaSuccess);
  CHECK(how.flags == 1ull << 40 && how.result_out != cudaGraphInstantiateSuccess);
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, nullptr) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroy(graph));
}

static void test_kernels() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  int by = kSum;
  void* arguments[] = {&memory, &by};
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  const cudaKernelNodeParams first = {reinterpret_cast<void*>(add), dim3(3), dim3(8), 256, arguments, nullptr};
  cudaKernelNodeParams got = {};
  CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &first));
  CHECK_CUDA(cudaGraphKernelNodeGetParams(node, &got));
  CHECK(got.func == first.func && got.gridDim.x == 3 && got.gridDim.y == 1 && got.blockDim.x == 8 &&
        got.blockDim.z == 1 && got.sharedMemBytes == 256 && got.extra == nullptr &&
        *static_cast<int*>(got.kernelParams[1]) == kSum);
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(after(exec) == added(kSum, 24));
  by = -7;
  const cudaKernelNodeParams second = {reinterpret_cast<void*>(add), dim3(1), dim3(16), 64, arguments, nullptr};
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &second));
  CHECK(after(exec) == added(-7, 16));
  CHECK_CUDA(cudaGraphKernelNodeSetParams(node, &second));
  CHECK_CUDA(cudaGraphKernelNodeGetParams(node, &got));
  CHECK(got.gridDim.x == 1 && got.blockDim.x == 16 && got.sharedMemBytes == 64);
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = first.func;
  any.kernel.gridDim = dim3(2);
  any.kernel.blockDim = dim3(4);
  any.kernel.sharedMemBytes = 16;
  any.kernel.kernelParams = arguments;
  by = 11;
  CHECK_CUDA(cudaGraphExecNodeSetParams(exec, node, &any));
  CHECK(after(exec) == added(11, 8));

  // By the driver's interface, with a function and with a kernel.
  CUfunction function = nullptr;
  CHECK_CUDA(cudaGetFuncBySymbol(&function, first.func));
  const CUDA_KERNEL_NODE_PARAMS third = {function, 2, 1, 1, 5, 1, 1, 20, arguments, nullptr, nullptr, nullptr};
  CUDA_KERNEL_NODE_PARAMS driver = {};
  by = 12;
  CHECK_CU(cuGraphKernelNodeSetParams(node, &third));
  CHECK_CU(cuGraphKernelNodeGetParams(node, &driver));
  CHECK(driver.func == function && driver.gridDimX == 2 && driver.gridDimY == 1 && driver.gridDimZ == 1 &&
        driver.blockDimX == 5 && driver.blockDimY == 1 && driver.blockDimZ == 1 && driver.sharedMemBytes == 20 &&
        *static_cast<int*>(driver.kernelParams[1]) == 12 && driver.extra == nullptr && driver.kern == nullptr);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(after(exec) == added(12, 10));
  by = 13;
  CHECK_CU(cuGraphExecKernelNodeSetParams(exec, node, &third));
  CHECK(after(exec) == added(13, 10));
  CUgraphNodeParams driver_any = {};
  driver_any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  by = 14;
  driver_any.kernel = {nullptr, 4, 1, 1, 2, 1, 1, 8, arguments, nullptr, reinterpret_cast<CUkernel>(first.func),
                       nullptr};
  CHECK_CU(cuGraphExecNodeSetParams(exec, node, &driver_any));
  CHECK(after(exec) == added(14, 8));

  cudaFuncAttributes attributes;
  std::memset(&attributes, 0x5a, sizeof attributes);
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, add));
  int most = 0, registers = 0;
  CHECK_CU(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  CHECK_CU(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  CHECK(attributes.maxThreadsPerBlock == most && attributes.numRegs == registers && attributes.sharedSizeBytes == 0 &&
        attributes.clusterDimMustBeSet == 0 && attributes.reserved[15] == 0);
  CHECK(cudaFuncGetAttributes(nullptr, add) == cudaErrorInvalidValue);

  // A node's window and a stream's.
  cudaLaunchAttributeValue value = {}, returned = {};
  value.accessPolicyWindow = {nullptr, 0, 0.25f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  const auto is_the_window = [](const auto& window) {
    return window.base_ptr == nullptr && window.num_bytes == 0 && window.hitRatio == 0.25f && window.hitProp == 2 &&
           window.missProp == 1;
  };
  CHECK_CUDA(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &value));
  CHECK_CUDA(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &returned));
  CHECK(is_the_window(returned.accessPolicyWindow));
  CUlaunchAttributeValue driver_value = {}, driver_returned = {};
  CHECK_CU(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &driver_returned));
  CHECK(is_the_window(driver_returned.accessPolicyWindow));
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  driver_value.accessPolicyWindow = {nullptr, 0, 0.25f, CU_ACCESS_PROPERTY_PERSISTING, CU_ACCESS_PROPERTY_STREAMING};
  CHECK_CU(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &driver_value));
  returned = {};
  CHECK_CUDA(cudaStreamGetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &returned));
  CHECK(is_the_window(returned.accessPolicyWindow));
  value.accessPolicyWindow.hitRatio = 2; // no share
  CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value) == cudaErrorInvalidValue);
  value = {};
  value.syncPolicy = cudaSyncPolicySpin;
  CHECK_CUDA(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  driver_returned = {};
  CHECK_CU(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &driver_returned));
  CHECK(driver_returned.syncPolicy == CU_SYNC_POLICY_SPIN);

  // A capture into the graph, behind the node: edges are given with their data.
  const cudaGraphEdgeData edge = {0, 0, cudaGraphDependencyTypeDefault, {}};
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaStreamBeginCaptureToGraph(stream, graph, &node, &edge, 1, cudaStreamCaptureModeGlobal));
  add<<<1, 1, sizeof(int), stream>>>(reinterpret_cast<int*>(memory), kSum);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<unsigned char> expected = added(12, 10);
  const int sum = 12 + kSum;
  std::memcpy(expected.data(), &sum, sizeof sum);
  CHECK(after(exec) == expected);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));
}

// A copy by position, and as a node that the driver's parameters for any type describe.
static void test_copies() {
  std::vector<unsigned char> from(kPitch * kRows), expected(from.size());
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + 1);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(memory);
  const CUDA_MEMCPY3D copy = {
      2, 1, 0, 0, CU_MEMORYTYPE_HOST,   from.data(), 0,       nullptr, nullptr, kPitch, kRows, // from
      4, 0, 0, 0, CU_MEMORYTYPE_DEVICE, nullptr,     address, nullptr, nullptr, kPitch, kRows, // to
      9, 3, 1};
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 9; ++x) expected[y * kPitch + x + 4] = from[(y + 1) * kPitch + x + 2];
  std::vector<unsigned char> bytes(from.size());
  CHECK_CUDA(cudaMemset(memory, 0, bytes.size()));
  CHECK_CU(cuMemcpy3D(&copy));
  CHECK_CUDA(cudaMemcpy(bytes.data(), memory, bytes.size(), cudaMemcpyDeviceToHost));
  CHECK(bytes == expected);

  CUgraph graph;
  CUgraphNode node, allocation, release;
  CUgraphExec exec;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  any.memcpy.copyParams = copy;
  CHECK_CU(cuGraphAddNode(&node, graph, nullptr, 0, &any));
  CUDA_MEMCPY3D got = {};
  CHECK_CU(cuGraphMemcpyNodeGetParams(node, &got));
  CHECK(got.WidthInBytes == 9 && got.Height == 3 && got.Depth == 1 && got.srcPitch == kPitch && got.dstPitch == kPitch);
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(after(exec) == expected);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  any = {};
  any.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  any.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  any.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  any.alloc.bytesize = 4096;
  CHECK_CU(cuGraphAddNode(&allocation, graph, nullptr, 0, &any));
  const CUdeviceptr allocated = any.alloc.dptr;
  CHECK(allocated != 0);
  any = {};
  any.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  any.free.dptr = allocated;
  CHECK_CU(cuGraphAddNode(&release, graph, &allocation, 1, &any));
  CUdeviceptr freed = 0;
  CHECK_CU(cuGraphMemFreeNodeGetParams(release, &freed));
  CHECK(freed == allocated);
  CHECK(cuGraphAddNode(&node, graph, nullptr, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(graph));
}

// A launch with one attribute, which adds kSum to the first of the numbers in the memory.
static cudaError_t launch_with(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  cudaLaunchAttribute attribute = {};
  attribute.id = id;
  attribute.val = value;
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  config.dynamicSmemBytes = sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, add, reinterpret_cast<int*>(memory), kSum);
}

// What allows something or asks for nothing changes no launch; what asks for something that is not done is an error.
static void test_launch_attributes() {
  struct Case {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue value;
    cudaError_t expected;
  };
  std::vector<Case> cases;
  const auto add_case = [&](cudaLaunchAttributeID id, cudaError_t expected, auto set) {
    cudaLaunchAttributeValue value = {};
    set(value);
    cases.push_back({id, value, expected});
  };
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreate(&event));
  add_case(cudaLaunchAttributeIgnore, cudaSuccess, [](auto&) {});
  add_case(cudaLaunchAttributeCooperative, cudaSuccess, [](auto& v) { v.cooperative = 1; });
  add_case(cudaLaunchAttributePriority, cudaSuccess, [](auto& v) { v.priority = 0; });
  add_case(cudaLaunchAttributeMemSyncDomain, cudaSuccess,
           [](auto& v) { v.memSyncDomain = cudaLaunchMemSyncDomainRemote; });
  add_case(cudaLaunchAttributeClusterDimension, cudaSuccess, [](auto& v) { v.clusterDim = {1, 1, 1}; });
  add_case(cudaLaunchAttributeProgrammaticStreamSerialization, cudaSuccess,
           [](auto& v) { v.programmaticStreamSerializationAllowed = 1; });
  add_case(cudaLaunchAttributePreferredClusterDimension, cudaSuccess,
           [](auto& v) { v.preferredClusterDim = {2, 1, 1}; });
  add_case(cudaLaunchAttributePreferredSharedMemoryCarveout, cudaSuccess, [](auto& v) { v.sharedMemCarveout = 50; });
  add_case(cudaLaunchAttributeDeviceUpdatableKernelNode, cudaSuccess,
           [](auto& v) { v.deviceUpdatableKernelNode.deviceUpdatable = 0; });
  add_case(cudaLaunchAttributeDeviceUpdatableKernelNode, cudaErrorNotSupported,
           [](auto& v) { v.deviceUpdatableKernelNode.deviceUpdatable = 1; });
  add_case(cudaLaunchAttributeProgrammaticEvent, cudaErrorNotSupported, [&](auto& v) {
    v.programmaticEvent = {event, 0, 1};
  });
  add_case(cudaLaunchAttributeLaunchCompletionEvent, cudaErrorNotSupported, [&](auto& v) {
    v.launchCompletionEvent = {event, 0};
  });
  CHECK_CUDA(cudaMemset(memory, 0, sizeof(int)));
  int expected_sum = 0;
  (void)cudaGetLastError(); // of what failed before
  for (const Case& each : cases) {
    CHECK(launch_with(each.id, each.value) == each.expected);
    CHECK(cudaGetLastError() == each.expected);
    if (each.expected == cudaSuccess) expected_sum += kSum;
    int sum = -1;
    CHECK_CUDA(cudaMemcpy(&sum, memory, sizeof(sum), cudaMemcpyDeviceToHost));
    CHECK(sum == expected_sum);
  }
  CHECK_CUDA(cudaEventDestroy(event));

  // By the driver's interface.
  CUfunction function;
  CHECK_CUDA(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)));
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int by = kSum, sum = -1;
  void* arguments[] = {&memory, &by};
  CHECK_CU(cuLaunchKernelEx(&config, function, arguments, nullptr));
  attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  CHECK(cuLaunchKernelEx(&config, function, arguments, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK_CUDA(cudaMemcpy(&sum, memory, sizeof(sum), cudaMemcpyDeviceToHost));
  CHECK(sum == expected_sum + kSum);
}

// A pool's largest size is HIP's; it has no uses that it is meant for.
static void test_pools() {
  int supported = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  if (!supported) return;
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.maxSize = size_t{64} << 20;
  cudaMemPool_t pool;
  CHECK_CUDA(cudaMemPoolCreate(&pool, &props));
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  props.usage = 2; // for the hardware's decompression
  CHECK(cudaMemPoolCreate(&pool, &props) == cudaErrorNotSupported);
  CHECK(cudaMemPoolCreate(&pool, nullptr) == cudaErrorInvalidValue);
  CUmemPoolProps driver = {};
  driver.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  driver.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool driver_pool;
  CHECK_CU(cuMemPoolCreate(&driver_pool, &driver));
  CHECK_CU(cuMemPoolDestroy(driver_pool));
  driver.usage = 2;
  CHECK(cuMemPoolCreate(&driver_pool, &driver) == CUDA_ERROR_NOT_SUPPORTED);
}

int main() {
  CHECK_CUDA(cudaMalloc(&memory, kPitch * kRows));
  test_fills();
  test_kernels();
  test_copies();
  test_launch_attributes();
  test_pools();
  CHECK_CUDA(cudaFree(memory));
  return checks_failed() != 0;
}
