// Queues: order, points, waits, host functions, faults, full rings. Kernels are host functions on the fake engine.
#include "fake_engine.h"

#include <numeric>
#include <set>

using namespace hip;
using namespace hip::test;

TEST_CASE("A kernel gets its arguments, explicit and hidden", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue();
  std::atomic<uint64_t> seen{0};
  std::atomic<uint32_t> blocks{0}, remainder{0};
  TestKernel kernel(device, [&](const engine::Dispatch& d, uint64_t) {
    seen = argument<uint64_t>(d);
    blocks = *reinterpret_cast<uint32_t*>(d.kernarg_address + 8);
    remainder = *reinterpret_cast<uint16_t*>(d.kernarg_address + 12);
    return Status();
  });
  const uint64_t value = 0x1234567890abcdef;
  void* pointers[] = {const_cast<uint64_t*>(&value)};
  backend::Launch launch;
  launch.kernel = &kernel.kernel;
  launch.group_items = {64, 1, 1};
  launch.grid_items = {200, 1, 1};
  launch.groups = {4, 1, 1};
  launch.argument_pointers = pointers;
  REQUIRE_OK(queue->launch(launch));
  REQUIRE_OK(queue->synchronize());
  CHECK(seen == value);
  CHECK(blocks == 3);
  CHECK(remainder == 8);

  launch.argument_pointers = nullptr;
  const uint64_t packed[] = {42};
  launch.packed_arguments = std::as_bytes(std::span(packed));
  REQUIRE_OK(queue->launch(launch));
  REQUIRE_OK(queue->synchronize());
  CHECK(seen == 42);
}

TEST_CASE("Operations of a queue run in order", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue();
  std::vector<uint64_t> order; // unprotected: the queue's order is its protection
  TestKernel kernel(device, [&](const engine::Dispatch& d, uint64_t) {
    order.push_back(argument<uint64_t>(d));
    return Status();
  });
  constexpr uint64_t kCount = 5000; // wraps the ring of packets and that of arguments
  for (uint64_t i = 0; i < kCount; ++i) REQUIRE_OK(kernel.launch(*queue, &i));
  REQUIRE_OK(queue->synchronize());
  std::vector<uint64_t> expected(kCount);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(order == expected);
  CHECK(queue->idle());
}

TEST_CASE("Queues that are made and destroyed in turn use the same points again", "[aql][queue]") {
  FakeDevice device;
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) { return Status(); });
  std::set<const backend::Completion*> points;
  const auto use = [&](backend::Queue& queue) {
    const uint64_t value = 0;
    REQUIRE_OK(kernel.launch(queue, &value));
    points.insert(good(queue.record()).get());
    REQUIRE_OK(queue.synchronize());
  };
  for (int round = 0; round < 300; ++round) {
    const auto first = device.queue();
    use(*first);
    const auto second = device.queue(); // when the first one has what was free
    use(*second);
  }
  CHECK(points.size() <= 128);
}

TEST_CASE("Arguments of every size arrive", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue();
  const uint32_t bytes = GENERATE(1000u, 40000u, 200000u); // ring, ring with many wraps, block of its own
  std::atomic<uint64_t> good_ones{0};
  TestKernel kernel(
      device,
      [&](const engine::Dispatch& d, uint64_t) {
        const auto* words = reinterpret_cast<const uint64_t*>(d.kernarg_address);
        bool same = true;
        for (uint32_t i = 1; i < bytes / 8; ++i) same &= words[i] == words[0];
        good_ones += same;
        return Status();
      },
      bytes);
  std::vector<uint64_t> block(bytes / 8);
  for (uint64_t i = 0; i < 100; ++i) {
    std::fill(block.begin(), block.end(), i);
    REQUIRE_OK(kernel.launch(*queue, block.data()));
  }
  REQUIRE_OK(queue->synchronize());
  CHECK(good_ones == 100);
}

TEST_CASE("Every work-group of a large grid runs once", "[aql][queue]") {
  FakeDevice device(GENERATE(1u, 2u, 4u));
  const auto queue = device.queue();
  constexpr uint32_t kGroups = 3000;
  std::vector<std::atomic<int>> runs(kGroups);
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t group) {
    ++runs[group];
    return Status();
  });
  const uint64_t nothing = 0;
  for (int round = 1; round <= 3; ++round) {
    REQUIRE_OK(kernel.launch(*queue, &nothing, kGroups));
    REQUIRE_OK(queue->synchronize());
    CHECK(std::all_of(runs.begin(), runs.end(), [round](const std::atomic<int>& n) { return n == round; }));
  }
}

