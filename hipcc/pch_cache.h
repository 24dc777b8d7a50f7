// hipcc/pch_cache.h - the parse of the big headers, kept between runs. Two thirds of a small HIP file's compile time go
// into clang's wrapper headers and hip_runtime.h, the same text every time. A precompiled header of them lies in the
// user's cache folder, one per compiler, side, target and set of options that can change the parse.
//
// It never changes what a program means: the wrapper comes before the first line of every HIP file anyway, and the
// file's own includes join it, in their order, only up to hip_runtime.h and only when nothing but standard headers
// comes before (preamble.h). A cached header is used only while every file that went into it has its old size and time,
// and no folder of the command's -I options holds a file that would have been found instead. When a compilation with a
// cached header fails, it runs again without it, and only that run's diagnostics show.
//
// Safe with many processes: a header is written under a name of its own, then its manifest is renamed into place. One
// process builds a given header, the others compile without it meanwhile. A header is built the second time it would
// have been useful, so that options used once leave nothing behind.
#pragma once

#include "job.h"

#include <optional>
#include <string>
#include <vector>

namespace hip::hipcc {

struct PchRequest {
  std::string source;                    // the HIP file
  std::vector<std::string> command;      // clang and all options that can change the parse, without include folders
  std::vector<std::string> include_dirs; // the command's own include folders
  std::string wrapper;                   // the header that comes before the first line
};

struct PchUse {
  std::string path;         // the precompiled header to compile with; empty: compile without
  std::optional<Job> build; // when set, path exists after this job
};

class PchCache {
public:
  // clang_headers is clang's own include folder, sdk the SDK's root. The cache is off when the environment variable
  // OMNIHIP_NO_PCH is set to anything but 0, when there is no home folder, or when the folder cannot be written.
  PchCache(std::string clang_headers, std::string sdk);

  PchUse prepare(const PchRequest& request) const;

private:
  std::string clang_headers_, sdk_, folder_;
};

} // namespace hip::hipcc
