// What HIP asks NVIDIA's driver where a program may be waiting: nothing that it knows itself. Only where a driver of
// ours stands for NVIDIA's (tests/backend/cuda), which counts its calls.
#include "registered.h"
#include "testing.h"

#include <dlfcn.h>

namespace {

class Driver {
public:
  Driver() {
    const char* const file = std::getenv("OMNIHIP_CUDA_DRIVER");
    if (!file || !on_nvidia()) return;
    library_ = dlopen(file, RTLD_NOW);
    REQUIRE(library_);
    calls_ = reinterpret_cast<int (*)(const char*)>(dlsym(library_, "fake_cuda_calls"));
    REQUIRE(calls_);
  }
  ~Driver() {
    if (library_) dlclose(library_);
  }
  Driver(const Driver&) = delete;
  explicit operator bool() const { return library_ != nullptr; }
  // How often `call` makes the driver's function `name` be called.
  template<class F> int calls(const char* name, const F& call) const {
    const int before = calls_(name);
    call();
    return calls_(name) - before;
  }

private:
  void* library_ = nullptr;
  int (*calls_)(const char*) = nullptr;
};

} // namespace

TEST_CASE("The block size of the best occupancy: no smaller block is asked for than one that fills a multiprocessor") {
  const Driver driver;
  if (!driver) return;
  const Registered code("kernels.hipfb");
  const void* const kernel = &code.scale;
  constexpr const char* kQuestion = "cuOccupancyMaxActiveBlocksPerMultiprocessor";
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  int grid = 0, block = 0;
  // Two blocks of 1,024 threads are the 2,048 that the driver's multiprocessors have.
  CHECK(driver.calls(kQuestion, [&] { OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0)); }) == 1);
  CHECK(block == 1024);
  CHECK(grid == 2 * p.multiProcessorCount);
  // Two blocks of 992 threads are 1,984 of them, three of 672 are 2,016, four of 512 are all.
  CHECK(driver.calls(kQuestion, [&] { OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 992)); }) ==
        (992 - 512) / 32 + 1);
  CHECK(block == 512);
  CHECK(grid == 4 * p.multiProcessorCount);
  // With so much shared memory one block runs at once, and the largest is the best; all sizes are asked for.
  CHECK(driver.calls(kQuestion, [&] {
    OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, p.sharedMemPerBlockOptin, 512));
  }) == 512 / 32);
}

TEST_CASE("Copies between two devices: whose memory it is, HIP knows", "[two]") {
  const Driver driver;
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (!driver || count < 2) return;
  constexpr const char* kQuestion = "cuPointerGetAttributes";
  void *first, *second, *pooled, *pinned;
  hipStream_t stream;
  std::vector<int> pageable(4);
  OK(hipSetDevice(1));
  OK(hipMalloc(&second, 16));
  OK(hipSetDevice(0));
  OK(hipMalloc(&first, 16));
  OK(hipHostMalloc(&pinned, 16, hipHostMallocPortable));
  OK(hipStreamCreate(&stream));
  OK(hipMallocAsync(&pooled, 16, stream));
  const auto copy = [&](void* to, const void* from, const char* by) {
    int questions = 0;
    const int copies = driver.calls(by, [&] {
      questions = driver.calls(kQuestion, [&] { OK(hipMemcpyAsync(to, from, 16, hipMemcpyDefault, stream)); });
    });
    CHECK(copies == 1);
    return questions;
  };
  CHECK(driver.calls(kQuestion, [&] { OK(hipMemcpyPeerAsync(second, 1, first, 0, 16, stream)); }) == 0);
  CHECK(copy(second, first, "cuMemcpyPeerAsync") == 0);
  CHECK(copy(first, second, "cuMemcpyPeerAsync") == 0);
  CHECK(copy(second, pooled, "cuMemcpyPeerAsync") == 0);
  CHECK(copy(pooled, first, "cuMemcpyAsync") == 0);
  CHECK(copy(first, pinned, "cuMemcpyAsync") == 0);
  CHECK(copy(pinned, first, "cuMemcpyAsync") == 0);
  CHECK(copy(first, pageable.data(), "cuMemcpyAsync") != 0); // it may be memory of another library's
  OK(hipFreeAsync(pooled, stream));
  OK(hipStreamSynchronize(stream));
  OK(hipStreamDestroy(stream));
  OK(hipHostFree(pinned));
  OK(hipFree(first));
  OK(hipFree(second));
}
