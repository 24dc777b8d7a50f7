#include "runtime/hsa_check/book.h"

#include "runtime/base/no_destroy.h"

#include <algorithm>
#include <memory>

namespace hip::hsa_check {

Book& book() noexcept {
  RT_NO_DESTROY static Book one;
  return one;
}

namespace {

int64_t value_of(uint64_t signal) { return next.hsa_signal_load_relaxed({signal}); }

template<class T> T agent_info(hsa_agent_t agent, hsa_agent_info_t attribute) {
  T value{};
  return next.hsa_agent_get_info(agent, attribute, &value) == HSA_STATUS_SUCCESS ? value : T{};
}

AgentFacts facts_of(hsa_agent_t agent) {
  AgentFacts facts;
  facts.type = agent_info<hsa_device_type_t>(agent, HSA_AGENT_INFO_DEVICE);
  if (facts.type != HSA_DEVICE_TYPE_GPU) return facts;
  facts.max_group_items = agent_info<uint32_t>(agent, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE);
  next.hsa_agent_get_info(agent, HSA_AGENT_INFO_WORKGROUP_MAX_DIM, facts.max_group);
  next.hsa_amd_agent_iterate_memory_pools(
      agent,
      [](hsa_amd_memory_pool_t pool, void* data) {
        hsa_amd_segment_t segment{};
        size_t bytes = 0;
        next.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
        next.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes);
        if (segment == HSA_AMD_SEGMENT_GROUP) static_cast<AgentFacts*>(data)->group_pool_bytes = bytes;
        return HSA_STATUS_SUCCESS;
      },
      &facts);
  return facts;
}

} // namespace

void Book::begin() {
  auto guard = lock();
  signals.clear();
  destroyed_signals.clear();
  queues.clear();
  allocations.clear();
  locked.clear();
  kernels.clear();
  executables.clear();
  agents.clear();
  work_.clear();
  const char* build = nullptr;
  constexpr auto kBuild = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_BUILD_VERSION);
  waits_for_doorbell =
      next.hsa_system_get_info(kBuild, &build) == HSA_STATUS_SUCCESS && build && std::string_view(build) == "OmniHIP";
  next.hsa_iterate_agents(
      [](hsa_agent_t agent, void* data) {
        static_cast<Book*>(data)->agents.emplace(agent.handle, facts_of(agent));
        return HSA_STATUS_SUCCESS;
      },
      this);
}

// ---- work --------------------------------------------------------------------------------------------------------

// A value below the expected one is completed work. One above it was stored by somebody past the interface: then
// nothing is known of the work before.
void Book::observe(Signal& signal, uint64_t handle) {
  if (signal.pending.empty()) return;
  const int64_t value = value_of(handle);
  size_t done = signal.pending.size();
  if (value <= signal.expected)
    done = std::min(done, static_cast<size_t>(static_cast<uint64_t>(signal.expected) - static_cast<uint64_t>(value)));
  for (size_t i = 0; i < done; ++i) {
    signal.pending.front()->complete = true;
    signal.pending.pop_front();
  }
  signal.expected = signal.pending.empty() ? value : signal.expected - static_cast<int64_t>(done);
}

void Book::before_change(Signal& signal, uint64_t handle) { observe(signal, handle); }

void Book::after_change(Signal& signal, uint64_t handle) {
  if (!signal.pending.empty()) signal.expected = value_of(handle);
}

bool Book::ended(const Work& work) const {
  if (work.complete) return true;
  if (work.completion != 0 || !work.queue) return false;
  return next.hsa_queue_load_read_index_scacquire(work.queue) > work.packet;
}

void Book::sweep() {
  for (const Work& work : work_)
    if (const auto found = signals.find(work.completion); found != signals.end()) observe(found->second, found->first);
  // A packet with the barrier bit that has been taken or is complete: those before it are complete.
  std::map<const hsa_queue_t*, uint64_t> complete_before;
  for (const Work& work : work_)
    if (work.barrier && (work.complete || next.hsa_queue_load_read_index_scacquire(work.queue) > work.packet))
      complete_before[work.queue] = std::max(complete_before[work.queue], work.packet);
  // One that was taken unseen may have had that bit: of those before it nobody can tell.
  for (const auto& [handle, queue] : queues) {
    if (queue->not_written.empty()) continue;
    const auto taken = queue->not_written.lower_bound(next.hsa_queue_load_read_index_scacquire(handle));
    if (taken == queue->not_written.begin()) continue;
    complete_before[handle] = std::max(complete_before[handle], std::prev(taken)->first);
    queue->not_written.erase(queue->not_written.begin(), taken);
  }
  for (auto each = work_.begin(); each != work_.end();) {
    const auto before = complete_before.find(each->queue);
    if (before != complete_before.end() && each->packet < before->second && !each->complete) {
      each->complete = true;
      if (const auto found = signals.find(each->completion); found != signals.end())
        std::erase(found->second.pending, &*each);
    }
    each = ended(*each) ? work_.erase(each) : std::next(each);
  }
}

