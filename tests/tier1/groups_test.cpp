// Whole work-groups: waves that meet at barriers, end early, wait, fault, or leave translated code on their own do the
// same as handlers and as translated code, which runs the waves of a group together where it can. What counts is memory
// and the report.
#include "writer.h"

#include "runtime/engine/wave/grid.h"
#include "runtime/engine/tiering/tier1.h"
#include "runtime/engine/tools/launch_counts.h"

#include <bit>
#include <cstring>

using namespace tier1_test;

namespace {

constexpr uint32_t kArenaBytes = 1 << 18, kGroups = 3;
constexpr uint32_t kDumpOffset = 0x10000; // from the arena's begin: where each work-item leaves registers
constexpr uint32_t kDumpedVgprs = 4;

// At the same place in all runs, for programs compute with its address.
struct Memory final : AddressSpace {
  std::vector<uint64_t>& words;
  Memory() : words(shared()) { arena_base = reinterpret_cast<uint64_t>(words.data()), arena_bytes = kArenaBytes; }
  bool accessible(uint64_t, uint64_t, Access) const noexcept override { return false; }
  std::string describe(uint64_t) const override { return "nowhere"; }
  static std::vector<uint64_t>& shared() {
    static std::vector<uint64_t> memory(kArenaBytes / 8);
    return memory;
  }
};

struct Setting {
  std::array<uint32_t, 3> shape{};
  bool tail = false; // the last group lacks waves
  uint64_t seed = 0; // of SGPRs and memory
};

struct Outcome {
  std::vector<uint64_t> memory;
  std::string report;
};

// The registers in which a kernel's waves find three dimensions of work-item ids.
uint32_t item_id_vgprs(const Dialect& dialect) {
  return find_target(dialect.processor())->family->item_ids == hip::codeobject::ItemIdLayout::Packed ? 1 : 3;
}

// Runs the kernel for kGroups work-groups. `tier1`: null for handlers alone. `tool`: of a guest in its instrumented form.
Outcome execute(const Dialect& dialect, Guest& guest, const Inst* tier1, const Setting& setting, Tool* tool = nullptr) {
  const uint32_t lanes = dialect.lanes(), id_vgprs = item_id_vgprs(dialect);
  Random random(setting.seed);
  Memory memory;
  for (uint64_t& word : memory.words) word = any_bits(random) | uint64_t(any_bits(random)) << 32;
  const uint32_t known = setting.shape[0] | setting.shape[1] << 16;
  std::memcpy(reinterpret_cast<char*>(memory.words.data()) + Writer::kKnownArgument, &known, 4);

  WaveGrid grid(memory);
  GridShape& shape = grid.shape;
  Wave& w = shape.initial;
  w = Wave{};
  w.lanes = lanes;
  w.set_sgpr64(0, memory.arena_base), w.set_sgpr64(2, memory.arena_base + Writer::kStoreOffset);
  for (uint32_t s = 4; s < 20; ++s) w.sgpr[s] = random.one_in(2) ? random.below(100) : any_bits(random);
  w.mode = kModeDx10Clamp | kModeIeee | 0xf0;
  w.vgpr_rows = kMaxVgprs;
  w.shared_aperture = 1ull << 56, w.private_aperture = 2ull << 56;
  w.program = &guest.program();
  w.pc = guest.tier0();
  w.lds_bytes = shape.lds_bytes = 1 << 13;
  w.scratch_bytes = 64, shape.scratch_wave_bytes = 64 * kMaxLanes;
  shape.items = shape.tail = setting.shape;
  if (setting.tail) shape.tail[0] = setting.shape[0] - lanes;
  shape.groups = {kGroups, 1, 1}, shape.group_count = kGroups;
  const uint32_t items = setting.shape[0] * setting.shape[1] * setting.shape[2];
  shape.waves_per_group = items / lanes;
  shape.item_id_vgprs = id_vgprs;
  shape.whole_waves = true;
  shape.one_dimension = setting.shape[1] * setting.shape[2] == 1;
  shape.entry_pc = guest.begin();
  shape.group_id_sgpr[0] = 20; // behind the registers that programs use
  shape.initial_sgprs = 21;
  shape.directory = &guest;
  ItemIds ids;
  set_item_ids(ids, setting.shape, kAllItemIds, id_vgprs, lanes);
  shape.ids = &ids;
  TieredFunction kernel;
  kernel.start.store(tier1);
  kernel.asked.store(true);
  shape.tiered_full = tier1 ? &kernel : nullptr;
  grid.tool = tool;
  WaveWorker worker;
  grid.run(worker);
  REQUIRE(grid.finished());
  return {memory.words, grid.status().message()};
}

// Every register that programs use: what is undefined differs. The work-item ids come to lie in v0.
std::string prologue(const Dialect& dialect) {
  std::string text = fmt::format("s_cmp_lg_u32 0, 0\n{} vcc, 0\n", dialect.mask_op("s_mov"));
  for (uint32_t v = 1; v < item_id_vgprs(dialect); ++v) text += fmt::format("v_lshl_or_b32 v0, v{}, {}, v0\n", v, 10 * v);
  for (uint32_t s = 21; s < 100; ++s) text += fmt::format("s_mov_b32 s{}, 0\n", s);
  for (uint32_t v = 1; v < 64; ++v) text += fmt::format("v_mov_b32 v{}, 0\n", v);
  return dialect.respelled(text);
}

// With what the kernel starts.
compile::Start start_of(const Dialect& dialect, const Setting& setting) {
  compile::Start start;
  start.item_id_vgprs = item_id_vgprs(dialect);
  start.item_ids = start.item_id_vgprs == 1 ? kAllItemIds : 0x3ff;
  start.items = setting.shape;
  start.kernarg_sgpr = 0;
  start.arguments = {{Writer::kKnownArgument, setting.shape[0] | setting.shape[1] << 16}};
  return start;
}

// What differs, or an empty string; `text` is the dialect's.
std::string run(const Dialect& dialect, const Setting& setting, const std::string& text, bool* faulted = nullptr) {
  Guest guest(dialect, prologue(dialect) + text, true);
  const compile::Start start = start_of(dialect, setting);
  const Outcome expected = execute(dialect, guest, nullptr, setting);
  if (faulted) *faulted = !expected.report.empty();
  for (const auto optimise : {compile::Optimise::Nothing, compile::Optimise::Everything}) {
    const std::string form = optimise == compile::Optimise::Nothing ? "without optimisations: " : "optimised: ";
    const Inst* entry = guest.tier1(start, optimise);
    const Outcome found = execute(dialect, guest, entry, setting);
    if (found.report != expected.report)
      return form + "tier 0 reports '" + expected.report + "', tier 1 '" + found.report + "'";
    if (!expected.report.empty()) continue; // others may have come further
    for (size_t k = 0; k < expected.memory.size(); ++k)
      if (found.memory[k] != expected.memory[k])
        return form +
               fmt::format("the memory at {:#x} is {:#x}, in tier 1 {:#x}", 8 * k, expected.memory[k], found.memory[k]);
  }
  return {};
}

// The instrumented form of the same: what is left in memory is the plain form's, and both tiers count the same.
std::string run_watched(const Dialect& dialect, const Setting& setting, const std::string& text) {
  Guest plain(dialect, prologue(dialect) + text, true);
  Guest watched(dialect, prologue(dialect) + text, true, CodeForm::Instrumented);
  const Outcome expected = execute(dialect, plain, nullptr, setting);
  LaunchCounter in_tier0, in_tier1;
  const Outcome outcomes[] = {execute(dialect, watched, nullptr, setting, &in_tier0),
                              execute(dialect, watched, watched.tier1(start_of(dialect, setting)), setting, &in_tier1)};
  for (const Outcome& found : outcomes) {
    if (found.report != expected.report) return "plain code reports '" + expected.report + "', instrumented code '" + found.report + "'";
    if (found.report.empty() && found.memory != expected.memory) return "instrumented code leaves something else in memory";
  }
  if (!expected.report.empty()) return {}; // others may have come further
  const LaunchCounts a = in_tier0.counts(), b = in_tier1.counts();
  for (size_t k = 0; k < kInstructionClasses; ++k)
    if (a.executed.by_class[k] != b.executed.by_class[k])
      return fmt::format("tier 0 executes {} instructions of class {} with {} lanes, tier 1 {} with {}",
                         a.executed.by_class[k].instructions, k, a.executed.by_class[k].active_lanes,
                         b.executed.by_class[k].instructions, b.executed.by_class[k].active_lanes);
  return a == b ? "" : "accesses are counted differently";
}

// Parts of a kernel between which waves meet. v36 holds the ids, v48 the number of the work-item in its group, v49 its
// place in a row of dwords, s24 the number of the wave; s20 is the group's.
class Kernel {
public:
  Kernel(Random& random, const Dialect& dialect, const std::array<uint32_t, 3>& shape)
      : random_(random), dialect_(dialect), writer_(random, dialect) {
    writer_.line("v_mov_b32 v36, v0\nv_and_b32 v48, 0x3ff, v0\nv_bfe_u32 v49, v0, 10, 10");
    writer_.line(
        fmt::format("v_mul_u32_u24 v49, {}, v49\nv_add_u32 v48, v48, v49\nv_bfe_u32 v49, v0, 20, 10", shape[0]));
    writer_.line(fmt::format("v_mul_u32_u24 v49, {}, v49\nv_add_u32 v48, v48, v49", shape[0] * shape[1]));
    if (shape[1] * shape[2] == 1) writer_.line("v_mov_b32 v48, v0");
    writer_.line("v_lshlrev_b32 v49, 2, v48\nv_readfirstlane_b32 s24, v48\ns_lshr_b32 s24, s24, " + std::to_string(std::countr_zero(dialect.lanes())));
  }
  std::string text(uint32_t parts) {
    for (uint32_t k = 0; k < parts; ++k) {
      part();
      between();
    }
    part();
    // What is left in registers goes to memory.
    const uint32_t group_bytes = 1024 * 4 * kDumpedVgprs;
    writer_.line(dialect_.mask_op("s_mov") + " exec, -1");
    writer_.line(
        fmt::format("s_mul_i32 s25, s20, {}\nv_lshlrev_b32 v50, {}, v48\nv_add_u32 v50, s25, v50", group_bytes, 4));
    writer_.line(fmt::format("v_add_u32 v50, {}, v50", kDumpOffset));
    for (uint32_t k = 0; k < kDumpedVgprs; ++k) {
      if (random_.one_in(3)) writer_.line(fmt::format("v_xor_b32 v{}, s{}, v{}", k, random_.between(4, 15), k));
      writer_.line(fmt::format("global_store_dword v50, v{}, s[0:1] offset:{}",
                               random_.one_in(2) ? k : random_.below(16), 4 * k));
    }
    writer_.line("end:\ns_endpgm");
    return writer_.text();
  }

private:
  void part() {
    if (random_.one_in(2))
      writer_.straight(random_.between(1, 6));
    else
      writer_.structured(random_.between(1, 4), 2);
  }
  void only_where_vcc() { writer_.line(fmt::format("{} {}, vcc", dialect_.mask_op("s_and_saveexec"), dialect_.mask(26))); }
  void everywhere() { writer_.line(fmt::format("{} exec, exec, {}", dialect_.mask_op("s_or"), dialect_.mask(26))); }
  void exchange() {
    const uint32_t v = random_.below(16), mask = 4u << random_.below(8);
    writer_.line(
        fmt::format("ds_write_b32 v49, v{}\ns_barrier\nv_xor_b32 v50, {}, v49\nds_read_b32 v51, v50", v, mask));
    writer_.line(fmt::format("v_add_u32 v{}, v{}, v51\ns_barrier", random_.below(16), v));
  }
  void halves() { // as trees of sums have it
    writer_.line(fmt::format("v_cmp_gt_u32 vcc, {}, v48\nds_write_b32 v49, v{}\ns_barrier", 1u << random_.below(10),
                             random_.below(16)));
    only_where_vcc();
    const std::string end = label();
    if (random_.one_in(2)) writer_.line("s_cbranch_execz " + end);
    writer_.line("ds_read2_b32 v[50:51], v49 offset1:16\nv_add_u32 v50, v50, v51\nds_write_b32 v49, v50\n" + end + ":");
    everywhere();
    writer_.line("s_barrier");
    writer_.line(fmt::format("ds_read_b32 v{}, v49", random_.below(16)));
  }
  void pairs() { // as sorting networks have them, each wave its own, at a distance that only some waves share
    writer_.line(fmt::format("ds_write_b32 v49, v{}\nds_write_b32 v49, v{} offset:4096\ns_barrier", random_.below(16),
                             random_.below(16)));
    writer_.line(
        fmt::format("s_lshr_b32 s28, s24, {}\ns_and_b32 s28, s28, 3\ns_lshl_b32 s28, 1, s28", random_.below(3)));
    writer_.line("s_sub_i32 s29, s28, 1\nv_and_b32 v38, s29, v48\nv_lshlrev_b32 v39, 1, v48\nv_sub_u32 v38, v39, v38");
    writer_.line(
        "v_lshlrev_b32 v38, 2, v38\nv_lshl_add_u32 v39, s28, 2, v38\nds_read_b32 v50, v38\nds_read_b32 v51, v39");
    writer_.line("v_cmp_gt_u32 vcc, v50, v51");
    only_where_vcc();
    writer_.line("ds_write_b32 v38, v51\nds_write_b32 v39, v50");
    everywhere();
    writer_.line("s_barrier");
    writer_.line(fmt::format("ds_read_b32 v{}, v49\nds_read_b32 v{}, v49 offset:4096", random_.below(8),
                             random_.between(8, 15)));
  }
  void between() {
    switch (random_.below(13)) {
    case 0:
    case 1:
    case 2:
      return exchange();
    case 3:
    case 4:
    case 5:
      return halves();
    case 6: // some waves end
      return writer_.line(fmt::format("s_cmp_{} s24, {}\ns_cbranch_scc1 end\ns_barrier",
                                      random_.one_in(2) ? "eq_u32" : "gt_u32", random_.below(6)));
    case 7: { // another barrier for some
      const std::string other = label(), join = label();
      writer_.line(fmt::format("s_cmp_lt_u32 s24, {}\ns_cbranch_scc1 {}", random_.below(5), other));
      writer_.line(fmt::format(
          "s_barrier\nv_add_u32 v1, 1, v1\ns_branch {}\n{}:\ns_barrier\nv_add_u32 v1, 2, v1\n{}:", join, other, join));
      return;
    }
    case 8:
      return writer_.line("s_sleep 1");
    case 9: { // a loop with barriers
      const std::string begin = label();
      writer_.line(fmt::format("s_mov_b32 s28, {}\n{}:", random_.between(1, 4), begin));
      exchange();
      writer_.line(fmt::format("s_sub_u32 s28, s28, 1\ns_cmp_lg_u32 s28, 0\ns_cbranch_scc1 {}", begin));
      return;
    }
    case 10:
      return writer_.line("v_readfirstlane_b32 s11, v48\nscratch_store_dword off, v48, "
                          "off\ns_barrier\nscratch_load_dword v3, off, off");
    case 11: return pairs();
    default:
      return writer_.line("s_barrier\ns_barrier");
    }
  }
  std::string label() { return fmt::format("k{}", labels_++); }

