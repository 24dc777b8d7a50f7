// runtime/core/memory_pool.h - memory pools of hipMallocAsync and its kin. A pool keeps memory that was freed, with the
// point of the stream that freed it, and gives it to the next allocation of the same size class: at once in the same
// stream, and in another one when the work before the free is done or that stream waits for it. Allocating from a warm
// pool submits nothing. Pools of drivers (backend::MemoryPool) are forwarded to.
//
// Sizes are rounded to classes: multiples of 256 bytes up to 4 KiB, then eight classes for each power of two, so at
// most an eighth is unused; where the device has no memory for that, an allocation gets just the bytes that it asks
// for. Memory goes back to the device at synchronisations (ReleaseThreshold), by trim(), and when the device has none
// left: then the allocation waits for the work that may use what pools keep (allocate_from_kept). What programs name
// pools by is in pool_table.h, and what is done with all pools in pool_list.h. Thread safety: all functions may be
// called from any thread. Lock order: core/README.md; a stream's lock is taken before the pool's.
#pragma once

#include "runtime/backend/memory_pool.h"
#include "runtime/base/mutex.h"
#include "runtime/core/address_map.h"
#include "runtime/core/device.h"
#include "runtime/core/handle_table.h"
#include "runtime/core/memory.h"
#include "runtime/core/shared_blocks.h"

#include <array>
#include <memory>
#include <vector>

namespace hip::core {

struct PoolProperties {
  int allocation_type = 1; // hipMemAllocationTypePinned
  int handle_types = 0;    // hipMemHandleTypeNone
  uint64_t max_bytes = 0;  // 0: no limit
};

class MemoryPool {
public:
  using Attribute = backend::PoolAttribute;
  using Access = backend::PoolAccess;

  // `native` is the driver's pool; `shared` what a pool that core keeps shares with other processes. Either may be
  // null.
  MemoryPool(Device& device, const PoolProperties& properties, std::unique_ptr<backend::MemoryPool> native,
             std::unique_ptr<SharedBlocks> shared);
  MemoryPool(const MemoryPool&) = delete;

  Device& device() const noexcept { return device_; }
  const PoolProperties& properties() const noexcept { return properties_; }
  Handle handle() const noexcept { return handle_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }
  backend::MemoryPool* native() const noexcept { return native_.get(); }

  // Memory for work that the stream is given from now on; the stream may belong to another device. Waits only when the
  // device has no memory left but for what was freed and work may still use. Error: OutOfMemory when neither the device
  // nor this or another pool has any, or the pool's limit is reached.
  [[gnu::hot]] Result<void*> allocate(size_t bytes, Stream& stream);
  // Takes back what allocate() gave, whose entry the caller has removed from the address map. Other work of `stream`
  // may use the memory at once. On an error a driver's pool has not got it back; one that core keeps has, after waiting
  // for the stream.
  [[gnu::hot]] Status free(const Allocation& allocation, Stream& stream);
  // As free(), when no work that uses the memory is outstanding; the memory goes back to the device, and stays the
  // pool's where the host has no memory for that (OutOfMemory).
  Status free_now(const Allocation& allocation);

  // At a synchronisation: gives back what is above the threshold; where the host has no memory for that, a later one
  // does.
  void trim_to_threshold() noexcept;
  // Gives back everything that nothing can use any more.
  KeptMemory release_idle();
  // Gives unused memory back to the device until at most `min_bytes_to_hold` are reserved. Memory that work may still
  // use stays.
  Status trim(uint64_t min_bytes_to_hold);
  Result<uint64_t> attribute(Attribute attribute) const;
  // Errors: InvalidValue for what cannot be set, and for a high-water mark that is not 0.
  Status set_attribute(Attribute attribute, uint64_t value);
  Result<Access> access(Device& device) const;
  // Error: InvalidDevice when the pool's own device would lose its access, or the device cannot have any.
  Status set_access(Device& device, Access access);

