// When events were reached, as times of the host.
#include "bench.h"
#include "runtime/backend/cuda/device.h"

#include <thread>
#include <utility>

using namespace hip;
using namespace hip::test;

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// What the host's clock says, and how far it goes with each of the next looks at it; then it stands.
uint64_t host_ns, host_step_ns;
int host_steps;
uint64_t look() noexcept {
  if (host_steps == 0) return host_ns;
  --host_steps;
  return std::exchange(host_ns, host_ns + host_step_ns);
}

// A clock whose two sides the test moves: the device's counts from some time of its own.
struct ClockBench {
  static constexpr uint64_t kStartNs = 4'000 * kSecond + 123;

  ClockBench() {
    host_ns = kStartNs;
    host_steps = 0;
    FAKE(fake_cuda_clock)(device_ns);
    REQUIRE_OK(context.enter());
    REQUIRE(driver.cuStreamCreateWithPriority(&stream, cuda::kStreamNonBlocking, 0) == cuda::kSuccess);
  }
  ~ClockBench() {
    clock.end();
    driver.cuStreamDestroy(stream);
    FAKE(fake_cuda_reset)();
  }
  void pass(uint64_t ns, int64_t device_is_ahead_ns = 0) {
    host_ns += ns;
    device_ns += ns + static_cast<uint64_t>(device_is_ahead_ns);
    FAKE(fake_cuda_clock)(device_ns);
  }
  // The host's clock goes on while an epoch is made.
  Ref<cuda::Epoch> epoch_within(int steps, uint64_t step_ns) {
    host_steps = steps;
    host_step_ns = step_ns;
    Ref<cuda::Epoch> made = clock.epoch();
    host_steps = 0;
    return made;
  }
  // An event that the device reaches now.
  cuda::CUevent record() {
    const cuda::CUevent event = good(context.take_event({}));
    REQUIRE(driver.cuEventRecord(event, stream) == cuda::kSuccess);
    REQUIRE(driver.cuEventSynchronize(event) == cuda::kSuccess);
    return event;
  }

  Bench fresh;
  cuda::Driver driver = good(cuda::Driver::load(std::getenv("OMNIHIP_CUDA_DRIVER")));
  cuda::Context context{driver, 0, "Fake GPU 0"};
  cuda::DeviceClock clock{context, look};
  cuda::CUstream stream = nullptr;
  uint64_t device_ns = 77 * kSecond + 5;
};

} // namespace

TEST_CASE("Times of events are exact however old the process is", "[cuda]") {
  ClockBench t;
  const Ref<cuda::Epoch> first = t.clock.epoch();
  REQUIRE(first.get() != nullptr);
  CHECK(first->reached_ns() == ClockBench::kStartNs);
  t.pass(12'345);
  const cuda::CUevent early = t.record();
  CHECK(t.clock.epoch().get() == first.get());

  constexpr uint64_t kAge = 36'000 * kSecond + 1'000'001; // a float of so many milliseconds has steps of 4 ms
  t.pass(kAge);
  const Ref<cuda::Epoch> second = t.clock.epoch();
  CHECK(second.get() != first.get());
  t.pass(54'321);
  const cuda::CUevent late = t.record();
  CHECK(second->time_of_ns(late) == ClockBench::kStartNs + 12'345 + kAge + 54'321);
  CHECK(first->time_of_ns(early) == ClockBench::kStartNs + 12'345); // by the epoch that it was recorded after
  CHECK(t.clock.epoch_for_earlier().get() == second.get());
  for (const cuda::CUevent event : {early, late}) t.context.give_event(event, {});
}

TEST_CASE("Epochs that follow each other agree as far as the host's clock allows", "[cuda]") {
  ClockBench t;
  REQUIRE(t.clock.epoch().get() != nullptr);
  t.pass(kSecond, 8'000); // the device's clock is fast by 8 us a second
  CHECK(t.clock.epoch()->reached_ns() == ClockBench::kStartNs + kSecond);
  t.pass(kSecond, -8'000);
  CHECK(t.clock.epoch()->reached_ns() == ClockBench::kStartNs + 2 * kSecond);
  // The epoch is recorded behind the second look and reached before the last one: where the device's clock says a time
  // between these two, that is it. 1000.375 ms is a number that a float has.
  t.pass(kSecond, 375'000);
  CHECK(t.epoch_within(2, 250'000)->reached_ns() == ClockBench::kStartNs + 3 * kSecond + 375'000);
}

TEST_CASE("A device that is held up is not waited for by the clock", "[cuda]") {
  ClockBench t;
  constexpr int kMany = 1000;
  FAKE(fake_cuda_hold)(true);
  CHECK(t.epoch_within(kMany, 1'000'000).get() == nullptr);
  FAKE(fake_cuda_hold)(false);
  CHECK(t.clock.epoch().get() == nullptr); // tried again later
  t.pass(cuda::DeviceClock::kRetryNs);
  const Ref<cuda::Epoch> first = t.clock.epoch();
  REQUIRE(first.get() != nullptr);
  t.pass(cuda::DeviceClock::kEpochNs);
  FAKE(fake_cuda_hold)(true);
  CHECK(t.epoch_within(kMany, 1'000'000).get() == first.get());
  FAKE(fake_cuda_hold)(false);
  CHECK(t.clock.epoch().get() == first.get());
  t.pass(cuda::DeviceClock::kRetryNs);
  CHECK(t.clock.epoch().get() != first.get());
}

TEST_CASE("A point that is recorded for its time has it in an old process", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  REQUIRE_OK(good(queue->record())->wait());
  cuda::DeviceClock& clock = static_cast<cuda::Device&>(t.device()).context().clock();
  // On a busy host the device may seem to be held up for some attempts.
  const auto next_epoch = [&clock](const cuda::Epoch* before) {
    Ref<cuda::Epoch> epoch;
    while (epoch = clock.epoch(), epoch.get() == before)
      std::this_thread::sleep_for(std::chrono::nanoseconds(cuda::DeviceClock::kRetryNs));
    return epoch;
  };
  FAKE(fake_cuda_clock)(77 * kSecond);
  const Ref<cuda::Epoch> first = next_epoch(nullptr);
  const backend::PointOptions dated{.timed = true, .dated = true};
  const auto early = good(queue->record(dated));
  REQUIRE_OK(early->wait());
  const uint64_t early_ns = early->timestamp_ns();

  // The device says that ten hours have passed, and the host half a second: measured from an epoch of now a point is
  // of now, and from an old one it is to come.
  FAKE(fake_cuda_clock)(36'077 * kSecond);
  std::this_thread::sleep_for(std::chrono::nanoseconds(cuda::DeviceClock::kEpochNs));
  const int records = FAKE(fake_cuda_calls)("cuEventRecord");
  REQUIRE_OK(good(queue->record())->wait());
  CHECK(FAKE(fake_cuda_calls)("cuEventRecord") == records + 1); // nobody asks for its time
  const uint64_t before_ns = cuda::DeviceClock::steady_ns();
  next_epoch(first.get());
  const auto late = good(queue->record(dated));
  REQUIRE_OK(late->wait());
  CHECK(late->timestamp_ns() >= before_ns);
  CHECK(late->timestamp_ns() <= cuda::DeviceClock::steady_ns());
  CHECK(early->timestamp_ns() == early_ns); // by the epoch before
  FAKE(fake_cuda_reset)();
}
