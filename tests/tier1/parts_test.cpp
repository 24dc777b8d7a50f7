// Functions whose regions are compiled in parts: which regions are a part, that threads change nothing about the code, and that
// waves go from part to part.
#include "machine.h"

#include "runtime/engine/compile/codegen/code_parts.h"

#include <algorithm>

using namespace tier1_test;

namespace {

compile::Regions regions_of(const std::vector<uint32_t>& instructions) {
  compile::Regions regions;
  for (const uint32_t n : instructions) regions.regions.emplace_back().instructions = n;
  return regions;
}

// Straight pieces of 60 instructions; tier 0 executes s_sleep between them, which makes regions of them.
std::string pieces(uint32_t count, Random& random) {
  std::string text;
  for (uint32_t piece = 0; piece < count; ++piece) {
    text += "s_sleep 0\n";
    for (uint32_t k = 0; k < 60; ++k)
      text += fmt::format("v_{}_u32_e32 v{}, v{}, v{}\n", random.one_in(2) ? "add" : "sub", 1 + random.below(12), random.below(13), random.below(13));
  }
  return text;
}

} // namespace

TEST_CASE("Regions are compiled in parts of about the same size") {
  using Parts = std::vector<std::vector<uint32_t>>;
  CHECK(compile::parts_of(regions_of({})) == Parts{{}});
  CHECK(compile::parts_of(regions_of({40, 50, 60})) == Parts{{0, 1, 2}});
  CHECK(compile::parts_of(regions_of({1000})) == Parts{{0}});
  CHECK(compile::parts_of(regions_of({10, 300, 10})) == Parts{{1}, {0, 2}});
  CHECK(compile::parts_of(regions_of({70, 140, 30, 20})) == Parts{{1}, {0, 2, 3}});
  std::vector<uint32_t> seen;
  std::vector<uint32_t> sizes;
  for (uint32_t k = 0; k < 500; ++k) sizes.push_back(1 + k * 7 % 384);
  const Parts parts = compile::parts_of(regions_of(sizes));
  uint64_t least = ~0ull, most = 0;
  for (const auto& part : parts) {
    CHECK(std::ranges::is_sorted(part));
    uint64_t size = 0;
    for (const uint32_t region : part) size += sizes[region], seen.push_back(region);
    least = std::min(least, size), most = std::max(most, size);
  }
  CHECK(most - least <= 384);
  std::ranges::sort(seen);
  REQUIRE(seen.size() == sizes.size());
  for (uint32_t k = 0; k < seen.size(); ++k) CHECK(seen[k] == k);
}

TEST_CASE("Threads that translate one function make the code that one thread makes") {
  const Assembler assembler("gfx942");
  Random random(7);
  const std::string text = pieces(Guest::is_quick() ? 36 : 9, random); // parts of quick code are four times as large
  Guest alone(assembler, "gfx942", text), together(assembler, "gfx942", text);
  together.threads = 3;
  const Inst *by_one = alone.tier1({}), *by_three = together.tier1({});
  REQUIRE(alone.translation().objects.size() == 4); // 540 instructions, or 2160
  CHECK(alone.translation().objects == together.translation().objects);
  Machine machine;
  for (uint32_t k = 0; k < 4; ++k) {
    machine.randomize(random);
    CHECK(machine.compare(alone, alone.tier0(), by_one) == "");
    CHECK(machine.compare(together, together.tier0(), by_three) == "");
  }
}
