#include "runtime/core/graph/graph_exec.h"

#include "runtime/core/event.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/shared_event.h"

#include <algorithm>

namespace hip::core {
namespace {

struct HostCall {
  void (*function)(void*);
  void* user_data;
};

// ---- steps that core does itself; the stream's lock is held --------------------------------------------------------

struct SubmitStep {
  const ProgramStep& step;
  backend::Queue& queue;

  Status operator()(const HostOperation& host) const {
    auto call = std::make_unique<HostCall>(HostCall{host.function, host.user_data});
    RT_TRY(queue.host_function(
        [](void* data, const Status&) {
          const std::unique_ptr<HostCall> owned(static_cast<HostCall*>(data));
          owned->function(owned->user_data);
        },
        call.get()));
    static_cast<void>(call.release()); // the queue's now
    return {};
  }
  Status operator()(const CopyOperation& copy) const {
    for (const PreparedTransfer& transfer : copy.transfers) RT_TRY(transfer.submit(queue));
    return {};
  }
  Status operator()(const EventRecordOperation&) const { return step.event->record_in(queue); }
  Status operator()(const EventWaitOperation&) const {
    if (!step.event) return {}; // the host has waited for it
    if (step.event->shared()) return step.event->shared()->hold(queue);
    const Ref<backend::Completion> point = step.event->point();
    return point ? queue.wait(point) : Status(); // none: never recorded
  }
  Status operator()(const BatchOperation& batch) const { return submit_values(queue, batch.operations); }
  Status operator()(const ExternalSignalOperation& o) const { return queue.external(o.kAction, o.steps.list); }
  Status operator()(const ExternalWaitOperation& o) const { return queue.external(o.kAction, o.steps.list); }
  // Memory of a node has its place from the beginning, and its use is accounted for when the graph is launched.
  Status operator()(const AllocationOperation&) const { return {}; }
  Status operator()(const FreeOperation&) const { return {}; }
  template<class O> Status operator()(const O&) const { return {}; } // in command lists, or nothing to do
};

Status submit_step(const ProgramStep& step, backend::Queue& queue) {
  if (step.list) return queue.run(step.list);
  return std::visit(SubmitStep{step, queue}, step.node->operation);
}

} // namespace

// ---- executables ---------------------------------------------------------------------------------------------------

GraphExec::GraphExec(uint64_t flags) : flags_(flags) {}

GraphExec::~GraphExec() = default;

Result<std::shared_ptr<GraphExec>> GraphExec::create(Handle handle, uint64_t flags, Handle& error_node) {
  std::shared_ptr<GraphExec> exec, before; // an unfinished one is dropped after the lock
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  const bool has_memory = graph->uses_memory_nodes();
  if (has_memory) before = graph->memory_user.lock();
  if (before && !before->destroyed_)
    return error(ErrorCode::NotSupported, "A graph with memory allocation or free nodes has one executable at a time.");
  exec = std::shared_ptr<GraphExec>(new GraphExec(flags));
  RT_TRY_ASSIGN(exec->graph_, copy_in_order(*graph, error_node));
  exec->index(exec->graph_);
  if (before) { // its work may be under way in the same memory: the new one's runs come after it
    std::lock_guard before_lock(before->mutex_);
    exec->last_runs_ = before->last_runs_;
    exec->runs_ = before->runs_;
  }
  if (has_memory) graph->memory_user = exec;
  return exec;
}

void GraphExec::index(ExecGraph& graph) {
  for (ExecNode& node : graph.nodes) {
    by_original_[node.original] = &node;
    if (node.child) index(*node.child);
  }
}

Status GraphExec::check_alive(Handle node) {
  std::lock_guard lock(graph_mutex());
  return find_node(node).status();
}

Result<ExecNode*> GraphExec::find(Handle node) {
  const auto found = by_original_.find(node);
  if (found == by_original_.end())
    return error(ErrorCode::InvalidValue, "{} is no node of the graph that the executable was made of.",
                 const_cast<void*>(node));
  return found->second;
}

void GraphExec::keep_replaced(ReplacedList& old) noexcept {
  for (Replaced& replaced : old) replaced.runs = runs_;
  replaced_.splice(replaced_.end(), old);
}

// Runs end one after the other, also in several streams (follow_last_run), so no run behind the first one that is under
// way is looked at.
uint64_t GraphExec::drop_ended_runs(ReplacedList& dropped) noexcept {
  auto run = last_runs_.begin();
  for (; run != last_runs_.end() && run->end->done(); ++run) run->end = {};
  spare_runs_.splice(spare_runs_.end(), last_runs_, last_runs_.begin(), run);
  const uint64_t ended = last_runs_.empty() ? runs_ : last_runs_.front().number - 1;
  const auto kept = std::find_if(replaced_.begin(), replaced_.end(), [&](const Replaced& r) { return r.runs > ended; });
  dropped.splice(dropped.end(), replaced_, replaced_.begin(), kept);
  return ended;
}

bool GraphExec::idle() noexcept {
  ReplacedList dropped;
  std::lock_guard lock(mutex_);
  drop_ended_runs(dropped);
  return last_runs_.empty();
}

// ---- changes -------------------------------------------------------------------------------------------------------

Status GraphExec::set_operation(Handle handle, Operation operation) {
  RT_TRY(check_alive(handle));
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(ExecNode* const node, find(handle));
  if (node->child || node->operation.index() != operation.index())
    return wrong_kind(node->child ? NodeKind::ChildGraph : kind_of(node->operation), kind_of(operation));
  const bool idle = last_runs_.empty() || last_runs_.back().end->done(); // runs end one after the other
  ReplacedList old;
  if (!idle) old.emplace_back().operations.nodes.emplace_back(); // there may be no memory, so before anything changes
  std::swap(node->operation, operation);
  program_.note_change(*node, operation);
  if (idle) return {}; // nobody uses the old one
  old.front().operations.nodes.front().operation = std::move(operation);
  keep_replaced(old);
  return {};
}

Status GraphExec::set_child(Handle handle, Handle graph_handle) {
  ReplacedList old(1); // first theirs, then what they replace; dropped after the locks
  ExecGraph& theirs = old.front().operations;
  std::lock_guard graphs_lock(graph_mutex());
  RT_TRY(check_alive(handle));
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(graph_handle));
  Handle error_node = nullptr;
  RT_TRY_ASSIGN(theirs, copy_in_order(*graph, error_node));
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(ExecNode* const node, find(handle));
  if (!node->child) return wrong_kind(kind_of(node->operation), NodeKind::ChildGraph);
  if (const UpdateResult result = take_operations(*node->child, theirs, error_node); result != UpdateResult::Success)
    return error(ErrorCode::InvalidValue, "The graph differs from the child graph (hipGraphExecUpdateResult {}).",
                 static_cast<int>(result));
  program_.note_changes(*node->child, theirs);
  keep_replaced(old);
  return {};
}

