// runtime/backend/cuda/command_list.h - a backend::CommandList as an executable graph of the driver's, which a stream
// takes as one submission. The graph is what the driver captures when a stream of ours is given the commands, with the
// dependencies that their steps ask for. Lists that the driver cannot capture, and those of one command, have no graph:
// queues are given their commands one after the other.
// Thread safety: immutable after create(), but for replace(); core gives a list to one queue at a time.
#pragma once

#include "runtime/backend/cuda/context.h"

namespace hip::cuda {

class Device;

class CommandList final : public backend::CommandList {
public:
  static Result<Ref<backend::CommandList>> create(Device& device, std::vector<backend::Command> commands);
  CommandList(Device& device, std::vector<backend::Command> commands) noexcept;

  CUgraphExec graph() const noexcept { return graph_; } // null: none
  Result<bool> replace(size_t place, backend::Command command) override {
    if (graph_ && !change(place, command)) return false;
    return backend::CommandList::replace(place, std::move(command));
  }
  // Notes the kernels of the list, or the last of them, as launched.
  void note_in(LaunchLog& log) const noexcept;

private:
  ~CommandList() override; // work that is under way goes on
  Status capture();
  // Gives the executable graph another launch in the place of one. False: the driver does not do it.
  bool change(size_t place, const backend::Command& command) const;

  Device& device_;
  Context& context_; // the device's
  CUgraphExec graph_ = nullptr;
  // What launches are changed by: the nodes of the commands (null for others than launches), and the graph that they
  // belong to, which has to be there. Null and empty where nothing can be changed.
  CUgraph source_ = nullptr;
  std::vector<CUgraphNode> nodes_;
};

} // namespace hip::cuda
