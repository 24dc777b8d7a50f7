// runtime/rtc/compiler_cache.cpp - see compiler_cache.h.
#include "runtime/rtc/compiler_cache.h"

#include "runtime/base/build_id.h"

#include <fstream>
#include <iterator>
#include <span>

namespace hip::rtc {

CodeCache open_compiler_cache(const std::string& name, const std::string& sdk) {
  std::vector<std::byte> id = build_id_of(sdk + "/lib/libomnihip_compiler.so");
  std::ifstream file(sdk + "/lib/omnihip/rtc.id", std::ios::binary);
  const std::string rest(std::istreambuf_iterator<char>(file), {});
  if (id.empty() || rest.empty()) return CodeCache({}, 0, {});
  const auto bytes = std::as_bytes(std::span(rest));
  id.insert(id.end(), bytes.begin(), bytes.end());
  return CodeCache::from_environment(name, id);
}

} // namespace hip::rtc
