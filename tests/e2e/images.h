// images.h - what the end-to-end program of textures shares: arrays and objects that free themselves, the kernels that
// read and write images, and a model of the texture unit on the host (CUDA programming guide, "Texture fetching"; HIP
// documents the same): what an element at coordinates is, by filter and address modes.
#pragma once

#include "e2e.h"

#include <algorithm>
#include <array>
#include <functional>

// Code for devices without images has the same kernels, which do nothing.
#if defined(__HIP_NO_IMAGE_SUPPORT)
#pragma clang diagnostic ignored "-Wunused-parameter"
#endif

namespace images {

inline bool supported() {
  int value = 0;
  return hipDeviceGetAttribute(&value, hipDeviceAttributeImageSupport, 0) == hipSuccess && value != 0;
}
#define NEEDS_IMAGES()                                                                                                 \
  E2E_LEAVE_OUT_IF(!images::supported(), "the device has no image instructions (hipDeviceAttributeImageSupport is 0)")

struct Array {
  Array(const hipChannelFormatDesc& desc, hipExtent extent, unsigned flags = hipArrayDefault) {
    HIP_OK(hipMalloc3DArray(&handle, &desc, extent, flags));
  }
  ~Array() { HIP_OK(hipFreeArray(handle)); }
  Array(const Array&) = delete;
  hipArray_t handle = nullptr;
};

// Copies a box of elements that lie one after another, in either direction.
template<class T> hipError_t upload(hipArray_t array, const std::vector<T>& host, hipExtent extent) {
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(const_cast<T*>(host.data()), extent.width * sizeof(T), extent.width, extent.height);
  p.dstArray = array;
  p.extent = extent;
  p.kind = hipMemcpyHostToDevice;
  return hipMemcpy3D(&p);
}
template<class T> hipError_t download(std::vector<T>& host, hipArray_t array, hipExtent extent) {
  hipMemcpy3DParms p{};
  p.dstPtr = make_hipPitchedPtr(host.data(), extent.width * sizeof(T), extent.width, extent.height);
  p.srcArray = array;
  p.extent = extent;
  p.kind = hipMemcpyDeviceToHost;
  return hipMemcpy3D(&p);
}

inline hipResourceDesc resource(hipArray_t array) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeArray;
  r.res.array.array = array;
  return r;
}
inline hipResourceDesc resource(hipMipmappedArray_t array) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = array;
  return r;
}

struct Texture {
  Texture(const hipResourceDesc& resource, const hipTextureDesc& desc, const hipResourceViewDesc* view = nullptr) {
    HIP_OK(hipCreateTextureObject(&handle, &resource, &desc, view));
  }
  ~Texture() { HIP_OK(hipDestroyTextureObject(handle)); }
  Texture(const Texture&) = delete;
  hipTextureObject_t handle{};
};

struct Surface {
  explicit Surface(hipArray_t array) {
    const hipResourceDesc r = resource(array);
    HIP_OK(hipCreateSurfaceObject(&handle, &r));
  }
  ~Surface() { HIP_OK(hipDestroySurfaceObject(handle)); }
  Surface(const Surface&) = delete;
  hipSurfaceObject_t handle{};
};

inline hipTextureDesc modes(hipTextureAddressMode address, hipTextureFilterMode filter, int normalized,
                            hipTextureReadMode read = hipReadModeElementType) {
  hipTextureDesc d{};
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = address;
  d.filterMode = d.mipmapFilterMode = filter;
  d.normalizedCoords = normalized;
  d.readMode = read;
  d.maxMipmapLevelClamp = 100;
  return d;
}

// ---- kernels -------------------------------------------------------------------------------------------------------

// clang-format off: by how the level is chosen
enum class Fetch {
  Linear, Tex1D, Tex2D, Tex3D, Layered1D, Layered2D, Cube, LayeredCube,
  Lod1D, Lod2D, Lod3D, LodLayered1D, LodLayered2D, LodCube, LodLayeredCube,
  Grad1D, Grad2D, Grad3D, GradLayered1D, GradLayered2D, GradCube, GradLayeredCube,
};
// clang-format on

