// runtime/base/cache_folder.cpp - see cache_folder.h. An unfinished file is
// <name>.<process>-<n>-<time>.new.
#include "runtime/base/cache_folder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hip {
namespace {

constexpr std::string_view kUnfinishedEnding = ".new";
constexpr time_t kUnfinishedSeconds = 3600;

class File {
public:
  explicit File(int fd) noexcept : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const noexcept { return fd_; }

private:
  int fd_;
};

// Only this user can have written it. An access list that lets others write shows in the group's bits.
bool is_own(const struct stat& s) noexcept { return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

void make_folders(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    mkdir(path.substr(0, end).c_str(), 0700);
    if (end == std::string::npos) return;
  }
}

bool read_all(int fd, std::span<std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::read(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

bool write_all(int fd, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

std::string unfinished_name(const std::string& name) {
  static std::atomic<unsigned> number;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return name + "." + std::to_string(getpid()) + "-" + std::to_string(number.fetch_add(1, std::memory_order_relaxed)) +
         "-" + std::to_string(now.tv_nsec) + std::string(kUnfinishedEnding);
}

} // namespace

std::optional<CacheFolder> CacheFolder::open(const std::string& path, FolderUse use) noexcept try {
  const auto open_existing = [&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); };
  int fd = open_existing();
  if (fd < 0 && errno == ENOENT && use == FolderUse::Create) {
    make_folders(path);
    fd = open_existing();
  }
  if (fd < 0) return std::nullopt;
  CacheFolder folder(fd);
  struct stat s;
  if (fstat(fd, &s) != 0 || !is_own(s)) return std::nullopt;
  return folder;
} catch (...) {
  return std::nullopt;
}

CacheFolder::CacheFolder(CacheFolder&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

CacheFolder::~CacheFolder() {
  if (fd_ >= 0) close(fd_);
}

std::optional<std::vector<std::byte>> CacheFolder::read(const std::string& name, std::span<std::byte> head,
                                                        uint64_t limit_bytes) const {
  const File file(openat(fd_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ELOOP) remove(name); // a symbolic link; other failures, such as too many open files, say nothing of it
    return std::nullopt;
  }
  struct stat s;
  if (fstat(file.get(), &s) != 0) return std::nullopt;
  if (!S_ISREG(s.st_mode) || !is_own(s) || static_cast<uint64_t>(s.st_size) < head.size() ||
      static_cast<uint64_t>(s.st_size) > limit_bytes) {
    remove(name);
    return std::nullopt;
  }
  std::vector<std::byte> rest(static_cast<size_t>(s.st_size) - head.size());
  if (!read_all(file.get(), head) || !read_all(file.get(), rest)) return std::nullopt;
  futimens(file.get(), nullptr);
  return rest;
}

bool CacheFolder::write(const std::string& name, std::span<const std::byte> head,
                        std::span<const std::byte> rest) const {
  const std::string unfinished = unfinished_name(name);
  const File file(openat(fd_, unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.get() < 0) return false;
  if (write_all(file.get(), head) && write_all(file.get(), rest) &&
      renameat(fd_, unfinished.c_str(), fd_, name.c_str()) == 0)
    return true;
  remove(unfinished);
  return false;
}

void CacheFolder::remove(const std::string& name) const noexcept { unlinkat(fd_, name.c_str(), 0); }

bool CacheFolder::claim(const std::string& name) const noexcept {
  const int file = openat(fd_, name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return true; // the lock ends with the process
  close(file);
  return false;
}

void CacheFolder::make_room(uint64_t limit_bytes, uint64_t keep_bytes) const {
  const int copy = openat(fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); // closed with the listing
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(copy < 0 ? nullptr : fdopendir(copy), closedir);
  if (!listing) {
    if (copy >= 0) close(copy);
    return;
  }
  struct Entry {
    timespec used;
    uint64_t size_bytes;
    std::string name;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  while (const dirent* row = readdir(listing.get())) {
    const std::string_view name = row->d_name;
    const bool is_unfinished = name.ends_with(kUnfinishedEnding);
    struct stat s;
    if ((!is_unfinished && !name.ends_with(kCacheFileEnding)) ||
        name.find(kCacheFileEnding) == std::string_view::npos ||
        fstatat(fd_, row->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
      continue;
    if (!is_unfinished) {
      entries.push_back({s.st_mtim, static_cast<uint64_t>(s.st_size), row->d_name});
      total += entries.back().size_bytes;
    } else if (time(nullptr) - s.st_mtim.tv_sec > kUnfinishedSeconds) {
      remove(row->d_name);
    }
  }
  if (total <= limit_bytes) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (const Entry& entry : entries) {
    if (total <= keep_bytes) return;
    remove(entry.name);
    total -= entry.size_bytes;
  }
}

} // namespace hip
