// Writes which instructions the engine executes, group by group, from the tables of handlers: docs/isa-status.md.
// usage: isa_status OUT.md
#include "runtime/engine/interpret/op_row.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

struct Group {
  const char* prefix;
  const char* title;
};
// The first prefix that fits decides.
constexpr Group kGroups[] = {
    {"s_load", "Scalar memory"},    {"s_store", "Scalar memory"},   {"s_buffer", "Scalar memory"},
    {"s_scratch", "Scalar memory"}, {"s_dcache", "Scalar memory"},  {"s_atc", "Scalar memory"},
    {"s_atomic", "Scalar memory"},  {"s_mem", "Scalar memory"},     {"s_cmp", "Scalar compares"},
    {"s_", "Scalar ALU and control"},
    {"v_cmpx", "Vector compares that write EXEC"},
    {"v_cmp", "Vector compares"},   {"v_cvt", "Conversions"},       {"v_mfma", "Matrix"},
    {"v_smfmac", "Matrix"},         {"v_pk", "Packed math"},        {"v_dot", "Dot products"},
    {"v_", "Vector ALU"},           {"ds_", "LDS"},                 {"global_", "Global memory"},
    {"flat_", "Flat memory"},       {"scratch_", "Scratch memory"}, {"buffer_", "Buffer memory"},
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: isa_status OUT.md\n");
    return 2;
  }
  const auto levels = hip::engine::host_levels();
  std::map<std::string, std::set<std::string>> groups;
  std::set<std::string> all;
  for (const auto& rows : levels.front()->groups) {
    for (const auto& row : rows) {
      all.insert(row.mnemonic);
      for (const Group& group : kGroups) {
        if (std::strncmp(row.mnemonic, group.prefix, std::strlen(group.prefix)) != 0) continue;
        groups[group.title].insert(row.mnemonic);
        break;
      }
    }
  }
  std::ofstream out(argv[1]);
  out << "# Instructions that the software GPU executes\n\n"
      << all.size() << " mnemonics, in every encoding that the assembler gives them. Any other instruction is reported when a "
      << "wave reaches it: kernel, offset and the instruction's text, and the launch fails with hipErrorInvalidKernelFile.\n"
      << "Made from the engine's tables by the target `isa_status`; not edited by hand.\n\nHost levels in this build:";
  for (const auto* level : levels) out << ' ' << level->name;
  out << ".\n";
  for (const auto& [title, mnemonics] : groups) {
    out << "\n## " << title << " (" << mnemonics.size() << ")\n\n";
    size_t column = 0;
    for (const std::string& mnemonic : mnemonics) {
      if (column + mnemonic.size() > 116) {
        out << '\n';
        column = 0;
      }
      out << mnemonic << ' ';
      column += mnemonic.size() + 1;
    }
    out << '\n';
  }
  if (!out.flush()) {
    std::fprintf(stderr, "isa_status: cannot write %s\n", argv[1]);
    return 1;
  }
  return 0;
}
