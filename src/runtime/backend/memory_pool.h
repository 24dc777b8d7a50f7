// runtime/backend/memory_pool.h - memory pools of drivers that have their own (Device::create_pool). On devices without
// them core keeps pools itself, over Device::allocate (core/memory_pool.h).
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/base/status.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hip::backend {

class Device; // backend.h
class Queue;

// HIP's and CUDA's numbers. Switches are 0 or 1, the others bytes.
enum class PoolAttribute : uint32_t {
  FollowEventDependencies = 1,
  AllowOpportunistic,
  AllowInternalDependencies,
  ReleaseThreshold,
  ReservedCurrent,
  ReservedHigh, // can be set to 0, which makes it the current value
  UsedCurrent,
  UsedHigh, // likewise
};

enum class PoolAccess : uint32_t { None = 0, Read = 1, ReadWrite = 3 };

struct PoolOptions {
  bool exportable = false; // by a file descriptor
  uint64_t max_bytes = 0;  // 0: no limit
};

// What finds an allocation of an exported pool in another process.
using PoolPointerData = std::array<std::byte, 64>;

class MemoryPool {
public:
  virtual ~MemoryPool() = default; // the driver keeps memory that is still allocated
  // In the order of a queue of the same back end; Queue::release gives it back.
  virtual Result<void*> allocate(Queue& queue, size_t bytes) = 0;
  virtual Status trim(uint64_t min_bytes_to_hold) = 0;
  virtual Result<uint64_t> attribute(PoolAttribute attribute) = 0;
  virtual Status set_attribute(PoolAttribute attribute, uint64_t value) = 0;
  virtual Result<PoolAccess> access(Device& device) = 0;
  virtual Status set_access(Device& device, PoolAccess access) = 0;
  // A file descriptor that the caller closes.
  virtual Result<int> export_descriptor() = 0;
  virtual Result<PoolPointerData> export_pointer(const void* address) = 0;
  // The address of an allocation of another process; Device::free or Queue::release (StreamOrdered) ends the mapping.
  virtual Result<void*> import_pointer(const PoolPointerData& data, size_t& bytes) = 0;
};

} // namespace hip::backend
