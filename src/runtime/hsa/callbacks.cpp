#include "runtime/hsa/callbacks.h"

namespace hip::hsa {

Callbacks::~Callbacks() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
    if (changes_) tell();
  }
  if (thread_.get_id() == std::this_thread::get_id()) { // hsa_shut_down from a callback
    *gone_ = true;
    thread_.detach();
  } else if (thread_.joinable()) {
    thread_.join();
  }
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

void Callbacks::forget(const aql::Signal& signal) noexcept {
  std::unique_lock lock(mutex_);
  const auto of_signal = [&](const Watched& each) { return each.condition.signal == &signal; };
  std::erase_if(added_, of_signal);
  bool found = false;
  for (Watched& each : watched_) {
    if (!of_signal(each)) continue;
    each.condition.signal = nullptr;
    found = true;
  }
  if (!found || !dozing_) return;
  const uint64_t doze = dozes_;
  tell();
  awake_.wait(lock, [&] { return !dozing_ || dozes_ != doze; });
}

// A handler may ask for another one and destroy signals, its own as well, so it is called without the lock.
bool Callbacks::call_handlers(std::unique_lock<std::mutex>& lock, const bool& gone) {
  bool called = false;
  for (Watched& each : watched_) {
    if (!each.condition.signal || !each.condition.holds()) continue;
    called = true;
    const Watched copy = each;
    lock.unlock();
    const bool again = copy.handler(copy.condition.seen, copy.argument);
    if (gone) return true;
    lock.lock();
    if (!again) each.condition.signal = nullptr;
  }
  std::erase_if(watched_, [](const Watched& each) { return !each.condition.signal; });
  return called;
}

void Callbacks::run() noexcept {
  std::vector<std::function<void()>> calls;
  std::vector<aql::Agent::SeenSignal> seen;
  bool gone = false;
  std::unique_lock lock(mutex_);
  gone_ = &gone;
  for (;;) {
    if (watched_.empty()) news_.wait(lock, [this] { return stopping_ || !calls_.empty() || !added_.empty(); });
    if (stopping_) return;
    const int64_t changes = changes_->value.load(std::memory_order_seq_cst);
    calls.swap(calls_);
    watched_.insert(watched_.end(), added_.begin(), added_.end());
    added_.clear();
    bool called = !calls.empty();
    lock.unlock();
    for (const std::function<void()>& function : calls) {
      function();
      if (gone) return;
    }
    calls.clear();
    lock.lock();
    called |= call_handlers(lock, gone);
    if (gone) return;
    if (called || watched_.empty()) continue;
    seen.assign(1, {changes_, changes});
    for (const Watched& each : watched_) seen.push_back({each.condition.signal, each.condition.seen});
    dozing_ = true;
    lock.unlock();
    signals_.doze(seen);
    lock.lock();
    dozing_ = false;
    ++dozes_;
    awake_.notify_all();
  }
}

} // namespace hip::hsa