  Random& random_;
  const Dialect& dialect_;
  Writer writer_;
  uint32_t labels_ = 0;
};

constexpr std::array<uint32_t, 3> kShapes[] = {{256, 1, 1}, {64, 1, 1}, {512, 1, 1}, {32, 8, 1},
                                               {16, 16, 1}, {8, 8, 4},  {128, 2, 1}, {1024, 1, 1},
                                               {48, 4, 1},  {96, 2, 1}, {64, 4, 1},  {8, 8, 1}};

Setting any_setting(Random& random, uint32_t lanes) {
  Setting setting;
  setting.shape = random.of(kShapes);
  setting.tail = setting.shape[0] > lanes && setting.shape[1] * setting.shape[2] == 1 && random.one_in(3);
  setting.seed = random();
  return setting;
}

} // namespace

TEST_CASE("Random kernels do the same for whole work-groups") {
  uint32_t faults = 0, programs = 0;
  for (const DialectName& name : kDialects) {
    const Dialect dialect(name.processor, name.lanes);
    const uint32_t kernels = name.processor == std::string_view("gfx942") ? 24 : 8;
    Random random(21);
    for (uint32_t k = 0; k < tries(kernels); ++k) {
      const Setting setting = any_setting(random, name.lanes);
      const std::string text = Kernel(random, dialect, setting.shape).text(random.between(1, 5));
      bool faulted = false;
      const std::string wrong = run(dialect, setting, text, &faulted);
      ++programs, faults += faulted;
      if (wrong.empty()) continue;
      FAIL_CHECK(wrong);
      const std::string shorter = reduced(text, [&](const std::string& some) {
        return some.find("s_endpgm") != some.npos && dialect.assembler().accepts(some) && !run(dialect, setting, some).empty();
      });
      FAIL_CHECK(fmt::format("{}, waves of {} lanes, work-group {}x{}x{}: ", name.processor, name.lanes, setting.shape[0], setting.shape[1],
                             setting.shape[2])
                 << run(dialect, setting, shorter) << "\n"
                 << shorter);
    }
  }
  CHECK(faults * 4 < programs); // those that fault compare little
}

