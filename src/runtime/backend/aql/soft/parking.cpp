#include "runtime/backend/aql/soft/parking.h"

#include "runtime/backend/aql/soft/futex.h"
#include "runtime/backend/aql/soft/soft_queue.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace hip::aql::soft {

void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected, uint64_t timeout_ns) noexcept {
  timespec time{static_cast<time_t>(timeout_ns / 1000000000), static_cast<long>(timeout_ns % 1000000000)};
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, timeout_ns == UINT64_MAX ? nullptr : &time, nullptr, 0);
}

void futex_wake(const std::atomic<uint32_t>& word, int threads) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

void Parking::changed(const Signal& signal) noexcept {
  Bucket& b = bucket(signal);
  if (b.waiters.load(std::memory_order_seq_cst) == 0) return;
  if (b.threads.load(std::memory_order_seq_cst) != 0) {
    b.epoch.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(b.epoch, INT_MAX);
  }
  if (b.threads_of_many.load(std::memory_order_seq_cst) != 0) {
    epoch_of_many_.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(epoch_of_many_, INT_MAX);
  }
  if (b.tickets.load(std::memory_order_seq_cst) == 0) return;
  // Takes the lock, so that no queue is notified after unpark() has returned to it.
  std::lock_guard guard(b.mutex);
  for (Ticket* ticket = b.first; ticket; ticket = ticket->next)
    if (ticket->signal == &signal) ticket->queue->notify();
}

template<class Asleep>
void Parking::sleep_if(const Signal& signal, uint64_t timeout_ns, const Asleep& asleep) noexcept {
  Bucket& b = bucket(signal);
  b.threads.fetch_add(1, std::memory_order_seq_cst);
  b.waiters.fetch_add(1, std::memory_order_seq_cst);
  const uint32_t epoch = b.epoch.load(std::memory_order_seq_cst);
  if (asleep(signal.value.load(std::memory_order_seq_cst))) futex_wait(b.epoch, epoch, timeout_ns);
  b.waiters.fetch_sub(1, std::memory_order_seq_cst);
  b.threads.fetch_sub(1, std::memory_order_seq_cst);
}

void Parking::sleep(const Signal& signal, int64_t below, uint64_t timeout_ns) noexcept {
  sleep_if(signal, timeout_ns, [below](int64_t value) { return value >= below; });
}

void Parking::sleep_while(const Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept {
  sleep_if(signal, timeout_ns, [seen](int64_t value) { return value == seen; });
}

void Parking::sleep_while_all(std::span<const Agent::SeenSignal> signals, uint64_t timeout_ns) noexcept {
  static_assert(std::tuple_size_v<decltype(buckets_)> == 64);
  uint64_t buckets = 0;
  for (const Agent::SeenSignal& each : signals) buckets |= uint64_t{1} << bucket_number(*each.signal);
  const auto for_each_bucket = [&](const auto& what) {
    for (uint64_t rest = buckets; rest != 0; rest &= rest - 1)
      what(buckets_[static_cast<size_t>(std::countr_zero(rest))]);
  };
  for_each_bucket([](Bucket& b) {
    b.threads_of_many.fetch_add(1, std::memory_order_seq_cst);
    b.waiters.fetch_add(1, std::memory_order_seq_cst);
  });
  const uint32_t epoch = epoch_of_many_.load(std::memory_order_seq_cst);
  if (std::ranges::all_of(signals, [](const Agent::SeenSignal& each) {
        return each.signal->value.load(std::memory_order_seq_cst) == each.seen;
      }))
    futex_wait(epoch_of_many_, epoch, timeout_ns);
  for_each_bucket([](Bucket& b) {
    b.waiters.fetch_sub(1, std::memory_order_seq_cst);
    b.threads_of_many.fetch_sub(1, std::memory_order_seq_cst);
  });
}

void Parking::park(Ticket& ticket, const Signal& signal) noexcept {
  Bucket& b = bucket(signal);
  b.tickets.fetch_add(1, std::memory_order_seq_cst);
  b.waiters.fetch_add(1, std::memory_order_seq_cst);
  std::lock_guard guard(b.mutex);
  ticket.signal = &signal;
  ticket.previous = nullptr;
  ticket.next = b.first;
  if (b.first) b.first->previous = &ticket;
  b.first = &ticket;
}

void Parking::unpark(Ticket& ticket) noexcept {
  if (!ticket.signal) return;
  Bucket& b = bucket(*ticket.signal);
  {
    std::lock_guard guard(b.mutex);
    if (ticket.previous) ticket.previous->next = ticket.next;
    if (ticket.next) ticket.next->previous = ticket.previous;
    if (b.first == &ticket) b.first = ticket.next;
    ticket.signal = nullptr;
  }
  b.tickets.fetch_sub(1, std::memory_order_seq_cst);
  b.waiters.fetch_sub(1, std::memory_order_seq_cst);
}

void Parking::notify_queues() noexcept {
  for (Bucket& b : buckets_) {
    if (b.tickets.load(std::memory_order_seq_cst) == 0) continue;
    std::lock_guard guard(b.mutex); // as changed()
    for (Ticket* ticket = b.first; ticket; ticket = ticket->next) ticket->queue->notify();
  }
}

void Parking::wake_all() noexcept {
  for (Bucket& b : buckets_) {
    b.epoch.fetch_add(1, std::memory_order_seq_cst);
    futex_wake(b.epoch, INT_MAX);
  }
  epoch_of_many_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(epoch_of_many_, INT_MAX);
}

} // namespace hip::aql::soft
