// hip/nvidia_detail/copy.h - copying and filling memory, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_COPY_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_COPY_H

#include <hip/nvidia_detail/copy_driver.h>
#include <hip/nvidia_detail/types.h>

#ifndef HIP_SYMBOL
#define HIP_SYMBOL(x) x
#endif

HIP_TO_CUDA(hipGetSymbolAddress, cudaGetSymbolAddress, (void** devPtr, const void* symbol), (devPtr, symbol))
HIP_TO_CUDA(hipGetSymbolSize, cudaGetSymbolSize, (size_t* size, const void* symbol), (size, symbol))
HIP_TO_CUDA(hipMemcpy, cudaMemcpy,
    (void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind), (dst, src, sizeBytes, kind))
HIP_TO_CUDA(hipMemcpy2D, cudaMemcpy2D,
    (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind),
    (dst, dpitch, src, spitch, width, height, kind))
HIP_TO_CUDA(hipMemcpy2DArrayToArray, cudaMemcpy2DArrayToArray,
    (hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst, hipArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
     size_t width, size_t height, hipMemcpyKind kind),
    (dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind))
HIP_TO_CUDA(hipMemcpy2DAsync, cudaMemcpy2DAsync,
    (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind,
     hipStream_t stream __dparm(0)), (dst, dpitch, src, spitch, width, height, kind, stream))
HIP_TO_CUDA(hipMemcpy2DFromArray, cudaMemcpy2DFromArray,
    (void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset, size_t width, size_t height,
     hipMemcpyKind kind), (dst, dpitch, src, wOffset, hOffset, width, height, kind))
HIP_TO_CUDA(hipMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync,
    (void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset, size_t width, size_t height,
     hipMemcpyKind kind, hipStream_t stream __dparm(0)),
    (dst, dpitch, src, wOffset, hOffset, width, height, kind, stream))
HIP_TO_CUDA(hipMemcpy2DToArray, cudaMemcpy2DToArray,
    (hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch, size_t width, size_t height,
     hipMemcpyKind kind), (dst, wOffset, hOffset, src, spitch, width, height, kind))
HIP_TO_CUDA(hipMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync,
    (hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch, size_t width, size_t height,
     hipMemcpyKind kind, hipStream_t stream __dparm(0)),
    (dst, wOffset, hOffset, src, spitch, width, height, kind, stream))
HIP_TO_CUDA(hipMemcpy3D, cudaMemcpy3D, (const hipMemcpy3DParms* p), (p))
HIP_TO_CUDA(hipMemcpy3DAsync, cudaMemcpy3DAsync,
    (const hipMemcpy3DParms* p, hipStream_t stream __dparm(0)), (p, stream))
HIP_TO_CUDA(hipMemcpyAsync, cudaMemcpyAsync,
    (void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream __dparm(0)),
    (dst, src, sizeBytes, kind, stream))
HIP_TO_CU(hipMemcpyAtoA, cuMemcpyAtoA,
    (hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray, size_t srcOffset, size_t ByteCount),
    ((CUarray)dstArray, dstOffset, (CUarray)srcArray, srcOffset, ByteCount))
HIP_TO_CU(hipMemcpyAtoD, cuMemcpyAtoD,
    (hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset, size_t ByteCount),
    (dstDevice, (CUarray)srcArray, srcOffset, ByteCount))
HIP_TO_CU(hipMemcpyAtoH, cuMemcpyAtoH,
    (void* dst, hipArray_t srcArray, size_t srcOffset, size_t count), (dst, (CUarray)srcArray, srcOffset, count))
HIP_TO_CU(hipMemcpyAtoHAsync, cuMemcpyAtoHAsync,
    (void* dstHost, hipArray_t srcArray, size_t srcOffset, size_t ByteCount, hipStream_t stream),
    (dstHost, (CUarray)srcArray, srcOffset, ByteCount, stream))
HIP_TO_CU(hipMemcpyDtoA, cuMemcpyDtoA,
    (hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice, size_t ByteCount),
    ((CUarray)dstArray, dstOffset, srcDevice, ByteCount))
HIP_TO_CU(hipMemcpyDtoD, cuMemcpyDtoD,
    (hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes), (dst, src, sizeBytes))
HIP_TO_CU(hipMemcpyDtoDAsync, cuMemcpyDtoDAsync,
    (hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream), (dst, src, sizeBytes, stream))
HIP_TO_CU(hipMemcpyDtoH, cuMemcpyDtoH, (void* dst, hipDeviceptr_t src, size_t sizeBytes), (dst, src, sizeBytes))
HIP_TO_CU(hipMemcpyDtoHAsync, cuMemcpyDtoHAsync,
    (void* dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream), (dst, src, sizeBytes, stream))
HIP_TO_CUDA(hipMemcpyFromArray, cudaMemcpyFromArray,
    (void* dst, hipArray_const_t srcArray, size_t wOffset, size_t hOffset, size_t count, hipMemcpyKind kind),
    (dst, srcArray, wOffset, hOffset, count, kind))
HIP_TO_CUDA(hipMemcpyFromSymbol, cudaMemcpyFromSymbol,
    (void* dst, const void* symbol, size_t sizeBytes, size_t offset __dparm(0),
     hipMemcpyKind kind __dparm(hipMemcpyDeviceToHost)), (dst, symbol, sizeBytes, offset, kind))
