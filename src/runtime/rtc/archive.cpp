#include "runtime/rtc/archive.h"

#include <charconv>

namespace hip::rtc {
namespace {

constexpr std::string_view kArchiveMagic = "!<arch>\n";

} // namespace

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

std::string make_archive(std::span<const std::string> files) {
  std::string out(kArchiveMagic);
  for (size_t i = 0; i < files.size(); ++i) {
    out += fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", fmt::format("{}/", i), 0, 0, 0, 644, files[i].size());
    out += files[i];
    if (files[i].size() % 2 != 0) out += '\n';
  }
  return out;
}

} // namespace hip::rtc
