// Arrays: what can be made, what handles are, copies. Where the device has no images every way to one says so.
#include "testing.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace {

const hipChannelFormatDesc kFloat{32, 0, 0, 0, hipChannelFormatKindFloat};
const hipChannelFormatDesc kByte4{8, 8, 8, 8, hipChannelFormatKindUnsigned};

struct Array {
  Array(const hipChannelFormatDesc& desc, hipExtent extent, unsigned flags = 0) {
    OK(hipMalloc3DArray(&handle, &desc, extent, flags));
  }
  ~Array() { OK(hipFreeArray(handle)); }
  hipArray_t handle = nullptr;
};

// Bytes that say where they are.
std::vector<unsigned char> numbered(size_t bytes, unsigned seed = 0) {
  std::vector<unsigned char> values(bytes);
  for (size_t i = 0; i < bytes; ++i) values[i] = static_cast<unsigned char>((i + seed) * 2654435761u >> 11);
  return values;
}

} // namespace

TEST_CASE("Devices without images refuse arrays", "[api][images]") {
  if (has_images()) return;
  hipArray_t array = nullptr;
  hipMipmappedArray_t mipmapped = nullptr;
  HIP_ARRAY_DESCRIPTOR flat{};
  HIP_ARRAY3D_DESCRIPTOR box{};
  hipExtent extent{};
  char memory[64] = {};
  FAILS(hipMallocArray(&array, &kFloat, 16, 16, 0), hipErrorNotSupported);
  FAILS(hipMallocArray(&array, &kFloat, 0, 0, ~0u), hipErrorNotSupported); // before anything else that is wrong
  FAILS(hipMallocArray(nullptr, nullptr, 0, 0, 0), hipErrorInvalidValue);  // but null
  FAILS(hipMalloc3DArray(&array, &kFloat, {16, 16, 16}, 0), hipErrorNotSupported);
  FAILS(hipArrayCreate(&array, &flat), hipErrorNotSupported);
  FAILS(hipArray3DCreate(&array, &box), hipErrorNotSupported);
  FAILS(hipArrayDestroy(array), hipErrorInvalidValue); // null
  FAILS(hipArrayDestroy(garbage_handle<hipArray_t>()), hipErrorNotSupported);
  FAILS(hipArrayGetInfo(nullptr, &extent, nullptr, garbage_handle<hipArray_t>()), hipErrorNotSupported);
  FAILS(hipMallocMipmappedArray(&mipmapped, &kFloat, {16, 16, 0}, 2, 0), hipErrorNotSupported);
  FAILS(hipMipmappedArrayCreate(&mipmapped, &box, 1), hipErrorNotSupported);
  FAILS(hipMipmappedArrayDestroy(mipmapped), hipErrorInvalidValue); // null
  FAILS(hipMipmappedArrayDestroy(garbage_handle<hipMipmappedArray_t>()), hipErrorNotSupported);
  FAILS(hipGetMipmappedArrayLevel(&array, garbage_handle<hipMipmappedArray_t>(), 0), hipErrorNotSupported);
  hipArrayMemoryRequirements requirements{};
  FAILS(hipMipmappedArrayGetMemoryRequirements(&requirements, garbage_handle<hipMipmappedArray_t>(), 0),
        hipErrorNotSupported);
  FAILS(hipMemcpy2DToArray(nullptr, 0, 0, memory, 16, 16, 1, hipMemcpyHostToDevice), hipErrorInvalidHandle);
  array = garbage_handle<hipArray_t>();
  FAILS(hipMemcpy2DToArray(array, 0, 0, memory, 16, 16, 1, hipMemcpyHostToDevice), hipErrorNotSupported);
  FAILS(hipMemcpy2DFromArray(memory, 16, array, 0, 0, 16, 1, hipMemcpyDeviceToHost), hipErrorNotSupported);
  FAILS(hipMemcpyHtoA(array, 0, memory, 16), hipErrorNotSupported);
  FAILS(hipMemcpyAtoA(array, 0, array, 0, 16), hipErrorNotSupported);
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(memory, 16, 16, 1);
  p.dstArray = array;
  p.extent = {4, 1, 1};
  p.kind = hipMemcpyHostToDevice;
  FAILS(hipMemcpy3D(&p), hipErrorNotSupported);
  // Nothing can be an array, so these know that a handle is wrong.
  FAILS(hipFreeArray(nullptr), hipErrorInvalidValue);
  FAILS(hipFreeMipmappedArray(nullptr), hipErrorInvalidValue);
}

