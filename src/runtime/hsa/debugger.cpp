#include "runtime/hsa/debugger.h"

#include <mutex>

static_assert(sizeof(r_debug) == 40); // as debuggers read it

extern "C" [[gnu::visibility("default")]] constinit r_debug _amdgpu_r_debug{};

namespace hip::hsa {

namespace {

constexpr int kProtocol = 11; // ROCr 7.2's
std::mutex mutex;             // guards the list
link_map* last = nullptr;

// Debuggers stop here: what the list says is complete before it, and after it.
[[gnu::noinline]] void list_changes() noexcept { asm volatile("" ::: "memory"); }

// `change` is made between two calls of the function of r_brk.
template<class F> void changing(decltype(r_debug::RT_ADD) kind, F change) noexcept {
  std::lock_guard guard(mutex);
  const auto now = [](decltype(r_debug::RT_ADD) state) {
    reinterpret_cast<volatile int&>(_amdgpu_r_debug.r_state) = state;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    list_changes();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  };
  now(kind);
  change();
  now(r_debug::RT_CONSISTENT);
}

} // namespace

void start_debugger_list() noexcept {
  std::lock_guard guard(mutex);
  last = nullptr;
  _amdgpu_r_debug = {kProtocol, nullptr, reinterpret_cast<ElfW(Addr)>(&list_changes), r_debug::RT_CONSISTENT, 0};
}

void show_to_debuggers(std::span<const std::unique_ptr<LoadedCode>> code) noexcept {
  changing(r_debug::RT_ADD, [&] {
    for (const std::unique_ptr<LoadedCode>& each : code) {
      link_map& entry = each->listed;
      entry.l_addr = static_cast<ElfW(Addr)>(each->delta());
      entry.l_name = each->uri.data();
      entry.l_prev = last;
      entry.l_next = nullptr;
      (last ? last->l_next : _amdgpu_r_debug.r_map) = &entry;
      last = &entry;
    }
  });
}

void hide_from_debuggers(std::span<const std::unique_ptr<LoadedCode>> code) noexcept {
  changing(r_debug::RT_DELETE, [&] {
    for (const std::unique_ptr<LoadedCode>& each : code) {
      link_map& entry = each->listed;
      (entry.l_prev ? entry.l_prev->l_next : _amdgpu_r_debug.r_map) = entry.l_next;
      (entry.l_next ? entry.l_next->l_prev : last) = entry.l_prev;
      entry = {};
    }
  });
}

} // namespace hip::hsa
