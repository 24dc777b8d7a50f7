// Launches: HIP 7 gave several mistakes other errors. A launch that succeeds goes straight through.
#include "runtime/compat/compat.h"

#include <cstdint>

namespace hip::compat {
namespace {

struct Shape {
  uint64_t grid[3], block[3];
  enum class Unit { Blocks, Items } unit = Unit::Blocks; // of the grid
};

Shape shape_of(dim3 grid, dim3 block) noexcept { return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}}; }

bool has_zero(const uint64_t (&extents)[3]) noexcept { return extents[0] == 0 || extents[1] == 0 || extents[2] == 0; }
bool is_empty(const Shape& shape) noexcept { return has_zero(shape.grid) || has_zero(shape.block); }

// An empty grid or block was a wrong value, until HIP 6 told a block of zero by itself where the grid is given in
// work-items.
hipError_t error_of_empty(const Shape& shape) noexcept {
  const bool block_alone = shape.unit == Shape::Unit::Items && !has_zero(shape.grid);
  return kLibrary == 6 && block_alone ? hipErrorInvalidConfiguration : hipErrorInvalidValue;
}

// Whether a dimension has 2^32 work-items or more, for which the error stayed the same.
bool grid_is_too_large(const Shape& shape) noexcept {
  for (int d = 0; d < 3; ++d)
    if (shape.unit == Shape::Unit::Blocks && shape.grid[d] * shape.block[d] > UINT32_MAX) return true;
  return false;
}

bool stream_is_invalid(hipStream_t stream) noexcept {
  unsigned flags;
  return RT_CORE(hipStreamGetFlags)(stream, &flags) == hipErrorContextIsDestroyed;
}

// hipLaunchCooperativeKernel has errors of its own for a stream that is none; its form for functions has not.
enum class Kind { Plain, Cooperative };

// HIP 6 and 5 launched on the stream's device, whatever the calling thread's was.
class AnyStream {
public:
  AnyStream() noexcept { __omnihipLaunchInAnyStream(true); }
  ~AnyStream() { __omnihipLaunchInAnyStream(false); }
  AnyStream(const AnyStream&) = delete;
};

// What the older library answers where the core's answer is `result`; the thread's last error becomes the same.
[[gnu::cold, gnu::noinline]] hipError_t older_error(const char* entry, hipError_t result, const Shape& shape,
                                                    hipStream_t stream, Kind kind) noexcept {
  const auto answer = [entry](hipError_t code, const char* message) { return __omnihipAnswer(entry, code, message); };
  switch (result) {
  case hipErrorInvalidConfiguration:
    if (is_empty(shape)) return answer(error_of_empty(shape), "A dimension of the grid or of its blocks is zero.");
    if (!grid_is_too_large(shape))
      return answer(hipErrorInvalidValue, "A block, or the grid, is too large for the device.");
    break;
  case hipErrorInvalidValue: // HIP 7's hipModuleLaunchKernel looks at the number of blocks first
    if (!is_empty(shape) && grid_is_too_large(shape))
      return answer(hipErrorInvalidConfiguration, "A dimension of the grid has 2^32 work-items or more.");
    break;
  case hipErrorContextIsDestroyed:
    if (stream_is_invalid(stream) && kind != Kind::Cooperative)
      return answer(hipErrorInvalidValue, "The stream is none, or it was destroyed.");
    return answer(result, "A handle of the launch is none, or it was destroyed.");
  case hipErrorInvalidHandle:
    if (kind == Kind::Cooperative && stream_is_invalid(stream))
      return answer(hipErrorContextIsDestroyed, "The stream is none, or it was destroyed.");
    return answer(result, "A handle of the launch is none, or it was destroyed.");
  default:
    break;
  }
  return result;
}