Status GraphExec::set_enabled(Handle handle, bool enabled) {
  RT_TRY(check_alive(handle));
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(ExecNode* const node, find(handle));
  const NodeKind kind = kind_of(node->operation);
  if (node->child || (kind != NodeKind::Kernel && kind != NodeKind::Copy && kind != NodeKind::Fill))
    return error(ErrorCode::InvalidValue, "Only kernels, copies and fills can be enabled and disabled.");
  if (node->enabled == enabled) return {};
  node->enabled = enabled;
  program_.invalidate();
  return {};
}

Result<bool> GraphExec::enabled(Handle handle) {
  RT_TRY(check_alive(handle));
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(const ExecNode* const node, find(handle));
  const NodeKind kind = kind_of(node->operation);
  if (node->child || (kind != NodeKind::Kernel && kind != NodeKind::Copy && kind != NodeKind::Fill))
    return error(ErrorCode::InvalidValue, "Only kernels, copies and fills can be enabled and disabled.");
  return node->enabled;
}

Result<UpdateResult> GraphExec::update(Handle handle, Handle& error_node) {
  ReplacedList old(1); // first theirs, then what they replace; dropped after the locks
  ExecGraph& theirs = old.front().operations;
  std::lock_guard graphs_lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(theirs, copy_in_order(*graph, error_node));
  std::lock_guard lock(mutex_);
  const UpdateResult result = take_operations(graph_, theirs, error_node);
  if (result != UpdateResult::Success) return result;
  program_.note_changes(graph_, theirs);
  keep_replaced(old);
  return result;
}

// ---- launches ------------------------------------------------------------------------------------------------------

