// A quarter turn of a matrix in place, ring by ring; rings are shared out one by one, as they differ in length.
#include "problems/rotate.h"

KIT_CASE(rotate) {
  const problems::Rotate problem(run.scale());
  kit::Array<float> matrix = problem.matrix;
  size_t turns = 0;
  run.measure(2.0 * sizeof(float) * static_cast<double>(matrix.size()), "GB/s", 1e9, [&] {
    const int n = problem.n;
#pragma omp parallel for schedule(dynamic, 16)
    for (int ring = 0; ring < n / 2; ++ring)
      for (int i = ring; i < n - 1 - ring; ++i) problems::Rotate::turn(matrix.data(), n, ring, i);
    ++turns;
  });
  KIT_CHECK(problem.right(matrix, turns));
}
