// Many threads and queues at once: nothing is lost, nothing hangs, queues come and go.
#include "fake_engine.h"
#include "test_seed.h"

#include <bit>
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
      std::mt19937 random(hip::testing::seeded(t));
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
  std::mt19937 random(hip::testing::seeded(5));
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

namespace {

backend::Command command_of(TestKernel& kernel, uint64_t argument, uint32_t groups, bool starts_step) {
  backend::Command command;
  command.starts_step = starts_step;
  command.launch.kernel = &kernel.kernel;
  command.launch.group_items = {64, 1, 1};
  command.launch.grid_items = {groups * 64, 1, 1};
  command.launch.groups = {groups, 1, 1};
  command.arguments.resize(8);
  std::memcpy(command.arguments.data(), &argument, 8);
  return command;
}
uint64_t argument_of(const engine::Dispatch& dispatch) {
  uint64_t argument;
  std::memcpy(&argument, reinterpret_cast<const void*>(dispatch.kernarg_address), 8);
  return argument;
}

} // namespace

TEST_CASE("Launches of a command list's step run beside each other, steps one after the other", "[aql][scheduler]") {
  constexpr unsigned kThreads = 3;
  constexpr uint64_t kSteps = 40;
  FakeDevice device(kThreads, GENERATE(uint64_t(0), uint64_t(20000)));
  const auto queue = device.queue();
  // Each step has as many launches as there are threads, and they wait for each other: none ends before all have begun.
  std::array<std::atomic<unsigned>, kSteps> begun{};
  std::atomic<uint64_t> out_of_order{0};
  TestKernel kernel(device, [&](const engine::Dispatch& dispatch, uint64_t) {
    const uint64_t step = argument_of(dispatch);
    if (step != 0 && begun[step - 1] != kThreads) ++out_of_order;
    ++begun[step];
    do std::this_thread::sleep_for(std::chrono::microseconds(100)); // also the last one: short ones are not shared
    while (begun[step] < kThreads);
    return Status();
  });
  std::vector<backend::Command> commands;
  for (uint64_t step = 0; step < kSteps; ++step)
    for (unsigned i = 0; i < kThreads; ++i) commands.push_back(command_of(kernel, step, 1, i == 0));
  const auto list = good(device.device->prepare(std::move(commands)));
  REQUIRE_OK(queue->run(list));
  REQUIRE_OK(queue->synchronize());
  CHECK(out_of_order == 0);
  CHECK(begun[kSteps - 1] == kThreads);
}

TEST_CASE("Command lists of random steps, in several queues at once", "[aql][scheduler]") {
  const unsigned threads = GENERATE(1u, 2u, 3u);
  FakeDevice device(threads);
  constexpr int kQueues = 3, kRuns = 20;
  std::atomic<uint64_t> out_of_order{0}, groups{0};
  std::array<std::atomic<uint64_t>, kQueues> last_step{};
  TestKernel kernel(device, [&](const engine::Dispatch& dispatch, uint64_t) {
    const uint64_t argument = argument_of(dispatch), queue = argument & 0xff, step = argument >> 8 & 0xffff;
    if (argument >> 24 != 0) std::this_thread::sleep_for(std::chrono::microseconds(argument >> 24));
    uint64_t seen = last_step[queue];
    while (seen < step && !last_step[queue].compare_exchange_weak(seen, step)) {
    }
    if (seen > step) ++out_of_order; // a launch of a later step has begun
    ++groups;
    return Status();
  });
  uint64_t expected = 0;
  std::vector<std::thread> hosts;
  std::vector<Ref<backend::CommandList>> lists;
  std::vector<std::unique_ptr<backend::Queue>> queues;
  std::atomic<int> failures{0};
  for (uint64_t q = 0; q < kQueues; ++q) {
    std::mt19937 random(hip::testing::seeded(static_cast<unsigned>(q)));
    std::vector<backend::Command> commands;
    for (uint64_t step = 1; step < 60; ++step)
      for (unsigned i = 0, count = 1 + random() % 6; i < count; ++i) {
        const uint32_t size = 1 + random() % 3;
        const uint64_t sleep_us = random() % 4 == 0 ? 30 : 0;
        commands.push_back(command_of(kernel, q | step << 8 | sleep_us << 24, size, i == 0));
        expected += size * kRuns;
      }
    lists.push_back(good(device.device->prepare(std::move(commands))));
    queues.push_back(device.queue());
  }
  for (size_t q = 0; q < kQueues; ++q)
    hosts.emplace_back([&, q] {
      for (int run = 0; run < kRuns; ++run) {
        failures += !queues[q]->run(lists[q]).ok();
        failures += !queues[q]->synchronize().ok();
        last_step[q] = 0;
      }
    });
  for (std::thread& host : hosts) host.join();
  CHECK(failures == 0);
  CHECK(out_of_order == 0);
  CHECK(groups == expected);
}

