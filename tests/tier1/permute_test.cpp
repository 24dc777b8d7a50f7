// Lanes that read lanes through LDS's crossbar: tier 1 against tier 0, and both against what the ISA manual says.
#include "machine.h"

using namespace tier1_test;

namespace {

constexpr uint32_t kPermutes = 6;

// Lanes by what the manual says of ds_swizzle_b32's bit mode (and, or, xor within 32 lanes) and quad mode.
uint32_t swizzled(uint32_t offset, uint32_t lane) {
  if (offset & 0x8000) return (lane & ~3u) | (offset >> (2 * (lane % 4)) & 3);
  return (lane & 32) | ((((lane & 31) & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

} // namespace

TEST_CASE("Translated permutes of lanes do what tier 0 does and what the manual says") {
  const Assembler assembler("gfx942");
  Random random(21);
  Machine machine;
  for (uint32_t round = 0; round < tries(12); ++round) {
    struct One {
      bool swizzles;
      uint32_t offset, address, data, result;
    };
    std::vector<One> all;
    // v1, v2: anything; v3: 4 * lane; v4 the same everywhere; v[8:11]: data. v3 and v4 so that tier 1 knows.
    std::string text = "v_lshlrev_b32 v3, 2, v0\nv_mov_b32 v4, s4\nv_mov_b32 v5, 7\ns_mov_b64 exec, s[94:95]\n";
    for (uint32_t k = 0; k < kPermutes; ++k) {
      One one{random.one_in(2), 0, 1 + random.below(4), 8 + random.below(4), 20 + k};
      if (one.swizzles)
        one.offset = random.one_in(2) ? 0x8000 | random.below(256) : random.below(0x8000);
      else
        one.offset = random.one_in(2) ? 0 : random.below(512);
      if (random.one_in(4)) one.result = one.data; // in place
      all.push_back(one);
      text += one.swizzles ? fmt::format("ds_swizzle_b32 v{}, v{} offset:{}\n", one.result, one.data, one.offset)
                           : fmt::format("ds_bpermute_b32 v{}, v{}, v{} offset:{}\n", one.result, one.address, one.data, one.offset);
    }
    Guest guest(assembler, "gfx942", text);
    compile::Start start;
    start.item_ids = kAllItemIds;
    start.items = {256, 1, 1};
    const Inst* tier1 = guest.tier1(start);
    for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
      machine.randomize(random);
      Wave& w = machine.wave();
      for (uint32_t l = 0; l < kMaxLanes; ++l) w.row(0)[l] = l;
      const uint64_t exec = any_exec(trial, random);
      w.set_sgpr64(94, exec);
      uint32_t v[32][kMaxLanes];
      for (uint32_t r = 0; r < 32; ++r)
        for (uint32_t l = 0; l < kMaxLanes; ++l) v[r][l] = r == 3 ? 4 * l : r == 4 ? w.sgpr[4] : w.row(r)[l];
      for (const One& one : all) {
        uint32_t out[kMaxLanes];
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          const uint32_t from = one.swizzles ? swizzled(one.offset, l) : (v[one.address][l] + one.offset) / 4 % kMaxLanes;
          out[l] = exec >> from & 1 ? v[one.data][from] : 0;
        }
        for (uint32_t l = 0; l < kMaxLanes; ++l)
          if (exec >> l & 1) v[one.result][l] = out[l];
      }
      const std::string wrong = machine.compare(guest, guest.tier0(), tier1);
      if (!wrong.empty()) FAIL(wrong << "\n" << text);
      for (const One& one : all)
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          if (w.row(one.result)[l] == v[one.result][l]) continue;
          FAIL(fmt::format("v{} of lane {} is {:#x} instead of {:#x} (EXEC {:#x})\n{}", one.result, l, w.row(one.result)[l], v[one.result][l], exec, text));
        }
    }
  }
}

TEST_CASE("Translated permutes of rows do what tier 0 does") {
  Random random(23);
  for (const auto& [processor, lanes] : kDialects) {
    const Dialect dialect(processor, lanes);
    if (!dialect.has("v_permlane16_b32")) continue;
    for (uint32_t round = 0; round < tries(6); ++round) {
      std::string text =
          fmt::format("{} exec{}, {}\n", dialect.mask_op("s_mov"), lanes == 32 ? "_lo" : "", dialect.mask(94));
      uint32_t permutes = 0;
      while (permutes < 6) {
        const uint32_t to = random.between(8, 15), from = random.between(8, 15), flags = random.below(4);
        const std::string kind = random.one_in(2) ? "v_permlane16" : "v_permlanex16";
        const std::string all[] = {
            fmt::format("{}_b32 v{}, v{}, s4, s5 op_sel:[{},{}]", kind, to, from, flags & 1, flags >> 1),
            fmt::format("{}_var_b32 v{}, v{}, v{} op_sel:[{},{}]", kind, to, from, random.below(8), flags & 1,
                        flags >> 1),
            fmt::format("v_permlane64_b32 v{}, v{}", to, from), fmt::format("v_swap_b32 v{}, v{}", to, from)};
        const std::string& one = random.of(all);
        if (!dialect.assembler().accepts(one + "\n")) continue;
        text += one + "\n";
        text +=
            fmt::format("v_add_nc_u32 v{}, v{}, v{}\n", random.between(8, 15), random.between(8, 15), random.below(8));
        ++permutes;
      }
      Guest guest(dialect, text);
      const Inst* tier1 = guest.tier1({});
      INFO(processor << ", " << lanes << " lanes\n" << text);
      CHECK(guest.translation().foreign == 2); // s_sleep at the start, and the end
      Machine machine(lanes);
      for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
        machine.randomize(random);
        machine.wave().set_sgpr64(94, any_exec(trial, random, lanes));
        const std::string wrong = machine.compare(guest, guest.tier0(), tier1);
        REQUIRE(wrong == "");
      }
    }
  }
}
