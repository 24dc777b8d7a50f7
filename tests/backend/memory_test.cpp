// Conformance: memory of every kind, copies, pitched regions, fills, host registration.
#include "conformance.h"
#include "test_seed.h"

#include <numeric>
#include <random>
#include <sys/mman.h>

using namespace hip;
using namespace hip::test;
using backend::MemoryKind;

TEST_CASE("Properties are sane", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  const backend::DeviceProperties& p = s.device().properties();
  CHECK_FALSE(p.name.empty());
  CHECK_FALSE(p.target.empty());
  CHECK(p.memory_bytes > 0);
  CHECK(p.compute_units > 0);
  CHECK(p.wave_lanes == (s.is("cuda") ? 32 : 64));
  CHECK(p.max_group_items == 1024);
  CHECK(p.lds_bytes_per_group == (s.is("cuda") ? 49152 : 65536));
  CHECK(p.most_lds_bytes_per_group() >= 65536);
  CHECK(p.max_waves_per_cu % p.simds_per_cu == 0);
  const backend::MemoryInfo info = good(s.device().memory_info());
  CHECK(info.total_bytes > 0);
  if (!s.is("cuda")) CHECK(info.total_bytes == p.memory_bytes); // NVIDIA's driver counts the two differently
  CHECK(info.free_bytes <= info.total_bytes);
}

TEST_CASE("Memory is allocated, counted and freed", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  backend::Device& device = s.device();
  const auto kind = GENERATE(MemoryKind::Device, MemoryKind::FineGrained, MemoryKind::HostPinned, MemoryKind::Managed);
  const uint64_t before = good(device.memory_info()).free_bytes;
  void* const block = good(device.allocate(1 << 20, kind));
  CHECK(reinterpret_cast<uintptr_t>(block) % 256 == 0);
  const bool counts = !s.is("cuda"); // NVIDIA's driver takes and keeps larger pieces
  const bool of_host = kind == MemoryKind::HostPinned || (s.is("hsa") && kind == MemoryKind::Managed) ||
                       (kind == MemoryKind::FineGrained && !device.properties().large_bar); // the host reads it, too
  if (counts && !of_host) // which may be the host's memory alone
    CHECK(good(device.memory_info()).free_bytes + (1 << 20) <= before);
  REQUIRE_OK(device.free(block, kind));
  if (counts) CHECK(good(device.memory_info()).free_bytes == before);
  CHECK(device.free(block, kind).code() == ErrorCode::InvalidValue);
}

TEST_CASE("More memory than there is cannot be had", "[backend]") {
  backend::Device& device = subject(EVERY_BACK_END).device();
  CHECK(device.allocate(device.properties().memory_bytes + 1, MemoryKind::Device).status().code() ==
        ErrorCode::OutOfMemory);
  CHECK(device.allocate(SIZE_MAX, MemoryKind::Device).status().code() == ErrorCode::OutOfMemory);
  void* const half =
      good(device.allocate(device.properties().memory_bytes / 8 * 5, MemoryKind::Device)); // never touched
  CHECK(device.allocate(device.properties().memory_bytes / 2, MemoryKind::Device).status().code() ==
        ErrorCode::OutOfMemory);
  REQUIRE_OK(device.free(half));
}

TEST_CASE("Copies go everywhere", "[backend]") {
  backend::Device& device = subject(EVERY_BACK_END).device();
  const auto queue = good(device.create_queue({}));
  const size_t bytes = GENERATE(size_t(1), size_t(4097), size_t(9) << 20);
  std::vector<uint8_t> host(bytes), back(bytes);
  std::mt19937 random(hip::testing::seeded(11));
  for (uint8_t& byte : host) byte = static_cast<uint8_t>(random());
  Buffer<uint8_t> a(device, bytes), b(device, bytes, MemoryKind::Managed), c(device, bytes, MemoryKind::HostPinned);
  REQUIRE_OK(queue->copy(a.get(), host.data(), bytes));
  REQUIRE_OK(queue->copy(b.get(), a.get(), bytes));
  REQUIRE_OK(queue->copy(c.get(), b.get(), bytes));
  REQUIRE_OK(queue->copy(back.data(), c.get(), bytes));
  REQUIRE_OK(queue->synchronize());
  CHECK(back == host);
  CHECK(std::memcmp(b.get(), host.data(), bytes) == 0); // managed memory is read by the host
  CHECK(std::memcmp(c.get(), host.data(), bytes) == 0);
}

