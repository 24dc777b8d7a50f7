// Writes docs/isa-status.md: which instructions the engine executes and which are gaps, by processor as LLVM knows them, and
// part by part of the table isa/opcodes.def.
// usage: isa_status OUT.md
#include "runtime/engine/catalogue/catalogue.h"
#include "runtime/engine/interpret/program.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace hip::engine;

struct Group {
  const char* title;
  std::vector<Unit> units;
};
const Group kGroups[] = {
    {"Scalar ALU", {Unit::ScalarAlu, Unit::ScalarIndexed}},
    {"Vector ALU", {Unit::VectorAlu, Unit::VectorIndexed}},
    {"Matrix", {Unit::Matrix}},
    {"Across lanes", {Unit::ReadLane, Unit::WriteLane, Unit::ExchangeLanes, Unit::LanePermute}},
    {"Control flow",
     {Unit::Branch, Unit::ConditionalBranch, Unit::Jump, Unit::Barrier, Unit::Yield, Unit::Trap, Unit::EndWave}},
    {"State, clocks and messages", {Unit::ProgramCounter, Unit::HardwareRegister, Unit::Clock, Unit::Message}},
    {"Without effect here", {Unit::NoEffect}},
    {"Scalar memory", {Unit::ScalarMemory, Unit::ScalarBuffer}},
    {"Caches", {Unit::CacheControl}},
    {"Global memory", {Unit::Global}},
    {"Flat memory", {Unit::Flat}},
    {"Private memory", {Unit::Scratch}},
    {"Buffers", {Unit::Buffer, Unit::TypedBuffer}},
    {"LDS", {Unit::Lds}},
    {"Global wave sync", {Unit::WaveSync}},
    {"Global data share", {Unit::GlobalDataShare}},
    {"Images, which no compute processor here has", {Unit::Image}},
    {"Graphics and others", {Unit::Graphics, Unit::Other}},
};

void write_names(std::ofstream& out, const std::vector<std::string_view>& names) {
  size_t column = 0;
  for (std::string_view name : names) {
    if (column + name.size() > 116) {
      out << '\n';
      column = 0;
    }
    out << name << ' ';
    column += name.size() + 1;
  }
  out << '\n';
}

// What LLVM's disassembler knows on a processor: how much of it is executed, and what is not, by reason.
bool write_processor(std::ofstream& out, const char* target, const OpTable& table) {
  const auto catalogue = catalogue_of(target, table);
  if (!catalogue.ok()) return false;
  std::map<std::string, std::set<std::string>> by_reason[2]; // refused, missing
  std::set<std::string> all, executed;
  for (const CatalogueEntry& entry : catalogue.value()) {
    all.insert(entry.mnemonic);
    if (entry.support == Support::Executed)
      executed.insert(entry.mnemonic);
    else
      by_reason[entry.support == Support::Missing][entry.reason].insert(entry.mnemonic);
  }
  const auto count = [](const auto& reasons) {
    std::set<std::string> names;
    for (const auto& [reason, some] : reasons) names.insert(some.begin(), some.end());
    return names.size();
  };
  out << "\n### " << target << "\n\n"
      << all.size() << " instructions: " << executed.size() << " executed, " << count(by_reason[0]) << " refused with a reason, "
      << count(by_reason[1]) << " missing in some form.\n";
  for (const auto& [heading, reasons] : {std::pair("Refused: ", by_reason[0]), std::pair("Missing: ", by_reason[1])})
    for (const auto& [reason, names] : reasons) {
      out << '\n' << heading << reason << ".\n\n";
      write_names(out, {names.begin(), names.end()});
    }
  return true;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: isa_status OUT.md [PROCESSOR...]\n");
    return 2;
  }
  const OpTable table(*host_levels().front());
  const auto executes = [&](Opcode opcode) {
    return row_of(opcode).unit == Unit::NoEffect || table.find(opcode) || table.find(body_of(opcode));
  };
  size_t done = 0;
  for (size_t k = 1; k < kOpcodeCount; ++k) done += executes(Opcode(k));
  std::ofstream out(argv[1]);
  out << "# Instructions that the software GPU executes\n\n"
      << done << " of the " << kOpcodeCount - 1
      << " rows of `src/runtime/engine/isa/opcodes.def`, in every encoding that the "
      << "assembler gives them; the spellings of other generations are in the table. A wave that reaches one of the "
         "others stops "
      << "with a report (kernel, offset, the instruction's text), and the launch fails with "
         "hipErrorInvalidKernelFile.\n"
      << "Made by the target `isa_status`; not edited by hand.\n\nHost levels in this build:";
  for (const auto* level : host_levels()) out << ' ' << level->name;
  out << ".\n";
  out << "\n## By processor\n\nEvery instruction that LLVM's disassembler knows on a processor, in all encodings "
         "(`src/runtime/engine/catalogue/`).\n";
  for (const char* target : std::span(argv, size_t(argc)).subspan(2))
    if (!write_processor(out, target, table)) {
      std::fprintf(stderr, "isa_status: no catalogue of %s\n", target);
      return 1;
    }
  for (const Group& group : kGroups) {
    std::vector<std::string_view> has, gaps;
    for (size_t k = 1; k < kOpcodeCount; ++k)
      for (Unit unit : group.units)
        if (kOpcodeRows[k].unit == unit) (executes(Opcode(k)) ? has : gaps).push_back(kOpcodeRows[k].name);
    out << "\n## " << group.title << " (" << has.size() << " of " << has.size() + gaps.size() << ")\n\n";
    if (!has.empty()) write_names(out, has);
    if (gaps.empty()) continue;
    out << "\nNot executed:\n\n";
    write_names(out, gaps);
  }
  if (!out.flush()) {
    std::fprintf(stderr, "isa_status: cannot write %s\n", argv[1]);
    return 1;
  }
  return 0;
}
