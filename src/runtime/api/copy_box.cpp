// Copies of rows and boxes: the 2D, 3D and driver-style forms, brought to core::copy_3d, and to core::copy_box
// where an end is an array.
#include "runtime/api/copy_forms.h"
#include "runtime/api/graph_params.h"

namespace hip::api {
namespace {

using core::CopyKind;
using core::CopyRegion;

constexpr size_t kMaxPitch = INT32_MAX; // hipDeviceAttributeMaxPitch

} // namespace

Status copy_2d(hipStream_t stream, CopyWait wait, void* dst, size_t dpitch, const void* src, size_t spitch,
               size_t width, size_t height, hipMemcpyKind kind) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  if (!dst || !src)
    return error(ErrorCode::InvalidValue, "The {} of the copy is null.", dst ? "source" : "destination");
  if (width == 0 || height == 0) return {};
  if (dpitch < width || spitch < width)
    return error(ErrorCode::InvalidPitchValue,
                 "The pitches {} (destination) and {} (source) must be at least the width {}.", dpitch, spitch, width);
  if (dpitch > kMaxPitch || spitch > kMaxPitch)
    return error(ErrorCode::InvalidValue, "The pitches {} (destination) and {} (source) must be at most {}.", dpitch,
                 spitch, kMaxPitch);
  return core::copy_3d({pin.get(), wait}, {dst, dpitch}, {const_cast<void*>(src), spitch}, {width, height, 1},
                       static_cast<CopyKind>(kind));
}

namespace {

// One end of a box copy: the memory at the position, if the box fits there.
Result<CopyRegion> region_of(const char* end, const hipPitchedPtr& memory, const hipPos& at, const hipExtent& extent) {
  if (!memory.ptr) return error(ErrorCode::InvalidValue, "The {} of the copy is null.", end);
  if (memory.pitch >= kMaxPitch)
    return error(ErrorCode::InvalidValue, "The pitch {} of the {} must be less than {}.", memory.pitch, end, kMaxPitch);
  const bool many_rows = extent.height > 1 || extent.depth > 1 || at.y != 0 || at.z != 0;
  if (many_rows && memory.pitch < extent.width)
    return error(ErrorCode::InvalidPitchValue, "The pitch {} of the {} is less than the width {}.", memory.pitch, end,
                 extent.width);
  if (many_rows && (at.x > memory.pitch || extent.width > memory.pitch - at.x))
    return error(ErrorCode::InvalidValue, "The {} columns from {} on leave the pitch {} of the {}.", extent.width, at.x,
                 memory.pitch, end);
  const bool many_slices = extent.depth > 1 || at.z != 0;
  if (many_slices && (memory.ysize < extent.height || at.y > memory.ysize - extent.height))
    return error(ErrorCode::InvalidValue, "The {} rows from {} on leave the {} rows of a slice of the {}.",
                 extent.height, at.y, memory.ysize, end);
  CopyRegion region;
  region.memory = memory.ptr;
  region.pitch_bytes = memory.pitch;
  size_t slices, rows;
  if (__builtin_mul_overflow(memory.pitch, memory.ysize, &region.slice_bytes) ||
      __builtin_mul_overflow(region.slice_bytes, at.z, &slices) || __builtin_mul_overflow(memory.pitch, at.y, &rows) ||
      __builtin_add_overflow(slices, rows, &region.offset_bytes) ||
      __builtin_add_overflow(region.offset_bytes, at.x, &region.offset_bytes))
    return error(ErrorCode::InvalidValue, "The {} box lies beyond the address space.", end);
  return region;
}

// Copies of boxes with an array. Positions and the extent are in bytes.
Status copy_with_array(const core::CopyTarget& target, const core::Array* dst, const core::Array* src,
                       const hipMemcpy3DParms& p) {
  const auto end_of = [&p](const char* name, const core::Array* array, const hipPitchedPtr& memory,
                           const hipPos& at) -> Result<core::CopyEnd> {
    if (array) return core::CopyEnd{array, at.x, at.y, at.z, {}};
    RT_TRY_ASSIGN(const CopyRegion region, region_of(name, memory, at, p.extent));
    return core::CopyEnd{nullptr, 0, 0, 0, region};
  };
  const bool is_empty = p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0;
  if (is_empty) return {};
  RT_TRY_ASSIGN(const core::CopyEnd to, end_of("destination", dst, p.dstPtr, p.dstPos));
  RT_TRY_ASSIGN(const core::CopyEnd from, end_of("source", src, p.srcPtr, p.srcPos));
  return core::copy_box(target, to, from, {p.extent.width, p.extent.height, p.extent.depth},
                        static_cast<CopyKind>(p.kind));
}

// hipMemcpy3D counts in elements when an array takes part: positions in arrays, and the width.
Status copy_3d_with_array(const core::CopyTarget& target, const hipMemcpy3DParms& given) {
  core::Pin<core::Array> dst, src;
  if (given.dstArray) {
    RT_TRY_ASSIGN(dst, core::find_array(given.dstArray));
  }
  if (given.srcArray) {
    RT_TRY_ASSIGN(src, core::find_array(given.srcArray));
  }
  if ((dst && given.dstPtr.ptr) || (src && given.srcPtr.ptr))
    return error(ErrorCode::InvalidValue, "The {} is an array and a pointer.",
                 dst && given.dstPtr.ptr ? "destination" : "source");
  const size_t element_bytes = (dst ? dst : src)->shape().format.bytes();
  if (dst && src && src->shape().format.bytes() != element_bytes)
    return error(ErrorCode::InvalidValue, "The elements of the arrays have {} and {} bytes.", element_bytes,
                 src->shape().format.bytes());
  hipMemcpy3DParms p = given;
  if ((dst && __builtin_mul_overflow(p.dstPos.x, element_bytes, &p.dstPos.x)) ||
      (src && __builtin_mul_overflow(p.srcPos.x, element_bytes, &p.srcPos.x)) ||
      __builtin_mul_overflow(p.extent.width, element_bytes, &p.extent.width))
    return error(ErrorCode::InvalidValue, "The box lies beyond the address space.");
  return copy_with_array(target, dst.get(), src.get(), p);
}

} // namespace

