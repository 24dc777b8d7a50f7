// In how many ways n queens stand on a board without threatening each other, from the first rows' positions on.
#pragma once

#include "../kit.h"

namespace problems {

struct Queens {
  struct Start {
    uint32_t columns, left, right; // threatened columns of the next row: by a column, and by diagonals
  };
  static constexpr int kFirstRows = 3;
  int n;
  uint64_t solutions;
  kit::Array<Start> starts;

  explicit Queens(kit::Scale scale) : n(scale == kit::Scale::Full ? 13 : 8), solutions(scale == kit::Scale::Full ? 73712 : 92) {
    place(0, {0, 0, 0});
  }
  bool right(const kit::Array<uint32_t>& got) const {
    uint64_t sum = 0;
    for (uint32_t count : got) sum += count;
    return sum == solutions;
  }

private:
  void place(int row, Start s) {
    if (row == kFirstRows) return starts.push_back(s);
    for (uint32_t free = ((1u << n) - 1) & ~(s.columns | s.left | s.right); free; free &= free - 1) {
      const uint32_t bit = free & -free;
      place(row + 1, {s.columns | bit, (s.left | bit) << 1, (s.right | bit) >> 1});
    }
  }
};

} // namespace problems
