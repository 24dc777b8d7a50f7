// The decoder against llvm-objdump: every instruction of the test kernels, and a file of forms that clang seldom emits,
// has the same text, size and registers in both.
#include "runtime/codeobject/code_object.h"
#include "runtime/engine/decode/decoder.h"
#include "test_seed.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <random>
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
    const std::string spelled = bare_mnemonic(line.text.substr(0, line.text.find(' ')));
    REQUIRE(raw.opcode != Opcode::unknown);
    const std::string spellings = " " + std::string(name_of(raw.opcode)) + " " + std::string(row_of(raw.opcode).aliases) + " ";
    REQUIRE(spellings.find(" " + spelled + " ") != std::string::npos);
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

namespace {

struct Words {
  const char* what;
  const char* target;
  std::vector<uint32_t> words;
};
std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes;
  for (uint32_t word : words)
    for (int k = 0; k < 4; ++k) bytes.push_back(uint8_t(word >> (8 * k)));
  return bytes;
}

} // namespace

TEST_CASE("reserved encodings that LLVM crashes on or takes are undecodable") {
  const std::vector<Words> cases = {
      {"VOP3 with a literal", "gfx942", {0xd1e81006, 0x0421ffff}},
      {"VOP3 with a literal that is there", "gfx90a", {0xd1010000, 0x000002ff, 0x12345678}},
      {"VOP3 with a literal, where longer instructions exist", "gfx950", {0xd1010000, 0x000002ff, 0x12345678}},
      {"MUBUF with a literal as offset", "gfx942", {0xe0502000, 0xff000100, 0x12345678}},
      {"MUBUF with a literal as offset", "gfx1030", {0xe0302000, 0xff000100, 0x12345678}},
      {"VOP2 whose literal is behind the end", "gfx942", {0x020404ff}},
      {"VOP2 whose literal is behind the end", "gfx1100", {0x060404ff}},
      {"VOP3 whose literal is behind the end", "gfx1030", {0xd5030000, 0x000002ff}},
      {"MFMA with an SGPR as first matrix", "gfx942", {0xd3c08000, 0x04020080}},
      {"MFMA with a literal as third matrix", "gfx942", {0xd3c08000, 0x03fe0300}},
      {"MFMA with VCC as third matrix", "gfx90a", {0xd3c08000, 0x01aa0300}},
      {"MFMA with element format 5 in cbsz", "gfx950", {0xd3ad0504, 0x05828108}},
      {"MFMA with element format 5 in blgp", "gfx950", {0xd3ad0004, 0xa5828108}},
      {"scaled MFMA with an SGPR as first matrix", "gfx950", {0xd3ac0000, 0x00022b14, 0xd3ad0800, 0x04021804}},
      {"scaled MFMA with a literal as scale", "gfx950", {0xd3ac0000, 0x00022aff, 0xd3ad0800, 0x04021904, 1}},
      {"conversion of 32 elements in SGPRs", "gfx950", {0xd2540004, 0x00020008}},
      {"SDWA with source select 7", "gfx942", {0x020000f9, 0x06070501}},
      {"SDWA with destination select 7", "gfx90a", {0x020000f9, 0x06060701}},
      {"SDWA with source select 7", "gfx1030", {0x060000f9, 0x06070501}},
      {"SDWA with unused bits 3", "gfx942", {0x020000f9, 0x06061e01}},
      {"v_cmpx with a destination", "gfx1030", {0xd4f40001, 0x00020501}},
      {"split barrier with a literal", "gfx1201", {0xbece4eff, 0x9f1c34ff}},
      {"s_load_b96 to trap registers", "gfx1201", {0xf400bc00, 0xf8000000}},
  };
  for (const Words& c : cases) {
    INFO(c.target << ": " << c.what);
    auto decoder = Decoder::create(c.target);
    REQUIRE(decoder.ok());
    const std::vector<uint8_t> bytes = bytes_of(c.words);
    RawInst raw;
    decoder.value()->decode(bytes, 0, raw);
    REQUIRE(raw.format == Format::Invalid);
    REQUIRE(raw.size_bytes == 4);
    REQUIRE(decoder.value()->text(bytes, 0) == fmt::format(".long {:#010x}", c.words[0]));
  }
}

