// runtime/backend/aql/soft/job.h - a packet's work that several threads may share, the work-groups of a grid or the
// pieces of a large copy, and the table of all such work that is under way. Jobs are a fixed number of places that are
// used again and again, so sharing work allocates nothing, and looking at a job that has ended harms nothing. Thread
// safety: any thread. Memory ordering: a thread that joins a job acquires what was written between take() and open(); a
// thread that leaves releases its work to the last one that leaves.
#pragma once

#include "runtime/backend/aql/soft/transfer.h"
#include "runtime/engine/engine.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hip::aql::soft {

class SoftQueue;

// What a thread needs to execute work, made when first needed. Used by one thread at a time.
struct Executor {
  std::unique_ptr<engine::Worker> worker;
  std::unique_ptr<engine::Grid> grid; // the last grid, whose memory the next one reuses
};

struct alignas(64) Job {
  // What is known of the packet; written before the job is opened.
  SoftQueue* queue = nullptr;
  std::atomic<uint32_t> queue_tag{0}; // as in signals
  uint64_t packet = 0;
  uint64_t kernel_object = 0; // 0: no kernel
  uint64_t completion = 0;    // signal handle
  uint64_t start_ns = 0;
  engine::Engine* engine = nullptr;
  std::unique_ptr<engine::Grid> grid;  // the work, when the packet is a dispatch; kept afterwards for its memory
  std::optional<TransferJob> transfer; // the work, when it is a transfer
  std::atomic<uint32_t> helpers{0};    // threads that took part
  static constexpr uint32_t kAnyNumber = UINT32_MAX;
  std::atomic<uint32_t> most{kAnyNumber}; // threads at once

  // Takes pieces and does them until none is left to take; none when the host has no memory for the executor's worker,
  // of which the queue's executor has one. Any number of threads at once.
  void run(Executor& executor) noexcept;
  // No piece is left to take.
  bool exhausted() const noexcept { return transfer ? transfer->exhausted() : grid->exhausted(); }
  uint64_t pieces() const noexcept { return transfer ? transfer->pieces() : grid->group_count(); }
  // Valid after every run() has returned.
  Status status() const { return transfer ? Status() : grid->status(); }

private:
  friend class JobTable;
  std::atomic<uint32_t> joined{0}; // threads that keep it from ending; 0: nobody may join
  std::atomic<bool> taken{false};
};

class JobTable {
public:
  // `most` are under way at once; what finds no place is run by one thread alone. A thread that holds jobs
  // (SoftQueue::hold) is in several.
  explicit JobTable(unsigned most);

  // A place for a job, to be filled in; null: all are in use.
  Job* take() noexcept;
  // Others may join from now on; the calling thread has joined already.
  void open(Job& job) noexcept;
  // The calling thread has joined, and no other is asked to.
  void keep(Job& job) noexcept;
  static constexpr uint32_t kAnyQueue = 0;
  // Joins a job of this queue that has work left, and returns it; null when there is none.
  Job* join(uint32_t queue_tag) noexcept;
  // The last one to leave finishes the job and gives its place back.
  void leave(Job& job) noexcept;
  bool any_open() const noexcept;
  bool any_open_but(const Job& job) const noexcept;

private:
  void close(Job& job) noexcept; // takes the job out of open_: it has no work or no place left for others

  std::vector<Job> jobs_;
  std::vector<std::atomic<uint64_t>> open_; // a bit per job
};

} // namespace hip::aql::soft
