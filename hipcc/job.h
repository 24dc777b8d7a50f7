// hipcc/job.h - the unit of work: one command, or one step that hipcc does itself, with what it needs and what it
// makes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hip::hipcc {

// How a program reads words from a file, for commands too long for the kernel: clang and its tools by @FILE, nvcc by
// --options-file=FILE.
enum class ResponseFile { Clang, Nvcc };

struct Job {
  std::vector<std::string> command; // empty: a step of hipcc's own
  ResponseFile response_file = ResponseFile::Clang;
  // A step of hipcc's own, or what follows a successful command and gets what that wrote to stderr. Throws DriverError.
  std::function<void(const std::string& text)> action;
  // What to say behind the diagnostics of a command that failed for good.
  std::function<std::string(const std::string& text)> advice;
  // Of a command that failed for good: what to tell the user instead of its diagnostics, when the build goes on without
  // what it makes; empty: it does not. What needs the job then runs as if the job were optional.
  std::function<std::string(const std::string& text)> excuse;
  // Used in place of command when a job that this one needs failed and was optional, or when command itself fails; the
  // user then sees only this command's diagnostics.
  std::vector<std::string> fallback;
  std::vector<size_t> needs;         // indices of earlier jobs
  std::vector<std::string> outputs;  // files of the user's that are removed when anything fails
  std::string shown;                 // how -v and -### show a step of hipcc's own
  std::vector<std::string> warnings; // of the first job: what the user is told before any job runs
  bool optional = false;             // its failure is silent and matters only to jobs with a fallback
};

using JobGraph = std::vector<Job>; // a job needs only jobs before it

} // namespace hip::hipcc
