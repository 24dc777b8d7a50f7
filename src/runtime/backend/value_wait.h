// runtime/backend/value_wait.h - what a stream waits for in memory (hipStreamWaitValue), and how a host thread waits
// for it on devices whose queues cannot. Thread safety: plain data. Memory ordering: holds() is an acquire operation on
// the word.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace hip::backend {

enum class ValueCondition : uint32_t { GreaterOrEqual, Equal, And, Nor }; // HIP's and CUDA's numbers

struct ValueWait {
  const void* address = nullptr; // a multiple of `bytes`
  uint64_t value = 0, mask = ~uint64_t{0};
  ValueCondition condition = ValueCondition::GreaterOrEqual;
  uint32_t bytes = 8; // 4 or 8

  // For a word that has the value `read`; HIP's documentation, hipStreamWaitValue32.
  bool holds_for(uint64_t read) const noexcept {
    const uint64_t width = bytes == 4 ? UINT32_MAX : UINT64_MAX;
    const uint64_t word = read & mask & width, wanted = value & width;
    switch (condition) {
    case ValueCondition::GreaterOrEqual:
      return word >= wanted;
    case ValueCondition::Equal:
      return word == wanted;
    case ValueCondition::And:
      return (word & wanted) != 0;
    case ValueCondition::Nor:
      return (~(word | (wanted & mask)) & width) != 0;
    }
    return true;
  }
  // For memory that the host may read in place.
  bool holds() const noexcept {
    return holds_for(bytes == 4 ? __atomic_load_n(static_cast<const uint32_t*>(address), __ATOMIC_ACQUIRE)
                                : __atomic_load_n(static_cast<const uint64_t*>(address), __ATOMIC_ACQUIRE));
  }
  // Blocks until it holds: looks often at first, then some 20000 times a second. From then on it asks gives_up() each
  // time, which returns true when whoever writes the word may be gone. Whether it holds.
  template<class GivesUp> bool wait_on_host(const GivesUp& gives_up) const {
    constexpr int kYields = 200;
    for (int turn = 0; !holds(); ++turn) {
      if (turn < kYields)
        std::this_thread::yield();
      else if (gives_up())
        return holds(); // it may have been written just before
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
  }
  // Blocks until it holds.
  void wait_on_host() const noexcept {
    wait_on_host([] { return false; });
  }
};

} // namespace hip::backend
