// runtime/rtc/folder.h - the SDK that the library (libhiprtc, libamd_comgr) is in, a folder for one compilation, and
// files in it.
#pragma once

#include <filesystem>
#include <string>

namespace hip::rtc {

// A program of the SDK's bin/, "hipcc" for one; empty when it is not there.
std::string find_sdk_program(const char* name);
// The folder of the SDK; empty when the library is in none.
std::string sdk_folder();

// A folder of our own, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; } // empty: it could not be made

private:
  std::string path_;
};

bool write_file(const std::filesystem::path& path, const std::string& bytes);
std::string read_file(const std::filesystem::path& path);

} // namespace hip::rtc
