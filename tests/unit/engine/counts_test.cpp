// Exact counts of whole launches (runtime/engine/tools/launch_counts.h): what a kernel does to memory follows from its
// source, however it is compiled, and both tiers count the same. That launches nobody watches are as ever is for all
// other tests.
#include "rig.h"

#include "runtime/engine/tools/launch_counts.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace hip;
using namespace hip::engine;
using namespace hip::engine::test;

namespace {

// Engines that are made meanwhile run kernels in this tier only.
class Tier {
public:
  explicit Tier(const char* tier) : before_(getenv("OMNIHIP_TIER") ? getenv("OMNIHIP_TIER") : "") {
    setenv("OMNIHIP_TIER", tier, 1);
  }
  ~Tier() { setenv("OMNIHIP_TIER", before_.c_str(), 1); }

private:
  std::string before_;
};

// A kernel's launch on arrays of its own, which it sets up.
using Launch = Status (*)(Rig& rig, Tool& tool);

LaunchCounts counts_of(const char* file, const char* tier, Launch launch) {
  const Tier environment(tier);
  Rig rig(file);
  LaunchCounter counter;
  const Status status = launch(rig, counter);
  INFO(status.to_string());
  REQUIRE(status.ok());
  return counter.counts();
}

struct Expected {
  uint64_t loads = 0, stores = 0, atomics = 0; // bytes
};

// Of the kernel's source; `global` and `lds`: what all work-items do together. Private memory is the compiler's.
void check(Launch launch, Expected global, Expected lds, uint64_t barriers) {
  for (const char* file : {"kernels_O0.co", "kernels.co", "kernels_O3.co"}) {
    const LaunchCounts tier0 = counts_of(file, "0", launch), tier1 = counts_of(file, "1", launch);
    CAPTURE(file);
    const LaunchCounts::OfSpace &in_memory = tier0.of(MemorySpace::Global), &in_lds = tier0.of(MemorySpace::Lds);
    CHECK(in_memory.loads.bytes == global.loads);
    CHECK(in_memory.stores.bytes == global.stores);
    CHECK(in_memory.atomics.bytes == global.atomics);
    CHECK(in_lds.loads.bytes == lds.loads);
    CHECK(in_lds.stores.bytes == lds.stores);
    CHECK(in_lds.atomics.bytes == lds.atomics);
    CHECK(tier0.executed.of(InstructionClass::Barrier).instructions == barriers);
    CHECK(tier0.executed.of(InstructionClass::VectorAlu).instructions > 0);
    CHECK(tier1 == tier0);
  }
}

// Both tiers alone, where the compiler decides what the kernel does to memory.
void check_equal(Launch launch) {
  for (const char* file : {"kernels_O0.co", "kernels.co", "kernels_O3.co"}) {
    CAPTURE(file);
    const LaunchCounts tier0 = counts_of(file, "0", launch);
    CHECK(tier0.of(MemorySpace::Global).stores.lanes > 0);
    CHECK(counts_of(file, "1", launch) == tier0);
  }
}

} // namespace

TEST_CASE("Loads and stores of a vector sum are counted, by several threads, in a grid that is not full") {
  const Launch launch = [](Rig& rig, Tool& tool) {
    constexpr uint32_t n = 3000; // of 12 * 256
    return rig.launch("vector_add", {.groups_x = 12, .items_x = 256, .threads = 3, .tool = &tool}, rig.array<float>(n),
                      rig.array<float>(n), rig.array<float>(n), n);
  };
  check(launch, {.loads = 2 * 3000 * 4, .stores = 3000 * 4}, {}, 0);
}

TEST_CASE("A work-group that the grid cuts off is counted as it is") {
  const Launch launch = [](Rig& rig, Tool& tool) {
    return rig.launch("saxpy", {.groups_x = 2, .items_x = 256, .grid_items_x = 300, .tool = &tool}, 3.0f,
                      rig.array<float>(512, 1.0f), rig.array<float>(512, 2.0f), 512u);
  };
  check(launch, {.loads = 2 * 300 * 4, .stores = 300 * 4}, {}, 0);
}

