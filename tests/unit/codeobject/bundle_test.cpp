#include "runtime/codeobject/bundle.h"
#include "runtime/codeobject/md5.h"

#include "runtime/codeobject/code_object.h"
#include "runtime/codeobject/text_bundle.h"
#include "test_data.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;
using test::compress;
using test::get;
using test::GuardedBytes;
using test::put;

namespace {

TargetId device(std::string_view text) { return parse_target_id(text).value(); }

std::string chosen(const Bundle& bundle, std::string_view device_id) {
  const auto entry = choose_entry(bundle, device(device_id));
  return entry.ok() ? entry.value()->target : "";
}

// A bundle as text, in lines of so many bytes, a multiple of three.
std::string text_of(const ByteVector& bundle, size_t bytes_of_line) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text(kTextMagic);
  text += "// a comment\n";
  for (size_t at = 0; at < bundle.size(); at += 3) {
    if (at % bytes_of_line == 0) text += at == 0 ? "//=" : "\n//=";
    const auto byte = [&](size_t i) { return at + i < bundle.size() ? std::to_integer<unsigned>(bundle[at + i]) : 0u; };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (size_t i = 0; i < 4; ++i) text += at + i <= bundle.size() ? digits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text + "\n";
}

} // namespace

TEST_CASE("plain bundle: entries and choice", "[codeobject][bundle]") {
  const auto data = test::load_data("plain.hipfb");
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  CHECK_FALSE(bundle.value().was_compressed());
  REQUIRE(bundle.value().entries().size() == 5); // the host's empty one first
  CHECK(bundle.value().entries()[0].kind == "host");
  CHECK(chosen(bundle.value(), "gfx942:sramecc+:xnack-") == "gfx942");
  CHECK(chosen(bundle.value(), "gfx950:sramecc+:xnack-") == "gfx9-4-generic");
  CHECK(chosen(bundle.value(), "gfx90a:sramecc+:xnack-") == "gfx90a:xnack-");
  CHECK(chosen(bundle.value(), "gfx90a:sramecc+:xnack+") == "gfx90a:xnack+");
  for (const BundleEntry& entry : bundle.value().entries()) {
    if (!entry.is_device("amdgcn")) continue;
    const auto code = CodeObject::parse(entry.image);
    REQUIRE(code.ok());
    CHECK(code.value().target().to_string() == entry.target);
  }
}

TEST_CASE("the header of a plain bundle tells where entries lie that are not there", "[codeobject][bundle]") {
  const auto data = test::load_data("plain.hipfb");
  const auto whole = parse_bundle(data);
  REQUIRE(whole.ok());
  const std::vector<BundleEntry>& entries = whole.value().entries();
  const auto& last = entries.back();
  const std::string_view text = as_text(data);
  const size_t header_bytes = text.find(last.id) + last.id.size();
  for (const size_t bytes : {header_bytes, static_cast<size_t>(last.image_offset), data.size()}) {
    const GuardedBytes beginning(ByteVector(data.begin(), data.begin() + static_cast<ptrdiff_t>(bytes)));
    const auto header = parse_bundle_header(beginning.bytes());
    REQUIRE(header.ok());
    CHECK(header.value().end.ok());
    REQUIRE(header.value().entries.size() == entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      const BundleEntry& entry = header.value().entries[i];
      CHECK(entry.id == entries[i].id);
      CHECK(entry.image_offset == entries[i].image_offset);
      CHECK(entry.image_bytes == entries[i].image.size());
      const bool there = entry.image_offset + entry.image_bytes <= bytes;
      CHECK(entry.image.size() == (there ? entry.image_bytes : 0));
    }
  }
  for (size_t bytes = 0; bytes < header_bytes; ++bytes) {
    const GuardedBytes beginning(ByteVector(data.begin(), data.begin() + static_cast<ptrdiff_t>(bytes)));
    const auto header = parse_bundle_header(beginning.bytes());
    CHECK(header.ok() == (bytes >= 32)); // behind the number of entries
    if (!header.ok()) continue;
    CHECK(header.value().entries.size() < entries.size());
    CHECK(header.value().end.code() == ErrorCode::InvalidImage);
  }
  CHECK_FALSE(parse_bundle_header(compress(ByteVector(data.begin(), data.end()), 3)).ok());
}

