// Texture and surface objects, in HIP's runtime style and its driver style: both are brought to core::Texture and back.
#include "runtime/core/texture.h"

#include "runtime/api/array_format.h"

#include <algorithm>
#include <cstring>

namespace hip::api {
namespace {

using backend::AddressMode;
using backend::FilterMode;

// The number of an object, which is what its opaque pointer holds.
template<class H> uint64_t number_of(H handle) noexcept { return reinterpret_cast<uint64_t>(handle); }
template<class H> H handle_of(uint64_t number) noexcept { return reinterpret_cast<H>(number); }

Status check_support() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return core::images_of(*device).status();
}

Status null_output() { return error(ErrorCode::InvalidValue, "The place for the description is null."); }

// ---- resources -----------------------------------------------------------------------------------------------------

// A texture's source, and the device that it is made on: the array's, or the current one.
struct Source {
  core::Texture texture;
  core::Device* device = nullptr;
};

// The source for an array or a mipmapped array that was found.
template<class T> Result<Source> image_source(const Result<core::Pin<T>>& found, core::Handle array) {
  RT_TRY(found.status());
  Source source;
  source.texture.source.image = found.value()->image();
  source.texture.array = array;
  source.device = &found.value()->device();
  return source;
}

Result<Source> array_source(hipArray_const_t array) { return image_source(core::find_array(array), array); }
Result<Source> mipmapped_source(hipMipmappedArray_const_t array) {
  return image_source(core::find_mipmapped_array(array), array);
}

Result<Source> row_source(void* memory, const Result<backend::ElementFormat>& format, size_t bytes) {
  Source source;
  RT_TRY_ASSIGN(source.device, core::current_device());
  RT_TRY(format.status());
  source.texture.source.memory = memory;
  source.texture.source.format = format.value();
  source.texture.source.bytes = bytes;
  return source;
}

Result<Source> rows_source(void* memory, const Result<backend::ElementFormat>& format, size_t width, size_t height,
                           size_t pitch) {
  RT_TRY_ASSIGN(Source source, row_source(memory, format, 0));
  if (height == 0) return error(ErrorCode::InvalidValue, "A texture of rows has height 0.");
  source.texture.source.width = width;
  source.texture.source.height = height;
  source.texture.source.pitch_bytes = pitch;
  return source;
}

Status unknown_resource(int type) {
  return error(ErrorCode::InvalidValue, "The type {} of the resource is not known.", type);
}

Result<Source> source_of(const hipResourceDesc& r) {
  switch (r.resType) {
  case hipResourceTypeArray:
    return array_source(r.res.array.array);
  case hipResourceTypeMipmappedArray:
    return mipmapped_source(r.res.mipmap.mipmap);
  case hipResourceTypeLinear:
    return row_source(r.res.linear.devPtr, element_format(r.res.linear.desc), r.res.linear.sizeInBytes);
  case hipResourceTypePitch2D: {
    const auto& p = r.res.pitch2D;
    return rows_source(p.devPtr, element_format(p.desc), p.width, p.height, p.pitchInBytes);
  }
  }
  return unknown_resource(static_cast<int>(r.resType));
}

Result<Source> source_of(const HIP_RESOURCE_DESC& r) {
  if (r.flags != 0) return error(ErrorCode::InvalidValue, "The flags {:#x} of the resource must be 0.", r.flags);
  switch (r.resType) {
  case HIP_RESOURCE_TYPE_ARRAY:
    return array_source(r.res.array.hArray);
  case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    return mipmapped_source(r.res.mipmap.hMipmappedArray);
  case HIP_RESOURCE_TYPE_LINEAR: {
    const auto& l = r.res.linear;
    return row_source(l.devPtr, element_format(l.format, l.numChannels), l.sizeInBytes);
  }
  case HIP_RESOURCE_TYPE_PITCH2D: {
    const auto& p = r.res.pitch2D;
    return rows_source(p.devPtr, element_format(p.format, p.numChannels), p.width, p.height, p.pitchInBytes);
  }
  }
  return unknown_resource(static_cast<int>(r.resType));
}

bool is_mipmapped(const core::Texture& t) noexcept { return t.source.image && t.source.image->shape().levels != 0; }

void put(hipResourceDesc& r, const core::Texture& t) {
  std::memset(&r, 0, sizeof r);
  const backend::TextureSource& s = t.source;
  if (is_mipmapped(t)) {
    r.resType = hipResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = as_handle<hipMipmappedArray_t>(t.array);
  } else if (s.image) {
    r.resType = hipResourceTypeArray;
    r.res.array.array = as_handle<hipArray_t>(t.array);
  } else if (s.height == 0) {
    r.resType = hipResourceTypeLinear;
    r.res.linear = {s.memory, channel_desc(s.format), s.bytes};
  } else {
    r.resType = hipResourceTypePitch2D;
    r.res.pitch2D = {s.memory, channel_desc(s.format), s.width, s.height, s.pitch_bytes};
  }
}

void put(HIP_RESOURCE_DESC& r, const core::Texture& t) {
  std::memset(&r, 0, sizeof r);
  const backend::TextureSource& s = t.source;
  if (is_mipmapped(t)) {
    r.resType = HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    r.res.mipmap.hMipmappedArray = as_handle<hipMipmappedArray_t>(t.array);
  } else if (s.image) {
    r.resType = HIP_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = as_handle<hipArray_t>(t.array);
  } else if (s.height == 0) {
    r.resType = HIP_RESOURCE_TYPE_LINEAR;
    r.res.linear = {s.memory, array_format(s.format), s.format.channels, s.bytes};
  } else {
    r.resType = HIP_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D = {s.memory, array_format(s.format), s.format.channels, s.width, s.height, s.pitch_bytes};
  }
}

// ---- how a texture reads -------------------------------------------------------------------------------------------

static_assert(hipAddressModeWrap == static_cast<int>(AddressMode::Wrap) &&
              hipAddressModeClamp == static_cast<int>(AddressMode::Clamp) &&
              hipAddressModeMirror == static_cast<int>(AddressMode::Mirror) &&
              hipAddressModeBorder == static_cast<int>(AddressMode::Border) &&
              hipFilterModeLinear == static_cast<int>(FilterMode::Linear));

// The members that both descriptions have under the same names.
template<class D> Result<backend::Sampling> common_sampling(const D& d) {
  backend::Sampling s;
  for (size_t i = 0; i < 3; ++i) {
    const auto mode = static_cast<unsigned>(d.addressMode[i]);
    if (mode > hipAddressModeBorder) return error(ErrorCode::InvalidValue, "The address mode {} is not known.", mode);
    s.address[i] = static_cast<AddressMode>(mode);
  }
  for (const auto filter : {static_cast<unsigned>(d.filterMode), static_cast<unsigned>(d.mipmapFilterMode)})
    if (filter > hipFilterModeLinear) return error(ErrorCode::InvalidValue, "The filter {} is not known.", filter);
  s.filter = static_cast<FilterMode>(d.filterMode);
  s.level_filter = static_cast<FilterMode>(d.mipmapFilterMode);
  s.max_anisotropy = d.maxAnisotropy;
  s.level_bias = d.mipmapLevelBias;
  s.least_level = d.minMipmapLevelClamp;
  s.greatest_level = d.maxMipmapLevelClamp;
  std::copy_n(d.borderColor, 4, s.border.begin());
  return s;
}

template<class Mode, class Filter, class D> void put_common(D& d, const backend::Sampling& s) {
  std::memset(&d, 0, sizeof d);
  for (size_t i = 0; i < 3; ++i) d.addressMode[i] = static_cast<Mode>(s.address[i]);
  d.filterMode = static_cast<Filter>(s.filter);
  d.mipmapFilterMode = static_cast<Filter>(s.level_filter);
  d.maxAnisotropy = s.max_anisotropy;
  d.mipmapLevelBias = s.level_bias;
  d.minMipmapLevelClamp = s.least_level;
  d.maxMipmapLevelClamp = s.greatest_level;
  std::copy(s.border.begin(), s.border.end(), d.borderColor);
}

Result<backend::Sampling> sampling_of(const hipTextureDesc& d) {
  RT_TRY_ASSIGN(backend::Sampling s, common_sampling(d));
  if (d.readMode != hipReadModeElementType && d.readMode != hipReadModeNormalizedFloat)
    return error(ErrorCode::InvalidValue, "The read mode {} is not known.", static_cast<int>(d.readMode));
  s.elements_as_they_are = d.readMode == hipReadModeElementType;
  s.normalized_coordinates = d.normalizedCoords != 0;
  s.srgb = d.sRGB != 0;
  return s;
}

Result<backend::Sampling> sampling_of(const HIP_TEXTURE_DESC& d) {
  constexpr unsigned kKnown = HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB;
  if ((d.flags & ~kKnown) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of a texture are not known.", d.flags & ~kKnown);
  RT_TRY_ASSIGN(backend::Sampling s, common_sampling(d));
  s.elements_as_they_are = (d.flags & HIP_TRSF_READ_AS_INTEGER) != 0;
  s.normalized_coordinates = (d.flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
  s.srgb = (d.flags & HIP_TRSF_SRGB) != 0;
  return s;
}

void put(hipTextureDesc& d, const core::Texture& t) {
  const backend::Sampling& s = t.sampling;
  put_common<hipTextureAddressMode, hipTextureFilterMode>(d, s);
  d.readMode = s.elements_as_they_are ? hipReadModeElementType : hipReadModeNormalizedFloat;
  d.normalizedCoords = s.normalized_coordinates;
  d.sRGB = s.srgb;
}

void put(HIP_TEXTURE_DESC& d, const core::Texture& t) {
  const backend::Sampling& s = t.sampling;
  put_common<HIPaddress_mode, HIPfilter_mode>(d, s);
  d.flags = static_cast<unsigned>((s.elements_as_they_are ? HIP_TRSF_READ_AS_INTEGER : 0) |
                                  (s.normalized_coordinates ? HIP_TRSF_NORMALIZED_COORDINATES : 0) |
                                  (s.srgb ? HIP_TRSF_SRGB : 0));
}

// ---- views: the two descriptions have the same members -------------------------------------------------------------

template<class V> Result<backend::ImageView> view_of(const V& v) {
  const auto format = static_cast<unsigned>(v.format);
  if (format > hipResViewFormatUnsignedBlockCompressed7)
    return error(ErrorCode::InvalidValue, "The format {} of a view is not known.", format);
  return backend::ImageView{format,       v.width,    v.height, v.depth, v.firstMipmapLevel, v.lastMipmapLevel,
                            v.firstLayer, v.lastLayer};
}

template<class Format, class V> Status put_view(V* out, hipTextureObject_t object) {
  RT_TRY_ASSIGN(const core::Texture texture, core::find_texture(number_of(object)));
  if (!out) return null_output();
  if (!texture.view) return error(ErrorCode::InvalidValue, "The texture object was made without a view.");
  const backend::ImageView& view = *texture.view;
  std::memset(out, 0, sizeof *out);
  out->format = static_cast<Format>(view.format);
  out->width = view.width;
  out->height = view.height;
  out->depth = view.depth;
  out->firstMipmapLevel = view.first_level;
  out->lastMipmapLevel = view.last_level;
  out->firstLayer = view.first_layer;
  out->lastLayer = view.last_layer;
  return {};
}

// ---- the functions of both styles ----------------------------------------------------------------------------------

template<class R, class T, class V>
Status create(hipTextureObject_t* object, const R* resource, const T* sampling, const V* view) {
  RT_TRY(check_support());
  if (!object || !resource || !sampling)
    return error(ErrorCode::InvalidValue, "The {} is null.",
                 !object     ? "place for the texture object"
                 : !resource ? "description of the resource"
                             : "description of the texture");
  RT_TRY_ASSIGN(Source source, source_of(*resource));
  RT_TRY_ASSIGN(source.texture.sampling, sampling_of(*sampling));
  if (view) {
    RT_TRY_ASSIGN(source.texture.view, view_of(*view));
  }
  RT_TRY_ASSIGN(const uint64_t number, core::create_texture(*source.device, source.texture));
  *object = handle_of<hipTextureObject_t>(number);
  return {};
}

Status destroy(hipTextureObject_t object) {
  RT_TRY(check_support());
  return object ? core::destroy_texture(number_of(object)) : Status();
}

template<class D> Status describe(D* out, hipTextureObject_t object) {
  RT_TRY_ASSIGN(const core::Texture texture, core::find_texture(number_of(object)));
  if (!out) return null_output();
  put(*out, texture);
  return {};
}

} // namespace

Status hipCreateTextureObject(hipTextureObject_t* pTexObject, const hipResourceDesc* pResDesc,
                              const hipTextureDesc* pTexDesc, const hipResourceViewDesc* pResViewDesc) {
  return create(pTexObject, pResDesc, pTexDesc, pResViewDesc);
}

Status hipTexObjectCreate(hipTextureObject_t* pTexObject, const HIP_RESOURCE_DESC* pResDesc,
                          const HIP_TEXTURE_DESC* pTexDesc, const HIP_RESOURCE_VIEW_DESC* pResViewDesc) {
  return create(pTexObject, pResDesc, pTexDesc, pResViewDesc);
}

Status hipDestroyTextureObject(hipTextureObject_t textureObject) { return destroy(textureObject); }
Status hipTexObjectDestroy(hipTextureObject_t texObject) { return destroy(texObject); }

Status hipGetTextureObjectResourceDesc(hipResourceDesc* pResDesc, hipTextureObject_t textureObject) {
  return describe(pResDesc, textureObject);
}
Status hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* pResDesc, hipTextureObject_t texObject) {
  return describe(pResDesc, texObject);
}
Status hipGetTextureObjectTextureDesc(hipTextureDesc* pTexDesc, hipTextureObject_t textureObject) {
  return describe(pTexDesc, textureObject);
}
Status hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* pTexDesc, hipTextureObject_t texObject) {
  return describe(pTexDesc, texObject);
}
Status hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* pResViewDesc, hipTextureObject_t textureObject) {
  return put_view<hipResourceViewFormat>(pResViewDesc, textureObject);
}
Status hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* pResViewDesc, hipTextureObject_t texObject) {
  return put_view<HIPresourceViewFormat>(pResViewDesc, texObject);
}

