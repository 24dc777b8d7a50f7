#include "test_data.h"

#include "runtime/codeobject/md5.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

namespace hip::codeobject::test {

ByteVector load_data(const std::string& name) {
  const std::string path = std::string(CODEOBJECT_TEST_DATA) + "/" + name;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  INFO(path);
  REQUIRE(file.good());
  ByteVector bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(file.good());
  return bytes;
}

ByteVector compress(const ByteVector& plain, unsigned version) {
  ByteVector frame(ZSTD_compressBound(plain.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), plain.data(), plain.size(), 3));
  const size_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
  ByteVector out(header);
  std::memcpy(out.data(), "CCOB", 4);
  put<uint16_t>(out, 4, static_cast<uint16_t>(version));
  put<uint16_t>(out, 6, 1);
  const uint64_t total = header + frame.size();
  if (version == 1) put<uint32_t>(out, 8, static_cast<uint32_t>(plain.size()));
  if (version == 2) {
    put<uint32_t>(out, 8, static_cast<uint32_t>(total));
    put<uint32_t>(out, 12, static_cast<uint32_t>(plain.size()));
  }
  if (version == 3) {
    put<uint64_t>(out, 8, total);
    put<uint64_t>(out, 16, plain.size());
  }
  put<uint64_t>(out, header - 8, md5_low64(plain));
  out.insert(out.end(), frame.begin(), frame.end());
  return out;
}

GuardedBytes::GuardedBytes(Bytes bytes) : size_(bytes.size()) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t data_bytes = (size_ + page - 1) / page * page;
  mapping_bytes_ = data_bytes + page;
  mapping_ = mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(mapping_ != MAP_FAILED);
  auto* base = static_cast<std::byte*>(mapping_);
  REQUIRE(mprotect(base + data_bytes, page, PROT_NONE) == 0);
  begin_ = base + data_bytes - size_;
  std::copy(bytes.begin(), bytes.end(), begin_);
}

GuardedBytes::~GuardedBytes() { munmap(mapping_, mapping_bytes_); }

} // namespace hip::codeobject::test
