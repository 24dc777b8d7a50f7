// The memset family.
#include "runtime/api/copy_forms.h"

namespace hip::api {

Status fill_1d(hipStream_t stream, CopyWait wait, void* dst, uint32_t value, uint32_t element_bytes, size_t count) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return core::fill({pin.get(), wait}, dst, value, element_bytes, count);
}

Status fill_2d(hipStream_t stream, CopyWait wait, void* dst, size_t pitch, uint32_t value, uint32_t element_bytes,
               size_t width, size_t height) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  if (width == 0 || height == 0) return {};
  size_t width_bytes;
  if (__builtin_mul_overflow(width, size_t{element_bytes}, &width_bytes) || (height > 1 && pitch < width_bytes))
    return error(ErrorCode::InvalidValue, "The pitch {} is less than a row of {} elements of {} bytes.", pitch, width,
                 element_bytes);
  if (pitch % element_bytes != 0)
    return error(ErrorCode::InvalidValue, "The pitch {} is no multiple of the element of {} bytes.", pitch, element_bytes);
  return core::fill_3d({pin.get(), wait}, {dst, pitch}, value, element_bytes, {width_bytes, height, 1});
}

Status fill_box(hipStream_t stream, CopyWait wait, const hipPitchedPtr& memory, int value, const hipExtent& extent) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return {};
  size_t slice;
  if (memory.pitch < extent.width || (extent.depth > 1 && memory.ysize < extent.height) ||
      __builtin_mul_overflow(memory.pitch, memory.ysize, &slice))
    return error(ErrorCode::InvalidValue, "A box of {} x {} does not fit slices of {} x {}.", extent.width, extent.height,
                 memory.pitch, memory.ysize);
  return core::fill_3d({pin.get(), wait}, {memory.ptr, memory.pitch, slice}, static_cast<uint8_t>(value), 1,
                       {extent.width, extent.height, extent.depth});
}

Status hipMemset(void* dst, int value, size_t sizeBytes) {
  return fill_1d(nullptr, CopyWait::Blocking, dst, static_cast<uint8_t>(value), 1, sizeBytes);
}
Status hipMemsetAsync(void* dst, int value, size_t sizeBytes, hipStream_t stream) {
  return fill_1d(stream, CopyWait::Async, dst, static_cast<uint8_t>(value), 1, sizeBytes);
}
Status hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count) {
  return fill_1d(nullptr, CopyWait::Blocking, dest, value, 1, count);
}
Status hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count, hipStream_t stream) {
  return fill_1d(stream, CopyWait::Async, dest, value, 1, count);
}
Status hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count) {
  return fill_1d(nullptr, CopyWait::Blocking, dest, value, 2, count);
}
Status hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count, hipStream_t stream) {
  return fill_1d(stream, CopyWait::Async, dest, value, 2, count);
}
Status hipMemsetD32(hipDeviceptr_t dest, int value, size_t count) {
  return fill_1d(nullptr, CopyWait::Blocking, dest, static_cast<uint32_t>(value), 4, count);
}
Status hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return fill_1d(stream, CopyWait::Async, dst, static_cast<uint32_t>(value), 4, count);
}

Status hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(nullptr, CopyWait::Blocking, dst, pitch, static_cast<uint8_t>(value), 1, width, height);
}
Status hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fill_2d(stream, CopyWait::Async, dst, pitch, static_cast<uint8_t>(value), 1, width, height);
}
Status hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height) {
  return fill_2d(nullptr, CopyWait::Blocking, dst, dstPitch, value, 1, width, height);
}
Status hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width, size_t height,
                          hipStream_t stream) {
  return fill_2d(stream, CopyWait::Async, dst, dstPitch, value, 1, width, height);
}
Status hipMemsetD2D16(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height) {
  return fill_2d(nullptr, CopyWait::Blocking, dst, dstPitch, value, 2, width, height);
}
Status hipMemsetD2D16Async(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width, size_t height,
                           hipStream_t stream) {
  return fill_2d(stream, CopyWait::Async, dst, dstPitch, value, 2, width, height);
}
Status hipMemsetD2D32(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height) {
  return fill_2d(nullptr, CopyWait::Blocking, dst, dstPitch, value, 4, width, height);
}
Status hipMemsetD2D32Async(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width, size_t height,
                           hipStream_t stream) {
  return fill_2d(stream, CopyWait::Async, dst, dstPitch, value, 4, width, height);
}

Status hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
  return fill_box(nullptr, CopyWait::Blocking, pitchedDevPtr, value, extent);
}
Status hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream) {
  return fill_box(stream, CopyWait::Async, pitchedDevPtr, value, extent);
}

} // namespace hip::api
