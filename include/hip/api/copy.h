// hip/api/copy.h - copying and filling memory, and the memory behind __device__ and __constant__ variables.
//
// A call without Async returns when the memory may be reused by the host; one with Async queues the work on `stream`
// and returns. Ranges may not overlap. Sizes and pitches are in bytes, heights in rows.
#ifndef HIP_INCLUDE_HIP_API_COPY_H
#define HIP_INCLUDE_HIP_API_COPY_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// How a program names a variable in the calls below.
#ifndef HIP_SYMBOL
#define HIP_SYMBOL(x) x
#endif

// One batch copy's hints, shared by a run of copies.
typedef enum hipMemcpySrcAccessOrder {
  hipMemcpySrcAccessOrderInvalid = 0x0,
  hipMemcpySrcAccessOrderStream = 0x1,        // the source is read in stream order
  hipMemcpySrcAccessOrderDuringApiCall = 0x2, // the source is read before the call returns
  hipMemcpySrcAccessOrderAny = 0x3,
  hipMemcpySrcAccessOrderMax = 0x7FFFFFFF
} hipMemcpySrcAccessOrder;

// The first three are hints. A copy has one of the others at most, but for the two indirect ones, which go together.
typedef enum hipMemcpyFlags {
  hipMemcpyFlagDefault = 0x0,
  hipMemcpyFlagPreferOverlapWithCompute = 0x1,
  hipMemcpyFlagExtPreferCE = 0x100,      // copy engines rather than compute units
  hipMemcpyFlagExtOpSwap = 0x200,        // exchanges source and destination
  hipMemcpyFlagExtOpIndirectSrc = 0x400, // the source is where the address of the source stands when the copy is made
  hipMemcpyFlagExtOpIndirectDst = 0x800  // the same of the destination
} hipMemcpyFlags;

typedef struct hipMemcpyAttributes {
  hipMemcpySrcAccessOrder srcAccessOrder;
  hipMemLocation srcLocHint;
  hipMemLocation dstLocHint;
  unsigned int flags; // hipMemcpyFlags
} hipMemcpyAttributes;

// What one copy of hipExtMemcpyBatchAsync does: the same choices as of hipMemcpyFlags.
typedef enum hipExtMemcpyOp {
  hipExtMemcpyOpDefault = 0x0,
  hipExtMemcpyOpSwap = 0x1,
  hipExtMemcpyOpIndirectSrc = 0x2,
  hipExtMemcpyOpIndirectDst = 0x4
} hipExtMemcpyOp;

// Reserved for hipExtMemcpyBatchAsync: what a copy waits for on the device, (*addr & mask) compared with `value`.
typedef enum hipExtMemcpyWaitCmpOp { hipExtMemcpyWaitCmpEQ = 0x3, hipExtMemcpyWaitCmpNE = 0x4 } hipExtMemcpyWaitCmpOp;
typedef struct hipExtMemcpyWait {
  void* addr;
  uint64_t value;
  uint64_t mask;
  uint32_t compareOp; // hipExtMemcpyWaitCmpOp
} hipExtMemcpyWait;

// Reserved for hipExtMemcpyBatchAsync: what the device does behind a copy.
typedef enum hipExtMemcpySignalOp {
  hipExtMemcpySignalOpWrite32b = 0x20,
  hipExtMemcpySignalOpSub64b = 0x70
} hipExtMemcpySignalOp;
typedef struct hipExtMemcpySignal {
  void* addr;
  uint64_t data;
  uint32_t signalOp; // hipExtMemcpySignalOp
} hipExtMemcpySignal;

typedef enum hipMemcpy3DOperandType {
  hipMemcpyOperandTypePointer = 0x1,
  hipMemcpyOperandTypeArray = 0x2,
  hipMemcpyOperandTypeMax = 0x7FFFFFFF
} hipMemcpy3DOperandType;

typedef struct hipOffset3D {
  size_t x;
  size_t y;
  size_t z;
} hipOffset3D;