  // ---- other processes. Error: InvalidValue for a pool that was not made for that.
  // A file descriptor that the caller closes.
  Result<int> export_descriptor();
  Result<backend::PoolPointerData> export_pointer(const Allocation& allocation);
  // An allocation of the pool's own process, in an imported pool; freed as others.
  Result<void*> import_pointer(const backend::PoolPointerData& data);

  // The class of `bytes`, which are not 0: an index below kClasses, and the bytes that its blocks have.
  static constexpr size_t kClasses = 512, kNoClass = kClasses - 1; // kNoClass: of memory that has less than its class
  struct SizeClass {
    uint32_t index;
    size_t bytes;
  };
  static SizeClass size_class(size_t bytes) noexcept;
  // The bytes of a class's blocks.
  static size_t class_bytes(uint32_t index) noexcept;

private:
  friend class PoolOwner;
  friend struct PoolList;
  ~MemoryPool() = default; // the list deletes pools

  // Memory that was freed.
  struct Block {
    void* base;
    size_t bytes = 0;
    uint64_t stream = 0, frees = 0;   // whose free it was, and the how manieth (Stream::count_free)
    Ref<backend::Completion> point{}; // null: nothing can use it any more
    Device* origin = nullptr;         // of the stream
  };
  enum class Search { SameStreamOrDone, AnyStream };

  // With mutex_ locked.
  bool take_idle(uint32_t index, uint64_t stream, const std::vector<StreamProgress>& seen, Search search, Block& taken);
  void count_native();
  void forget_native();
  void forget_use(size_t bytes) noexcept;
  SizeClass class_of(const Allocation& allocation) const noexcept;
  void forget_class(const Allocation& allocation) noexcept; // of one that ends
  std::vector<Block> take_surplus(uint64_t keep_bytes);
  // After memory became unused, or the threshold lower: a wait will look at the pool when there is something to do.
  void note_surplus() noexcept;

  Result<void*> allocate_native(size_t bytes, Stream& stream);
  // Puts back a block that take_idle() took. Where the host has no memory to keep it, it goes back to the device, after
  // waiting for its work.
  void put_back(uint32_t index, const Block& block);
  // Memory for a class that has no idle block.
  Result<void*> allocate_fresh(size_t bytes, Stream& stream);
  // Gives memory back to the device that is reserved no more and that nothing can use. Where the host has no memory for
  // that, it is the pool's again, unused, and the error is OutOfMemory.
  Status give_back(const Block& block) noexcept;
  Status give_back(const std::vector<Block>& blocks) noexcept;
  void keep(const Block& block) noexcept;
  Result<void*> take_memory(size_t bytes);
  Status give_memory(void* base);
  SharedBlocks::Access& accessors() const noexcept { return shared_ ? shared_->access() : own_access_; }
  // Makes memory of the pool known to HIP.
  Result<void*> enter(void* base, size_t bytes);

  Device& device_;
  const PoolProperties properties_;
  const std::unique_ptr<backend::MemoryPool> native_;
  const std::unique_ptr<SharedBlocks> shared_;
  Handle handle_ = nullptr;

  mutable Mutex mutex_;
  std::array<std::vector<Block>, kClasses> idle_; // the last freed last
  std::vector<const void*> without_class_;        // allocations that got just the bytes that they asked for
  size_t idle_blocks_ = 0, live_blocks_ = 0;
  uint64_t reserved_ = 0, reserved_high_ = 0, used_ = 0, used_high_ = 0, threshold_ = 0;
  bool follow_events_ = true, opportunistic_ = true, internal_dependencies_ = true;
  bool surplus_ = false;                      // counted in detail::pools_with_surplus
  bool ended_ = false;                        // its handle is gone; the pool goes when it is empty
  mutable SharedBlocks::Access own_access_{}; // of a pool of this process alone
};

} // namespace hip::core
