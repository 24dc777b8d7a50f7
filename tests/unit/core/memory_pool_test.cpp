// Pools over a device of the null back end whose queues are driven by hand: the test says when work is done.
#include "manual_device.h"
#include "runtime/core/event.h"
#include "runtime/core/memory.h"
#include "runtime/core/pool_list.h"
#include "runtime/core/pool_table.h"
#include "runtime/core/virtual_memory.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <new>
#include <set>
#include <thread>
#include <utility>

using namespace hip;
using namespace hip::core;

using manual::ManualBackend, manual::ManualDevice, manual::ManualQueue;

namespace {

// Memory without an address, which is an allocation of the device's; nothing is mapped.
class ManualMemory final : public backend::VirtualMemory {
public:
  explicit ManualMemory(ManualDevice& device) noexcept : device_(device) {}
  Result<size_t> granularity_bytes(backend::Granularity) override { return size_t{4096}; }
  Result<Ref<backend::PhysicalMemory>> create(size_t bytes, const backend::PhysicalOptions&) override {
    RT_TRY_ASSIGN(void* const base, device_.allocate(bytes, backend::MemoryKind::Device));
    return Ref<backend::PhysicalMemory>(make_ref<Physical>(device_, base, bytes));
  }
  Result<void*> reserve(size_t, size_t, void*) override { return none(); }
  Status release(void*, size_t) override { return none(); }
  Result<Ref<backend::PhysicalMemory>> import(int) override { return none(); }
  Status map(void*, size_t, size_t, const Ref<backend::PhysicalMemory>&) override { return none(); }
  Status unmap(void*, size_t) override { return none(); }
  Status set_access(void*, size_t, backend::Device&, backend::PoolAccess) override { return none(); }
  Result<backend::SharedMemoryHandle> share(void*) override { return none(); }
  Result<void*> open(const backend::SharedMemoryHandle&, size_t&) override { return none(); }
  Status close(void*) override { return none(); }

private:
  class Physical final : public backend::PhysicalMemory {
  public:
    Physical(ManualDevice& device, void* base, size_t bytes) noexcept
        : PhysicalMemory(bytes), device_(device), base_(base) {}
    ~Physical() override { static_cast<void>(device_.free(base_, backend::MemoryKind::Device)); }
    Result<int> export_descriptor() override { return none(); }

  private:
    ManualDevice& device_;
    void* const base_;
  };
  static Status none() { return error(ErrorCode::NotSupported, "The test asks for none."); }
  ManualDevice& device_;
};

class PoolDevice final : public ManualDevice {
public:
  PoolDevice() : properties_(ManualDevice::properties()) { properties_.virtual_memory = true; }
  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  backend::VirtualMemory* virtual_memory() noexcept override { return &memory_; }

private:
  backend::DeviceProperties properties_;
  ManualMemory memory_{*this};
};

struct Bench {
  Bench() : pool_handle(create_pool(device, {}).value()), pin(find_pool(pool_handle).value()), pool(pin->pool()) {}
  ~Bench() {
    reach_all();
    pin = {};
    CHECK((destroyed || destroy_pool(pool_handle).ok()));
    release_pool_surplus(); // of pools that ended while their work was outstanding, before their device goes
  }
  void reach_all() {
    for (ManualQueue* queue : hal.queues)
      for (const auto& point : queue->points) point->reach();
  }
  void* allocate(size_t bytes, Stream& stream) {
    auto memory = pool.allocate(bytes, stream);
    REQUIRE(memory.ok());
    return *memory;
  }
  void free(void* memory, Stream& stream) { REQUIRE(free_in_stream_order(memory, stream).ok()); }
  uint64_t get(MemoryPool::Attribute attribute) { return pool.attribute(attribute).value(); }
  void set(MemoryPool::Attribute attribute, uint64_t value) { REQUIRE(pool.set_attribute(attribute, value).ok()); }

  PoolDevice hal;
  ManualBackend group;
  Device device{0, hal, group};
  Handle pool_handle;
  Pin<PoolOwner> pin;
  MemoryPool& pool;
  bool destroyed = false;
  Stream a{device, Stream::Kind::NonBlocking, 0, 0};
  Stream b{device, Stream::Kind::NonBlocking, 0, 0};
};

using Attribute = MemoryPool::Attribute;
constexpr size_t kKiB = 1 << 10, kMiB = 1 << 20;

} // namespace

