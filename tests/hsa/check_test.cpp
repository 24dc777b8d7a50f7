// OMNIHIP_HSA_CHECK=1: every rule (hsa_check/rules.def) is broken once, and its message found. The same program runs
// with two GPUs; what keeps the rules is tested by the other programs, which a finding ends.
#include "testing.h"

#include <cstdio>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace hip::test;

namespace {

std::set<std::string>& rules_seen() {
  static std::set<std::string> seen;
  return seen;
}

// What is written to standard error meanwhile.
class Captured {
public:
  Captured() : before_(::dup(2)), file_(::memfd_create("stderr", 0)) {
    // Threads write at the same time, and the kernel takes care of the place in such a file for appending writes alone.
    ::fcntl(file_, F_SETFL, O_APPEND);
    ::dup2(file_, 2);
  }
  ~Captured() { end(); }
  std::string end() {
    if (before_ < 0) return {};
    ::dup2(before_, 2);
    ::close(before_);
    before_ = -1;
    std::string text(static_cast<size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    REQUIRE(::pread(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    ::close(file_);
    return text;
  }

private:
  int before_, file_;
};

std::vector<std::string> findings_in(const std::string& text) {
  std::vector<std::string> all;
  constexpr std::string_view kMark = "HSA check [";
  for (size_t at = 0; (at = text.find(kMark, at)) != text.npos;) {
    at += kMark.size();
    all.push_back(text.substr(at, text.find('\n', at) - at));
  }
  return all;
}

// The action breaks this rule once, and no other; the message has these words.
void breaks(const std::string& rule, const std::string& words, const std::function<void()>& action) {
  Captured captured;
  action();
  const std::string text = captured.end();
  const std::vector<std::string> findings = findings_in(text);
  INFO(rule << ": " << text);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].starts_with(rule + "] "));
  CHECK(findings[0].find(words) != std::string::npos);
  CHECK(findings[0].size() > rule.size() + 60); // it says where, what, and what to do
  rules_seen().insert(rule);
}

struct World : Hsa {
  Kernels kernels{*this};
  uint32_t* const data = allocate<uint32_t>(device, 1024);
  AddArguments* const arguments = allocate<AddArguments>(kernarg, 4);
  World() { arguments[0] = {data, 1}; }

