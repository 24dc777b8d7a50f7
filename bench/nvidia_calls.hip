// What a HIP call costs on an NVIDIA GPU beside the CUDA driver call that it forwards to: both in one process, in turn, on
// the same device and context. Prints medians in microseconds (bandwidth in GB/s) and their ratio. Where the CUDA runtime
// library is installed, allocation is compared with its calls as well, which are what a CUDA program would use.
// usage: nvidia_calls [rounds, 15]
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

#define HIP_CHECK(call) check(static_cast<int>(call), #call)
#define CU_CHECK(call) check(static_cast<int>(call), #call)

static void check(int code, const char* call) {
  if (code == 0) return;
  std::fprintf(stderr, "%s failed with %d\n", call, code);
  std::exit(1);
}

__global__ void empty(int*, int, float) {}

// The CUDA driver API, as far as it is used here (NVIDIA, CUDA Driver API; stream 0 is the legacy default stream).
struct Driver {
  using Handle = void*;
  using Address = unsigned long long;
  int (*init)(unsigned);
  int (*retain)(Handle* context, int device);
  int (*set_current)(Handle context);
  int (*load)(Handle* module, const void* image);
  int (*get_function)(Handle* function, Handle module, const char* name);
  int (*launch)(Handle function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared_bytes,
                Handle stream, void** parameters, void** extra);
  int (*stream_create)(Handle* stream, unsigned flags);
  int (*stream_synchronize)(Handle stream);
  int (*event_create)(Handle* event, unsigned flags);
  int (*event_record)(Handle event, Handle stream);
  int (*event_synchronize)(Handle event);
  int (*allocate)(Address* address, size_t bytes);
  int (*free)(Address address);
  int (*to_device)(Address to, const void* from, size_t bytes);
  int (*to_host)(void* to, Address from, size_t bytes);
  int (*within)(Address to, Address from, size_t bytes);
  int (*set)(Address to, unsigned char value, size_t bytes);
  int (*allocate_host)(void** address, size_t bytes);
  int (*copy_peer)(Address to, Handle to_context, Address from, Handle from_context, size_t bytes, Handle stream);
  int (*best_block)(int* grid, int* block, Handle function, size_t (*shared)(int), size_t shared_bytes, int most);
};

static Driver load_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "There is no libcuda.so.1 on this machine: %s\n", dlerror());
    std::exit(1);
  }
  Driver d;
  const auto take = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (function) return;
    std::fprintf(stderr, "libcuda.so.1 has no %s\n", name);
    std::exit(1);
  };
  take(d.init, "cuInit");
  take(d.retain, "cuDevicePrimaryCtxRetain");
  take(d.set_current, "cuCtxSetCurrent");
  take(d.load, "cuModuleLoadData");
  take(d.get_function, "cuModuleGetFunction");
  take(d.launch, "cuLaunchKernel");
  take(d.stream_create, "cuStreamCreate");
  take(d.stream_synchronize, "cuStreamSynchronize");
  take(d.event_create, "cuEventCreate");
  take(d.event_record, "cuEventRecord");
  take(d.event_synchronize, "cuEventSynchronize");
  take(d.allocate, "cuMemAlloc_v2");
  take(d.free, "cuMemFree_v2");
  take(d.to_device, "cuMemcpyHtoD_v2");
  take(d.to_host, "cuMemcpyDtoH_v2");
  take(d.within, "cuMemcpyDtoD_v2");
  take(d.set, "cuMemsetD8_v2");
  take(d.allocate_host, "cuMemAllocHost_v2");
  take(d.copy_peer, "cuMemcpyPeerAsync");
  take(d.best_block, "cuOccupancyMaxPotentialBlockSize");
  return d;
}

// The CUDA runtime library, null where there is none.
static void* load_runtime() {
  for (const char* name : {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "/usr/local/cuda/lib64/libcudart.so"})
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static int rounds = 15;

// What is measured: until the device has done it, or what the host takes to give it to the device.
enum class Until { Done, Given };

// Runs both `count` times per round, in turn, and prints microseconds per call, or GB/s when bytes are given.
static void compare(const char* name, int count, const std::function<void()>& cuda, const std::function<void()>& hip,
                    double bytes = 0, Until until = Until::Done) {
  const auto once = [&](const std::function<void()>& f) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) f();
    const auto given = std::chrono::steady_clock::now();
    HIP_CHECK(hipDeviceSynchronize());
    const auto end = until == Until::Given ? given : std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(end - begin).count() / count;
  };
  once(cuda), once(hip);
  std::vector<double> a, b;
  for (int r = 0; r < rounds; ++r) {
    a.push_back(once(cuda));
    b.push_back(once(hip));
  }
  const double c = median(a), h = median(b);
  if (bytes == 0)
    std::printf("%-34s %10.3f us   %10.3f us   %6.3f\n", name, c, h, h / c);
  else
    std::printf("%-34s %10.2f GB/s %10.2f GB/s %6.3f\n", name, bytes * 1e-3 / c, bytes * 1e-3 / h, h / c);
}

