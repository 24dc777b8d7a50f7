// runtime/engine/store/stored_translation.h - the form of translations on disk (code_cache.h): the key of a request, and a
// translation as one block of bytes.
#pragma once

#include "runtime/base/code_cache.h"
#include "runtime/engine/compile/translator.h"

#include <optional>
#include <span>
#include <vector>

namespace hip::engine::compile {

// Both kinds of code of a request may be kept (Translation::quick).
enum class CodeKind { Best, Quick };
// A hash of everything that the translation of a request depends on: the instructions (but not their address), the facts about the
// start, the host's processor, and the translator's build id; and of the kind of code.
CodeCache::Key key_of(const Request& request, std::span<const std::byte> translator_build, CodeKind kind);

// A request with its instructions, for another process.
struct PackedRequest {
  std::vector<std::byte> code; // the instructions, between request.begin and request.end
  Request request;
};
std::vector<std::byte> pack(const Request& request);
std::optional<PackedRequest> unpack_request(std::span<const std::byte> bytes);

std::vector<std::byte> pack(const Translation& translation);
// Nothing when the bytes are not a result of pack() for a function of `code_bytes`. A translation that is returned has an entry,
// and its elements, regions and lines are in range.
std::optional<Translation> unpack(std::span<const std::byte> bytes, uint64_t code_bytes);

} // namespace hip::engine::compile
