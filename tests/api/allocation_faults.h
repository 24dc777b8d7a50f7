// Memory of the host that runs out inside a call: every allocation that a call of the API makes on its thread fails
// once, the first, the second and so on. Each time the call answers hipErrorOutOfMemory or succeeds without it, keeps
// nothing, and the same call succeeds afterwards. The program's operator new and mmap are the runtime's, too.
#pragma once

#include "registered.h"

#include <atomic>
#include <functional>
#include <initializer_list>

// Of the calling thread: how many allocations are still made before one fails; negative: none fails.
extern thread_local long allocations_left;
// The same of all threads together, and whether one has failed.
extern std::atomic<long> allocations_left_to_all;
extern std::atomic<bool> failed_anywhere;

struct Step {
  const char* name;
  std::function<hipError_t()> call;
  std::function<hipError_t()> undo = [] { return hipSuccess; }; // after a success
};

// The step with each of its allocations failing in turn.
void check(const Step& step);

// The first error.
inline hipError_t in_turn(std::initializer_list<hipError_t> results) {
  for (const hipError_t result : results)
    if (result != hipSuccess) return result;
  return hipSuccess;
}

// What a step needs and does not test: no allocation fails meanwhile.
class Spared {
public:
  Spared() : left_(allocations_left) { allocations_left = -1; }
  ~Spared() { allocations_left = left_; }
  Spared(const Spared&) = delete;

private:
  const long left_;
};
