// Arrays and mipmapped arrays. Where the device has no image instructions, no array can be made and every handle is
// wrong.
#include "runtime/api/array_format.h"

namespace hip::api {
namespace {

using backend::ImageShape;

// Error: NotSupported, which comes before any error of the arguments but null.
Result<core::Device*> device_with_images() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY(core::images_of(*device).status());
  return device;
}

Status check_places(const void* handle, const void* description) {
  if (handle && description) return {};
  return error(ErrorCode::InvalidValue, "The {} is null.", handle ? "description" : "place for the array");
}

template<class H> Status create(H* handle, const hipChannelFormatDesc* desc, const hipExtent& extent, unsigned levels,
                                unsigned flags, unsigned known_flags) {
  RT_TRY(check_places(handle, desc));
  RT_TRY_ASSIGN(core::Device * device, device_with_images());
  ImageShape shape{
      .width = extent.width, .height = extent.height, .depth = extent.depth, .format = {}, .levels = levels};
  RT_TRY_ASSIGN(shape.format, element_format(*desc));
  RT_TRY(put_flags(shape, flags, known_flags));
  RT_TRY_ASSIGN(const core::Handle made, core::create_array(*device, shape));
  *handle = as_handle<H>(made);
  return {};
}

template<class H, class D> Status create(H* handle, const D* desc, size_t depth, unsigned levels, unsigned flags) {
  RT_TRY(check_places(handle, desc));
  RT_TRY_ASSIGN(core::Device * device, device_with_images());
  ImageShape shape{.width = desc->Width, .height = desc->Height, .depth = depth, .format = {}, .levels = levels};
  RT_TRY_ASSIGN(shape.format, element_format(desc->Format, desc->NumChannels));
  RT_TRY(put_flags(shape, flags, kArrayFlags));
  RT_TRY_ASSIGN(const core::Handle made, core::create_array(*device, shape));
  *handle = as_handle<H>(made);
  return {};
}

Status check_levels(unsigned levels) {
  if (levels != 0) return {};
  return error(ErrorCode::InvalidValue, "A mipmapped array of 0 levels is asked for.");
}

// The array, when there is a place to write its description to.
Result<core::Pin<core::Array>> described(const void* place, hipArray_const_t array) {
  if (!place) return error(ErrorCode::InvalidValue, "The place for the descriptor is null.");
  return core::find_array(array);
}

} // namespace

// ---- arrays --------------------------------------------------------------------------------------------------------

Status hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* desc, size_t width, size_t height,
                      unsigned int flags) {
  return create(array, desc, {width, height, 0}, 0, flags, hipArraySurfaceLoadStore | hipArrayTextureGather);
}

Status hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* desc, hipExtent extent, unsigned int flags) {
  return create(array, desc, extent, 0, flags, kArrayFlags);
}

Status hipArrayCreate(hipArray_t* pHandle, const HIP_ARRAY_DESCRIPTOR* pAllocateArray) {
  return create(pHandle, pAllocateArray, 0, 0, hipArrayDefault);
}

Status hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* pAllocateArray) {
  return create(array, pAllocateArray, pAllocateArray ? pAllocateArray->Depth : 0, 0,
                pAllocateArray ? pAllocateArray->Flags : 0);
}

Status hipFreeArray(hipArray_t array) { return core::free_array(array); }
Status hipArrayDestroy(hipArray_t array) {
  if (array) RT_TRY(device_with_images().status());
  return core::free_array(array);
}

Status hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* pArrayDescriptor, hipArray_t array) {
  RT_TRY_ASSIGN(const auto pin, described(pArrayDescriptor, array));
  const ImageShape& shape = pin->shape();
  *pArrayDescriptor = {shape.width, shape.height, array_format(shape.format), shape.format.channels};
  return {};
}

Status hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* pArrayDescriptor, hipArray_t array) {
  RT_TRY_ASSIGN(const auto pin, described(pArrayDescriptor, array));
  const ImageShape& shape = pin->shape();
  *pArrayDescriptor = {shape.width,           shape.height,      shape.depth, array_format(shape.format),
                       shape.format.channels, array_flags(shape)};
  return {};
}

Status hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned int* flags, hipArray_t array) {
  RT_TRY_ASSIGN(const auto pin, core::find_array(array));
  const ImageShape& shape = pin->shape();
  if (desc) *desc = channel_desc(shape.format);
  if (extent) *extent = {shape.width, shape.height, shape.depth};
  if (flags) *flags = array_flags(shape);
  return {};
}

Status hipGetChannelDesc(hipChannelFormatDesc* desc, hipArray_const_t array) {
  RT_TRY_ASSIGN(const auto pin, described(desc, array));
  *desc = channel_desc(pin->shape().format);
  return {};
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return {x, y, z, w, f};
}

// ---- mipmapped arrays ----------------------------------------------------------------------------------------------

Status hipMallocMipmappedArray(hipMipmappedArray_t* mipmappedArray, const hipChannelFormatDesc* desc, hipExtent extent,
                               unsigned int numLevels, unsigned int flags) {
  RT_TRY(check_places(mipmappedArray, desc));
  RT_TRY(device_with_images().status());
  RT_TRY(check_levels(numLevels));
  return create(mipmappedArray, desc, extent, numLevels, flags, kArrayFlags);
}

Status hipMipmappedArrayCreate(hipMipmappedArray_t* pHandle, HIP_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                               unsigned int numMipmapLevels) {
  RT_TRY(check_places(pHandle, pMipmappedArrayDesc));
  RT_TRY(device_with_images().status());
  RT_TRY(check_levels(numMipmapLevels));
  return create(pHandle, pMipmappedArrayDesc, pMipmappedArrayDesc ? pMipmappedArrayDesc->Depth : 0, numMipmapLevels,
                pMipmappedArrayDesc ? pMipmappedArrayDesc->Flags : 0);
}

Status hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray) { return core::free_mipmapped_array(mipmappedArray); }
Status hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray) {
  if (hMipmappedArray) RT_TRY(device_with_images().status());
  return core::free_mipmapped_array(hMipmappedArray);
}

Status hipGetMipmappedArrayLevel(hipArray_t* levelArray, hipMipmappedArray_const_t mipmappedArray, unsigned int level) {
  RT_TRY_ASSIGN(const auto pin, core::find_mipmapped_array(mipmappedArray));
  if (!levelArray) return error(ErrorCode::InvalidValue, "The place for the level is null.");
  RT_TRY_ASSIGN(const core::Handle handle, pin->level(level));
  *levelArray = as_handle<hipArray_t>(handle);
  return {};
}

Status hipMipmappedArrayGetLevel(hipArray_t* pLevelArray, hipMipmappedArray_t hMipMappedArray, unsigned int level) {
  return api::hipGetMipmappedArrayLevel(pLevelArray, hMipMappedArray, level);
}

Status hipMipmappedArrayGetMemoryRequirements(hipArrayMemoryRequirements* memoryRequirements,
                                              hipMipmappedArray_t mipmap, hipDevice_t device) {
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  RT_TRY_ASSIGN(const auto pin, core::find_mipmapped_array(mipmap));
  if (&pin->device() != found)
    return error(ErrorCode::InvalidValue, "The mipmapped array is on device {}, not on device {}.",
                 pin->device().ordinal(), device);
  RT_TRY_ASSIGN(const backend::ImageMemory memory, pin->image()->memory());
  *memoryRequirements = {memory.alignment, memory.bytes};
  return {};
}

} // namespace hip::api
