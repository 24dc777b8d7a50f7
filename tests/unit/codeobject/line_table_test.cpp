// Source lines of code objects, compared at every address with what LLVM reads in the same file.
#include "test_data.h"

#include "runtime/codeobject/line_table.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <sstream>

using namespace hip::codeobject;
using namespace hip::codeobject::test;

namespace {

struct Row {
  unsigned long address = 0, line = 0, file = 0;
  bool ends = false;
};
struct Listing {
  std::vector<Row> rows;
  std::map<unsigned long, std::string> files; // names by number
};

// llvm-dwarfdump's listing of a file with one compilation unit.
Listing read_listing(const std::string& text) {
  Listing out;
  std::istringstream in(text);
  unsigned long number = 0;
  bool in_file = false;
  for (std::string line; std::getline(in, line);) {
    unsigned long column = 0;
    if (std::sscanf(line.c_str(), "file_names[ %lu]:", &number) == 1) in_file = true;
    const size_t name = line.find("name: \"");
    if (in_file && line.find("           name: ") == 0) {
      out.files[number] = line.substr(name + 7, line.rfind('"') - name - 7);
      in_file = false;
    }
    Row row;
    if (line.rfind("0x", 0) == 0 &&
        std::sscanf(line.c_str(), "%lx %lu %lu %lu", &row.address, &row.line, &column, &row.file) == 4) {
      row.ends = line.find("end_sequence") != std::string::npos;
      out.rows.push_back(row);
    }
  }
  return out;
}

} // namespace

TEST_CASE("Every address of a code object has the file and line that LLVM gives it", "[lines]") {
  const std::string name = GENERATE("lines_dwarf4", "lines_dwarf5");
  INFO(name);
  const ByteVector file = load_data(name + ".co"), text = load_data(name + ".txt");
  const auto lines = LineSections::of(file);
  REQUIRE(lines);
  const Listing listing = read_listing(std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  REQUIRE(listing.rows.size() > 20);
  REQUIRE(!listing.files.empty());
  unsigned compared = 0;
  for (size_t k = 0; k + 1 < listing.rows.size(); ++k) {
    const Row& row = listing.rows[k];
    if (row.ends || row.line == 0) continue;
    for (uint64_t a = row.address; a < listing.rows[k + 1].address; a += 4) {
      INFO("address " << std::hex << a);
      const SourceLine got = lines->line_of(a);
      REQUIRE(got.line == row.line);
      REQUIRE(listing.files.count(row.file) == 1);
      REQUIRE(std::string(got.file.name) == listing.files.at(row.file));
      ++compared;
    }
  }
  CHECK(compared > 100);
  CHECK(lines->line_of(0).line == 0);
}

TEST_CASE("Without debug information there are no lines, and damaged tables do no harm", "[lines]") {
  CHECK_FALSE(LineSections::of(load_data("gfx942_v6.co")));
  CHECK_FALSE(LineSections::of({}));
  const ByteVector whole = load_data("lines_dwarf5.co");
  for (size_t size = 0; size < whole.size(); size += 61) {
    const GuardedBytes cut(Bytes(whole).first(size));
    if (const auto lines = LineSections::of(cut.bytes())) lines->line_of(0x1900);
  }
  const auto lines = LineSections::of(whole);
  REQUIRE(lines);
  for (size_t at = 0; at < std::min<size_t>(lines->line.size(), 600); ++at)
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      LineSections damaged = *lines;
      damaged.line[at] ^= std::byte(flip);
      for (uint64_t a = 0x1800; a < 0x1a00; a += 64) damaged.line_of(a);
    }
}

TEST_CASE("Tables of names whose entries have no fields are not read", "[lines]") {
  const auto lines = LineSections::of(load_data("lines_dwarf5.co"));
  REQUIRE(lines);
  const auto byte = [&](size_t at) { return std::to_integer<size_t>(lines->line.at(at)); };
  // DWARF 5, section 6.2.4: version at 4, opcode_base at 17, then the lengths of the opcodes below it.
  REQUIRE(byte(4) == 5);
  const size_t directories = 18 + byte(17) - 1;
  // A count of fields, these, a count of entries, these. A directory has one field, a path as an offset of 4 bytes.
  REQUIRE(byte(directories) == 1);
  REQUIRE(byte(directories + 1) == 1);    // DW_LNCT_path
  REQUIRE(byte(directories + 2) == 0x1f); // DW_FORM_line_strp
  const size_t files = directories + 4 + 4 * byte(directories + 3);
  REQUIRE(byte(files) >= 2);
  uint64_t address = 0x1800;
  while (address < 0x3000 && lines->line_of(address).line == 0) address += 4;
  const SourceLine whole = lines->line_of(address);
  REQUIRE(whole.line != 0);
  REQUIRE_FALSE(whole.file.name.empty());
  for (const size_t table : {directories, files}) {
    LineSections damaged = *lines;
    damaged.line[table] = std::byte{0};
    for (size_t i = 1; i <= 9; ++i) damaged.line[table + i] = std::byte{0xff};
    damaged.line[table + 10] = std::byte{1}; // 2^64 - 1 entries
    const SourceLine got = damaged.line_of(address);
    CHECK(got.line == whole.line);
    CHECK(got.file.name.empty());
  }
}
