// Random programs that start as kernels do, with what tier 1 then knows: work-item ids of several block shapes, the kernarg
// segment, waves with all lanes and without. What follows from that (one-lane code, consecutive addresses, versions by
// EXEC) must not show: each program runs as handlers of one lane at a time, which are the reference, as tier 0's handlers
// of this host, and translated, with all optimisations and with none.
#include "writer.h"

#include "runtime/engine/target/target.h"
#include "runtime/engine/wave/grid_shape.h"

using namespace tier1_test;

namespace {

constexpr std::array<uint32_t, 3> kShapes[] = {{256, 1, 1}, {64, 1, 1},  {1024, 1, 1}, {16, 16, 1}, {32, 8, 1}, {48, 2, 1},
                                               {100, 1, 1}, {8, 8, 1},   {32, 32, 1},  {7, 9, 1},   {16, 4, 2}, {4, 4, 4},
                                               {512, 2, 1}, {64, 16, 1}, {80, 3, 1},   {1, 1, 64},  {32, 5, 1},  {96, 2, 1},
                                               {48, 3, 1},  {16, 5, 1},  {8, 5, 1},    {32, 4, 3}};

// Which waves of a work-group there are: with all lanes, or the last one without.
struct Waves {
  uint32_t lanes, items, count;
  Waves(const std::array<uint32_t, 3>& shape, uint32_t lanes)
      : lanes(lanes), items(shape[0] * shape[1] * shape[2]), count((items + lanes - 1) / lanes) {}
  bool last_is_partial() const { return items % lanes != 0; }
  uint32_t full() const { return items / lanes; }
};

// Where a kernel finds its work-item ids: all in v0, or one dimension in each register.
struct ItemIdPlaces {
  uint32_t mask, vgprs;
};
// The ids that the kernel asks for: of one dimension, two or three, so that every case comes up.
ItemIdPlaces item_ids_of(const Dialect& dialect, const std::array<uint32_t, 3>& shape) {
  constexpr uint32_t kMasks[] = {0x3ff, 0xfffff, kAllItemIds};
  const uint32_t last = (shape[0] / 16 + shape[1] + shape[2]) % 3;
  const bool packed = find_target(dialect.processor())->family->item_ids == hip::codeobject::ItemIdLayout::Packed;
  return packed ? ItemIdPlaces{kMasks[last], 1} : ItemIdPlaces{kMasks[0], last + 1};
}

// A wave of the work-group as the engine starts it.
void start_wave(Machine& machine, const ItemIdPlaces& places, const std::array<uint32_t, 3>& shape, uint32_t index, bool defined, Random& random) {
  machine.randomize(random);
  Wave& w = machine.wave();
  const Waves waves(shape, w.lanes);
  const uint32_t active = std::min(w.lanes, waves.items - index * w.lanes);
  w.set_sgpr64(kExecLo, all_lanes(active));
  if (defined) // the others are undefined, which tier 1 takes as 0
    for (uint32_t r = 1; r < kMaxVgprs; ++r) std::fill_n(w.row(r), kMaxLanes, 0);
  ItemIds ids;
  set_item_ids(ids, shape, places.mask, places.vgprs, w.lanes);
  for (uint32_t r = 0; r < places.vgprs; ++r) {
    const uint32_t* const row = &ids.rows[(index * places.vgprs + r) * kMaxLanes];
    for (uint32_t l = 0; l < w.lanes; ++l) {
      // Inactive lanes have no ids; let them follow from the first lane of their part of a row, as facts have it.
      const uint32_t part = shape[0] % w.lanes == 0 ? w.lanes : shape[0] % 32 == 0 ? 32 : 16;
      const uint32_t from = shape[1] * shape[2] == 1 ? 0 : l - l % part;
      w.row(r)[l] = l < active ? row[l] : (from < active ? row[from] : 0) + (r == 0 ? l - from : 0);
    }
  }
  w.set_sgpr64(0, machine.arena());
  w.set_sgpr64(2, machine.arena() + Writer::kStoreOffset);
  for (uint32_t s = 4; s < 16; ++s)
    if (random.one_in(2)) w.sgpr[s] = random.below(100);
  const uint32_t known = shape[0] | shape[1] << 16;
  std::memcpy(reinterpret_cast<void*>(machine.arena() + Writer::kKnownArgument), &known, 4);
}

struct Count {
  uint32_t programs = 0, runs = 0, faults = 0, native = 0, foreign = 0;
};

// A program and the waves that it is run for.
struct Setting {
  std::array<uint32_t, 3> shape{};
  bool full = true;    // waves with all lanes, else the work-group's last one
  bool defined = true; // as a kernel: only v0 is defined
  uint64_t seed = 0;   // of the states
  bool plainly = false; // also translated without optimisations
};

// What differs, or an empty string.
std::string run(const Dialect& dialect, const Setting& setting, const std::string& text, Count& count, bool must_end) {
  Guest guest(dialect, text, setting.defined);
  const ItemIdPlaces places = item_ids_of(dialect, setting.shape);
  compile::Start start;
  start.version = setting.full ? compile::Version::Full : compile::Version::Partial;
  start.item_ids = places.mask, start.item_id_vgprs = places.vgprs;
  start.items = setting.shape;
  start.kernarg_sgpr = 0;
  start.arguments = {{Writer::kKnownArgument, setting.shape[0] | setting.shape[1] << 16}};
  std::vector<Machine::Form> forms = {{"tier 0", guest.tier0()}, {"tier 1", guest.tier1(start)}};
  if (setting.plainly) forms.push_back({"tier 1 without optimisations", guest.tier1(start, compile::Optimise::Nothing)});
  count.native += guest.translation().native, count.foreign += guest.translation().foreign;
  Machine machine(dialect.lanes());
  Random random(setting.seed);
  const Waves waves(setting.shape, dialect.lanes());
  for (uint32_t trial = 0; trial < 6; ++trial) {
    const uint32_t index = setting.full ? random.below(waves.full()) : waves.count - 1;
    start_wave(machine, places, setting.shape, index, setting.defined, random);
    Stop stop;
    const std::string wrong = machine.compare_with_reference(guest, forms, &stop);
    ++count.runs, count.faults += stop == Stop::Fault;
    if (must_end && stop != Stop::Ended) continue;
    if (!wrong.empty()) return fmt::format("wave {}: {}", index, wrong);
  }
  return {};
}

void check(const Dialect& dialect, Random& random, bool branches, Count& count) {
  Setting setting;
  setting.shape = random.of(kShapes);
  const Waves waves(setting.shape, dialect.lanes());
  setting.full = waves.full() && !(waves.last_is_partial() && random.one_in(2));
  setting.defined = random.one_in(2);
  setting.seed = random();
  setting.plainly = random.one_in(4);
  Writer writer(random, dialect);
  for (uint32_t r = 1; r < item_ids_of(dialect, setting.shape).vgprs; ++r) writer.line(fmt::format("v_lshl_or_b32 v0, v{}, {}, v0", r, 10 * r));
  writer.line("v_mov_b32 v36, v0");
  const uint32_t sections = branches ? 1 : 4;
  for (uint32_t k = 0; k < sections; ++k) {
    if (k) writer.line("v_mov_b32 v0, v36");
    // As kernels begin with more than one dimension.
    if (random.one_in(2)) writer.line("v_and_b32 v1, 0x3ff, v0\nv_bfe_u32 v2, v0, 10, 10");
    if (branches)
      writer.structured(8, 2 + random.below(2));
    else
      writer.straight(20);
  }
  count.programs += sections;
  const std::string wrong = run(dialect, setting, writer.text(), count, false);
  if (wrong.empty()) return;
  FAIL_CHECK(wrong); // reducing it may take a while
  Count uncounted;
  const std::string text = reduced(writer.text(), [&](const std::string& shorter) {
    return dialect.assembler().accepts(shorter) && !run(dialect, setting, shorter, uncounted, true).empty();
  });
  FAIL_CHECK(fmt::format("{}, waves of {} lanes, work-group {}x{}x{}, {}: ", dialect.processor(), dialect.lanes(), setting.shape[0], setting.shape[1], setting.shape[2],
                         setting.defined ? "as a kernel" : "all registers count")
             << "\nreduced: " << run(dialect, setting, text, uncounted, true) << "\n" << text);
}

// Counts into `all` how many runs there were and how many of them ended in a fault.
void check_many(const DialectName& name, uint32_t programs, bool branches, uint64_t seed, Count& all) {
  const Dialect dialect(name.processor, name.lanes);
  Random random(seed);
  Count count;
  for (uint32_t k = 0; k < tries(programs); ++k) check(dialect, random, branches, count);
  if (rounds() > 1)
    WARN(name.processor << ", waves of " << name.lanes << ": " << count.programs << " programs, " << count.runs << " runs, " << count.faults << " of them end in a fault; " << count.native
                        << " instructions translated, " << count.foreign << " left to tier 0");
  all.runs += count.runs, all.faults += count.faults;
}

// What only later families have is tried a quarter as often on each of the six.
uint32_t programs_for(const DialectName& name, uint32_t most) { return name.processor == std::string_view("gfx942") ? most : most / 4; }

} // namespace

TEST_CASE("Random programs without branches do the same in all forms") {
  Count count;
  uint64_t seed = 4;
  for (const DialectName& name : kDialects) check_many(name, programs_for(name, 24), false, seed += 100, count);
  CHECK(count.faults * 10 < count.runs);
}
TEST_CASE("Random programs with branches and loops do the same in all forms") {
  Count count;
  uint64_t seed = 5;
  for (const DialectName& name : kDialects) check_many(name, programs_for(name, 24), true, seed += 100, count);
  CHECK(count.faults * 10 < count.runs);
}
