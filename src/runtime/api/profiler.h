// runtime/api/profiler.h - HIP's own profiler (hip_profiler_ext.h): a record for each call while it is switched on, and
// of calls that give a stream work, when that began and ended on the device. Times of the device are those of points
// that are recorded in the stream before and behind the call, so that what a call gives counts as one. Thread safety:
// any thread. Calls of the profiler's own functions, and those that its callback makes, are not recorded.
#pragma once

#include "runtime/api/trace.h"

#include <memory>
#include <optional>

namespace hip::api {

struct RecordChunk;

// One call, while it is under way.
class CallRecord {
public:
  // `names` is the row's argument list, "(ptr, size)".
  void begin(ApiId id, const char* names, std::span<const TraceArgument> arguments) noexcept;
  void end(bool succeeded) noexcept;

private:
  struct Work;
  struct Release {
    void operator()(Work* work) const noexcept;
  };
  std::shared_ptr<RecordChunk> chunk_; // null: the call is not recorded
  size_t place_ = 0;
  std::span<const TraceArgument> arguments_;
  std::unique_ptr<Work, Release> work_; // null: the call gives no stream work
};

} // namespace hip::api