// Element i at the coordinates at[i]; the layer is the first component that the shape leaves. `level` is the level, or
// the length of the gradients along the first two axes. A kernel for each way: textures in software are much code.
template<class T, Fetch how>
__global__ void fetch_all(T* out, hipTextureObject_t o, const float4* at, unsigned n, [[maybe_unused]] float level) {
#if !defined(__HIP_NO_IMAGE_SUPPORT)
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  [[maybe_unused]] const float x = at[i].x, y = at[i].y, z = at[i].z, w = at[i].w;
  [[maybe_unused]] const float2 dx = make_float2(level, 0.0f), dy = make_float2(0.0f, level);
  [[maybe_unused]] const float4 dx4 = make_float4(level, 0.0f, 0.0f, 0.0f), dy4 = make_float4(0.0f, level, 0.0f, 0.0f);
  T r{};
  // clang-format off: a line for each
  if constexpr (how == Fetch::Linear) r = tex1Dfetch<T>(o, int(x));
  else if constexpr (how == Fetch::Tex1D) r = tex1D<T>(o, x);
  else if constexpr (how == Fetch::Tex2D) tex2D(&r, o, x, y);
  else if constexpr (how == Fetch::Tex3D) r = tex3D<T>(o, x, y, z);
  else if constexpr (how == Fetch::Layered1D) r = tex1DLayered<T>(o, x, int(y));
  else if constexpr (how == Fetch::Layered2D) r = tex2DLayered<T>(o, x, y, int(z));
  else if constexpr (how == Fetch::Cube) r = texCubemap<T>(o, x, y, z);
  else if constexpr (how == Fetch::LayeredCube) r = texCubemapLayered<T>(o, x, y, z, int(w));
  else if constexpr (how == Fetch::Lod1D) r = tex1DLod<T>(o, x, level);
  else if constexpr (how == Fetch::Lod2D) r = tex2DLod<T>(o, x, y, level);
  else if constexpr (how == Fetch::Lod3D) r = tex3DLod<T>(o, x, y, z, level);
  else if constexpr (how == Fetch::LodLayered1D) r = tex1DLayeredLod<T>(o, x, int(y), level);
  else if constexpr (how == Fetch::LodLayered2D) r = tex2DLayeredLod<T>(o, x, y, int(z), level);
  else if constexpr (how == Fetch::LodCube) r = texCubemapLod<T>(o, x, y, z, level);
  else if constexpr (how == Fetch::LodLayeredCube) r = texCubemapLayeredLod<T>(o, x, y, z, int(w), level);
  else if constexpr (how == Fetch::Grad1D) r = tex1DGrad<T>(o, x, level, 0.0f);
  else if constexpr (how == Fetch::Grad2D) r = tex2DGrad<T>(o, x, y, dx, dy);
  else if constexpr (how == Fetch::Grad3D) r = tex3DGrad<T>(o, x, y, z, dx4, dy4);
  else if constexpr (how == Fetch::GradLayered1D) r = tex1DLayeredGrad<T>(o, x, int(y), 0.0f, level);
  else if constexpr (how == Fetch::GradLayered2D) r = tex2DLayeredGrad<T>(o, x, y, int(z), dx, dy);
  else if constexpr (how == Fetch::GradCube) r = texCubemapGrad<T>(o, x, y, z, dx4, dy4);
  else if constexpr (how == Fetch::GradLayeredCube) r = texCubemapLayeredGrad<T>(o, x, y, z, int(w), dx4, dy4);
  // clang-format on
  out[i] = r;
#endif
}

// What the texture gives at each of the coordinates; nothing when the kernel failed.
template<class T, Fetch how>
std::vector<T> fetch(hipTextureObject_t o, const std::vector<float4>& at, float level = 0) {
  const e2e::Device<float4> where(at);
  const e2e::Device<T> out(at.size());
  const unsigned n = static_cast<unsigned>(at.size());
  fetch_all<T, how><<<(n + 63) / 64, 64>>>(out.data(), o, where.data(), n, level);
  if (const hipError_t status = e2e::finish(); status != hipSuccess) {
    e2e::fail(__FILE__, __LINE__, std::string("the kernel failed: ") + hipGetErrorName(status));
    return {};
  }
  return out.download();
}

// ---- the texture unit on the host ----------------------------------------------------------------------------------

using Texel = std::array<float, 4>;
using Lookup = std::function<Texel(int x, int y, int z)>; // an element; coordinates are inside

struct Model {
  int size[3]; // a dimension that is absent has 1
  hipTextureAddressMode address;
  hipTextureFilterMode filter;
  bool normalized;
  Lookup element;
  Texel border{};
  int dimensions = 3; // beyond them nothing is filtered

  // Where element i of a dimension really is; -1: the border.
  int place(int i, int n) const {
    if (i >= 0 && i < n) return i;
    switch (address) {
    case hipAddressModeWrap:
      return ((i % n) + n) % n;
    case hipAddressModeMirror: {
      const int m = ((i % (2 * n)) + 2 * n) % (2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case hipAddressModeClamp:
      return std::clamp(i, 0, n - 1);
    default:
      return -1;
    }
  }
  Texel at_place(int x, int y, int z) const {
    const int p[3] = {place(x, size[0]), dimensions > 1 ? place(y, size[1]) : y,
                      dimensions > 2 ? place(z, size[2]) : z};
    return p[0] < 0 || p[1] < 0 || p[2] < 0 ? border : element(p[0], p[1], p[2]);
  }
  Texel operator()(float x, float y, float z) const {
    const float given[3] = {x, y, z};
    int low[3];
    float part[3];
    for (int d = 0; d < 3; ++d) {
      if (d >= dimensions) { // a layer
        low[d] = int(given[d]);
        part[d] = 0;
        continue;
      }
      const float u =
          (normalized ? given[d] * float(size[d]) : given[d]) - (filter == hipFilterModeLinear ? 0.5f : 0.0f);
      low[d] = int(std::floor(u));
      part[d] = filter == hipFilterModeLinear ? u - std::floor(u) : 0;
    }
    Texel sum{};
    for (int corner = 0; corner < 8; ++corner) {
      float weight = 1;
      for (int d = 0; d < 3; ++d) weight *= corner >> d & 1 ? part[d] : 1 - part[d];
      if (weight == 0) continue;
      const Texel t = at_place(low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2 & 1));
      for (size_t c = 0; c < 4; ++c) sum[c] += weight * t[c];
    }
    return sum;
  }
};

} // namespace images
