// Square roots as compilers expand them, and reciprocal roots between scalings: tier 1 makes one operation of a whole sequence,
// with the bits that the sequence has in tier 0; a sequence in which one step is different keeps its own result; and a
// sequence that tier 0 goes on with half way has all that it needs.
#include "read_code.h"

#include "runtime/engine/compile/analysis/roots.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tier1_test;

namespace {

using Lines = std::vector<std::string>;

std::string text_of(const Lines& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

// v0 holds the number, v1 something else; s[94:95] EXEC; results in v32 (and v40); the rest is between.
Lines square_root() {
  return {"v_mov_b32 v42, 0x260",
          "v_mul_f32 v33, 0x4f800000, v0",
          "v_cmp_gt_f32 s[0:1], s20, v0",
          "v_cndmask_b32 v33, v0, v33, s[0:1]",
          "v_sqrt_f32 v34, v33",
          "v_add_u32 v35, -1, v34",
          "v_fma_f32 v36, -v35, v34, v33",
          "v_add_u32 v37, 1, v34",
          "v_cmp_ge_f32 s[2:3], 0, v36",
          "v_fma_f32 v38, -v37, v34, v33",
          "v_cndmask_b32 v34, v34, v35, s[2:3]",
          "v_cmp_lt_f32 vcc, 0, v38",
          "v_cndmask_b32 v34, v34, v37, vcc",
          "v_mul_f32 v39, 0x37800000, v34",
          "v_cndmask_b32 v34, v34, v39, s[0:1]",
          "v_cmp_class_f32 vcc, v33, v42",
          "v_cndmask_b32 v32, v34, v33, vcc"};
}
Lines reciprocal_root() {
  return {"v_mul_f32 v33, 0x4b800000, v0",      "v_cmp_lt_f32 vcc, v0, s21",      "v_cndmask_b32 v34, v0, v33, vcc",
          "v_rsq_f32 v34, v34",                 "v_mul_f32 v35, 0x45800000, v34", "v_cndmask_b32 v32, v34, v35, vcc"};
}
// The constants come from another block.
std::string program(const std::string& sequence) {
  return "s_mov_b32 s20, 0xf800000\ns_mov_b32 s21, 0x800000\ns_branch .Lnext\ns_nop 0\n.Lnext:\n" + sequence;
}

uint32_t roots(const Assembler& assembler, const std::string& text) {
  return with_code(assembler, text, [](compile::Code& code, const compile::Library& library) {
    const compile::Start start;
    compile::find_roots(code, library, compile::Facts(code, start));
    return uint32_t(std::count_if(code.instrs.begin(), code.instrs.end(), [](const auto& i) { return i.instead != nullptr; }));
  });
}

// Numbers of every kind: special ones, denormals, around the limits of the scalings, negative ones.
void set_numbers(Machine& machine, Random& random) {
  for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
    const uint32_t exponents[] = {0, 1, random.below(255), random.between(25, 35), random.between(120, 134), 254};
    uint32_t bits = random.of(exponents) << 23 | (random.one_in(8) ? 0 : uint32_t(random()) & 0x7fffff);
    if (random.one_in(16)) bits |= 0x80000000u;
    machine.wave().row(0)[lane] = random.one_in(8) ? any_bits(random) : bits;
  }
}

bool both_nan(uint32_t, const uint32_t* a, const uint32_t* b, uint32_t lane) {
  return std::isnan(std::bit_cast<float>(a[lane])) && std::isnan(std::bit_cast<float>(b[lane]));
}

void compare(const Assembler& assembler, const std::string& text, uint32_t states, uint64_t seed) {
  Guest guest(assembler, "gfx942", "s_mov_b64 exec, s[94:95]\n" + text);
  const Inst* tier1 = guest.tier1(compile::Start());
  Machine machine;
  Random random(seed);
  for (uint32_t k = 0; k < states; ++k) {
    machine.randomize(random);
    set_numbers(machine, random);
    machine.wave().set_sgpr64(10, random.one_in(2) ? machine.arena() : machine.host());
    machine.wave().set_sgpr64(94, any_exec(k % kExecKinds, random));
    INFO(text << "state " << k);
    REQUIRE(machine.compare(guest, guest.tier0(), tier1, both_nan) == "");
  }
}

} // namespace

