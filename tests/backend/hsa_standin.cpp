// tests/backend/hsa_standin.cpp - a stand-in for AMD's runtime: it passes every call on to the SDK's own library, which
// OMNIHIP_TEST_HSA names, counts calls and what is alive, and fails where a test wants it to (hsa_standin.h).
#include "hsa_standin.h"

#include <hsa/hsa_ext_amd.h>

#include <cstdlib>
#include <dlfcn.h>
#include <thread>
#include <tuple>

namespace {

StandIn state;

void* next(const char* name) {
  static void* const library = ::dlopen(std::getenv("OMNIHIP_TEST_HSA"), RTLD_NOW | RTLD_LOCAL);
  void* const function = library ? ::dlsym(library, name) : nullptr;
  if (!function) std::abort();
  return function;
}

// The first queue, which may fail.
struct {
  hsa_queue_t* queue = nullptr;
  void (*callback)(hsa_status_t, hsa_queue_t*, void*) = nullptr;
  void* data = nullptr;
  std::thread teller;
} watched;

void note_doorbell(hsa_signal_t rung) {
  if (!watched.queue || rung.handle != watched.queue->doorbell_signal.handle) return;
  if (++state.doorbells != state.queue_error_at) return;
  watched.teller =
      std::thread([] { watched.callback(static_cast<hsa_status_t>(state.queue_error), watched.queue, watched.data); });
}

bool is_gpu(hsa_agent_t agent) {
  hsa_device_type_t type{};
  reinterpret_cast<decltype(&::hsa_agent_get_info)>(next("hsa_agent_get_info"))(agent, HSA_AGENT_INFO_DEVICE, &type);
  return type == HSA_DEVICE_TYPE_GPU;
}

template<class F> struct Forward;
template<class R, class... A> struct Forward<R(A...)> {
  template<int kCall, int kKind, int kChange> static R call(A... arguments) {
    static auto* const function = reinterpret_cast<R (*)(A...)>(next(kStandInNames[kCall]));
    const int number = ++state.calls[kCall];
    if (state.failing_call == kCall && (state.failing_number == number || state.failing_number == 0)) {
      ++state.failed;
      return static_cast<R>(state.failing_status);
    }
    const std::tuple<A...> given(arguments...);
    if constexpr (kCall == kStandIn_hsa_amd_memory_async_copy)
      if (state.withhold_copies) return HSA_STATUS_SUCCESS;
    if constexpr (kCall == kStandIn_hsa_amd_agent_iterate_memory_pools)
      if (state.no_pools && is_gpu(std::get<0>(given))) return HSA_STATUS_SUCCESS;
    if constexpr (kCall == kStandIn_hsa_queue_destroy)
      if (std::get<0>(given) == watched.queue) { // nothing is told of a queue that is not there
        if (watched.teller.joinable()) watched.teller.join();
        watched.queue = nullptr;
      }
    const R result = function(arguments...);
    if (kChange != 0 && result == HSA_STATUS_SUCCESS) state.alive[kKind] += kChange;
    if constexpr (kCall == kStandIn_hsa_queue_create)
      if (result == HSA_STATUS_SUCCESS && !watched.queue) {
        watched.queue = *std::get<7>(given);
        watched.callback = std::get<3>(given);
        watched.data = std::get<4>(given);
      }
    return result;
  }
};

} // namespace

extern "C" {

[[gnu::visibility("default")]] StandIn* standin_state() { return &state; }

// Each function is a jump to what Forward made for it.
#define HSA_STANDS_IN(name, kind, change, ...)                                                                         \
  [[gnu::used, gnu::visibility("hidden")]] decltype(&::name) standin_slot_##name =                                     \
      Forward<decltype(::name)>::call<kStandIn_##name, kind, change>;                                                  \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n  jmp *standin_slot_" #name "(%rip)\n");
#include "hsa_standin.def"
#undef HSA_STANDS_IN

// Functions without a status.
[[gnu::visibility("default")]] void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  static auto* const function =
      reinterpret_cast<decltype(&::hsa_signal_store_screlease)>(next("hsa_signal_store_screlease"));
  function(signal, value);
  note_doorbell(signal);
}
[[gnu::visibility("default")]] void hsa_signal_subtract_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  static auto* const function =
      reinterpret_cast<decltype(&::hsa_signal_subtract_screlease)>(next("hsa_signal_subtract_screlease"));
  function(signal, value);
}
[[gnu::visibility("default")]] hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal,
                                                                            hsa_signal_condition_t condition,
                                                                            hsa_signal_value_t value, uint64_t timeout,
                                                                            hsa_wait_state_t hint) {
  static auto* const function =
      reinterpret_cast<decltype(&::hsa_signal_wait_scacquire)>(next("hsa_signal_wait_scacquire"));
  return function(signal, condition, value, timeout, hint);
}
}
