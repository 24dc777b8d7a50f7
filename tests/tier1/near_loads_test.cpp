// Loads of bytes, shorts and dwords from device memory whose addresses nothing is known of before the code runs: lanes
// near each other in any order, which are loaded together where the host can, next to those that are not, at the ends
// of pages and of device memory. What the destination must hold is computed from the bytes that are there.
#include "loads.h"
#include "machine.h"

#include <algorithm>
#include <cstring>

using namespace tier1_test;

namespace {

struct Load {
  const char *gfx9, *gfx11; // names behind global_load_
  uint32_t bytes;
  bool is_signed, half, high; // half: 16 bits of the destination are written, the high ones or the low ones
};
constexpr Load kLoads[] = {
    {"ubyte", "u8", 1, false, false, false},         {"sbyte", "i8", 1, true, false, false},
    {"ushort", "u16", 2, false, false, false},       {"sshort", "i16", 2, true, false, false},
    {"ubyte_d16", "d16_u8", 1, false, true, false},  {"sbyte_d16_hi", "d16_hi_i8", 1, true, true, true},
    {"short_d16", "d16_b16", 2, false, true, false}, {"short_d16_hi", "d16_hi_b16", 2, false, true, true},
    {"dword", "b32", 4, false, false, false},
};

// A lane's destination, which held `old`.
uint32_t expected(const Load& load, uint64_t at, uint32_t old, bool clears) {
  uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(at), load.bytes);
  return written(load, value, old, clears);
}

// Where the lanes of a wave load, as distances into the arena.
constexpr uint32_t kArrangements = 9;
void arrange(Random& random, uint32_t kind, uint32_t bytes, uint64_t arena, uint32_t* at) {
  constexpr uint32_t kEnd = Machine::kArenaBytes, kPage = 4096;
  uint32_t base[4]; // of the strips
  for (uint32_t& b : base) b = random.between(512, kEnd - 1024);
  if (kind == 5) // the first lane is a little in front of a page's end
    for (uint32_t& b : base)
      b = uint32_t((b + arena) / kPage * kPage - arena) + (b < 2 * kPage ? 2 * kPage : 0) - random.below(280);
  for (uint32_t l = 0; l < kMaxLanes; ++l) {
    const uint32_t first = base[l / 16], lane = l % 16;
    switch (kind) {
    case 0:
      at[l] = first + (lane ? 4 * random.below(32) : 0);
      break; // dwords of a window's first half
    case 1:
      at[l] = first + (lane ? 4 * random.below(64) : 0);
      break; // of all of a window
    case 2:
      at[l] = first + (lane ? random.below(256) : 0);
      break; // bytes of it
    case 3:
      at[l] = first + (lane ? random.below(300) : 0);
      break; // some of them behind it
    case 4:
      at[l] = first - (lane ? 4 * random.below(20) : 0);
      break; // in front of the first lane
    case 5:
      at[l] = first + (lane ? 4 * random.below(20) : 0);
      break; // at the end of a page
    case 6:
      at[l] = kEnd - bytes - (lane ? 4 * random.below(40) : 160);
      break; // at the end of the arena
    case 7:
      at[l] = first + lane / 4 * 32 + lane % 4 * 4;
      break; // four and four side by side
    default:
      at[l] = lane == 9 ? random.below(kEnd - 4) : first + 4 * lane;
      break; // one far away from the others
    }
  }
}

void check(const char* target, uint32_t lanes, uint64_t seed, bool scalar_base) {
  const bool wide = lanes == kMaxLanes, clears = wide;
  const Assembler assembler(target);
  Random random(seed);
  Machine machine;
  for (const Load& load : kLoads)
    for (int32_t offset : {0, 24, -5}) {
      const std::string text =
          fmt::format("{}\nglobal_load_{} v6, {} offset:{}\ns_waitcnt vmcnt(0)\n",
                      wide ? "s_mov_b64 exec, s[94:95]" : "s_mov_b32 exec_lo, s94", wide ? load.gfx9 : load.gfx11,
                      scalar_base ? "v2, s[2:3]" : "v[2:3], off", offset);
      Guest guest(assembler, target, text, false, lanes);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < kArrangements * kExecKinds; ++trial) {
        machine.randomize(random);
        Wave& w = machine.wave();
        const uint64_t exec =
            trial % 5 == 4 ? 1ull << random.below(lanes) : any_exec(trial % kExecKinds, random, lanes);
        w.set_sgpr64(94, exec);
        uint32_t at[kMaxLanes], want[kMaxLanes];
        arrange(random, trial / kExecKinds, load.bytes, machine.arena(), at);
        const uint64_t base = machine.arena() - uint64_t(int64_t(offset));
        w.set_sgpr64(2, base);
        for (uint32_t l = 0; l < lanes; ++l) {
          want[l] = w.row(6)[l];
          if (exec >> l & 1) { // the others' addresses are anything
            const uint64_t address = scalar_base ? at[l] : base + at[l];
            w.row(2)[l] = uint32_t(address), w.row(3)[l] = uint32_t(address >> 32);
            want[l] = expected(load, machine.arena() + at[l], want[l], clears);
          }
        }
        machine.run(guest, tier1);
        INFO(target << ": " << load.gfx9 << ", offset " << offset << ", arrangement " << trial / kExecKinds << ", exec "
                    << std::hex << exec);
        REQUIRE(w.stop == Stop::Ended);
        REQUIRE(std::memcmp(w.row(6), want, lanes * sizeof *want) == 0);
      }
    }
}

} // namespace

TEST_CASE("Loads find what is there, however near each other the lanes are") {
  check("gfx942", kMaxLanes, 51, true);
  check("gfx942", kMaxLanes, 52, false);
}
TEST_CASE("Loads find what is there in waves of 32 lanes") {
  check("gfx1100", 32, 53, true);
  check("gfx1100", 32, 54, false);
}
