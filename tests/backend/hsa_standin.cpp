// tests/backend/hsa_standin.cpp - a stand-in for AMD's runtime: it passes every call on to the SDK's own library, which
// OMNIHIP_TEST_HSA names, counts calls and what is alive, and fails where a test wants it to (hsa_standin.h).
#include "hsa_standin.h"

#include "hsa_small_bar.h"

#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

bool asked_for(const char* variable) { return std::getenv(variable) != nullptr; }

void break_queue(int error);

// Programs that know nothing of the stand-in steer it by their environment.
StandIn& made_state() {
  static StandIn made;
  made.small_bar = asked_for("OMNIHIP_TEST_SMALL_BAR");
  made.shared_memory = asked_for("OMNIHIP_TEST_SHARED_MEMORY") ? 1 : 0;
  made.break_queue = break_queue;
  return made;
}
StandIn& state = made_state();

void* next(const char* name) {
  static void* const library = ::dlopen(std::getenv("OMNIHIP_TEST_HSA"), RTLD_NOW | RTLD_LOCAL);
  void* const function = library ? ::dlsym(library, name) : nullptr;
  if (!function) std::abort();
  return function;
}

// The first queue, which may fail. Threads make queues and end them at the same time.
struct {
  std::mutex mutex; // for hsa_queue_create and hsa_queue_destroy
  std::atomic<uint64_t> doorbell{0};
  hsa_queue_t* queue = nullptr;
  void (*callback)(hsa_status_t, hsa_queue_t*, void*) = nullptr;
  void* data = nullptr;
  std::thread teller;
} watched;

void break_queue(int error) {
  state.queue_error = error;
  watched.teller =
      std::thread([] { watched.callback(static_cast<hsa_status_t>(state.queue_error), watched.queue, watched.data); });
}

void note_doorbell(hsa_signal_t rung) {
  if (rung.handle != watched.doorbell.load(std::memory_order_acquire)) return;
  if (++state.doorbells == state.queue_error_at) break_queue(state.queue_error);
}

template<class F> F* real(F*, const char* name) { return reinterpret_cast<F*>(next(name)); }
#define REAL(name) real(&::name, #name)

bool is_gpu(hsa_agent_t agent) {
  hsa_device_type_t type{};
  REAL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_DEVICE, &type);
  return type == HSA_DEVICE_TYPE_GPU;
}

std::vector<hsa_agent_t> gpus() {
  std::vector<hsa_agent_t> found;
  REAL(hsa_iterate_agents)(
      [](hsa_agent_t agent, void* data) {
        if (is_gpu(agent)) static_cast<std::vector<hsa_agent_t>*>(data)->push_back(agent);
        return HSA_STATUS_SUCCESS;
      },
      &found);
  return found;
}

bool is_of_gpu(hsa_amd_memory_pool_t pool) {
  std::pair<uint64_t, bool> search{pool.handle, false};
  for (const hsa_agent_t gpu : gpus())
    REAL(hsa_amd_agent_iterate_memory_pools)(
        gpu,
        [](hsa_amd_memory_pool_t each, void* data) {
          auto& wanted = *static_cast<std::pair<uint64_t, bool>*>(data);
          wanted.second |= each.handle == wanted.first;
          return HSA_STATUS_SUCCESS;
        },
        &search);
  return search.second;
}

// A call is counted. The status with which it fails, if it is to fail.
std::optional<hsa_status_t> count(int call) {
  const int number = ++state.calls[call];
  const bool fails = state.failing_call == call && (state.failing_number == number || state.failing_number == 0);
  if (!fails && state.second_failing_call != call) return std::nullopt;
  ++state.failed;
  return static_cast<hsa_status_t>(fails ? state.failing_status : state.second_failing_status);
}

// ---- what is different from the SDK's own library, before and after a call of it --------------------------------

// The system-event handler.
struct {
  hsa_amd_system_event_callback_t callback = nullptr;
  void* data = nullptr;
} events;

void raise(const hsa_amd_event_t* event) {
  if (events.callback && events.callback(event, events.data) == HSA_STATUS_SUCCESS) return;
  std::abort(); // as AMD's runtime does
}

void note(uint64_t attribute, uint64_t value, const void* base, size_t bytes) {
  const int at = state.attribute_count++;
  if (at < StandIn::kMostAttributes) state.attributes[at] = {attribute, value, base, bytes};
}

// Cards that may use all memory of the process (XNACK): so may the software GPU use what the program speaks of.
void share(void* base, size_t bytes) {
  for (const hsa_agent_t gpu : gpus()) {
    hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu.handle};
    REAL(hsa_amd_svm_attributes_set)(base, bytes, &access, 1);
  }
}

