#include "runtime/backend/aql/soft/system.h"

#include "runtime/backend/aql/soft/engine_library.h"
#include "runtime/base/processors.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sys/sysinfo.h>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kExitPatienceNs = 200'000'000, kExitDrainNs = 2'000'000'000;

std::atomic<bool> process_ends{false};

// The system that must be quiet before the engine's static objects go, at exit.
std::mutex exit_mutex;
std::weak_ptr<System>* exit_system = nullptr;

void quiesce_at_exit() {
  std::shared_ptr<System> system;
  {
    std::lock_guard guard(exit_mutex);
    if (exit_system) system = exit_system->lock();
  }
  if (!system || !system->usable().ok()) return;
  // A program that uses HSA may have exit handlers of its own that wait for its queues, as AMD's HIP does: what is in
  // them now is executed first, and what comes later as far as it can be.
  if (system->has_user_queues()) system->scheduler().drain(kExitDrainNs);
  process_ends.store(true);
  system->scheduler().quiesce(kExitPatienceNs,
                              system->has_user_queues() ? Scheduler::AtExit::KernelsFail : Scheduler::AtExit::Stop);
}

// "max" or a number of bytes; nothing when the file is not there.
uint64_t read_limit(const char* path) {
  std::ifstream file(path);
  uint64_t bytes = 0;
  return file >> bytes ? bytes : UINT64_MAX;
}

} // namespace

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

uint64_t host_memory_bytes() {
  struct sysinfo info {};
  ::sysinfo(&info);
  const uint64_t physical = uint64_t(info.totalram) * info.mem_unit;
  return std::min(
      {physical, read_limit("/sys/fs/cgroup/memory.max"), read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

// The kernel derives bogomips (millions of half steps per second) from the constant time-stamp counter.
uint32_t host_counter_khz() {
#if defined(__x86_64__)
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.starts_with("bogomips")) return static_cast<uint32_t>(std::atof(line.c_str() + line.find(':') + 1) * 500);
#endif
  return 0;
}

Result<std::shared_ptr<System>> System::create(const SystemOptions& options) {
  std::shared_ptr<System> system(new System);
  system->options_ = options;
  const uint64_t host_memory = host_memory_bytes();
  const uint64_t memory = options.memory_bytes ? options.memory_bytes : host_memory / 4 * 3;
  RT_TRY_ASSIGN(system->arena_, Arena::create(memory / 4096 * 4096, host_memory / 4096 * 4096, options.page_bytes,
                                              !options.strict_reads));
  system->space_ = std::make_unique<AddressSpace>(*system->arena_);
  system->virtual_memory_ = std::make_unique<VirtualMemory>(*system->arena_);
  system->signal_poll_ = std::make_unique<SignalPoll>(system->parking_);
  system->watchdog_ = std::make_unique<Watchdog>(options.launch_limit_ns);
  const unsigned threads = options.threads ? options.threads : usable_processors();
  system->scheduler_ = std::make_unique<Scheduler>(*system, threads, options.spin_ns);
  std::lock_guard guard(exit_mutex);
  if (!exit_system) exit_system = new std::weak_ptr<System>;
  *exit_system = system;
  return system;
}

System::~System() {
  if (!inherited()) return;
  static_cast<void>(watchdog_.release()); // their threads are not there, and their ends cannot be waited for
  static_cast<void>(signal_poll_.release());
}

Result<engine::Engine*> System::engine() {
  if (engine::Engine* opened = opened_engine()) return opened;
  std::lock_guard guard(engine_mutex_);
  if (!engine_) {
    RT_TRY_ASSIGN(engine_, options_.open_engine ? options_.open_engine(*space_) : open_engine(*space_));
    engine_pointer_.store(engine_.get(), std::memory_order_release);
    // Registered after the engine's own exit handlers, so it runs before them.
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(quiesce_at_exit); });
  }
  return engine_.get();
}

bool System::ends() const noexcept { return process_ends.load(std::memory_order_relaxed); }

Status System::usable() const {
  if (inherited()) [[unlikely]]
    return error(ErrorCode::NotInitialized,
                 "This process was forked from one that uses software GPUs; it cannot use them. "
                 "Call HIP first in the child only, or start it with exec.");
  if (ends()) [[unlikely]]
    return error(ErrorCode::Deinitialized, "The process is ending: its software GPUs execute nothing any more.");
  return Status();
}

} // namespace hip::aql::soft
