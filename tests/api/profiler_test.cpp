// HIP's own profiler, its log switches, and where debuggers stop at failing calls.
#include "testing.h"

#include <hip/amd_detail/hip_profiler_ext.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sstream>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace {

// The records from `first` on.
std::vector<hipApiRecordExt> records(uint64_t first = 0) {
  const hipApiRecordExt* const* chunks = nullptr;
  size_t chunk_count = 0, chunk_size = 0, total = 0;
  OK(hipProfilerGetRecordsExt(&chunks, &chunk_count, &chunk_size, &total));
  CHECK(chunk_count == (total + chunk_size - 1) / chunk_size);
  std::vector<hipApiRecordExt> all;
  for (size_t i = first; i < total; ++i) all.push_back(chunks[i / chunk_size][i % chunk_size]);
  return all;
}

const hipApiRecordExt& record_of(const std::vector<hipApiRecordExt>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const hipApiRecordExt& r) { return r.api_name == name; });
  REQUIRE(found != all.end());
  return *found;
}

struct Delivered {
  std::vector<std::string> names;
  std::vector<uint32_t> counts, ids;
};

// What is written to standard error meanwhile.
template<class F> std::string errors_of(const F& work) {
  const std::string path = "/tmp/omnihip-log." + std::to_string(getpid());
  const int kept = dup(2), file = open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
  REQUIRE(file >= 0);
  dup2(file, 2);
  work();
  dup2(kept, 2);
  close(kept);
  close(file);
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  std::remove(path.c_str());
  return text.str();
}

} // namespace

TEST_CASE("Calls are recorded with what they name", "[profiler]") {
  OK(hipProfilerResetExt());
  TestModule module;
  const hipFunction_t scale = module.function("scale");
  hipStream_t stream = nullptr;
  uint64_t first = 99, last = 0;
  OK(hipProfilerEnableExt(&first, 0));
  FAILS(hipProfilerResetExt(), hipErrorIllegalState);
  OK(hipStreamCreate(&stream));
  int *in = nullptr, *out = nullptr, factor = 2, host[64] = {};
  unsigned count = 64;
  OK(hipMalloc(reinterpret_cast<void**>(&in), 256));
  OK(hipMalloc(reinterpret_cast<void**>(&out), 256));
  OK(hipMemcpyAsync(in, host, 256, hipMemcpyHostToDevice, stream));
  OK(hipMemsetAsync(out, 0, 256, stream));
  void* args[] = {&out, &in, &factor, &count};
  OK(hipModuleLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, stream, args, nullptr));
  OK(hipMemcpy(host, out, 256, hipMemcpyDeviceToHost));
  CHECK(hipMalloc(nullptr, 1) == hipErrorInvalidValue);
  OK(hipProfilerDisableExt(&last));
  CHECK(first == 0);
  OK(hipStreamSynchronize(stream)); // not recorded any more

  const auto all = records();
  CHECK(all.size() == last);
  CHECK(std::string_view(all.back().api_name) == "hipMalloc");
  for (size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i, all[i].api_name);
    CHECK(all[i].chunk_id == i);
    CHECK(all[i].start_ns > 1'600'000'000'000'000'000u); // since 1970
    CHECK(all[i].end_ns >= all[i].start_ns);
    CHECK(all[i].thread_id == uint64_t(gettid()));
    CHECK((all[i].gpu.next == nullptr && all[i]._flags_u64 <= 1));
  }
  const hipApiRecordExt& allocated = record_of(all, "hipMalloc");
  CHECK(allocated.memory1 == in);
  CHECK(allocated.size == 256);
  CHECK_FALSE(allocated.has_gpu_activity);

  const hipApiRecordExt& copy = record_of(all, "hipMemcpyAsync");
  CHECK(copy.stream == stream);
  CHECK((copy.memory1 == in && copy.memory2 == host && copy.size == 256));
  const hipApiRecordExt& fill = record_of(all, "hipMemsetAsync");
  const hipApiRecordExt& launch = record_of(all, "hipModuleLaunchKernel");
  const hipApiRecordExt& back = record_of(all, "hipMemcpy");
  if (!kernels_run()) return; // the null device has no times
  for (const hipApiRecordExt* each : {&copy, &fill, &launch, &back}) {
    CAPTURE(each->api_name);
    REQUIRE(each->has_gpu_activity);
    CHECK(each->gpu.gpu_op_count == 1);
    CHECK(each->gpu.begin_ns <= each->gpu.end_ns);
    CHECK(each->gpu.device_id == 0);
  }
  CHECK(copy.gpu.op == HIP_OP_COPY_EXT);
  CHECK(copy.gpu.copy_kind == HIP_COPY_KIND_H2D_EXT);
  CHECK((copy.gpu.dst == in && copy.gpu.src == host && copy.gpu.bytes == 256));
  CHECK(hipCopyKindIsSDMAExt(HipCopyKindExt(copy.gpu.copy_kind)));
  CHECK(fill.gpu.copy_kind == HIP_COPY_KIND_FILL_EXT);
  CHECK(back.gpu.copy_kind == HIP_COPY_KIND_D2H_EXT);
  CHECK(launch.gpu.op == HIP_OP_DISPATCH_EXT);
  CHECK(launch.gpu.kernel_name == std::string_view("scale"));
  CHECK((launch.gpu.grid_x == 1 && launch.gpu.block_x == 64 && launch.gpu.block_z == 1));
  CHECK(launch.gpu.queue_id == copy.gpu.queue_id);
  if (!on_nvidia()) CHECK(launch.gpu.begin_ns >= copy.gpu.end_ns); // they were in one stream

  const std::string path = "/tmp/omnihip-trace." + std::to_string(getpid()) + ".json";
  OK(hipProfilerWriteJsonExt(path.c_str()));
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  CHECK(text.find("{\"traceEvents\":[") == 0);
  CHECK(text.find("\"name\":\"hipMemcpyAsync\",\"cat\":\"hip\",\"ph\":\"X\"") != text.npos);
  CHECK(text.find("\"name\":\"scale\",\"cat\":\"device\"") != text.npos);
  std::remove(path.c_str());
  FAILS(hipProfilerWriteJsonExt("/no/such/folder/trace.json"), hipErrorFileNotFound);

  OK(hipFree(in));
  OK(hipFree(out));
  OK(hipStreamDestroy(stream));
  OK(hipProfilerResetExt());
  CHECK(records().empty());
}

