// Queens on a board, a thread per start: a search with its own stack in private memory, whose depth differs from lane to lane.
#include "device.h"
#include "problems/queens.h"

namespace {

__global__ void count(const problems::Queens::Start* starts, unsigned* counts, unsigned n_starts, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_starts) return;
  const unsigned all = (1u << n) - 1;
  unsigned columns[16], left[16], right[16], free[16], found = 0;
  int row = 0;
  const int last = n - problems::Queens::kFirstRows - 1;
  columns[0] = starts[i].columns, left[0] = starts[i].left, right[0] = starts[i].right;
  free[0] = all & ~(columns[0] | left[0] | right[0]);
  while (row >= 0) {
    const unsigned rest = free[row];
    if (rest == 0) {
      --row;
      continue;
    }
    const unsigned bit = rest & -rest;
    free[row] = rest ^ bit;
    if (row == last) {
      ++found;
      continue;
    }
    columns[row + 1] = columns[row] | bit;
    left[row + 1] = (left[row] | bit) << 1;
    right[row + 1] = (right[row] | bit) >> 1;
    ++row;
    free[row] = all & ~(columns[row] | left[row] | right[row]);
  }
  counts[i] = found;
}

} // namespace

KIT_CASE(queens) {
  const problems::Queens problem(run.scale());
  const kit::Device<problems::Queens::Start> starts(problem.starts);
  const unsigned n_starts = static_cast<unsigned>(problem.starts.size());
  kit::Device<unsigned> counts(n_starts);
  run.measure(static_cast<double>(problem.solutions), "Msolutions/s", 1e6, [&] {
    count<<<kit::groups(n_starts, 64), 64>>>(starts, counts, n_starts, problem.n);
    kit::wait();
  });
  KIT_CHECK(problem.right(counts.download()));
}