TEST_CASE("Size classes waste at most an eighth, or less than 256 bytes") {
  std::set<uint32_t> seen;
  uint32_t last = 0;
  for (size_t bytes = 1; bytes < (size_t{1} << 40); bytes += bytes / 37 + 1) {
    const MemoryPool::SizeClass size = MemoryPool::size_class(bytes);
    REQUIRE(size.bytes >= bytes);
    REQUIRE((size.bytes - bytes < 256 || size.bytes - bytes <= bytes / 8));
    REQUIRE(size.index < MemoryPool::kClasses);
    REQUIRE(size.index >= last);
    REQUIRE(size.bytes == MemoryPool::class_bytes(size.index));
    REQUIRE(MemoryPool::size_class(size.bytes).index == size.index);
    last = size.index;
    seen.insert(size.index);
  }
  CHECK(seen.size() > 200);
}

TEST_CASE("A stream gets back at once what it freed") {
  Bench t;
  void* const first = t.allocate(kMiB, t.a);
  t.free(first, t.a);
  CHECK(t.allocate(kMiB - 1000, t.a) == first); // the same class
  CHECK(t.hal.allocations == 1);
  t.free(first, t.a);
}

TEST_CASE("Another stream gets memory when the work before the free is done, and only if it may") {
  Bench t;
  void* const first = t.allocate(kMiB, t.a);
  t.free(first, t.a);
  void* const second = t.allocate(kMiB, t.b);
  CHECK(second != first);
  t.reach_all();
  t.set(Attribute::AllowOpportunistic, 0);
  void* const third = t.allocate(kMiB, t.b);
  CHECK(third != first);
  t.set(Attribute::AllowOpportunistic, 1);
  CHECK(t.allocate(kMiB, t.b) == first);
  for (void* memory : {first, second, third}) t.free(memory, t.b);
}

TEST_CASE("A stream that waits for an event behind the free gets the memory") {
  Bench t;
  Event before(t.device, EventTiming::Disabled), after(t.device, EventTiming::Disabled);
  void* const first = t.allocate(kMiB, t.a);
  REQUIRE(before.record(t.a).ok());
  t.free(first, t.a);
  REQUIRE(after.record(t.a).ok());
  t.b.see(before.recorded().progress);
  void* const second = t.allocate(kMiB, t.b);
  CHECK(second != first);
  t.b.see(after.recorded().progress);
  t.set(Attribute::FollowEventDependencies, 0);
  void* const third = t.allocate(kMiB, t.b);
  CHECK(third != first);
  t.set(Attribute::FollowEventDependencies, 1);
  CHECK(t.allocate(kMiB, t.b) == first);
  for (void* memory : {first, second, third}) t.free(memory, t.b);
}

TEST_CASE("A device without memory makes one stream wait for another, or fails") {
  Bench t;
  void* const first = t.allocate(kMiB, t.a);
  t.free(first, t.a);
  t.hal.full = true;
  CHECK(t.allocate(kMiB, t.b) == first);
  REQUIRE(t.hal.queues.size() == 2); // of a, which freed, and of b, which waits
  REQUIRE(t.hal.queues[1]->waited_for.size() == 1);
  CHECK(t.hal.queues[1]->waited_for[0].get() == t.hal.queues[0]->points[0].get());
  t.free(first, t.b);
  t.hal.queues[1]->points.back()->reach_after(10);
  t.set(Attribute::AllowInternalDependencies, 0);
  CHECK(t.pool.allocate(kMiB, t.a).status().code() == ErrorCode::OutOfMemory); // after waiting for the free in b
  CHECK(t.get(Attribute::UsedCurrent) == 0);
  CHECK(t.get(Attribute::ReservedCurrent) == 0);
}

TEST_CASE("An allocation of a device's last memory waits for what was freed to pools") {
  Bench t;
  t.hal.limit_bytes = 256 * kKiB;
  const auto keep = [&] { // in the pool, until the point was asked for
    t.free(t.allocate(150 * kKiB, t.a), t.a);
    t.hal.queues[0]->points.back()->reach_after(10);
    REQUIRE(t.get(Attribute::ReservedCurrent) == 160 * kKiB);
  };
  keep();
  void* const other_class = t.allocate(120 * kKiB, t.a);
  CHECK(t.get(Attribute::ReservedCurrent) == 120 * kKiB);
  t.free(other_class, t.a);
  t.reach_all();
  REQUIRE(t.pool.trim(0).ok());
  for (const auto [memory, kind] : {std::pair(backend::MemoryKind::Device, PointerKind::Device),
                                    std::pair(backend::MemoryKind::Managed, PointerKind::Managed)}) {
    keep();
    const auto plain = core::allocate(t.device, {.bytes = 120 * kKiB, .memory = memory, .kind = kind});
    REQUIRE(plain.ok());
    CHECK(t.get(Attribute::ReservedCurrent) == 0);
    REQUIRE(free_memory(plain.value(), FreeKind::Device).ok());
  }
  keep();
  const auto physical = create_physical(120 * kKiB, {.device = &t.device});
  REQUIRE(physical.ok());
  CHECK(t.get(Attribute::ReservedCurrent) == 0);
  CHECK(create_physical(160 * kKiB, {.device = &t.device}).status().code() == ErrorCode::OutOfMemory);
  REQUIRE(release_physical(physical.value()).ok());
  keep(); // the host's memory is no matter of pools
  const AllocationRequest of_host{.bytes = 120 * kKiB, .memory = backend::MemoryKind::HostPinned};
  CHECK(core::allocate(t.device, of_host).status().code() == ErrorCode::OutOfMemory);
  CHECK(t.get(Attribute::ReservedCurrent) == 160 * kKiB);
}

