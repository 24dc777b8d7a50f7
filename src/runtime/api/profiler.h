// runtime/api/profiler.h - HIP's own profiler (hip_profiler_ext.h): a record for each call while it is switched on, and
// of calls that give a stream work, when that began and ended on the device. Times of the device are those of points
// that are recorded in the stream before and behind the call, so that what a call gives counts as one. Calls of the
// profiler's own functions, and those that its callback makes, are not recorded. Thread safety: any thread. A record is
// the thread's own until its call ends; what others are shown is not written any more.
#pragma once

#include "runtime/api/trace.h"

#include <memory>

namespace hip::api {

// One call, while it is under way.
class CallRecord {
public:
  // `names` is the row's argument list, "(ptr, size)".
  void begin(ApiId id, const char* names, std::span<const TraceArgument> arguments) noexcept;
  void end(bool succeeded) noexcept;

private:
  struct Call;
  struct Release {
    void operator()(Call* call) const noexcept;
  };
  std::unique_ptr<Call, Release> call_; // null: the call is not recorded
};

} // namespace hip::api
