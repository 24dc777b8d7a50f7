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
  for (const auto& [base, block] : blocks_) {
    if (block.from_pool) report(agent_.free(pointer_to(base)));
    if (block.type == HSA_EXT_POINTER_TYPE_LOCKED && block.announced) report(agent_.unregister_host(pointer_to(base)));
  }
}

Memory::Blocks::iterator Memory::holding(uint64_t address) {
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return blocks_.end();
  --it;
  return address - it->first < it->second.bytes ? it : blocks_.end();
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

hsa_status_t Memory::lock(void* base, size_t bytes) {
  if (!base || bytes == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::lock_guard guard(mutex_);
  const uint64_t address = address_of(base);
  if (const auto it = blocks_.find(address); it != blocks_.end()) {
    Block& block = it->second;
    if (block.type != HSA_EXT_POINTER_TYPE_LOCKED || bytes > block.bytes)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is memory that agents may use already.", base);
    ++block.locks;
    return HSA_STATUS_SUCCESS;
  }
  Block block;
  block.bytes = bytes;
  block.type = HSA_EXT_POINTER_TYPE_LOCKED;
  block.locks = 1;
  const auto outer = holding(address);
  const bool inside = outer != blocks_.end() && outer->second.type == HSA_EXT_POINTER_TYPE_LOCKED &&
                      address + bytes <= outer->first + outer->second.bytes;
  if (!inside) {
    if (Status status = agent_.register_host(base, bytes); !status.ok()) {
      to_hsa(status);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    block.announced = true;
  }
  blocks_[address] = std::move(block);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::unlock(void* base) {
  if (!base) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::lock_guard guard(mutex_);
  const auto it = blocks_.find(address_of(base));
  if (it == blocks_.end() || it->second.type != HSA_EXT_POINTER_TYPE_LOCKED)
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is no locked memory.", base);
  if (--it->second.locks > 0) return HSA_STATUS_SUCCESS;
  const bool announced = it->second.announced;
  blocks_.erase(it);
  return announced ? to_hsa(agent_.unregister_host(base)) : HSA_STATUS_SUCCESS;
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
  const auto it = holding(address_of(address));
  if (it != blocks_.end()) return Found{it->first, it->second};
  const auto of_others = agent_.allocation_at(address);
  if (!of_others) return std::nullopt;
  Block block;
  block.bytes = of_others->bytes;
  block.pool = of_others->kind == aql::AgentMemory::Device ? &device_ : &host_;
  return Found{address_of(of_others->base), std::move(block)};
}

bool Memory::change(const void* address, bool anywhere, const std::function<void(Block&)>& how) {
  std::lock_guard guard(mutex_);
  const auto it = anywhere ? holding(address_of(address)) : blocks_.find(address_of(address));
  if (it == blocks_.end()) return false;
  how(it->second);
  return true;
}

} // namespace hip::hsa
