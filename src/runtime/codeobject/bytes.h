// runtime/codeobject/bytes.h - bounds-checked access to bytes that nobody vouches for. Offsets and sizes come from the
// file, so every sum is checked for overflow; values are copied out, so alignment never matters.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace hip::codeobject {

static_assert(std::endian::native == std::endian::little, "Code objects are little endian and are read in place.");

using Bytes = std::span<const std::byte>;

// The sub-range [offset, offset + size), or nothing when it leaves `bytes`.
inline std::optional<Bytes> slice(Bytes bytes, uint64_t offset, uint64_t size) noexcept {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

// A plain value at `offset`, or nothing when it leaves `bytes`.
template<class T> std::optional<T> read(Bytes bytes, uint64_t offset) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto part = slice(bytes, offset, sizeof(T));
  if (!part) return std::nullopt;
  T value;
  std::memcpy(&value, part->data(), sizeof(T));
  return value;
}

inline std::string_view as_text(Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The zero-terminated text at `offset`, without its zero; nothing when no zero follows within `bytes`.
inline std::optional<std::string_view> read_c_string(Bytes bytes, uint64_t offset) noexcept {
  if (offset >= bytes.size()) return std::nullopt;
  const auto text = as_text(bytes.subspan(static_cast<size_t>(offset)));
  const size_t end = text.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

} // namespace hip::codeobject
