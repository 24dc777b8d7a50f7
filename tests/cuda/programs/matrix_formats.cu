// Matrices of the formats that CUDA has since sm_80: bfloat16, floats of ten bits of mantissa, double.
#include "check.h"
#include "matrices.h"

#include <cmath>
#include <cuda_bf16.h>

__global__ void to_tf32(const float* in, float* out) { out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]); }

int main() {
  CHECK(wrong_in_sizes<__nv_bfloat16, float, float>() == 0);
  CHECK(wrong_in_layouts<16, 16, 8, wmma::precision::tf32, float, float, float>() == 0);
  CHECK(wrong_in_layouts<8, 8, 4, double, double, double, double>() == 0);

  // To nearest, halves away from zero.
  float *in = nullptr, *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&in, 8 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, 8 * sizeof(float)));
  const float values[8] = {
      1.0f + 0x1p-11f, 1.0f + 0x1.fp-12f, -1.0f - 0x1p-11f, 0x1.fffp127f, -INFINITY, NAN, 0x1p-140f, 0.0f};
  const float expected[8] = {1.0f + 0x1p-10f, 1.0f, -1.0f - 0x1p-10f, INFINITY, -INFINITY, NAN, 0.0f, 0.0f};
  for (int i = 0; i < 8; ++i) in[i] = values[i];
  to_tf32<<<1, 8>>>(in, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) CHECK(out[i] == expected[i] || (std::isnan(out[i]) && std::isnan(expected[i])));
  return checks_failed() != 0;
}
