// runtime/engine/tiering/perf_map.h - tells Linux's profiler perf what translated code is. `perf report` reads
// /tmp/perf-PID.map, a line "begin bytes name" for each symbol, in hexadecimal; here a symbol is a piece of host code
// that belongs to one instruction of a kernel (tools/perf/Documentation/jit-interface.txt of Linux).
#pragma once

#include "runtime/engine/tiering/translated.h"

#include <cstdio>
#include <memory>
#include <mutex>

namespace hip::engine {

// Thread safety: add() from any thread.
class PerfMap {
public:
  // Null unless OMNIHIP_PERF_MAP is 1, and where the file cannot be written, which is said on standard error.
  static std::unique_ptr<PerfMap> open_if_wanted();
  void add(Program& program, const TranslatedFunction& function);

private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  explicit PerfMap(std::FILE* file) : file_(file) {}

  std::mutex mutex_;
  const std::unique_ptr<std::FILE, Close> file_;
};

} // namespace hip::engine
