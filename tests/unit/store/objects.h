// Objects that CMakeLists.txt made, and the one function of the engine that they call.
#pragma once

#include "runtime/engine/store/code_image.h"

#include <fstream>
#include <iterator>

namespace hip::engine {

inline std::vector<std::byte> read_data(const std::string& name) {
  std::ifstream file(std::string(TRANSLATE_TEST_DATA "/") + name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline long helper(long x) { return x * 100; }

inline const void* resolve_helper(std::string_view name) {
  return name == "helper" ? reinterpret_cast<const void*>(&helper) : nullptr;
}

template<class F> F* function(const CodeImage& image, const char* name) {
  return reinterpret_cast<F*>(image.symbol(name));
}

} // namespace hip::engine
