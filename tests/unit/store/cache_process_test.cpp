// The cache of generated code, shared by processes and users.
#include "runtime/base/code_cache.h"
#include "temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hip;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t kLimit = uint64_t{1} << 24;
constexpr size_t kCodeBytes = 100'000;
constexpr uid_t kNobody = 65534;
const std::vector<std::byte> kBuild(8, std::byte{1});
const CodeCache::Key kKey = {std::byte{1}, std::byte{2}};

bool is_whole(const CodeCache::Bytes& code) {
  return code.size() == kCodeBytes && std::all_of(code.begin(), code.end(), [&](std::byte b) { return b == code[0]; });
}

// Stores and finds one key again and again; false when what comes out is not what some writer stored.
bool work(const std::string& folder, unsigned id) {
  CodeCache cache(folder, kLimit, kBuild);
  const CodeCache::Bytes mine(kCodeBytes, std::byte(id));
  for (int i = 0; i < 100; ++i) {
    cache.store(kKey, mine);
    const auto found = cache.find(kKey);
    if (!found || !is_whole(*found)) return false;
  }
  return true;
}

// Whether `body` returns true in a process of its own.
bool in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(body() ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

TEST_CASE("Processes that store one key at once leave whole files") {
  TemporaryFolder root;
  const std::string folder = root.path() + "/new/code"; // made by whoever is first
  std::vector<pid_t> children;
  for (unsigned id = 1; id <= 4; ++id) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(work(folder, id) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  const auto found = CodeCache(folder, kLimit, kBuild).find(kKey);
  REQUIRE(found);
  CHECK(is_whole(*found));
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
}

TEST_CASE("Threads share one cache") {
  TemporaryFolder root;
  CodeCache cache(root.path(), kLimit, kBuild);
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned id = 1; id <= 4; ++id) {
    threads.emplace_back([&, id] {
      const CodeCache::Bytes mine(kCodeBytes, std::byte(id));
      for (int i = 0; i < 50; ++i) {
        cache.store(kKey, mine);
        const auto found = cache.find(kKey);
        wrong += !found || !is_whole(*found);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("A folder that cannot be written still serves") {
  TemporaryFolder root;
  const CodeCache::Bytes code(kCodeBytes, std::byte{5});
  CodeCache(root.path(), kLimit, kBuild).store(kKey, code);
  const CodeCache::Key other = {std::byte{9}};
  // Permissions do not stop root, so root becomes another user first.
  if (geteuid() == 0) {
    for (const auto& file : fs::directory_iterator(root.path()))
      REQUIRE(chown(file.path().c_str(), kNobody, kNobody) == 0);
    REQUIRE(chown(root.path().c_str(), kNobody, kNobody) == 0);
  }
  REQUIRE(chmod(root.path().c_str(), 0500) == 0);
  CHECK(in_child([&] {
    if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) return false;
    CodeCache cache(root.path(), kLimit, kBuild);
    cache.store(other, code);
    return cache.find(kKey) == code && !cache.find(other);
  }));
  CHECK(std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()) == 1);
  REQUIRE(chmod(root.path().c_str(), 0700) == 0);
}

TEST_CASE("Another user's files and folders are not trusted") {
  const CodeCache::Bytes code(kCodeBytes, std::byte{5});
  if (geteuid() != 0) { // the system's folders belong to root
    CodeCache cache("/usr/lib", kLimit, kBuild);
    cache.store(kKey, code);
    CHECK_FALSE(cache.find(kKey));
    return;
  }
  TemporaryFolder root;
  CodeCache cache(root.path(), kLimit, kBuild);
  cache.store(kKey, code);
  REQUIRE(cache.find(kKey));
  const fs::path file = fs::directory_iterator(root.path())->path();
  REQUIRE(chown(file.c_str(), kNobody, kNobody) == 0);
  CHECK_FALSE(cache.find(kKey));
  CHECK_FALSE(fs::exists(file));

  cache.store(kKey, code);
  REQUIRE(cache.find(kKey));
  REQUIRE(chown(root.path().c_str(), kNobody, kNobody) == 0);
  CHECK_FALSE(cache.find(kKey));
  cache.store({std::byte{3}}, code);
  CHECK(std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()) == 1);
}
