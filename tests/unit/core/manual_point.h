// manual_point.h - a point of a queue that is reached when the test says so.
#pragma once

#include "runtime/backend/backend.h"

#include <atomic>

class ManualPoint final : public hip::backend::Completion {
public:
  bool done() const noexcept override {
    ++questions_;
    if (questions_left_ != 0 && --questions_left_ == 0) done_ = true;
    return done_;
  }
  hip::Status wait() noexcept override { return {}; }
  hip::Status status() const noexcept override { return {}; }
  uint64_t timestamp_ns() const noexcept override { return 0; }
  void reach() noexcept { done_ = true; }
  // Lets the point be reached when it was asked so many times whether it is.
  void reach_after(int questions) noexcept { questions_left_ = questions; }

  int questions() const noexcept { return questions_; } // whether it is

private:
  mutable std::atomic<bool> done_{false};
  mutable std::atomic<int> questions_{0};
  mutable std::atomic<int> questions_left_{0};
};
