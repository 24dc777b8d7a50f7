// WMMA and SWMMAC in both tiers: every one of them in sequences that share factors, overwrite them and go on with their sums, with
// all modifiers, in all kinds of EXEC and in loops.
#include "machine.h"

#include "runtime/engine/compile/library/library.h"
#include "runtime/engine/isa/wmma.h"

#include <cmath>
#include <llvm/IR/LLVMContext.h>
#include <map>

using namespace tier1_test;

namespace {

struct Op {
  std::string name;
  SumFormat sums;
  uint32_t a, b, d; // registers
  uint32_t element_bits;
  bool sparse;
};
bool is_half(const Op& op) { return op.sums == SumFormat::F16 || op.sums == SumFormat::Bf16; }

MatrixLayout layout_of(const Dialect& dialect) {
  const bool small = dialect.lanes() == 32;
  if (dialect.processor().starts_with("gfx11")) return small ? MatrixLayout::Gfx11Wave32 : MatrixLayout::Gfx11Wave64;
  return small ? MatrixLayout::Gfx12Wave32 : MatrixLayout::Gfx12Wave64;
}

// v0-v15 are factors, v16 indices, v32-v127 sums.
std::vector<Op> find_ops(const Dialect& dialect) {
  llvm::LLVMContext context;
  auto library = compile::Library::load(context, host_level().isa);
  REQUIRE(library.ok());
  const MatrixLayout layout = layout_of(dialect);
  std::map<std::string, Op> ops; // in order
  for (const auto& [opcode, op] : library.value()->matrix_ops()) {
    if (!op.is_wmma()) continue;
    const SumForm form{.layout = layout, .format = op.sums};
    Op out{std::string(name_of(opcode)), op.sums, wmma_factor_registers(layout, op.a.dwords), wmma_factor_registers(layout, op.b.dwords),
           form.registers(), op.element_bits, op.index_bits != 0};
    const std::string d = range('v', 32, out.d);
    if (dialect.assembler().accepts(fmt::format("{} {}, {}, {}, {}\n", out.name, d, range('v', 0, out.a), range('v', 8, out.b), out.sparse ? "v16" : d)))
      ops.emplace(out.name, out);
  }
  std::vector<Op> out;
  for (const auto& [name, op] : ops) out.push_back(op);
  REQUIRE(out.size() >= (layout == MatrixLayout::Gfx11Wave32 || layout == MatrixLayout::Gfx11Wave64 ? 6u : 22u));
  return out;
}

// `slot`: of the sums of the instruction before, which half of the time are this one's.
std::string instruction(const Dialect& dialect, const Op& op, Random& random, uint32_t& slot) {
  const auto factors = [&](uint32_t count) { return range('v', random.below(16 / count) * count, count); };
  const uint32_t slots = 96 / op.d;
  if (random.one_in(2)) slot = random.below(slots);
  const std::string d = range('v', 32 + slot * op.d, op.d);
  std::string c = d;
  if (op.sparse)
    c = "v16";
  else if (random.one_in(4))
    c = random.one_in(2) ? (op.sums == SumFormat::I32 ? "7" : "1.0") : range('v', 32 + random.below(slots) * op.d, op.d);
  std::string text = fmt::format("{} {}, {}, {}, {}", op.name, d, factors(op.a), factors(op.b), c);
  const bool gfx11 = dialect.processor().starts_with("gfx11"), integer = op.sums == SumFormat::I32, halves = op.element_bits == 16;
  if (gfx11 && is_half(op) && random.one_in(2)) text += " op_sel:[0,0,1]";
  if (random.one_in(2)) return text;
  const uint32_t index_bits = std::min(32u, 2 * op.a * 32 / op.element_bits);
  if (op.sparse && index_bits < 32) text += fmt::format(" index_key:{}", random.below(32 / index_bits));
  if (op.sparse && !integer && !halves) return text; // 8-bit floats, which have no modifiers
  const uint32_t ab = integer || halves ? 2 : 1, addend = op.sparse || (integer && !gfx11) ? 1 : 2; // below 1: always 0
  text += fmt::format(" neg_lo:[{},{},{}]", random.below(ab), random.below(ab), random.below(addend));
  if (!integer) text += fmt::format(" neg_hi:[{},{},{}]", random.below(halves ? 2 : 1), random.below(halves ? 2 : 1), random.below(addend));
  if (integer && random.one_in(2)) text += " clamp";
  return text;
}

// Numbers of moderate size in most registers, whatever type they are taken for.
void fill(Machine& machine, Random& random) {
  machine.randomize(random);
  const bool others = random.one_in(2);
  for (uint32_t r = 0; r < 128; ++r) {
    uint32_t* row = machine.wave().row(r);
    if (others && random.one_in(6)) continue;
    const uint32_t exponents = others && random.one_in(3) ? 0x18001800 : 0x38003800;
    for (uint32_t lane = 0; lane < machine.wave().lanes; ++lane) {
      row[lane] = (uint32_t(random()) & 0x87ff87ff) | exponents;
      if (random.one_in(40)) row[lane] = others && random.one_in(2) ? any_bits(random) : 0;
    }
  }
}

bool is_nan_half(uint32_t v, SumFormat format) { return (v & 0x7fff) > (format == SumFormat::F16 ? 0x7c00u : 0x7f80u); }
// NaNs may have different payloads.
bool equal_but_for_nans(uint32_t a, uint32_t b, SumFormat format) {
  if (format == SumFormat::I32) return a == b;
  if (format == SumFormat::F32) return (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
  for (uint32_t shift = 0; shift < 32; shift += 16) {
    const uint32_t x = a >> shift & 0xffff, y = b >> shift & 0xffff;
    if (x != y && !(is_nan_half(x, format) && is_nan_half(y, format))) return false;
  }
  return true;
}

// An instruction that writes v`to` and reads v`from`, a register of sums, in a way that does not depend on the payload
// of a NaN.
std::string seen(const Op& op, uint32_t to, uint32_t from) {
  if (op.sums == SumFormat::I32) return fmt::format("v_add_nc_u32 v{}, v{}, v{}", to, from, to);
  if (op.sums == SumFormat::F32) return fmt::format("v_cvt_i32_f32 v{}, v{}", to, from);
  return fmt::format("v_cvt_i16_f16 v{}, v{}", to, from); // bfloat16 taken for halves: its NaNs are NaNs there, too
}

void check(const Dialect& dialect, const std::string& text, const Op& op, Random& random, uint32_t instructions) {
  Guest guest(dialect, text);
  const Inst* tier1 = guest.tier1({});
  INFO(dialect.processor() << ", " << dialect.lanes() << " lanes\n" << text);
  REQUIRE(guest.translation().foreign == 2); // s_sleep at the start, and the end
  CHECK(guest.translation().native >= instructions);
  Machine machine(dialect.lanes());
  for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
    fill(machine, random);
    machine.wave().set_sgpr64(94, any_exec(trial, random, dialect.lanes()));
    const auto tolerance = [&](uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
      return row >= 32 && row < 128 && equal_but_for_nans(a[lane], b[lane], op.sums);
    };
    const std::string wrong = machine.compare(guest, guest.tier0(), tier1, tolerance);
    REQUIRE(wrong == "");
  }
}

std::string set_exec(const Dialect& dialect) { return fmt::format("{} exec{}, {}\n", dialect.mask_op("s_mov"), dialect.lanes() == 32 ? "_lo" : "", dialect.mask(94)); }

} // namespace

