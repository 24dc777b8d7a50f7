// nvcc_library.hip - what nvcc mode is for: one of CUDA's libraries (cuBLAS) on HIP's stream and memory, between HIP's kernels.
#include "../e2e/e2e.h"

#include <cublas_v2.h>

namespace {
__global__ void iota(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<float>(i);
}
} // namespace

E2E_CASE(cublas_works_on_hip_streams_and_memory) {
  constexpr int kCount = 1000;
  e2e::Device<float> x(kCount), y(kCount);
  hipStream_t stream;
  HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  cublasHandle_t blas;
  CHECK_EQ(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS);
  CHECK_EQ(cublasSetStream(blas, stream), CUBLAS_STATUS_SUCCESS);
  HIP_OK(hipStreamSynchronize(nullptr)); // the memory's zeros
  iota<<<4, 256, 0, stream>>>(x, kCount);
  iota<<<4, 256, 0, stream>>>(y, kCount);
  const float factor = 2;
  CHECK_EQ(cublasSaxpy(blas, kCount, &factor, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  HIP_OK(hipStreamSynchronize(stream));
  const std::vector<float> got = y.download();
  for (int i = 0; i < kCount; ++i) CHECK_AT(i, got[i], 3.f * static_cast<float>(i));
  CHECK_EQ(cublasDestroy(blas), CUBLAS_STATUS_SUCCESS);
  HIP_OK(hipStreamDestroy(stream));
}
