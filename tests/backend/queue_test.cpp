// Conformance: order, points, waits between queues, host functions, many queues, many launches.
#include "conformance.h"

#include "runtime/backend/aql/agent.h"

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <set>
#include <thread>

using namespace hip;
using namespace hip::test;

namespace {
constexpr Shape kOneGroup{{256, 1, 1}, {256, 1, 1}, 0};
} // namespace

TEST_CASE("Points are reached in order, with times", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  const auto queue = good(s.device().create_queue({}));
  Buffer<uint8_t> memory(s.device(), 32 << 20);
  const auto first = good(queue->record());
  REQUIRE_OK(queue->fill_3d({memory.get(), 0, 0}, 1, 1, {32 << 20, 1, 1}));
  const auto second = good(queue->record());
  REQUIRE_OK(second->wait());
  CHECK(first->done());
  CHECK(second->done());
  CHECK(second->timestamp_ns() >= first->timestamp_ns());
  REQUIRE_OK(second->status());
  REQUIRE_OK(queue->synchronize());
  CHECK(queue->idle());
}

TEST_CASE("Thousands of launches stay in order", "[backend]") {
  backend::Device& device = subject(EXECUTING).device();
  const auto code = load(device, kernels_for(device));
  const auto queue = good(device.create_queue({}));
  Buffer<uint32_t> data(device, 256);
  REQUIRE_OK(queue->fill_3d({data.get(), 0, 0}, 0, 4, {1024, 1, 1}));
  for (int i = 0; i < 3000; ++i)
    REQUIRE_OK(launch(*queue, good(code->find_kernel("add_one")), kOneGroup, data.get(), 256u));
  CHECK(data.read(*queue) == std::vector<uint32_t>(256, 3000));
}

TEST_CASE("Queues wait for each other", "[backend]") {
  backend::Device& device = subject(EXECUTING).device();
  const auto code = load(device, kernels_for(device));
  const auto a = good(device.create_queue({})), b = good(device.create_queue({}));
  Buffer<uint32_t> data(device, 256);
  REQUIRE_OK(a->fill_3d({data.get(), 0, 0}, 0, 4, {1024, 1, 1}));
  for (int i = 0; i < 200; ++i) { // without the waits the increments collide
    backend::Queue& one = i % 2 ? *b : *a;
    backend::Queue& other = i % 2 ? *a : *b;
    REQUIRE_OK(one.wait(good(other.record())));
    REQUIRE_OK(launch(one, good(code->find_kernel("add_one")), kOneGroup, data.get(), 256u));
  }
  REQUIRE_OK(a->wait(good(b->record())));
  CHECK(data.read(*a) == std::vector<uint32_t>(256, 200));
}

