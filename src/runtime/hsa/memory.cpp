#include "runtime/hsa/memory.h"

#include <algorithm>

namespace hip::hsa {

namespace {
uint64_t address_of(const void* pointer) noexcept { return reinterpret_cast<uint64_t>(pointer); }
void* pointer_to(uint64_t address) noexcept { return reinterpret_cast<void*>(address); }
} // namespace

Memory::~Memory() {
  const auto report = [](const Status& status) {
    if (!status.ok()) log(LogLevel::Warning, "Giving memory back: {}", status.message());
  };
  while (!locks_.empty()) report(drop(locks_.begin()));
  for (const auto& [base, block] : blocks_)
    if (block.from_pool) report(agent_.free(pointer_to(base)));
}

Memory::Held Memory::holding(uint64_t address) {
  if (auto it = blocks_.upper_bound(address); it != blocks_.begin()) {
    --it;
    if (address - it->first < it->second.bytes) return {it->first, &it->second};
  }
  for (auto it = locks_.upper_bound({address, UINT64_MAX}); it != locks_.begin();) {
    --it;
    if (address - it->first.begin >= longest_lock_bytes_) break; // nor do those that begin before it reach so far
    if (address < it->first.end) return {it->first.begin, &it->second.block};
  }
  return {};
}

hsa_status_t Memory::allocate(const Pool& pool, size_t bytes, void** out) {
  if (!pool.allocates()) return refuse(HSA_STATUS_ERROR_INVALID_ALLOCATION, "Nothing can be allocated from LDS.");
  if (bytes == 0 || !out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (bytes > pool.bytes) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  bytes = (bytes + kGranule - 1) / kGranule * kGranule;
  Result<void*> base = pool.agent->memory()->allocate(bytes, kGranule, pool.memory());
  if (!base.ok()) return to_hsa(base.status());
  Block block;
  block.bytes = bytes;
  block.pool = &pool;
  block.from_pool = true;
  add(*base, std::move(block));
  *out = *base;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::free(void* base) {
  if (!base) return HSA_STATUS_SUCCESS;
  Block block;
  {
    std::lock_guard guard(mutex_);
    const auto it = blocks_.find(address_of(base));
    if (it == blocks_.end() || !it->second.from_pool)
      return refuse(HSA_STATUS_ERROR_INVALID_ALLOCATION, "{} is no allocation of a memory pool.", base);
    block = std::move(it->second);
    blocks_.erase(it);
  }
  for (const Block::Farewell& each : block.farewells) each.callback(const_cast<void*>(each.pointer), each.data);
  return to_hsa(agent_.free(base));
}

std::vector<Memory::Range> Memory::unlocked_parts(const Range& range) const {
  std::vector<Range> parts;
  uint64_t at = range.begin;
  // Locks that begin before this do not reach the range.
  const uint64_t first = range.begin - std::min(range.begin, longest_lock_bytes_);
  for (auto it = locks_.lower_bound({first, 0}); it != locks_.end() && it->first.begin < range.end; ++it) {
    if (at < it->first.begin) parts.push_back({at, it->first.begin});
    at = std::max(at, it->first.end);
  }
  if (at < range.end) parts.push_back({at, range.end});
  return parts;
}

Status Memory::withdraw(const Range& part) {
  return agent_.unregister_host_part(pointer_to(part.begin), part.end - part.begin);
}

Status Memory::drop(Locks::iterator lock) {
  const Range range = lock->first;
  locks_.erase(lock);
  Status first;
  for (const Range& part : unlocked_parts(range))
    if (Status status = withdraw(part); first.ok()) first = std::move(status);
  return first;
}

hsa_status_t Memory::lock(void* base, size_t bytes) {
  const uint64_t address = address_of(base);
  if (!base || bytes == 0 || bytes > UINT64_MAX - address) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const Range range{address, address + bytes};
  std::lock_guard guard(mutex_);
  if (blocks_.contains(address))
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is memory that agents may use already.", base);
  if (const auto known = locks_.find(range); known != locks_.end()) {
    ++known->second.count;
    return HSA_STATUS_SUCCESS;
  }
  Locks made; // before the agent hears of anything
  Block& block = made[range].block;
  block.bytes = bytes;
  block.type = HSA_EXT_POINTER_TYPE_LOCKED;
  const std::vector<Range> parts = unlocked_parts(range);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    Status status = agent_.register_host(pointer_to(part->begin), part->end - part->begin);
    if (status.ok()) continue;
    while (part != parts.begin()) static_cast<void>(withdraw(*--part));
    to_hsa(status);
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  longest_lock_bytes_ = std::max(longest_lock_bytes_, bytes);
  locks_.merge(made);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::unlock(void* base) {
  if (!base) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const uint64_t address = address_of(base);
  std::lock_guard guard(mutex_);
  const auto shortest = locks_.lower_bound({address, 0});
  if (shortest == locks_.end() || shortest->first.begin != address)
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is no locked memory.", base);
  return --shortest->second.count > 0 ? HSA_STATUS_SUCCESS : to_hsa(drop(shortest));
}

void Memory::add(void* base, Block block) {
  std::lock_guard guard(mutex_);
  blocks_[address_of(base)] = std::move(block);
}

bool Memory::remove(void* base) {
  std::lock_guard guard(mutex_);
  return blocks_.erase(address_of(base)) != 0;
}

std::optional<Memory::Found> Memory::find(const void* address) const {
  std::lock_guard guard(mutex_);
  if (const Held held = const_cast<Memory*>(this)->holding(address_of(address)); held.block)
    return Found{held.base, *held.block};
  const auto of_others = agent_.allocation_at(address);
  if (!of_others) return std::nullopt;
  Block block;
  block.bytes = of_others->bytes;
  block.pool = of_others->kind == aql::AgentMemory::Device ? &device_ : &host_;
  return Found{address_of(of_others->base), std::move(block)};
}

bool Memory::change(const void* address, const std::function<void(Block&)>& how) {
  std::lock_guard guard(mutex_);
  const Held held = holding(address_of(address));
  if (!held.block) return false;
  how(*held.block);
  return true;
}

} // namespace hip::hsa
