// What is forwarded, and to which calls of the driver.
#include "bench.h"
#include "runtime/backend/cuda/driver_types.h"
#include "runtime/backend/virtual_memory.h"

#include <array>
#include <atomic>
#include <thread>

using namespace hip;
using namespace hip::test;

namespace {
// The names of the calls that `work` makes, without those that only look at the current context.
template<class F> std::vector<std::string> calls_of(F work) {
  const int before = FAKE(fake_cuda_calls)("*");
  work();
  std::vector<std::string> names;
  for (int i = before; const char* name = FAKE(fake_cuda_call)(i); ++i)
    if (std::string_view(name) != "cuCtxGetCurrent") names.emplace_back(name);
  return names;
}
using Names = std::vector<std::string>;
} // namespace

TEST_CASE("Properties are the driver's", "[cuda]") {
  Bench t;
  const backend::DeviceProperties& p = t.device().properties();
  CHECK(p.target == "sm_90");
  CHECK(p.wave_lanes == 32);
  CHECK(p.max_waves_per_cu == 64);
  CHECK(p.compute_units == 132);
  CHECK(p.lds_bytes_per_group == 49152);
  CHECK(p.most_lds_bytes_per_group() == 232448);
  CHECK(p.registers_per_cu == 65536);
  CHECK(p.max_groups_per_cu == 32);
  CHECK(p.async_copy_engines == 3);
  CHECK(p.ecc);
  CHECK_FALSE(p.is_software);
  CHECK(p.native_default_stream);
  CHECK(p.textures.texture_2d[0] == 131072);
}

TEST_CASE("A launch and its wait are one call each", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({.kind = backend::QueueKind::Null}));
  const auto code = good(t.device().load(read_kernels()));
  backend::Kernel* const kernel = good(code->find_kernel("write_to"));
  void* block = good(t.device().allocate(4, backend::MemoryKind::Device));
  void* arguments[] = {&block};
  CHECK(calls_of([&] { REQUIRE_OK(launch(*queue, kernel, arguments)); }) == Names{"cuLaunchKernel"});
  CHECK(calls_of([&] { REQUIRE_OK(good(queue->tail())->wait()); }) == Names{"cuStreamSynchronize"});
  REQUIRE_OK(t.device().free(block));
}

TEST_CASE("Events are used again", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  REQUIRE_OK(good(queue->record())->wait());
  CHECK(calls_of([&] { REQUIRE_OK(good(queue->record())->wait()); }) == Names{"cuEventRecord", "cuEventSynchronize"});
  CHECK(calls_of([&] { REQUIRE_OK(good(queue->record({.timed = false}))->wait()); }) ==
        Names{"cuEventCreate", "cuEventRecord", "cuEventSynchronize"});
}

TEST_CASE("Points measure time between them", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto begin = good(queue->record()), end = good(queue->record()),
             untimed = good(queue->record({.timed = false}));
  REQUIRE_OK(untimed->wait());
  CHECK(good(end->elapsed_ms(*begin)) >= 0);
  CHECK(end->timestamp_ns() >= begin->timestamp_ns());
  CHECK(untimed->elapsed_ms(*begin).status().code() == ErrorCode::InvalidHandle);
}

TEST_CASE("Streams have CUDA's kinds and priorities", "[cuda]") {
  Bench t;
  CHECK(calls_of([&] {
          good(t.device().create_queue({.kind = backend::QueueKind::Blocking, .priority = -1}));
        }).front() == "cuDevicePrimaryCtxRetain"); // the first use of the device
  const auto queue = good(t.device().create_queue({.kind = backend::QueueKind::NonBlocking, .priority = 1}));
  CHECK(t.device().create_queue({.compute_unit_mask = {1}}).status().code() == ErrorCode::NotSupported);
}

TEST_CASE("Large dynamic shared memory is asked for once", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(read_kernels()));
  uint64_t data = 0;
  uint32_t n = 1;
  void* arguments[] = {&data, &n};
  backend::Launch launch;
  launch.kernel = good(code->find_kernel("rotate_in_dynamic_lds"));
  launch.argument_pointers = arguments;
  launch.dynamic_lds_bytes = 49152;
  CHECK(calls_of([&] { REQUIRE_OK(queue->launch(launch)); }) == Names{"cuLaunchKernel"});
  launch.dynamic_lds_bytes = 200000;
  CHECK(calls_of([&] { REQUIRE_OK(queue->launch(launch)); }) == Names{"cuFuncSetAttribute", "cuLaunchKernel"});
  launch.dynamic_lds_bytes = 100000;
  CHECK(calls_of([&] { REQUIRE_OK(queue->launch(launch)); }) == Names{"cuLaunchKernel"});
}

