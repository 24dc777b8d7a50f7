// common.h - what every sample needs and no sample is about: error checks, memory that frees itself, timing, and the
// PASSED or FAILED line at the end.
#pragma once

#include <hip/hip_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// HIP functions return hipError_t. A sample cannot go on after an error, so it says where and ends.
#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    const hipError_t status_ = (call);                                                                                 \
    if (status_ != hipSuccess) {                                                                                       \
      std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, hipGetErrorName(status_),         \
                   hipGetErrorString(status_));                                                                        \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

namespace sample {

// An array of T in device memory, freed at the end of its scope.
template<class T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count_(count) { HIP_CHECK(hipMalloc(&data_, count * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) { upload(host); }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }
  void upload(const std::vector<T>& host) { HIP_CHECK(hipMemcpy(data_, host.data(), bytes(), hipMemcpyHostToDevice)); }
  void clear() { HIP_CHECK(hipMemset(data_, 0, bytes())); }
  std::vector<T> download() const {
    std::vector<T> host(count_);
    HIP_CHECK(hipMemcpy(host.data(), data_, bytes(), hipMemcpyDeviceToHost));
    return host;
  }

private:
  T* data_ = nullptr;
  size_t count_ = 0;
};

// Milliseconds that `work` takes on the device's default stream.
template<class F> double time_ms(F work) {
  HIP_CHECK(hipDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  work();
  HIP_CHECK(hipGetLastError()); // a launch that could not start
  HIP_CHECK(hipDeviceSynchronize());
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
  return elapsed.count();
}

// Blocks of `block` threads that cover `count` elements.
constexpr unsigned blocks_for(size_t count, unsigned block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

inline bool close_to(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

// Numbers in [0, 1), the same on every run.
class Random {
public:
  float next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(state_ >> 40) / static_cast<float>(1 << 24);
  }
  std::vector<float> vector(size_t count) {
    std::vector<float> out(count);
    for (float& x : out) x = next();
    return out;
  }

private:
  unsigned long long state_ = 42;
};

// The last line of every sample, and the exit code.
inline int finish(const char* name, bool passed, double ms) {
  int device = 0;
  hipDeviceProp_t properties{};
  HIP_CHECK(hipGetDevice(&device));
  HIP_CHECK(hipGetDeviceProperties(&properties, device));
  std::printf("%s: %s on %s (%s), %.3f ms\n", name, passed ? "PASSED" : "FAILED", properties.name,
              properties.gcnArchName, ms);
  return passed ? 0 : 1;
}

} // namespace sample
