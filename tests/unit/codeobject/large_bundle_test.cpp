// Compressed bundles of many megabytes: what is kept of them, the hash on a second thread, and what is remembered.
#include "environment_variable.h"
#include "runtime/codeobject/bundle.h"
#include "runtime/codeobject/md5.h"
#include "temporary_folder.h"
#include "test_data.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;
using test::compress;
using test::put;

namespace {

struct Image {
  std::string id;
  ByteVector bytes;
};

// As clang-offload-bundler writes it, each image at a multiple of 4096.
ByteVector plain_bundle(const std::vector<Image>& images) {
  const auto align = [](size_t at) { return (at + 4095) / 4096 * 4096; };
  size_t table = 32;
  for (const Image& image : images) table += 24 + image.id.size();
  ByteVector out(table);
  std::memcpy(out.data(), "__CLANG_OFFLOAD_BUNDLE__", 24);
  put<uint64_t>(out, 24, images.size());
  size_t at = 32;
  for (const Image& image : images) {
    const size_t begin = align(out.size());
    out.resize(begin);
    out.insert(out.end(), image.bytes.begin(), image.bytes.end());
    put<uint64_t>(out, at, begin);
    put<uint64_t>(out, at + 8, image.bytes.size());
    put<uint64_t>(out, at + 16, image.id.size());
    std::memcpy(out.data() + at + 24, image.id.data(), image.id.size());
    at += 24 + image.id.size();
  }
  return out;
}

// Bytes of which zstd makes little, and every piece another.
ByteVector pattern(size_t bytes, uint32_t seed) {
  ByteVector out(bytes);
  std::minstd_rand random(seed);
  for (size_t at = 0; at + 64 <= bytes; at += 64) put<uint32_t>(out, at, static_cast<uint32_t>(random()));
  return out;
}

std::vector<Image> images_of(size_t bytes) {
  return {{"host-x86_64-unknown-linux-gnu-", {}},
          {"hipv4-amdgcn-amd-amdhsa--gfx1100", pattern(bytes, 1)},
          {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", pattern(bytes / 2 + 77, 2)},
          {"hipv4-amdgcn-amd-amdhsa--gfx942", pattern(bytes + 5, 3)},
          {"hip-nvptx64-nvidia-cuda--sm_90", pattern(1000, 4)}};
}

// A folder of caches for the length of a test.
class Caches {
public:
  size_t remembered() const {
    const std::filesystem::path folder = std::filesystem::path(folder_.path()) / "bundles";
    size_t files = 0;
    if (std::filesystem::exists(folder))
      for (const auto& file : std::filesystem::directory_iterator(folder)) files += file.is_regular_file();
    return files;
  }

private:
  TemporaryFolder folder_;
  EnvironmentVariable variable_{"OMNIHIP_CACHE_DIR", folder_.path().c_str()};
};

void check_all(const ByteVector& data, const std::vector<Image>& images) {
  const auto all = parse_bundle(data);
  REQUIRE(all.ok());
  REQUIRE(all.value().entries().size() == images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    const BundleEntry& entry = all.value().entries()[i];
    CHECK(entry.id == images[i].id);
    CHECK(entry.image_bytes == images[i].bytes.size());
    CHECK(std::equal(entry.image.begin(), entry.image.end(), images[i].bytes.begin(), images[i].bytes.end()));
  }
  for (const char* device : {"gfx942:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", "gfx1100", "sm_90"}) {
    INFO(device);
    const auto bundle = parse_bundle(data, device);
    REQUIRE(bundle.ok());
    const auto chosen = choose_entry(bundle.value(), device);
    REQUIRE(chosen.ok());
    for (size_t i = 0; i < images.size(); ++i) {
      const BundleEntry& entry = bundle.value().entries()[i];
      CHECK(entry.image_bytes == images[i].bytes.size());
      if (&entry == chosen.value())
        CHECK(std::equal(entry.image.begin(), entry.image.end(), images[i].bytes.begin(), images[i].bytes.end()));
      else
        CHECK(entry.image.empty());
    }
  }
  // A device that nothing is for is told what there is.
  const auto none = parse_bundle(data, "gfx1030");
  REQUIRE(none.ok());
  const auto refused = choose_entry(none.value(), "gfx1030");
  CHECK(refused.status().code() == ErrorCode::NoBinaryForGpu);
  CHECK(refused.status().message().find("gfx1100, gfx90a:xnack-, gfx942, sm_90") != std::string::npos);
}

} // namespace

TEST_CASE("large compressed bundles", "[codeobject][bundle]") {
  Caches caches;
  // In one piece; in pieces, and exactly at the end of one; with a second thread; remembered.
  const size_t bytes = GENERATE(size_t{1000}, size_t{300000}, size_t{1} << 20, size_t{4} << 20, size_t{20} << 20);
  const std::vector<Image> images = images_of(bytes);
  const ByteVector data = compress(plain_bundle(images), 3);
  for (int time = 0; time < 2; ++time) {
    check_all(data, images);
    CHECK(caches.remembered() == (bytes >= (size_t{20} << 20) ? 1 : 0));
  }
}

TEST_CASE("plain bundles that end with a piece", "[codeobject][bundle]") {
  for (const size_t end : {size_t{512} << 10, size_t{8} << 20}) {
    std::vector<Image> images{{"hipv4-amdgcn-amd-amdhsa--gfx942", pattern(end - 4096, 5)}};
    const ByteVector plain = plain_bundle(images);
    REQUIRE(plain.size() == end);
    const auto bundle = parse_bundle(compress(plain, 3), "gfx942");
    REQUIRE(bundle.ok());
    const Bytes image = bundle.value().entries()[0].image;
    CHECK(std::equal(image.begin(), image.end(), images[0].bytes.begin(), images[0].bytes.end()));
  }
}

TEST_CASE("damaged large bundles are found behind what is wanted, and again", "[codeobject][bundle]") {
  Caches caches;
  std::vector<Image> images = images_of(size_t{20} << 20);
  const ByteVector good = compress(plain_bundle(images), 3);
  images.back().bytes[500] ^= std::byte{1}; // of an image that gfx1100 does not want
  ByteVector damaged = compress(plain_bundle(images), 3);
  std::memcpy(damaged.data() + 24, good.data() + 24, 8);
  for (int time = 0; time < 2; ++time) {
    const auto bundle = parse_bundle(damaged, "gfx1100");
    CHECK(bundle.status().code() == ErrorCode::InvalidImage);
    CHECK(bundle.status().message().find("damaged") != std::string::npos);
    CHECK(parse_bundle(good, "gfx1100").ok());
  }
  CHECK(caches.remembered() == 1);
  // The right bytes and another hash are another bundle.
  ByteVector other = good;
  other[24] ^= std::byte{1};
  CHECK(parse_bundle(other, "gfx1100").status().code() == ErrorCode::InvalidImage);
  // Every cut is found where nothing is remembered of it.
  for (size_t cut = 40; cut < good.size(); cut += good.size() / 7 + 1) {
    ByteVector part(good.begin(), good.begin() + static_cast<ptrdiff_t>(cut));
    put<uint64_t>(part, 8, cut);
    CHECK(parse_bundle(part, "gfx1100").status().code() == ErrorCode::InvalidImage);
  }
}

TEST_CASE("images that overlap are kept once", "[codeobject][bundle]") {
  const ByteVector contents = pattern(size_t{1} << 20, 6);
  ByteVector plain = plain_bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", contents},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+", ByteVector(64)},
                                   {"hipv4-amdgcn-amd-amdhsa--gfx942:xnack-", ByteVector(64)}});
  // The second is the middle of the first one, the third goes over its end.
  const size_t second = 32 + 24 + 31, third = second + 24 + 40;
  const uint64_t first_at = test::get<uint64_t>(plain, 32);
  put<uint64_t>(plain, second, first_at + 1000);
  put<uint64_t>(plain, second + 8, 5000);
  put<uint64_t>(plain, third, first_at + 700000);
  put<uint64_t>(plain, third + 8, plain.size() - first_at - 700000);
  for (const std::string_view device : {"", "gfx942:sramecc+:xnack-"}) {
    const auto bundle = parse_bundle(compress(plain, 3), device);
    REQUIRE(bundle.ok());
    const auto expect = [&](size_t i, uint64_t at, uint64_t bytes) {
      const Bytes image = bundle.value().entries()[i].image;
      REQUIRE(image.size() == bytes);
      CHECK(std::equal(image.begin(), image.end(), plain.begin() + static_cast<ptrdiff_t>(at)));
    };
    expect(0, first_at, contents.size());
    expect(1, first_at + 1000, 5000);
    expect(2, first_at + 700000, plain.size() - first_at - 700000);
  }
}