  hsa_kernel_dispatch_packet_t add() const {
    hsa_kernel_dispatch_packet_t packet{};
    packet.workgroup_size_x = packet.grid_size_x = 64;
    packet.workgroup_size_y = packet.workgroup_size_z = packet.grid_size_y = packet.grid_size_z = 1;
    packet.kernel_object = kernels.kernel("add");
    packet.kernarg_address = arguments;
    return packet;
  }
  // A queue whose packet waits for `gate`, and what comes behind it.
  hsa_queue_t* blocked(hsa_signal_t gate) {
    hsa_queue_t* const made = queue();
    hsa_barrier_and_packet_t packet{};
    packet.dep_signal[0] = gate;
    submit(made, packet, header(HSA_PACKET_TYPE_BARRIER_AND));
    return made;
  }
  void drain(hsa_queue_t* of) {
    while (hsa_queue_load_read_index_scacquire(of) != hsa_queue_load_write_index_scacquire(of))
      std::this_thread::yield();
  }
};

constexpr uint16_t kDispatch = header(HSA_PACKET_TYPE_KERNEL_DISPATCH);

} // namespace

TEST_CASE("Rules of doorbells and of the ring", "[check]") {
  World w;
  breaks("doorbell-index", "is rung with 0; the write index is 0",
         [&] { hsa_signal_store_screlease(w.queue()->doorbell_signal, 0); });
  breaks("doorbell-order", "is rung with 0 after 1", [&] {
    hsa_queue_t* const queue = w.queue(64, HSA_QUEUE_TYPE_SINGLE);
    submit(queue, w.add(), kDispatch, 1);
    submit(queue, w.add(), kDispatch, 1);
    hsa_signal_store_relaxed(queue->doorbell_signal, 0);
    REQUIRE_HSA(hsa_queue_destroy(queue)); // before the kernel goes
  });
  const hsa_signal_t gate = w.signal(1);
  breaks("ring-overrun", "packet 64", [&] {
    hsa_queue_t* const queue = w.blocked(gate);
    hsa_queue_add_write_index_relaxed(queue, 64);
    auto* const slot = static_cast<hsa_barrier_and_packet_t*>(queue->base_address) + 1;
    *slot = {};
    slot->header = header(HSA_PACKET_TYPE_BARRIER_AND);
    auto* const behind = static_cast<hsa_barrier_and_packet_t*>(queue->base_address); // where packet 0 still waits
    CHECK(behind->dep_signal[0].handle == gate.handle);
    hsa_signal_store_screlease(queue->doorbell_signal, 64);
  });
  breaks("packet-invalid", "packet 0", [&] {
    hsa_queue_t* const queue = w.queue();
    hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_signal_store_screlease(queue->doorbell_signal, 0);
  });
}

TEST_CASE("A packet counts from its doorbell on, however long kernels take", "[check]") {
  World w;
  auto* const words = w.allocate<uint32_t>(w.fine, 2);
  words[0] = words[1] = 0;
  struct Arguments {
    const uint32_t* flag;
    uint32_t* out;
  };
  auto* const arguments = w.allocate<Arguments>(w.kernarg, 1);
  *arguments = {&words[0], &words[1]};
  const hsa_signal_t first = w.signal(1), second = w.signal(1);
  hsa_barrier_and_packet_t barrier{};
  barrier.completion_signal = first;
  constexpr uint16_t kBarrier = header(HSA_PACKET_TYPE_BARRIER_AND);
  const auto kernel = dispatch_packet(w.kernels.kernel("begin_and_wait_for"), arguments, 1, second);
  hsa_queue_t* const queue = w.queue();
  const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 2);
  SECTION("written before its doorbell, while the queue takes packets") {
    Captured captured;
    write(queue, index, barrier, kBarrier);
    write(queue, index + 1, kernel, kDispatch, 1);
    ring(queue, index);
    CHECK(wait_below(first, 1) == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(__atomic_load_n(&words[1], __ATOMIC_ACQUIRE) == 0); // the kernel has not begun
    ring(queue, index + 1);
    while (__atomic_load_n(&words[1], __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
    ring(queue, index + 1); // once more
    __atomic_store_n(&words[0], 1u, __ATOMIC_RELEASE);
    CHECK(wait_below(second, 1) == 0);
    CHECK(findings_in(captured.end()).empty());
  }
  SECTION("a producer whose packet comes behind another one's doorbell") {
    Captured captured;
    words[0] = 1;
    write(queue, index + 1, kernel, kDispatch, 1);
    ring(queue, index + 1);
    write(queue, index, barrier, kBarrier);
    ring(queue, index);
    CHECK(wait_below(second, 1) == 0);
    CHECK(findings_in(captured.end()).empty());
  }
  SECTION("a producer that has not written what it rings for, behind another one's doorbell") {
    words[0] = 1;
    write(queue, index + 1, kernel, kDispatch, 1);
    ring(queue, index + 1);
    breaks("packet-invalid", "packet 0", [&] { ring(queue, index); });
    Captured captured;
    write(queue, index, barrier, kBarrier);
    ring(queue, index);
    CHECK(wait_below(second, 1) == 0);
    CHECK(findings_in(captured.end()).empty());
  }
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Rules of packets", "[check]") {
  World w;
  const auto dispatched = [&](const std::function<void(hsa_kernel_dispatch_packet_t&)>& how, uint16_t first = kDispatch,
                              uint16_t setup = 1) {
    return [&w, how, first, setup] {
      hsa_kernel_dispatch_packet_t packet = w.add();
      how(packet);
      hsa_queue_t* const queue = w.queue();
      submit(queue, packet, first, setup);
      REQUIRE_HSA(hsa_queue_destroy(queue));
    };
  };
  const auto as_it_is = [](hsa_kernel_dispatch_packet_t&) {};
  breaks("packet-type", "type 9", dispatched(as_it_is, 9));
  breaks("packet-type", "agent dispatches", dispatched(as_it_is, header(HSA_PACKET_TYPE_AGENT_DISPATCH)));
  breaks("packet-type", "format 7", dispatched(as_it_is, header(HSA_PACKET_TYPE_VENDOR_SPECIFIC), 7));
  breaks("packet-header", "0x", dispatched(as_it_is, kDispatch | 1 << 13));
  breaks("packet-scope", "release scope 3",
         dispatched(as_it_is, kDispatch | 3 << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE));
  breaks("packet-scope", "acquire scope 3",
         dispatched(as_it_is, kDispatch | 3 << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE));
  breaks("packet-reserved", "8 bytes at 48", dispatched([](auto& p) { p.reserved2 = 1; }));
  breaks("dispatch-dimensions", "setup is 0x0", dispatched(as_it_is, kDispatch, 0));
  breaks("dispatch-dimensions", "setup is 0x5", dispatched(as_it_is, kDispatch, 5));
  breaks("dispatch-group", "workgroup_size_y is 2",
         dispatched(
             [](auto& p) {
               p.workgroup_size_y = 2;
               p.grid_size_y = 1;
             },
             kDispatch, 1));
  breaks("dispatch-group", "2048 work-items",
         dispatched(
             [](auto& p) { p.workgroup_size_x = 1024, p.grid_size_x = 1024, p.workgroup_size_y = p.grid_size_y = 2; },
             kDispatch, 2));
  breaks("dispatch-grid", "grid_size_x is 63", dispatched([](auto& p) { p.grid_size_x = 63; }));
  breaks("dispatch-grid", "grid_size_z is 3", dispatched([](auto& p) { p.grid_size_z = 3; }, kDispatch, 2));
  breaks("dispatch-private", "with_scratch",
         dispatched([&](auto& p) { p.kernel_object = w.kernels.kernel("with_scratch"); }));
  breaks("dispatch-group-segment", "with_lds uses 256",
         dispatched([&](auto& p) { p.kernel_object = w.kernels.kernel("with_lds"); }));
  breaks("dispatch-group-segment", "is 1048576", dispatched([&](auto& p) { p.group_segment_size = 1 << 20; }));
  breaks("dispatch-kernel", "0x1000 is no kernel", dispatched([&](auto& p) { p.kernel_object = 0x1000; }));
  breaks("dispatch-kernarg", "is null", dispatched([&](auto& p) { p.kernarg_address = nullptr; }));
  breaks("dispatch-kernarg", "not aligned",
         dispatched([&](auto& p) { p.kernarg_address = reinterpret_cast<char*>(w.arguments) + 8; }));
  alignas(16) std::byte of_host[64];
  breaks("dispatch-kernarg", "no memory that agents reach", dispatched([&](auto& p) { p.kernarg_address = of_host; }));
  breaks("dispatch-kernarg", "ends 16 bytes behind", dispatched([&](auto& p) {
           // The last bytes of the allocation, wherever it ends.
           hsa_amd_pointer_info_t info{};
           info.size = sizeof info;
           REQUIRE_HSA(hsa_amd_pointer_info(w.arguments, &info, nullptr, nullptr, nullptr));
           p.kernarg_address = static_cast<char*>(info.agentBaseAddress) + info.sizeInBytes - 16;
           p.kernel_object = w.kernels.kernel("three_arguments");
         }));
  breaks("dispatch-kernarg", "not for kernel arguments", dispatched([&](auto& p) {
           auto* const elsewhere = w.allocate<AddArguments>(w.fine, 1);
           *elsewhere = w.arguments[0];
           p.kernarg_address = elsewhere;
         }));
  const hsa_signal_t one = w.signal(1);
  breaks("barrier-self", "completes itself", [&] {
    hsa_barrier_and_packet_t packet{};
    packet.dep_signal[3] = packet.completion_signal = one;
    submit(w.queue(), packet, header(HSA_PACKET_TYPE_BARRIER_AND));
  });
  // A kernel of another agent.
  struct Agents {
    hsa_agent_t first;
    hsa_agent_t second{};
  } agents{w.gpu};
  REQUIRE_HSA(hsa_iterate_agents(
      [](hsa_agent_t agent, void* data) {
        auto& all = *static_cast<Agents*>(data);
        hsa_device_type_t type;
        hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
        if (type == HSA_DEVICE_TYPE_GPU && agent.handle != all.first.handle) all.second = agent;
        return HSA_STATUS_SUCCESS;
      },
      &agents));
  REQUIRE(agents.second.handle != 0);
  breaks("dispatch-kernel", "another agent", [&] {
    hsa_queue_t* other = nullptr;
    REQUIRE_HSA(hsa_queue_create(agents.second, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &other));
    submit(other, w.add(), kDispatch, 1);
    w.drain(other);
  });
  // Copies by an agent that nobody has given access.
  const hsa_amd_memory_pool_t far = Hsa::pool(agents.second, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
  auto* const memory = w.allocate<uint32_t>(far, 16);
  const hsa_signal_t done = w.signal(1);
  breaks("copy-agent", "cannot be reached",
         [&] { REQUIRE_HSA(hsa_amd_memory_async_copy(memory, w.gpu, w.data, w.gpu, 64, 0, nullptr, done)); });
  REQUIRE(wait_below(done, 1) == 0);
  REQUIRE_HSA(hsa_amd_agents_allow_access(1, &w.gpu, nullptr, memory));
  hsa_signal_store_relaxed(done, 1);
  REQUIRE_HSA(hsa_amd_memory_async_copy(memory, w.gpu, w.data, w.gpu, 64, 0, nullptr, done)); // and now
  REQUIRE(wait_below(done, 1) == 0);
  breaks("copy-agent", "0x0 is none", [&] {
    CHECK(hsa_amd_memory_async_copy(w.data, {0}, memory, agents.second, 64, 0, nullptr, done) ==
          HSA_STATUS_ERROR_INVALID_AGENT);
  });
}

TEST_CASE("Rules of signals", "[check]") {
  World w;
  const hsa_signal_t gone = w.signal(1), gate = w.signal(1), done = w.signal(1);
  REQUIRE_HSA(hsa_signal_destroy(gone));
  breaks("signal-destroyed", "hsa_signal_load_relaxed", [&] { CHECK(hsa_signal_load_relaxed(gone) == 0); });
  breaks("signal-destroyed", "hsa_signal_store_screlease", [&] { hsa_signal_store_release(gone, 1); }); // an older name
  breaks("signal-destroyed", "completion signal", [&] {
    hsa_kernel_dispatch_packet_t packet = w.add();
    packet.completion_signal = gone;
    hsa_queue_t* const queue = w.queue();
    submit(queue, packet, kDispatch, 1);
    REQUIRE_HSA(hsa_queue_destroy(queue)); // before the kernel goes
  });
  breaks("signal-destroyed", "hsa_signal_destroy",
         [&] { CHECK(hsa_signal_destroy(gone) == HSA_STATUS_ERROR_INVALID_SIGNAL); });
  breaks("signal-unknown", "0xdead0 is no signal", [&] {
    hsa_barrier_and_packet_t packet{};
    packet.dep_signal[0] = {0xdead0};
    submit(w.queue(), packet, header(HSA_PACKET_TYPE_BARRIER_AND));
  });
  breaks("signal-unknown", "hsa_amd_memory_async_copy", [&] {
    CHECK(hsa_amd_memory_async_copy(w.data, w.gpu, w.data + 512, w.gpu, 64, 0, nullptr, {0xdead0}) ==
          HSA_STATUS_ERROR_INVALID_SIGNAL);
  });
  alignas(4096) static char page[4096];
  breaks("signal-unknown", "hsa_amd_svm_prefetch_async", [&] {
    CHECK(hsa_amd_svm_prefetch_async(page, sizeof page, w.gpu, 0, nullptr, {0xdead0}) ==
          HSA_STATUS_ERROR_INVALID_SIGNAL);
  });
  const hsa_signal_t own = w.signal(1);
  breaks("barrier-self", "hsa_amd_svm_prefetch_async",
         [&] { REQUIRE_HSA(hsa_amd_svm_prefetch_async(page, sizeof page, w.gpu, 1, &own, own)); });
  breaks("signal-doorbell", "hsa_signal_add_relaxed", [&] { hsa_signal_add_relaxed(w.queue()->doorbell_signal, 1); });
  breaks("signal-doorbell", "hsa_signal_destroy",
         [&] { CHECK(hsa_signal_destroy(w.queue()->doorbell_signal) == HSA_STATUS_ERROR_INVALID_SIGNAL); });

  hsa_queue_t* const blocked = w.blocked(gate);
  breaks("signal-in-use", "will complete the signal", [&] {
    hsa_barrier_and_packet_t packet{};
    packet.completion_signal = done;
    submit(blocked, packet, header(HSA_PACKET_TYPE_BARRIER_AND));
    REQUIRE_HSA(hsa_signal_destroy(done));
  });
  breaks("signal-in-use", "waits for the signal", [&] { REQUIRE_HSA(hsa_signal_destroy(gate)); });
  const hsa_signal_t waited = w.signal(1);
  breaks("signal-in-use", "1 threads or handlers", [&] {
    REQUIRE_HSA(hsa_amd_signal_async_handler(
        waited, HSA_SIGNAL_CONDITION_EQ, 0, [](hsa_signal_value_t, void*) { return false; }, nullptr));
    REQUIRE_HSA(hsa_signal_destroy(waited));
  });
}

TEST_CASE("Rules of queues", "[check]") {
  World w;
  Hsa again; // the runtime stays while queues go
  hsa_queue_t* const queue = w.queue();
  REQUIRE_HSA(hsa_queue_destroy(queue));
  breaks("queue-unknown", "hsa_queue_add_write_index_relaxed",
         [&] { CHECK(hsa_queue_add_write_index_relaxed(queue, 1) == 0); });
  breaks("queue-unknown", "hsa_queue_destroy",
         [&] { CHECK(hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE); });

  std::atomic<bool> told{false};
  hsa_queue_t* const lost = w.queue(
      64, HSA_QUEUE_TYPE_MULTI,
      [](hsa_status_t, hsa_queue_t*, void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }, &told);
  {
    w.arguments[1] = {reinterpret_cast<uint32_t*>(0x1000), 1};
    dispatch(lost, w.kernels.kernel("add"), &w.arguments[1], 1, {0}); // keeps the rules, and faults
    Captured quiet;
    while (!told.load()) std::this_thread::yield();
  }
  breaks("queue-lost", "takes no packets any more", [&] { submit(lost, w.add(), kDispatch, 1); });
}

TEST_CASE("Rules of memory and copies", "[check]") {
  World w;
  void* out = nullptr;
  breaks("pool-use", "is no memory pool",
         [&] { CHECK(hsa_amd_memory_pool_allocate({0}, 64, 0, &out) == kInvalidPool); });
  breaks("pool-use", "the flags are", [&] { hsa_amd_memory_pool_allocate(w.fine, 64, 1 << 20, &out); });
  auto* const freed = w.allocate<uint32_t>(w.device, 16);
  REQUIRE_HSA(hsa_amd_memory_pool_free(freed));
  breaks("free-unknown", "hsa_amd_memory_pool_free",
         [&] { CHECK(hsa_amd_memory_pool_free(freed) == HSA_STATUS_ERROR_INVALID_ALLOCATION); });
  breaks("free-unknown", "hsa_memory_free",
         [&] { CHECK(hsa_memory_free(w.data + 1) == HSA_STATUS_ERROR_INVALID_ALLOCATION); });
  const hsa_signal_t gate = w.signal(1), done = w.signal(1);
  hsa_queue_t* const blocked = w.blocked(gate);
  breaks("free-in-use", "(add) uses the memory", [&] {
    auto* const arguments = w.allocate<AddArguments>(w.kernarg, 1);
    *arguments = {w.data, 1};
    dispatch(blocked, w.kernels.kernel("add"), arguments, 1, done, true);
    REQUIRE_HSA(hsa_amd_memory_pool_free(arguments));
  });
  REQUIRE_HSA(hsa_queue_destroy(blocked));
  breaks("free-in-use", "copy ", [&] {
    auto* const memory = w.allocate<uint32_t>(w.device, 16);
    REQUIRE_HSA(hsa_amd_memory_async_copy(memory, w.gpu, w.data, w.gpu, 64, 1, &gate, done));
    REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
  });
  std::vector<uint32_t> host(1024);
  breaks("unlock-unknown", "is not locked",
         [&] { CHECK(hsa_amd_memory_unlock(host.data()) == HSA_STATUS_ERROR_INVALID_ARGUMENT); });
  const hsa_signal_t copied = w.signal(1), copied_shared = w.signal(1);
  breaks("copy-memory", "the source",
         [&] { REQUIRE_HSA(hsa_amd_memory_async_copy(w.data, w.gpu, host.data(), w.host, 64, 0, nullptr, copied)); });
  {
    Captured captured; // memory of the process that the agent was given access to
    alignas(4096) static char shared[4096];
    hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, w.gpu.handle};
    REQUIRE_HSA(hsa_amd_svm_attributes_set(shared, sizeof shared, &access, 1));
    REQUIRE_HSA(hsa_amd_memory_async_copy(w.data, w.gpu, shared, w.host, 64, 0, nullptr, copied_shared));
    for (const hsa_signal_t each : {copied, copied_shared})
      hsa_signal_wait_scacquire(each, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    CHECK(findings_in(captured.end()).empty());
  }
  breaks("copy-range", "go beyond the allocation", [&] {
    Captured quiet; // the copy fails
    hsa_amd_memory_fill(w.data + 1023, 1, 2000);
    const std::string text = quiet.end();
    std::fputs(text.c_str(), stderr);
  });
  breaks("copy-overlap", "overlap", [&] { REQUIRE_HSA(hsa_memory_copy(w.data, w.data + 4, 64)); });
}

TEST_CASE("Rules of executables", "[check]") {
  World w;
  hsa_executable_t executable{};
  REQUIRE_HSA(
      hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
  hsa_executable_symbol_t symbol{};
  breaks("executable-state", "is not frozen", [&] {
    CHECK(hsa_executable_get_symbol_by_name(executable, "add.kd", &w.gpu, &symbol) ==
          HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  });
  REQUIRE_HSA(hsa_executable_freeze(executable, nullptr));
  REQUIRE_HSA(hsa_executable_destroy(executable));
  breaks("executable-state", "hsa_executable_destroy",
         [&] { CHECK(hsa_executable_destroy(executable) == HSA_STATUS_ERROR_INVALID_EXECUTABLE); });
  const hsa_signal_t gate = w.signal(1), done = w.signal(1);
  hsa_queue_t* const blocked = w.blocked(gate);
  breaks("executable-in-use", "(add) executes a kernel", [&] {
    Kernels other(w);
    dispatch(blocked, other.kernel("add"), w.arguments, 1, done, true);
  });
  REQUIRE_HSA(hsa_queue_destroy(blocked));
}

TEST_CASE("Every rule has been broken", "[check]") {
  for (const char* const rule : {
#define HSA_RULE(identifier, name, advice) name,
#include "runtime/hsa_check/rules.def"
#undef HSA_RULE
       }) {
    INFO(rule);
    CHECK(rules_seen().contains(rule));
  }
}
