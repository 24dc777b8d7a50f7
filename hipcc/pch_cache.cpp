// The cache folder: <hash>.manifest, <hash>-<process>-<n>.pch, and <hash>.seen, which marks a first sight and is the
// lock of the one process that builds.
#include "pch_cache.h"

#include "options.h"
#include "pch_manifest.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kLimitBytes = uint64_t(1) << 30; // beyond it the headers unused for longest go
constexpr uint64_t kKeepBytes = kLimitBytes / 4 * 3;

// Variables that change what clang reads, beyond the command line.
constexpr std::array kClangVariables = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS",
                                        "SOURCE_DATE_EPOCH"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string cache_folder() {
  if (std::string off = environment("OMNIHIP_NO_PCH"); !off.empty() && off != "0") return {};
  for (const char* variable : kClangVariables) {
    if (!environment(variable).empty()) return {};
  }
  std::string base = environment("XDG_CACHE_HOME");
  if (base.empty() || base[0] != '/') {
    std::string home = environment("HOME");
    if (home.empty() || home[0] != '/') return {};
    base = home + "/.cache";
  }
  return base + "/omnihip/pch";
}

bool make_writable(const std::string& folder) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  return !ec && access(folder.c_str(), W_OK) == 0;
}

std::string hash_name(const std::string& text) {
  uint64_t high = 0xcbf29ce484222325, low = 0x84222325cbf29ce4;
  for (unsigned char c : text) {
    high = (high ^ c) * 0x100000001b3;
    low = (low + c) * 0x9e3779b97f4a7c15;
    low ^= low >> 29;
  }
  char name[33];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return name;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void rename_into_place(const std::string& text, const std::string& path) {
  std::string temporary = path + "." + std::to_string(getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    unlink(temporary.c_str());
    throw DriverError("cannot write '" + path + "': " + std::strerror(errno));
  }
}

// Makes room: leftovers of builds that ended early go after an hour, then manifests with their headers, oldest use
// first.
void make_room(const std::string& folder) {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    uint64_t size_bytes;
  };
  std::error_code ec;
  std::vector<Entry> headers;
  uint64_t total = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, ec)) {
    if (file.path().extension() != ".pch") continue;
    Entry entry{file.last_write_time(ec), file.path(), file.file_size(ec)};
    total += ec ? 0 : entry.size_bytes;
    headers.push_back(std::move(entry));
  }
  if (total < kLimitBytes) return;
  std::sort(headers.begin(), headers.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : headers) {
    if (total < kKeepBytes) break;
    fs::remove(entry.path, ec);
    total -= entry.size_bytes;
  }
}

