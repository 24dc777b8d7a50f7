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

// Whether the stream decides if the step can be done.
bool needs_check(const ProgramStep& step) noexcept {
  if (!step.node) return false;
  const NodeKind kind = kind_of(step.node->operation);
  return kind == NodeKind::EventRecord || kind == NodeKind::EventWait || kind == NodeKind::BatchMemoryOperation ||
         kind == NodeKind::ExternalSignal || kind == NodeKind::ExternalWait;
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
  if (has_memory) graph->memory_user = exec;
  if (before) { // its work may be under way in the same memory: the new one's runs come after it
    std::lock_guard before_lock(before->mutex_);
    exec->last_runs_ = before->last_runs_;
    exec->runs_ = before->runs_;
  }
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

void GraphExec::keep_replaced(ExecGraph old) { replaced_.push_back({runs_, std::move(old)}); }

uint64_t GraphExec::drop_ended_runs(Dropped& dropped) {
  std::erase_if(last_runs_, [](const Run& run) { return run.end->done(); });
  // Runs end one after the other.
  const uint64_t ended = last_runs_.empty() ? runs_ : last_runs_.front().number - 1;
  const auto kept = std::find_if(replaced_.begin(), replaced_.end(), [&](const Replaced& r) { return r.runs > ended; });
  dropped.insert(dropped.end(), std::move_iterator(replaced_.begin()), std::move_iterator(kept));
  replaced_.erase(replaced_.begin(), kept);
  return ended;
}

bool GraphExec::idle() {
  Dropped dropped;
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
  ExecGraph old;
  if (!idle) old.nodes.emplace_back();
  std::swap(node->operation, operation);
  note_change(*node, operation);
  if (idle) return {}; // nobody uses the old one
  old.nodes.front().operation = std::move(operation);
  keep_replaced(std::move(old));
  return {};
}

Status GraphExec::set_child(Handle handle, Handle graph_handle) {
  ExecGraph theirs; // dropped after the locks
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
  note_changes(*node->child, theirs);
  keep_replaced(std::move(theirs));
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
  program_is_current_ = false;
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
  ExecGraph theirs; // dropped after the locks
  std::lock_guard graphs_lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(theirs, copy_in_order(*graph, error_node));
  std::lock_guard lock(mutex_);
  const UpdateResult result = take_operations(graph_, theirs, error_node);
  if (result != UpdateResult::Success) return result;
  note_changes(graph_, theirs);
  keep_replaced(std::move(theirs));
  return result;
}

namespace {

bool is_command(NodeKind kind) noexcept {
  return kind == NodeKind::Kernel || kind == NodeKind::Copy || kind == NodeKind::Fill;
}

bool have_same_work(const Operation& a, const Operation& b) noexcept {
  const auto* const x = std::get_if<KernelOperation>(&a);
  const auto* const y = std::get_if<KernelOperation>(&b);
  if (!x || !y) return false; // not worth looking closer
  const backend::Launch &m = x->launch, &n = y->launch;
  const auto arguments = x->arguments.block(), others = y->arguments.block();
  return m.kernel == n.kernel && m.grid_items == n.grid_items && m.group_items == n.group_items &&
         m.groups == n.groups && m.dynamic_lds_bytes == n.dynamic_lds_bytes && m.stack_bytes == n.stack_bytes &&
         m.cooperative == n.cooperative && m.multi_grid == n.multi_grid && m.out_of_order == n.out_of_order &&
         std::equal(arguments.begin(), arguments.end(), others.begin(), others.end());
}

// Whether the command of the one can take the place of the other's.
bool fit_one_place(const Operation& a, const Operation& b) noexcept {
  const auto transfer_of = [](const Operation& operation) -> const PreparedTransfer* {
    const auto* const copy = std::get_if<CopyOperation>(&operation);
    const auto* const fill = std::get_if<FillOperation>(&operation);
    const std::vector<PreparedTransfer>* const all = copy ? &copy->transfers : fill ? &fill->transfers : nullptr;
    return all && all->size() == 1 && !all->front().dst.image && !all->front().src.image ? &all->front() : nullptr;
  };
  if (const auto* const x = std::get_if<KernelOperation>(&a)) {
    const auto* const y = std::get_if<KernelOperation>(&b);
    return y && &x->function->device() == &y->function->device();
  }
  const PreparedTransfer *const x = transfer_of(a), *const y = transfer_of(b);
  return x && y && x->owner == y->owner;
}

} // namespace

void GraphExec::note_change(const ExecNode& node, const Operation& old) noexcept {
  if (!program_is_current_) return;
  const CommandPlace place = node.place;
  if (place.step == CommandPlace::kNone) { // what core does itself is read when it is submitted
    if (node.enabled && is_command(kind_of(node.operation))) program_is_current_ = false;
    return;
  }
  ProgramStep& step = program_[place.step];
  try {
    if (step.changed.empty()) step.changed.resize(step.list->commands().size());
  } catch (const std::bad_alloc&) {
    program_is_current_ = false;
    return;
  }
  if (!fit_one_place(node.operation, old)) program_is_current_ = false;
  step.changed[place.command] = {&node, ++step.changes};
  any_changes_ = true;
}

void GraphExec::note_changes(const ExecGraph& graph, const ExecGraph& old) noexcept {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const ExecNode& node = graph.nodes[i];
    if (node.child)
      note_changes(*node.child, *old.nodes[i].child);
    else if (!have_same_work(node.operation, old.nodes[i].operation))
      note_change(node, old.nodes[i].operation);
  }
}

