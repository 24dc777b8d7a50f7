#include "runtime/core/graph/graph_exec.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/event.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/shared_event.h"

#include <algorithm>

namespace hip::core {
namespace {

using ExecTable = HandleTable<SharedEntry<GraphExec>, HandleKind::GraphExec>;
RT_NO_DESTROY constinit ExecTable execs;

// Executables that were destroyed while their work is under way.
struct Leaving {
  std::mutex mutex;
  std::vector<std::shared_ptr<GraphExec>> execs;
  std::atomic<bool> any{false};
};
Leaving& leaving() {
  static Leaving* const made = new Leaving;
  return *made;
}

struct HostCall {
  void (*function)(void*);
  void* user_data;
};

// ---- steps that core does itself; the stream's lock is held --------------------------------------------------------

struct SubmitStep {
  Device& device;
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
  Status operator()(const EventRecordOperation& record) const {
    RT_TRY_ASSIGN(const Pin<Event> event, find_event(record.event));
    if (&event->device() != &device)
      return error(ErrorCode::InvalidHandle, "The event of a node belongs to device {}, the stream to device {}.",
                   event->device().ordinal(), device.ordinal());
    return event->record_in(queue);
  }
  Status operator()(const EventWaitOperation& wait) const {
    RT_TRY_ASSIGN(const Pin<Event> event, find_event(wait.event));
    if (event->shared()) return event->shared()->hold(queue);
    const Ref<backend::Completion> point = event->point();
    if (!point) return {}; // never recorded
    return event->device().same_backend(device) ? queue.wait(point) : point->wait();
  }
  // Memory of a node has its place from the beginning, and its use is accounted for when the graph is launched.
  Status operator()(const AllocationOperation&) const { return {}; }
  Status operator()(const FreeOperation&) const { return {}; }
  template<class O> Status operator()(const O&) const { return {}; } // in command lists, or nothing to do
};

Status submit_step(const ProgramStep& step, Device& device, backend::Queue& queue) {
  if (step.list) return queue.run(step.list);
  return std::visit(SubmitStep{device, queue}, step.node->operation);
}

} // namespace

// ---- executables ---------------------------------------------------------------------------------------------------

GraphExec::GraphExec(const GraphPtr& graph, uint64_t flags) : flags_(flags), user_objects_(graph->user_objects) {}

GraphExec::~GraphExec() = default;

Result<std::shared_ptr<GraphExec>> GraphExec::create(Handle handle, uint64_t flags, Handle& error_node) {
  std::shared_ptr<GraphExec> exec; // an unfinished one is dropped after the lock
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  const bool has_memory = graph->uses_memory_nodes();
  if (has_memory && !graph->memory_user.expired())
    return error(ErrorCode::NotSupported, "A graph with memory allocation or free nodes has one executable at a time.");
  exec = std::shared_ptr<GraphExec>(new GraphExec(graph, flags));
  RT_TRY_ASSIGN(exec->graph_, copy_in_order(*graph, error_node));
  exec->index(exec->graph_);
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

void GraphExec::drop_ended_runs() noexcept {
  std::erase_if(last_runs_, [](const Run& run) { return run.end->done(); });
}

bool GraphExec::idle() noexcept {
  std::lock_guard lock(mutex_);
  drop_ended_runs();
  return last_runs_.empty();
}

// ---- changes -------------------------------------------------------------------------------------------------------

Status GraphExec::set_operation(Handle handle, Operation operation) {
  RT_TRY(check_alive(handle));
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(ExecNode* const node, find(handle));
  if (node->child || node->operation.index() != operation.index())
    return wrong_kind(node->child ? NodeKind::ChildGraph : kind_of(node->operation), kind_of(operation));
  std::swap(node->operation, operation);
  replaced_.push_back(std::move(operation));
  changed();
  return {};
}

Status GraphExec::set_child(Handle handle, Handle graph_handle) {
  std::lock_guard graphs_lock(graph_mutex());
  RT_TRY(check_alive(handle));
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(graph_handle));
  Handle error_node = nullptr;
  RT_TRY_ASSIGN(ExecGraph theirs, copy_in_order(*graph, error_node));
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(ExecNode* const node, find(handle));
  if (!node->child) return wrong_kind(kind_of(node->operation), NodeKind::ChildGraph);
  if (const UpdateResult result = take_operations(*node->child, theirs, error_node); result != UpdateResult::Success)
    return error(ErrorCode::InvalidValue, "The graph differs from the child graph (hipGraphExecUpdateResult {}).",
                 static_cast<int>(result));
  for (ExecNode& old : theirs.nodes) replaced_.push_back(std::move(old.operation));
  changed();
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
  changed();
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
  std::lock_guard graphs_lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(ExecGraph theirs, copy_in_order(*graph, error_node));
  std::lock_guard lock(mutex_);
  const UpdateResult result = take_operations(graph_, theirs, error_node);
  if (result == UpdateResult::Success) {
    for (ExecNode& old : theirs.nodes) replaced_.push_back(std::move(old.operation));
    changed();
  }
  return result;
}

// ---- launches ------------------------------------------------------------------------------------------------------

Status GraphExec::make_program() {
  program_ = make_steps(graph_);
  program_is_current_ = true;
  prepared_for_ = nullptr;
  drop_ended_runs();
  if (last_runs_.empty()) replaced_.clear();
  return {};
}

Status GraphExec::prepare_program(Device& device) {
  if (!program_is_current_) RT_TRY(make_program());
  if (prepared_for_ == &device) return {};
  prepared_for_ = nullptr;
  for (ProgramStep& step : program_) {
    if (step.node) continue;
    Device& target = step.device ? *step.device : device;
    if (step.list && step.device) continue;
    std::vector<backend::Command> commands = step.list ? step.list->commands() : std::move(step.commands);
    Result<Ref<backend::CommandList>> list = target.hal().prepare(std::move(commands));
    if (!list.ok()) {
      program_is_current_ = false; // the step's commands are gone with the attempt
      return list.status();
    }
    step.list = std::move(list).value();
  }
  prepared_for_ = &device;
  return {};
}

Status GraphExec::upload(Device& device) {
  std::lock_guard lock(mutex_);
  return prepare_program(device);
}

Status GraphExec::allocate_and_free() {
  for (const ExecNode& node : graph_.nodes)
    if (const auto* const made = std::get_if<AllocationOperation>(&node.operation))
      if (made->allocation->in_use() && !(flags_ & kAutoFreeOnLaunch))
        return error(ErrorCode::InvalidValue,
                     "The memory at {} of an allocation node was not freed since the last launch.",
                     made->allocation->address());
  for (const ExecNode& node : graph_.nodes) { // in topological order: what is freed here was made before
    if (const auto* const made = std::get_if<AllocationOperation>(&node.operation))
      static_cast<void>(made->allocation->begin_use());
    if (const auto* const freed = std::get_if<FreeOperation>(&node.operation))
      if (const auto status = free_graph_allocation(freed->address); status && !status->ok()) return *status;
  }
  return {};
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
  const auto wait_in = [](Stream& waits, const Ref<backend::Completion>& point, const Device& origin) -> Status {
    if (!waits.device().same_backend(origin)) return point->wait();
    return waits.submit_now([&](backend::Queue& queue) { return queue.wait(point); });
  };
  RT_TRY(wait_in(*other, before, stream.device()));
  RT_TRY(other->submit_now([&](backend::Queue& queue) { return submit_step(step, *step.device, queue); }));
  RT_TRY_ASSIGN(const Ref<backend::Completion> after, other->record({.timed = false}));
  return wait_in(stream, after, *step.device);
}

// An executable runs once at a time: a run waits for one that is under way in another stream.
Status GraphExec::follow_last_run(Stream& stream) {
  if (last_runs_.empty() || last_runs_.back().stream_id == stream.id() || last_runs_.back().end->done()) return {};
  return stream.wait(last_runs_.back().end, *last_runs_.back().device);
}

Status GraphExec::run(Stream& stream) {
  const auto is_elsewhere = [&](const ProgramStep& step) { return step.device && step.device != &stream.device(); };
  for (size_t begin = 0; begin < program_.size();) {
    if (is_elsewhere(program_[begin])) {
      RT_TRY(run_elsewhere(stream, program_[begin++]));
      continue;
    }
    RT_TRY(stream.submit_now([&](backend::Queue& queue) -> Status {
      for (; begin < program_.size() && !is_elsewhere(program_[begin]); ++begin)
        RT_TRY(submit_step(program_[begin], stream.device(), queue));
      return {};
    }));
  }
  return {};
}

Status GraphExec::launch(Stream& stream) {
  if (stream.captures()) {
    if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
    RT_TRY_ASSIGN(GraphPtr child, as_graph());
    return capture_operation(stream, ChildOperation{std::move(child)});
  }
  std::lock_guard lock(mutex_);
  RT_TRY(prepare_program(stream.device()));
  RT_TRY(allocate_and_free());
  if (program_.empty()) return {};
  RT_TRY(follow_last_run(stream));
  Status submitted = run(stream); // with an error, perhaps a part
  if (last_runs_.size() >= 8) drop_ended_runs();
  RT_TRY_ASSIGN(Ref<backend::Completion> end, stream.record({.timed = false}));
  last_runs_.push_back({std::move(end), &stream.device(), stream.id()});
  return submitted;
}

namespace {

Result<GraphPtr> graph_of(const ExecGraph& exec) {
  auto graph = std::make_shared<Graph>();
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

// ---- handles -------------------------------------------------------------------------------------------------------

// Drops the executables that were destroyed and whose work has ended since.
static void drop_left() {
  if (!leaving().any.load(std::memory_order_acquire)) return;
  std::vector<std::shared_ptr<GraphExec>> dropped;
  std::lock_guard lock(leaving().mutex);
  std::vector<std::shared_ptr<GraphExec>> waiting;
  for (auto& exec : leaving().execs) (exec.use_count() == 1 ? dropped : waiting).push_back(std::move(exec));
  leaving().execs = std::move(waiting);
}

void drop_when_idle(std::shared_ptr<GraphExec> exec) {
  if (exec->idle()) return;
  std::lock_guard lock(leaving().mutex);
  leaving().execs.push_back(std::move(exec));
  leaving().any.store(true, std::memory_order_release);
}

Result<Handle> instantiate(Handle graph, uint64_t flags, Handle& error_node) {
  drop_left();
  RT_TRY_ASSIGN(std::shared_ptr<GraphExec> exec, GraphExec::create(graph, flags, error_node));
  return execs.insert(std::make_unique<SharedEntry<GraphExec>>(std::move(exec)));
}

Result<std::shared_ptr<GraphExec>> find_exec(Handle exec) {
  if (const auto pin = execs.pin(exec)) return pin->object;
  if (!exec) return error(ErrorCode::InvalidValue, "The executable graph is null.");
  return error(ErrorCode::InvalidValue, "{} is not an executable graph, or it was destroyed.", const_cast<void*>(exec));
}

Status destroy_exec(Handle handle) {
  RT_TRY_ASSIGN(std::shared_ptr<GraphExec> exec, find_exec(handle));
  if (!execs.remove(handle))
    return error(ErrorCode::InvalidValue, "The executable graph was destroyed by another thread.");
  drop_left();
  drop_when_idle(std::move(exec));
  return {};
}

} // namespace hip::core