typedef struct hipMemcpy3DOperand {
  hipMemcpy3DOperandType type;
  union {
    struct {
      void* ptr;
      size_t rowLength;   // elements to a row; 0: as wide as the copy
      size_t layerHeight; // rows to a layer; 0: as high as the copy
      hipMemLocation locHint;
    } ptr;
    struct {
      hipArray_t array;
      hipOffset3D offset;
    } array;
  } op;
} hipMemcpy3DOperand;

typedef struct hipMemcpy3DBatchOp {
  hipMemcpy3DOperand src;
  hipMemcpy3DOperand dst;
  hipExtent extent;
  hipMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
} hipMemcpy3DBatchOp;

HIP_C_BEGIN

// ---- Copies of linear memory ----------------------------------------------------------------------------------------

// Copies `sizeBytes`. hipErrorInvalidMemcpyDirection when `kind` is no direction, hipErrorInvalidValue when an
// address does not fit it.
hipError_t hipMemcpy(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind);

// Queues a copy. With pageable host memory the call may wait until that memory is read.
hipError_t hipMemcpyAsync(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind,
                          hipStream_t stream __dparm(0));

// Queues a copy on `stream` and waits for it.
hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream);

// Copies from the host to the device.
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t sizeBytes);

// Queues a copy from the host to the device.
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t sizeBytes, hipStream_t stream);

// Copies from the device to the host.
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t sizeBytes);

// Queues a copy from the device to the host.
hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream);

// Copies within the device.
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes);

// Queues a copy within the device.
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream);

// Queues `count` copies, none of 0 bytes. Copies attrsIdxs[i] up to attrsIdxs[i + 1] use attrs[i]; without attributes
// (numAttrs 0) sources are read in stream order. On an error `failIdx` returns the copy to blame, or SIZE_MAX when none
// is; the copies before it have been queued. Locations of attributes are hints. A swap takes memory of its own in
// stream order; its ranges may not overlap. Indirect copies are hipErrorNotSupported: no device that HIP finds here has
// them.
hipError_t hipMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count, hipMemcpyAttributes* attrs,
                               size_t* attrsIdxs, size_t numAttrs, size_t* failIdx, hipStream_t stream __dparm(0));

// The same with what each copy does in `ops`, which then counts instead of the attributes' flags, and with two sizes
// for swaps: sizesB[i] bytes, 1 to sizesA[i], are exchanged, and the rest of sizesA[i] is copied from the destination
// to the source; without sizesB all of sizesA[i] are exchanged. `waits` and `signals` are reserved:
// hipErrorNotSupported unless null. On branches of HIP only, where it has had other parameters, too, and may change.
hipError_t hipExtMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizesA, size_t* sizesB, hipExtMemcpyWait* waits,
                                  hipExtMemcpySignal* signals, hipExtMemcpyOp* ops, size_t count,
                                  hipMemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                  hipStream_t stream __dparm(0));

// Queues `numOps` box copies. `flags` must be 0; `failIdx` as for hipMemcpyBatchAsync.
hipError_t hipMemcpy3DBatchAsync(size_t numOps, hipMemcpy3DBatchOp* opList, size_t* failIdx, unsigned long long flags,
                                 hipStream_t stream __dparm(0));

// ---- Copies of rows and boxes ---------------------------------------------------------------------------------------

// Copies `height` rows of `width` bytes. hipErrorInvalidPitchValue when a pitch is less than the width.
hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind);

// Queues a copy of rows.
hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream __dparm(0));

// Copies rows between any two of host, device and array memory.
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* pCopy);

// Queues hipMemcpyParam2D.
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* pCopy, hipStream_t stream __dparm(0));

// As hipMemcpyParam2D, for pitches that have no alignment.
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* pCopy);

// Copies a box. Both ends are described by `p`.
hipError_t hipMemcpy3D(const hipMemcpy3DParms* p);

// Queues a copy of a box.
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream __dparm(0));

// Copies a box; the driver-style form.
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* pCopy);

// Queues hipDrvMemcpy3D.
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* pCopy, hipStream_t stream);

// ---- Copies from and to arrays: offsets of width in bytes, of height in rows ----------------------------------------

// Copies rows into an array.
hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch,
                              size_t width, size_t height, hipMemcpyKind kind);

