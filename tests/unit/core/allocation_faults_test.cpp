// Memory of the host that runs out while work is under way, over a device whose work is done when the test says so:
// what the work uses stays, and nothing that core keeps is lost. Each case tries its call with each of its allocations
// failing.
#include "failing_allocations.h"
#include "graph_bench.h"
#include "runtime/backend/aql/soft/address_ranges.h"
#include "runtime/core/memory.h"
#include "runtime/core/pool_list.h"
#include "runtime/core/pool_table.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::core;
using manual::byte_copy;
using Bench = manual::GraphBench;

TEST_CASE("The end of an executable leaves its work what it uses", "[graph]") {
  bool failed = true;
  for (long n = 0; failed; ++n) {
    INFO("allocation " << n);
    Bench t;
    t.add(t.graph, t.copy());
    const Handle exec = t.make_exec(t.graph);
    REQUIRE(t.launch(exec).ok());
    REQUIRE(destroy_graph(t.graph).ok()); // the executable alone has the copy
    t.graph = create_graph();
    Status destroyed = Status::no_memory();
    failed = call_with_failing_allocation(n, [&] { destroyed = destroy_exec(exec); });
    CHECK(t.alive == 1);
    CHECK(find_exec(exec).ok() == !destroyed.ok());
    if (!destroyed.ok()) REQUIRE(destroy_exec(exec).ok());
    call_with_failing_allocation(n, [] { drop_ended_execs(); });
    CHECK(t.alive == 1);
    t.reach_all();
    drop_ended_execs();
    CHECK(t.alive == 0);
  }
}

TEST_CASE("Executables that were destroyed go when their work is done, although there is no memory", "[graph]") {
  Bench t;
  const Handle node = t.add(t.graph, t.copy());
  const Handle exec = t.make_exec(t.graph);
  REQUIRE(t.launch(exec).ok());
  REQUIRE(find_exec(exec).value()->set_operation(node, t.copy()).ok()); // keeps the one before
  REQUIRE(destroy_graph(t.graph).ok());
  t.graph = create_graph();
  REQUIRE(destroy_exec(exec).ok());
  CHECK(t.alive == 2);
  t.reach_all();
  call_with_failing_allocation(0, [] { drop_ended_execs(); });
  CHECK(t.alive == 0);
}

namespace {

enum class Change { Operation, Child, Update };

void change_with_failing_allocations(Change kind) {
  bool failed = true;
  for (long n = 0; failed; ++n) {
    INFO("allocation " << n);
    Bench t;
    int used = 0, unused = 0; // copies that the run under way uses, and all others
    const auto graph_with = [&](int& counted) {
      const Handle made = create_graph();
      t.add(made, t.copy(counted));
      return made;
    };
    const Handle inner = graph_with(unused);
    const Handle node =
        kind == Change::Child ? add_child_node(t.graph, nullptr, 0, inner).value() : t.add(t.graph, t.copy(unused));
    REQUIRE(destroy_graph(inner).ok());
    const Handle exec = t.make_exec(t.graph);
    // Gives the executable a new copy, with the n-th allocation failing; returns whether there was one.
    const auto change_to = [&](int& counted, long allocation) {
      const Handle other = graph_with(counted);
      CopyOperation operation = t.copy(counted);
      const std::shared_ptr<GraphExec> changed = find_exec(exec).value();
      Handle wrong = nullptr;
      Status status = Status::no_memory();
      const bool has_failed = call_with_failing_allocation(allocation, [&] {
        status = kind == Change::Operation ? changed->set_operation(node, std::move(operation))
                 : kind == Change::Child   ? changed->set_child(node, other)
                                           : changed->update(other, wrong).status();
      });
      CHECK((status.ok() || has_failed));
      REQUIRE(destroy_graph(other).ok());
      return has_failed;
    };
    REQUIRE_FALSE(change_to(used, -1));
    REQUIRE(used == 1); // the executable's
    REQUIRE(t.launch(exec).ok());
    failed = change_to(unused, n);
    CHECK(used == 1); // the run's, and perhaps the executable's still
    REQUIRE_FALSE(change_to(unused, -1));
    CHECK(used == 1);
    t.reach_all();
    REQUIRE(t.launch(exec).ok());
    CHECK(used == 0);
    t.reach_all();
    REQUIRE(destroy_exec(exec).ok());
  }
}

} // namespace

TEST_CASE("A change of a node leaves a run what it uses", "[graph]") {
  change_with_failing_allocations(Change::Operation);
}

TEST_CASE("A change of a child graph leaves a run what it uses", "[graph]") {
  change_with_failing_allocations(Change::Child);
}

TEST_CASE("An update leaves a run what it uses", "[graph]") { change_with_failing_allocations(Change::Update); }

