// Events of several processes over a device whose queue does its work when the test says so. Two objects of one process
// stand for two processes only end to end (tests/e2e/ipc.hip): a process does not open its own events.
#include "manual_point.h"
#include "runtime/backend/null/null_device.h"
#include "runtime/core/shared_event.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace hip;
using namespace hip::core;

namespace {

class LateQueue final : public backend::null::NullQueue {
public:
  struct Write {
    uint64_t* address;
    uint64_t value;
  };
  Status write_value(void* address, uint64_t value, uint32_t bytes) override {
    REQUIRE(bytes == sizeof value);
    if (fails) return error(ErrorCode::LaunchFailure, "The test says so.");
    writes.push_back({static_cast<uint64_t*>(address), value});
    return {};
  }
  Status wait_value(const backend::ValueWait& wait) override {
    waits.push_back(wait);
    return {};
  }
  Result<Ref<backend::Completion>> record(const backend::PointOptions&) override {
    auto point = make_ref<ManualPoint>();
    points.push_back(point);
    return Ref<backend::Completion>(point);
  }
  // The device gets to the first write that is outstanding.
  void go() {
    REQUIRE(done < writes.size());
    __atomic_store_n(writes[done].address, writes[done].value, __ATOMIC_RELEASE);
    ++done;
  }
  void go_all() {
    while (done < writes.size()) go();
    for (const auto& point : points) point->reach();
  }
  std::vector<Write> writes;
  std::vector<backend::ValueWait> waits;
  std::vector<Ref<ManualPoint>> points;
  size_t done = 0;
  bool fails = false;
};

class LateDevice final : public backend::null::NullDevice {
public:
  LateDevice() {
    properties_ = NullDevice::properties();
    properties_.memory_is_host_memory = false; // host memory must be registered
  }
  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  Status register_host(void* base, size_t bytes) override {
    ++registered;
    return NullDevice::register_host(base, bytes);
  }
  Status unregister_host(void* base) override {
    --registered;
    return NullDevice::unregister_host(base);
  }
  Status fault() const override {
    return lost ? error(ErrorCode::IllegalAddress, "The test has lost the device.") : Status();
  }
  int registered = 0;
  std::atomic<bool> lost{false};

private:
  backend::DeviceProperties properties_;
};

class LateBackend final : public backend::Backend {
public:
  std::string_view name() const noexcept override { return "late"; }
  std::span<backend::Device* const> devices() noexcept override { return {}; }
};

struct Bench {
  std::unique_ptr<SharedEvent> make() {
    auto event = SharedEvent::create(device);
    REQUIRE(event.ok());
    return std::move(*event);
  }
  ~Bench() {
    a.go_all();
    b.go_all();
    make(); // which looks at what went before
  }
  LateDevice hal;
  LateBackend group;
  Device device{0, hal, group};
  LateQueue a, b;
};

bool is_ready(const SharedEvent& event) {
  const Status status = event.query();
  REQUIRE((status.ok() || status.code() == ErrorCode::NotReady));
  return status.ok();
}

} // namespace

TEST_CASE("A shared event without a record holds nothing up") {
  Bench t;
  const auto event = t.make();
  CHECK(is_ready(*event));
  CHECK(event->synchronize().ok());
  CHECK(event->hold(t.a).ok());
  CHECK(t.a.waits.empty());
}

TEST_CASE("A shared event is reached when the device reaches its newest record") {
  Bench t;
  const auto event = t.make();
  REQUIRE(event->record(t.a).ok());
  CHECK_FALSE(is_ready(*event));
  REQUIRE(event->record(t.b).ok());
  t.a.go_all();
  CHECK_FALSE(is_ready(*event)); // only the first
  std::thread waiter([&] { CHECK(event->synchronize().ok()); });
  t.b.go_all();
  waiter.join();
  CHECK(is_ready(*event));
}

