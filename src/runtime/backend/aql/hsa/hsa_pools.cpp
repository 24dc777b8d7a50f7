// runtime/backend/aql/hsa/hsa_pools.cpp - memory of cards and of the host: HSA's pools, locked memory of the program,
// and managed memory that moves (hsa_amd_svm_*).
#include "runtime/backend/aql/hsa/hsa_agent.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace hip::aql::hsa {

Result<void*> HsaAgent::allocate(size_t bytes, size_t, AgentMemory kind) {
  RT_TRY(usable());
  if (kind == AgentMemory::Managed && cards_->shared != SharedMemory::None) return allocate_shared(bytes);
  const bool device = kind == AgentMemory::Device || kind == AgentMemory::Code;
  const hsa_amd_memory_pool_t pool = device ? coarse_ : kind == AgentMemory::FineGrained ? fine_ : cards_->host_memory;
  const uint32_t flags =
      kind == AgentMemory::Code ? HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG : HSA_AMD_MEMORY_POOL_STANDARD_FLAG;
  void* base = nullptr;
  if (Status status = hsa().check(hsa().hsa_amd_memory_pool_allocate(pool, std::max<size_t>(bytes, 1), flags, &base),
                                  "hsa_amd_memory_pool_allocate");
      !status.ok())
    return error(status.code(), "Allocating {} bytes on {}: {}", bytes, properties_.name, status.message());
  std::vector<hsa_agent_t> agents = pool.handle == coarse_.handle ? reach_coarse_ : cards_->gpus;
  if (pool.handle != coarse_.handle || host_reaches_) agents.push_back(cards_->host);
  if (Status status = hsa().check(
          hsa().hsa_amd_agents_allow_access(static_cast<uint32_t>(agents.size()), agents.data(), nullptr, base),
          "hsa_amd_agents_allow_access");
      !status.ok()) {
    hsa().note(hsa().hsa_amd_memory_pool_free(base), "hsa_amd_memory_pool_free");
    return status;
  }
  std::lock_guard guard(mutex_);
  allocations_[base] = bytes;
  return base;
}

// Nothing is given back on a card that is lost: its kernels and copies may not have ended.
Status HsaAgent::free(void* base) {
  RT_TRY(usable());
  {
    std::lock_guard guard(mutex_);
    const auto found = allocations_.find(base);
    if (found == allocations_.end())
      return error(ErrorCode::InvalidValue, "{} is no allocation of {}.", base, properties_.name);
    const size_t bytes = found->second;
    allocations_.erase(found);
    if (shared_.erase(base) != 0) {
      ::munmap(base, std::max<size_t>(bytes, 1));
      return Status();
    }
  }
  return hsa().check(hsa().hsa_amd_memory_pool_free(base), "hsa_amd_memory_pool_free");
}

// Memory of the process that moves between host and cards, once the cards have been given access to it.
Result<void*> HsaAgent::allocate_shared(size_t bytes) {
  const size_t whole = std::max<size_t>(bytes, 1);
  void* const base = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return error(ErrorCode::OutOfMemory, "Allocating {} bytes of managed memory: {}.", bytes, std::strerror(errno));
  std::vector<hsa_amd_svm_attribute_pair_t> attributes;
  if (cards_->shared != SharedMemory::Everywhere)
    for (const hsa_agent_t gpu : cards_->gpus) attributes.push_back({HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu.handle});
  attributes.push_back({HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED});
  if (Status status = hsa().check(hsa().hsa_amd_svm_attributes_set(base, whole, attributes.data(), attributes.size()),
                                  "hsa_amd_svm_attributes_set");
      !status.ok()) {
    ::munmap(base, whole);
    return status;
  }
  std::lock_guard guard(mutex_);
  allocations_[base] = bytes;
  shared_.insert(base);
  return base;
}

Status HsaAgent::advise(const void* base, size_t bytes, backend::Advice advice, Agent* where) {
  if (cards_->shared == SharedMemory::None) return Status();
  RT_TRY(usable());
  const auto* const card = dynamic_cast<const HsaAgent*>(where);
  if (where && !card) return Status(); // memory does not move to agents of others
  const uint64_t place = card ? card->gpu_.handle : cards_->host.handle;
  hsa_amd_svm_attribute_pair_t attribute{};
  switch (advice) {
  case backend::Advice::ReadMostly:
  case backend::Advice::NotReadMostly:
    attribute = {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, advice == backend::Advice::ReadMostly};
    break;
  case backend::Advice::Prefer:
    attribute = {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, place};
    break;
  case backend::Advice::PreferNothing:
    attribute = {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0};
    break;
  case backend::Advice::AccessedBy:
    if (!card) return Status(); // the host always is one
    attribute = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, place};
    break;
  case backend::Advice::NotAccessedBy: // it may still access it, by moving it
    if (!card) return Status();
    attribute = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, place};
    break;
  }
  return hsa().check(hsa().hsa_amd_svm_attributes_set(const_cast<void*>(base), bytes, &attribute, 1),
                     "hsa_amd_svm_attributes_set");
}

