// Surfaces, which kernels read and write, and copies from and to arrays: each against what the host puts there or keeps
// beside it.
#include "images.h"

using namespace images;

namespace {

enum class Shape { Flat1D, Flat2D, Flat3D, Layered1D, Layered2D, Cube, LayeredCube };

// Every element moves to the opposite corner of another array of the same extent.
template<class T>
__global__ void turn(hipSurfaceObject_t to, hipSurfaceObject_t from, int width, int height, int depth, Shape shape) {
#if !defined(__HIP_NO_IMAGE_SUPPORT)
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= width * height * depth) return;
  const int x = i % width, y = i / width % height, z = i / width / height;
  const int u = (width - 1 - x) * int(sizeof(T)), v = height - 1 - y, w = depth - 1 - z, b = x * int(sizeof(T));
  T value;
  switch (shape) {
  case Shape::Flat1D:
    surf1Dread(&value, from, b);
    surf1Dwrite(value, to, u);
    break;
  case Shape::Flat2D:
    surf2Dread(&value, from, b, y);
    surf2Dwrite(value, to, u, v);
    break;
  case Shape::Flat3D:
    surf3Dread(&value, from, b, y, z);
    surf3Dwrite(value, to, u, v, w);
    break;
  case Shape::Layered1D:
    surf1DLayeredread(&value, from, b, z);
    surf1DLayeredwrite(value, to, u, w);
    break;
  case Shape::Layered2D:
    surf2DLayeredread(&value, from, b, y, z);
    surf2DLayeredwrite(value, to, u, v, w);
    break;
  case Shape::Cube:
    surfCubemapread(&value, from, b, y, z);
    surfCubemapwrite(value, to, u, v, w);
    break;
  case Shape::LayeredCube:
    surfCubemapLayeredread(&value, from, b, y, z % 6, z / 6);
    if (i % 2)
      surfCubemapLayeredwrite(value, to, u, v, w % 6, w / 6);
    else
      surfCubemapLayeredwrite(&value, to, u, v, w % 6, w / 6);
    break;
  }
#endif
}

// Bytes that say where they are.
template<class T> std::vector<T> numbered(size_t count, unsigned seed = 0) {
  std::vector<T> values(count);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(values.data());
  for (size_t i = 0; i < count * sizeof(T); ++i) bytes[i] = static_cast<unsigned char>((i + seed) * 2654435761u >> 13);
  return values;
}
template<class T> bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template<class T> void check_turn(Shape shape, hipExtent extent, unsigned flags) {
  const hipExtent box =
      make_hipExtent(extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1);
  const size_t count = box.width * box.height * box.depth;
  const auto elements = numbered<T>(count);
  const Array from(hipCreateChannelDesc<T>(), extent, flags | hipArraySurfaceLoadStore);
  const Array to(hipCreateChannelDesc<T>(), extent, flags | hipArraySurfaceLoadStore);
  HIP_OK(upload(from.handle, elements, box));
  {
    const Surface source(from.handle), target(to.handle);
    turn<T><<<(unsigned(count) + 63) / 64, 64>>>(target.handle, source.handle, int(box.width), int(box.height),
                                                 int(box.depth), shape);
    RUN_OK();
  }
  std::vector<T> got(count), want(elements.rbegin(), elements.rend());
  HIP_OK(download(got, to.handle, box));
  CHECK_EQ(same_bytes(got, want), true);
}
template<class T> void check_shapes() {
  check_turn<T>(Shape::Flat1D, make_hipExtent(37, 0, 0), 0);
  check_turn<T>(Shape::Flat2D, make_hipExtent(37, 11, 0), 0);
  check_turn<T>(Shape::Flat3D, make_hipExtent(13, 7, 5), 0);
  check_turn<T>(Shape::Layered1D, make_hipExtent(13, 0, 5), hipArrayLayered);
  check_turn<T>(Shape::Layered2D, make_hipExtent(13, 7, 5), hipArrayLayered);
  check_turn<T>(Shape::Cube, make_hipExtent(9, 9, 6), hipArrayCubemap);
  check_turn<T>(Shape::LayeredCube, make_hipExtent(9, 9, 12), hipArrayCubemap | hipArrayLayered);
}

} // namespace

