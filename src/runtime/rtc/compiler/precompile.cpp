// omnihip_precompile COMPILER SDK CLANG TARGET...: writes the precompiled headers that hiprtc finds in the SDK, for
// each target with the language standards that programs usually ask for, and rtc.id, a hash of all that programs are
// compiled with besides the compiler. Runs when the SDK is built.
#include "runtime/base/hash.h"
#include "runtime/rtc/compiler/compiler.h"
#include "runtime/rtc/program_words.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;
using namespace hip::rtc;

namespace {

// The names and contents of all files in the folders.
std::string hash_of(const std::vector<fs::path>& folders) {
  std::string all;
  for (const fs::path& folder : folders) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files) {
      std::ifstream file(path, std::ios::binary);
      all += path.lexically_relative(folder).string() + "\n";
      all.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  const hip::Hash128 hash = hip::hash128(std::as_bytes(std::span(all)));
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx\n", static_cast<unsigned long long>(hash.low),
                static_cast<unsigned long long>(hash.high));
  return text;
}

bool precompile(CompilerFunction* function, char** argv, const char* target, const char* standard) {
  std::vector<std::string> options;
  if (*standard) options.push_back(standard);
  std::vector<std::string> words = program_words(options, target).words;
  words.push_back("/dev/null"); // the headers alone
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  CompilerRequest request;
  request.sdk = argv[2];
  request.clang_headers = argv[3];
  request.scratch = "/nonexistent"; // nothing is handed on
  request.words = pointers.data();
  request.count = pointers.size();
  request.say = [](void*, const char* text, size_t bytes) { std::fwrite(text, 1, bytes, stderr); };
  if (function(&request) == CompilerOutcome::Done) return true;
  std::fprintf(stderr, "omnihip_precompile: there is no header for %s %s\n", target, standard);
  return false;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "Usage: omnihip_precompile COMPILER SDK CLANG TARGET...\n");
    return 1;
  }
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void* const function = library ? dlsym(library, kPrecompileFunctionName) : nullptr;
  if (!function) {
    std::fprintf(stderr, "omnihip_precompile: %s\n", dlerror());
    return 1;
  }
  for (int i = 4; i < argc; ++i)
    for (const char* standard : {"", "-std=c++17"})
      if (!precompile(reinterpret_cast<CompilerFunction*>(function), argv, argv[i], standard)) return 1;
  const fs::path sdk = argv[2];
  std::ofstream id(sdk / "lib/omnihip/rtc.id");
  id << hash_of({sdk / "include/hip", sdk / "amdgcn/bitcode", sdk / "nvptx/bitcode", argv[3]});
  id.close();
  return id ? 0 : 1;
}
