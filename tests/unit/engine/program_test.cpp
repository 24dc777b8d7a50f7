// Jumps to addresses: when they enter translated code, and how calls of functions that are not translated are counted.
#include "runtime/engine/interpret/program.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace hip::engine;

namespace {

constexpr uint32_t kNop = 0xbf800000, kEndProgram = 0xbf810000, kReturn = 0xbe801d1e; // s_setpc_b64 s[30:31]
constexpr uint32_t kUsual = kUsualFloatMode, kFlushes = kModeDx10Clamp | kModeIeee;

// A directory of one program, which makes a note of the calls that it is told of.
class Directory final : public ProgramDirectory {
public:
  Program* program_at(uint64_t address) noexcept override {
    return program && program->holds(address) ? program : nullptr;
  }
  void function_called(Program& caller, uint64_t address, uint64_t calls, uint32_t mode) noexcept override {
    CHECK(&caller == program);
    told.push_back({address, calls});
    if (!translates) return;
    translates->src[0] = mode & kFloatMode;
    program->for_mode(mode).set_translated(address, translates);
  }
  Program* program = nullptr;
  Inst* translates = nullptr; // what it makes of a function that is called
  struct Call {
    uint64_t address, calls;
    bool operator==(const Call&) const = default;
  };
  std::vector<Call> told;
};

struct Machine {
  std::vector<uint32_t> code{kNop, kReturn, kNop, kReturn, kEndProgram};
  std::string why;
  const HostLevel* level = choose_host_level(why);
  OpTable ops{*level};
  Directory directory;
  Program program{{.base = reinterpret_cast<uint64_t>(code.data()),
                   .bytes = code.size() * 4,
                   .target = "gfx942",
                   .symbols = {},
                   .lines = {}},
                  std::move(Decoder::create("gfx942")).value(),
                  ops,
                  directory};
  Inst translated{};
  Machine() {
    directory.program = &program;
    translated.src[0] = kUsual;
  }
  uint64_t at(size_t dword) const { return program.base() + dword * 4; }
};

} // namespace

TEST_CASE("A directory is told of calls when their number is a power of two", "[program]") {
  Machine m;
  const Inst* plain = m.program.resolve(m.at(0));
  for (int k = 0; k < 9; ++k) CHECK(m.program.enter(m.at(0), Program::Jump::Call, kUsual) == plain);
  CHECK(m.program.enter(m.at(2), Program::Jump::Call, kUsual) == m.program.resolve(m.at(2)));
  const std::vector<Directory::Call> expected{{m.at(0), 1}, {m.at(0), 2}, {m.at(0), 4}, {m.at(0), 8}, {m.at(2), 1}};
  CHECK(m.directory.told == expected);
}

TEST_CASE("Returns are not counted, and enter translated code where there is some", "[program]") {
  Machine m;
  CHECK(m.program.enter(m.at(2), Program::Jump::Other, kUsual) == m.program.resolve(m.at(2)));
  CHECK(m.directory.told.empty());
  m.program.set_translated(m.at(2), &m.translated);
  CHECK(m.program.enter(m.at(2), Program::Jump::Other, kUsual) == &m.translated);
  CHECK(m.program.enter(m.at(2), Program::Jump::Call, kUsual) == &m.translated);
  CHECK(m.directory.told.empty());
  CHECK(m.program.resolve(m.at(2)) != &m.translated); // branches of tier 0 stay there
}

TEST_CASE("A function that is translated when it is called is entered at once", "[program]") {
  Machine m;
  m.directory.translates = &m.translated;
  CHECK(m.program.enter(m.at(0), Program::Jump::Call, kUsual) == &m.translated);
  CHECK(m.program.enter(m.at(0), Program::Jump::Call, kUsual) == &m.translated);
  CHECK(m.directory.told.size() == 1);
}

