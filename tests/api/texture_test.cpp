// Texture and surface objects: what they are made of, what they say about themselves, and wrong ones.
#include "testing.h"

namespace {

const hipChannelFormatDesc kFloat{32, 0, 0, 0, hipChannelFormatKindFloat};
const hipChannelFormatDesc kByte{8, 0, 0, 0, hipChannelFormatKindUnsigned};

hipResourceDesc of_array(hipArray_t array) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeArray;
  r.res.array.array = array;
  return r;
}
hipResourceDesc of_row(void* memory, const hipChannelFormatDesc& format, size_t bytes) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = format;
  r.res.linear.sizeInBytes = bytes;
  return r;
}
hipResourceDesc of_rows(void* memory, size_t width, size_t height, size_t pitch) {
  hipResourceDesc r{};
  r.resType = hipResourceTypePitch2D;
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.desc = kFloat;
  r.res.pitch2D.width = width;
  r.res.pitch2D.height = height;
  r.res.pitch2D.pitchInBytes = pitch;
  return r;
}

struct Array {
  explicit Array(const hipChannelFormatDesc& desc, unsigned flags = 0) {
    OK(hipMallocArray(&handle, &desc, 16, 8, flags));
  }
  ~Array() { OK(hipFreeArray(handle)); }
  hipArray_t handle = nullptr;
};
struct Memory {
  Memory() { OK(hipMalloc(&address, 8192)); }
  ~Memory() { OK(hipFree(address)); }
  void* address = nullptr;
};

} // namespace

TEST_CASE("Devices without images refuse textures and surfaces", "[api][images]") {
  if (has_images()) return;
  hipTextureObject_t texture = nullptr;
  hipSurfaceObject_t surface = nullptr;
  hipResourceDesc resource{};
  hipTextureDesc sampling{};
  hipResourceViewDesc view{};
  HIP_RESOURCE_DESC driver_resource{};
  HIP_TEXTURE_DESC driver_sampling{};
  HIP_RESOURCE_VIEW_DESC driver_view{};
  size_t width = 0;
  FAILS(hipCreateTextureObject(&texture, &resource, &sampling, nullptr), hipErrorNotSupported);
  FAILS(hipDestroyTextureObject(texture), hipErrorNotSupported);
  FAILS(hipGetTextureObjectResourceDesc(&resource, texture), hipErrorNotSupported);
  FAILS(hipGetTextureObjectTextureDesc(&sampling, texture), hipErrorNotSupported);
  FAILS(hipGetTextureObjectResourceViewDesc(&view, texture), hipErrorNotSupported);
  FAILS(hipTexObjectCreate(&texture, &driver_resource, &driver_sampling, nullptr), hipErrorNotSupported);
  FAILS(hipTexObjectDestroy(texture), hipErrorNotSupported);
  FAILS(hipTexObjectGetResourceDesc(&driver_resource, texture), hipErrorNotSupported);
  FAILS(hipTexObjectGetTextureDesc(&driver_sampling, texture), hipErrorNotSupported);
  FAILS(hipTexObjectGetResourceViewDesc(&driver_view, texture), hipErrorNotSupported);
  FAILS(hipCreateSurfaceObject(&surface, &resource), hipErrorNotSupported);
  FAILS(hipDestroySurfaceObject(surface), hipErrorNotSupported);
  FAILS(hipDeviceGetTexture1DLinearMaxWidth(&width, &kFloat, 0), hipErrorNotSupported);
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  CHECK(p.maxTexture2D[0] == 0);
  CHECK(p.maxTexture1DLinear == 0);
  CHECK(p.maxSurface2D[0] == 0);
}

