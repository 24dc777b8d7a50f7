// Matrix transpose: blocks of 16 x 8 in vector registers, written as whole cache lines that bypass the caches.
#include "problems/transpose.h"

#include <immintrin.h>

namespace {

using V = float __attribute__((vector_size(32), aligned(4)));
using I = int __attribute__((vector_size(32)));

// The 8 x 8 block at `in` with its rows as columns.
void transpose_block(const float* in, size_t n, V out[8]) {
  V r[8], s[8];
  for (int i = 0; i < 8; ++i) r[i] = *reinterpret_cast<const V*>(in + i * n);
  for (int i = 0; i < 8; i += 2) { // pairs of rows
    s[i] = __builtin_shuffle(r[i], r[i + 1], I{0, 8, 2, 10, 4, 12, 6, 14});
    s[i + 1] = __builtin_shuffle(r[i], r[i + 1], I{1, 9, 3, 11, 5, 13, 7, 15});
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; ++j) {
      r[i + j] = __builtin_shuffle(s[i + j], s[i + j + 2], I{0, 1, 8, 9, 4, 5, 12, 13});
      r[i + j + 2] = __builtin_shuffle(s[i + j], s[i + j + 2], I{2, 3, 10, 11, 6, 7, 14, 15});
    }
  for (int j = 0; j < 4; ++j) {
    out[j] = __builtin_shuffle(r[j], r[j + 4], I{0, 1, 2, 3, 8, 9, 10, 11});
    out[j + 4] = __builtin_shuffle(r[j], r[j + 4], I{4, 5, 6, 7, 12, 13, 14, 15});
  }
}

} // namespace

KIT_CASE(transpose) {
  const problems::Transpose problem(run.scale());
  const size_t n = problem.n;
  kit::Array<float> out(n * n);
  run.measure(problem.bytes(), "GB/s", 1e9, [&] {
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t y = 0; y < n; y += 16)
      for (size_t x0 = 0; x0 < n; x0 += 128)
        for (size_t x = x0; x < x0 + 128; x += 8) {
          V left[8], right[8];
          transpose_block(&problem.in[y * n + x], n, left);
          transpose_block(&problem.in[(y + 8) * n + x], n, right);
          for (size_t i = 0; i < 8; ++i) {
            _mm256_stream_ps(&out[(x + i) * n + y], left[i]);
            _mm256_stream_ps(&out[(x + i) * n + y + 8], right[i]);
          }
        }
  });
  KIT_CHECK(problem.right(out));
}