TEST_CASE("A stream waits for the record that is the newest now") {
  Bench t;
  const auto event = t.make();
  REQUIRE(event->record(t.a).ok());
  REQUIRE(event->hold(t.b).ok());
  REQUIRE(event->record(t.a).ok());
  REQUIRE(t.b.waits.size() == 1);
  const backend::ValueWait& wait = t.b.waits[0];
  CHECK_FALSE(wait.holds());
  t.a.go(); // the first record alone
  CHECK(wait.holds());
  CHECK_FALSE(is_ready(*event));
}

TEST_CASE("The page of a shared event outlives the work that uses it") {
  Bench t;
  auto event = t.make();
  CHECK(t.hal.registered == 1);
  REQUIRE(event->record(t.a).ok());
  REQUIRE(event->record(t.b).ok());
  t.b.go_all(); // the newest; the other is outstanding
  event.reset();
  CHECK(t.hal.registered == 1);
  t.a.go_all(); // writes to the page
  t.make();
  CHECK(t.hal.registered == 0);
}

TEST_CASE("A record that fails is waited for by nobody") {
  Bench t;
  const auto event = t.make();
  REQUIRE(event->record(t.a).ok());
  t.a.go_all();
  t.a.fails = true;
  CHECK(event->record(t.a).code() == ErrorCode::LaunchFailure);
  CHECK(is_ready(*event));
}

TEST_CASE("A word of a shared event is used again when its record was reached") {
  Bench t;
  const auto event = t.make();
  for (size_t i = 0; i < SharedEvent::kRecords; ++i) REQUIRE(event->record(t.a).ok());
  std::atomic<bool> recorded{false};
  std::thread recorder([&] {
    CHECK(event->record(t.b).ok());
    recorded = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(recorded);
  t.a.go();
  recorder.join();
  CHECK(t.b.writes[0].address == t.a.writes[0].address);
  CHECK(t.b.writes[0].value == SharedEvent::kRecords + 1);
}

TEST_CASE("A stream takes work while a record in it waits for room") {
  Bench t;
  const auto event = t.make();
  for (size_t i = 0; i < SharedEvent::kRecords; ++i) REQUIRE(event->record(t.a).ok());
  Stream stream(t.device, Stream::Kind::NonBlocking, 0, 0);
  std::thread recorder([&] { CHECK(event->record(stream).ok()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(stream.submit_now([](backend::Queue&) { return Status(); }).ok());
  t.a.go();
  recorder.join();
  t.a.go_all();
  CHECK(is_ready(*event)); // the stream's queue writes at once
}

TEST_CASE("Nobody waits for a record that a lost device does not reach") {
  Bench t;
  const auto event = t.make();
  REQUIRE(event->record(t.a).ok());
  t.a.go_all();
  REQUIRE(event->record(t.a).ok());
  std::thread waiter([&] { CHECK(event->synchronize().code() == ErrorCode::IllegalAddress); });
  t.hal.lost = true;
  waiter.join();
  CHECK(event->query().code() == ErrorCode::IllegalAddress);
  t.a.go_all(); // what was reached stays so
  CHECK(event->query().ok());
  CHECK(event->synchronize().ok());
}

TEST_CASE("A record does not wait for room on a lost device") {
  Bench t;
  const auto event = t.make();
  for (size_t i = 0; i < SharedEvent::kRecords; ++i) REQUIRE(event->record(t.a).ok());
  t.hal.lost = true;
  CHECK(event->record(t.b).code() == ErrorCode::IllegalAddress);
  Stream stream(t.device, Stream::Kind::NonBlocking, 0, 0);
  CHECK(event->record(stream).code() == ErrorCode::IllegalAddress);
}

TEST_CASE("What a shared event's handle must be") {
  Bench t;
  const auto event = t.make();
  CHECK(SharedEvent::open(t.device, event->handle()).status().code() == ErrorCode::InvalidContext);
  SharedEventHandle garbage{};
  CHECK(SharedEvent::open(t.device, garbage).status().code() == ErrorCode::InvalidValue);
  SharedEventHandle gone = event->handle();
  gone[8] = gone[9] = gone[10] = std::byte{0xff}; // a process that cannot be
  gone[11] = std::byte{0x7f};
  CHECK(SharedEvent::open(t.device, gone).status().code() == ErrorCode::InvalidValue);
}
