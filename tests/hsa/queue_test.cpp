// Queues: packets of each type in the order that the specification gives them, and what goes wrong in them.
#include "testing.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hip::test;

TEST_CASE("A dispatch runs the kernel, decrements its signal and leaves its times", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  auto* const data = hsa.allocate<uint32_t>(hsa.device, 256);
  std::fill_n(data, 256, 5u);
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 1);
  *arguments = {data, 37};
  const hsa_signal_t done = hsa.signal(1);
  dispatch(queue, kernels.kernel("add"), arguments, 4, done);
  REQUIRE(wait_below(done, 1) == 0);
  for (int i = 0; i < 256; ++i) REQUIRE(data[i] == 42);

  hsa_amd_profiling_dispatch_time_t time{};
  REQUIRE_HSA(hsa_amd_profiling_get_dispatch_time(hsa.gpu, done, &time));
  CHECK(time.start != 0);
  CHECK(time.end >= time.start);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("A ring of few slots takes any number of packets", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue(64);
  auto* const data = hsa.allocate<uint32_t>(hsa.device, 64);
  std::fill_n(data, 64, 0u);
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 1);
  *arguments = {data, 1};
  const hsa_signal_t done = hsa.signal(1000);
  for (int i = 0; i < 1000; ++i) dispatch(queue, kernels.kernel("add"), arguments, 1, done, true);
  REQUIRE(wait_below(done, 1) == 0);
  for (int i = 0; i < 64; ++i) REQUIRE(data[i] == 1000);
  while (hsa_queue_load_read_index_scacquire(queue) != 1000) std::this_thread::yield();
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Producers on several threads share a queue", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue(128);
  const uint64_t kernel = kernels.kernel("count");
  const hsa_signal_t done = hsa.signal(4 * 200);
  std::vector<std::thread> producers;
  for (int t = 0; t < 4; ++t)
    producers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) dispatch(queue, kernel, nullptr, 1, done);
    });
  for (std::thread& each : producers) each.join();
  REQUIRE(wait_below(done, 1) == 0);
  uint64_t address = 0;
  REQUIRE_HSA(
      hsa_executable_symbol_get_info(kernels.symbol("counter"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address));
  CHECK(*reinterpret_cast<uint32_t*>(address) == 7 + 4 * 200 * 64);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Producers hand the write index over in turns, more of them than cores", "[hsa][queue]") {
  Hsa hsa;
  hsa_queue_t* const queue = hsa.queue();
  const uint64_t producers = std::thread::hardware_concurrency() + 2;
  constexpr uint64_t kSteps = 2000;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < producers; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = t; i < kSteps; i += producers)
        while (hsa_queue_cas_write_index_scacq_screl(queue, i, i + 1) != i) {
        }
    });
  for (std::thread& each : threads) each.join();
  CHECK(hsa_queue_load_write_index_relaxed(queue) == kSteps);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("A packet is taken when a doorbell has told of it, or of a later one", "[hsa][queue]") {
  Hsa hsa;
  hsa_queue_t* const queue = hsa.queue();
  const hsa_signal_t first = hsa.signal(1), second = hsa.signal(1);
  const auto barrier = [](hsa_signal_t completion) {
    hsa_barrier_and_packet_t packet{};
    packet.completion_signal = completion;
    return packet;
  };
  constexpr uint16_t kBarrier = header(HSA_PACKET_TYPE_BARRIER_AND);
  const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 2);
  const auto pending = [&](hsa_signal_t signal) {
    return hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_LT, 1, 20'000'000, HSA_WAIT_STATE_BLOCKED) == 1;
  };
  SECTION("its own") {
    write(queue, index, barrier(first), kBarrier);
    write(queue, index + 1, barrier(second), kBarrier);
    ring(queue, index);
    CHECK(wait_below(first, 1) == 0);
    CHECK(pending(second));
    ring(queue, index + 1);
    CHECK(wait_below(second, 1) == 0);
  }
  SECTION("one for several") {
    write(queue, index + 1, barrier(second), kBarrier);
    write(queue, index, barrier(first), kBarrier);
    ring(queue, index + 1);
    CHECK(wait_below(second, 1) == 0);
    CHECK(hsa_signal_load_relaxed(first) == 0);
  }
  SECTION("of two producers, the second before the first") {
    write(queue, index + 1, barrier(second), kBarrier);
    ring(queue, index + 1);
    CHECK(pending(second));
    write(queue, index, barrier(first), kBarrier);
    ring(queue, index);
    CHECK(wait_below(second, 1) == 0);
    CHECK(hsa_signal_load_relaxed(first) == 0);
  }
  REQUIRE_HSA(hsa_queue_destroy(queue));
  for (const hsa_signal_t signal : {first, second}) REQUIRE_HSA(hsa_signal_destroy(signal));
}