TEST_CASE("A command list is replayed as it was prepared", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  backend::Device& device = s.device();
  const auto code = load(device, kernels_for(device));
  const auto one = good(device.create_queue({})), two = good(device.create_queue({}));
  constexpr uint32_t kWords = 256, kBlocks = 40;
  Buffer<uint32_t> data(device, kWords * kBlocks);
  // Blocks are filled beside each other, each gets one added four times, in steps of all blocks; then half of each
  // block is copied to the other half. More packets than a batch has.
  const auto command = [](backend::Command::Kind kind, bool starts_step) {
    backend::Command made;
    made.kind = kind;
    made.starts_step = starts_step;
    return made;
  };
  std::vector<backend::Command> commands;
  for (uint32_t block = 0; block < kBlocks; ++block) {
    backend::Command fill = command(backend::Command::Kind::Fill, block == 0);
    fill.dst = {data.get() + block * kWords, kWords * 4, kWords * 4};
    fill.extent = {kWords * 4, 1, 1};
    fill.pattern = block;
    fill.pattern_bytes = 4;
    commands.push_back(fill);
  }
  for (int round = 0; round < 4; ++round)
    for (uint32_t block = 0; block < kBlocks; ++block) {
      backend::Command add = command(backend::Command::Kind::Launch, block == 0);
      add.launch.kernel = good(code->find_kernel("add_one"));
      add.launch.grid_items = add.launch.group_items = {kWords, 1, 1};
      add.arguments.resize(add.launch.kernel->explicit_bytes);
      const uint32_t* const memory = data.get() + block * kWords;
      const uint32_t count = kWords;
      std::memcpy(add.arguments.data(), &memory, 8);
      std::memcpy(add.arguments.data() + 8, &count, 4);
      commands.push_back(std::move(add));
    }
  for (uint32_t block = 0; block < kBlocks; ++block) {
    backend::Command copy = command(backend::Command::Kind::Copy, block == 0);
    uint32_t* const memory = data.get() + block * kWords;
    copy.dst = {memory, kWords * 2, kWords * 2};
    copy.src = {memory + kWords / 2, kWords * 2, kWords * 2};
    copy.extent = {kWords * 2, 1, 1};
    commands.push_back(copy);
  }
  Ref<backend::CommandList> list = good(device.prepare(std::move(commands)));
  for (backend::Queue* queue : {one.get(), two.get(), one.get()}) {
    REQUIRE_OK(queue->fill_3d({data.get(), 0, 0}, 99, 4, {kWords * kBlocks * 4, 1, 1}));
    for (int i = 0; i < 5; ++i) REQUIRE_OK(queue->run(list));
    if (queue == two.get()) REQUIRE_OK(queue->run(list));
    const std::vector<uint32_t> words = data.read(*queue);
    bool right = true;
    for (uint32_t i = 0; i < words.size(); ++i) right &= words[i] == i / kWords + (s.executes() ? 4 : 0);
    CHECK(right);
  }
  // Other commands in places of each kind, where the back end can: one add leaves out half of block 3, whose first half
  // is copied from block 4 then.
  REQUIRE_OK(two->synchronize());
  backend::Command fill = list->commands()[3], add = list->commands()[kBlocks + 3],
                   copy = list->commands()[5 * kBlocks + 3];
  fill.pattern = 50;
  const uint32_t half = kWords / 2;
  std::memcpy(add.arguments.data() + 8, &half, 4);
  copy.src.base = data.get() + 4 * kWords + half;
  if (good(list->replace(3, fill)) && good(list->replace(kBlocks + 3, add)) &&
      good(list->replace(5 * kBlocks + 3, copy))) {
    for (backend::Queue* queue : {one.get(), two.get()}) {
      for (int i = 0; i < 3; ++i) REQUIRE_OK(queue->run(list));
      const std::vector<uint32_t> words = data.read(*queue);
      const uint32_t added = s.executes() ? 4 : 0;
      bool right = true;
      for (uint32_t i = 0; i < words.size(); ++i) {
        const uint32_t block = i / kWords;
        const uint32_t in_block_3 = i % kWords < half ? 4 + added : s.executes() ? 53 : 50;
        right &= words[i] == (block == 3 ? in_block_3 : block + added);
      }
      CHECK(right);
    }
  } else {
    list = good(device.prepare(std::vector(list->commands())));
  }
  REQUIRE_OK(one->run(list));
  list = {}; // what runs is kept
  REQUIRE_OK(one->synchronize());
}

TEST_CASE("A kernel waits for the host, others go on", "[backend]") {
  backend::Device& device = subject(EXECUTING).device();
  if (device.properties().compute_units < 2) return; // one thread cannot do both
  const auto code = load(device, kernels_for(device));
  const auto waiting = good(device.create_queue({})), working = good(device.create_queue({}));
  Buffer<uint32_t> flag(device, 1, backend::MemoryKind::HostPinned), out(device, 1), data(device, 256);
  // Found before anything spins: NVIDIA's driver may wait for the device while it loads a kernel.
  backend::Kernel *const spin = good(code->find_kernel("wait_for")), *const add_one =
                                                                         good(code->find_kernel("add_one"));
  *flag.get() = 0;
  REQUIRE_OK(launch(*waiting, spin, {}, flag.get(), out.get()));
  const auto point = good(waiting->record());
  REQUIRE_OK(working->fill_3d({data.get(), 0, 0}, 0, 4, {1024, 1, 1}));
  for (int i = 0; i < 10; ++i) REQUIRE_OK(launch(*working, add_one, kOneGroup, data.get(), 256u));
  CHECK(data.read(*working) == std::vector<uint32_t>(256, 10));
  CHECK_FALSE(point->done());
  CHECK_FALSE(waiting->idle());
  std::atomic_ref<uint32_t>(*flag.get()).store(1, std::memory_order_release);
  REQUIRE_OK(waiting->synchronize());
  CHECK(out.read(*waiting)[0] == 1);
}

