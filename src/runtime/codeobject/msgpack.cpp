// MessagePack as defined at github.com/msgpack/msgpack/blob/master/spec.md ("Formats").
#include "runtime/codeobject/msgpack.h"

namespace hip::codeobject {

std::optional<Bytes> MsgPackReader::take(uint64_t size) noexcept {
  const auto part = slice(bytes_, offset_, size);
  if (part) offset_ += size;
  return part;
}

std::optional<uint64_t> MsgPackReader::take_big_endian(unsigned size) noexcept {
  const auto part = take(size);
  if (!part) return std::nullopt;
  uint64_t value = 0;
  for (const std::byte b : *part) value = value << 8 | std::to_integer<uint64_t>(b);
  return value;
}

std::optional<MsgPackReader::Token> MsgPackReader::with_payload(Type type, unsigned length_bytes,
                                                                unsigned extra_bytes) noexcept {
  const auto length = take_big_endian(length_bytes);
  if (!length) return std::nullopt;
  const auto payload = take(*length + extra_bytes);
  if (!payload) return std::nullopt;
  Token token{.type = type};
  token.payload = *payload;
  return token;
}

std::optional<MsgPackReader::Token> MsgPackReader::with_count(Type type, uint64_t count) noexcept {
  // Each element takes at least one byte.
  const uint64_t needed = type == Type::Map ? count * 2 : count;
  if (needed > bytes_.size() - offset_) return std::nullopt;
  Token token{.type = type};
  token.count = static_cast<uint32_t>(count);
  return token;
}

std::optional<MsgPackReader::Token> MsgPackReader::next() noexcept {
  const auto first = take_big_endian(1);
  if (!first) return std::nullopt;
  const unsigned tag = static_cast<unsigned>(*first);

  auto unsigned_number = [&](unsigned size) -> std::optional<Token> {
    const auto value = take_big_endian(size);
    if (!value) return std::nullopt;
    Token token{.type = Type::UInt};
    token.number = *value;
    return token;
  };
  auto signed_number = [&](unsigned size) -> std::optional<Token> {
    const auto value = take_big_endian(size);
    if (!value) return std::nullopt;
    const unsigned shift = 64 - 8 * size;
    const auto extended = static_cast<int64_t>(*value << shift) >> shift;
    Token token{.type = extended < 0 ? Type::Int : Type::UInt};
    token.number = static_cast<uint64_t>(extended);
    return token;
  };
  auto counted = [&](Type type, unsigned size) -> std::optional<Token> {
    const auto count = take_big_endian(size);
    if (!count) return std::nullopt;
    return with_count(type, *count);
  };
  auto fixed_payload = [&](Type type, uint64_t size) -> std::optional<Token> {
    const auto payload = take(size);
    if (!payload) return std::nullopt;
    Token token{.type = type};
    token.payload = *payload;
    return token;
  };

  if (tag <= 0x7f) return Token{.type = Type::UInt, .number = tag};
  if (tag <= 0x8f) return with_count(Type::Map, tag & 0x0f);
  if (tag <= 0x9f) return with_count(Type::Array, tag & 0x0f);
  if (tag <= 0xbf) return fixed_payload(Type::Text, tag & 0x1f);
  if (tag >= 0xe0) return Token{.type = Type::Int, .number = static_cast<uint64_t>(static_cast<int64_t>(tag) - 256)};
  switch (tag) {
  case 0xc0:
    return Token{.type = Type::Nil};
  case 0xc2:
    return Token{.type = Type::Bool, .flag = false};
  case 0xc3:
    return Token{.type = Type::Bool, .flag = true};
  case 0xc4:
    return with_payload(Type::Binary, 1, 0);
  case 0xc5:
    return with_payload(Type::Binary, 2, 0);
  case 0xc6:
    return with_payload(Type::Binary, 4, 0);
  case 0xc7:
    return with_payload(Type::Extension, 1, 1); // extension payloads begin with their type byte
  case 0xc8:
    return with_payload(Type::Extension, 2, 1);
  case 0xc9:
    return with_payload(Type::Extension, 4, 1);
  case 0xca: {
    const auto bits = take_big_endian(4);
    if (!bits) return std::nullopt;
    return Token{.type = Type::Float, .real = std::bit_cast<float>(static_cast<uint32_t>(*bits))};
  }
  case 0xcb: {
    const auto bits = take_big_endian(8);
    if (!bits) return std::nullopt;
    return Token{.type = Type::Float, .real = std::bit_cast<double>(*bits)};
  }
  case 0xcc:
    return unsigned_number(1);
  case 0xcd:
    return unsigned_number(2);
  case 0xce:
    return unsigned_number(4);
  case 0xcf:
    return unsigned_number(8);
  case 0xd0:
    return signed_number(1);
  case 0xd1:
    return signed_number(2);
  case 0xd2:
    return signed_number(4);
  case 0xd3:
    return signed_number(8);
  case 0xd4:
    return fixed_payload(Type::Extension, 2);
  case 0xd5:
    return fixed_payload(Type::Extension, 3);
  case 0xd6:
    return fixed_payload(Type::Extension, 5);
  case 0xd7:
    return fixed_payload(Type::Extension, 9);
  case 0xd8:
    return fixed_payload(Type::Extension, 17);
  case 0xd9:
    return with_payload(Type::Text, 1, 0);
  case 0xda:
    return with_payload(Type::Text, 2, 0);
  case 0xdb:
    return with_payload(Type::Text, 4, 0);
  case 0xdc:
    return counted(Type::Array, 2);
  case 0xdd:
    return counted(Type::Array, 4);
  case 0xde:
    return counted(Type::Map, 2);
  case 0xdf:
    return counted(Type::Map, 4);
  default:
    return std::nullopt; // 0xc1 is never used
  }
}

bool MsgPackReader::skip_rest_of(const Token& token) noexcept {
  // One counter instead of a stack: it only matters how many values are still to come. It cannot overflow, each token
  // costs a byte and adds at most what with_count allowed for the bytes left.
  uint64_t open = token.type == Type::Map ? uint64_t{token.count} * 2 : token.count;
  while (open > 0) {
    const auto inner = next();
    if (!inner) return false;
    open += inner->type == Type::Map ? uint64_t{inner->count} * 2 : inner->count;
    --open;
  }
  return true;
}

bool MsgPackReader::skip_value() noexcept {
  const auto token = next();
  return token && skip_rest_of(*token);
}

} // namespace hip::codeobject
