#include "runtime/rtc/name_expressions.h"

#include "runtime/codeobject/code_object.h"
#include "runtime/codeobject/elf_format.h"

namespace hip::rtc {
namespace {

std::string variable_name(size_t index) { return "__hiprtc_name_" + std::to_string(index); }

} // namespace

std::string name_expression_source(const std::vector<std::string>& expressions) {
  std::string source;
  for (size_t i = 0; i < expressions.size(); ++i) {
    // Users write "kernel" or "&kernel" and mean the same.
    const std::string& e = expressions[i];
    const std::string address = !e.empty() && e[0] == '&' ? "(" + e + ")" : "&(" + e + ")";
    source +=
        "\n#line 1 \"name expression\"\nextern \"C\" __attribute__((device, used, visibility(\"default\"))) auto " +
        variable_name(i) + " = " + address + ";";
  }
  if (!source.empty()) source += '\n';
  return source;
}

Result<std::map<std::string, std::string>> resolve_name_expressions(codeobject::Bytes code,
                                                                    const std::vector<std::string>& expressions) {
  RT_TRY_ASSIGN(const codeobject::CodeObject object, codeobject::CodeObject::parse(code));
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < expressions.size(); ++i) {
    const codeobject::Symbol* variable = object.find_symbol(variable_name(i));
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

std::map<std::string, std::string> take_name_expressions(std::string& ptx,
                                                         const std::vector<std::string>& expressions) {
  std::map<std::string, std::string> names;
  for (size_t i = 0; i < expressions.size(); ++i) {
    // ".visible .global .align 8 .u64 __hiprtc_name_0 = _Z1kIiEvPi;", for a variable "= generic(table)"
    const std::string variable = " " + variable_name(i) + " = ";
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
