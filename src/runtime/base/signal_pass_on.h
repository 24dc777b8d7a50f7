// runtime/base/signal_pass_on.h - what a handler of signals does with one that is not its own: what would have happened
// without it.
#pragma once

#include <csignal>

namespace hip {

// `before` is the disposition that the caller's handler has replaced. To be called in that handler, for signals of
// faults (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT). Async-signal-safe.
inline void pass_on_signal(const struct sigaction& before, int number, siginfo_t* info, void* context) {
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    const bool sent = info->si_code <= 0;             // by kill(), raise() and their like
    if (sent && before.sa_handler == SIG_IGN) return; // abort() sends its signal again, with the default action
    // A fault cannot be ignored: its instruction runs again and takes the default action. What was sent does not come
    // again by itself, nor does a trap, whose instruction is over.
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
    if (sent || number == SIGTRAP) raise(number);
  } else {
    before.sa_handler(number);
  }
}

} // namespace hip
