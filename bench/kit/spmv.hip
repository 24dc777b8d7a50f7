// Sparse matrix times vector: a thread per row, and a wave per row with a reduction by shuffles.
#include "device.h"
#include "problems/spmv.h"

namespace {

__global__ void thread_per_row(const int* row_start, const int* column, const float* value, const float* x, float* y,
                               int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = row_start[row]; i < row_start[row + 1]; ++i) sum += value[i] * x[column[i]];
  y[row] = sum;
}

__global__ void wave_per_row(const int* row_start, const int* column, const float* value, const float* x, float* y,
                             int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  float sum = 0;
  for (int i = row_start[row] + lane; i < row_start[row + 1]; i += warpSize) sum += value[i] * x[column[i]];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  if (lane == 0) y[row] = sum;
}

template<class Kernel> void multiply(kit::Run& run, Kernel* kernel, unsigned rows_per_group) {
  const problems::Spmv problem(run.scale());
  const kit::Device<int> row_start(problem.row_start), column(problem.column);
  const kit::Device<float> value(problem.value), x(problem.x), y(problem.rows);
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    kernel<<<kit::groups(problem.rows, rows_per_group), 256>>>(row_start, column, value, x, y,
                                                               static_cast<int>(problem.rows));
    kit::wait();
  });
  KIT_CHECK(problem.right(y.download()));
}

} // namespace

KIT_CASE(spmv_thread) { multiply(run, thread_per_row, 256); }
KIT_CASE(spmv_wave) { multiply(run, wave_per_row, 4); }