HIP_TO_CUDA(hipMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync,
    (void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
     hipStream_t stream __dparm(0)), (dst, symbol, sizeBytes, offset, kind, stream))
HIP_TO_CU(hipMemcpyHtoA, cuMemcpyHtoA,
    (hipArray_t dstArray, size_t dstOffset, const void* srcHost, size_t count),
    ((CUarray)dstArray, dstOffset, srcHost, count))
HIP_TO_CU(hipMemcpyHtoAAsync, cuMemcpyHtoAAsync,
    (hipArray_t dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount, hipStream_t stream),
    ((CUarray)dstArray, dstOffset, srcHost, ByteCount, stream))
HIP_TO_CU(hipMemcpyHtoD, cuMemcpyHtoD, (hipDeviceptr_t dst, const void* src, size_t sizeBytes), (dst, src, sizeBytes))
HIP_TO_CU(hipMemcpyHtoDAsync, cuMemcpyHtoDAsync,
    (hipDeviceptr_t dst, const void* src, size_t sizeBytes, hipStream_t stream), (dst, src, sizeBytes, stream))
HIP_TO_CUDA(hipMemcpyToArray, cudaMemcpyToArray,
    (hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count, hipMemcpyKind kind),
    (dst, wOffset, hOffset, src, count, kind))
HIP_TO_CUDA(hipMemcpyToSymbol, cudaMemcpyToSymbol,
    (const void* symbol, const void* src, size_t sizeBytes, size_t offset __dparm(0),
     hipMemcpyKind kind __dparm(hipMemcpyHostToDevice)), (symbol, src, sizeBytes, offset, kind))
HIP_TO_CUDA(hipMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync,
    (const void* symbol, const void* src, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
     hipStream_t stream __dparm(0)), (symbol, src, sizeBytes, offset, kind, stream))
HIP_TO_CUDA(hipMemset, cudaMemset, (void* dst, int value, size_t sizeBytes), (dst, value, sizeBytes))
HIP_TO_CUDA(hipMemset2D, cudaMemset2D,
    (void* dst, size_t pitch, int value, size_t width, size_t height), (dst, pitch, value, width, height))
HIP_TO_CUDA(hipMemset2DAsync, cudaMemset2DAsync,
    (void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream __dparm(0)),
    (dst, pitch, value, width, height, stream))
HIP_TO_CUDA(hipMemset3D, cudaMemset3D,
    (hipPitchedPtr pitchedDevPtr, int value, hipExtent extent), (pitchedDevPtr, value, extent))
HIP_TO_CUDA(hipMemset3DAsync, cudaMemset3DAsync,
    (hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream __dparm(0)),
    (pitchedDevPtr, value, extent, stream))
HIP_TO_CUDA(hipMemsetAsync, cudaMemsetAsync,
    (void* dst, int value, size_t sizeBytes, hipStream_t stream __dparm(0)), (dst, value, sizeBytes, stream))
HIP_TO_CU(hipMemsetD16, cuMemsetD16, (hipDeviceptr_t dest, unsigned short value, size_t count), (dest, value, count))
HIP_TO_CU(hipMemsetD16Async, cuMemsetD16Async,
    (hipDeviceptr_t dest, unsigned short value, size_t count, hipStream_t stream __dparm(0)),
    (dest, value, count, stream))
HIP_TO_CU(hipMemsetD32, cuMemsetD32, (hipDeviceptr_t dest, int value, size_t count), (dest, (unsigned int)value, count))
HIP_TO_CU(hipMemsetD32Async, cuMemsetD32Async,
    (hipDeviceptr_t dst, int value, size_t count, hipStream_t stream __dparm(0)),
    (dst, (unsigned int)value, count, stream))
HIP_TO_CU(hipMemsetD8, cuMemsetD8, (hipDeviceptr_t dest, unsigned char value, size_t count), (dest, value, count))
HIP_TO_CU(hipMemsetD8Async, cuMemsetD8Async,
    (hipDeviceptr_t dest, unsigned char value, size_t count, hipStream_t stream __dparm(0)),
    (dest, value, count, stream))
HIP_TO_CU(hipMemsetD2D8, cuMemsetD2D8,
    (hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height),
    (dst, dstPitch, value, width, height))
HIP_TO_CU(hipMemsetD2D8Async, cuMemsetD2D8Async,
    (hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height, hipStream_t stream),
    (dst, dstPitch, value, width, height, stream))
HIP_TO_CU(hipMemsetD2D16, cuMemsetD2D16,
    (hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height),
    (dst, dstPitch, value, width, height))
HIP_TO_CU(hipMemsetD2D16Async, cuMemsetD2D16Async,
    (hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height, hipStream_t stream),
    (dst, dstPitch, value, width, height, stream))
HIP_TO_CU(hipMemsetD2D32, cuMemsetD2D32,
    (hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height),
    (dst, dstPitch, value, width, height))
HIP_TO_CU(hipMemsetD2D32Async, cuMemsetD2D32Async,
    (hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height, hipStream_t stream),
    (dst, dstPitch, value, width, height, stream))

// Queues a copy on `stream` and waits for it.
static inline hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind,
                                             hipStream_t stream) {
  cudaError_t error = cudaMemcpyAsync(dst, src, sizeBytes, kind, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return hipCUDAErrorTohipError(error);
}

#endif
