// runtime/hsa_check/memory_calls.cpp - pools, locked memory and copies.
#include "runtime/hsa_check/book.h"

#include <algorithm>
#include <atomic>

namespace hip::hsa_check {

namespace {

bool shares_all_memory() {
  bool shares = false;
  constexpr auto kAttribute = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT);
  return next.hsa_system_get_info(kAttribute, &shares) == HSA_STATUS_SUCCESS && shares;
}

// Memory of the process that the agent was given access to, all of it.
bool is_shared_with(hsa_agent_t agent, Range range) {
  hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, agent.handle};
  return next.hsa_amd_svm_attributes_get(reinterpret_cast<void*>(range.begin), range.bytes, &access, 1) ==
             HSA_STATUS_SUCCESS &&
         (access.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE ||
          access.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
}

// A GPU, of those that the book knows: what the host reaches is no question.
bool is_shared_with_gpus(Range range) {
  for (const auto& [handle, facts] : book().agents)
    if (facts.type == HSA_DEVICE_TYPE_GPU && is_shared_with({handle}, range)) return true;
  return false;
}

hsa_status_t note_allocated(hsa_status_t status, size_t bytes, std::optional<hsa_amd_memory_pool_t> pool, void** out) {
  if (status != HSA_STATUS_SUCCESS) return status;
  auto guard = book().lock();
  book().allocations[reinterpret_cast<uint64_t>(*out)] = {std::max<size_t>(bytes, 1), pool, {}};
  return status;
}

hsa_status_t free_memory(void* base, std::string_view where, hsa_status_t (*function)(void*)) {
  if (!base) return function(base);
  {
    auto guard = book().lock();
    const auto found = book().allocations.find(reinterpret_cast<uint64_t>(base));
    if (found == book().allocations.end()) {
      report(Rule::FreeUnknown, where, "{} is no allocation, or one that was freed.", base);
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    }
    const Range range{found->first, found->second.bytes};
    book().sweep();
    for (const Work& work : book().under_way())
      if (std::any_of(work.memory.begin(), work.memory.end(), [&](const Range& used) { return used.touches(range); }))
        report(Rule::FreeInUse, where, "{} uses the memory at {}.", work.what, base);
    book().allocations.erase(found);
  }
  return function(base);
}

// Finds what is wrong with one side of a copy. `agent` null: the host copies, which reaches all of its memory.
void check_side(const char* side, Range range, const hsa_agent_t* agent, std::string_view where) {
  void* const base = reinterpret_cast<void*>(range.begin);
  const Book::Place place = book().place_of(base);
  if (place.type == HSA_EXT_POINTER_TYPE_UNKNOWN) {
    if (agent && !shares_all_memory() && !is_shared_with_gpus(range))
      report(Rule::CopyMemory, where, "the {} {} is memory that agents do not reach.", side, base);
    return;
  }
  const uint64_t left = place.range.begin + place.range.bytes - range.begin;
  if (range.bytes > left)
    report(Rule::CopyRange, where, "{} bytes at the {} {} go beyond the allocation, which ends after {}.", range.bytes,
           side, base, left);
  if (agent && book().agents.contains(agent->handle) && !book().may_access(*agent, place))
    report(Rule::CopyAgent, where, "the {} {} cannot be reached by the agent that is named for it.", side, base);
}

void check_agent(hsa_agent_t agent, const char* side, std::string_view where) {
  if (!book().agents.contains(agent.handle))
    report(Rule::CopyAgent, where, "the {} agent {:#x} is none.", side, agent.handle);
}

// False: a signal is none, and the call is not passed on. The book is locked.
bool check_signals(uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t completion, std::string_view where,
                   Work& work) {
  for (uint32_t i = 0; dependencies && i < count; ++i) {
    if (!book().usable(dependencies[i].handle, where)) return false;
    work.waits_for.push_back(dependencies[i].handle);
    if (dependencies[i].handle == completion.handle)
      report(Rule::BarrierSelf, where, "it waits for {:#x}, which it completes itself.", completion.handle);
  }
  work.completion = completion.handle;
  return completion.handle == 0 || book().usable(completion.handle, where);
}

// A copy with its signals; the book is locked. False: a signal is none, and the copy is not passed on.
bool check_async(Range dst, Range src, hsa_agent_t dst_agent, hsa_agent_t src_agent, uint32_t count,
                 const hsa_signal_t* dependencies, hsa_signal_t completion, std::string_view where, Work& work) {
  static std::atomic<uint64_t> copies{0};
  check_agent(dst_agent, "destination's", where);
  check_agent(src_agent, "source's", where);
  check_side("destination", dst, &dst_agent, where);
  check_side("source", src, &src_agent, where);
  if (!check_signals(count, dependencies, completion, where, work)) return false;
  work.what =
      fmt::format("copy {} ({} bytes from {:#x} to {:#x})", copies.fetch_add(1), dst.bytes, src.begin, dst.begin);
  work.memory = {dst, src};
  return true;
}

// A copy is noted before it begins, so that its end is seen against the value of before.
template<class Call> hsa_status_t linear_copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                                              size_t bytes, uint32_t count, const hsa_signal_t* dependencies,
                                              hsa_signal_t completion, std::string_view where, const Call& call) {
  if (!dst || !src || bytes == 0) return call();
  auto guard = book().lock();
  const Range to = range_of(dst, bytes), from = range_of(src, bytes);
  if (to.touches(from)) report(Rule::CopyOverlap, where, "{} bytes at {} and at {} overlap.", bytes, dst, src);
  Work work;
  if (!check_async(to, from, dst_agent, src_agent, count, dependencies, completion, where, work))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  book().add(std::move(work));
  return call();
}

