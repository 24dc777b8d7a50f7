#include "assembly.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <unistd.h>

namespace isa_test {
namespace {

std::string reg(char file, uint32_t number, int bits) {
  std::string n = std::to_string(number);
  if (bits <= 32) return file + n;
  return std::string(1, file) + "[" + n + ":" + std::to_string(number + bits / 32 - 1) + "]";
}

std::string run(const std::string& command) {
  std::string output;
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot start: " + command);
  std::array<char, 4096> buffer;
  while (size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get())) output.append(buffer.data(), n);
  if (int code = pclose(pipe.release()); code != 0) throw std::runtime_error(command + " failed:\n" + output);
  return output;
}

} // namespace

bool is_scalar(const Op& op) { return op.mnemonic[0] == 's'; }

std::string assembly_of(const Op& op, Form form) {
  const char file = is_scalar(op) ? 's' : 'v';
  std::string text = op.mnemonic;
  const char* separator = " ";
  auto operand = [&](const std::string& o) {
    text += separator + o;
    separator = ", ";
  };
  if (op.dst != Type::None) operand(reg(file, kDestinationRegister, bits_of(op.dst)));
  if (!is_scalar(op) && (op.flags & (kWritesVcc | kCompare))) operand("vcc");
  for (int i = 0; i < 3 && op.src[i] != Type::None; ++i) {
    if (form == Form::ScalarFirst && i == 0) operand(reg('s', 8, bits_of(op.src[i])));
    else operand(reg(file, kSourceRegister[i], bits_of(op.src[i])));
  }
  // v_div_fmas takes VCC without naming it.
  if (!is_scalar(op) && (op.flags & kReadsVcc) && std::strncmp(op.mnemonic, "v_div_fmas", 10) != 0) operand("vcc");
  return text;
}

std::vector<uint8_t> assemble(const std::vector<Row>& rows, const std::string& processor) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "omnihip-isa-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder for the assembler");
  fs::path dir = pattern;
  {
    std::ofstream s(dir / "rows.s");
    s << ".text\n";
    for (const Row& row : rows) s << ".p2align 6, 0\n" << row.text << "\ns_endpgm\n";
    s << ".p2align 6, 0\n";
  }
  std::vector<uint8_t> code;
  try {
    run("clang-22 -x assembler -target amdgcn-amd-amdhsa -mcpu=" + processor + " -c " + (dir / "rows.s").string() + " -o " +
        (dir / "rows.o").string());
    run("llvm-objcopy-22 -O binary --only-section=.text " + (dir / "rows.o").string() + " " + (dir / "rows.bin").string());
    std::ifstream in(dir / "rows.bin", std::ios::binary);
    code.assign(std::istreambuf_iterator<char>(in), {});
  } catch (...) {
    fs::remove_all(dir);
    throw;
  }
  fs::remove_all(dir);
  if (code.size() < rows.size() * kSlotBytes) throw std::runtime_error("the assembler's output is too short");
  return code;
}

} // namespace isa_test
