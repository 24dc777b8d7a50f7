// Every symbol that libhiprtc.so exports. Handles are looked up in the list of live programs, never trusted. Linking of
// bitcode (hiprtcLink*) is not implemented yet: it answers HIPRTC_ERROR_LINKING.
#include "runtime/rtc/program.h"

#include <hip/hip_version.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#define RTC_EXPORT extern "C" __attribute__((visibility("default")))

namespace hip::rtc {
namespace {

// Never destroyed: static destructors of programs may still use it.
struct Programs {
  std::mutex mutex;
  std::vector<std::shared_ptr<Program>> live;
};
Programs& programs() {
  static Programs* all = new Programs;
  return *all;
}

std::shared_ptr<Program> find(hiprtcProgram handle) {
  std::lock_guard lock(programs().mutex);
  for (const auto& program : programs().live)
    if (reinterpret_cast<hiprtcProgram>(program.get()) == handle) return program;
  return nullptr;
}

// Calls f with the program, locked. No exception leaves the library.
template <class F> hiprtcResult with(hiprtcProgram handle, F f) noexcept {
  try {
    const std::shared_ptr<Program> program = find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    std::lock_guard lock(program->mutex);
    return f(*program);
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

hiprtcResult copy_out(const std::string& bytes, char* out) {
  std::memcpy(out, bytes.data(), bytes.size());
  return HIPRTC_SUCCESS;
}

} // namespace
} // namespace hip::rtc

using namespace hip::rtc;

RTC_EXPORT const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
#define RTC_NAME(name)                                                                                                 \
  case name: return #name;
    RTC_NAME(HIPRTC_SUCCESS)
    RTC_NAME(HIPRTC_ERROR_OUT_OF_MEMORY)
    RTC_NAME(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE)
    RTC_NAME(HIPRTC_ERROR_INVALID_INPUT)
    RTC_NAME(HIPRTC_ERROR_INVALID_PROGRAM)
    RTC_NAME(HIPRTC_ERROR_INVALID_OPTION)
    RTC_NAME(HIPRTC_ERROR_COMPILATION)
    RTC_NAME(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    RTC_NAME(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    RTC_NAME(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    RTC_NAME(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    RTC_NAME(HIPRTC_ERROR_INTERNAL_ERROR)
    RTC_NAME(HIPRTC_ERROR_LINKING)
#undef RTC_NAME
  }
  return "Invalid HIPRTC error code";
}

RTC_EXPORT hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = HIP_VERSION_MAJOR;
  *minor = HIP_VERSION_MINOR;
  return HIPRTC_SUCCESS;
}

RTC_EXPORT hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char* name, int numHeaders,
                                            const char* const* headers, const char* const* includeNames) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!src || numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames))) return HIPRTC_ERROR_INVALID_INPUT;
  try {
    auto program = std::make_shared<Program>(src, name ? name : "");
    for (int i = 0; i < numHeaders; ++i) {
      if (!headers[i] || !includeNames[i]) return HIPRTC_ERROR_INVALID_INPUT;
      program->add_header(includeNames[i], headers[i]);
    }
    std::lock_guard lock(programs().mutex);
    programs().live.push_back(program);
    *prog = reinterpret_cast<hiprtcProgram>(program.get());
    return HIPRTC_SUCCESS;
  } catch (...) { // memory
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  }
}

RTC_EXPORT hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog) {
  if (!prog) return HIPRTC_ERROR_INVALID_INPUT;
  std::shared_ptr<Program> gone; // ends after the lock
  std::lock_guard lock(programs().mutex);
  auto& live = programs().live;
  const auto it = std::find_if(live.begin(), live.end(), [&](const auto& program) {
    return reinterpret_cast<hiprtcProgram>(program.get()) == *prog;
  });
  if (it == live.end()) return HIPRTC_ERROR_INVALID_PROGRAM;
  gone = std::move(*it);
  live.erase(it);
  *prog = nullptr;
  return HIPRTC_SUCCESS;
}

RTC_EXPORT hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char* name_expression) {
  if (!name_expression) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) { return program.add_name_expression(name_expression); });
}

RTC_EXPORT hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char* const* options) {
  if (numOptions < 0 || (numOptions > 0 && !options)) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    std::vector<std::string> list;
    for (int i = 0; i < numOptions; ++i) {
      if (!options[i]) return HIPRTC_ERROR_INVALID_INPUT;
      list.emplace_back(options[i]);
    }
    return program.compile(list);
  });
}

RTC_EXPORT hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char* name_expression, const char** lowered_name) {
  if (!name_expression || !lowered_name) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    if (!program.compiled()) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const std::string* found = program.lowered_name(name_expression);
    if (!found) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = found->c_str();
    return HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t* logSizeRet) {
  if (!logSizeRet) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    *logSizeRet = program.log().empty() ? 0 : program.log().size() + 1;
    return HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char* log) {
  if (!log) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    if (!program.log().empty()) std::memcpy(log, program.log().c_str(), program.log().size() + 1);
    return HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t* codeSizeRet) {
  if (!codeSizeRet) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    *codeSizeRet = program.code().size();
    return program.code().empty() ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcGetCode(hiprtcProgram prog, char* code) {
  if (!code) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    return program.code().empty() ? HIPRTC_ERROR_INVALID_PROGRAM : copy_out(program.code(), code);
  });
}

RTC_EXPORT hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t* bitcode_size) {
  if (!bitcode_size) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    *bitcode_size = program.bitcode().size();
    return program.bitcode().empty() ? HIPRTC_ERROR_INVALID_PROGRAM : HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char* bitcode) {
  if (!bitcode) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) {
    return program.bitcode().empty() ? HIPRTC_ERROR_INVALID_PROGRAM : copy_out(program.bitcode(), bitcode);
  });
}

RTC_EXPORT hiprtcResult hiprtcLinkCreate(unsigned int num_options, hiprtcJIT_option* option_ptr, void** option_vals_pptr,
                                         hiprtcLinkState* hip_link_state_ptr) {
  if (hip_link_state_ptr) *hip_link_state_ptr = nullptr;
  return HIPRTC_ERROR_LINKING;
}
RTC_EXPORT hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type,
                                          const char* file_path, unsigned int num_options, hiprtcJIT_option* options_ptr,
                                          void** option_values) {
  return HIPRTC_ERROR_LINKING;
}
RTC_EXPORT hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type, void* image,
                                          size_t image_size, const char* name, unsigned int num_options,
                                          hiprtcJIT_option* options_ptr, void** option_values) {
  return HIPRTC_ERROR_LINKING;
}
RTC_EXPORT hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void** bin_out, size_t* size_out) {
  return HIPRTC_ERROR_LINKING;
}
RTC_EXPORT hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state) { return HIPRTC_ERROR_LINKING; }
