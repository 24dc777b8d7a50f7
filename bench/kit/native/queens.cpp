// Queens on a board: the same search as on the device, start after start.
#include "problems/queens.h"

KIT_CASE(queens) {
  const problems::Queens problem(run.scale());
  kit::Array<uint32_t> counts(problem.starts.size());
  run.measure(static_cast<double>(problem.solutions), "Msolutions/s", 1e6, [&] {
    const uint32_t all = (1u << problem.n) - 1;
    const int last = problem.n - problems::Queens::kFirstRows - 1;
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t i = 0; i < problem.starts.size(); ++i) {
      uint32_t columns[16], left[16], right[16], free[16], found = 0;
      int row = 0;
      columns[0] = problem.starts[i].columns, left[0] = problem.starts[i].left, right[0] = problem.starts[i].right;
      free[0] = all & ~(columns[0] | left[0] | right[0]);
      while (row >= 0) {
        const uint32_t rest = free[row];
        if (rest == 0) {
          --row;
          continue;
        }
        const uint32_t bit = rest & -rest;
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
  });
  KIT_CHECK(problem.right(counts));
}
