// runtime/hsa/signal_entries.cpp - signals of the interface. Operations on a signal's value do not look at the runtime:
// they are operations on memory, and as quick.
#include "runtime/hsa/entry.h"

#include <vector>

using namespace hip::hsa;
using hip::aql::Signal;

namespace {

constexpr size_t kMostOfGroup = 1 << 16;

// Changes of doorbells are messages to the agent; of other signals, something to wake waiters for.
void changed(Signal& signal) noexcept {
  if (Runtime* const runtime = Runtime::current()) runtime->signals().changed(signal);
}

void store(hsa_signal_t handle, int64_t value) noexcept {
  Signal& signal = *to_signal(handle);
  if (is_doorbell(signal)) return reinterpret_cast<UserQueue*>(signal.queue_ptr)->ring(static_cast<uint64_t>(value));
  signal.value.store(value, std::memory_order_seq_cst);
  changed(signal);
}

template<class Operation> int64_t modify(hsa_signal_t handle, const Operation& operation) noexcept {
  Signal& signal = *to_signal(handle);
  const int64_t before = operation(signal.value);
  changed(signal);
  return before;
}

int64_t wait(hsa_signal_t handle, hsa_signal_condition_t condition, int64_t compare, uint64_t timeout,
             hsa_wait_state_t hint) {
  Runtime* const runtime = Runtime::current();
  return runtime ? runtime->signals().wait(*to_signal(handle), condition, compare, timeout, hint) : 0;
}

std::vector<Signals::Condition> conditions_of(uint32_t count, const hsa_signal_t* signals,
                                              const hsa_signal_condition_t* conditions,
                                              const hsa_signal_value_t* values) {
  std::vector<Signals::Condition> all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = {to_signal(signals[i]), conditions[i], values[i], 0};
  return all;
}

struct Group {
  std::vector<hsa_signal_t> signals;
};

hsa_status_t create_signal(Runtime& runtime, int64_t value, uint32_t consumers, const hsa_agent_t* agents, bool shared,
                           hsa_signal_t* out) {
  if (!out || (consumers > 0 && !agents)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < consumers; ++i)
    for (uint32_t k = 0; k < i; ++k)
      if (agents[i].handle == agents[k].handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!runtime.has_memory()) return refuse(HSA_STATUS_ERROR_OUT_OF_RESOURCES, "There is no GPU to signal.");
  hip::Result<Signal*> signal = shared ? runtime.shared_signals().create(value) : runtime.signals().create(value);
  if (!signal.ok()) return to_hsa(signal.status());
  out->handle = hip::aql::to_handle(*signal);
  return HSA_STATUS_SUCCESS;
}

} // namespace

hsa_status_t hsa_signal_create(hsa_signal_value_t value, uint32_t consumers, const hsa_agent_t* agents,
                               hsa_signal_t* signal) {
  return entry([&](Runtime& runtime) { return create_signal(runtime, value, consumers, agents, false, signal); });
}

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t value, uint32_t consumers, const hsa_agent_t* agents,
                                   uint64_t attributes, hsa_signal_t* signal) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if ((attributes & ~uint64_t(HSA_AMD_SIGNAL_AMD_GPU_ONLY | HSA_AMD_SIGNAL_IPC)) != 0)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return create_signal(runtime, value, consumers, agents, (attributes & HSA_AMD_SIGNAL_IPC) != 0, signal);
  });
}

hsa_status_t hsa_signal_destroy(hsa_signal_t handle) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (handle.handle == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.has_memory() || !runtime.signals().owns(handle.handle)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    Signal& signal = *to_signal(handle);
    if (signal.kind != Signal::kUser) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    runtime.callbacks().forget(signal);
    if (runtime.shared_signals().destroy(signal)) return HSA_STATUS_SUCCESS;
    runtime.signals().destroy(signal);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t handle, volatile hsa_signal_value_t** pointer) {
  return entry([&](Runtime&) -> hsa_status_t {
    if (handle.handle == 0 || !pointer) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *pointer = reinterpret_cast<volatile hsa_signal_value_t*>(&to_signal(handle)->value);
    return HSA_STATUS_SUCCESS;
  });
}

// ---- values: each order that the specification names; older names are in exports.def ------------------------------

