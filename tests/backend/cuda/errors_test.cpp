// Every error of the driver at each of its calls in a normal course of work: a clear Status, and everything goes on
// after.
#include "bench.h"
#include "runtime/backend/images.h"

#include <atomic>

using namespace hip;
using namespace hip::test;

namespace {

struct ResultRow {
  int number;
  const char* name;
  ErrorCode code;
  bool fatal;
};
constexpr bool Plain = false, Fatal = true;
constexpr ResultRow kResults[] = {
#define CUDA_RESULT(number, name, code, fate) {number, "CUDA_ERROR_" #name, ErrorCode::code, fate},
#include "runtime/backend/cuda/results.def"
#undef CUDA_RESULT
};

// Images of each kind, written, read and looked at.
Status use_images(backend::Device& device, backend::Queue& queue, void* block) {
  backend::Images& images = *device.images();
  const backend::ElementFormat format{backend::ChannelKind::Float, 32, 2};
  RT_TRY_ASSIGN(const auto image, images.create({.width = 16, .height = 8, .format = format, .surface = true}));
  RT_TRY_ASSIGN(const auto mipmapped, images.create({.width = 16, .height = 8, .format = format, .levels = 3}));
  RT_TRY_ASSIGN(const auto level, mipmapped->level(1));
  backend::BoxEnd memory, part, small;
  memory.memory = {block, 128, 0};
  part.image = image.get();
  part.x_bytes = 8;
  small.image = level.get();
  RT_TRY(queue.copy_box(part, memory, {32, 4, 1}));
  RT_TRY(queue.copy_box(small, part, {64, 4, 1}));
  RT_TRY(queue.synchronize());
  RT_TRY_ASSIGN(const uint64_t texture, images.create_texture({.image = image}, {}, nullptr));
  Status destroyed = images.destroy_texture(texture);
  RT_TRY_ASSIGN(const uint64_t surface, images.create_surface(image));
  if (Status status = images.destroy_surface(surface); destroyed.ok()) destroyed = std::move(status);
  RT_TRY(images.widest_row(format).status());
  return destroyed;
}

// A little of everything, up to the first error.
Status normal_course(backend::Device& device) {
  RT_TRY_ASSIGN(auto queue, device.create_queue({.kind = backend::QueueKind::Blocking}));
  RT_TRY_ASSIGN(auto other, device.create_queue({}));
  RT_TRY_ASSIGN(auto code, device.load(read_kernels()));
  RT_TRY_ASSIGN(backend::Kernel* const kernel, code->find_kernel("write_to"));
  RT_TRY(code->find_global("counter").status());
  void* block = nullptr;
  RT_TRY_ASSIGN(block, device.allocate(4096, backend::MemoryKind::Device));
  struct Owner {
    backend::Device& device;
    void* block;
    ~Owner() { static_cast<void>(device.free(block)); }
  } owner{device, block};
  void* arguments[] = {&block};
  static std::array<uint32_t, 4> host; // outlives work that is under way when an error ends the course
  RT_TRY(device.register_host(host.data(), sizeof host));
  struct Registration {
    backend::Device& device;
    void* base;
    ~Registration() {
      // The injected error may be this call's.
      if (!device.unregister_host(base).ok()) static_cast<void>(device.unregister_host(base));
    }
  } registration{device, host.data()};
  RT_TRY(queue->fill_3d({block, 0, 0}, 1, 1, {4096, 1, 1}));
  RT_TRY(queue->fill_3d({block, 128, 0}, 1, 4, {64, 4, 1}));
  RT_TRY(queue->copy(host.data(), block, sizeof host));
  RT_TRY(queue->copy_3d({block, 128, 0}, {block, 256, 0}, {64, 4, 1}));
  RT_TRY(use_images(device, *queue, block));
  RT_TRY(launch(*queue, kernel, arguments));
  RT_TRY_ASSIGN(auto point, queue->record());
  RT_TRY(other->wait(point));
  RT_TRY_ASSIGN(auto ordered, other->allocate(device, 100));
  RT_TRY(other->release(device, ordered, backend::MemoryKind::StreamOrdered));
  static std::atomic<int> called{0};
  RT_TRY(other->host_function([](void*, const Status&) { ++called; }, nullptr));
  RT_TRY(point->wait());
  RT_TRY(other->synchronize());
  RT_TRY_ASSIGN(auto end, queue->record());
  RT_TRY(end->wait());
  RT_TRY(end->elapsed_ms(*point).status());
  return device.set_limit(backend::DeviceLimit::StackBytes, 2048);
}

} // namespace

