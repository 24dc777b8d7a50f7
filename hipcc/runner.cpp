// The process runner: posix_spawn, one pipe per child for its diagnostics, poll.
#include "runner.h"

#include "options.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hip::hipcc {
namespace {

volatile std::sig_atomic_t caught_signal = 0;
void note_signal(int number) { caught_signal = number; }

// Installs note_signal for the signals that end a compiler, and puts the old handlers back. A signal that is ignored
// stays so, here and in the children (nohup). Ends of children are not ignored, whatever the parent of this process
// did: waitpid would have nothing to tell.
class SignalScope {
public:
  SignalScope() {
    caught_signal = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal; // without SA_RESTART: poll returns
    for (size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i], nullptr, &old_[i]);
      if (old_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, &old_of_children_);
  }
  ~SignalScope() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &old_[i], nullptr);
    sigaction(SIGCHLD, &old_of_children_, nullptr);
  }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  std::array<struct sigaction, kSignals.size()> old_;
  struct sigaction old_of_children_;
};

enum class State { Waiting, Running, Done, Failed };

struct Run {
  State state = State::Waiting;
  bool on_fallback = false;
  bool excused = false;
  pid_t pid = -1;
  int pipe = -1;
  int exit_code = 0;
  std::string text; // diagnostics, held back until every earlier job has shown its own
};

std::string line_of(const Job& job, bool fallback) {
  return job.command.empty() ? " " + job.shown : quoted(fallback ? job.fallback : job.command);
}

class Runner {
public:
  Runner(const JobGraph& graph, const RunOptions& options) : graph_(graph), options_(options), runs_(graph.size()) {}

