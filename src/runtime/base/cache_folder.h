// runtime/base/cache_folder.h - the files of a cache on disk, with the checks that make their contents safe
// to execute: folder and files belong to this user and nobody else can write them. All access is relative to the opened
// folder, so that what was checked is what is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hip {

enum class FolderUse { Existing, Create };

class CacheFolder {
public:
  // Create makes the folder and those above it, with mode 0700. Nothing when the folder is not there, is a symbolic
  // link, belongs to another user, or can be written by others.
  static std::optional<CacheFolder> open(const std::string& path, FolderUse use) noexcept;
  CacheFolder(CacheFolder&& other) noexcept;
  ~CacheFolder();

  // Fills `head` from a file and returns what follows in it; marks the file as used now. A file that is not this user's
  // own, is no regular one, is shorter than `head` or larger than `limit_bytes` is removed; one that cannot be opened
  // now stays. Throws std::bad_alloc.
  std::optional<std::vector<std::byte>> read(const std::string& name, std::span<std::byte> head,
                                             uint64_t limit_bytes) const;
  // Writes a whole file, which then takes the place of one of the same name. False: nothing has changed.
  bool write(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> rest) const;
  void remove(const std::string& name) const noexcept;
  // Takes a lock by that name until the process ends. False: another process has it.
  bool claim(const std::string& name) const noexcept;
  // When the cached files hold more than `limit_bytes`, removes those unused for longest until at most `keep_bytes` are
  // left. Also removes unfinished files that are an hour old.
  void make_room(uint64_t limit_bytes, uint64_t keep_bytes) const;

private:
  explicit CacheFolder(int fd) noexcept : fd_(fd) {}
  int fd_;
};

// The ending of cached files' names; make_room() removes no others.
inline constexpr char kCacheFileEnding[] = ".code";

} // namespace hip
