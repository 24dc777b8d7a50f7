// Graphics interoperation, which no device here has: arguments are checked, then the answer is hipErrorNotSupported.
#include "testing.h"

#include <hip/hip_gl_interop.h>

#include <climits>

namespace {

constexpr GLenum kTexture2D = 0x0de1, kRenderbuffer = 0x8d41, kBuffer = 0x82e0;

} // namespace

TEST_CASE("Devices of a GL context") {
  unsigned count = 77;
  int devices[2] = {-1, -1};
  for (const hipGLDeviceList list : {hipGLDeviceListAll, hipGLDeviceListCurrentFrame, hipGLDeviceListNextFrame})
    FAILS(hipGLGetDevices(&count, devices, 2, list), hipErrorNotSupported);
  FAILS(hipGLGetDevices(nullptr, devices, 2, hipGLDeviceListAll), hipErrorInvalidValue);
  FAILS(hipGLGetDevices(&count, nullptr, 2, hipGLDeviceListAll), hipErrorInvalidValue);
  FAILS(hipGLGetDevices(&count, devices, 0, hipGLDeviceListAll), hipErrorInvalidValue);
  for (const int list : {-1, 0, 4})
    FAILS(hipGLGetDevices(&count, devices, 2, static_cast<hipGLDeviceList>(list)), hipErrorInvalidValue);
  CHECK(count == 77); // nothing was written
  CHECK(devices[0] == -1);
}

TEST_CASE("Registering GL objects") {
  hipGraphicsResource* resource = nullptr;
  FAILS(hipGraphicsGLRegisterBuffer(&resource, 1, hipGraphicsRegisterFlagsNone), hipErrorNotSupported);
  FAILS(hipGraphicsGLRegisterBuffer(&resource, 1, hipGraphicsRegisterFlagsReadOnly), hipErrorNotSupported);
  FAILS(hipGraphicsGLRegisterBuffer(&resource, 1, hipGraphicsRegisterFlagsWriteDiscard), hipErrorNotSupported);
  FAILS(hipGraphicsGLRegisterBuffer(nullptr, 1, hipGraphicsRegisterFlagsNone), hipErrorInvalidValue);
  FAILS(hipGraphicsGLRegisterBuffer(&resource, 0, hipGraphicsRegisterFlagsNone), hipErrorInvalidValue);
  for (const unsigned flags : {unsigned{hipGraphicsRegisterFlagsSurfaceLoadStore},
                               unsigned{hipGraphicsRegisterFlagsTextureGather}, 16u, UINT_MAX})
    FAILS(hipGraphicsGLRegisterBuffer(&resource, 1, flags), hipErrorInvalidValue);

  for (const GLenum target : {kTexture2D, kRenderbuffer})
    FAILS(hipGraphicsGLRegisterImage(&resource, 1, target, hipGraphicsRegisterFlagsSurfaceLoadStore),
          hipErrorNotSupported);
  FAILS(hipGraphicsGLRegisterImage(nullptr, 1, kTexture2D, 0), hipErrorInvalidValue);
  FAILS(hipGraphicsGLRegisterImage(&resource, 0, kTexture2D, 0), hipErrorInvalidValue);
  FAILS(hipGraphicsGLRegisterImage(&resource, 1, kBuffer, 0), hipErrorInvalidValue);
  FAILS(hipGraphicsGLRegisterImage(&resource, 1, 0, 0), hipErrorInvalidValue);
  FAILS(hipGraphicsGLRegisterImage(&resource, 1, kTexture2D, 16), hipErrorInvalidValue);
  FAILS(hipGraphicsGLRegisterImage(&resource, 1, kTexture2D, UINT_MAX), hipErrorInvalidValue);
  CHECK(resource == nullptr);
}

TEST_CASE("Graphics resources that nobody could register") {
  hipGraphicsResource_t resource = garbage_handle<hipGraphicsResource_t>();
  hipGraphicsResource_t list[] = {resource, nullptr};
  using List = hipError_t (*)(int, hipGraphicsResource_t*, hipStream_t);
  for (const List call : {List{hipGraphicsMapResources}, List{hipGraphicsUnmapResources}}) {
    FAILS(call(1, list, nullptr), hipErrorNotSupported);
    FAILS(call(0, list, nullptr), hipErrorInvalidValue);
    FAILS(call(-1, list, nullptr), hipErrorInvalidValue);
    FAILS(call(2, list, nullptr), hipErrorInvalidValue);
    FAILS(call(1, nullptr, nullptr), hipErrorInvalidValue);
    FAILS(call(1, list, garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
  }
  void* address = nullptr;
  size_t bytes = 3;
  FAILS(hipGraphicsResourceGetMappedPointer(&address, &bytes, resource), hipErrorNotSupported);
  FAILS(hipGraphicsResourceGetMappedPointer(nullptr, &bytes, resource), hipErrorInvalidValue);
  FAILS(hipGraphicsResourceGetMappedPointer(&address, nullptr, resource), hipErrorInvalidValue);
  FAILS(hipGraphicsResourceGetMappedPointer(&address, &bytes, nullptr), hipErrorInvalidValue);
  CHECK(bytes == 3);
  hipArray_t array = nullptr;
  FAILS(hipGraphicsSubResourceGetMappedArray(&array, resource, 0, 0), hipErrorNotSupported);
  FAILS(hipGraphicsSubResourceGetMappedArray(nullptr, resource, 0, 0), hipErrorInvalidValue);
  FAILS(hipGraphicsSubResourceGetMappedArray(&array, nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipGraphicsUnregisterResource(resource), hipErrorNotSupported);
  FAILS(hipGraphicsUnregisterResource(nullptr), hipErrorInvalidValue);
}