TEST_CASE("Textures tell what they were made of", "[api][images]") {
  if (!has_images()) return;
  const Array array(kByte);
  hipTextureDesc d{};
  d.addressMode[0] = hipAddressModeMirror;
  d.addressMode[1] = hipAddressModeBorder;
  d.addressMode[2] = hipAddressModeWrap;
  d.filterMode = hipFilterModeLinear;
  d.mipmapFilterMode = hipFilterModeLinear;
  d.readMode = hipReadModeNormalizedFloat;
  d.normalizedCoords = 1;
  d.sRGB = 1;
  d.maxAnisotropy = 8;
  d.mipmapLevelBias = 0.5f;
  d.minMipmapLevelClamp = 1;
  d.maxMipmapLevelClamp = 2;
  d.borderColor[3] = 0.25f;
  hipResourceDesc r = of_array(array.handle);
  hipResourceViewDesc v{};
  v.format = hipResViewFormatUnsignedChar1;
  v.width = 16;
  v.height = 8;
  hipTextureObject_t texture = nullptr;
  OK(hipCreateTextureObject(&texture, &r, &d, &v));
  CHECK(texture != nullptr);
  hipTextureDesc told;
  OK(hipGetTextureObjectTextureDesc(&told, texture));
  CHECK(std::memcmp(&told, &d, sizeof d) == 0);
  hipResourceDesc resource;
  OK(hipGetTextureObjectResourceDesc(&resource, texture));
  CHECK(resource.resType == hipResourceTypeArray);
  CHECK(resource.res.array.array == array.handle);
  hipResourceViewDesc view;
  OK(hipGetTextureObjectResourceViewDesc(&view, texture));
  CHECK((view.format == v.format && view.width == 16 && view.height == 8 && view.lastLayer == 0));
  // The driver's style tells the same.
  HIP_TEXTURE_DESC driver;
  OK(hipTexObjectGetTextureDesc(&driver, texture));
  CHECK(driver.flags == (HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB));
  CHECK(driver.addressMode[1] == HIP_TR_ADDRESS_MODE_BORDER);
  CHECK(driver.borderColor[3] == 0.25f);
  HIP_RESOURCE_DESC driver_resource;
  OK(hipTexObjectGetResourceDesc(&driver_resource, texture));
  CHECK(driver_resource.res.array.hArray == array.handle);
  OK(hipDestroyTextureObject(texture));
  FAILS(hipGetTextureObjectTextureDesc(&told, texture), hipErrorInvalidValue);
  FAILS(hipDestroyTextureObject(texture), hipErrorInvalidValue);
}

TEST_CASE("Textures of linear memory", "[api][images]") {
  if (!has_images()) return;
  const Memory memory;
  hipTextureDesc d{};
  hipTextureObject_t texture = nullptr;
  hipResourceDesc r = of_row(memory.address, kFloat, 4000), told;
  OK(hipCreateTextureObject(&texture, &r, &d, nullptr));
  OK(hipGetTextureObjectResourceDesc(&told, texture));
  CHECK(told.resType == hipResourceTypeLinear);
  CHECK(told.res.linear.devPtr == memory.address);
  CHECK(told.res.linear.sizeInBytes == 4000);
  CHECK(std::memcmp(&told.res.linear.desc, &kFloat, sizeof kFloat) == 0);
  hipResourceViewDesc view;
  FAILS(hipGetTextureObjectResourceViewDesc(&view, texture), hipErrorInvalidValue); // there is none
  OK(hipTexObjectDestroy(texture));
  r = of_rows(memory.address, 20, 10, 512);
  OK(hipCreateTextureObject(&texture, &r, &d, nullptr));
  OK(hipGetTextureObjectResourceDesc(&told, texture));
  CHECK(told.resType == hipResourceTypePitch2D);
  CHECK((told.res.pitch2D.width == 20 && told.res.pitch2D.height == 10 && told.res.pitch2D.pitchInBytes == 512));
  OK(hipDestroyTextureObject(texture));

  const auto refused = [&](const hipResourceDesc& bad, const hipResourceViewDesc* with = nullptr) {
    FAILS(hipCreateTextureObject(&texture, &bad, &d, with), hipErrorInvalidValue);
  };
  char* const base = static_cast<char*>(memory.address);
  char host[64];
  refused(of_row(nullptr, kFloat, 400));
  refused(of_row(base, kFloat, 0));
  refused(of_row(base, kFloat, SIZE_MAX));
  refused(of_row(base, kFloat, 8196));    // leaves the allocation
  refused(of_row(base + 4, kFloat, 400)); // not aligned
  refused(of_row(host, kFloat, 64));      // not HIP's memory
  refused(of_row(base, {32, 32, 32, 0, hipChannelFormatKindFloat}, 400));
  refused(of_rows(nullptr, 20, 10, 512));
  refused(of_rows(base, 0, 10, 512));
  refused(of_rows(base, 20, 0, 512));
  refused(of_rows(base, SIZE_MAX, 10, 512));
  refused(of_rows(base, 20, SIZE_MAX, 512));
  refused(of_rows(base, 20, 10, SIZE_MAX));
  refused(of_rows(base, 200, 10, 512)); // rows overlap
  refused(of_rows(base, 20, 10, 500));  // the pitch is not aligned
  refused(of_rows(base, 20, 17, 512));  // leaves the allocation
  refused(of_rows(base + 16, 20, 10, 512));
  const hipResourceViewDesc some{};
  refused(of_row(base, kFloat, 400), &some); // only arrays have views
}

