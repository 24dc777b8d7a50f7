// A kernel that faults ends its context: the report names it, later calls give the same report, other GPUs go on.
#include "bench.h"

#include <atomic>
#include <thread>

using namespace hip;
using namespace hip::test;

namespace {

struct FaultBench : Bench {
  std::unique_ptr<backend::Queue> queue = good(device().create_queue({}));
  std::unique_ptr<backend::Executable> code = good(device().load(read_kernels()));
  void* block = good(device().allocate(64, backend::MemoryKind::Device));
  Status run(const char* kernel) {
    void* arguments[] = {&block, &block, &block, &block};
    return launch(*queue, good(code->find_kernel(kernel)), arguments);
  }
};

} // namespace

TEST_CASE("The one kernel that ran is named", "[cuda]") {
  FaultBench t;
  FAKE(fake_cuda_fault)("write_to", 700);
  REQUIRE_OK(t.run("add_one"));
  REQUIRE_OK(t.queue->synchronize());
  REQUIRE_OK(t.run("write_to"));
  const Status status = t.queue->synchronize();
  INFO(status.to_string());
  CHECK(status.code() == ErrorCode::IllegalAddress);
  CHECK(contains(status, "The kernel is write_to."));
  CHECK(contains(status, "CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
  CHECK_FALSE(contains(status, "add_one"));
  for (const Status& later :
       {t.run("add_one"), t.device().allocate(64, backend::MemoryKind::Device).status(), t.queue->synchronize(),
        t.queue->record().status(), t.device().load(read_kernels()).status(), t.device().create_queue({}).status()}) {
    CHECK(later.code() == ErrorCode::IllegalAddress);
    CHECK(contains(later, "The kernel is write_to."));
  }
}

TEST_CASE("Candidates are named honestly", "[cuda]") {
  FaultBench t;
  const auto other = good(t.device().create_queue({}));
  FAKE(fake_cuda_hold)(true);
  FAKE(fake_cuda_fault)("write_to", 719);
  REQUIRE_OK(t.run("add_one"));
  REQUIRE_OK(t.run("add_one"));
  REQUIRE_OK(t.run("write_to"));
  void* arguments[] = {&t.block, &t.block};
  REQUIRE_OK(launch(*other, good(t.code->find_kernel("read_from")), arguments));
  FAKE(fake_cuda_hold)(false);
  const Status status = t.queue->synchronize();
  INFO(status.to_string());
  CHECK(status.code() == ErrorCode::LaunchFailure);
  for (const char* part :
       {"add_one (2 launches)", "write_to (1 launch)", "read_from (1 launch)", "HIP_LAUNCH_BLOCKING"})
    CHECK(contains(status, part));
}

TEST_CASE("A point that was reached clears what came before it", "[cuda]") {
  FaultBench t;
  FAKE(fake_cuda_fault)("write_to", 710);
  for (int i = 0; i < 100; ++i) REQUIRE_OK(t.run("add_one"));
  REQUIRE_OK(good(t.queue->record())->wait());
  REQUIRE_OK(t.run("write_to"));
  const auto point = t.queue->record();
  const Status status = point.ok() ? point.value().get()->status() : point.status();
  const Status waited = t.queue->synchronize();
  CHECK(waited.code() == ErrorCode::Assert);
  CHECK(contains(waited, "The kernel is write_to."));
}

TEST_CASE("Other GPUs go on", "[cuda]") {
  const Setting devices("FAKE_CUDA_DEVICES", "2");
  FaultBench t;
  const auto other = good(t.device(1).create_queue({}));
  void* const there = good(t.device(1).allocate(64, backend::MemoryKind::Device));
  FAKE(fake_cuda_fault)("write_to", 702);
  REQUIRE_OK(t.run("write_to"));
  CHECK(t.queue->synchronize().code() == ErrorCode::LaunchTimeOut);
  REQUIRE_OK(other->fill_3d({there, 0, 0}, 1, 1, {64, 1, 1}));
  REQUIRE_OK(other->synchronize());
  REQUIRE_OK(t.device(1).free(there));
}

TEST_CASE("Host functions are called once, with the fault", "[cuda]") {
  FaultBench t;
  struct State {
    std::atomic<int> good{0}, failed{0};
  } state;
  const auto count = [](void* data, const Status& status) {
    auto& its = *static_cast<State*>(data);
    ++(status.ok() ? its.good : its.failed);
  };
  REQUIRE_OK(t.queue->host_function(count, &state));
  REQUIRE_OK(t.queue->synchronize());
  CHECK(state.good == 1);
  FAKE(fake_cuda_fault)("write_to", 700);
  REQUIRE_OK(t.run("write_to"));
  const Status after = t.queue->host_function(count, &state);
  CHECK_FALSE(t.queue->synchronize().ok());
  const int wanted = after.ok() ? 1 : 0; // the fault may have come before
  for (int i = 0; i < 1000 && state.failed < wanted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(state.failed == wanted);
  CHECK(state.good == 1);
}
