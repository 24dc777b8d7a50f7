// runtime/base/blocked_signals.h - signals to the process are for the program's own threads. While a BlockedSignals
// lives, the thread that made it takes none, and neither do threads that it starts meanwhile, which inherit that for
// good. Faults (SIGSEGV and its like) and abort() are delivered all the same: a fault whose signal is blocked ends the
// process. Thread safety: belongs to the thread that made it.
#pragma once

#include <csignal>
#include <initializer_list>

namespace hip {

class BlockedSignals {
public:
  BlockedSignals() noexcept {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
  sigset_t before_;
};

} // namespace hip
