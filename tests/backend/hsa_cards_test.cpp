// What cards have that the software GPU has not, over a stand-in for AMD's runtime (hsa_standin.h): copies that go on
// after the card is lost, reports of the driver, memory that the host does not reach, managed memory that moves. Every
// case is a process of its own.
#include "hsa_child.h"

#include "runtime/backend/aql/hsa/library.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <sys/mman.h>
#include <thread>

using namespace hip;
using namespace hip::test;

TEST_CASE("A loss is told when the copies that were begun have ended", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    constexpr size_t kBytes = size_t(256) << 20; // takes a while
    std::vector<std::byte> host(kBytes, std::byte{1});
    void* const memory = taken(device.allocate(kBytes, backend::MemoryKind::Device));
    good(device.register_host(host.data(), kBytes));
    auto queue = taken(device.create_queue({}));
    good(queue->fill_3d({memory, kBytes, kBytes}, 2, 1, {kBytes, 1, 1}));
    good(queue->synchronize());
    for (int i = 0; i < 4; ++i) good(queue->copy(host.data(), memory, kBytes));
    while (reinterpret_cast<volatile std::byte&>(host[0]) != std::byte{2}) {
    }
    stand_in().break_queue(HSA_STATUS_ERROR_MEMORY_FAULT);
    while (queue->synchronize().ok()) {
    }
    std::fill(host.begin(), host.end(), std::byte{3}); // the program's own again
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    say("\nuntouched=" + std::to_string(std::count(host.begin(), host.end(), std::byte{3}) == kBytes) + "\n");
    good(device.unregister_host(host.data()));
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("untouched") == 1);
  CHECK(outcome.has("has lost a queue"));
}

TEST_CASE("What the driver tells of a card becomes a report", "[hsa][failures]") {
  struct Row {
    int type;
    uint32_t bits;
    uint64_t behind; // the end of the allocation
    const char* words;
  };
  const Row row = GENERATE(
      Row{HSA_AMD_GPU_MEMORY_FAULT_EVENT, HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT, 24, "no memory is there, at 0x"},
      Row{HSA_AMD_GPU_MEMORY_FAULT_EVENT, HSA_AMD_MEMORY_FAULT_READ_ONLY | HSA_AMD_MEMORY_FAULT_IMPRECISE, 24,
          "the memory is not to be written, the address is not exact, at 0x"},
      Row{HSA_AMD_GPU_HW_EXCEPTION_EVENT, HSA_AMD_HW_EXCEPTION_CAUSE_GPU_HANG, 0, "was reset: it did not go on"},
      Row{HSA_AMD_GPU_HW_EXCEPTION_EVENT, HSA_AMD_HW_EXCEPTION_CAUSE_ECC, 0, "was reset: its memory had an error"},
      Row{HSA_AMD_GPU_MEMORY_ERROR_EVENT, 0, 24, "has met an error of its memory"});
  const Outcome outcome = in_child([&row] {
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    auto* const memory = static_cast<std::byte*>(taken(device.allocate(4096, backend::MemoryKind::Device)));
    hsa_amd_event_t event{};
    event.event_type = static_cast<hsa_amd_event_type_t>(row.type);
    const hsa_agent_t gpu{state.gpu};
    if (row.type == HSA_AMD_GPU_MEMORY_FAULT_EVENT)
      event.memory_fault = {gpu, reinterpret_cast<uint64_t>(memory) + 4096 + row.behind, row.bits};
    else if (row.type == HSA_AMD_GPU_HW_EXCEPTION_EVENT)
      event.hw_exception = {gpu, HSA_AMD_HW_EXCEPTION_RESET_TYPE_OTHER,
                            static_cast<hsa_amd_hw_exception_reset_cause_t>(row.bits)};
    else
      event.memory_error = {gpu, reinterpret_cast<uint64_t>(memory) + 4096 + row.behind, row.bits};
    state.raise(&event);
    good(queue->synchronize());
    good(device.allocate(64, backend::MemoryKind::Device));
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has(row.words));
  if (row.behind != 0) CHECK(outcome.has("24 bytes behind the end of the nearest allocation, 4096 bytes at 0x"));
  size_t told = 0;
  for (size_t at = 0; (at = outcome.text.find("error: ", at)) != outcome.text.npos; ++at) ++told;
  CHECK(told == 2); // by every call
}

TEST_CASE("A card whose memory the host cannot reach", "[hsa][failures]") {
  const Outcome outcome = in_child([] { scenario([](StandIn& state) { state.small_bar = true; }); });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("devices") == 1);
  CHECK(outcome.number("right") == 1);
  CHECK(outcome.has("copies go through buffers"));
  CHECK(outcome.number("software") == 1);
  CHECK_FALSE(outcome.has("error: "));
  for (int kind = 0; kind < kStandInKinds; ++kind) CHECK(outcome.number("alive" + std::to_string(kind)) == 0);

  const Outcome stray = in_child([] { // the test sees what it is for
    stand_in().small_bar = true;
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    say("\nlarge_bar=" + std::to_string(device.properties().large_bar) + "\n");
    auto queue = taken(device.create_queue({}));
    void* const memory = taken(device.allocate(4096, backend::MemoryKind::Device));
    good(queue->wait_value({.address = memory}));
    *static_cast<volatile char*>(memory) = 1;
  });
  INFO(stray.text);
  CHECK_FALSE(stray.ended);
  CHECK(stray.number("large_bar") == 0);
  CHECK(stray.has("cannot wait for a value in memory of the card"));
  CHECK(stray.has("The host touches memory of the card"));
}

