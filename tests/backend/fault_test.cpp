// Conformance: what kernels do wrong is reported once, names the place, and leaves the queue and the process working.
#include "conformance.h"

using namespace hip;
using namespace hip::test;

namespace {

struct Bench {
  backend::Device& device = subject("aql").device();
  std::unique_ptr<backend::Queue> queue = good(device.create_queue({}));
  std::unique_ptr<backend::Executable> code = load(device, "hip.co");

  void still_works() {
    REQUIRE_OK(queue->synchronize());
    Buffer<uint32_t> data(device, 1);
    REQUIRE_OK(launch(*queue, good(code->find_kernel("write_to")), {}, data.get()));
    CHECK(data.read(*queue)[0] == 1);
  }
  void check_report(const Status& status, ErrorCode code_wanted, std::string_view part) {
    INFO(status.to_string());
    CHECK(status.code() == code_wanted);
    CHECK(status.message().find(part) != std::string::npos);
  }
};

} // namespace

TEST_CASE("Wild pointers", "[backend]") {
  Bench t;
  const uint64_t address = GENERATE(uint64_t(0), uint64_t(64), uint64_t(0x7000'0000'0000), ~uint64_t(0) - 4095);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, address));
  t.check_report(t.queue->synchronize(), ErrorCode::IllegalAddress, "write_to");
  t.still_works();
}

TEST_CASE("Host memory that is not registered", "[backend]") {
  Bench t;
  std::vector<uint32_t> host(1, 5);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, host.data()));
  t.check_report(t.queue->synchronize(), ErrorCode::IllegalAddress, "not registered");
  CHECK(host[0] == 5);
  t.still_works();
}

TEST_CASE("Use after free, and just behind an allocation", "[backend]") {
  Bench t;
  constexpr size_t kBytes = 1 << 20;
  Buffer<uint32_t> out(t.device, 1);
  auto* const block = static_cast<std::byte*>(good(t.device.allocate(kBytes, backend::MemoryKind::Device)));
  constexpr std::string_view kBehind = "past the end of the 1048576-byte allocation";
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, block + kBytes));
  t.check_report(t.queue->synchronize(), ErrorCode::IllegalAddress, kBehind);
  // A read gets zeros in the page behind the last one (Arena::lend_gap), and is an error farther away.
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("read_from")), {}, block + kBytes, out.get()));
  REQUIRE_OK(t.queue->synchronize());
  CHECK(out.read(*t.queue)[0] == 0);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, block + kBytes));
  t.check_report(t.queue->synchronize(), ErrorCode::IllegalAddress, kBehind);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("read_from")), {}, block + kBytes + (2 << 20), out.get()));
  t.check_report(t.queue->synchronize(), ErrorCode::IllegalAddress, "read_from");
  REQUIRE_OK(t.device.free(block));
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, block));
  t.check_report(t.queue->synchronize(), ErrorCode::IllegalAddress, "has been freed");
  t.still_works();
}

TEST_CASE("A fault concerns the points behind it, once", "[backend]") {
  Bench t;
  Buffer<uint32_t> out(t.device, 1);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, out.get()));
  const auto before = good(t.queue->record());
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("write_to")), {}, uint64_t(64)));
  const auto after = good(t.queue->record());
  CHECK(after->wait().code() == ErrorCode::IllegalAddress);
  REQUIRE_OK(before->wait());
  t.still_works();
}

TEST_CASE("Traps", "[backend]") {
  Bench t;
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("stop")), {}));
  const Status status = t.queue->synchronize();
  INFO(status.to_string());
  CHECK_FALSE(status.ok());
  t.still_works();
}

TEST_CASE("Copies that leave an allocation", "[backend]") {
  Bench t;
  const size_t bytes = GENERATE(size_t(1000), size_t(1) << 20); // at once, and by packet
  Buffer<std::byte> block(t.device, bytes);
  std::vector<std::byte> host(bytes + 10);
  Status status = t.queue->copy(block.get(), host.data(), bytes + 10);
  if (status.ok()) status = t.queue->synchronize();
  t.check_report(status, ErrorCode::IllegalAddress, "past the end");
  status = t.queue->copy(host.data(), reinterpret_cast<void*>(4096), bytes);
  if (status.ok()) status = t.queue->synchronize();
  CHECK(status.code() == ErrorCode::IllegalAddress);
  t.still_works();
}
