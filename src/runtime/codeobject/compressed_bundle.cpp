#include "runtime/codeobject/compressed_bundle.h"

#include "runtime/base/code_cache.h"
#include "runtime/base/hash.h"
#include "runtime/base/start_thread.h"
#include "runtime/codeobject/md5.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <zstd.h>

namespace hip::codeobject {
namespace {

constexpr size_t kPieceBytes = 512 << 10, kPieces = 8; // together what a second-level cache may hold
constexpr uint64_t kBytesWorthAThread = 4 << 20;       // of which the hash takes 7 ms
constexpr uint64_t kBytesWorthRemembering = 32 << 20;

// Buffers for the plain bytes, whose hash is computed on a second thread while the next ones are decompressed: MD5
// takes more than twice as long as zstd. Where there is no second thread, the first one computes it.
class HashedPieces {
public:
  enum class Hash : bool { No, Yes };

  Status make(uint64_t plain_bytes, Hash hash) {
    const bool is_small = plain_bytes < kBytesWorthAThread;
    piece_bytes_ = static_cast<size_t>(std::min<uint64_t>(plain_bytes + 1, kPieceBytes)); // one more, to see the end
    count_ = is_small || hash == Hash::No ? 1 : kPieces;
    hash_ = hash;
    bytes_.reset(new (std::nothrow) std::byte[piece_bytes_ * count_]);
    if (!bytes_) return error(ErrorCode::OutOfMemory, "There is no memory to decompress an offload bundle.");
    if (count_ == kPieces) has_thread_ = start_thread(thread_, [this] { compute(); }).ok();
    return {};
  }
  ~HashedPieces() { finish(); }
  HashedPieces() = default;
  HashedPieces(const HashedPieces&) = delete;
  HashedPieces& operator=(const HashedPieces&) = delete;

  // For the next piece; the bytes of the last one are still there.
  std::span<std::byte> next() noexcept {
    for (uint64_t hashed; has_thread_ && written_ - (hashed = hashed_.load(std::memory_order_acquire)) >= count_;)
      hashed_.wait(hashed, std::memory_order_acquire);
    return {bytes_.get() + written_ % count_ * piece_bytes_, piece_bytes_};
  }
  void put(size_t bytes) noexcept {
    const std::byte* const piece = bytes_.get() + written_ % count_ * piece_bytes_;
    if (has_thread_) {
      sizes_[written_ % kPieces] = bytes;
      published_.store(++written_, std::memory_order_release);
      published_.notify_one();
    } else {
      if (hash_ == Hash::Yes) digest_.add(Bytes(piece, bytes));
      ++written_;
    }
  }
  // The hash of all pieces.
  uint64_t low64() noexcept {
    finish();
    return digest_.low64();
  }

private:
  void finish() noexcept {
    if (!has_thread_) return;
    (void)next();
    put(0); // the end
    thread_.join();
    has_thread_ = false;
  }
  void compute() noexcept {
    for (uint64_t at = 0;; ++at) {
      published_.wait(at, std::memory_order_acquire);
      const size_t bytes = sizes_[at % kPieces];
      if (bytes == 0) return;
      digest_.add(Bytes(bytes_.get() + at % kPieces * piece_bytes_, bytes));
      hashed_.store(at + 1, std::memory_order_release);
      hashed_.notify_one();
    }
  }

