// hip/api/stream.h - streams: queues of work that runs in order, and operations on memory in stream order.
//
// Work in the legacy default stream (0 or hipStreamLegacy) waits for all blocking streams of the device and they wait
// for it. Streams made with hipStreamNonBlocking take no part in that.
#ifndef HIP_INCLUDE_HIP_API_STREAM_H
#define HIP_INCLUDE_HIP_API_STREAM_H

#include <hip/api/error.h>
#include <hip/api/handles.h>
#include <hip/api/launch_types.h>

#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01

// Runs on the host when the work before it in `stream` has ended; `status` is that work's result.
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* userData);

// hipStreamWaitValue: wait until the memory, and-ed with the mask, compares so with the value.
#define hipStreamWaitValueGte 0x0
#define hipStreamWaitValueEq 0x1
#define hipStreamWaitValueAnd 0x2
#define hipStreamWaitValueNor 0x3

typedef enum hipStreamBatchMemOpType {
  hipStreamMemOpWaitValue32 = 0x1,
  hipStreamMemOpWriteValue32 = 0x2,
  hipStreamMemOpFlushRemoteWrites = 0x3,
  hipStreamMemOpWaitValue64 = 0x4,
  hipStreamMemOpWriteValue64 = 0x5,
  hipStreamMemOpBarrier = 0x6
} hipStreamBatchMemOpType;

// One operation of hipStreamBatchMemOp; `operation` says which member counts.
typedef union hipStreamBatchMemOpParams_union {
  hipStreamBatchMemOpType operation;
  struct hipStreamMemOpWaitValueParams_t {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias; // not used
  } waitValue;
  struct hipStreamMemOpWriteValueParams_t {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
      uint32_t value;
      uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias; // not used
  } writeValue;
  struct hipStreamMemOpFlushRemoteWritesParams_t {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
  } flushRemoteWrites;
  struct hipStreamMemOpMemoryBarrierParams_t {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
  } memoryBarrier;
  uint64_t pad[6];
} hipStreamBatchMemOpParams;

HIP_C_BEGIN

// Makes a blocking stream on the current device.
hipError_t hipStreamCreate(hipStream_t* stream);

// Makes a stream; `flags` is hipStreamDefault or hipStreamNonBlocking.
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags);

// Makes a stream with a priority; a number outside the device's range is taken as the nearest in it.
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority);

// The lowest and the highest priority of the current device; smaller numbers are higher. Either output may be null.
hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);

// Destroys a stream. Work in it still runs to its end. Default streams cannot be destroyed.
hipError_t hipStreamDestroy(hipStream_t stream);

// hipSuccess when all work of the stream has ended, hipErrorNotReady when not.
hipError_t hipStreamQuery(hipStream_t stream);

// Waits for all work of the stream. Returns the error of work that failed.
hipError_t hipStreamSynchronize(hipStream_t stream);

// Makes later work of `stream` wait for the work captured by `event`; returns at once. An event never recorded is no
// wait. `flags` must be 0.
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags __dparm(0));

// Queues `callback`; later work of the stream waits until it has returned. `flags` must be 0.
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData, unsigned int flags);

// Flags the stream was made with.
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags);

// The stream's priority.
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority);

// The stream's device.
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);

// A number that no other stream of the process has or had.
hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* streamId);

// Reads an attribute.
hipError_t hipStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attr, hipLaunchAttributeValue* value_out);

// Sets an attribute for work queued from now on.
hipError_t hipStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attr, const hipLaunchAttributeValue* value);

// Sets all attributes of `dst` to those of `src`; both must be on one device.
hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src);

// Makes a stream whose kernels use only the compute units whose bits are set in `cuMaskSize` words.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t cuMaskSize, const uint32_t* cuMask);

// The compute units that a stream uses.
hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t* cuMask);

// Ordinal of the stream's device; for the default stream, of the current device.
int hipGetStreamDeviceId(hipStream_t stream);

// ---- Memory operations in stream order ------------------------------------------------------------------------------

// Makes the stream wait for a 32-bit value in signal memory.
hipError_t hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags,
                                uint32_t mask __dparm(0xFFFFFFFF));

// Makes the stream wait for a 64-bit value in signal memory.
hipError_t hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags,
                                uint64_t mask __dparm(0xFFFFFFFFFFFFFFFF));

// Writes a 32-bit value when the stream gets there. `flags` must be 0.
hipError_t hipStreamWriteValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags);

// Writes a 64-bit value when the stream gets there. `flags` must be 0.
hipError_t hipStreamWriteValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags);

// Queues `count` operations in order.
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count, hipStreamBatchMemOpParams* paramArray,
                               unsigned int flags);

HIP_C_END

#endif
