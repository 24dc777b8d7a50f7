// Every scalar instruction that tier 1 translates, and what crosses lanes between vector and scalar registers, in random
// forms.
#include "machine.h"

#include "runtime/engine/compile/library/library.h"

#include <llvm/IR/LLVMContext.h>
#include <map>
#include <set>

using namespace tier1_test;

namespace {

// s0-s15 are sources; an instruction has six registers from `own` on: four for its destination, one for SCC afterwards.
constexpr uint32_t kFirstOwn = 16, kOwn = 8, kPerProgram = 9;
static_assert(kFirstOwn + kOwn * kPerProgram <= 90);

// (Not SCC: as a 64-bit operand tier 0 takes what lies beside it in the wave for its upper half.)
std::string source(Random& random, uint32_t own) {
  static const char* const special[] = {"vcc", "vcc_lo", "vcc_hi", "m0", "exec", "exec_lo", "exec_hi", "src_shared_base", "src_private_base"};
  switch (random.below(10)) {
  case 0: return random.of(special);
  case 1: return fmt::format("{:#x}", any_bits(random));
  case 2: return fmt::format("{}", int(random.below(81)) - 16);
  case 3: return random.one_in(2) ? "0.5" : "-4.0";
  case 4: return random.one_in(2) ? fmt::format("s{}", own) : fmt::format("s[{}:{}]", own, own + 1);
  default: break;
  }
  const uint32_t n = random.below(16);
  return random.one_in(2) ? fmt::format("s{}", n) : fmt::format("s[{}:{}]", n & ~1u, (n & ~1u) + 1);
}

struct Form {
  std::string text, name;
};

Form random_form(const std::string& name, const compile::SaluOp& op, Random& random, uint32_t own) {
  std::string text = name;
  const char* separator = " ";
  auto operand = [&](const std::string& o) { text += separator + o, separator = ", "; };
  bool constant = false; // 16 bits in the instruction
  for (const char* start : {"s_movk_", "s_cmovk_", "s_cmpk_", "s_addk_", "s_mulk_"}) constant |= name.starts_with(start);
  if (op.rows() || (constant && name.starts_with("s_cmpk"))) {
    if (op.rows() == 2)
      operand(random.one_in(8) ? "vcc" : random.one_in(8) ? "exec" : fmt::format("s[{}:{}]", own, own + 1));
    else
      operand(random.one_in(10) ? "vcc_hi" : random.one_in(10) ? "m0" : fmt::format("s{}", own));
  }
  if (constant) {
    operand(fmt::format("{:#x}", random.below(0x10000)));
  } else {
    uint32_t named = 0;
    for (uint32_t k = 0; k < op.parameters(); ++k)
      named += op.kind(k) == kKind16 || op.kind(k) == kKind32 || op.kind(k) == kKind64 || op.kind(k) == kKindPack;
    if (named > 0 && (name.starts_with("s_fmac_") || random.one_in(8))) --named; // the destination is the last source of some
    for (uint32_t k = 0; k < named; ++k) operand(source(random, own));
  }
  return {text, name};
}

// Makes one NaN of all that a floating-point instruction can leave in its destination: which operand's payload it has depends on
// the order that a compiler gives them.
std::string one_nan(const Form& form) {
  const bool half = form.name.ends_with("_f16");
  if (!form.name.starts_with("s_") || form.name.starts_with("s_cmp") || !(half || form.name.ends_with("_f32") || form.name.find("_f32_f16") != std::string::npos))
    return {};
  const size_t begin = form.text.find(' ') + 1;
  const std::string result = form.text.substr(begin, form.text.find(',') - begin);
  const std::string type = half ? "f16" : "f32";
  return fmt::format("s_cmp_u_{} {}, {}\ns_cselect_b32 {}, 0x7fc00000, {}\n", type, result, result, result, result);
}

// One program of some forms, in waves that round and treat denormals as `float_mode` says.
void check(const Dialect& dialect, const std::vector<Form>& forms, Random& random,
           std::map<std::string, uint32_t>& foreign, uint32_t float_mode = kUsualFloatMode) {
  const std::string restore = fmt::format("{} exec, {}\n", dialect.mask_op("s_mov"), dialect.mask(94));
  std::string text = dialect.respelled(restore);
  for (uint32_t k = 0; k < forms.size(); ++k) {
    const uint32_t own = kFirstOwn + kOwn * k;
    text += forms[k].text + "\n";
    text += dialect.respelled(fmt::format("s_cselect_b32 s{}, 1, 0\n{} {}, exec\n", own + 4, dialect.mask_op("s_mov"), dialect.mask(own + 6)));
    text += one_nan(forms[k]);
    if (random.one_in(2)) text += dialect.respelled(restore);
  }
  Guest guest(dialect, text);
  guest.float_mode = float_mode;
  const Inst* tier1 = guest.tier1({});
  auto decoder = Decoder::create(dialect.processor(), dialect.lanes());
  REQUIRE(decoder.ok());
  for (const auto& element : guest.translation().elements) {
    if (element.region != compile::Translation::kNoRegion) continue;
    RawInst raw;
    const uint64_t pc = guest.begin() + element.offset;
    decoder.value()->decode({reinterpret_cast<const uint8_t*>(pc), 8}, pc, raw);
    ++foreign[std::string(name_of(raw.opcode))];
  }
  Machine machine(dialect.lanes());
  for (uint32_t trial = 0; trial < 3 * kExecKinds; ++trial) {
    machine.randomize(random);
    machine.wave().set_sgpr64(94, any_exec(trial, random, dialect.lanes()));
    set_float_mode(machine.wave(), float_mode);
    const std::string wrong = machine.compare(guest, guest.tier0(), tier1);
    if (wrong.empty()) continue;
    FAIL_CHECK(dialect.processor() << ", waves of " << dialect.lanes()
                                   << fmt::format(", MODE {:#x}, EXEC {:#x}", float_mode, machine.wave().sgpr64(94))
                                   << ": " << wrong << "\n"
                                   << text);
    return;
  }
}

// The instructions of the translator's table, by the table's names.
std::map<std::string, compile::SaluOp> table() {
  llvm::LLVMContext context;
  auto library = compile::Library::load(context, host_level().isa);
  REQUIRE(library.ok());
  std::map<std::string, compile::SaluOp> ops;
  for (const auto& [opcode, op] : library.value()->salu_ops()) ops.emplace(name_of(opcode), op);
  return ops;
}

// Random forms of those that the processor has; each is drawn for the first registers of its own. Names that have one are
// erased from `missing`.
std::vector<Form> draw_forms(const Dialect& dialect, const std::map<std::string, compile::SaluOp>& ops, Random& random, std::set<std::string>& missing) {
  constexpr uint32_t kDraws = 40, kWanted = 6;
  std::vector<Form> drawn, out;
  for (const auto& [name, op] : ops)
    for (uint32_t k = 0; k < kDraws && dialect.has(name); ++k)
      drawn.push_back(random_form(name, op, random, kFirstOwn));
  static const char* const more[] = {"s_getpc_b64 s[16:17]", "v_readfirstlane_b32 s16, v0", "v_readlane_b32 s16, v1, 37", "v_readlane_b32 s16, v1, s3",
                                     "v_readlane_b32 s16, v1, m0", "v_writelane_b32 v2, s5, 41", "v_writelane_b32 v3, 7, s8",
                                     "v_writelane_b32 v4, m0, 63", "v_readfirstlane_b32 vcc_lo, v5", "v_readfirstlane_b32 m0, v5"};
  for (const char* text : more)
    for (int k = 0; k < 4; ++k) drawn.push_back({text, std::string(text, strchr(text, ' '))});
  std::vector<std::string> lines;
  for (Form& form : drawn) {
    form.text = dialect.respelled(form.text);
    form.text.pop_back();
    lines.push_back(form.text);
  }
  const std::vector<bool> good = dialect.assembler().accepted(lines);
  std::map<std::string, std::set<std::string>> have;
  for (size_t k = 0; k < drawn.size(); ++k) {
    if (!good[k] || have[drawn[k].name].size() >= kWanted || !have[drawn[k].name].insert(drawn[k].text).second) continue;
    missing.erase(drawn[k].name);
    out.push_back(drawn[k]);
  }
  return out;
}

// A form drawn for the first registers of its own, moved to others.
Form moved(Form form, uint32_t own) {
  const std::pair<std::string, std::string> marks[] = {{fmt::format("s[{}:{}]", kFirstOwn, kFirstOwn + 1), fmt::format("s[{}:{}]", own, own + 1)},
                                                       {fmt::format("s{}", kFirstOwn), fmt::format("s{}", own)}};
  for (const auto& [from, to] : marks)
    for (size_t at = form.text.find(from); at != form.text.npos; at = form.text.find(from, at + to.size()))
      form.text.replace(at, from.size(), to);
  return form;
}

} // namespace