TEST_CASE("no entry suits the device", "[codeobject][bundle]") {
  const auto data = test::load_data("plain.hipfb");
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  const auto entry = choose_entry(bundle.value(), device("gfx1100"));
  REQUIRE_FALSE(entry.ok());
  CHECK(entry.status().code() == ErrorCode::NoBinaryForGpu);
  const std::string& text = entry.status().message();
  for (const char* part :
       {"gfx1100", "gfx942", "gfx90a:xnack+", "gfx90a:xnack-", "gfx9-4-generic", "--offload-arch=gfx1100"})
    CHECK(text.find(part) != std::string::npos);
}

void check_same_entries(const Bundle& bundle, const Bundle& reference) {
  REQUIRE(bundle.entries().size() == reference.entries().size());
  for (size_t i = 0; i < bundle.entries().size(); ++i) {
    CHECK(bundle.entries()[i].id == reference.entries()[i].id);
    CHECK(as_text(bundle.entries()[i].image) == as_text(reference.entries()[i].image));
  }
}

TEST_CASE("compressed bundles of every version", "[codeobject][bundle]") {
  const auto plain = test::load_data("plain.hipfb");
  const auto reference = parse_bundle(plain);
  const unsigned version = GENERATE(1u, 2u, 3u);
  const auto data = compress(plain, version);
  auto parsed = parse_bundle(data);
  REQUIRE(parsed.ok());
  const Bundle bundle = std::move(parsed).value(); // moving keeps the entries' images valid
  CHECK(bundle.was_compressed());
  check_same_entries(bundle, reference.value());
  const auto extent = bundle_extent(data.data());
  if (version == 1) {
    CHECK(extent.status().code() == ErrorCode::NotSupported);
  } else {
    REQUIRE(extent.ok());
    CHECK(extent.value().size() == data.size());
  }
}

TEST_CASE("bundles as text", "[codeobject][bundle]") {
  const auto plain = test::load_data("plain.hipfb");
  const auto reference = parse_bundle(plain);
  const bool compressed = GENERATE(false, true);
  const std::string text = text_of(compressed ? compress(plain, 2) : plain, GENERATE(3u, 84u));
  const std::string with_ptx = text + ".version 7.0\n.target sm_75\n.address_size 64\n";
  for (const std::string& whole : {text, with_ptx}) {
    auto parsed = parse_bundle(std::as_bytes(std::span(whole)));
    REQUIRE(parsed.ok());
    const Bundle bundle = std::move(parsed).value();
    CHECK(bundle.was_compressed());
    check_same_entries(bundle, reference.value());
    const auto extent = bundle_extent(whole.c_str());
    REQUIRE(extent.ok());
    CHECK(extent.value().size() == whole.size());
  }
}

TEST_CASE("damaged bundles as text", "[codeobject][bundle]") {
  const auto plain = test::load_data("plain.hipfb");
  const std::string text = text_of(plain, 84);
  const auto code_of = [](const std::string& damaged) {
    ByteVector bytes(std::as_bytes(std::span(damaged)).begin(), std::as_bytes(std::span(damaged)).end());
    const test::GuardedBytes guarded(bytes);
    const auto bundle = parse_bundle(guarded.bytes());
    return bundle.status().code();
  };
  CHECK(parse_bundle(std::as_bytes(std::span(text))).ok());
  for (const size_t part : {0, 1, 7, 50, 99}) {
    const size_t size = std::max(kTextMagic.size(), text.size() * part / 100);
    CHECK(code_of(text.substr(0, size)) == ErrorCode::InvalidImage);
  }
  std::string other = text;
  const size_t digit = text.find(kTextLine) + kTextLine.size() + 10;
  other[digit] = '?';
  CHECK(code_of(other) == ErrorCode::InvalidImage);
  other[digit] = '=';
  CHECK(code_of(other) == ErrorCode::InvalidImage);
  CHECK(code_of(std::string(kTextMagic) + "//=AAAA\n") == ErrorCode::InvalidImage); // no bundle
}

