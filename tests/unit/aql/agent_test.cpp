// The software agent as a packet processor: raw packets in a ring, written as a producer other than our queue might.
#include "fake_engine.h"

#include <chrono>
#include <new>
#include <thread>

using namespace hip;
using namespace hip::aql;
using namespace hip::test;

namespace {

// A ring of its own, without the Queue of the back end.
struct RawQueue {
  Agent& agent;
  QueueBlock* block;
  Packet* ring;
  Ref<FaultLog> faults = make_ref<FaultLog>();
  std::unique_ptr<HardwareQueue> hardware;
  uint64_t write = 0;

  explicit RawQueue(Agent& a, uint32_t packets = 64) : agent(a) {
    block = new (good(agent.allocate(sizeof(QueueBlock), 4096, AgentMemory::Control))) QueueBlock;
    ring = static_cast<Packet*>(good(agent.allocate(packets * sizeof(Packet), 4096, AgentMemory::Control)));
    std::memset(static_cast<void*>(ring), 0, packets * sizeof(Packet));
    for (uint32_t i = 0; i < packets; ++i) ring[i].raw.first_word = kInvalidFirstWord;
    block->base_address = reinterpret_cast<uint64_t>(ring);
    block->size = packets;
    hardware = good(agent.create_queue(*block, 0, {}, faults));
  }
  Signal* signal(int64_t value = 1) {
    auto* s = new (good(agent.allocate(sizeof(Signal), 64, AgentMemory::Control))) Signal;
    s->kind = Signal::kUser;
    s->value.store(value);
    s->queue_ptr = reinterpret_cast<uint64_t>(block);
    s->queue_tag.store(hardware->signal_tag());
    return s;
  }
  Packet& next() { return ring[write % block->size]; }
  void publish(PacketType type, BarrierBit barrier, uint16_t second_half = 0) {
    ++write;
    block->write_dispatch_id.store(write, std::memory_order_release);
    ring[(write - 1) % block->size].first_word().store(make_header(type, barrier) | uint32_t(second_half) << 16,
                                                       std::memory_order_release);
    hardware->ring_doorbell(write - 1);
  }
  Signal* barrier(PacketType type, std::initializer_list<Signal*> dependencies) {
    Packet& p = next();
    size_t i = 0;
    for (Signal* s : dependencies) p.barrier.dep_signal[i++] = to_handle(s);
    while (i < kBarrierDependencies) p.barrier.dep_signal[i++] = 0;
    Signal* const done = signal();
    p.raw.completion_signal = to_handle(done);
    publish(type, BarrierBit::Set);
    return done;
  }
  bool wait(Signal* s, uint64_t milliseconds = 10000) { return agent.wait_signal(*s, 1, milliseconds * 1000000); }
};

} // namespace

TEST_CASE("Barrier-AND waits for all, barrier-OR for any of its signals", "[aql][agent]") {
  FakeDevice device;
  Agent& agent = device.device->agent();
  RawQueue queue(agent);
  Signal *a = queue.signal(), *b = queue.signal();
  for (Signal* s : {a, b}) { // the host completes them
    s->queue_ptr = 0;
    s->queue_tag.store(0);
  }
  Signal* const any = queue.barrier(PacketType::BarrierOr, {a, b});
  Signal* const all = queue.barrier(PacketType::BarrierAnd, {a, b});
  Signal* const empty = queue.barrier(PacketType::BarrierAnd, {});
  CHECK_FALSE(queue.wait(any, 20));
  agent.subtract_signal(*b, 1);
  CHECK(queue.wait(any));
  CHECK_FALSE(queue.wait(all, 20));
  CHECK(empty->value.load() == 1); // the barrier bit keeps the order
  agent.subtract_signal(*a, 1);
  CHECK(queue.wait(empty));
  CHECK(all->value.load() == 0);
  CHECK(all->end_ts >= any->end_ts);
  CHECK(empty->start_ts >= all->end_ts);
  CHECK(queue.faults->claim(UINT64_MAX).ok());
}

TEST_CASE("Packets that the agent does not know are faults, and complete", "[aql][agent]") {
  FakeDevice device;
  RawQueue queue(device.device->agent());
  Signal* done = queue.signal();
  queue.next().raw.completion_signal = to_handle(done);
  queue.publish(PacketType::Vendor, BarrierBit::Set);
  REQUIRE(queue.wait(done));
  CHECK(queue.faults->claim(0).code() == ErrorCode::InvalidValue);
  CHECK(queue.faults->claim(UINT64_MAX).ok());

  done = queue.signal();
  queue.next().raw.completion_signal = to_handle(done);
  queue.publish(PacketType::AgentDispatch, BarrierBit::Set, 0x1234);
  REQUIRE(queue.wait(done));
  CHECK(queue.faults->claim(0).ok());
  CHECK(queue.faults->claim(1).message().find("0x1234") != std::string::npos);
}

