#include "runtime/backend/aql/host_functions.h"

#include <utility>

namespace hip::aql {

HostFunctions::HostFunctions(Agent& agent) : agent_(agent), work_(make_ref<Work>()) {}

HostFunctions::~HostFunctions() {
  if (generation_.inherited()) { // the thread is not here; it may have held the lock, and waits on the condition
    if (thread_.joinable()) thread_.detach();
    static_cast<void>(work_.detach());
    return;
  }
  {
    std::lock_guard guard(work_->mutex);
    work_->stopping = true;
  }
  work_->changed.notify_all();
  if (!thread_.joinable()) return;
  if (thread_.get_id() != std::this_thread::get_id()) {
    thread_.join();
    return;
  }
  // A host function destroys its own stream. When it returns, the queue is gone, and the device may be.
  thread_.detach();
  if (work_->under_way) end(agent_, *work_->under_way);
  run(agent_, *work_);
}

Status HostFunctions::start() {
  std::lock_guard guard(work_->mutex);
  return thread_.joinable() ? Status()
                            : start_thread(thread_, [&agent = agent_, work = Ref<Work>(work_)] { run(agent, *work); });
}

Result<HostFunctions::Jobs> HostFunctions::prepare(Job job) {
  RT_TRY(start());
  Jobs prepared;
  prepared.push_back(std::move(job));
  return prepared;
}

void HostFunctions::submit(Jobs job) noexcept {
  std::lock_guard guard(work_->mutex);
  work_->jobs.splice(work_->jobs.end(), job);
  work_->changed.notify_one();
}

bool HostFunctions::gives_up() noexcept {
  if (agent_.lost()) return true;
  std::lock_guard guard(work_->mutex);
  return work_->stopping;
}

void HostFunctions::end(Agent& agent, Job& job) noexcept {
  if (!job.gate) return;
  agent.subtract_signal(*job.gate->signal(), 1);
  job.after = {};
  job.faults = {};
  job.gate = {};
}

void HostFunctions::run(Agent& agent, Work& work) noexcept {
  for (;;) {
    Jobs next;
    {
      std::unique_lock lock(work.mutex);
      work.changed.wait(lock, [&work] { return work.stopping || !work.jobs.empty(); });
      if (work.jobs.empty()) return;
      next.splice(next.begin(), work.jobs, work.jobs.begin());
    }
    Job& job = next.front();
    if (job.after) job.after->wait_done();
    const uint64_t packet = job.after ? job.after->packet() : 0;
    const Status status = job.faults->peek(packet);
    Job* const around = std::exchange(work.under_way, &job); // a job whose function destroys the queue; else null
    job.function(status);
    work.under_way = around;
    end(agent, job);
  }
}

} // namespace hip::aql
