// CRC-32 (IEEE 802.3, reflected) of many records of 256 bytes.
#pragma once

#include "../kit.h"

namespace problems {

struct Crc32 {
  static constexpr uint32_t kRecordWords = 64;
  static constexpr int kSlices = 8;
  size_t records;
  kit::Array<uint32_t> words;
  kit::Array<uint32_t> table; // [slice][byte]: the remainder of a byte with `slice` zero bytes behind it

  explicit Crc32(kit::Scale scale)
      : records(scale == kit::Scale::Full ? 1u << 16 : 512), words(records * kRecordWords), table(kSlices * 256) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      uint32_t crc = byte;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
      table[byte] = crc;
    }
    for (uint32_t i = 256; i < kSlices * 256; ++i) table[i] = table[i - 256] >> 8 ^ table[table[i - 256] & 255];
    kit::Random random(14);
    for (uint32_t& word : words) word = random.bits();
  }
  double bytes() const { return 4.0 * static_cast<double>(words.size()); }
  // Bit by bit for some records, and the check value of the catalogue ("123456789") for this text itself.
  bool right(const kit::Array<uint32_t>& crc) const {
    if (bitwise("123456789", 9) != 0xcbf43926) return false;
    for (size_t r = 0; r < records; r += 37)
      if (crc[r] != bitwise(reinterpret_cast<const char*>(&words[r * kRecordWords]), kRecordWords * 4)) return false;
    return true;
  }

private:
  static uint32_t bitwise(const char* bytes, size_t n) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; ++i) {
      crc ^= static_cast<unsigned char>(bytes[i]);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
  }
};

} // namespace problems