TEST_CASE("Translated scalar instructions do what tier 0 does, in all their forms") {
  const std::map<std::string, compile::SaluOp> ops = table();
  Random random(2);
  std::map<std::string, uint32_t> foreign;
  std::set<std::string> missing;
  for (const auto& [name, op] : ops) missing.insert(name);
  for (const DialectName& name : kDialects) {
    const Dialect dialect(name.processor, name.lanes);
    for (uint32_t round = 0; round < tries(1); ++round) {
      std::vector<Form> forms = draw_forms(dialect, ops, random, missing);
      for (size_t k = forms.size(); k > 1; --k) std::swap(forms[k - 1], forms[random.below(uint32_t(k))]);
      for (size_t k = 0; k < forms.size(); k += kPerProgram) {
        if (!is_picked(random)) continue;
        std::vector<Form> some;
        for (size_t n = k; n < std::min(k + kPerProgram, forms.size()); ++n)
          some.push_back(moved(forms[n], kFirstOwn + kOwn * uint32_t(n - k)));
        check(dialect, some, random, foreign);
      }
      if (rounds() > 1) WARN(name.processor << ", waves of " << name.lanes << ": " << forms.size() << " forms of scalar instructions");
    }
  }
  std::string names;
  for (const std::string& name : missing) names += " " + name;
  {
    INFO("without a form:" << names);
    CHECK(missing.empty());
  }
  std::string left;
  for (const auto& [name, n] : foreign) left += fmt::format(" {} x {}", n, name);
  if (rounds() > 1) WARN("left to tier 0:" << left);
}

