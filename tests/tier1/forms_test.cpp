// Every vector instruction that tier 1 translates, in random forms: encodings, scalar and constant operands, modifiers,
// SDWA, DPP, halves of registers, two operations in one instruction, destinations that are sources, operands that are equal
// in all lanes. The instructions are those of the translator's own tables; the assembler says which forms exist and tier 0
// which of them it executes.
#include "machine.h"

#include "runtime/engine/compile/library/library.h"

#include <algorithm>
#include <llvm/IR/LLVMContext.h>
#include <map>
#include <regex>
#include <set>

using namespace tier1_test;

namespace {

struct Op {
  std::string name; // as assembled, without suffix
  compile::ValuOp shape;
  bool clamps = false; // the definition with the clamp bit set
  const char* only_on = nullptr; // the processor on which the instruction has this definition
  uint32_t named = 0;                // operands that the assembler wants
  std::vector<std::string> suffixes; // encodings that exist
};

enum class Bits { Exact, Float16, Float32, Float64 };
struct Form {
  std::string text;  // with placeholders for its destinations
  std::string after; // what has to follow, so that no other instruction sees or hides its results
  Bits bits = Bits::Exact;
  const Op* op = nullptr;
};

// Placeholders: $D the destination, $1 and $2 the first register and pair of it, $4 all four, $H the second register;
// $M the lane mask.
std::string placed(const Dialect& dialect, std::string text, uint32_t vgpr, uint32_t sgpr, uint32_t rows) {
  const std::pair<std::string, std::string> marks[] = {{"$D", range('v', vgpr, std::max(rows, 1u))}, {"$1", range('v', vgpr, 1)},
                                                       {"$2", range('v', vgpr, 2)},                 {"$4", range('v', vgpr, 4)},
                                                       {"$H", range('v', vgpr + 1, 1)},             {"$M", dialect.mask(sgpr)}};
  for (const auto& [mark, replacement] : marks)
    for (size_t at = text.find(mark); at != text.npos; at = text.find(mark)) text.replace(at, 2, replacement);
  return dialect.respelled(text);
}

// Named operands that are a register of the other file, or a constant in the instruction.
bool wants_acc(const Op& op) { return op.name == "v_accvgpr_read_b32" || op.name == "v_accvgpr_mov_b32"; }
bool wants_literal(const Op& op, uint32_t n) {
  return (n == 1 && op.name.find("amk_") != op.name.npos) || (n == 2 && op.name.find("aak_") != op.name.npos) ||
         (n == 1 && op.name.find("admk_") != op.name.npos) || (n == 2 && op.name.find("adak_") != op.name.npos);
}

std::string literal_of(const Op& op, uint32_t bits) { return fmt::format("{:#x}", op.name.ends_with("_f16") ? bits & 0xffff : bits); }

// Whether the instruction's text has an operand of the kind.
bool is_named(uint32_t kind) { return kind != kKindLane && kind != kKindField && kind != kKindOld; }
uint32_t most_named(const compile::ValuOp& op) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < op.parameters(); ++k) count += is_named(op.kind(k));
  return count;
}
uint32_t width_of(uint32_t kind) { return kind == kKind64 || kind == kKindPair || kind == kKindMask ? 2 : kind == kKindQuad ? 4 : 1; }

// Registers of the programs: v0-v15 hold anything, v16-v31 the same in all lanes (of s0-s15); from v32 on destinations.
// s0-s15 sources, from s16 on lane masks, s[94:95] the EXEC with which the instructions run. Halves of registers are of the
// first 128.
constexpr uint32_t kFirstDestination = 32, kFirstMask = 16, kPerProgram = 24;
static_assert(kFirstDestination + 4 * kPerProgram <= 128 && kFirstMask + 2 * kPerProgram <= 90);

