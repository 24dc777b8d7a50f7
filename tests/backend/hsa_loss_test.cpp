// A card that is lost: what a kernel's fault does to every user of the device, over the SDK's own HSA runtime. A
// program of its own, for the device stays lost.
#include "conformance.h"

#include "runtime/backend/external.h"

#include <atomic>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace hip;
using namespace hip::test;

TEST_CASE("After a fault every call on a card gives the report, and nobody waits for ever", "[hsa]") {
  Subject& s = subject("hsa");
  backend::Device& device = s.device();
  const auto executable = load(device, "hip.co");
  const auto faulty = good(device.create_queue({}));
  const auto other = good(device.create_queue({}));
  const auto waiting = good(device.create_queue({}));
  auto* const words =
      static_cast<uint32_t*>(good(device.allocate(256, backend::MemoryKind::Device))); // goes with the process
  REQUIRE_OK(launch(*other, good(executable->find_kernel("count_items")), {{64, 1, 1}, {64, 1, 1}, 0}, words));
  REQUIRE_OK(other->synchronize());
  // A queue waits for a word that nobody writes, and a host function is behind the wait.
  auto stuck = good(device.create_queue({}));
  auto* const word = static_cast<uint64_t*>(good(device.allocate(64, backend::MemoryKind::HostPinned)));
  *word = 0;
  std::atomic<bool> called{false};
  REQUIRE_OK(stuck->wait_value({.address = word, .value = 1}));
  REQUIRE_OK(stuck->host_function([](void* data, const Status&) { static_cast<std::atomic<bool>*>(data)->store(true); },
                                  &called));

  // Queues wait for semaphores that nobody signals.
  const int event = ::eventfd(0, EFD_CLOEXEC), file = ::memfd_create("timeline", MFD_CLOEXEC);
  REQUIRE(::ftruncate(file, sizeof(uint64_t)) == 0);
  std::vector<std::unique_ptr<backend::Queue>> waiters;
  for (const auto& [descriptor, kind] :
       {std::pair(event, backend::SemaphoreKind::Opaque), std::pair(file, backend::SemaphoreKind::Timeline)}) {
    const backend::ExternalStep step{good(device.external_objects()->import_semaphore({descriptor, kind})), 1};
    waiters.push_back(good(device.create_queue({})));
    REQUIRE_OK(waiters.back()->external(backend::ExternalAction::Wait, std::span(&step, 1)));
  }

  // A thread waits for something that comes after the fault.
  REQUIRE_OK(launch(*faulty, good(executable->find_kernel("count_items")), {{64, 1, 1}, {64, 1, 1}, 0},
                    reinterpret_cast<uint32_t*>(0x1000)));
  const Ref<backend::Completion> point = good(faulty->record());
  Status seen;
  std::thread waiter([&] { seen = point->wait(); });
  const Status fault = faulty->synchronize();
  CHECK(fault.code() == ErrorCode::IllegalAddress);
  CHECK(fault.message().find("count_items") != std::string::npos);
  waiter.join();
  CHECK(point->done());
  CHECK(seen.code() == ErrorCode::IllegalAddress);

  CHECK(device.allocate(64, backend::MemoryKind::Device).status().code() == ErrorCode::IllegalAddress);
  CHECK(launch(*other, good(executable->find_kernel("count_items")), {{64, 1, 1}, {64, 1, 1}, 0}, words).code() ==
        ErrorCode::IllegalAddress);
  CHECK(other->synchronize().code() == ErrorCode::IllegalAddress);
  CHECK(waiting->synchronize().code() == ErrorCode::IllegalAddress);
  CHECK(device.create_queue({}).status().code() == ErrorCode::IllegalAddress);
  while (!called.load()) std::this_thread::yield();
  stuck.reset();
  waiters.clear(); // returns
}

TEST_CASE("A runtime that is none is named", "[hsa]") {
  ::setenv("OMNIHIP_HSA_RUNTIME", "/nowhere/libhsa-runtime64.so.1", 1); // too late: it is read once
  const auto again = good(backend::create_hsa_backend());
  CHECK(again->devices().size() == 1);
}
