// Jobs: order of diagnostics, exit codes, fallbacks, removed outputs.
#include "command.h"
#include "options.h"
#include "runner.h"

#include <catch2/catch.hpp>
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
