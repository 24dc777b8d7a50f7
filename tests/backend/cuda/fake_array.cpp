// The fake driver: arrays, textures and surfaces. Nothing samples them; their descriptions are checked and kept.
#include "fake_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr CUresult kErrorInvalidHandle = 400;

size_t channel_bytes(CUarray_format format) {
  switch (format) {
  case kFormatUnsigned8:
  case kFormatSigned8:
    return 1;
  case kFormatUnsigned16:
  case kFormatSigned16:
  case kFormatHalf:
    return 2;
  case kFormatUnsigned32:
  case kFormatSigned32:
  case kFormatFloat:
    return 4;
  }
  return 0;
}

bool is_good_format(CUarray_format format, unsigned channels) {
  return channel_bytes(format) != 0 && (channels == 1 || channels == 2 || channels == 4);
}

bool is_good(const CUDA_ARRAY3D_DESCRIPTOR& d) {
  constexpr size_t kLargest = 1 << 20;
  const bool layered = (d.Flags & kArrayLayered) != 0, cube = (d.Flags & kArrayCubemap) != 0;
  if (!is_good_format(d.Format, d.NumChannels) || d.Width == 0 || d.Width > kLargest || d.Height > kLargest ||
      d.Depth > kLargest || d.Flags > 15)
    return false;
  if (cube && (d.Width != d.Height || (layered ? d.Depth % 6 != 0 || d.Depth == 0 : d.Depth != 6))) return false;
  if (layered && d.Depth == 0) return false;
  return layered || d.Depth == 0 || d.Height != 0;
}

std::unique_ptr<CUarray_st> make_array(CUctx_st& context, const CUDA_ARRAY3D_DESCRIPTOR& shape, bool is_level) {
  const size_t bytes = shape.Width * std::max<size_t>(shape.Height, 1) * std::max<size_t>(shape.Depth, 1) *
                       shape.NumChannels * channel_bytes(shape.Format);
  return std::unique_ptr<CUarray_st>(new CUarray_st{&context, shape, is_level, std::vector<std::byte>(bytes)});
}

// What a texture or a surface is made of, in this context.
bool is_good(Fake& fake, const CUctx_st& context, const CUDA_RESOURCE_DESC& r) {
  if (r.flags != 0) return false;
  switch (r.resType) {
  case kResourceArray:
    return fake.arrays.contains(r.res.array) && r.res.array->context == &context;
  case kResourceMipmapped:
    return fake.mipmapped_arrays.contains(r.res.mipmap) && r.res.mipmap->context == &context;
  case kResourceLinear:
    return is_good_format(r.res.linear.format, r.res.linear.numChannels) &&
           fake.block_of(r.res.linear.devPtr) != fake.blocks.end() &&
           !fake.leaves_block(r.res.linear.devPtr, r.res.linear.sizeInBytes);
  case kResourcePitch2D:
    return is_good_format(r.res.pitch2D.format, r.res.pitch2D.numChannels) &&
           fake.block_of(r.res.pitch2D.devPtr) != fake.blocks.end() && r.res.pitch2D.pitchInBytes % 32 == 0;
  }
  return false;
}

unsigned long long insert(Objects& objects, CUctx_st& context, const Object& object) {
  unsigned long long number = 1;
  while (objects.contains({&context, number})) ++number;
  objects[{&context, number}] = object;
  return number;
}

// As freed memory, arrays wait for what may still use them.
void wait_for_users(Fake& fake, std::unique_lock<std::mutex>& lock, const CUctx_st& context) {
  const uint64_t last = fake.last_of_all(context);
  fake.changed.wait(lock, [&] { return fake.completed >= last; });
}

} // namespace

FAKE_EXPORT CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  FAKE_ENTER_CONTEXT(cuArray3DCreate);
  if (!is_good(*descriptor)) return kErrorInvalidValue;
  *array = make_array(*context, *descriptor, false).release();
  fake.arrays.insert(*array);
  return kSuccess;
}

