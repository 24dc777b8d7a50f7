#include "runtime/backend/aql/soft/watchdog.h"

#include "runtime/base/format.h"

#include <algorithm>
#include <chrono>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kRepeatNs = 5'000'000; // a grid that is late is told again and again until it has ended

uint64_t steady_ns() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // namespace

Watchdog::~Watchdog() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Status Watchdog::start() noexcept {
  if (!watches()) return {};
  std::lock_guard guard(mutex_);
  return thread_.joinable() ? Status() : start_thread(thread_, [this] { main(); });
}

void Watchdog::begin(engine::Grid& grid) noexcept {
  std::lock_guard guard(mutex_);
  watched_.push_back({&grid, steady_ns() + limit_ns_});
  if (watched_.size() == 1) changed_.notify_one(); // the thread sleeps until there is something to watch
}

void Watchdog::end(engine::Grid& grid) noexcept {
  std::lock_guard guard(mutex_);
  std::erase_if(watched_, [&](const Watched& w) { return w.grid == &grid; });
}

void Watchdog::main() noexcept {
  const std::string limit =
      fmt::format("the {} s that OMNIHIP_SOFT_TIMEOUT_S allows (more, or 0 for any time, where it only needs more)",
                  static_cast<double>(limit_ns_) / 1e9);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (watched_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const uint64_t now = steady_ns();
    uint64_t wake_ns = UINT64_MAX;
    for (const Watched& w : watched_) {
      if (w.deadline_ns <= now) w.grid->time_out(limit);
      wake_ns = std::min(wake_ns, w.deadline_ns <= now ? now + kRepeatNs : w.deadline_ns);
    }
    changed_.wait_for(lock, std::chrono::nanoseconds(wake_ns - now));
  }
}

} // namespace hip::aql::soft
