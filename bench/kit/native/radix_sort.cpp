// Least significant digit radix sort, 11 bits a pass, a stretch of the keys and a histogram per thread.
#include "problems/radix_sort.h"

#include <omp.h>

KIT_CASE(radix_sort) {
  constexpr int kBits = 11, kDigits = 1 << kBits;
  const problems::RadixSort problem(run.scale());
  const size_t n = problem.keys.size();
  const size_t threads = static_cast<size_t>(omp_get_max_threads());
  kit::Array<uint32_t> keys, other(n);
  std::vector<kit::Array<uint32_t>> counts(threads, kit::Array<uint32_t>(kDigits));
  run.measure(
      static_cast<double>(n), "Mkeys/s", 1e6,
      [&] {
        for (int shift = 0; shift < 32; shift += kBits) {
          const uint32_t* from = keys.data();
          uint32_t* to = other.data();
#pragma omp parallel num_threads(threads)
          {
            const size_t id = static_cast<size_t>(omp_get_thread_num());
            const size_t first = n * id / threads, last = n * (id + 1) / threads;
            uint32_t* count = counts[id].data();
            std::fill_n(count, kDigits, 0u);
            for (size_t i = first; i < last; ++i) ++count[(from[i] >> shift) & (kDigits - 1)];
#pragma omp barrier
#pragma omp single
            {
              uint32_t sum = 0;
              for (int digit = 0; digit < kDigits; ++digit)
                for (size_t w = 0; w < threads; ++w) {
                  const uint32_t here = counts[w][digit];
                  counts[w][digit] = sum;
                  sum += here;
                }
            }
            for (size_t i = first; i < last; ++i) to[count[(from[i] >> shift) & (kDigits - 1)]++] = from[i];
          }
          keys.swap(other);
        }
      },
      [&] { keys = problem.keys; });
  KIT_CHECK(problem.right(keys));
}
