// runtime/backend/aql/soft/system.h - what all software GPUs of the process share: the arena, the engine, the threads.
// Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/fork_generation.h"
#include "runtime/backend/aql/soft/address_space.h"
#include "runtime/backend/aql/soft/arena.h"
#include "runtime/backend/aql/soft/parking.h"
#include "runtime/backend/aql/soft/scheduler.h"
#include "runtime/backend/aql/soft/signal_poll.h"
#include "runtime/backend/aql/soft/virtual_memory.h"
#include "runtime/backend/aql/soft/watchdog.h"

#include <functional>
#include <memory>

namespace hip::aql::soft {

uint64_t now_ns() noexcept; // steady_clock: the agents' tick

struct SystemOptions {
  unsigned threads = 0;      // 0: one per hardware thread that this process may use
  uint64_t memory_bytes = 0; // 0: three quarters of the host's
  uint64_t page_bytes = 4096; // Arena::create
  bool strict_reads = false;  // no Arena::lend_gap
  uint64_t spin_ns = 40000;
  uint64_t launch_limit_ns = 0; // how long a launch may execute; 0: for any time
  // Makes the engine when it is first needed; empty: the engine's shared object is opened.
  std::function<Result<std::unique_ptr<engine::Engine>>(const engine::AddressSpace&)> open_engine;
};

class System {
public:
  static Result<std::shared_ptr<System>> create(const SystemOptions& options);
  ~System();

  Arena& arena() noexcept { return *arena_; }
  AddressSpace& space() noexcept { return *space_; }
  VirtualMemory& virtual_memory() noexcept { return *virtual_memory_; }
  Scheduler& scheduler() noexcept { return *scheduler_; }
  Parking& parking() noexcept { return parking_; }
  SignalPoll& signal_poll() noexcept { return *signal_poll_; }
  Watchdog& watchdog() noexcept { return *watchdog_; }
  // The engine; the first call opens it.
  Result<engine::Engine*> engine();
  // The engine, when it has been opened; else null.
  engine::Engine* opened_engine() const noexcept { return engine_pointer_.load(std::memory_order_acquire); }
  // Threads and their locks do not survive fork: in the child nothing works but giving memory back.
  Status usable() const;
  // This process was forked from the one that made the system, whose threads it does not have.
  bool inherited() const noexcept { return generation_.inherited(); }
  // The process is ending: no new kernel begins, but some may not have ended.
  bool ends() const noexcept;
  // HSA's users have queues: their packets go on when the process ends, but for kernels.
  void note_user_queue() noexcept { user_queues_.store(true, std::memory_order_relaxed); }
  bool has_user_queues() const noexcept { return user_queues_.load(std::memory_order_relaxed); }

private:
  System() = default;

  SystemOptions options_;
  std::atomic<bool> user_queues_{false};
  const Generation generation_;
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<AddressSpace> space_;
  std::unique_ptr<VirtualMemory> virtual_memory_;
  Parking parking_;
  std::mutex engine_mutex_;
  std::unique_ptr<engine::Engine> engine_;
  std::atomic<engine::Engine*> engine_pointer_{nullptr};
  std::unique_ptr<SignalPoll> signal_poll_;
  std::unique_ptr<Watchdog> watchdog_;
  std::unique_ptr<Scheduler> scheduler_; // the last member, so it is destroyed first
};

// The memory that this process may use, limits of control groups included.
uint64_t host_memory_bytes();
// How fast the host's cycle counter counts, of which clock64() reads a part (shader_clock.h); 0 when unknown.
uint32_t host_counter_khz();

} // namespace hip::aql::soft
