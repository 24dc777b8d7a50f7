// Matrix products through the matrix instructions, in three element types.
#include "device.h"
#include "matrix_gemm.h"
#include "problems/matrix_gemm.h"

namespace {

template<class T> void multiply(kit::Run& run, int full) {
  const problems::MatrixGemm<T> problem(run.scale(), full);
  const kit::Device<T> a(problem.a), b(problem.b);
  const kit::Device<float> c(problem.a.size());
  const dim3 tiles(kit::groups(problem.n, kit::kGemmColumns), kit::groups(problem.n, kit::kGemmRows));
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    kit::matrix_gemm<T><<<tiles, kit::kGemmThreads>>>(a, b, c, problem.n);
    kit::wait();
  });
  KIT_CHECK(problem.right(c.download()));
}

} // namespace

KIT_CASE(mfma_f32) { multiply<float>(run, 1024); }
KIT_CASE(mfma_bf16) { multiply<problems::Bf16>(run, 1024); }
KIT_CASE(mfma_fp8) { multiply<problems::Fp8>(run, 1024); }
