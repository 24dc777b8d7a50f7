// posix_spawn of this program.
#include "exact/child.h"

#include "exact/parse_job.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hip::hipify {
namespace {

std::string read_to_end(int fd) {
  std::string text;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t count = ::read(fd, chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(chunk, static_cast<size_t>(count));
  }
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL) return "took too long, or too much memory";
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "ended with code " + std::to_string(WEXITSTATUS(status));
}

} // namespace

ChildResult run_child(const std::vector<std::string>& words, const std::string& directory) {
  ChildResult result;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) {
    result.failure = std::string("has no pipe: ") + std::strerror(errno);
    return result;
  }
  std::vector<char*> arguments = {const_cast<char*>("hipify-clang"), const_cast<char*>(kParseJob)};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // A descriptor that is already the right one would keep O_CLOEXEC.
  const int target =
      pipe[1] == kKnowledgeDescriptor ? ::fcntl(pipe[1], F_DUPFD_CLOEXEC, kKnowledgeDescriptor + 1) : pipe[1];
  posix_spawn_file_actions_adddup2(&actions, target, kKnowledgeDescriptor);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  if (target != pipe[1]) ::close(target);
  if (error) {
    result.failure = std::string("cannot be started: ") + std::strerror(error);
    ::close(pipe[0]);
    return result;
  }
  result.knowledge = from_text(read_to_end(pipe[0]));
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!ended_well) {
    result.knowledge.complete = false;
    result.failure = ending(status);
  } else if (!result.knowledge.complete) {
    result.failure = "could not read it";
  }
  return result;
}

} // namespace hip::hipify