TEST_CASE("Arrays are described as they were made", "[api][images]") {
  if (!has_images()) return;
  const Array cube(kByte4, {8, 8, 12}, hipArrayCubemap | hipArrayLayered | hipArraySurfaceLoadStore);
  hipChannelFormatDesc format{};
  hipExtent extent{};
  unsigned flags = 0;
  OK(hipArrayGetInfo(&format, &extent, &flags, cube.handle));
  CHECK(std::memcmp(&format, &kByte4, sizeof format) == 0);
  CHECK((extent.width == 8 && extent.height == 8 && extent.depth == 12));
  CHECK(flags == (hipArrayCubemap | hipArrayLayered | hipArraySurfaceLoadStore));
  OK(hipArrayGetInfo(nullptr, nullptr, nullptr, cube.handle));
  HIP_ARRAY3D_DESCRIPTOR box{};
  OK(hipArray3DGetDescriptor(&box, cube.handle));
  CHECK((box.Width == 8 && box.Height == 8 && box.Depth == 12 && box.NumChannels == 4));
  CHECK(box.Format == HIP_AD_FORMAT_UNSIGNED_INT8);
  CHECK(box.Flags == flags);

  hipArray_t line = nullptr;
  HIP_ARRAY_DESCRIPTOR descriptor{100, 0, HIP_AD_FORMAT_HALF, 2};
  OK(hipArrayCreate(&line, &descriptor));
  HIP_ARRAY_DESCRIPTOR told{};
  OK(hipArrayGetDescriptor(&told, line));
  CHECK((told.Width == 100 && told.Height == 0 && told.Format == HIP_AD_FORMAT_HALF && told.NumChannels == 2));
  OK(hipGetChannelDesc(&format, line));
  CHECK((format.x == 16 && format.y == 16 && format.z == 0 && format.w == 0 && format.f == hipChannelFormatKindFloat));
  OK(hipArrayDestroy(line));
  FAILS(hipArrayDestroy(line), hipErrorContextIsDestroyed);
  FAILS(hipArrayGetDescriptor(&told, line), hipErrorInvalidHandle);
}

TEST_CASE("What is no array is refused", "[api][images]") {
  if (!has_images()) return;
  hipArray_t array = nullptr;
  FAILS(hipMallocArray(nullptr, &kFloat, 16, 0, 0), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, nullptr, 16, 0, 0), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, 0, 16, 0), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, 16, 0, hipArrayTextureGather), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, 16, 16, hipArrayLayered), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, 16, 16, hipArrayCubemap), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, 16, 16, 0x40), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, SIZE_MAX, SIZE_MAX, 0), hipErrorInvalidValue);
  hipDeviceProp_t limits;
  OK(hipGetDeviceProperties(&limits, 0));
  FAILS(hipMallocArray(&array, &kFloat, size_t(limits.maxTexture1D) + 1, 0, 0), hipErrorInvalidValue);
  FAILS(hipMallocArray(&array, &kFloat, 16, size_t(limits.maxTexture2D[1]) + 1, 0), hipErrorInvalidValue);
  for (const auto& [extent, flags] : {std::pair<hipExtent, unsigned>{{16, 0, 16}, 0}, // no height
                                      {{16, 16, 0}, hipArrayLayered},                 // no layers
                                      {{16, 8, 6}, hipArrayCubemap},                  // not square
                                      {{16, 16, 5}, hipArrayCubemap},
                                      {{16, 16, 8}, hipArrayCubemap | hipArrayLayered},
                                      {{16, 16, 2}, hipArrayTextureGather}})
    FAILS(hipMalloc3DArray(&array, &kFloat, extent, flags), hipErrorInvalidValue);
  for (const hipChannelFormatDesc& bad : {hipChannelFormatDesc{8, 0, 0, 0, hipChannelFormatKindFloat}, // no such float
                                          {32, 32, 32, 0, hipChannelFormatKindFloat},                  // three channels
                                          {8, 16, 0, 0, hipChannelFormatKindUnsigned},                 // of two sizes
                                          {8, 0, 8, 0, hipChannelFormatKindUnsigned},                  // with a gap
                                          {0, 0, 0, 0, hipChannelFormatKindUnsigned},
                                          {7, 0, 0, 0, hipChannelFormatKindSigned},
                                          {-8, 0, 0, 0, hipChannelFormatKindSigned},
                                          {64, 0, 0, 0, hipChannelFormatKindSigned},
                                          {32, 0, 0, 0, hipChannelFormatKindNone}})
    FAILS(hipMallocArray(&array, &bad, 16, 16, 0), hipErrorInvalidValue);
  HIP_ARRAY_DESCRIPTOR descriptor{16, 16, HIP_AD_FORMAT_FLOAT, 3};
  FAILS(hipArrayCreate(&array, &descriptor), hipErrorInvalidValue);
  descriptor.NumChannels = 1;
  descriptor.Format = static_cast<hipArray_Format>(4);
  FAILS(hipArrayCreate(&array, &descriptor), hipErrorInvalidValue);
  FAILS(hipArrayCreate(&array, nullptr), hipErrorInvalidValue);
  CHECK(array == nullptr);
}

