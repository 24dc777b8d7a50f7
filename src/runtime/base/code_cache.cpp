// runtime/base/code_cache.cpp - see code_cache.h. A file is a FileHeader and the code, uncompressed: an object of
// 2.2 MB is found in 0.2 ms, and decompressing it alone would take 1.2 ms (zstd, level 3).
#include "runtime/base/code_cache.h"

#include "runtime/base/cache_folder.h"
#include "runtime/base/env.h"
#include "runtime/base/hash.h"

#include <cstring>
#include <limits>
#include <sys/auxv.h>

namespace hip {
namespace {

constexpr std::array<char, 8> kMagic = {'O', 'H', 'I', 'P', 'C', 'O', 'D', 'E'};
constexpr uint32_t kFormatVersion = 2;

struct FileHeader {
  std::array<char, 8> magic;
  uint32_t format_version;
  uint32_t header_bytes;
  std::array<std::byte, 16> build;
  CodeCache::Key key;
  uint64_t code_bytes;
  uint64_t checksum; // of the code
};
static_assert(sizeof(FileHeader) == 80);
static_assert(std::has_unique_object_representations_v<FileHeader>);

FileHeader make_header(const CodeCache::Key& key, const std::array<std::byte, 16>& build,
                       std::span<const std::byte> code) noexcept {
  return {kMagic, kFormatVersion, sizeof(FileHeader), build, key, code.size(), hash64(code)};
}

std::string file_name(const CodeCache::Key& key) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name;
  for (const std::byte b : key) {
    name += kDigits[std::to_integer<unsigned>(b) >> 4];
    name += kDigits[std::to_integer<unsigned>(b) & 15];
  }
  return name + kCacheFileEnding;
}

} // namespace

CodeCache::CodeCache(std::string folder, uint64_t limit_bytes, std::span<const std::byte> build_id)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes),
      unscanned_bytes_(std::numeric_limits<uint64_t>::max() /
                       2) { // so that the first store determines the folder's size
  const Hash128 hash = hash128(build_id);
  static_assert(sizeof hash == sizeof build_);
  std::memcpy(build_.data(), &hash, sizeof hash);
  if (limit_bytes_ == 0 || !folder_.starts_with('/')) folder_.clear();
}

CodeCache::CodeCache(CodeCache&& other) noexcept
    : folder_(std::move(other.folder_)), limit_bytes_(other.limit_bytes_), build_(other.build_),
      unscanned_bytes_(other.unscanned_bytes_.load()) {}

std::string CodeCache::environment_folder(const std::string& name) {
  if (env_text(Env::OMNIHIP_CACHE) == "0" || getauxval(AT_SECURE)) return {};
  const auto below = [](Env variable, const std::string& rest) {
    const std::string_view base = env_text(variable);
    return base.starts_with('/') ? std::string(base) + rest : std::string();
  };
  if (env_is_set(Env::OMNIHIP_CACHE_DIR)) return below(Env::OMNIHIP_CACHE_DIR, "/" + name);
  if (std::string folder = below(Env::XDG_CACHE_HOME, "/omnihip/" + name); !folder.empty()) return folder;
  return below(Env::HOME, "/.cache/omnihip/" + name);
}

CodeCache::Key CodeCache::key_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  const Hash128 halves[2] = {hash128(bytes, 1), hash128(bytes, 2)};
  Key key;
  static_assert(sizeof halves == sizeof key);
  std::memcpy(key.data(), halves, sizeof key);
  return key;
}

CodeCache CodeCache::from_environment(const std::string& name, std::span<const std::byte> build_id) {
  constexpr int64_t kMaxMiB = int64_t{1} << 30;
  Result<int64_t> limit = env_number(Env::OMNIHIP_CACHE_MB, 0, kMaxMiB);
  return CodeCache(environment_folder(name), limit.ok() ? static_cast<uint64_t>(*limit) << 20 : 0, build_id);
}

std::optional<CodeCache::Bytes> CodeCache::find(const Key& key) const noexcept try {
  if (!enabled()) return std::nullopt;
  const auto folder = CacheFolder::open(folder_, FolderUse::Existing);
  if (!folder) return std::nullopt;
  const std::string name = file_name(key);
  FileHeader header;
  std::optional<Bytes> code = folder->read(name, std::as_writable_bytes(std::span(&header, 1)), limit_bytes_);
  if (!code) return std::nullopt;
  const FileHeader wanted = make_header(key, build_, *code);
  if (std::memcmp(&header, &wanted, sizeof wanted) == 0) return code;
  folder->remove(name);
  return std::nullopt;
} catch (...) {
  return std::nullopt;
}

void CodeCache::store(const Key& key, std::span<const std::byte> code) noexcept try {
  if (!enabled() || code.empty() || code.size() > limit_bytes_ || limit_bytes_ - code.size() < sizeof(FileHeader))
    return;
  const auto folder = CacheFolder::open(folder_, FolderUse::Create);
  if (!folder) return;
  const FileHeader header = make_header(key, build_, code);
  if (!folder->write(file_name(key), std::as_bytes(std::span(&header, 1)), code)) return;
  // Determining the folder's size costs a system call per file, so not every store does it.
  if (unscanned_bytes_.fetch_add(code.size(), std::memory_order_relaxed) + code.size() < limit_bytes_ / 16) return;
  unscanned_bytes_.store(0, std::memory_order_relaxed);
  folder->make_room(limit_bytes_, limit_bytes_ / 4 * 3);
} catch (...) {
}

} // namespace hip