E2E_CASE(surfaces_of_bytes) {
  NEEDS_IMAGES();
  check_shapes<unsigned char>();
  check_shapes<char2>();
}
E2E_CASE(surfaces_of_words) {
  NEEDS_IMAGES();
  check_shapes<short>();
  check_shapes<uchar4>();
  check_shapes<int>();
}
E2E_CASE(surfaces_of_vectors) {
  NEEDS_IMAGES();
  check_shapes<float2>();
  check_shapes<ushort4>();
  check_shapes<uint4>();
}

// Reads around an array of 16 x 8 ints, from 4 to the left and above on, and writes through the same positions.
__global__ void around(int* out, hipSurfaceObject_t o, hipSurfaceBoundaryMode mode) {
#if !defined(__HIP_NO_IMAGE_SUPPORT)
  const int x = int(threadIdx.x) - 4, y = int(blockIdx.x) - 4;
  surf2Dread(&out[blockIdx.x * 24 + threadIdx.x], o, 4 * x, y, mode);
#endif
}
__global__ void write_around(hipSurfaceObject_t o) {
#if !defined(__HIP_NO_IMAGE_SUPPORT)
  const int x = int(threadIdx.x) - 4, y = int(blockIdx.x) - 4;
  surf2Dwrite(1000 + 24 * int(blockIdx.x) + int(threadIdx.x), o, 4 * x, y, hipBoundaryModeZero);
#endif
}

E2E_CASE(boundary_modes) {
  NEEDS_IMAGES();
  std::vector<int> elements(16 * 8);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = int(i) + 1;
  const Array array(hipCreateChannelDesc<int>(), make_hipExtent(16, 8, 0), hipArraySurfaceLoadStore);
  HIP_OK(upload(array.handle, elements, make_hipExtent(16, 8, 1)));
  const Surface surface(array.handle);
  const e2e::Device<int> out(24 * 16);
  for (const auto mode : {hipBoundaryModeZero, hipBoundaryModeClamp}) {
    around<<<16, 24>>>(out.data(), surface.handle, mode);
    RUN_OK();
    const auto got = out.download();
    for (int i = 0; i < 24 * 16; ++i) {
      const int x = i % 24 - 4, y = i / 24 - 4;
      const bool inside = x >= 0 && x < 16 && y >= 0 && y < 8;
      const int nearest = elements[size_t(std::clamp(y, 0, 7) * 16 + std::clamp(x, 0, 15))];
      CHECK_AT(i, got[size_t(i)], inside || mode == hipBoundaryModeClamp ? nearest : 0);
    }
  }
  write_around<<<16, 24>>>(surface.handle);
  RUN_OK();
  HIP_OK(download(elements, array.handle, make_hipExtent(16, 8, 1)));
  for (int i = 0; i < 16 * 8; ++i) CHECK_AT(i, elements[size_t(i)], 1000 + 24 * (i / 16 + 4) + i % 16 + 4);
}

// ---- copies --------------------------------------------------------------------------------------------------------

E2E_CASE(rows_to_and_from_arrays) {
  NEEDS_IMAGES();
  constexpr size_t kWidth = 40, kHeight = 12, kRow = kWidth * sizeof(uint2);
  const Array array(hipCreateChannelDesc<uint2>(), make_hipExtent(kWidth, kHeight, 0));
  auto mirror = numbered<uint2>(kWidth * kHeight); // what the array must hold
  HIP_OK(hipMemcpy2DToArray(array.handle, 0, 0, mirror.data(), kRow, kRow, kHeight, hipMemcpyHostToDevice));
  hipStream_t stream = nullptr;
  HIP_OK(hipStreamCreate(&stream));
  e2e::Random random;
  for (int round = 0; round < 60; ++round) {
    const size_t x = random.bits() % kWidth, y = random.bits() % kHeight, w = 1 + random.bits() % (kWidth - x),
                 h = 1 + random.bits() % (kHeight - y);
    const auto patch = numbered<uint2>(w * h, unsigned(round) * 77);
    const e2e::Device<uint2> device(patch);
    const size_t bytes = w * sizeof(uint2);
    // In: from the host or the device, at once or in a stream.
    switch (round % 4) {
    case 0:
      HIP_OK(hipMemcpy2DToArray(array.handle, 8 * x, y, patch.data(), bytes, bytes, h, hipMemcpyHostToDevice));
      break;
    case 1:
      HIP_OK(hipMemcpy2DToArray(array.handle, 8 * x, y, device.data(), bytes, bytes, h, hipMemcpyDeviceToDevice));
      break;
    case 2:
      HIP_OK(hipMemcpy2DToArrayAsync(array.handle, 8 * x, y, patch.data(), bytes, bytes, h, hipMemcpyDefault, stream));
      break;
    default:
      HIP_OK(hipMemcpy2DToArrayAsync(array.handle, 8 * x, y, device.data(), bytes, bytes, h, hipMemcpyDefault, stream));
    }
    HIP_OK(hipDeviceSynchronize());
    for (size_t r = 0; r < h; ++r) std::copy_n(&patch[r * w], w, &mirror[(y + r) * kWidth + x]);
    // Out: a part, into rows that are wider.
    std::vector<uint2> got((w + 3) * h), want((w + 3) * h);
    for (size_t r = 0; r < h; ++r) std::copy_n(&mirror[(y + r) * kWidth + x], w, &want[r * (w + 3)]);
    HIP_OK(hipMemcpy2DFromArrayAsync(got.data(), (w + 3) * 8, array.handle, 8 * x, y, bytes, h, hipMemcpyDeviceToHost,
                                     stream));
    HIP_OK(hipStreamSynchronize(stream));
    CHECK_EQ(same_bytes(got, want), true);
  }
  std::vector<uint2> whole(kWidth * kHeight);
  HIP_OK(hipMemcpy2DFromArray(whole.data(), kRow, array.handle, 0, 0, kRow, kHeight, hipMemcpyDeviceToHost));
  CHECK_EQ(same_bytes(whole, mirror), true);
  HIP_OK(hipStreamDestroy(stream));
}

