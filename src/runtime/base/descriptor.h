// runtime/base/descriptor.h - what a file descriptor that a program hands over refers to.
#pragma once

#include "runtime/base/status.h"

#include <string>

namespace hip {

// The kernel's name for it: "anon_inode:[eventfd]", "/memfd:name (deleted)", "pipe:[1234]". Error: InvalidValue for a
// descriptor that is not open.
Result<std::string> name_of_descriptor(int descriptor);

inline constexpr const char* kEventDescriptorName = "anon_inode:[eventfd]";

// The size of what can be mapped: of a file, or of a dma-buf. Errors: InvalidValue for a descriptor that is not open,
// and for what has no size.
Result<uint64_t> size_of_descriptor(int descriptor);

} // namespace hip
