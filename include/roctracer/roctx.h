// roctracer/roctx.h - marks and ranges of a program, for tools that show them beside its kernels: the interface of ROCm's roctx 4.1.
// Link with -lroctx64. OMNIHIP_TRACE=1 prints them between the calls of HIP, and a tool's callback gets them.
//
// Messages are copied; null is taken as an empty one. Thread safety: any thread. Nested ranges belong to the thread that pushes them,
// ranges by id to the process.
#ifndef ROCTRACER_ROCTX_H
#define ROCTRACER_ROCTX_H

#include <stdint.h>

#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

// Of the library that the program has got.
uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);

void roctxMarkA(const char* message);
#define roctxMark(message) roctxMarkA(message)

// Begins a range inside the one that this thread has pushed last; returns its level, from 0 on.
int roctxRangePushA(const char* message);
#define roctxRangePush(message) roctxRangePushA(message)
// Ends that range and returns its level; -1 when there is none.
int roctxRangePop(void);

typedef uint64_t roctx_range_id_t;
// Begins a range that any thread may end, and returns its id, from 1 on.
roctx_range_id_t roctxRangeStartA(const char* message);
#define roctxRangeStart(message) roctxRangeStartA(message)
void roctxRangeStop(roctx_range_id_t id);

#ifdef __cplusplus
}
#endif

#endif
