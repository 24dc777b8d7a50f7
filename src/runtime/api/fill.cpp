// The memset family.
#include "runtime/api/copy_forms.h"
#include "runtime/api/graph_params.h"

namespace hip::api {

Status fill_1d(hipStream_t stream, CopyWait wait, void* dst, uint32_t value, uint32_t element_bytes, size_t count) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return core::fill({pin.get(), wait}, dst, value, element_bytes, count);
}

namespace {

Status fill_2d_in(const core::CopyTarget& target, void* dst, size_t pitch, uint32_t value, uint32_t element_bytes,
                  size_t width, size_t height) {
  if (width == 0 || height == 0) return {};
  size_t width_bytes;
  if (__builtin_mul_overflow(width, size_t{element_bytes}, &width_bytes) || (height > 1 && pitch < width_bytes))
    return error(ErrorCode::InvalidValue, "The pitch {} is less than a row of {} elements of {} bytes.", pitch, width,
                 element_bytes);
  if (pitch % element_bytes != 0)
    return error(ErrorCode::InvalidValue, "The pitch {} is no multiple of the element of {} bytes.", pitch,
                 element_bytes);
  return core::fill_3d(target, {dst, pitch}, value, element_bytes, {width_bytes, height, 1});
}

} // namespace

Status fill_2d(hipStream_t stream, CopyWait wait, void* dst, size_t pitch, uint32_t value, uint32_t element_bytes,
               size_t width, size_t height) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return fill_2d_in({pin.get(), wait}, dst, pitch, value, element_bytes, width, height);
}

Result<core::Operation> fill_operation(const hipMemsetParams& p) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
    return error(ErrorCode::InvalidValue, "The elements of a fill have {} bytes; 1, 2 and 4 are possible.",
                 p.elementSize);
  if (p.width == 0 || p.height == 0)
    return error(ErrorCode::InvalidValue, "A node cannot fill {} rows of {} elements.", p.height, p.width);
  core::FillOperation fill;
  fill.memory = p.dst;
  fill.pitch_bytes = p.pitch;
  fill.width = p.width;
  fill.height = p.height;
  fill.value = p.value;
  fill.element_bytes = p.elementSize;
  const uint32_t value = p.elementSize == 4 ? p.value : p.value & ((1u << p.elementSize * 8) - 1);
  const size_t pitch = p.height == 1 ? p.width * p.elementSize : p.pitch;
  RT_TRY(fill_2d_in({&device->null_stream(), CopyWait::Async, &fill.transfers}, p.dst, pitch, value, p.elementSize,
                    p.width, p.height));
  return core::Operation(std::move(fill));
}

hipMemsetParams fill_params(const core::FillOperation& fill) {
  hipMemsetParams p{};
  p.dst = fill.memory;
  p.pitch = fill.pitch_bytes;
  p.width = fill.width;
  p.height = fill.height;
  p.value = fill.value;
  p.elementSize = fill.element_bytes;
  return p;
}

Status fill_box(hipStream_t stream, CopyWait wait, const hipPitchedPtr& memory, int value, const hipExtent& extent) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return {};
  size_t slice;
  if (memory.pitch < extent.width || (extent.depth > 1 && memory.ysize < extent.height) ||
      __builtin_mul_overflow(memory.pitch, memory.ysize, &slice))
    return error(ErrorCode::InvalidValue, "A box of {} x {} does not fit slices of {} x {}.", extent.width,
                 extent.height, memory.pitch, memory.ysize);
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
