// Shuffles with a mask for values of 1 to 8 bytes, 16-bit floating point among them, and without one for half and
// bfloat16, single and in pairs: what arrives has the bits of the lane that it comes from.
#include "e2e.h"

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

namespace {

constexpr int kBlock = 128;
constexpr int kForms = 4;

// The lane from which each form reads: index, up, down, exclusive or. A wave is cut into parts of `width` lanes; a
// source outside the lane's part is the lane itself.
int source_of(int form, int lane, int distance, int width) {
  const int first = lane / width * width;
  const int source = form == 0   ? first + distance % width
                     : form == 1 ? lane - distance
                     : form == 2 ? lane + distance
                                 : lane ^ distance;
  if (form == 3) return source < first + width ? source : lane;
  return source >= first && source < first + width ? source : lane;
}

template<class T> __global__ void with_mask(const T* in, T* out, int distance, int width) {
  const int i = threadIdx.x;
  const T own = in[i];
  const unsigned long long all = __activemask();
  out[kForms * i + 0] = __shfl_sync(all, own, distance, width);
  out[kForms * i + 1] = __shfl_up_sync(all, own, distance, width);
  out[kForms * i + 2] = __shfl_down_sync(all, own, distance, width);
  out[kForms * i + 3] = __shfl_xor_sync(all, own, distance, width);
}
template<class T> __global__ void without_mask(const T* in, T* out, int distance, int width) {
  const int i = threadIdx.x;
  const T own = in[i];
  out[kForms * i + 0] = __shfl(own, distance, width);
  out[kForms * i + 1] = __shfl_up(own, distance, width);
  out[kForms * i + 2] = __shfl_down(own, distance, width);
  out[kForms * i + 3] = __shfl_xor(own, distance, width);
}

template<class T> void check(void (*kernel)(const T*, T*, int, int)) {
  int wave = 0;
  HIP_OK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));
  std::vector<T> in(kBlock);
  e2e::Random random;
  for (T& value : in) {
    const uint64_t bits = random.bits();
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  }
  e2e::Device<T> device_in(in), out(kBlock * kForms);
  for (int width = 2; width <= wave; width *= 4)
    for (const int distance : {0, 1, 3, 17}) {
      kernel<<<1, kBlock>>>(device_in, out, distance, width);
      RUN_OK();
      const auto got = out.download();
      for (int i = 0; i < kBlock * kForms; ++i) {
        const int lane = i / kForms % wave, first = i / kForms - lane;
        const T wanted = in[first + source_of(i % kForms, lane, distance, width)];
        if (std::memcmp(static_cast<const void*>(&got[i]), static_cast<const void*>(&wanted), sizeof(T)) != 0)
          e2e::fail(__FILE__, __LINE__,
                    "form " + std::to_string(i % kForms) + " of thread " + std::to_string(i / kForms) + ", distance " +
                        std::to_string(distance) + ", width " + std::to_string(width) + " gives another lane's value");
      }
    }
}

} // namespace

E2E_CASE(small_integers) {
  check<char>(with_mask);
  check<signed char>(with_mask);
  check<unsigned char>(with_mask);
  check<short>(with_mask);
  check<unsigned short>(with_mask);
}

E2E_CASE(words) {
  check<int>(with_mask);
  check<unsigned int>(with_mask);
  check<long>(with_mask);
  check<unsigned long>(with_mask);
  check<long long>(with_mask);
  check<unsigned long long>(with_mask);
  check<float>(with_mask);
  check<double>(with_mask);
}

E2E_CASE(half_values) {
  check<__half>(with_mask);
  check<__half2>(with_mask);
  check<__half>(without_mask);
  check<__half2>(without_mask);
}

E2E_CASE(bfloat16_values) {
  check<__hip_bfloat16>(with_mask);
  check<__hip_bfloat162>(with_mask);
  check<__hip_bfloat16>(without_mask);
  check<__hip_bfloat162>(without_mask);
}
