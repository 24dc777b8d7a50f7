// The _spt forms: the same calls with stream 0 meaning the calling thread's own default stream. What programs compiled
// with -fgpu-default-stream=per-thread call.
#include "runtime/api/copy_forms.h"

#include <string>

namespace hip::api {
namespace {

hipStream_t own(hipStream_t stream) { return stream ? stream : hipStreamPerThread; }

} // namespace

Status hipMemcpy_spt(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind) {
  return copy_linear(hipStreamPerThread, CopyWait::Blocking, dst, src, sizeBytes, kind);
}

Status hipMemcpyAsync_spt(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream) {
  return copy_linear(own(stream), CopyWait::Async, dst, src, sizeBytes, kind);
}

Status hipMemcpy2D_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return copy_2d(hipStreamPerThread, CopyWait::Blocking, dst, dpitch, src, spitch, width, height, kind);
}

Status hipMemcpy2DAsync_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return copy_2d(own(stream), CopyWait::Async, dst, dpitch, src, spitch, width, height, kind);
}

Status hipMemcpy2DToArray_spt(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch,
                              size_t width, size_t height, hipMemcpyKind kind) {
  return copy_to_array(hipStreamPerThread, CopyWait::Blocking, dst, wOffset, hOffset, src, spitch, width, height, kind);
}

Status hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch,
                                   size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_array(own(stream), CopyWait::Async, dst, wOffset, hOffset, src, spitch, width, height, kind);
}

Status hipMemcpy2DFromArray_spt(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t width, size_t height, hipMemcpyKind kind) {
  return copy_from_array(hipStreamPerThread, CopyWait::Blocking, dst, dpitch, src, wOffset, hOffset, width, height,
                         kind);
}

Status hipMemcpy2DFromArrayAsync_spt(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffsetSrc,
                                     size_t hOffsetSrc, size_t width, size_t height, hipMemcpyKind kind,
                                     hipStream_t stream) {
  return copy_from_array(own(stream), CopyWait::Async, dst, dpitch, src, wOffsetSrc, hOffsetSrc, width, height, kind);
}

Status hipMemcpyFromArray_spt(void* dst, hipArray_const_t src, size_t wOffsetSrc, size_t hOffset, size_t count,
                              hipMemcpyKind kind) {
  return copy_run_from_array(hipStreamPerThread, CopyWait::Blocking, dst, src, wOffsetSrc, hOffset, count, kind);
}

Status hipMemcpy3D_spt(const hipMemcpy3DParms* p) { return copy_3d(hipStreamPerThread, CopyWait::Blocking, *p); }

Status hipMemcpy3DAsync_spt(const hipMemcpy3DParms* p, hipStream_t stream) {
  return copy_3d(own(stream), CopyWait::Async, *p);
}

Status hipMemcpyToSymbol_spt(const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return copy_to_symbol(hipStreamPerThread, CopyWait::Blocking, symbol, src, sizeBytes, offset, kind);
}

Status hipMemcpyToSymbolAsync_spt(const void* symbol, const void* src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_symbol(own(stream), CopyWait::Async, symbol, src, sizeBytes, offset, kind);
}

Status hipMemcpyFromSymbol_spt(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind) {
  return copy_from_symbol(hipStreamPerThread, CopyWait::Blocking, dst, symbol, sizeBytes, offset, kind);
}

Status hipMemcpyFromSymbolAsync_spt(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return copy_from_symbol(own(stream), CopyWait::Async, dst, symbol, sizeBytes, offset, kind);
}

Status hipMemset_spt(void* dst, int value, size_t sizeBytes) {
  return fill_1d(hipStreamPerThread, CopyWait::Blocking, dst, static_cast<uint8_t>(value), 1, sizeBytes);
}

Status hipMemsetAsync_spt(void* dst, int value, size_t sizeBytes, hipStream_t stream) {
  return fill_1d(own(stream), CopyWait::Async, dst, static_cast<uint8_t>(value), 1, sizeBytes);
}

Status hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(hipStreamPerThread, CopyWait::Blocking, dst, pitch, static_cast<uint8_t>(value), 1, width, height);
}

Status hipMemset2DAsync_spt(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fill_2d(own(stream), CopyWait::Async, dst, pitch, static_cast<uint8_t>(value), 1, width, height);
}

Status hipMemset3D_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
  return fill_box(hipStreamPerThread, CopyWait::Blocking, pitchedDevPtr, value, extent);
}

Status hipMemset3DAsync_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream) {
  return fill_box(own(stream), CopyWait::Async, pitchedDevPtr, value, extent);
}

Status hipEventRecord_spt(hipEvent_t event, hipStream_t stream) { return api::hipEventRecord(event, own(stream)); }

Status hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return api::hipStreamWaitEvent(own(stream), event, flags);
}

Status hipStreamQuery_spt(hipStream_t stream) { return api::hipStreamQuery(own(stream)); }
Status hipStreamSynchronize_spt(hipStream_t stream) { return api::hipStreamSynchronize(own(stream)); }
Status hipStreamGetFlags_spt(hipStream_t stream, unsigned int* flags) {
  return api::hipStreamGetFlags(own(stream), flags);
}
Status hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return api::hipStreamGetPriority(own(stream), priority);
}
Status hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus) {
  return api::hipStreamIsCapturing(own(stream), pCaptureStatus);
}

Status hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return api::hipStreamBeginCapture(own(stream), mode);
}
Status hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* pGraph) {
  return api::hipStreamEndCapture(own(stream), pGraph);
}
Status hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus,
                                   unsigned long long* pId) {
  return api::hipStreamGetCaptureInfo(own(stream), pCaptureStatus, pId);
}
Status hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out,
                                      unsigned long long* id_out, hipGraph_t* graph_out,
                                      const hipGraphNode_t** dependencies_out, size_t* numDependencies_out) {
  return api::hipStreamGetCaptureInfo_v2(own(stream), captureStatus_out, id_out, graph_out, dependencies_out,
                                         numDependencies_out);
}
Status hipGraphLaunch_spt(hipGraphExec_t graphExec, hipStream_t stream) {
  return api::hipGraphLaunch(graphExec, own(stream));
}

Status hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags) {
  return api::hipStreamAddCallback(own(stream), callback, userData, flags);
}

Status hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t fn, void* userData) {
  return api::hipLaunchHostFunc(own(stream), fn, userData);
}

Status hipLaunchKernel_spt(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                           size_t sharedMemBytes, hipStream_t stream) {
  return api::hipLaunchKernel(function_address, numBlocks, dimBlocks, args, sharedMemBytes, own(stream));
}

Status hipLaunchCooperativeKernel_spt(const void* f, dim3 gridDim, dim3 blockDim, void** kernelParams,
                                      uint32_t sharedMemBytes, hipStream_t hStream) {
  return api::hipLaunchCooperativeKernel(f, gridDim, blockDim, kernelParams, sharedMemBytes, own(hStream));
}

Status hipGetProcAddress_spt(const char* symbol, void** pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult* symbolStatus) {
  if (flags == HIP_GET_PROC_ADDRESS_DEFAULT) flags = HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  return api::hipGetProcAddress(symbol, pfn, hipVersion, flags, symbolStatus);
}

Status hipGetDriverEntryPoint_spt(const char* symbol, void** funcPtr, unsigned long long flags,
                                  hipDriverEntryPointQueryResult* driverStatus) {
  if (flags == hipEnableDefault) flags = hipEnablePerThreadDefaultStream;
  return api::hipGetDriverEntryPoint(symbol, funcPtr, flags, driverStatus);
}

} // namespace hip::api
