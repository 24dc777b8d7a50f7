// Copies and fills of a Queue. The driver finds out which memory an address belongs to (unified addressing), also on
// other NVIDIA GPUs.
#include "runtime/backend/cuda/device.h"
#include "runtime/backend/cuda/queue.h"

namespace hip::cuda {

using backend::Extent3;
using backend::Region;

namespace {

bool one_row(const Extent3& e) noexcept { return e.height == 1 && e.depth == 1; }
bool is_empty(const Extent3& e) noexcept { return e.width_bytes == 0 || e.height == 0 || e.depth == 0; }

// The rows of the box follow each other without a gap.
bool contiguous(const Region& region, const Extent3& e) noexcept {
  return (e.height == 1 || region.pitch_bytes == e.width_bytes) &&
         (e.depth == 1 || region.slice_bytes == e.width_bytes * e.height);
}

// Slices are a whole number of rows apart, as the driver's heights are.
bool whole_rows(const Region& region, const Extent3& e) noexcept {
  return e.depth == 1 || (region.pitch_bytes != 0 && region.slice_bytes % region.pitch_bytes == 0 &&
                          region.slice_bytes / region.pitch_bytes >= e.height);
}

Region slice_of(const Region& region, size_t z) noexcept {
  return {static_cast<std::byte*>(region.base) + z * region.slice_bytes, region.pitch_bytes, 0};
}
void* row_of(const Region& region, size_t y) noexcept {
  return static_cast<std::byte*>(region.base) + y * region.pitch_bytes;
}

} // namespace

// Between two GPUs the driver must be told of both contexts, unless peer access is enabled. A null context: the memory
// is no one GPU's.
Status Queue::copy_linear(void* dst, CUcontext to, const void* src, CUcontext from, size_t bytes) {
  if (to && from && to != from)
    return context_.check(driver_.cuMemcpyPeerAsync(to_cuda(dst), to, to_cuda(src), from, bytes, handle_),
                          "cuMemcpyPeerAsync");
  return context_.check(driver_.cuMemcpyAsync(to_cuda(dst), to_cuda(src), bytes, handle_), "cuMemcpyAsync");
}

Status Queue::copy(void* dst, const void* src, size_t bytes) {
  if (bytes == 0) return {};
  RT_TRY(context_.enter());
  RT_TRY_ASSIGN(const CUcontext to, device_.owner_of(dst));
  RT_TRY_ASSIGN(const CUcontext from, device_.owner_of(src));
  return copy_linear(dst, to, src, from, bytes);
}

// A device that has memory has its context.
Status Queue::copy_between(void* dst, const void* src, size_t bytes, const backend::CopyOwners& owners) {
  if (bytes == 0) return {};
  RT_TRY(context_.enter());
  const auto context_of = [](backend::Device* owner) {
    return owner ? static_cast<Device*>(owner)->context().handle() : nullptr;
  };
  return copy_linear(dst, context_of(owners.dst), src, context_of(owners.src), bytes);
}

// The driver's blocking copy, which is in the order of the legacy default stream: one call, as CUDA programs have it.
Status Queue::copy_now(void* dst, const void* src, size_t bytes, backend::CopyTo to) {
  const uint64_t launches = stream_->log().launches();
  RT_TRY(context_.enter());
  RT_TRY(context_.check(driver_.cuMemcpy(to_cuda(dst), to_cuda(src), bytes), "cuMemcpy"));
  if (to == backend::CopyTo::Host) stream_->log().good_up_to(launches); // other copies may return before they are done
  return {};
}

Status Queue::copy_boxes(const Region& dst, const Region& src, const Extent3& e) {
  const auto rows_per_slice = [&](const Region& region) {
    return e.depth == 1 ? e.height : region.slice_bytes / region.pitch_bytes;
  };
  CUDA_MEMCPY3D c{};
  c.srcMemoryType = c.dstMemoryType = kMemoryUnified;
  c.srcDevice = to_cuda(src.base);
  c.dstDevice = to_cuda(dst.base);
  // A single row per slice needs no pitch from the caller; the driver wants one.
  c.srcPitch = std::max(src.pitch_bytes, e.width_bytes);
  c.dstPitch = std::max(dst.pitch_bytes, e.width_bytes);
  c.srcHeight = rows_per_slice(src);
  c.dstHeight = rows_per_slice(dst);
  c.WidthInBytes = e.width_bytes;
  c.Height = e.height;
  c.Depth = e.depth;
  RT_TRY_ASSIGN(const CUcontext to, device_.owner_of(dst.base));
  RT_TRY_ASSIGN(const CUcontext from, device_.owner_of(src.base));
  if (to && from && to != from) {
    c.srcMemoryType = c.dstMemoryType = kMemoryDevice;
    c.srcContext = from;
    c.dstContext = to;
    return context_.check(driver_.cuMemcpy3DPeerAsync(&c, handle_), "cuMemcpy3DPeerAsync");
  }
  return context_.check(driver_.cuMemcpy3DAsync(&c, handle_), "cuMemcpy3DAsync");
}

Status Queue::copy_3d(const Region& dst, const Region& src, const Extent3& e) {
  if (is_empty(e)) return {};
  if (contiguous(dst, e) && contiguous(src, e)) return copy(dst.base, src.base, e.width_bytes * e.height * e.depth);
  RT_TRY(context_.enter());
  const size_t largest_pitch = device_.properties().max_pitch_bytes;
  const bool fits = dst.pitch_bytes <= largest_pitch && src.pitch_bytes <= largest_pitch;
  if (fits && whole_rows(dst, e) && whole_rows(src, e)) return copy_boxes(dst, src, e);
  for (size_t z = 0; z < e.depth; ++z) {
    const Region to = slice_of(dst, z), from = slice_of(src, z);
    if (fits) {
      RT_TRY(copy_boxes(to, from, {e.width_bytes, e.height, 1}));
      continue;
    }
    for (size_t y = 0; y < e.height; ++y) RT_TRY(copy(row_of(to, y), row_of(from, y), e.width_bytes));
  }
  return {};
}

Status Queue::fill_row(CUdeviceptr dst, uint64_t pattern, uint32_t pattern_bytes, size_t bytes) {
  switch (pattern_bytes) {
  case 1:
    return context_.check(driver_.cuMemsetD8Async(dst, static_cast<unsigned char>(pattern), bytes, handle_),
                          "cuMemsetD8Async");
  case 2:
    return context_.check(driver_.cuMemsetD16Async(dst, static_cast<unsigned short>(pattern), bytes / 2, handle_),
                          "cuMemsetD16Async");
  default:
    return context_.check(driver_.cuMemsetD32Async(dst, static_cast<unsigned>(pattern), bytes / 4, handle_),
                          "cuMemsetD32Async");
  }
}

Status Queue::fill_plane(CUdeviceptr dst, size_t pitch, uint64_t pattern, uint32_t pattern_bytes, size_t width,
                         size_t rows) {
  switch (pattern_bytes) {
  case 1:
    return context_.check(
        driver_.cuMemsetD2D8Async(dst, pitch, static_cast<unsigned char>(pattern), width, rows, handle_),
        "cuMemsetD2D8Async");
  case 2:
    return context_.check(
        driver_.cuMemsetD2D16Async(dst, pitch, static_cast<unsigned short>(pattern), width / 2, rows, handle_),
        "cuMemsetD2D16Async");
  default:
    return context_.check(
        driver_.cuMemsetD2D32Async(dst, pitch, static_cast<unsigned>(pattern), width / 4, rows, handle_),
        "cuMemsetD2D32Async");
  }
}

Status Queue::fill_3d(const Region& dst, uint64_t pattern, uint32_t pattern_bytes, const Extent3& e) {
  if ((pattern_bytes != 1 && pattern_bytes != 2 && pattern_bytes != 4) || e.width_bytes % pattern_bytes != 0)
    return error(ErrorCode::InvalidValue,
                 "A fill of {} bytes with a pattern of {}: patterns have 1, 2 or 4 bytes, and rows "
                 "are whole patterns.",
                 e.width_bytes, pattern_bytes);
  if (is_empty(e)) return {};
  RT_TRY(context_.enter());
  if (contiguous(dst, e))
    return fill_row(to_cuda(dst.base), pattern, pattern_bytes, e.width_bytes * e.height * e.depth);
  const bool fits = dst.pitch_bytes <= device_.properties().max_pitch_bytes;
  if (fits && !one_row(e) && e.depth > 1 && dst.slice_bytes == dst.pitch_bytes * e.height)
    return fill_plane(to_cuda(dst.base), dst.pitch_bytes, pattern, pattern_bytes, e.width_bytes, e.height * e.depth);
  for (size_t z = 0; z < e.depth; ++z) {
    const Region slice = slice_of(dst, z);
    if (fits && e.height > 1) {
      RT_TRY(fill_plane(to_cuda(slice.base), dst.pitch_bytes, pattern, pattern_bytes, e.width_bytes, e.height));
      continue;
    }
    for (size_t y = 0; y < e.height; ++y)
      RT_TRY(fill_row(to_cuda(row_of(slice, y)), pattern, pattern_bytes, e.width_bytes));
  }
  return {};
}

} // namespace hip::cuda
