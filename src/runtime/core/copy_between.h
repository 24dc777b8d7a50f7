// runtime/core/copy_between.h - copies between memories that no one back end reaches: device memory of two vendors'
// cards. They go through a buffer of the host, in pieces, before the call returns.
#pragma once

#include "runtime/core/stream.h"

namespace hip::core {

// `given` is the copy's stream: what it holds comes first; for a default stream, also what the default streams of both
// devices hold. `dst` is memory of `to` and `src` of `from`; the caller has checked both.
Status copy_between(Stream& given, Device& to, const backend::Region& dst, Device& from, const backend::Region& src,
                    const backend::Extent3& extent);

} // namespace hip::core