// ---- launches ------------------------------------------------------------------------------------------------------

void GraphExec::make_program(Dropped& dropped) {
  program_ = make_steps(graph_);
  has_checks_ = std::any_of(program_.begin(), program_.end(), needs_check);
  program_is_current_ = true;
  any_changes_ = false;
  prepared_for_ = nullptr;
  drop_ended_runs(dropped);
}

bool GraphExec::take_changes(Dropped& dropped) {
  const uint64_t ended = drop_ended_runs(dropped);
  for (ProgramStep& step : program_) {
    if (step.list_changes == step.changes) continue;
    const Result<bool> taken = take_changes(step, ended);
    if (!taken.ok() || !taken.value()) return false;
  }
  any_changes_ = false;
  return true;
}

// A list that a run is using is left to it: another one takes its place, an older one or a new one.
Result<bool> GraphExec::take_changes(ProgramStep& step, uint64_t ended_runs) {
  constexpr size_t kMostOthers = 7; // each has memory for all arguments
  if (ended_runs != runs_) {
    PreparedList mine{step.list, step.list_changes, runs_};
    const auto other = std::find_if(step.others.begin(), step.others.end(),
                                    [&](const PreparedList& o) { return o.last_run <= ended_runs; });
    if (other != step.others.end()) {
      std::swap(mine, *other);
      step.list = std::move(mine.list);
      step.list_changes = mine.changes;
    } else {
      std::vector<backend::Command> commands = step.list->commands();
      for (size_t i = 0; i < commands.size(); ++i) {
        if (step.changed[i].number <= step.list_changes) continue;
        const bool starts_step = commands[i].starts_step;
        commands[i] = command_of(*step.changed[i].node);
        commands[i].starts_step = starts_step;
      }
      step.others.reserve(step.others.size() + 1);
      Device& device = step.device ? *step.device : *prepared_for_;
      RT_TRY_ASSIGN(Ref<backend::CommandList> list, device.hal().prepare(std::move(commands)));
      if (step.others.size() == kMostOthers) step.others.erase(step.others.begin());
      step.others.push_back(std::move(mine));
      step.list = std::move(list);
      step.list_changes = step.changes;
      return true;
    }
  }
  for (size_t i = 0; i < step.changed.size(); ++i) {
    if (step.changed[i].number <= step.list_changes) continue;
    RT_TRY_ASSIGN(const bool taken, step.list->replace(i, command_of(*step.changed[i].node)));
    if (!taken) return false;
  }
  step.list_changes = step.changes;
  return true;
}

Status GraphExec::prepare_program(Device& device, Dropped& dropped) {
  if (program_is_current_ && any_changes_ && !take_changes(dropped)) program_is_current_ = false;
  if (!replaced_.empty()) drop_ended_runs(dropped);
  if (!program_is_current_) make_program(dropped);
  if (prepared_for_ == &device) return {};
  program_is_current_ = false; // until all is prepared: a step's commands are gone with an attempt that fails
  for (ProgramStep& step : program_) {
    if (step.node) continue;
    Device& target = step.device ? *step.device : device;
    if (step.list && step.device) continue;
    std::vector<backend::Command> commands = step.list ? step.list->commands() : std::move(step.commands);
    RT_TRY_ASSIGN(step.list, target.hal().prepare(std::move(commands)));
    step.others.clear();
  }
  program_is_current_ = true;
  prepared_for_ = &device;
  return {};
}

