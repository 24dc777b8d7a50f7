// runtime/core/shared_blocks.h - the memory of a pool that other processes open: each block is physical memory with a
// file descriptor of its own, and the pool is a page with what its processes have in common. Thread safety: all
// functions may be called from any thread.
#pragma once

#include "runtime/backend/virtual_memory.h"
#include "runtime/base/mutex.h"
#include "runtime/base/shared_file.h"
#include "runtime/core/device.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace hip::core {

class SharedBlocks {
public:
  // Error: NotSupported on a device without virtual memory management.
  static Result<std::unique_ptr<SharedBlocks>> create(Device& device);
  // The pool behind another process's descriptor, which stays the caller's. Error: InvalidValue.
  static Result<std::unique_ptr<SharedBlocks>> import(Device& device, int descriptor);
  ~SharedBlocks();
  bool is_imported() const noexcept { return imported_; }

  Result<void*> allocate(size_t bytes);
  // Where the host has no memory for that (std::bad_alloc), the block is as it was.
  Status free(void* base);
  // A descriptor of the pool that the caller closes.
  Result<int> export_pool() const { return page_.file().duplicate(); }
  // Of a block whose user has `bytes`. Good while the block and this process live.
  Result<backend::PoolPointerData> export_block(void* base, size_t bytes);
  // A block of another process; free() ends the mapping. Error: InvalidValue.
  Result<void*> open(const backend::PoolPointerData& data, size_t& bytes);

  // Which other devices may read and write: a bit per ordinal; the same in all processes.
  struct Access {
    std::atomic<uint64_t> readers{0}, writers{0};
  };
  Access& access() const noexcept;

private:
  struct Block {
    size_t bytes;
    Ref<backend::PhysicalMemory> memory;
    SharedFile exported{}; // open for those who have the exported pointer
  };
  SharedBlocks(Device& device, SharedPage page, bool imported) noexcept
      : device_(device), page_(std::move(page)), imported_(imported) {}
  // Gives the memory an address that the device may access.
  Result<void*> map(size_t bytes, Ref<backend::PhysicalMemory> memory);

  Device& device_;
  const SharedPage page_;
  const bool imported_;
  Mutex mutex_;
  std::map<void*, Block> blocks_;
};

} // namespace hip::core
