// Dispatches that are executed again and again as a sequence (engine.h): with what single launches give, whatever the
// kernels do, and whichever tier they are in.
#include "rig.h"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace hip;
using namespace hip::engine;
using namespace hip::engine::test;
using Catch::Matchers::Contains;

namespace {

// Executes all dispatches, those that the sequence does not take as single ones. Counts what the sequence has executed.
struct Replay {
  Rig& rig;
  std::vector<Dispatch> dispatches;
  std::unique_ptr<DispatchSequence> sequence = rig.engine->make_sequence(dispatches);
  std::unique_ptr<Worker> worker = rig.engine->create_worker();
  size_t in_sequence = 0;

  std::vector<Status> run() {
    std::vector<Status> failures;
    for (size_t at = 0; at < dispatches.size();) {
      const size_t next = sequence->run(*worker, at, dispatches.size());
      REQUIRE(next >= at);
      REQUIRE(next <= dispatches.size());
      in_sequence += next - at;
      Status status = sequence->status();
      if (next == at) {
        REQUIRE(status.ok());
        if (dispatches[at].kernel_object != 0) status = rig.execute(dispatches[at]);
        ++at;
      } else {
        at = next;
      }
      if (!status.ok()) failures.push_back(status);
    }
    return failures;
  }
};

bool never_translates() {
  const char* const tier = std::getenv("OMNIHIP_TIER");
  return tier && std::string(tier) == "0";
}

} // namespace

