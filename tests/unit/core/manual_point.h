// manual_point.h - a point of a queue that is reached when the test says so.
#pragma once

#include "runtime/backend/backend.h"

#include <atomic>

class ManualPoint final : public hip::backend::Completion {
public:
  bool done() const noexcept override { return done_; }
  hip::Status wait() noexcept override { return {}; }
  hip::Status status() const noexcept override { return {}; }
  uint64_t timestamp_ns() const noexcept override { return 0; }
  void reach() noexcept { done_ = true; }

private:
  std::atomic<bool> done_{false};
};