TEST_CASE("Threads that ask for different dynamic shared memory leave the driver at the largest", "[cuda]") {
  Bench t;
  const std::array queues = {good(t.device().create_queue({})), good(t.device().create_queue({}))};
  const std::array<uint32_t, 2> sizes = {100000, 200000};
  uint64_t data = 0;
  uint32_t n = 1;
  void* arguments[] = {&data, &n};
  const auto code_bytes = read_kernels();
  int failed = 0;
  for (int round = 0; round < 300; ++round) {
    const auto code = good(t.device().load(code_bytes));
    backend::Launch launch;
    launch.kernel = good(code->find_kernel("rotate_in_dynamic_lds"));
    launch.argument_pointers = arguments;
    std::atomic<int> waiting{2};
    std::array<bool, 2> launched{};
    const auto ask = [&](size_t i) {
      backend::Launch own = launch;
      own.dynamic_lds_bytes = sizes[i];
      --waiting;
      while (waiting != 0) std::this_thread::yield();
      launched[i] = queues[i]->launch(own).ok();
    };
    std::thread other([&] { ask(1); });
    ask(0);
    other.join();
    launch.dynamic_lds_bytes = sizes[1];
    if (!launched[0] || !launched[1] || !queues[0]->launch(launch).ok()) ++failed;
    for (const auto& queue : queues) REQUIRE_OK(good(queue->tail())->wait());
  }
  CHECK(failed == 0);
}

TEST_CASE("Managed memory is moved when that is asked for", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  void* const block = good(t.device().allocate(4096, backend::MemoryKind::Managed));
  CHECK(calls_of([&] { REQUIRE_OK(queue->prefetch(block, 4096, &t.device())); }) == Names{"cuMemPrefetchAsync"});
  CHECK(calls_of([&] { REQUIRE_OK(queue->prefetch(block, 100, nullptr)); }) == Names{"cuMemPrefetchAsync"});
  CHECK(queue->prefetch(block, 5000, nullptr).code() == ErrorCode::InvalidValue);
  using backend::Advice;
  for (const Advice advice : {Advice::ReadMostly, Advice::Prefer, Advice::NotAccessedBy}) {
    CHECK(calls_of([&] { REQUIRE_OK(t.device().advise(block, 100, advice, &t.device())); }) == Names{"cuMemAdvise"});
    CHECK(calls_of([&] { REQUIRE_OK(t.device().advise(block, 100, advice, nullptr)); }) == Names{"cuMemAdvise"});
  }
  CHECK(t.device().advise(block, 5000, Advice::ReadMostly, nullptr).code() == ErrorCode::InvalidValue);
  REQUIRE_OK(queue->synchronize());
  REQUIRE_OK(t.device().free(block, backend::MemoryKind::Managed));
}

TEST_CASE("Lines of the cache that persist", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  CHECK(t.device().properties().persisting_l2_bytes == 32768000);
  using backend::DeviceLimit;
  REQUIRE_OK(t.device().set_limit(DeviceLimit::StackBytes, 1024)); // the device's first use
  CHECK(calls_of([&] { REQUIRE_OK(t.device().set_limit(DeviceLimit::PersistingL2Bytes, 1 << 20)); }) ==
        Names{"cuCtxSetLimit"});
  CHECK(calls_of([&] { REQUIRE_OK(t.device().reset_persisting_lines()); }) == Names{"cuCtxResetPersistingL2Cache"});
  int data = 0;
  const backend::AccessWindow window{&data, 2, 0.5f, 1, 4096};
  CHECK(calls_of([&] { REQUIRE_OK(queue->set_access_window(window)); }) == Names{"cuStreamSetAttribute"});
  cuda::CUaccessPolicyWindow told;
  FAKE(fake_cuda_window)(&told);
  CHECK(told.base_ptr == &data);
  CHECK(told.num_bytes == 4096);
  CHECK(told.hitRatio == 0.5f);
  CHECK(told.hitProp == 2);
  CHECK(told.missProp == 1);
  CHECK(queue->set_access_window({nullptr, 0, 2.0f, 0, 4096}).code() == ErrorCode::InvalidValue);
}

