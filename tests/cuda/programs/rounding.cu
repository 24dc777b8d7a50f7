// Arithmetic with a direction of rounding in its name, against the host's own in that mode: numbers of all sizes, the
// smallest and the greatest, zeros of both signs, infinities, results that are exact.
#include "check.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

template<class T> struct Three {
  T a, b, c;
};
constexpr int kOperations = 6, kModes = 3;

#define ALL(T, prefix, fused, suffix, out)                                                                             \
  (out)[0] = __##prefix##add_##suffix(v.a, v.b);                                                                       \
  (out)[1] = __##prefix##sub_##suffix(v.a, v.b);                                                                       \
  (out)[2] = __##prefix##mul_##suffix(v.a, v.b);                                                                       \
  (out)[3] = __##prefix##div_##suffix(v.a, v.b);                                                                       \
  (out)[4] = __##prefix##sqrt_##suffix(v.a);                                                                           \
  (out)[5] = fused##_##suffix(v.a, v.b, v.c)

__global__ void calculate(const Three<float>* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Three<float> v = in[i];
  float* const mine = out + i * kOperations * kModes;
  ALL(float, f, __fmaf, rd, mine);
  ALL(float, f, __fmaf, ru, mine + kOperations);
  ALL(float, f, __fmaf, rz, mine + 2 * kOperations);
}
__global__ void calculate(const Three<double>* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Three<double> v = in[i];
  double* const mine = out + i * kOperations * kModes;
  ALL(double, d, __fma, rd, mine);
  ALL(double, d, __fma, ru, mine + kOperations);
  ALL(double, d, __fma, rz, mine + 2 * kOperations);
}

// By the processor's rounding mode; volatile keeps the compiler from calculating in the usual one.
template<class T> static void on_host(const Three<T>& in, T* out) {
  const int modes[kModes] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  for (int mode = 0; mode < kModes; ++mode) {
    volatile T a = in.a, b = in.b, c = in.c, results[kOperations];
    std::fesetround(modes[mode]);
    results[0] = a + b;
    results[1] = a - b;
    results[2] = a * b;
    results[3] = a / b;
    results[4] = std::sqrt(a);
    results[5] = std::fma(a, b, c);
    std::fesetround(FE_TONEAREST);
    for (int i = 0; i < kOperations; ++i) out[mode * kOperations + i] = results[i];
  }
}

static unsigned long long state = 88172645463325252ull;
static unsigned long long random_bits() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
// Any bits, or numbers of few bits near one, whose results are often exact or halfway.
template<class T> static T random_number(int kind) {
  T x;
  const unsigned long long bits = random_bits();
  if (kind == 0) {
    std::memcpy(&x, &bits, sizeof x);
    return std::isnan(x) ? T(1) : x;
  }
  x = std::ldexp(T(static_cast<int>(bits % 2001) - 1000), static_cast<int>(bits >> 32 & 7) - 4);
  return kind == 1 ? x : x + std::ldexp(T(1), -std::numeric_limits<T>::digits + static_cast<int>(bits >> 40 & 3));
}

template<class T> static void test(const char* type) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       3,
                       Limits::min(),
                       -Limits::min(),
                       Limits::denorm_min(),
                       -Limits::denorm_min(),
                       Limits::max(),
                       -Limits::max(),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::epsilon(),
                       T(0.1)};
  std::vector<Three<T>> in;
  for (T a : special)
    for (T b : special)
      for (T c : special) in.push_back({a, b, c});
  for (int i = 0; i < 6000; ++i) {
    const T a = random_number<T>(i % 3), b = random_number<T>(i / 3 % 3);
    in.push_back({a, b, i % 2 ? random_number<T>(i / 9 % 3) : -a * b}); // what is left of a product
  }
  const int n = static_cast<int>(in.size());
  std::vector<T> out(in.size() * kOperations * kModes), right(kOperations * kModes);
  Three<T>* device_in;
  T* device_out;
  CHECK_CUDA(cudaMalloc(&device_in, in.size() * sizeof(Three<T>)));
  CHECK_CUDA(cudaMalloc(&device_out, out.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(device_in, in.data(), in.size() * sizeof(Three<T>), cudaMemcpyHostToDevice));
  calculate<<<(n + 127) / 128, 128>>>(device_in, device_out, n);
  CHECK_CUDA(cudaMemcpy(out.data(), device_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    on_host(in[i], right.data());
    for (int k = 0; k < kOperations * kModes; ++k) {
      const T x = out[i * kOperations * kModes + k];
      if (std::isnan(x) ? std::isnan(right[k]) : std::memcmp(&x, &right[k], sizeof x) == 0) continue;
      if (wrong++ < 10)
        std::printf("%s, operation %d, mode %d of %a %a %a: %a, not %a\n", type, k % kOperations, k / kOperations,
                    double(in[i].a), double(in[i].b), double(in[i].c), double(x), double(right[k]));
    }
  }
  CHECK(wrong == 0);
  CHECK_CUDA(cudaFree(device_in));
  CHECK_CUDA(cudaFree(device_out));
}

int main() {
  test<float>("float");
  test<double>("double");
  return checks_failed() != 0;
}
