// What starting a process costs: runs each program named on the command line many times, interleaved with `/bin/true`,
// and prints the median wall time and the difference to it.
// usage: startup PROGRAM...
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Milliseconds from spawn to exit; negative when the program could not be run or failed.
double run(const std::string& program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  char* const arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  auto start = std::chrono::steady_clock::now();
  pid_t pid;
  int failed = posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed || waitpid(pid, &status, 0) != pid || status != 0) return -1;
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::string> programs{"/bin/true"};
  programs.insert(programs.end(), argv + 1, argv + argc);
  std::vector<std::vector<double>> times(programs.size());
  for (int round = 0; round < 41; ++round) {
    for (size_t i = 0; i < programs.size(); ++i) {
      double t = run(programs[i]);
      if (t < 0) {
        std::fprintf(stderr, "startup: %s cannot be run or failed\n", programs[i].c_str());
        return 1;
      }
      times[i].push_back(t);
    }
  }
  double base = 0;
  for (size_t i = 0; i < programs.size(); ++i) {
    std::nth_element(times[i].begin(), times[i].begin() + 20, times[i].end());
    if (i == 0) base = times[i][20];
    std::printf("%-40s %8.2f ms  (+%.2f)\n", programs[i].c_str(), times[i][20], times[i][20] - base);
  }
  return 0;
}
