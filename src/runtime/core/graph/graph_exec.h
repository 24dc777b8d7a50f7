// runtime/core/graph/graph_exec.h - a graph made ready to run. An executable has copies of the graph's operations, so
// later edits of the graph do not concern it; a node of the graph names the copy. Its program is made at the first
// launch: nodes in topological order, neighbouring launches, copies and fills as command lists that the device prepares
// once and queues take as one submission, and steps of their own for host functions, events and whatever else core does
// itself. After a change that is not one command's it is made again; other changes the next launch makes known to the
// lists, of which there are as many as runs that are under way use.
// Thread safety: all functions may be called from any thread; one lock per executable, taken before a stream's lock and
// after graph_mutex().
#pragma once

#include "runtime/core/event.h"
#include "runtime/core/graph/graph.h"

#include <unordered_map>

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

// hipGraphInstantiateFlags' numbers.
enum InstantiateFlags : uint64_t {
  kAutoFreeOnLaunch = 1,
  kUploadAfterInstantiate = 2,
  kDeviceLaunch = 4,
  kUseNodePriority = 8,
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
  // What a launch no longer needs; its destructors may block or call the user, so it outlives the launch's locks.
  struct Replaced {
    uint64_t runs; // those up to this number use it
    ExecGraph operations;
  };
  using Dropped = std::vector<Replaced>;
  // How far a launch has come in accounting for the memory of its nodes.
  struct MemoryUse {
    Ref<GraphAllocation> allocation;
    bool begun; // else ended
  };
  // The node has another operation of the same kind.
  void note_change(const ExecNode& node, const Operation& old) noexcept;
  void note_changes(const ExecGraph& graph, const ExecGraph& old) noexcept;
  void make_program(Dropped& dropped);
  // False: the program has to be made again.
  bool take_changes(Dropped& dropped);
  Result<bool> take_changes(ProgramStep& step, uint64_t ended_runs);
  Status prepare_program(Device& device, Dropped& dropped);
  Status check_steps(Stream& stream);
  Status allocate_and_free(std::vector<MemoryUse>& done);
  static void undo(const std::vector<MemoryUse>& done) noexcept;
  Status follow_last_run(Stream& stream);
  Status run(Stream& stream);
  Status run_and_record(Stream& stream, Dropped& dropped);
  Status run_elsewhere(Stream& stream, ProgramStep& step);
  Result<Stream*> helper(Device& device);
  Result<GraphPtr> as_graph();
  void keep_replaced(ExecGraph old);
  uint64_t drop_ended_runs(Dropped& dropped); // returns how many have ended
  bool idle();
  friend Status destroy_exec(Handle exec);
  friend void drop_left(std::shared_ptr<GraphExec> leaving);

  const uint64_t flags_;
  bool destroyed_ = false; // with graph_mutex(): its handle has ended
  std::mutex mutex_;       // all below
  ExecGraph graph_;
  std::unordered_map<Handle, ExecNode*> by_original_;
  std::vector<ProgramStep> program_;
  bool program_is_current_ = false; // but for changes of commands
  bool any_changes_ = false;        // which lists lack
  bool has_checks_ = false;         // the program has steps that check_steps() looks at
  Device* prepared_for_ = nullptr;  // what steps that fit any device were prepared for
  std::vector<Replaced> replaced_;  // kept until the work that uses them is done
  struct Run {
    Ref<backend::Completion> end;
    Device* device;
    uint64_t stream_id;
    uint64_t number;
  };
  uint64_t runs_ = 0;                            // so far
  std::vector<Run> last_runs_;                   // launches that may be under way, the newest last
  std::vector<std::unique_ptr<Stream>> helpers_; // streams of other devices than the launch stream's
};

// The operations of a graph in topological order. Error: InvalidValue for a cycle. With graph_mutex().
Result<ExecGraph> copy_in_order(const Graph& graph, Handle& error_node);
// Whether `mine` can take the operations of `theirs`; then it has taken them. With graph_mutex() and the executable's
// lock.
UpdateResult take_operations(ExecGraph& mine, ExecGraph& theirs, Handle& error_node);
// The graph's operations as steps of a program.
std::vector<ProgramStep> make_steps(ExecGraph& graph);
// The command of a node that has a place.
backend::Command command_of(const ExecNode& node);

Result<Handle> instantiate(Handle graph, uint64_t flags, Handle& error_node);
Result<std::shared_ptr<GraphExec>> find_exec(Handle exec);
// Work of the executable that is under way runs to its end. Error: InvalidValue.
Status destroy_exec(Handle exec);
// Executables that were destroyed while their work was under way go with the next call that finds it done: a part
// of after_host_query(), for a program may wait for the destructor of a user's object next.
void drop_ended_execs() noexcept;

} // namespace hip::core