TEST_CASE("Both tiers count the same instructions and accesses of whole work-groups") {
  for (const DialectName& name : kDialects) {
    const Dialect dialect(name.processor, name.lanes);
    const uint32_t kernels = name.processor == std::string_view("gfx942") ? 10 : 3;
    Random random(22);
    for (uint32_t k = 0; k < tries(kernels); ++k) {
      const Setting setting = any_setting(random, name.lanes);
      const std::string text = Kernel(random, dialect, setting.shape).text(random.between(1, 4));
      CAPTURE(name.processor, name.lanes, setting.shape[0], setting.shape[1], setting.shape[2], text);
      CHECK(run_watched(dialect, setting, text) == "");
    }
  }
}

TEST_CASE("A fault of one wave of many is reported for that wave") {
  const Dialect dialect("gfx942", kMaxLanes);
  install_fault_handlers();
  // The wave with number 2 stores outside of everything; the last argument leaves a way that the host has to catch.
  const std::string text =
      "v_readfirstlane_b32 s24, v0\ns_lshr_b32 s24, s24, 6\nv_lshlrev_b32 v1, 2, v0\ns_cmp_eq_u32 s24, 2\n"
      "s_cselect_b32 s5, 0x7fff0000, 0\ns_add_u32 s6, s0, 0\ns_addc_u32 s7, s1, s5\ns_barrier\n"
      "global_store_dword v1, v0, s[6:7]\ns_endpgm\n";
  Setting setting;
  setting.shape = {256, 1, 1};
  setting.seed = 3;
  bool faulted = false;
  CHECK(run(dialect, setting, text, &faulted).empty());
  CHECK(faulted);
}

