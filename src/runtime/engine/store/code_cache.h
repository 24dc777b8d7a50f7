// runtime/engine/store/code_cache.h - generated code kept on disk between runs: one file per key, in a folder of
// the user's own. What comes out is executed, so only files count that nobody but this user can have written, and whose
// header, size and checksum are right; every other is taken for absent and removed.
//
// Nothing here fails: without a folder, with a full disk or a damaged file there is simply no cache. The folder appears
// with the first store. The total size is kept below a limit by removing the files unused for longest.
// Thread safety: every method may be called from any thread; any number of processes may share a folder. A file is
// written under a name of its own and renamed, so readers see all of it or nothing; of two that store one key the later
// wins.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hip::engine {

class CodeCache {
public:
  // A hash of all that decides what the code is: the guest code, how it is specialised, the host CPU.
  using Key = std::array<std::byte, 32>;
  using Bytes = std::vector<std::byte>;

  // `folder` is absolute; empty means no cache. `build_id`, of any length, stands for whoever makes the code: files of
  // another one are taken for absent.
  CodeCache(std::string folder, uint64_t limit_bytes, std::span<const std::byte> build_id);
  // The folder and limit that the environment asks for: OMNIHIP_CACHE, OMNIHIP_CACHE_DIR, OMNIHIP_CACHE_MB (env.def).
  static CodeCache from_environment(std::span<const std::byte> build_id);
  // The folder that from_environment takes; empty when there is to be no cache.
  static std::string environment_folder();

  CodeCache(CodeCache&& other) noexcept;

  bool enabled() const noexcept { return !folder_.empty(); }
  // What was stored under `key`. A hit is a use: the file goes later than those not used since.
  std::optional<Bytes> find(const Key& key) const noexcept;
  // Keeps a copy of `code`, in place of what was under `key`. Larger than the limit: does nothing.
  void store(const Key& key, std::span<const std::byte> code) noexcept;

private:
  std::string folder_;
  uint64_t limit_bytes_;
  std::array<std::byte, 16> build_;
  std::atomic<uint64_t> unscanned_bytes_; // stored since the folder's size was last looked at
};

} // namespace hip::engine
