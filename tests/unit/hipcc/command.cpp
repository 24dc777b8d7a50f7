#include "command.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>

namespace hip::hipcc::test {
namespace fs = std::filesystem;

Outcome shell(const std::string& line) {
  FILE* pipe = popen(("{ " + line + "\n} 2>&1").c_str(), "r");
  if (!pipe) return {127, "popen fails"};
  Outcome outcome{0, {}};
  char buffer[4096];
  for (size_t size; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.output.append(buffer, size);
  int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

const std::string& shared_cache() {
  static const Folder folder;
  return folder.path();
}

namespace {

Outcome run_tool(const std::string& name, const std::string& folder, const std::string& arguments,
                 const std::string& cache) {
  return shell("cd '" + folder + "' && unset OMNIHIP_CACHE_DIR && XDG_CACHE_HOME='" + cache +
               "' '" OMNIHIP_SDK_DIR "/bin/" + name + "' " + arguments);
}

} // namespace

Outcome hipcc(const std::string& folder, const std::string& arguments, const std::string& cache) {
  return run_tool("hipcc", folder, arguments, cache);
}

Outcome omnicc(const std::string& folder, const std::string& arguments) {
  return run_tool("omnicc", folder, arguments, shared_cache());
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "hipcc-test-XXXXXX").string();
  path_ = mkdtemp(name.data());
}
Folder::~Folder() {
  std::error_code ec;
  fs::remove_all(path_, ec);
}
void Folder::write(const std::string& name, const std::string& text) const {
  fs::create_directories(fs::path(*this / name).parent_path());
  std::ofstream(*this / name, std::ios::binary) << text;
}
std::string Folder::read(const std::string& name) const {
  std::ifstream file(*this / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
bool Folder::has(const std::string& name) const { return fs::exists(*this / name); }
std::vector<std::string> Folder::list(const std::string& folder, const std::string& ending) const {
  std::vector<std::string> names;
  std::error_code ec;
  for (const fs::directory_entry& file : fs::directory_iterator(*this / folder, ec)) {
    if (file.path().extension() == ending) names.push_back(file.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace hip::hipcc::test
