// runtime/core/graph/graph_exec.h - a graph made ready to run. An executable has copies of the graph's operations, so
// later edits of the graph do not concern it; a node of the graph names the copy. Its program is made at the first
// launch: nodes in topological order, neighbouring launches, copies and fills as command lists that the device prepares
// once and queues take as one submission, and steps of their own for host functions, events and whatever else core does
// itself. After a change that is not one command's it is made again; other changes the next launch makes known to the
// lists, of which there are as many as runs that are under way use (prepared_program.h). Handles are in exec_table.h.
// Thread safety: all functions may be called from any thread; one lock per executable, taken before a stream's lock and
// after graph_mutex().
#pragma once

#include "runtime/core/graph/graph.h"
#include "runtime/core/graph/prepared_program.h"

#include <list>
#include <unordered_map>

namespace hip::core {

// hipGraphInstantiateFlags' numbers.
enum InstantiateFlags : uint64_t {
  kAutoFreeOnLaunch = 1,
  kUploadAfterInstantiate = 2,
  kDeviceLaunch = 4,
  kUseNodePriority = 8,
};

// hipGraphExecUpdateResult's numbers.
enum class UpdateResult {
  Success,
  Error,
  TopologyChanged,
  NodeTypeChanged,
  FunctionChanged,
  ParametersChanged,
  NotSupported,
  UnsupportedFunctionChange,
};

class GraphExec {
public:
  // Error: InvalidValue for a graph with a cycle; NotSupported for a graph with memory nodes that has an executable.
  // `error_node` is the node that is wrong, if one is.
  static Result<std::shared_ptr<GraphExec>> create(Handle graph, uint64_t flags, Handle& error_node);
  ~GraphExec();

  Handle handle = nullptr;
  uint64_t flags() const noexcept { return flags_; }

  // Gives the stream one run of the graph, after the runs before it in any stream. Errors: InvalidValue when memory of
  // an allocation node is still in use, or a word that a node writes or waits for is none any more (check_values);
  // then nothing is submitted.
  Status launch(Stream& stream);
  // Does beforehand what the first launch would do.
  Status upload(Device& device);

  // Nodes are named by those of the graph, which must be there still; InvalidValue for others.
  // Replaces the operation of a node by one of the same kind. Error: InvalidValue.
  Status set_operation(Handle node, Operation operation);
  // Calls f with the operation of a node of that kind, as `const O&`.
  template<class O, class F> Status with_operation(Handle node, const F& f) {
    RT_TRY(check_alive(node));
    std::lock_guard lock(mutex_);
    RT_TRY_ASSIGN(const ExecNode* const found, find(node));
    if (const O* const operation = std::get_if<O>(&found->operation)) return f(*operation);
    return wrong_kind(kind_of(found->operation), O::kKind);
  }
  // Takes the operations of a graph of the same shape into a child graph node. Error: InvalidValue.
  Status set_child(Handle node, Handle graph);
  // Only kernels, copies and fills can be turned off. Error: InvalidValue.
  Status set_enabled(Handle node, bool enabled);
  Result<bool> enabled(Handle node);
  // Takes the operations of a graph of the same shape. `error_node` is the node of `graph` that differs, if one does.
  Result<UpdateResult> update(Handle graph, Handle& error_node);

private:
  explicit GraphExec(uint64_t flags);
  static Status check_alive(Handle node); // without the lock
  Result<ExecNode*> find(Handle node);
  void index(ExecGraph& graph);
  // Operations that others have taken the place of. Their destructors may block or call the user, so what a launch no
  // longer needs of them outlives the launch's locks. A list: what runs use goes from one to another without an
  // allocation, which could fail.
  struct Replaced {
    uint64_t runs = 0; // those up to this number use it
    ExecGraph operations;
  };
  using ReplacedList = std::list<Replaced>;
  // How far a launch has come in accounting for the memory of its nodes.
  struct MemoryUse {
    Ref<GraphAllocation> allocation;
    bool begun; // else ended
  };
  Status prepare_program(Device& device, ReplacedList& dropped);
  Status check_steps(Stream& stream);
  Status allocate_and_free(std::vector<MemoryUse>& done);
  static void undo(const std::vector<MemoryUse>& done) noexcept;
  Status follow_last_run(Stream& stream);
  Status run(Stream& stream);
  Status run_and_record(Stream& stream, ReplacedList& dropped);
  Status run_elsewhere(Stream& stream, ProgramStep& step);
  Result<Stream*> helper(Device& device);
  Result<GraphPtr> as_graph();
  void keep_replaced(ReplacedList& old) noexcept;           // until the runs so far have ended
  uint64_t drop_ended_runs(ReplacedList& dropped) noexcept; // returns how many have ended
  bool idle() noexcept;
  friend Status destroy_exec(Handle exec);
  friend void drop_left(std::list<std::shared_ptr<GraphExec>> also) noexcept;

  const uint64_t flags_;
  bool destroyed_ = false; // with graph_mutex(): its handle has ended
  std::mutex mutex_;       // all below
  ExecGraph graph_;
  std::unordered_map<Handle, ExecNode*> by_original_;
  PreparedProgram program_;
  ReplacedList replaced_; // kept until the work that uses them is done
  struct Run {
    Ref<backend::Completion> end{};
    Device* device = nullptr;
    uint64_t stream_id = 0, number = 0;
  };
  uint64_t runs_ = 0; // so far
  // Launches that may be under way, the newest last: in whatever streams they are, they end in this order.
  std::list<Run> last_runs_;
  std::list<Run> spare_runs_;                    // for launches to come, so that few of these allocate one
  std::vector<std::unique_ptr<Stream>> helpers_; // streams of other devices than the launch stream's
};

// The operations of a graph in topological order. Error: InvalidValue for a cycle. With graph_mutex().
Result<ExecGraph> copy_in_order(const Graph& graph, Handle& error_node);
// Whether `mine` can take the operations of `theirs`; then it has taken them. With graph_mutex() and the executable's
// lock.
UpdateResult take_operations(ExecGraph& mine, ExecGraph& theirs, Handle& error_node);

} // namespace hip::core
