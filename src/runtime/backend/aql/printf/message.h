// runtime/backend/aql/printf/message.h - hostcall messages: a work-item sends a long text in packets of up to 7
// quadwords, each with a descriptor; here they are put together again, and a complete printf message becomes text.
#pragma once

#include "device/abi/hostcall.h"
#include "runtime/backend/aql/printf/printf_format.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hip::aql {

// Bits of a message descriptor.
struct MessageDescriptor {
  uint64_t bits = 0;
  bool begin() const noexcept { return (bits & kMessageBegin) != 0; }
  bool end() const noexcept { return (bits & kMessageEnd) != 0; }
  unsigned length() const noexcept {
    return static_cast<unsigned>(bits >> kMessageLengthShift) & kMessageMaxQuadwords;
  } // quadwords in this packet
  uint64_t id() const noexcept { return bits >> kMessageIdShift; }
  static constexpr uint64_t with_id(uint64_t id) noexcept { return id << kMessageIdShift; }
};

// Text and stream of a complete printf message: u64 control (bit 0: stderr), format text padded to 8 bytes, arguments.
struct PrintfMessage {
  PrintfStream stream = PrintfStream::Stdout;
  std::string text;
};
PrintfMessage format_printf_message(std::span<const uint64_t> message);

// Messages in the making. Not thread safe. A kernel that never ends its messages cannot exhaust the host: at most
// kMaxOpen messages are kept, of at most kMaxQuadwords each; what is beyond is dropped.
class MessageAssembler {
public:
  static constexpr size_t kMaxOpen = 1 << 16;
  static constexpr size_t kMaxQuadwords = 1 << 17;

  // Takes one packet's slot of one lane: descriptor and up to 7 quadwords. Returns what the lane gets back: the
  // descriptor for the message's next packet, or, when the message ends, what `complete(message)` makes of it.
  template<class F> uint64_t add(std::span<const uint64_t, kHostcallSlotWords> slot, F complete) {
    const MessageDescriptor descriptor{slot[0]};
    const uint64_t id = append(descriptor, slot.subspan<1>().first(descriptor.length()));
    if (descriptor.end()) {
      if (const auto it = open_.find(id); it != open_.end()) {
        const uint64_t answer = complete(std::span<const uint64_t>(it->second));
        open_.erase(it);
        return answer;
      }
    }
    return MessageDescriptor::with_id(id);
  }
  size_t open_messages() const noexcept { return open_.size(); }

private:
  // Returns the message's id.
  uint64_t append(MessageDescriptor descriptor, std::span<const uint64_t> quadwords);
  std::unordered_map<uint64_t, std::vector<uint64_t>> open_;
  uint64_t next_id_ = 1;
};

} // namespace hip::aql
