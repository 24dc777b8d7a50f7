// The cache folder: <hash>.manifest, <hash>-<process>-<n>.pch, and <hash>.seen, which marks a first sight and is the
// lock of the one process that builds.
#include "pch_cache.h"

#include "environment.h"
#include "options.h"
#include "pch_manifest.h"
#include "preamble.h"

#include <algorithm>
#include <array>
#include <cerrno>
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

std::string cache_folder() {
  if (std::string off = environment("OMNIHIP_NO_PCH"); !off.empty() && off != "0") return {};
  for (const char* variable : kClangVariables) {
    if (!environment(variable).empty()) return {};
  }
  // As the runtime chooses the folder of its own cache (OMNIHIP_CACHE_DIR in env.def).
  if (std::string chosen = environment("OMNIHIP_CACHE_DIR"); !chosen.empty())
    return chosen[0] == '/' ? chosen + "/pch" : "";
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

// What source includes at its top, when all of it is found in the system's and the SDK's folders; else nothing.
std::vector<std::string> cacheable_includes(const std::string& source) {
  constexpr size_t kLongestPreamble = 16 * 1024; // a licence text and includes, with room to spare
  std::ifstream file(source, std::ios::binary);
  std::string text(kLongestPreamble, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  std::error_code ec;
  if (fs::exists(fs::path(source).parent_path() / kRuntimeHeader, ec)) return {}; // "hip/hip_runtime.h" would find it
  return leading_includes(text);
}

} // namespace

PchCache::PchCache(std::string clang_headers, std::string sdk)
    : clang_headers_(std::move(clang_headers)), sdk_(std::move(sdk)) {
  if (!clang_headers_.empty()) folder_ = cache_folder();
}

PchUse PchCache::prepare(const PchRequest& request) const {
  if (folder_.empty() || !make_writable(folder_)) return {};
  std::vector<std::string> includes = cacheable_includes(request.source);
  std::string key = file_stamp(request.command[0]) + "\n" + sdk_ + "\n" + request.wrapper + "\n";
  for (const std::string& name : includes) key += "include " + name + "\n";
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
  // Clang's -include looks in the current folder first, which #include <...> does not.
  std::error_code ec;
  if (std::any_of(includes.begin(), includes.end(), [&](const std::string& name) { return fs::exists(name, ec); }))
    return {};
  if (!may_build(stem + ".seen")) return {};

  static int number = 0;
  std::string name = hash_name(key) + "-" + std::to_string(getpid()) + "-" + std::to_string(number++);
  std::string pch = folder_ + "/" + name + ".pch", dependencies = folder_ + "/" + name + ".d";
  std::string old_pch = manifest ? folder_ + "/" + manifest->pch : "";
  Job job;
  job.command = request.command;
  // The wrapper is the main file as well, so that no file of ours appears among a program's dependencies; being
  // included before, it adds nothing the second time.
  for (const std::string& name : includes) job.command.insert(job.command.end(), {"-include", name});
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
                                         request.wrapper});
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
