#include "runtime/backend/cuda/context.h"

#include "runtime/base/biased_mutex.h"
#include "runtime/base/log.h"
#include "runtime/base/start_thread.h"

#include <map>

namespace hip::cuda {

namespace {
size_t event_kind(const backend::PointOptions& options) noexcept {
  return (options.timed ? 1u : 0u) | (options.blocking_wait ? 2u : 0u);
}
} // namespace

Context::Context(const Driver& driver, CUdevice device, std::string name)
    : driver_(driver), get_current_(driver.cuCtxGetCurrent), device_(device), name_(std::move(name)) {}

Context::~Context() {
  if (!context_) return;
  if (driver_.cuCtxSetCurrent(context_) == kSuccess) {
    clock_.end();
    for (const auto& events : free_events_)
      for (CUevent event : events) driver_.cuEventDestroy(event);
  }
  driver_.cuCtxSetCurrent(nullptr);
  driver_.cuDevicePrimaryCtxRelease(device_);
}

Status Context::start() {
  std::lock_guard lock(mutex_);
  if (!fault_.ok()) return fault_;
  if (usable_.load(std::memory_order_relaxed)) return {};
  RT_TRY(driver_.status(driver_.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain"));
  BiasedMutex::prepare_process(); // takes long, and a tenth of what the context has taken
  usable_.store(true, std::memory_order_release);
  return {};
}

Status Context::fault() const {
  if (usable_.load(std::memory_order_acquire)) return {};
  std::lock_guard lock(mutex_);
  return fault_;
}

Status Context::fail(CUresult result, const char* call) {
  if (!is_fatal(result)) return driver_.status(result, call);
  end(result, call);
  return fault();
}

void Context::end(CUresult result, const char* call) {
  {
    std::lock_guard lock(mutex_);
    if (!fault_.ok()) return;
    fault_ = error(to_error_code(result),
                   "{} has failed: {}, told by {}. {} Nothing can be done on this device any more "
                   "in this process.",
                   name_, driver_.describe(result), call, suspects_locked());
    usable_.store(false, std::memory_order_release);
    log(LogLevel::Fault, "{}", fault_.message());
  }
  std::vector<std::pair<backend::HostFunction, void*>> failed; // this context may be gone when they are called
  {
    std::lock_guard lock(calls_mutex_);
    if (calls_.empty()) return;
    for (HostCall& host_call : calls_) {
      host_call.failed = true;
      failed.emplace_back(host_call.function, host_call.user_data);
    }
    failed_calls_.splice(failed_calls_.end(), calls_);
  }
  const auto tell = [failed = std::move(failed), why = fault()] {
    for (const auto& [function, user_data] : failed) function(user_data, why);
  };
  // From a separate thread, because this one may hold its stream's lock. Where there is none to be had, from this one:
  // these functions may not call HIP, and the program may be waiting for one of them.
  std::thread thread;
  if (start_thread(thread, tell).ok())
    thread.detach();
  else
    tell();
}

std::string Context::suspects_locked() {
  std::map<std::string_view, uint64_t> launches;
  uint64_t others = 0;
  for (const LaunchLog* log : logs_) others += log->suspects([&](const char* name) { ++launches[name]; });
  if (launches.empty()) return "No kernel that HIP launched can be the cause: all of them had ended well.";
  if (launches.size() == 1 && others == 0) return fmt::format("The kernel is {}.", launches.begin()->first);
  std::string names;
  for (const auto& [name, count] : launches)
    names += fmt::format("{}{} ({} launch{})", names.empty() ? "" : ", ", name, count, count == 1 ? "" : "es");
  if (others != 0) names += fmt::format(", or {} earlier launches", others);
  return fmt::format("The kernel is one of those that were launched since the last synchronisation: {}. "
                     "HIP_LAUNCH_BLOCKING=1 tells which.",
                     names);
}

// ---- events --------------------------------------------------------------------------------------------------------

Result<CUevent> Context::take_event(const backend::PointOptions& options) {
  {
    std::lock_guard lock(events_mutex_);
    auto& events = free_events_[event_kind(options)];
    if (!events.empty()) {
      CUevent event = events.back();
      events.pop_back();
      return event;
    }
  }
  CUevent event = nullptr;
  const unsigned flags = (options.timed ? 0 : kEventDisableTiming) | (options.blocking_wait ? kEventBlockingSync : 0);
  RT_TRY(check(driver_.cuEventCreate(&event, flags), "cuEventCreate"));
  return event;
}

void Context::give_event(CUevent event, const backend::PointOptions& options) noexcept {
  try {
    std::lock_guard lock(events_mutex_);
    free_events_[event_kind(options)].push_back(event);
  } catch (const std::bad_alloc&) {
    driver_.cuEventDestroy(event);
  }
}

bool Context::used_by_others() const noexcept {
  unsigned flags = 0;
  int active = 0;
  return driver_.cuDevicePrimaryCtxGetState(device_, &flags, &active) == kSuccess && active != 0;
}

Status Context::synchronize() {
  if (!usable_.load(std::memory_order_acquire) && fault().ok() && !used_by_others()) return {};
  std::vector<std::pair<Ref<LaunchLog>, uint64_t>> launched;
  {
    std::lock_guard lock(mutex_);
    for (LaunchLog* log : logs_) launched.emplace_back(Ref<LaunchLog>(log), log->launches());
  }
  RT_TRY(enter());
  RT_TRY(check(driver_.cuCtxSynchronize(), "cuCtxSynchronize"));
  for (const auto& [log, launches] : launched) log->good_up_to(launches);
  return {};
}

// ---- launches ------------------------------------------------------------------------------------------------------

void Context::add_log(LaunchLog& log) {
  std::lock_guard lock(mutex_);
  logs_.push_back(&log);
}

void Context::remove_log(LaunchLog& log) noexcept {
  std::lock_guard lock(mutex_);
  std::erase(logs_, &log);
}

const char* Context::intern(const std::string& text) {
  std::lock_guard lock(mutex_);
  return names_.insert(text).first->c_str();
}

// ---- host functions ------------------------------------------------------------------------------------------------

Context::HostCall& Context::add_host_call(backend::HostFunction function, void* user_data) {
  std::lock_guard lock(calls_mutex_);
  calls_.push_back({*this, function, user_data, {}, false});
  calls_.back().self = std::prev(calls_.end());
  return calls_.back();
}

void Context::drop_host_call(HostCall& call) noexcept {
  std::lock_guard lock(calls_mutex_);
  if (!call.failed) calls_.erase(call.self);
}

void Context::run_host_call(void* opaque) noexcept {
  HostCall& call = *static_cast<HostCall*>(opaque);
  std::list<HostCall> mine;
  {
    std::lock_guard lock(call.context.calls_mutex_);
    if (call.failed) return;
    mine.splice(mine.end(), call.context.calls_, call.self);
  }
  call.function(call.user_data, Status());
}

} // namespace hip::cuda