#define HSA_LOAD(order, cxx_order)                                                                                     \
  hsa_signal_value_t hsa_signal_load_##order(hsa_signal_t signal) { return to_signal(signal)->value.load(cxx_order); }
HSA_LOAD(relaxed, std::memory_order_relaxed)
HSA_LOAD(scacquire, std::memory_order_acquire)

// A change is sequentially consistent whatever was asked for, so that a waiter that goes to sleep sees it.
#define HSA_STORE(order)                                                                                               \
  void hsa_signal_store_##order(hsa_signal_t signal, hsa_signal_value_t value) { store(signal, value); }
HSA_STORE(relaxed)
HSA_STORE(screlease)

// Waiters are not woken by these; those that look again see the value.
#define HSA_SILENT_STORE(order, cxx_order)                                                                             \
  void hsa_signal_silent_store_##order(hsa_signal_t signal, hsa_signal_value_t value) {                                \
    to_signal(signal)->value.store(value, cxx_order);                                                                  \
  }
HSA_SILENT_STORE(relaxed, std::memory_order_relaxed)
HSA_SILENT_STORE(screlease, std::memory_order_release)

#define HSA_EXCHANGE(order)                                                                                            \
  hsa_signal_value_t hsa_signal_exchange_##order(hsa_signal_t signal, hsa_signal_value_t value) {                      \
    return modify(signal, [&](std::atomic<int64_t>& word) { return word.exchange(value); });                           \
  }
#define HSA_CAS(order)                                                                                                 \
  hsa_signal_value_t hsa_signal_cas_##order(hsa_signal_t signal, hsa_signal_value_t expected,                          \
                                            hsa_signal_value_t value) {                                                \
    return modify(signal, [&](std::atomic<int64_t>& word) {                                                            \
      word.compare_exchange_strong(expected, value);                                                                   \
      return expected;                                                                                                 \
    });                                                                                                                \
  }
#define HSA_MODIFY(name, order, member)                                                                                \
  void hsa_signal_##name##_##order(hsa_signal_t signal, hsa_signal_value_t value) {                                    \
    modify(signal, [&](std::atomic<int64_t>& word) { return word.member(value); });                                    \
  }
#define HSA_ORDERS(order)                                                                                              \
  HSA_EXCHANGE(order)                                                                                                  \
  HSA_CAS(order)                                                                                                       \
  HSA_MODIFY(add, order, fetch_add)                                                                                    \
  HSA_MODIFY(subtract, order, fetch_sub)                                                                               \
  HSA_MODIFY(and, order, fetch_and)                                                                                    \
  HSA_MODIFY(or, order, fetch_or)                                                                                      \
  HSA_MODIFY(xor, order, fetch_xor)
HSA_ORDERS(relaxed)
HSA_ORDERS(scacquire)
HSA_ORDERS(screlease)
HSA_ORDERS(scacq_screl)

// ---- waiting -----------------------------------------------------------------------------------------------------

#define HSA_WAIT(order)                                                                                                \
  hsa_signal_value_t hsa_signal_wait_##order(hsa_signal_t signal, hsa_signal_condition_t condition,                    \
                                             hsa_signal_value_t compare, uint64_t timeout, hsa_wait_state_t hint) {    \
    return wait(signal, condition, compare, timeout, hint);                                                            \
  }
HSA_WAIT(relaxed)
HSA_WAIT(scacquire)

uint32_t hsa_amd_signal_wait_any(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                                 hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t,
                                 hsa_signal_value_t* satisfying) {
  Runtime* const runtime = Runtime::current();
  if (!runtime || count == 0 || !signals || !conditions || !values) return UINT32_MAX;
  std::vector<Signals::Condition> all = conditions_of(count, signals, conditions, values);
  const size_t index = runtime->signals().wait_any(all, timeout);
  if (index == all.size()) return UINT32_MAX;
  if (satisfying) *satisfying = all[index].seen;
  return static_cast<uint32_t>(index);
}

