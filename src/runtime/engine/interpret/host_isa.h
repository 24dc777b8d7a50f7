// runtime/engine/interpret/host_isa.h - the host's instruction sets that the engine distinguishes, by their vector instructions.
// Handlers are compiled for each of them (interpret/CMakeLists.txt); the translator generates code for all but the first.
#pragma once

#include <cstdint>

namespace hip::engine {

enum class HostIsa : uint8_t {
  Generic, // any x86-64
  Avx2,    // x86-64-v3
  Avx512,  // x86-64-v4
};

} // namespace hip::engine
