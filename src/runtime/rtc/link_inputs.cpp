#include "runtime/rtc/link_inputs.h"

#include "runtime/codeobject/bundle.h"
#include "runtime/rtc/archive.h"

#include <span>

namespace hip::rtc {
namespace {

using codeobject::Bytes;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// LLVM bitcode, bare or with the wrapper that some tools write.
bool is_bitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xc0\xde") || bytes.starts_with("\xde\xc0\x17\x0b");
}

// The module for the target in an offload bundle, compressed or not.
Result<std::string> module_in_bundle(std::string_view bytes, const std::string& target) {
  RT_TRY_ASSIGN(const codeobject::Bundle bundle, codeobject::parse_bundle(std::as_bytes(std::span(bytes)), target));
  RT_TRY_ASSIGN(const codeobject::BundleEntry* entry, codeobject::choose_entry(bundle, target));
  const std::string_view module = text_of(entry->image);
  if (!is_bitcode(module))
    return error(ErrorCode::InvalidImage, "The bundle's entry \"{}\" is no LLVM bitcode.", entry->id);
  return std::string(module);
}

} // namespace

bool is_finished_kind(hiprtcJITInputType type) {
  switch (static_cast<int>(type)) {
  case HIPRTC_JIT_INPUT_CUBIN:
  case HIPRTC_JIT_INPUT_PTX:
  case HIPRTC_JIT_INPUT_FATBINARY:
  case HIPRTC_JIT_INPUT_OBJECT:
    return true;
  default:
    return false;
  }
}

bool holds_device_code(const std::string& bytes) {
  const auto bundle = codeobject::parse_bundle(std::as_bytes(std::span(bytes)));
  return bundle.ok() && !bundle.value().entries().empty();
}

Result<std::string> finished_code(const std::string& bytes, const std::string& target) {
  RT_TRY_ASSIGN(const codeobject::Bundle bundle, codeobject::parse_bundle(std::as_bytes(std::span(bytes)), target));
  RT_TRY_ASSIGN(const codeobject::BundleEntry* entry, codeobject::choose_entry(bundle, target));
  return std::string(text_of(entry->image));
}

Result<std::vector<std::string>> bitcode_modules(hiprtcJITInputType type, const std::string& bytes,
                                                 const std::string& target) {
  std::vector<std::string> modules;
  switch (static_cast<int>(type)) {
  case HIPRTC_JIT_INPUT_LLVM_BITCODE:
    if (!is_bitcode(bytes)) return error(ErrorCode::InvalidImage, "The link's input is no LLVM bitcode.");
    modules.push_back(bytes);
    return modules;
  case HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE: {
    RT_TRY_ASSIGN(std::string module, module_in_bundle(bytes, target));
    modules.push_back(std::move(module));
    return modules;
  }
  case HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE: {
    RT_TRY_ASSIGN(const std::vector<std::string_view> files, files_of_archive(bytes));
    for (const std::string_view file : files) {
      auto module = module_in_bundle(file, target);
      if (module.ok())
        modules.push_back(std::move(module).value());
      else if (module.status().code() != ErrorCode::NoBinaryForGpu) // other files of the archive may fit
        return module.status();
    }
    if (modules.empty())
      return error(ErrorCode::NoBinaryForGpu, "None of the archive's {} files holds bitcode for {}.", files.size(),
                   target);
    return modules;
  }
  default:
    return error(ErrorCode::NotSupported, "Input {} of a link is no LLVM bitcode.", static_cast<int>(type));
  }
}

} // namespace hip::rtc
