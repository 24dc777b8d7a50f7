#include "runtime/backend/aql/printf/hostcall.h"

#include "slots.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <thread>

using namespace hip;
using namespace hip::aql;
using test::Slots;

namespace {

// The device's side of the protocol, on the layout that abi documents: { headers, payloads, doorbell, free stack, ready
// stack, index mask }; header { next, active mask, service, control }; payload 64 x 8 quadwords.
struct Header {
  uint64_t next, active_mask;
  uint32_t service, control;
};
struct BufferView {
  Header* headers;
  uint64_t (*payloads)[64][8];
  uint64_t doorbell;
  uint64_t free_stack, ready_stack, index_mask;
};

class Wave {
public:
  explicit Wave(void* buffer) : buffer_(*static_cast<BufferView*>(buffer)) {}

  // Takes a packet, fills it, makes it ready. `lanes` gives each active lane's eight quadwords.
  uint64_t submit(uint32_t service, uint64_t mask, const std::vector<std::array<uint64_t, 8>>& lanes) {
    uint64_t packet = pop();
    Header& header = buffer_.headers[packet & buffer_.index_mask];
    header.active_mask = mask;
    header.service = service;
    std::atomic_ref(header.control).store(1, std::memory_order_relaxed);
    size_t n = 0;
    for (int lane = 0; lane < 64; ++lane)
      if (mask >> lane & 1) std::copy(lanes[n].begin(), lanes[n].end(), payload(packet)[lane]), ++n;
    push(buffer_.ready_stack, packet);
    return packet;
  }
  bool answered(uint64_t packet) {
    return (std::atomic_ref(buffer_.headers[packet & buffer_.index_mask].control).load(std::memory_order_acquire) &
            1) == 0;
  }
  uint64_t (*payload(uint64_t packet))[8] { return buffer_.payloads[packet & buffer_.index_mask]; }
  void give_back(uint64_t packet) { push(buffer_.free_stack, packet + buffer_.index_mask + 1); } // next tag

private:
  uint64_t pop() {
    std::atomic_ref stack(buffer_.free_stack);
    uint64_t top = stack.load(std::memory_order_acquire);
    for (;;) {
      if (top == 0) {
        top = stack.load(std::memory_order_acquire);
        continue;
      }
      const uint64_t next =
          std::atomic_ref(buffer_.headers[top & buffer_.index_mask].next).load(std::memory_order_relaxed);
      if (stack.compare_exchange_weak(top, next, std::memory_order_acq_rel, std::memory_order_acquire)) return top;
    }
  }
  void push(uint64_t& where, uint64_t packet) {
    std::atomic_ref stack(where);
    uint64_t top = stack.load(std::memory_order_relaxed);
    do {
      std::atomic_ref(buffer_.headers[packet & buffer_.index_mask].next).store(top, std::memory_order_relaxed);
    } while (!stack.compare_exchange_weak(top, packet, std::memory_order_release, std::memory_order_relaxed));
  }
  BufferView& buffer_;
};

struct Fixture {
  explicit Fixture(uint32_t packets = 4)
      : memory(std::aligned_alloc(64, HostcallServer::buffer_bytes(packets)), std::free) {
    HostcallServices services;
    services.print = [this](PrintfStream stream, std::string_view text) {
      (stream == PrintfStream::Stderr ? err : out) += text;
      ++prints;
    };
    services.allocate = [this](size_t bytes) { return allocated = std::malloc(bytes); };
    services.free = [this](void* base) { std::free(base), freed = base; };
    server = std::make_unique<HostcallServer>(memory.get(), packets, 0, services);
  }
  std::unique_ptr<void, void (*)(void*)> memory;
  std::unique_ptr<HostcallServer> server;
  std::string out, err;
  int prints = 0;
  void *allocated = nullptr, *freed = nullptr;
};

constexpr uint64_t descriptor(bool begin, bool end, uint64_t length, uint64_t id = 0) {
  return uint64_t{begin} | uint64_t{end} << 1 | length << 5 | id << 8;
}

// Sends one lane's message in packets of up to seven quadwords, as the device library does. Returns the final answer.
uint64_t send_message(Fixture& f, Wave& wave, const std::vector<uint64_t>& message, bool served_elsewhere = false) {
  uint64_t answer = descriptor(true, false, 0);
  for (size_t at = 0; at < message.size(); at += 7) {
    const size_t n = std::min<size_t>(7, message.size() - at);
    std::array<uint64_t, 8> slot{};
    slot[0] = (answer & ~uint64_t{0xff}) | descriptor(at == 0, at + n == message.size(), n);
    std::copy_n(message.begin() + static_cast<ptrdiff_t>(at), n, slot.begin() + 1);
    const uint64_t packet = wave.submit(2, 1, {slot});
    if (!served_elsewhere) f.server->process_ready();
    while (!wave.answered(packet)) std::this_thread::yield();
    answer = wave.payload(packet)[0][0];
    wave.give_back(packet);
  }
  return answer;
}

std::vector<uint64_t> printf_message(std::string_view format, Slots arguments, uint64_t control = 0) {
  std::vector<uint64_t> message{control};
  for (const uint64_t q : Slots().text(format).quadwords()) message.push_back(q);
  for (const uint64_t q : arguments.quadwords()) message.push_back(q);
  return message;
}

} // namespace

TEST_CASE("hostcall: printf in one and in many packets", "[hostcall]") {
  Fixture f;
  Wave wave(f.server->buffer());
  CHECK_FALSE(f.server->ready());
  CHECK(f.server->process_ready() == 0);
  CHECK(send_message(f, wave, printf_message("hi %d\n", Slots().add(int64_t{5}))) == 5); // characters printed
  CHECK(f.out == "hi 5\n");
  const std::string longer(500, 'x');
  send_message(f, wave, printf_message("%s|%d|%s\n", Slots().text(longer).add(int64_t{-7}).text("end"), 1));
  CHECK(f.err == longer + "|-7|end\n");
  CHECK(f.server->take_error().ok());
}

