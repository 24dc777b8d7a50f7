// runtime/core/copy.h - copies and fills: which device's stream does it, whether the host waits, and the checks on
// ranges. Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/core/address_map.h"
#include "runtime/core/array.h"
#include "runtime/core/stream.h"

namespace hip::core {

// hipMemcpyKind's numbers.
enum class CopyKind : int {
  HostToHost,
  HostToDevice,
  DeviceToHost,
  DeviceToDevice,
  Default,
  DeviceToDeviceNoCU = 1024
};

// Whether the call returns before the copy is done. Blocking calls still do not wait for copies between device memory,
// as HIP documents, unless the memory asks for it (HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS).
enum class CopyWait { Blocking, Async };

// A copy or fill that has passed all checks, as queues take it: what graphs keep to do it later.
struct PreparedTransfer {
  backend::BoxEnd dst{}, src{};
  Ref<backend::Image> dst_image{}, src_image{}; // keep those of the ends
  backend::Extent3 extent{};
  uint32_t pattern = 0, pattern_bytes = 0; // pattern_bytes 0: a copy
  Device* owner = nullptr;                 // whose back end alone can reach the memory; null: every back end can
  uint64_t dst_allocation = 0, src_allocation = 0; // ids; 0: memory that HIP does not know

  bool is_linear() const noexcept { return !dst.image && !src.image && extent.height == 1 && extent.depth == 1; }
  Status submit(backend::Queue& queue) const;
};

struct CopyTarget {
  Stream* stream; // what to use; a default stream is replaced by that of the device that owns the memory
  CopyWait wait;
  std::vector<PreparedTransfer>* prepare_into =
      nullptr; // not null: checks and prepares, and does nothing in the stream
};

// A pitched 3D box in memory; pitch and slice may be 0 when height and depth are 1. The box starts offset_bytes after
// `memory`, and both must lie in one allocation.
struct CopyRegion {
  void* memory = nullptr;
  size_t pitch_bytes = 0, slice_bytes = 0;
  size_t offset_bytes = 0;

  void* base() const noexcept { return static_cast<char*>(memory) + offset_bytes; }
};

// Errors: InvalidValue for a null pointer, a range that leaves its allocation, or a kind that names a device where both ends are
// pageable host memory; InvalidMemcpyDirection for no known kind.
[[gnu::hot]] Status copy(const CopyTarget& target, void* dst, const void* src, size_t bytes, CopyKind kind);
// The same for boxes. The caller has checked pitches against widths.
Status copy_3d(const CopyTarget& target, const CopyRegion& dst, const CopyRegion& src, const backend::Extent3& extent,
               CopyKind kind);

// One end of a copy of boxes that touches an array: a position in an array, or memory.
struct CopyEnd {
  const Array* array = nullptr;
  size_t x_bytes = 0, y = 0, z = 0; // in the array
  CopyRegion memory;
};
// At least one end is an array. Errors: InvalidValue for what leaves an array or is no whole number of elements;
// InvalidMemcpyDirection for an array on the host's side.
Status copy_box(const CopyTarget& target, const CopyEnd& dst, const CopyEnd& src, const backend::Extent3& extent,
                CopyKind kind);

// Fills with a pattern of 1, 2 or 4 bytes. Errors: InvalidValue for memory that is not HIP's, or too short.
Status fill(const CopyTarget& target, void* dst, uint32_t pattern, uint32_t pattern_bytes, size_t count);
Status fill_3d(const CopyTarget& target, const CopyRegion& dst, uint32_t pattern, uint32_t pattern_bytes,
               const backend::Extent3& extent);

// HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS of the allocation with this id.
void set_sync_memops(uint64_t allocation_id, bool on);
bool sync_memops(uint64_t allocation_id) noexcept;

} // namespace hip::core
