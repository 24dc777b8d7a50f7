// runtime/hsa_check/signal_calls.cpp - signals. Waiting and calling back happen without the book's lock.
#include "runtime/hsa_check/book.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace hip::hsa_check {

namespace {

hsa_status_t note_created(hsa_status_t status, const hsa_signal_t* signal) {
  if (status != HSA_STATUS_SUCCESS) return status;
  auto guard = book().lock();
  book().signals[signal->handle] = Signal();
  book().destroyed_signals.erase(signal->handle);
  return status;
}

bool known(uint64_t handle, std::string_view where) {
  auto guard = book().lock();
  return book().usable(handle, where) != nullptr;
}

// A change by the host: `change` is called where the signal is one. The doorbell of a queue tells of packets.
template<class Change> void changed(hsa_signal_t handle, std::string_view where, const Change& change) {
  auto guard = book().lock();
  Signal* const signal = book().usable(handle.handle, where);
  if (!signal) return;
  if (signal->doorbell_of) {
    report(Rule::SignalDoorbell, where, "{:#x} is the doorbell of a queue.", handle.handle);
    return;
  }
  book().before_change(*signal, handle.handle);
  change();
  book().after_change(*signal, handle.handle);
}

template<class Store> void stored(hsa_signal_t handle, int64_t value, std::string_view where, const Store& store) {
  {
    auto guard = book().lock();
    Signal* const signal = book().usable(handle.handle, where);
    if (!signal) return;
    if (!signal->doorbell_of) {
      book().before_change(*signal, handle.handle);
      store(value);
      book().after_change(*signal, handle.handle);
      return;
    }
    if (Queue* const queue = book().usable(signal->doorbell_of, where)) {
      const std::optional<uint64_t> told = check_packets(book(), *queue, static_cast<uint64_t>(value), where);
      if (!told) return;
      value = static_cast<int64_t>(*told);
    }
  }
  store(value);
}

// Counts a thread or handler that uses the signals until end().
class Waiting {
public:
  Waiting(const hsa_signal_t* signals, uint32_t count, std::string_view where) {
    auto guard = book().lock();
    for (uint32_t i = 0; i < count; ++i) {
      Signal* const signal = book().usable(signals[i].handle, where);
      if (!signal) continue;
      ++signal->waiting;
      handles_.push_back(signals[i].handle);
    }
    all_known_ = handles_.size() == count;
  }
  ~Waiting() {
    auto guard = book().lock();
    for (const uint64_t handle : handles_)
      if (const auto found = book().signals.find(handle); found != book().signals.end() && found->second.waiting > 0)
        --found->second.waiting;
  }
  Waiting(const Waiting&) = delete;
  bool all_known() const noexcept { return all_known_; }

private:
  std::vector<uint64_t> handles_;
  bool all_known_ = false;
};

// A handler goes on as long as it returns true.
struct Handler {
  hsa_amd_signal_handler function;
  void* argument;
  std::unique_ptr<Waiting> waiting;
};
// Those that will be called again; those of a signal that a program destroys under them stay.
class Handlers {
public:
  static Handlers& get() {
    static Handlers* const all = new Handlers; // never destroyed: the runtime's threads call handlers
    return *all;
  }
  Handler* add(Handler handler) {
    auto owned = std::make_unique<Handler>(std::move(handler));
    std::lock_guard lock(mutex_);
    Handler* const key = owned.get();
    return handlers_.emplace(key, std::move(owned)).first->first;
  }
  void remove(Handler* handler) {
    std::unique_ptr<Handler> ended; // after the lock: it is another lock's to forget its wait
    std::lock_guard lock(mutex_);
    const auto found = handlers_.find(handler);
    ended = std::move(found->second);
    handlers_.erase(found);
  }

private:
  std::mutex mutex_;
  std::unordered_map<Handler*, std::unique_ptr<Handler>> handlers_;
};

bool call_handler(hsa_signal_value_t value, void* data) {
  auto* const handler = static_cast<Handler*>(data);
  // The handler may destroy the signal when it is the last call.
  std::unique_ptr<Waiting> waiting = std::move(handler->waiting);
  waiting.reset();
  const bool again = handler->function(value, handler->argument);
  if (!again) Handlers::get().remove(handler);
  return again;
}

} // namespace