namespace {

Status copy_3d_in(const core::CopyTarget& target, const hipMemcpy3DParms& p) {
  if (p.srcArray || p.dstArray) return copy_3d_with_array(target, p);
  if (p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0) return {};
  RT_TRY_ASSIGN(const CopyRegion dst, region_of("destination", p.dstPtr, p.dstPos, p.extent));
  RT_TRY_ASSIGN(const CopyRegion src, region_of("source", p.srcPtr, p.srcPos, p.extent));
  return core::copy_3d(target, dst, src, {p.extent.width, p.extent.height, p.extent.depth},
                       static_cast<CopyKind>(p.kind));
}

} // namespace

Status copy_3d(hipStream_t stream, CopyWait wait, const hipMemcpy3DParms& p) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return copy_3d_in({pin.get(), wait}, p);
}

namespace {

struct DriverEnd {
  hipMemoryType type;
  void* host;
  void* device;
  hipArray_t array;
  size_t pitch, height, x, y, z;
};

Result<hipPitchedPtr> memory_of(const char* name, const DriverEnd& end, size_t width, size_t height) {
  void* memory = nullptr;
  switch (end.type) {
  case hipMemoryTypeHost:
    memory = end.host;
    break;
  case hipMemoryTypeDevice:
  case hipMemoryTypeManaged:
  case hipMemoryTypeUnified:
    memory = end.device;
    break;
  case hipMemoryTypeArray:
    return hipPitchedPtr{}; // found by its handle
  default:
    return error(ErrorCode::InvalidValue, "The memory type {} of the {} is not known.", static_cast<int>(end.type),
                 name);
  }
  if (!memory) return error(ErrorCode::InvalidValue, "The {} of the copy is null.", name);
  // A pitch or height of 0 means that rows or slices follow each other.
  const size_t pitch = end.pitch ? end.pitch : width;
  if (pitch < width)
    return error(ErrorCode::InvalidPitchValue, "The pitch {} of the {} is less than the width {}.", pitch, name, width);
  return hipPitchedPtr{memory, pitch, width, end.height ? end.height : height};
}

Status copy_driver(const core::CopyTarget& target, const DriverEnd& dst, const DriverEnd& src,
                   const hipExtent& extent) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return {};
  hipMemcpy3DParms p{};
  RT_TRY_ASSIGN(p.dstPtr, memory_of("destination", dst, extent.width, extent.height));
  RT_TRY_ASSIGN(p.srcPtr, memory_of("source", src, extent.width, extent.height));
  p.dstPos = {dst.x, dst.y, dst.z};
  p.srcPos = {src.x, src.y, src.z};
  p.extent = extent;
  p.kind = hipMemcpyDefault;
  const bool to_array = dst.type == hipMemoryTypeArray, from_array = src.type == hipMemoryTypeArray;
  if (!to_array && !from_array) return copy_3d_in(target, p);
  core::Pin<core::Array> to, from;
  if (to_array) {
    RT_TRY_ASSIGN(to, core::find_array(dst.array));
  }
  if (from_array) {
    RT_TRY_ASSIGN(from, core::find_array(src.array));
  }
  return copy_with_array(target, to.get(), from.get(), p);
}

