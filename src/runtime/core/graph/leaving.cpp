#include "runtime/core/graph/leaving.h"

#include "runtime/base/log.h"
#include "runtime/base/start_thread.h"

#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <vector>

namespace hip::core {
namespace {

struct Leaving {
  std::mutex mutex;
  std::condition_variable some;
  std::vector<std::shared_ptr<GraphExec>> execs;
  bool has_thread = false;
};
Leaving& leaving() {
  static Leaving* const made = new Leaving; // its thread never ends
  return *made;
}

// Nobody finds it any more, but a thread that found it before may be launching it.
bool can_go(const std::shared_ptr<GraphExec>& exec) { return exec.use_count() == 1 && exec->idle(); }

// Waits for the work of the one that has waited longest, then drops all that can go.
void drop_next(Leaving& all) {
  Ref<backend::Completion> end;
  {
    std::unique_lock lock(all.mutex);
    all.some.wait(lock, [&] { return !all.execs.empty(); });
    end = all.execs.front()->last_end();
  }
  if (end) static_cast<void>(end->wait()); // a fault is its stream's to report
  // Without the lock, for users' destructors may be called.
  std::vector<std::shared_ptr<GraphExec>> candidates;
  {
    std::lock_guard lock(all.mutex);
    std::swap(candidates, all.execs);
  }
  const bool any = std::erase_if(candidates, can_go) != 0;
  {
    std::lock_guard lock(all.mutex);
    all.execs.insert(all.execs.begin(), std::move_iterator(candidates.begin()), std::move_iterator(candidates.end()));
  }
  if (!any) std::this_thread::sleep_for(std::chrono::milliseconds(1)); // the launching thread is not done
}

void drop_all(Leaving& all) noexcept {
  for (;;) try {
      drop_next(all);
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace

void drop_when_idle(std::shared_ptr<GraphExec> exec) {
  if (can_go(exec)) return;
  Leaving& all = leaving();
  std::lock_guard lock(all.mutex);
  all.execs.push_back(std::move(exec));
  if (!all.has_thread) {
    std::thread thread;
    const Status started = start_thread(thread, [&all] { drop_all(all); });
    if (!started.ok()) { // the next one's thread drops this one, too
      log(LogLevel::Warning, "A destroyed executable graph stays: {}", started.message());
      return;
    }
    thread.detach();
    all.has_thread = true;
  }
  all.some.notify_one();
}

} // namespace hip::core
