#include "runtime/core/handle_table.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

using namespace hip::core;

namespace {

struct Thing {
  explicit Thing(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~Thing() { --alive_; }
  void set_handle(Handle h) noexcept { handle = h; }
  Handle handle = nullptr;
  int value = 0;
  std::atomic<int>& alive_;
};
using Table = HandleTable<Thing, HandleKind::Stream>;
using OtherTable = HandleTable<Thing, HandleKind::Event>;

} // namespace

TEST_CASE("A handle finds its object until it is removed") {
  std::atomic<int> alive{0};
  Table table;
  const Handle handle = table.insert(std::make_unique<Thing>(alive));
  CHECK(handle != nullptr);
  CHECK(reinterpret_cast<uintptr_t>(handle) > 2);
  {
    auto pin = table.pin(handle);
    REQUIRE(pin);
    CHECK(pin->handle == handle);
  }
  CHECK(table.remove(handle));
  CHECK(alive == 0);
  CHECK_FALSE(table.pin(handle));
  CHECK_FALSE(table.remove(handle));
}

TEST_CASE("Garbage is no handle") {
  std::atomic<int> alive{0};
  Table table;
  OtherTable events;
  const Handle handle = table.insert(std::make_unique<Thing>(alive));
  const Handle event = events.insert(std::make_unique<Thing>(alive));
  int local = 0;
  for (Handle bad : {Handle(nullptr), Handle(&local), reinterpret_cast<Handle>(1), reinterpret_cast<Handle>(2),
                     reinterpret_cast<Handle>(~uintptr_t{0}), reinterpret_cast<Handle>(0xdeadbeefcafef00dull), event,
                     reinterpret_cast<Handle>(reinterpret_cast<uintptr_t>(handle) + 0x100),
                     reinterpret_cast<Handle>(reinterpret_cast<uintptr_t>(handle) | uintptr_t{1} << 60)}) {
    CAPTURE(bad);
    CHECK_FALSE(table.pin(bad));
    CHECK_FALSE(table.remove(bad));
  }
  CHECK(table.remove(handle));
  CHECK(events.remove(event));
}

TEST_CASE("A slot that is used again has another handle") {
  std::atomic<int> alive{0};
  Table table;
  const Handle first = table.insert(std::make_unique<Thing>(alive));
  table.remove(first);
  const Handle second = table.insert(std::make_unique<Thing>(alive));
  CHECK(first != second);
  CHECK_FALSE(table.pin(first));
  CHECK(table.pin(second));
  table.remove(second);
}

TEST_CASE("A pin keeps the object alive after its handle is gone") {
  std::atomic<int> alive{0};
  Table table;
  const Handle handle = table.insert(std::make_unique<Thing>(alive));
  {
    auto pin = table.pin(handle);
    CHECK(table.remove(handle));
    CHECK(alive == 1);
    pin->value = 7;
    CHECK_FALSE(table.pin(handle));
  }
  CHECK(alive == 0);
}

TEST_CASE("Many handles at once") {
  std::atomic<int> alive{0};
  Table table;
  std::vector<Handle> handles;
  for (int i = 0; i < 1000; ++i) {
    auto thing = std::make_unique<Thing>(alive);
    thing->value = i;
    handles.push_back(table.insert(std::move(thing)));
  }
  for (int i = 0; i < 1000; ++i) CHECK(table.pin(handles[static_cast<size_t>(i)])->value == i);
  for (Handle handle : handles) CHECK(table.remove(handle));
  CHECK(alive == 0);
}

TEST_CASE("Threads that pin while another removes") {
  std::atomic<int> alive{0};
  Table table;
  std::atomic<Handle> shared{table.insert(std::make_unique<Thing>(alive))};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  std::atomic<uint64_t> mismatches{0};
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop) {
        const Handle handle = shared;
        if (auto pin = table.pin(handle); pin && pin->handle != handle) ++mismatches;
      }
    });
  for (int i = 0; i < 5000; ++i) {
    const Handle old = shared.exchange(table.insert(std::make_unique<Thing>(alive)));
    CHECK(table.remove(old));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  CHECK(mismatches == 0);
  CHECK(alive == 1);
  table.remove(shared);
  CHECK(alive == 0);
}
