// Matrix instructions in both tiers: every one of the translator's table with all that its modifiers can be, in
// sequences that share operands, overwrite them and go on with their sums, in all kinds of EXEC and in loops.
#include "machine.h"

#include "runtime/engine/compile/library/library.h"

#include <cmath>
#include <cstring>
#include <llvm/IR/LLVMContext.h>
#include <map>

using namespace tier1_test;

namespace {

struct Op {
  std::string name;
  uint32_t a = 0, b = 0, d = 0; // registers
  uint32_t blocks = 1, index_bits = 0;
  bool wide = false, blgp = false;
  std::string processor = {};
  bool integer() const { return name.find("_i32_") != name.npos; }
};

// v0-v15 and a0-a15 are factors, v16 indices, v32-v127 sums.
// Some processors take the name of another one's instruction for one of theirs, with other operands.
std::string sample(const Op& op) {
  const std::string d = range('v', 32, op.d);
  return fmt::format("{} {}, {}, {}, {}\n", op.name, d, range('v', 0, op.a), range('v', 8, op.b), op.index_bits ? "v16" : d);
}

std::vector<Op> find_ops() {
  llvm::LLVMContext context;
  auto library = compile::Library::load(context, host_level().isa);
  REQUIRE(library.ok());
  std::map<std::string, Op> ops; // in order
  for (const auto& [opcode, op] : library.value()->matrix_ops())
    if (!op.is_wmma()) ops[std::string(name_of(opcode))] = {std::string(name_of(opcode)), op.registers_a, op.registers_b, op.registers_d,
                              op.blocks,         op.index_bits,  op.wide,        op.blgp};
  std::vector<Op> out;
  const Assembler gfx942("gfx942"), gfx950("gfx950"), gfx90a("gfx90a");
  const std::pair<const char*, const Assembler*> processors[] = {{"gfx942", &gfx942}, {"gfx950", &gfx950}, {"gfx90a", &gfx90a}};
  for (auto& [name, op] : ops) {
    const bool ocp = name.ends_with("_ocp"); // gfx950's meaning of an instruction that gfx942 has, too
    if (ocp) op.name.resize(op.name.size() - 4);
    for (const auto& [processor, assembler] : processors)
      if (op.processor.empty() && assembler->accepts(sample(op)) && !(ocp && processor != std::string_view("gfx950"))) op.processor = processor;
    INFO(name);
    REQUIRE(!op.processor.empty());
    out.push_back(op);
  }
  return out;
}

std::string factors(Random& random, uint32_t count) {
  return range(random.one_in(4) ? 'a' : 'v', random.below(16 / count) * count, count);
}

// `slot`: of the sums of the instruction before, which half of the time are this one's.
std::string instruction(const Op& op, Random& random, uint32_t& slot) {
  const uint32_t slots = 96 / op.d;
  if (random.one_in(2)) slot = random.below(slots);
  const std::string d = range('v', 32 + slot * op.d, op.d);
  std::string c = d;
  if (op.index_bits)
    c = "v16";
  else if (random.one_in(4))
    c = random.one_in(2) ? (op.integer() ? "7" : "1.0") : range('v', 32 + random.below(slots) * op.d, op.d);
  std::string text = fmt::format("{} {}, {}, {}, {}", op.name, d, factors(random, op.a), factors(random, op.b), c);
  if (random.one_in(2)) return text;
  if (op.index_bits) {
    if (random.one_in(3)) text += " cbsz:1";
    text += fmt::format(" abid:{}", random.below(32 / op.index_bits));
  } else if (op.blocks > 1 && !op.wide && random.one_in(2)) {
    uint32_t most = 0;
    while (2u << most <= op.blocks) ++most;
    const uint32_t cbsz = random.between(1, most);
    text += fmt::format(" cbsz:{} abid:{}", cbsz, random.below(1u << cbsz));
  }
  if (op.wide)
    text += fmt::format(" neg:[{},{},{}]", random.below(2), random.below(2), random.below(2));
  else if (op.blgp)
    text += fmt::format(" blgp:{}", random.below(8));
  return text;
}

// Numbers whose products are worth adding, whatever type they are taken for. Half of the time there are others among
// them: special values, numbers whose products are denormal, anything.
void fill(Machine& machine, Random& random) {
  machine.randomize(random);
  const bool others = random.one_in(2);
  for (uint32_t r = 0; r < 128 + 16; ++r) {
    uint32_t* row = machine.wave().row(r < 128 ? r : kFirstAccVgpr + r - 128);
    if (others && random.one_in(6)) continue;
    const uint32_t exponents = others && random.one_in(3) ? 0x18001800 : 0x38003800;
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
      row[lane] = (uint32_t(random()) & 0x87ff87ff) | exponents;
      if (random.one_in(40)) row[lane] = others && random.one_in(2) ? any_bits(random) : 0;
    }
  }
}

