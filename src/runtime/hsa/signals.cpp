#include "runtime/hsa/signals.h"

#include "runtime/backend/aql/cpu_relax.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>

namespace hip::hsa {

namespace {

constexpr uint64_t kSpinNs = 20'000, kLongSpinNs = 100'000; // before a thread sleeps; longer for HSA_WAIT_STATE_ACTIVE

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

uint64_t end_of(uint64_t timeout_ns) noexcept {
  const uint64_t now = now_ns();
  return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

} // namespace

bool satisfies(int64_t value, hsa_signal_condition_t condition, int64_t compare) noexcept {
  switch (condition) {
  case HSA_SIGNAL_CONDITION_EQ:
    return value == compare;
  case HSA_SIGNAL_CONDITION_NE:
    return value != compare;
  case HSA_SIGNAL_CONDITION_LT:
    return value < compare;
  case HSA_SIGNAL_CONDITION_GTE:
    return value >= compare;
  }
  return false;
}

bool Signals::Condition::holds() noexcept {
  seen = signal->value.load(std::memory_order_acquire);
  return satisfies(seen, condition, compare);
}

Signals::~Signals() {
  for (size_t i = 0; i < slab_count_.load(); ++i)
    if (Status status = agent_.free(reinterpret_cast<void*>(slabs_[i].load())); !status.ok())
      log(LogLevel::Warning, "Freeing signals: {}", status.message());
}

bool Signals::has_made(uint64_t handle) const noexcept {
  if (handle % alignof(aql::Signal) != 0) return false;
  const size_t count = slab_count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i)
    if (handle - slabs_[i].load(std::memory_order_relaxed) < kSlabSignals * sizeof(aql::Signal)) return true;
  return false;
}

bool Signals::has_adopted(uint64_t handle) const noexcept {
  if (handle == 0) return false;
  for (size_t i = 0; i < adopted_count_.load(std::memory_order_acquire); ++i)
    if (adopted_[i].load(std::memory_order_relaxed) == handle) return true;
  return false;
}

bool Signals::adopt(aql::Signal& signal) noexcept {
  std::lock_guard guard(mutex_);
  for (size_t i = 0; i < kMostAdopted; ++i)
    if (adopted_[i].load(std::memory_order_relaxed) == 0) {
      adopted_[i].store(aql::to_handle(&signal), std::memory_order_relaxed);
      if (i >= adopted_count_.load(std::memory_order_relaxed)) adopted_count_.store(i + 1, std::memory_order_release);
      return true;
    }
  return false;
}

void Signals::forget(aql::Signal& signal) noexcept {
  std::lock_guard guard(mutex_);
  for (std::atomic<uint64_t>& place : adopted_)
    if (place.load(std::memory_order_relaxed) == aql::to_handle(&signal)) place.store(0, std::memory_order_relaxed);
}

Result<aql::Signal*> Signals::create(int64_t value) {
  std::lock_guard guard(mutex_);
  if (free_.empty()) {
    const size_t count = slab_count_.load(std::memory_order_relaxed);
    if (count == kMostSlabs)
      return error(ErrorCode::OutOfMemory, "There are {} signals, which is the most.", count * kSlabSignals);
    free_.reserve((count + 1) * kSlabSignals); // destroy() cannot fail then
    RT_TRY_ASSIGN(void* const slab,
                  agent_.allocate(kSlabSignals * sizeof(aql::Signal), 4096, aql::AgentMemory::Control));
    auto* const signals = static_cast<aql::Signal*>(slab);
    for (size_t i = kSlabSignals; i-- > 0;) free_.push_back(new (signals + i) aql::Signal);
    slabs_[count].store(reinterpret_cast<uint64_t>(slab), std::memory_order_relaxed);
    slab_count_.store(count + 1, std::memory_order_release);
  }
  aql::Signal* const signal = free_.back();
  free_.pop_back();
  signal->kind = aql::Signal::kUser;
  signal->start_ts = signal->end_ts = 0;
  signal->queue_tag.store(0, std::memory_order_relaxed);
  signal->value.store(value, std::memory_order_release);
  return signal;
}

void Signals::destroy(aql::Signal& signal) noexcept {
  std::lock_guard guard(mutex_);
  signal.kind = aql::Signal::kInvalid;
  free_.push_back(&signal);
}

namespace {

// A signal that falls below this satisfies the condition, or is worth another look; nothing where it has to rise.
std::optional<int64_t> falls_below(int64_t seen, hsa_signal_condition_t condition, int64_t compare) noexcept {
  if (condition == HSA_SIGNAL_CONDITION_LT) return compare;
  if (condition == HSA_SIGNAL_CONDITION_NE) return seen;
  if (condition == HSA_SIGNAL_CONDITION_EQ && seen > compare) return compare + 1;
  return std::nullopt;
}

} // namespace

int64_t Signals::wait(aql::Signal& signal, hsa_signal_condition_t condition, int64_t compare, uint64_t timeout_ns,
                      hsa_wait_state_t hint) noexcept {
  Condition one{&signal, condition, compare};
  if (one.holds() || timeout_ns == 0) return one.seen;
  if (timeout_ns == UINT64_MAX) {
    // Not with a limit: a kernel that is begun is executed to its end.
    while (signal.queue_tag.load(std::memory_order_relaxed) != 0) {
      const std::optional<int64_t> below = falls_below(one.seen, condition, compare);
      if (!below) break;
      agent_.wait_signal(signal, *below, kDozeNs);
      if (one.holds()) return one.seen;
    }
  }
  const uint64_t begin = now_ns(), end = end_of(timeout_ns);
  const uint64_t sleep_at = begin + (hint == HSA_WAIT_STATE_ACTIVE ? kLongSpinNs : kSpinNs);
  for (uint64_t now = begin; !one.holds() && now < end; now = now_ns()) {
    if (now < sleep_at)
      for (unsigned i = 0; i < 32; ++i) aql::cpu_relax();
    else
      agent_.sleep_on_signal(signal, one.seen, std::min(kDozeNs, end - now));
  }
  return one.seen;
}

size_t Signals::wait_any(std::span<Condition> conditions, uint64_t timeout_ns) {
  const uint64_t end = end_of(timeout_ns);
  std::vector<aql::Agent::SeenSignal> seen(conditions.size());
  for (;;) {
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (conditions[i].holds()) return i;
      seen[i] = {conditions[i].signal, conditions[i].seen};
    }
    const uint64_t now = now_ns();
    if (now >= end || conditions.empty()) return conditions.size();
    agent_.sleep_on_any_signal(seen, std::min(kDozeNs, end - now));
  }
}

bool Signals::wait_all(std::span<Condition> conditions, uint64_t timeout_ns) noexcept {
  const uint64_t end = end_of(timeout_ns);
  for (;;) {
    Condition* missing = nullptr;
    for (Condition& each : conditions)
      if (!each.holds() && !missing) missing = &each;
    if (!missing) return true;
    const uint64_t now = now_ns();
    if (now >= end) return false;
    agent_.sleep_on_signal(*missing->signal, missing->seen, std::min(kDozeNs, end - now));
  }
}

} // namespace hip::hsa
