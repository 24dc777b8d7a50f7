// bench/kit/device.h - what the HIP side of the kit needs on top of kit.h: checked calls and arrays in device memory.
#pragma once

#include "kit.h"

#include <hip/hip_runtime.h>

#include <cstdlib>

#define HIP_OK(call)                                                                                                   \
  do {                                                                                                                 \
    const hipError_t error_ = (call);                                                                                  \
    if (error_ != hipSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(error_));            \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (0)

namespace kit {

template<class T> class Device {
public:
  explicit Device(size_t count) : count_(count) { HIP_OK(hipMalloc(&data_, count * sizeof(T))); }
  explicit Device(const Array<T>& host) : Device(host.size()) { upload(host); }
  ~Device() { (void)hipFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  operator T*() const { return data_; }
  size_t size() const { return count_; }
  void upload(const Array<T>& host) {
    HIP_OK(hipMemcpy(data_, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  void fill(int byte) { HIP_OK(hipMemset(data_, byte, count_ * sizeof(T))); }
  Array<T> download() const {
    Array<T> host(count_);
    HIP_OK(hipMemcpy(host.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return host;
  }

private:
  T* data_ = nullptr;
  size_t count_;
};

// Waits for what was launched.
inline void wait() {
  HIP_OK(hipGetLastError());
  HIP_OK(hipDeviceSynchronize());
}

inline unsigned groups(size_t items, unsigned per_group) {
  return static_cast<unsigned>((items + per_group - 1) / per_group);
}

} // namespace kit
