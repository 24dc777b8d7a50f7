// Substring search, a thread per position, one atomic addition per wave that found anything.
#include "device.h"
#include "problems/substring.h"

namespace {

struct Word {
  char letters[problems::Substring::kLength];
};

__global__ void count_word(const char* text, Word word, unsigned* count, unsigned positions) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bool found = i < positions;
  for (int j = 0; found && j < problems::Substring::kLength; ++j) found = text[i + j] == word.letters[j];
  const unsigned long long votes = __ballot(found);
  if (votes && threadIdx.x % warpSize == 0) atomicAdd(count, static_cast<unsigned>(__popcll(votes)));
}

} // namespace

KIT_CASE(substring) {
  const problems::Substring problem(run.scale());
  const kit::Device<char> text(problem.text);
  kit::Device<unsigned> count(1);
  Word word;
  std::copy_n(problem.word, problem.kLength, word.letters);
  run.measure(static_cast<double>(problem.letters), "GB/s", 1e9, [&] {
    HIP_OK(hipMemsetAsync(count, 0, sizeof(unsigned), nullptr));
    count_word<<<kit::groups(problem.letters, 256), 256>>>(text, word, count, static_cast<unsigned>(problem.letters));
    kit::wait();
  });
  KIT_CHECK(problem.right(count.download()[0]));
}
