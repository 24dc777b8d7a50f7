// Accesses of one byte to four dwords in LDS, in every arrangement of addresses that the translator has a way for:
// elements side by side, one in each dword of a row, scattered ones within a window and far apart, elements that lie in
// two dwords, a single lane, lanes that are off or outside. What the destination must hold is computed from the bytes
// of LDS.
#include "loads.h"
#include "machine.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tier1_test;

namespace {

struct Load {
  const char* name;
  uint32_t bytes;
  bool is_signed, half, high; // half: 16 bits of the destination are written, the high ones or the low ones
};
constexpr Load kLoads[] = {
    {"u8", 1, false, false, false},      {"i8", 1, true, false, false},     {"u16", 2, false, false, false},    {"i16", 2, true, false, false},
    {"u8_d16", 1, false, true, false},   {"u8_d16_hi", 1, false, true, true}, {"i8_d16", 1, true, true, false}, {"i8_d16_hi", 1, true, true, true},
    {"u16_d16", 2, false, true, false},  {"u16_d16_hi", 2, false, true, true}, {"b32", 4, false, false, false},
};

// A lane's destination, which held `old`.
uint32_t expected(const Load& load, const uint8_t* lds, uint64_t at, uint32_t old, bool clears) {
  uint32_t value = 0;
  if (at + load.bytes <= Machine::kLdsBytes) std::memcpy(&value, lds + at, load.bytes);
  return written(load, value, old, clears);
}

// Addresses of a wave's lanes, by kind of arrangement.
constexpr uint32_t kArrangements = 11;
void arrange(Random& random, uint32_t kind, uint32_t bytes, uint32_t* at) {
  const uint32_t base = random.below(512), row = 4 * random.between(16, 40), in_line = 64 / bytes;
  const uint32_t aligned = base / (random.one_in(2) ? 32 : 16) * 16, pitch = 64 + 16 * random.below(4);
  for (uint32_t l = 0; l < kMaxLanes; ++l) {
    const uint32_t strip = l / 16, lane = l % 16;
    switch (kind) {
    case 0: at[l] = base + l * bytes; break;                                   // side by side
    case 1: at[l] = base / 4 * 4 + strip * row + lane * 4 + base % 3; break;   // one in each dword of a row
    case 2: at[l] = base + strip * row + lane * bytes; break;                  // a row for each strip
    case 3: at[l] = base + strip * row + (lane * 7 % 16) * 4; break;           // a permutation of a row
    case 4: at[l] = base + lane * row + strip * bytes; break;                  // a column for each lane
    case 5: at[l] = base; break;                                               // one for all
    case 6: at[l] = base + 3 + 4 * lane; break;                                // shorts in two dwords
    case 7:
      at[l] = base + (kMaxLanes - 1 - l) * bytes;
      break; // side by side, backwards
    case 8:
      at[l] = base + lane % 4 * bytes;
      break; // a few, which the lanes share
    case 9:
      at[l] = aligned + l / in_line * pitch + l % in_line * bytes;
      break; // lines of 64 bytes
    default: at[l] = random.below(Machine::kLdsBytes - 64); break;
    }
    at[l] %= Machine::kLdsBytes - 64;
  }
}

// Which lanes are on: any of them, or one alone in every fourth trial.
uint64_t some_lanes(uint32_t trial, Random& random, uint32_t lanes) {
  return trial % 4 == 3 ? 1ull << random.below(lanes) : any_exec(trial % kExecKinds, random, lanes);
}

// Lets some lanes of `at` access the last bytes of LDS, and what is behind them.
void to_the_end(Random& random, uint32_t offset, uint32_t* at) {
  for (uint32_t l = 0; l < kMaxLanes; ++l)
    if (random.one_in(20)) at[l] = Machine::kLdsBytes - offset - random.below(6);
}

// Lets each strip's elements follow one another, or lie in one dword each, up to the last bytes of LDS or a little
// further.
void lines_to_the_end(Random& random, uint32_t bytes, uint32_t offset, uint32_t* at) {
  const uint32_t step = random.one_in(2) ? bytes : 4;
  for (uint32_t strip = 0; strip < kMaxLanes / 16; ++strip) {
    const uint32_t first = Machine::kLdsBytes - offset - 16 * step + 3 - random.below(7);
    for (uint32_t lane = 0; lane < 16; ++lane) at[strip * 16 + lane] = first + lane * step;
  }
}

const char* exec_text(uint32_t lanes) { return lanes == kMaxLanes ? "s_mov_b64 exec, s[94:95]" : "s_mov_b32 exec_lo, s94"; }

// What a trial begins with: random registers, some lanes that are on, which it returns, and addresses in v2.
uint64_t begin(Machine& machine, Random& random, uint32_t trial, uint32_t kind, uint32_t lanes, uint32_t bytes, uint32_t offset) {
  machine.randomize(random);
  Wave& w = machine.wave();
  const uint64_t exec = some_lanes(trial, random, lanes);
  w.set_sgpr64(94, exec);
  uint32_t at[kMaxLanes];
  arrange(random, kind, bytes, at);
  if (random.one_in(3)) to_the_end(random, offset, at);
  if (random.one_in(6)) lines_to_the_end(random, bytes, offset, at);
  std::copy_n(at, lanes, w.row(2));
  return exec;
}

void check_loads(const char* target, uint32_t lanes, uint64_t seed) {
  const bool wide = lanes == kMaxLanes, clears = wide;
  const Assembler assembler(target);
  Random random(seed);
  Machine machine;
  for (const Load& load : kLoads) {
    for (uint32_t offset : {0u, 2u, 37u}) {
      const std::string text = fmt::format("{}\nds_{}_{} v3, v2 offset:{}\ns_waitcnt lgkmcnt(0)\n", exec_text(lanes),
                                           wide ? "read" : "load", load.name, offset);
      Guest guest(assembler, target, text, false, lanes);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < kArrangements * kExecKinds; ++trial) {
        const uint64_t exec = begin(machine, random, trial, trial / kExecKinds, lanes, load.bytes, offset);
        Wave& w = machine.wave();
        uint32_t want[kMaxLanes];
        for (uint32_t l = 0; l < lanes; ++l) {
          want[l] = w.row(3)[l];
          if (exec >> l & 1) want[l] = expected(load, w.lds, uint64_t(w.row(2)[l]) + offset, want[l], clears);
        }
        machine.run(guest, tier1);
        INFO(target << ": " << load.name << ", offset " << offset << ", arrangement " << trial / kExecKinds << ", exec " << std::hex << exec);
        REQUIRE(w.stop == Stop::Ended);
        REQUIRE(std::memcmp(w.row(3), want, lanes * sizeof *want) == 0);
      }
    }
  }
}

