// hipify/parallel.h - a loop over files in several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace hip::hipify {

// Calls work(i) for every i below count, in `jobs` threads; 0 jobs: one per core.
template<class Work> void in_parallel(unsigned jobs, size_t count, const Work& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  const size_t threads_wanted = jobs ? jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(threads_wanted, count); ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
}

} // namespace hip::hipify