TEST_CASE("What is no texture is refused", "[api][images]") {
  if (!has_images()) return;
  const Array bytes(kByte);
  hipTextureObject_t texture = nullptr;
  hipResourceDesc r = of_array(bytes.handle);
  hipTextureDesc d{};
  FAILS(hipCreateTextureObject(nullptr, &r, &d, nullptr), hipErrorInvalidValue);
  FAILS(hipCreateTextureObject(&texture, nullptr, &d, nullptr), hipErrorInvalidValue);
  FAILS(hipCreateTextureObject(&texture, &r, nullptr, nullptr), hipErrorInvalidValue);
  const auto refused = [&](const hipTextureDesc& bad) {
    FAILS(hipCreateTextureObject(&texture, &r, &bad, nullptr), hipErrorInvalidValue);
  };
  hipTextureDesc bad = d;
  bad.filterMode = hipFilterModeLinear; // of integers
  refused(bad);
  bad = d;
  bad.addressMode[2] = static_cast<hipTextureAddressMode>(4);
  refused(bad);
  bad = d;
  bad.filterMode = static_cast<hipTextureFilterMode>(2);
  refused(bad);
  bad = d;
  bad.readMode = static_cast<hipTextureReadMode>(7);
  refused(bad);
  bad = d;
  bad.maxAnisotropy = 17;
  refused(bad);
  hipResourceViewDesc view{};
  view.format = static_cast<hipResourceViewFormat>(35);
  FAILS(hipCreateTextureObject(&texture, &r, &d, &view), hipErrorInvalidValue);
  r.resType = static_cast<hipResourceType>(9);
  FAILS(hipCreateTextureObject(&texture, &r, &d, nullptr), hipErrorInvalidValue);
  r = of_array(nullptr);
  FAILS(hipCreateTextureObject(&texture, &r, &d, nullptr), hipErrorInvalidHandle);
  r = of_array(garbage_handle<hipArray_t>());
  FAILS(hipCreateTextureObject(&texture, &r, &d, nullptr), hipErrorInvalidHandle);
  r.resType = hipResourceTypeMipmappedArray;
  FAILS(hipCreateTextureObject(&texture, &r, &d, nullptr), hipErrorInvalidHandle);
  CHECK(texture == nullptr);
  OK(hipDestroyTextureObject(nullptr));
  FAILS(hipDestroyTextureObject(garbage_handle<hipTextureObject_t>()), hipErrorInvalidValue);
  HIP_RESOURCE_DESC driver_resource{};
  driver_resource.res.array.hArray = bytes.handle;
  HIP_TEXTURE_DESC driver{};
  driver.flags = 4;
  FAILS(hipTexObjectCreate(&texture, &driver_resource, &driver, nullptr), hipErrorInvalidValue);
  driver.flags = HIP_TRSF_READ_AS_INTEGER;
  driver_resource.flags = 1;
  FAILS(hipTexObjectCreate(&texture, &driver_resource, &driver, nullptr), hipErrorInvalidValue);
}