TEST_CASE("the most entries that a bundle may have", "[codeobject][bundle]") {
  const ByteVector most = plain_bundle(std::vector<Image>(65536)), more = plain_bundle(std::vector<Image>(65537));
  for (const ByteVector& data : {most, compress(most, 3)}) {
    const auto bundle = parse_bundle(data);
    INFO(bundle.status().to_string());
    REQUIRE(bundle.ok());
    CHECK(bundle.value().entries().size() == 65536);
  }
  CHECK(parse_bundle_header(most).ok());
  CHECK(bundle_extent(most.data()).ok());
  for (const Status& status : {parse_bundle(more).status(), parse_bundle(compress(more, 3)).status(),
                               parse_bundle_header(more).status(), bundle_extent(more.data()).status()}) {
    CHECK(status.code() == ErrorCode::InvalidImage);
    CHECK(status.message().find("65537 entries") != std::string::npos);
  }
}

TEST_CASE("the table of a compressed bundle takes a few megabytes at most", "[codeobject][bundle]") {
  const auto with_longest_ids = [](size_t entries) {
    return plain_bundle(std::vector<Image>(entries, Image{std::string(4096, 'x'), {}}));
  };
  const ByteVector two_megabytes = with_longest_ids(500), eight_megabytes = with_longest_ids(2000);
  CHECK(parse_bundle(compress(two_megabytes, 3)).ok());
  const Status status = parse_bundle(compress(eight_megabytes, 3)).status();
  CHECK(status.code() == ErrorCode::InvalidImage);
  CHECK(status.message().find("table") != std::string::npos);
  CHECK(parse_bundle(eight_megabytes).ok()); // as it is, the file has all these bytes
}

