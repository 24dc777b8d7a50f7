// Arrays, textures and surfaces are made by the driver; this file translates their descriptions into CUDA's structures.
// It also has the copies of a Queue from and to arrays.
#include "runtime/backend/cuda/images.h"

#include "runtime/backend/cuda/device.h"
#include "runtime/backend/cuda/queue.h"
#include "runtime/base/own.h"

#include <algorithm>

namespace hip::cuda {
namespace {

using backend::ChannelKind;
using backend::ElementFormat;

CUarray_format format_of(const ElementFormat& format) noexcept {
  if (format.kind == ChannelKind::Float) return format.channel_bits == 16 ? kFormatHalf : kFormatFloat;
  const bool is_signed = format.kind == ChannelKind::Signed;
  switch (format.channel_bits) {
  case 8:
    return is_signed ? kFormatSigned8 : kFormatUnsigned8;
  case 16:
    return is_signed ? kFormatSigned16 : kFormatUnsigned16;
  default:
    return is_signed ? kFormatSigned32 : kFormatUnsigned32;
  }
}

// Whether kernels read the elements as integers: integers that the texture does not convert to floats.
bool reads_integers(const ElementFormat& format, const backend::Sampling& sampling) noexcept {
  return format.kind != ChannelKind::Float && sampling.elements_as_they_are;
}

CUDA_RESOURCE_DESC resource_of(const backend::TextureSource& source) noexcept {
  if (source.image) return static_cast<Image&>(*source.image).resource();
  CUDA_RESOURCE_DESC resource{};
  if (source.height == 0) {
    resource.resType = kResourceLinear;
    resource.res.linear = {to_cuda(source.memory), format_of(source.format), source.format.channels, source.bytes};
  } else {
    resource.resType = kResourcePitch2D;
    resource.res.pitch2D = {to_cuda(source.memory), format_of(source.format), source.format.channels, source.width,
                            source.height,          source.pitch_bytes};
  }
  return resource;
}

// Dimensions in which coordinates are looked up.
size_t dimensions_of(const backend::TextureSource& source) noexcept {
  if (!source.image) return source.height == 0 ? 1 : 2;
  const backend::ImageShape& shape = source.image->shape();
  if (shape.height == 0) return 1;
  return shape.depth == 0 || shape.layered || shape.cubemap ? 2 : 3;
}

CUDA_TEXTURE_DESC sampling_of(const backend::Sampling& s, const backend::TextureSource& source) noexcept {
  const ElementFormat format = source.image ? source.image->shape().format : source.format;
  CUDA_TEXTURE_DESC sampling{};
  // A GPU filters a one-dimensional texture in the second dimension too; clamping there keeps the border out of the
  // result.
  constexpr auto kUnused = static_cast<int>(backend::AddressMode::Clamp);
  for (size_t d = 0; d < 3; ++d)
    sampling.addressMode[d] = d < dimensions_of(source) ? static_cast<int>(s.address[d]) : kUnused;
  sampling.filterMode = static_cast<int>(s.filter);
  sampling.mipmapFilterMode = static_cast<int>(s.level_filter);
  sampling.flags = (reads_integers(format, s) ? kReadAsInteger : 0) |
                   (s.normalized_coordinates ? kNormalizedCoordinates : 0) | (s.srgb ? kSrgb : 0);
  sampling.maxAnisotropy = s.max_anisotropy;
  sampling.mipmapLevelBias = s.level_bias;
  sampling.minMipmapLevelClamp = s.least_level;
  sampling.maxMipmapLevelClamp = s.greatest_level;
  std::copy(s.border.begin(), s.border.end(), sampling.borderColor);
  return sampling;
}

CUDA_RESOURCE_VIEW_DESC view_of(const backend::ImageView& v) noexcept {
  CUDA_RESOURCE_VIEW_DESC view{};
  view.format = static_cast<int>(v.format);
  view.width = v.width;
  view.height = v.height;
  view.depth = v.depth;
  view.firstMipmapLevel = v.first_level;
  view.lastMipmapLevel = v.last_level;
  view.firstLayer = v.first_layer;
  view.lastLayer = v.last_layer;
  return view;
}

} // namespace

// ---- arrays --------------------------------------------------------------------------------------------------------

Image::~Image() {
  // Errors are dropped, because a destructor cannot report them; a context that is lost has lost its arrays.
  if (whole_ || !context_.enter().ok()) return;
  const Driver& driver = context_.driver();
  static_cast<void>(mipmapped_ ? driver.cuMipmappedArrayDestroy(mipmapped_) : driver.cuArrayDestroy(array_));
}

CUDA_RESOURCE_DESC Image::resource() const noexcept {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = mipmapped_ ? kResourceMipmapped : kResourceArray;
  if (mipmapped_)
    resource.res.mipmap = mipmapped_;
  else
    resource.res.array = array_;
  return resource;
}

Result<Ref<backend::Image>> Image::level(uint32_t level) {
  RT_TRY(context_.enter());
  CUarray array = nullptr;
  RT_TRY(context_.check(context_.driver().cuMipmappedArrayGetLevel(&array, mipmapped_, level),
                        "cuMipmappedArrayGetLevel"));
  backend::ImageShape part = shape();
  const auto halved = [level](size_t extent) { return extent ? std::max<size_t>(extent >> level, 1) : 0; };
  part.levels = 0;
  part.width = halved(part.width);
  part.height = halved(part.height);
  if (!part.layered && !part.cubemap) part.depth = halved(part.depth);
  return Ref<backend::Image>(make_ref<Image>(context_, part, array, nullptr, Ref<backend::Image>(this)));
}

Result<backend::ImageMemory> Image::memory() {
  const Driver& driver = context_.driver();
  if (!driver.cuMipmappedArrayGetMemoryRequirements) return backend::Image::memory();
  RT_TRY(context_.enter());
  CUDA_ARRAY_MEMORY_REQUIREMENTS memory{};
  RT_TRY(context_.check(driver.cuMipmappedArrayGetMemoryRequirements(&memory, mipmapped_, context_.device()),
                        "cuMipmappedArrayGetMemoryRequirements"));
  return backend::ImageMemory{memory.size, memory.alignment};
}

CUDA_ARRAY3D_DESCRIPTOR array_descriptor(const backend::ImageShape& shape) noexcept {
  const unsigned flags = (shape.layered ? kArrayLayered : 0) | (shape.surface ? kArraySurface : 0) |
                         (shape.cubemap ? kArrayCubemap : 0) | (shape.gather ? kArrayGather : 0);
  return {shape.width, shape.height, shape.depth, format_of(shape.format), shape.format.channels, flags};
}

Result<Ref<backend::Image>> Images::create(const backend::ImageShape& shape) {
  RT_TRY(context_.enter());
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = array_descriptor(shape);
  CUarray array = nullptr;
  CUmipmappedArray mipmapped = nullptr;
  if (shape.levels)
    RT_TRY(context_.check(context_.driver().cuMipmappedArrayCreate(&mipmapped, &descriptor, shape.levels),
                          "cuMipmappedArrayCreate"));
  else
    RT_TRY(context_.check(context_.driver().cuArray3DCreate(&array, &descriptor), "cuArray3DCreate"));
  return own([&] { return Ref<backend::Image>(make_ref<Image>(context_, shape, array, mipmapped)); },
             [&] {
               return array ? context_.driver().cuArrayDestroy(array)
                            : context_.driver().cuMipmappedArrayDestroy(mipmapped);
             });
}

// ---- textures and surfaces -----------------------------------------------------------------------------------------

Result<uint64_t> Images::create_texture(const backend::TextureSource& source, const backend::Sampling& sampling,
                                        const backend::ImageView* view) {
  RT_TRY(context_.enter());
  const CUDA_RESOURCE_DESC resource = resource_of(source);
  const CUDA_TEXTURE_DESC how = sampling_of(sampling, source);
  const CUDA_RESOURCE_VIEW_DESC part = view ? view_of(*view) : CUDA_RESOURCE_VIEW_DESC{};
  CUtexObject texture = 0;
  RT_TRY(context_.check(context_.driver().cuTexObjectCreate(&texture, &resource, &how, view ? &part : nullptr),
                        "cuTexObjectCreate"));
  return uint64_t{texture};
}

Status Images::destroy_texture(uint64_t texture) {
  RT_TRY(context_.enter());
  return context_.check(context_.driver().cuTexObjectDestroy(texture), "cuTexObjectDestroy");
}

Result<uint64_t> Images::create_surface(const Ref<backend::Image>& image) {
  RT_TRY(context_.enter());
  const CUDA_RESOURCE_DESC resource = static_cast<Image&>(*image).resource();
  CUsurfObject surface = 0;
  RT_TRY(context_.check(context_.driver().cuSurfObjectCreate(&surface, &resource), "cuSurfObjectCreate"));
  return uint64_t{surface};
}

Status Images::destroy_surface(uint64_t surface) {
  RT_TRY(context_.enter());
  return context_.check(context_.driver().cuSurfObjectDestroy(surface), "cuSurfObjectDestroy");
}

Result<size_t> Images::widest_row(ElementFormat format) {
  size_t elements = 0;
  RT_TRY(context_.enter());
  RT_TRY(context_.check(
      context_.driver().cuDeviceGetTexture1DLinearMaxWidth(&elements, format_of(format), format.channels, device_),
      "cuDeviceGetTexture1DLinearMaxWidth"));
  return elements;
}

// ---- copies --------------------------------------------------------------------------------------------------------

namespace {

// What both sides of CUDA_MEMCPY3D have, under one name each.
struct Side {
  size_t x_bytes = 0, y = 0, z = 0;
  CUmemorytype type = kMemoryUnified;
  CUdeviceptr address = 0;
  CUarray array = nullptr;
  CUcontext context = nullptr; // null: the host and every GPU reach it
  size_t pitch = 0, height = 0;
};

Side side_of(const backend::BoxEnd& end, const backend::Extent3& e) {
  if (end.image) {
    const auto& image = static_cast<const Image&>(*end.image);
    return {end.x_bytes, end.y, end.z, kMemoryArray, 0, image.array(), image.context().handle(), 0, 0};
  }
  // A single row per slice needs no pitch from the caller; the driver wants one.
  const size_t pitch = std::max(end.memory.pitch_bytes, e.width_bytes);
  const size_t height = e.depth == 1 ? e.height : end.memory.slice_bytes / pitch;
  return {0, 0, 0, kMemoryUnified, to_cuda(end.memory.base), nullptr, nullptr, pitch, height};
}

// Whether slices are a whole number of rows apart: the driver counts their distance in rows.
bool is_whole_rows(const backend::BoxEnd& end, const backend::Extent3& e) noexcept {
  const size_t pitch = std::max(end.memory.pitch_bytes, e.width_bytes);
  return end.image || e.depth == 1 ||
         (end.memory.slice_bytes % pitch == 0 && end.memory.slice_bytes / pitch >= e.height);
}

backend::BoxEnd slice_of(const backend::BoxEnd& end, size_t z) noexcept {
  backend::BoxEnd slice = end;
  slice.z += z;
  if (!end.image) slice.memory.base = static_cast<std::byte*>(end.memory.base) + z * end.memory.slice_bytes;
  return slice;
}

} // namespace

Status Queue::copy_box(const backend::BoxEnd& dst, const backend::BoxEnd& src, const backend::Extent3& e) {
  if (e.width_bytes == 0 || e.height == 0 || e.depth == 0) return {};
  if (!is_whole_rows(dst, e) || !is_whole_rows(src, e)) {
    for (size_t z = 0; z < e.depth; ++z)
      RT_TRY(copy_box(slice_of(dst, z), slice_of(src, z), {e.width_bytes, e.height, 1}));
    return {};
  }
  RT_TRY(context_.enter());
  Side to = side_of(dst, e), from = side_of(src, e);
  if (!dst.image) {
    RT_TRY_ASSIGN(to.context, device_.owner_of(dst.memory.base));
  }
  if (!src.image) {
    RT_TRY_ASSIGN(from.context, device_.owner_of(src.memory.base));
  }
  // An array belongs to one context. The driver must be told both contexts when the array's is not the current one, or
  // when the other end lies on another GPU.
  const bool peers = (to.context && from.context && to.context != from.context) ||
                     (dst.image && to.context != context_.handle()) || (src.image && from.context != context_.handle());
  if (peers)
    for (Side* side : {&to, &from})
      if (side->context && !side->array) side->type = kMemoryDevice;
  const CUDA_MEMCPY3D copy{.srcXInBytes = from.x_bytes,
                           .srcY = from.y,
                           .srcZ = from.z,
                           .srcLOD = 0,
                           .srcMemoryType = from.type,
                           .srcHost = nullptr,
                           .srcDevice = from.address,
                           .srcArray = from.array,
                           .srcContext = peers ? from.context : nullptr,
                           .srcPitch = from.pitch,
                           .srcHeight = from.height,
                           .dstXInBytes = to.x_bytes,
                           .dstY = to.y,
                           .dstZ = to.z,
                           .dstLOD = 0,
                           .dstMemoryType = to.type,
                           .dstHost = nullptr,
                           .dstDevice = to.address,
                           .dstArray = to.array,
                           .dstContext = peers ? to.context : nullptr,
                           .dstPitch = to.pitch,
                           .dstHeight = to.height,
                           .WidthInBytes = e.width_bytes,
                           .Height = e.height,
                           .Depth = e.depth};
  if (peers) return context_.check(driver_.cuMemcpy3DPeerAsync(&copy, handle_), "cuMemcpy3DPeerAsync");
  return context_.check(driver_.cuMemcpy3DAsync(&copy, handle_), "cuMemcpy3DAsync");
}

} // namespace hip::cuda