TEST_CASE("Barriers wait for signals: all of them, any of them, a value", "[hsa][queue]") {
  Hsa hsa;
  hsa_queue_t* const queue = hsa.queue();
  const hsa_signal_t a = hsa.signal(1), b = hsa.signal(1), done = hsa.signal(1);
  const auto pending = [&] {
    return hsa_signal_wait_relaxed(done, HSA_SIGNAL_CONDITION_LT, 1, 20'000'000, HSA_WAIT_STATE_BLOCKED) == 1;
  };

  SECTION("and") {
    hsa_barrier_and_packet_t packet{};
    packet.dep_signal[0] = a;
    packet.dep_signal[4] = b;
    packet.completion_signal = done;
    submit(queue, packet, header(HSA_PACKET_TYPE_BARRIER_AND));
    CHECK(pending());
    hsa_signal_store_screlease(a, 0);
    CHECK(pending());
    hsa_signal_subtract_relaxed(b, 1);
    CHECK(wait_below(done, 1) == 0);
  }
  SECTION("or") {
    hsa_barrier_or_packet_t packet{};
    packet.dep_signal[1] = a;
    packet.dep_signal[2] = b;
    packet.completion_signal = done;
    submit(queue, packet, header(HSA_PACKET_TYPE_BARRIER_OR));
    CHECK(pending());
    hsa_signal_store_relaxed(b, 0);
    CHECK(wait_below(done, 1) == 0);
  }
  SECTION("a value, which the host stores without telling anybody") {
    hsa_amd_barrier_value_packet_t packet{};
    packet.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
    packet.signal = a;
    packet.value = 0x40;
    packet.mask = 0xf0;
    packet.cond = HSA_SIGNAL_CONDITION_GTE;
    packet.completion_signal = done;
    submit(queue, packet, header(HSA_PACKET_TYPE_VENDOR_SPECIFIC), HSA_AMD_PACKET_TYPE_BARRIER_VALUE);
    CHECK(pending());
    volatile hsa_signal_value_t* word = nullptr;
    REQUIRE_HSA(hsa_amd_signal_value_pointer(a, &word));
    __atomic_store_n(word, 0xf3f, __ATOMIC_RELEASE); // 0x30 of the masked bits
    CHECK(pending());
    __atomic_store_n(word, 0x51, __ATOMIC_RELEASE);
    CHECK(wait_below(done, 1) == 0);
  }
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("A kernel's plain store to a signal wakes who waits", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  hsa_queue_t* const other = hsa.queue();
  const hsa_signal_t signal = hsa.signal(1), done = hsa.signal(1);
  hsa_barrier_and_packet_t packet{};
  packet.dep_signal[0] = signal;
  packet.completion_signal = done;
  submit(other, packet, header(HSA_PACKET_TYPE_BARRIER_AND));

  struct Arguments {
    volatile hsa_signal_value_t* value;
    int64_t what;
  };
  auto* const arguments = hsa.allocate<Arguments>(hsa.kernarg, 1);
  REQUIRE_HSA(hsa_amd_signal_value_pointer(signal, &arguments->value));
  arguments->what = 0;
  dispatch(queue, kernels.kernel("store_signal"), arguments, 1, {0});
  CHECK(hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 0, kForever, HSA_WAIT_STATE_BLOCKED) == 0);
  CHECK(wait_below(done, 1) == 0);
  REQUIRE_HSA(hsa_queue_destroy(queue));
  REQUIRE_HSA(hsa_queue_destroy(other));
}

