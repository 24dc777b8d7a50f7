#include "runtime/hsa/callbacks.h"

namespace hip::hsa {

Callbacks::~Callbacks() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  news_.notify_all();
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach(); // hsa_shut_down from a callback
  else if (thread_.joinable())
    thread_.join();
}

Status Callbacks::start() {
  std::lock_guard guard(mutex_);
  return start_locked();
}

Status Callbacks::start_locked() {
  return thread_.joinable() ? Status() : start_thread(thread_, [this] { run(); });
}

Status Callbacks::call(std::function<void()> function) {
  std::lock_guard guard(mutex_);
  RT_TRY(start_locked());
  calls_.push_back(std::move(function));
  news_.notify_one();
  return {};
}

Status Callbacks::watch(const Signals::Condition& condition, hsa_amd_signal_handler handler, void* argument) {
  std::lock_guard guard(mutex_);
  RT_TRY(start_locked());
  added_.push_back({condition, handler, argument});
  news_.notify_one();
  return {};
}

void Callbacks::run() noexcept {
  std::vector<Watched> watched;
  std::vector<std::function<void()>> calls;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (watched.empty()) news_.wait(lock, [this] { return stopping_ || !calls_.empty() || !added_.empty(); });
      if (stopping_) return;
      calls.swap(calls_);
      watched.insert(watched.end(), added_.begin(), added_.end());
      added_.clear();
    }
    bool called = !calls.empty();
    for (const std::function<void()>& function : calls) function();
    calls.clear();
    for (size_t i = 0; i < watched.size();) {
      Watched& each = watched[i];
      const bool holds = each.condition.holds();
      called |= holds;
      if (holds && !each.handler(each.condition.seen, each.argument))
        watched.erase(watched.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
    if (!called && !watched.empty()) signals_.doze(*watched[0].condition.signal, watched[0].condition.seen);
  }
}

} // namespace hip::hsa
