// roctx/roctx.h - what libroctx64.so.4 exports, and what a tool's callback is given. Numbers and layouts are those of
// ROCm's roctracer 4.1.
//
// Thread safety: any thread. Nested ranges belong to the thread that pushes them; ranges by id to the process.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

uint32_t roctx_version_major();
uint32_t roctx_version_minor();

void roctxMarkA(const char* message);

// Begins a range inside the one that this thread has pushed last; returns its level, from 0 on.
int roctxRangePushA(const char* message);
// Ends that range and returns its level; -1 when there is none.
int roctxRangePop();

// Begins a range that any thread may end, and returns its id, from 1 on.
uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(uint64_t id);

// Sets the function that is told of each call; null takes it away. Its result is ignored.
void roctxRegisterTracerCallback(int (*function)(int domain, uint32_t operation, void* data));
}

namespace hip::roctx {

inline constexpr int kActivityDomain = 6; // roctracer's number for marks and ranges

enum Operation : uint32_t { kMark = 0, kRangePush = 1, kRangePop = 2, kRangeStart = 3, kRangeStop = 4 };

// What `data` points at during a callback. A member that an operation does not have is zero.
struct CallbackData {
  const char* message;
  uint64_t id;
};
static_assert(offsetof(CallbackData, id) == 8 && sizeof(CallbackData) == 16);

} // namespace hip::roctx
