// own_process.h - cases that need a process of their own: one that has not begun to use HIP, and whose end is looked
// at. The program has a case `attempt`, E2E_ATTEMPT(function), which does nothing unless in_own_process() has started
// it.
#pragma once

#include "e2e.h"

#include <sys/wait.h>
#include <unistd.h>

namespace e2e {

inline constexpr const char* kAttempt = "E2E_ATTEMPT_WORDS";

// Runs this program's attempt with these words in a new process. Its exit status; when a signal has ended it, the
// signal's number, negative; it has `seconds`, then it is ended by SIGALRM.
inline int in_own_process(const std::string& words, unsigned seconds) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv(kAttempt, words.c_str(), 1);
    alarm(seconds); // survives exec
    execl("/proc/self/exe", "attempt", "attempt", nullptr);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace e2e

// The function gets the words and returns the exit status.
#define E2E_ATTEMPT(function)                                                                                          \
  E2E_CASE(attempt) {                                                                                                  \
    if (const char* const words = std::getenv(e2e::kAttempt)) std::exit(function(words));                              \
  }