TEST_CASE("bundle compressed by clang", "[codeobject][bundle]") {
  const auto data = test::load_data("compressed_v3.hipfb");
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  CHECK(bundle.value().was_compressed());
  CHECK(chosen(bundle.value(), "gfx942:sramecc+:xnack-") == "gfx942");
  CHECK(chosen(bundle.value(), "gfx1100") == "gfx1100");
}

TEST_CASE("extent from a pointer alone", "[codeobject][bundle]") {
  const auto data = test::load_data(GENERATE("plain.hipfb", "compressed_v3.hipfb", "gfx942_v5.co"));
  const GuardedBytes guarded(data);
  const auto extent = bundle_extent(guarded.bytes().data());
  REQUIRE(extent.ok());
  CHECK(extent.value().size() == data.size());
  CHECK(bundle_extent(nullptr).status().code() == ErrorCode::InvalidImage);
}

TEST_CASE("bare code object is a bundle of one", "[codeobject][bundle]") {
  const auto data = test::load_data("gfx942_v6.co");
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  REQUIRE(bundle.value().entries().size() == 1);
  CHECK(bundle.value().entries()[0].id == "hipv4-amdgcn-amd-amdhsa--gfx942");
  CHECK(chosen(bundle.value(), "gfx942:sramecc+:xnack-") == "gfx942");
}

TEST_CASE("entry ids of both drivers and of other vendors", "[codeobject][bundle]") {
  ByteVector data(24 + 8);
  std::memcpy(data.data(), "__CLANG_OFFLOAD_BUNDLE__", 24);
  const std::string ids[] = {"host-x86_64-unknown-linux-gnu-", "hip-amdgcn-amd-amdhsa-unknown-gfx942:xnack-",
                             "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic", "hip-nvptx64-nvidia-cuda-unknown-sm_90"};
  put<uint64_t>(data, 24, std::size(ids));
  for (const std::string& text : ids) {
    const size_t at = data.size();
    data.resize(at + 24 + text.size());
    put<uint64_t>(data, at, 0);
    put<uint64_t>(data, at + 8, text.starts_with("host") ? 0 : 16);
    put<uint64_t>(data, at + 16, text.size());
    std::memcpy(data.data() + at + 24, text.data(), text.size());
  }
  const auto bundle = parse_bundle(data);
  REQUIRE(bundle.ok());
  const auto& entries = bundle.value().entries();
  CHECK(entries[0].arch == "x86_64");
  CHECK(entries[1].target == "gfx942:xnack-");
  CHECK(entries[2].target == "gfx9-4-generic");
  CHECK(entries[3].target == "sm_90");
  CHECK(entries[3].is_device("nvptx64"));
  CHECK_FALSE(entries[3].is_device("amdgcn"));
  CHECK(chosen(bundle.value(), "gfx942:sramecc+:xnack-") == "gfx942:xnack-");
  CHECK(chosen(bundle.value(), "gfx942:sramecc+:xnack+") == "gfx9-4-generic");
}

