// runtime/core/graph/graph_memory.h - memory of allocation nodes. Its address is known when the node is made and stays
// the same for every launch, so the range belongs to the node until the graph, its executables and their work are gone.
// Between a launch of the node and the free of the address (a free node, hipFree, hipFreeAsync) it is in use, and lives
// on without a graph: destroying a graph does not free what a launch has made.
// Thread safety: all functions may be called from any thread; the registry's lock is a leaf.
#pragma once

#include "runtime/core/device.h"

#include <optional>

namespace hip::core {

class GraphAllocation final : public RefCounted {
public:
  // Error: OutOfMemory.
  static Result<Ref<GraphAllocation>> create(Device& device, size_t bytes);

  Device& device() const noexcept { return device_; }
  void* address() const noexcept { return address_; }
  size_t bytes() const noexcept { return bytes_; }
  bool in_use() const noexcept { return in_use_.load(std::memory_order_acquire); }
  // A launch has made the allocation. False: it was in use already.
  bool begin_use() noexcept;
  // The address was freed. False: it was not in use.
  bool end_use() noexcept;

  GraphAllocation(Device& device, void* address, size_t bytes) noexcept
      : device_(device), address_(address), bytes_(bytes) {}

private:
  ~GraphAllocation() override; // no work uses the memory any more

  Device& device_;
  void* const address_;
  const size_t bytes_;
  std::atomic<bool> in_use_{false};
};

// The allocation of this address; none when it is no allocation node's.
Ref<GraphAllocation> find_graph_allocation(const void* address) noexcept;
// hipFree and hipFreeAsync of a graph's allocation. None: the address is no allocation node's. Error: InvalidValue when
// the allocation is not in use.
std::optional<Status> free_graph_allocation(void* address);
Status free_graph_allocation(GraphAllocation& allocation);
// hipDeviceReset: what graphs have made on the device is in use no more.
void end_graph_allocations(const Device& device);

// What the graphs of a device allocate: used from launch to free, reserved as long as the node has the address.
enum class GraphMemory { UsedNow, UsedHigh, ReservedNow, ReservedHigh };
uint64_t graph_memory_bytes(const Device& device, GraphMemory what) noexcept;
// Sets a high mark to what there is now.
void reset_graph_memory_high(const Device& device, GraphMemory what) noexcept;

} // namespace hip::core