Status GraphExec::upload(Device& device) {
  Dropped dropped;
  std::lock_guard lock(mutex_);
  return prepare_program(device, dropped);
}

// Finds and checks the events of the program and the like, so that nothing was submitted yet when one is gone. An event
// of another back end is waited for here.
Status GraphExec::check_steps(Stream& stream) {
  for (ProgramStep& step : program_) {
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
  const auto is_elsewhere = [&](const ProgramStep& step) { return step.device && step.device != &stream.device(); };
  for (size_t begin = 0; begin < program_.size();) {
    if (is_elsewhere(program_[begin])) {
      RT_TRY(run_elsewhere(stream, program_[begin++]));
      continue;
    }
    RT_TRY(stream.submit_now([&](backend::Queue& queue) -> Status {
      for (; begin < program_.size() && !is_elsewhere(program_[begin]); ++begin)
        RT_TRY(submit_step(program_[begin], queue));
      return {};
    }));
  }
  return {};
}

// With an error, perhaps a part was submitted.
Status GraphExec::run_and_record(Stream& stream, Dropped& dropped) {
  RT_TRY(follow_last_run(stream));
  if (last_runs_.size() >= 8) drop_ended_runs(dropped);
  last_runs_.reserve(last_runs_.size() + 1); // what runs must be known to run
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
  if (end.ok())
    last_runs_.push_back({std::move(end).value(), &stream.device(), stream.id(), runs_});
  else // nobody could tell later whether the run has ended
    stream.finish();
  return submitted.ok() ? end.status() : submitted;
}

Status GraphExec::launch(Stream& stream) {
  if (stream.captures()) {
    if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
    RT_TRY_ASSIGN(GraphPtr child, as_graph());
    return capture_operation(stream, ChildOperation{std::move(child)});
  }
  Dropped dropped;
  std::vector<MemoryUse> memory;
  std::lock_guard lock(mutex_);
  RT_TRY(prepare_program(stream.device(), dropped));
  Status status;
  try {
    if (has_checks_) status = check_steps(stream);
    if (status.ok()) status = allocate_and_free(memory);
    if (status.ok() && !program_.empty()) status = run_and_record(stream, dropped);
  } catch (const std::bad_alloc&) {
    status = Status::no_memory();
  }
  if (!status.ok()) undo(memory); // what a failed launch has made or freed counts as it did before
  if (has_checks_)
    for (ProgramStep& step : program_) step.event = {};
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

// ---- handles -------------------------------------------------------------------------------------------------------

// Drops the executables that were destroyed and whose work has ended since, `also` too when its work has.
void drop_left(std::shared_ptr<GraphExec> also) {
  if (!also && !leaving().any.load(std::memory_order_acquire)) return;
  std::vector<std::shared_ptr<GraphExec>> candidates, dropped;
  {
    std::lock_guard lock(leaving().mutex);
    std::swap(candidates, leaving().execs);
  }
  if (also) candidates.push_back(std::move(also));
  // Nobody finds them any more, but a thread that found one before may be launching it.
  std::erase_if(candidates, [&](std::shared_ptr<GraphExec>& exec) {
    if (exec.use_count() != 1 || !exec->idle()) return false;
    dropped.push_back(std::move(exec));
    return true;
  });
  std::lock_guard lock(leaving().mutex);
  for (auto& exec : candidates) leaving().execs.push_back(std::move(exec));
  leaving().any.store(!leaving().execs.empty(), std::memory_order_release);
}

Result<Handle> instantiate(Handle graph, uint64_t flags, Handle& error_node) {
  drop_left(nullptr);
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
  {
    std::lock_guard lock(graph_mutex());
    exec->destroyed_ = true;
  }
  drop_left(std::move(exec));
  return {};
}

void drop_ended_execs() noexcept {
  try {
    drop_left(nullptr);
  } catch (const std::bad_alloc&) {
    // The next call drops them.
  }
}

} // namespace hip::core