uint32_t hsa_amd_signal_wait_all(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                                 hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t,
                                 hsa_signal_value_t* satisfying) {
  Runtime* const runtime = Runtime::current();
  if (!runtime || count == 0 || !signals || !conditions || !values) return UINT32_MAX;
  std::vector<Signals::Condition> all = conditions_of(count, signals, conditions, values);
  if (!runtime->signals().wait_all(all, timeout)) return UINT32_MAX;
  for (uint32_t i = 0; satisfying && i < count; ++i) satisfying[i] = all[i].seen;
  return 0;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t condition,
                                          hsa_signal_value_t value, hsa_amd_signal_handler handler, void* argument) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (signal.handle == 0 || !handler) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return to_hsa(runtime.callbacks().watch({to_signal(signal), condition, value, 0}, handler, argument));
  });
}

hsa_status_t hsa_amd_async_function(void (*callback)(void*), void* argument) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    return to_hsa(runtime.callbacks().call([callback, argument] { callback(argument); }));
  });
}

// ---- groups ------------------------------------------------------------------------------------------------------

hsa_status_t hsa_signal_group_create(uint32_t count, const hsa_signal_t* signals, uint32_t consumers,
                                     const hsa_agent_t* agents, hsa_signal_group_t* out) {
  return entry([&](Runtime&) -> hsa_status_t {
    if (count == 0 || count > kMostOfGroup || !signals || !out || (consumers > 0 && !agents))
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    out->handle = reinterpret_cast<uint64_t>(new Group{{signals, signals + count}});
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t group) {
  return entry([&](Runtime&) -> hsa_status_t {
    if (group.handle == 0) return HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
    delete reinterpret_cast<Group*>(group.handle);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_signal_group_wait_any_scacquire(hsa_signal_group_t handle, const hsa_signal_condition_t* conditions,
                                                 const hsa_signal_value_t* values, hsa_wait_state_t,
                                                 hsa_signal_t* signal, hsa_signal_value_t* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (handle.handle == 0) return HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
    if (!conditions || !values || !signal || !value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Group& group = *reinterpret_cast<const Group*>(handle.handle);
    std::vector<Signals::Condition> all =
        conditions_of(static_cast<uint32_t>(group.signals.size()), group.signals.data(), conditions, values);
    const size_t index = runtime.signals().wait_any(all, UINT64_MAX);
    *signal = group.signals[index];
    *value = all[index].seen;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_signal_group_wait_any_relaxed(hsa_signal_group_t group, const hsa_signal_condition_t* conditions,
                                               const hsa_signal_value_t* values, hsa_wait_state_t hint,
                                               hsa_signal_t* signal, hsa_signal_value_t* value) {
  return hsa_signal_group_wait_any_scacquire(group, conditions, values, hint, signal, value);
}

// ---- times -------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t handle,
                                                 hsa_amd_profiling_dispatch_time_t* time) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const found = runtime.find(agent);
    if (!found || !found->is_gpu()) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (handle.handle == 0) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (!time) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Signal& signal = *to_signal(handle);
    *time = {found->gpu().ticks_to_ns(signal.start_ts), found->gpu().ticks_to_ns(signal.end_ts)};
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t handle, hsa_amd_profiling_async_copy_time_t* time) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (handle.handle == 0) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (!time) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Signal& signal = *to_signal(handle);
    const Agent* const gpu = runtime.first_gpu();
    *time = {gpu->gpu().ticks_to_ns(signal.start_ts), gpu->gpu().ticks_to_ns(signal.end_ts)};
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t tick, uint64_t* system_tick) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const found = runtime.find(agent);
    if (!found || !found->is_gpu()) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!system_tick) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *system_tick = found->gpu().ticks_to_ns(tick);
    return HSA_STATUS_SUCCESS;
  });
}

// Packets and copies always leave their times.
hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t* queue, int) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    return runtime.find(queue) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_QUEUE;
  });
}

hsa_status_t hsa_amd_profiling_async_copy_enable(bool) {
  return entry([](Runtime&) { return HSA_STATUS_SUCCESS; });
}

// ---- other processes ---------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t* handle) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.has_memory() || !runtime.signals().owns(signal.handle)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    return runtime.shared_signals().handle_of(*to_signal(signal), handle);
  });
}

hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t* handle, hsa_signal_t* signal) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!handle || !signal) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    Signal* attached = nullptr;
    HSA_TRY(runtime.shared_signals().attach(*handle, &attached));
    signal->handle = hip::aql::to_handle(attached);
    return HSA_STATUS_SUCCESS;
  });
}
