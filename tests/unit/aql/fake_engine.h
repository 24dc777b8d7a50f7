// tests/unit/aql/fake_engine.h - an engine whose kernels are host functions, to test queues and threads without code
// objects: a dispatch's kernel_object is the address of a FakeKernel.
#pragma once

#include "good.h"
#include "runtime/backend/aql/device.h"
#include "runtime/backend/aql/executable.h"
#include "runtime/backend/aql/soft/soft_agent.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <functional>

namespace hip::test {

struct FakeKernel {
  // Does one work-group; an error ends the grid.
  std::function<Status(const engine::Dispatch& dispatch, uint64_t group)> body;
  std::function<void()> prepare = nullptr; // called before the grid is made
};

class FakeGrid final : public engine::Grid {
public:
  explicit FakeGrid(const engine::Dispatch& dispatch) : dispatch_(dispatch) {
    for (int d = 0; d < 3; ++d)
      groups_ *= (dispatch.grid_items[d] + dispatch.group_items[d] - 1) / dispatch.group_items[d];
  }
  void run(engine::Worker&) noexcept override {
    for (uint64_t group; (group = next_.fetch_add(1)) < groups_;) {
      Status status = reinterpret_cast<FakeKernel*>(dispatch_.kernel_object)->body(dispatch_, group);
      if (!status.ok()) {
        std::lock_guard guard(mutex_);
        if (status_.ok()) status_ = status;
        next_.store(groups_);
      }
      ended_.fetch_add(1);
    }
  }
  bool exhausted() const noexcept override { return next_.load() >= groups_; }
  bool finished() const noexcept override { return ended_.load() == groups_; }
  const Status& status() const noexcept override { return status_; }
  uint64_t group_count() const noexcept override { return groups_; }
  void time_out(std::string_view limit) noexcept override {
    std::lock_guard guard(mutex_);
    if (status_.ok()) status_ = error(ErrorCode::LaunchTimeOut, "It was longer than {}.", limit);
    next_.store(groups_);
    time_outs.fetch_add(1);
  }
  static inline std::atomic<uint64_t> time_outs{0}; // calls of time_out(), of all grids

private:
  engine::Dispatch dispatch_;
  uint64_t groups_ = 1;
  std::atomic<uint64_t> next_{0}, ended_{0};
  std::mutex mutex_;
  Status status_;
};

// Executes fake kernels one after the other, all that the caller wants.
class FakeSequence final : public engine::DispatchSequence {
public:
  explicit FakeSequence(std::span<const engine::Dispatch> dispatches)
      : dispatches_(dispatches.begin(), dispatches.end()) {}
  size_t run(engine::Worker& worker, size_t first, size_t end) noexcept override {
    status_ = Status();
    while (first < end && dispatches_[first].kernel_object != 0) {
      FakeGrid grid(dispatches_[first++]);
      grid.run(worker);
      executed.fetch_add(1);
      status_ = grid.status();
      if (!status_.ok()) break;
    }
    return first;
  }
  const Status& status() const noexcept override { return status_; }
  static inline std::atomic<uint64_t> executed{0}; // dispatches, of all sequences

private:
  std::vector<engine::Dispatch> dispatches_;
  Status status_;
};

class FakeEngine final : public engine::Engine {
public:
  std::vector<std::string> targets() const override { return {"gfx942"}; }
  Status map_code(const engine::CodeRange&) override { return Status(); }
  void unmap_code(uint64_t) noexcept override {}
  std::unique_ptr<engine::Worker> create_worker() override { return std::make_unique<engine::Worker>(); }
  Status prepare(const engine::Dispatch& dispatch, std::unique_ptr<engine::Grid>& grid) override {
    if (const auto& prepare = reinterpret_cast<FakeKernel*>(dispatch.kernel_object)->prepare) prepare();
    grid = std::make_unique<FakeGrid>(dispatch);
    return Status();
  }
  std::unique_ptr<engine::DispatchSequence> make_sequence(std::span<const engine::Dispatch> dispatches) override {
    return std::make_unique<FakeSequence>(dispatches);
  }
};

// One software device over a fake engine.
struct FakeDevice {
  std::shared_ptr<aql::soft::System> system;
  std::unique_ptr<aql::Device> device;

  explicit FakeDevice(unsigned threads = 2, uint64_t spin_ns = 20000, uint64_t launch_limit_ns = 0) {
    aql::soft::SystemOptions options;
    options.threads = threads;
    options.spin_ns = spin_ns;
    options.launch_limit_ns = launch_limit_ns;
    options.memory_bytes = uint64_t(1) << 30;
    options.open_engine = [](const engine::AddressSpace&) -> Result<std::unique_ptr<engine::Engine>> {
      return std::unique_ptr<engine::Engine>(std::make_unique<FakeEngine>());
    };
    system = good(aql::soft::System::create(options));
    device = std::make_unique<aql::Device>(good(aql::soft::SoftAgent::create(system, "gfx942", 0)));
  }
  std::unique_ptr<backend::Queue> queue() { return good(device->create_queue({})); }
};

// A kernel of one pointer-sized argument (or one of `argument_bytes`).
struct TestKernel {
  FakeKernel fake;
  aql::AqlKernel kernel;

  TestKernel(FakeDevice& device, std::function<Status(const engine::Dispatch&, uint64_t)> body,
             uint32_t argument_bytes = 8) {
    fake.body = std::move(body);
    codeobject::KernelInfo info;
    info.name = "test";
    info.args.push_back({0, argument_bytes, codeobject::ArgKind::ByValue, codeobject::AddressSpace::None, 0, "", ""});
    info.args.push_back(
        {argument_bytes, 4, codeobject::ArgKind::HiddenBlockCountX, codeobject::AddressSpace::None, 0, "", ""});
    info.args.push_back(
        {argument_bytes + 4, 2, codeobject::ArgKind::HiddenRemainderX, codeobject::AddressSpace::None, 0, "", ""});
    info.explicit_args = 1;
    info.kernarg_segment_size = argument_bytes + 64;
    kernel.name = info.name;
    kernel.device = device.device.get();
    kernel.kernel_object = reinterpret_cast<uint64_t>(&fake);
    kernel.layout = aql::ArgumentLayout(info);
    kernel.attributes.kernarg_bytes = info.kernarg_segment_size;
  }
  Status launch(backend::Queue& queue, const void* argument, uint32_t groups = 1, uint32_t items = 64) {
    void* const pointers[] = {const_cast<void*>(argument)};
    backend::Launch launch;
    launch.kernel = &kernel;
    launch.group_items = {items, 1, 1};
    launch.grid_items = {groups * items, 1, 1};
    launch.groups = {groups, 1, 1};
    launch.argument_pointers = pointers;
    return queue.launch(launch);
  }
};

// The kernel's first argument.
template<class T> T argument(const engine::Dispatch& dispatch) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(dispatch.kernarg_address), sizeof(T));
  return value;
}

} // namespace hip::test
