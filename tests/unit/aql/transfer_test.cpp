// Copies and fills against a plain loop, in every shape, shared by threads or not.
#include "fake_engine.h"

#include "runtime/backend/aql/soft/transfer.h"
#include "test_seed.h"

#include <random>

using namespace hip;
using namespace hip::aql;
using namespace hip::aql::soft;

namespace {

struct Shape {
  size_t width, height, depth, dst_pitch, dst_slice, src_pitch, src_slice;
};

void run(TransferJob& job) {
  std::thread other([&] { job.run(); });
  job.run();
  other.join();
  CHECK(job.exhausted());
}

} // namespace

TEST_CASE("Copies move exactly the region", "[aql][transfer]") {
  const Shape shape =
      GENERATE(Shape{1, 1, 1, 1, 1, 1, 1}, Shape{100, 7, 3, 128, 1024, 100, 700}, Shape{64, 16, 4, 64, 1024, 64, 1024},
               Shape{3 << 20, 1, 1, 0, 0, 0, 0}, Shape{(2 << 20) + 17, 2, 1, 3 << 20, 0, (2 << 20) + 17, 0},
               Shape{1000, 2000, 1, 1024, 0, 1000, 0});
  CAPTURE(shape.width, shape.height, shape.depth);
  const size_t dst_bytes =
      shape.depth * std::max(shape.dst_slice, shape.height * std::max(shape.dst_pitch, shape.width));
  const size_t src_bytes =
      shape.depth * std::max(shape.src_slice, shape.height * std::max(shape.src_pitch, shape.width));
  std::vector<uint8_t> dst(dst_bytes, 0xee), src(src_bytes), expected = dst;
  std::mt19937 random(hip::testing::seeded(7));
  for (uint8_t& byte : src) byte = static_cast<uint8_t>(random());
  for (size_t z = 0; z < shape.depth; ++z)
    for (size_t y = 0; y < shape.height; ++y)
      std::memcpy(&expected[z * shape.dst_slice + y * shape.dst_pitch], &src[z * shape.src_slice + y * shape.src_pitch],
                  shape.width);
  Transfer t;
  t.dst = {dst.data(), shape.dst_pitch, shape.dst_slice};
  t.src = {src.data(), shape.src_pitch, shape.src_slice};
  t.extent = {shape.width, shape.height, shape.depth};
  TransferJob job(t);
  run(job);
  CHECK(dst == expected);
}

TEST_CASE("Overlapping copies behave as memmove", "[aql][transfer]") {
  std::vector<uint8_t> memory(4 << 20), expected;
  std::mt19937 random(hip::testing::seeded(3));
  for (uint8_t& byte : memory) byte = static_cast<uint8_t>(random());
  expected = memory;
  std::memmove(expected.data() + 1000, expected.data(), 3 << 20);
  Transfer t;
  t.dst = {memory.data() + 1000, 0, 0};
  t.src = {memory.data(), 0, 0};
  t.extent = {3 << 20, 1, 1};
  TransferJob job(t);
  CHECK(job.pieces() == 1);
  run(job);
  CHECK(memory == expected);
}

TEST_CASE("Fills repeat their pattern", "[aql][transfer]") {
  const uint32_t pattern_bytes = GENERATE(1u, 2u, 4u, 8u);
  const size_t width = GENERATE(size_t(8), size_t(1000), size_t(2) << 20);
  const uint64_t pattern = 0x8877665544332211;
  uint64_t repeated = 0;
  for (unsigned i = 0; i < 8; ++i) repeated |= (pattern >> (i % pattern_bytes * 8) & 0xff) << i * 8;
  std::vector<uint8_t> memory(width * 3 + 64, 0xee);
  Transfer t;
  t.dst = {memory.data(), width + 16, 0};
  t.extent = {width, 3, 1};
  t.pattern = repeated;
  t.pattern_bytes = pattern_bytes;
  TransferJob job(t);
  run(job);
  size_t wrong = 0;
  for (size_t i = 0; i < memory.size(); ++i) {
    const size_t column = i % (width + 16), row = i / (width + 16);
    const uint8_t want =
        row < 3 && column < width ? static_cast<uint8_t>(pattern >> (column % pattern_bytes * 8)) : 0xee;
    wrong += memory[i] != want;
  }
  CHECK(wrong == 0);
}

TEST_CASE("A transfer that leaves its allocation is refused", "[aql][transfer]") {
  test::FakeDevice device;
  void* const block = test::good(device.device->allocate(1000, backend::MemoryKind::Device));
  std::vector<std::byte> host(2000);
  Transfer t;
  t.dst = {block, 0, 0};
  t.src = {host.data(), 0, 0};
  t.extent = {1000, 1, 1};
  CHECK(check_transfer(t, device.system->space()).ok());
  t.extent.width_bytes = 1001;
  const Status status = check_transfer(t, device.system->space());
  CHECK(status.code() == ErrorCode::IllegalAddress);
  CHECK(status.message().find("1000-byte allocation") != std::string::npos);
  t.dst.base = reinterpret_cast<void*>(64); // nowhere
  CHECK(check_transfer(t, device.system->space()).code() == ErrorCode::IllegalAddress);
  t.dst.base = nullptr;
  CHECK(check_transfer(t, device.system->space()).code() == ErrorCode::IllegalAddress);
}
