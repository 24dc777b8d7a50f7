// runtime/engine/tiering/finish.cpp - omnihip-translate: translates what another process left unfinished
// (tiering/unfinished.h) and puts it into the cache. Reads requests from its standard input: the length as a 64-bit
// number, then the request. Prints nothing; its exit status is 0, or 1 when the input is malformed.
#include "runtime/base/cache_folder.h"
#include "runtime/base/processors.h"
#include "runtime/engine/store/stored_translation.h"
#include "runtime/engine/tiering/translation_source.h"

#include <algorithm>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace hip::engine;

constexpr uint64_t kLargestRequest = uint64_t{64} << 20;
constexpr rlim_t kMostSeconds = 600;

// The user's programs have priority. Where Linux schedules sessions as groups (autogroup), a process's nice value
// counts within its own session alone. This process leads a session, which gets the same value among the others.
void give_way() {
  const int value = std::max(nice(10), 0);
  if (std::FILE* group = std::fopen("/proc/self/autogroup", "we")) {
    std::fprintf(group, "%d", value);
    std::fclose(group);
  }
}

bool read_all(void* to, size_t size) { return std::fread(to, 1, size, stdin) == size; }

} // namespace

int main() try {
  give_way();
  const rlimit limit{kMostSeconds, kMostSeconds};
  setrlimit(RLIMIT_CPU, &limit);
  // Only one of these processes works for a cache at a time, since many short programs may end at once. Requests that are dropped
  // here are requested again by a later run.
  const std::string path = hip::CodeCache::environment_folder("code");
  if (path.empty()) return 0;
  const auto folder = hip::CacheFolder::open(path, hip::FolderUse::Create);
  if (!folder || !folder->claim("translating.lock")) return 0;
  const unsigned processors = hip::usable_processors();
  for (uint64_t size; read_all(&size, sizeof size);) {
    if (size > kLargestRequest) return 1;
    std::vector<std::byte> bytes(size);
    if (!read_all(bytes.data(), size)) return 1;
    const auto packed = compile::unpack_request(bytes);
    if (!packed) return 1;
    TranslationSource source(packed->request.host.isa);
    if (source.host().name != packed->request.host.name || source.host().features != packed->request.host.features)
      continue;
    compile::Request request = packed->request;
    request.threads = processors;
    if (!source.stored(request)) static_cast<void>(source.translate(request));
  }
  return 0;
} catch (...) {
  return 1;
}