// Loads of several dwords, of elements that are inside as a whole, or else 0.
void check_wide_loads(const char* target, uint32_t lanes, uint64_t seed) {
  const Assembler assembler(target);
  Random random(seed);
  Machine machine;
  for (uint32_t dwords : {2u, 4u}) {
    for (uint32_t offset : {0u, 4u, 37u}) {
      const std::string text =
          fmt::format("{}\nds_{}_b{} v[4:{}], v2 offset:{}\ns_waitcnt lgkmcnt(0)\n", exec_text(lanes),
                      lanes == kMaxLanes ? "read" : "load", 32 * dwords, 3 + dwords, offset);
      Guest guest(assembler, target, text, false, lanes);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < kArrangements * kExecKinds; ++trial) {
        const uint64_t exec = begin(machine, random, trial, trial / kExecKinds, lanes, 4 * dwords, offset);
        Wave& w = machine.wave();
        uint32_t want[4][kMaxLanes];
        for (uint32_t l = 0; l < lanes; ++l) {
          const uint64_t at = uint64_t(w.row(2)[l]) + offset;
          for (uint32_t k = 0; k < dwords; ++k) {
            want[k][l] = exec >> l & 1 ? 0 : w.row(4 + k)[l];
            if ((exec >> l & 1) && at + 4 * dwords <= Machine::kLdsBytes)
              std::memcpy(&want[k][l], w.lds + at + 4 * k, 4);
          }
        }
        machine.run(guest, tier1);
        INFO(target << ": " << dwords << " dwords, offset " << offset << ", arrangement " << trial / kExecKinds
                    << ", exec " << std::hex << exec);
        REQUIRE(w.stop == Stop::Ended);
        for (uint32_t k = 0; k < dwords; ++k)
          REQUIRE(std::memcmp(w.row(4 + k), want[k], lanes * sizeof want[k][0]) == 0);
      }
    }
  }
}

