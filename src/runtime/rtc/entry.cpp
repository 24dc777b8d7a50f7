// Every symbol that libhiprtc.so exports. Handles are looked up in the list of live programs, never trusted. Links
// likewise.
#include "runtime/rtc/link.h"
#include "runtime/rtc/program.h"

#include <hip/hip_version.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#define RTC_EXPORT extern "C" __attribute__((visibility("default")))

namespace hip::rtc {
namespace {

// The live objects of one kind. Never destroyed: static destructors of programs may still use it.
template<class T> struct Table {
  std::mutex mutex;
  std::vector<std::shared_ptr<T>> live;
};
template<class T> Table<T>& table() {
  static Table<T>* all = new Table<T>;
  return *all;
}

template<class T, class Handle> std::shared_ptr<T> find(Handle handle) {
  std::lock_guard lock(table<T>().mutex);
  for (const auto& object : table<T>().live)
    if (reinterpret_cast<Handle>(object.get()) == handle) return object;
  return nullptr;
}
template<class T, class Handle> Handle add(std::shared_ptr<T> object) {
  std::lock_guard lock(table<T>().mutex);
  table<T>().live.push_back(object);
  return reinterpret_cast<Handle>(object.get());
}
// Null: there is no such object.
template<class T, class Handle> std::shared_ptr<T> take(Handle handle) {
  std::lock_guard lock(table<T>().mutex);
  auto& live = table<T>().live;
  const auto it = std::find_if(live.begin(), live.end(),
                               [&](const auto& object) { return reinterpret_cast<Handle>(object.get()) == handle; });
  if (it == live.end()) return nullptr;
  std::shared_ptr<T> taken = std::move(*it);
  live.erase(it);
  return taken;
}

// Calls f with the object, locked; `none` when the handle is none. No exception leaves the library.
template<class T, class Handle, class F> hiprtcResult with(Handle handle, hiprtcResult none, F f) noexcept {
  try {
    const std::shared_ptr<T> object = find<T>(handle);
    if (!object) return none;
    std::lock_guard lock(object->mutex);
    return f(*object);
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}
template<class F> hiprtcResult with(hiprtcProgram handle, F f) noexcept {
  return with<Program>(handle, HIPRTC_ERROR_INVALID_PROGRAM, f);
}
template<class F> hiprtcResult with(hiprtcLinkState handle, F f) noexcept {
  return with<Link>(handle, HIPRTC_ERROR_INVALID_INPUT, f);
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
  case name:                                                                                                           \
    return #name;
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
    *prog = add<Program, hiprtcProgram>(std::move(program));
    return HIPRTC_SUCCESS;
  } catch (...) { // memory
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  }
}

RTC_EXPORT hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog) {
  if (!prog) return HIPRTC_ERROR_INVALID_INPUT;
  if (!take<Program>(*prog)) return HIPRTC_ERROR_INVALID_PROGRAM;
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

RTC_EXPORT hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char* name_expression,
                                             const char** lowered_name) {
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
    *logSizeRet = program.log().size();
    return HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char* log) {
  if (!log) return HIPRTC_ERROR_INVALID_INPUT;
  return with(prog, [&](Program& program) { return copy_out(program.log(), log); });
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

RTC_EXPORT hiprtcResult hiprtcLinkCreate(unsigned int num_options, hiprtcJIT_option* option_ptr,
                                         void** option_vals_pptr, hiprtcLinkState* hip_link_state_ptr) {
  if (!hip_link_state_ptr || (num_options > 0 && (!option_ptr || !option_vals_pptr))) return HIPRTC_ERROR_INVALID_INPUT;
  *hip_link_state_ptr = nullptr;
  try {
    auto link = std::make_shared<Link>();
    if (const hiprtcResult result = link->set_options(num_options, option_ptr, option_vals_pptr)) return result;
    *hip_link_state_ptr = add<Link, hiprtcLinkState>(std::move(link));
    return HIPRTC_SUCCESS;
  } catch (...) { // memory
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  }
}

// The options of an input have no effect on AMD's targets.
RTC_EXPORT hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type,
                                          const char* file_path, unsigned int num_options,
                                          hiprtcJIT_option* options_ptr, void** option_values) {
  if (!file_path) return HIPRTC_ERROR_INVALID_INPUT;
  return with(hip_link_state, [&](Link& link) { return link.add_file(input_type, file_path); });
}
RTC_EXPORT hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hiprtcJITInputType input_type, void* image,
                                          size_t image_size, const char* name, unsigned int num_options,
                                          hiprtcJIT_option* options_ptr, void** option_values) {
  if (!image || image_size == 0) return HIPRTC_ERROR_INVALID_INPUT;
  return with(hip_link_state, [&](Link& link) {
    return link.add(input_type, std::string(static_cast<const char*>(image), image_size));
  });
}

RTC_EXPORT hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void** bin_out, size_t* size_out) {
  if (!bin_out || !size_out) return HIPRTC_ERROR_INVALID_INPUT;
  return with(hip_link_state, [&](Link& link) {
    const hiprtcResult result = link.complete();
    if (result != HIPRTC_SUCCESS) return result;
    *bin_out = link.code().data();
    *size_out = link.code().size();
    return HIPRTC_SUCCESS;
  });
}

RTC_EXPORT hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state) {
  return take<Link>(hip_link_state) ? HIPRTC_SUCCESS : HIPRTC_ERROR_INVALID_INPUT;
}