Status GraphExec::prepare_program(Device& device, ReplacedList& dropped) {
  if (program_.lacks_changes()) program_.take_changes(runs_, drop_ended_runs(dropped));
  if (!replaced_.empty() || !program_.is_current()) drop_ended_runs(dropped);
  // Nothing may come between the two: a program that was made counts as current, and has no lists before prepare().
  if (!program_.is_current()) program_.make(graph_);
  return program_.prepare(device);
}

Status GraphExec::upload(Device& device) {
  ReplacedList dropped;
  std::lock_guard lock(mutex_);
  return prepare_program(device, dropped);
}

// Finds and checks the events of the program and the like, so that nothing was submitted yet when one is gone. An event
// of another back end is waited for here.
Status GraphExec::check_steps(Stream& stream) {
  for (ProgramStep& step : program_.steps()) {
    if (!needs_check(step)) continue;
    if (const auto* const batch = std::get_if<BatchOperation>(&step.node->operation)) {
      // The memory of a word may have been freed, unmapped or protected since the node was made.
      RT_TRY(check_values(stream.device(), batch->operations));
      continue;
    }
    if (const auto* const signal = std::get_if<ExternalSignalOperation>(&step.node->operation)) {
      RT_TRY(check_external(stream.device(), signal->steps));
      continue;
    }
    if (const auto* const wait = std::get_if<ExternalWaitOperation>(&step.node->operation)) {
      RT_TRY(check_external(stream.device(), wait->steps));
      continue;
    }
    if (const auto* const record = std::get_if<EventRecordOperation>(&step.node->operation)) {
      RT_TRY_ASSIGN(step.event, find_event(record->event));
      step.device = &step.event->device(); // whose streams alone record it
      continue;
    }
    RT_TRY_ASSIGN(step.event, find_event(std::get<EventWaitOperation>(step.node->operation).event));
    if (step.event->shared() || step.event->device().same_backend(stream.device())) continue;
    if (const Ref<backend::Completion> point = step.event->point()) RT_TRY(point->wait());
    step.event = {};
  }
  return {};
}

Status GraphExec::allocate_and_free(std::vector<MemoryUse>& done) {
  for (const ExecNode& node : graph_.nodes)
    if (const auto* const made = std::get_if<AllocationOperation>(&node.operation))
      if (made->allocation->in_use() && !(flags_ & kAutoFreeOnLaunch))
        return error(ErrorCode::InvalidValue,
                     "The memory at {} of an allocation node was not freed since the last launch.",
                     made->allocation->address());
  for (const ExecNode& node : graph_.nodes) { // in topological order: what is freed here was made before
    if (const auto* const made = std::get_if<AllocationOperation>(&node.operation))
      if (made->allocation->begin_use()) done.push_back({made->allocation, true});
    if (const auto* const freed = std::get_if<FreeOperation>(&node.operation)) {
      const Ref<GraphAllocation> allocation = find_graph_allocation(freed->address);
      if (!allocation) continue; // the graph that made it is gone, and the memory with it
      RT_TRY(free_graph_allocation(*allocation));
      done.push_back({allocation, false});
    }
  }
  return {};
}

void GraphExec::undo(const std::vector<MemoryUse>& done) noexcept {
  for (size_t i = done.size(); i-- > 0;)
    static_cast<void>(done[i].begun ? done[i].allocation->end_use() : done[i].allocation->begin_use());
}

Result<Stream*> GraphExec::helper(Device& device) {
  for (const auto& stream : helpers_)
    if (&stream->device() == &device) return stream.get();
  helpers_.push_back(std::make_unique<Stream>(device, Stream::Kind::NonBlocking, 0, 0));
  return helpers_.back().get();
}

// A step of another device than the stream's: in a stream of that device, between two waits.
Status GraphExec::run_elsewhere(Stream& stream, ProgramStep& step) {
  RT_TRY_ASSIGN(Stream* const other, helper(*step.device));
  RT_TRY_ASSIGN(const Ref<backend::Completion> before, stream.record({.timed = false}));
  RT_TRY(other->wait_now(before, stream.device()));
  RT_TRY(other->submit_now([&](backend::Queue& queue) { return submit_step(step, queue); }));
  RT_TRY_ASSIGN(const Ref<backend::Completion> after, other->record({.timed = false}));
  return stream.wait_now(after, *step.device);
}