// Dynamic shared memory beyond a device's had the error of any bad value.
hipError_t too_much_shared_memory(hipError_t result, unsigned bytes) noexcept {
  if (result != hipErrorCooperativeLaunchTooLarge) return result;
  int device = 0, most = 0;
  if (RT_CORE(hipGetDevice)(&device) == hipSuccess &&
      RT_CORE(hipDeviceGetAttribute)(&most, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, device) == hipSuccess &&
      bytes > static_cast<unsigned>(most))
    result = hipErrorInvalidValue;
  return __omnihipAnswer("hipModuleLaunchCooperativeKernel", result,
                         "The grid needs more compute units, or a block more shared memory, than the device has.");
}

// Lists of launches, one for each device, told an empty block of any launch by itself, before all else.
template<typename Launch, typename ShapeOf>
[[gnu::cold, gnu::noinline]] hipError_t older_list_error(const char* entry, hipError_t result, const Launch* list,
                                                         size_t count, ShapeOf shape_of_launch) noexcept {
  if (result != hipErrorInvalidConfiguration) return result;
  bool stays = false;
  for (size_t i = 0; i < count; ++i) {
    const Shape shape = shape_of_launch(list[i]);
    stays |= has_zero(shape.block) || grid_is_too_large(shape);
  }
  return stays ? result
               : __omnihipAnswer(entry, hipErrorInvalidValue,
                                 "A grid is empty, or it or a block is too large for its device.");
}

Shape shape_of_params(const hipLaunchParams& p) noexcept { return shape_of(p.gridDim, p.blockDim); }

// `node` is null where the parameters are none, or no kernel's.
hipError_t older_node_error(const char* entry, hipError_t result, const hipKernelNodeParams* node) noexcept {
  if (result != hipErrorInvalidConfiguration || !node) [[likely]]
    return result;
  return older_error(entry, result, shape_of(node->gridDim, node->blockDim), nullptr, Kind::Plain);
}

const hipKernelNodeParams* kernel_of(const hipGraphNodeParams* node) noexcept {
  return node && node->type == hipGraphNodeTypeKernel ? &node->kernel : nullptr;
}

} // namespace
} // namespace hip::compat

using hip::compat::AnyStream;
using hip::compat::kernel_of;
using hip::compat::Kind;
using hip::compat::older_error;
using hip::compat::older_list_error;
using hip::compat::older_node_error;
using hip::compat::Shape;
using hip::compat::shape_of;
using hip::compat::shape_of_params;

RT_SHIM hipError_t hipLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                                   size_t sharedMemBytes, hipStream_t stream) {
  const AnyStream any;
  const hipError_t result =
      RT_CORE(hipLaunchKernel)(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  if (result == hipSuccess) [[likely]]
    return result;
  return older_error("hipLaunchKernel", result, shape_of(numBlocks, dimBlocks), stream, Kind::Plain);
}

RT_SHIM hipError_t hipLaunchKernel_spt(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                                       size_t sharedMemBytes, hipStream_t stream) {
  const AnyStream any;
  const hipError_t result =
      RT_CORE(hipLaunchKernel_spt)(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
  if (result == hipSuccess) [[likely]]
    return result;
  return older_error("hipLaunchKernel_spt", result, shape_of(numBlocks, dimBlocks), stream, Kind::Plain);
}

RT_SHIM hipError_t hipExtLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                                      size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                      hipEvent_t stopEvent, int flags) {
  const AnyStream any;
  const hipError_t result = RT_CORE(hipExtLaunchKernel)(function_address, numBlocks, dimBlocks, args, sharedMemBytes,
                                                        stream, startEvent, stopEvent, flags);
  if (result == hipSuccess) [[likely]]
    return result;
  return older_error("hipExtLaunchKernel", result, shape_of(numBlocks, dimBlocks), stream, Kind::Plain);
}

RT_SHIM hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                         unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                         unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                         void** kernelParams, void** extra) {
  const AnyStream any;
  const hipError_t result = RT_CORE(hipModuleLaunchKernel)(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY,
                                                           blockDimZ, sharedMemBytes, stream, kernelParams, extra);
  if (result == hipSuccess) [[likely]]
    return result;
  const Shape shape{{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}};
  return older_error("hipModuleLaunchKernel", result, shape, stream, Kind::Plain);
}

