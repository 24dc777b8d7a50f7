// runtime/engine/isa/opcode.cpp - see opcode.h.
#include "runtime/engine/isa/opcode.h"

#include <algorithm>
#include <unordered_map>

namespace hip::engine {

Opcode find_opcode(std::string_view spelling) {
  static const auto* all = [] { // never destroyed: a translation may be in progress at exit
    auto* map = new std::unordered_map<std::string_view, Opcode>;
    map->reserve(2 * kOpcodeCount);
    for (size_t k = 1; k < kOpcodeCount; ++k) {
      map->emplace(kOpcodeRows[k].name, Opcode(k));
      for (std::string_view rest = kOpcodeRows[k].aliases; !rest.empty();) {
        const size_t length = std::min(rest.find(' '), rest.size());
        map->emplace(rest.substr(0, length), Opcode(k));
        rest.remove_prefix(std::min(length + 1, rest.size()));
      }
    }
    return map;
  }();
  const auto found = all->find(spelling);
  return found == all->end() ? Opcode::unknown : found->second;
}

} // namespace hip::engine
