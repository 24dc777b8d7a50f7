// Base64 (RFC 4648, section 4) in lines of any length; "=" pads the last one alone.
#include "runtime/codeobject/text_bundle.h"

#include <new>

namespace hip::codeobject {
namespace {

// The six bits that a character stands for, or -1.
int base64_bits(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

} // namespace

Result<Bytes> decode_text_bundle(Bytes text, std::unique_ptr<std::byte[]>& storage) {
  std::string_view rest = as_text(text).substr(kTextMagic.size());
  std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[rest.size() / 4 * 3 + 3]);
  if (!bytes)
    return error(ErrorCode::OutOfMemory, "There is no memory for an offload bundle of {} characters.", rest.size());
  size_t count = 0;
  uint32_t bits = 0;
  unsigned bit_count = 0;
  bool padded = false;
  for (size_t number = 2; rest.starts_with("//"); ++number) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.starts_with(kTextLine)) continue;
    line.remove_prefix(kTextLine.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (const char c : line) {
      const int value = base64_bits(c);
      if (c == '=' && bit_count > 0) {
        padded = true;
        continue;
      }
      if (value < 0 || padded)
        return error(ErrorCode::InvalidImage, "Line {} of the offload bundle in text form is no base64.", number);
      bits = bits << 6 | static_cast<uint32_t>(value);
      bit_count += 6;
      if (bit_count < 8) continue;
      bit_count -= 8;
      bytes[count++] = static_cast<std::byte>(bits >> bit_count & 0xff);
    }
  }
  if (bit_count == 6) return error(ErrorCode::InvalidImage, "The offload bundle in text form ends within a byte.");
  storage = std::move(bytes);
  return Bytes(storage.get(), count);
}

} // namespace hip::codeobject