TEST_CASE("Wrong array handles are told", "[api][images]") {
  if (!has_images()) return;
  hipArray_t gone = nullptr;
  OK(hipMallocArray(&gone, &kFloat, 4, 4, 0));
  OK(hipFreeArray(gone));
  FAILS(hipFreeArray(gone), hipErrorContextIsDestroyed);
  FAILS(hipFreeArray(nullptr), hipErrorInvalidValue);
  char memory[64] = {};
  hipChannelFormatDesc format;
  hipMipmappedArray_t mipmapped = nullptr;
  OK(hipMallocMipmappedArray(&mipmapped, &kFloat, {8, 8, 0}, 2, 0));
  for (const hipArray_t bad : {hipArray_t(nullptr), gone, garbage_handle<hipArray_t>(),
                               reinterpret_cast<hipArray_t>(mipmapped), reinterpret_cast<hipArray_t>(memory)}) {
    FAILS(hipGetChannelDesc(&format, bad), hipErrorInvalidHandle);
    FAILS(hipArrayGetInfo(&format, nullptr, nullptr, bad), hipErrorInvalidHandle);
    FAILS(hipMemcpy2DToArray(bad, 0, 0, memory, 4, 4, 1, hipMemcpyHostToDevice), hipErrorInvalidHandle);
    FAILS(hipMemcpy2DFromArray(memory, 4, bad, 0, 0, 4, 1, hipMemcpyDeviceToHost), hipErrorInvalidHandle);
    FAILS(hipMemcpyAtoH(memory, bad, 0, 4), hipErrorInvalidHandle);
    FAILS(hipMemcpyToArray(bad, 0, 0, memory, 4, hipMemcpyHostToDevice), hipErrorInvalidHandle);
    FAILS(hipGetMipmappedArrayLevel(&gone, reinterpret_cast<hipMipmappedArray_t>(bad == gone ? gone : nullptr), 0),
          hipErrorInvalidHandle);
  }
  FAILS(hipGetChannelDesc(nullptr, gone), hipErrorInvalidValue);
  OK(hipFreeMipmappedArray(mipmapped));
  FAILS(hipFreeMipmappedArray(mipmapped), hipErrorContextIsDestroyed);
}

