// omnihip_precompile COMPILER SDK CLANG TARGET...: writes the precompiled headers that hiprtc finds in the SDK, for
// each target with the language standards that programs usually ask for. Runs when the SDK is built.
#include "runtime/rtc/compiler/compiler.h"
#include "runtime/rtc/program_words.h"

#include <cstdio>
#include <dlfcn.h>

using namespace hip::rtc;

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
    for (const char* standard : {"", "-std=c++17"}) {
      std::vector<std::string> options;
      if (*standard) options.push_back(standard);
      std::vector<std::string> words = program_words(options, argv[i]);
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
      if (reinterpret_cast<CompilerFunction*>(function)(&request) != CompilerOutcome::Done) {
        std::fprintf(stderr, "omnihip_precompile: there is no header for %s %s\n", argv[i], standard);
        return 1;
      }
    }
  return 0;
}