TEST_CASE("bundles that are refused", "[codeobject][bundle]") {
  auto plain = test::load_data("plain.hipfb");
  const auto refused = [](const ByteVector& data) {
    const GuardedBytes guarded(data);
    const auto bundle = parse_bundle(guarded.bytes());
    return !bundle.ok() && bundle.status().code() == ErrorCode::InvalidImage && !bundle.status().message().empty();
  };
  SECTION("no bytes") { CHECK(refused({})); }
  SECTION("wrong magic") {
    plain[3] = std::byte{'X'};
    CHECK(refused(plain));
  }
  SECTION("more entries than bytes") {
    put<uint64_t>(plain, 24, UINT64_MAX);
    CHECK(refused(plain));
  }
  SECTION("entry beyond the end") {
    put<uint64_t>(plain, 32 + 24 + get<uint64_t>(plain, 48), plain.size());
    CHECK(refused(plain));
  }
  SECTION("entry size that overflows") {
    put<uint64_t>(plain, 32 + 24 + get<uint64_t>(plain, 48) + 8, UINT64_MAX - 8);
    CHECK(refused(plain));
  }
  SECTION("id length that overflows") {
    put<uint64_t>(plain, 48, UINT64_MAX - 16);
    CHECK(refused(plain));
  }
  SECTION("ELF of another machine") {
    auto elf = test::load_data("gfx942_v6.co");
    put<uint16_t>(elf, 18, 62);
    CHECK(refused(elf));
  }
  const auto compressed = compress(plain, 3);
  SECTION("compressed: a claim that zstd cannot reach") {
    auto data = compressed;
    put<uint64_t>(data, 16, uint64_t{1} << 50);
    CHECK(refused(data));
  }
  SECTION("compressed: contents shorter than claimed") {
    auto data = compressed;
    put<uint64_t>(data, 16, plain.size() + 1);
    CHECK(refused(data));
  }
  SECTION("compressed: contents longer than claimed") {
    auto data = compressed;
    put<uint64_t>(data, 16, plain.size() - 1);
    CHECK(refused(data));
  }
  SECTION("compressed: total beyond the end") {
    auto data = compressed;
    put<uint64_t>(data, 8, data.size() + 1);
    CHECK(refused(data));
  }
  SECTION("compressed: total smaller than the header") {
    auto data = compressed;
    put<uint64_t>(data, 8, 8);
    CHECK(refused(data));
  }
  SECTION("compressed: unknown version") {
    auto data = compressed;
    put<uint16_t>(data, 4, 9);
    CHECK(refused(data));
  }
  SECTION("compressed: damaged frame") {
    auto data = compressed;
    data[40] ^= std::byte{0xff};
    CHECK(refused(data));
  }
  SECTION("compressed: another hash") {
    auto data = compressed;
    data[24] ^= std::byte{1};
    CHECK(refused(data));
  }
  SECTION("compressed by clang: another hash") {
    auto data = test::load_data("compressed_v3.hipfb");
    CHECK_FALSE(refused(data));
    data[31] ^= std::byte{0x80};
    CHECK(refused(data));
  }
  SECTION("compressed: other contents, and the hash of the right ones") {
    auto others = plain;
    others.back() ^= std::byte{1};
    auto data = compress(others, 3);
    put<uint64_t>(data, 24, md5_low64(plain));
    CHECK(refused(data));
  }
  SECTION("compressed: contents that are no bundle") { CHECK(refused(compress(ByteVector(100), 3))); }
  SECTION("compressed: every cut") {
    for (size_t size = 4; size < compressed.size(); size += 1 + compressed.size() / 64)
      CHECK(refused(ByteVector(compressed.begin(), compressed.begin() + static_cast<ptrdiff_t>(size))));
  }
}

TEST_CASE("MD5 of ends of every kind", "[codeobject][bundle]") {
  // As GNU coreutils' md5sum says of so many letters a; its first eight bytes.
  const std::pair<size_t, uint64_t> known[] = {
      {0, 0x04b2008fd98c1dd4u},    {1, 0xa8b6f1c0b975c10cu},   {3, 0x489f584fc7e5bc47u},   {55, 0x22a1f9dfb67217efu},
      {56, 0xb028f803c78a0c3bu},   {57, 0x8496af606d902b65u},  {63, 0x18d65391f32165b0u},  {64, 0x4971b580d4424801u},
      {65, 0x956a2e0d5ea443c7u},   {119, 0x8ca2d62e73d07b8au}, {120, 0x44ac4cadccc0615fu}, {128, 0x40fe5f3f3b6810e5u},
      {1000, 0x665baec9dc45becau},
  };
  for (const auto& [count, low] : known) {
    INFO(count);
    CHECK(md5_low64(ByteVector(count, std::byte{'a'})) == low);
  }
}

TEST_CASE("zlib compression is named as unsupported", "[codeobject][bundle]") {
  auto data = compress(test::load_data("plain.hipfb"), 2);
  put<uint16_t>(data, 6, 0);
  CHECK(parse_bundle(data).status().code() == ErrorCode::NotSupported);
}
