// runtime/backend/aql/soft/watchdog.h - ends kernel launches that execute for longer than OMNIHIP_SOFT_TIMEOUT_S. One
// thread of its own looks at the clock; it is made with the first queue. Without a limit nothing is watched and there
// is no thread, so a launch pays one test of a constant. Thread safety: any thread.
#pragma once

#include "runtime/base/start_thread.h"
#include "runtime/engine/engine.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace hip::aql::soft {

class Watchdog {
public:
  // 0: no limit.
  explicit Watchdog(uint64_t limit_ns) noexcept : limit_ns_(limit_ns) {}
  // No launch is watched any more. Not in a child process after fork, which has no such thread to wait for.
  ~Watchdog();

  bool watches() const noexcept { return limit_ns_ != 0; }
  // Makes the thread, when launches are watched and there is none yet. Error: OutOfMemory.
  Status start() noexcept;
  // The grid, of a dispatch with `timed`, begins to execute. It must not go before end(). start() has succeeded.
  void begin(engine::Grid& grid) noexcept;
  // It has ended; afterwards the watchdog knows nothing of it.
  void end(engine::Grid& grid) noexcept;

private:
  struct Watched {
    engine::Grid* grid;
    uint64_t deadline_ns;
  };
  void main() noexcept;

  const uint64_t limit_ns_;
  std::mutex mutex_; // guards what follows; held while a grid is told that its time is over, so that the grid stays
  std::condition_variable changed_;
  std::vector<Watched> watched_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace hip::aql::soft