RT_SHIM hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                            uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                            uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                            void** kernelParams, void** extra, hipEvent_t startEvent,
                                            hipEvent_t stopEvent, uint32_t flags) {
  const AnyStream any;
  const hipError_t result = RT_CORE(hipExtModuleLaunchKernel)(
      f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ,
      sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags);
  if (result == hipSuccess) [[likely]]
    return result;
  const Shape shape{{globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ},
                    {localWorkSizeX, localWorkSizeY, localWorkSizeZ},
                    Shape::Unit::Items};
  return older_error("hipExtModuleLaunchKernel", result, shape, hStream, Kind::Plain);
}

RT_SHIM hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                            uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                            uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                            void** kernelParams, void** extra, hipEvent_t startEvent,
                                            hipEvent_t stopEvent) {
  return hipExtModuleLaunchKernel(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY,
                                  localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent,
                                  0);
}

RT_SHIM hipError_t hipLaunchCooperativeKernel(const void* f, dim3 gridDim, dim3 blockDimX, void** kernelParams,
                                              unsigned int sharedMemBytes, hipStream_t stream) {
  const AnyStream any;
  const hipError_t result =
      RT_CORE(hipLaunchCooperativeKernel)(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
  if (result == hipSuccess) [[likely]]
    return result;
  return older_error("hipLaunchCooperativeKernel", result, shape_of(gridDim, blockDimX), stream, Kind::Cooperative);
}

RT_SHIM hipError_t hipLaunchCooperativeKernel_spt(const void* f, dim3 gridDim, dim3 blockDim, void** kernelParams,
                                                  uint32_t sharedMemBytes, hipStream_t hStream) {
  const AnyStream any;
  const hipError_t result =
      RT_CORE(hipLaunchCooperativeKernel_spt)(f, gridDim, blockDim, kernelParams, sharedMemBytes, hStream);
  if (result == hipSuccess) [[likely]]
    return result;
  return older_error("hipLaunchCooperativeKernel_spt", result, shape_of(gridDim, blockDim), hStream, Kind::Cooperative);
}

RT_SHIM hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                                    unsigned int gridDimZ, unsigned int blockDimX,
                                                    unsigned int blockDimY, unsigned int blockDimZ,
                                                    unsigned int sharedMemBytes, hipStream_t stream,
                                                    void** kernelParams) {
  const AnyStream any;
  const hipError_t result = RT_CORE(hipModuleLaunchCooperativeKernel)(
      f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams);
  if (result == hipSuccess) [[likely]]
    return result;
  const Shape shape{{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}};
  return older_error("hipModuleLaunchCooperativeKernel", hip::compat::too_much_shared_memory(result, sharedMemBytes),
                     shape, stream, Kind::Plain);
}

RT_SHIM hipError_t hipLaunchByPtr(const void* func) {
  const AnyStream any;
  return RT_CORE(hipLaunchByPtr)(func);
}

RT_SHIM hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launchParamsList, int numDevices,
                                                         unsigned int flags) {
  const hipError_t result = RT_CORE(hipLaunchCooperativeKernelMultiDevice)(launchParamsList, numDevices, flags);
  return older_list_error("hipLaunchCooperativeKernelMultiDevice", result, launchParamsList,
                          static_cast<size_t>(numDevices), shape_of_params);
}

RT_SHIM hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launchParamsList, int numDevices,
                                                      unsigned int flags) {
  const hipError_t result = RT_CORE(hipExtLaunchMultiKernelMultiDevice)(launchParamsList, numDevices, flags);
  return older_list_error("hipExtLaunchMultiKernelMultiDevice", result, launchParamsList,
                          static_cast<size_t>(numDevices), shape_of_params);
}