hsa_status_t calls::hsa_signal_create(hsa_signal_value_t value, uint32_t consumers, const hsa_agent_t* agents,
                                      hsa_signal_t* signal) {
  return note_created(next.hsa_signal_create(value, consumers, agents, signal), signal);
}

hsa_status_t calls::hsa_amd_signal_create(hsa_signal_value_t value, uint32_t consumers, const hsa_agent_t* agents,
                                          uint64_t attributes, hsa_signal_t* signal) {
  return note_created(next.hsa_amd_signal_create(value, consumers, agents, attributes, signal), signal);
}

hsa_status_t calls::hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t* handle, hsa_signal_t* signal) {
  return note_created(next.hsa_amd_ipc_signal_attach(handle, signal), signal);
}

hsa_status_t calls::hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t* handle) {
  if (signal.handle != 0 && !known(signal.handle, "hsa_amd_ipc_signal_create")) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  return next.hsa_amd_ipc_signal_create(signal, handle);
}

hsa_status_t calls::hsa_signal_destroy(hsa_signal_t handle) {
  constexpr std::string_view where = "hsa_signal_destroy";
  if (handle.handle == 0) return next.hsa_signal_destroy(handle);
  {
    auto guard = book().lock();
    Signal* const signal = book().usable(handle.handle, where);
    if (!signal) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (signal->doorbell_of) {
      report(Rule::SignalDoorbell, where, "{:#x} is the doorbell of a queue.", handle.handle);
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    }
    book().sweep();
    if (signal->waiting > 0)
      report(Rule::SignalInUse, where, "{} threads or handlers wait for the signal {:#x}.", signal->waiting,
             handle.handle);
    for (const Work& work : book().under_way())
      if (work.completion == handle.handle)
        report(Rule::SignalInUse, where, "{} will complete the signal {:#x}.", work.what, handle.handle);
      else if (std::find(work.waits_for.begin(), work.waits_for.end(), handle.handle) != work.waits_for.end())
        report(Rule::SignalInUse, where, "{} waits for the signal {:#x}.", work.what, handle.handle);
    book().forget_signal(handle.handle);
  }
  return next.hsa_signal_destroy(handle);
}

hsa_status_t calls::hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t** pointer) {
  if (signal.handle != 0 && !known(signal.handle, "hsa_amd_signal_value_pointer"))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  return next.hsa_amd_signal_value_pointer(signal, pointer);
}

hsa_status_t calls::hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t condition,
                                                 hsa_signal_value_t value, hsa_amd_signal_handler function,
                                                 void* argument) {
  constexpr std::string_view where = "hsa_amd_signal_async_handler";
  if (signal.handle == 0 || !function)
    return next.hsa_amd_signal_async_handler(signal, condition, value, function, argument);
  auto waiting = std::make_unique<Waiting>(&signal, 1, where);
  if (!waiting->all_known()) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  Handler* const handler = Handlers::get().add({function, argument, std::move(waiting)});
  const hsa_status_t status = next.hsa_amd_signal_async_handler(signal, condition, value, call_handler, handler);
  if (status != HSA_STATUS_SUCCESS) Handlers::get().remove(handler);
  return status;
}

uint32_t calls::hsa_amd_signal_wait_any(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                                        hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t hint,
                                        hsa_signal_value_t* satisfying) {
  const Waiting waiting(signals, signals ? count : 0, "hsa_amd_signal_wait_any");
  if (!waiting.all_known() && signals) return UINT32_MAX;
  return next.hsa_amd_signal_wait_any(count, signals, conditions, values, timeout, hint, satisfying);
}

