#include "runtime/backend/aql/host_functions.h"

namespace hip::aql {

HostFunctions::~HostFunctions() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (!thread_.joinable()) return;
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach(); // a host function destroys its own stream
  else
    thread_.join();
}

Status HostFunctions::start() {
  std::lock_guard guard(mutex_);
  return thread_.joinable() ? Status() : start_thread(thread_, [this] { run(); });
}

Result<HostFunctions::Jobs> HostFunctions::prepare(Job job) {
  RT_TRY(start());
  Jobs prepared;
  prepared.push_back(std::move(job));
  return prepared;
}

void HostFunctions::submit(Jobs job) noexcept {
  std::lock_guard guard(mutex_);
  jobs_.splice(jobs_.end(), job);
  changed_.notify_one();
}

bool HostFunctions::gives_up() noexcept {
  if (agent_.lost()) return true;
  std::lock_guard guard(mutex_);
  return stopping_;
}

void HostFunctions::run() noexcept {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    if (job.after) job.after->wait_done();
    const uint64_t packet = job.after ? job.after->packet() : 0;
    job.function(job.faults->peek(packet));
    agent_.subtract_signal(*job.gate->signal(), 1);
  }
}

} // namespace hip::aql