std::string vector_operand(Random& random, uint32_t width, bool uniform) {
  const uint32_t first = (random.below(16) & ~(width - 1)) + (uniform ? 16 : 0);
  return width == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + width - 1);
}
std::string scalar_operand(Random& random, uint32_t width) {
  static const char* const special[] = {"vcc_lo", "vcc_hi", "m0", "exec_lo", "exec_hi", "src_scc", "src_shared_base"};
  if (width == 1 && random.one_in(6)) return random.of(special);
  if (width == 2 && random.one_in(5)) return random.one_in(2) ? "vcc" : "exec";
  const uint32_t first = random.below(16) & ~(width - 1);
  return width == 1 ? fmt::format("s{}", first) : fmt::format("s[{}:{}]", first, first + width - 1);
}
std::string constant_operand(Random& random) {
  static const char* const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};
  switch (random.below(3)) {
  case 0: return random.of(floats);
  case 1: return fmt::format("{}", int(random.below(81)) - 16);
  default: return fmt::format("{:#x}", any_bits(random));
  }
}
std::string own_operand(Random& random, uint32_t width) {
  return width == 4 ? "$4" : width == 2 ? "$2" : random.one_in(3) ? "$H" : "$1";
}

std::string list(Random& random, uint32_t count) {
  std::string text = "[";
  for (uint32_t k = 0; k < count; ++k) text += fmt::format("{}{}", k ? "," : "", random.below(2));
  return text + "]";
}

// Whether its operands may be halves of registers.
bool has_halves(const Op& op) { return op.name.find("16") != op.name.npos; }
std::string half_of(Random& random) { return random.one_in(2) ? ".l" : ".h"; }

// The start of the text: name and destinations. Where EXEC is a compare's only destination, it is not named.
std::string opening(const Dialect& dialect, const Op& op, const std::string& suffix, const std::string& mask, const std::string& half = "") {
  std::string text = op.name + suffix + " ";
  if (op.name == "v_accvgpr_write_b32" || op.name == "v_accvgpr_mov_b32")
    text += "a7";
  else if (op.shape.rows())
    text += "$D" + half;
  const bool names_mask = !(op.name.starts_with("v_cmpx_") && dialect.cmpx_writes_exec_alone());
  if (op.shape.mask() && names_mask) text += (op.shape.rows() ? ", " : "") + mask;
  return text;
}

// The form that all encodings share, with n named operands.
std::string plain_form(const Dialect& dialect, const Op& op, const std::string& suffix, uint32_t named) {
  const std::string half = op.name == "v_mov_b16" ? ".l" : ""; // which it is not written without
  std::string text = opening(dialect, op, suffix, "vcc", half);
  uint32_t n = 0;
  for (uint32_t k = 0; k < op.shape.parameters() && n < named; ++k) {
    const uint32_t kind = op.shape.kind(k);
    if (!is_named(kind)) continue;
    const uint32_t width = width_of(kind);
    text += n || text.back() != ' ' ? ", " : "";
    if (wants_literal(op, n++))
      text += literal_of(op, 0x12345678);
    else if (wants_acc(op))
      text += "a3";
    else if (kind == kKindMask)
      text += "vcc";
    else
      text += width == 1 ? "v0" + half : fmt::format("v[0:{}]", width - 1);
  }
  if (op.clamps) text += " clamp";
  if (suffix.ends_with("_dpp")) text += " quad_perm:[0,1,2,3]"; // the assembler wants a control
  return text;
}

// In which numbers its results are compared.
Bits bits_of(const Op& op) {
  constexpr std::string_view kScaled = "v_cvt_scalef32_"; // what comes behind says what the result is
  const std::string_view name = std::string_view(op.name).substr(op.name.starts_with(kScaled) ? kScaled.size() : 0);
  for (auto [part, bits] : {std::pair("f64", Bits::Float64), std::pair("f32", Bits::Float32), std::pair("f16", Bits::Float16),
                            std::pair("legacy", Bits::Float32)})
    if (name.find(part) != name.npos) return bits;
  return Bits::Exact;
}