Status copy_param_2d(hipStream_t stream, CopyWait wait, const hip_Memcpy2D& c) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return copy_driver(
      {pin.get(), wait}, {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstPitch, 0, c.dstXInBytes, c.dstY, 0},
      {c.srcMemoryType, const_cast<void*>(c.srcHost), c.srcDevice, c.srcArray, c.srcPitch, 0, c.srcXInBytes, c.srcY, 0},
      {c.WidthInBytes, c.Height, 1});
}

Status copy_param_3d_in(const core::CopyTarget& target, const HIP_MEMCPY3D& c) {
  if (c.srcLOD != 0 || c.dstLOD != 0) return error(ErrorCode::InvalidValue, "srcLOD and dstLOD must be 0.");
  return copy_driver(
      target,
      {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstPitch, c.dstHeight, c.dstXInBytes, c.dstY, c.dstZ},
      {c.srcMemoryType, const_cast<void*>(c.srcHost), c.srcDevice, c.srcArray, c.srcPitch, c.srcHeight, c.srcXInBytes,
       c.srcY, c.srcZ},
      {c.WidthInBytes, c.Height, c.Depth});
}

Status copy_param_3d(hipStream_t stream, CopyWait wait, const HIP_MEMCPY3D& c) {
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return copy_param_3d_in({pin.get(), wait}, c);
}

} // namespace

// ---- copy nodes ----------------------------------------------------------------------------------------------------

namespace {

core::CopyPlace place_of(hipArray_t array, const hipPos& at, const hipPitchedPtr& memory) {
  return {array, at.x, at.y, at.z, memory.ptr, memory.pitch, memory.xsize, memory.ysize};
}
hipPitchedPtr memory_of(const core::CopyPlace& place) {
  return {place.memory, place.pitch_bytes, place.width, place.height};
}
bool on_host(const void* memory) {
  const auto found = core::addresses().find(memory);
  return !found || found->on_host();
}

} // namespace

Result<core::Operation> copy_operation(const hipMemcpy3DParms& p) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  core::CopyOperation copy;
  copy.dst = place_of(p.dstArray, p.dstPos, p.dstPtr);
  copy.src = place_of(p.srcArray, p.srcPos, p.srcPtr);
  copy.extent = {p.extent.width, p.extent.height, p.extent.depth};
  copy.kind = static_cast<CopyKind>(p.kind);
  if ((!p.srcArray && !p.srcPtr.ptr) || (!p.dstArray && !p.dstPtr.ptr))
    return error(ErrorCode::InvalidValue, "The {} of the copy node is null.",
                 !p.srcArray && !p.srcPtr.ptr ? "source" : "destination");
  if ((p.srcArray && p.srcPtr.ptr) || (p.dstArray && p.dstPtr.ptr))
    return error(ErrorCode::InvalidValue, "The {} of the copy node is an array and a pointer.",
                 p.srcArray && p.srcPtr.ptr ? "source" : "destination");
  RT_TRY(copy_3d_in({&device->null_stream(), CopyWait::Async, &copy.transfers}, p));
  return core::Operation(std::move(copy));
}

hipMemcpy3DParms copy_params(const core::CopyOperation& copy) {
  hipMemcpy3DParms p{};
  p.srcArray = as_handle<hipArray_t>(copy.src.array);
  p.dstArray = as_handle<hipArray_t>(copy.dst.array);
  p.srcPos = {copy.src.x, copy.src.y, copy.src.z};
  p.dstPos = {copy.dst.x, copy.dst.y, copy.dst.z};
  p.srcPtr = memory_of(copy.src);
  p.dstPtr = memory_of(copy.dst);
  p.extent = {copy.extent[0], copy.extent[1], copy.extent[2]};
  p.kind = static_cast<hipMemcpyKind>(copy.kind);
  return p;
}

// Kept as hipMemcpy3D would have it: positions in arrays, and the width of a copy with one, in elements.
Result<core::Operation> copy_operation(const HIP_MEMCPY3D& c) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  core::CopyOperation copy;
  // HIP documents one error for all wrong parameters of the driver-style nodes.
  if (Status checked = copy_param_3d_in({&device->null_stream(), CopyWait::Async, &copy.transfers}, c); !checked.ok())
    return checked.code() == ErrorCode::InvalidPitchValue ? Status(ErrorCode::InvalidValue, checked.message())
                                                          : std::move(checked);
  if (copy.transfers.empty() && (c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0))
    return error(ErrorCode::InvalidValue, "The box of the copy node is empty.");
  size_t element_bytes = 1;
  for (const auto& [type, array] : {std::pair(c.srcMemoryType, c.srcArray), std::pair(c.dstMemoryType, c.dstArray)})
    if (type == hipMemoryTypeArray) {
      RT_TRY_ASSIGN(const auto pin, core::find_array(array));
      element_bytes = pin->shape().format.bytes();
    }
  const auto place = [&](hipMemoryType type, void* host, void* memory, hipArray_t array, size_t x, size_t y, size_t z,
                         size_t pitch, size_t height) -> core::CopyPlace {
    if (type == hipMemoryTypeArray) return {.array = array, .x = x / element_bytes, .y = y, .z = z};
    return {nullptr,
            x,
            y,
            z,
            type == hipMemoryTypeHost ? host : memory,
            pitch ? pitch : c.WidthInBytes,
            c.WidthInBytes,
            height ? height : c.Height};
  };
  copy.dst = place(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch,
                   c.dstHeight);
  copy.src = place(c.srcMemoryType, const_cast<void*>(c.srcHost), c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY,
                   c.srcZ, c.srcPitch, c.srcHeight);
  copy.extent = {c.WidthInBytes / element_bytes, c.Height, c.Depth};
  return core::Operation(std::move(copy));
}