TEST_CASE("Pitched 3D copies and fills touch their region only", "[backend]") {
  backend::Device& device = subject(EVERY_BACK_END).device();
  const auto queue = good(device.create_queue({}));
  constexpr size_t kPitch = 128, kRows = 9, kSlices = 4, kWidth = 100, kHeight = 7, kDepth = 3;
  Buffer<uint8_t> block(device, kPitch * kRows * kSlices);
  REQUIRE_OK(queue->fill_3d({block.get(), 0, 0}, 0xee, 1, {kPitch * kRows * kSlices, 1, 1}));
  std::vector<uint8_t> host(kWidth * kHeight * kDepth);
  std::iota(host.begin(), host.end(), 0);
  REQUIRE_OK(queue->copy_3d({block.get(), kPitch, kPitch * kRows}, {host.data(), kWidth, kWidth * kHeight},
                            {kWidth, kHeight, kDepth}));
  REQUIRE_OK(queue->fill_3d({block.get() + 16, kPitch, kPitch * kRows}, 0x04030201, 4, {8, 2, 2}));
  const std::vector<uint8_t> all = block.read(*queue);
  size_t wrong = 0;
  for (size_t z = 0; z < kSlices; ++z)
    for (size_t y = 0; y < kRows; ++y)
      for (size_t x = 0; x < kPitch; ++x) {
        uint8_t want = 0xee;
        if (x < kWidth && y < kHeight && z < kDepth) want = host[(z * kHeight + y) * kWidth + x];
        if (x >= 16 && x < 24 && y < 2 && z < 2) want = static_cast<uint8_t>((x - 16) % 4 + 1);
        wrong += all[(z * kRows + y) * kPitch + x] != want;
      }
  CHECK(wrong == 0);
}

// Gap of null and of the fake CUDA driver, whose copies are plain ones of the host.
TEST_CASE("Host memory that the process may not write or read", "[backend]") {
  Subject& s = subject(GENERATE(as<std::string>{}, "aql", "hsa"));
  const auto queue = good(s.device().create_queue({}));
  const size_t bytes =
      GENERATE(size_t(1), size_t(300), size_t(1024)) * 4096; // copied at once, in parts, and as a whole
  Buffer<std::byte> block(s.device(), bytes);
  REQUIRE_OK(queue->fill_3d({block.get(), 0, 0}, 7, 1, {bytes, 1, 1}));
  REQUIRE_OK(queue->synchronize());
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  const bool registered = GENERATE(false, true);
  if (registered) REQUIRE_OK(s.device().register_host(memory, bytes));
  void* const last = static_cast<std::byte*>(memory) + bytes - 4096;
  const auto result = [&](Status status) {
    if (status.ok()) status = queue->synchronize();
    return status.code();
  };
  REQUIRE(::mprotect(last, 4096, PROT_READ) == 0);
  CHECK(result(queue->copy(memory, block.get(), bytes)) == ErrorCode::IllegalAddress);
  const ErrorCode filled = result(queue->fill_3d({memory, bytes, bytes}, 1, 1, {bytes, 1, 1}));
  CHECK((filled == ErrorCode::IllegalAddress || (s.is("hsa") && filled == ErrorCode::Unknown))); // HSA's
  CHECK(result(queue->copy_3d({memory, 4096, 0}, {block.get(), 4096, 0}, {64, bytes / 4096, 1})) ==
        ErrorCode::IllegalAddress);
  CHECK(result(queue->copy(block.get(), memory, bytes)) == ErrorCode::Success);
  CHECK(block.read(*queue)[bytes - 1] == std::byte{0});
  REQUIRE(::mprotect(last, 4096, PROT_NONE) == 0);
  CHECK(result(queue->copy(block.get(), memory, bytes)) == ErrorCode::IllegalAddress);
  REQUIRE(::mprotect(last, 4096, PROT_READ | PROT_WRITE) == 0);
  CHECK(result(queue->copy(memory, block.get(), bytes)) == ErrorCode::Success);
  if (registered) REQUIRE_OK(s.device().unregister_host(memory));
  ::munmap(memory, bytes);
}

TEST_CASE("Host memory is registered once", "[backend]") {
  backend::Device& device = subject(EVERY_BACK_END).device();
  std::vector<std::byte> memory(100000);
  REQUIRE_OK(device.register_host(memory.data(), memory.size()));
  CHECK(device.register_host(memory.data() + 50, 10).code() == ErrorCode::HostMemoryAlreadyRegistered);
  REQUIRE_OK(device.unregister_host(memory.data()));
  CHECK(device.unregister_host(memory.data()).code() == ErrorCode::HostMemoryNotRegistered);
}