TEST_CASE("neighbours of reserved encodings decode") {
  struct Case {
    const char* target;
    std::vector<uint32_t> words;
    uint32_t size_bytes;
    const char* text;
  };
  const std::vector<Case> cases = {
      // A field that the instruction does not use may hold anything.
      {"gfx942", {0xd1010000, 0x03fe0501}, 8, "v_add_f32_e64 v0, v1, v2"},
      {"gfx942", {0x020404ff, 0x12345678}, 8, "v_add_f32_e32 v2, 0x12345678, v2"},
      {"gfx1030", {0xd5030000, 0x000002ff, 0x12345678}, 12, "v_add_f32_e64 v0, 0x12345678, s1"},
      // v_cmpx with the destination that LLVM 15 and LLVM 22 write.
      {"gfx1030", {0xd4f40000, 0x00020501}, 8, "v_cmpx_gt_u64_e64 v[1:2], v[2:3]"},
      {"gfx1030", {0xd4f4007e, 0x00020501}, 8, "v_cmpx_gt_u64_e64 v[1:2], v[2:3]"},
      {"gfx1030", {0xd4e40000, 0x00020501}, 8, "v_cmp_gt_u64_e64 s0, v[1:2], v[2:3]"},
      {"gfx1100", {0xd4dc0000, 0x00020501}, 8, "v_cmpx_gt_u64_e64 v[1:2], v[2:3]"},
      {"gfx942", {0xe0502000, 0x00000100}, 8, "buffer_load_dword v1, v0, s[0:3], s0 idxen"},
      {"gfx942", {0xd3c08000, 0x03ca0300}, 8, "v_mfma_f32_32x32x1_2b_f32 a[0:31], v0, v1, 1.0"},
      {"gfx950", {0xd3ad0004, 0x05828108}, 8, "v_mfma_f32_16x16x128_f8f6f4 v[4:7], v[8:15], v[64:71], v[96:99]"},
      {"gfx950", {0xd2540004, 0x05828108}, 8, "v_cvt_scalef32_sr_pk32_fp6_f32 v[4:9], v[8:39], v64, v96"},
      {"gfx942", {0x020000f9, 0x06060501}, 8,
       "v_add_f32_sdwa v0, v1, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"},
      {"gfx1201", {0xbece4e81}, 4, "s_barrier_signal 1"},
      {"gfx1201", {0xf400a100, 0xf8000000}, 8, "s_load_b96 s[4:6], s[0:1], 0x0"},
  };
  for (const Case& c : cases) {
    INFO(c.target << ": " << c.text);
    auto decoder = Decoder::create(c.target);
    REQUIRE(decoder.ok());
    const std::vector<uint8_t> bytes = bytes_of(c.words);
    RawInst raw;
    decoder.value()->decode(bytes, 0, raw);
    REQUIRE(raw.size_bytes == c.size_bytes);
    REQUIRE(decoder.value()->text(bytes, 0) == c.text);
  }
}

