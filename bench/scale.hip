// How time grows: with the size of the data, the number of work-groups, the number of streams, and with what is
// resident (memory of the process per stream and per work-group that waits). One line per measurement:
// table,x,value,unit. Threads are the environment's (OMNIHIP_SOFT_THREADS), so scale.py runs this once per number of
// threads. usage: scale [TABLE...] with tables size, groups, work, streams, memory; none means all.
#include "kit/device.h"

#include <memory>
#include <thread>

namespace {

constexpr unsigned kThreads = 256;

__global__ void nothing() {}
__global__ void add(const float* a, const float* b, float* c, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
// `rounds` steps of a map per thread; no memory until the end.
__global__ void iterate(float* out, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.1f + 1e-6f * static_cast<float>(i & 4095);
  for (int r = 0; r < rounds; ++r) x = 3.7f * x * (1.0f - x);
  out[i] = x;
}
// Stays resident until the host lets go: two words that both sides see.
struct Gate {
  int arrived, open;
};
template<int kLive> __global__ void stay(Gate* gate, float* values) {
  float live[kLive]; // in registers meanwhile
  for (int i = 0; i < kLive; ++i) live[i] = values[i * kThreads + threadIdx.x];
  if (threadIdx.x == 0) {
    __hip_atomic_fetch_add(&gate->arrived, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    while (!__hip_atomic_load(&gate->open, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM)) __builtin_amdgcn_s_sleep(8);
  }
  __syncthreads();
  for (int i = 0; i < kLive; ++i) values[i * kThreads + threadIdx.x] = live[i] + 1;
}

// Median seconds of work() over at least five runs and a third of a second, after one that does not count.
double median_seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  work();
  std::vector<double> seconds;
  double total = 0;
  while (seconds.size() < 5 || (total < 0.3 && seconds.size() < 1001)) {
    const auto start = Clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    total += seconds.back();
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}
void line(const char* table, size_t x, double value, const char* unit) {
  std::printf("%s,%zu,%.6g,%s\n", table, x, value, unit);
  std::fflush(stdout);
}
// Memory of this process that is backed by pages, in bytes.
double resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long size = 0, resident = 0;
  if (std::fscanf(file, "%lu %lu", &size, &resident) != 2) resident = 0;
  std::fclose(file);
  return static_cast<double>(resident) * 4096;
}

void size() {
  for (size_t n = 1u << 10; n <= 1u << 26; n *= 4) {
    const kit::Device<float> a(n), b(n), c(n);
    const double seconds = median_seconds([&] {
      add<<<kit::groups(n, kThreads), kThreads>>>(a, b, c, n);
      kit::wait();
    });
    line("size", n, seconds * 1e6, "us");
  }
}

// Work-groups that do nothing: what a group costs.
void groups() {
  for (unsigned n = 1; n <= 1u << 20; n *= 16)
    line("groups", n, median_seconds([&] {
                        nothing<<<n, kThreads>>>();
                        kit::wait();
                      }) * 1e6,
         "us");
}

// Work-groups of about 20 us of arithmetic each.
void work() {
  const kit::Device<float> out(4096 * kThreads);
  for (unsigned n = 1; n <= 4096; n *= 2)
    line("work", n, median_seconds([&] {
                      iterate<<<n, kThreads>>>(out, 1000);
                      kit::wait();
                    }) * 1e6,
         "us");
}

// 512 launches of two such work-groups, dealt to the streams in turn.
void streams() {
  constexpr unsigned kLaunches = 512, kGroups = 2;
  for (size_t count = 1; count <= 64; count *= 2) {
    std::vector<hipStream_t> all(count);
    std::vector<std::unique_ptr<kit::Device<float>>> out;
    for (hipStream_t& stream : all) {
      HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
      out.push_back(std::make_unique<kit::Device<float>>(kGroups * kThreads));
    }
    line("streams", count, median_seconds([&] {
                             for (unsigned i = 0; i < kLaunches; ++i)
                               iterate<<<kGroups, kThreads, 0, all[i % count]>>>(*out[i % count], 1000);
                             kit::wait();
                           }) * 1e6,
         "us");
    for (hipStream_t stream : all) HIP_OK(hipStreamDestroy(stream));
  }
}

// Of a work-group of 256 work-items (four waves) that waits with kLive vector registers in use.
template<int kLive> void group_memory(const char* table) {
  Gate* gate;
  HIP_OK(hipHostMalloc(&gate, sizeof(Gate)));
  kit::Device<float> values(kLive * kThreads);
  values.fill(0);
  hipDeviceProp_t device;
  HIP_OK(hipGetDeviceProperties(&device, 0));
  int per_unit = 0;
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, stay<kLive>, kThreads, 0));
  const int most = per_unit * device.multiProcessorCount;
  double resident[2];
  for (int step = 0; step < 2; ++step) { // one group, which pays for what is made once, then all that fit
    const int count = step == 0 ? 1 : most;
    *gate = {};
    float* pointer = values;
    void* arguments[] = {&gate, &pointer};
    HIP_OK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(stay<kLive>), dim3(count), dim3(kThreads),
                                      arguments, 0, nullptr));
    while (__atomic_load_n(&gate->arrived, __ATOMIC_RELAXED) < count) std::this_thread::yield();
    resident[step] = resident_bytes();
    __atomic_store_n(&gate->open, 1, __ATOMIC_RELAXED);
    kit::wait();
  }
  line(table, static_cast<size_t>(most), (resident[1] - resident[0]) / (most - 1), "bytes");
  HIP_OK(hipHostFree(gate));
}

void memory() {
  nothing<<<1, kThreads>>>(); // everything is loaded
  kit::wait();
  const double base = resident_bytes();
  line("memory_process", 1, base, "bytes");
  constexpr size_t kStreams = 64;
  std::vector<hipStream_t> all(kStreams);
  for (hipStream_t& stream : all) HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  line("memory_stream_made", kStreams, (resident_bytes() - base) / kStreams, "bytes");
  for (hipStream_t stream : all) nothing<<<1, kThreads, 0, stream>>>();
  kit::wait();
  line("memory_stream_used", kStreams, (resident_bytes() - base) / kStreams, "bytes");
  for (hipStream_t stream : all) HIP_OK(hipStreamDestroy(stream));
  group_memory<1>("memory_group_1_vgpr");
  group_memory<128>("memory_group_128_vgprs");
}

constexpr struct {
  const char* name;
  void (*body)();
} kTables[] = {{"size", size}, {"groups", groups}, {"work", work}, {"streams", streams}, {"memory", memory}};

} // namespace

int main(int argc, char** argv) {
  for (const auto& table : kTables) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted |= std::strcmp(argv[i], table.name) == 0;
    if (wanted) table.body();
  }
  return 0;
}
