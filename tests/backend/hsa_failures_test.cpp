// AMD's runtime where something fails: each call in turn with each status that the interface documents, over a stand-in
// (hsa_standin.cpp). Every case is a process of its own: whatever happens, it ends by itself, the error is named,
// nothing is left behind, and the software GPU works as before.
#include "hsa_standin.h"

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/backend.h"

#include <catch2/catch.hpp>

#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <poll.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hip;

namespace {

constexpr auto kPatience = std::chrono::seconds(60);

struct Outcome {
  bool ended = false; // by itself, with success
  std::string text;   // errors, the log, and what the child says at its end
  bool has(std::string_view words) const { return text.find(words) != text.npos; }
  int number(const std::string& name) const { // "name=5"
    const size_t at = text.rfind("\n" + name + "=");
    return at == text.npos ? -1 : std::atoi(text.c_str() + at + name.size() + 2);
  }
};

// Runs `body` in a child process, whose standard error is the outcome's text.
Outcome in_child(const std::function<void()>& body) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    body();
    std::fflush(nullptr);
    ::_exit(0);
  }
  ::close(ends[1]);
  Outcome outcome;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (char buffer[4096];;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd poll{ends[0], POLLIN, 0};
    if (left <= 0 || ::poll(&poll, 1, static_cast<int>(left)) <= 0) {
      ::kill(child, SIGKILL); // it hangs
      break;
    }
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    outcome.text.append(buffer, static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

void say(const std::string& line) { static_cast<void>(!::write(2, line.data(), line.size())); }

// An error's message is said.
bool good(const Status& status) {
  if (!status.ok()) say("error: " + status.message() + "\n");
  return status.ok();
}
template<class T> bool good(const Result<T>& result) { return good(result.ok() ? Status() : result.status()); }

std::vector<std::byte> read_code(const char* file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

Status launch_add(backend::Queue& queue, backend::Kernel* kernel, uint32_t* data, uint32_t count) {
  void* arguments[] = {&data, &count, nullptr};
  backend::Launch launch;
  launch.kernel = kernel;
  launch.grid_items = launch.group_items = {64, 1, 1};
  launch.groups = {1, 1, 1};
  launch.argument_pointers = arguments;
  return queue.launch(launch);
}

// Everything that a program does with a device; it goes on after errors as far as it can. True: the result is right.
bool use(backend::Device& device) {
  constexpr uint32_t kCount = 64;
  static_cast<void>(device.memory_info());
  // They stay until the process ends: copies that a lost device has begun may be under way when the calls have told of
  // it.
  std::vector<uint32_t>& host = *new std::vector<uint32_t>(kCount, 41);
  std::vector<uint32_t>& large = *new std::vector<uint32_t>(1 << 19, 5);
  std::vector<uint32_t>& little = *new std::vector<uint32_t>(64);
  auto memory = device.allocate(large.size() * 4, backend::MemoryKind::Device);
  auto pinned = device.allocate(4096, backend::MemoryKind::HostPinned);
  auto fine = device.allocate(4096, backend::MemoryKind::FineGrained);
  good(memory), good(pinned), good(fine);
  const bool registered = good(device.register_host(host.data(), kCount * 4));
  bool right = false;
  {
    auto executable = device.load(read_code(OMNIHIP_TEST_DATA "/hip.co"));
    const std::vector<uint32_t> mask{0xff};
    auto queue = device.create_queue({.priority = -1, .compute_unit_mask = mask});
    if (good(executable) && good(queue) && memory.ok()) {
      auto* const data = static_cast<uint32_t*>(*memory);
      auto kernel = (*executable)->find_kernel("add_one");
      bool ok = good((*queue)->copy(data, host.data(), kCount * 4));
      std::atomic<bool> recorded{false}; // the kernel waits until its end is recorded
      ok &= good((*queue)->host_function(
          [](void* flag, const Status&) {
            while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
          },
          &recorded));
      if (good(kernel)) ok &= good(launch_add(**queue, *kernel, data, kCount));
      auto point = (*queue)->record();
      recorded.store(true);
      ok &= good((*queue)->copy(host.data(), data, kCount * 4));
      ok &= good((*queue)->synchronize());
      if (good(point)) {
        ok &= good((*point)->wait());
        static_cast<void>((*point)->timestamp_ns());
      }
      right = ok && host[0] == 42 && host[kCount - 1] == 42;
      good((*queue)->copy(data, large.data(), large.size() * 4)); // is locked for the copy
      good((*queue)->fill_3d({data + 64, 256, 256 * 4}, 0x0505050505050505, 4, {64, 4, 1}));
      good((*queue)->copy_3d({little.data(), 32, 32 * 8}, {data, 256, 256 * 8}, {32, 8, 1})); // goes through a buffer
      good((*queue)->synchronize());
    }
  }
  if (registered) good(device.unregister_host(host.data()));
  if (memory.ok()) good(device.free(*memory));
  if (pinned.ok()) good(device.free(*pinned, backend::MemoryKind::HostPinned));
  if (fine.ok()) good(device.free(*fine, backend::MemoryKind::FineGrained));
  return right;
}

// Code with a variable that the host defines, which no code of HIP has.
void load_with_variable() {
  auto agents = aql::create_hsa_agents();
  if (!good(agents) || agents->empty()) return;
  const std::vector<std::byte> file = read_code(OMNIHIP_TEST_HSA_KERNELS);
  auto code = codeobject::CodeObject::parse(file);
  if (!good(code)) return;
  static uint32_t elsewhere = 1;
  good((*agents)[0]->load_code(
      *code, [](std::string_view) -> Result<uint64_t> { return reinterpret_cast<uint64_t>(&elsewhere); }));
}

StandIn& stand_in() {
  void* const library = ::dlopen(OMNIHIP_TEST_STANDIN, RTLD_NOW | RTLD_LOCAL);
  if (!library) std::abort();
  return *reinterpret_cast<StandIn* (*)()>(::dlsym(library, "standin_state"))();
}

// Uses AMD's devices, then the software GPU; says what is left.
void scenario(const std::function<void(StandIn&)>& steer) {
  ::setenv("OMNIHIP_HSA_RUNTIME", OMNIHIP_TEST_STANDIN, 1);
  ::setenv("OMNIHIP_LOG", "info", 1);
  StandIn& state = stand_in();
  steer(state);
  {
    auto hsa = backend::create_hsa_backend();
    if (good(hsa)) {
      say("absence: " + std::string((*hsa)->absence()) + "\n");
      say("\ndevices=" + std::to_string((*hsa)->devices().size()));
      for (backend::Device* const device : (*hsa)->devices()) say("\nright=" + std::to_string(use(*device)) + "\n");
      load_with_variable();
    }
  }
  for (int kind = 0; kind < kStandInKinds; ++kind)
    say("\nalive" + std::to_string(kind) + "=" + std::to_string(state.alive[kind].load()));
  for (int call = 0; call < kStandInCalls; ++call)
    say("\n" + std::string(kStandInNames[call]) + "=" + std::to_string(state.calls[call].load()));
  say("\nfailed=" + std::to_string(state.failed.load()) + "\n");
  auto software = backend::create_aql_backend();
  if (good(software)) say("\nsoftware=" + std::to_string(use(*(*software)->devices()[0])) + "\n");
}

} // namespace

TEST_CASE("Nothing fails, and nothing is left behind", "[hsa][failures]") {
  const Outcome outcome = in_child([] { scenario([](StandIn&) {}); });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("devices") == 1);
  CHECK(outcome.number("right") == 1);
  CHECK(outcome.number("software") == 1);
  CHECK_FALSE(outcome.has("error: "));
  for (int kind = 0; kind < kStandInKinds; ++kind) CHECK(outcome.number("alive" + std::to_string(kind)) == 0);
}

TEST_CASE("Each call fails with each of its statuses: named, without a hang or a leak", "[hsa][failures]") {
  const Outcome clean = in_child([] { scenario([](StandIn&) {}); });
  struct Row {
    StandInCall call;
    StandInKind kind;
    int change;
    std::vector<int> statuses;
  };
  const Row rows[] = {
#define HSA_STANDS_IN(name, kind, change, ...) {kStandIn_##name, kind, change, {__VA_ARGS__}},
#include "hsa_standin.def"
#undef HSA_STANDS_IN
  };
  for (const Row& row : rows) {
    if (row.call == kStandIn_hsa_status_string) continue; // below
    if (row.call == kStandIn_hsa_shut_down) continue;     // of a runtime that is not used, whose end nobody waits for
    const std::string name = kStandInNames[row.call];
    const int calls = clean.number(name);
    INFO(name);
    REQUIRE(calls > 0); // the scenario uses all
    for (const int status : row.statuses)
      for (const int number : std::set<int>{0, 1, (calls + 1) / 2, calls}) {
        const Outcome outcome = in_child([&] {
          scenario([&](StandIn& state) {
            state.failing_call = row.call;
            state.failing_number = number;
            state.failing_status = status;
          });
        });
        INFO(name << " number " << number << " of " << calls << " gives " << std::hex << status << std::dec << "\n"
                  << outcome.text);
        REQUIRE(outcome.ended);
        CHECK(outcome.number("failed") > 0);
        CHECK(outcome.has(name + " gives 0x"));
        CHECK(outcome.number("software") == 1);
        for (int kind = 0; kind < kStandInKinds; ++kind) {
          const int expected = row.change < 0 && kind == row.kind ? outcome.number("failed") : 0; // did not go away
          CHECK(outcome.number("alive" + std::to_string(kind)) == expected);
        }
      }
  }
}

TEST_CASE("A status without a text is told by its number", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    scenario([](StandIn& state) {
      state.failing_call = kStandIn_hsa_status_string;
      state.failing_status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
      state.queue_error = HSA_STATUS_ERROR_EXCEPTION;
      state.queue_error_at = 1;
    });
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("0x1016: no text"));
}

