// runtime/core/graph/program.h - an executable graph as nodes, and its program, the steps that a launch goes through
// one after the other: command lists, which a device prepares, and what core does itself. Thread safety: none of its
// own; the lock of the executable (GraphExec::mutex_) is held while its nodes or steps are used. A list that a queue
// runs does not change under it: PreparedProgram gives the step another one.
#pragma once

#include "runtime/core/event.h"
#include "runtime/core/graph/graph.h"

#include <memory>
#include <vector>

namespace hip::core {

struct ExecGraph;

// The command of a program that a node has made, and no other node.
struct CommandPlace {
  static constexpr uint32_t kNone = ~uint32_t(0);
  uint32_t step = kNone, command = 0;
};

struct ExecNode {
  Handle original = nullptr;          // the node of the graph
  Operation operation;                // a ChildOperation is empty here: see `child`
  std::vector<uint32_t> dependencies; // earlier nodes of the list
  std::unique_ptr<ExecGraph> child;
  bool enabled = true;
  CommandPlace place{}; // by make_steps()
};

struct ExecGraph {
  std::vector<ExecNode> nodes;       // in topological order
  UserObjectReferences user_objects; // of the graph that the operations are of
};

// A step's commands as a device has prepared them.
struct PreparedList {
  Ref<backend::CommandList> list;
  uint64_t changes = 0;  // how many of the step's changes it has
  uint64_t last_run = 0; // the last one that may use it, of a list that is not the step's at the moment
};

// What a launch does: one part after the other.
struct ProgramStep {
  Device* device = nullptr;               // of the commands; null: any
  std::vector<backend::Command> commands; // moved into `list` when it is prepared
  Ref<backend::CommandList> list;
  const ExecNode* node = nullptr; // of a step without commands
  // Changes of single commands since the program was made, and lists that lack some of them.
  struct Change {
    const ExecNode* node = nullptr;
    uint64_t number = 0; // from 1 on
  };
  std::vector<Change> changed{}; // the last one of each command, number 0: none; empty: none of any
  uint64_t changes = 0, list_changes = 0;
  std::vector<PreparedList> others{};
  Pin<Event> event{}; // of a step that records or waits for one, during a launch
};

// The graph's operations as steps of a program.
std::vector<ProgramStep> make_steps(ExecGraph& graph);
// The command of a node that has a place.
backend::Command command_of(const ExecNode& node);

} // namespace hip::core