TEST_CASE("Profiling ends with as many calls as have begun it", "[profiler]") {
  OK(hipProfilerResetExt());
  int device = -1;
  uint64_t one = 0, two = 0;
  OK(hipProfilerDisableExt(nullptr)); // nothing to end
  OK(hipGetDevice(&device));
  OK(hipProfilerEnableExt(nullptr, 0));
  OK(hipGetDevice(&device));
  OK(hipProfilerEnableExt(&one, 0));
  OK(hipProfilerDisableExt(&two));
  CHECK((one == 1 && two == 1));
  std::thread([] { (void)hipSetDevice(0); }).join();
  OK(hipProfilerDisableExt(&two));
  OK(hipGetDevice(&device));
  const auto all = records();
  REQUIRE(all.size() == 2);
  CHECK(two == 2);
  CHECK(std::string_view(all[1].api_name) == "hipSetDevice");
  CHECK(all[1].thread_id != all[0].thread_id);
  const hipApiRecordExt* const* chunks = nullptr;
  size_t number = 0;
  FAILS(hipProfilerGetRecordsExt(nullptr, &number, &number, &number), hipErrorInvalidValue);
  FAILS(hipProfilerGetRecordsExt(&chunks, nullptr, &number, &number), hipErrorInvalidValue);
  FAILS(hipProfilerGetRecordsExt(&chunks, &number, nullptr, &number), hipErrorInvalidValue);
  FAILS(hipProfilerGetRecordsExt(&chunks, &number, &number, nullptr), hipErrorInvalidValue);
  OK(hipProfilerResetExt());
}

TEST_CASE("Records are delivered in chunks", "[profiler]") {
  OK(hipProfilerResetExt());
  Delivered delivered;
  OK(hipProfilerRegisterChunkCallbackExt(
      [](const hipApiRecordExt* all, uint32_t count, uint32_t id, void* data) {
        auto& to = *static_cast<Delivered*>(data);
        to.counts.push_back(count);
        to.ids.push_back(id);
        for (uint32_t i = 0; i < count; ++i) to.names.emplace_back(all[i].api_name);
        int device = -1;
        (void)hipGetDevice(&device); // is not recorded
      },
      &delivered));
  OK(hipProfilerEnableExt(nullptr, 0));
  void* memory = nullptr;
  OK(hipMalloc(&memory, 64));
  for (int i = 0; i < 2000; ++i) OK(hipMemsetAsync(memory, i, 64, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipProfilerDisableExt(nullptr));
  OK(hipProfilerRegisterChunkCallbackExt(nullptr, nullptr));
  OK(hipFree(memory));
  REQUIRE(delivered.names.size() == 2002);
  REQUIRE(delivered.counts.size() == 2);
  CHECK((delivered.ids[0] == 0 && delivered.ids[1] == delivered.counts[0]));
  CHECK(delivered.names[0] == "hipMalloc");
  CHECK(delivered.names[2001] == "hipDeviceSynchronize");
  CHECK(records().empty()); // what is delivered is not kept
  OK(hipProfilerResetExt());
}

TEST_CASE("Records are read and written while calls are recorded", "[profiler]") {
  OK(hipProfilerResetExt());
  constexpr int kThreads = 4, kRounds = 400;
  const std::string path = "/tmp/omnihip-threads." + std::to_string(getpid()) + ".json";
  uint64_t last = 0;
  OK(hipProfilerEnableExt(nullptr, 0));
  std::atomic<int> running{kThreads}, failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      hipStream_t stream = nullptr;
      void* memory = nullptr;
      if (hipStreamCreate(&stream) != hipSuccess || hipMalloc(&memory, 256) != hipSuccess) ++failures;
      for (int i = 0; i < kRounds; ++i)
        if (hipMemsetAsync(memory, i, 256, stream) != hipSuccess) ++failures;
      if (hipStreamSynchronize(stream) != hipSuccess || hipFree(memory) != hipSuccess) ++failures;
      if (hipStreamDestroy(stream) != hipSuccess) ++failures;
      --running;
    });
  }
  std::thread writer([&] {
    while (running != 0)
      if (hipProfilerWriteJsonExt(path.c_str()) != hipSuccess) ++failures;
  });
  std::vector<hipApiRecordExt> seen;
  while (running != 0) {
    const auto all = records();
    REQUIRE(all.size() >= seen.size());
    for (size_t i = 0; i < all.size(); ++i) {
      CAPTURE(i);
      REQUIRE((all[i].api_name && all[i].end_ns >= all[i].start_ns && all[i].chunk_id == i));
    }
    // What has been shown stays as it was.
    CHECK((seen.empty() || std::memcmp(seen.data(), all.data(), seen.size() * sizeof seen[0]) == 0));
    seen = all;
  }
  writer.join();
  for (std::thread& thread : threads) thread.join();
  OK(hipProfilerDisableExt(&last));
  CHECK(failures == 0);
  CHECK(last == kThreads * (kRounds + 5));
  CHECK(records().size() == last);
  std::remove(path.c_str());
  OK(hipProfilerResetExt());
}

