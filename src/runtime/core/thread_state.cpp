#include "runtime/core/thread_state.h"

#include "runtime/core/runtime.h"
#include "runtime/core/stream.h"

namespace hip::core {

namespace detail {
constinit thread_local ThreadState thread_state;
}

namespace {

// Frees the extras at thread exit. A HIP call after that makes new ones, which then leak: better than a dead reference.
struct ExtrasOwner {
  ~ExtrasOwner() { delete std::exchange(detail::thread_state.extras, nullptr); }
};

} // namespace

ThreadExtras::~ThreadExtras() {
  if (is_forked_child()) return;
  for (Handle stream : per_thread_streams)
    if (stream) retire_per_thread_stream(stream);
}

ThreadExtras& this_thread_extras() {
  if (!detail::thread_state.extras) {
    static thread_local ExtrasOwner owner;
    static_cast<void>(&owner);
    detail::thread_state.extras = new ThreadExtras;
  }
  return *detail::thread_state.extras;
}

CallConfiguration& ThreadState::push_overflow() {
  auto& overflow = this_thread_extras().configuration_overflow;
  overflow.emplace_back();
  ++configurations;
  return overflow.back();
}

const CallConfiguration* ThreadState::pop_overflow() noexcept {
  if (configurations == 0) return nullptr;
  --configurations;
  extras->popped = extras->configuration_overflow.back();
  extras->configuration_overflow.pop_back();
  return &extras->popped;
}

} // namespace hip::core