  int run() {
    SignalScope signals;
    try {
      while (!caught_signal) {
        start_ready();
        show_finished();
        if (running_ == 0) break; // all done, or what is left waits for something that failed
        wait_for_output();
      }
    } catch (const DriverError&) { // a command cannot be started
      kill_from(0);
      remove_outputs();
      throw;
    }
    if (caught_signal) kill_from(0);
    int code = caught_signal ? 128 + caught_signal : exit_code();
    if (code != 0) remove_outputs();
    return code;
  }

private:
  void remove_outputs() const {
    for (size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i].state == State::Waiting) continue;
      for (const std::string& output : graph_[i].outputs) {
        struct stat s;
        // Like clang, leaves what is write-protected.
        if (lstat(output.c_str(), &s) == 0 && S_ISREG(s.st_mode) && access(output.c_str(), W_OK) == 0)
          unlink(output.c_str());
      }
    }
  }

  bool may_fail(size_t i) const { return graph_[i].optional || runs_[i].excused; }

  // The first job in order that failed for good; graph_.size() when none has.
  size_t first_failure() const {
    for (size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i].state == State::Failed && !may_fail(i)) return i;
    }
    return runs_.size();
  }

  int exit_code() const {
    size_t failure = first_failure();
    return failure == runs_.size() ? 0 : runs_[failure].exit_code;
  }

  void start_ready() {
    size_t end = first_failure(); // work before it goes on: an earlier job may fail too, and then it is the one to show
    for (size_t i = 0; i < end; ++i) {
      if (runs_[i].state != State::Waiting) continue;
      bool ready = true, need_failed = false;
      for (size_t need : graph_[i].needs) {
        State state = runs_[need].state;
        ready &= state == State::Done || (state == State::Failed && may_fail(need));
        need_failed |= state == State::Failed;
      }
      if (!ready) continue;
      if (graph_[i].command.empty()) {
        finish(i, 0);
      } else if (running_ < options_.parallel) {
        runs_[i].on_fallback = need_failed && !graph_[i].fallback.empty();
        start(i);
      }
      end = first_failure();
    }
  }

  void start(size_t i) {
    Run& run = runs_[i];
    std::vector<std::string> command = run.on_fallback ? graph_[i].fallback : graph_[i].command;
    run.text.clear();
    shorten(command, i);
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);

    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw DriverError(std::string("cannot make a pipe: ") + std::strerror(errno));
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (graph_.size() > 1) posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 2);
    int error = posix_spawnp(&run.pid, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (error != 0) {
      close(ends[0]);
      throw DriverError("cannot run '" + command[0] + "': " + std::strerror(error));
    }
    run.pipe = ends[0];
    run.state = State::Running;
    ++running_;
  }

  // Puts the words of a long command into a file. Both forms of it have words in double quotes and backslashes before
  // what means something; nvcc also takes quotes out of the words that it read, unless a backslash is before them.
  void shorten(std::vector<std::string>& command, size_t i) const {
    if (!needs_response_file(command)) return;
    const bool for_nvcc = graph_[i].response_file == ResponseFile::Nvcc;
    std::string path = options_.scratch + "/command" + std::to_string(i) + ".rsp";
    std::ofstream file(path, std::ios::binary);
    for (size_t w = 1; w < command.size(); ++w) {
      file << '"';
      for (char c : command[w]) {
        if (c == '"' && for_nvcc) file << R"(\\)";
        if (c == '"' || c == '\\') file << '\\';
        file << c;
      }
      file << "\"\n";
    }
    file.close();
    if (!file) throw DriverError("cannot write the response file '" + path + "'");
    command = {command[0], (for_nvcc ? "--options-file=" : "@") + path};
  }

  void wait_for_output() {
    std::vector<pollfd> polls;
    std::vector<size_t> owners;
    for (size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i].state != State::Running) continue;
      polls.push_back({runs_[i].pipe, POLLIN, 0});
      owners.push_back(i);
    }
    if (poll(polls.data(), polls.size(), -1) < 0) return; // a signal: the loop looks at it
    for (size_t p = 0; p < polls.size(); ++p) {
      if (!polls[p].revents) continue;
      size_t i = owners[p];
      if (runs_[i].state != State::Running) continue;
      char buffer[16384];
      ssize_t size = read(polls[p].fd, buffer, sizeof buffer);
      if (size > 0)
        runs_[i].text.append(buffer, static_cast<size_t>(size));
      else if (size == 0 || errno != EINTR)
        finish(i, reap(i));
    }
  }

  // Waits for a child whose diagnostics have ended.
  int reap(size_t i) {
    close(runs_[i].pipe);
    int status = 0;
    pid_t ended;
    do ended = waitpid(runs_[i].pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    --running_;
    if (ended < 0) {
      runs_[i].text += "hipcc: error: cannot learn how a command ended: " + std::string(std::strerror(errno)) + "\n";
      return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  void finish(size_t i, int code) {
    Run& run = runs_[i];
    run.exit_code = code;
    if (code == 0 && graph_[i].action) {
      try {
        graph_[i].action(run.text);
      } catch (const DriverError& error) {
        run.text += std::string("hipcc: error: ") + error.what() + "\n";
        run.exit_code = 1;
      }
    }
    run.state = run.exit_code == 0 ? State::Done : State::Failed;
    if (run.state == State::Failed && !run.on_fallback && !graph_[i].fallback.empty()) {
      run.on_fallback = true;
      run.state = State::Waiting;
      start(i);
      return;
    }
    if (run.state != State::Failed) return;
    if (graph_[i].excuse)
      if (std::string instead = graph_[i].excuse(run.text); !instead.empty()) {
        run.text = std::move(instead);
        run.excused = true;
      }
    if (graph_[i].advice) run.text += graph_[i].advice(run.text);
    if (!may_fail(i)) kill_from(i + 1);
  }

  // Where SIGTERM is ignored, the commands ignore it, too.
  static int ending_signal() {
    struct sigaction term;
    sigaction(SIGTERM, nullptr, &term);
    return term.sa_handler == SIG_IGN ? SIGKILL : SIGTERM;
  }

  void kill_from(size_t first) {
    for (size_t i = first; i < runs_.size(); ++i) {
      if (runs_[i].state != State::Running) continue;
      kill(runs_[i].pid, ending_signal());
      reap(i);
      runs_[i].state = State::Failed;
      runs_[i].exit_code = 128 + SIGTERM;
      runs_[i].text.clear();
    }
  }

  // Shows diagnostics in the graph's order, up to the first job that still runs and no further than a failure.
  void show_finished() {
    for (; shown_ < runs_.size() && shown_ <= first_failure(); ++shown_) {
      const Run& run = runs_[shown_];
      if (run.state == State::Waiting || run.state == State::Running) return;
      if (options_.verbose) std::fprintf(stderr, "%s\n", line_of(graph_[shown_], run.on_fallback).c_str());
      if (!graph_[shown_].optional) std::fwrite(run.text.data(), 1, run.text.size(), stderr);
    }
  }

  const JobGraph& graph_;
  const RunOptions& options_;
  std::vector<Run> runs_;
  unsigned running_ = 0;
  size_t shown_ = 0;
};

} // namespace

std::string quoted(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    line += " \"";
    for (char c : word) {
      if (c == '"' || c == '\\' || c == '$') line += '\\';
      line += c;
    }
    line += '"';
  }
  return line;
}

void print_jobs(const JobGraph& graph) {
  for (const Job& job : graph) std::fprintf(stderr, "%s\n", line_of(job, false).c_str());
}

bool needs_response_file(const std::vector<std::string>& command) {
  constexpr size_t kLongest = 96 * 1024; // the least that Linux takes is 128 KiB, for one word as well as for all
  size_t length = 0;
  for (const std::string& word : command) length += word.size() + 1;
  return length >= kLongest;
}

int run_jobs(const JobGraph& graph, const RunOptions& options) { return Runner(graph, options).run(); }

} // namespace hip::hipcc