TEST_CASE("A queue that fails at any point ends the device, not the program", "[hsa][failures]") {
  const int status =
      GENERATE(int(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT), int(HSA_STATUS_ERROR_EXCEPTION),
               int(HSA_STATUS_ERROR_MEMORY_FAULT), int(HSA_STATUS_ERROR_OUT_OF_RESOURCES),
               int(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION), int(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION));
  for (int doorbell = 1; doorbell <= 6; ++doorbell) {
    const Outcome outcome = in_child([&] {
      scenario([&](StandIn& state) {
        state.queue_error = status;
        state.queue_error_at = doorbell;
      });
    });
    INFO(status << " at " << doorbell << "\n" << outcome.text);
    REQUIRE(outcome.ended);
    CHECK(outcome.has("has lost a queue"));
    CHECK(outcome.number("software") == 1);
  }
}

TEST_CASE("Copies that never end are given up", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    ::setenv("OMNIHIP_HSA_TIMEOUT_S", "1", 1);
    scenario([](StandIn& state) { state.withhold_copies = true; });
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("OMNIHIP_HSA_TIMEOUT_S (1 s)"));
  CHECK(outcome.number("right") == 0);
  CHECK(outcome.number("software") == 1);
}

TEST_CASE("A GPU without memory pools is left out", "[hsa][failures]") {
  const Outcome outcome = in_child([] { scenario([](StandIn& state) { state.no_pools = true; }); });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("devices") == 0);
  CHECK(outcome.has("The GPU has no coarse-grained memory."));
  CHECK(outcome.number("software") == 1);
}

