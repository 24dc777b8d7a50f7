// The cache of generated code, seen by one process.
#include "runtime/base/cache_folder.h"
#include "runtime/base/code_cache.h"
#include "temporary_folder.h"

#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace hip;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t kLimit = uint64_t{1} << 20;
const std::vector<std::byte> kBuild(20, std::byte{7});

CodeCache::Key key_of(unsigned n) {
  CodeCache::Key key{};
  std::memcpy(key.data(), &n, sizeof n);
  key[31] = std::byte{0xab};
  return key;
}

CodeCache::Bytes code_of(unsigned n, size_t size = 1000) {
  CodeCache::Bytes code(size);
  for (size_t i = 0; i < size; ++i) code[i] = std::byte(n + i * 31);
  return code;
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

void set_age(const fs::path& path, int seconds) {
  timespec times[2] = {};
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= seconds;
  times[1] = times[0];
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

unsigned mode_of(const fs::path& path) {
  struct stat s{};
  REQUIRE(stat(path.c_str(), &s) == 0);
  return s.st_mode & 07777;
}

} // namespace

TEST_CASE("What was stored is found, by this and by later processes") {
  TemporaryFolder root;
  const std::string folder = root.path() + "/a/b/code";
  CodeCache cache(folder, kLimit, kBuild);
  CHECK(cache.enabled());
  CHECK_FALSE(cache.find(key_of(1)));
  CHECK_FALSE(fs::exists(root.path() + "/a")); // looking makes no folder

  cache.store(key_of(1), code_of(1));
  cache.store(key_of(2), code_of(2, 1));
  CHECK(cache.find(key_of(1)) == code_of(1));
  CHECK(CodeCache(folder, kLimit, kBuild).find(key_of(2)) == code_of(2, 1));
  CHECK_FALSE(cache.find(key_of(3)));
  CHECK(mode_of(root.path() + "/a") == 0700);
  CHECK(mode_of(folder) == 0700);
  CHECK(files_in(folder).size() == 2);
  CHECK(mode_of(files_in(folder)[0]) == 0600);
  const std::string name = files_in(folder)[0].filename();
  CHECK(name.size() == 64 + 5);
  CHECK(name.substr(62) == "ab.code");

  cache.store(key_of(1), code_of(9, 50));
  CHECK(cache.find(key_of(1)) == code_of(9, 50));
  CHECK(files_in(folder).size() == 2);
  cache.store(key_of(4), {});
  CHECK_FALSE(cache.find(key_of(4)));
}

TEST_CASE("A damaged file is absent, and removed") {
  TemporaryFolder root;
  CodeCache cache(root.path(), kLimit, kBuild);
  cache.store(key_of(1), code_of(1, 200));
  const fs::path file = files_in(root.path()).at(0);
  const std::string good = read_text(file);
  unsigned found = 0, left = 0;
  for (size_t i = 0; i < good.size(); ++i) { // every byte changed
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    write_text(file, bad);
    found += cache.find(key_of(1)).has_value();
    left += fs::exists(file);
  }
  for (size_t size = 0; size < good.size(); ++size) { // every shorter file
    write_text(file, good.substr(0, size));
    found += cache.find(key_of(1)).has_value();
    left += fs::exists(file);
  }
  write_text(file, good + "x");
  found += cache.find(key_of(1)).has_value();
  write_text(file, std::string(kLimit + 1, 'x'));
  found += cache.find(key_of(1)).has_value();
  left += fs::exists(file);
  CHECK(found == 0);
  CHECK(left == 0);
  write_text(file, good);
  CHECK(cache.find(key_of(1)) == code_of(1, 200));
}

TEST_CASE("Files of another build or for another key are absent") {
  TemporaryFolder root;
  CodeCache cache(root.path(), kLimit, kBuild);
  cache.store(key_of(1), code_of(1));
  const fs::path first = files_in(root.path()).at(0);
  cache.store(key_of(2), code_of(2));
  fs::path second = files_in(root.path()).at(0);
  if (second == first) second = files_in(root.path()).at(1);
  fs::copy_file(first, second, fs::copy_options::overwrite_existing);
  CHECK_FALSE(cache.find(key_of(2)));
  CHECK_FALSE(fs::exists(second));

  const std::vector<std::byte> other_build(21, std::byte{7});
  CHECK_FALSE(CodeCache(root.path(), kLimit, other_build).find(key_of(1)));
  CHECK_FALSE(cache.find(key_of(1))); // gone: its maker is not the folder's user any more
}

TEST_CASE("What is no regular file is not read") {
  TemporaryFolder root;
  CodeCache cache(root.path(), kLimit, kBuild);
  cache.store(key_of(1), code_of(1));
  const fs::path file = files_in(root.path()).at(0);
  const fs::path elsewhere = root.path() + "/elsewhere";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  CHECK_FALSE(cache.find(key_of(1)));
  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(cache.find(key_of(1)));
  fs::remove(file);
  fs::create_directory(file);
  CHECK_FALSE(cache.find(key_of(1)));
  cache.store(key_of(1), code_of(1)); // cannot take the folder's place
  CHECK_FALSE(cache.find(key_of(1)));
  CHECK(files_in(root.path()).size() == 2); // nothing unfinished stays
}

TEST_CASE("A file that cannot be opened because too many are open is absent, and stays") {
  TemporaryFolder root;
  const std::string name = "1" + std::string(kCacheFileEnding);
  const std::optional<CacheFolder> folder = CacheFolder::open(root.path(), FolderUse::Existing);
  REQUIRE(folder);
  const CodeCache::Bytes head = code_of(1, 8), rest = code_of(2);
  REQUIRE(folder->write(name, head, rest));
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC); // the number that the next file would get
  REQUIRE(next >= 0);
  close(next);
  const rlimit none{rlim_t(next), before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  CodeCache::Bytes found(head.size());
  const bool found_nothing = !folder->read(name, found, kLimit);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(found_nothing);
  CHECK(folder->read(name, found, kLimit) == rest);
  CHECK(found == head);
}

TEST_CASE("A file or folder that others can write is not trusted") {
  TemporaryFolder root;
  const std::string folder = root.path() + "/code";
  CodeCache cache(folder, kLimit, kBuild);
  cache.store(key_of(1), code_of(1));
  REQUIRE(cache.find(key_of(1)));
  for (const unsigned mode : {0777u, 0770u, 0702u, 01777u}) {
    REQUIRE(chmod(folder.c_str(), mode) == 0);
    CHECK_FALSE(cache.find(key_of(1)));
    cache.store(key_of(2), code_of(2));
    CHECK(files_in(folder).size() == 1);
  }
  REQUIRE(chmod(folder.c_str(), 0755) == 0); // others may read
  CHECK(cache.find(key_of(1)) == code_of(1));
  REQUIRE(chmod(files_in(folder)[0].c_str(), 0620) == 0);
  CHECK_FALSE(cache.find(key_of(1)));
  CHECK(files_in(folder).empty());

  fs::create_directory_symlink(folder, root.path() + "/link");
  CodeCache linked(root.path() + "/link", kLimit, kBuild);
  linked.store(key_of(1), code_of(1));
  CHECK(files_in(folder).empty());
}

TEST_CASE("The files unused for longest make room") {
  TemporaryFolder root;
  constexpr uint64_t kSmallLimit = 64 * 1024;
  constexpr size_t kSize = 7000;
  CodeCache cache(root.path(), kSmallLimit, kBuild);
  write_text(root.path() + "/notes.txt", std::string(100'000, 'x')); // not ours to count or remove
  for (unsigned n = 0; n < 8; ++n) {
    cache.store(key_of(n), code_of(n, kSize));
    for (const fs::path& file : files_in(root.path())) set_age(file, 0);
  }
  // Ages by key: file names begin with the key's low byte.
  for (const fs::path& file : files_in(root.path())) {
    if (file.extension() == ".code")
      set_age(file, 1000 - std::stoi(file.filename().string().substr(0, 2), nullptr, 16));
  }
  CHECK(cache.find(key_of(0))); // used now
  const fs::path stale = root.path() + "/00.code.1-1-1.new", fresh = root.path() + "/00.code.1-1-2.new";
  write_text(stale, "x");
  write_text(fresh, "x");
  set_age(stale, 4000);

  for (unsigned n = 8; n < 11; ++n) cache.store(key_of(n), code_of(n, kSize));
  uint64_t total = 0;
  for (const fs::path& file : files_in(root.path())) total += file.extension() == ".code" ? fs::file_size(file) : 0;
  CHECK(total <= kSmallLimit);
  CHECK(total > kSmallLimit / 2);
  CHECK(cache.find(key_of(0)));
  CHECK_FALSE(cache.find(key_of(1)));
  CHECK(cache.find(key_of(7)));
  CHECK(cache.find(key_of(10)));
  CHECK(fs::exists(root.path() + "/notes.txt"));
  CHECK_FALSE(fs::exists(stale));
  CHECK(fs::exists(fresh));

  cache.store(key_of(99), code_of(99, kSmallLimit)); // with its header beyond the limit
  CHECK_FALSE(cache.find(key_of(99)));
  CHECK(cache.find(key_of(10)));
}

TEST_CASE("Without a usable folder there is no cache and no error") {
  for (const char* folder : {"", "relative/folder", "/proc/omnihip/code", "/dev/null/code"}) {
    CodeCache cache(folder, kLimit, kBuild);
    cache.store(key_of(1), code_of(1));
    CHECK_FALSE(cache.find(key_of(1)));
  }
  TemporaryFolder root;
  CodeCache off(root.path(), 0, kBuild);
  CHECK_FALSE(off.enabled());
  off.store(key_of(1), code_of(1));
  CHECK(files_in(root.path()).empty());
  // A folder that is removed meanwhile comes back with the next store.
  const std::string folder = root.path() + "/code";
  CodeCache cache(folder, kLimit, kBuild);
  cache.store(key_of(1), code_of(1));
  fs::remove_all(folder);
  CHECK_FALSE(cache.find(key_of(1)));
  cache.store(key_of(1), code_of(1));
  CHECK(cache.find(key_of(1)) == code_of(1));
}

TEST_CASE("The environment chooses the cache's folder") {
  const char* names[] = {"OMNIHIP_CACHE", "OMNIHIP_CACHE_DIR", "OMNIHIP_CACHE_MB", "XDG_CACHE_HOME", "HOME"};
  std::vector<std::pair<const char*, std::string>> before;
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) before.emplace_back(name, value);
    unsetenv(name);
  }
  CHECK(CodeCache::environment_folder("code") == "");
  CHECK_FALSE(CodeCache::from_environment("code", kBuild).enabled());
  setenv("HOME", "/home/me", 1);
  CHECK(CodeCache::environment_folder("code") == "/home/me/.cache/omnihip/code");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  CHECK(CodeCache::environment_folder("code") == "/home/me/.cache/omnihip/code");
  setenv("XDG_CACHE_HOME", "/caches", 1);
  CHECK(CodeCache::environment_folder("code") == "/caches/omnihip/code");
  setenv("OMNIHIP_CACHE_DIR", "/mine", 1);
  CHECK(CodeCache::environment_folder("code") == "/mine/code");
  CHECK(CodeCache::from_environment("code", kBuild).enabled());
  setenv("OMNIHIP_CACHE_MB", "0", 1);
  CHECK_FALSE(CodeCache::from_environment("code", kBuild).enabled());
  setenv("OMNIHIP_CACHE_MB", "many", 1);
  CHECK_FALSE(CodeCache::from_environment("code", kBuild).enabled());
  setenv("OMNIHIP_CACHE_MB", "10", 1);
  CHECK(CodeCache::from_environment("code", kBuild).enabled());
  setenv("OMNIHIP_CACHE", "0", 1);
  CHECK(CodeCache::environment_folder("code") == "");
  for (const char* name : names) unsetenv(name);
  for (const auto& [name, value] : before) setenv(name, value.c_str(), 1);
}
