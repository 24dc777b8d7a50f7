#include "runtime/base/biased_mutex.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

using hip::BiasedMutex;
using hip::Mutex;

TEST_CASE("One thread at a time has a mutex") {
  Mutex mutex;
  long count = 0; // no atomic: the mutex orders it
  constexpr int kThreads = 8, kRounds = 20000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(count == long{kThreads} * kRounds);
}

// A biased one leans to this thread by then, so the others end that first.
TEMPLATE_TEST_CASE("Who waits long for a mutex sleeps, and is woken", "", Mutex, BiasedMutex) {
  TestType mutex;
  for (unsigned i = 0; i < BiasedMutex::kFirstStreak; ++i) std::lock_guard once(mutex);
  if constexpr (requires { mutex.leans_here(); }) REQUIRE(mutex.leans_here());
  std::unique_lock lock(mutex);
  if constexpr (requires { mutex.try_lock(); }) CHECK_FALSE(mutex.try_lock());
  std::atomic<int> arrived{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      std::lock_guard mine(mutex);
      ++arrived;
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // beyond what they spin
  CHECK(arrived == 0);
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
  CHECK(arrived == 3);
  if constexpr (requires { mutex.try_lock(); }) {
    CHECK(mutex.try_lock());
    mutex.unlock();
  }
}