TEST_CASE("An allocation whose class the device cannot have gets what it asks for") {
  Bench t;
  t.hal.limit_bytes = 250 * kKiB;
  constexpr size_t kBytes = 241 * kKiB; // of the class of 256 KiB
  void* memory = t.allocate(kBytes, t.a);
  CHECK(t.get(Attribute::ReservedCurrent) == kBytes);
  t.free(memory, t.a);
  t.hal.queues[0]->points.back()->reach_after(10);
  memory = t.allocate(kBytes, t.a); // not the block before, which has no class
  CHECK(t.hal.allocations == 2);
  CHECK(t.get(Attribute::ReservedCurrent) == kBytes);
  const auto taken = addresses().take(memory, [](const Allocation&) { return true; });
  REQUIRE(t.pool.free_now(taken.value()).ok());
  CHECK(t.get(Attribute::ReservedCurrent) == 0);
  t.hal.limit_bytes = UINT64_MAX;
  memory = t.allocate(kBytes, t.a);
  CHECK(t.get(Attribute::ReservedCurrent) == 256 * kKiB);
  t.free(memory, t.a);
  CHECK(t.allocate(kBytes, t.a) == memory);
  t.free(memory, t.a);
}

TEST_CASE("What the host has no memory to give back stays the pool's") {
  Bench t;
  t.hal.limit_bytes = 250 * kKiB;
  constexpr size_t kBytes = 241 * kKiB; // of the class of 256 KiB, which the device does not have
  void* const smaller = t.allocate(kBytes, t.a);
  REQUIRE(t.get(Attribute::ReservedCurrent) == kBytes);
  t.hal.limit_bytes = UINT64_MAX;
  void* const whole = t.allocate(kMiB, t.a);
  for (void* each : {smaller, whole}) t.free(each, t.a);
  t.reach_all();
  t.hal.no_memory_to_free = true;
  CHECK(t.pool.trim(0).code() == ErrorCode::OutOfMemory);
  release_pool_surplus();
  CHECK(t.get(Attribute::ReservedCurrent) == kBytes + kMiB);
  t.hal.full = true;
  CHECK(t.pool.allocate(2 * kMiB, t.a).status().code() == ErrorCode::OutOfMemory); // does not wait for it
  t.hal.full = false;
  CHECK(t.get(Attribute::ReservedCurrent) == kBytes + kMiB);
  CHECK(t.allocate(kMiB, t.a) == whole);
  void* const of_class = t.allocate(256 * kKiB, t.a);
  CHECK(of_class != smaller); // which has less
  CHECK(t.get(Attribute::ReservedCurrent) == kBytes + kMiB + 256 * kKiB);

  // The same of what is freed without a stream: it is not in use, and the next wait gives it back.
  const auto taken = addresses().take(whole, [](const Allocation&) { return true; });
  CHECK(t.pool.free_now(taken.value()).code() == ErrorCode::OutOfMemory);
  CHECK(t.get(Attribute::UsedCurrent) == 256 * kKiB);
  CHECK(t.get(Attribute::ReservedCurrent) == kBytes + kMiB + 256 * kKiB);
  t.hal.no_memory_to_free = false;
  release_pool_surplus();
  CHECK(t.get(Attribute::ReservedCurrent) == 256 * kKiB);
  t.free(of_class, t.a);
}

TEST_CASE("What the host has no memory to free is the program's still") {
  Bench t;
  for (const bool of_program : {false, true}) {
    const auto give_back = [&](void* base) {
      return of_program ? free_unused(base) : free_memory(base, FreeKind::Device);
    };
    void* const memory = core::allocate(t.device, {.bytes = kMiB, .of_program = of_program}).value();
    t.hal.no_memory_to_free = true;
    CHECK_THROWS_AS(give_back(memory), std::bad_alloc);
    t.hal.no_memory_to_free = false;
    CHECK(addresses().find(memory).has_value());
    CHECK(give_back(memory).ok());
    CHECK_FALSE(addresses().find(memory).has_value());
  }
  CHECK(t.hal.memory_info().value().free_bytes == t.hal.memory_info().value().total_bytes);
}

