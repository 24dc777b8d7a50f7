// runtime/rtc/link.h - linking bitcode of several programs to one code object: what hiprtcLink* collect, and one run of
// clang (compiler_process.h).
// Thread safety: none; the entry points hold the link's lock.
#pragma once

#include <hip/hiprtc.h>

#include <mutex>
#include <string>
#include <vector>

namespace hip::rtc {

class Link {
public:
  // The values of the options, each as its hipJitOption says. Unknown options are refused with INVALID_OPTION.
  hiprtcResult set_options(unsigned count, const hiprtcJIT_option* options, void* const* values);
  // LLVM bitcode is linked, bare, bundled and in archives of bundles. What is no bitcode in spite of its kind,
  // complete() refuses. The kinds that CUDA has (cubin, PTX, fat binary, object) may hold finished device code, as
  // `omnicc -ptx` and `-cubin` write it: alone in a link, it is the link's result. INVALID_INPUT for all else.
  hiprtcResult add(hiprtcJITInputType type, std::string bytes);
  // Also PROGRAM_CREATION_FAILURE, when the file cannot be read.
  hiprtcResult add_file(hiprtcJITInputType type, const char* path);
  // For the current device. LINKING when clang refuses; what it says goes into the log buffers of the options.
  hiprtcResult complete();
  std::string& code() { return code_; }

  std::mutex mutex;

private:
  struct LogBuffer {
    char* text = nullptr;
    size_t bytes = 0;
  };
  void tell(const LogBuffer& log, const std::string& text) const;
  hiprtcResult take_finished();
  hiprtcResult run(const std::string& folder);

  std::vector<std::pair<hiprtcJITInputType, std::string>> inputs_;
  std::vector<std::string> code_generator_options_;
  unsigned optimisation_ = 3;
  LogBuffer info_, errors_;
  std::string code_;
};

} // namespace hip::rtc
