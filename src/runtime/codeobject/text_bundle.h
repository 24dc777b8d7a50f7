// runtime/codeobject/text_bundle.h - an offload bundle as text, which `omnicc -ptx` and `hipcc --genco-text` write:
// programs keep PTX in strings, which end at the first zero byte. Format: the line kTextMagic, then comments; those
// that begin with
// "//=" hold the bundle in base64. The first other line ends it. What follows may be PTX, for NVIDIA's tools.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <memory>

namespace hip::codeobject {

inline constexpr std::string_view kTextMagic = "// OmniHIP offload bundle, format 1\n";
inline constexpr std::string_view kTextLine = "//=";

// The bundle in a text that begins with kTextMagic, decoded into `storage`. Errors: InvalidImage, with the line;
// OutOfMemory.
Result<Bytes> decode_text_bundle(Bytes text, std::unique_ptr<std::byte[]>& storage);

} // namespace hip::codeobject
