// runtime/codeobject/compressed_bundle.h - the compressed form of offload bundles (clang documentation, "Clang Offload
// Bundler"): a `CCOB` header, versions 1 to 3, around a zstd frame of the plain form.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <functional>
#include <string_view>

namespace hip::codeobject {

inline constexpr std::string_view kCompressedMagic = "CCOB";

struct CompressedHeader {
  uint16_t version = 0;
  uint16_t method = 0;      // 0 = zlib, 1 = zstd
  uint64_t total_bytes = 0; // header included; 0 in version 1, which does not tell
  uint64_t plain_bytes = 0;
  uint64_t plain_hash = 0; // the low 64 bits of their MD5
  uint64_t header_bytes = 0;
};

// Error: InvalidImage.
Result<CompressedHeader> read_compressed_header(Bytes data);

// Takes the plain bundle's next bytes, which are valid during the call. False: no more of them are wanted.
using TakePlainBytes = std::function<Result<bool>(Bytes piece)>;

// Gives the plain bundle of `data`, which begins with `header`, to `take`, piece by piece, on the calling thread: a
// bundle of every GPU's code may have gigabytes, of which a device wants a tenth.
//
// The whole bundle is checked against the hash in its header, although it was not wanted to its end: what `take` has
// got is good when this function returns without an error, and not before. The hash of large bundles is computed on a
// second thread, and that it was right is remembered on disk for bundles with the same compressed bytes (CodeCache).
// Errors: InvalidImage, NotSupported (zlib), OutOfMemory, and those of `take`.
Status decompress_bundle(Bytes data, const CompressedHeader& header, const TakePlainBytes& take);

} // namespace hip::codeobject
