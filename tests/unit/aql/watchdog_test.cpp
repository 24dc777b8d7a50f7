// Launches with a limit: which are ended, and what happens to the others. Kernels are host functions on the fake
// engine.
#include "fake_engine.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace hip;
using namespace hip::test;

namespace {

constexpr uint64_t kLimitNs = 50'000'000;

// Executes until some grid has been told that its time is over, but not for ever.
Status run_until_told(uint64_t told_before) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (FakeGrid::time_outs == told_before && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return Status();
}

} // namespace

TEST_CASE("A launch that executes for longer than the limit is told so", "[aql][watchdog]") {
  FakeDevice device(2, 20000, kLimitNs);
  const auto queue = device.queue();
  const uint32_t groups = GENERATE(1, 64); // executed by one thread, and shared
  const uint64_t before = FakeGrid::time_outs;
  std::atomic<bool> timed{false};
  TestKernel endless(device, [&](const engine::Dispatch& d, uint64_t) {
    timed = d.timed;
    return run_until_told(before);
  });
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE_OK(endless.launch(*queue, &before, groups));
  const Status status = queue->synchronize();
  const auto took = std::chrono::steady_clock::now() - begin;
  CHECK(timed);
  CHECK(status.code() == ErrorCode::LaunchTimeOut);
  CHECK_THAT(status.message(), Catch::Matchers::Contains("0.05 s that OMNIHIP_SOFT_TIMEOUT_S allows"));
  CHECK(took >= std::chrono::nanoseconds(kLimitNs));
  CHECK(took < std::chrono::seconds(10));
  // The queue goes on, and nobody is told any more.
  const uint64_t after = FakeGrid::time_outs;
  TestKernel kernel(device, [](const engine::Dispatch&, uint64_t) { return Status(); });
  for (int k = 0; k < 1000; ++k) REQUIRE_OK(kernel.launch(*queue, &after, groups));
  REQUIRE_OK(queue->synchronize());
  std::this_thread::sleep_for(std::chrono::nanoseconds(2 * kLimitNs));
  CHECK(FakeGrid::time_outs == after);
}

TEST_CASE("The limit is one launch's: waiting in a queue does not count", "[aql][watchdog]") {
  FakeDevice device(2, 20000, 4 * kLimitNs);
  const auto queue = device.queue();
  const uint64_t before = FakeGrid::time_outs;
  TestKernel kernel(device, [](const engine::Dispatch&, uint64_t) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLimitNs));
    return Status();
  });
  for (int k = 0; k < 8; ++k) REQUIRE_OK(kernel.launch(*queue, &before));
  REQUIRE_OK(queue->synchronize());
  CHECK(FakeGrid::time_outs == before);
}

TEST_CASE("Without a limit no launch is watched", "[aql][watchdog]") {
  FakeDevice device;
  const auto queue = device.queue();
  std::atomic<bool> timed{true};
  const uint64_t argument = 0;
  TestKernel kernel(device, [&](const engine::Dispatch& d, uint64_t) {
    timed = d.timed;
    return Status();
  });
  REQUIRE_OK(kernel.launch(*queue, &argument));
  REQUIRE_OK(queue->synchronize());
  CHECK_FALSE(timed);
  CHECK_FALSE(device.system->watchdog().watches());
}
