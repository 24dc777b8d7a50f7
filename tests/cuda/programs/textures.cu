// Texture and surface objects of arrays and of linear memory, on GPUs with and without image instructions. Expectations come from
// CUDA's formulas, computed on the host in double.
#include "check.h"

#include <cmath>
#include <cstring>
#include <vector>

constexpr int kWidth = 16, kHeight = 8, kDepth = 4;

static float value_at(int x, int y, int z = 0) { return static_cast<float>((x * 7 + y * 13 + z * 29) % 31); }

__global__ void read_2d(cudaTextureObject_t texture, const float2* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<float>(texture, at[i].x, at[i].y);
}
__global__ void read_3d(cudaTextureObject_t texture, const float4* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tex3D(&out[i], texture, at[i].x, at[i].y, at[i].z);
}
__global__ void read_layers(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  out[(layer * kHeight + y) * kWidth + x] = tex2DLayered<float>(texture, x + 0.5f, y + 0.5f, layer);
}
__global__ void fetch(cudaTextureObject_t floats, cudaTextureObject_t bytes, cudaTextureObject_t scaled, float4* out) {
  const int i = threadIdx.x;
  const uchar4 b = tex1Dfetch<uchar4>(bytes, i);
  const float4 s = tex1Dfetch<float4>(scaled, i);
  out[i] = make_float4(tex1Dfetch<float>(floats, i), b.x + 1000.0f * b.w, s.y, 0);
}
__global__ void surface(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
  const int x = threadIdx.x, y = threadIdx.y;
  float value;
  surf2Dread(&value, in, x * sizeof(float), y);
  surf2Dwrite(value + 1, out, x * sizeof(float), kHeight - 1 - y);
  if (x == 0 && y == 0) surf2Dwrite(99.0f, out, -4, 0, cudaBoundaryModeZero); // outside: no effect
}