// From the first byte of a pitched region to behind its last one.
Range extent_of(const hsa_pitched_ptr_t& p, const hsa_dim3_t& offset, const hsa_dim3_t& range) {
  const uint64_t begin = uint64_t(offset.z) * p.slice + uint64_t(offset.y) * p.pitch + offset.x;
  const uint64_t last = uint64_t(range.z - 1) * p.slice + uint64_t(range.y - 1) * p.pitch + range.x;
  return {reinterpret_cast<uint64_t>(p.base) + begin, last};
}

} // namespace

hsa_status_t calls::hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t bytes, uint32_t flags, void** out) {
  constexpr std::string_view where = "hsa_amd_memory_pool_allocate";
  bool allowed = false;
  constexpr uint32_t kFlags =
      HSA_AMD_MEMORY_POOL_PCIE_FLAG | HSA_AMD_MEMORY_POOL_CONTIGUOUS_FLAG | HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG;
  if (next.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed) !=
      HSA_STATUS_SUCCESS)
    report(Rule::PoolUse, where, "{:#x} is no memory pool.", pool.handle);
  else if (!allowed)
    report(Rule::PoolUse, where, "nothing can be allocated from the pool {:#x}.", pool.handle);
  if ((flags & ~kFlags) != 0) report(Rule::PoolUse, where, "the flags are {:#x}.", flags);
  return note_allocated(next.hsa_amd_memory_pool_allocate(pool, bytes, flags, out), bytes, pool, out);
}

hsa_status_t calls::hsa_memory_allocate(hsa_region_t region, size_t bytes, void** out) {
  return note_allocated(next.hsa_memory_allocate(region, bytes, out), bytes, std::nullopt, out);
}

hsa_status_t calls::hsa_amd_memory_pool_free(void* base) {
  return free_memory(base, "hsa_amd_memory_pool_free", next.hsa_amd_memory_pool_free);
}

hsa_status_t calls::hsa_memory_free(void* base) { return free_memory(base, "hsa_memory_free", next.hsa_memory_free); }

hsa_status_t calls::hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t* agents, const uint32_t* flags,
                                                const void* base) {
  const hsa_status_t status = next.hsa_amd_agents_allow_access(count, agents, flags, base);
  if (status != HSA_STATUS_SUCCESS) return status;
  auto guard = book().lock();
  const auto found = book().allocations.find(reinterpret_cast<uint64_t>(base));
  if (found == book().allocations.end()) return status;
  found->second.allowed.clear(); // a call replaces those before
  for (uint32_t i = 0; i < count; ++i) found->second.allowed.insert(agents[i].handle);
  return status;
}

// ---- locked memory -----------------------------------------------------------------------------------------------

hsa_status_t calls::hsa_amd_memory_lock(void* base, size_t bytes, hsa_agent_t* agents, int count, void** out) {
  const hsa_status_t status = next.hsa_amd_memory_lock(base, bytes, agents, count, out);
  auto guard = book().lock();
  if (status == HSA_STATUS_SUCCESS) ++book().locked[reinterpret_cast<uint64_t>(base)];
  return status;
}

hsa_status_t calls::hsa_amd_memory_lock_to_pool(void* base, size_t bytes, hsa_agent_t* agents, int count,
                                                hsa_amd_memory_pool_t pool, uint32_t flags, void** out) {
  const hsa_status_t status = next.hsa_amd_memory_lock_to_pool(base, bytes, agents, count, pool, flags, out);
  auto guard = book().lock();
  if (status == HSA_STATUS_SUCCESS) ++book().locked[reinterpret_cast<uint64_t>(base)];
  return status;
}

