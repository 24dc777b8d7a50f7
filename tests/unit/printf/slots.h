// Argument slots as a kernel writes them: 8 bytes each, texts inline with their zero and padded to whole slots.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace hip::aql::test {

class Slots {
public:
  Slots& add(int64_t value) { return append(&value); }
  Slots& add(double value) { return append(&value); }
  Slots& text(std::string_view text) {
    const size_t at = bytes_.size();
    bytes_.resize(at + (text.size() + 1 + 7) / 8 * 8);
    std::memcpy(bytes_.data() + at, text.data(), text.size());
    return *this;
  }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<uint64_t> quadwords() const {
    std::vector<uint64_t> out(bytes_.size() / 8);
    std::memcpy(out.data(), bytes_.data(), bytes_.size());
    return out;
  }

private:
  Slots& append(const void* value) {
    bytes_.resize(bytes_.size() + 8);
    std::memcpy(bytes_.data() + bytes_.size() - 8, value, 8);
    return *this;
  }
  std::vector<std::byte> bytes_;
};

} // namespace hip::aql::test