FAKE_EXPORT CUresult cuArrayDestroy(CUarray array) {
  FAKE_ENTER_CONTEXT(cuArrayDestroy);
  if (!fake.arrays.contains(array) || array->is_level) return kErrorInvalidHandle;
  fake.arrays.erase(array);
  wait_for_users(fake, lock, *context);
  delete array;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                            unsigned levels) {
  FAKE_ENTER_CONTEXT(cuMipmappedArrayCreate);
  const size_t largest = std::max({descriptor->Width, descriptor->Height, descriptor->Depth});
  if (!is_good(*descriptor) || levels == 0 || levels > static_cast<unsigned>(std::bit_width(largest)))
    return kErrorInvalidValue;
  auto made = std::make_unique<CUmipmappedArray_st>();
  made->context = context;
  for (unsigned level = 0; level < levels; ++level) {
    CUDA_ARRAY3D_DESCRIPTOR shape = *descriptor;
    shape.Width = std::max<size_t>(shape.Width >> level, 1);
    if (shape.Height) shape.Height = std::max<size_t>(shape.Height >> level, 1);
    if (shape.Depth && (shape.Flags & (kArrayLayered | kArrayCubemap)) == 0)
      shape.Depth = std::max<size_t>(shape.Depth >> level, 1);
    made->levels.push_back(make_array(*context, shape, true));
    fake.arrays.insert(made->levels.back().get());
  }
  *array = made.release();
  fake.mipmapped_arrays.insert(*array);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
  FAKE_ENTER_CONTEXT(cuMipmappedArrayGetLevel);
  if (!fake.mipmapped_arrays.contains(array)) return kErrorInvalidHandle;
  if (number >= array->levels.size()) return kErrorInvalidValue;
  *level = array->levels[number].get();
  return kSuccess;
}

FAKE_EXPORT CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  FAKE_ENTER_CONTEXT(cuMipmappedArrayDestroy);
  if (!fake.mipmapped_arrays.contains(array)) return kErrorInvalidHandle;
  for (const auto& level : array->levels) fake.arrays.erase(level.get());
  fake.mipmapped_arrays.erase(array);
  wait_for_users(fake, lock, *context);
  delete array;
  return kSuccess;
}

FAKE_EXPORT CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                                       const CUDA_TEXTURE_DESC* sampling, const CUDA_RESOURCE_VIEW_DESC* view) {
  FAKE_ENTER_CONTEXT(cuTexObjectCreate);
  const bool of_array = resource->resType == kResourceArray || resource->resType == kResourceMipmapped;
  if (!is_good(fake, *context, *resource) || (view && !of_array)) return kErrorInvalidValue;
  for (const int mode : sampling->addressMode)
    if (mode < 0 || mode > 3) return kErrorInvalidValue;
  *texture = insert(fake.textures, *context, {*resource, *sampling});
  return kSuccess;
}

FAKE_EXPORT CUresult cuTexObjectDestroy(CUtexObject texture) {
  FAKE_ENTER_CONTEXT(cuTexObjectDestroy);
  return fake.textures.erase({context, texture}) ? kSuccess : kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  FAKE_ENTER_CONTEXT(cuSurfObjectCreate);
  if (resource->resType != kResourceArray || !is_good(fake, *context, *resource) ||
      (resource->res.array->shape.Flags & kArraySurface) == 0)
    return kErrorInvalidValue;
  *surface = insert(fake.surfaces, *context, {*resource, {}});
  return kSuccess;
}

FAKE_EXPORT CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  FAKE_ENTER_CONTEXT(cuSurfObjectDestroy);
  return fake.surfaces.erase({context, surface}) ? kSuccess : kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* elements, CUarray_format format, unsigned channels,
                                                        CUdevice device) {
  FAKE_ENTER(cuDeviceGetTexture1DLinearMaxWidth);
  constexpr size_t kBytes = size_t{1} << 30;
  if (device < 0 || !is_good_format(format, channels)) return kErrorInvalidValue;
  *elements = kBytes / (channel_bytes(format) * channels);
  return kSuccess;
}

FAKE_EXPORT int fake_cuda_texture(unsigned long long texture, void* resource, void* sampling) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  const auto found = fake.textures.find({fake.contexts[0].get(), texture});
  if (found == fake.textures.end()) return 0;
  std::memcpy(resource, &found->second.resource, sizeof(CUDA_RESOURCE_DESC));
  std::memcpy(sampling, &found->second.sampling, sizeof(CUDA_TEXTURE_DESC));
  return 1;
}