TEST_CASE("Mipmapped arrays and their levels", "[api][images]") {
  if (!has_images()) return;
  hipMipmappedArray_t whole = nullptr;
  FAILS(hipMallocMipmappedArray(&whole, &kFloat, {16, 8, 0}, 0, 0), hipErrorInvalidValue);
  FAILS(hipMallocMipmappedArray(&whole, &kFloat, {16, 8, 0}, 6, 0), hipErrorInvalidValue); // 16 8 4 2 1
  FAILS(hipMallocMipmappedArray(&whole, &kFloat, {16, 16, 60}, 6, hipArrayLayered), hipErrorInvalidValue);
  OK(hipMallocMipmappedArray(&whole, &kFloat, {16, 8, 0}, 5, 0));
  hipArray_t level = nullptr, again = nullptr;
  for (unsigned i = 0; i < 5; ++i) {
    OK(hipGetMipmappedArrayLevel(&level, whole, i));
    OK(hipMipmappedArrayGetLevel(&again, whole, i));
    CHECK(level == again);
    hipExtent extent{};
    OK(hipArrayGetInfo(nullptr, &extent, nullptr, level));
    CHECK(extent.width == size_t{16} >> i);
    CHECK(extent.height == std::max<size_t>(size_t{8} >> i, 1));
    CHECK(extent.depth == 0);
  }
  FAILS(hipGetMipmappedArrayLevel(&again, whole, 5), hipErrorInvalidValue);
  FAILS(hipGetMipmappedArrayLevel(nullptr, whole, 0), hipErrorInvalidValue);
  FAILS(hipFreeArray(level), hipErrorInvalidValue); // it belongs to the whole
  const float value = 2.5f;
  float got = 0;
  OK(hipMemcpyHtoA(level, 0, &value, 4));
  OK(hipMemcpyAtoH(&got, level, 0, 4));
  CHECK(got == value);
  OK(hipFreeMipmappedArray(whole));
  FAILS(hipMemcpyAtoH(&got, level, 0, 4), hipErrorInvalidHandle);
}

