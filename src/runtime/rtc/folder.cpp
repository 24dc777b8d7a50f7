#include "runtime/rtc/folder.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>

namespace hip::rtc {

namespace fs = std::filesystem;

std::string sdk_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&sdk_folder), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  return fs::canonical(info.dli_fname, ignored).parent_path().parent_path().string();
}

std::string find_sdk_program(const char* name) {
  std::error_code ignored;
  const fs::path program = fs::path(sdk_folder()) / "bin" / name;
  return fs::exists(program, ignored) ? program.string() : std::string();
}

TemporaryFolder::TemporaryFolder() {
  std::error_code ignored;
  std::string pattern = (fs::temp_directory_path(ignored) / "hiprtc-XXXXXX").string();
  if (mkdtemp(pattern.data())) path_ = pattern;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

bool write_file(const fs::path& path, const std::string& bytes) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  return static_cast<bool>(file.flush());
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace hip::rtc