TEST_CASE("Managed memory moves where the runtime has shared virtual memory", "[hsa][failures]") {
  const int mode = GENERATE(0, 1, 2);
  const Outcome outcome = in_child([mode] {
    StandIn& state = stand_in();
    state.shared_memory = mode;
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    say("\nconcurrent=" + std::to_string(device.properties().concurrent_managed_access) +
        "\npageable=" + std::to_string(device.properties().pageable_memory_access) + "\n");
    auto queue = taken(device.create_queue({}));
    void* const memory = taken(device.allocate(5000, backend::MemoryKind::Managed));
    const auto said = [&](size_t bytes, const std::function<Status()>& call, const std::string& name) {
      const int before = state.attribute_count;
      good(call());
      good(queue->synchronize());
      std::string line = "\n" + name + ":";
      for (int i = before; i < state.attribute_count; ++i) {
        const auto& each = state.attributes[i];
        line += fmt::format(" {:#x}={}", each.attribute,
                            each.value == state.gpu    ? "gpu"
                            : each.value == state.host ? "host"
                                                       : std::to_string(each.value));
        if (each.base != memory || each.bytes != bytes) line += "?";
      }
      say(line + "\n");
    };
    const auto advise = [&](backend::Advice advice, backend::Device* where, const std::string& name) {
      said(
          100, [&] { return device.advise(memory, 100, advice, where); }, name);
    };
    advise(backend::Advice::ReadMostly, nullptr, "mostly");
    advise(backend::Advice::NotReadMostly, nullptr, "not mostly");
    advise(backend::Advice::Prefer, &device, "prefer");
    advise(backend::Advice::Prefer, nullptr, "prefer host");
    advise(backend::Advice::PreferNothing, nullptr, "prefer nothing");
    advise(backend::Advice::AccessedBy, &device, "accessed");
    advise(backend::Advice::AccessedBy, nullptr, "accessed host");
    advise(backend::Advice::NotAccessedBy, &device, "not accessed");
    said(
        5000, [&] { return queue->prefetch(memory, 5000, &device); }, "prefetch");
    said(
        5000, [&] { return queue->prefetch(memory, 5000, nullptr); }, "prefetch host");
    good(device.free(memory, backend::MemoryKind::Managed));
    say("\ncalls=" + std::to_string(state.calls[kStandIn_hsa_amd_svm_attributes_set].load()) + "\n");
    say("\nright=" + std::to_string(use(device)) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("right") == 1);
  CHECK_FALSE(outcome.has("error: "));
  CHECK(outcome.number("concurrent") == (mode > 0));
  CHECK(outcome.number("pageable") == (mode == 2));
  if (mode == 0) {
    CHECK(outcome.number("calls") == 0);
    return;
  }
  // HSA's numbers: 6 read mostly, 4 preferred location, 0x200 and 0x201 accessible, the latter in place.
  for (const char* const line :
       {"\nmostly: 0x6=1\n", "\nnot mostly: 0x6=0\n", "\nprefer: 0x4=gpu\n", "\nprefer host: 0x4=host\n",
        "\nprefer nothing: 0x4=0\n", "\naccessed: 0x201=gpu\n", "\naccessed host:\n", "\nnot accessed: 0x200=gpu\n",
        "\nprefetch: 0x1000=gpu\n", "\nprefetch host: 0x1000=host\n"}) {
    INFO(line);
    CHECK(outcome.has(line));
  }
}

TEST_CASE("A prefetch that fails is told, and nobody waits for it any longer", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    stand_in().shared_memory = 1;
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    auto* const word = static_cast<volatile uint64_t*>(taken(device.allocate(4096, backend::MemoryKind::HostPinned)));
    *word = 0;
    void* const memory = taken(device.allocate(8192, backend::MemoryKind::Managed));
    good(queue->wait_value({.address = const_cast<uint64_t*>(word), .value = 1}));
    good(queue->prefetch(memory, 8192, &device));
    ::munmap(memory, 8192); // by the program itself
    *word = 1;
    good(queue->synchronize());
    good(queue->synchronize());
    say("\nright=" + std::to_string(use(device)) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.has("error: A prefetch of 8192 bytes at 0x"));
  CHECK(outcome.number("right") == 1);
}

namespace {

// One side of a box: where its first byte is, and how far apart its rows and slices are.
struct Side {
  size_t offset, pitch, rows;
  size_t at(size_t x, size_t y, size_t z) const { return offset + (z * rows + y) * pitch + x; }
};
struct Box {
  size_t width, height, depth;
  Side dst, src;
};
constexpr Box kBoxes[] = {{16, 4, 1, {0, 64, 4}, {0, 32, 4}},              // words
                          {10, 5, 1, {0, 10, 5}, {0, 10, 5}},              // no words, and no gaps
                          {10, 5, 1, {0, 16, 5}, {0, 10, 5}},              // gaps on one side
                          {3, 7, 1, {1, 13, 7}, {2, 11, 7}},               // odd everywhere
                          {8, 4, 3, {0, 16, 6}, {0, 8, 4}},                // slices
                          {5, 4, 3, {0, 16, 6}, {4, 12, 5}},               // part of the last word
                          {5, 4, 3, {0, 7, 6}, {3, 9, 5}},                 // odd slices
                          {64, 1, 4, {0, 64, 2}, {0, 64, 3}},              // slices of one row
                          {300001, 2, 1, {0, 300004, 2}, {0, 300001, 2}},  // rows longer than a buffer
                          {300001, 4, 1, {1, 300001, 4}, {0, 300005, 4}}}; // memory that is locked for the copy
constexpr size_t kBoxBytes = 2 << 20;

// Copies each box between all kinds of memory; how many were not as they should be.
int copy_boxes(backend::Device& device) {
  auto queue = taken(device.create_queue({}));
  std::vector<uint8_t> source(kBoxBytes), before(kBoxBytes, 0xee), pageable_dst(kBoxBytes), pageable_src(kBoxBytes);
  for (size_t i = 0; i < kBoxBytes; ++i) source[i] = static_cast<uint8_t>(i * 7 + i / 256 + 3);
  std::vector<void*> dsts{pageable_dst.data()}, srcs{pageable_src.data()};
  for (std::vector<void*>* const side : {&dsts, &srcs})
    for (const backend::MemoryKind kind : {backend::MemoryKind::Device, backend::MemoryKind::HostPinned})
      side->push_back(taken(device.allocate(kBoxBytes, kind)));
  int wrong = 0;
  for (const Box& box : kBoxes) {
    std::vector<uint8_t> expected = before, result(kBoxBytes);
    for (size_t z = 0; z < box.depth; ++z)
      for (size_t y = 0; y < box.height; ++y)
        for (size_t x = 0; x < box.width; ++x) expected[box.dst.at(x, y, z)] = source[box.src.at(x, y, z)];
    for (void* const dst : dsts)
      for (void* const src : srcs) {
        const auto region = [](void* base, const Side& side) {
          return backend::Region{static_cast<std::byte*>(base) + side.offset, side.pitch, side.pitch * side.rows};
        };
        good(queue->copy(src, source.data(), kBoxBytes));
        good(queue->copy(dst, before.data(), kBoxBytes));
        good(queue->copy_3d(region(dst, box.dst), region(src, box.src), {box.width, box.height, box.depth}));
        good(queue->copy(result.data(), dst, kBoxBytes));
        good(queue->synchronize());
        wrong += result != expected;
      }
  }
  for (const std::vector<void*>* const side : {&dsts, &srcs}) {
    good(device.free((*side)[1]));
    good(device.free((*side)[2], backend::MemoryKind::HostPinned));
  }
  return wrong;
}

} // namespace

TEST_CASE("Boxes are copied whatever their addresses and pitches, with engines for boxes or without",
          "[hsa][failures]") {
  const bool small_bar = GENERATE(false, true), no_boxes = GENERATE(false, true);
  const Outcome outcome = in_child([=] {
    StandIn& state = stand_in();
    state.small_bar = small_bar;
    state.no_boxes = no_boxes;
    auto hsa = over_stand_in();
    say("\nwrong=" + std::to_string(copy_boxes(*hsa->devices()[0])) +
        "\nboxes=" + std::to_string(state.calls[kStandIn_hsa_amd_memory_async_copy_rect].load()) +
        "\nrefused=" + std::to_string(state.refused_boxes.load()) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK_FALSE(outcome.has("error: "));
  CHECK(outcome.number("wrong") == 0);
  CHECK(outcome.number("boxes") > 0);
  CHECK(outcome.number("refused") == (no_boxes ? outcome.number("boxes") : 0)); // none is asked for in vain
}

TEST_CASE("Rows that are no box are copied side by side, so many at a time, and in turn where they overlap",
          "[hsa][failures]") {
  struct Row {
    size_t pitch;
    int hold, held; // how many copies are waited for, and how many are left when there are not so many
    int releases;
  };
  const Row row = GENERATE(Row{7, 16, 0, 3}, Row{7, 17, 16, 0}, Row{3, 1, 0, 48}, Row{3, 2, 1, 0});
  const Outcome outcome = in_child([row] {
    if (row.held != 0) ::setenv("OMNIHIP_HSA_TIMEOUT_S", "1", 1); // too few copies come
    constexpr size_t kRows = 48, kWidth = 5, kSourcePitch = 9, kBytes = kRows * kSourcePitch;
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    auto* const dst = static_cast<uint8_t*>(taken(device.allocate(kBytes, backend::MemoryKind::Device)));
    auto* const src = static_cast<uint8_t*>(taken(device.allocate(kBytes, backend::MemoryKind::Device)));
    std::vector<uint8_t> source(kBytes), expected(kBytes, 0xee), result(kBytes);
    for (size_t i = 0; i < kBytes; ++i) source[i] = static_cast<uint8_t>(i * 5 + i / 256 + 1);
    good(queue->copy(src, source.data(), kBytes));
    good(queue->copy(dst, expected.data(), kBytes));
    good(queue->synchronize());
    for (size_t y = 0; y < kRows; ++y)
      std::copy_n(source.begin() + y * kSourcePitch, kWidth, expected.begin() + y * row.pitch);
    state.hold_copies = row.hold;
    good(queue->copy_3d({dst, row.pitch, row.pitch * kRows}, {src, kSourcePitch, kBytes}, {kWidth, kRows, 1}));
    good(queue->synchronize());
    say("\nheld=" + std::to_string(state.held.load()) + "\nreleases=" + std::to_string(state.releases.load()) + "\n");
    state.hold_copies = 0;
    good(queue->copy(result.data(), dst, kBytes));
    good(queue->synchronize());
    say("\nright=" + std::to_string(result == expected) + "\n");
  });
  INFO("pitch " << row.pitch << ", " << row.hold << " are waited for\n" << outcome.text);
  REQUIRE(outcome.ended);
  CHECK(outcome.number("held") == row.held);
  CHECK(outcome.number("releases") == row.releases);
  CHECK(outcome.has("OMNIHIP_HSA_TIMEOUT_S (1 s)") == (row.held != 0));
  if (row.held != 0) return;
  CHECK_FALSE(outcome.has("error: "));
  CHECK(outcome.number("right") == 1);
}

TEST_CASE("Of several rows one that fails is told once, and the others have ended by then", "[hsa][failures]") {
  const bool begins = GENERATE(false, true); // AMD's runtime begins the row, and it fails then
  constexpr size_t kRows = 16, kFailing = 3;
  const Outcome outcome = in_child([begins] {
    constexpr size_t kWidth = 5, kPitch = 7, kSourcePitch = 9, kBytes = kRows * kSourcePitch;
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    const auto pinned = [&] {
      return static_cast<uint8_t*>(taken(device.allocate(kBytes, backend::MemoryKind::HostPinned)));
    };
    uint8_t *const dst = pinned(), *const src = pinned();
    std::fill_n(dst, kBytes, uint8_t{0});
    for (size_t i = 0; i < kBytes; ++i) src[i] = static_cast<uint8_t>(i + 1);
    const int before = state.calls[kStandIn_hsa_amd_memory_async_copy];
    state.release_after_ms = 100;
    if (begins) {
      state.hold_copies = kRows;
      state.failing_held = kFailing;
    } else {
      state.hold_copies = kFailing;
      state.failing_call = kStandIn_hsa_amd_memory_async_copy;
      state.failing_number = before + int(kFailing) + 1;
      state.failing_status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    good(queue->copy_3d({dst, kPitch, kPitch * kRows}, {src, kSourcePitch, kBytes}, {kWidth, kRows, 1}));
    good(queue->synchronize());
    int whole = 0; // rows
    for (size_t y = 0; y < kRows; ++y)
      whole += std::equal(src + y * kSourcePitch, src + y * kSourcePitch + kWidth, dst + y * kPitch);
    say("\nwhole=" + std::to_string(whole) +
        "\ncopies=" + std::to_string(state.calls[kStandIn_hsa_amd_memory_async_copy] - before) + "\n");
    state.hold_copies = 0;
    good(queue->synchronize());
    say("\nright=" + std::to_string(use(device)) + "\n");
    for (uint8_t* const memory : {dst, src}) good(device.free(memory, backend::MemoryKind::HostPinned));
    queue.reset();
    hsa.reset();
    say("\nsignals=" + std::to_string(state.alive[kSignal].load()) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  const size_t told = outcome.text.find("error: ");
  CHECK(outcome.has(begins ? "error: A copy of 5 bytes" : "error: hsa_amd_memory_async_copy gives 0x1008"));
  CHECK((told != std::string::npos && outcome.text.find("error: ", told + 1) == std::string::npos));
  CHECK(outcome.number("whole") == int(begins ? kRows - 1 : kFailing));
  CHECK(outcome.number("copies") == int(begins ? kRows : kFailing + 1));
  CHECK(outcome.number("right") == 1);
  CHECK(outcome.number("signals") == 0);
}

TEST_CASE("Rows wait for each other's signals where AMD's runtime makes no more of them", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    constexpr size_t kRows = 48, kWidth = 5, kPitch = 7, kSourcePitch = 9, kBytes = kRows * kSourcePitch;
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    auto* const dst = static_cast<uint8_t*>(taken(device.allocate(kBytes, backend::MemoryKind::Device)));
    auto* const src = static_cast<uint8_t*>(taken(device.allocate(kBytes, backend::MemoryKind::Device)));
    std::vector<uint8_t> source(kBytes), expected(kBytes, 0xee), result(kBytes);
    for (size_t i = 0; i < kBytes; ++i) source[i] = static_cast<uint8_t>(i * 5 + i / 256 + 1);
    good(queue->copy(src, source.data(), kBytes)); // makes the one signal that there is
    good(queue->copy(dst, expected.data(), kBytes));
    good(queue->synchronize());
    for (size_t y = 0; y < kRows; ++y)
      std::copy_n(source.begin() + y * kSourcePitch, kWidth, expected.begin() + y * kPitch);
    state.failing_call = kStandIn_hsa_signal_create;
    state.failing_number = 0;
    state.failing_status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    good(queue->copy_3d({dst, kPitch, kPitch * kRows}, {src, kSourcePitch, kBytes}, {kWidth, kRows, 1}));
    good(queue->synchronize());
    say("\nrefused=" + std::to_string(state.failed.load()) + "\n");
    state.failing_call = -1;
    good(queue->copy(result.data(), dst, kBytes));
    good(queue->synchronize());
    say("\nright=" + std::to_string(result == expected) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK_FALSE(outcome.has("error: "));
  CHECK(outcome.number("refused") > 0);
  CHECK(outcome.number("right") == 1);
}

TEST_CASE("A runtime that shows the host alone has no card", "[hsa]") {
  const Outcome outcome = in_child([] { // the log's level is read once in a process, and later tests set it
    static std::vector<hsa_device_type_t> agents;
    static hsa_status_t answer = HSA_STATUS_SUCCESS;
    aql::hsa::Library hsa;
    hsa.hsa_iterate_agents = [](hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
      hsa_status_t status = HSA_STATUS_SUCCESS;
      for (size_t i = 0; i < agents.size() && status == HSA_STATUS_SUCCESS; ++i) status = callback({i}, data);
      return status;
    };
    hsa.hsa_agent_get_info = [](hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
      if (attribute != HSA_AGENT_INFO_DEVICE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
      if (answer == HSA_STATUS_SUCCESS) *static_cast<hsa_device_type_t*>(value) = agents[agent.handle];
      return answer;
    };
    const auto ask = [&](const char* name, std::vector<hsa_device_type_t> list) {
      agents = std::move(list);
      say("\n" + std::string(name) + "=" + std::to_string(hsa.has_gpu()) + "\n");
    };
    ask("nothing", {});
    ask("host", {HSA_DEVICE_TYPE_CPU});
    ask("hosts", {HSA_DEVICE_TYPE_CPU, HSA_DEVICE_TYPE_CPU, HSA_DEVICE_TYPE_DSP});
    ask("last", {HSA_DEVICE_TYPE_CPU, HSA_DEVICE_TYPE_GPU});
    ask("first", {HSA_DEVICE_TYPE_GPU, HSA_DEVICE_TYPE_CPU});
    answer = HSA_STATUS_ERROR_NOT_INITIALIZED;
    ask("silent", {HSA_DEVICE_TYPE_GPU});
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  for (const char* const without : {"nothing", "host", "hosts", "silent"}) CHECK(outcome.number(without) == 0);
  for (const char* const with : {"last", "first"}) CHECK(outcome.number(with) == 1);
}

TEST_CASE("A copy does not rely on memory that another copy has locked", "[hsa][failures]") {
  const Outcome outcome = in_child([] {
    StandIn& state = stand_in();
    auto hsa = over_stand_in();
    backend::Device& device = *hsa->devices()[0];
    auto queue = taken(device.create_queue({}));
    constexpr size_t kBytes = 2 << 20, kOffset = 64, kLittle = 4096;
    std::vector<uint8_t> host(kBytes, 7), result(kBytes);
    void* const memory = taken(device.allocate(kBytes, backend::MemoryKind::Device));
    const auto copy = [&](size_t bytes, const std::string& name) {
      state.copied_from = nullptr;
      good(queue->copy(memory, host.data() + kOffset, bytes));
      good(queue->synchronize());
      say("\n" + name + "=" + std::to_string(state.copied_from.load() == host.data() + kOffset) + "\n");
    };
    // The other copy may end, and unlock its memory, while an engine is still reading it for this one.
    void* const library = ::dlopen(OMNIHIP_TEST_STANDIN, RTLD_NOW | RTLD_LOCAL);
    const auto lock = reinterpret_cast<decltype(&::hsa_amd_memory_lock)>(::dlsym(library, "hsa_amd_memory_lock"));
    const auto unlock = reinterpret_cast<decltype(&::hsa_amd_memory_unlock)>(::dlsym(library, "hsa_amd_memory_unlock"));
    hsa_agent_t gpu{state.gpu};
    void* on_gpu = nullptr;
    if (lock(host.data(), kBytes, &gpu, 1, &on_gpu) != HSA_STATUS_SUCCESS) std::abort();
    copy(kLittle, "little");
    const int locks = state.calls[kStandIn_hsa_amd_memory_lock];
    copy(kBytes - kOffset, "much"); // is locked for this copy, too
    say("\nlocks=" + std::to_string(state.calls[kStandIn_hsa_amd_memory_lock] - locks) + "\n");
    if (unlock(host.data()) != HSA_STATUS_SUCCESS) std::abort();
    good(device.register_host(host.data(), kBytes)); // until the program says otherwise
    copy(kLittle, "registered");
    good(queue->copy(result.data(), memory, kBytes - kOffset));
    good(queue->synchronize());
    say("\nright=" + std::to_string(std::count(result.begin(), result.end() - kOffset, 7) == kBytes - kOffset) + "\n");
    good(device.unregister_host(host.data()));
    good(device.free(memory));
    say("\nalive=" + std::to_string(state.alive[kLock].load()) + "\n");
  });
  INFO(outcome.text);
  REQUIRE(outcome.ended);
  CHECK_FALSE(outcome.has("error: "));
  CHECK(outcome.number("little") == 0);
  CHECK(outcome.number("locks") == 1);
  CHECK(outcome.number("registered") == 1);
  CHECK(outcome.number("right") == 1);
  CHECK(outcome.number("alive") == 0);
}