namespace {

struct Report {
  std::atomic<int> status{0};
  std::atomic<hsa_queue_t*> source{nullptr};
};

void note(hsa_status_t status, hsa_queue_t* source, void* data) {
  static_cast<Report*>(data)->source.store(source);
  static_cast<Report*>(data)->status.store(status);
}

int await(const Report& report) {
  while (report.status.load() == 0) std::this_thread::yield();
  return report.status.load();
}

} // namespace

TEST_CASE("What goes wrong in a packet reaches the queue's callback, and the queue takes no more",
          "[hsa][queue][misuse]") {
  Hsa hsa;
  Kernels kernels(hsa);
  Report report;
  hsa_queue_t* const queue = hsa.queue(64, HSA_QUEUE_TYPE_MULTI, note, &report);
  const hsa_signal_t done = hsa.signal(1);
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 2);
  auto* const data = hsa.allocate<uint32_t>(hsa.device, 64);
  std::fill_n(data, 64, 0u);
  arguments[1] = {data, 3};
  const uint64_t add = kernels.kernel("add");
  const auto broken = [&](const std::function<void(hsa_kernel_dispatch_packet_t&)>& how, uint16_t setup = 1) {
    hsa_kernel_dispatch_packet_t packet{};
    packet.workgroup_size_x = packet.grid_size_x = 64;
    packet.workgroup_size_y = packet.workgroup_size_z = packet.grid_size_y = packet.grid_size_z = 1;
    packet.kernel_object = add;
    packet.kernarg_address = &arguments[1];
    packet.completion_signal = done;
    how(packet);
    submit(queue, packet, header(HSA_PACKET_TYPE_KERNEL_DISPATCH), setup);
    return await(report);
  };
  const auto as_it_is = [](hsa_kernel_dispatch_packet_t&) {};

  SECTION("a wild pointer, of which system-event handlers hear as well") {
    std::atomic<uint64_t> agent{0};
    REQUIRE_HSA(hsa_amd_register_system_event_handler(
        [](const hsa_amd_event_t* event, void* place) {
          if (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT)
            static_cast<std::atomic<uint64_t>*>(place)->store(event->memory_fault.agent.handle);
          return HSA_STATUS_SUCCESS;
        },
        &agent));
    arguments[0] = {reinterpret_cast<uint32_t*>(0x1000), 1};
    CHECK(broken([&](auto& packet) { packet.kernarg_address = &arguments[0]; }) == kMemoryFault);
    CHECK(agent.load() == hsa.gpu.handle);
  }
  SECTION("a type of packet that nobody knows") {
    hsa_kernel_dispatch_packet_t packet{};
    packet.completion_signal = done;
    submit(queue, packet, 9);
    CHECK(await(report) == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  }
  SECTION("an agent dispatch, which the agent does not take") {
    hsa_agent_dispatch_packet_t packet{};
    packet.type = 0x8001;
    packet.arg[0] = 0x1000;
    packet.completion_signal = done;
    submit(queue, packet, header(HSA_PACKET_TYPE_AGENT_DISPATCH), 0x8001);
    CHECK(await(report) == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  }
  SECTION("a dependency that is no signal") {
    hsa_barrier_and_packet_t packet{};
    packet.dep_signal[2] = {0xdeadbeef};
    submit(queue, packet, header(HSA_PACKET_TYPE_BARRIER_AND));
    CHECK(await(report) == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  }
  SECTION("a completion signal that is none") {
    CHECK(broken([&](auto& packet) { packet.completion_signal = {reinterpret_cast<uint64_t>(&report)}; }) ==
          HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  }
  SECTION("kernel objects that are none") {
    CHECK(broken([&](auto& packet) {
            packet.kernel_object = GENERATE_COPY(uint64_t(0), uint64_t(0x1000), uint64_t(data));
          }) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  }
  SECTION("arguments that are no memory") {
    CHECK(broken([&](auto& packet) { packet.kernarg_address = reinterpret_cast<void*>(0x1000); }) == kMemoryFault);
  }
  SECTION("no dimensions") { CHECK(broken(as_it_is, 4) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS); }
  SECTION("more LDS than there is") {
    CHECK(broken([&](auto& packet) { packet.group_segment_size = 1 << 20; }) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  }
  SECTION("more private memory than a wave can have") {
    CHECK(broken([&](auto& packet) { packet.private_segment_size = GENERATE_COPY(131072u, UINT32_MAX); }) ==
          HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  }
  SECTION("work-groups that are too large, or nothing") {
    CHECK(broken([&](auto& packet) { packet.workgroup_size_x = GENERATE_COPY(uint16_t(0), uint16_t(2048)); }) ==
          HSA_STATUS_ERROR_INVALID_ARGUMENT);
  }
  CHECK(report.source.load() == queue);
  dispatch(queue, add, &arguments[1], 1, done);
  CHECK(hsa_signal_wait_relaxed(done, HSA_SIGNAL_CONDITION_LT, 1, 20'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
  CHECK(data[63] == 0);
  // Another queue is as good as before.
  hsa_queue_t* const other = hsa.queue();
  dispatch(other, add, &arguments[1], 1, done);
  CHECK(wait_below(done, 1) == 0);
  CHECK(data[63] == 3);
  REQUIRE_HSA(hsa_queue_destroy(queue));
  REQUIRE_HSA(hsa_queue_destroy(other));
}

TEST_CASE("A packet has the private memory that it asks for, up to what a wave can have", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  struct Arguments {
    uint32_t* out;
    uint32_t at;
  };
  auto* const arguments = hsa.allocate<Arguments>(hsa.kernarg, 1);
  auto* const out = hsa.allocate<uint32_t>(hsa.device, 1);
  *arguments = {out, 37};
  const hsa_signal_t done = hsa.signal(1);
  for (const uint32_t bytes : {272u, 4096u, 65536u, 131056u, 272u}) {
    *out = 0;
    hsa_signal_store_relaxed(done, 1);
    hsa_kernel_dispatch_packet_t packet = dispatch_packet(kernels.kernel("with_scratch"), arguments, 3, done);
    packet.private_segment_size = bytes;
    submit(queue, packet, header(HSA_PACKET_TYPE_KERNEL_DISPATCH), 1);
    REQUIRE(wait_below(done, 1) == 0);
    CHECK(*out == 37);
  }
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("A queue goes while a packet waits in it", "[hsa][queue][misuse]") {
  Hsa hsa;
  hsa_queue_t* const queue = hsa.queue();
  const hsa_signal_t never = hsa.signal(1), done = hsa.signal(1);
  hsa_barrier_and_packet_t packet{};
  packet.dep_signal[0] = never;
  packet.completion_signal = done;
  submit(queue, packet, header(HSA_PACKET_TYPE_BARRIER_AND));
  REQUIRE_HSA(hsa_queue_destroy(queue));
  hsa_signal_store_relaxed(never, 0);
  CHECK(hsa_signal_load_relaxed(done) == 1);
  CHECK(hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE);
}

TEST_CASE("Kernels that wait for the host leave other queues alone", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  struct Arguments {
    uint32_t *flag, *out;
  };
  auto* const words = hsa.allocate<uint32_t>(hsa.fine, 2);
  words[0] = words[1] = 0;
  auto* const arguments = hsa.allocate<Arguments>(hsa.kernarg, 1);
  *arguments = {&words[0], &words[1]};
  hsa_queue_t* const waiting = hsa.queue();
  hsa_queue_t* const other = hsa.queue();
  const hsa_signal_t first = hsa.signal(1), second = hsa.signal(1);
  dispatch(waiting, kernels.kernel("wait_for"), arguments, 1, first);
  dispatch(other, kernels.kernel("count"), nullptr, 1, second);
  CHECK(wait_below(second, 1) == 0);
  CHECK(hsa_signal_load_relaxed(first) == 1);
  __atomic_store_n(&words[0], 1u, __ATOMIC_RELEASE);
  CHECK(wait_below(first, 1) == 0);
  CHECK(words[1] == 1);
}

TEST_CASE("Queues that cannot be are refused", "[hsa][queue]") {
  Hsa hsa;
  hsa_queue_t* queue = nullptr;
  const auto create = [&](hsa_agent_t agent, uint32_t packets, hsa_queue_type32_t type, hsa_queue_t** out) {
    return hsa_queue_create(agent, packets, type, nullptr, nullptr, 0, 0, out);
  };
  CHECK(create({0}, 64, 0, &queue) == HSA_STATUS_ERROR_INVALID_AGENT);
  CHECK(create(hsa.host, 64, 0, &queue) == HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  CHECK(create(hsa.gpu, 0, 0, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(create(hsa.gpu, 65, 0, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(create(hsa.gpu, 1 << 20, 0, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(create(hsa.gpu, 64, 3, &queue) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(create(hsa.gpu, 64, 0, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_queue_destroy(nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("A queue has compute units and a priority", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  uint32_t units = 0;
  REQUIRE_HSA(
      hsa_agent_get_info(hsa.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), &units));
  std::vector<uint32_t> mask((units + 31) / 32, 0);
  REQUIRE_HSA(hsa_amd_queue_cu_get_mask(queue, static_cast<uint32_t>(mask.size() * 32), mask.data()));
  uint32_t set = 0;
  for (const uint32_t word : mask) set += static_cast<uint32_t>(__builtin_popcount(word));
  CHECK(set == units);
  std::fill(mask.begin(), mask.end(), 0);
  mask[0] = 1;
  REQUIRE_HSA(hsa_amd_queue_cu_set_mask(queue, static_cast<uint32_t>(mask.size() * 32), mask.data()));
  std::vector<uint32_t> again(mask.size());
  REQUIRE_HSA(hsa_amd_queue_cu_get_mask(queue, static_cast<uint32_t>(again.size() * 32), again.data()));
  CHECK(again == mask);
  const uint32_t all = UINT32_MAX;
  REQUIRE_HSA(hsa_amd_queue_cu_set_mask(queue, 32, &all));
  CHECK(hsa_amd_queue_cu_set_mask(queue, 33, mask.data()) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  const hsa_signal_t done = hsa.signal(1);
  dispatch(queue, kernels.kernel("count"), nullptr, 8, done);
  CHECK(wait_below(done, 1) == 0);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

namespace {

struct AtExit {
  hsa_queue_t *queue = nullptr, *other = nullptr;
  hsa_signal_t done{}, refused{};
  uint64_t kernel = 0;
  uint32_t* number = nullptr;
  AddArguments* arguments = nullptr;
  std::atomic<int> error{0};
} at_exit;

// Exit code 0: what was promised. It is registered before the software GPU's own exit handler, so it runs behind that.
void use_the_queue_at_exit() {
  hsa_barrier_and_packet_t barrier{};
  barrier.completion_signal = at_exit.done;
  submit(at_exit.queue, barrier, header(HSA_PACKET_TYPE_BARRIER_AND));
  if (wait_below(at_exit.done, 1) != 0) ::_exit(3);
  if (at_exit.number[0] != 2) ::_exit(8); // both kernels from before
  // In parts, as AMD's HIP waits; and nothing has to wait for a packet to be taken.
  hsa_signal_store_screlease(at_exit.done, 1);
  submit(at_exit.queue, barrier, header(HSA_PACKET_TYPE_BARRIER_AND));
  while (hsa_signal_wait_scacquire(at_exit.done, HSA_SIGNAL_CONDITION_LT, 1, 4'000'000, HSA_WAIT_STATE_ACTIVE) != 0) {
  }
  dispatch(at_exit.queue, at_exit.kernel, at_exit.arguments, 1, at_exit.refused);
  while (at_exit.error.load() == 0) std::this_thread::yield();
  // Another queue: what is destroyed is not processed any more.
  barrier.completion_signal = {0};
  for (int i = 0; i < 32; ++i) submit(at_exit.other, barrier, header(HSA_PACKET_TYPE_BARRIER_AND));
  if (hsa_queue_destroy(at_exit.other) != HSA_STATUS_SUCCESS) ::_exit(6);
  ::_exit(at_exit.number[0] == 2 && hsa_signal_load_relaxed(at_exit.refused) == 1 ? 0 : 4);
}

} // namespace

TEST_CASE("A process that ends", "[.]") {
  std::atexit(use_the_queue_at_exit);
  auto& hsa = *new Hsa;
  auto& kernels = *new Kernels(hsa);
  at_exit.queue = hsa.queue(64, HSA_QUEUE_TYPE_MULTI, [](hsa_status_t status, hsa_queue_t*, void*) {
    at_exit.error.store(static_cast<int>(status));
  });
  at_exit.other = hsa.queue();
  at_exit.done = hsa.signal(1);
  at_exit.refused = hsa.signal(1);
  at_exit.number = hsa.allocate<uint32_t>(hsa.fine, 64);
  at_exit.number[0] = 0;
  at_exit.kernel = kernels.kernel("add");
  at_exit.arguments = new (hsa.allocate<AddArguments>(hsa.kernarg, 1)) AddArguments{at_exit.number, 1};
  const hsa_signal_t first = hsa.signal(1);
  dispatch(at_exit.queue, at_exit.kernel, at_exit.arguments, 1, first);
  REQUIRE(wait_below(first, 1) == 0);
  dispatch(at_exit.queue, at_exit.kernel, at_exit.arguments, 1, {0}); // nobody waits for it
  std::exit(5);                                                       // the handler has the last word
}

TEST_CASE("What is queued when a program ends is executed; in exit handlers packets complete, but for kernels",
          "[hsa][queue]") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", "hsa_runtime", "A process that ends", nullptr);
    ::_exit(9);
  }
  int status = 0;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > give_up) ::kill(child, SIGKILL); // it hangs
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("Kernels of one queue end before a value's barrier behind them, and that before a barrier of another queue",
          "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t *const one = hsa.queue(1024), *const two = hsa.queue(1024);
  constexpr uint32_t kGroups = 16;
  auto* const data = hsa.allocate<uint32_t>(hsa.device, kGroups * 64);
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 2);
  arguments[0] = {data, 5};
  arguments[1] = {data, 7};
  const hsa_signal_t handed = hsa.signal(1), done = hsa.signal(1);
  for (int round = 0; round < 500; ++round) {
    std::fill_n(data, kGroups * 64, 0u);
    hsa_signal_store_relaxed(handed, 1);
    hsa_signal_store_relaxed(done, 1);
    dispatch(one, kernels.kernel("add"), &arguments[0], kGroups, {0}, true);
    dispatch(one, kernels.kernel("add"), &arguments[1], kGroups, {0}, true);
    hsa_amd_barrier_value_packet_t value{};
    value.completion_signal = handed;
    submit(one, value, 1 << HSA_PACKET_HEADER_BARRIER, HSA_AMD_PACKET_TYPE_BARRIER_VALUE);
    hsa_barrier_and_packet_t both{};
    both.dep_signal[0] = handed;
    both.completion_signal = done;
    submit(two, both, header(HSA_PACKET_TYPE_BARRIER_AND, true));
    while (hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, 4'000'000, HSA_WAIT_STATE_ACTIVE) != 0) {
    }
    REQUIRE(std::count(data, data + kGroups * 64, 12u) == kGroups * 64);
  }
  REQUIRE_HSA(hsa_queue_destroy(one));
  REQUIRE_HSA(hsa_queue_destroy(two));
  for (const hsa_signal_t signal : {handed, done}) REQUIRE_HSA(hsa_signal_destroy(signal));
  REQUIRE_HSA(hsa_amd_memory_pool_free(data));
  REQUIRE_HSA(hsa_amd_memory_pool_free(arguments));
}

namespace {

// A flag that a kernel waits for and a word that it writes, both 0, and the arguments that name them.
struct FlagAndResult {
  uint32_t* words;
  std::byte* arguments;
};
FlagAndResult flag_and_result(Hsa& hsa) {
  auto* const words = hsa.allocate<uint32_t>(hsa.fine, 2);
  words[0] = words[1] = 0;
  struct {
    const uint32_t* flag;
    uint32_t* out;
  } const arguments{&words[0], &words[1]};
  auto* const place = hsa.allocate<std::byte>(hsa.kernarg, sizeof arguments);
  std::memcpy(place, &arguments, sizeof arguments);
  return {words, place};
}

} // namespace

TEST_CASE("A queue is ended although its kernel never ends", "[hsa][queue][misuse]") {
  Hsa hsa;
  Kernels kernels(hsa);
  const auto [words, place] = flag_and_result(hsa);
  const uint64_t kernel = kernels.kernel("begin_and_wait_for");
  Report report;
  hsa_queue_t* const queue = hsa.queue(64, HSA_QUEUE_TYPE_MULTI, note, &report);
  const hsa_signal_t done = hsa.signal(1), behind = hsa.signal(1);
  dispatch(queue, kernel, place, GENERATE(1u, 40u), done);
  dispatch(queue, kernel, place, 1, behind, true);
  while (__atomic_load_n(&words[1], __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  if (GENERATE(false, true)) {
    REQUIRE_HSA(hsa_queue_inactivate(queue));
    CHECK(hsa_signal_load_relaxed(done) == 1); // it has not completed
    CHECK(report.status.load() == 0);          // who ends a queue is told of no error
  }
  REQUIRE_HSA(hsa_queue_destroy(queue));
  CHECK(hsa_signal_load_relaxed(done) == 1);
  CHECK(hsa_signal_load_relaxed(behind) == 1);
  CHECK(words[1] == 1); // no work-item has come to its end
  // Others go on.
  words[0] = 1;
  hsa_queue_t* const other = hsa.queue();
  dispatch(other, kernel, place, 1, done);
  CHECK(wait_below(done, 1) == 0);
  CHECK(words[1] == 2);
  REQUIRE_HSA(hsa_queue_destroy(other));
}

TEST_CASE("Packets without the barrier bit start while kernels before them run", "[hsa][queue]") {
  Hsa hsa;
  Kernels kernels(hsa);
  constexpr uint32_t kWaiting = 6;
  const uint32_t groups = GENERATE(1u, 3u);
  const bool all_at_once = GENERATE(false, true);
  const auto [words, place] = flag_and_result(hsa); // set_flag() takes the first argument
  hsa_queue_t* const queue = hsa.queue();
  std::vector<hsa_signal_t> done;
  const uint64_t waits = kernels.kernel("begin_and_wait_for"), sets = kernels.kernel("set_flag");
  for (uint32_t i = 0; i < kWaiting; ++i) {
    done.push_back(hsa.signal(1));
    dispatch(queue, waits, place, groups, done.back());
  }
  // All wait for what the last packet does.
  if (!all_at_once) {
    while (__atomic_load_n(&words[1], __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
    CHECK(hsa_signal_load_relaxed(done[0]) == 1);
  }
  done.push_back(hsa.signal(1));
  dispatch(queue, sets, place, 1, done.back());
  // And this one for all of them.
  done.push_back(hsa.signal(1));
  hsa_barrier_and_packet_t barrier{};
  barrier.completion_signal = done.back();
  submit(queue, barrier, header(HSA_PACKET_TYPE_BARRIER_AND, true));
  CHECK(wait_below(done.back(), 1) == 0);
  for (const hsa_signal_t each : done) CHECK(hsa_signal_load_relaxed(each) == 0);
  CHECK(words[1] == 2);
  CHECK(hsa_queue_load_read_index_scacquire(queue) == kWaiting + 2);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}