// True for the one process that may build the header now; the lock lasts until the process ends. False for the first
// sight of a key, and while another process builds.
bool may_build(const std::string& seen_path) {
  int fd = open(seen_path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    fd = open(seen_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return false;
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
  close(fd);
  return false;
}

// What identifies a compiler without running it.
std::string file_stamp(const std::string& path) {
  std::error_code ec;
  fs::path real = fs::canonical(path, ec);
  struct stat s;
  if (ec || stat(real.c_str(), &s) != 0) return {};
  return real.string() + " " + std::to_string(s.st_size) + " " + std::to_string(s.st_mtim.tv_sec) + "." +
         std::to_string(s.st_mtim.tv_nsec);
}

// True when text's first include is hip_runtime.h and finds the SDK's, not a file beside the source.
bool includes_sdk_runtime(const std::string& source) {
  constexpr size_t kLongestPrologue = 16 * 1024; // a licence text, with room to spare
  std::ifstream file(source, std::ios::binary);
  std::string text(kLongestPrologue, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  std::error_code ec;
  return begins_with_hip_runtime(text) && !fs::exists(fs::path(source).parent_path() / "hip/hip_runtime.h", ec);
}

} // namespace

bool begins_with_hip_runtime(const std::string& text) {
  size_t at = 0;
  for (;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos) return false;
    if (text.compare(at, 2, "//") == 0) {
      at = text.find('\n', at);
      // A line comment that ends in a backslash goes on; that is rare enough to give up.
      if (at == std::string::npos || (at > 0 && text[at - 1] == '\\')) return false;
    } else if (text.compare(at, 2, "/*") == 0) {
      at = text.find("*/", at + 2);
      if (at == std::string::npos) return false;
      at += 2;
    } else {
      break;
    }
  }
  if (text[at] != '#') return false;
  at = text.find_first_not_of(" \t", at + 1);
  constexpr std::string_view kInclude = "include";
  if (at == std::string::npos || text.compare(at, kInclude.size(), kInclude) != 0) return false;
  at = text.find_first_not_of(" \t", at + kInclude.size());
  if (at == std::string::npos) return false;
  for (std::string_view name : {"<hip/hip_runtime.h>", "\"hip/hip_runtime.h\""}) {
    if (text.compare(at, name.size(), name) == 0) return true;
  }
  return false;
}

PchCache::PchCache(std::string clang_headers, std::string sdk)
    : clang_headers_(std::move(clang_headers)), sdk_(std::move(sdk)) {
  if (!clang_headers_.empty()) folder_ = cache_folder();
}

PchUse PchCache::prepare(const PchRequest& request) const {
  if (folder_.empty() || !make_writable(folder_)) return {};
  bool with_runtime = includes_sdk_runtime(request.source);
  std::string key = file_stamp(request.command[0]) + "\n" + sdk_ + "\n" + (with_runtime ? "runtime" : "wrapper") + "\n";
  for (const std::string& word : request.command) key += word + "\n";

  std::string stem = folder_ + "/" + hash_name(key);
  std::string manifest_path = stem + ".manifest";
  std::optional<PchManifest> manifest = PchManifest::from_text(read_text(manifest_path));
  if (manifest && manifest->key == key) {
    std::string pch = folder_ + "/" + manifest->pch;
    if (access(pch.c_str(), R_OK) == 0) {
      if (manifest->holds({})) {
        if (!manifest->holds(request.include_dirs)) return {};
        utimensat(AT_FDCWD, pch.c_str(), nullptr, 0); // its last use
        return {pch, {}};
      }
    }
  }
  if (!may_build(stem + ".seen")) return {};

  static int number = 0;
  std::string name = hash_name(key) + "-" + std::to_string(getpid()) + "-" + std::to_string(number++);
  std::string pch = folder_ + "/" + name + ".pch", dependencies = folder_ + "/" + name + ".d";
  std::string old_pch = manifest ? folder_ + "/" + manifest->pch : "";
  Job job;
  job.command = request.command;
  // The wrapper is the main file as well, so that no file of ours appears among a program's dependencies; being
  // included before, it adds nothing the second time.
  if (with_runtime) job.command.insert(job.command.end(), {"-include", "hip/hip_runtime.h"});
  job.command.insert(job.command.end(), {"-w",
                                         "-v",
                                         "-fsyntax-only",
                                         "-Xclang",
                                         "-emit-pch",
                                         "-Xclang",
                                         "-o",
                                         "-Xclang",
                                         pch,
                                         "-Xclang",
                                         "-dependency-file",
                                         "-Xclang",
                                         dependencies,
                                         "-Xclang",
                                         "-sys-header-deps",
                                         "-Xclang",
                                         "-MT",
                                         "-Xclang",
                                         "pch",
                                         "-x",
                                         "hip",
                                         clang_headers_ + "/__clang_hip_runtime_wrapper.h"});
  job.optional = true;
  job.outputs = {dependencies};
  job.action = [=, folder = folder_, include_dirs = request.include_dirs](const std::string& clang_output) {
    PchManifest made = make_manifest(key, name + ".pch", dependencies, clang_output);
    unlink(dependencies.c_str());
    rename_into_place(made.to_text(), manifest_path);
    if (!old_pch.empty()) unlink(old_pch.c_str());
    make_room(folder);
    if (!made.holds(include_dirs)) throw DriverError("the cached header does not fit this command's include folders");
  };
  return {pch, std::move(job)};
}

} // namespace hip::hipcc
