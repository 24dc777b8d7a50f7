// runtime/base/code_cache.h - compiled code kept on disk between runs (translations of the engine, programs of hiprtc):
// one file per key, in a folder of the user's own. The contents are executed, so a file counts only when nobody but
// this user can have written it and its header, size and checksum are right; any other file is treated as absent and
// removed.
//
// Nothing here fails: without a folder, with a full disk or a damaged file there is simply no cache. The folder appears
// with the first store. The total size is kept below a limit by removing the files unused for longest.
// Thread safety: every method may be called from any thread; any number of processes may share a folder. A file is
// written under a name of its own and renamed, so readers see all of it or nothing. When two store the same key, the
// later one wins.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip {

class CodeCache {
public:
  // A hash of everything that the code depends on: for a translation the guest code, its specialisation, the host's
  // processor.
  using Key = std::array<std::byte, 32>;
  using Bytes = std::vector<std::byte>;
  static Key key_of(std::string_view text);

  // `folder` is absolute; empty means no cache. `build_id`, of any length, identifies the build that makes the code:
  // files of another build are treated as absent.
  CodeCache(std::string folder, uint64_t limit_bytes, std::span<const std::byte> build_id);
  // The folder and limit that the environment asks for: OMNIHIP_CACHE, OMNIHIP_CACHE_DIR, OMNIHIP_CACHE_MB (env.def).
  // `name` is the cache's own folder in the folder of all caches.
  static CodeCache from_environment(const std::string& name, std::span<const std::byte> build_id);
  // The folder that from_environment takes; empty when there is to be no cache.
  static std::string environment_folder(const std::string& name);

  CodeCache(CodeCache&& other) noexcept;

  bool enabled() const noexcept { return !folder_.empty(); }
  // The code that was stored under `key`. A hit counts as a use, so the file is removed later than files not used
  // since.
  std::optional<Bytes> find(const Key& key) const noexcept;
  // Stores a copy of `code` under `key`, in place of an earlier one. Does nothing when `code` is larger than the limit.
  void store(const Key& key, std::span<const std::byte> code) noexcept;

private:
  std::string folder_;
  uint64_t limit_bytes_;
  std::array<std::byte, 16> build_;
  std::atomic<uint64_t> unscanned_bytes_; // bytes stored since the folder's size was last determined
};

} // namespace hip