void Book::add(Work work) {
  sweep();
  work_.push_back(std::move(work));
  Work& added = work_.back();
  const auto found = signals.find(added.completion);
  if (found == signals.end()) {
    added.completion = 0;
    added.complete = !added.queue; // nobody can tell
    return;
  }
  Signal& signal = found->second;
  const int64_t value = value_of(found->first);
  // The value cannot hold what is under way: it was set again past the interface, when that had ended.
  if (value < static_cast<int64_t>(signal.pending.size()) + 1)
    while (!signal.pending.empty()) {
      signal.pending.front()->complete = true;
      signal.pending.pop_front();
    }
  if (value < 1) { // a busy queue was quicker: the packet has ended since it was read
    added.complete = true;
    return;
  }
  if (signal.pending.empty()) signal.expected = value;
  signal.pending.push_back(&added);
}

void Book::drop(const hsa_queue_t* queue) {
  for (auto each = work_.begin(); each != work_.end();) {
    if (each->queue != queue) {
      ++each;
      continue;
    }
    if (const auto found = signals.find(each->completion); found != signals.end())
      std::erase(found->second.pending, &*each);
    each = work_.erase(each);
  }
}

void Book::forget_signal(uint64_t handle) {
  for (Work& work : work_) {
    std::erase(work.waits_for, handle); // another signal may get the handle
    if (work.completion == handle) work.complete = true;
  }
  signals.erase(handle);
  destroyed_signals.insert(handle);
}

// ---- handles -----------------------------------------------------------------------------------------------------

Signal* Book::usable(uint64_t handle, std::string_view where) {
  if (const auto found = signals.find(handle); found != signals.end()) return &found->second;
  if (destroyed_signals.contains(handle))
    report(Rule::SignalDestroyed, where, "the signal {:#x} was destroyed.", handle);
  else
    report(Rule::SignalUnknown, where, "{:#x} is no signal.", handle);
  return nullptr;
}

Queue* Book::usable(const hsa_queue_t* handle, std::string_view where) {
  if (const auto found = queues.find(handle); found != queues.end()) return found->second.get();
  report(Rule::QueueUnknown, where, "{} is no queue, or one that was destroyed.", static_cast<const void*>(handle));
  return nullptr;
}

// ---- memory ------------------------------------------------------------------------------------------------------

Book::Place Book::place_of(const void* address) const {
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  Place place;
  if (next.hsa_amd_pointer_info(address, &info, nullptr, nullptr, nullptr) != HSA_STATUS_SUCCESS) return place;
  place.type = info.type;
  const auto at = reinterpret_cast<uint64_t>(address);
  const Range seen_by_agents = range_of(info.agentBaseAddress, info.sizeInBytes);
  place.range =
      at - seen_by_agents.begin < info.sizeInBytes ? seen_by_agents : range_of(info.hostBaseAddress, info.sizeInBytes);
  place.owner = info.agentOwner;
  place.flags = info.global_flags;
  return place;
}

const Allocation* Book::allocation_at(uint64_t address) const {
  auto found = allocations.upper_bound(address);
  if (found == allocations.begin()) return nullptr;
  --found;
  return address - found->first < found->second.bytes ? &found->second : nullptr;
}

// Locked, mapped and shared memory: whoever made it accessible has named the agents, and the runtime looks at them.
bool Book::may_access(hsa_agent_t agent, const Place& place) const {
  const Allocation* const allocation = allocation_at(place.range.begin);
  if (!allocation || !allocation->pool || place.owner.handle == agent.handle) return true;
  const auto facts = agents.find(agent.handle);
  if (facts == agents.end()) return false;
  if (facts->second.type != HSA_DEVICE_TYPE_GPU) return true; // the host's access is the machine's matter
  if (allocation->allowed.contains(agent.handle)) return true;
  hsa_amd_memory_pool_access_t access{};
  return next.hsa_amd_agent_memory_pool_get_info(agent, *allocation->pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS,
                                                 &access) == HSA_STATUS_SUCCESS &&
         access == HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
}

} // namespace hip::hsa_check