uint32_t calls::hsa_amd_signal_wait_all(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                                        hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t hint,
                                        hsa_signal_value_t* satisfying) {
  const Waiting waiting(signals, signals ? count : 0, "hsa_amd_signal_wait_all");
  if (!waiting.all_known() && signals) return UINT32_MAX;
  return next.hsa_amd_signal_wait_all(count, signals, conditions, values, timeout, hint, satisfying);
}

hsa_status_t calls::hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                        hsa_amd_profiling_dispatch_time_t* time) {
  if (!known(signal.handle, "hsa_amd_profiling_get_dispatch_time")) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  return next.hsa_amd_profiling_get_dispatch_time(agent, signal, time);
}

hsa_status_t calls::hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal,
                                                          hsa_amd_profiling_async_copy_time_t* time) {
  if (!known(signal.handle, "hsa_amd_profiling_get_async_copy_time")) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  return next.hsa_amd_profiling_get_async_copy_time(signal, time);
}

// ---- values ------------------------------------------------------------------------------------------------------

#define HSA_LOAD(name)                                                                                                 \
  hsa_signal_value_t calls::name(hsa_signal_t signal) { return known(signal.handle, #name) ? next.name(signal) : 0; }
HSA_LOAD(hsa_signal_load_relaxed)
HSA_LOAD(hsa_signal_load_scacquire)

#define HSA_STORE(name)                                                                                                \
  void calls::name(hsa_signal_t signal, hsa_signal_value_t value) {                                                    \
    stored(signal, value, #name, [&](hsa_signal_value_t stored_value) { next.name(signal, stored_value); });           \
  }
HSA_STORE(hsa_signal_store_relaxed)
HSA_STORE(hsa_signal_store_screlease)
HSA_STORE(hsa_signal_silent_store_relaxed)
HSA_STORE(hsa_signal_silent_store_screlease)

#define HSA_WAIT(name)                                                                                                 \
  hsa_signal_value_t calls::name(hsa_signal_t signal, hsa_signal_condition_t condition, hsa_signal_value_t compare,    \
                                 uint64_t timeout, hsa_wait_state_t hint) {                                            \
    const Waiting waiting(&signal, 1, #name);                                                                          \
    return waiting.all_known() ? next.name(signal, condition, compare, timeout, hint) : 0;                             \
  }
HSA_WAIT(hsa_signal_wait_relaxed)
HSA_WAIT(hsa_signal_wait_scacquire)

#define HSA_VALUE(name, parameters, arguments)                                                                         \
  hsa_signal_value_t calls::name parameters {                                                                          \
    hsa_signal_value_t before = 0;                                                                                     \
    changed(signal, #name, [&] { before = next.name arguments; });                                                     \
    return before;                                                                                                     \
  }
#define HSA_CHANGE(name)                                                                                               \
  void calls::name(hsa_signal_t signal, hsa_signal_value_t value) {                                                    \
    changed(signal, #name, [&] { next.name(signal, value); });                                                         \
  }
#define HSA_ORDERS(order)                                                                                              \
  HSA_VALUE(hsa_signal_exchange_##order, (hsa_signal_t signal, hsa_signal_value_t value), (signal, value))             \
  HSA_VALUE(hsa_signal_cas_##order, (hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value),      \
            (signal, expected, value))                                                                                 \
  HSA_CHANGE(hsa_signal_add_##order)                                                                                   \
  HSA_CHANGE(hsa_signal_subtract_##order)                                                                              \
  HSA_CHANGE(hsa_signal_and_##order)                                                                                   \
  HSA_CHANGE(hsa_signal_or_##order)                                                                                    \
  HSA_CHANGE(hsa_signal_xor_##order)
HSA_ORDERS(relaxed)
HSA_ORDERS(scacquire)
HSA_ORDERS(screlease)
HSA_ORDERS(scacq_screl)

} // namespace hip::hsa_check