TEST_CASE("Copies that have to wait hold up no others", "[backend]") {
  backend::Device& device = subject(EXECUTING).device();
  constexpr size_t kQueues = 8, kBytes = 4096; // more than a device has copy engines
  struct Gate {
    std::atomic<bool> open{false}, given_up{false};
  } gate;
  Buffer<std::byte> host(device, kBytes, backend::MemoryKind::HostPinned), there(device, kQueues * kBytes);
  std::vector<std::unique_ptr<backend::Queue>> waiting;
  for (size_t i = 0; i < kQueues; ++i) {
    waiting.push_back(good(device.create_queue({})));
    REQUIRE_OK(waiting.back()->host_function(
        [](void* p, const Status&) {
          auto& its = *static_cast<Gate*>(p);
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
          while (!its.open && !its.given_up) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (std::chrono::steady_clock::now() > end) its.given_up = true;
          }
        },
        &gate));
    for (int copies = 0; copies < 2; ++copies)
      REQUIRE_OK(waiting.back()->copy(there.get() + i * kBytes, host.get(), kBytes));
  }
  const auto working = good(device.create_queue({}));
  Buffer<uint32_t> data(device, 1 << 19);
  std::vector<uint32_t> values(1 << 19);
  std::iota(values.begin(), values.end(), 0u);
  data.write(*working, values);
  CHECK(data.read(*working) == values);
  CHECK_FALSE(gate.given_up);
  gate.open = true;
  for (const auto& queue : waiting) CHECK(queue->synchronize().ok());
}

TEST_CASE("Host functions are called in order", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  const auto queue = good(s.device().create_queue({}));
  Buffer<uint32_t> data(s.device(), 1);
  struct State {
    uint32_t host = 0;
    std::vector<uint32_t> seen;
  } state;
  for (uint32_t i = 0; i < 20; ++i) {
    REQUIRE_OK(queue->fill_3d({data.get(), 0, 0}, i, 4, {4, 1, 1}));
    REQUIRE_OK(queue->copy(&state.host, data.get(), 4));
    REQUIRE_OK(queue->host_function(
        [](void* p, const Status& status) {
          auto& its = *static_cast<State*>(p);
          its.seen.push_back(status.ok() ? its.host : ~0u);
        },
        &state));
  }
  REQUIRE_OK(queue->synchronize());
  std::vector<uint32_t> expected(20);
  std::iota(expected.begin(), expected.end(), 0u);
  CHECK(state.seen == expected);
}

TEST_CASE("Many queues from many threads", "[backend]") {
  backend::Device& device = subject(EXECUTING).device();
  const auto code = load(device, kernels_for(device));
  backend::Kernel* const kernel = good(code->find_kernel("count_items"));
  Buffer<uint32_t> total(device, 1, backend::MemoryKind::HostPinned);
  *total.get() = 0;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        auto queue = device.create_queue({});
        for (int i = 0; queue.ok() && i < 20; ++i) {
          void* address = total.get();
          void* pointers[] = {&address};
          backend::Launch launch;
          launch.kernel = kernel;
          launch.grid_items = {1024, 1, 1};
          launch.group_items = {64, 1, 1};
          launch.groups = {16, 1, 1};
          launch.argument_pointers = pointers;
          failures += !(*queue)->launch(launch).ok();
        }
        failures += !queue.ok() || !(*queue)->synchronize().ok();
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(*total.get() == 4 * 10 * 20 * 1024);
}

namespace {

// A card in small: it completes a packet with the doorbell, but moves its read index on, and takes the packet out of
// its place, later. "Later" is when the agent has been asked several times whether it can be used, as whoever waits
// asks.
class LateAgent final : public aql::Agent {
public:
  int overruns = 0, packets = 0, lost_headers = 0;
  bool stuck = false, is_lost = false; // completes nothing

