// Lines of loaded code, compared at every byte with what LLVM reads in the same object.
#include "objects.h"

#include "runtime/codeobject/line_table.h"

#include <catch2/catch.hpp>
#include <map>
#include <sstream>

using namespace hip::engine;
using hip::codeobject::line_at, hip::codeobject::line_ranges;

namespace {

struct Row {
  uint64_t address;
  uint32_t line;
  bool ends;
};

// The rows of the sequences in llvm-dwarfdump's listing.
std::vector<std::vector<Row>> sequences_of(const std::string& listing) {
  std::vector<std::vector<Row>> sequences(1);
  std::istringstream in(listing);
  for (std::string line; std::getline(in, line);) {
    unsigned long address = 0, number = 0, column = 0;
    if (line.rfind("0x", 0) != 0 || std::sscanf(line.c_str(), "%lx %lu %lu", &address, &number, &column) != 3) continue;
    const bool ends = line.find("end_sequence") != std::string::npos;
    sequences.back().push_back({address, static_cast<uint32_t>(number), ends});
    if (ends) sequences.emplace_back();
  }
  sequences.pop_back();
  return sequences;
}

} // namespace

TEST_CASE("Every byte of the text has the line that LLVM gives it") {
  const std::string name = GENERATE("pic", "pic_O0", "pic_dwarf4", "pic_dwarf3", "pic_dwarf64", "small");
  INFO(name);
  const auto object = read_data(name + ".o"), listing_bytes = read_data(name + ".lines");
  const std::string listing(reinterpret_cast<const char*>(listing_bytes.data()), listing_bytes.size());
  auto image = CodeImage::load(object, resolve_helper);
  REQUIRE(image.ok());
  // Addresses count from the beginning of a section; the last sequence is that of .text.elsewhere.
  const auto sequences = sequences_of(listing);
  REQUIRE(sequences.size() >= 2);
  const auto* text = static_cast<const std::byte*>(image.value()->symbol("add"));
  const auto* elsewhere = static_cast<const std::byte*>(image.value()->symbol("four_times"));
  unsigned compared = 0, wrong = 0;
  for (const auto& rows : sequences) {
    REQUIRE(rows.size() > 2);
    const std::byte* begin = &rows == &sequences.back() ? elsewhere : text;
    for (size_t i = 0; i + 1 < rows.size(); ++i) {
      for (uint64_t a = rows[i].address; a < rows[i + 1].address; ++a) {
        ++compared;
        wrong += image.value()->line_of(begin + a) != rows[i].line;
      }
    }
  }
  CHECK(compared > 100);
  CHECK(wrong == 0);

  // The same as ranges.
  unsigned in_ranges = 0;
  for (const hip::codeobject::LineRange& range : image.value()->lines()) {
    CHECK(range.begin < range.end);
    for (uint64_t a = range.begin; a < range.end; ++a) {
      ++in_ranges;
      wrong += image.value()->line_of(reinterpret_cast<const std::byte*>(a)) != range.line;
    }
  }
  CHECK(in_ranges == compared);
  CHECK(wrong == 0);
}

TEST_CASE("Lines beyond 65535 are right, and places without a line have none") {
  const auto object = read_data("pic_sections.o");
  auto image = CodeImage::load(object, resolve_helper);
  REQUIRE(image.ok());
  const auto* begin = static_cast<const std::byte*>(image.value()->symbol("far_line"));
  CHECK(image.value()->line_of(begin) >= 70001);
  CHECK(image.value()->line_of(begin) <= 70002);
  uint32_t last = 0;
  for (const std::byte* pc = begin; image.value()->line_of(pc); ++pc) last = image.value()->line_of(pc);
  CHECK(last == 70004);
  CHECK(image.value()->line_of(nullptr) == 0);
  CHECK(image.value()->line_of(image.value()->text().data() - 1) == 0);
  CHECK(image.value()->line_of(image.value()->symbol("kOperations")) == 0);

  // Between two functions' sections lies padding.
  unsigned gaps = 0;
  for (const char* name :
       {"polynomial", "row", "choose", "name_of", "apply", "call_helper", "tail_call_helper", "far_line"}) {
    const auto* before = static_cast<const std::byte*>(image.value()->symbol(name)) - 1;
    if (*before != std::byte{0xcc}) continue;
    ++gaps;
    CHECK(image.value()->line_of(before) == 0);
  }
  CHECK(gaps > 2);

  const auto bare = read_data("pic_nolines.o");
  auto without = CodeImage::load(bare, resolve_helper);
  REQUIRE(without.ok());
  CHECK(without.value()->line_of(without.value()->symbol("add")) == 0);
}

TEST_CASE("A line table that makes no sense has no lines") {
  std::vector<std::byte> bytes;
  CHECK(line_at(bytes, 0x1000) == 0);
  CHECK(line_ranges(bytes).empty());
  for (unsigned fill : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
    for (size_t size = 1; size < 64; ++size) {
      bytes.assign(size, std::byte(fill));
      CHECK(line_at(bytes, 0x1000) == 0);
      CHECK(line_ranges(bytes).empty());
    }
  }
}
