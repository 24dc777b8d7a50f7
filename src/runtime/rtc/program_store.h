// runtime/rtc/program_store.h - what programs were compiled to, kept on disk (base/code_cache.h: the folder "rtc" of
// the caches, OMNIHIP_CACHE=0 switches it off). An entry holds all that went into the compilation, which is compared,
// and for each file that was included from disk its size and time, which are checked. Thread safety: any thread, any
// number of processes.
#pragma once

#include "runtime/base/code_cache.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hip::rtc {

struct CompiledProgram {
  std::string code, bitcode, log;
  std::map<std::string, std::string> lowered; // name expressions
};

class ProgramStore {
public:
  // For the SDK in folder `sdk`. Keeps nothing when the environment says so, or where the SDK has no compiler for this
  // process: it is known by that one's build and by the hash of what it compiles with (lib/omnihip/rtc.id).
  explicit ProgramStore(const std::string& sdk);

  bool enabled() const noexcept { return cache_.enabled(); }
  // `inputs` is all that the result depends on, besides files.
  std::optional<CompiledProgram> find(const std::string& inputs) const;
  void store(const std::string& inputs, const CompiledProgram& program, const std::vector<std::string>& files);

private:
  CodeCache cache_;
};

} // namespace hip::rtc
