// runtime/core/graph/prepared_program.h - the program of an executable graph, made ready for a device, and what happens
// to it when operations change: a change of one command is noted, and the next launch makes it known to the list that
// has the command; after any other change the program is made again. Runs that are under way keep the lists that they
// use, so a step has as many lists as such runs need. Thread safety: none of its own; the lock of the executable
// (GraphExec::mutex_) is held during every call.
#pragma once

#include "runtime/core/graph/program.h"

namespace hip::core {

// Whether the stream decides if the step can be done.
inline bool needs_check(const ProgramStep& step) noexcept {
  if (!step.node) return false;
  const NodeKind kind = kind_of(step.node->operation);
  return kind == NodeKind::EventRecord || kind == NodeKind::EventWait || kind == NodeKind::BatchMemoryOperation ||
         kind == NodeKind::ExternalSignal || kind == NodeKind::ExternalWait;
}

class PreparedProgram {
public:
  std::vector<ProgramStep>& steps() noexcept { return steps_; }
  bool has_checks() const noexcept { return has_checks_; } // a step of which needs_check() is true

  // ---- changes of nodes
  // The node has another operation of the same kind.
  void note_change(const ExecNode& node, const Operation& old) noexcept;
  void note_changes(const ExecGraph& graph, const ExecGraph& old) noexcept;
  // The steps have to be made again.
  void invalidate() noexcept { is_current_ = false; }

  // ---- before a launch, in this order
  bool is_current() const noexcept { return is_current_; }
  bool lacks_changes() const noexcept { return is_current_ && any_changes_; }
  // Makes noted changes known to the lists; of the executable's runs so far the first `ended_runs` have ended. Where
  // that does not succeed, the program is no longer current.
  void take_changes(uint64_t runs, uint64_t ended_runs);
  // Makes the steps. The graph's nodes are named by them, so it stays where it is.
  void make(ExecGraph& graph);
  // Has the lists that fit any device prepared for this one, and the others for theirs. Of a program that is current.
  Status prepare(Device& device) { return prepared_for_ == &device ? Status() : prepare_steps(device); }

private:
  Result<bool> take_changes(ProgramStep& step, uint64_t runs, uint64_t ended_runs);
  Status prepare_steps(Device& device);

  std::vector<ProgramStep> steps_;
  bool is_current_ = false;        // but for changes of commands
  bool any_changes_ = false;       // which lists lack
  bool has_checks_ = false;        // the program has steps that GraphExec::check_steps() looks at
  Device* prepared_for_ = nullptr; // what steps that fit any device were prepared for
};

} // namespace hip::core