TEST_CASE("A packet is taken when its header is there, not before", "[aql][agent]") {
  FakeDevice device;
  RawQueue queue(device.device->agent());
  std::atomic<int> order{0};
  int seen = -1;
  FakeKernel kernel{[&](const engine::Dispatch&, uint64_t) {
    seen = order.load();
    return Status();
  }};
  // The second packet is complete first; the agent must wait for the first one's header.
  Signal* const done = queue.signal();
  Packet& second = queue.ring[1];
  second.dispatch = KernelDispatchPacket{};
  second.raw.first_word = kInvalidFirstWord;
  second.dispatch.workgroup_size_x = second.dispatch.workgroup_size_y = second.dispatch.workgroup_size_z = 1;
  second.dispatch.grid_size_x = second.dispatch.grid_size_y = second.dispatch.grid_size_z = 1;
  second.dispatch.kernel_object = reinterpret_cast<uint64_t>(&kernel);
  second.raw.completion_signal = to_handle(done);
  queue.block->write_dispatch_id.store(2, std::memory_order_release);
  second.first_word().store(make_header(PacketType::KernelDispatch, BarrierBit::Clear) | 1u << 16,
                            std::memory_order_release);
  queue.hardware->ring_doorbell(1);
  CHECK_FALSE(queue.wait(done, 20));
  order = 1;
  queue.ring[0].raw.completion_signal = 0; // nobody wants to know
  queue.write = 0;
  for (uint64_t& handle : queue.ring[0].barrier.dep_signal) handle = 0;
  queue.ring[0].first_word().store(make_header(PacketType::BarrierAnd, BarrierBit::Set), std::memory_order_release);
  queue.hardware->ring_doorbell(1);
  REQUIRE(queue.wait(done));
  CHECK(seen == 1);
}

TEST_CASE("A queue that is stopped ends the kernels that it has begun", "[aql][agent]") {
  FakeDevice device;
  RawQueue queue(device.device->agent());
  std::atomic<int> first{0}, second{0};
  std::atomic<bool> stopping{false};
  FakeKernel behind{[&](const engine::Dispatch&, uint64_t) {
    ++second;
    return Status();
  }};
  std::thread stopper;
  // The queue is stopped while this one begins. As it has no signal and the next packet is there, its work-groups are
  // kept for the time when that packet has begun, too.
  FakeKernel before{[&](const engine::Dispatch&, uint64_t) {
                      ++first;
                      return Status();
                    },
                    [&] {
                      stopper = std::thread([&] {
                        stopping = true;
                        queue.hardware->stop();
                      });
                      while (!stopping) std::this_thread::yield();
                      std::this_thread::sleep_for(std::chrono::milliseconds(10));
                    }};
  const auto fill = [](Packet& packet, const FakeKernel& kernel) {
    packet.dispatch.kernel_object = reinterpret_cast<uint64_t>(&kernel);
    packet.dispatch.workgroup_size_x = packet.dispatch.workgroup_size_y = packet.dispatch.workgroup_size_z = 1;
    packet.dispatch.grid_size_x = 4;
    packet.dispatch.grid_size_y = packet.dispatch.grid_size_z = 1;
    packet.dispatch.kernarg_address = packet.dispatch.completion_signal = 0;
  };
  fill(queue.ring[0], before);
  fill(queue.ring[1], behind);
  queue.ring[1].first_word().store(make_header(PacketType::KernelDispatch, BarrierBit::Clear) | 1u << 16);
  queue.publish(PacketType::KernelDispatch, BarrierBit::Clear, 1);
  while (first.load() < 4) std::this_thread::yield();
  stopper.join();
  CHECK(first == 4);
  CHECK((second == 0 || second == 4)); // 4: the thread that stops the queue came late
  CHECK_FALSE(queue.faults->any());
}

TEST_CASE("Waiting for a signal ends with its time", "[aql][agent]") {
  FakeDevice device;
  Agent& agent = device.device->agent();
  RawQueue queue(agent);
  Signal* const never = queue.signal();
  const uint64_t begin = aql::soft::now_ns();
  CHECK_FALSE(agent.wait_signal(*never, 1, 30'000'000));
  CHECK(aql::soft::now_ns() - begin >= 30'000'000);
  CHECK(agent.wait_signal(*never, 2, 0));
}

TEST_CASE("A thread that sleeps on several signals wakes for any of them", "[aql][agent]") {
  FakeDevice device;
  Agent& agent = device.device->agent();
  RawQueue queue(agent);
  constexpr int kSignals = 100; // more than there are places where threads wait
  std::vector<Agent::SeenSignal> signals;
  for (int i = 0; i < kSignals; ++i) signals.push_back({queue.signal(i), i});
  // Without a limit: a change that it does not hear of is one too few, and the test does not end.
  for (const int changed : {0, 1, kSignals - 1}) {
    std::atomic<bool> woke{false};
    std::thread sleeper{[&] {
      while (signals[changed].signal->value.load() == changed) agent.sleep_on_any_signal(signals, UINT64_MAX);
      woke.store(true);
    }};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK_FALSE(woke.load());
    agent.subtract_signal(*signals[changed].signal, 1);
    sleeper.join();
    signals[changed].seen = changed - 1;
  }
}