TEST_CASE("a gigabyte of entries in a few kilobytes is refused", "[codeobject][bundle]") {
  Caches caches;
  constexpr uint64_t kPlainBytes = uint64_t{1} << 30, kEntries = (kPlainBytes - 32) / 24, kBlockBytes = 128 << 10;
  ByteVector data(32);
  std::memcpy(data.data(), "CCOB", 4);
  put<uint16_t>(data, 4, 3);
  put<uint16_t>(data, 6, 1);
  put<uint64_t>(data, 16, kPlainBytes);
  const auto append = [&data](uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) data.push_back(static_cast<std::byte>(value >> 8 * i));
  };
  // RFC 8878: a frame with a window of 128 KiB and without a checksum. The header of a block tells whether it is the
  // last, its type (0: bytes as they are, 1: one byte many times) and its size.
  append(0xfd2fb528, 4);
  append(0x3800, 2);
  append(32 << 3, 3);
  for (const char c : std::string_view("__CLANG_OFFLOAD_BUNDLE__")) append(static_cast<unsigned char>(c), 1);
  append(kEntries, 8);
  for (uint64_t at = 32; at < kPlainBytes;) {
    const uint64_t bytes = std::min(kBlockBytes, kPlainBytes - at);
    at += bytes;
    append((at == kPlainBytes ? 1u : 0u) | 1u << 1 | bytes << 3, 3);
    append(0, 1);
  }
  put<uint64_t>(data, 8, data.size());
  REQUIRE(data.size() < 34000);
  const Status status = parse_bundle(data, "gfx942").status();
  INFO(status.to_string());
  CHECK(status.code() == ErrorCode::InvalidImage);
  CHECK(status.message().find(std::to_string(kEntries) + " entries") != std::string::npos);
}

TEST_CASE("MD5 of pieces", "[codeobject][bundle]") {
  const ByteVector data = pattern(10000, 7);
  const uint64_t whole = md5_low64(data);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{63}, size_t{64}, size_t{65}, size_t{1000}, size_t{9999}}) {
    Md5 digest;
    for (size_t at = 0; at < data.size(); at += piece)
      digest.add(Bytes(data).subspan(at, std::min(piece, data.size() - at)));
    CHECK(digest.low64() == whole);
  }
}