E2E_CASE(runs_of_bytes_cross_rows) {
  NEEDS_IMAGES();
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  constexpr size_t kWidth = 10, kHeight = 6;
  const Array array(hipCreateChannelDesc<int>(), make_hipExtent(kWidth, kHeight, 0));
  std::vector<int> mirror(kWidth * kHeight, -1), got(kWidth * kHeight);
  HIP_OK(hipMemcpyToArray(array.handle, 0, 0, mirror.data(), mirror.size() * 4, hipMemcpyHostToDevice));
  for (const auto& [first, count] : {std::pair<size_t, size_t>{0, 60}, {3, 5}, {7, 30}, {13, 27}, {20, 20}, {59, 1}}) {
    const auto values = numbered<int>(count, unsigned(first));
    HIP_OK(hipMemcpyToArray(array.handle, first % kWidth * 4, first / kWidth, values.data(), count * 4,
                            hipMemcpyHostToDevice));
    std::copy(values.begin(), values.end(), mirror.begin() + long(first));
    HIP_OK(
        hipMemcpy2DFromArray(got.data(), kWidth * 4, array.handle, 0, 0, kWidth * 4, kHeight, hipMemcpyDeviceToHost));
    CHECK_EQ(same_bytes(got, mirror), true);
    std::vector<int> back(count);
    HIP_OK(hipMemcpyFromArray(back.data(), array.handle, first % kWidth * 4, first / kWidth, count * 4,
                              hipMemcpyDeviceToHost));
    CHECK_EQ(same_bytes(back, values), true);
  }
}

E2E_CASE(one_dimensional_arrays) {
  NEEDS_IMAGES();
  constexpr size_t kCount = 256;
  const Array a(hipCreateChannelDesc<int>(), make_hipExtent(kCount, 0, 0));
  const Array b(hipCreateChannelDesc<int>(), make_hipExtent(kCount, 0, 0));
  const auto values = numbered<int>(kCount);
  const e2e::Device<int> device(kCount);
  std::vector<int> got(kCount);
  HIP_OK(hipMemcpyHtoA(a.handle, 0, values.data(), kCount * 4));
  HIP_OK(hipMemcpyAtoA(b.handle, 64, a.handle, 0, 192 * 4));   // b[16..208) = a[0..192)
  HIP_OK(hipMemcpyAtoA(b.handle, 0, a.handle, 960, 16 * 4));   // b[0..16) = a[240..256)
  HIP_OK(hipMemcpyAtoA(b.handle, 832, a.handle, 768, 48 * 4)); // b[208..256) = a[192..240)
  HIP_OK(hipMemcpyAtoD(device.data(), b.handle, 0, kCount * 4));
  HIP_OK(hipDeviceSynchronize());
  std::vector<int> want(values.end() - 16, values.end());
  want.insert(want.end(), values.begin(), values.end() - 16);
  CHECK_EQ(same_bytes(device.download(), want), true);
  HIP_OK(hipMemcpyDtoA(a.handle, 40, device.data(), 20));
  HIP_OK(hipMemcpyAtoH(got.data(), a.handle, 0, kCount * 4));
  auto mixed = values;
  std::copy_n(want.begin(), 5, mixed.begin() + 10);
  CHECK_EQ(same_bytes(got, mixed), true);
  HIP_OK(hipMemcpyHtoAAsync(a.handle, 0, want.data(), kCount * 4, nullptr));
  HIP_OK(hipMemcpyAtoHAsync(got.data(), a.handle, 0, kCount * 4, nullptr));
  HIP_OK(hipDeviceSynchronize());
  CHECK_EQ(same_bytes(got, want), true);
}