TEST_CASE("Memory that the hardware compresses", "[cuda]") {
  Bench t;
  CHECK(t.device().properties().compressed_memory);
  backend::VirtualMemory& memory = *t.device().virtual_memory();
  constexpr size_t kPage = 2 << 20;
  using backend::Compression;
  CHECK(good(memory.create(2 * kPage, {.compression = Compression::Generic}))->compression() == Compression::Generic);
  CHECK(good(memory.create(2 * kPage, {}))->compression() == Compression::None);
  // The driver has the last word.
  CHECK(good(memory.create(kPage, {.compression = Compression::Generic}))->compression() == Compression::None);
}

TEST_CASE("Cooperative launches, packed and not", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(read_kernels()));
  struct {
    const void *a = nullptr, *b = nullptr, *c = nullptr;
    uint32_t n = 0;
  } arguments;
  backend::Launch launch;
  launch.kernel = good(code->find_kernel("vector_add"));
  launch.packed_arguments = std::as_bytes(std::span(&arguments, 1));
  launch.cooperative = true;
  CHECK(calls_of([&] { REQUIRE_OK(queue->launch(launch)); }) == Names{"cuLaunchCooperativeKernel"});
  launch.cooperative = false;
  CHECK(calls_of([&] { REQUIRE_OK(queue->launch(launch)); }) == Names{"cuLaunchKernel"});
}

// The driver refuses a block that is not the kernel's own size.
TEST_CASE("A packed block is longer than what the kernel takes", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(read_kernels()));
  const std::array<uint64_t, 8> arguments{};
  for (const char* name : {"vector_add", "stop"}) {
    CAPTURE(name);
    backend::Launch launch;
    launch.kernel = good(code->find_kernel(name));
    launch.packed_arguments = std::as_bytes(std::span(arguments));
    for (const bool cooperative : {false, true}) {
      launch.cooperative = cooperative;
      REQUIRE_OK(queue->launch(launch));
    }
  }
}

TEST_CASE("A point that nobody else holds is recorded again, without a new event", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({})), other = good(t.device().create_queue({}));
  const backend::PointOptions timed{.timed = true};
  Ref<backend::Completion> point;
  CHECK(calls_of([&] { REQUIRE_OK(queue->record_into(point, timed)); }).back() == "cuEventRecord");
  REQUIRE_OK(point->wait());
  const backend::Completion* const first = point.get();
  CHECK(calls_of([&] { REQUIRE_OK(other->record_into(point, timed)); }) == Names{"cuEventRecord"});
  CHECK(point.get() == first);
  CHECK(calls_of([&] { REQUIRE_OK(point->wait()); }) == Names{"cuEventSynchronize"}); // not what was reached before
  // Somebody waits for the old one, or the new one is to be of another kind.
  const Ref<backend::Completion> held = point;
  REQUIRE_OK(queue->record_into(point, timed));
  CHECK(point.get() != held.get());
  CHECK(calls_of([&] { REQUIRE_OK(queue->record_into(point, {.timed = false})); }) ==
        Names{"cuEventCreate", "cuEventRecord"});
  CHECK(point->timestamp_ns() == 0);
}

TEST_CASE("Memory in stream order", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  void* block = nullptr;
  constexpr auto kOrdered = backend::MemoryKind::StreamOrdered;
  CHECK(calls_of([&] { block = good(queue->allocate(t.device(), 1000)); }) == Names{"cuMemAllocAsync"});
  CHECK(calls_of([&] { REQUIRE_OK(queue->release(t.device(), block, kOrdered)); }) == Names{"cuMemFreeAsync"});
  block = good(t.device().allocate(1000, backend::MemoryKind::Device));
  constexpr auto kDevice = backend::MemoryKind::Device;
  CHECK(calls_of([&] { REQUIRE_OK(queue->release(t.device(), block, kDevice)); }) ==
        Names{"cuStreamSynchronize", "cuMemFree"});
  CHECK(queue->release(t.device(), block, kDevice).code() == ErrorCode::InvalidValue);
}