Form random_form(const Dialect& dialect, const Op& op, const std::string& suffix, Random& random) {
  const bool short_form = suffix == "_e32", sdwa = suffix == "_sdwa", dpp = suffix.ends_with("_dpp");
  const bool long_form = !short_form && !sdwa && suffix != "_dpp";
  const std::string mask = !short_form && !dpp && !random.one_in(3) ? (random.one_in(8) ? "exec" : "$M") : "vcc";
  const bool halves = has_halves(op) && random.one_in(2);
  Form form;
  form.op = &op;
  form.text = opening(dialect, op, suffix, mask, halves && !random.one_in(4) ? half_of(random) : "");
  const uint32_t modified = long_form || sdwa || dpp ? random.below(8) : 0;
  const bool signs = modified == 1 || modified == 6;
  const bool uniform = random.one_in(4);
  uint32_t n = 0;
  for (uint32_t k = 0; k < op.shape.parameters() && n < op.named; ++k) {
    const uint32_t kind = op.shape.kind(k);
    if (!is_named(kind)) continue;
    const uint32_t width = width_of(kind);
    form.text += n || form.text.back() != ' ' ? ", " : "";
    std::string operand;
    if (wants_literal(op, n++)) {
      operand = literal_of(op, any_bits(random));
    } else if (wants_acc(op)) {
      operand = fmt::format("a{}", random.below(16));
    } else if (kind == kKindMask) {
      operand = short_form || sdwa || dpp ? "vcc" : random.one_in(8) ? constant_operand(random) : scalar_operand(random, dialect.lanes() / 32);
    } else {
      const uint32_t choice = random.below(10);
      operand = choice < 5 || (uniform && choice < 8) ? vector_operand(random, width, uniform || random.one_in(4))
                : choice < 7                          ? scalar_operand(random, width)
                : choice < 9                          ? constant_operand(random)
                                                      : own_operand(random, width);
      if (halves && width == 1 && (operand[0] == 'v' || operand[0] == '$') && !random.one_in(4)) operand += half_of(random);
      if (signs && random.one_in(4)) operand = "|" + operand + "|";
      if (signs && random.one_in(3)) operand = "-" + operand;
      if (sdwa && random.one_in(6)) operand = "sext(" + operand + ")";
    }
    form.text += operand;
  }
  static const char* const omods[] = {"mul:2", "mul:4", "div:2"};
  if (long_form) {
    if (modified == 4 || (modified == 6 && random.one_in(2))) form.text += " op_sel:" + list(random, op.named + random.below(2));
    if (modified == 5) {
      if (random.one_in(2)) form.text += " op_sel:" + list(random, op.named);
      if (random.one_in(2)) form.text += " op_sel_hi:" + list(random, op.named);
      if (random.one_in(2)) form.text += " neg_lo:" + list(random, op.named);
      if (random.one_in(2)) form.text += " neg_hi:" + list(random, op.named);
    }
    if (op.name.starts_with("v_bitop3")) form.text += fmt::format(" bitop3:{:#x}", random.below(256));
  }
  if (op.clamps || modified == 2 || (modified == 6 && random.one_in(2))) form.text += " clamp";
  if (!dpp && (modified == 3 || (modified == 6 && random.one_in(2)))) form.text += std::string(" ") + random.of(omods);
  if (sdwa) {
    static const char* const selects[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
    static const char* const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    // Of a NaN whole halves at least are written: a byte of a payload cannot be told from another's.
    static const char* const halves[] = {"WORD_0", "WORD_1", "DWORD"};
    const bool half = op.name.find("f16") != op.name.npos;
    if (op.shape.rows())
      form.text += fmt::format(" dst_sel:{} dst_unused:{}", half ? random.of(halves) : random.of(selects), random.of(unused));
    form.text += fmt::format(" src0_sel:{}", random.of(selects));
    if (op.named > 1) form.text += fmt::format(" src1_sel:{}", random.of(selects));
  }
  if (dpp) {
    const uint32_t by = random.between(1, 15);
    const std::string controls[] = {fmt::format("quad_perm:[{},{},{},{}]", random.below(4), random.below(4), random.below(4), random.below(4)),
                                    fmt::format("row_shl:{}", by), fmt::format("row_shr:{}", by), fmt::format("row_ror:{}", by),
                                    "wave_shl:1", "wave_rol:1", "wave_shr:1", "wave_ror:1", "row_mirror", "row_half_mirror",
                                    "row_bcast:15", "row_bcast:31", fmt::format("row_newbcast:{}", by), fmt::format("row_share:{}", by),
                                    fmt::format("row_xmask:{}", by)};
    if (random.one_in(3)) {
      form.text += " dpp8:[";
      for (uint32_t k = 0; k < 8; ++k) form.text += fmt::format("{}{}", random.below(8), k < 7 ? "," : "]");
    } else {
      form.text += fmt::format(" {} row_mask:{:#x} bank_mask:{:#x}", random.of(controls), random.one_in(2) ? 15 : random.below(16),
                               random.one_in(2) ? 15 : random.below(16));
      if (random.one_in(2)) form.text += " bound_ctrl:0";
    }
    if (random.one_in(4)) form.text += " fi:1";
  }
  const std::string move = dialect.mask_op("s_mov");
  if (op.shape.mask() && mask == "vcc") form.after = move + " $M, vcc\n";
  if (op.name.starts_with("v_cmpx_") || mask == "exec") form.after = fmt::format("{0} $M, exec\n{0} exec, {1}\n", move, dialect.mask(94));
  form.bits = bits_of(op);
  return form;
}

// Two operations in one instruction; the second one's destination is the register behind the first one's.
Form random_dual(const std::vector<const Op*>& duals, Random& random) {
  Form form;
  form.op = duals[random.below(uint32_t(duals.size()))];
  for (const Op* op : {form.op, duals[random.below(uint32_t(duals.size()))]}) {
    form.text += fmt::format("{}v_dual_{} {}", form.text.empty() ? "" : " :: ", op->name.substr(2), form.text.empty() ? "$1" : "$H");
    for (uint32_t k = 0, n = 0; n < op->named; ++k) {
      if (!is_named(op->shape.kind(k))) continue;
      const bool constant = wants_literal(*op, n++);
      if (op->shape.kind(k) == kKindMask) continue; // VCC, which is not named
      form.text += ", " + (constant ? std::string("0x3f990000") : random.one_in(3) ? scalar_operand(random, 1) : random.one_in(6) ? constant_operand(random)
                                                              : random.one_in(6) ? own_operand(random, 1) : vector_operand(random, 1, random.one_in(4)));
    }
    if (form.bits == Bits::Exact) form.bits = bits_of(*op);
  }
  return form;
}

// NaNs are equal whatever their payload: which operand's it is depends on the order that a compiler gives them.
bool equal_numbers(Bits bits, const uint32_t* a, const uint32_t* b, uint32_t row, uint32_t lane) {
  auto nan = [](uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; };
  auto half_nan = [](uint32_t v) { return (v & 0x7fff) > 0x7c00; };
  auto same_half = [&](uint32_t x, uint32_t y) { return x == y || (half_nan(x) && half_nan(y)); };
  // The pair of rows that this row belongs to, as a 64-bit number.
  auto wide_nan = [&](const uint32_t* v) {
    const uint32_t lo = v[int(lane) - (row % 2 ? int(kMaxLanes) : 0)], hi = v[lane + (row % 2 ? 0 : kMaxLanes)];
    return ((uint64_t(hi) << 32 | lo) & ~(1ull << 63)) > 0x7ff0000000000000ull;
  };
  const uint32_t x = a[lane], y = b[lane];
  if (bits == Bits::Exact) return false;
  if (nan(x) && nan(y)) return true;
  if (bits == Bits::Float64) return wide_nan(a) && wide_nan(b);
  return bits == Bits::Float16 && same_half(x & 0xffff, y & 0xffff) && same_half(x >> 16, y >> 16);
}

// The instructions of the translator's table, in order.
std::map<std::string, Op> table() {
  llvm::LLVMContext context;
  auto library = compile::Library::load(context, host_level().isa);
  REQUIRE(library.ok());
  std::map<std::string, Op> ops;
  for (const auto& [opcode, shape] : library.value()->valu_ops()) {
    const std::string_view name = name_of(opcode);
    Op op;
    op.name = name;
    op.shape = shape;
    if (op.name.ends_with("_clamp")) op.clamps = true, op.name.resize(op.name.size() - 6);
    if (op.name.ends_with("_dx10") || op.name.ends_with("_ovfl"))
      continue; // no instruction by itself: MODE decides (traps_mode_test.cpp, small_floats_test.cpp)
    if (op.name.ends_with("_ocp")) op.only_on = "gfx950", op.name.resize(op.name.size() - 4);
    ops[std::string(name)] = op;
    if (!op.name.starts_with("v_cmp_")) continue;
    op.name = "v_cmpx_" + op.name.substr(6);
    ops[op.name] = op;
  }
  return ops;
}

// Those that the processor has, by the table's names, with what the assembler knows of them.
std::map<std::string, Op> find_ops(const Dialect& dialect, const std::map<std::string, Op>& ops) {
  struct Probe {
    std::string key, suffix;
    uint32_t named;
  };
  std::vector<Probe> probes;
  std::vector<std::string> lines;
  for (const auto& [key, op] : ops)
    for (const char* suffix : {"_e32", "_e64", "_sdwa", "_dpp", "_e64_dpp", ""}) {
      if (!dialect.has(op.name + suffix) || (op.only_on && dialect.processor() != op.only_on)) continue;
      for (uint32_t named = most_named(op.shape); named > 0; --named) {
        probes.push_back({key, suffix, named});
        lines.push_back(placed(dialect, plain_form(dialect, op, suffix, named), kFirstDestination, kFirstMask, op.shape.rows()));
        lines.back().pop_back(); // one line each
      }
    }
  const std::vector<bool> good = dialect.assembler().accepted(lines);
  std::map<std::string, Op> found;
  for (size_t k = 0; k < probes.size(); ++k) {
    if (!good[k]) continue;
    Op& op = found.try_emplace(probes[k].key, ops.at(probes[k].key)).first->second;
    if (op.named && op.named != probes[k].named) continue;
    op.named = probes[k].named;
    op.suffixes.push_back(probes[k].suffix);
  }
  for (auto& [key, op] : found)
    if (op.suffixes.size() > 1) std::erase(op.suffixes, "");
  return found;
}

// Random forms of the instructions that the assembler and tier 0 both take.
std::vector<Form> find_forms(const Dialect& dialect, const std::vector<const Op*>& ops, Random& random) {
  constexpr uint32_t kDraws = 16, kDuals = 36;
  const std::map<std::string, uint32_t> kWanted = {{"_e32", 1}, {"_e64", 2}, {"", 2}, {"_sdwa", 1}, {"_dpp", 1}, {"_e64_dpp", 1}, {"dual", kDuals}};
  std::vector<Form> drawn;
  std::vector<std::pair<const Op*, std::string>> family;
  for (const Op* op : ops)
    for (const std::string& suffix : op->suffixes)
      for (uint32_t k = 0; k < kDraws; ++k) {
        drawn.push_back(random_form(dialect, *op, suffix, random));
        family.push_back({op, suffix});
      }
  std::vector<const Op*> duals;
  for (const Op* op : ops)
    if (!op->clamps && dialect.has("v_dual_" + op->name.substr(2))) duals.push_back(op);
  for (uint32_t k = 0; !duals.empty() && k < kDraws * kDuals; ++k) {
    drawn.push_back(random_dual(duals, random));
    family.push_back({nullptr, "dual"});
  }
  std::vector<std::string> lines;
  for (const Form& form : drawn) {
    lines.push_back(placed(dialect, form.text, kFirstDestination, kFirstMask, form.op->shape.rows()));
    if (!lines.back().empty()) lines.back().pop_back();
  }
  const std::vector<bool> good = dialect.assembler().accepted(lines);
  std::vector<Form> taken;
  std::string probe;
  std::map<std::pair<const Op*, std::string>, std::set<std::string>> have;
  for (size_t k = 0; k < drawn.size(); ++k) {
    if (!good[k] || lines[k].empty()) continue;
    std::set<std::string>& texts = have[family[k]];
    if (texts.size() >= kWanted.at(family[k].second) || !texts.insert(drawn[k].text).second) continue;
    probe += ".p2align 6, 0\n" + lines[k] + "\ns_endpgm\n";
    taken.push_back(drawn[k]);
  }
  Machine machine(dialect.lanes());
  Guest guest(dialect, probe + ".p2align 6, 0\n", true);
  std::vector<Form> out;
  for (size_t k = 0; k < taken.size(); ++k) {
    machine.randomize(random);
    machine.run(guest, guest.program().resolve(guest.begin() + 64 * k));
    if (machine.wave().stop == Stop::Ended) out.push_back(taken[k]);
  }
  return out;
}

// Leaves a part of the forms, and of every instruction one at least.
void leave(double part, std::vector<Form>& forms, Random& random) {
  std::set<const Op*> seen;
  std::erase_if(forms,
                [&](const Form& form) { return !seen.insert(form.op).second && random.below(1000) >= part * 1000; });
}

// MODE in HIP's kernels, as far as it concerns floating point.
constexpr uint32_t kUsual = kUsualFloatMode;

// One program of some forms, in all kinds of EXEC, in waves that round and treat denormals as `float_mode` says; instructions that
// tier 1 leaves to tier 0 go to `foreign`.
void check(const Dialect& dialect, const std::vector<Form>& forms, Random& random, std::vector<std::string>& foreign, uint32_t float_mode = kUsual) {
  std::string text;
  for (uint32_t k = 0; k < 16; ++k) text += fmt::format("v_mov_b32 v{}, s{}\n", 16 + k, k);
  text += dialect.respelled(fmt::format("{} exec, {}", dialect.mask_op("s_mov"), dialect.mask(94)));
  for (uint32_t k = 0; k < forms.size(); ++k)
    text += fmt::format("f{}:\n", k) + placed(dialect, forms[k].text + "\n" + forms[k].after, kFirstDestination + 4 * k, kFirstMask + 2 * k,
                                              forms[k].op->shape.rows());
  Guest guest(dialect, text);
  guest.float_mode = float_mode;
  const Inst* tier1 = guest.tier1({});
  const Inst* tier0 = guest.tier0();
  auto decoder = Decoder::create(dialect.processor(), dialect.lanes());
  REQUIRE(decoder.ok());
  for (const auto& element : guest.translation().elements) {
    if (element.region != compile::Translation::kNoRegion) continue;
    RawInst raw;
    const uint64_t pc = guest.begin() + element.offset;
    decoder.value()->decode({reinterpret_cast<const uint8_t*>(pc), 8}, pc, raw);
    if (raw.opcode != Opcode::s_branch && raw.opcode != Opcode::s_sleep) foreign.emplace_back(name_of(raw.opcode));
  }
  auto tolerance = [&](uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
    if (row < kFirstDestination || row >= kFirstDestination + 4 * forms.size()) return false;
    return equal_numbers(forms[(row - kFirstDestination) / 4].bits, a, b, row, lane);
  };
  Machine machine(dialect.lanes());
  for (uint32_t trial = 0; trial < 3 * kExecKinds; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    w.set_sgpr64(94, any_exec(trial, random, dialect.lanes()));
    set_float_mode(w, float_mode);
    const std::string wrong = machine.compare(guest, tier0, tier1, tolerance);
    if (wrong.empty()) continue;
    // The form whose register it is.
    const uint32_t number = uint32_t(std::atoi(wrong.c_str() + 1));
    const uint32_t k = wrong[0] == 'v' ? (number - kFirstDestination) / 4 : (number - kFirstMask) / 2;
    const bool known = (wrong[0] == 'v' || wrong[0] == 's') && k < forms.size();
    FAIL_CHECK(dialect.processor() << ", waves of " << dialect.lanes() << fmt::format(", MODE {:#x}", w.mode) << ", EXEC " << fmt::format("{:#x}", w.sgpr64(94)) << ": " << wrong << "\n"
                         << (known ? placed(dialect, forms[k].text, kFirstDestination + 4 * k, kFirstMask + 2 * k, forms[k].op->shape.rows()) : text));
    return;
  }
}

} // namespace

