// tests/tier1/quick_encoder_test.cpp - host instructions of quick code, each encoded with random operands and read back
// by LLVM's disassembler.
#include "host_disassembler.h"
#include "runtime/engine/compile/quick/encoder.h"
#include "test_seed.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <random>

namespace {

using namespace hip::engine::compile::quick;

// The text of the first instruction, and how many bytes it has; empty where it is none.
std::pair<std::string, uint64_t> read(const hip::testing::HostDisassembler& disassembler,
                                      const std::vector<std::byte>& code) {
  const auto read = disassembler.read({reinterpret_cast<const uint8_t*>(code.data()), code.size()});
  if (!read) return {};
  return {disassembler.text(read->inst), read->bytes};
}

std::string general(uint32_t number, uint32_t bytes) {
  constexpr const char* kLow[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  if (number >= 8) return "r" + std::to_string(number) + (bytes == 8 ? "" : bytes == 4 ? "d" : bytes == 2 ? "w" : "b");
  if (bytes == 1) return number < 4 ? std::string(1, kLow[number][0]) + "l" : std::string(kLow[number]) + "l";
  return (bytes == 8 ? "r" : bytes == 4 ? "e" : "") + std::string(kLow[number]);
}

// An instruction's name in the manual: the row's without what tells its forms apart.
std::string mnemonic(Op op) {
  std::string name = row_of(op).name;
  for (const char* suffix : {"Imm", "Store", "Load", "From", "To", "If"})
    if (name.ends_with(suffix)) name.resize(name.size() - std::string_view(suffix).size());
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (name == "movsx32") return "movsxd";
  if (name.starts_with("movzx") || name.starts_with("movsx")) return name.substr(0, 5);
  if (name == "vpabsd" || name == "prefetch") return name;
  return name;
}

// The operands that the text has to name, in its order, when all are registers.
std::vector<std::string> operands(const Inst& inst, const PhysicalOperands& at) {
  const auto vector = [&](uint32_t number, uint32_t bytes) {
    return (bytes == 64 ? "zmm" : bytes == 32 ? "ymm" : "xmm") + std::to_string(number);
  };
  const auto mask = [](uint32_t number) { return "k" + std::to_string(number); };
  const uint32_t bytes = inst.bytes;
  const OpRow& row = row_of(inst.op);
  const uint32_t narrow = std::max(16u, std::min(bytes, memory_bytes(row.tuple, bytes)));
  const bool from_general = std::string_view(row.name).ends_with("From");
  switch (row.form) {
  case Form::MovImm:
    return {general(at.def, inst.imm == int64_t(uint32_t(inst.imm)) ? 4 : 8)};
  case Form::Load:
  case Form::Alu:
    return {general(at.def, bytes), general(at.a, bytes)};
  case Form::LoadImm:
    return {general(at.def, bytes), general(at.a, bytes)};
  case Form::Extend:
    return {general(at.def, bytes), general(at.a, inst.op == Op::MovSx32 ? 4 : (row.opcode & 1) ? 2 : 1)};
  case Form::AluImm:
  case Form::ShiftImm:
  case Form::Unary:
    return {general(at.def, bytes)};
  case Form::Compare:
    return inst.op == Op::Test ? std::vector{general(at.b, bytes), general(at.a, bytes)}
                               : std::vector{general(at.a, bytes), general(at.b, bytes)};
  case Form::CompareImm:
    return {general(at.a, bytes)};
  case Form::SetIf:
    return {general(at.def, 1)};
  case Form::VexShift:
    return {general(at.def, bytes), general(at.a, bytes), general(at.b, bytes)};
  case Form::MaskMove:
    return {mask(at.def), mask(at.a)};
  case Form::MaskFrom:
    return {mask(at.def), general(at.a, row.wide ? 8 : 4)};
  case Form::MaskTo:
    return {general(at.def, row.wide ? 8 : 4), mask(at.a)};
  case Form::MaskAlu:
    return {mask(at.def), mask(at.a), mask(at.b)};
  case Form::MaskUnary:
  case Form::MaskImm:
    return {mask(at.def), mask(at.a)};
  case Form::Vec:
  case Form::Blend:
  case Form::VecImm:
  case Form::VecTied:
    return {vector(at.def, bytes), vector(at.a, bytes),
            vector(at.b, row.tuple == Tuple::Fixed16 || row.tuple == Tuple::Fixed32 ? narrow : bytes)};
  case Form::VecLoad:
  case Form::VecLoadImm:
    if (from_general) return {vector(at.def, bytes), general(at.a, row.wide ? 8 : 4)};
    if (row.tuple == Tuple::Full8 &&
        (inst.op == Op::Vcvtpd2ps || inst.op == Op::Vcvttpd2dq || inst.op == Op::Vcvttpd2udq))
      return {vector(at.def, std::max(bytes / 2, 16u)), vector(at.a, bytes)};
    return {vector(at.def, bytes),
            vector(at.a, row.tuple == Tuple::None || row.tuple == Tuple::Full4 || row.tuple == Tuple::Full8 ? bytes
                                                                                                            : narrow)};
  case Form::VecStore:
  case Form::VecStoreImm:
    if (inst.op == Op::VmovdTo || inst.op == Op::VmovqTo) return {general(at.def, row.wide ? 8 : 4), vector(at.a, 16)};
    return {vector(at.def, narrow), vector(at.a, bytes)};
  case Form::VecShift:
    return {vector(at.def, bytes), vector(at.a, bytes)};
  case Form::VecFromMask:
    return {vector(at.def, bytes), mask(at.a)};
  case Form::MaskFromVec:
    return {mask(at.def), vector(at.a, bytes)};
  case Form::MaskCompare:
    return {mask(at.def), vector(at.a, bytes), vector(at.b, bytes)};
  default:
    return {};
  }
}

bool has_register_form(Op op) {
  const OpRow& row = row_of(op);
  const std::string_view name = row.name;
  if (name == "VmovntdqStore" || name == "VmovssLoad" || name == "VmovsdLoad" || name == "VmovssStore" ||
      name == "VmovsdStore")
    return false;
  return row.form != Form::Store && row.form != Form::StoreImm && row.form != Form::Touch &&
         row.form != Form::Exchange && row.form != Form::MaskStore;
}

bool has_memory_form(Op op) {
  const OpRow& row = row_of(op);
  switch (row.form) {
  case Form::Load:
  case Form::LoadImm:
  case Form::Extend:
  case Form::Store:
  case Form::StoreImm:
  case Form::Alu:
  case Form::Compare:
  case Form::CompareImm:
  case Form::Touch:
  case Form::Exchange:
  case Form::MaskStore:
  case Form::MaskMove:
    return true;
  case Form::Vec:
  case Form::Blend:
  case Form::VecImm:
  case Form::VecTied:
  case Form::VecLoad:
  case Form::VecLoadImm:
  case Form::VecStore:
  case Form::VecStoreImm:
  case Form::VecShift:
  case Form::MaskCompare:
    return row.tuple != Tuple::None;
  default:
    return false;
  }
}

// Sizes that an instruction can have.
std::vector<uint8_t> sizes(Op op) {
  const OpRow& row = row_of(op);
  switch (row.form) {
  case Form::MovImm:
  case Form::MaskMove:
  case Form::MaskStore:
  case Form::MaskFrom:
  case Form::MaskTo:
  case Form::MaskAlu:
  case Form::MaskUnary:
  case Form::MaskImm:
    return {8};
  case Form::SetIf:
    return {1};
  case Form::Touch:
  case Form::Bare:
    return {4};
  case Form::Extend:
    return op == Op::MovSx32 ? std::vector<uint8_t>{8} : std::vector<uint8_t>{4, 8};
  case Form::VexShift:
  case Form::Load:
  case Form::LoadImm:
    return {4, 8};
  case Form::Alu:
    return op == Op::Imul || op == Op::MovIf ? std::vector<uint8_t>{4, 8} : std::vector<uint8_t>{1, 2, 4, 8};
  case Form::Unary:
    return op == Op::Bswap ? std::vector<uint8_t>{4, 8} : std::vector<uint8_t>{1, 2, 4, 8};
  case Form::Store:
  case Form::StoreImm:
  case Form::AluImm:
  case Form::ShiftImm:
  case Form::Compare:
  case Form::CompareImm:
  case Form::Exchange:
    return {1, 2, 4, 8};
  default:
    break;
  }
  if (row.tuple == Tuple::Scalar4 || row.tuple == Tuple::Scalar8) {
    const std::string_view name = row.name;
    return name.starts_with("Vpbroadcast") ? std::vector<uint8_t>{16, 32, 64} : std::vector<uint8_t>{16};
  }
  if (op == Op::Vpermd || op == Op::Vpermq || op == Op::Vinserti32x4 || op == Op::Vextracti32x4) return {32, 64};
  if (op == Op::Vinserti64x4 || op == Op::Vextracti64x4 || op == Op::Vrsqrt14ps || op == Op::Vrcp14ps) return {64};
  return {16, 32, 64};
}

} // namespace

TEST_CASE("Host instructions of quick code read back as what they are") {
  const hip::testing::HostDisassembler disassembler("sapphirerapids");
  REQUIRE(disassembler.works());
  std::mt19937 random(hip::testing::seeded(20261125));
  const auto below = [&](uint32_t limit) { return uint32_t(random() % limit); };
  for (size_t k = 0; k < size_t(Op::kCount); ++k) {
    const Op op = Op(k);
    const OpRow& row = row_of(op);
    if (row.form == Form::Pseudo) continue;
    for (const uint8_t bytes : sizes(op))
      for (int turn = 0; turn < 60; ++turn) {
        const bool in_memory = has_memory_form(op) && (turn % 2 || !has_register_form(op));
        Inst inst;
        inst.op = op, inst.bytes = bytes, inst.def = 1, inst.condition = Condition(2 + below(14));
        inst.imm = row.form == Form::Touch ? 1
                   : row.form == Form::MovImm
                       ? int64_t(random()) << 16 >> below(48)
                       : int64_t(below(100)) - (row.form == Form::AluImm || row.form == Form::CompareImm ? 50 : 0);
        if (row.form == Form::MaskCompare) inst.imm = below(8);
        const std::string_view name = row.name;
        const bool is_evex = row.form >= Form::Vec;
        const bool def_is_general =
            row.form < Form::MaskMove || row.form == Form::MaskTo || op == Op::VmovdTo || op == Op::VmovqTo;
        const bool def_is_mask = row.form == Form::MaskCompare || row.form == Form::MaskFromVec ||
                                 (row.form >= Form::MaskMove && row.form < Form::Vec);
        const bool a_is_general =
            row.form < Form::MaskMove || row.form == Form::MaskFrom || (is_evex && name.ends_with("From"));
        const bool a_is_mask = row.form == Form::VecFromMask ||
                               (row.form >= Form::MaskMove && row.form < Form::Vec && row.form != Form::MaskFrom);
        PhysicalOperands at;
        at.def = def_is_general ? below(16) : def_is_mask ? below(8) : below(32);
        at.a = a_is_general ? below(16) : a_is_mask ? below(8) : below(32);
        at.b = row.form < Form::MaskMove ? below(16) : row.form == Form::MaskAlu ? below(8) : below(32);
        const bool may_mask = is_evex && row.form != Form::VecFromMask && row.form != Form::MaskFromVec &&
                              !name.ends_with("To") && op != Op::VmovdFrom && op != Op::VmovqFrom &&
                              op != Op::VmovntdqStore && !(name.starts_with("Vmovs")) && op != Op::Vpshufb;
        // (Masks by words and bytes have forms of their own; what quick code masks is by dwords and qwords.)
        if (may_mask && below(2) && (row.tuple == Tuple::Full4 || row.tuple == Tuple::Full8)) {
          inst.mask = 1, at.mask = 1 + below(7);
          inst.zeroing = row.form != Form::MaskCompare && row.form != Form::VecStore && below(2);
        }
        if (in_memory) {
          inst.memory.kind = Memory::Kind::Address;
          inst.memory.base = 1, at.base = below(16);
          if (below(2)) {
            inst.memory.index = 1, inst.memory.scale = uint8_t(1u << below(4));
            do at.index = below(16);
            while (at.index == phys::rsp);
          }
          constexpr int32_t kDisplacements[] = {0, 8, 64, 512, -64, 1000, 100000, -8192, 127, 4};
          inst.memory.displacement = kDisplacements[below(10)];
          inst.memory.broadcast = (row.tuple == Tuple::Full4 || row.tuple == Tuple::Full8) && below(2);
          if (row.form == Form::VecStore || row.form == Form::VecStoreImm || row.form == Form::MaskStore) inst.def = 0;
        }
        Encoder encoder;
        encoder.encode(inst, at, 0);
        const auto [text, size] = read(disassembler, encoder.code);
        CAPTURE(row.name, int(bytes), text, at.def, at.a, at.b, in_memory);
        REQUIRE(size == encoder.size());
        if (op == Op::SetIf) {
          CHECK(text.starts_with("set"));
        } else if (op == Op::MovIf) {
          CHECK(text.starts_with("cmov"));
        } else if (row.form == Form::MaskCompare && row.map != 2) {
          CHECK((text.starts_with("vcmp") || text.starts_with("vpcmp")));
        } else if (op == Op::MovImm) {
          CHECK(text.starts_with("mov"));
        } else if (op == Op::VmovdTo || op == Op::VmovdFrom || op == Op::VmovqTo || op == Op::VmovqFrom) {
          CHECK(text.starts_with("vmov"));
        } else {
          CHECK(text.substr(0, text.find(' ')).starts_with(mnemonic(op)));
        }
        if (in_memory) {
          const size_t open = text.find('[');
          REQUIRE(open != std::string::npos);
          CHECK(text.find(general(at.base, 8), open) != std::string::npos);
          if (inst.memory.index) CHECK(text.find(general(at.index, 8), open) != std::string::npos);
          if (inst.memory.displacement)
            CHECK(text.find(std::to_string(std::abs(inst.memory.displacement)), open) != std::string::npos);
          CHECK((text.find("{1to") != std::string::npos) == inst.memory.broadcast);
        } else {
          size_t from = text.find(' ');
          for (const std::string& operand : operands(inst, at)) {
            from = text.find(operand, from);
            CAPTURE(operand);
            REQUIRE(from != std::string::npos);
            from += operand.size();
            CHECK((from == text.size() || !std::isalnum(static_cast<unsigned char>(text[from]))));
          }
        }
        CHECK((text.find("{k" + std::to_string(at.mask) + "}") != std::string::npos) == (inst.mask != 0));
        CHECK((text.find("{z}") != std::string::npos) == inst.zeroing);
      }
  }
}

TEST_CASE("Rounding, exchanges and stubs of quick code read back as what they are") {
  const hip::testing::HostDisassembler disassembler("sapphirerapids");
  REQUIRE(disassembler.works());
  for (uint8_t direction = 0; direction < 4; ++direction) {
    Inst inst;
    inst.op = Op::Vfmadd231ps, inst.bytes = 64, inst.def = 1, inst.rounding = uint8_t(4 | direction);
    Encoder encoder;
    encoder.encode(inst, {.def = 17, .a = 3, .b = 30}, 0);
    constexpr const char* kNames[] = {"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"};
    const auto [text, size] = read(disassembler, encoder.code);
    CHECK(size == encoder.size());
    CHECK(text == std::string("vfmadd231ps zmm17, zmm3, zmm30, ") + kNames[direction]);
  }
  const auto check = [&](const char* expected, auto emit) {
    Encoder encoder;
    emit(encoder);
    const auto [text, size] = read(disassembler, encoder.code);
    CHECK(size == encoder.size());
    CHECK(text == expected);
  };
  check("mov r9, rbx", [](Encoder& e) { e.move_general(phys::r9, phys::rbx); });
  check("xchg r12, rcx", [](Encoder& e) { e.exchange_general(phys::r12, phys::rcx); });
  check("push r13", [](Encoder& e) { e.push(phys::r13); });
  check("pop rbp", [](Encoder& e) { e.pop(phys::rbp); });
  check("call r10", [](Encoder& e) { e.call_general(phys::r10); });
  check("jmp r11", [](Encoder& e) { e.jump_general(phys::r11); });
  check("and rsp, -64", [](Encoder& e) { e.align_general(phys::rsp, -64); });
  check("sub rsp, -128", [](Encoder& e) {
    Inst inst;
    inst.op = Op::SubImm, inst.bytes = 8, inst.imm = -128;
    e.encode(inst, {.def = phys::rsp}, 0);
  });
  check("kmovq k5, qword ptr [rsp + 40]", [](Encoder& e) { e.load_mask(5, phys::rsp, 40); });
  check("vmovdqu32 zmmword ptr [rsp + 128], zmm31", [](Encoder& e) { e.store_vector(phys::rsp, 128, 31); });
}