TEST_CASE("Translated WMMA does what tier 0 does") {
  Random random(31);
  for (const auto& [processor, lanes] : {DialectName{"gfx1100", 32}, DialectName{"gfx1100", 64}, DialectName{"gfx1201", 32}, DialectName{"gfx1201", 64}}) {
    const Dialect dialect(processor, lanes);
    for (const Op& op : find_ops(dialect)) {
      for (uint32_t round = 0; round < tries(1); ++round) {
        std::string text = set_exec(dialect);
        uint32_t slot = 0;
        for (uint32_t k = 0; k < 7; ++k) {
          text += instruction(dialect, op, random, slot) + "\n";
          // What other instructions write must be seen, and sums must be seen by them.
          if (k == 3)
            text += fmt::format("v_mov_b32 v{}, v{}\n{}\n", random.below(16), random.below(16),
                                seen(op, 17, random.between(32, 127)));
        }
        check(dialect, text, op, random, 8);
      }
    }
  }
}

TEST_CASE("Translated loops keep the sums of WMMA") {
  Random random(32);
  for (const auto& [processor, lanes] : {DialectName{"gfx1100", 32}, DialectName{"gfx1201", 32}, DialectName{"gfx1201", 64}}) {
    const Dialect dialect(processor, lanes);
    for (const Op& op : find_ops(dialect)) {
      if (!is_picked(random)) continue;
      std::string text = set_exec(dialect) + "s_mov_b32 s4, 3\nagain:\n";
      uint32_t slot = 0;
      for (uint32_t k = 0; k < 3; ++k) text += instruction(dialect, op, random, slot) + "\n";
      text += seen(op, random.below(16), random.between(17, 127)) + "\n";
      text += "s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 again\n";
      check(dialect, text, op, random, 7);
    }
  }
}