TEST_CASE("Pools are the driver's", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  std::unique_ptr<backend::MemoryPool> standard, own;
  CHECK(calls_of([&] { standard = good(t.device().create_pool(nullptr)); }) == Names{"cuDeviceGetDefaultMemPool"});
  const backend::PoolOptions options{.exportable = true, .max_bytes = 1 << 20};
  CHECK(calls_of([&] { own = good(t.device().create_pool(&options)); }) == Names{"cuMemPoolCreate"});
  void* block = nullptr;
  CHECK(calls_of([&] { block = good(own->allocate(*queue, 1000)); }) == Names{"cuMemAllocFromPoolAsync"});
  CHECK(own->allocate(*queue, 1 << 20).status().code() == ErrorCode::OutOfMemory);
  CHECK(good(own->attribute(backend::PoolAttribute::UsedCurrent)) == 1000);
  CHECK(good(own->attribute(backend::PoolAttribute::AllowOpportunistic)) == 1);
  CHECK(calls_of([&] { REQUIRE_OK(own->set_attribute(backend::PoolAttribute::AllowOpportunistic, 0)); }) ==
        Names{"cuMemPoolSetAttribute"});
  CHECK(good(own->attribute(backend::PoolAttribute::AllowOpportunistic)) == 0);
  REQUIRE_OK(own->set_attribute(backend::PoolAttribute::ReleaseThreshold, 77));
  CHECK(good(own->attribute(backend::PoolAttribute::ReleaseThreshold)) == 77);
  CHECK(good(own->access(t.device())) == backend::PoolAccess::ReadWrite);
  CHECK(calls_of([&] { REQUIRE_OK(own->trim(0)); }) == Names{"cuMemPoolTrimTo"});
  const int descriptor = good(own->export_descriptor());
  const auto imported = good(t.device().import_pool(descriptor));
  size_t bytes = 0;
  CHECK(good(imported->import_pointer(good(own->export_pointer(block)), bytes)) == block);
  CHECK(bytes == 1000);
  REQUIRE_OK(queue->release(t.device(), block, backend::MemoryKind::StreamOrdered));
  CHECK(calls_of([&] { own.reset(); }) == Names{"cuMemPoolDestroy"});
  CHECK(calls_of([&] { standard.reset(); }).empty());
}

TEST_CASE("Values in stream order", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  auto* const words = static_cast<uint64_t*>(good(t.device().allocate(64, backend::MemoryKind::HostPinned)));
  CHECK(calls_of([&] { REQUIRE_OK(queue->write_value(words, 5, 4)); }) == Names{"cuStreamWriteValue32"});
  CHECK(calls_of([&] { REQUIRE_OK(queue->write_value(words + 1, ~uint64_t{0} - 5, 8)); }) ==
        Names{"cuStreamWriteValue64"});
  using backend::ValueCondition;
  CHECK(calls_of([&] { REQUIRE_OK(queue->wait_value({words, 5, ~uint64_t{0}, ValueCondition::Equal, 4})); }) ==
        Names{"cuStreamWaitValue32"});
  CHECK(calls_of([&] { REQUIRE_OK(queue->wait_value({words, 0xff, 0x4, ValueCondition::And, 8})); }) ==
        Names{"cuStreamWaitValue64"});
  CHECK(queue->wait_value({words, 5, 0xff, ValueCondition::Equal, 8}).code() == ErrorCode::NotSupported);
  REQUIRE_OK(queue->synchronize());
  CHECK(words[0] == 5);
  CHECK(words[1] == ~uint64_t{0} - 5);
  REQUIRE_OK(t.device().free(words, backend::MemoryKind::HostPinned));

  auto* const signal = static_cast<uint64_t*>(good(t.device().allocate(8, backend::MemoryKind::Signal)));
  REQUIRE_OK(queue->write_value(signal, 9, 8));
  REQUIRE_OK(queue->wait_value({signal, 9, ~uint64_t{0}, ValueCondition::Equal, 8}));
  REQUIRE_OK(queue->synchronize());
  CHECK(*signal == 9);
  REQUIRE_OK(t.device().free(signal, backend::MemoryKind::Signal));
  auto* const managed = static_cast<uint64_t*>(good(t.device().allocate(8, backend::MemoryKind::Managed)));
  CHECK(queue->write_value(managed, 9, 8).code() == ErrorCode::InvalidValue);
  REQUIRE_OK(t.device().free(managed, backend::MemoryKind::Managed));
}

