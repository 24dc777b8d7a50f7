#include "runtime/backend/aql/printf/message.h"

#include <algorithm>
#include <cstring>

namespace hip::aql {

PrintfMessage format_printf_message(std::span<const uint64_t> message) {
  PrintfMessage out;
  if (message.empty()) return out;
  if (message[0] & kPrintfToStderr) out.stream = PrintfStream::Stderr;
  const auto bytes = std::as_bytes(message.subspan(1));
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const size_t size = strnlen(text, bytes.size());
  const size_t format_bytes = std::min((size + 1 + 7) / 8 * 8, bytes.size());
  out.text = format_printf({text, size}, bytes.subspan(format_bytes));
  return out;
}

uint64_t MessageAssembler::append(MessageDescriptor descriptor, std::span<const uint64_t> quadwords) {
  uint64_t id = descriptor.id();
  if (descriptor.begin()) {
    if (open_.size() >= kMaxOpen) return 0; // nothing is ever kept under 0
    id = next_id_++;
    open_.emplace(id, std::vector<uint64_t>());
  }
  const auto it = open_.find(id);
  if (it != open_.end() && it->second.size() + quadwords.size() <= kMaxQuadwords)
    it->second.insert(it->second.end(), quadwords.begin(), quadwords.end());
  return id;
}

} // namespace hip::aql