HIP_MEMCPY3D driver_copy_params(const core::CopyOperation& copy) {
  size_t element_bytes = 1;
  for (const core::Handle array : {copy.src.array, copy.dst.array})
    if (array)
      if (auto pin = core::find_array(array); pin.ok()) element_bytes = pin.value()->shape().format.bytes();
  HIP_MEMCPY3D c{};
  c.srcXInBytes = copy.src.x * (copy.src.array ? element_bytes : 1);
  c.dstXInBytes = copy.dst.x * (copy.dst.array ? element_bytes : 1);
  c.srcY = copy.src.y;
  c.srcZ = copy.src.z;
  c.dstY = copy.dst.y;
  c.dstZ = copy.dst.z;
  c.srcArray = as_handle<hipArray_t>(copy.src.array);
  c.dstArray = as_handle<hipArray_t>(copy.dst.array);
  c.srcMemoryType = copy.src.array             ? hipMemoryTypeArray
                    : on_host(copy.src.memory) ? hipMemoryTypeHost
                                               : hipMemoryTypeDevice;
  c.dstMemoryType = copy.dst.array             ? hipMemoryTypeArray
                    : on_host(copy.dst.memory) ? hipMemoryTypeHost
                                               : hipMemoryTypeDevice;
  if (c.srcMemoryType == hipMemoryTypeHost) c.srcHost = copy.src.memory;
  if (c.srcMemoryType == hipMemoryTypeDevice) c.srcDevice = copy.src.memory;
  if (c.dstMemoryType == hipMemoryTypeHost) c.dstHost = copy.dst.memory;
  if (c.dstMemoryType == hipMemoryTypeDevice) c.dstDevice = copy.dst.memory;
  c.srcPitch = copy.src.pitch_bytes;
  c.dstPitch = copy.dst.pitch_bytes;
  c.srcHeight = copy.src.height;
  c.dstHeight = copy.dst.height;
  c.WidthInBytes = copy.extent[0] * (copy.src.array || copy.dst.array ? element_bytes : 1);
  c.Height = copy.extent[1];
  c.Depth = copy.extent[2];
  return c;
}

Status hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                   hipMemcpyKind kind) {
  return copy_2d(nullptr, CopyWait::Blocking, dst, dpitch, src, spitch, width, height, kind);
}

Status hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                        hipMemcpyKind kind, hipStream_t stream) {
  return copy_2d(stream, CopyWait::Async, dst, dpitch, src, spitch, width, height, kind);
}

Status hipMemcpy3D(const hipMemcpy3DParms* p) { return copy_3d(nullptr, CopyWait::Blocking, *p); }
Status hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream) { return copy_3d(stream, CopyWait::Async, *p); }

Status hipMemcpyParam2D(const hip_Memcpy2D* pCopy) { return copy_param_2d(nullptr, CopyWait::Blocking, *pCopy); }
Status hipMemcpyParam2DAsync(const hip_Memcpy2D* pCopy, hipStream_t stream) {
  return copy_param_2d(stream, CopyWait::Async, *pCopy);
}
// A null array is an invalid argument here, and an invalid handle for the other forms.
Status hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* pCopy) {
  if ((pCopy->dstMemoryType == hipMemoryTypeArray && !pCopy->dstArray) ||
      (pCopy->srcMemoryType == hipMemoryTypeArray && !pCopy->srcArray))
    return error(ErrorCode::InvalidValue, "An array of the copy is null.");
  return copy_param_2d(nullptr, CopyWait::Blocking, *pCopy);
}

Status hipDrvMemcpy3D(const HIP_MEMCPY3D* pCopy) { return copy_param_3d(nullptr, CopyWait::Blocking, *pCopy); }
Status hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* pCopy, hipStream_t stream) {
  return copy_param_3d(stream, CopyWait::Async, *pCopy);
}

} // namespace hip::api
