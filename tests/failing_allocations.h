// Memory of the host that runs out where a test says so. The program's operator new and mmap are those of the libraries
// that it uses, too. For programs without ThreadSanitizer, which has an operator new of its own.
#pragma once

#include <atomic>
#include <new>

// Of the calling thread: how many allocations are still made before one fails; negative: none fails.
extern thread_local long allocations_left;
// Of the calling thread: one of those has failed, since this was last set to false.
extern thread_local bool allocation_failed;
// The same of all threads together, and whether one has failed.
extern std::atomic<long> allocations_left_to_all;
extern std::atomic<bool> failed_anywhere;
// Blocks of operator new that nobody has given back: another thread than the one that has them may do that.
extern std::atomic<long> live_blocks;

// For what a test needs and is not about: no allocation of the thread fails meanwhile.
class Spared {
public:
  Spared() : left_(allocations_left) { allocations_left = -1; }
  ~Spared() { allocations_left = left_; }
  Spared(const Spared&) = delete;

private:
  const long left_;
};

// Calls f with its n-th allocation on this thread failing, from 0 on, and returns whether there was one; negative: none
// fails. f may let the exception pass.
template<class F> bool call_with_failing_allocation(long n, const F& f) {
  allocation_failed = false;
  allocations_left = n;
  try {
    f();
  } catch (const std::bad_alloc&) {
  }
  allocations_left = -1;
  return allocation_failed;
}
