// runtime/engine/store/stored_translation.h - translations as they lie on disk (code_cache.h): the key of a
// request, and a translation as one block of bytes.
#pragma once

#include "runtime/engine/store/code_cache.h"
#include "runtime/engine/compile/translator.h"

#include <optional>
#include <span>
#include <vector>

namespace hip::engine::compile {

// A hash of all that decides what the translator makes of a request: the instructions (not where they lie), what is
// known of the start, the host's processor, and the translator itself, as its build id.
CodeCache::Key key_of(const Request& request, std::span<const std::byte> translator_build);

// A request with its instructions, for another process.
struct PackedRequest {
  std::vector<std::byte> code; // what request.begin and request.end point to
  Request request;
};
std::vector<std::byte> pack(const Request& request);
std::optional<PackedRequest> unpack_request(std::span<const std::byte> bytes);

std::vector<std::byte> pack(const Translation& translation);
// Nothing when the bytes are not what pack() makes for a function of `code_bytes`: whatever passes has its entry, and
// its elements, regions and lines lie where they can.
std::optional<Translation> unpack(std::span<const std::byte> bytes, uint64_t code_bytes);

} // namespace hip::engine::compile
