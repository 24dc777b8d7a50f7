#include "runtime/hsa/callbacks.h"

namespace hip::hsa {

Callbacks::~Callbacks() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
    if (changes_) tell();
  }
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach(); // hsa_shut_down from a callback
  else if (thread_.joinable())
    thread_.join();
}

void Callbacks::tell() noexcept {
  news_.notify_one();
  changes_->value.fetch_add(1, std::memory_order_seq_cst);
  signals_.changed(*changes_);
}

Status Callbacks::start() {
  std::lock_guard guard(mutex_);
  return start_locked();
}

Status Callbacks::start_locked() {
  if (thread_.joinable()) return {};
  if (!changes_) {
    RT_TRY_ASSIGN(changes_, signals_.create(0));
  }
  return start_thread(thread_, [this] { run(); });
}

Status Callbacks::call(std::function<void()> function) {
  std::lock_guard guard(mutex_);
  RT_TRY(start_locked());
  calls_.push_back(std::move(function));
  tell();
  return {};
}

Status Callbacks::watch(const Signals::Condition& condition, hsa_amd_signal_handler handler, void* argument) {
  std::lock_guard guard(mutex_);
  RT_TRY(start_locked());
  added_.push_back({condition, handler, argument});
  tell();
  return {};
}

void Callbacks::run() noexcept {
  std::vector<Watched> watched;
  std::vector<std::function<void()>> calls;
  std::vector<aql::Agent::SeenSignal> seen;
  for (;;) {
    int64_t changes = 0;
    {
      std::unique_lock lock(mutex_);
      if (watched.empty()) news_.wait(lock, [this] { return stopping_ || !calls_.empty() || !added_.empty(); });
      if (stopping_) return;
      changes = changes_->value.load(std::memory_order_seq_cst);
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
    if (called || watched.empty()) continue;
    seen.assign(1, {changes_, changes});
    for (const Watched& each : watched) seen.push_back({each.condition.signal, each.condition.seen});
    signals_.doze(seen);
  }
}

} // namespace hip::hsa
