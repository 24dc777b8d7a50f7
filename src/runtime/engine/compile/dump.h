// runtime/engine/compile/dump.h - what OMNIHIP_TIER_DUMP (runtime/base/env.def) asks the translator to print, for
// developers.
#pragma once

#include <cstdlib>
#include <string_view>

namespace hip::engine::compile {

inline bool dumps(std::string_view what) {
  const char* wanted = std::getenv("OMNIHIP_TIER_DUMP");
  return wanted && what == wanted;
}

} // namespace hip::engine::compile
