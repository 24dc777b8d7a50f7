#include "runtime/rtc/link_inputs.h"

#include "runtime/codeobject/bundle.h"

#include <charconv>
#include <span>

namespace hip::rtc {
namespace {

using codeobject::Bytes;

constexpr std::string_view kArchiveMagic = "!<arch>\n";

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// LLVM bitcode, bare or with the wrapper that some tools write.
bool is_bitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xc0\xde") || bytes.starts_with("\xde\xc0\x17\x0b");
}

// The module for the target in an offload bundle, compressed or not.
Result<std::string> module_in_bundle(std::string_view bytes, const std::string& target) {
  RT_TRY_ASSIGN(const codeobject::Bundle bundle, codeobject::parse_bundle(std::as_bytes(std::span(bytes))));
  RT_TRY_ASSIGN(const codeobject::BundleEntry* entry, codeobject::choose_entry(bundle, target));
  const std::string_view module = text_of(entry->image);
  if (!is_bitcode(module))
    return error(ErrorCode::InvalidImage, "The bundle's entry \"{}\" is no LLVM bitcode.", entry->id);
  return std::string(module);
}

// The files of a Unix archive. A header has 60 bytes: name 16, time 12, owner 6, group 6, mode 8, size 10, end 2; files
// begin at even offsets.
Result<std::vector<std::string_view>> files_of_archive(std::string_view bytes) {
  if (!bytes.starts_with(kArchiveMagic))
    return error(ErrorCode::InvalidImage, "The link's input is no archive: it does not begin with \"!<arch>\".");
  std::vector<std::string_view> files;
  for (size_t at = kArchiveMagic.size(); at < bytes.size();) {
    const std::string_view header = bytes.substr(at, 60);
    size_t size = 0;
    const bool whole = header.size() == 60 && header.ends_with("`\n") &&
                       std::from_chars(header.data() + 48, header.data() + 58, size).ec == std::errc();
    if (!whole || size > bytes.size() - at - 60)
      return error(ErrorCode::InvalidImage, "The archive is damaged: there is no file's header at offset {}.", at);
    // "/" is the index of symbols, "//" the long names.
    if (header[0] != '/' || (header[1] != ' ' && header[1] != '/')) files.push_back(bytes.substr(at + 60, size));
    at += 60 + size + size % 2;
  }
  return files;
}

} // namespace

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