// Tier 0's and tier 1's NaN may have different payloads.
bool both_nan(const uint32_t* a, const uint32_t* b, uint32_t lane, uint32_t row, bool wide) {
  if (!wide) return (a[lane] & 0x7fffffff) > 0x7f800000 && (b[lane] & 0x7fffffff) > 0x7f800000;
  const int low = row % 2 ? -int(kMaxLanes) : 0;
  auto value = [&](const uint32_t* v) {
    double d;
    const uint32_t halves[2] = {v[int(lane) + low], v[int(lane) + low + int(kMaxLanes)]};
    std::memcpy(&d, halves, sizeof d);
    return d;
  };
  return std::isnan(value(a)) && std::isnan(value(b));
}

// An instruction that reads register v`n` of sums and writes v17, which does not depend on the payload of a NaN.
std::string seen_in_v17(const Op& op, uint32_t n) {
  if (op.integer()) return fmt::format("v_add_u32 v17, v{}, v17", n);
  if (op.wide) return fmt::format("v_cvt_i32_f64 v17, {}", range('v', n & ~1u, 2));
  return fmt::format("v_cvt_i32_f32 v17, v{}", n);
}

void check(const Assembler& assembler, const std::string& text, const Op& op, Random& random, uint32_t instructions) {
  Guest guest(assembler, op.processor, text);
  const Inst* tier1 = guest.tier1({});
  INFO(text);
  REQUIRE(guest.translation().foreign == 2); // s_sleep at the start, and the end
  CHECK(guest.translation().native >= instructions);
  Machine machine;
  for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
    fill(machine, random);
    machine.wave().set_sgpr64(94, any_exec(trial, random));
    auto tolerance = [&](uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
      return !op.integer() && row >= 32 && row < 128 && both_nan(a, b, lane, row, op.wide);
    };
    const std::string wrong = machine.compare(guest, guest.tier0(), tier1, tolerance);
    REQUIRE(wrong == "");
  }
}

} // namespace

TEST_CASE("Translated matrix instructions do what tier 0 does") {
  Random random(21);
  for (const Op& op : find_ops()) {
    const Assembler assembler(op.processor);
    for (uint32_t round = 0; round < tries(1); ++round) {
      std::string text = "s_mov_b64 exec, s[94:95]\n";
      uint32_t slot = 0;
      for (uint32_t k = 0; k < 7; ++k) {
        text += instruction(op, random, slot) + "\n";
        // What other instructions write must be seen, and sums must be seen by them.
        if (k == 3)
          text +=
              fmt::format("v_mov_b32 v{}, v{}\nv_accvgpr_write_b32 a{}, v{}\n{}\n", random.below(16), random.below(16),
                          random.below(16), random.below(16), seen_in_v17(op, random.between(32, 127)));
      }
      check(assembler, text, op, random, 8);
    }
  }
}

TEST_CASE("Translated matrix instructions write over factors, their own and those of products before") {
  Random random(25);
  for (const Op& op : find_ops()) {
    const Assembler assembler(op.processor);
    const uint32_t size = std::max({op.a, op.b, op.d}), blocks = 96 / size;
    for (uint32_t round = 0; round < tries(2); ++round) {
      std::string text = "s_mov_b64 exec, s[94:95]\n";
      std::vector<bool> written(blocks); // (of NaNs that are factors the payload would count)
      for (uint32_t k = 0; k < 5; ++k) {
        const auto factor = [&](uint32_t block, uint32_t count) {
          return written[block] ? factors(random, count)
                                : range('v', 32 + block * size + random.below(size / count) * count, count);
        };
        const uint32_t a = random.below(blocks), b = random.below(blocks),
                       d = random.one_in(2)   ? random.below(blocks)
                           : random.one_in(2) ? a
                                              : b;
        const uint32_t first = 32 + d * size + random.below(size / op.d) * op.d;
        const std::string sums = range('v', first, op.d),
                          c = op.index_bits      ? "v16"
                              : random.one_in(2) ? sums
                                                 : range('v', 32 + random.below(96 / op.d) * op.d, op.d);
        text += fmt::format("{} {}, {}, {}, {}\n", op.name, sums, factor(a, op.a), factor(b, op.b), c);
        written[d] = true;
      }
      check(assembler, text, op, random, 6);
    }
  }
}

