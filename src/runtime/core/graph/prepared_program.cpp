#include "runtime/core/graph/prepared_program.h"

#include <algorithm>

namespace hip::core {

// ---- changes -------------------------------------------------------------------------------------------------------

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

void PreparedProgram::note_change(const ExecNode& node, const Operation& old) noexcept {
  if (!is_current_) return;
  const CommandPlace place = node.place;
  if (place.step == CommandPlace::kNone) { // what core does itself is read when it is submitted
    if (node.enabled && is_command(kind_of(node.operation))) is_current_ = false;
    return;
  }
  ProgramStep& step = steps_[place.step];
  try {
    if (step.changed.empty()) step.changed.resize(step.list->commands().size());
  } catch (const std::bad_alloc&) {
    is_current_ = false;
    return;
  }
  if (!fit_one_place(node.operation, old)) is_current_ = false;
  step.changed[place.command] = {&node, ++step.changes};
  any_changes_ = true;
}

void PreparedProgram::note_changes(const ExecGraph& graph, const ExecGraph& old) noexcept {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const ExecNode& node = graph.nodes[i];
    if (node.child)
      note_changes(*node.child, *old.nodes[i].child);
    else if (!have_same_work(node.operation, old.nodes[i].operation))
      note_change(node, old.nodes[i].operation);
  }
}

// ---- before a launch -----------------------------------------------------------------------------------------------

void PreparedProgram::make(ExecGraph& graph) {
  steps_ = make_steps(graph);
  has_checks_ = std::any_of(steps_.begin(), steps_.end(), needs_check);
  is_current_ = true;
  any_changes_ = false;
  prepared_for_ = nullptr;
}

void PreparedProgram::take_changes(uint64_t runs, uint64_t ended_runs) {
  for (ProgramStep& step : steps_) {
    if (step.list_changes == step.changes) continue;
    const Result<bool> taken = take_changes(step, runs, ended_runs);
    if (!taken.ok() || !taken.value()) {
      is_current_ = false;
      return;
    }
  }
  any_changes_ = false;
}

// A list that a run is using is left to it: another one takes its place, an older one or a new one.
Result<bool> PreparedProgram::take_changes(ProgramStep& step, uint64_t runs, uint64_t ended_runs) {
  constexpr size_t kMostOthers = 7; // each has memory for all arguments
  if (ended_runs != runs) {
    PreparedList mine{step.list, step.list_changes, runs};
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

Status PreparedProgram::prepare_steps(Device& device) {
  is_current_ = false; // until all is prepared: a step's commands are gone with an attempt that fails
  for (ProgramStep& step : steps_) {
    if (step.node) continue;
    Device& target = step.device ? *step.device : device;
    if (step.list && step.device) continue;
    std::vector<backend::Command> commands = step.list ? step.list->commands() : std::move(step.commands);
    RT_TRY_ASSIGN(step.list, target.hal().prepare(std::move(commands)));
    step.others.clear();
  }
  is_current_ = true;
  prepared_for_ = &device;
  return {};
}

} // namespace hip::core
