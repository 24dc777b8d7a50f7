// Jobs: order of diagnostics, exit codes, fallbacks, removed outputs.
#include "command.h"
#include "options.h"
#include "runner.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace hip::hipcc;

namespace {

Job command(const std::string& script, std::vector<size_t> needs = {}) {
  Job job;
  job.command = {"/bin/sh", "-c", script};
  job.needs = std::move(needs);
  return job;
}

struct Result {
  int code;
  std::string text; // what reached stderr
};

Result run(const JobGraph& graph, unsigned parallel = 4) {
  test::Folder folder;
  std::string path = folder / "stderr";
  int file = open(path.c_str(), O_RDWR | O_CREAT, 0600), saved = dup(2);
  dup2(file, 2);
  RunOptions options;
  options.parallel = parallel;
  options.scratch = folder.path();
  Result result{run_jobs(graph, options), {}};
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  close(file);
  result.text = folder.read("stderr");
  return result;
}

// A signal's disposition for a scope.
class Disposition {
public:
  Disposition(int signal, void (*handler)(int)) : signal_(signal), old_(std::signal(signal, handler)) {}
  ~Disposition() { std::signal(signal_, old_); }
  Disposition(const Disposition&) = delete;
  Disposition& operator=(const Disposition&) = delete;
  void (*now() const)(int) {
    struct sigaction action;
    sigaction(signal_, nullptr, &action);
    return action.sa_handler;
  }

private:
  int signal_;
  void (*old_)(int);
};

// Whether a command that runs now ignores a signal.
bool child_ignores(int signal) {
  const std::string text = run({command("exec grep SigIgn: /proc/self/status >&2")}).text;
  INFO(text);
  REQUIRE(text.starts_with("SigIgn:"));
  return std::stoull(text.substr(7), nullptr, 16) >> (signal - 1) & 1;
}

} // namespace

TEST_CASE("diagnostics come in the graph's order, whoever ends first") {
  Result result = run({command("sleep 0.2; echo one >&2"), command("echo two >&2"), command("echo three >&2", {0})});
  CHECK(result.code == 0);
  CHECK(result.text == "one\ntwo\nthree\n");
}

TEST_CASE("the first failure in order decides, and nothing after it shows or starts") {
  test::Folder folder;
  JobGraph graph = {command("sleep 0.2; echo early >&2; exit 3"), command("echo late >&2; exit 4"),
                    command("touch " + (folder / "made"), {1})};
  Result result = run(graph);
  CHECK(result.code == 3);
  CHECK(result.text == "early\n");
  CHECK_FALSE(folder.has("made"));
}

TEST_CASE("a failure removes the outputs of jobs that ran, and no others") {
  test::Folder folder;
  folder.write("old", "kept");
  JobGraph graph = {command("touch " + (folder / "new")), command("exit 1", {0}), command("true", {1})};
  graph[0].outputs = {folder / "new"};
  graph[2].outputs = {folder / "old"};
  CHECK(run(graph).code == 1);
  CHECK_FALSE(folder.has("new"));
  CHECK(folder.read("old") == "kept");
}

TEST_CASE("a failed command runs again as its fallback, whose diagnostics alone show") {
  JobGraph graph = {command("echo first >&2; exit 1")};
  graph[0].fallback = {"/bin/sh", "-c", "echo second >&2; exit 5"};
  Result result = run(graph);
  CHECK(result.code == 5);
  CHECK(result.text == "second\n");
}

TEST_CASE("an optional job fails in silence and its users take their fallback") {
  JobGraph graph = {command("echo noise >&2; exit 1"), command("echo fast >&2", {0})};
  graph[0].optional = true;
  graph[1].fallback = {"/bin/sh", "-c", "echo slow >&2"};
  Result result = run(graph);
  CHECK(result.code == 0);
  CHECK(result.text == "slow\n");
}

TEST_CASE("a step of hipcc's own that fails is an error with its sentence") {
  JobGraph graph = {Job()};
  graph[0].action = [](const std::string&) { throw DriverError("the disk is full"); };
  Result result = run(graph);
  CHECK(result.code == 1);
  CHECK(result.text == "hipcc: error: the disk is full\n");
}

