#include "runtime/rtc/child_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hip::rtc {
namespace {

// environ without some variables, and with its null at the end.
std::vector<char*> environment_without(std::span<const std::string_view> hidden) {
  std::vector<char*> kept;
  for (char** line = environ; line && *line; ++line) {
    const std::string_view text = *line;
    if (std::ranges::find(hidden, text.substr(0, text.find('='))) == hidden.end()) kept.push_back(*line);
  }
  kept.push_back(nullptr);
  return kept;
}

} // namespace

Result<ChildResult> run_child(const std::vector<std::string>& arguments, std::span<const std::string_view> hidden) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return error(ErrorCode::OperatingSystem, "A pipe cannot be made: {}.", std::strerror(errno));
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  // A SIGCHLD that this process ignores would be ignored by the program as well, which then could not wait for its own.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  posix_spawnattr_setsigdefault(&attributes, &child_signal);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const std::vector<char*> environment = environment_without(hidden);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed) {
    close(ends[0]);
    return error(ErrorCode::OperatingSystem, "{} cannot be started: {}.", arguments[0], std::strerror(failed));
  }
  ChildResult result;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(ends[0], buffer, sizeof buffer);
    if (n > 0)
      result.output.append(buffer, static_cast<size_t>(n));
    else if (n == 0 || errno != EINTR)
      break;
  }
  close(ends[0]);
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended == child) result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace hip::rtc
