// manual_device.h - a device of the null back end whose queues are driven by hand: the test says when work is done, and
// what fails.
#pragma once

#include "manual_point.h"
#include "runtime/backend/null/null_device.h"

#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace manual {

using namespace hip;

// Points of one queue are reached when the test says so.
class ManualQueue final : public backend::null::NullQueue {
public:
  Result<Ref<backend::Completion>> record(const backend::PointOptions&) override {
    if (fails) return error(ErrorCode::LaunchFailure, "The test says so.");
    auto point = make_ref<ManualPoint>();
    points.push_back(point);
    return Ref<backend::Completion>(point);
  }
  Status wait(const Ref<backend::Completion>& completion) override {
    if (before_wait) before_wait();
    if (fails) return error(ErrorCode::LaunchFailure, "The test says so.");
    waited_for.push_back(completion);
    return {};
  }
  ~ManualQueue() override = default;
  std::vector<Ref<ManualPoint>> points;
  std::vector<Ref<backend::Completion>> waited_for;
  std::function<void()> before_wait; // called by each wait
  bool fails = false;
};

// Counts the commands that were replaced.
class ManualList final : public backend::CommandList {
public:
  ManualList(std::vector<backend::Command> commands, const bool& refuses, int& replaced) noexcept
      : CommandList(std::move(commands)), refuses_(refuses), replaced_(replaced) {}
  Result<bool> replace(size_t place, backend::Command command) override {
    if (refuses_) return false;
    ++replaced_;
    return CommandList::replace(place, std::move(command));
  }

private:
  const bool& refuses_;
  int& replaced_;
};

class ManualDevice : public backend::null::NullDevice {
public:
  Result<Ref<backend::CommandList>> prepare(std::vector<backend::Command> commands) override {
    ++prepared;
    return Ref<backend::CommandList>(make_ref<ManualList>(std::move(commands), refuses_to_replace, replaced));
  }
  Result<std::unique_ptr<backend::Queue>> create_queue(const backend::QueueOptions&) override {
    auto queue = std::make_unique<ManualQueue>();
    queues.push_back(queue.get());
    return std::unique_ptr<backend::Queue>(std::move(queue));
  }
  Result<void*> allocate(size_t bytes, backend::MemoryKind kind) override {
    const backend::MemoryInfo info = memory_info().value();
    if (full || info.total_bytes - info.free_bytes + bytes > limit_bytes)
      return error(ErrorCode::OutOfMemory, "The test says so.");
    ++allocations;
    return NullDevice::allocate(bytes, kind);
  }
  Status free(void* base, backend::MemoryKind kind) override {
    if (no_memory_to_free) throw std::bad_alloc();
    return NullDevice::free(base, kind);
  }
  std::vector<ManualQueue*> queues;                // in the order in which streams were first used
  int allocations = 0, prepared = 0, replaced = 0; // lists, and commands of lists
  bool full = false, refuses_to_replace = false;
  bool no_memory_to_free = false;    // the host's
  uint64_t limit_bytes = UINT64_MAX; // of all allocations together
};

class ManualBackend final : public backend::Backend {
public:
  std::string_view name() const noexcept override { return "manual"; }
  std::span<backend::Device* const> devices() noexcept override { return {}; }
};

} // namespace manual
