// Steps that are tried with each of their allocations failing.
#include "allocation_faults.h"

#include <algorithm>

namespace {

struct Attempt {
  hipError_t result;
  bool failed; // an allocation
};

// The call with its n-th allocation failing, from 0 on; negative: with all of them. A success is undone.
Attempt attempt(const Step& step, long n) {
  allocation_failed = false;
  allocations_left = n;
  const hipError_t result = step.call();
  allocations_left = -1;
  Attempt a{result, allocation_failed};
  if (result == hipSuccess && step.undo() != hipSuccess) a.result = hipErrorUnknown;
  if (result != hipSuccess) (void)hipDeviceSynchronize(); // what has been begun keeps blocks until it is done
  (void)hipGetLastError();
  return a;
}

// How many blocks so many attempts keep. What is cached once (a decoder, where the last one is still in use by a launch
// that another thread ends) is not kept by the next series.
long kept_by_many(const Step& step, long n, long repeats) {
  long least = 0;
  for (int series = 0; series < 3; ++series) {
    const long before = live_blocks; // other threads may give back between two attempts what the first has left them
    for (long i = 0; i < repeats; ++i) static_cast<void>(attempt(step, n));
    const long kept = live_blocks - before;
    least = series == 0 ? kept : std::min(least, kept);
    if (least < repeats) break;
  }
  return least;
}

} // namespace

// What calls may cache is made by the first; nothing may be kept by each of many.
void check(const Step& step) {
  constexpr long kMost = 2000, kRepeats = 16;
  INFO(step.name);
  for (int i = 0; i < 3; ++i) REQUIRE(attempt(step, -1).result == hipSuccess);
  REQUIRE(hipDeviceSynchronize() == hipSuccess);
  long n = 0;
  for (; n < kMost; ++n) {
    INFO("allocation " << n);
    Attempt a = attempt(step, n);
    if (!a.failed) {
      CHECK(a.result == hipSuccess);
      break;
    }
    REQUIRE((a.result == hipErrorOutOfMemory || a.result == hipSuccess));
    CHECK(kept_by_many(step, n, kRepeats) < kRepeats);
  }
  CHECK(n < kMost);
  CHECK(attempt(step, -1).result == hipSuccess);
}