// What one wave finds out of how its pairs lie says nothing of a wave whose pairs lie otherwise.
TEST_CASE("Each wave of a work-group sorts pairs at a distance of its own") {
  const Dialect dialect("gfx942", kMaxLanes);
  Setting setting;
  setting.shape = {512, 1, 1};
  for (uint32_t shift = 0; shift < 4; ++shift) {
    const std::string distance =
        fmt::format("s_lshr_b32 s28, s24, {}\ns_and_b32 s28, s28, 3\ns_lshl_b32 s28, 1, s28\n", shift);
    const std::string text =
        "v_mov_b32 v48, v0\nv_lshlrev_b32 v49, 2, v48\nv_readfirstlane_b32 s24, v48\ns_lshr_b32 s24, s24, 6\n"
        "v_mul_lo_u32 v50, v48, s4\nv_xor_b32 v51, s5, v50\nds_write_b32 v49, v50\nds_write_b32 v49, v51 offset:2048\n"
        "s_barrier\n" +
        distance +
        "s_add_i32 s29, s28, -1\nv_lshlrev_b32 v37, 1, v0\nv_and_b32 v38, s29, v0\nv_sub_u32 v40, v37, v38\n"
        "v_lshlrev_b32 v38, 2, v40\nv_lshl_add_u32 v39, s28, 2, v38\nds_read_b32 v50, v38\nds_read_b32 v51, v39\n"
        "v_cmp_gt_u32 vcc, v50, v51\ns_and_saveexec_b64 s[26:27], vcc\nds_write_b32 v38, v51\nds_write_b32 v39, v50\n"
        "s_or_b64 exec, exec, s[26:27]\ns_barrier\nds_read_b32 v50, v49\nds_read_b32 v51, v49 offset:2048\n"
        "v_add_u32 v52, 0x2000, v49\nglobal_store_dword v52, v50, s[0:1]\nglobal_store_dword v52, v51, s[0:1] "
        "offset:2048\n"
        "s_endpgm\n";
    for (setting.seed = 1; setting.seed < 4; ++setting.seed) {
      CAPTURE(shift, setting.seed);
      CHECK(run(dialect, setting, text) == "");
    }
  }
}

TEST_CASE("What is known of a register ends behind a barrier that its code does not touch it at") {
  const Dialect dialect("gfx942", kMaxLanes);
  const std::string text =
      "v_mov_b32 v48, v0\nv_mov_b32 v2, 0\nds_write_b32 v2, v48\ns_barrier\nds_read_b32 v5, v2\ns_mov_b32 s28, "
      "3\ns_barrier\n"
      "v_mov_b32 v6, 0\nagain:\ns_barrier\nv_add_u32 v5, v5, v48\ns_sub_u32 s28, s28, 1\ns_cmp_lg_u32 s28, 0\n"
      "s_cbranch_scc1 again\nv_lshlrev_b32 v50, 2, v48\nv_add_u32 v50, 0x10000, v50\nglobal_store_dword v50, v5, "
      "s[0:1]\ns_endpgm\n";
  Setting setting;
  setting.shape = {256, 1, 1};
  setting.seed = 4;
  CHECK(run(dialect, setting, text) == "");
}
