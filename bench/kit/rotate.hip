// A quarter turn of a matrix in place, a thread per ring: lanes walk along rows and columns that lie far apart.
#include "device.h"
#include "problems/rotate.h"

namespace {

__global__ void turn_rings(float* m, int n) {
  const int ring = blockIdx.x * blockDim.x + threadIdx.x, last = n - 1 - ring;
  if (ring >= n / 2) return;
  for (int i = ring; i < last; ++i) {
    const int back = last - (i - ring);
    const float saved = m[ring * n + i];
    m[ring * n + i] = m[back * n + ring];
    m[back * n + ring] = m[last * n + back];
    m[last * n + back] = m[i * n + last];
    m[i * n + last] = saved;
  }
}

} // namespace

KIT_CASE(rotate) {
  const problems::Rotate problem(run.scale());
  const kit::Device<float> matrix(problem.matrix);
  size_t turns = 0;
  run.measure(2.0 * sizeof(float) * static_cast<double>(problem.matrix.size()), "GB/s", 1e9, [&] {
    turn_rings<<<kit::groups(problem.n / 2, 64), 64>>>(matrix, problem.n);
    kit::wait();
    ++turns;
  });
  KIT_CHECK(problem.right(matrix.download(), turns));
}