TEST_CASE("Results have one row each, in order", "[cuda]") {
  int before = 0;
  for (const ResultRow& row : kResults) {
    CHECK(row.number > before);
    before = row.number;
  }
}

TEST_CASE("Each error at each call of a normal course", "[cuda]") {
  Bench t;
  REQUIRE_OK(normal_course(t.device()));
  FAKE(fake_cuda_reset)();
  REQUIRE_OK(normal_course(t.device()));
  const int calls = FAKE(fake_cuda_calls)("*");
  REQUIRE(calls > 30);
  int told = 0;
  for (const ResultRow& row : kResults) {
    // What tells the state of work, and what means success of another kind, are no errors everywhere.
    if (row.number == 600) continue;
    for (int call = 1; call <= calls; ++call) {
      // A lost context is the end of a back end: for those a few calls will do.
      if (row.fatal && call % 7 != row.number % 7) continue;
      Bench fresh;
      backend::Device& device = row.fatal ? fresh.device() : t.device();
      FAKE(fake_cuda_reset)();
      FAKE(fake_cuda_fail)("*", call, row.number);
      const Status status = normal_course(device);
      if (status.ok()) continue; // a call whose failure costs nothing, or that was not reached
      ++told;
      INFO(row.name << " at call " << call << ": " << status.to_string());
      CHECK(status.message().size() > 20);
      CHECK(status.code() == row.code);
      if (status.code() == row.code && row.number != 500) CHECK(contains(status, row.name));
      if (row.fatal) {
        if (!contains(status, "cuDevicePrimaryCtxRetain")) // then there is no context to be lost
          CHECK(normal_course(device).code() == row.code);
        FAKE(fake_cuda_reset)();
      }
      REQUIRE_OK(normal_course(t.device()));
    }
  }
  CHECK(told > 1000);
}

TEST_CASE("A number that nobody knows", "[cuda]") {
  Bench t;
  good(t.device().create_queue({}));
  FAKE(fake_cuda_fail)("cuMemAlloc", 1, 9999);
  const Status status = t.device().allocate(64, backend::MemoryKind::Device).status();
  CHECK(status.code() == ErrorCode::Unknown);
  CHECK(contains(status, "9999"));
}

TEST_CASE("A refused module tells what the compiler said", "[cuda]") {
  Bench t;
  const Setting refusal("FAKE_CUDA_PTX_LOG", "ptxas fatal : Unresolved extern function 'no_such_function'\n");
  const Status status = t.device().load(read_kernels()).status();
  CHECK(status.code() == ErrorCode::InvalidKernelFile);
  CHECK(contains(status, "Unresolved extern function 'no_such_function'"));
  CHECK(contains(status, "sm_70"));
  CHECK(contains(status, "Fake GPU 0"));
}

TEST_CASE("What is no module", "[cuda]") {
  Bench t;
  const std::vector<std::byte> image = read_kernels();
  CHECK(t.device().load({}).status().code() == ErrorCode::InvalidImage);
  CHECK(t.device().load(std::span(image).first(60)).status().code() == ErrorCode::InvalidImage);
  CHECK(t.device().load(std::span(image).first(image.size() / 2)).status().code() == ErrorCode::InvalidImage);
  // A cubin that ends before its tables, which the driver would read on without knowing.
  std::vector<std::byte> cubin(64);
  std::memcpy(cubin.data(),
              "\x7f"
              "ELF\2\1\1\x33\7",
              9);
  const uint16_t machine = 190, sections = 4;
  const uint64_t tables = 4096;
  const uint32_t flags = 0x5a055a;
  std::memcpy(cubin.data() + 18, &machine, 2);
  std::memcpy(cubin.data() + 40, &tables, 8);
  std::memcpy(cubin.data() + 48, &flags, 4);
  std::memcpy(cubin.data() + 60, &sections, 2);
  const Status cut = t.device().load(cubin).status();
  CHECK(cut.code() == ErrorCode::InvalidImage);
  CHECK(contains(cut, "sm_90"));
  CHECK(FAKE(fake_cuda_calls)("cuModuleLoadDataEx") == 0);
}
