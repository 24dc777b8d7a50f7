// Edits in order of their places.
#include "edits.h"

#include <algorithm>

namespace hip::hipify {

std::string Edits::apply(std::string_view source) const {
  std::vector<const Edit*> order;
  order.reserve(edits_.size());
  for (const Edit& edit : edits_) order.push_back(&edit);
  std::sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    if (a->begin != b->begin) return a->begin < b->begin;
    const bool a_inserts = a->begin == a->end, b_inserts = b->begin == b->end;
    if (a_inserts != b_inserts) return a_inserts;
    // Of two replacements that begin together, the longer; of two insertions, the one made first.
    return a->end != b->end ? a->end > b->end : a < b;
  });
  std::string out;
  out.reserve(source.size() + source.size() / 16);
  uint32_t at = 0;
  for (const Edit* edit : order) {
    if (edit->begin < at) continue;
    out += source.substr(at, edit->begin - at);
    out += edit->text;
    at = edit->end;
  }
  out += source.substr(at);
  return out;
}

} // namespace hip::hipify