TEST_CASE("a root is one operation") {
  const Assembler assembler("gfx942");
  for (const Lines& sequence : {square_root(), reciprocal_root()}) {
    const std::string text = program(text_of(sequence));
    INFO(text);
    CHECK(roots(assembler, text) == 1);
    compare(assembler, text, tries(200), sequence.size());
    // The number may be gone by then, and be the same in all lanes.
    Lines gone = sequence;
    gone.insert(gone.end() - 1, "v_mov_b32 v0, v1");
    CHECK(roots(assembler, program(text_of(gone))) == 1);
    compare(assembler, program(text_of(gone)), 60, 5);
    compare(assembler, program("v_mov_b32 v0, s12\n" + text_of(sequence)), 60, 6);
  }
}

TEST_CASE("tier 0 goes on with half a root") {
  const Assembler assembler("gfx942");
  for (const Lines& sequence : {square_root(), reciprocal_root()})
    for (size_t k = 1; k < sequence.size(); ++k) {
      Lines lines = sequence; // an access that translated code leaves to tier 0 when it is outside the arena
      lines.insert(lines.begin() + long(k), "global_load_dword v60, v61, s[10:11]");
      lines.insert(lines.begin(), "v_mov_b32 v61, 0");
      for (uint32_t r = 33; r < 43; ++r) lines.push_back(fmt::format("v_mov_b32 v{}, 0", r)); // nobody else reads what led there
      const std::string text = program(text_of(lines));
      CHECK(roots(assembler, text) == 1);
      compare(assembler, text, 24, k);
    }
}

TEST_CASE("what is almost a root keeps its own result") {
  const Assembler assembler("gfx942");
  for (const Lines& sequence : {square_root(), reciprocal_root()}) {
    auto check = [&](const Lines& lines) {
      const std::string text = program(text_of(lines));
      INFO(text);
      CHECK(roots(assembler, text) == 0);
      compare(assembler, text, 16, lines.size());
    };
    for (size_t k = 0; k + 1 < sequence.size(); ++k) { // any line left out
      Lines lines = sequence;
      lines.erase(lines.begin() + long(k));
      check(lines);
    }
    const std::pair<std::string, std::string> changes[] = {
        {"0x4f800000", "0x4f000000"}, {"0x4f800000", "0x4f800001"}, {"0x37800000", "0x38000000"}, {"0x4b800000", "0x4c000000"},
        {"0x45800000", "0x45000000"}, {"v_add_u32 v37, 1,", "v_add_u32 v37, 2,"}, {"-v35, v34, v33", "v35, v34, v33"},
        {"-v37, v34, v33", "-v37, v34, v0"}, {"0x260", "0x240"}, {"_ge_f32 s[2:3]", "_gt_f32 s[2:3]"}, {"s[2:3], 0, v36", "s[2:3], 0, v33"},
        {"v_sqrt_f32 v34, v33", "v_sqrt_f32 v34, v0"}, {"v_rsq_f32 v34, v34", "v_rsq_f32 v34, |v34|"}, {"v_cmp_lt_f32 vcc, v0, s21", "v_cmp_lt_f32 vcc, v1, s21"},
        {"s[0:1], s20, v0", "s[0:1], s21, |v0|"}, {"vcc, v33, v42", "vcc, v0, v42"}, {"v39, s[0:1]", "v39, s[2:3]"}};
    uint32_t tried = 0;
    for (const auto& [from, to] : changes)
      for (size_t k = 0; k < sequence.size(); ++k) {
        const size_t at = sequence[k].find(from);
        if (at == std::string::npos) continue;
        Lines lines = sequence;
        lines[k].replace(at, from.size(), to);
        check(lines);
        ++tried;
      }
    CHECK(tried >= 4);
    Lines lines = sequence; // another EXEC half way
    lines.insert(lines.begin() + 4, "s_mov_b64 exec, s[12:13]");
    check(lines);
  }
}