// What AMD's runtime refuses to copy as a box, though the interface's documentation does not say so: what is no words,
// and rows or slices that overlap. Without engines (HSA_ENABLE_SDMA=0) it refuses all.
std::optional<hsa_status_t> refuse_box(const hsa_pitched_ptr_t& dst, const hsa_pitched_ptr_t& src,
                                       const hsa_dim3_t& range) {
  std::optional<hsa_status_t> refusal;
  for (const hsa_pitched_ptr_t& side : {dst, src}) {
    const bool words = reinterpret_cast<uintptr_t>(side.base) % 4 == 0 && side.pitch % 4 == 0 && side.slice % 4 == 0;
    const bool apart = range.x <= side.pitch && (side.slice == 0 ? range.z == 1 : range.y <= side.slice / side.pitch);
    if (!words || !apart) refusal = HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  if (state.no_boxes) refusal = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (refusal) ++state.refused_boxes;
  return refusal;
}

// Takes a copy of a line, and begins it together with others; one of these may fail, before the others begin.
template<class... A> hsa_status_t hold(const std::tuple<A...>& copy) {
  static std::mutex mutex;
  static std::vector<std::tuple<A...>> copies;
  std::lock_guard guard(mutex);
  copies.push_back(copy);
  if (++state.held < state.hold_copies) return HSA_STATUS_SUCCESS;
  state.held = 0;
  ++state.releases;
  auto together = std::exchange(copies, {});
  if (state.failing_held >= 0) {
    const auto failing = together.begin() + state.failing_held;
    const hsa_signal_t done = std::get<7>(*failing);
    together.erase(failing);
    REAL(hsa_signal_store_screlease)(done, -1);
  }
  const auto begin = [together = std::move(together)] {
    for (const auto& each : together)
      if (std::apply(REAL(hsa_amd_memory_async_copy), each) != HSA_STATUS_SUCCESS) std::abort();
  };
  if (state.release_after_ms == 0) {
    begin();
    return HSA_STATUS_SUCCESS;
  }
  std::thread([begin, patience = std::chrono::milliseconds(state.release_after_ms)] {
    std::this_thread::sleep_for(patience);
    begin();
  }).detach(); // whoever waits for the copies waits for it
  return HSA_STATUS_SUCCESS;
}

template<int kCall, class... A> std::optional<hsa_status_t> instead(const std::tuple<A...>& given) {
  using std::get;
  if constexpr (kCall == kStandIn_hsa_amd_memory_async_copy) {
    state.copied_from = get<2>(given);
    if (state.withhold_copies) return HSA_STATUS_SUCCESS;
    if (state.hold_copies > 0) return hold(given);
  }
  if constexpr (kCall == kStandIn_hsa_amd_memory_async_copy_rect)
    if (const auto refusal = refuse_box(*get<0>(given), *get<2>(given), *get<4>(given))) return refusal;
  if constexpr (kCall == kStandIn_hsa_amd_agent_iterate_memory_pools)
    if (state.no_pools && is_gpu(get<0>(given))) return HSA_STATUS_SUCCESS;
  if constexpr (kCall == kStandIn_hsa_queue_destroy) {
    std::lock_guard guard(watched.mutex);
    if (get<0>(given) == watched.queue) { // nothing is told of a queue that is not there
      watched.doorbell = 0;
      if (watched.teller.joinable()) watched.teller.join();
      watched.queue = nullptr;
    }
  }
  if constexpr (kCall == kStandIn_hsa_amd_memory_pool_free)
    if (state.small_bar) small_bar::remove(get<0>(given));
  if constexpr (kCall == kStandIn_hsa_amd_agents_allow_access)
    if (state.small_bar && small_bar::holds(get<3>(given)))
      for (uint32_t i = 0; i < get<0>(given); ++i)
        if (!is_gpu(get<1>(given)[i])) return HSA_STATUS_ERROR_INVALID_AGENT;
  if constexpr (kCall == kStandIn_hsa_amd_register_system_event_handler) {
    events = {get<0>(given), get<1>(given)};
    state.raise = raise;
  }
  if constexpr (kCall == kStandIn_hsa_amd_svm_attributes_set) {
    const auto [base, bytes, list, count] = given;
    for (size_t i = 0; i < count; ++i) note(list[i].attribute, list[i].value, base, bytes);
    if (state.shared_memory == 2) share(base, bytes);
  }
  if constexpr (kCall == kStandIn_hsa_amd_svm_prefetch_async) {
    const auto [base, bytes, agent, count, dependencies, done] = given;
    note(kStandInPrefetch, agent.handle, base, bytes);
  }
  return std::nullopt;
}

hsa_ven_amd_loader_1_03_pfn_t loader; // AMD's extension

hsa_status_t get_info_of_loaded(hsa_loaded_code_object_t object, hsa_ven_amd_loader_loaded_code_object_info_t attribute,
                                void* value) {
  const auto failing = count(kStandIn_hsa_ven_amd_loader_loaded_code_object_get_info);
  return failing ? *failing : loader.hsa_ven_amd_loader_loaded_code_object_get_info(object, attribute, value);
}

template<int kCall, class... A> void after(const std::tuple<A...>& given) {
  using std::get;
  if constexpr (kCall == kStandIn_hsa_system_get_major_extension_table)
    if (get<0>(given) == HSA_EXTENSION_AMD_LOADER && get<2>(given) == sizeof loader) {
      auto* const table = static_cast<hsa_ven_amd_loader_1_03_pfn_t*>(get<3>(given));
      loader = *table;
      table->hsa_ven_amd_loader_loaded_code_object_get_info = get_info_of_loaded;
    }
  if constexpr (kCall == kStandIn_hsa_queue_create) {
    std::lock_guard guard(watched.mutex);
    if (!watched.queue) {
      watched.queue = *get<7>(given);
      watched.callback = get<3>(given);
      watched.data = get<4>(given);
      watched.doorbell = watched.queue->doorbell_signal.handle;
    }
  }
  if constexpr (kCall == kStandIn_hsa_amd_agent_memory_pool_get_info)
    if (state.small_bar && get<2>(given) == HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS && !is_gpu(get<0>(given)) &&
        is_of_gpu(get<1>(given)))
      *static_cast<hsa_amd_memory_pool_access_t*>(get<3>(given)) = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  if constexpr (kCall == kStandIn_hsa_amd_memory_pool_allocate)
    if (state.small_bar && is_of_gpu(get<0>(given))) small_bar::add(*get<3>(given), get<1>(given));
  if constexpr (kCall == kStandIn_hsa_system_get_info) {
    const auto attribute = static_cast<int>(get<0>(given));
    auto* const answer = static_cast<bool*>(get<1>(given));
    if (attribute == HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED) *answer = state.shared_memory > 0;
    if (attribute == HSA_AMD_SYSTEM_INFO_XNACK_ENABLED || attribute == HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT)
      *answer = state.shared_memory == 2;
  }
  if constexpr (kCall == kStandIn_hsa_iterate_agents) {
    state.gpu = gpus().empty() ? 0 : gpus()[0].handle;
    REAL(hsa_iterate_agents)(
        [](hsa_agent_t agent, void*) {
          if (!is_gpu(agent)) state.host = agent.handle;
          return HSA_STATUS_SUCCESS;
        },
        nullptr);
  }
}

// Calls of the runtime while the host does not reach the GPUs' memory.
struct Visit {
  std::optional<small_bar::Inside> inside;
  Visit() {
    if (state.small_bar) inside.emplace();
  }
};

template<class F> struct Forward;
template<class R, class... A> struct Forward<R(A...)> {
  template<int kCall, int kKind, int kChange> static R call(A... arguments) {
    static auto* const function = reinterpret_cast<R (*)(A...)>(next(kStandInNames[kCall]));
    if (const auto failing = count(kCall)) return static_cast<R>(*failing);
    const std::tuple<A...> given(arguments...);
    const Visit visit;
    if (const auto status = instead<kCall>(given)) {
      if (*status == HSA_STATUS_SUCCESS) state.alive[kKind] += kChange;
      return static_cast<R>(*status);
    }
    const R result = function(arguments...);
    if (result != HSA_STATUS_SUCCESS) return result;
    state.alive[kKind] += kChange;
    after<kCall>(given);
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
#define HSA_STANDS_IN_TABLE(name, ...)
#include "hsa_standin.def"

// Functions without a status.
[[gnu::visibility("default")]] void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  static auto* const function =
      reinterpret_cast<decltype(&::hsa_signal_store_screlease)>(next("hsa_signal_store_screlease"));
  const Visit visit;
  function(signal, value);
  note_doorbell(signal);
}
[[gnu::visibility("default")]] void hsa_signal_subtract_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  static auto* const function =
      reinterpret_cast<decltype(&::hsa_signal_subtract_screlease)>(next("hsa_signal_subtract_screlease"));
  const Visit visit;
  function(signal, value);
}
[[gnu::visibility("default")]] hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal,
                                                                            hsa_signal_condition_t condition,
                                                                            hsa_signal_value_t value, uint64_t timeout,
                                                                            hsa_wait_state_t hint) {
  static auto* const function =
      reinterpret_cast<decltype(&::hsa_signal_wait_scacquire)>(next("hsa_signal_wait_scacquire"));
  const Visit visit;
  return function(signal, condition, value, timeout, hint);
}
}
