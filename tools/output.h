// tools/output.h - standard output of a tool: what could not be written is an error of the tool, since a script that
// reads an empty file otherwise takes it for an answer.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>

namespace hip::tools {

// To be called first. Where a tool is started with a standard stream closed, the next file that it or the runtime opens
// gets the stream's number, and lines for the stream would be written into that file. The number is taken here by a
// file that cannot be used in the stream's direction.
inline void reserve_standard_streams() {
  for (int stream = 0; stream <= 2; ++stream)
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)); // gets the lowest free number
}

// To be called last, with the exit code so far: returns the exit code of the tool.
inline int finish_output(const char* tool, int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  std::fprintf(stderr, "%s: error: standard output cannot be written: %s\n", tool,
               errno ? std::strerror(errno) : "an earlier write failed");
  return code ? code : 1;
}

} // namespace hip::tools