TEST_CASE("Boxes become one call where the driver can", "[cuda]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  auto* const a = static_cast<std::byte*>(good(t.device().allocate(1 << 16, backend::MemoryKind::Device)));
  auto* const b = a + (1 << 15);
  const auto copy = [&](const backend::Region& to, const backend::Region& from, const backend::Extent3& extent) {
    return calls_of([&] { REQUIRE_OK(queue->copy_3d(to, from, extent)); });
  };
  CHECK(copy({a, 64, 640}, {b, 64, 640}, {64, 10, 3}) == Names{"cuMemcpyAsync"});
  CHECK(copy({a, 128, 1280}, {b, 64, 640}, {64, 10, 3}) == Names{"cuMemcpy3DAsync"});
  CHECK(copy({a, 128, 1300}, {b, 64, 640}, {64, 10, 2}) == Names{"cuMemcpy3DAsync", "cuMemcpy3DAsync"});
  const auto fill = [&](const backend::Region& to, const backend::Extent3& extent, uint32_t pattern) {
    return calls_of([&] { REQUIRE_OK(queue->fill_3d(to, 7, pattern, extent)); });
  };
  CHECK(fill({a, 0, 0}, {64, 1, 1}, 4) == Names{"cuMemsetD32Async"});
  CHECK(fill({a, 64, 640}, {64, 10, 3}, 2) == Names{"cuMemsetD16Async"});
  CHECK(fill({a, 128, 1280}, {64, 10, 3}, 1) == Names{"cuMemsetD2D8Async"});
  CHECK(fill({a, 128, 2560}, {64, 10, 2}, 4) == Names{"cuMemsetD2D32Async", "cuMemsetD2D32Async"});
  CHECK(queue->fill_3d({a, 0, 0}, 7, 8, {64, 1, 1}).code() == ErrorCode::InvalidValue);
  REQUIRE_OK(t.device().free(a));
}

TEST_CASE("Two GPUs: each its own context, peers, waits between them", "[cuda]") {
  const Setting devices("FAKE_CUDA_DEVICES", "2");
  Bench t;
  REQUIRE(t.backend->devices().size() == 2);
  const auto first = good(t.device(0).create_queue({})), second = good(t.device(1).create_queue({}));
  REQUIRE_OK(second->wait(good(first->record())));
  REQUIRE_OK(second->synchronize());
  CHECK(t.device(0).peer_link(t.device(1)).access);
  CHECK_FALSE(t.device(0).peer_link(t.device(0)).access);
  REQUIRE_OK(t.device(0).enable_peer(t.device(1)));
  REQUIRE_OK(t.device(0).enable_peer(t.device(1)));
  REQUIRE_OK(t.device(0).disable_peer(t.device(1)));
  auto* const a = static_cast<uint32_t*>(good(t.device(0).allocate(8, backend::MemoryKind::Device)));
  auto* const b = static_cast<uint32_t*>(good(t.device(1).allocate(8, backend::MemoryKind::Device)));
  REQUIRE_OK(first->fill_3d({a, 0, 0}, 42, 4, {4, 1, 1}));
  CHECK(calls_of([&] { REQUIRE_OK(first->copy(b, a, 4)); }).back() == "cuMemcpyPeerAsync");
  REQUIRE_OK(first->synchronize());
  CHECK(*b == 42);
  // A caller that knows the owners spares the driver's answers.
  const auto copy_between = [&](void* to, backend::Device* to_owner, const void* from, backend::Device* from_owner) {
    return calls_of([&] { REQUIRE_OK(first->copy_between(to, from, 4, {to_owner, from_owner})); });
  };
  CHECK(copy_between(b, &t.device(1), a, &t.device(0)) == Names{"cuMemcpyPeerAsync"});
  CHECK(copy_between(a, &t.device(0), a + 1, &t.device(0)) == Names{"cuMemcpyAsync"});
  uint32_t host = 43;
  CHECK(copy_between(a, &t.device(0), &host, nullptr) == Names{"cuMemcpyAsync"});
  CHECK(calls_of([&] { REQUIRE_OK(first->copy(a, &host, 4)); }).back() == "cuMemcpyAsync");
  // The host's memory and another device's need no peer copy.
  auto* const pinned = static_cast<uint32_t*>(good(t.device(0).allocate(4, backend::MemoryKind::HostPinned)));
  CHECK(copy_between(pinned, nullptr, b, &t.device(1)) == Names{"cuMemcpyAsync"});
  REQUIRE_OK(first->synchronize());
  CHECK(*pinned == 42);
  REQUIRE_OK(t.device(0).free(pinned, backend::MemoryKind::HostPinned));
  CHECK(calls_of([&] { REQUIRE_OK(first->copy_3d({b, 4, 0}, {a, 2, 0}, {1, 2, 1})); }).back() == "cuMemcpy3DPeerAsync");
  REQUIRE_OK(first->synchronize());
  CHECK(*b == 43);
  REQUIRE_OK(t.device(0).free(a));
  REQUIRE_OK(t.device(1).free(b));
}

