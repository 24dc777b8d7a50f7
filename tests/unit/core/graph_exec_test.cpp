// Executables over a device whose work is done when the test says so: how long they keep what their work uses, and what
// a launch that fails leaves behind.
#include "graph_bench.h"
#include "runtime/core/memory.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace hip;
using namespace hip::core;
using manual::byte_copy;
using Bench = manual::GraphBench;

TEST_CASE("An executable that was destroyed goes when its work is done", "[graph]") {
  Bench t;
  t.add(t.graph, t.copy());
  t.give_object(t.graph);
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  REQUIRE(destroy_graph(t.graph).ok());
  t.graph = create_graph();
  REQUIRE(destroy_exec(exec).ok());
  CHECK(t.alive == 1);
  REQUIRE(destroy_exec(t.make_exec(t.graph)).ok()); // looks at those that were left
  CHECK(t.alive == 1);
  CHECK(t.destroyed == 0);
  t.reach_all();
  REQUIRE(destroy_exec(t.make_exec(t.graph)).ok());
  CHECK(t.alive == 0);
  CHECK(t.destroyed == 1);
}

TEST_CASE("What an update replaces in child graphs is kept while it runs", "[graph]") {
  Bench t;
  const Handle inner = create_graph();
  t.add(inner, t.copy());
  const Handle child = add_child_node(t.graph, nullptr, 0, inner).value();
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  REQUIRE(destroy_node(child).ok()); // the executable alone has the first copy now
  REQUIRE(destroy_graph(inner).ok());
  CHECK(t.alive == 1);
  const Handle other = create_graph();
  t.add(other, t.copy());
  REQUIRE(add_child_node(t.graph, nullptr, 0, other).ok());
  REQUIRE(destroy_graph(other).ok());
  CHECK(t.alive == 2); // in the graph
  Handle wrong = nullptr;
  auto result = find_exec(exec).value()->update(t.graph, wrong);
  REQUIRE(result.ok());
  REQUIRE(*result == UpdateResult::Success);
  CHECK(t.alive == 2);
  t.reach_all();
  REQUIRE(t.launch(exec).ok());
  CHECK(t.alive == 1);
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("What updates replace goes although launches overlap", "[graph]") {
  Bench t;
  const Handle node = t.add(t.graph, t.copy());
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  for (int round = 0; round < 50; ++round) {
    manual::ManualQueue& queue = *t.hal.queues[0];
    const size_t points = queue.points.size();
    REQUIRE(find_exec(exec).value()->set_operation(node, t.copy()).ok());
    REQUIRE(t.launch(exec).ok());
    for (size_t i = 0; i < points; ++i) queue.points[i]->reach(); // all runs but the last
    CHECK(t.alive <= 4);                                          // of the graph, of three runs
  }
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("A launch does not look at each run that is under way", "[graph]") {
  Bench t;
  t.add(t.graph, t.copy());
  const Handle exec = t.make_exec(t.graph);
  constexpr int kRuns = 500;
  for (int run = 0; run < kRuns; ++run) REQUIRE(t.launch(exec).ok());
  REQUIRE(t.hal.queues[0]->points.size() == kRuns);
  int questions = 0;
  for (const auto& point : t.hal.queues[0]->points) questions += point->questions();
  CHECK(questions <= 2 * kRuns);
  t.reach_all();
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("What runs in several streams use goes with each of them", "[graph]") {
  constexpr int kRuns = 20;
  Bench t;
  const Handle node = t.add(t.graph, t.copy());
  const Handle exec = t.make_exec(t.graph);
  std::vector<Ref<ManualPoint>> ends; // of the runs
  for (int run = 0; run < kRuns; ++run) {
    REQUIRE(find_exec(exec).value()->set_operation(node, t.copy()).ok()); // each has a copy of its own
    REQUIRE(find_exec(exec).value()->launch(run % 2 == 0 ? t.stream : t.other).ok());
    ends.push_back(t.hal.queues[static_cast<size_t>(run % 2)]->points.back());
    // It waits for the run before.
    if (run != 0)
      CHECK(t.hal.queues[static_cast<size_t>(run % 2)]->waited_for.back().get() ==
            ends[static_cast<size_t>(run - 1)].get());
  }
  CHECK(t.alive == 1 + kRuns); // the graph's, and those of the runs
  for (size_t run = 0; run < kRuns; ++run) {
    ends[run]->reach();
    REQUIRE(find_exec(exec).value()->upload(t.device).ok()); // drops what ended runs have used
    // The last run's is the executable's, too.
    CHECK(t.alive == 1 + std::max(kRuns - 1 - static_cast<int>(run), 1));
  }
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("A changed node is changed in the lists that no run uses", "[graph]") {
  Bench t;
  const char text[] = "abcdefgh";
  const Handle first = t.add(t.graph, byte_copy(t.to, text));
  REQUIRE(add_node(t.graph, &first, 1, byte_copy(t.to + 4, text)).ok()); // not merged with the first
  const Handle exec = t.make_exec(t.graph);
  int round = 0;
  const auto change_and_launch = [&] {
    REQUIRE(find_exec(exec).value()->set_operation(first, byte_copy(t.to, text + ++round)).ok());
    REQUIRE(t.launch(exec).ok());
    CHECK(t.to[0] == text[round]);
    CHECK(t.to[4] == 'a');
  };
  REQUIRE(t.launch(exec).ok());
  CHECK(t.to[0] == 'a');
  CHECK(t.hal.prepared == 1);
  t.reach_all();
  change_and_launch();
  CHECK(t.hal.prepared == 1);
  CHECK(t.hal.replaced == 1);
  change_and_launch(); // the run before is under way
  CHECK(t.hal.prepared == 2);
  change_and_launch();
  CHECK(t.hal.prepared == 3);
  CHECK(t.hal.replaced == 1);
  t.reach_all();
  change_and_launch(); // in the newest list
  change_and_launch(); // in an older one
  CHECK(t.hal.prepared == 3);
  CHECK(t.hal.replaced == 3);
  t.reach_all();
  t.hal.refuses_to_replace = true;
  change_and_launch();
  CHECK(t.hal.prepared == 4);
  CHECK(t.hal.replaced == 3);
  t.reach_all();
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("An update changes commands in their lists", "[graph]") {
  Bench t;
  const char text[] = "abc";
  t.add(t.graph, byte_copy(t.to, text));
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  t.reach_all();
  const Handle other = create_graph();
  t.add(other, byte_copy(t.to, text + 2));
  Handle wrong = nullptr;
  REQUIRE(find_exec(exec).value()->update(other, wrong).value() == UpdateResult::Success);
  REQUIRE(destroy_graph(other).ok());
  REQUIRE(t.launch(exec).ok());
  CHECK(t.to[0] == 'c');
  CHECK(t.hal.prepared == 1);
  CHECK(t.hal.replaced == 1);
  t.reach_all();
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("A changed node that shares its command with others, or no longer fits its place", "[graph]") {
  Bench t;
  const char text[] = "abcdefgh";
  const Handle first = t.add(t.graph, byte_copy(t.to, text));
  const Handle second = add_node(t.graph, &first, 1, byte_copy(t.to + 1, text + 1)).value(); // continues the first
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  CHECK(std::string(t.to, 2) == "ab");
  t.reach_all();
  REQUIRE(find_exec(exec).value()->set_operation(second, byte_copy(t.to + 1, text + 5)).ok());
  REQUIRE(t.launch(exec).ok());
  CHECK(std::string(t.to, 2) == "af");
  CHECK(t.hal.prepared == 2);
  CHECK(t.hal.replaced == 0);
  t.reach_all();
  CopyOperation two = byte_copy(t.to, text + 2);
  two.transfers.push_back(byte_copy(t.to + 4, text + 6).transfers.front());
  REQUIRE(find_exec(exec).value()->set_operation(first, std::move(two)).ok());
  REQUIRE(t.launch(exec).ok());
  CHECK(std::string(t.to, 2) == "cf");
  CHECK(t.to[4] == 'g');
  CHECK(t.hal.prepared == 3);
  t.reach_all();
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("User objects of child graphs and of updates are the executable's", "[graph]") {
  Bench t;
  const Handle inner = create_graph();
  t.give_object(inner);
  REQUIRE(add_child_node(t.graph, nullptr, 0, inner).ok());
  REQUIRE(destroy_graph(inner).ok());
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(destroy_graph(t.graph).ok());
  CHECK(t.destroyed == 0);
  REQUIRE(t.launch(exec).ok());

  t.graph = create_graph();
  const Handle empty = create_graph();
  REQUIRE(add_child_node(t.graph, nullptr, 0, empty).ok());
  REQUIRE(destroy_graph(empty).ok());
  t.give_object(t.graph);
  Handle wrong = nullptr;
  REQUIRE(find_exec(exec).value()->update(t.graph, wrong).value() == UpdateResult::Success);
  REQUIRE(destroy_graph(t.graph).ok());
  t.graph = create_graph();
  CHECK(t.destroyed == 0); // the first is kept for the run, the second for those that come
  t.reach_all();
  REQUIRE(t.launch(exec).ok());
  CHECK(t.destroyed == 1);
  t.reach_all();
  REQUIRE(destroy_exec(exec).ok());
  CHECK(t.destroyed == 2);
}

TEST_CASE("A launch that fails leaves no memory in use", "[graph]") {
  Bench t;
  auto allocation = GraphAllocation::create(t.device, 100);
  REQUIRE(allocation.ok());
  t.add(t.graph, AllocationOperation{*allocation, {}});
  t.add(t.graph, t.copy());
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.stream.submit_now([](backend::Queue&) { return Status(); }).ok()); // makes the queue
  t.hal.queues[0]->fails = true;                                               // to record the end of the run
  CHECK(t.launch(exec).code() == ErrorCode::LaunchFailure);
  CHECK_FALSE((*allocation)->in_use());
  t.hal.queues[0]->fails = false;
  REQUIRE(t.launch(exec).ok());
  CHECK((*allocation)->in_use());
  CHECK(t.launch(exec).code() == ErrorCode::InvalidValue); // not freed since
  REQUIRE(free_memory((*allocation)->address(), FreeKind::Device).ok());
  REQUIRE(t.launch(exec).ok());
  REQUIRE(free_memory((*allocation)->address(), FreeKind::Device).ok());
  t.reach_all();
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("Nothing of a graph runs when one of its events is gone", "[graph]") {
  Bench t;
  const Handle event = events().insert(std::make_unique<Event>(t.device, EventTiming::Disabled));
  const Handle first = t.add(t.graph, t.copy());
  REQUIRE(add_node(t.graph, &first, 1, EventRecordOperation{event}).ok());
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  CHECK(t.to[0] == 'n');
  t.to[0] = 0;
  events().remove(event);
  CHECK(t.launch(exec).code() == ErrorCode::ContextIsDestroyed);
  CHECK(t.to[0] == 0);
  REQUIRE(destroy_exec(exec).ok());
}

TEST_CASE("A graph's memory has one executable, and the next one's runs come after it", "[graph]") {
  Bench t;
  auto allocation = GraphAllocation::create(t.device, 100);
  REQUIRE(allocation.ok());
  const Handle made = t.add(t.graph, AllocationOperation{*allocation, {}});
  REQUIRE(add_node(t.graph, &made, 1, FreeOperation{(*allocation)->address()}).ok());
  t.add(t.graph, t.copy());
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  Handle wrong = nullptr;
  CHECK(instantiate(t.graph, 0, wrong).status().code() == ErrorCode::NotSupported);
  REQUIRE(destroy_exec(exec).ok());
  const Handle next = t.make_exec(t.graph); // though the other's work is under way
  REQUIRE(find_exec(next).value()->launch(t.other).ok());
  REQUIRE(t.hal.queues.size() == 2);
  REQUIRE(t.hal.queues[1]->waited_for.size() == 1);
  CHECK(t.hal.queues[1]->waited_for[0].get() == t.hal.queues[0]->points.back().get());
  t.reach_all();
  REQUIRE(destroy_exec(next).ok());
}

TEST_CASE("Memory nodes are refused in child graphs", "[graph]") {
  Bench t;
  const Handle inner = create_graph();
  const Handle node = add_child_node(t.graph, nullptr, 0, inner).value();
  REQUIRE(destroy_graph(inner).ok());
  const Handle child = child_graph_of(node).value();
  auto allocation = GraphAllocation::create(t.device, 100);
  REQUIRE(allocation.ok());
  CHECK(add_node(child, nullptr, 0, AllocationOperation{*allocation, {}}).status().code() == ErrorCode::NotSupported);
  CHECK(add_node(child, nullptr, 0, FreeOperation{(*allocation)->address()}).status().code() ==
        ErrorCode::NotSupported);
  CHECK(nodes_of(child)->empty());
}
