#include "runtime/base/biased_mutex.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

using hip::BiasedMutex;

namespace {

void take(BiasedMutex& mutex, unsigned times) {
  for (unsigned i = 0; i < times; ++i) std::lock_guard lock(mutex);
}
void make_lean(BiasedMutex& mutex) { // for the first time
  take(mutex, BiasedMutex::kFirstStreak);
  REQUIRE(mutex.leans_here());
}

} // namespace

TEST_CASE("A lock leans to the thread that takes it time and again, until another one wants it") {
  BiasedMutex mutex;
  take(mutex, BiasedMutex::kFirstStreak - 1);
  CHECK_FALSE(mutex.leans_here());
  make_lean(mutex);
  take(mutex, 1000);
  std::thread([&] {
    CHECK_FALSE(mutex.leans_here());
    take(mutex, 1);
    CHECK_FALSE(mutex.leans_here());
  }).join();
  CHECK_FALSE(mutex.leans_here());
  take(mutex, 2 * BiasedMutex::kFirstStreak - 1);
  CHECK_FALSE(mutex.leans_here()); // twice as long as before
  take(mutex, 1);
  CHECK(mutex.leans_here());
}

TEST_CASE("A lock that several threads want in turn stays an ordinary one") {
  BiasedMutex mutex;
  unsigned leaned = 0;
  for (unsigned end = 0; end < BiasedMutex::kMostEnds + 3; ++end) {
    take(mutex, BiasedMutex::kFirstStreak << end);
    leaned += mutex.leans_here();
    std::thread([&] { take(mutex, 1); }).join();
  }
  CHECK(leaned == BiasedMutex::kMostEnds);
}

// Threads come back for streaks of different lengths, so that leans begin and end in the middle of others' attempts; a
// new lock each time, for a lock that has seen much no longer leans.
TEST_CASE("One thread at a time has a lock, whoever it leans to") {
  constexpr int kThreads = 4, kLocks = 60, kTakes = 3000;
  for (int round = 0; round < kLocks; ++round) {
    BiasedMutex mutex;
    long count = 0; // no atomic: the lock orders it
    bool inside = false;
    std::atomic<bool> together{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kTakes; ++i) {
          {
            std::lock_guard lock(mutex);
            if (inside) together = true;
            inside = true;
            ++count;
            inside = false;
          }
          if (i % (100 + 150 * t) == 0) std::this_thread::yield();
          if (t > 0 && i % 500 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50 * t));
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK_FALSE(together);
    CHECK(count == long{kThreads} * kTakes);
  }
}

TEST_CASE("A lock outlives the thread that it leans to") {
  BiasedMutex mutex;
  long count = 0;
  for (int t = 0; t < 10; ++t)
    std::thread([&] {
      for (unsigned i = 0; i < 3 * BiasedMutex::kFirstStreak; ++i) {
        std::lock_guard lock(mutex);
        ++count;
      }
    }).join();
  std::lock_guard lock(mutex);
  CHECK(count == 10 * 3 * long{BiasedMutex::kFirstStreak});
}