TEST_CASE("The device as a whole", "[cuda]") {
  Bench t;
  REQUIRE_OK(t.device().select());
  CHECK(calls_of([&] { REQUIRE_OK(t.device().select()); }).empty());
  CHECK(calls_of([&] { REQUIRE_OK(t.device().synchronize()); }) == Names{"cuCtxSynchronize"});
  CHECK(calls_of([&] { REQUIRE_OK(t.device().collect_profile(true)); }) == Names{"cuProfilerStart"});
  CHECK(calls_of([&] { REQUIRE_OK(t.device().collect_profile(false)); }) == Names{"cuProfilerStop"});
  CHECK(calls_of([&] { REQUIRE_OK(t.device().set_wait_policy(backend::WaitPolicy::Block)); }) ==
        Names{"cuDevicePrimaryCtxGetState", "cuDevicePrimaryCtxSetFlags"});
  CHECK(calls_of([&] { REQUIRE_OK(t.device().set_wait_policy(backend::WaitPolicy::Block)); }) ==
        Names{"cuDevicePrimaryCtxGetState"});
  REQUIRE_OK(t.device().set_wait_policy(backend::WaitPolicy::Auto));
}

TEST_CASE("Managed variables of PTX are a pointer and an initial value", "[cuda]") {
  constexpr std::string_view kText = ".version 6.3\n.target sm_70\n.address_size 64\n"
                                     ".visible .global .align 4 .u32 shared$managed = 7;\n"
                                     ".visible .global .align 8 .u64 shared;\n"
                                     ".visible .global .align 4 .u32 alone$managed;\n";
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto code = good(t.device().load(std::as_bytes(std::span(kText))));
  const std::vector<backend::ManagedVariable> managed = good(code->managed_variables());
  REQUIRE(managed.size() == 1); // nothing points at the storage that is alone
  CHECK(managed[0].name == "shared");
  CHECK(managed[0].pointer.address == good(code->find_global("shared")).address);
  CHECK(managed[0].pointer.bytes == 8);
  CHECK(managed[0].initial.address == good(code->find_global("shared$managed")).address);
  CHECK(managed[0].initial.bytes == 4);
}

TEST_CASE("Everything is given back", "[cuda]") {
  const int events_of_others = FAKE(fake_cuda_live)("event"); // of contexts that were lost
  const int streams_of_others = FAKE(fake_cuda_live)("stream");
  {
    Bench t;
    { // the clock has a stream and an epoch from then on
      const auto queue = good(t.device().create_queue({}));
      REQUIRE_OK(good(queue->record({.timed = true, .dated = true}))->wait());
    }
    const int blocks = FAKE(fake_cuda_live)("block"), streams = FAKE(fake_cuda_live)("stream"),
              events = FAKE(fake_cuda_live)("event"), modules = FAKE(fake_cuda_live)("module");
    {
      const auto queue = good(t.device().create_queue({}));
      const auto code = good(t.device().load(read_kernels()));
      CHECK(code->kernels().size() >= 12);
      for (int i = 0; i < 100; ++i) REQUIRE_OK(good(queue->record())->wait());
      REQUIRE_OK(t.device().free(good(t.device().allocate(64, backend::MemoryKind::Managed))));
    }
    CHECK(FAKE(fake_cuda_live)("block") == blocks);
    CHECK(FAKE(fake_cuda_live)("stream") == streams);
    CHECK(FAKE(fake_cuda_live)("module") == modules);
    CHECK(FAKE(fake_cuda_live)("event") <= events + 1); // one that was used again
  }
  CHECK(FAKE(fake_cuda_live)("event") == events_of_others);
  CHECK(FAKE(fake_cuda_live)("stream") == streams_of_others);
}
