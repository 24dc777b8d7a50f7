#include "runtime/core/graph/exec_table.h"

#include "runtime/base/no_destroy.h"

#include <atomic>
#include <cstddef>
#include <list>
#include <new>

namespace hip::core {
namespace {

using ExecTable = HandleTable<SharedEntry<GraphExec>, HandleKind::GraphExec>;
RT_NO_DESTROY constinit ExecTable execs;

using ExecList = std::list<std::shared_ptr<GraphExec>>;

// Executables that were destroyed while their work is under way.
struct Leaving {
  std::mutex mutex;
  ExecList execs;
  std::atomic<bool> any{false};
};
Leaving& leaving() noexcept {
  alignas(Leaving) static std::byte place[sizeof(Leaving)];
  static Leaving* const made = new (place) Leaving; // never destroyed: programs destroy graphs in static destructors
  return *made;
}

} // namespace

// Drops the executables that were destroyed and whose work has ended since, those of `also` too when theirs has. They
// go from list to list without an allocation: one that failed would destroy executables that run.
void drop_left(ExecList also) noexcept {
  if (also.empty() && !leaving().any.load(std::memory_order_acquire)) return;
  ExecList candidates, dropped; // destroyed without the lock
  {
    std::lock_guard lock(leaving().mutex);
    candidates.swap(leaving().execs);
  }
  candidates.splice(candidates.end(), also);
  for (auto exec = candidates.begin(); exec != candidates.end();) {
    const auto next = std::next(exec);
    // Nobody finds them any more, but a thread that found one before may be launching it.
    if (exec->use_count() == 1 && (*exec)->idle()) dropped.splice(dropped.end(), candidates, exec);
    exec = next;
  }
  std::lock_guard lock(leaving().mutex);
  leaving().execs.splice(leaving().execs.end(), candidates);
  leaving().any.store(!leaving().execs.empty(), std::memory_order_release);
}

Result<Handle> instantiate(Handle graph, uint64_t flags, Handle& error_node) {
  drop_left({});
  RT_TRY_ASSIGN(std::shared_ptr<GraphExec> exec, GraphExec::create(graph, flags, error_node));
  return execs.insert(std::make_unique<SharedEntry<GraphExec>>(std::move(exec)));
}

Result<std::shared_ptr<GraphExec>> find_exec(Handle exec) {
  if (const auto pin = execs.pin(exec)) return pin->object;
  if (!exec) return error(ErrorCode::InvalidValue, "The executable graph is null.");
  return error(ErrorCode::InvalidValue, "{} is not an executable graph, or it was destroyed.", const_cast<void*>(exec));
}

Status destroy_exec(Handle handle) {
  ExecList going(1); // there may be no memory, so before the handle ends
  RT_TRY_ASSIGN(going.front(), find_exec(handle));
  if (!execs.remove(handle))
    return error(ErrorCode::InvalidValue, "The executable graph was destroyed by another thread.");
  {
    std::lock_guard lock(graph_mutex());
    going.front()->destroyed_ = true;
  }
  drop_left(std::move(going));
  return {};
}

void drop_ended_execs() noexcept { drop_left({}); }

} // namespace hip::core