TEST_CASE("A pool that was destroyed gives back later what the host has no memory for now") {
  Bench t;
  void* const memory = t.allocate(kMiB, t.a);
  const auto taken = addresses().take(memory, [](const Allocation&) { return true; });
  t.pin = {};
  REQUIRE(destroy_pool(t.pool_handle).ok());
  t.destroyed = true;
  t.hal.no_memory_to_free = true;
  CHECK(taken.value().pool->free_now(taken.value()).code() == ErrorCode::OutOfMemory);
  const backend::MemoryInfo before = t.hal.memory_info().value();
  CHECK(before.total_bytes - before.free_bytes == kMiB);
  t.hal.no_memory_to_free = false;
  release_pool_surplus();
  CHECK(t.hal.memory_info().value().free_bytes == before.total_bytes);
}

TEST_CASE("A block whose free has no point stays the pool's") {
  Bench t;
  void* const first = t.allocate(kMiB, t.a);
  void* const second = t.allocate(kMiB, t.a);
  t.free(second, t.a);
  t.hal.queues[0]->fails = true;
  CHECK(free_in_stream_order(first, t.a).code() == ErrorCode::LaunchFailure);
  CHECK(t.get(Attribute::UsedCurrent) == 0);
  CHECK(t.allocate(kMiB, t.b) == first); // the stream was waited for, so any stream may have it
  t.hal.queues[0]->fails = false;
  t.free(first, t.a);
}

TEST_CASE("A block that a stream cannot wait for stays the pool's") {
  Bench t;
  void* const first = t.allocate(kMiB, t.a);
  t.free(first, t.a);
  void* const other = t.allocate(kMiB * 2, t.b);
  t.free(other, t.b); // makes the queue of b
  t.hal.full = true;
  t.hal.queues[1]->fails = true;
  CHECK(t.pool.allocate(kMiB, t.b).status().code() == ErrorCode::LaunchFailure);
  CHECK(t.get(Attribute::UsedCurrent) == 0);
  t.hal.queues[1]->fails = false;
  CHECK(t.allocate(kMiB, t.b) == first);
  t.free(first, t.b);
}

TEST_CASE("What a pool holds is counted") {
  Bench t;
  void* const small = t.allocate(1000, t.a);
  void* const large = t.allocate(kMiB, t.a);
  CHECK(t.get(Attribute::UsedCurrent) == kMiB + 1000);
  CHECK(t.get(Attribute::ReservedCurrent) == kMiB + 1024);
  t.free(large, t.a);
  CHECK(t.get(Attribute::UsedCurrent) == 1000);
  CHECK(t.get(Attribute::UsedHigh) == kMiB + 1000);
  CHECK(t.get(Attribute::ReservedCurrent) == kMiB + 1024);
  t.set(Attribute::UsedHigh, 0);
  CHECK(t.get(Attribute::UsedHigh) == 1000);
  CHECK(t.pool.set_attribute(Attribute::UsedHigh, 1).code() == ErrorCode::InvalidValue);
  CHECK(t.pool.set_attribute(Attribute::UsedCurrent, 0).code() == ErrorCode::InvalidValue);
  CHECK(t.pool.set_attribute(Attribute::ReservedCurrent, 0).code() == ErrorCode::InvalidValue);
  CHECK(t.pool.set_attribute(static_cast<Attribute>(9), 0).code() == ErrorCode::InvalidValue);
  CHECK(t.pool.attribute(static_cast<Attribute>(9)).status().code() == ErrorCode::InvalidValue);
  t.free(small, t.a);
}

TEST_CASE("Trimming leaves what work may still use") {
  Bench t;
  void* const small = t.allocate(1000, t.a);
  void* const large = t.allocate(kMiB, t.a);
  t.set(Attribute::ReleaseThreshold, 2 * kMiB);
  t.free(large, t.a);
  REQUIRE(t.pool.trim(1024).ok());
  CHECK(t.get(Attribute::ReservedCurrent) == kMiB + 1024);
  t.reach_all();
  release_pool_surplus();
  CHECK(t.get(Attribute::ReservedCurrent) == kMiB + 1024); // below the threshold
  REQUIRE(t.pool.trim(1024).ok());
  CHECK(t.get(Attribute::ReservedCurrent) == 1024);
  t.free(small, t.a);
}