TEST_CASE("What is no runtime is named", "[hsa][failures]") {
  const auto with = [](const char* file) {
    return in_child([file] {
      ::setenv("OMNIHIP_HSA_RUNTIME", file, 1);
      auto hsa = backend::create_hsa_backend();
      if (good(hsa))
        say("absence: " + std::string((*hsa)->absence()) + "\ndevices=" + std::to_string((*hsa)->devices().size()) +
            "\n");
      auto software = backend::create_aql_backend();
      if (good(software)) say("\nsoftware=" + std::to_string(use(*(*software)->devices()[0])) + "\n");
    });
  };
  const std::pair<const char*, const char*> cases[] = {
      {"/nowhere/libhsa-runtime64.so.1", "/nowhere/libhsa-runtime64.so.1"}, // not there
      {"/etc/passwd", "/etc/passwd"},                                       // no shared object
      {OMNIHIP_TEST_OLD_RUNTIME, "has no function hsa_"}};                  // one of a version before
  for (const auto& [file, words] : cases) {
    const Outcome outcome = with(file);
    INFO(file << "\n" << outcome.text);
    REQUIRE(outcome.ended);
    CHECK(outcome.number("devices") == 0);
    CHECK(outcome.has(words));
    CHECK(outcome.number("software") == 1);
  }
}

TEST_CASE("Two processes use the runtime at the same time", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    const pid_t other = ::fork();
    if (other == 0) {
      scenario([](StandIn&) {});
      ::_exit(0);
    }
    scenario([](StandIn&) {});
    int status = -1;
    ::waitpid(other, &status, 0);
    say("\nother=" + std::to_string(status) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("other") == 0);
  size_t right = 0;
  for (size_t at = 0; (at = outcome.text.find("\nright=1\n", at)) != outcome.text.npos; ++at) ++right;
  CHECK(right == 2);
}