// Copies of 16 bytes between two places, as given to a stream: by the driver, by HIP, and by CUDA's runtime where it is
// installed.
static void compare_peer_copies(const char* name, const Driver& d, void* runtime, int to_device, int from_device,
                                Driver::Handle stream, hipStream_t hip_stream) {
  constexpr size_t kBytes = 16;
  Driver::Handle to_context, from_context;
  CU_CHECK(d.retain(&to_context, to_device));
  CU_CHECK(d.retain(&from_context, from_device));
  void *to, *from;
  HIP_CHECK(hipSetDevice(to_device));
  HIP_CHECK(hipMalloc(&to, kBytes));
  HIP_CHECK(hipSetDevice(from_device));
  HIP_CHECK(hipMalloc(&from, kBytes));
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipMemcpyPeer(to, to_device, from, from_device, kBytes));
  const auto address = [](void* pointer) { return reinterpret_cast<Driver::Address>(pointer); };
  const auto by_hip = [&] { HIP_CHECK(hipMemcpyPeerAsync(to, to_device, from, from_device, kBytes, hip_stream)); };
  const auto by_driver = [&] {
    CU_CHECK(d.copy_peer(address(to), to_context, address(from), from_context, kBytes, stream));
  };
  compare(("peer copy, " + std::string(name)).c_str(), 100, by_driver, by_hip, 0, Until::Given);
  if (runtime) {
    const auto copy = reinterpret_cast<int (*)(void*, int, const void*, int, size_t, Driver::Handle)>(
        dlsym(runtime, "cudaMemcpyPeerAsync"));
    const auto by_cuda = [&] { CU_CHECK(copy(to, to_device, from, from_device, kBytes, stream)); };
    compare(("cudaMemcpyPeerAsync, " + std::string(name)).c_str(), 100, by_cuda, by_hip, 0, Until::Given);
  }
  HIP_CHECK(hipFree(to));
  HIP_CHECK(hipFree(from));
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = std::max(1, std::atoi(argv[1]));
  const Driver d = load_driver();
  HIP_CHECK(hipSetDevice(0));
  int* memory;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&memory), 256));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s (%s)\n%-34s %13s   %13s   %6s\n", properties.name, properties.gcnArchName, "call", "driver", "HIP", "ratio");

  Driver::Handle context, module, function, stream, event;
  CU_CHECK(d.init(0));
  CU_CHECK(d.retain(&context, 0));
  CU_CHECK(d.set_current(context));
  CU_CHECK(d.load(&module, ".version 6.3\n.target sm_75\n.address_size 64\n"
                           ".visible .entry empty(.param .u64 a, .param .u32 b, .param .f32 c) { ret; }\n"));
  CU_CHECK(d.get_function(&function, module, "empty"));
  CU_CHECK(d.stream_create(&stream, 1));
  CU_CHECK(d.event_create(&event, 0));
  hipStream_t hip_stream;
  hipEvent_t hip_event;
  HIP_CHECK(hipStreamCreateWithFlags(&hip_stream, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreate(&hip_event));

  int number = 1;
  float real = 2;
  void* arguments[] = {&memory, &number, &real};
  const auto cu_launch = [&](Driver::Handle s) { CU_CHECK(d.launch(function, 1, 1, 1, 64, 1, 1, 0, s, arguments, nullptr)); };
  compare("launch, default stream", 2000, [&] { cu_launch(nullptr); }, [&] { empty<<<1, 64>>>(memory, number, real); });
  compare("launch, own stream", 2000, [&] { cu_launch(stream); }, [&] { empty<<<1, 64, 0, hip_stream>>>(memory, number, real); });
  compare("hipLaunchKernel", 2000, [&] { cu_launch(stream); }, [&] {
    HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void*>(empty), dim3(1), dim3(64), arguments, 0, hip_stream));
  });
  compare("launch + stream synchronize", 500,
          [&] { cu_launch(stream), CU_CHECK(d.stream_synchronize(stream)); },
          [&] { empty<<<1, 64, 0, hip_stream>>>(memory, number, real), HIP_CHECK(hipStreamSynchronize(hip_stream)); });
  compare("event record", 2000, [&] { CU_CHECK(d.event_record(event, stream)); },
          [&] { HIP_CHECK(hipEventRecord(hip_event, hip_stream)); });
  compare("launch + event record + wait", 500,
          [&] { cu_launch(stream), CU_CHECK(d.event_record(event, stream)), CU_CHECK(d.event_synchronize(event)); },
          [&] {
            empty<<<1, 64, 0, hip_stream>>>(memory, number, real);
            HIP_CHECK(hipEventRecord(hip_event, hip_stream));
            HIP_CHECK(hipEventSynchronize(hip_event));
          });
  for (const size_t bytes : {size_t{256}, size_t{1} << 20, size_t{256} << 20}) {
    const std::string name = "malloc + free, " + std::to_string(bytes) + " bytes";
    compare(name.c_str(), 200,
            [&] {
              Driver::Address address;
              CU_CHECK(d.allocate(&address, bytes));
              CU_CHECK(d.free(address));
            },
            [&] {
              void* address;
              HIP_CHECK(hipMalloc(&address, bytes));
              HIP_CHECK(hipFree(address));
            });
  }
  int grid = 0, block = 0;
  compare("block of the best occupancy", 500,
          [&] { CU_CHECK(d.best_block(&grid, &block, function, nullptr, 0, 0)); },
          [&] {
            HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, reinterpret_cast<const void*>(empty), 0, 0));
          });
  void* const cuda_runtime = load_runtime();
  compare_peer_copies("one GPU", d, cuda_runtime, 0, 0, stream, hip_stream);
  int devices = 0;
  HIP_CHECK(hipGetDeviceCount(&devices));
  if (devices > 1) {
    compare_peer_copies("two GPUs, no access", d, cuda_runtime, 1, 0, stream, hip_stream);
    HIP_CHECK(hipDeviceEnablePeerAccess(1, 0));
    compare_peer_copies("two GPUs, access", d, cuda_runtime, 1, 0, stream, hip_stream);
    HIP_CHECK(hipDeviceDisablePeerAccess(1));
  }
  if (void* const runtime = cuda_runtime) {
    const auto allocate = reinterpret_cast<int (*)(void**, size_t)>(dlsym(runtime, "cudaMalloc"));
    const auto release = reinterpret_cast<int (*)(void*)>(dlsym(runtime, "cudaFree"));
    for (const size_t bytes : {size_t{256}, size_t{1} << 20}) {
      const std::string name = "cudaMalloc + cudaFree, " + std::to_string(bytes);
      compare(name.c_str(), 200,
              [&] {
                void* address;
                CU_CHECK(allocate(&address, bytes));
                CU_CHECK(release(address));
              },
              [&] {
                void* address;
                HIP_CHECK(hipMalloc(&address, bytes));
                HIP_CHECK(hipFree(address));
              });
    }
  }
  constexpr size_t kLarge = size_t{256} << 20;
  Driver::Address a, b;
  CU_CHECK(d.allocate(&a, kLarge));
  CU_CHECK(d.allocate(&b, kLarge));
  void *hip_a, *hip_b, *pinned;
  HIP_CHECK(hipMalloc(&hip_a, kLarge));
  HIP_CHECK(hipMalloc(&hip_b, kLarge));
  HIP_CHECK(hipHostMalloc(&pinned, kLarge, hipHostMallocDefault));
  std::vector<char> pageable(kLarge, 1);
  compare("copy of 4 bytes to the device", 500, [&] { CU_CHECK(d.to_device(a, pageable.data(), 4)); },
          [&] { HIP_CHECK(hipMemcpy(hip_a, pageable.data(), 4, hipMemcpyHostToDevice)); });
  compare("copy of 4 bytes to the host", 500, [&] { CU_CHECK(d.to_host(pageable.data(), a, 4)); },
          [&] { HIP_CHECK(hipMemcpy(pageable.data(), hip_a, 4, hipMemcpyDeviceToHost)); });
  compare("copy to the device, pinned", 5, [&] { CU_CHECK(d.to_device(a, pinned, kLarge)); },
          [&] { HIP_CHECK(hipMemcpy(hip_a, pinned, kLarge, hipMemcpyHostToDevice)); }, kLarge);
  compare("copy to the host, pinned", 5, [&] { CU_CHECK(d.to_host(pinned, a, kLarge)); },
          [&] { HIP_CHECK(hipMemcpy(pinned, hip_a, kLarge, hipMemcpyDeviceToHost)); }, kLarge);
  compare("copy to the device, pageable", 2, [&] { CU_CHECK(d.to_device(a, pageable.data(), kLarge)); },
          [&] { HIP_CHECK(hipMemcpy(hip_a, pageable.data(), kLarge, hipMemcpyHostToDevice)); }, kLarge);
  compare("copy within the device", 20, [&] { CU_CHECK(d.within(b, a, kLarge)); },
          [&] { HIP_CHECK(hipMemcpy(hip_b, hip_a, kLarge, hipMemcpyDeviceToDevice)); }, kLarge);
  compare("memset", 20, [&] { CU_CHECK(d.set(a, 1, kLarge)); }, [&] { HIP_CHECK(hipMemset(hip_a, 1, kLarge)); }, kLarge);
  return 0;
}
