// Half precision on a host that converts it in hardware and computes in float.
#include "problems/half.h"

#include <immintrin.h>

namespace {

// Eight halfs at a time; every host with F16C can.
template<class Body> void each_vector(size_t n, const Body& body) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; i += 8) body(i);
}
__m256 load(const uint16_t* p) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))); }
void store(uint16_t* p, __m256 v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

} // namespace

KIT_CASE(half_poly) {
  const problems::HalfPolynomial problem(run.scale());
  kit::Array<uint16_t> y(problem.x.size());
  const uint16_t* x = problem.x.data();
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    each_vector(y.size() / 4, [&](size_t quarter) { // four chains hide the latency
      const size_t i = 4 * quarter;
      const __m256 a0 = load(x + i), a1 = load(x + i + 8), a2 = load(x + i + 16), a3 = load(x + i + 24);
      __m256 v0 = _mm256_set1_ps(problem.coefficients[problem.kDegree]), v1 = v0, v2 = v0, v3 = v0;
      for (int c = problem.kDegree - 1; c >= 0; --c) {
        const __m256 add = _mm256_set1_ps(problem.coefficients[c]);
        v0 = v0 * a0 + add, v1 = v1 * a1 + add, v2 = v2 * a2 + add, v3 = v3 * a3 + add;
      }
      store(y.data() + i, v0), store(y.data() + i + 8, v1), store(y.data() + i + 16, v2), store(y.data() + i + 24, v3);
    });
  });
  KIT_CHECK(problem.right(y));
}

KIT_CASE(half_axpy) {
  const problems::HalfAxpy problem(run.scale());
  kit::Array<uint16_t> out(problem.x.size());
  const uint16_t *x = problem.x.data(), *y = problem.y.data();
  const __m256 a = _mm256_set1_ps(problem.kA);
  run.measure(problem.bytes(), "GB/s", 1e9, [&] {
    each_vector(out.size(), [&](size_t i) { store(out.data() + i, a * load(x + i) + load(y + i)); });
  });
  KIT_CHECK(problem.right(out));
}