TEST_CASE("A texture outlives the handle of its array", "[api][images]") {
  if (!has_images()) return;
  hipArray_t array = nullptr;
  OK(hipMallocArray(&array, &kFloat, 16, 8, 0));
  hipTextureObject_t texture = nullptr;
  hipResourceDesc r = of_array(array);
  const hipTextureDesc d{};
  OK(hipCreateTextureObject(&texture, &r, &d, nullptr));
  OK(hipFreeArray(array));
  OK(hipGetTextureObjectResourceDesc(&r, texture));
  CHECK(r.res.array.array == array); // which is no handle any more
  OK(hipDestroyTextureObject(texture));
}

TEST_CASE("Surfaces", "[api][images]") {
  if (!has_images()) return;
  const Array plain(kFloat), surfaces(kFloat, hipArraySurfaceLoadStore);
  hipSurfaceObject_t surface = nullptr;
  hipResourceDesc r = of_array(plain.handle);
  FAILS(hipCreateSurfaceObject(&surface, &r), hipErrorInvalidValue);
  r = of_array(surfaces.handle);
  FAILS(hipCreateSurfaceObject(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipCreateSurfaceObject(&surface, nullptr), hipErrorInvalidValue);
  OK(hipCreateSurfaceObject(&surface, &r));
  CHECK(surface != nullptr);
  OK(hipDestroySurfaceObject(surface));
  FAILS(hipDestroySurfaceObject(surface), hipErrorInvalidValue);
  r.resType = hipResourceTypeLinear;
  FAILS(hipCreateSurfaceObject(&surface, &r), hipErrorInvalidValue);
}

TEST_CASE("The widest texture of linear memory", "[api][images]") {
  if (!has_images()) return;
  size_t narrow = 0, wide = 0;
  const hipChannelFormatDesc four{32, 32, 32, 32, hipChannelFormatKindFloat};
  OK(hipDeviceGetTexture1DLinearMaxWidth(&wide, &kByte, 0));
  OK(hipDeviceGetTexture1DLinearMaxWidth(&narrow, &four, 0));
  CHECK(narrow > 0);
  CHECK(wide >= narrow);
  FAILS(hipDeviceGetTexture1DLinearMaxWidth(nullptr, &kByte, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetTexture1DLinearMaxWidth(&wide, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetTexture1DLinearMaxWidth(&wide, &kByte, 99), hipErrorInvalidDevice);
}

TEST_CASE("A device that is reset has no textures", "[api][images]") {
  if (!has_images()) return;
  hipArray_t array = nullptr;
  OK(hipMallocArray(&array, &kFloat, 16, 8, 0));
  hipTextureObject_t texture = nullptr;
  const hipResourceDesc r = of_array(array);
  const hipTextureDesc d{};
  OK(hipCreateTextureObject(&texture, &r, &d, nullptr));
  OK(hipDeviceReset());
  FAILS(hipDestroyTextureObject(texture), hipErrorInvalidValue);
}

// Numbers of objects are a device's own: two devices may give the same.
TEST_CASE("Textures of two devices", "[api][images][two]") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (count < 2 || !has_images()) return;
  hipTextureObject_t textures[2] = {};
  hipArray_t arrays[2] = {};
  hipTextureDesc d{};
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    OK(hipMallocArray(&arrays[device], &kFloat, 16, 8, 0));
    const hipResourceDesc r = of_array(arrays[device]);
    OK(hipCreateTextureObject(&textures[device], &r, &d, nullptr));
  }
  hipResourceDesc told;
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    OK(hipGetTextureObjectResourceDesc(&told, textures[device]));
    CHECK(told.res.array.array == arrays[device]);
  }
  // A texture is made where its array is.
  const hipResourceDesc first = of_array(arrays[0]);
  hipTextureObject_t third = nullptr;
  OK(hipCreateTextureObject(&third, &first, &d, nullptr));
  OK(hipSetDevice(0));
  OK(hipGetTextureObjectResourceDesc(&told, third));
  CHECK(told.res.array.array == arrays[0]);
  OK(hipDestroyTextureObject(third));
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    OK(hipDestroyTextureObject(textures[device]));
    OK(hipFreeArray(arrays[device]));
  }
  OK(hipSetDevice(0));
}
