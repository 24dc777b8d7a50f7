// Matrix products in double, float, bfloat16 and 8-bit floats; the last two with the host's bfloat16 products if it has
// them (every 8-bit float is a bfloat16), else in float.
#include "gemm.h"
#include "problems/dgemm.h"
#include "problems/matrix_gemm.h"

namespace {

template<class T> void multiply(kit::Run& run, int full) {
  const problems::MatrixGemm<T> problem(run.scale(), full);
  const int n = problem.n;
  const T *a = problem.a.data(), *b = problem.b.data();
  kit::Array<float> c(problem.a.size());
#ifdef __AVX512BF16__
  uint32_t as_bf16[256]; // of 8-bit floats
  for (int i = 0; i < 256; ++i) {
    const float f = problems::to_float(static_cast<problems::Fp8>(i));
    std::memcpy(&as_bf16[i], &f, sizeof(f));
    as_bf16[i] >>= 16;
  }
#endif
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
#ifdef __AVX512BF16__
    if constexpr (!std::is_same_v<T, float>) {
      auto pair = [&](const T* p) {
        if constexpr (std::is_same_v<T, problems::Bf16>) {
          uint32_t both;
          std::memcpy(&both, p, sizeof(both));
          return both;
        } else {
          return as_bf16[p[0]] | as_bf16[p[1]] << 16;
        }
      };
      kit::gemm<kit::PairOfBf16>(
          n, c.data(), [&](int row, int k) { return pair(a + row * n + 2 * k); },
          [&](int k, int column) { return pair(b + column * n + 2 * k); });
      return;
    }
#endif
    kit::gemm<kit::Scalar<float>>(
        n, c.data(), [&](int row, int k) { return problems::to_float(a[row * n + k]); },
        [&](int k, int column) { return problems::to_float(b[column * n + k]); });
  });
  KIT_CHECK(problem.right(c));
}

} // namespace

KIT_CASE(dgemm) {
  const problems::Dgemm problem(run.scale());
  const int n = static_cast<int>(problem.n);
  kit::Array<double> c(problem.a.size());
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    kit::gemm<kit::Scalar<double>>(
        n, c.data(), [&](int row, int k) { return problem.a[row * n + k]; },
        [&](int k, int column) { return problem.b[k * n + column]; });
  });
  KIT_CHECK(problem.right(c));
}
KIT_CASE(mfma_f32) { multiply<float>(run, 1024); }
KIT_CASE(mfma_bf16) { multiply<problems::Bf16>(run, 1024); }
KIT_CASE(mfma_fp8) { multiply<problems::Fp8>(run, 1024); }
