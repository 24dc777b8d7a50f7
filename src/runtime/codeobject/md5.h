// runtime/codeobject/md5.h - the MD5 digest (RFC 1321), by which compressed offload bundles tell that they are whole.
// Against accidents, not against enemies.
#pragma once

#include "runtime/codeobject/bytes.h"

#include <array>

namespace hip::codeobject {

// The first eight bytes of the digest as a little-endian number.
uint64_t md5_low64(Bytes data) noexcept;

} // namespace hip::codeobject
