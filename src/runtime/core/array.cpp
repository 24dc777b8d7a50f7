#include "runtime/core/array.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <bit>

namespace hip::core {
namespace {

using backend::ImageShape;
using backend::TextureLimits;

HandleTable<Array, HandleKind::Array>& arrays() noexcept {
  RT_NO_DESTROY static constinit HandleTable<Array, HandleKind::Array> table;
  return table;
}
HandleTable<MipmappedArray, HandleKind::MipmappedArray>& mipmapped_arrays() noexcept {
  RT_NO_DESTROY static constinit HandleTable<MipmappedArray, HandleKind::MipmappedArray> table;
  return table;
}

// The arrays that hipDeviceReset has to free: handle tables cannot list what they hold.
struct Owned {
  const Device* device;
  Handle handle;
  bool is_mipmapped;
};
constinit std::mutex owned_mutex;
std::vector<Owned>& owned() {
  static auto* list = new std::vector<Owned>;
  return *list;
}
void disown(Handle handle) {
  std::lock_guard lock(owned_mutex);
  std::erase_if(owned(), [handle](const Owned& each) { return each.handle == handle; });
}

// ---- shapes --------------------------------------------------------------------------------------------------------

struct Limits {
  const char* name;
  size_t width, height, depth; // 0: the dimension is absent
};

// The device's limits for arrays of this kind. An array for surfaces must keep the surfaces' limits as well.
Limits texture_limits(const ImageShape& s, const TextureLimits& t) noexcept {
  if (s.cubemap && s.layered)
    return {"layered cube map", t.texture_cubemap_layered[0], t.texture_cubemap_layered[0],
            t.texture_cubemap_layered[1]};
  if (s.cubemap) return {"cube map", t.texture_cubemap, t.texture_cubemap, 6};
  if (s.layered && s.height == 0) return {"layered 1D", t.texture_1d_layered[0], 0, t.texture_1d_layered[1]};
  if (s.layered) return {"layered 2D", t.texture_2d_layered[0], t.texture_2d_layered[1], t.texture_2d_layered[2]};
  if (s.depth != 0) {
    // The alternate limits are for textures that are deeper than wide.
    const bool is_alternate = s.depth > t.texture_3d[2];
    const auto& limits = is_alternate && t.texture_3d_alternate[2] != 0 ? t.texture_3d_alternate : t.texture_3d;
    return {"3D", limits[0], limits[1], limits[2]};
  }
  if (s.gather) return {"2D gather", t.texture_2d_gather[0], t.texture_2d_gather[1], 0};
  if (s.height != 0 && s.levels != 0) return {"mipmapped 2D", t.texture_2d_mipmapped[0], t.texture_2d_mipmapped[1], 0};
  if (s.height != 0) return {"2D", t.texture_2d[0], t.texture_2d[1], 0};
  if (s.levels != 0) return {"mipmapped 1D", t.texture_1d_mipmapped, 0, 0};
  return {"1D", t.texture_1d, 0, 0};
}

Limits surface_limits(const ImageShape& s, const TextureLimits& t) noexcept {
  if (s.cubemap && s.layered)
    return {"layered cube map surface", t.surface_cubemap_layered[0], t.surface_cubemap_layered[0],
            t.surface_cubemap_layered[1]};
  if (s.cubemap) return {"cube map surface", t.surface_cubemap, t.surface_cubemap, 6};
  if (s.layered && s.height == 0) return {"layered 1D surface", t.surface_1d_layered[0], 0, t.surface_1d_layered[1]};
  if (s.layered)
    return {"layered 2D surface", t.surface_2d_layered[0], t.surface_2d_layered[1], t.surface_2d_layered[2]};
  if (s.depth != 0) return {"3D surface", t.surface_3d[0], t.surface_3d[1], t.surface_3d[2]};
  if (s.height != 0) return {"2D surface", t.surface_2d[0], t.surface_2d[1], 0};
  return {"1D surface", t.surface_1d, 0, 0};
}

Status check_limits(const ImageShape& s, const Limits& limits) {
  if (s.width <= limits.width && s.height <= limits.height && s.depth <= limits.depth) return {};
  return error(ErrorCode::InvalidValue,
               "An array of {} x {} x {} elements; the device's largest of its kind ({}) has "
               "{} x {} x {}.",
               s.width, s.height, s.depth, limits.name, limits.width, limits.height, limits.depth);
}

Status check_shape(const ImageShape& s, const TextureLimits& limits) {
  if (s.width == 0) return error(ErrorCode::InvalidValue, "An array of width 0 is asked for.");
  if (s.depth != 0 && s.height == 0 && !s.layered)
    return error(ErrorCode::InvalidValue, "An array of height 0 has depth {} and no layers.", s.depth);
  if (s.layered && s.depth == 0) return error(ErrorCode::InvalidValue, "A layered array has 0 layers.");
  if (s.cubemap && s.width != s.height)
    return error(ErrorCode::InvalidValue, "The faces of a cube map are square; {} x {} are asked for.", s.width,
                 s.height);
  if (s.cubemap && (s.layered ? s.depth % 6 != 0 : s.depth != 6))
    return error(ErrorCode::InvalidValue, "A cube map has six faces per layer; the depth is {}.", s.depth);
  if (s.gather && (s.height == 0 || s.depth != 0 || s.layered || s.cubemap))
    return error(ErrorCode::InvalidValue, "Only two-dimensional arrays can be gathered from (hipArrayTextureGather).");
  const bool depth_halves = !s.layered && !s.cubemap;
  const size_t largest = std::max({s.width, s.height, depth_halves ? s.depth : 0});
  if (const unsigned most = static_cast<unsigned>(std::bit_width(largest)); s.levels > most)
    return error(ErrorCode::InvalidValue, "{} levels of an array whose largest extent is {}; it has at most {}.",
                 s.levels, largest, most);
  RT_TRY(check_limits(s, texture_limits(s, limits)));
  return s.surface ? check_limits(s, surface_limits(s, limits)) : Status();
}

} // namespace

// ---- creation and end ----------------------------------------------------------------------------------------------

Result<backend::Images*> images_of(Device& device) {
  if (backend::Images* images = device.images()) return images;
  return error(ErrorCode::NotSupported,
               "Device {} ({}) has no image instructions, and so no arrays, textures and surfaces "
               "(hipDeviceAttributeImageSupport is 0).",
               device.ordinal(), device.properties().name);
}

namespace {

// Gives the image a handle that hipDeviceReset finds.
Handle enter(Device& device, Ref<backend::Image> image) {
  const bool is_mipmapped = image->shape().levels != 0;
  const Handle handle = is_mipmapped
                            ? mipmapped_arrays().insert(std::make_unique<MipmappedArray>(device, std::move(image)))
                            : arrays().insert(std::make_unique<Array>(device, std::move(image), false));
  std::lock_guard lock(owned_mutex);
  owned().push_back({&device, handle, is_mipmapped});
  return handle;
}

} // namespace

Result<Handle> create_array(Device& device, const ImageShape& shape) {
  RT_TRY_ASSIGN(backend::Images * images, images_of(device));
  RT_TRY(check_shape(shape, device.texture_limits()));
  RT_TRY_ASSIGN(Ref<backend::Image> image, images->create(shape));
  return enter(device, std::move(image));
}

Result<Handle> create_external_array(Device& device, backend::ExternalMemory& memory, uint64_t offset,
                                     const ImageShape& shape) {
  RT_TRY(images_of(device).status());
  RT_TRY(check_shape(shape, device.texture_limits()));
  RT_TRY_ASSIGN(Ref<backend::Image> image, memory.map_image(offset, shape));
  return enter(device, std::move(image));
}

Status free_array(Handle handle) {
  if (!handle) return error(ErrorCode::InvalidValue, "The array is null.");
  const Pin<Array> array = arrays().pin(handle);
  if (array && array->is_level())
    return error(ErrorCode::InvalidValue, "{} is a level of a mipmapped array, which is freed as a whole.",
                 const_cast<void*>(handle));
  if (!array || !arrays().remove(handle))
    return error(ErrorCode::ContextIsDestroyed, "{} is not an array, or it was freed.", const_cast<void*>(handle));
  disown(handle);
  return array->device().synchronize();
}

Status free_mipmapped_array(Handle handle) {
  if (!handle) return error(ErrorCode::InvalidValue, "The mipmapped array is null.");
  const Pin<MipmappedArray> array = mipmapped_arrays().pin(handle);
  if (!array || !mipmapped_arrays().remove(handle))
    return error(ErrorCode::ContextIsDestroyed, "{} is not a mipmapped array, or it was freed.",
                 const_cast<void*>(handle));
  disown(handle);
  return array->device().synchronize();
}

void free_all_arrays(Device& device) noexcept {
  std::vector<Owned> mine;
  {
    std::lock_guard lock(owned_mutex);
    std::erase_if(owned(), [&](const Owned& each) {
      if (each.device != &device) return false;
      mine.push_back(each);
      return true;
    });
  }
  for (const Owned& each : mine)
    each.is_mipmapped ? mipmapped_arrays().remove(each.handle) : arrays().remove(each.handle);
}

// ---- handles -------------------------------------------------------------------------------------------------------

namespace {
Status no_such(const char* what, Handle handle) {
  if (!handle) return error(ErrorCode::InvalidHandle, "The {} is null.", what);
  RT_TRY_ASSIGN(Device * device, current_device());
  RT_TRY(images_of(*device).status());
  return error(ErrorCode::InvalidHandle, "{} is not {} {}, or it was freed.", const_cast<void*>(handle),
               *what == 'a' ? "an" : "a", what);
}
} // namespace

Result<Pin<Array>> find_array(Handle handle) {
  if (Pin<Array> pin = arrays().pin(handle)) return pin;
  return no_such("array", handle);
}

Result<Pin<MipmappedArray>> find_mipmapped_array(Handle handle) {
  if (Pin<MipmappedArray> pin = mipmapped_arrays().pin(handle)) return pin;
  return no_such("mipmapped array", handle);
}

MipmappedArray::~MipmappedArray() {
  for (Handle level : levels_)
    if (level) arrays().remove(level);
}

Result<Handle> MipmappedArray::level(unsigned level) {
  if (level >= levels_.size())
    return error(ErrorCode::InvalidValue, "Level {} of a mipmapped array that has {}.", level, levels_.size());
  std::lock_guard lock(mutex_);
  if (!levels_[level]) {
    RT_TRY_ASSIGN(Ref<backend::Image> part, image_->level(level));
    levels_[level] = arrays().insert(std::make_unique<Array>(device_, std::move(part), true));
  }
  return levels_[level];
}

} // namespace hip::core