TEST_CASE("a sequence gives what single launches give, run by run") {
  for (const char* file : {"kernels.co", "kernels_O0.co", "kernels_O3.co", "kernels_gfx90a.co"}) {
    INFO(file);
    Rig rig(file);
    constexpr uint32_t n = 64;
    float* x = rig.array<float>(512, 1.0f);
    float* y = rig.array<float>(512);
    uint32_t* in = rig.array<uint32_t>(1024);
    uint32_t* out = rig.array<uint32_t>(1024);
    uint32_t* early = rig.array<uint32_t>(256);
    uint32_t* stack = rig.array<uint32_t>(256);
    uint32_t* pick = rig.array<uint32_t>(256, 7);
    float* a = rig.array<float>(n * n);
    float* b = rig.array<float>(n * n);
    float* c = rig.array<float>(n * n);
    for (uint32_t k = 0; k < 1024; ++k) in[k] = k * 3;
    for (uint32_t k = 0; k < n * n; ++k) a[k] = float(k % 7), b[k] = float(k % 5) - 2;
    const Rig::Shape matrix{.groups_x = n / 16, .items_x = 16, .groups_y = n / 16, .items_y = 16};
    Replay replay{rig,
                  {rig.dispatch("saxpy", {.groups_x = 2, .items_x = 256}, 3.0f, x, y, 512u),
                   rig.dispatch("saxpy", {.groups_x = 2, .items_x = 256}, 5.0f, x, y, 512u), // with the same layout
                   rig.dispatch("saxpy", {.groups_x = 2, .items_x = 256, .grid_items_x = 300}, 7.0f, x, y, 512u),
                   rig.dispatch("saxpy", {.groups_x = 3, .items_x = 100}, 0.5f, x, y, 200u),
                   rig.dispatch("reverse", {.groups_x = 4, .items_x = 256}, in, out),
                   Dispatch(), // no kernel
                   rig.dispatch("leave_early", {.items_x = 256}, early),
                   rig.dispatch("reverse", {.groups_x = 4, .items_x = 256}, out, in),
                   rig.dispatch("reverse", {.groups_x = 4, .items_x = 256}, in, out),
                   rig.dispatch("matmul", matrix, a, b, c, n),
                   rig.dispatch("private_array", {.items_x = 256}, stack, pick)}};
    float expected_low = 0, expected_middle = 0, expected_high = 0;
    for (int run = 0; run < 120; ++run) {
      std::fill_n(c, n * n, -1.0f);
      std::fill_n(early, 256, 0u);
      std::fill_n(stack, 256, 0u);
      REQUIRE(replay.run().empty());
      expected_low += 3 + 5 + 7 + 0.5f, expected_middle += 3 + 5 + 7, expected_high += 3 + 5;
      // saxpy takes 256 items to a group whatever the group's size, so of three groups of 100 the first one's items are
      // below 100.
      REQUIRE(y[99] == expected_low);
      REQUIRE(y[150] == expected_middle);
      REQUIRE(y[299] == expected_middle);
      REQUIRE(y[300] == expected_high);
      REQUIRE(y[511] == expected_high);
      for (uint32_t k = 0; k < 1024; ++k) REQUIRE(out[k] == k / 256 * 768 + (255 - k % 256) * 3);
      for (uint32_t k = 0; k < 128; ++k) REQUIRE(early[k] == 127 - k + 128 + 1);
      for (uint32_t k = 0; k < 256; ++k) REQUIRE(stack[k] == (k + 1) * 8);
      for (uint32_t i = 0; i < n * n; i += 97) {
        float sum = 0;
        for (uint32_t k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
        REQUIRE(c[i] == sum);
      }
    }
    // Kernels that are not optimised want to know their queue. Of the others those go through prepare() whose
    // translation has not been asked for yet.
    const bool optimised = std::string(file) != "kernels_O0.co";
    if (never_translates()) REQUIRE(replay.in_sequence == (optimised ? 120 * 10 : 0));
    REQUIRE((replay.in_sequence >= 300) == optimised);
  }
}

TEST_CASE("a fault in a sequence ends its dispatch alone, every time") {
  Rig rig;
  uint32_t* out = rig.array<uint32_t>(64);
  float* x = rig.array<float>(256, 1.0f);
  float* y = rig.array<float>(256);
  const auto add = [&](float by) { return rig.dispatch("saxpy", {.items_x = 256}, by, x, y, 256u); };
  const auto beyond = [&](uint64_t stride) {
    return rig.dispatch("fault_read", {.groups_x = 2, .items_x = 64}, reinterpret_cast<uint32_t*>(y), out, stride);
  };
  Replay replay{rig,
                {add(1), beyond(4096), add(2), rig.dispatch("trap", {.items_x = 64}), beyond(4), add(4),
                 rig.dispatch("fault_write", {.items_x = 64}, static_cast<uint32_t*>(nullptr)), add(8)}};
  // Until kernels are asked for they go through prepare().
  for (int run = 1; run <= 2200; ++run) {
    const std::vector<Status> failures = replay.run();
    REQUIRE(failures.size() == 3);
    REQUIRE(failures[0].code() == ErrorCode::IllegalAddress);
    REQUIRE_THAT(failures[0].message(), Contains("fault_read") && Contains("work-group (0, 0, 0)"));
    REQUIRE(failures[1].code() == ErrorCode::LaunchFailure);
    REQUIRE_THAT(failures[1].message(), Contains("s_trap"));
    REQUIRE(failures[2].code() == ErrorCode::IllegalAddress);
    REQUIRE_THAT(failures[2].message(), Contains("fault_write"));
    REQUIRE(y[0] == float(15 * run));
    REQUIRE(y[255] == float(15 * run));
  }
  REQUIRE(replay.in_sequence > 8);
}

TEST_CASE("groups of a sequence's dispatch that wait for each other") {
  Rig rig;
  constexpr uint32_t kGroups = 4;
  uint32_t* arrived = rig.array<uint32_t>(1);
  uint32_t* flags = rig.array<uint32_t>(16);
  float* x = rig.array<float>(256, 1.0f);
  float* y = rig.array<float>(256);
  const Dispatch add = rig.dispatch("saxpy", {.items_x = 256}, 1.0f, x, y, 256u);
  const Dispatch meet = rig.dispatch("spin_groups", {.groups_x = kGroups, .items_x = 64}, arrived, kGroups);
  const Dispatch waves = rig.dispatch("spin_waves", {.items_x = 256}, flags);
  Replay replay{rig, {add, meet, add, waves, add}};
  for (int run = 1; run <= 700; ++run) {
    *arrived = 0;
    std::fill_n(flags, 16, 0u);
    REQUIRE(replay.run().empty());
    REQUIRE(*arrived == kGroups);
    REQUIRE(y[17] == float(3 * run));
  }
  REQUIRE(replay.in_sequence > 5);
}

TEST_CASE("dispatches that depend on more than their memory are no part of a sequence") {
  Rig rig;
  uint32_t* out = rig.array<uint32_t>(64);
  Dispatch plain = rig.dispatch("put_number", {.items_x = 64}, out), cooperative = plain, timed = plain;
  cooperative.cooperative = true;
  timed.timed = true;
  const std::vector<Dispatch> dispatches{cooperative, timed};
  const auto sequence = rig.engine->make_sequence(dispatches);
  const auto worker = rig.engine->create_worker();
  REQUIRE(sequence->run(*worker, 0, 2) == 0);
  REQUIRE(sequence->run(*worker, 1, 2) == 1);
  REQUIRE(out[0] == 0);
}
