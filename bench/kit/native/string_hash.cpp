// Hashes of strings of different lengths, string by string.
#include "problems/string_hash.h"

KIT_CASE(string_hash) {
  const problems::StringHash problem(run.scale());
  kit::Array<uint32_t> hashes(problem.strings());
  run.measure(static_cast<double>(problem.text.size()), "GB/s", 1e9, [&] {
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < hashes.size(); ++s)
      hashes[s] = problems::StringHash::hash(&problem.text[problem.begins[s]], problem.text.data() + problem.begins[s + 1]);
  });
  KIT_CHECK(problem.right(hashes));
}
