// hip/api/event.h - events: marks in streams to wait for and to measure time between.
#ifndef HIP_INCLUDE_HIP_API_EVENT_H
#define HIP_INCLUDE_HIP_API_EVENT_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// hipEventCreateWithFlags.
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1 // hipEventSynchronize sleeps instead of spinning
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4 // needs hipEventDisableTiming
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000

// hipEventRecordWithFlags, and the same for waiting.
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01 // during capture: a node of the graph instead of a dependency
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01

HIP_C_BEGIN

// Makes an event.
hipError_t hipEventCreate(hipEvent_t* event);

// Makes an event with hipEvent* flags. hipErrorInvalidValue for flags that exclude each other.
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags);

// Destroys an event. Waits that were queued for it still hold.
hipError_t hipEventDestroy(hipEvent_t event);

// Captures the work in `stream` up to here, in place of what the event captured before.
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream __dparm(0));

// As hipEventRecord with hipEventRecordDefault or hipEventRecordExternal.
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream __dparm(0), unsigned int flags __dparm(0));

// hipSuccess when the captured work has ended or there is none, hipErrorNotReady when not.
hipError_t hipEventQuery(hipEvent_t event);

// Waits for the captured work.
hipError_t hipEventSynchronize(hipEvent_t event);

// Milliseconds between two recorded events. hipErrorNotReady before both have happened; hipErrorInvalidHandle when
// an event has no timing or was never recorded.
hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop);

HIP_C_END

#endif
