// From an executable's nodes to the steps of its program. Nodes are taken by level: a node's level is one more than the
// highest of those it depends on, and a step's commands of one level may run at the same time.
#include "runtime/core/graph/program.h"

#include <algorithm>

namespace hip::core {
namespace {

struct LevelNode {
  ExecNode* node;
  uint32_t level;
  size_t order = 0; // among all
};

// Appends the nodes of a graph whose roots come after `level`; returns the highest level in it, at least `level`.
uint32_t collect(ExecGraph& graph, uint32_t level, std::vector<LevelNode>& out) {
  std::vector<uint32_t> ends(graph.nodes.size());
  uint32_t highest = level;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    ExecNode& node = graph.nodes[i];
    node.place = {};
    uint32_t after = level;
    for (const uint32_t dependency : node.dependencies) after = std::max(after, ends[dependency]);
    if (node.child) {
      ends[i] = collect(*node.child, after, out);
    } else if (!node.enabled || kind_of(node.operation) == NodeKind::Empty) {
      ends[i] = after; // does nothing: what depends on it depends on what it depends on
    } else {
      ends[i] = after + 1;
      out.push_back({&node, after + 1, out.size()});
    }
    highest = std::max(highest, ends[i]);
  }
  return highest;
}

bool overlap(const void* a, size_t a_bytes, const void* b, size_t b_bytes) noexcept {
  const uintptr_t x = reinterpret_cast<uintptr_t>(a), y = reinterpret_cast<uintptr_t>(b);
  return x < y + b_bytes && y < x + a_bytes;
}

bool follows(const void* end_of, size_t bytes, const void* next) noexcept {
  return static_cast<const std::byte*>(end_of) + bytes == next;
}

bool is_row(const backend::Command& c) noexcept { return c.extent.height == 1 && c.extent.depth == 1; }

// Whether `next`, which comes right after `last`, only continues it, so that one longer transfer does both. Between two
// copies that is so where the second reads nothing that the first has written, and writes nothing that the first has
// read.
bool continues(const backend::Command& last, const backend::Command& next) noexcept {
  if (last.kind != next.kind || !is_row(last) || !is_row(next)) return false;
  const size_t bytes = last.extent.width_bytes;
  if (!follows(last.dst.base, bytes, next.dst.base)) return false;
  if (last.kind == backend::Command::Kind::Fill)
    return last.pattern == next.pattern && last.pattern_bytes == next.pattern_bytes;
  return last.kind == backend::Command::Kind::Copy && follows(last.src.base, bytes, next.src.base) &&
         !overlap(last.dst.base, bytes, next.src.base, next.extent.width_bytes) &&
         !overlap(last.src.base, bytes, next.dst.base, next.extent.width_bytes);
}

bool in_same_memory(const PreparedTransfer& a, const PreparedTransfer& b) noexcept {
  return a.dst_allocation == b.dst_allocation && a.src_allocation == b.src_allocation;
}

backend::Command command_of(const KernelOperation& kernel) {
  backend::Command command;
  command.launch = kernel.launch;
  const auto block = kernel.arguments.block();
  command.arguments.assign(block.begin(), block.end());
  return command;
}

backend::Command command_of(const PreparedTransfer& transfer) {
  backend::Command command;
  command.kind = transfer.pattern_bytes ? backend::Command::Kind::Fill : backend::Command::Kind::Copy;
  command.dst = transfer.dst.memory;
  command.src = transfer.src.memory;
  command.extent = transfer.extent;
  command.pattern = transfer.pattern;
  command.pattern_bytes = transfer.pattern_bytes;
  return command;
}

class Builder {
public:
  void add(const LevelNode& at) {
    if (const auto* const kernel = std::get_if<KernelOperation>(&at.node->operation)) {
      add_command(at, &kernel->function->device(), command_of(*kernel), nullptr);
    } else if (const auto* const copy = std::get_if<CopyOperation>(&at.node->operation)) {
      add_transfers(at, copy->transfers);
    } else if (const auto* const fill = std::get_if<FillOperation>(&at.node->operation)) {
      add_transfers(at, fill->transfers);
    } else {
      steps_.emplace_back().node = at.node;
    }
  }
  std::vector<ProgramStep> take() noexcept { return std::move(steps_); }

private:
  void add_transfers(const LevelNode& at, const std::vector<PreparedTransfer>& transfers) {
    for (const PreparedTransfer& transfer : transfers)
      if (transfer.dst.image || transfer.src.image) { // all of them do themselves, in their order
        ProgramStep& step = steps_.emplace_back();
        step.node = at.node;
        step.device = transfer.owner;
        return;
      }
    for (const PreparedTransfer& transfer : transfers) add_command(at, transfer.owner, command_of(transfer), &transfer);
    if (transfers.size() > 1) at.node->place = {};
  }

  // `device` null: any device does. `transfer`: what a copy or fill was made of.
  void add_command(const LevelNode& at, Device* device, backend::Command command, const PreparedTransfer* transfer) {
    const PreparedTransfer* const before = std::exchange(last_transfer_, transfer);
    const bool needs_kernel_device = command.kind == backend::Command::Kind::Launch;
    const auto fits = [&](const ProgramStep& step) {
      if (step.node) return false;
      if (!device || !step.device) return true;
      return needs_kernel_device ? step.device == device : step.device->same_backend(*device);
    };
    const bool appends = !steps_.empty() && fits(steps_.back()) &&
                         (!needs_kernel_device || !steps_.back().device || steps_.back().device == device);
    if (!appends) steps_.emplace_back();
    ProgramStep& step = steps_.back();
    if (device && (!step.device || needs_kernel_device)) step.device = device;
    if (!step.commands.empty()) {
      backend::Command& last = step.commands.back();
      // The last command is alone in its level, or of the same level: then nothing is between the two. Neighbouring
      // allocations stay apart, because a transfer lies in one.
      if (transfer && before && (at.level == level_ || last.starts_step) && in_same_memory(*before, *transfer) &&
          continues(last, command)) {
        last.extent.width_bytes += command.extent.width_bytes;
        last_node_->place = {}; // the command is of several nodes now
        return;
      }
      command.starts_step = at.level != level_;
    }
    level_ = at.level;
    last_node_ = at.node;
    at.node->place = {static_cast<uint32_t>(steps_.size() - 1), static_cast<uint32_t>(step.commands.size())};
    step.commands.push_back(std::move(command));
  }

  std::vector<ProgramStep> steps_;
  uint32_t level_ = 0;                              // of the last command
  ExecNode* last_node_ = nullptr;                   // that made it
  const PreparedTransfer* last_transfer_ = nullptr; // that the last command was made of, if it is no launch
};

} // namespace

backend::Command command_of(const ExecNode& node) {
  if (const auto* const kernel = std::get_if<KernelOperation>(&node.operation)) return command_of(*kernel);
  if (const auto* const copy = std::get_if<CopyOperation>(&node.operation)) return command_of(copy->transfers.front());
  return command_of(std::get<FillOperation>(node.operation).transfers.front());
}

std::vector<ProgramStep> make_steps(ExecGraph& graph) {
  std::vector<LevelNode> nodes;
  collect(graph, 0, nodes);
  std::sort(nodes.begin(), nodes.end(), [](const LevelNode& a, const LevelNode& b) {
    return a.level != b.level ? a.level < b.level : a.order < b.order;
  });
  Builder builder;
  for (const LevelNode& node : nodes) builder.add(node);
  return builder.take();
}

} // namespace hip::core
