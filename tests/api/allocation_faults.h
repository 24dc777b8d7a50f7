// Memory of the host that runs out inside a call: every allocation that a call of the API makes on its thread fails
// once, the first, the second and so on. Each time the call answers hipErrorOutOfMemory or succeeds without it, keeps
// nothing, and the same call succeeds afterwards.
#pragma once

#include "failing_allocations.h"
#include "registered.h"

#include <functional>
#include <initializer_list>

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
