// Breadth-first search from vertex 0 of a random directed graph in which some vertices are far more popular than
// others.
#pragma once

#include "../kit.h"

namespace problems {

struct Bfs {
  int vertices;
  kit::Array<int> first_edge, target;

  explicit Bfs(kit::Scale scale) : vertices(scale == kit::Scale::Full ? 1 << 18 : 2048) {
    kit::Random random(11);
    first_edge.push_back(0);
    for (int v = 0; v < vertices; ++v) {
      const int degree = 1 + static_cast<int>(random.below(random.below(8) ? 8 : 128));
      for (int i = 0; i < degree; ++i) {
        const double u = random.unit();
        target.push_back(static_cast<int>((random.bits() & 1 ? u : u * u * u) * vertices));
      }
      first_edge.push_back(static_cast<int>(target.size()));
    }
  }
  double edges() const { return static_cast<double>(target.size()); }
  // Distances; -1 where no way leads.
  bool right(const kit::Array<int>& distance) const {
    kit::Array<int> wanted(vertices, -1), queue{0};
    wanted[0] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
      for (int e = first_edge[queue[i]]; e < first_edge[queue[i] + 1]; ++e)
        if (wanted[target[e]] < 0) {
          wanted[target[e]] = wanted[queue[i]] + 1;
          queue.push_back(target[e]);
        }
    return distance == wanted && queue.size() > wanted.size() / 2;
  }
};

} // namespace problems