TEST_CASE("a killed command counts as 128 and the signal; a missing program is an error") {
  CHECK(run({command("kill -9 $$")}).code == 137);
  JobGraph graph = {Job()};
  graph[0].command = {"/nowhere/clang++"};
  CHECK_THROWS_WITH(run_jobs(graph, {1, false, "/tmp"}), Catch::Contains("/nowhere/clang++"));
}

TEST_CASE("one at a time means one at a time") {
  test::Folder folder;
  std::string lock = folder / "lock";
  std::string script = "mkdir " + lock + " || exit 9; sleep 0.05; rmdir " + lock;
  CHECK(run({command(script), command(script), command(script)}, 1).code == 0);
}

TEST_CASE("a failure that is excused is told in other words, and the build goes on without it") {
  test::Folder folder;
  JobGraph graph = {command("echo refused >&2; exit 3"), command("touch " + (folder / "made"), {0})};
  graph[0].excuse = [](const std::string& text) { return "instead of " + text; };
  graph[1].fallback = {"/bin/sh", "-c", "touch " + (folder / "without")};
  const Result result = run(graph);
  CHECK(result.code == 0);
  CHECK(result.text == "instead of refused\n");
  CHECK(folder.has("without"));
  CHECK_FALSE(folder.has("made"));
}

TEST_CASE("what is not excused fails as any other") {
  JobGraph graph = {command("echo broken >&2; exit 3"), command("true", {0})};
  graph[0].excuse = [](const std::string&) { return std::string(); };
  const Result result = run(graph);
  CHECK(result.code == 3);
  CHECK(result.text == "broken\n");
}

TEST_CASE("signals that end a compiler end its jobs, and their outputs go") {
  test::Folder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    INFO(signal);
    const Disposition usual(signal, SIG_DFL);
    // More than once: the runner may just be about to wait.
    JobGraph graph = {command("touch " + (folder / "made") + "; while kill -" + std::to_string(signal) +
                              " $PPID; do sleep 0.05; done")};
    graph[0].outputs = {folder / "made"};
    CHECK(run(graph).code == 128 + signal);
    CHECK_FALSE(folder.has("made"));
    CHECK(usual.now() == SIG_DFL);
    CHECK_FALSE(child_ignores(signal));
  }
}

TEST_CASE("signals that are ignored stay so, here and in the commands, as nohup wants it") {
  for (const int signal : {SIGINT, SIGHUP, SIGQUIT, SIGPIPE}) {
    INFO(signal);
    const Disposition ignored(signal, SIG_IGN);
    const Result result = run({command("kill -" + std::to_string(signal) + " $PPID; echo alive >&2")});
    CHECK(result.code == 0);
    CHECK(result.text == "alive\n");
    CHECK(child_ignores(signal));
    CHECK(ignored.now() == SIG_IGN);
  }
}

TEST_CASE("commands fail where the ends of children are ignored, too") {
  const Disposition ignored(SIGCHLD, SIG_IGN);
  CHECK(run({command("exit 3")}).code == 3);
  CHECK(run({command("kill -9 $$")}).code == 137);
  CHECK_FALSE(child_ignores(SIGCHLD));
  CHECK(ignored.now() == SIG_IGN);
}

TEST_CASE("a command too long for the kernel gets its words from a file") {
  test::Folder folder;
  folder.write("clang", "#!/bin/sh\nhead -n 1 \"${1#@}\" >&2\n");
  folder.write("nvcc", "#!/bin/sh\nhead -n 1 \"${1#--options-file=}\" >&2\n");
  REQUIRE(test::shell("cd '" + folder.path() + "' && chmod +x clang nvcc").code == 0);
  const std::string word = R"(a "b" \c 'd')", long_word(200'000, 'x'); // Linux takes no word of 128 KiB
  JobGraph graph(2);
  graph[0].command = {folder / "clang", word, long_word};
  graph[1].command = {folder / "nvcc", word, long_word};
  graph[1].response_file = ResponseFile::Nvcc;
  CHECK(needs_response_file(graph[0].command));
  CHECK_FALSE(needs_response_file({folder / "clang", word}));
  const Result result = run(graph);
  CHECK(result.code == 0);
  CHECK(result.text == R"("a \"b\" \\c 'd'"
"a \\\"b\\\" \\c 'd'"
)");
}
