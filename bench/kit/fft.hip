// FFT of 1024 points in LDS: Stockham's algorithm, radix 4, one work-group per transform.
#include "device.h"
#include "problems/fft.h"

namespace {

constexpr int kPoints = problems::Fft::kPoints, kThreads = kPoints / 4;

__device__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

__global__ __launch_bounds__(kThreads) void transform(const float2* in, float2* out, const float2* root) {
  __shared__ float2 data[kPoints];
  const int t = threadIdx.x;
  in += blockIdx.x * kPoints;
  out += blockIdx.x * kPoints;
  float2 v[4];
  for (int r = 0; r < 4; ++r) v[r] = in[t + r * kThreads];
  for (int span = 1; span < kPoints; span *= 4) {
    const int k = t % span, to = (t / span) * span * 4 + k;
    for (int r = 1; r < 4; ++r) v[r] = times(v[r], root[k * r * (kThreads / span)]);
    const float2 even = plus(v[0], v[2]), even_minus = minus(v[0], v[2]), odd = plus(v[1], v[3]);
    const float2 d = minus(v[1], v[3]), odd_minus = make_float2(d.y, -d.x);
    v[0] = plus(even, odd);
    v[1] = plus(even_minus, odd_minus);
    v[2] = minus(even, odd);
    v[3] = minus(even_minus, odd_minus);
    if (span == kThreads) break;
    __syncthreads();
    for (int r = 0; r < 4; ++r) data[to + r * span] = v[r];
    __syncthreads();
    for (int r = 0; r < 4; ++r) v[r] = data[t + r * kThreads];
  }
  for (int r = 0; r < 4; ++r) out[t + r * kThreads] = v[r];
}

} // namespace

KIT_CASE(fft) {
  const problems::Fft problem(run.scale());
  const kit::Device<float> in(problem.in), out(problem.in.size()), root(problem.root);
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    transform<<<problem.batch, kThreads>>>(reinterpret_cast<const float2*>(static_cast<float*>(in)),
                                           reinterpret_cast<float2*>(static_cast<float*>(out)),
                                           reinterpret_cast<const float2*>(static_cast<float*>(root)));
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
