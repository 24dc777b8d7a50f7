// Cards that cannot be used any more, over a stand-in for AMD's runtime (hsa_standin.h): nothing is given back on one
// that is lost, whose kernels and copies may not have ended, and nothing of it is touched in a process that was forked.
// Every case is a process of its own.
#include "hsa_child.h"

#include "runtime/backend/external.h"
#include "runtime/backend/virtual_memory.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hip;
using namespace hip::test;

TEST_CASE("Nothing is given back on a card that is lost, and everything on others", "[hsa][failures]") {
  const bool is_lost = GENERATE(false, true);
  const Outcome outcome = in_child([is_lost] {
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    auto executable = taken(device.load(read_code(OMNIHIP_TEST_DATA "/printf.co")));
    int count = 1;
    double fraction = 0.5;
    void* arguments[] = {&count, &fraction};
    backend::Launch launch;
    launch.kernel = taken(executable->find_kernel("speak"));
    launch.argument_pointers = arguments;
    good(queue->launch(launch)); // the queue has a buffer for what kernels print
    good(queue->synchronize());
    const int file = ::memfd_create("test", MFD_CLOEXEC);
    if (file < 0 || ::ftruncate(file, 4096) != 0) std::abort();
    auto external = taken(device.external_objects()->import_memory({.descriptor = file, .bytes = 4096}));
    taken(external->map(0, 4096));
    if (is_lost) {
      state.break_queue(HSA_STATUS_ERROR_MEMORY_FAULT);
      while (device.fault().ok()) std::this_thread::yield();
    }
    constexpr StandInCall kCalls[] = {kStandIn_hsa_amd_memory_pool_free, kStandIn_hsa_executable_destroy,
                                      kStandIn_hsa_amd_interop_unmap_buffer, kStandIn_hsa_signal_destroy};
    int before[std::size(kCalls)];
    for (size_t i = 0; i < std::size(kCalls); ++i) before[i] = state.calls[kCalls[i]];
    queue.reset();
    executable.reset();
    external = {};
    hsa.reset();
    for (size_t i = 0; i < std::size(kCalls); ++i)
      say(std::string("\n") + kStandInNames[kCalls[i]] + "=" + std::to_string(state.calls[kCalls[i]] - before[i]) +
          "\n");
    for (int kind = 0; kind < kStandInKinds; ++kind)
      say("\nalive" + std::to_string(kind) + "=" + std::to_string(state.alive[kind].load()) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("has lost a queue") == is_lost);
  CHECK_FALSE(outcome.has("error: "));
  for (const char* const call :
       {"hsa_amd_memory_pool_free", "hsa_executable_destroy", "hsa_amd_interop_unmap_buffer", "hsa_signal_destroy"}) {
    INFO(call);
    CHECK((outcome.number(call) == 0) == is_lost);
  }
  if (is_lost) return;
  for (const StandInKind kind : {kSignal, kQueue, kMemory, kLock, kExecutable, kReader, kImport}) {
    INFO("kind " << kind);
    CHECK(outcome.number("alive" + std::to_string(kind)) == 0);
  }
}

TEST_CASE("A host function destroys its own queue on a card that is lost", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    struct Shared {
      backend::Device& device;
      std::unique_ptr<backend::Queue> queue;
      std::atomic<bool> is_broken{false}, is_over{false};
      std::atomic<int> behind{0}; // how often the function behind it was called, and with an error
      int behind_at_end = 0;
    } shared{.device = *hsa->devices()[0], .queue = taken(hsa->devices()[0]->create_queue({}))};
    backend::Queue& queue = *shared.queue;
    good(queue.host_function(
        [](void* data, const Status&) {
          auto& its = *static_cast<Shared*>(data);
          while (!its.is_broken.load() || its.device.fault().ok()) std::this_thread::yield();
          its.queue.reset();
          its.behind_at_end = its.behind.load();
          its.is_over.store(true);
        },
        &shared));
    good(queue.host_function(
        [](void* data, const Status&) {
          auto& its = *static_cast<Shared*>(data);
          if (!its.device.fault().ok()) ++its.behind;
        },
        &shared));
    state.break_queue(HSA_STATUS_ERROR_MEMORY_FAULT);
    shared.is_broken.store(true);
    while (!shared.is_over.load()) std::this_thread::yield();
    hsa.reset(); // nothing of the queue needs the device any more
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    say("\nbehind_at_end=" + std::to_string(shared.behind_at_end) + "\nbehind=" + std::to_string(shared.behind.load()) +
        "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("has lost a queue"));
  CHECK(outcome.number("behind_at_end") == 1); // the queue's end has waited for it
  CHECK(outcome.number("behind") == 1);
}

namespace {

// What a child that was forked from a process with a card gets from every kind of call; how many were not refused.
int refused_wrongly(backend::Device& device, backend::Queue& queue, backend::Kernel* kernel, uint32_t* memory,
                    backend::Completion& point) {
  int wrong = 0;
  const auto expect = [&](const char* call, const Status& status) {
    if (status.code() == ErrorCode::NotInitialized) return;
    say(std::string(call) + " gives " + error_name(status.code()) + ": " + status.message() + "\n");
    ++wrong;
  };
  std::vector<uint32_t> host(64);
  expect("fault", device.fault());
  expect("memory_info", device.memory_info().status());
  expect("allocate", device.allocate(64, backend::MemoryKind::Device).status());
  expect("free", device.free(memory));
  expect("register_host", device.register_host(host.data(), host.size() * 4));
  expect("unregister_host", device.unregister_host(host.data()));
  expect("load", device.load(read_code(OMNIHIP_TEST_DATA "/hip.co")).status());
  expect("create_queue", device.create_queue({}).status());
  expect("launch", launch_add(queue, kernel, memory, 64));
  expect("copy", queue.copy(host.data(), memory, host.size() * 4));
  expect("fill", queue.fill_3d({memory, 64, 64}, 0, 4, {64, 1, 1}));
  expect("host_function", queue.host_function([](void*, const Status&) {}, nullptr));
  expect("synchronize", queue.synchronize());
  expect("wait", point.wait());
  if (backend::VirtualMemory* const addresses = device.virtual_memory())
    expect("reserve", addresses->reserve(4096, 0, nullptr).status());
  auto again = backend::create_hsa_backend(); // has no card, and says why
  const bool has_none =
      again.ok() && (*again)->devices().empty() && (*again)->absence().find("was forked") != std::string_view::npos;
  return wrong + !has_none;
}

} // namespace

TEST_CASE("A forked child gets errors for cards, and calls nothing of AMD's runtime; its parent goes on",
          "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto executable = taken(device.load(read_code(OMNIHIP_TEST_DATA "/hip.co")));
    backend::Kernel* const kernel = taken(executable->find_kernel("add_one"));
    auto* const memory = static_cast<uint32_t*>(taken(device.allocate(256, backend::MemoryKind::Device)));
    auto queue = taken(device.create_queue({})), idle = taken(device.create_queue({}));
    // The thread of one queue is in a function, that of the other waits for the next one.
    good(idle->host_function([](void*, const Status&) {}, nullptr));
    good(idle->synchronize());
    std::atomic<bool> goes_on{false};
    good(queue->host_function(
        [](void* flag, const Status&) {
          while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
        },
        &goes_on));
    good(launch_add(*queue, kernel, memory, 64));
    auto point = taken(queue->record());
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(30);
      const auto calls = [&state] {
        int all = 0;
        for (const std::atomic<int>& each : state.calls) all += each;
        return all;
      };
      const int before = calls();
      say("\nwrong=" + std::to_string(refused_wrongly(device, *queue, kernel, memory, *point)) + "\n");
      point = {};
      queue.reset(); // waits for nothing
      idle.reset();
      executable.reset();
      hsa.reset();
      say("\ncalls=" + std::to_string(calls() - before) + "\n");
      ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    goes_on.store(true);
    good(queue->synchronize());
    good(device.free(memory));
    say("\nchild=" + std::to_string(status) + "\nright=" + std::to_string(use(device)) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("wrong") == 0);
  CHECK(outcome.number("calls") == 0);
  CHECK(outcome.number("child") == 0);
  CHECK(outcome.number("right") == 1);
  CHECK_FALSE(outcome.has("error: "));
}
