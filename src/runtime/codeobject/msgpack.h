// runtime/codeobject/msgpack.h - a reader for MessagePack, the encoding of code object metadata. It walks the bytes
// without building a tree and without recursion, so hostile nesting costs neither memory nor stack.
#pragma once

#include "runtime/codeobject/bytes.h"

namespace hip::codeobject {

class MsgPackReader {
public:
  enum class Type : uint8_t { Nil, Bool, Int, UInt, Float, Text, Binary, Array, Map, Extension };
  struct Token {
    Type type = Type::Nil;
    bool flag = false;   // Bool
    uint64_t number = 0; // UInt; Int (two's complement)
    double real = 0;     // Float
    Bytes payload = {};  // Text, Binary, Extension
    uint32_t count = 0;  // Array: elements, Map: pairs that follow
    std::string_view text() const noexcept { return as_text(payload); }
    bool is(Type t) const noexcept { return type == t; }
  };

  explicit MsgPackReader(Bytes bytes) noexcept : bytes_(bytes) {}

  // The next token; an array's or map's elements are the tokens that follow. Nothing at the end or when the bytes are
  // not MessagePack: a count larger than the remaining bytes is refused here, so loops over counts are bounded by the
  // input.
  std::optional<Token> next() noexcept;
  // Skips the value that begins with `token`, all its elements included.
  bool skip_rest_of(const Token& token) noexcept;
  // Reads and skips one whole value.
  bool skip_value() noexcept;
  uint64_t offset() const noexcept { return offset_; }

private:
  std::optional<Bytes> take(uint64_t size) noexcept;
  std::optional<uint64_t> take_big_endian(unsigned size) noexcept;
  std::optional<Token> with_payload(Type type, unsigned length_bytes, unsigned extra_bytes) noexcept;
  std::optional<Token> with_count(Type type, uint64_t count) noexcept;

  Bytes bytes_;
  uint64_t offset_ = 0;
};

} // namespace hip::codeobject