// Queues a copy of rows into an array.
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch,
                                   size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream __dparm(0));

// Copies rows out of an array.
hipError_t hipMemcpy2DFromArray(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t width, size_t height, hipMemcpyKind kind);

// Queues a copy of rows out of an array.
hipError_t hipMemcpy2DFromArrayAsync(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream __dparm(0));

// Copies rows from one array to another.
hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst, hipArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                   hipMemcpyKind kind);

// Copies `count` bytes into an array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                            hipMemcpyKind kind);

// Copies `count` bytes out of an array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyFromArray(void* dst, hipArray_const_t srcArray, size_t wOffset, size_t hOffset, size_t count,
                              hipMemcpyKind kind);

// Copies from the host into a one-dimensional array.
hipError_t hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void* srcHost, size_t count);

// Queues a copy from the host into a one-dimensional array.
hipError_t hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount,
                              hipStream_t stream);

// Copies from a one-dimensional array to the host.
hipError_t hipMemcpyAtoH(void* dst, hipArray_t srcArray, size_t srcOffset, size_t count);

// Queues a copy from a one-dimensional array to the host.
hipError_t hipMemcpyAtoHAsync(void* dstHost, hipArray_t srcArray, size_t srcOffset, size_t ByteCount,
                              hipStream_t stream);

// Copies from device memory into a one-dimensional array.
hipError_t hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice, size_t ByteCount);

// Copies from a one-dimensional array into device memory.
hipError_t hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset, size_t ByteCount);

// Copies between one-dimensional arrays.
hipError_t hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray, size_t srcOffset,
                         size_t ByteCount);

// ---- Variables: `symbol` is the address of the variable's host shadow, see HIP_SYMBOL -------------------------------

// Device address of a variable. hipErrorInvalidSymbol when `symbol` is none.
hipError_t hipGetSymbolAddress(void** devPtr, const void* symbol);

// Size of a variable in bytes.
hipError_t hipGetSymbolSize(size_t* size, const void* symbol);

// Copies into a variable, `offset` bytes from its start.
hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t sizeBytes, size_t offset __dparm(0),
                             hipMemcpyKind kind __dparm(hipMemcpyHostToDevice));

// Queues a copy into a variable.
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream __dparm(0));

// Copies out of a variable.
hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t sizeBytes, size_t offset __dparm(0),
                               hipMemcpyKind kind __dparm(hipMemcpyDeviceToHost));

// Queues a copy out of a variable.
hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream __dparm(0));

// ---- Fills: counts of D8, D16 and D32 are in elements ---------------------------------------------------------------

// Sets each of `sizeBytes` bytes to the low byte of `value`.
hipError_t hipMemset(void* dst, int value, size_t sizeBytes);

// Queues a fill.
hipError_t hipMemsetAsync(void* dst, int value, size_t sizeBytes, hipStream_t stream __dparm(0));

// Sets `count` bytes.
hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count);

// Queues a fill of bytes.
hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count, hipStream_t stream __dparm(0));

// Sets `count` 16-bit values. `dest` must be a multiple of 2.
hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count);

// Queues a fill of 16-bit values.
hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count, hipStream_t stream __dparm(0));

// Sets `count` 32-bit values. `dest` must be a multiple of 4.
hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count);

// Queues a fill of 32-bit values.
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream __dparm(0));

// Sets `height` rows of `width` bytes.
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height);

// Queues a fill of rows.
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream __dparm(0));

// Sets a box of bytes.
hipError_t hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent);

// Queues a fill of a box.
hipError_t hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream __dparm(0));

// Sets rows of `width` bytes.
hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height);

// Queues a fill of rows of bytes.
hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height,
                              hipStream_t stream __dparm(0));

// Sets rows of `width` 16-bit values. Pitch and address must be multiples of 2.
hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height);

// Queues a fill of rows of 16-bit values.
hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height,
                               hipStream_t stream __dparm(0));

// Sets rows of `width` 32-bit values. Pitch and address must be multiples of 4.
hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height);

// Queues a fill of rows of 32-bit values.
hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height,
                               hipStream_t stream __dparm(0));

HIP_C_END

#endif
