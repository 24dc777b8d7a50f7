// runtime/backend/virtual_memory.h - addresses and memory apart from each other, and memory that other processes share
// (Device::virtual_memory). Sizes, addresses and offsets are multiples of the smallest granularity_bytes().
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/backend/memory_pool.h"
#include "runtime/base/ref.h"
#include "runtime/base/status.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hip::backend {

// Generic: the hardware may keep the contents compressed, which spares traffic; the size stays.
enum class Compression : uint8_t { None, Generic };

struct PhysicalOptions {
  bool exportable = false;
  Compression compression = Compression::None; // a wish: PhysicalMemory::compression tells what became of it
};

// Memory without an address. Goes with its last reference; mappings hold one.
class PhysicalMemory : public RefCounted {
public:
  explicit PhysicalMemory(size_t bytes, Compression compression = Compression::None) noexcept
      : bytes_(bytes), compression_(compression) {}
  size_t bytes() const noexcept { return bytes_; } // 0: not known, of imported memory
  Compression compression() const noexcept { return compression_; }
  // A file descriptor that another process can import; the caller closes it.
  virtual Result<int> export_descriptor() = 0;

private:
  const size_t bytes_;
  const Compression compression_;
};

// What another process opens an allocation with.
using SharedMemoryHandle = std::array<std::byte, 64>;

enum class Granularity { Minimum, Recommended };

class VirtualMemory {
public:
  virtual ~VirtualMemory() = default;
  virtual Result<size_t> granularity_bytes(Granularity kind) = 0;
  // Addresses, at `wish` when they are free there. `alignment` is 0 or a power of two. Accesses fault. Error:
  // OutOfMemory.
  virtual Result<void*> reserve(size_t bytes, size_t alignment, void* wish) = 0;
  // A whole reservation in which nothing is mapped.
  virtual Status release(void* base, size_t bytes) = 0;
  // Error: OutOfMemory.
  virtual Result<Ref<PhysicalMemory>> create(size_t bytes, const PhysicalOptions& options) = 0;
  // Memory of another process. Error: InvalidValue for a descriptor of something else.
  virtual Result<Ref<PhysicalMemory>> import(int descriptor) = 0;
  // Into reserved addresses where nothing is mapped; nobody may access them yet.
  virtual Status map(void* address, size_t bytes, size_t offset, const Ref<PhysicalMemory>& memory) = 0;
  // What one map() made. No work that uses it may be outstanding.
  virtual Status unmap(void* address, size_t bytes) = 0;
  // Of whole mappings, for kernels of `device` and, where the host reaches device memory, for the host. No work may be
  // outstanding that needs access which is taken away.
  virtual Status set_access(void* address, size_t bytes, Device& device, PoolAccess access) = 0;

  // For an allocation of Device::allocate (MemoryKind::Device), whose contents stay; no work that uses it may be
  // outstanding. The handle is good while the allocation and this process live.
  virtual Result<SharedMemoryHandle> share(void* base) = 0;
  // An allocation, or a mapping, as a file descriptor, which is the caller's to close, and where in its file `address`
  // is. The memory lives as long as a descriptor or a mapping of it. Errors: InvalidValue for what is not `bytes` bytes
  // of one allocation or mapping, NotSupported.
  struct FilePart {
    int descriptor;
    uint64_t offset;
  };
  virtual Result<FilePart> export_part(const void* /*address*/, size_t /*bytes*/) {
    return error(ErrorCode::NotSupported, "Memory of this device has no file descriptors.");
  }
  // Whether share() of this process made the handle; false where open() refuses such handles itself.
  virtual bool is_own(const SharedMemoryHandle&) const noexcept { return false; }
  // Maps an allocation of another process, or one of this process at other addresses, where the back end can. Errors:
  // InvalidValue for no handle or one whose owner has gone.
  virtual Result<void*> open(const SharedMemoryHandle& handle, size_t& bytes) = 0;
  virtual Status close(void* base) = 0;
};

} // namespace hip::backend
