// Sparse matrix times vector, rows over threads. Two cases of the HIP side have this one counterpart.
#include "problems/spmv.h"

static void multiply(kit::Run& run) {
  const problems::Spmv problem(run.scale());
  kit::Array<float> y(problem.rows);
  const int *start = problem.row_start.data(), *column = problem.column.data();
  const float *value = problem.value.data(), *x = problem.x.data();
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
#pragma omp parallel for schedule(dynamic, 1024)
    for (size_t row = 0; row < problem.rows; ++row) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = start[row]; i < start[row + 1]; ++i) sum += value[i] * x[column[i]];
      y[row] = sum;
    }
  });
  KIT_CHECK(problem.right(y));
}

KIT_CASE(spmv_thread) { multiply(run); }
KIT_CASE(spmv_wave) { multiply(run); }