TEST_CASE("Translated vector instructions do what tier 0 does, in all their forms") {
  const std::map<std::string, Op> all = table();
  std::map<std::string, Op> without_form = all;
  Random random(1);
  std::map<std::string, std::pair<uint32_t, uint32_t>> native; // by name: forms, of these left to tier 0
  auto try_forms = [&](const Dialect& dialect, const std::vector<const Op*>& ops) {
    if (ops.empty()) return;
    for (uint32_t round = 0; round < tries(1); ++round) {
      std::vector<Form> forms = find_forms(dialect, ops, random);
      if (rounds() < 1) leave(rounds(), forms, random);
      for (size_t k = 0; k < forms.size(); k += kPerProgram) {
        const std::vector<Form> some(forms.begin() + ptrdiff_t(k), forms.begin() + ptrdiff_t(std::min(k + kPerProgram, forms.size())));
        std::vector<std::string> foreign;
        check(dialect, some, random, foreign);
        for (const Form& form : some) ++native[form.op->name].first;
        for (const std::string& name : foreign) ++native[name].second;
      }
    }
  };
  // Processors of one family share most instructions: each is tried with those that the ones before lack.
  for (const char* processor : {"gfx942", "gfx950", "gfx90a"}) {
    const Dialect dialect(processor, kMaxLanes);
    const std::map<std::string, Op> found = find_ops(dialect, without_form);
    std::vector<const Op*> ops;
    for (const auto& [key, op] : found) ops.push_back(&op), without_form.erase(key);
    try_forms(dialect, ops);
  }
  // Bodies that an instruction has beside its own.
  for (const OpcodeRow& row : kOpcodeRows)
    for (const Opcode body : row.signed_bodies) without_form.erase(std::string(name_of(body)));
  const std::map<std::string, Op> not_gfx9 = without_form;
  for (const DialectName& name : kDialects) {
    if (name.processor == std::string_view("gfx942")) continue;
    const Dialect dialect(name.processor, name.lanes);
    const std::map<std::string, Op> found = find_ops(dialect, all);
    std::vector<const Op*> ops;
    for (const auto& [key, op] : found) {
      without_form.erase(key);
      const bool is_dual = dialect.has("v_dual_" + op.name.substr(2));
      if (rounds() > 1 || is_dual || not_gfx9.contains(key) || random.one_in(6)) ops.push_back(&op);
    }
    try_forms(dialect, ops);
  }
  // Definitions that are no instructions of their own, or that the assembler has under another name.
  std::string names;
  for (const auto& [key, op] : without_form) names += " " + key;
  {
    INFO("without a form:" << names);
    CHECK(without_form.size() <= 8);
  }
  uint32_t count = 0, left = 0;
  for (const auto& [name, n] : native) count += n.first, left += n.second;
  if (rounds() > 1) WARN(all.size() << " instructions in " << count << " forms, " << left << " left to tier 0; without a form:" << names);
  for (const auto& [name, n] : native) {
    INFO(name << ": " << n.second << " of " << n.first << " forms are left to tier 0");
    CHECK(n.second < n.first);
  }
}