TEST_CASE("Copies of rows and arrays", "[api][images]") {
  if (!has_images()) return;
  constexpr size_t kRow = 40, kRows = 9; // ten elements of four bytes
  const Array array(kByte4, {10, kRows, 0}), other(kByte4, {10, kRows, 0});
  auto mirror = numbered(kRow * kRows);
  OK(hipMemcpy2DToArray(array.handle, 0, 0, mirror.data(), kRow, kRow, kRows, hipMemcpyHostToDevice));
  // A patch whose rows are further apart, from device memory; the stream of the call orders the copies.
  const auto patch = numbered(64 * 3, 99);
  void* device = nullptr;
  OK(hipMalloc(&device, patch.size()));
  OK(hipMemcpy(device, patch.data(), patch.size(), hipMemcpyHostToDevice));
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipMemcpy2DToArrayAsync(array.handle, 8, 4, device, 64, 20, 3, hipMemcpyDeviceToDevice, stream));
  for (size_t y = 0; y < 3; ++y) std::copy_n(&patch[y * 64], 20, &mirror[(y + 4) * kRow + 8]);
  std::vector<unsigned char> got(kRow * kRows);
  OK(hipMemcpy2DFromArrayAsync(got.data(), kRow, array.handle, 0, 0, kRow, kRows, hipMemcpyDefault, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(got == mirror);
  // Runs that cross rows.
  const auto run = numbered(100, 5);
  OK(hipMemcpyToArray(array.handle, 12, 2, run.data(), run.size(), hipMemcpyHostToDevice));
  std::copy(run.begin(), run.end(), mirror.begin() + 2 * kRow + 12);
  OK(hipMemcpy2DFromArray(got.data(), kRow, array.handle, 0, 0, kRow, kRows, hipMemcpyDeviceToHost));
  CHECK(got == mirror);
  std::vector<unsigned char> back(100);
  OK(hipMemcpyFromArray(back.data(), array.handle, 12, 2, 100, hipMemcpyDeviceToHost));
  CHECK(back == run);
  // From array to array.
  OK(hipMemcpy2DArrayToArray(other.handle, 0, 0, array.handle, 0, 0, kRow, kRows, hipMemcpyDeviceToDevice));
  OK(hipMemcpy2DArrayToArray(other.handle, 4, 1, array.handle, 20, 6, 12, 2, hipMemcpyDefault));
  auto second = mirror;
  for (size_t y = 0; y < 2; ++y) std::copy_n(&mirror[(y + 6) * kRow + 20], 12, &second[(y + 1) * kRow + 4]);
  OK(hipMemcpy2DFromArray(got.data(), kRow, other.handle, 0, 0, kRow, kRows, hipMemcpyDeviceToHost));
  CHECK(got == second);
  OK(hipStreamDestroy(stream));
  OK(hipFree(device));
}

TEST_CASE("Copies that leave an array are refused", "[api][images]") {
  if (!has_images()) return;
  const Array array(kByte4, {10, 9, 0});
  std::vector<char> memory(4000);
  const auto to = [&](size_t x, size_t y, size_t pitch, size_t width, size_t height,
                      hipMemcpyKind kind = hipMemcpyHostToDevice) {
    return hipMemcpy2DToArray(array.handle, x, y, memory.data(), pitch, width, height, kind);
  };
  const auto from = [&](size_t x, size_t y, size_t pitch, size_t width, size_t height,
                        hipMemcpyKind kind = hipMemcpyDeviceToHost) {
    return hipMemcpy2DFromArray(memory.data(), pitch, array.handle, x, y, width, height, kind);
  };
  OK(to(36, 8, 4, 4, 1));
  OK(to(0, 0, 0, 0, 9)); // nothing
  OK(to(0, 0, 40, 40, 0));
  FAILS(to(40, 8, 4, 4, 1), hipErrorInvalidValue);
  FAILS(from(0, 0, 44, 44, 1), hipErrorInvalidValue);
  FAILS(to(0, 8, 40, 40, 2), hipErrorInvalidValue);
  FAILS(from(SIZE_MAX - 3, 0, 40, 8, 1), hipErrorInvalidValue);
  FAILS(to(0, SIZE_MAX, 40, 8, 2), hipErrorInvalidValue);
  FAILS(to(2, 0, 40, 8, 1), hipErrorInvalidValue); // half an element
  FAILS(to(0, 0, 40, 6, 1), hipErrorInvalidValue);
  FAILS(to(0, 0, 39, 40, 2), hipErrorInvalidPitchValue);
  FAILS(from(0, 0, 39, 40, 2), hipErrorInvalidPitchValue);
  FAILS(to(0, 0, 40, 40, 1, hipMemcpyDeviceToHost), hipErrorInvalidMemcpyDirection);
  FAILS(from(0, 0, 40, 40, 1, hipMemcpyHostToDevice), hipErrorInvalidMemcpyDirection);
  FAILS(from(0, 0, 40, 40, 1, static_cast<hipMemcpyKind>(77)), hipErrorInvalidMemcpyDirection);
  FAILS(hipMemcpy2DToArray(array.handle, 0, 0, nullptr, 40, 40, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy2DToArrayAsync(array.handle, 0, 0, memory.data(), 40, 40, 1, hipMemcpyHostToDevice,
                                garbage_handle<hipStream_t>()),
        hipErrorContextIsDestroyed);
  FAILS(hipMemcpyToArray(array.handle, 0, 0, memory.data(), 364, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpyToArray(array.handle, 40, 0, memory.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  // Device memory that is too small.
  void* device = nullptr;
  OK(hipMalloc(&device, 100));
  FAILS(hipMemcpy2DToArray(array.handle, 0, 0, device, 40, 40, 3, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  OK(hipMemcpy2DToArray(array.handle, 0, 0, device, 40, 20, 3, hipMemcpyDeviceToDevice));
  OK(hipFree(device));
}

TEST_CASE("Copies by count are made as a whole or not at all", "[api][images]") {
  if (!has_images()) return;
  constexpr size_t kRow = 40, kRows = 9;
  const Array array(kByte4, {10, kRows, 0});
  const auto before = numbered(kRow * kRows);
  OK(hipMemcpy2DToArray(array.handle, 0, 0, before.data(), kRow, kRow, kRows, hipMemcpyHostToDevice));
  const std::vector<unsigned char> other(2 * kRow * kRows, 0x5a);
  auto memory = other;
  void* small = nullptr;
  OK(hipMalloc(&small, kRow));
  OK(hipMemcpy(small, other.data(), kRow, hipMemcpyHostToDevice));
  // The first row is in the array and in the memory. What follows leaves one of them or is half an element.
  for (const size_t count : {kRow * kRows, kRow * (kRows + 1), kRow - 2, kRow * 3 - 2}) {
    CAPTURE(count);
    FAILS(hipMemcpyToArray(array.handle, 4, 0, memory.data(), count, hipMemcpyHostToDevice), hipErrorInvalidValue);
    FAILS(hipMemcpyFromArray(memory.data(), array.handle, 4, 0, count, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  }
  FAILS(hipMemcpyToArray(array.handle, 4, 0, small, 2 * kRow, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpyFromArray(small, array.handle, 4, 0, 2 * kRow, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  CHECK(memory == other);
  std::vector<unsigned char> row(kRow);
  OK(hipMemcpy(row.data(), small, kRow, hipMemcpyDeviceToHost));
  CHECK(std::equal(row.begin(), row.end(), other.begin()));
  std::vector<unsigned char> got(kRow * kRows);
  OK(hipMemcpy2DFromArray(got.data(), kRow, array.handle, 0, 0, kRow, kRows, hipMemcpyDeviceToHost));
  CHECK(got == before);
  OK(hipFree(small));
}

TEST_CASE("Rows of a batch's box that are larger than the address space", "[api][images]") {
  if (!has_images()) return;
  const Array array(kByte4, {10, 9, 0});
  const auto memory = numbered(40 * 9);
  hipMemcpy3DBatchOp op{};
  op.src.type = hipMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = const_cast<unsigned char*>(memory.data());
  op.src.op.ptr.rowLength = (size_t{1} << 62) + 10; // elements of four bytes: 40 bytes in the lower 64 bits
  op.src.op.ptr.layerHeight = 9;
  op.dst.type = hipMemcpyOperandTypeArray;
  op.dst.op.array.array = array.handle;
  op.extent = {10, 9, 1};
  op.srcAccessOrder = hipMemcpySrcAccessOrderStream;
  size_t fail = 7;
  FAILS(hipMemcpy3DBatchAsync(1, &op, &fail, 0, nullptr), hipErrorInvalidValue);
  CHECK(fail == 0);
  op.src.op.ptr.rowLength = 10;
  OK(hipMemcpy3DBatchAsync(1, &op, &fail, 0, nullptr));
  std::vector<unsigned char> got(memory.size());
  OK(hipMemcpy2DFromArray(got.data(), 40, array.handle, 0, 0, 40, 9, hipMemcpyDeviceToHost));
  CHECK(got == memory);
}

TEST_CASE("Boxes with arrays", "[api][images]") {
  if (!has_images()) return;
  constexpr size_t kW = 6, kH = 5, kD = 4; // floats
  const Array array(kFloat, {kW, kH, kD});
  auto mirror = numbered(kW * kH * kD * 4);
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(mirror.data(), kW * 4, kW, kH);
  p.dstArray = array.handle;
  p.extent = {kW, kH, kD}; // elements, because of the array
  p.kind = hipMemcpyHostToDevice;
  OK(hipMemcpy3D(&p));
  const auto small = numbered(2 * 3 * 2 * 4, 7);
  p.srcPtr = make_hipPitchedPtr(const_cast<unsigned char*>(small.data()), 8, 2, 3);
  p.dstPos = {3, 1, 2};
  p.extent = {2, 3, 2};
  OK(hipMemcpy3DAsync(&p, nullptr));
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      std::copy_n(&small[(z * 3 + y) * 8], 8, &mirror[(((z + 2) * kH + y + 1) * kW + 3) * 4]);
  HIP_MEMCPY3D d{};
  std::vector<unsigned char> got(mirror.size());
  d.srcMemoryType = hipMemoryTypeArray;
  d.srcArray = array.handle;
  d.dstMemoryType = hipMemoryTypeHost;
  d.dstHost = got.data();
  d.WidthInBytes = kW * 4; // bytes in the driver's style
  d.Height = kH;
  d.Depth = kD;
  OK(hipDrvMemcpy3D(&d));
  CHECK(got == mirror);
  p.dstPos = {5, 1, 2};
  FAILS(hipMemcpy3D(&p), hipErrorInvalidValue);
  p.dstPos = {SIZE_MAX / 2, 1, 2};
  FAILS(hipMemcpy3D(&p), hipErrorInvalidValue);
  p.dstPos = {};
  p.dstPtr = make_hipPitchedPtr(got.data(), 8, 2, 3); // an array and a pointer
  FAILS(hipMemcpy3D(&p), hipErrorInvalidValue);
  d.srcLOD = 1;
  FAILS(hipDrvMemcpy3D(&d), hipErrorInvalidValue);
  d.srcLOD = 0;
  d.srcArray = nullptr;
  FAILS(hipDrvMemcpy3D(&d), hipErrorInvalidHandle);
  // Elements of different sizes have no width in common.
  const Array bytes({8, 0, 0, 0, hipChannelFormatKindUnsigned}, {kW, kH, kD});
  hipMemcpy3DParms both{};
  both.srcArray = array.handle;
  both.dstArray = bytes.handle;
  both.extent = {1, 1, 1};
  both.kind = hipMemcpyDeviceToDevice;
  FAILS(hipMemcpy3D(&both), hipErrorInvalidValue);
}

TEST_CASE("A device that is reset has no arrays", "[api][images]") {
  if (!has_images()) return;
  hipArray_t array = nullptr;
  hipMipmappedArray_t mipmapped = nullptr;
  OK(hipMallocArray(&array, &kFloat, 4, 4, 0));
  OK(hipMallocMipmappedArray(&mipmapped, &kFloat, {4, 4, 0}, 2, 0));
  OK(hipDeviceReset());
  FAILS(hipFreeArray(array), hipErrorContextIsDestroyed);
  FAILS(hipFreeMipmappedArray(mipmapped), hipErrorContextIsDestroyed);
}

TEST_CASE("The memory of a mipmapped array cannot be told", "[api][images]") {
  hipArrayMemoryRequirements requirements{};
  FAILS(hipMipmappedArrayGetMemoryRequirements(nullptr, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipMipmappedArrayGetMemoryRequirements(&requirements, nullptr, 0), hipErrorInvalidHandle);
  FAILS(hipMipmappedArrayGetMemoryRequirements(&requirements, nullptr, 99), hipErrorInvalidDevice);
  if (!has_images()) return;
  hipMipmappedArray_t whole = nullptr;
  OK(hipMallocMipmappedArray(&whole, &kFloat, {16, 8, 0}, 5, 0));
  if (on_nvidia()) // its driver tells it of arrays that HIP does not make
    FAILS(hipMipmappedArrayGetMemoryRequirements(&requirements, whole, 0), hipErrorInvalidValue);
  OK(hipFreeMipmappedArray(whole));
  FAILS(hipMipmappedArrayGetMemoryRequirements(&requirements, whole, 0), hipErrorInvalidHandle);
}

extern "C" void __omnihipUseSoftwareTextures(void); // called by programs that are compiled with -fsoftware-textures

// For a process of its own: it has images from then on.
TEST_CASE("The memory of a mipmapped array in software", "[.][software_images]") {
  __omnihipUseSoftwareTextures();
  hipMipmappedArray_t whole = nullptr;
  OK(hipMallocMipmappedArray(&whole, &kFloat, {16, 8, 0}, 5, 0));
  hipArrayMemoryRequirements requirements{};
  OK(hipMipmappedArrayGetMemoryRequirements(&requirements, whole, 0));
  CHECK(requirements.size == sizeof(float) * (16 * 8 + 8 * 4 + 4 * 2 + 2 + 1));
  CHECK(requirements.alignment >= sizeof(float));
  OK(hipFreeMipmappedArray(whole));
}

// It would not end otherwise.
TEST_CASE("Making a texture in software waits for no stream", "[.][software_images]") {
  __omnihipUseSoftwareTextures();
  const Array array(kFloat, {16, 8, 0});
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array.handle;
  hipTextureDesc sampling{};
  unsigned* word = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&word), 64, hipHostMallocDefault));
  *word = 0;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipStreamWaitValue32(stream, word, 1, hipStreamWaitValueEq, ~0u));
  hipTextureObject_t texture = nullptr;
  const hipError_t made = hipCreateTextureObject(&texture, &resource, &sampling, nullptr);
  const hipError_t waits = hipStreamQuery(stream);
  __atomic_store_n(word, 1u, __ATOMIC_RELEASE);
  CHECK(made == hipSuccess);
  CHECK(waits == hipErrorNotReady);
  OK(hipDestroyTextureObject(texture));
  OK(hipStreamDestroy(stream));
  OK(hipHostFree(word));
}
