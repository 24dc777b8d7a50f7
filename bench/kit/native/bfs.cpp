// Breadth-first search level by level, each thread with a list of its own for the next frontier.
#include "problems/bfs.h"

KIT_CASE(bfs) {
  const problems::Bfs problem(run.scale());
  const int *first_edge = problem.first_edge.data(), *target = problem.target.data();
  kit::Array<int> distance, frontier, next;
  run.measure(
      problem.edges(), "Medges/s", 1e6,
      [&] {
        for (int level = 1; !frontier.empty(); ++level) {
          next.clear();
#pragma omp parallel
          {
            std::vector<int> mine;
#pragma omp for schedule(dynamic, 256) nowait
            for (size_t i = 0; i < frontier.size(); ++i)
              for (int e = first_edge[frontier[i]]; e < first_edge[frontier[i] + 1]; ++e) {
                int* at = &distance[target[e]];
                int unseen = -1;
                if (__atomic_load_n(at, __ATOMIC_RELAXED) == -1 &&
                    __atomic_compare_exchange_n(at, &unseen, level, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                  mine.push_back(target[e]);
              }
#pragma omp critical
            next.insert(next.end(), mine.begin(), mine.end());
          }
          frontier.swap(next);
        }
      },
      [&] {
        distance.assign(problem.vertices, -1);
        distance[0] = 0;
        frontier.assign(1, 0);
      });
  KIT_CHECK(problem.right(distance));
}