// Stores of one dword to four. Where lanes share bytes, the highest lane's are there in the end.
void check_stores(const char* target, uint32_t lanes, uint64_t seed) {
  const Assembler assembler(target);
  Random random(seed);
  Machine machine;
  for (uint32_t dwords : {1u, 2u, 4u})
    for (uint32_t offset : {0u, 2u, 16u, 37u}) {
      const std::string data = dwords == 1 ? "v4" : fmt::format("v[4:{}]", 3 + dwords);
      const std::string text = fmt::format("{}\nds_{}_b{} v2, {} offset:{}\ns_waitcnt lgkmcnt(0)\n", exec_text(lanes),
                                           lanes == kMaxLanes ? "write" : "store", 32 * dwords, data, offset);
      Guest guest(assembler, target, text, false, lanes);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < 2 * kArrangements * kExecKinds; ++trial) {
        const uint32_t kind = trial / kExecKinds % kArrangements;
        const uint64_t exec = begin(machine, random, trial, kind, lanes, 4 * dwords, offset);
        Wave& w = machine.wave();
        std::vector<uint8_t> want(w.lds, w.lds + Machine::kLdsBytes);
        for (uint32_t l = 0; l < lanes; ++l) {
          const uint64_t at = uint64_t(w.row(2)[l]) + offset;
          if (!(exec >> l & 1) || at + 4 * dwords > Machine::kLdsBytes) continue;
          for (uint32_t k = 0; k < dwords; ++k) std::memcpy(&want[at + 4 * k], &w.row(4 + k)[l], 4);
        }
        machine.run(guest, tier1);
        INFO(target << ": store of " << dwords << ", offset " << offset << ", arrangement " << kind << ", exec "
                    << std::hex << exec);
        REQUIRE(w.stop == Stop::Ended);
        REQUIRE(std::memcmp(w.lds, want.data(), want.size()) == 0);
      }
    }
}

// ds_write2 and ds_read2 of two elements side by side, of `dwords` each, lane after lane `stride` bytes apart. An
// element that is not inside is dropped, or read as 0, whatever becomes of the other one.
void check_pairs(uint32_t dwords, uint32_t stride, uint32_t base, uint32_t offset, Random& random) {
  const Assembler assembler("gfx942");
  const uint32_t bytes = 4 * dwords, type = 32 * dwords;
  const auto registers = [&](uint32_t first, uint32_t count) {
    return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
  };
  // (The second element's data does not lie behind the first one's.)
  const std::string text = fmt::format("v_mul_u32_u24 v1, {}, v0\nv_add_u32 v1, {}, v1\ns_mov_b64 exec, s[94:95]\n"
                                       "ds_write2_b{} v1, {}, {} offset0:{} offset1:{}\ns_waitcnt lgkmcnt(0)\n"
                                       "ds_read2_b{} {}, v1 offset0:{} offset1:{}\ns_waitcnt lgkmcnt(0)\n",
                                       stride, base, type, registers(16, dwords), registers(8, dwords), offset,
                                       offset + 1, type, registers(4, 2 * dwords), offset, offset + 1);
  INFO(text);
  Guest guest(assembler, "gfx942", text);
  compile::Start start;
  start.item_ids = 0x3ff, start.items = {kMaxLanes, 1, 1};
  const Inst* tier1 = guest.tier1(start);
  Machine machine;
  for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    const uint64_t exec = any_exec(trial, random);
    w.set_sgpr64(kExecLo, ~0ull), w.set_sgpr64(94, exec);
    for (uint32_t l = 0; l < kMaxLanes; ++l) w.row(0)[l] = l;
    std::vector<uint8_t> lds(w.lds, w.lds + Machine::kLdsBytes);
    uint32_t want[4][kMaxLanes];
    const auto each_dword = [&](auto access) { // first elements of all lanes, then second ones
      for (uint32_t k = 0; k < 2 * dwords; k += dwords)
        for (uint32_t l = 0; l < kMaxLanes; ++l)
          for (uint32_t d = k; (exec >> l & 1) && d < k + dwords; ++d)
            access(l, d, base + l * stride + offset * bytes + 4 * d,
                   base + l * stride + offset * bytes + 4 * k + bytes <= lds.size());
    };
    for (uint32_t d = 0; d < 2 * dwords; ++d) std::copy_n(w.row(4 + d), kMaxLanes, want[d]);
    each_dword([&](uint32_t l, uint32_t d, uint32_t at, bool inside) {
      if (inside) std::memcpy(&lds[at], &w.row(d < dwords ? 16 + d : 8 + d - dwords)[l], 4);
    });
    each_dword([&](uint32_t l, uint32_t d, uint32_t at, bool inside) {
      want[d][l] = 0;
      if (inside) std::memcpy(&want[d][l], &lds[at], 4);
    });
    machine.run(guest, tier1);
    INFO("EXEC " << std::hex << exec);
    REQUIRE(w.stop == Stop::Ended);
    REQUIRE(std::memcmp(w.lds, lds.data(), lds.size()) == 0);
    for (uint32_t d = 0; d < 2 * dwords; ++d) REQUIRE(std::memcmp(w.row(4 + d), want[d], sizeof want[d]) == 0);
  }
}

} // namespace

