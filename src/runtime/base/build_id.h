// runtime/base/build_id.h - which build of a shared object lies in a file, without loading it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hip {

// The contents of the ELF64 file's GNU build-id note; empty when there is no such file, or it has none.
std::vector<std::byte> build_id_of(const std::string& path);

} // namespace hip
