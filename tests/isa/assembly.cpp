#include "assembly.h"

#include "assembler/assembler.h"
#include "runtime/engine/decode/decoder.h"

#include <cstring>
#include <sstream>
#include <stdexcept>

namespace isa_test {
namespace {

std::string reg(char file, uint32_t number, int bits) {
  std::string n = std::to_string(number);
  if (bits <= 32) return file + n;
  return std::string(1, file) + "[" + n + ":" + std::to_string(number + bits / 32 - 1) + "]";
}

} // namespace

bool is_scalar(const Op& op) { return op.mnemonic[0] == 's'; }

std::string assembly_of(const Op& op, Form form, const std::string& mnemonic, uint32_t lanes) {
  const char* const vcc = lanes == 32 ? "vcc_lo" : "vcc";
  const char file = is_scalar(op) ? 's' : 'v';
  // Its short form is not written without saying which halves it moves.
  const char* const half = mnemonic == "v_mov_b16" ? ".l" : "";
  std::string text = mnemonic;
  const char* separator = " ";
  auto operand = [&](const std::string& o) {
    text += separator + o;
    separator = ", ";
  };
  if (op.dst != Type::None) operand(reg(file, kDestinationRegister, bits_of(op.dst)) + half);
  if (!is_scalar(op) && (op.flags & (kWritesVcc | kCompare))) operand(vcc);
  for (int i = 0; i < 3 && op.src[i] != Type::None; ++i) {
    if (form == Form::ScalarFirst && i == 0) operand(reg('s', 8, bits_of(op.src[i])));
    else operand(reg(file, kSourceRegister[i], bits_of(op.src[i])) + half);
  }
  // v_div_fmas takes VCC without naming it.
  if (!is_scalar(op) && (op.flags & kReadsVcc) && std::strncmp(op.mnemonic, "v_div_fmas", 10) != 0) operand(vcc);
  return text;
}

std::vector<uint8_t> assemble(const std::vector<Row>& rows, const std::string& processor, uint32_t lanes) {
  std::string text;
  for (const Row& row : rows) text += ".p2align 6, 0\n" + row.text + "\ns_endpgm\n";
  return hip::testing::Assembler(processor, lanes).assemble(text + ".p2align 6, 0\n");
}

std::vector<Row> rows_for(std::span<const Op> ops, Form form, const std::string& processor, uint32_t lanes) {
  using namespace hip::engine;
  std::vector<Row> candidates;
  for (const Op& op : ops) {
    const Opcode opcode = find_opcode(op.mnemonic);
    std::vector<std::string> names{op.mnemonic};
    std::istringstream others(std::string(row_of(opcode).name) + " " + std::string(row_of(opcode).aliases));
    for (std::string name; others >> name;) names.push_back(name);
    for (const std::string& name : names) candidates.push_back({&op, assembly_of(op, form, name, lanes)});
  }
  std::vector<std::string> lines;
  for (const Row& row : candidates) lines.push_back(row.text);
  const std::vector<bool> accepted = hip::testing::Assembler(processor, lanes).accepted(lines);
  std::vector<Row> good;
  for (size_t k = 0; k < candidates.size(); ++k)
    if (accepted[k] && (good.empty() || good.back().op != candidates[k].op)) good.push_back(candidates[k]);
  // The assembler takes some older names for other instructions.
  const std::vector<uint8_t> code = assemble(good, processor, lanes);
  auto decoder = Decoder::create(processor, lanes);
  if (!decoder.ok()) throw std::runtime_error(std::string(decoder.status().message()));
  std::vector<Row> out;
  for (size_t k = 0; k < good.size(); ++k) {
    RawInst raw;
    decoder.value()->decode(std::span(code).subspan(k * kSlotBytes, kSlotBytes), 0, raw);
    if (raw.opcode == find_opcode(good[k].op->mnemonic)) out.push_back(good[k]);
  }
  return out;
}

} // namespace isa_test
