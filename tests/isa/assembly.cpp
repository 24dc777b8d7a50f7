#include "assembly.h"

#include "runtime/engine/decode/decoder.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace isa_test {
namespace {

std::string reg(char file, uint32_t number, int bits) {
  std::string n = std::to_string(number);
  if (bits <= 32) return file + n;
  return std::string(1, file) + "[" + n + ":" + std::to_string(number + bits / 32 - 1) + "]";
}

struct Outcome {
  int code;
  std::string output;
};
Outcome outcome_of(const std::string& command) {
  std::string output;
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot start: " + command);
  std::array<char, 4096> buffer;
  while (size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get())) output.append(buffer.data(), n);
  const int code = pclose(pipe.release());
  return {code, output};
}
void run(const std::string& command) {
  if (const Outcome outcome = outcome_of(command); outcome.code != 0)
    throw std::runtime_error(command + " failed:\n" + outcome.output);
}

// A folder with rows.s, one row in each slot, which goes away with it.
class Source {
public:
  explicit Source(const std::vector<Row>& rows) {
    std::string pattern = (std::filesystem::temp_directory_path() / "omnihip-isa-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder for the assembler");
    folder_ = pattern;
    std::ofstream s(folder_ / "rows.s");
    s << ".text\n";
    for (const Row& row : rows) s << ".p2align 6, 0\n" << row.text << "\ns_endpgm\n";
    s << ".p2align 6, 0\n";
  }
  ~Source() { std::filesystem::remove_all(folder_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  static size_t line_of(size_t row) { return 3 + 3 * row; }
  std::string file(const char* name) const { return (folder_ / name).string(); }
  // Assembles it to rows.o.
  std::string command(const std::string& processor, uint32_t lanes) const {
    const char* const waves = lanes == 64 ? " -mwavefrontsize64" : lanes == 32 ? " -mno-wavefrontsize64" : "";
    return "clang-22 -x assembler -target amdgcn-amd-amdhsa -ferror-limit=0 -mcpu=" + processor + waves + " -c " + file("rows.s") +
           " -o " + file("rows.o");
  }

private:
  std::filesystem::path folder_;
};

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
  const Source source(rows);
  run(source.command(processor, lanes));
  run("llvm-objcopy-22 -O binary --only-section=.text " + source.file("rows.o") + " " + source.file("rows.bin"));
  std::ifstream in(source.file("rows.bin"), std::ios::binary);
  std::vector<uint8_t> code(std::istreambuf_iterator<char>(in), {});
  if (code.size() < rows.size() * kSlotBytes) throw std::runtime_error("the assembler's output is too short");
  return code;
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
  // The lines that the assembler complains of say which names the processor lacks.
  const Source source(candidates);
  const std::string complaints = outcome_of(source.command(processor, lanes)).output;
  std::set<size_t> bad;
  for (size_t at = complaints.find("rows.s:"); at != complaints.npos; at = complaints.find("rows.s:", at + 1))
    bad.insert(size_t(std::atoi(complaints.c_str() + at + 7)));
  std::vector<Row> good;
  for (size_t k = 0; k < candidates.size(); ++k)
    if (!bad.contains(Source::line_of(k)) && (good.empty() || good.back().op != candidates[k].op)) good.push_back(candidates[k]);
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