TEST_CASE("Short kernels of a command list are executed as a sequence, in order, with every fault told", "[aql]") {
  FakeDevice device(GENERATE(1u, 2u));
  const auto queue = device.queue();
  constexpr uint64_t kCommands = 300, kRuns = 40; // more than one batch
  std::atomic<uint64_t> next{0}, out_of_order{0};
  std::atomic<bool> fails{false};
  TestKernel kernel(device, [&](const engine::Dispatch& dispatch, uint64_t) -> Status {
    const uint64_t number = argument_of(dispatch);
    if (next.exchange(number + 1) != number) ++out_of_order;
    if (fails && number == 150) return error(ErrorCode::LaunchFailure, "Number 150.");
    return {};
  });
  std::vector<std::byte> memory(64);
  std::vector<backend::Command> commands;
  for (uint64_t i = 0; i < kCommands; ++i) {
    if (i == 200) { // between kernels
      backend::Command& fill = commands.emplace_back();
      fill.kind = backend::Command::Kind::Fill;
      fill.dst = {memory.data(), memory.size(), memory.size()};
      fill.extent = {memory.size(), 1, 1};
      fill.pattern_bytes = 1;
      fill.pattern = 5;
    }
    commands.push_back(command_of(kernel, i, 1, true));
  }
  const auto list = good(device.device->prepare(std::move(commands)));
  const uint64_t before = FakeSequence::executed;
  for (uint64_t run = 0; run < kRuns; ++run) {
    fails = run == 20 || run == 21;
    next = 0;
    std::fill(memory.begin(), memory.end(), std::byte(0));
    REQUIRE_OK(queue->run(list));
    const Status status = queue->synchronize();
    CHECK(status.ok() == !fails);
    if (fails) CHECK(status.message() == "Number 150.");
    CHECK(next == kCommands);
    CHECK(memory[63] == std::byte(5));
  }
  CHECK(out_of_order == 0);
  CHECK(FakeSequence::executed - before > kCommands); // how many is a matter of times
}

TEST_CASE("Commands of a list that are replaced between its runs", "[aql]") {
  FakeDevice device(GENERATE(1u, 2u));
  const auto queue = device.queue();
  constexpr uint64_t kCommands = 200, kRuns = 60; // more than one batch
  std::vector<uint64_t> seen;                     // kernels are in a row
  const auto note = [&](uint64_t by) {
    return [&seen, by](const engine::Dispatch& dispatch, uint64_t group) {
      if (group == 0) seen.push_back(argument_of(dispatch) + by);
      return Status();
    };
  };
  TestKernel kernel(device, note(0)), other(device, note(1'000'000)), larger(device, note(0), 256);
  std::vector<std::byte> memory(64);
  std::vector<backend::Command> commands;
  std::vector<uint64_t> expected;
  for (uint64_t i = 0; i < kCommands; ++i) {
    commands.push_back(command_of(kernel, i, 1, true));
    expected.push_back(i);
  }
  backend::Command fill;
  fill.kind = backend::Command::Kind::Fill;
  fill.dst = {memory.data(), memory.size(), memory.size()};
  fill.extent = {memory.size(), 1, 1};
  fill.pattern_bytes = 1;
  commands.push_back(fill);
  const auto list = good(device.device->prepare(std::move(commands)));
  const uint64_t before = FakeSequence::executed;
  for (uint64_t run = 0; run < kRuns; ++run) {
    if (run > 0)
      for (uint64_t place = run % 7; place < kCommands; place += 7) {
        const bool is_other = run % 10 == 9 && place % 2 == 0; // another kernel, another grid
        REQUIRE(good(list->replace(place, command_of(is_other ? other : kernel, run * 1000 + place,
                                                     is_other ? 2 : 1 + (run % 5 == 4), false))));
        expected[place] = run * 1000 + place + (is_other ? 1'000'000 : 0);
      }
    CHECK(list->commands()[3].starts_step); // as before
    fill.pattern = run + 1;
    REQUIRE(good(list->replace(kCommands, fill)));
    seen.clear();
    REQUIRE_OK(queue->run(list));
    REQUIRE_OK(queue->synchronize());
    REQUIRE(seen == expected);
    CHECK(memory[63] == std::byte(run + 1));
  }
  CHECK(FakeSequence::executed - before > kCommands); // how many is a matter of times
  CHECK_FALSE(good(list->replace(0, command_of(larger, 0, 1, true)))); // there is no room for its arguments
}

