// hipLink*: hiprtc's linker, which is loaded when the first link is made. A hipLinkState_t is hiprtc's own link state.
#include "runtime/api/api.h"
#include "runtime/base/beside.h"

#include <hip/hiprtc.h>

#include <dlfcn.h>
#include <string>

namespace hip::api {
namespace {

struct Linker {
  decltype(&::hiprtcLinkCreate) create = nullptr;
  decltype(&::hiprtcLinkAddData) add_data = nullptr;
  decltype(&::hiprtcLinkAddFile) add_file = nullptr;
  decltype(&::hiprtcLinkComplete) complete = nullptr;
  decltype(&::hiprtcLinkDestroy) destroy = nullptr;
  std::string missing; // why there is none
};

template<class F> void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
}

Linker load_linker() {
  Linker linker;
  const std::string path = path_beside(reinterpret_cast<const void*>(&load_linker), "libhiprtc.so.7");
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const reason = dlerror();
    linker.missing = reason ? reason : path;
    return linker;
  }
  find(library, "hiprtcLinkCreate", linker.create);
  find(library, "hiprtcLinkAddData", linker.add_data);
  find(library, "hiprtcLinkAddFile", linker.add_file);
  find(library, "hiprtcLinkComplete", linker.complete);
  find(library, "hiprtcLinkDestroy", linker.destroy);
  if (!linker.create || !linker.add_data || !linker.add_file || !linker.complete || !linker.destroy)
    linker.missing = path + " has no linker";
  return linker;
}

Result<const Linker*> linker() {
  static const Linker& only = *new Linker(load_linker());
  if (only.missing.empty()) return &only;
  return error(ErrorCode::SharedObjectInitFailed, "Linking needs hiprtc's library: {}.", only.missing);
}

hiprtcLinkState rtc(hipLinkState_t state) { return reinterpret_cast<hiprtcLinkState>(state); }

// Kinds of CUDA's that hold finished device code, which is the whole of a link.
bool is_finished_kind(hipJitInputType type) {
  return type == hipJitInputCubin || type == hipJitInputPtx || type == hipJitInputFatBinary ||
         type == hipJitInputObject;
}

// Kinds that are linked. SPIR-V would have to become bitcode first.
Status check_kind(hipJitInputType type) {
  if (is_finished_kind(type)) return {};
  switch (static_cast<int>(type)) {
  case hipJitInputLLVMBitcode:
  case hipJitInputLLVMBundledBitcode:
  case hipJitInputLLVMArchivesOfBundledBitcode:
    return {};
  case hipJitInputSpirv:
    return error(ErrorCode::NotSupported, "SPIR-V is not linked; give LLVM bitcode.");
  default:
    return error(ErrorCode::InvalidValue, "Inputs of kind {} are not linked.", static_cast<int>(type));
  }
}

Status status_of(hiprtcResult result, hipLinkState_t state) {
  switch (result) {
  case HIPRTC_SUCCESS:
    return {};
  case HIPRTC_ERROR_OUT_OF_MEMORY:
    return error(ErrorCode::OutOfMemory, "There is no memory for the link.");
  case HIPRTC_ERROR_INVALID_INPUT: // all else that it stands for is checked before
    return error(ErrorCode::InvalidHandle, "{} is no link state, or it was destroyed.", static_cast<void*>(state));
  case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
    return error(ErrorCode::InvalidConfiguration, "The input's file cannot be read, or is empty.");
  default:
    return error(ErrorCode::InvalidConfiguration,
                 "The link fails; the buffer of hipJitOptionErrorLogBuffer tells why, where there is one.");
  }
}

// What an input was answered with; the other errors of INVALID_INPUT are checked before.
Status status_of_input(hiprtcResult result, hipLinkState_t state, hipJitInputType type) {
  if (result == HIPRTC_ERROR_INVALID_INPUT && is_finished_kind(type))
    return error(ErrorCode::InvalidValue, "The input, of kind {}, holds no device code.", static_cast<int>(type));
  return status_of(result, state);
}

Status check_options(unsigned count, const hipJitOption* options, void* const* values) {
  if (count == 0 || (options && values)) return {};
  return error(ErrorCode::InvalidValue, "{} options are announced, but their list is null.", count);
}

} // namespace

Status hipLinkCreate(unsigned int numOptions, hipJitOption* options, void** optionValues, hipLinkState_t* stateOut) {
  *stateOut = nullptr;
  RT_TRY(check_options(numOptions, options, optionValues));
  RT_TRY_ASSIGN(const Linker* l, linker());
  hiprtcLinkState state = nullptr;
  const hiprtcResult result = l->create(numOptions, options, optionValues, &state);
  if (result == HIPRTC_ERROR_INVALID_OPTION || result == HIPRTC_ERROR_INVALID_INPUT)
    return error(ErrorCode::InvalidConfiguration, "An option of the link is not known, or has no valid value.");
  RT_TRY(status_of(result, nullptr));
  *stateOut = reinterpret_cast<hipLinkState_t>(state);
  return {};
}

Status hipLinkAddData(hipLinkState_t state, hipJitInputType type, void* data, size_t size, const char* name,
                      unsigned int numOptions, hipJitOption* options, void** optionValues) {
  if (!data || size == 0) return error(ErrorCode::InvalidImage, "The link's input is empty.");
  RT_TRY(check_kind(type));
  RT_TRY(check_options(numOptions, options, optionValues));
  RT_TRY_ASSIGN(const Linker* l, linker());
  return status_of_input(l->add_data(rtc(state), type, data, size, name, numOptions, options, optionValues), state,
                         type);
}

Status hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char* path, unsigned int numOptions,
                      hipJitOption* options, void** optionValues) {
  RT_TRY(check_kind(type));
  RT_TRY(check_options(numOptions, options, optionValues));
  RT_TRY_ASSIGN(const Linker* l, linker());
  return status_of_input(l->add_file(rtc(state), type, path, numOptions, options, optionValues), state, type);
}

Status hipLinkComplete(hipLinkState_t state, void** hipBinOut, size_t* sizeOut) {
  RT_TRY_ASSIGN(const Linker* l, linker());
  return status_of(l->complete(rtc(state), hipBinOut, sizeOut), state);
}

Status hipLinkDestroy(hipLinkState_t state) {
  RT_TRY_ASSIGN(const Linker* l, linker());
  return status_of(l->destroy(rtc(state)), state);
}

} // namespace hip::api
