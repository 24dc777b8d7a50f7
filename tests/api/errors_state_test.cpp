// Errors of what is in no state for a call, and of devices, arrays and textures by the driver's functions; a row or two
// per function that the tests of its area have no place for.
#include "testing.h"

TEST_CASE("Locations and devices that are not there") {
  void *managed = nullptr, *memory = nullptr;
  OK(hipMallocManaged(&managed, 4096, hipMemAttachGlobal));
  OK(hipMalloc(&memory, 64));
  FAILS(hipMemAdvise(managed, 4096, hipMemAdviseSetPreferredLocation, 77), hipErrorInvalidDevice);
  FAILS(hipMemAdvise_v2(managed, 4096, hipMemAdviseSetPreferredLocation, {hipMemLocationTypeDevice, 77}),
        hipErrorInvalidDevice);
  hipMemcpy3DPeerParms p{};
  p.srcPtr = p.dstPtr = make_hipPitchedPtr(memory, 16, 16, 1);
  p.extent = make_hipExtent(16, 1, 1);
  p.dstDevice = 77;
  FAILS(hipMemcpy3DPeer(&p), hipErrorInvalidDevice);
  FAILS(hipMemcpy3DPeerAsync(&p, nullptr), hipErrorInvalidDevice);
  uint32_t type = 0, hops = 0;
  FAILS(hipExtGetLinkTypeAndHopCount(-1, 0, &type, &hops), hipErrorInvalidValue);
  FAILS(hipExtGetLinkTypeAndHopCount(0, 77, &type, &hops), hipErrorInvalidDevice);
  hip_Memcpy2D rows{};
  rows.srcMemoryType = hipMemoryTypeDevice;
  rows.srcDevice = memory;
  rows.dstMemoryType = hipMemoryTypeArray; // and null
  rows.WidthInBytes = rows.Height = 1;
  FAILS(hipDrvMemcpy2DUnaligned(&rows), hipErrorInvalidValue);
  OK(hipFree(memory));
  OK(hipFree(managed));
}

TEST_CASE("Attributes of streams that are none") {
  hipLaunchAttributeValue value{};
  FAILS(hipStreamSetAttribute(garbage_handle<hipStream_t>(), hipLaunchAttributePriority, &value),
        hipErrorContextIsDestroyed);
  FAILS(hipStreamGetAttribute(garbage_handle<hipStream_t>(), hipLaunchAttributePriority, &value),
        hipErrorContextIsDestroyed);
  FAILS(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  FAILS(hipEventDestroy(nullptr), hipErrorInvalidHandle);
  FAILS(hipEventQuery(nullptr), hipErrorInvalidHandle);
  FAILS(hipEventSynchronize(nullptr), hipErrorInvalidHandle);
  FAILS(hipEventRecord(nullptr, nullptr), hipErrorInvalidHandle);
}

TEST_CASE("Arrays by the driver's functions", "[api][images]") {
  if (!has_images()) return;
  HIP_ARRAY3D_DESCRIPTOR box{16, 8, 4, HIP_AD_FORMAT_UNSIGNED_INT8, 4, 0}, told{};
  HIP_ARRAY_DESCRIPTOR flat{};
  hipArray_t array = nullptr, level = nullptr;
  hipMipmappedArray_t levels = nullptr;
  OK(hipArray3DCreate(&array, &box));
  OK(hipArray3DGetDescriptor(&told, array));
  CHECK((told.Width == 16 && told.Height == 8 && told.Depth == 4 && told.NumChannels == 4));
  FAILS(hipArray3DGetDescriptor(nullptr, array), hipErrorInvalidValue);
  FAILS(hipArrayGetDescriptor(nullptr, array), hipErrorInvalidValue);
  FAILS(hipArray3DGetDescriptor(&told, nullptr), hipErrorInvalidHandle);
  FAILS(hipArrayGetInfo(nullptr, nullptr, nullptr, nullptr), hipErrorInvalidHandle);
  OK(hipArrayDestroy(array));
  FAILS(hipArray3DGetDescriptor(&told, array), hipErrorInvalidHandle);
  FAILS(hipArrayDestroy(nullptr), hipErrorInvalidValue);
  box.NumChannels = 3;
  FAILS(hipArray3DCreate(&array, &box), hipErrorInvalidValue);
  FAILS(hipArray3DCreate(nullptr, &box), hipErrorInvalidValue);
  FAILS(hipArrayCreate(&array, &flat), hipErrorInvalidValue);

  box.NumChannels = 4;
  box.Depth = 0;
  OK(hipMipmappedArrayCreate(&levels, &box, 3));
  OK(hipMipmappedArrayGetLevel(&level, levels, 1));
  OK(hipArrayGetDescriptor(&flat, level));
  CHECK((flat.Width == 8 && flat.Height == 4));
  FAILS(hipMipmappedArrayGetLevel(&level, levels, 3), hipErrorInvalidValue);
  FAILS(hipMipmappedArrayGetLevel(nullptr, levels, 0), hipErrorInvalidValue);
  OK(hipMipmappedArrayDestroy(levels));
  FAILS(hipMipmappedArrayDestroy(nullptr), hipErrorInvalidValue);
  FAILS(hipMipmappedArrayCreate(&levels, &box, 0), hipErrorInvalidValue);
}

TEST_CASE("Texture objects by the driver's functions", "[api][images]") {
  if (!has_images()) return;
  const hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindFloat};
  hipArray_t array = nullptr;
  OK(hipMallocArray(&array, &format, 16, 8, 0));
  HIP_RESOURCE_DESC resource{}, resource_found{};
  resource.resType = HIP_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  HIP_TEXTURE_DESC sampling{}, sampling_found{};
  for (auto& mode : sampling.addressMode) mode = HIP_TR_ADDRESS_MODE_CLAMP;
  HIP_RESOURCE_VIEW_DESC view{}, view_found{};
  view.format = HIP_RES_VIEW_FORMAT_FLOAT_1X32;
  view.width = 16;
  view.height = 8;
  hipTextureObject_t texture = nullptr;
  OK(hipTexObjectCreate(&texture, &resource, &sampling, &view));
  OK(hipTexObjectGetResourceDesc(&resource_found, texture));
  CHECK(resource_found.res.array.hArray == array);
  OK(hipTexObjectGetTextureDesc(&sampling_found, texture));
  CHECK(sampling_found.addressMode[0] == HIP_TR_ADDRESS_MODE_CLAMP);
  OK(hipTexObjectGetResourceViewDesc(&view_found, texture));
  CHECK((view_found.width == 16 && view_found.format == HIP_RES_VIEW_FORMAT_FLOAT_1X32));
  OK(hipTexObjectDestroy(texture));
  FAILS(hipTexObjectDestroy(garbage_handle<hipTextureObject_t>()), hipErrorInvalidValue);
  OK(hipFreeArray(array));
}