// An executable runs once at a time: a run waits for one that is under way in another stream.
Status GraphExec::follow_last_run(Stream& stream) {
  if (last_runs_.empty() || last_runs_.back().stream_id == stream.id() || last_runs_.back().end->done()) return {};
  return stream.wait_now(last_runs_.back().end, *last_runs_.back().device);
}

Status GraphExec::run(Stream& stream) {
  std::vector<ProgramStep>& steps = program_.steps();
  const auto is_elsewhere = [&](const ProgramStep& step) { return step.device && step.device != &stream.device(); };
  for (size_t begin = 0; begin < steps.size();) {
    if (is_elsewhere(steps[begin])) {
      RT_TRY(run_elsewhere(stream, steps[begin++]));
      continue;
    }
    RT_TRY(stream.submit_now([&](backend::Queue& queue) -> Status {
      for (; begin < steps.size() && !is_elsewhere(steps[begin]); ++begin) RT_TRY(submit_step(steps[begin], queue));
      return {};
    }));
  }
  return {};
}

// With an error, perhaps a part was submitted.
Status GraphExec::run_and_record(Stream& stream, ReplacedList& dropped) {
  RT_TRY(follow_last_run(stream));
  if (last_runs_.size() >= 8) drop_ended_runs(dropped);
  if (spare_runs_.empty()) spare_runs_.emplace_back(); // what runs must be known to run
  Status submitted = Status::no_memory();
  Result<Ref<backend::Completion>> end = Status::no_memory();
  try {
    submitted = run(stream);
  } catch (const std::bad_alloc&) {
  }
  ++runs_;
  try {
    end = stream.record({.timed = false});
  } catch (const std::bad_alloc&) {
  }
  if (end.ok()) {
    spare_runs_.front() = {std::move(end).value(), &stream.device(), stream.id(), runs_};
    last_runs_.splice(last_runs_.end(), spare_runs_, spare_runs_.begin());
  } else { // nobody could tell later whether the run has ended
    stream.finish();
  }
  return submitted.ok() ? end.status() : submitted;
}

Status GraphExec::launch(Stream& stream) {
  if (stream.captures()) {
    if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
    RT_TRY_ASSIGN(GraphPtr child, as_graph());
    return capture_operation(stream, ChildOperation{std::move(child)});
  }
  ReplacedList dropped;
  std::vector<MemoryUse> memory;
  std::lock_guard lock(mutex_);
  RT_TRY(prepare_program(stream.device(), dropped));
  Status status;
  try {
    if (program_.has_checks()) status = check_steps(stream);
    if (status.ok()) status = allocate_and_free(memory);
    if (status.ok() && !program_.steps().empty()) status = run_and_record(stream, dropped);
  } catch (const std::bad_alloc&) {
    status = Status::no_memory();
  }
  if (!status.ok()) undo(memory); // what a failed launch has made or freed counts as it did before
  if (program_.has_checks())
    for (ProgramStep& step : program_.steps()) step.event = {};
  return status;
}

namespace {

Result<GraphPtr> graph_of(const ExecGraph& exec) {
  auto graph = std::make_shared<Graph>();
  graph->user_objects = exec.user_objects;
  std::vector<GraphNode*> nodes;
  for (const ExecNode& node : exec.nodes) {
    Operation operation = node.enabled ? node.operation : Operation(EmptyOperation());
    if (node.child) {
      RT_TRY_ASSIGN(GraphPtr child, graph_of(*node.child));
      operation = ChildOperation{std::move(child)};
    }
    std::vector<GraphNode*> dependencies;
    for (const uint32_t dependency : node.dependencies) dependencies.push_back(nodes[dependency]);
    nodes.push_back(&graph->add(std::move(operation), dependencies));
  }
  return graph;
}

} // namespace

Result<GraphPtr> GraphExec::as_graph() {
  std::lock_guard graphs_lock(graph_mutex());
  std::lock_guard lock(mutex_);
  for (const ExecNode& node : graph_.nodes)
    if (const NodeKind kind = kind_of(node.operation);
        kind == NodeKind::MemoryAllocation || kind == NodeKind::MemoryFree)
      return error(ErrorCode::NotSupported, "A graph with memory allocation or free nodes cannot be a child graph.");
  return graph_of(graph_);
}

} // namespace hip::core
