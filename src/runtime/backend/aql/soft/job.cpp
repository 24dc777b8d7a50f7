#include "runtime/backend/aql/soft/job.h"

#include "runtime/backend/aql/soft/soft_queue.h"

#include <bit>
#include <new>

namespace hip::aql::soft {

void Job::run(Executor& executor) noexcept {
  if (transfer) return transfer->run();
  if (!executor.worker) {
    try {
      executor.worker = engine->create_worker();
    } catch (const std::bad_alloc&) { // the thread that began the job has one
      return;
    }
  }
  grid->run(*executor.worker);
}

JobTable::JobTable(unsigned most) : jobs_(most), open_((most + 63) / 64) {}

Job* JobTable::take() noexcept {
  for (Job& job : jobs_)
    if (!job.taken.load(std::memory_order_relaxed) && !job.taken.exchange(true, std::memory_order_acquire)) return &job;
  return nullptr;
}

void JobTable::keep(Job& job) noexcept {
  job.helpers.store(1, std::memory_order_relaxed);
  job.joined.store(1, std::memory_order_release);
}

void JobTable::open(Job& job) noexcept {
  const auto number = static_cast<size_t>(&job - jobs_.data());
  keep(job);
  open_[number / 64].fetch_or(uint64_t(1) << number % 64, std::memory_order_seq_cst);
}

void JobTable::close(Job& job) noexcept {
  const auto number = static_cast<size_t>(&job - jobs_.data());
  const uint64_t bit = uint64_t(1) << number % 64;
  std::atomic<uint64_t>& word = open_[number / 64];
  if ((word.load(std::memory_order_relaxed) & bit) != 0) word.fetch_and(~bit, std::memory_order_seq_cst);
}

Job* JobTable::join(uint32_t queue_tag) noexcept {
  const auto wanted = [queue_tag](const Job& job) {
    return queue_tag == kAnyQueue || job.queue_tag.load(std::memory_order_relaxed) == queue_tag;
  };
  for (size_t w = 0; w < open_.size(); ++w)
    for (uint64_t left = open_[w].load(std::memory_order_relaxed); left != 0; left &= left - 1) {
      Job& job = jobs_[w * 64 + static_cast<size_t>(std::countr_zero(left))];
      if (!wanted(job)) continue;
      const uint32_t most = job.most.load(std::memory_order_relaxed);
      uint32_t joined = job.joined.load(std::memory_order_relaxed);
      while (joined != 0 && joined < most &&
             !job.joined.compare_exchange_weak(joined, joined + 1, std::memory_order_acq_rel)) {
      }
      if (joined == 0 || joined >= most) continue;
      // From here on the job cannot end, but its place may hold another job than the one whose bit was seen.
      if (!job.exhausted() && wanted(job)) {
        if (joined + 1 == most) close(job);
        job.helpers.fetch_add(1, std::memory_order_relaxed);
        return &job;
      }
      leave(job);
    }
  return nullptr;
}

void JobTable::leave(Job& job) noexcept {
  if (job.exhausted()) close(job);
  if (job.joined.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  job.queue->finish(job);
  job.transfer.reset();
  job.taken.store(false, std::memory_order_release);
}

bool JobTable::any_open_but(const Job& job) const noexcept {
  const auto number = static_cast<size_t>(&job - jobs_.data());
  for (size_t w = 0; w < open_.size(); ++w) {
    const uint64_t its_bit = w == number / 64 ? uint64_t(1) << number % 64 : 0;
    if ((open_[w].load(std::memory_order_seq_cst) & ~its_bit) != 0) return true;
  }
  return false;
}

bool JobTable::any_open() const noexcept {
  for (const std::atomic<uint64_t>& word : open_)
    if (word.load(std::memory_order_seq_cst) != 0) return true;
  return false;
}

} // namespace hip::aql::soft
