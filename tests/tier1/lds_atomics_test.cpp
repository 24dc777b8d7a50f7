// Runs of atomics on LDS: where their lanes are is written down for several at once, so one may give another its address, lanes may be
// off, outside or misaligned in any of them, and scalar instructions may stand between. Tier 1 against tier 0, and sums against lanes
// that come one after the other.
#include "machine.h"

#include <cstring>

using namespace tier1_test;

namespace {

constexpr uint32_t kAddresses = 6; // v2 to v7
constexpr uint32_t kLongestRun = 7;

// A run of random atomics: data in v[8:9], results in v10 to v15 or where a later one takes its address from.
std::string random_run(Random& random) {
  static const char* const names[] = {"add_u32", "add_u32", "sub_u32", "max_i32", "or_b32", "add_f32", "add_u64", "min_u64"};
  const char* const usual = random.of(names);
  std::string text = "s_mov_b64 exec, s[94:95]\n";
  for (uint32_t k = random.between(1, kLongestRun); k > 0; --k) {
    std::string name = random.one_in(4) ? random.of(names) : usual;
    const bool wide = name.ends_with("64"), returns = random.one_in(4);
    if (random.one_in(5)) text += fmt::format("s_add_u32 s{}, s20, 5\n", random.between(21, 30));
    if (random.one_in(8)) text += "v_add_u32 v2, 4, v2\n";
    const uint32_t at = random.between(2, 1 + kAddresses);
    // v4 as a result: the next address may be what was there.
    const uint32_t result = wide ? random.between(5, 7) * 2 : random.one_in(4) ? 4 : random.between(10, 15);
    if (returns) name = name.insert(name.find('_'), "_rtn");
    text += fmt::format("ds_{} {}v{}, {}{}\n", name, !returns ? "" : wide ? fmt::format("v[{}:{}], ", result, result + 1) : fmt::format("v{}, ", result),
                        at, wide ? "v[8:9]" : "v8", random.one_in(3) ? fmt::format(" offset:{}", 8 * random.below(8)) : "");
  }
  return text;
}

} // namespace

TEST_CASE("Runs of atomics on LDS do the same in both tiers") {
  const Assembler assembler("gfx942");
  Random random(77);
  Machine machine;
  for (uint32_t n = 0; n < tries(60); ++n) {
    const std::string text = random_run(random);
    Guest guest(assembler, "gfx942", text);
    const Inst* tier1 = guest.tier1({});
    for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
      machine.randomize(random);
      Wave& w = machine.wave();
      w.set_sgpr64(94, any_exec(trial, random));
      const bool outside = random.one_in(4), misaligned = random.one_in(8);
      for (uint32_t v = 2; v < 2 + kAddresses; ++v)
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          w.row(v)[l] = 8 * random.below(random.one_in(2) ? 4 : Machine::kLdsBytes / 8 - 8);
          if (outside && random.one_in(30)) w.row(v)[l] = Machine::kLdsBytes + 4 * random.below(9) - 16;
          if (misaligned && random.one_in(60)) w.row(v)[l] += random.between(1, 3);
        }
      // Both what all lanes add and what each lane has of its own; and what it reads may be an address.
      const uint32_t same = random.below(64) * 8;
      for (uint32_t l = 0; l < kMaxLanes; ++l) w.row(8)[l] = trial & 1 ? same : 8 * random.below(64), w.row(9)[l] = 0;
      for (uint32_t at = 0; at < Machine::kLdsBytes; at += 4) {
        const uint32_t word = 8 * random.below(64);
        std::memcpy(w.lds + at, &word, 4);
      }
      INFO(text << "trial " << trial);
      REQUIRE(machine.compare(guest, guest.tier0(), tier1) == "");
    }
  }
}

TEST_CASE("A histogram of bytes counts each byte") {
  const Assembler assembler("gfx942");
  Guest guest(assembler, "gfx942", R"(
    v_mov_b32 v1, 1
    v_and_b32 v3, 0xff, v2
    v_bfe_u32 v4, v2, 8, 8
    v_bfe_u32 v5, v2, 16, 8
    v_lshrrev_b32 v6, 24, v2
    v_lshlrev_b32 v3, 2, v3
    v_lshlrev_b32 v4, 2, v4
    v_lshlrev_b32 v5, 2, v5
    v_lshlrev_b32 v6, 2, v6
    ds_add_u32 v3, v1
    ds_add_u32 v4, v1
    ds_add_u32 v5, v1
    ds_add_u32 v6, v1
  )");
  const Inst* tier1 = guest.tier1({});
  Random random(5);
  Machine machine;
  for (uint32_t trial = 0; trial < 40; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    std::memset(w.lds, 0, Machine::kLdsBytes);
    uint32_t expected[256] = {};
    for (uint32_t l = 0; l < kMaxLanes; ++l) {
      const uint32_t value = trial % 4 == 0 ? 0x01020301 : trial % 4 == 1 ? uint32_t(random()) & 0x03030303 : uint32_t(random());
      w.row(2)[l] = value;
      for (uint32_t shift = 0; shift < 32; shift += 8) ++expected[value >> shift & 255];
    }
    machine.run(guest, tier1);
    CHECK(w.stop == Stop::Ended);
    CHECK(std::memcmp(w.lds, expected, sizeof expected) == 0);
  }
}
