// runtime/core/graph/graph_memory.h - memory of allocation nodes. Its address is known when the node is made and stays
// the same for every launch, so the range belongs to the node until the graph, its executables and their work are gone.
// Between a launch of the node and the free of the address (a free node, hipFree, hipFreeAsync) it is in use, and lives
// on without a graph: destroying a graph does not free what a launch has made.
// Whoever drops an allocation waits for nothing: an allocation without an owner is kept until the work that was given
// to streams before is done, and given back by a later call. Thread safety: all functions may be called from any
// thread; the registry's lock is a leaf.
#pragma once

#include "runtime/core/memory.h"

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

  // Gives back the device's allocations that have no owner and that no work uses any more.
  static KeptMemory give_back_unused(Device& device) noexcept;

  GraphAllocation(Device& device, size_t bytes) noexcept : device_(device), bytes_(bytes) {} // of create()

private:
  ~GraphAllocation() override;
  void last_release() const noexcept override;
  void find_users() noexcept;
  bool users_are_done() const noexcept;
  bool free() noexcept;

  Device& device_;
  void* address_ = nullptr; // null only until create() has it
  const size_t bytes_;
  std::atomic<bool> in_use_{false};
  bool registered_ = false;
  // Of an allocation without an owner: points behind the work that may use it.
  bool knows_users_ = false; // else it is kept until all devices are idle
  std::vector<Ref<backend::Completion>> users_;
  GraphAllocation* next_ = nullptr; // in a list of such allocations
};

namespace detail {
extern constinit std::atomic<uint32_t> kept_graph_allocations;
void give_back_graph_memory() noexcept;
} // namespace detail
// A part of after_host_wait(): gives back allocations of all devices that have no owner and no user any more.
inline void give_back_graph_memory() noexcept {
  if (detail::kept_graph_allocations.load(std::memory_order_relaxed) != 0) [[unlikely]]
    detail::give_back_graph_memory();
}

// The allocation of this address; none when it is no allocation node's.
Ref<GraphAllocation> find_graph_allocation(const void* address) noexcept;
// hipFree and hipFreeAsync of a graph's allocation. None: the address is no allocation node's. Error: InvalidValue when
// the allocation is not in use.
std::optional<Status> free_graph_allocation(void* address);
Status free_graph_allocation(GraphAllocation& allocation);
// hipDeviceReset: what graphs have made on the device is in use no more.
void end_graph_allocations(const Device& device);

// What the graphs of a device allocate: used from launch to free, reserved until the memory is given back.
enum class GraphMemory { UsedNow, UsedHigh, ReservedNow, ReservedHigh };
uint64_t graph_memory_bytes(const Device& device, GraphMemory what) noexcept;
// Sets a high mark to what there is now.
void reset_graph_memory_high(const Device& device, GraphMemory what) noexcept;

} // namespace hip::core
