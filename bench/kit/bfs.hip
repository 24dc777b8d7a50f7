// Breadth-first search level by level: a thread per vertex of the frontier, compare-and-swap on the distances, a shared
// counter for the next frontier.
#include "device.h"
#include "problems/bfs.h"

namespace {

__global__ void expand(const int* first_edge, const int* target, int* distance, const int* frontier, int size,
                       int* next, int* next_size, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int vertex = frontier[i];
  for (int e = first_edge[vertex]; e < first_edge[vertex + 1]; ++e) {
    const int to = target[e];
    if (distance[to] == -1 && atomicCAS(&distance[to], -1, level) == -1) next[atomicAdd(next_size, 1)] = to;
  }
}

} // namespace

KIT_CASE(bfs) {
  const problems::Bfs problem(run.scale());
  const size_t n = static_cast<size_t>(problem.vertices);
  const kit::Device<int> first_edge(problem.first_edge), target(problem.target), next_size(1);
  kit::Device<int> distance(n), frontier(n), next(n);
  run.measure(
      problem.edges(), "Medges/s", 1e6,
      [&] {
        int *from = frontier, *to = next, size = 1;
        for (int level = 1; size > 0; ++level) {
          HIP_OK(hipMemsetAsync(next_size, 0, sizeof(int), nullptr));
          expand<<<kit::groups(size, 256), 256>>>(first_edge, target, distance, from, size, to, next_size, level);
          HIP_OK(hipGetLastError());
          HIP_OK(hipMemcpy(&size, next_size, sizeof(int), hipMemcpyDeviceToHost));
          std::swap(from, to);
        }
      },
      [&] {
        distance.fill(0xff);
        HIP_OK(hipMemset(distance, 0, sizeof(int)));
        HIP_OK(hipMemset(frontier, 0, sizeof(int)));
      });
  KIT_CHECK(problem.right(distance.download()));
}