  std::unique_ptr<std::byte[]> bytes_;
  size_t piece_bytes_ = 0, count_ = 1;
  Hash hash_ = Hash::Yes;
  std::array<size_t, kPieces> sizes_{};
  uint64_t written_ = 0; // pieces, by the first thread
  std::atomic<uint64_t> published_{0}, hashed_{0};
  bool has_thread_ = false;
  std::thread thread_;
  Md5 digest_;
};

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

// What is remembered of bundles whose hash was right: that it was. Bundles are known by what was compressed.
class WholeBundles {
public:
  WholeBundles(const CompressedHeader& header, Bytes frame)
      : cache_(CodeCache::from_environment("bundles", std::as_bytes(std::span("whole")))) {
    if (!cache_.enabled()) return;
    const Hash128 hash = hash128(frame);
    const std::array<uint64_t, 4> words{hash.low, hash.high, header.plain_bytes, header.plain_hash};
    static_assert(sizeof words == sizeof key_);
    std::memcpy(key_.data(), words.data(), sizeof words);
  }
  bool knows() const noexcept { return cache_.find(key_).has_value(); }
  void remember() noexcept { cache_.store(key_, std::as_bytes(std::span("whole"))); }

private:
  CodeCache cache_;
  CodeCache::Key key_{};
};

// Decompresses until `take` has enough, and to the end where `hash` is wanted.
Status decompress(const CompressedHeader& h, Bytes frame, const TakePlainBytes& take, HashedPieces::Hash hash) {
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context) return error(ErrorCode::OutOfMemory, "There is no memory to decompress an offload bundle.");
  constexpr int kLargestWindow = 31; // all that zstd has
  (void)ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestWindow);
  HashedPieces pieces;
  RT_TRY(pieces.make(h.plain_bytes, hash));
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  size_t left = 1; // of the frame, by zstd's reckoning; 0 at its end
  bool wanted = true;
  uint64_t plain = 0;
  for (bool ended = false; !ended;) {
    const std::span<std::byte> buffer = pieces.next();
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (!ended && out.pos < out.size) {
      left = ZSTD_decompressStream(context.get(), &out, &in);
      if (ZSTD_isError(left))
        return error(ErrorCode::InvalidImage, "The compressed offload bundle does not decompress: {}.",
                     ZSTD_getErrorName(left));
      // With room left, zstd has given all that it can make of its input.
      ended = in.pos == in.size && (left == 0 || out.pos < out.size);
    }
    plain += out.pos;
    if (plain > h.plain_bytes)
      return error(ErrorCode::InvalidImage,
                   "The compressed offload bundle holds more than the {} bytes that its header says.", h.plain_bytes);
    if (out.pos == 0) break; // all was in the pieces before
    pieces.put(out.pos);
    if (!wanted) continue;
    RT_TRY_ASSIGN(wanted, take(Bytes(buffer.data(), out.pos)));
    if (!wanted && hash == HashedPieces::Hash::No) return {};
  }
  if (left != 0)
    return error(ErrorCode::InvalidImage, "The compressed offload bundle does not decompress: its data end early.");
  if (plain != h.plain_bytes)
    return error(ErrorCode::InvalidImage, "The compressed offload bundle holds {} bytes, but its header says {}.",
                 plain, h.plain_bytes);
  if (hash == HashedPieces::Hash::No) return {};
  if (const uint64_t digest = pieces.low64(); digest != h.plain_hash)
    return error(ErrorCode::InvalidImage,
                 "The compressed offload bundle is damaged: its contents have the hash {:#x}, its header says {:#x}.",
                 digest, h.plain_hash);
  return {};
}

} // namespace

Result<CompressedHeader> read_compressed_header(Bytes data) {
  const auto version = read<uint16_t>(data, 4);
  const auto method = read<uint16_t>(data, 6);
  CompressedHeader h;
  if (version && method) {
    h.version = *version;
    h.method = *method;
    if (h.version == 1 || h.version == 2) {
      const uint64_t plain_at = h.version == 1 ? 8 : 12;
      const auto total = h.version == 1 ? std::optional<uint32_t>(0) : read<uint32_t>(data, 8);
      const auto plain = read<uint32_t>(data, plain_at);
      h.header_bytes = plain_at + 4 + 8; // in every version the hash ends the header
      if (total && plain && data.size() >= h.header_bytes) {
        h.total_bytes = *total;
        h.plain_bytes = *plain;
        h.plain_hash = *read<uint64_t>(data, h.header_bytes - 8);
        return h;
      }
    } else if (h.version == 3) {
      const auto total = read<uint64_t>(data, 8);
      const auto plain = read<uint64_t>(data, 16);
      h.header_bytes = 32;
      if (total && plain && data.size() >= h.header_bytes) {
        h.total_bytes = *total;
        h.plain_bytes = *plain;
        h.plain_hash = *read<uint64_t>(data, h.header_bytes - 8);
        return h;
      }
    } else {
      return error(ErrorCode::InvalidImage, "The compressed offload bundle has version {}; versions 1 to 3 are known.",
                   h.version);
    }
  }
  return error(ErrorCode::InvalidImage, "The compressed offload bundle ends inside its header ({} bytes).",
               data.size());
}

Status decompress_bundle(Bytes data, const CompressedHeader& h, const TakePlainBytes& take) {
  if (h.method != 1)
    return error(h.method == 0 ? ErrorCode::NotSupported : ErrorCode::InvalidImage,
                 "The compressed offload bundle uses method {}; only zstd (1) is supported.", h.method);
  const uint64_t total = h.total_bytes ? h.total_bytes : data.size();
  if (total < h.header_bytes || total > data.size())
    return error(ErrorCode::InvalidImage, "The compressed offload bundle says it has {} bytes, but {} are there.",
                 total, data.size());
  const Bytes frame = data.subspan(h.header_bytes, static_cast<size_t>(total - h.header_bytes));
  // A zstd block takes at least 4 bytes and gives at most 128 KiB: a larger claim cannot be true, and is not allocated.
  if (h.plain_bytes / ZSTD_BLOCKSIZE_MAX > frame.size() / 4 + 1)
    return error(ErrorCode::InvalidImage,
                 "The compressed offload bundle claims {} bytes of contents in {} bytes of zstd data.", h.plain_bytes,
                 frame.size());
  if (h.plain_bytes < kBytesWorthRemembering) return decompress(h, frame, take, HashedPieces::Hash::Yes);
  WholeBundles whole(h, frame);
  if (whole.knows()) return decompress(h, frame, take, HashedPieces::Hash::No);
  RT_TRY(decompress(h, frame, take, HashedPieces::Hash::Yes));
  whole.remember();
  return {};
}

} // namespace hip::codeobject
