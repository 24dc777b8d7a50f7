// The decoder against llvm-objdump: every instruction of the test kernels, and a file of forms that clang seldom emits,
// has the same text, size and registers in both.
#include "runtime/codeobject/code_object.h"
#include "runtime/engine/decode/decoder.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace hip;
using namespace hip::engine;

namespace {

struct Line {
  std::string text; // as objdump writes it, single spaces
  std::vector<uint8_t> bytes;
};

// Lines of `llvm-objdump -d`: "  mnemonic operands   // 000000001900: C0020002 00000018".
std::vector<Line> read_listing(const std::string& name) {
  std::ifstream in(std::string(ENGINE_TEST_DATA) + "/" + name);
  REQUIRE(in.good());
  std::vector<Line> lines;
  for (std::string text; std::getline(in, text);) {
    size_t comment = text.find("// ");
    if (comment == std::string::npos) continue;
    Line line;
    std::istringstream words(text.substr(0, comment));
    for (std::string word; words >> word;) line.text += (line.text.empty() ? "" : " ") + word;
    std::istringstream dwords(text.substr(text.find(':', comment) + 1));
    for (std::string dword; dwords >> dword;) {
      if (dword.size() != 8) break; // "<symbol+0x…>" of branches
      uint32_t value = uint32_t(std::stoul(dword, nullptr, 16));
      for (int k = 0; k < 4; ++k) line.bytes.push_back(uint8_t(value >> (8 * k)));
    }
    lines.push_back(line);
  }
  return lines;
}

std::string register_name(const Operand& op) {
  static const std::map<uint16_t, std::string> special = {
      {102, "flat_scratch"}, {104, "xnack_mask"}, {106, "vcc"}, {124, "m0"}, {126, "exec"}, {235, "src_shared_base"},
      {236, "src_shared_limit"}, {237, "src_private_base"}, {238, "src_private_limit"}, {251, "src_vccz"},
      {252, "src_execz"}, {253, "src_scc"}};
  auto range = [&](const char* letter) {
    if (op.dwords == 1) return fmt::format("{}{}", letter, op.index);
    return fmt::format("{}[{}:{}]", letter, op.index, op.index + op.dwords - 1);
  };
  if (op.bank == Bank::Vgpr) return range("v");
  if (op.bank == Bank::Agpr) return range("a");
  uint16_t index = op.index;
  if (op.bank == Bank::Sgpr && index < 102) return range("s");
  if (op.bank == Bank::Sgpr && index >= 108 && index < 124) return "ttmp";
  std::string half;
  if (op.bank == Bank::Sgpr && index != 124 && op.dwords == 1) half = index % 2 ? "_hi" : "_lo", index &= ~1;
  auto it = special.find(index);
  return it == special.end() ? fmt::format("?{}", index) : it->second + half;
}

std::set<std::string> registers_of(const RawInst& raw) {
  std::set<std::string> out;
  auto add = [&](const Operand& op) {
    if (op.is_register()) out.insert(register_name(op));
  };
  add(raw.vdst), add(raw.sdst), add(raw.vaddr), add(raw.saddr), add(raw.vdata), add(raw.data1), add(raw.sbase);
  add(raw.soffset), add(raw.sdata);
  for (uint32_t k = 0; k < raw.source_count; ++k) add(raw.src[k]);
  return out;
}

std::set<std::string> registers_in(const std::string& text) {
  static const std::regex name(
      R"(\b([vsa]\d+|[vsa]\[\d+:\d+\]|vcc(_lo|_hi)?|exec(_lo|_hi)?|m0|flat_scratch(_lo|_hi)?|src_\w+)(?=[,| )]|$))");
  std::set<std::string> out;
  std::string operands = text.substr(std::min(text.find(' '), text.size()));
  for (std::sregex_iterator it(operands.begin(), operands.end(), name), end; it != end; ++it) out.insert((*it)[1]);
  return out;
}

std::string bare_mnemonic(std::string word) {
  for (bool again = true; again;) {
    again = false;
    for (std::string suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
      if (word.size() > suffix.size() && word.compare(word.size() - suffix.size(), suffix.size(), suffix) == 0)
        word.resize(word.size() - suffix.size()), again = true;
  }
  return word;
}

void compare_with(const std::string& listing) {
  auto decoder = Decoder::create("gfx942");
  REQUIRE(decoder.ok());
  std::vector<Line> lines = read_listing(listing);
  REQUIRE(lines.size() > 50);
  for (const Line& line : lines) {
    INFO(line.text);
    RawInst raw;
    decoder.value()->decode(line.bytes, 0, raw);
    if (line.text.starts_with(".long")) {
      REQUIRE(raw.format == Format::Invalid);
      continue;
    }
    REQUIRE(raw.format != Format::Invalid);
    REQUIRE(raw.format != Format::Other);
    REQUIRE(raw.size_bytes == line.bytes.size());
    REQUIRE(std::string(raw.mnemonic) == bare_mnemonic(line.text.substr(0, line.text.find(' '))));
    REQUIRE(decoder.value()->text(line.bytes, 0) == line.text);
    std::set<std::string> expected = registers_in(line.text), got = registers_of(raw);
    // A MUBUF atomic's data is its destination; s_setreg writes no register operand.
    REQUIRE(got == expected);
    std::smatch match;
    static const std::regex offset(R"( offset:(-?\d+)( |$))");
    if (std::regex_search(line.text, match, offset)) REQUIRE(raw.offset == std::stoi(match[1]));
    REQUIRE(raw.clamp == (line.text.find(" clamp") != std::string::npos));
    bool omod = line.text.find(" mul:") != std::string::npos || line.text.find(" div:2") != std::string::npos;
    REQUIRE((raw.omod != 0) == omod);
  }
}

} // namespace

TEST_CASE("decoded kernels agree with llvm-objdump") {
  compare_with("kernels.lst");
  compare_with("kernels_O0.lst");
}

TEST_CASE("decoded rare forms agree with llvm-objdump") { compare_with("forms.lst"); }

TEST_CASE("an unknown processor is refused") { REQUIRE(!Decoder::create("gfx3000").ok()); }

TEST_CASE("constants have the bits of their operand's type") {
  auto decoder = Decoder::create("gfx942");
  REQUIRE(decoder.ok());
  auto constant = [&](std::initializer_list<uint32_t> dwords, uint32_t k) {
    std::vector<uint8_t> bytes;
    for (uint32_t d : dwords)
      for (int b = 0; b < 4; ++b) bytes.push_back(uint8_t(d >> (8 * b)));
    RawInst raw;
    decoder.value()->decode(bytes, 0, raw);
    REQUIRE(raw.src[k].is_constant());
    return raw.src[k].imm;
  };
  REQUIRE(constant({0x020004f2}, 0) == 0x3f800000);             // v_add_f32 v0, 1.0, v2
  REQUIRE(constant({0xd2800000, 0x0409e902}, 1) == 0x4000000000000000); // v_fma/v_add f64 with 2.0
  REQUIRE(constant({0xbe8001c1}, 0) == ~uint64_t(0));           // s_mov_b64 s[0:1], -1
}
