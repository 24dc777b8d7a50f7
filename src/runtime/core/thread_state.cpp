#include "runtime/core/thread_state.h"

#include "runtime/core/stream.h"

namespace hip::core {
namespace {

thread_local constinit ThreadState tls_state;

// Frees the extras at thread exit. A HIP call after that makes new ones, which then leak: better than a dead reference.
struct ExtrasOwner {
  ~ExtrasOwner() { delete std::exchange(tls_state.extras, nullptr); }
};

} // namespace

ThreadExtras::~ThreadExtras() {
  for (Handle stream : per_thread_streams)
    if (stream) retire_per_thread_stream(stream);
}

ThreadState& this_thread() noexcept { return tls_state; }

ThreadExtras& this_thread_extras() {
  if (!tls_state.extras) {
    static thread_local ExtrasOwner owner;
    static_cast<void>(&owner);
    tls_state.extras = new ThreadExtras;
  }
  return *tls_state.extras;
}

void ThreadState::push_configuration(const CallConfiguration& c) {
  if (configurations < configuration.size())
    configuration[configurations] = c;
  else
    this_thread_extras().configuration_overflow.push_back(c);
  ++configurations;
}

bool ThreadState::pop_configuration(CallConfiguration& c) noexcept {
  if (configurations == 0) return false;
  --configurations;
  if (configurations < configuration.size()) {
    c = configuration[configurations];
  } else {
    c = extras->configuration_overflow.back();
    extras->configuration_overflow.pop_back();
  }
  return true;
}

} // namespace hip::core
