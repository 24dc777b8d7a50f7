// runtime/backend/cuda/allocations.h - how each allocation of a device was made, and so how it is freed.
// Thread safety: any thread.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>

namespace hip::cuda {

class Allocations {
public:
  enum class From { Device, Managed, Host, Pool }; // cuMemAlloc, cuMemAllocManaged, cuMemHostAlloc, cuMemAllocAsync

  void insert(void* base, From from) {
    std::lock_guard lock(mutex_);
    map_[base] = from;
  }
  std::optional<From> find(void* base) const {
    std::lock_guard lock(mutex_);
    const auto found = map_.find(base);
    return found == map_.end() ? std::nullopt : std::optional(found->second);
  }
  // The same, and forgets it.
  std::optional<From> take(void* base) {
    std::lock_guard lock(mutex_);
    const auto found = map_.find(base);
    if (found == map_.end()) return std::nullopt;
    const From from = found->second;
    map_.erase(found);
    return from;
  }

private:
  mutable std::mutex mutex_;
  std::unordered_map<void*, From> map_;
};

} // namespace hip::cuda
