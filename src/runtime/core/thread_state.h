// runtime/core/thread_state.h - what HIP keeps per host thread: the current device, the errors, the launch
// configurations between `<<<...>>>` and the stub, and the thread's own default streams. The hot part is plain data
// without a destructor, so that HIP calls from destructors of other thread-local and static objects still work.
#pragma once

#include "runtime/base/error_code.h"
#include "runtime/core/handle_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hip::core {

class Stream;

using Dim3 = std::array<uint32_t, 3>;

struct CallConfiguration {
  Dim3 grid, block;
  size_t dynamic_lds_bytes;
  Handle stream;
};

// What hipSetupArgument collects for the configuration that is `depth` deep in the stack.
struct PendingArguments {
  uint32_t depth = 0;
  std::vector<std::byte> bytes;
};

// The part that owns memory; made when first needed.
struct ThreadExtras {
  std::vector<CallConfiguration> configuration_overflow;
  CallConfiguration popped; // the newest one that left the list
  std::vector<PendingArguments> pending_arguments;
  std::vector<Handle> per_thread_streams; // by device ordinal; null: not made yet
  std::vector<Handle> context_stack;      // hipCtxPushCurrent
  ~ThreadExtras();
};

enum class CaptureMode : uint8_t; // graph/capture.h; 0 is the mode that threads begin with

struct ThreadState {
  static constexpr int kNoDevice = -1;
  int device = kNoDevice;                     // current_device() sets it when it is first asked for
  bool device_is_chosen = false;              // by the program
  bool launches_in_any_stream = false;        // a library of HIP 6 or 5 launches (api/older.h)
  ErrorCode last_error = ErrorCode::Success;  // hipGetLastError: the last real error until asked for
  ErrorCode last_result = ErrorCode::Success; // hipExtGetLastError: of the last call
  CaptureMode capture_mode{};                 // hipThreadExchangeStreamCaptureMode
  uint32_t configurations = 0;
  std::array<CallConfiguration, 4> configuration{};
  ThreadExtras* extras = nullptr;

  // Adds one configuration and returns it to be filled in.
  CallConfiguration& push_configuration() {
    const uint32_t depth = configurations;
    if (depth >= configuration.size()) [[unlikely]]
      return push_overflow();
    configurations = depth + 1;
    return configuration[depth];
  }
  // The newest configuration, removed: valid until the next is pushed. Null: nothing was pushed.
  const CallConfiguration* pop_configuration() noexcept {
    const uint32_t depth = configurations;
    if (depth - 1 >= configuration.size()) [[unlikely]] // also 0
      return pop_overflow();
    configurations = depth - 1;
    return &configuration[depth - 1];
  }

private:
  CallConfiguration& push_overflow();
  const CallConfiguration* pop_overflow() noexcept;
};

namespace detail {
extern constinit thread_local ThreadState thread_state;
}
inline ThreadState& this_thread() noexcept { return detail::thread_state; }
ThreadExtras& this_thread_extras();

} // namespace hip::core