TEST_CASE("A launch that found no memory can be done again, with changes", "[graph]") {
  const char text[] = "abcdefgh";
  bool failed = true;
  for (long n = 0; failed; ++n) {
    INFO("allocation " << n);
    Bench t;
    const Handle first = t.add(t.graph, byte_copy(t.to, text));
    const Handle second = add_node(t.graph, &first, 1, byte_copy(t.to + 4, text)).value();
    const Handle exec = t.make_exec(t.graph);
    REQUIRE(t.launch(exec).ok());
    const std::shared_ptr<GraphExec> changed = find_exec(exec).value();
    REQUIRE(changed->set_operation(first, byte_copy(t.to, text + 1)).ok()); // the run keeps the one before
    REQUIRE(changed->set_enabled(second, false).ok());                      // so the program has to be made again
    t.hal.queues[0]->points.back()->reach_after(2); // the run ends while the launch looks at what it has to keep
    Status launched = Status::no_memory();
    failed = call_with_failing_allocation(n, [&] { launched = changed->launch(t.stream); });
    CHECK((launched.ok() || failed));
    REQUIRE(changed->set_operation(first, byte_copy(t.to, text + 2)).ok());
    t.to[4] = 0;
    REQUIRE(changed->launch(t.stream).ok());
    CHECK(t.to[0] == 'c');
    CHECK(t.to[4] == 0);
    t.reach_all();
    REQUIRE(destroy_exec(exec).ok());
  }
}

TEST_CASE("A wait of the host succeeds without memory for what pools would give back") {
  constexpr size_t kBytes = 1 << 20;
  bool failed = true;
  for (long n = 0; failed; ++n) {
    INFO("allocation " << n);
    manual::ManualDevice hal;
    manual::ManualBackend group;
    Device device{0, hal, group};
    Stream stream{device, Stream::Kind::NonBlocking, 0, 0};
    const Handle handle = create_pool(device, {}).value();
    Pin<PoolOwner> pin = find_pool(handle).value();
    void* const memory = pin->pool().allocate(kBytes, stream).value();
    REQUIRE(free_in_stream_order(memory, stream).ok());
    hal.queues[0]->points.back()->reach();
    bool returned = false;
    failed = call_with_failing_allocation(n, [&] {
      release_pool_surplus();
      returned = true;
    });
    CHECK(returned);
    const uint64_t reserved = pin->pool().attribute(MemoryPool::Attribute::ReservedCurrent).value();
    CHECK((reserved == 0 || (failed && reserved == kBytes)));
    release_pool_surplus();
    CHECK(pin->pool().attribute(MemoryPool::Attribute::ReservedCurrent).value() == 0);
    pin = {};
    REQUIRE(destroy_pool(handle).ok());
  }
}

TEST_CASE("Addresses that come back beside free ones need no memory") {
  constexpr uint64_t kBase = 0x10000, kPage = 0x1000, kPages = 8;
  const auto page = [](uint64_t index) { return kBase + index * kPage; };
  aql::soft::AddressRanges ranges(kBase, kPages * kPage);
  for (uint64_t i = 0; i < kPages; ++i) REQUIRE(ranges.take(kPage, 1) == page(i));
  for (const uint64_t alone : {1, 3, 6}) ranges.give(page(alone), kPage);
  CHECK_FALSE(call_with_failing_allocation(0, [&] { ranges.give(page(0), kPage); })); // in front of one
  CHECK_FALSE(call_with_failing_allocation(0, [&] { ranges.give(page(2), kPage); })); // between two
  CHECK_FALSE(call_with_failing_allocation(0, [&] { ranges.give(page(4), kPage); })); // behind one
  CHECK(ranges.take(5 * kPage, 1) == page(0));
  CHECK_FALSE(ranges.take_at(page(5), kPage)); // is still taken
  CHECK(ranges.take_at(page(6), kPage) == page(6));
}

TEST_CASE("A pool's block for which a stream cannot wait is not lost") {
  constexpr size_t kBytes = 1 << 20;
  bool failed = true;
  for (long n = 0; failed; ++n) {
    INFO("allocation " << n);
    manual::ManualDevice hal;
    manual::ManualBackend group;
    Device device{0, hal, group};
    Stream a{device, Stream::Kind::NonBlocking, 0, 0}, b{device, Stream::Kind::NonBlocking, 0, 0};
    const Handle handle = create_pool(device, {}).value();
    Pin<PoolOwner> pin = find_pool(handle).value();
    MemoryPool& pool = pin->pool();
    const auto reserved = [&] { return pool.attribute(MemoryPool::Attribute::ReservedCurrent).value(); };
    const auto on_device = [&] {
      const backend::MemoryInfo info = hal.memory_info().value();
      return info.total_bytes - info.free_bytes;
    };
    void* const first = pool.allocate(kBytes, a).value();
    void* const second = pool.allocate(kBytes, a).value();
    void* const third = pool.allocate(2 * kBytes, b).value();
    REQUIRE(free_in_stream_order(first, a).ok());
    REQUIRE(free_in_stream_order(third, b).ok()); // makes the queue of b
    REQUIRE(hal.queues.size() == 2);
    // The first block has been taken then, and the second one comes into its place.
    bool second_is_free = false;
    const auto free_second = [&] {
      const Spared spared;
      if (!second_is_free) REQUIRE(free_in_stream_order(second, a).ok());
      second_is_free = true;
    };
    hal.queues[1]->before_wait = free_second;
    hal.queues[1]->fails = true;
    hal.full = true;
    bool allocated = false;
    failed = call_with_failing_allocation(n, [&] { allocated = pool.allocate(kBytes, b).ok(); });
    CHECK_FALSE(allocated);
    free_second();
    CHECK(pool.attribute(MemoryPool::Attribute::UsedCurrent).value() == 0);
    CHECK(reserved() == on_device());
    for (manual::ManualQueue* queue : hal.queues)
      for (const auto& point : queue->points) point->reach();
    REQUIRE(pool.trim(0).ok());
    CHECK(reserved() == 0);
    CHECK(on_device() == 0);
    pin = {};
    REQUIRE(destroy_pool(handle).ok());
  }
}
