// Copies of rows from and to arrays, all brought to core::copy_box. Boxes with arrays (hipMemcpy3D and the driver-style
// forms) are in copy_box.cpp. Offsets and widths are in bytes.
#include "runtime/api/copy_forms.h"

#include <algorithm>
#include <span>
#include <vector>

namespace hip::api {
namespace {

using core::CopyEnd;
using core::CopyKind;
using core::CopyRegion;

CopyEnd array_end(const core::Array& array, size_t x_bytes, size_t y) { return {&array, x_bytes, y, 0, {}}; }
CopyEnd memory_end(const void* memory, size_t pitch, size_t offset = 0) {
  return {nullptr, 0, 0, 0, {const_cast<void*>(memory), pitch, 0, offset}};
}

Status check_pitch(size_t pitch, size_t width) {
  if (pitch >= width) return {};
  return error(ErrorCode::InvalidPitchValue, "The pitch {} is less than the width {}.", pitch, width);
}

// `bytes` of an array from a position on, continued in the next row where one ends, as up to three boxes.
class Run {
public:
  Run(const core::Array& array, size_t x_bytes, size_t y, size_t bytes) {
    const size_t row_bytes = array.shape().row_bytes();
    const size_t first = x_bytes == 0 || x_bytes >= row_bytes ? 0 : std::min(bytes, row_bytes - x_bytes);
    if (first) add({x_bytes, y++, 0, first, 1});
    if (x_bytes >= row_bytes)
      add({x_bytes, y, 0, bytes, 1}); // the copy refuses this box
    else {
      if (const size_t rows = (bytes - first) / row_bytes) {
        add({0, y, first, row_bytes, rows});
        y += rows;
      }
      if (const size_t last = (bytes - first) % row_bytes) add({0, y, bytes - last, last, 1});
    }
  }
  struct Part {
    size_t x_bytes, y, offset, width_bytes, rows;
  };
  std::span<const Part> parts() const noexcept { return {parts_, count_}; }

private:
  void add(const Part& part) noexcept { parts_[count_++] = part; }
  Part parts_[3];
  size_t count_ = 0;
};

// Copies the boxes of a run by `copy`, which is given the target and the box; all are checked before any is copied.
template<class Copy> Status copy_parts(const core::CopyTarget& target, const Run& run, const Copy& copy) {
  std::vector<core::PreparedTransfer> unused;
  for (const Run::Part& part : run.parts()) RT_TRY(copy({target.stream, target.wait, &unused}, part));
  for (const Run::Part& part : run.parts()) RT_TRY(copy(target, part));
  return {};
}

} // namespace

Status copy_to_array(hipStream_t stream, CopyWait wait, hipArray_t dst, size_t x, size_t y, const void* src,
                     size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  RT_TRY_ASSIGN(const auto array, core::find_array(dst));
  if (!src) return error(ErrorCode::InvalidValue, "The source of the copy is null.");
  RT_TRY(check_pitch(spitch, width));
  return core::copy_box({pin.get(), wait}, array_end(*array, x, y), memory_end(src, spitch), {width, height, 1},
                        static_cast<CopyKind>(kind));
}

Status copy_from_array(hipStream_t stream, CopyWait wait, void* dst, size_t dpitch, hipArray_const_t src, size_t x,
                       size_t y, size_t width, size_t height, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  RT_TRY_ASSIGN(const auto array, core::find_array(src));
  if (!dst) return error(ErrorCode::InvalidValue, "The destination of the copy is null.");
  RT_TRY(check_pitch(dpitch, width));
  return core::copy_box({pin.get(), wait}, memory_end(dst, dpitch), array_end(*array, x, y), {width, height, 1},
                        static_cast<CopyKind>(kind));
}

Status copy_run_from_array(hipStream_t stream, CopyWait wait, void* dst, hipArray_const_t src, size_t x, size_t y,
                           size_t count, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  RT_TRY_ASSIGN(const auto array, core::find_array(src));
  if (!dst) return error(ErrorCode::InvalidValue, "The destination of the copy is null.");
  const auto copy = [&](const core::CopyTarget& target, const Run::Part& part) {
    return core::copy_box(target, memory_end(dst, part.width_bytes, part.offset),
                          array_end(*array, part.x_bytes, part.y), {part.width_bytes, part.rows, 1},
                          static_cast<CopyKind>(kind));
  };
  return copy_parts({pin.get(), wait}, Run(*array, x, y, count), copy);
}

namespace {

Status copy_run_to_array(hipStream_t stream, CopyWait wait, hipArray_t dst, size_t x, size_t y, const void* src,
                         size_t count, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  RT_TRY_ASSIGN(const auto array, core::find_array(dst));
  if (!src) return error(ErrorCode::InvalidValue, "The source of the copy is null.");
  const auto copy = [&](const core::CopyTarget& target, const Run::Part& part) {
    return core::copy_box(target, array_end(*array, part.x_bytes, part.y),
                          memory_end(src, part.width_bytes, part.offset), {part.width_bytes, part.rows, 1},
                          static_cast<CopyKind>(kind));
  };
  return copy_parts({pin.get(), wait}, Run(*array, x, y, count), copy);
}

Status copy_between_arrays(hipArray_t dst, size_t dst_x, size_t dst_y, hipArray_const_t src, size_t src_x, size_t src_y,
                           size_t width, size_t height, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(nullptr));
  RT_TRY_ASSIGN(const auto to, core::find_array(dst));
  RT_TRY_ASSIGN(const auto from, core::find_array(src));
  return core::copy_box({pin.get(), CopyWait::Blocking}, array_end(*to, dst_x, dst_y), array_end(*from, src_x, src_y),
                        {width, height, 1}, static_cast<CopyKind>(kind));
}

} // namespace

