// hipcc/plan.h - cuts an invocation into jobs. The usual pipeline for one HIP source: every device's compilation and
// the host's run at the same time, the host's with a placeholder bundle; then the code objects are bundled and the
// bundle takes the placeholder's place; then one link. What only clang's own driver can do as a whole is one clang
// command.
#pragma once

#include "invocation.h"
#include "job.h"
#include "toolchain.h"

#include <string>

namespace hip::hipcc {

// scratch: the folder for what jobs hand to each other; it exists, with the placeholder bundle in it (make_scratch), by
// the time that the jobs run. colour: the diagnostics end at a terminal.
enum class Colour { Off, On };
JobGraph make_plan(const Invocation& invocation, const Toolchain& toolchain, const std::string& scratch, Colour colour);

// The same for nvcc (HIP_PLATFORM=nvidia): one compilation per source, and a link. Throws DriverError for an option
// whose work nvcc does not do.
struct NvccToolchain {
  std::string sdk;                          // the SDK, for its headers
  std::string nvcc;                         // the compiler that is run
  std::vector<std::string> library_folders; // where libcuda may lie
};
JobGraph make_nvcc_plan(const Invocation& invocation, const NvccToolchain& toolchain, const std::string& scratch);

// True when the plan is one command of the compiler and nothing more: it may replace this process, unless its words
// need a response file, which somebody has to remove behind it (needs_response_file in runner.h).
bool is_single_command(const JobGraph& graph);

} // namespace hip::hipcc