TEST_CASE("A synchronisation gives back what is above the threshold") {
  Bench t;
  void* const memory[] = {t.allocate(kMiB, t.a), t.allocate(kMiB, t.a), t.allocate(kMiB, t.a)};
  t.set(Attribute::ReleaseThreshold, kMiB);
  for (void* each : memory) t.free(each, t.a);
  release_pool_surplus();
  CHECK(t.get(Attribute::ReservedCurrent) == 3 * kMiB);
  t.reach_all();
  release_pool_surplus();
  CHECK(t.get(Attribute::ReservedCurrent) == kMiB);
  CHECK(t.get(Attribute::ReservedHigh) == 3 * kMiB);
  t.set(Attribute::ReleaseThreshold, 0);
  release_pool_surplus();
  CHECK(t.get(Attribute::ReservedCurrent) == 0);
  CHECK(t.hal.memory_info().value().free_bytes == t.hal.memory_info().value().total_bytes);
}

TEST_CASE("A destroyed pool lives until its last allocation is free") {
  Bench t;
  void* const memory = t.allocate(kMiB, t.a);
  t.pin = {};
  REQUIRE(destroy_pool(t.pool_handle).ok());
  t.destroyed = true;
  CHECK(destroy_pool(t.pool_handle).code() == ErrorCode::InvalidValue);
  CHECK(find_pool(t.pool_handle).status().code() == ErrorCode::InvalidValue);
  CHECK(t.hal.memory_info().value().free_bytes < t.hal.memory_info().value().total_bytes);
  t.free(memory, t.a);
  CHECK(t.hal.memory_info().value().free_bytes <
        t.hal.memory_info().value().total_bytes); // work before the free is outstanding
  t.reach_all();
  release_pool_surplus();
  CHECK(t.hal.memory_info().value().free_bytes == t.hal.memory_info().value().total_bytes);
}

TEST_CASE("A pool with a limit") {
  Bench t;
  const Handle handle = create_pool(t.device, {.max_bytes = kMiB}).value();
  {
    const Pin<PoolOwner> pin = find_pool(handle).value();
    auto memory = pin->pool().allocate(kMiB - 5000, t.a);
    REQUIRE(memory.ok());
    CHECK(pin->pool().allocate(5001, t.a).status().code() == ErrorCode::OutOfMemory);
    auto rest = pin->pool().allocate(5000, t.a);
    REQUIRE(rest.ok());
    t.free(*memory, t.a);
    t.free(*rest, t.a);
  }
  CHECK(destroy_pool(handle).ok());
  CHECK(t.pool.allocate(SIZE_MAX, t.a).status().code() == ErrorCode::OutOfMemory);
}

TEST_CASE("The pool of a device") {
  Bench t;
  const Handle standard = default_pool(t.device).value();
  CHECK(current_pool(t.device).value() == standard);
  CHECK(destroy_pool(standard).code() == ErrorCode::InvalidValue);
  REQUIRE(set_current_pool(t.device, t.pool_handle).ok());
  CHECK(current_pool(t.device).value() == t.pool_handle);
  auto memory = allocate_in_stream_order(t.a, 1000);
  REQUIRE(memory.ok());
  CHECK(t.get(Attribute::UsedCurrent) == 1000);
  t.free(*memory, t.a);
  t.pin = {};
  REQUIRE(destroy_pool(t.pool_handle).ok());
  t.destroyed = true;
  CHECK(current_pool(t.device).value() == standard); // the one before is gone
  CHECK(set_current_pool(t.device, t.pool_handle).code() == ErrorCode::InvalidValue);
}

TEST_CASE("Pools are made while their device is reset") {
  for (int round = 0; round < 300; ++round) {
    PoolDevice hal;
    ManualBackend group;
    Device device{0, hal, group};
    std::atomic<bool> begun{false}, made{false};
    std::thread resets([&] {
      begun = true;
      do {
        reset_pools(device);
        std::this_thread::yield(); // a lock that is taken again at once may be nobody else's for long
      } while (!made);
    });
    while (!begun) std::this_thread::yield();
    const Result<Handle> standard = default_pool(device);
    const Result<Handle> other = create_pool(device, {});
    made = true;
    resets.join();
    REQUIRE(standard.ok());
    CHECK(find_pool(standard.value()).ok()); // no reset ends the default pool
    CHECK(default_pool(device).value() == standard.value());
    REQUIRE(other.ok());
    reset_pools(device);
    CHECK(find_pool(other.value()).status().code() == ErrorCode::InvalidValue);
  }
}
