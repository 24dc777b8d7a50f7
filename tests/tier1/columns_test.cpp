// Kernels of blocks with rows note where they have been, for what lies ahead is fetched by it: by column where the grid has short
// rows, and all in one place where it has not. What they compute is the same either way.
#include "machine.h"

#include "runtime/engine/compile/emit/prefetch_notes.h"

#include <cstring>

using namespace tier1_test;

namespace {

// Work-item (x, y) adds 1 to the dword at s[0:1] + 4 x + 256 y.
constexpr const char* kItem = "v_and_b32 v1, 0x3ff, v0\nv_bfe_u32 v2, v0, 10, 10\n";
constexpr const char* kWithoutFirstColumns = "v_cmp_lt_u32 vcc, 3, v1\ns_and_saveexec_b64 s[2:3], vcc\n"; // some lanes are off
constexpr const char* kAddOne = R"(
  v_lshlrev_b32 v1, 2, v1
  v_lshl_add_u32 v1, v2, 8, v1
  global_load_dword v3, v1, s[0:1]
  s_waitcnt vmcnt(0)
  v_add_u32 v3, 1, v3
  global_store_dword v1, v3, s[0:1]
  s_endpgm
)";

// Its accesses' notes in a wave's block, as one column has them.
struct Notes {
  uint64_t load = 0, store = 0;
  bool operator==(const Notes&) const = default;
};
Notes notes_of(Machine& machine, uint32_t column) {
  Notes notes;
  static_assert(sizeof notes <= kRowBytes);
  std::memcpy(&notes, machine.wave().row(kFirstHintRow + column), sizeof notes);
  return notes;
}

} // namespace

TEST_CASE("Where waves have been is noted by column") {
  if (Guest::is_quick() || host_level().isa == HostIsa::Generic) return;
  const Assembler assembler("gfx942");
  const bool partial = GENERATE(false, true);
  const std::string text = std::string(kItem) + (partial ? kWithoutFirstColumns : "") + kAddOne;
  Guest guest(assembler, "gfx942", text, true);
  compile::Start start;
  start.item_ids = 0xfffff, start.items = {32, 4, 1};
  const Inst* tier1 = guest.tier1(start);

  const uint32_t columns = GENERATE(0u, 2u, 5u, kMostColumns);
  Random random(columns);
  Machine machine, expected;
  for (uint32_t group = 0; group < 2 * kMostColumns; ++group) {
    const uint32_t column = columns ? group % columns : 0;
    Notes before[kMostColumns];
    for (uint32_t c = 0; c < kMostColumns; ++c) before[c] = notes_of(machine, c);
    const uint64_t at = machine.arena() + 128 * column;
    for (Machine* m : {&machine, &expected}) {
      Random same(group);
      m->randomize(same);
      for (uint32_t c = 0; c < kMostColumns; ++c) std::memcpy(m->wave().row(kFirstHintRow + c), &before[c], sizeof(Notes));
      for (uint32_t lane = 0; lane < kMaxLanes; ++lane) m->wave().row(0)[lane] = lane % 32 | lane / 32 << 10;
      m->wave().set_sgpr64(0, m->arena() + 128 * column);
      m->wave().columns = columns, m->wave().column = column;
    }
    machine.run(guest, tier1);
    expected.run(guest, guest.tier0());
    INFO(text << "group " << group << " of rows of " << columns);
    REQUIRE(std::memcmp(reinterpret_cast<void*>(machine.arena()), reinterpret_cast<void*>(expected.arena()), Machine::kArenaBytes) == 0);
    for (uint32_t c = 0; c < kMostColumns; ++c) CHECK(notes_of(machine, c) == (c == column ? Notes{at, at} : before[c]));
  }
}
