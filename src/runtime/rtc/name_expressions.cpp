#include "runtime/rtc/name_expressions.h"

#include "runtime/codeobject/code_object.h"
#include "runtime/codeobject/elf_format.h"
#include "runtime/rtc/compiler_process.h"

namespace hip::rtc {
namespace {

std::string prefix_of(const std::string& unique) { return "__hiprtc_name_" + unique + "_"; }
std::string variable_name(const std::string& unique, size_t index) { return prefix_of(unique) + std::to_string(index); }

} // namespace

std::string name_expression_source(const std::vector<std::string>& expressions, const std::string& unique) {
  std::string source;
  for (size_t i = 0; i < expressions.size(); ++i) {
    // Users write "kernel" or "&kernel" and mean the same.
    const std::string& e = expressions[i];
    const std::string address = !e.empty() && e[0] == '&' ? "(" + e + ")" : "&(" + e + ")";
    source +=
        "\n#line 1 \"name expression\"\nextern \"C\" __attribute__((device, used, visibility(\"default\"))) auto " +
        variable_name(unique, i) + " = " + address + ";";
  }
  if (!source.empty()) source += '\n';
  return source;
}

Result<std::map<std::string, std::string>> resolve_name_expressions(codeobject::Bytes code,
                                                                    const std::vector<std::string>& expressions,
                                                                    const std::string& unique) {
  RT_TRY_ASSIGN(const codeobject::CodeObject object, codeobject::CodeObject::parse(code));
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < expressions.size(); ++i) {
    const codeobject::Symbol* variable = object.find_symbol(variable_name(unique, i));
    if (!variable) continue;
    for (const codeobject::Relocation& relocation : object.relocations()) {
      if (relocation.address != variable->address) continue;
      if (relocation.type == codeobject::elf::kRelAbs64) {
        names[expressions[i]] = object.symbols()[relocation.symbol].name;
      } else if (relocation.type == codeobject::elf::kRelRelative64) {
        // The linker resolved the symbol: find the one at that address.
        for (const codeobject::Symbol& symbol : object.symbols())
          if (symbol.defined && symbol.address == static_cast<uint64_t>(relocation.addend) &&
              symbol.kind != codeobject::SymbolKind::None)
            names[expressions[i]] = symbol.name;
      }
    }
  }
  return names;
}

Result<std::map<std::string, std::string>> name_expressions_of_bitcode(const std::string& bitcode,
                                                                       const std::vector<std::string>& expressions,
                                                                       const std::string& unique) {
  std::vector<std::string> pairs; // a variable's name, then its symbol's
  CodeListener listener;
  listener.self = &pairs;
  listener.text = [](void* self, const char* text, size_t bytes) {
    static_cast<std::vector<std::string>*>(self)->emplace_back(text, bytes);
  };
  const CodeTools* const tools = code_tools();
  if (!tools || !tools->bitcode_pointers(bitcode.data(), bitcode.size(), prefix_of(unique).c_str(), &listener))
    return error(ErrorCode::InvalidImage, "The names of name expressions cannot be read out of the LLVM bitcode.");
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < expressions.size(); ++i)
    for (size_t k = 0; k + 1 < pairs.size(); k += 2)
      if (pairs[k] == variable_name(unique, i)) names[expressions[i]] = pairs[k + 1];
  return names;
}

std::map<std::string, std::string> take_name_expressions(std::string& ptx, const std::vector<std::string>& expressions,
                                                         const std::string& unique) {
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < expressions.size(); ++i) {
    // ".visible .global .align 8 .u64 __hiprtc_name_UNIQUE_0 = _Z1kIiEvPi;", for a variable "= generic(table)"
    const std::string variable = " " + variable_name(unique, i) + " = ";
    const size_t at = ptx.find(variable);
    if (at == std::string::npos) continue;
    const size_t end = ptx.find(';', at);
    if (end == std::string::npos) continue;
    std::string value = ptx.substr(at + variable.size(), end - at - variable.size());
    if (value.starts_with("generic(")) value = value.substr(8, value.find(')') - 8);
    names[expressions[i]] = value;
    const size_t line = ptx.rfind('\n', at) + 1;
    ptx.erase(line, ptx.find('\n', end) + 1 - line);
  }
  return names;
}

} // namespace hip::rtc
