// hipcc/runner.h - runs a job graph: commands in parallel, their diagnostics in the graph's order, so that output is
// the same on every run. The first job in order that fails decides the exit code and is the last whose diagnostics
// show.
#pragma once

#include "job.h"

namespace hip::hipcc {

struct RunOptions {
  unsigned parallel = 1;
  bool verbose = false; // show each command as clang's -v does
  std::string scratch;  // folder for response files of very long commands; made by the caller
};

// Returns the exit code. On failure every output of the graph's jobs that was started is removed. A job killed by a
// signal counts as exit code 128 + signal. SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE end the children, remove the
// outputs and give 128 + signal; where they are ignored, they stay so. SIGCHLD has its default meaning meanwhile. A
// job that is alone reads the caller's standard input; jobs that are several read nothing.
int run_jobs(const JobGraph& graph, const RunOptions& options);

// True for a command so near the kernel's limit for command lines that run_jobs hands it its words in a response file.
bool needs_response_file(const std::vector<std::string>& command);

// A command as one line in clang's manner: each word in double quotes.
std::string quoted(const std::vector<std::string>& command);

// Shows the graph and runs nothing.
void print_jobs(const JobGraph& graph);

} // namespace hip::hipcc
