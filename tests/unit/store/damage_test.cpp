// Damaged objects: whatever the bytes are, loading gives an image or an error, and an image answers questions.
#include "objects.h"

#include "runtime/codeobject/elf_format.h"
#include "test_seed.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

using namespace hip::engine;

namespace {

enum class Outcome { Loaded, Refused };

// Loads bytes in a buffer of exactly their size, so that a sanitizer sees every access beyond.
Outcome try_load(std::span<const std::byte> bytes) {
  const std::vector<std::byte> exact(bytes.begin(), bytes.end());
  auto image = CodeImage::load(exact, resolve_helper);
  if (!image.ok()) {
    if (image.status().message().empty()) FAIL("an error without a message");
    return Outcome::Refused;
  }
  const auto text = image.value()->text();
  for (size_t i = 0; i < text.size(); i += 37) (void)image.value()->line_of(text.data() + i);
  (void)image.value()->symbol("add");
  return Outcome::Loaded;
}

} // namespace

TEST_CASE("An object that ends early is refused") {
  const std::string name = GENERATE("pic.o", "small.o");
  const auto object = read_data(name);
  REQUIRE(try_load(object) == Outcome::Loaded);
  // The section headers come last, so that every loss is noticed.
  unsigned loaded = 0;
  for (size_t size = 0; size < object.size(); ++size)
    loaded += try_load(std::span(object).first(size)) == Outcome::Loaded;
  CHECK(loaded == 0);
}

TEST_CASE("Bytes that changed at random never crash the loader") {
  const std::string name = GENERATE("pic.o", "pic_sections.o", "pic_noplt.o", "small.o", "large.o");
  const auto object = read_data(name);
  std::mt19937 random(hip::testing::seeded(20261121));
  unsigned refused = 0;
  for (int round = 0; round < 3000; ++round) {
    auto damaged = object;
    const unsigned changes = 1 + random() % 8;
    for (unsigned i = 0; i < changes; ++i) damaged[random() % damaged.size()] = std::byte(random() & 0xff);
    refused += try_load(damaged) == Outcome::Refused;
  }
  CHECK(refused > 100);
}

TEST_CASE("Fields that changed at random never crash the loader") {
  // Headers, symbols and relocations are few of the bytes, and most damage there looks like an extreme number.
  const std::string name = GENERATE("pic.o", "small.o", "pic_dwarf64.o");
  const auto object = read_data(name);
  const uint64_t extremes[] = {0,          1,          7,          0x7f,       0xff,  0xffff,   0x7fffffff,
                               0x80000000, 0xffffffff, 1ull << 40, 1ull << 63, ~0ull, ~0ull - 7};
  uint64_t headers = 0;
  std::memcpy(&headers, object.data() + 40, sizeof headers);
  std::mt19937 random(hip::testing::seeded(7));
  unsigned refused = 0, rounds = 0;
  for (size_t at = headers; at + 8 <= object.size(); at += 4) {
    for (const uint64_t value : extremes) {
      auto damaged = object;
      std::memcpy(damaged.data() + at, &value, random() % 2 ? 8 : 4);
      refused += try_load(damaged) == Outcome::Refused;
      ++rounds;
    }
  }
  for (size_t at = 0; at + 8 <= 64; ++at) {
    for (const uint64_t value : extremes) {
      auto damaged = object;
      std::memcpy(damaged.data() + at, &value, 8);
      refused += try_load(damaged) == Outcome::Refused;
      ++rounds;
    }
  }
  CHECK(refused > rounds / 4);
}

TEST_CASE("A symbol beyond its section's end is refused") {
  namespace elf = hip::codeobject::elf;
  auto object = read_data("pic.o");
  elf::FileHeader file;
  std::memcpy(&file, object.data(), sizeof file);
  unsigned symbols = 0, loaded = 0;
  for (unsigned i = 0; i < file.sh_count; ++i) {
    elf::SectionHeader section;
    std::memcpy(&section, object.data() + file.sh_offset + i * sizeof section, sizeof section);
    if (section.type != 2) continue; // SHT_SYMTAB
    for (uint64_t at = section.offset; at < section.offset + section.size; at += sizeof(elf::SymbolEntry)) {
      elf::SymbolEntry symbol;
      std::memcpy(&symbol, object.data() + at, sizeof symbol);
      if (symbol.section == elf::kSectionUndefined || symbol.section == elf::kSectionAbsolute) continue;
      auto changed = object;
      symbol.value = object.size(); // no section is that large
      std::memcpy(changed.data() + at, &symbol, sizeof symbol);
      ++symbols;
      loaded += try_load(changed) == Outcome::Loaded;
    }
  }
  CHECK(symbols > 10);
  CHECK(loaded == 0);
}

TEST_CASE("Objects of other kinds are refused") {
  auto object = read_data("pic.o");
  const auto with = [&](size_t at, unsigned value) {
    auto changed = object;
    changed[at] = std::byte(value);
    return try_load(changed);
  };
  CHECK(with(0, 0x7f) == Outcome::Loaded);
  CHECK(with(0, 0x7e) == Outcome::Refused); // magic
  CHECK(with(4, 1) == Outcome::Refused);    // 32 bits
  CHECK(with(5, 2) == Outcome::Refused);    // big endian
  CHECK(with(16, 3) == Outcome::Refused);   // a shared object
  CHECK(with(18, 183) == Outcome::Refused); // AArch64
  CHECK(with(18, 224) == Outcome::Refused); // AMDGPU
}