Status HsaAgent::begin_prefetch(const void* base, size_t bytes, Agent* where, Signal* after, Signal& done,
                                std::function<void(const Status&)> ended) {
  const auto* const card = dynamic_cast<const HsaAgent*>(where);
  const hsa_signal_t before{to_handle(after)};
  return begin_work(fmt::format("A prefetch of {} bytes at {}", bytes, base), done, std::move(ended), [&] {
    return hsa().check(hsa().hsa_amd_svm_prefetch_async(const_cast<void*>(base), bytes,
                                                        card ? card->gpu_ : cards_->host, after ? 1 : 0,
                                                        after ? &before : nullptr, hsa_signal_t{to_handle(&done)}),
                       "hsa_amd_svm_prefetch_async");
  });
}

backend::PeerLink HsaAgent::peer_link(Agent& other) {
  auto* const peer = dynamic_cast<HsaAgent*>(&other);
  if (!peer) return {};
  const bool access = std::any_of(peer->reach_coarse_.begin(), peer->reach_coarse_.end(),
                                  [this](hsa_agent_t agent) { return agent.handle == gpu_.handle; });
  return {.access = access, .native_atomics = access, .array_access = false, .performance_rank = access ? 1 : 0};
}

size_t HsaAgent::bytes_of(void* base) const {
  std::lock_guard guard(mutex_);
  const auto found = allocations_.find(base);
  return found == allocations_.end() ? 0 : found->second;
}

Status RegisteredMemory::add(const void* base, size_t bytes, const std::function<Status()>& lock) {
  const auto begin = reinterpret_cast<uint64_t>(base);
  std::lock_guard guard(mutex_);
  const auto behind = ranges_.lower_bound(begin + bytes);
  if (behind != ranges_.begin() && std::prev(behind)->first + std::prev(behind)->second > begin)
    return error(ErrorCode::HostMemoryAlreadyRegistered, "{} bytes at {} are registered in part.", bytes, base);
  const auto range = ranges_.emplace(begin, bytes).first;
  Status locked = lock();
  if (!locked.ok()) ranges_.erase(range);
  return locked;
}

Status RegisteredMemory::remove(const void* base, const std::function<Status()>& unlock) {
  std::lock_guard guard(mutex_);
  if (ranges_.erase(reinterpret_cast<uint64_t>(base)) == 0)
    return error(ErrorCode::HostMemoryNotRegistered, "No registered memory begins at {}.", base);
  return unlock();
}

size_t RegisteredMemory::bytes_from(const void* address) const {
  const auto at = reinterpret_cast<uint64_t>(address);
  std::lock_guard guard(mutex_);
  const auto behind = ranges_.upper_bound(at);
  if (behind == ranges_.begin()) return 0;
  const auto& [begin, bytes] = *std::prev(behind);
  return at - begin < bytes ? bytes - (at - begin) : 0;
}

Status HsaAgent::register_host(void* base, size_t bytes) {
  RT_TRY(usable());
  return cards_->registered->add(base, bytes, [&]() -> Status {
    std::vector<hsa_agent_t> gpus = cards_->gpus;
    void* on_gpu = nullptr;
    RT_TRY(hsa().check(hsa().hsa_amd_memory_lock(base, bytes, gpus.data(), static_cast<int>(gpus.size()), &on_gpu),
                       "hsa_amd_memory_lock"));
    if (on_gpu == base) return Status();
    hsa().note(hsa().hsa_amd_memory_unlock(base), "hsa_amd_memory_unlock");
    return error(ErrorCode::NotSupported, "{} would see the memory at {} at another address, {}.", properties_.name,
                 base, on_gpu);
  });
}

// Also on a card that is lost: the memory is the program's, which may free it whatever is said here.
Status HsaAgent::unregister_host(void* base) {
  RT_TRY(hsa().usable());
  settle();
  return cards_->registered->remove(
      base, [&] { return hsa().check(hsa().hsa_amd_memory_unlock(base), "hsa_amd_memory_unlock"); });
}

} // namespace hip::aql::hsa