TEST_CASE("Points: time, order, and an idle queue's point is now", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue();
  TestKernel sleeper(device, [](const engine::Dispatch&, uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Status();
  });
  const uint64_t nothing = 0;
  const auto before = good(queue->record());
  CHECK(before->done());
  REQUIRE_OK(sleeper.launch(*queue, &nothing));
  const auto after = good(queue->record());
  CHECK(after->timestamp_ns() == 0);
  CHECK_FALSE(queue->idle());
  REQUIRE_OK(after->wait());
  CHECK(after->done());
  CHECK(after->timestamp_ns() - before->timestamp_ns() >= 20'000'000);
  CHECK(after->timestamp_ns() - before->timestamp_ns() < 2'000'000'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto later = good(queue->record());
  CHECK(later->timestamp_ns() >= after->timestamp_ns() + 5'000'000);
}

TEST_CASE("A queue waits for points of others", "[aql][queue]") {
  FakeDevice device;
  std::vector<std::unique_ptr<backend::Queue>> queues;
  for (int i = 0; i < 12; ++i) queues.push_back(device.queue());
  const auto last = device.queue();
  std::atomic<int> done{0}, seen{-1};
  TestKernel slow(device, [&](const engine::Dispatch&, uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++done;
    return Status();
  });
  TestKernel reader(device, [&](const engine::Dispatch&, uint64_t) {
    seen = done.load();
    return Status();
  });
  const uint64_t nothing = 0;
  for (auto& queue : queues) {
    REQUIRE_OK(slow.launch(*queue, &nothing));
    REQUIRE_OK(last->wait(good(queue->record()))); // 12 dependencies: three barrier packets
  }
  REQUIRE_OK(reader.launch(*last, &nothing));
  REQUIRE_OK(last->synchronize());
  CHECK(seen == 12);
}

TEST_CASE("A chain through queues runs in its order, whoever waits", "[aql][queue]") {
  FakeDevice device(GENERATE(1u, 2u));
  std::vector<std::unique_ptr<backend::Queue>> queues;
  for (int i = 0; i < 5; ++i) queues.push_back(device.queue());
  std::vector<int> order;
  TestKernel kernel(device, [&](const engine::Dispatch& d, uint64_t) {
    order.push_back(argument<int>(d));
    return Status();
  });
  for (int i = 0; i < 200; ++i) {
    backend::Queue& queue = *queues[i % queues.size()];
    if (i > 0) REQUIRE_OK(queue.wait(good(queues[(i - 1) % queues.size()]->record())));
    const int64_t number = i;
    REQUIRE_OK(kernel.launch(queue, &number));
  }
  REQUIRE_OK(queues[199 % 5]->synchronize());
  REQUIRE(order.size() == 200);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("Host functions run between what is before and behind them", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue();
  std::vector<int> order;
  TestKernel kernel(device, [&](const engine::Dispatch& d, uint64_t) {
    order.push_back(argument<int>(d));
    return Status();
  });
  int64_t one = 1, three = 3, five = 5;
  const auto push = [](void* data, const Status& status) {
    auto& list = *static_cast<std::vector<int>*>(data);
    list.push_back(status.ok() ? static_cast<int>(list.size()) + 1 : -1);
  };
  REQUIRE_OK(kernel.launch(*queue, &one));
  REQUIRE_OK(queue->host_function(push, &order));
  REQUIRE_OK(kernel.launch(*queue, &three));
  REQUIRE_OK(queue->host_function(push, &order));
  REQUIRE_OK(kernel.launch(*queue, &five));
  REQUIRE_OK(queue->synchronize());
  CHECK(order == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("A host function may let a waiting kernel of another queue go on", "[aql][queue]") {
  FakeDevice device(2);
  const auto spinning = device.queue(), other = device.queue();
  std::atomic<bool> go{false};
  TestKernel spinner(device, [&](const engine::Dispatch&, uint64_t) {
    while (!go) std::this_thread::yield();
    return Status();
  });
  const uint64_t nothing = 0;
  REQUIRE_OK(spinner.launch(*spinning, &nothing));
  REQUIRE_OK(
      other->host_function([](void* flag, const Status&) { *static_cast<std::atomic<bool>*>(flag) = true; }, &go));
  REQUIRE_OK(other->synchronize());
  REQUIRE_OK(spinning->synchronize());
}

TEST_CASE("Synchronising one queue never executes a kernel that waits for the host", "[aql][queue]") {
  FakeDevice device(2);
  const auto waiting = device.queue(), other = device.queue();
  std::atomic<bool> go{false};
  TestKernel spinner(device, [&](const engine::Dispatch&, uint64_t) {
    while (!go) std::this_thread::yield();
    return Status();
  });
  std::atomic<int> ran{0};
  TestKernel quick(device, [&](const engine::Dispatch&, uint64_t) {
    ++ran;
    return Status();
  });
  const uint64_t nothing = 0;
  REQUIRE_OK(quick.launch(*other, &nothing));
  const auto point = good(other->record());
  REQUIRE_OK(spinner.launch(*other, &nothing)); // behind the point in the same queue
  REQUIRE_OK(spinner.launch(*waiting, &nothing));
  REQUIRE_OK(point->wait());
  CHECK(ran == 1);
  go = true;
  REQUIRE_OK(waiting->synchronize());
  REQUIRE_OK(other->synchronize());
}

TEST_CASE("A fault is reported once, where it belongs, and the queue goes on", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue(), innocent = device.queue();
  TestKernel bad(device, [](const engine::Dispatch&, uint64_t group) -> Status {
    if (group == 3) return error(ErrorCode::IllegalAddress, "Group {} faults.", group);
    return Status();
  });
  std::atomic<int> ran{0};
  TestKernel fine(device, [&](const engine::Dispatch&, uint64_t) {
    ++ran;
    return Status();
  });
  const uint64_t nothing = 0;
  REQUIRE_OK(fine.launch(*queue, &nothing));
  const auto before = good(queue->record());
  REQUIRE_OK(bad.launch(*queue, &nothing, 8));
  const auto after = good(queue->record());
  REQUIRE_OK(fine.launch(*queue, &nothing));
  const auto last = good(queue->record());
  while (!queue->idle()) std::this_thread::yield();
  CHECK(before->wait().ok());
  CHECK(after->wait().code() == ErrorCode::IllegalAddress);
  CHECK(after->status().message() == "Group 3 faults."); // it keeps what it reported
  CHECK(last->wait().ok());
  REQUIRE_OK(queue->synchronize());
  CHECK(ran == 2);
  REQUIRE_OK(bad.launch(*queue, &nothing, 8));
  CHECK(queue->synchronize().code() == ErrorCode::IllegalAddress);
  REQUIRE_OK(queue->synchronize());
  REQUIRE_OK(fine.launch(*innocent, &nothing));
  REQUIRE_OK(innocent->synchronize());
  // A host function hears of a fault that nobody has asked for yet.
  REQUIRE_OK(bad.launch(*queue, &nothing, 8));
  ErrorCode heard = ErrorCode::Success;
  REQUIRE_OK(queue->host_function(
      [](void* code, const Status& status) { *static_cast<ErrorCode*>(code) = status.code(); }, &heard));
  CHECK(queue->synchronize().code() == ErrorCode::IllegalAddress);
  CHECK(heard == ErrorCode::IllegalAddress);
}

TEST_CASE("Copies and fills are in order with kernels", "[aql][queue]") {
  FakeDevice device;
  const auto queue = device.queue();
  const size_t bytes = GENERATE(size_t(64), size_t(5) << 20);
  auto* memory = static_cast<uint8_t*>(good(device.device->allocate(bytes, backend::MemoryKind::Device)));
  TestKernel increment(device, [&](const engine::Dispatch&, uint64_t) {
    for (size_t i = 0; i < bytes; ++i) ++memory[i];
    return Status();
  });
  const uint64_t nothing = 0;
  std::vector<uint8_t> host(bytes);
  REQUIRE_OK(increment.launch(*queue, &nothing));
  REQUIRE_OK(queue->fill_3d({memory, 0, 0}, 7, 1, {bytes, 1, 1}));
  REQUIRE_OK(increment.launch(*queue, &nothing));
  REQUIRE_OK(queue->copy(host.data(), memory, bytes));
  REQUIRE_OK(increment.launch(*queue, &nothing));
  REQUIRE_OK(queue->synchronize());
  CHECK(std::all_of(host.begin(), host.end(), [](uint8_t b) { return b == 8; }));
  CHECK(memory[bytes - 1] == 9);

  CHECK(queue->fill_3d({memory, 0, 0}, 7, 3, {bytes, 1, 1}).code() == ErrorCode::NotSupported);
  CHECK(queue->fill_3d({memory, 0, 0}, 7, 4, {3, 1, 1}).code() == ErrorCode::InvalidValue);
  REQUIRE_OK(queue->copy(host.data(), memory, 0));
  // Too far: at once when the queue is idle and the copy small, else with the next synchronise.
  Status status = queue->copy(host.data(), memory, bytes + (1 << 20));
  if (status.ok()) status = queue->synchronize();
  CHECK(status.code() == ErrorCode::IllegalAddress);
  REQUIRE_OK(queue->synchronize());
  REQUIRE_OK(device.device->free(memory, backend::MemoryKind::Device));
}