TEST_CASE("Waves that round or flush in another way stay out of code that is translated for the usual way", "[program]") {
  Machine m;
  m.program.set_translated(m.at(0), &m.translated);
  for (const uint32_t mode : {kFlushes, kUsual | 1u, kUsual | 4u, kFlushes | kModeDenorm64, kUsual & ~kModeIeee, kUsual & ~kModeDx10Clamp,
                              kUsual | kModeFp16Overflow}) {
    CHECK(m.program.enter(m.at(0), Program::Jump::Call, mode) == m.program.resolve(m.at(0)));
    Program& unusual = m.program.for_mode(mode);
    CHECK(unusual.enter(m.at(0), Program::Jump::Call, mode) == unusual.resolve(m.at(0)));
  }
}

TEST_CASE("A function that waves call which round in another way is translated for them, and for no others", "[program]") {
  Machine m;
  m.directory.translates = &m.translated;
  Program& unusual = m.program.for_mode(kFlushes);
  CHECK(unusual.enter(m.at(0), Program::Jump::Call, kFlushes) == &m.translated);
  CHECK(unusual.enter(m.at(0), Program::Jump::Call, kFlushes) == &m.translated);
  CHECK(m.directory.told == std::vector<Directory::Call>{{m.at(0), 1}});
  CHECK(unusual.enter(m.at(0), Program::Jump::Call, kUsual | 3u) == unusual.resolve(m.at(0)));
  m.directory.translates = nullptr;
  CHECK(m.program.enter(m.at(0), Program::Jump::Call, kUsual) == m.program.resolve(m.at(0)));
}

TEST_CASE("Jumps to where there is no code end in a fault, not in translated code", "[program]") {
  Machine m;
  const Inst* outside = m.program.enter(m.at(1000), Program::Jump::Call, kUsual);
  REQUIRE(outside);
  CHECK(outside->pc == m.at(1000));
  const Inst* between = m.program.enter(m.at(0) + 2, Program::Jump::Call, kUsual);
  REQUIRE(between);
  CHECK(between->pc == m.at(0) + 2);
  CHECK(m.directory.told.empty());
}

TEST_CASE("A function without a symbol ends where nothing of it is reached any more", "[program]") {
  constexpr uint32_t kBranchOverOne = 0xbf840001, kBranchBack = 0xbf82fffe; // s_cbranch_scc0 +1, s_branch -2
  Machine m;
  CHECK(m.program.function_end(m.at(0)) == m.at(2));
  CHECK(m.program.function_end(m.at(2)) == m.at(4));
  std::ranges::copy(std::array{kBranchOverOne, kReturn, kNop, kNop, kReturn}, m.code.begin());
  CHECK(m.program.function_end(m.at(0)) == m.at(5));
  std::ranges::copy(std::array{kNop, kBranchBack, kNop, kNop, kNop}, m.code.begin());
  CHECK(m.program.function_end(m.at(0)) == m.at(2));
}

TEST_CASE("A long function is cut where an instruction ends", "[program]") {
  constexpr uint32_t kMovConstant = 0xbe8000ff; // s_mov_b32 s0, with a constant behind it
  Machine m;
  std::ranges::copy(std::array{kNop, kMovConstant, kNop, kNop, kReturn}, m.code.begin());
  CHECK(m.program.part_end(m.at(0), 100) == m.at(5));
  CHECK(m.program.part_end(m.at(0), 20) == m.at(5));
  CHECK(m.program.part_end(m.at(0), 16) == m.at(4));
  CHECK(m.program.part_end(m.at(0), 12) == m.at(3));
  CHECK(m.program.part_end(m.at(0), 8) == m.at(1)); // not between an instruction and its constant
  CHECK(m.program.part_end(m.at(1), 4) == m.at(3)); // at least one instruction
}

TEST_CASE("The target of a direct branch is told from the instruction, and what is no branch has none", "[program]") {
  constexpr uint32_t kBranchOverOne = 0xbf840001, kBranchBack = 0xbf82fffe; // s_cbranch_scc0 +1, s_branch -2
  Machine m;
  std::ranges::copy(std::array{kBranchOverOne, kNop, kBranchBack, kReturn, kEndProgram}, m.code.begin());
  CHECK(m.program.branch_target(m.at(0)) == m.at(2));
  CHECK(m.program.branch_target(m.at(2)) == m.at(1));
  CHECK(m.program.branch_target(m.at(1)) == std::nullopt);
  CHECK(m.program.branch_target(m.at(3)) == std::nullopt);
}
