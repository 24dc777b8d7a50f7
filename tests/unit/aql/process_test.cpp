// Software GPUs and the process around them: fork, exit while kernels run.
#include "fake_engine.h"

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace hip;
using namespace hip::test;

namespace {

// Runs `body` in a child that ends through exit(); its exit status, or -1 when it was killed or took longer than 20 s.
template<class F> int in_child(F body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(20);
    std::exit(body());
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_CASE("A forked child gets errors, the parent goes on", "[aql][process]") {
  FakeDevice device;
  auto queue = device.queue();
  TestKernel kernel(device, [](const engine::Dispatch&, uint64_t) { return Status(); });
  const uint64_t nothing = 0;
  REQUIRE_OK(kernel.launch(*queue, &nothing, 100));
  REQUIRE_OK(queue->synchronize());
  const int failed = in_child([&]() -> int {
    if (kernel.launch(*queue, &nothing).code() != ErrorCode::NotInitialized) return 1;
    if (queue->synchronize().code() != ErrorCode::NotInitialized) return 2;
    if (device.device->create_queue({}).status().code() != ErrorCode::NotInitialized) return 3;
    if (device.device->allocate(100, backend::MemoryKind::Device).status().code() != ErrorCode::NotInitialized)
      return 4;
    queue.reset(); // waits for nothing
    ::_exit(0);
  });
  CHECK(failed == 0);
  REQUIRE_OK(kernel.launch(*queue, &nothing, 100));
  REQUIRE_OK(queue->synchronize());
}

TEST_CASE("In a forked child nothing waits for the kernels of the parent", "[aql][process]") {
  FakeDevice device;
  auto queue = device.queue();
  std::atomic<bool> go{false};
  TestKernel kernel(device, [&](const engine::Dispatch&, uint64_t) {
    while (!go.load()) ::usleep(100);
    return Status();
  });
  const uint64_t nothing = 0;
  REQUIRE_OK(kernel.launch(*queue, &nothing));
  const auto point = good(queue->record());
  const int failed = in_child([&]() -> int {
    if (point->wait().code() != ErrorCode::NotInitialized) return 1;
    if (queue->synchronize().code() != ErrorCode::NotInitialized) return 2;
    queue.reset();
    ::_exit(0);
  });
  CHECK(failed == 0);
  go.store(true);
  REQUIRE_OK(queue->synchronize());
}

TEST_CASE("In a forked child a queue ends whose host functions had a thread", "[aql][process]") {
  FakeDevice device;
  auto queue = device.queue();
  std::atomic<int> calls{0};
  const auto count = [](void* data, const Status&) { ++*static_cast<std::atomic<int>*>(data); };
  REQUIRE_OK(queue->host_function(count, &calls));
  REQUIRE_OK(queue->synchronize());
  ::usleep(50'000); // the thread waits for the next one
  const int failed = in_child([&]() -> int {
    if (queue->host_function(count, &calls).code() != ErrorCode::NotInitialized) return 1;
    queue.reset();
    ::_exit(calls.load() == 1 ? 0 : 2);
  });
  CHECK(failed == 0);
  REQUIRE_OK(queue->host_function(count, &calls));
  REQUIRE_OK(queue->synchronize());
  CHECK(calls.load() == 2);
}

TEST_CASE("A process ends while its kernels run", "[aql][process]") {
  // The child makes everything itself: nothing of a software GPU survives fork.
  const int status = in_child([]() -> int {
    static auto* const device = new FakeDevice(2);
    static auto* const queue = device->queue().release();
    static auto* const endless = new TestKernel(*device, [](const engine::Dispatch&, uint64_t) {
      ::usleep(100000);
      return Status();
    });
    const uint64_t nothing = 0;
    for (int i = 0; i < 1000; ++i)
      if (!endless->launch(*queue, &nothing, 64).ok()) return 1;
    ::usleep(100000); // they do run
    return 7;         // 6400 s of work are left
  });
  CHECK(status == 7);
}

namespace {
// Destroyed behind the exit handlers of software GPUs, because it is made before them.
struct DestroyedAtExit {
  ~DestroyedAtExit() {
    if (!queue) return;
    queue.reset();
    ::_exit(7);
  }
  std::unique_ptr<backend::Queue> queue;
} destroyed_at_exit;
} // namespace

TEST_CASE("A queue that waits for a value is destroyed while the process ends", "[aql][process]") {
  const int status = in_child([]() -> int {
    static uint64_t word = 0; // which nobody writes
    static auto* const device = new FakeDevice;
    static auto* const kernel = new TestKernel(*device, [](const engine::Dispatch&, uint64_t) { return Status(); });
    auto queue = device->queue();
    const uint64_t nothing = 0;
    if (!kernel->launch(*queue, &nothing).ok() || !queue->synchronize().ok()) return 1;
    if (!queue->wait_value({.address = &word, .value = 1}).ok()) return 2;
    destroyed_at_exit.queue = std::move(queue);
    return 0;
  });
  CHECK(status == 7);
}
