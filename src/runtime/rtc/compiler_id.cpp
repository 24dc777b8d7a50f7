// runtime/rtc/compiler_id.cpp - see compiler_id.h.
#include "runtime/rtc/compiler_id.h"

#include "runtime/base/build_id.h"

#include <fstream>
#include <iterator>
#include <span>

namespace hip::rtc {

std::vector<std::byte> compiler_id(const std::string& sdk) {
  std::vector<std::byte> id = build_id_of(sdk + "/lib/libomnihip_compiler.so");
  std::ifstream file(sdk + "/lib/omnihip/rtc.id", std::ios::binary);
  const std::string rest(std::istreambuf_iterator<char>(file), {});
  if (id.empty() || rest.empty()) return {};
  const auto bytes = std::as_bytes(std::span(rest));
  id.insert(id.end(), bytes.begin(), bytes.end());
  return id;
}

} // namespace hip::rtc
