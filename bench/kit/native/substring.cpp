// Substring search: vectors of positions whose first and last letters fit, and memcmp for those.
#include "problems/substring.h"

namespace {

constexpr size_t kLanes = 32;
using V = char __attribute__((vector_size(kLanes), aligned(1)));
using Words = uint64_t __attribute__((vector_size(kLanes)));

} // namespace

KIT_CASE(substring) {
  const problems::Substring problem(run.scale());
  const char *text = problem.text.data(), *word = problem.word;
  constexpr size_t kLength = problems::Substring::kLength;
  size_t count = 0;
  run.measure(static_cast<double>(problem.letters), "GB/s", 1e9, [&] {
    size_t found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
    for (size_t i = 0; i < problem.letters; i += kLanes) {
      V fits = V{} == V{};
      for (size_t letter : {size_t{0}, size_t{1}, kLength - 2, kLength - 1})
        fits &= *reinterpret_cast<const V*>(text + i + letter) == word[letter];
      const Words any = reinterpret_cast<Words>(fits);
      if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
      for (size_t l = 0; l < kLanes; ++l) found += fits[l] && std::memcmp(text + i + l, word, kLength) == 0;
    }
    count = found;
  });
  KIT_CHECK(problem.right(count));
}
