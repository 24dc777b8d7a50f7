// Mending PTX line by line, in the form in which LLVM writes it: one instruction in a line.
#include "ptx.h"

#include "options.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

namespace hip::hipcc {
namespace {

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kBlank) - begin + 1));
}

// Bits of a register of LLVM's, which are numbered by class: %rs1, %r1, %rd1. 0: none of these.
unsigned register_bits(std::string_view name) {
  constexpr struct {
    std::string_view prefix;
    unsigned bits;
  } kClasses[] = {{"%rs", 16}, {"%rd", 64}, {"%r", 32}};
  for (const auto& [prefix, bits] : kClasses)
    if (name.starts_with(prefix) && name.size() > prefix.size() &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos)
      return bits;
  return 0;
}

// The bits of each element that an instruction such as "st.global.v2.b8" moves, by its last suffix; 0: not told.
unsigned element_bits(std::string_view opcode) {
  const size_t dot = opcode.rfind('.');
  if (dot == std::string_view::npos || dot + 2 >= opcode.size() || !std::strchr("bus", opcode[dot + 1])) return 0;
  return static_cast<unsigned>(std::atoi(std::string(opcode.substr(dot + 2)).c_str()));
}

// A store of parts of registers through moves; empty when the line is none.
std::string store_through_moves(std::string_view line) {
  const std::string code = trimmed(line);
  if (!code.starts_with("st.") || !code.ends_with(';')) return {};
  const size_t opcode_end = code.find_first_of(" \t"), address_end = code.rfind("],");
  if (opcode_end == std::string::npos || address_end == std::string::npos) return {};
  const unsigned stored = element_bits(std::string_view(code).substr(0, opcode_end));
  if (stored == 0) return {};
  std::string moves, operands;
  int count = 0;
  const std::string_view data = std::string_view(code).substr(address_end + 2);
  for (size_t at = 0; at < data.size();) {
    const size_t end = std::min(data.find_first_of("{}, \t;", at), data.size());
    const std::string_view word = data.substr(at, end - at);
    const unsigned bits = register_bits(word);
    if (bits > stored) {
      const std::string type = ".b" + std::to_string(bits), whole = "%hip_part" + std::to_string(count++);
      moves += "\t.reg " + type + " " + whole + ";\n\tmov" + type + " \t" + whole + ", " + std::string(word) + ";\n";
      operands += whole;
    } else {
      operands += word;
    }
    if (end < data.size()) operands += data[end];
    at = end + 1;
  }
  if (count == 0) return {};
  return "\t{\n" + moves + "\t" + code.substr(0, address_end + 2) + operands + "\n\t}";
}

std::string with_stores_through_moves(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const std::string mended = store_through_moves(line);
    out += mended.empty() ? line : mended;
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string with_managed_names(const std::string& text) {
  constexpr std::string_view kEnding = ".managed";
  std::string out;
  size_t done = 0;
  for (size_t at = text.find(kEnding); at != std::string::npos; at = text.find(kEnding, at + 1)) {
    const size_t end = at + kEnding.size();
    if (at == 0 || !is_identifier(text[at - 1]) || (end < text.size() && is_identifier(text[end]))) continue;
    out.append(text, done, at - done);
    out += '$';
    done = at + 1;
  }
  out.append(text, done);
  return out;
}

// The largest array among a kernel's parameters, in bytes; 0: none has one.
unsigned long largest_parameter(const std::string& text) {
  unsigned long largest = 0;
  for (size_t at = text.find(".entry "); at != std::string::npos; at = text.find(".entry ", at + 1)) {
    const size_t end = text.find(')', at);
    for (size_t i = text.find('[', at); i < end; i = text.find('[', i + 1))
      largest = std::max(largest, std::strtoul(text.c_str() + i + 1, nullptr, 10));
  }
  return largest;
}

// Parameters of more than 4352 bytes are there from PTX 8.1 on, which newer drivers take (CUDA 12.1); LLVM writes them
// in any version.
std::string with_version_for_parameters(const std::string& text) {
  constexpr unsigned long kOldLimit = 4352;
  constexpr std::string_view kVersion = ".version ";
  const size_t at = text.find(kVersion);
  if (at == std::string::npos || largest_parameter(text) <= kOldLimit) return text;
  const size_t begin = at + kVersion.size(), end = std::min(text.find('\n', begin), text.size());
  if (std::strtod(text.c_str() + begin, nullptr) >= 8.1) return text;
  return text.substr(0, begin) + "8.1" + text.substr(end);
}

} // namespace

std::string mended_ptx(const std::string& text) {
  return with_version_for_parameters(with_stores_through_moves(with_managed_names(text)));
}

void mend_ptx(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw DriverError("cannot read '" + path + "': " + std::strerror(errno));
  const std::string mended = mended_ptx(text);
  if (mended == text) return;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << mended;
  out.close();
  if (!out) throw DriverError("cannot write '" + path + "': " + std::strerror(errno));
}

} // namespace hip::hipcc
