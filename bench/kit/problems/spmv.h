// y = A x for a sparse matrix in compressed rows: 4 to 60 elements per row, mostly few, columns anywhere.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

struct Spmv {
  size_t rows;
  kit::Array<int> row_start, column;
  kit::Array<float> value, x;

  explicit Spmv(kit::Scale scale) : rows(scale == kit::Scale::Full ? 1u << 18 : 2048) {
    kit::Random random(5);
    row_start.push_back(0);
    for (size_t r = 0; r < rows; ++r) {
      const double u = random.unit();
      const int count = 4 + static_cast<int>(56 * u * u * u);
      for (int i = 0; i < count; ++i) {
        column.push_back(static_cast<int>(random.below(static_cast<uint32_t>(rows))));
        value.push_back(static_cast<float>(random.between(-1, 1)));
      }
      std::sort(column.end() - count, column.end());
      row_start.push_back(static_cast<int>(column.size()));
      x.push_back(static_cast<float>(random.between(-1, 1)));
    }
  }
  double flops() const { return 2.0 * static_cast<double>(value.size()); }
  bool right(const kit::Array<float>& y) const {
    for (size_t r = 0; r < rows; ++r) {
      double wanted = 0;
      for (int i = row_start[r]; i < row_start[r + 1]; ++i) wanted += static_cast<double>(value[i]) * x[column[i]];
      if (!(std::fabs(wanted - y[r]) < 1e-5)) return false;
    }
    return true;
  }
};

} // namespace problems