TEST_CASE("A command list in two queues at once, with kernels that become long and short again", "[aql][scheduler]") {
  FakeDevice device(2);
  constexpr uint64_t kCommands = 20, kRuns = 60;
  std::atomic<uint64_t> ran{0};
  std::atomic<unsigned> sleep_us{0};
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) {
    if (const unsigned us = sleep_us) std::this_thread::sleep_for(std::chrono::microseconds(us));
    ++ran;
    return Status();
  });
  std::vector<backend::Command> commands;
  for (uint64_t i = 0; i < kCommands; ++i) commands.push_back(command_of(kernel, i, 1 + i % 3, i % 4 == 0));
  uint64_t groups = 0;
  for (const backend::Command& command : commands) groups += command.launch.groups[0];
  const auto list = good(device.device->prepare(std::move(commands)));
  const auto first = device.queue(), second = device.queue();
  for (uint64_t run = 0; run < kRuns; ++run) {
    sleep_us = run / 20 % 2 * 50;
    for (int i = 0; i < 3; ++i) {
      REQUIRE_OK(first->run(list));
      REQUIRE_OK(second->run(list));
    }
    REQUIRE_OK(first->synchronize());
    REQUIRE_OK(second->synchronize());
    CHECK(ran == (run + 1) * 6 * groups);
  }
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

TEST_CASE("A queue on some of the compute units executes on as many threads at most", "[aql][scheduler]") {
  FakeDevice device(4);
  const uint32_t units = GENERATE(0x1u, 0x5u, 0xfu);
  const auto queue = good(device.device->create_queue({.compute_unit_mask = {units}}));
  std::atomic<int> now{0}, most{0}, ran{0};
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) {
    const int here = ++now;
    int seen = most;
    while (seen < here && !most.compare_exchange_weak(seen, here)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50)); // a yield would take a time slice where others work
    --now;
    ++ran;
    return Status();
  });
  const uint64_t nothing = 0;
  for (int i = 0; i < 20; ++i) REQUIRE_OK(kernel.launch(*queue, &nothing, 40));
  REQUIRE_OK(queue->synchronize());
  CHECK(ran == 800);
  CHECK(most <= std::popcount(units));
}

namespace {

// The table looks at no queue, so memory of any content serves.
struct NoQueue {
  alignas(aql::soft::SoftQueue) std::byte memory[sizeof(aql::soft::SoftQueue)];
  aql::soft::SoftQueue& get() noexcept { return *reinterpret_cast<aql::soft::SoftQueue*>(memory); }
};

} // namespace

TEST_CASE("A queue's tag means no queue that comes after it", "[aql][scheduler]") {
  using aql::soft::QueueTable;
  QueueTable table;
  NoQueue queue;
  QueueTable::Entry* const entry = good(table.add(queue.get(), 1));
  const uint32_t tag = QueueTable::tag_of(*entry);
  CHECK(tag != 0);
  CHECK(table.find(tag) == entry);
  table.remove(*entry);
  CHECK(table.find(tag) == nullptr);
  std::vector<uint32_t> tags{tag};
  for (int i = 0; i < 100; ++i) {
    REQUIRE(good(table.add(queue.get(), 1)) == entry); // places are used again
    const uint32_t next = QueueTable::tag_of(*entry);
    CHECK(next != 0);
    CHECK(std::find(tags.begin(), tags.end(), next) == tags.end());
    CHECK(table.find(next) == entry);
    for (const uint32_t each : tags) REQUIRE(table.find(each) == nullptr);
    tags.push_back(next);
    if (i % 2 == 0) { // it takes no packets any more
      QueueTable::retire_tag(*entry);
      CHECK(QueueTable::tag_of(*entry) == 0);
      CHECK(table.find(next) == nullptr);
    }
    table.remove(*entry);
  }
  CHECK(table.find(0) == nullptr);
  CHECK(table.find(UINT32_MAX) == nullptr);
}

TEST_CASE("A queue that is ready has its new priority at once, and is ready once", "[aql][scheduler]") {
  using aql::soft::QueueTable;
  QueueTable table;
  NoQueue queues[3];
  QueueTable::Entry* entries[3];
  for (size_t i = 0; i < 3; ++i) entries[i] = good(table.add(queues[i].get(), 1));
  for (QueueTable::Entry* const entry : entries) CHECK(table.notify(*entry));
  CHECK(table.set_priority(*entries[0], 2));
  CHECK(table.set_priority(*entries[2], 0));
  CHECK(table.set_priority(*entries[1], 2));
  CHECK(table.set_priority(*entries[1], 1));
  for (const size_t wanted : {2u, 1u, 0u}) {
    CHECK(table.take_ready() == &queues[wanted].get());
    CHECK_FALSE(table.set_priority(*entries[wanted], 1)); // it is claimed, and not ready
    CHECK_FALSE(table.give_back(*entries[wanted], QueueTable::Rest::None));
  }
  CHECK_FALSE(table.any_ready());
  CHECK(table.take_ready() == nullptr);
  for (QueueTable::Entry* const entry : entries) table.remove(*entry);
}
