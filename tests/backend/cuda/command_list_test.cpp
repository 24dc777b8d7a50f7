// Command lists as the driver's graphs: the dependencies between steps, the calls of a replay, and what is done when
// the driver makes no graph.
#include "bench.h"

using namespace hip;
using namespace hip::test;

namespace {

using Kind = backend::Command::Kind;

template<class F> std::vector<std::string> calls_of(F work) {
  const int before = FAKE(fake_cuda_calls)("*");
  work();
  std::vector<std::string> names;
  for (int i = before; const char* name = FAKE(fake_cuda_call)(i); ++i)
    if (std::string_view(name) != "cuCtxGetCurrent") names.emplace_back(name);
  return names;
}
using Names = std::vector<std::string>;

backend::Command fill_of(void* memory, uint64_t value, size_t bytes, bool starts_step = true) {
  backend::Command command;
  command.kind = Kind::Fill;
  command.starts_step = starts_step;
  command.dst = {memory, bytes, bytes};
  command.extent = {bytes, 1, 1};
  command.pattern = value;
  command.pattern_bytes = 1;
  return command;
}
backend::Command copy_of(void* to, const void* from, size_t bytes, bool starts_step = true) {
  backend::Command command;
  command.kind = Kind::Copy;
  command.starts_step = starts_step;
  command.dst = {to, bytes, bytes};
  command.src = {const_cast<void*>(from), bytes, bytes};
  command.extent = {bytes, 1, 1};
  return command;
}

// Two halves of `b` are copied from two fills of `a`, and a byte of `a` is filled after that. The fake runs what has no
// dependency from the last to the first.
std::vector<backend::Command> steps(std::byte* a, std::byte* b) {
  return {fill_of(a, 1, 8), fill_of(a + 8, 2, 8, false), copy_of(b, a, 8), copy_of(b + 8, a + 8, 8, false),
          fill_of(a, 3, 1)};
}
std::vector<uint8_t> expected() {
  std::vector<uint8_t> bytes(32, 1);
  bytes[0] = 3;
  std::fill(bytes.begin() + 8, bytes.begin() + 16, 2);
  std::fill(bytes.begin() + 24, bytes.end(), 2);
  return bytes;
}

struct Memory {
  explicit Memory(Bench& bench) : bench(bench) {
    a = static_cast<std::byte*>(good(bench.device().allocate(32, backend::MemoryKind::HostPinned)));
    std::memset(a, 0, 32);
  }
  ~Memory() { CHECK(bench.device().free(a, backend::MemoryKind::HostPinned).ok()); }
  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> copied(32);
    std::memcpy(copied.data(), a, 32);
    return copied;
  }
  Bench& bench;
  std::byte* a;
};

} // namespace

TEST_CASE("A command list is one graph, with the dependencies of its steps", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  Memory memory(t);
  Ref<backend::CommandList> list = good(t.device().prepare(steps(memory.a, memory.a + 16)));
  CHECK(memory.bytes() == std::vector<uint8_t>(32, 0));
  for (int round = 0; round < 2; ++round) {
    std::memset(memory.a, 0, 32);
    CHECK(calls_of([&] { REQUIRE_OK(queue->run(list)); }) == Names{"cuGraphLaunch"});
    REQUIRE_OK(queue->synchronize());
    CHECK(memory.bytes() == expected());
  }
  CHECK(FAKE(fake_cuda_live)("graph") == 1); // the executable alone
  CHECK(calls_of([&] { list = {}; }) == Names{"cuGraphExecDestroy"});
  CHECK(FAKE(fake_cuda_live)("graph") == 0);
}

TEST_CASE("Without a graph, and alone, commands go one by one", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  Memory memory(t);
  const std::string refused =
      GENERATE(as<std::string>(), "cuStreamBeginCapture", "cuStreamEndCapture", "cuStreamGetCaptureInfo",
               "cuStreamUpdateCaptureDependencies", "cuMemsetD8Async", "cuGraphInstantiateWithFlags");
  const int streams = FAKE(fake_cuda_live)("stream");
  FAKE(fake_cuda_fail)(refused.c_str(), 1, 1);
  const Ref<backend::CommandList> list = good(t.device().prepare(steps(memory.a, memory.a + 16)));
  CHECK(FAKE(fake_cuda_live)("stream") == streams);
  CHECK(calls_of([&] { REQUIRE_OK(queue->run(list)); }) ==
        Names{"cuMemsetD8Async", "cuMemsetD8Async", "cuMemcpyAsync", "cuMemcpyAsync", "cuMemsetD8Async"});
  REQUIRE_OK(queue->synchronize());
  CHECK(memory.bytes() == expected());
  Ref<backend::CommandList> single;
  CHECK(calls_of([&] { single = good(t.device().prepare({fill_of(memory.a, 9, 1)})); }).empty());
  CHECK(calls_of([&] { REQUIRE_OK(queue->run(single)); }) == Names{"cuMemsetD8Async"});
  REQUIRE_OK(queue->synchronize());
}

namespace {

backend::Command launch_of(backend::Executable& code, const char* kernel) {
  backend::Command command;
  command.launch.kernel = good(code.find_kernel(kernel));
  command.arguments.resize(command.launch.kernel->explicit_bytes);
  return command;
}

} // namespace

TEST_CASE("Launches of a graph are changed in the driver's", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(read_kernels()));
  Memory memory(t);
  const int graphs = FAKE(fake_cuda_live)("graph");
  Ref<backend::CommandList> list =
      good(t.device().prepare({launch_of(*code, "add_one"), launch_of(*code, "add_one"), fill_of(memory.a, 1, 8)}));
  CHECK(FAKE(fake_cuda_live)("graph") == graphs + 2); // the nodes' graph, too
  backend::Command larger = launch_of(*code, "add_one");
  larger.launch.groups = {7, 1, 1};
  CHECK(calls_of([&] { CHECK(good(list->replace(0, larger))); }) == Names{"cuGraphExecKernelNodeSetParams"});
  CHECK(list->commands()[0].launch.groups[0] == 7);
  CHECK(calls_of([&] { REQUIRE_OK(queue->run(list)); }) == Names{"cuGraphLaunch"});
  REQUIRE_OK(queue->synchronize());
  // What the driver does not take, and other commands.
  CHECK(!good(list->replace(2, fill_of(memory.a, 2, 8))));
  CHECK(!good(list->replace(0, fill_of(memory.a, 2, 8))));
  CHECK(!good(list->replace(2, larger)));
  larger.launch.groups = {0, 1, 1};
  CHECK(!good(list->replace(0, larger)));
  list = {};
  CHECK(FAKE(fake_cuda_live)("graph") == graphs);
}

TEST_CASE("A graph runs the kernel that it was changed to", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(read_kernels()));
  FAKE(fake_cuda_fault)("count_items", 700);
  const auto list = good(t.device().prepare({launch_of(*code, "add_one"), launch_of(*code, "add_one")}));
  CHECK(good(list->replace(1, launch_of(*code, "count_items"))));
  REQUIRE_OK(queue->run(list));
  CHECK(contains(queue->synchronize(), "count_items"));
}

TEST_CASE("A kernel of a graph is named when the device fails", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(read_kernels()));
  FAKE(fake_cuda_fault)("add_one", 700);
  std::vector<backend::Command> commands(2, launch_of(*code, "add_one"));
  const auto list = good(t.device().prepare(std::move(commands)));
  REQUIRE_OK(queue->run(list));
  const Status status = queue->synchronize();
  CHECK(status.code() == ErrorCode::IllegalAddress);
  CHECK(contains(status, "add_one"));
}