static double fraction(double x) { return std::rint((x - std::floor(x)) * 256) / 256; }
static int address(int i, int n, cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
  if (mode == cudaAddressModeMirror) {
    const int r = ((i % (2 * n)) + 2 * n) % (2 * n);
    return r < n ? r : 2 * n - 1 - r;
  }
  if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : i;
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}
static double expected_2d(double x, double y, cudaTextureAddressMode mode, bool linear) {
  const auto at = [&](int i, int j) {
    const int a = address(i, kWidth, mode), b = address(j, kHeight, mode);
    return a < 0 || b < 0 ? 0.0 : static_cast<double>(value_at(a, b));
  };
  if (!linear) return at(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
  x -= 0.5;
  y -= 0.5;
  const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
  const double a = fraction(x), b = fraction(y);
  return (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) + a * b * at(i + 1, j + 1);
}

static cudaTextureObject_t make_texture(const cudaResourceDesc& resource, cudaTextureAddressMode mode, bool linear, bool normalized,
                                        cudaTextureReadMode read = cudaReadModeElementType) {
  struct cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = mode;
  desc.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.readMode = read;
  desc.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

static void test_2d() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK_CUDA(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  std::vector<float> host(kWidth * kHeight), back(host.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) host[y * kWidth + x] = value_at(x, y);
  const size_t row = kWidth * sizeof(float);
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, host.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2DFromArray(back.data(), row, array, 0, 0, row, kHeight, cudaMemcpyDeviceToHost));
  CHECK(back == host);
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;

  std::vector<float2> places;
  for (int i = 0; i < 400; ++i) places.push_back(make_float2(i % 20 * 1.37f - 5, i / 20 * 0.83f - 4));
  float2* at;
  float* out;
  const int n = static_cast<int>(places.size());
  CHECK_CUDA(cudaMallocManaged(&at, n * sizeof(float2)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(float)));
  for (const bool normalized : {false, true})
    for (const bool linear : {false, true})
      for (const cudaTextureAddressMode mode : {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror}) {
        if (!normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) continue;
        for (int i = 0; i < n; ++i)
          at[i] = normalized ? make_float2(places[i].x / kWidth, places[i].y / kHeight) : places[i];
        const cudaTextureObject_t texture = make_texture(resource, mode, linear, normalized);
        read_2d<<<(n + 63) / 64, 64>>>(texture, at, out, n);
        CHECK_CUDA(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i)
          CHECK(std::fabs(out[i] - expected_2d(places[i].x, places[i].y, mode, linear)) < 0.3);
        CHECK_CUDA(cudaDestroyTextureObject(texture));
      }

  cudaArray* other;
  CHECK_CUDA(cudaMallocArray(&other, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t from, to;
  CHECK_CUDA(cudaCreateSurfaceObject(&from, &resource));
  resource.res.array.array = other;
  CHECK_CUDA(cudaCreateSurfaceObject(&to, &resource));
  surface<<<1, dim3(kWidth, kHeight)>>>(from, to);
  CHECK_CUDA(cudaMemcpy2DFromArray(back.data(), row, other, 0, 0, row, kHeight, cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) CHECK(back[(kHeight - 1 - y) * kWidth + x] == value_at(x, y) + 1);
  CHECK_CUDA(cudaDestroySurfaceObject(from));
  CHECK_CUDA(cudaDestroySurfaceObject(to));
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeArray(other));
  CHECK_CUDA(cudaFree(at));
  CHECK_CUDA(cudaFree(out));
}

static void test_3d_and_layers() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  std::vector<float> host(kWidth * kHeight * kDepth);
  for (int z = 0; z < kDepth; ++z)
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) host[(z * kHeight + y) * kWidth + x] = value_at(x, y, z);
  float4* at;
  float* out;
  const int n = kWidth * kHeight * kDepth;
  CHECK_CUDA(cudaMallocManaged(&at, n * sizeof(float4)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(float)));
  for (const unsigned int flags : {cudaArrayDefault + 0u, cudaArrayLayered + 0u}) {
    cudaArray_t array;
    const cudaExtent extent = make_cudaExtent(kWidth, kHeight, kDepth);
    CHECK_CUDA(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host.data(), kWidth * sizeof(float), kWidth, kHeight);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_CUDA(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureObject_t texture = make_texture(resource, cudaAddressModeClamp, flags == 0, false);
    if (flags == cudaArrayLayered) {
      read_layers<<<kDepth, dim3(kWidth, kHeight)>>>(texture, out);
    } else {
      for (int i = 0; i < n; ++i)
        at[i] = make_float4(i % kWidth + 0.5f, i / kWidth % kHeight + 0.5f, i / kWidth / kHeight + 1.0f, 0);
      read_3d<<<(n + 63) / 64, 64>>>(texture, at, out, n);
    }
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) {
      const int x = i % kWidth, y = i / kWidth % kHeight, z = i / kWidth / kHeight, behind = z + 1 < kDepth ? z + 1 : z;
      const float expected = flags ? value_at(x, y, z) : (value_at(x, y, z) + value_at(x, y, behind)) / 2; // between two slices
      CHECK(std::fabs(out[i] - expected) < 0.2f);
    }
    CHECK_CUDA(cudaDestroyTextureObject(texture));
    CHECK_CUDA(cudaFreeArray(array));
  }
  CHECK_CUDA(cudaFree(at));
  CHECK_CUDA(cudaFree(out));
}

static void test_linear() {
  const int n = 64;
  float* floats;
  uchar4* bytes;
  float4* out;
  CHECK_CUDA(cudaMallocManaged(&floats, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&bytes, n * sizeof(uchar4)));
  CHECK_CUDA(cudaMallocManaged(&out, (n + 1) * sizeof(float4)));
  for (int i = 0; i < n; ++i) {
    floats[i] = i * 0.5f;
    bytes[i] = make_uchar4(i, 2 * i, 3, 255 - i);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = floats;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  const cudaTextureObject_t a = make_texture(resource, cudaAddressModeClamp, false, false);
  resource.res.linear.devPtr = bytes;
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.linear.sizeInBytes = n * sizeof(uchar4);
  const cudaTextureObject_t b = make_texture(resource, cudaAddressModeClamp, false, false);
  const cudaTextureObject_t c = make_texture(resource, cudaAddressModeClamp, false, false, cudaReadModeNormalizedFloat);
  fetch<<<1, n + 1>>>(a, b, c, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    CHECK(out[i].x == i * 0.5f && out[i].y == i + 1000.0f * (255 - i) && std::fabs(out[i].z - 2 * i / 255.0f) < 1e-6f);
  CHECK(out[n].x == 0 && out[n].y == 0 && out[n].z == 0);
  struct cudaTextureDesc desc = {};
  cudaTextureObject_t none = 0;
  CHECK(cudaCreateTextureObject(&none, nullptr, &desc, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaCreateTextureObject(nullptr, &resource, &desc, nullptr) == cudaErrorInvalidValue);
  desc.filterMode = cudaFilterModeLinear; // of integers
  CHECK(cudaCreateTextureObject(&none, &resource, &desc, nullptr) != cudaSuccess);
  for (const cudaTextureObject_t one : {a, b, c}) CHECK_CUDA(cudaDestroyTextureObject(one));
  CHECK_CUDA(cudaFree(floats));
  CHECK_CUDA(cudaFree(bytes));
  CHECK_CUDA(cudaFree(out));
}

// Members that CUDA has behind HIP's: a program may forbid an optimisation that is not done, and filters that reach over
// the edges of a cube's faces are an error for cubes alone.
static void test_more_members() {
  cudaArray_t flat, cube;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK_CUDA(cudaMallocArray(&flat, &format, 8, 8));
  CHECK_CUDA(cudaMalloc3DArray(&cube, &format, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = flat;
  struct cudaTextureDesc desc = {}, got;
  desc.filterMode = cudaFilterModeLinear;
  desc.normalizedCoords = 1;
  desc.maxMipmapLevelClamp = 2.5f;
  desc.disableTrilinearOptimization = desc.seamlessCubemap = 1;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  std::memset(&got, 0xff, sizeof(got));
  CHECK_CUDA(cudaGetTextureObjectTextureDesc(&got, texture));
  CHECK(got.filterMode == cudaFilterModeLinear && got.normalizedCoords == 1 && got.maxMipmapLevelClamp == 2.5f);
  CHECK(got.disableTrilinearOptimization == 0 && got.seamlessCubemap == 0);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  resource.res.array.array = cube;
  CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr) == cudaErrorNotSupported);
  desc.seamlessCubemap = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  CHECK_CUDA(cudaFreeArray(flat));
  CHECK_CUDA(cudaFreeArray(cube));
}

int main() {
  test_2d();
  test_3d_and_layers();
  test_linear();
  test_more_members();
  return checks_failed() != 0;
}