TEST_CASE("hostcall: many lanes keep their messages apart", "[hostcall]") {
  Fixture f;
  Wave wave(f.server->buffer());
  std::vector<std::array<uint64_t, 8>> lanes(64);
  for (auto& lane : lanes) lane = {descriptor(true, false, 1), 0};
  uint64_t packet = wave.submit(2, ~uint64_t{0}, lanes);
  CHECK(f.server->process_ready() == 64);
  REQUIRE(wave.answered(packet));
  for (int i = 0; i < 64; ++i) {
    lanes[i] = {wave.payload(packet)[i][0] | descriptor(false, true, 2), 0, static_cast<uint64_t>(i)};
    std::memcpy(&lanes[i][1], "<%02d>", 6);
  }
  wave.give_back(packet);
  packet = wave.submit(2, ~uint64_t{0}, lanes);
  f.server->process_ready();
  std::string expected;
  for (int i = 0; i < 64; ++i) expected += {'<', static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10), '>'};
  CHECK(f.out == expected);
}

TEST_CASE("hostcall: packets are answered in the order in which they became ready", "[hostcall]") {
  Fixture f(8);
  Wave wave(f.server->buffer());
  for (char c = 'a'; c < 'f'; ++c) {
    std::array<uint64_t, 8> slot{descriptor(true, true, 2), 0, static_cast<uint64_t>(c)};
    wave.submit(2, 1, {slot});
  }
  CHECK(f.server->process_ready() == 5);
  CHECK(f.out == "abcde");
}

TEST_CASE("hostcall: function call and memory", "[hostcall]") {
  Fixture f;
  Wave wave(f.server->buffer());
  const auto function = +[](uint64_t* output, const uint64_t* input) {
    output[0] = input[0] + input[6];
    output[1] = input[1] * 2;
  };
  uint64_t packet = wave.submit(1, uint64_t{1} << 63, {{reinterpret_cast<uint64_t>(function), 10, 20, 0, 0, 0, 0, 5}});
  f.server->process_ready();
  CHECK(wave.payload(packet)[63][0] == 15);
  CHECK(wave.payload(packet)[63][1] == 40);
  wave.give_back(packet);

  packet = wave.submit(3, 1, {{0, 4096}});
  f.server->process_ready();
  const uint64_t memory = wave.payload(packet)[0][0];
  CHECK(memory == reinterpret_cast<uint64_t>(f.allocated));
  wave.give_back(packet);
  packet = wave.submit(3, 1, {{memory}});
  f.server->process_ready();
  CHECK(f.freed == f.allocated);
}

TEST_CASE("hostcall: unknown service and damaged messages", "[hostcall]") {
  Fixture f;
  Wave wave(f.server->buffer());
  uint64_t packet = wave.submit(77, 1, {{1, 2, 3}});
  f.server->process_ready();
  CHECK(wave.answered(packet));
  CHECK(f.server->take_error().code() == ErrorCode::NotSupported);
  CHECK(f.server->take_error().ok());
  wave.give_back(packet);
  // An id that was never given out, with and without an end; a printf message without even its control word.
  for (const uint64_t d :
       {descriptor(false, true, 7, 123456), descriptor(false, false, 7, 99), descriptor(true, true, 0)}) {
    packet = wave.submit(2, 1, {{d, ~uint64_t{0}, ~uint64_t{0}}});
    f.server->process_ready();
    CHECK(wave.answered(packet));
    wave.give_back(packet);
  }
  CHECK(f.out.empty());
}

TEST_CASE("hostcall: a loop in the ready stack ends", "[hostcall]") {
  Fixture f;
  auto& view = *static_cast<BufferView*>(f.server->buffer());
  view.headers[0].next = 4;
  view.headers[0].active_mask = 0;
  view.ready_stack = 4;
  f.server->process_ready();
  CHECK_FALSE(f.server->ready());
}

TEST_CASE("hostcall: messages that never end are bounded", "[hostcall]") {
  MessageAssembler messages;
  std::array<uint64_t, 8> slot{descriptor(true, false, 1), 5};
  for (size_t i = 0; i < MessageAssembler::kMaxOpen + 100; ++i)
    messages.add(slot, [](std::span<const uint64_t>) { return uint64_t{0}; });
  CHECK(messages.open_messages() == MessageAssembler::kMaxOpen);
}

TEST_CASE("hostcall: waves in parallel with the server", "[hostcall]") {
  Fixture f(2); // fewer packets than waves: they wait for each other
  std::atomic<bool> stop{false};
  std::thread server([&] {
    while (!stop.load()) {
      if (f.server->process_ready() == 0) std::this_thread::yield();
    }
  });
  std::vector<std::thread> waves;
  for (int w = 0; w < 4; ++w)
    waves.emplace_back([&f, w] {
      Wave wave(f.server->buffer());
      for (int i = 0; i < 50; ++i)
        send_message(
            f, wave,
            printf_message("%d:%d %s\n", Slots().add(int64_t{w}).add(int64_t{i}).text("some longer text to split")),
            true);
    });
  for (std::thread& wave : waves) wave.join();
  stop = true;
  server.join();
  CHECK(f.prints == 200);
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < 50; ++i)
      CHECK(f.out.find(std::to_string(w) + ":" + std::to_string(i) + " some longer text to split\n") !=
            std::string::npos);
}
