#include "runtime/core/address_map.h"

#include <mutex>
#include <new>

namespace hip::core {

AddressMap& addresses() noexcept {
  // Never destroyed: static destructors of programs free memory.
  alignas(AddressMap) static std::byte storage[sizeof(AddressMap)];
  static AddressMap* map = new (storage) AddressMap;
  return *map;
}

bool AddressMap::overlaps(Map::const_iterator next, uintptr_t base, size_t bytes) const noexcept {
  if (next != map_.end() && next->first < base + (bytes ? bytes : 1)) return true;
  if (next == map_.begin()) return false;
  const auto before = std::prev(next);
  return base < before->first + before->second.bytes;
}

bool AddressMap::overlaps(const void* address, size_t bytes) const noexcept {
  const uintptr_t base = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(mutex_);
  return overlaps(map_.lower_bound(base), base, bytes);
}

bool AddressMap::insert(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  const uintptr_t base = reinterpret_cast<uintptr_t>(allocation.base);
  const auto next = map_.lower_bound(base);
  if (overlaps(next, base, allocation.bytes)) return false;
  Map::iterator entered;
  if (spare_.empty()) {
    entered = map_.emplace_hint(next, base, allocation);
  } else {
    Map::node_type node = std::move(spare_.back());
    spare_.pop_back();
    node.key() = base;
    node.mapped() = allocation;
    entered = map_.insert(next, std::move(node));
  }
  entered->second.id = next_id_++;
  return true;
}

void AddressMap::remove(Map::iterator it) {
  constexpr size_t kSpare = 64;
  if (spare_.capacity() == 0) spare_.reserve(kSpare);
  Map::node_type node = map_.extract(it);
  if (spare_.size() < kSpare) spare_.push_back(std::move(node));
}

std::optional<Allocation> AddressMap::find(const void* address) const noexcept {
  const uintptr_t value = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(mutex_);
  auto it = map_.upper_bound(value);
  if (it == map_.begin()) return std::nullopt;
  --it;
  if (value != it->first && value - it->first >= it->second.bytes) return std::nullopt;
  return it->second;
}

bool AddressMap::is_mapped(const void* address, size_t bytes, backend::PoolAccess access) const noexcept {
  uintptr_t at = reinterpret_cast<uintptr_t>(address);
  uintptr_t end;
  if (__builtin_add_overflow(at, bytes, &end)) return false;
  std::lock_guard lock(mutex_);
  auto it = map_.upper_bound(at);
  if (it == map_.begin()) return false;
  for (--it; it != map_.end() && it->first <= at; ++it) {
    const Allocation& a = it->second;
    if (at - it->first >= a.bytes || !a.is_mapped() || a.access < access) return false;
    at = it->first + a.bytes;
    if (at >= end) return true;
  }
  return false;
}

std::vector<Allocation> AddressMap::take_all(const Device& device) {
  std::vector<Allocation> found;
  std::lock_guard lock(mutex_);
  for (auto it = map_.begin(); it != map_.end();) {
    if (it->second.device == &device && it->second.kind != PointerKind::Variable && !it->second.of_program &&
        !it->second.is_mapped()) {
      found.push_back(it->second);
      it = map_.erase(it);
    } else {
      ++it;
    }
  }
  return found;
}

} // namespace hip::core
