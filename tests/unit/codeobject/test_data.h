// Test data: files made at build time, and bytes that end at an unreadable page, so that reading past them is a crash
// even without a sanitizer.
#pragma once

#include "runtime/codeobject/bytes.h"

#include <string>
#include <vector>

namespace hip::codeobject::test {

using ByteVector = std::vector<std::byte>;

// A file of the build-time data; fails the test when it cannot be read.
ByteVector load_data(const std::string& name);

template<class T> void put(ByteVector& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}
template<class T> T get(const ByteVector& bytes, size_t offset) { return read<T>(bytes, offset).value(); }

// A compressed bundle in the layout of `version` around `plain`.
ByteVector compress(const ByteVector& plain, unsigned version);

// A copy of `bytes` whose last byte is the last one before an unmapped page.
class GuardedBytes {
public:
  explicit GuardedBytes(Bytes bytes);
  ~GuardedBytes();
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  Bytes bytes() const { return {begin_, size_}; }
  std::span<std::byte> writable() { return {begin_, size_}; }

private:
  void* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  std::byte* begin_ = nullptr;
  size_t size_ = 0;
};

} // namespace hip::codeobject::test