TEST_CASE("mandatory literals are taken from the bytes, whatever they are") {
  struct Case {
    const char* target;
    uint32_t word;
    const char* text; // before the constant
    uint32_t k;       // the constant's place among the sources
  };
  const Case cases[] = {
      {"gfx90a", 0x2e000501, "v_madmk_f32 v0, v1, {}, v2", 1}, {"gfx90a", 0x4a000501, "v_madak_f16 v0, v1, v2, {}", 2},
      {"gfx942", 0x30000501, "v_fmaak_f32 v0, v1, v2, {}", 2}, {"gfx950", 0x48000501, "v_madmk_f16 v0, v1, {}, v2", 1},
      {"gfx1030", 0x5a000501, "v_fmaak_f32 v0, v1, v2, {}", 2}, {"gfx1100", 0x58000501, "v_fmamk_f32 v0, v1, {}, v2", 1},
      {"gfx1201", 0x70000501, "v_fmaak_f16 v0, v1, v2, {}", 2}, {"gfx1201", 0xa2800201, "s_fmaak_f32 s0, s1, s2, {}", 2},
  };
  for (const Case& c : cases) {
    auto decoder = Decoder::create(c.target);
    REQUIRE(decoder.ok());
    for (uint32_t value : {0u, 1u, 0x7fu, 0x80u, 0xc1u, 0xf0u, 0xf2u, 0xffu, 0x100u, 0x3c00u}) {
      const std::vector<uint8_t> bytes = bytes_of({c.word, value});
      INFO(c.target << ": " << c.text << " with " << value);
      RawInst raw;
      decoder.value()->decode(bytes, 0, raw);
      REQUIRE(raw.size_bytes == 8);
      REQUIRE(raw.source_count == 3);
      REQUIRE(raw.src[c.k].is_constant());
      REQUIRE(raw.src[c.k].imm == value);
      REQUIRE(decoder.value()->text(bytes, 0) == fmt::format(fmt::runtime(c.text), fmt::format("{:#x}", value)));
    }
  }
  // The same constant as first operand, and in one of two operations.
  auto decoder = Decoder::create("gfx942");
  RawInst raw;
  decoder.value()->decode(bytes_of({0x300004ff, 0xff}), 0, raw);
  REQUIRE((raw.src[0].imm == 0xff && raw.src[2].imm == 0xff));
  REQUIRE(Decoder::create("gfx1100").value()->text(bytes_of({0xc8500501, 0x00020104, 0xff}), 0) ==
          "v_dual_fmaak_f32 v0, v1, v2, 0xff :: v_dual_mov_b32 v3, v4");
}

TEST_CASE("8-bit floats of OCP are not taken for gfx942's") {
  auto opcode_on = [](const char* target, const std::vector<uint32_t>& words) {
    auto decoder = Decoder::create(target);
    REQUIRE(decoder.ok());
    RawInst raw;
    decoder.value()->decode(bytes_of(words), 0, raw);
    REQUIRE(raw.format != Format::Invalid);
    return raw.opcode;
  };
  REQUIRE(opcode_on("gfx942", {0x7e00a901}) == Opcode::v_cvt_f32_fp8);
  REQUIRE(opcode_on("gfx950", {0x7e00a901}) == Opcode::v_cvt_f32_fp8_ocp);
  REQUIRE(opcode_on("gfx1201", {0x7e00d901}) == Opcode::v_cvt_f32_fp8_ocp);
  REQUIRE(opcode_on("gfx942", {0xd3f30000, 0x04020904}) == Opcode::v_mfma_f32_16x16x32_fp8_fp8);
  REQUIRE(opcode_on("gfx950", {0xd3f30000, 0x04020904}) == Opcode::v_mfma_f32_16x16x32_fp8_fp8_ocp);
}

// All upper halves of a first word, with operand codes that mean something special in it and in the second word. Decoding and
// printing must survive and agree; which words are instructions is not asked here.
TEST_CASE("any words decode to an instruction that ends inside them, or to none") {
  constexpr uint32_t kCodes[] = {0, 102, 106, 108, 124, 125, 127, 128, 208, 209, 235, 239, 240, 248, 249, 250, 251, 253, 254, 255, 256, 511};
  std::mt19937_64 random(hip::testing::seeded(1));
  auto code = [&] { return kCodes[random() % std::size(kCodes)]; };
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201"}) {
    auto decoder = Decoder::create(target);
    REQUIRE(decoder.ok());
    for (uint32_t upper = 0; upper < 0x10000; ++upper) {
      std::vector<uint32_t> words{upper << 16 | (uint32_t(random()) & 0xfe00) | code()};
      while (words.size() < 5)
        words.push_back(random() % 2 ? uint32_t(random()) : code() | code() << 9 | code() << 18 | (uint32_t(random()) & 0xf8000000));
      words.resize(1 + random() % 5);
      const std::vector<uint8_t> bytes = bytes_of(words);
      RawInst raw;
      decoder.value()->decode(bytes, 0, raw);
      const std::string text = decoder.value()->text(bytes, 0);
      const bool none = raw.format == Format::Invalid;
      if (raw.size_bytes > bytes.size() || none != text.starts_with(".long") || raw.source_count > kMaxSources)
        FAIL(fmt::format("{}: {:#010x} gives {} bytes and '{}'", target, words[0], raw.size_bytes, text));
    }
  }
}
