// roctx/roctx.h - what libroctx64.so.4 exports beyond the public header, for tools, and what a tool's callback is
// given. Numbers and layouts are those of ROCm's roctracer 4.1. Thread safety: any thread.
#pragma once

#include <roctracer/roctx.h>

#include <cstddef>
#include <cstdint>

extern "C" {

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