TEST_CASE("Translated loops keep the sums of matrix instructions") {
  Random random(22);
  for (const Op& op : find_ops()) {
    if (!is_picked(random)) continue;
    const Assembler assembler(op.processor);
    for (uint32_t round = 0; round < tries(1); ++round) {
      std::string text = "s_mov_b64 exec, s[94:95]\ns_mov_b32 s4, 3\nagain:\n";
      uint32_t slot = 0;
      for (uint32_t k = 0; k < 3; ++k) text += instruction(op, random, slot) + "\n";
      text += fmt::format("v_accvgpr_read_b32 v{}, a{}\n", random.below(16), random.below(16));
      text += "s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 again\n";
      check(assembler, text, op, random, 7);
    }
  }
}

TEST_CASE("Translated loads from LDS leave factors where products read them") {
  // Addresses: anywhere, or lane by lane at a distance of 4 to 64 bytes.
  const std::string anywhere = "v_and_b32 v18, 0xff0, v17\n";
  const auto by_lane = [](uint32_t shift) {
    return fmt::format("v_mbcnt_lo_u32_b32 v18, -1, 0\nv_mbcnt_hi_u32_b32 v18, -1, v18\nv_lshlrev_b32 v18, {}, v18\n",
                       shift);
  };
  const auto load = [](Random& random) {
    const uint32_t dwords = 1u << random.below(3);
    return fmt::format("ds_read_b{} {}, v18{}\n", 32 * dwords, range('v', random.below(16 / dwords) * dwords, dwords),
                       random.one_in(2) ? "" : fmt::format(" offset:{}", 4 * random.below(16)));
  };
  Random random(24);
  for (const Op& op : find_ops()) {
    if (!is_picked(random)) continue;
    const Assembler assembler(op.processor);
    for (uint32_t round = 0; round < tries(1); ++round) {
      std::string text = "s_mov_b64 exec, s[94:95]\ns_mov_b32 s4, 2\n";
      text += random.one_in(2) ? anywhere : by_lane(random.between(2, 6));
      for (uint32_t k = random.below(6); k > 0; --k) text += load(random);
      text += "again:\n";
      uint32_t slot = 0;
      // Loads in front of products, between them, or over factors of products that may wait.
      for (uint32_t k = random.one_in(2) ? 6 : 0; k > 0; --k) text += load(random);
      for (uint32_t k = 0; k < 5; ++k) {
        text += instruction(op, random, slot) + "\n";
        if (random.one_in(3)) text += load(random);
        if (random.one_in(5)) text += "s_barrier\n";
      }
      if (random.one_in(3)) text += fmt::format("v_mov_b32 v{}, v{}\n", random.below(16), random.below(16));
      text += "s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 again\n";
      check(assembler, text, op, random, 10);
    }
  }
}

TEST_CASE("Translated code calls what takes more registers than a body, and keeps its place") {
  const char* const conversions[] = {"v_cvt_scalef32_pk32_fp6_f16 v[32:37], v[0:15], v16", "v_cvt_scalef32_sr_pk32_bf6_bf16 v[38:43], v[0:15], v16, v17",
                                     "v_cvt_scalef32_pk32_f32_fp6 v[44:75], v[2:7], v16",  "v_cvt_scalef32_2xpk16_bf6_f32 v[32:37], v[0:15], v[44:59], s4",
                                     "v_cvt_scalef32_pk32_bf16_bf6 v[0:15], v[10:15], v16"};
  const char* const products[] = {"v_mfma_f32_16x16x128_f8f6f4 v[76:79], v[0:7], v[8:15], v[76:79]",
                                  "v_mfma_f32_32x32x64_f8f6f4 v[80:95], v[0:5], v[8:11], 1.0 cbsz:2 blgp:4",
                                  "v_mfma_scale_f32_16x16x128_f8f6f4 v[76:79], v[32:35], v[8:13], v[76:79], v16, v17 op_sel:[1,0,0] cbsz:4 blgp:3",
                                  "v_mfma_scale_f32_32x32x64_f8f6f4 v[80:95], v[0:7], v[8:15], v[80:95], v16, v17 op_sel_hi:[0,1,0] blgp:1"};
  const Op numbers{.name = "f32", .processor = "gfx950"};
  const Assembler assembler("gfx950");
  Random random(23);
  for (uint32_t round = 0; round < tries(6); ++round) {
    std::string text = "s_mov_b64 exec, s[94:95]\n";
    for (uint32_t k = 0; k < 6; ++k) {
      text += random.one_in(2) ? random.of(conversions) : random.of(products);
      text += fmt::format("\nv_add_u32 v{}, v{}, v{}\n", random.between(32, 95), random.between(32, 95), random.below(18));
    }
    check(assembler, text, numbers, random, 12);
  }
}