hsa_status_t calls::hsa_amd_memory_unlock(void* base) {
  {
    auto guard = book().lock();
    const auto found = book().locked.find(reinterpret_cast<uint64_t>(base));
    if (base && found == book().locked.end()) {
      report(Rule::UnlockUnknown, "hsa_amd_memory_unlock", "{} is not locked.", base);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    if (base && --found->second == 0) book().locked.erase(found);
  }
  return next.hsa_amd_memory_unlock(base);
}

// ---- copies and fills --------------------------------------------------------------------------------------------

hsa_status_t calls::hsa_memory_copy(void* dst, const void* src, size_t bytes) {
  constexpr std::string_view where = "hsa_memory_copy";
  if (dst && src && bytes != 0) {
    auto guard = book().lock();
    const Range to = range_of(dst, bytes), from = range_of(src, bytes);
    if (to.touches(from)) report(Rule::CopyOverlap, where, "{} bytes at {} and at {} overlap.", bytes, dst, src);
    check_side("destination", to, nullptr, where);
    check_side("source", from, nullptr, where);
  }
  return next.hsa_memory_copy(dst, src, bytes);
}

hsa_status_t calls::hsa_amd_memory_fill(void* base, uint32_t value, size_t words) {
  if (base && words != 0) {
    auto guard = book().lock();
    const hsa_agent_t some{};
    const Book::Place place = book().place_of(base);
    check_side("destination", range_of(base, words * sizeof value),
               place.type == HSA_EXT_POINTER_TYPE_UNKNOWN ? &some : nullptr, "hsa_amd_memory_fill");
  }
  return next.hsa_amd_memory_fill(base, value, words);
}

hsa_status_t calls::hsa_amd_memory_async_copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                                              size_t bytes, uint32_t count, const hsa_signal_t* dependencies,
                                              hsa_signal_t completion) {
  return linear_copy(
      dst, dst_agent, src, src_agent, bytes, count, dependencies, completion, "hsa_amd_memory_async_copy", [&] {
        return next.hsa_amd_memory_async_copy(dst, dst_agent, src, src_agent, bytes, count, dependencies, completion);
      });
}

hsa_status_t calls::hsa_amd_memory_async_copy_on_engine(void* dst, hsa_agent_t dst_agent, const void* src,
                                                        hsa_agent_t src_agent, size_t bytes, uint32_t count,
                                                        const hsa_signal_t* dependencies, hsa_signal_t completion,
                                                        hsa_amd_sdma_engine_id_t engine, bool force) {
  return linear_copy(dst, dst_agent, src, src_agent, bytes, count, dependencies, completion,
                     "hsa_amd_memory_async_copy_on_engine", [&] {
                       return next.hsa_amd_memory_async_copy_on_engine(dst, dst_agent, src, src_agent, bytes, count,
                                                                       dependencies, completion, engine, force);
                     });
}

hsa_status_t calls::hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t* dst, const hsa_dim3_t* dst_offset,
                                                   const hsa_pitched_ptr_t* src, const hsa_dim3_t* src_offset,
                                                   const hsa_dim3_t* range, hsa_agent_t agent,
                                                   hsa_amd_copy_direction_t direction, uint32_t count,
                                                   const hsa_signal_t* dependencies, hsa_signal_t completion) {
  const auto call = [&] {
    return next.hsa_amd_memory_async_copy_rect(dst, dst_offset, src, src_offset, range, agent, direction, count,
                                               dependencies, completion);
  };
  if (!dst || !dst_offset || !src || !src_offset || !range || range->x == 0 || range->y == 0 || range->z == 0)
    return call();
  auto guard = book().lock();
  Work work;
  if (!check_async(extent_of(*dst, *dst_offset, *range), extent_of(*src, *src_offset, *range), agent, agent, count,
                   dependencies, completion, "hsa_amd_memory_async_copy_rect", work))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  book().add(std::move(work));
  return call();
}

hsa_status_t calls::hsa_amd_svm_prefetch_async(void* base, size_t bytes, hsa_agent_t agent, uint32_t count,
                                               const hsa_signal_t* dependencies, hsa_signal_t completion) {
  constexpr std::string_view where = "hsa_amd_svm_prefetch_async";
  auto guard = book().lock();
  Work work;
  if (!check_signals(count, dependencies, completion, where, work)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  work.what = fmt::format("a prefetch of {} bytes at {}", bytes, base);
  if (base && bytes != 0 && completion.handle != 0 && book().agents.contains(agent.handle)) book().add(std::move(work));
  return next.hsa_amd_svm_prefetch_async(base, bytes, agent, count, dependencies, completion);
}

} // namespace hip::hsa_check