TEST_CASE("LDS and barriers are counted") {
  const Launch launch = [](Rig& rig, Tool& tool) {
    return rig.launch("reverse", {.groups_x = 4, .items_x = 256, .tool = &tool}, rig.array<uint32_t>(1024),
                      rig.array<uint32_t>(1024));
  };
  check(launch, {.loads = 4096, .stores = 4096}, {.loads = 4096, .stores = 4096}, 4 * 4);
}

TEST_CASE("A tiled matrix product is counted") {
  constexpr uint64_t kSize = 64, kTiles = kSize / 16, kItems = kSize * kSize;
  const Launch launch = [](Rig& rig, Tool& tool) {
    return rig.launch("matmul", {.groups_x = kTiles, .items_x = 16, .groups_y = kTiles, .items_y = 16, .tool = &tool},
                      rig.array<float>(kItems), rig.array<float>(kItems), rig.array<float>(kItems), uint32_t(kSize));
  };
  check(launch, {.loads = kItems * kTiles * 2 * 4, .stores = kItems * 4},
        {.loads = kItems * kTiles * 16 * 2 * 4, .stores = kItems * kTiles * 2 * 4}, kItems / 64 * kTiles * 2);
}

TEST_CASE("Atomics of LDS are counted") {
  const Launch launch = [](Rig& rig, Tool& tool) {
    return rig.launch("lds_atomics", {.groups_x = 3, .items_x = 256, .tool = &tool}, rig.array<uint32_t>(48));
  };
  check(launch, {.stores = 3 * 16 * 4}, {.loads = 3 * 16 * 4, .stores = 3 * 16 * 4, .atomics = 3 * 256 * 4}, 3 * 4 * 2);
}

TEST_CASE(
    "Waves that leave early, calls, generic pointers, private arrays and atomics are counted alike in both tiers") {
  check_equal([](Rig& rig, Tool& tool) {
    return rig.launch("leave_early", {.groups_x = 1, .items_x = 256, .tool = &tool}, rig.array<uint32_t>(1024));
  });
  check_equal([](Rig& rig, Tool& tool) {
    return rig.launch("generic_mix", {.groups_x = 1, .items_x = 256, .tool = &tool}, rig.array<uint32_t>(256),
                      rig.array<uint32_t>(256));
  });
  check_equal([](Rig& rig, Tool& tool) {
    uint32_t* pick = rig.array<uint32_t>(256);
    for (uint32_t k = 0; k < 256; ++k) pick[k] = k * 7;
    return rig.launch("private_array", {.groups_x = 2, .items_x = 256, .tool = &tool}, rig.array<uint32_t>(512), pick);
  });
  check_equal([](Rig& rig, Tool& tool) {
    return rig.launch("atomics", {.groups_x = 2, .items_x = 256, .tool = &tool}, rig.array<uint32_t>(1),
                      rig.array<uint32_t>(16), rig.array<float>(1), rig.array<uint64_t>(1), rig.array<uint32_t>(512));
  });
  check_equal([](Rig& rig, Tool& tool) {
    constexpr uint32_t n = 600;
    struct Mixed {
      unsigned char bytes[2];
      uint16_t shorts[2];
      uint64_t q;
      uint32_t t[3];
    };
    uint32_t* index = rig.array<uint32_t>(n);
    for (uint32_t k = 0; k < n; ++k) index[k] = k * 17 % n;
    return rig.launch("gather_mixed", {.groups_x = 3, .items_x = 256, .tool = &tool}, rig.array<Mixed>(n), index,
                      rig.array<Mixed>(n), n);
  });
}

TEST_CASE("The same engine runs a kernel watched and unwatched by turns") {
  for (const char* tier : {"0", "1"}) {
    const Tier environment(tier);
    Rig rig;
    uint32_t* out = rig.array<uint32_t>(256);
    LaunchCounter counter;
    for (uint64_t k = 1; k <= 3; ++k) {
      REQUIRE(rig.launch("put_number", {.groups_x = 4, .items_x = 64}, out).ok());
      REQUIRE(rig.launch("put_number", {.groups_x = 4, .items_x = 64, .tool = &counter}, out).ok());
      CHECK(counter.counts().of(MemorySpace::Global).stores == LaunchCounts::Traffic{4 * k, 256 * k, 1024 * k});
    }
    for (uint32_t k = 0; k < 256; ++k) REQUIRE(out[k] == 0x5ca1ab1e);
  }
}