  ~LateAgent() override {
    for (void* const base : memory_) ::operator delete(base, std::align_val_t(4096));
  }

  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  Result<backend::MemoryInfo> memory_info() override { return backend::MemoryInfo{}; }
  Result<void*> allocate(size_t bytes, size_t, aql::AgentMemory) override {
    return *memory_.insert(::operator new(bytes, std::align_val_t(4096))).first;
  }
  Status free(void* base) override {
    memory_.erase(base);
    ::operator delete(base, std::align_val_t(4096));
    return {};
  }
  Status register_host(void*, size_t) override { return {}; }
  Status unregister_host(void*) override { return {}; }
  Status map_code(const aql::CodeSegment&, const std::string&, std::span<const aql::CodeSymbol>,
                  std::shared_ptr<const codeobject::LineSections>) override {
    return {};
  }
  Status unmap_code(void*) override { return {}; }
  Result<std::unique_ptr<aql::HardwareQueue>> create_queue(aql::QueueBlock& block, int, std::span<const uint32_t>,
                                                           const Ref<aql::FaultSink>&) override {
    block_ = &block;
    return std::unique_ptr<aql::HardwareQueue>(std::make_unique<Hardware>(*this));
  }
  uint16_t cooperative_setup() const noexcept override { return 0; }
  Result<aql::PacketHead> encode_transfer(const aql::Transfer&, void*, aql::Packet& packet) override {
    packet.agent = {};
    return aql::PacketHead{aql::PacketType::AgentDispatch, 0};
  }
  Result<bool> transfer_now(const aql::Transfer&) override { return false; }
  backend::PeerLink peer_link(Agent&) override { return {}; }
  bool wait_signal(aql::Signal& signal, int64_t below, uint64_t) noexcept override { return signal.value < below; }
  void subtract_signal(aql::Signal& signal, int64_t amount) noexcept override { signal.value -= amount; }
  void signal_changed(aql::Signal&) noexcept override {}
  void sleep_on_signal(aql::Signal&, int64_t, uint64_t) noexcept override {}
  uint64_t ticks_to_ns(uint64_t ticks) const noexcept override { return ticks; }
  bool lost() const noexcept override { return is_lost; }
  Status usable() const override {
    if (is_lost) return error(ErrorCode::LaunchFailure, "The device is lost.");
    if (++asked_ > 20 && block_) const_cast<LateAgent*>(this)->move_on();
    return {};
  }

private:
  class Hardware final : public aql::HardwareQueue {
  public:
    explicit Hardware(LateAgent& agent) noexcept : agent_(agent) {}
    ~Hardware() override { agent_.block_ = nullptr; }
    void ring_doorbell(uint64_t packet) noexcept override { agent_.complete(packet); }
    void stop() noexcept override {}
    uint32_t signal_tag() const noexcept override { return 0; }
    bool frees_by_read_index() const noexcept override { return true; }

  private:
    LateAgent& agent_;
  };

  aql::Packet& packet(uint64_t index) {
    return reinterpret_cast<aql::Packet*>(block_->base_address)[index & (block_->size - 1)];
  }
  void complete(uint64_t index) noexcept {
    asked_ = 0;
    ++packets;
    if (stuck) return;
    overruns += index - block_->read_dispatch_id >= block_->size;
    subtract_signal(*aql::to_signal(packet(index).raw.completion_signal), 1);
    complete_ = index + 1;
  }
  void move_on() {
    for (; block_->read_dispatch_id < complete_; ++block_->read_dispatch_id) {
      uint32_t& word = packet(block_->read_dispatch_id).raw.first_word;
      lost_headers += word == aql::kInvalidFirstWord;
      word = aql::kInvalidFirstWord;
    }
  }

  backend::DeviceProperties properties_ = [] {
    backend::DeviceProperties properties;
    properties.compute_units = properties.max_waves_per_cu = 1;
    return properties;
  }();
  aql::QueueBlock* block_ = nullptr; // of the one queue
  uint64_t complete_ = 0;
  mutable int asked_ = 0;  // since the last doorbell
  std::set<void*> memory_; // that is allocated
};

std::unique_ptr<backend::Backend> over(std::initializer_list<LateAgent*> agents) {
  std::vector<std::unique_ptr<aql::Agent>> owned;
  for (LateAgent* const agent : agents) owned.emplace_back(agent);
  return aql::make_backend(std::move(owned));
}

} // namespace

TEST_CASE("A place of the ring is used again when the read index has passed it", "[backend]") {
  auto* const agent = new LateAgent;
  const auto aql = over({agent});
  const auto queue = good(aql->devices()[0]->create_queue({}));
  uint64_t from = 1, to = 0;
  constexpr int kCopies = 5000; // several times around the ring
  for (int i = 0; i < kCopies; ++i) REQUIRE_OK(queue->copy(&to, &from, sizeof to));
  REQUIRE_OK(queue->synchronize());
  CHECK(agent->packets == kCopies);
  CHECK(agent->overruns == 0);
  CHECK(agent->lost_headers == 0);
}

TEST_CASE("A queue does not wait for points of a device that is lost", "[backend]") {
  auto *const lost = new LateAgent, *const other = new LateAgent;
  const auto aql = over({lost, other});
  auto stuck = good(aql->devices()[0]->create_queue({}));
  const auto queue = good(aql->devices()[1]->create_queue({}));
  uint64_t from = 1, to = 0;
  lost->stuck = true;
  REQUIRE_OK(stuck->copy(&to, &from, sizeof to));
  const Ref<backend::Completion> point = good(stuck->record());
  REQUIRE_OK(queue->wait(point));
  CHECK_FALSE(queue->idle());
  lost->is_lost = true; // the point was made a moment too late for its signal to be told
  CHECK(queue->idle());
  REQUIRE_OK(queue->copy(&to, &from, sizeof to));
  REQUIRE_OK(queue->synchronize());
  CHECK(other->packets == 1); // there is no barrier before the copy
  CHECK_FALSE(point->done());
  stuck.reset();
}