TEST_CASE("Translated scalar arithmetic rounds and treats denormals as MODE says") {
  std::map<std::string, compile::SaluOp> floats = table();
  std::erase_if(floats, [](const auto& entry) { return !entry.second.floats; });
  Random random(3);
  std::set<std::string> missing;
  for (const auto& [name, op] : floats) missing.insert(name);
  for (const char* processor : {"gfx1151", "gfx1201"}) {
    const Dialect dialect(processor, 32);
    for (uint32_t round = 0; round < tries(2); ++round) {
      const std::vector<Form> forms = draw_forms(dialect, floats, random, missing);
      for (size_t k = 0; k < forms.size(); k += kPerProgram) {
        std::vector<Form> some;
        for (size_t n = k; n < std::min(k + kPerProgram, forms.size()); ++n)
          some.push_back(moved(forms[n], kFirstOwn + kOwn * uint32_t(n - k)));
        std::map<std::string, uint32_t> foreign;
        // Rounding and denormals of both widths, and MODE.FP16_OVFL.
        check(dialect, some, random, foreign,
              kUsualFloatMode ^ (random.below(256) | (random.one_in(4) ? kModeFp16Overflow : 0)));
      }
    }
  }
  CHECK(missing.empty());
}

TEST_CASE("Waves of 32 lanes have no EXEC_HI that instructions which save EXEC could write") {
  struct Case {
    const char* name;
    bool saves; // else the destination gets the new EXEC
    uint64_t (*exec)(uint64_t source, uint64_t exec);
  };
  static constexpr Case kCases[] = {
      {"s_and_saveexec_b64", true, [](uint64_t s, uint64_t e) { return s & e; }},
      {"s_or_saveexec_b64", true, [](uint64_t s, uint64_t e) { return s | e; }},
      {"s_xor_saveexec_b64", true, [](uint64_t s, uint64_t e) { return s ^ e; }},
      {"s_nand_saveexec_b64", true, [](uint64_t s, uint64_t e) { return ~(s & e); }},
      {"s_nor_saveexec_b64", true, [](uint64_t s, uint64_t e) { return ~(s | e); }},
      {"s_orn2_saveexec_b64", true, [](uint64_t s, uint64_t e) { return s | ~e; }},
      {"s_andn2_wrexec_b64", false, [](uint64_t s, uint64_t e) { return s & ~e; }}};
  Random random(4);
  for (const char* processor : {"gfx1030", "gfx1100", "gfx1201"}) {
    const Dialect dialect(processor, 32);
    for (const Case& c : kCases)
      for (const char* source : {"s[2:3]", "-1", "0"}) {
        const std::string text = fmt::format("s_mov_b32 exec_lo, s94\n{} s[0:1], {}\ns_cselect_b32 s4, 1, 0\n"
                                             "s_mov_b64 s[6:7], exec\nv_mov_b32 v1, v0\n",
                                             dialect.spelled(c.name), source);
        Guest guest(dialect, text);
        const Inst* const tier1 = guest.tier1({});
        CHECK(guest.translation().foreign <= 2); // s_sleep in front, and what is behind
        Machine machine(32);
        for (uint32_t trial = 0; trial < 2 * kExecKinds; ++trial) {
          machine.randomize(random);
          Wave& w = machine.wave();
          const uint64_t before = any_exec(trial, random, 32);
          w.set_sgpr64(94, before);
          if (trial % 2) w.sgpr[2] = 0; // EXEC_HI alone would not be 0
          const uint64_t s = source[0] == 's' ? w.sgpr64(2) : source[0] == '-' ? ~0ull : 0;
          const uint64_t after = uint32_t(c.exec(s, before));
          const uint32_t row = w.row(0)[40];
          w.row(1)[40] = ~row; // no lane of the wave
          CAPTURE(processor, c.name, source, before, s);
          REQUIRE(machine.compare(guest, guest.tier0(), tier1) == "");
          REQUIRE(w.exec() == after);
          REQUIRE(w.sgpr64(6) == after);
          REQUIRE(w.sgpr64(0) == (c.saves ? before : after));
          REQUIRE(w.sgpr[4] == uint32_t(after != 0));
          REQUIRE(w.row(1)[40] == ~row);
        }
      }
  }
}

TEST_CASE("Functions that set how numbers are rounded are translated by what they set") {
  const Assembler assembler("gfx942");
  for (auto [field, sets] : {std::pair("0, 2", true), std::pair("4, 4", true), std::pair("0, 10", true), std::pair("8, 1", true), std::pair("10, 4", false)}) {
    Guest guest(assembler, "gfx942", fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, {}), 1\nv_mul_f32 v1, 1.0, v2\n", field));
    INFO(field);
    guest.tier1({});
    CHECK(guest.translation().usual_mode == !sets);
    CHECK(guest.translation().foreign <= 2); // s_sleep in front, and what is behind
  }
}
