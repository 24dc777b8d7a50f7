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
  CommandList(Context& context, std::vector<backend::Command> commands) noexcept
      : backend::CommandList(std::move(commands)), context_(context) {}

  CUgraphExec graph() const noexcept { return graph_; } // null: none
  Result<bool> replace(size_t place, backend::Command command) override {
    if (graph_) return false; // the driver has copied the commands
    return backend::CommandList::replace(place, std::move(command));
  }
  // Notes the kernels of the list, or the last of them, as launched.
  void note_in(LaunchLog& log) const noexcept;

private:
  ~CommandList() override; // work that is under way goes on
  Status capture(Device& device);

  Context& context_;
  CUgraphExec graph_ = nullptr;
};

} // namespace hip::cuda