Status hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch, size_t width,
                          size_t height, hipMemcpyKind kind) {
  return copy_to_array(nullptr, CopyWait::Blocking, dst, wOffset, hOffset, src, spitch, width, height, kind);
}

Status hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch,
                               size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_array(stream, CopyWait::Async, dst, wOffset, hOffset, src, spitch, width, height, kind);
}

Status hipMemcpy2DFromArray(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                            size_t width, size_t height, hipMemcpyKind kind) {
  return copy_from_array(nullptr, CopyWait::Blocking, dst, dpitch, src, wOffset, hOffset, width, height, kind);
}

Status hipMemcpy2DFromArrayAsync(void* dst, size_t dpitch, hipArray_const_t src, size_t wOffset, size_t hOffset,
                                 size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_from_array(stream, CopyWait::Async, dst, dpitch, src, wOffset, hOffset, width, height, kind);
}

Status hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst, hipArray_const_t src,
                               size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, hipMemcpyKind kind) {
  return copy_between_arrays(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind);
}

Status hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                        hipMemcpyKind kind) {
  return copy_run_to_array(nullptr, CopyWait::Blocking, dst, wOffset, hOffset, src, count, kind);
}

Status hipMemcpyFromArray(void* dst, hipArray_const_t srcArray, size_t wOffset, size_t hOffset, size_t count,
                          hipMemcpyKind kind) {
  return copy_run_from_array(nullptr, CopyWait::Blocking, dst, srcArray, wOffset, hOffset, count, kind);
}

// The driver-style forms, for one-dimensional arrays.

Status hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void* srcHost, size_t count) {
  return copy_to_array(nullptr, CopyWait::Blocking, dstArray, dstOffset, 0, srcHost, count, count, 1,
                       hipMemcpyHostToDevice);
}

Status hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount,
                          hipStream_t stream) {
  return copy_to_array(stream, CopyWait::Async, dstArray, dstOffset, 0, srcHost, ByteCount, ByteCount, 1,
                       hipMemcpyHostToDevice);
}

Status hipMemcpyAtoH(void* dst, hipArray_t srcArray, size_t srcOffset, size_t count) {
  return copy_from_array(nullptr, CopyWait::Blocking, dst, count, srcArray, srcOffset, 0, count, 1,
                         hipMemcpyDeviceToHost);
}

Status hipMemcpyAtoHAsync(void* dstHost, hipArray_t srcArray, size_t srcOffset, size_t ByteCount, hipStream_t stream) {
  return copy_from_array(stream, CopyWait::Async, dstHost, ByteCount, srcArray, srcOffset, 0, ByteCount, 1,
                         hipMemcpyDeviceToHost);
}

Status hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice, size_t ByteCount) {
  return copy_to_array(nullptr, CopyWait::Blocking, dstArray, dstOffset, 0, srcDevice, ByteCount, ByteCount, 1,
                       hipMemcpyDeviceToDevice);
}

Status hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_from_array(nullptr, CopyWait::Blocking, dstDevice, ByteCount, srcArray, srcOffset, 0, ByteCount, 1,
                         hipMemcpyDeviceToDevice);
}

Status hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray, size_t srcOffset, size_t ByteCount) {
  return copy_between_arrays(dstArray, dstOffset, 0, srcArray, srcOffset, 0, ByteCount, 1, hipMemcpyDeviceToDevice);
}

} // namespace hip::api