RT_SHIM hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* launchParamsList,
                                                               unsigned int numDevices, unsigned int flags) {
  const hipError_t result = RT_CORE(hipModuleLaunchCooperativeKernelMultiDevice)(launchParamsList, numDevices, flags);
  return older_list_error("hipModuleLaunchCooperativeKernelMultiDevice", result, launchParamsList, numDevices,
                          [](const hipFunctionLaunchParams& p) {
                            return shape_of({p.gridDimX, p.gridDimY, p.gridDimZ},
                                            {p.blockDimX, p.blockDimY, p.blockDimZ});
                          });
}

// Nodes of kernels, which a launch's rules are for as well.
RT_SHIM hipError_t hipGraphAddKernelNode(hipGraphNode_t* pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t* pDependencies, size_t numDependencies,
                                         const hipKernelNodeParams* pNodeParams) {
  const hipError_t result =
      RT_CORE(hipGraphAddKernelNode)(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  return older_node_error("hipGraphAddKernelNode", result, pNodeParams);
}

RT_SHIM hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* pNodeParams) {
  return older_node_error("hipGraphKernelNodeSetParams", RT_CORE(hipGraphKernelNodeSetParams)(node, pNodeParams),
                          pNodeParams);
}

RT_SHIM hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   const hipKernelNodeParams* pNodeParams) {
  return older_node_error("hipGraphExecKernelNodeSetParams",
                          RT_CORE(hipGraphExecKernelNodeSetParams)(hGraphExec, node, pNodeParams), pNodeParams);
}

RT_SHIM hipError_t hipGraphAddNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                                   size_t numDependencies, hipGraphNodeParams* nodeParams) {
  return older_node_error("hipGraphAddNode",
                          RT_CORE(hipGraphAddNode)(pGraphNode, graph, pDependencies, numDependencies, nodeParams),
                          kernel_of(nodeParams));
}

RT_SHIM hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* nodeParams) {
  return older_node_error("hipGraphNodeSetParams", RT_CORE(hipGraphNodeSetParams)(node, nodeParams),
                          kernel_of(nodeParams));
}

RT_SHIM hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node,
                                             hipGraphNodeParams* nodeParams) {
  return older_node_error("hipGraphExecNodeSetParams", RT_CORE(hipGraphExecNodeSetParams)(graphExec, node, nodeParams),
                          kernel_of(nodeParams));
}

// C++ names that headers of that time made of two of them.
RT_SHIM_NAMED("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j",
              ext_module_launch_kernel,
              (hipFunction_t f, uint32_t x, uint32_t y, uint32_t z, uint32_t block_x, uint32_t block_y,
               uint32_t block_z, size_t dynamic_bytes, hipStream_t stream, void** params, void** extra,
               hipEvent_t start, hipEvent_t stop, uint32_t flags)) {
  return hipExtModuleLaunchKernel(f, x, y, z, block_x, block_y, block_z, dynamic_bytes, stream, params, extra, start,
                                  stop, flags);
}

RT_SHIM_NAMED("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_",
              hcc_module_launch_kernel,
              (hipFunction_t f, uint32_t x, uint32_t y, uint32_t z, uint32_t block_x, uint32_t block_y,
               uint32_t block_z, size_t dynamic_bytes, hipStream_t stream, void** params, void** extra,
               hipEvent_t start, hipEvent_t stop)) {
  return hipExtModuleLaunchKernel(f, x, y, z, block_x, block_y, block_z, dynamic_bytes, stream, params, extra, start,
                                  stop, 0);
}

// What `hipLaunchKernelGGL` of the hcc compiler called: a kernel by its host function, with packed arguments.
RT_SHIM_NAMED("_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv", launch_kernel_ggl,
              (uintptr_t host_function, const dim3& blocks, const dim3& threads, uint32_t dynamic_bytes,
               hipStream_t stream, void** extra)) {
  hipFunction_t function = nullptr;
  if (const hipError_t result = RT_CORE(hipGetFuncBySymbol)(&function, reinterpret_cast<const void*>(host_function));
      result != hipSuccess)
    return result;
  return hipModuleLaunchKernel(function, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z, dynamic_bytes,
                               stream, nullptr, extra);
}
