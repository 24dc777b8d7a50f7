// Packed half precision: Horner's scheme on half2, and y + a x.
#include "device.h"
#include "problems/half.h"

#include <hip/hip_fp16.h>

namespace {

struct Coefficients {
  __half2 c[problems::HalfPolynomial::kDegree + 1];
};

__global__ void polynomial(const __half2* x, __half2* y, Coefficients p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 at = x[i];
  __half2 value = p.c[problems::HalfPolynomial::kDegree];
  for (int c = problems::HalfPolynomial::kDegree - 1; c >= 0; --c) value = __hfma2(value, at, p.c[c]);
  y[i] = value;
}

__global__ void axpy(__half2 a, const __half2* x, const __half2* y, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma2(a, x[i], y[i]);
}

const __half2* pairs(const kit::Device<uint16_t>& values) {
  return reinterpret_cast<const __half2*>(static_cast<uint16_t*>(values));
}
__half2* pairs(kit::Device<uint16_t>& values) { return reinterpret_cast<__half2*>(static_cast<uint16_t*>(values)); }

} // namespace

KIT_CASE(half_poly) {
  const problems::HalfPolynomial problem(run.scale());
  const kit::Device<uint16_t> x(problem.x);
  kit::Device<uint16_t> y(problem.x.size());
  Coefficients p;
  for (int i = 0; i <= problem.kDegree; ++i) p.c[i] = __float2half2_rn(problem.coefficients[i]);
  const int n = static_cast<int>(x.size() / 2);
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    polynomial<<<kit::groups(n, 256), 256>>>(pairs(x), pairs(y), p, n);
    kit::wait();
  });
  KIT_CHECK(problem.right(y.download()));
}

KIT_CASE(half_axpy) {
  const problems::HalfAxpy problem(run.scale());
  const kit::Device<uint16_t> x(problem.x), y(problem.y);
  kit::Device<uint16_t> out(problem.x.size());
  const int n = static_cast<int>(x.size() / 2);
  run.measure(problem.bytes(), "GB/s", 1e9, [&] {
    axpy<<<kit::groups(n, 256), 256>>>(__float2half2_rn(problem.kA), pairs(x), pairs(y), pairs(out), n);
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