TEST_CASE("Translated vector instructions round and treat denormals as MODE says") {
  // Rounding to nearest, up, down and towards zero, of all widths or of one, with denormals and without; then each of the other fields.
  constexpr uint32_t kRest = kModeDx10Clamp | kModeIeee;
  constexpr uint32_t kModes[] = {0x00 | kRest, 0xc0 | kRest, 0x30 | kRest, 0x90 | kRest, 0x0f | kRest, 0xf5 | kRest, 0xf8 | kRest,
                                 0xc3 | kRest, 0xf0 | kModeIeee, 0xf0 | kModeDx10Clamp, 0xf0 | kRest | kModeFp16Overflow};
  const Dialect dialect("gfx942", kMaxLanes);
  const std::map<std::string, Op> found = find_ops(dialect, table());
  std::vector<const Op*> floats;
  for (const auto& [key, op] : found)
    if (op.shape.floats) floats.push_back(&op);
  CHECK(floats.size() > 40);
  Random random(2);
  std::vector<Form> forms = find_forms(dialect, floats, random);
  if (rounds() <= 1) leave(rounds() / 2, forms, random);
  for (size_t k = 0; k < forms.size(); k += kPerProgram) {
    const std::vector<Form> some(forms.begin() + ptrdiff_t(k), forms.begin() + ptrdiff_t(std::min(k + kPerProgram, forms.size())));
    std::vector<std::string> foreign;
    check(dialect, some, random, foreign, random.of(kModes));
  }
}
