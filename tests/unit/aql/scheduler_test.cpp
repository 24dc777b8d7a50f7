// Many threads and queues at once: nothing is lost, nothing hangs, queues come and go.
#include "fake_engine.h"

#include <random>

using namespace hip;
using namespace hip::test;

TEST_CASE("Many host threads with many queues", "[aql][scheduler]") {
  FakeDevice device(GENERATE(1u, 2u, 3u), GENERATE(uint64_t(0), uint64_t(20000)));
  constexpr int kThreads = 4, kRounds = 60;
  std::atomic<uint64_t> groups{0};
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) {
    ++groups;
    return Status();
  });
  std::atomic<uint64_t> expected{0}, failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int round = 0; round < kRounds; ++round) {
        Result<std::unique_ptr<backend::Queue>> queue = device.device->create_queue({});
        if (!queue.ok()) {
          ++failures;
          return;
        }
        const int launches = 1 + random() % 20;
        for (int i = 0; i < launches; ++i) {
          const uint64_t nothing = 0;
          const uint32_t count = 1 + random() % 40;
          if (!kernel.launch(**queue, &nothing, count).ok()) ++failures;
          expected += count;
        }
        if (random() % 2 && !(*queue)->synchronize().ok()) ++failures;
      } // else the destructor waits
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(groups == expected);
}

TEST_CASE("Queues that wait for each other in random ways", "[aql][scheduler]") {
  FakeDevice device(2, 5000);
  std::vector<std::unique_ptr<backend::Queue>> queues;
  for (int i = 0; i < 6; ++i) queues.push_back(device.queue());
  std::atomic<int> ran{0};
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) {
    ++ran;
    return Status();
  });
  std::mt19937 random(5);
  std::vector<Ref<backend::Completion>> points;
  const uint64_t nothing = 0;
  int expected = 0;
  for (int i = 0; i < 3000; ++i) {
    backend::Queue& queue = *queues[random() % queues.size()];
    switch (random() % 4) {
    case 0:
      if (!points.empty()) REQUIRE_OK(queue.wait(points[random() % points.size()]));
      break;
    case 1:
      points.push_back(good(queue.record()));
      break;
    default:
      REQUIRE_OK(kernel.launch(queue, &nothing, 1 + i % 3));
      expected += 1 + i % 3;
    }
    if (points.size() > 50) points.erase(points.begin(), points.begin() + 25);
    if (i % 500 == 0) REQUIRE_OK(queue.synchronize());
  }
  for (auto& queue : queues) REQUIRE_OK(queue->synchronize());
  CHECK(ran == expected);
}

TEST_CASE("Events are waited for and polled from several threads", "[aql][scheduler]") {
  FakeDevice device(2);
  const auto queue = device.queue();
  TestKernel kernel(device, [](const engine::Dispatch&, uint64_t) { return Status(); });
  const uint64_t nothing = 0;
  std::atomic<int> reached{0};
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 10; ++i) REQUIRE_OK(kernel.launch(*queue, &nothing, 4));
    const auto point = good(queue->record());
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        if (t == 0)
          while (!point->done()) std::this_thread::yield();
        else if (!point->wait().ok())
          return;
        reached += point->timestamp_ns() != 0;
      });
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(reached == 150);
}

TEST_CASE("Queues of different priorities all progress", "[aql][scheduler]") {
  FakeDevice device(1);
  std::vector<std::unique_ptr<backend::Queue>> queues;
  for (int priority : {-1, 0, 1, 5, -7}) queues.push_back(good(device.device->create_queue({.priority = priority})));
  std::atomic<int> ran{0};
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) {
    ++ran;
    return Status();
  });
  const uint64_t nothing = 0;
  for (int i = 0; i < 200; ++i)
    for (auto& queue : queues) REQUIRE_OK(kernel.launch(*queue, &nothing));
  while (ran != 1000) std::this_thread::yield(); // without help from this thread
  for (auto& queue : queues) REQUIRE_OK(queue->synchronize());
}

TEST_CASE("Kernels that wait for kernels of other queues do not block them", "[aql][scheduler]") {
  FakeDevice device(GENERATE(1u, 2u));
  constexpr int kWaiting = 4; // more than there are threads
  std::vector<std::unique_ptr<backend::Queue>> queues;
  for (int i = 0; i < kWaiting; ++i) queues.push_back(device.queue());
  const auto releasing = device.queue();
  std::atomic<int> arrived{0};
  TestKernel waiter(device, [&](const engine::Dispatch&, uint64_t) {
    while (arrived == 0) std::this_thread::yield();
    return Status();
  });
  TestKernel releaser(device, [&](const engine::Dispatch&, uint64_t) {
    ++arrived;
    return Status();
  });
  const uint64_t nothing = 0;
  for (auto& queue : queues) REQUIRE_OK(waiter.launch(*queue, &nothing));
  REQUIRE_OK(releaser.launch(*releasing, &nothing));
  for (auto& queue : queues) REQUIRE_OK(queue->synchronize()); // this thread runs a waiting kernel itself
  REQUIRE_OK(releasing->synchronize());
}
