// Packets, signals' layouts (checked by static_assert in packets.h) and the pieces that hand out memory for them.
#include "runtime/backend/aql/kernarg_ring.h"
#include "runtime/backend/aql/packets.h"
#include "runtime/backend/aql/soft/kernel_times.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace hip::aql;

TEST_CASE("Packet headers have the bits of the HSA specification", "[aql]") {
  // type [7:0], barrier [8], acquire [10:9], release [12:11]
  CHECK(make_header(PacketType::KernelDispatch, BarrierBit::Set) == 0x1502);
  CHECK(make_header(PacketType::BarrierAnd, BarrierBit::Clear, FenceScope::None, FenceScope::None) == 3);
  CHECK(make_header(PacketType::AgentDispatch, BarrierBit::Set, FenceScope::Agent, FenceScope::None) == 0x0304);
  CHECK(packet_type(0x1505) == PacketType::BarrierOr);
  CHECK(has_barrier_bit(0x0100));
  CHECK_FALSE(has_barrier_bit(0xfe03));
}

TEST_CASE("A packet's common parts lie where every packet type has them", "[aql]") {
  Packet packet{};
  packet.dispatch.completion_signal = 0x1122;
  CHECK(packet.raw.completion_signal == 0x1122);
  CHECK(packet.barrier.completion_signal == 0x1122);
  packet.first_word().store(make_header(PacketType::AgentDispatch, BarrierBit::Set) | 0x80010000u);
  CHECK(packet.agent.type == 0x8001);
  CHECK(packet_type(packet.agent.header) == PacketType::AgentDispatch);
}

TEST_CASE("The kernarg ring hands out memory in order and never across its end", "[aql]") {
  alignas(64) std::byte memory[1024];
  KernargRing ring(memory, sizeof(memory));
  CHECK(ring.fits(256));
  CHECK_FALSE(ring.fits(257));
  std::vector<uint64_t> ends;
  for (int i = 0; i < 5; ++i) {
    std::byte* block = ring.try_allocate(150); // 192 with alignment
    REQUIRE(block == memory + i * 192);
    ends.push_back(ring.position());
  }
  CHECK(ring.try_allocate(65) == nullptr); // 64 left before the end, the start in use
  std::byte* last = ring.try_allocate(64);
  CHECK(last == memory + 960);
  ring.release_until(ends[0]);
  CHECK(ring.try_allocate(193) == nullptr);
  CHECK(ring.try_allocate(192) == memory); // wrapped
  ring.release_until(ends[4]);
  CHECK(ring.try_allocate(256) == memory + 192);
}

TEST_CASE("The kernarg ring skips the rest of its memory when a block does not fit there", "[aql]") {
  alignas(64) std::byte memory[512];
  KernargRing ring(memory, sizeof(memory));
  REQUIRE(ring.try_allocate(128));
  REQUIRE(ring.try_allocate(128));
  REQUIRE(ring.try_allocate(128));
  REQUIRE(ring.try_allocate(64));
  ring.release_until(ring.position());
  CHECK(ring.try_allocate(128) == memory); // 64 bytes at the end stay unused
  const uint64_t end = ring.position();
  CHECK(ring.try_allocate(128) == memory + 128);
  ring.release_until(end);
  CHECK(ring.try_allocate(128) == memory + 256);
}

TEST_CASE("Kernel times predict from what was measured", "[aql]") {
  soft::KernelTimes times;
  CHECK(times.expected_ns(0x1000, 1) == UINT64_MAX);
  times.measured(0x1000, 10, 5000);
  CHECK(times.expected_ns(0x1000, 20) == 10000);
  CHECK(times.expected_ns(0x2000, 20) == UINT64_MAX);
}
