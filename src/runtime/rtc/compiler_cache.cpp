// runtime/rtc/compiler_cache.cpp - see compiler_cache.h.
#include "runtime/rtc/compiler_cache.h"

#include "runtime/base/build_id.h"
#include "runtime/rtc/folder.h"

#include <span>

namespace hip::rtc {

CodeCache open_compiler_cache(const std::string& name, const std::string& sdk) {
  std::vector<std::byte> id = build_id_of(sdk + "/lib/libomnihip_compiler.so");
  const std::string rest = read_file(sdk + "/lib/omnihip/rtc.id");
  if (id.empty() || rest.empty()) return CodeCache({}, 0, {});
  const auto bytes = std::as_bytes(std::span(rest));
  id.insert(id.end(), bytes.begin(), bytes.end());
  return CodeCache::from_environment(name, id);
}

} // namespace hip::rtc