Status hipCreateSurfaceObject(hipSurfaceObject_t* pSurfObject, const hipResourceDesc* pResDesc) {
  RT_TRY(check_support());
  if (!pSurfObject || !pResDesc)
    return error(ErrorCode::InvalidValue, "The {} is null.",
                 pSurfObject ? "description of the resource" : "place for the surface object");
  if (pResDesc->resType != hipResourceTypeArray)
    return error(ErrorCode::InvalidValue, "A surface is made of an array; the type of the resource is {}.",
                 static_cast<int>(pResDesc->resType));
  RT_TRY_ASSIGN(const auto array, core::find_array(pResDesc->res.array.array));
  RT_TRY_ASSIGN(const uint64_t number, core::create_surface(*array));
  *pSurfObject = handle_of<hipSurfaceObject_t>(number);
  return {};
}

Status hipDestroySurfaceObject(hipSurfaceObject_t surfaceObject) {
  return core::destroy_surface(number_of(surfaceObject));
}

Status hipDeviceGetTexture1DLinearMaxWidth(size_t* max_width, const hipChannelFormatDesc* desc, int device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  RT_TRY_ASSIGN(backend::Images * images, core::images_of(*found));
  if (!max_width || !desc)
    return error(ErrorCode::InvalidValue, "The {} is null.", max_width ? "format" : "place for the width");
  RT_TRY_ASSIGN(const backend::ElementFormat format, element_format(*desc));
  RT_TRY_ASSIGN(*max_width, images->widest_row(format));
  return {};
}

} // namespace hip::api