TEST_CASE("What a call leaves that ends after profiling is not read by its callback", "[profiler]") {
  if (!kernels_run()) return; // on the null device no call waits
  OK(hipProfilerResetExt());
  Delivered delivered;
  OK(hipProfilerRegisterChunkCallbackExt(
      [](const hipApiRecordExt* all, uint32_t count, uint32_t, void* data) {
        auto& to = *static_cast<Delivered*>(data);
        for (uint32_t i = 0; i < count; ++i)
          to.names.push_back(std::string(all[i].api_name) + (all[i].end_ns == 0 ? " goes on" : ""));
      },
      &delivered));
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  std::atomic<bool> entered{false}, leaves{false};
  struct Flags {
    std::atomic<bool>&entered, &leaves;
  } flags{entered, leaves};
  OK(hipProfilerEnableExt(nullptr, 0));
  // A callback of a stream holds a call up, and ends profiling meanwhile.
  OK(hipLaunchHostFunc(
      stream,
      [](void* data) {
        auto& to = *static_cast<Flags*>(data);
        to.entered = true;
        while (!to.leaves) std::this_thread::yield();
      },
      &flags));
  std::thread waiting([&] { (void)hipStreamSynchronize(stream); });
  while (!entered) std::this_thread::yield();
  std::thread ending([&] { (void)hipProfilerDisableExt(nullptr); }); // waits for the device
  leaves = true;
  ending.join();
  waiting.join();
  OK(hipProfilerRegisterChunkCallbackExt(nullptr, nullptr));
  OK(hipStreamDestroy(stream));
  REQUIRE(!delivered.names.empty());
  CHECK(delivered.names[0] == "hipLaunchHostFunc");
  CHECK(records().empty());
  OK(hipProfilerResetExt());
}

TEST_CASE("The log is switched by the program", "[profiler]") {
  if (std::getenv("OMNIHIP_TRACE")) { // whoever set it wants lines of what follows, too
    OK(hipExtSetLoggingParams(3, 0, 1));
    OK(hipExtEnableLogging());
    OK(hipExtDisableLogging());
    OK(hipExtEnableLogging());
  }
  if (std::getenv("OMNIHIP_TRACE") || std::getenv("OMNIHIP_LOG")) return;
  const auto calls = [] {
    int device = -1;
    (void)hipGetDevice(&device);
    (void)hipSetDevice(99);
  };
  CHECK(errors_of(calls).empty());
  OK(hipExtSetLoggingParams(1, 0, 1));
  CHECK(errors_of(calls).empty()); // it is not on yet
  OK(hipExtEnableLogging());
  std::string text = errors_of(calls);
  CHECK(text.find("hipSetDevice returns hipErrorInvalidDevice") != text.npos);
  CHECK(text.find("trace") == text.npos); // a level of errors
  OK(hipExtDisableLogging());
  OK(hipExtSetLoggingParams(3, 0, 1));
  OK(hipExtEnableLogging());
  text = errors_of(calls);
  CHECK(text.find("omnihip trace") != text.npos);
  CHECK(text.find("hipGetDevice(") != text.npos);
  OK(hipExtSetLoggingParams(3, 0, 2)); // other than calls
  OK(hipExtEnableLogging());
  CHECK(errors_of(calls).find("omnihip trace") == text.npos);
  OK(hipExtDisableLogging());
  CHECK(errors_of(calls).empty());
  (void)hipGetLastError();
}

TEST_CASE("Debuggers find where calls fail", "[profiler]") {
  auto* const hook = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "__hipOnError"));
  REQUIRE(hook != nullptr);
  hook(nullptr); // does nothing
}