E2E_CASE(boxes_between_arrays_and_memory) {
  NEEDS_IMAGES();
  constexpr size_t kW = 12, kH = 7, kD = 5;
  const hipExtent extent = make_hipExtent(kW, kH, kD);
  const Array a(hipCreateChannelDesc<short4>(), extent), b(hipCreateChannelDesc<short4>(), extent);
  const auto values = numbered<short4>(kW * kH * kD);
  HIP_OK(upload(a.handle, values, extent));
  // A box of a to another place of b, over what is there.
  std::vector<short4> mirror(values.size(), make_short4(1, 2, 3, 4)), got(values.size());
  HIP_OK(upload(b.handle, mirror, extent));
  hipMemcpy3DParms p{};
  p.srcArray = a.handle;
  p.srcPos = make_hipPos(2, 1, 1);
  p.dstArray = b.handle;
  p.dstPos = make_hipPos(5, 3, 0);
  p.extent = make_hipExtent(6, 4, 3);
  p.kind = hipMemcpyDeviceToDevice;
  HIP_OK(hipMemcpy3D(&p));
  for (size_t z = 0; z < 3; ++z)
    for (size_t y = 0; y < 4; ++y)
      std::copy_n(&values[((z + 1) * kH + y + 1) * kW + 2], 6, &mirror[(z * kH + y + 3) * kW + 5]);
  HIP_OK(download(got, b.handle, extent));
  CHECK_EQ(same_bytes(got, mirror), true);
  // The driver-style form counts in bytes: the same box, to linear memory with room between rows and slices.
  hipPitchedPtr memory{};
  HIP_OK(hipMalloc3D(&memory, make_hipExtent(kW * sizeof(short4), kH, kD)));
  HIP_MEMCPY3D d{};
  d.srcMemoryType = hipMemoryTypeArray;
  d.srcArray = b.handle;
  d.srcXInBytes = 5 * sizeof(short4);
  d.srcY = 3;
  d.dstMemoryType = hipMemoryTypeDevice;
  d.dstDevice = reinterpret_cast<hipDeviceptr_t>(memory.ptr);
  d.dstPitch = memory.pitch;
  d.dstHeight = kH;
  d.WidthInBytes = 6 * sizeof(short4);
  d.Height = 4;
  d.Depth = 3;
  HIP_OK(hipDrvMemcpy3D(&d));
  std::vector<short4> box(6 * 4 * 3), want;
  for (size_t z = 0; z < 3; ++z)
    for (size_t y = 0; y < 4; ++y)
      want.insert(want.end(), &mirror[(z * kH + y + 3) * kW + 5], &mirror[(z * kH + y + 3) * kW + 5] + 6);
  hipMemcpy3DParms out{};
  out.srcPtr = memory;
  out.dstPtr = make_hipPitchedPtr(box.data(), 6 * sizeof(short4), 6 * sizeof(short4), 4);
  out.extent = make_hipExtent(6 * sizeof(short4), 4, 3);
  out.kind = hipMemcpyDeviceToHost;
  HIP_OK(hipMemcpy3D(&out));
  CHECK_EQ(same_bytes(box, want), true);
  HIP_OK(hipFree(memory.ptr));
  HIP_OK(hipMemcpy2DArrayToArray(a.handle, 0, 0, b.handle, 0, 0, kW * sizeof(short4), kH, hipMemcpyDeviceToDevice));
  HIP_OK(download(got, a.handle, extent));
  auto first_slice = values;
  std::copy_n(mirror.begin(), kW * kH, first_slice.begin());
  CHECK_EQ(same_bytes(got, first_slice), true);
}