TEST_CASE("Two elements side by side in LDS, at strides that are known") {
  Random random(61);
  for (uint32_t dwords : {1u, 2u})
    for (uint32_t stride : {4u, 8u, 12u, 16u, 20u, 48u, 60u}) // less than both elements, as much, more
      for (uint32_t base :
           {0u, 4u, 36u, uint32_t(Machine::kLdsBytes) - 63 * stride - 4 * dwords * (random.below(4) + 3)})
        check_pairs(dwords, stride, base, random.below(6), random);
}

TEST_CASE("Loads from LDS find the elements, however the lanes' addresses lie") { check_loads("gfx942", kMaxLanes, 31); }

TEST_CASE("Loads from LDS in waves of 32 lanes") { check_loads("gfx1100", 32, 32); }

TEST_CASE("Stores to LDS find their places, however the lanes' addresses lie") {
  check_stores("gfx942", kMaxLanes, 33);
}

TEST_CASE("Stores to LDS in waves of 32 lanes") { check_stores("gfx1100", 32, 34); }

TEST_CASE("Translated loads of several dwords from LDS give the bytes that are there") {
  check_wide_loads("gfx942", 64, 45);
  check_wide_loads("gfx1100", 32, 46);
}

TEST_CASE("Translated code reads behind LDS without leaving for tier 0") {
  const Assembler assembler("gfx942");
  Random random(47);
  Machine machine;
  for (uint32_t at : {0u, 0x40000u, 0xf00000u, 0xfff00000u})
    for (uint32_t dwords : {1u, 2u, 4u}) {
      const std::string registers = dwords == 1 ? "v4" : fmt::format("v[4:{}]", 3 + dwords);
      Guest guest(assembler, "gfx942",
                  fmt::format("v_mov_b32 v2, {:#x}\nds_read_b{} {}, v2 offset:16\ns_waitcnt lgkmcnt(0)\n", at,
                              32 * dwords, registers));
      const Inst* tier1 = guest.tier1({});
      for (const auto& exits : guest.translation().exits)
        for (uint64_t exit : exits) CHECK_FALSE(exit & compile::Translation::kTierZero);
      machine.randomize(random);
      Wave& w = machine.wave();
      machine.run(guest, tier1);
      REQUIRE(w.stop == Stop::Ended);
      for (uint32_t k = 0; k < dwords; ++k)
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          uint32_t want = 0;
          if (at == 0) std::memcpy(&want, w.lds + 16 + 4 * k, sizeof want);
          REQUIRE(w.row(4 + k)[l] == want);
        }
    }
}
