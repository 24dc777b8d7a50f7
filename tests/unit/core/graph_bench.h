// graph_bench.h - graphs and executables over a device whose work is done when the test says so.
#pragma once

#include "manual_device.h"
#include "runtime/backend/images.h"
#include "runtime/core/graph/exec_table.h"

#include <catch2/catch.hpp>

namespace manual {

using namespace hip::core;

// Counts how many of its kind live.
struct Tracked final : backend::Image {
  explicit Tracked(int& count) noexcept : Image({}), alive(count) { ++alive; }
  ~Tracked() override { --alive; }
  Result<Ref<backend::Image>> level(uint32_t) override { return error(ErrorCode::InvalidValue, "Of no use here."); }
  int& alive;
};

struct GraphBench {
  ~GraphBench() {
    reach_all();
    Handle wrong = nullptr;
    if (auto last = instantiate(graph, 0, wrong); last.ok()) // drops what was left
      CHECK(destroy_exec(*last).ok());
    CHECK(destroy_graph(graph).ok());
  }
  void reach_all() {
    for (manual::ManualQueue* queue : hal.queues)
      for (const auto& point : queue->points) point->reach();
  }
  // A copy that keeps a Tracked alive, which is counted.
  CopyOperation copy() { return copy(alive); }
  CopyOperation copy(int& counted) {
    PreparedTransfer transfer;
    transfer.dst.memory = {to, sizeof to, sizeof to};
    transfer.src.memory = {from, sizeof from, sizeof from};
    transfer.extent = {sizeof to, 1, 1};
    transfer.dst_image = make_ref<Tracked>(counted);
    CopyOperation operation;
    operation.transfers.push_back(std::move(transfer));
    return operation;
  }
  Handle add(Handle where, Operation operation) {
    auto node = add_node(where, nullptr, 0, std::move(operation));
    REQUIRE(node.ok());
    return *node;
  }
  Handle make_exec(Handle of) {
    Handle wrong = nullptr;
    auto exec = instantiate(of, 0, wrong);
    REQUIRE(exec.ok());
    return *exec;
  }
  // A user object that the graph alone holds.
  void give_object(Handle to_graph) {
    const Handle object = create_user_object(&destroyed, [](void* count) { ++*static_cast<int*>(count); }, 1);
    REQUIRE(retain_user_object(to_graph, object, 1, Move::Yes).ok());
  }
  Status launch(Handle exec) { return find_exec(exec).value()->launch(stream); }

  manual::ManualDevice hal;
  manual::ManualBackend group;
  Device device{0, hal, group};
  Stream stream{device, Stream::Kind::NonBlocking, 0, 0}, other{device, Stream::Kind::NonBlocking, 0, 0};
  char to[8]{}, from[8]{'n', 'e', 'w'};
  int alive = 0, destroyed = 0;
  Handle graph = create_graph();
};

// A copy of one byte.
inline CopyOperation byte_copy(char* to, const char* from) {
  PreparedTransfer transfer;
  transfer.dst.memory = {to, 1, 1};
  transfer.src.memory = {const_cast<char*>(from), 1, 1};
  transfer.extent = {1, 1, 1};
  CopyOperation operation;
  operation.transfers.push_back(std::move(transfer));
  return operation;
}

} // namespace manual
