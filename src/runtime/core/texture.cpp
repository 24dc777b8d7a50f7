#include "runtime/core/texture.h"

#include "runtime/core/address_map.h"
#include "runtime/core/runtime.h"

#include <map>
#include <memory>
#include <new>

namespace hip::core {
namespace {

using backend::ChannelKind;
using backend::ElementFormat;
using backend::FilterMode;

// Objects by device and number. Leaf lock.
template<class T> class Objects {
public:
  void insert(Device& device, uint64_t number, T object) {
    std::lock_guard lock(mutex_);
    objects_.insert_or_assign({&device, number}, std::move(object));
  }
  struct Found {
    Device* device;
    T object;
  };
  // On the preferred device, else on another one.
  std::optional<Found> find(Device& preferred, uint64_t number, bool take) {
    std::lock_guard lock(mutex_);
    auto it = objects_.find({&preferred, number});
    for (Device* device : devices())
      if (it == objects_.end()) it = objects_.find({device, number});
    if (it == objects_.end()) return std::nullopt;
    Found found{it->first.first, it->second};
    if (take) objects_.erase(it);
    return found;
  }
  std::vector<std::pair<uint64_t, T>> take_all(Device& device) {
    std::vector<std::pair<uint64_t, T>> taken;
    std::lock_guard lock(mutex_);
    for (auto it = objects_.begin(); it != objects_.end();) {
      if (it->first.first != &device) {
        ++it;
        continue;
      }
      taken.emplace_back(it->first.second, std::move(it->second));
      it = objects_.erase(it);
    }
    return taken;
  }

private:
  std::mutex mutex_;
  std::map<std::pair<Device*, uint64_t>, T> objects_;
};

Objects<Texture>& textures() {
  static auto* objects = new Objects<Texture>;
  return *objects;
}
Objects<Ref<backend::Image>>& surfaces() {
  static auto* objects = new Objects<Ref<backend::Image>>;
  return *objects;
}

template<class T>
Result<typename Objects<T>::Found> find_object(Objects<T>& objects, const char* what, uint64_t number, bool take) {
  RT_TRY_ASSIGN(Device * device, current_device());
  if (auto found = objects.find(*device, number, take)) return *std::move(found);
  RT_TRY(images_of(*device).status());
  return error(ErrorCode::InvalidValue, "{:#x} is not a {} object, or it was destroyed.", number, what);
}

// ---- what textures may be made of ----------------------------------------------------------------------------------

// The memory is HIP's, holds `bytes` and is reached by the device.
Status check_memory(Device& device, const backend::Images& images, const void* memory, size_t bytes) {
  if (!memory) return error(ErrorCode::InvalidValue, "The memory of the texture is null.");
  const auto found = addresses().find(memory);
  if (!found) return error(ErrorCode::InvalidValue, "{} is not memory that HIP knows.", memory);
  // Where elements are loaded one by one, a program may bind more than there is and read what there is, as with CUDA.
  if (images.wants_alignment() && bytes > found->bytes_from(memory))
    return error(ErrorCode::InvalidValue, "The texture's {} bytes at {} leave the allocation of {} bytes at {}.", bytes,
                 memory, found->bytes, found->base);
  const size_t alignment = device.properties().texture_alignment;
  if (images.wants_alignment() && reinterpret_cast<uintptr_t>(memory) % alignment != 0)
    return error(ErrorCode::InvalidValue, "{} is not a multiple of {} (hipDeviceAttributeTextureAlignment).", memory,
                 alignment);
  return {};
}

Status check_row(Device& device, backend::Images& images, const backend::TextureSource& source) {
  if (source.bytes < source.format.bytes())
    return error(ErrorCode::InvalidValue, "A texture of {} bytes holds no element of {}.", source.bytes,
                 source.format.bytes());
  RT_TRY(check_memory(device, images, source.memory, source.bytes));
  RT_TRY_ASSIGN(const size_t widest, images.widest_row(source.format));
  const size_t width = source.bytes / source.format.bytes();
  if (width <= widest) return {};
  return error(ErrorCode::InvalidValue, "A texture of {} elements in linear memory; the device takes {}.", width,
               widest);
}

Status check_rows(Device& device, const backend::Images& images, const backend::TextureSource& source) {
  const backend::DeviceProperties& p = device.properties();
  const auto& limits = device.texture_limits().texture_2d_linear;
  if (source.width == 0 || source.width > limits[0] || source.height > limits[1] || source.pitch_bytes > limits[2])
    return error(ErrorCode::InvalidValue,
                 "A texture of {} rows of {} elements, {} bytes apart; the device takes {} rows of "
                 "{} elements, {} bytes apart.",
                 source.height, source.width, source.pitch_bytes, limits[1], limits[0], limits[2]);
  const size_t row_bytes = source.width * source.format.bytes();
  const bool aligned = !images.wants_alignment() || source.pitch_bytes % p.texture_pitch_alignment == 0;
  if (source.pitch_bytes < row_bytes || !aligned)
    return error(ErrorCode::InvalidValue,
                 "The pitch {} must hold the {} bytes of a row and be a multiple of {} "
                 "(hipDeviceAttributeTexturePitchAlignment).",
                 source.pitch_bytes, row_bytes, p.texture_pitch_alignment);
  return check_memory(device, images, source.memory, source.pitch_bytes * (source.height - 1) + row_bytes);
}

Status check_sampling(const Texture& texture) {
  const backend::Sampling& s = texture.sampling;
  const ElementFormat format = texture.source.image ? texture.source.image->shape().format : texture.source.format;
  const bool reads_integers =
      format.kind != ChannelKind::Float && (s.elements_as_they_are || format.channel_bits == 32);
  // A view may have another format, with its own rules, which the device knows.
  const bool has_other_format = texture.view && texture.view->format != 0;
  if (s.filter == FilterMode::Linear && reads_integers && !has_other_format)
    return error(ErrorCode::InvalidValue, "Elements that are read as integers cannot be filtered.");
  if (texture.view && !texture.source.image)
    return error(ErrorCode::InvalidValue, "Only textures of arrays have views.");
  if (s.max_anisotropy > 16)
    return error(ErrorCode::InvalidValue, "The anisotropy {} is more than 16.", s.max_anisotropy);
  return {};
}

} // namespace

// ---- textures ------------------------------------------------------------------------------------------------------

Result<uint64_t> create_texture(Device& device, const Texture& texture) {
  RT_TRY_ASSIGN(backend::Images * images, images_of(device));
  RT_TRY(check_sampling(texture));
  if (!texture.source.image)
    RT_TRY(texture.source.height == 0 ? check_row(device, *images, texture.source)
                                      : check_rows(device, *images, texture.source));
  RT_TRY_ASSIGN(const uint64_t number,
                images->create_texture(texture.source, texture.sampling, texture.view ? &*texture.view : nullptr));
  try {
    textures().insert(device, number, texture);
  } catch (const std::bad_alloc&) {
    static_cast<void>(images->destroy_texture(number));
    throw;
  }
  return number;
}

Status destroy_texture(uint64_t handle) {
  RT_TRY_ASSIGN(const auto found, find_object(textures(), "texture", handle, true));
  return found.device->images()->destroy_texture(handle);
}

Result<Texture> find_texture(uint64_t handle) {
  RT_TRY_ASSIGN(auto found, find_object(textures(), "texture", handle, false));
  return std::move(found.object);
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

Result<uint64_t> create_surface(const Array& array) {
  RT_TRY_ASSIGN(backend::Images * images, images_of(array.device()));
  if (!array.shape().surface)
    return error(ErrorCode::InvalidValue, "The array was made without hipArraySurfaceLoadStore.");
  RT_TRY_ASSIGN(const uint64_t number, images->create_surface(array.image()));
  try {
    surfaces().insert(array.device(), number, array.image());
  } catch (const std::bad_alloc&) {
    static_cast<void>(images->destroy_surface(number));
    throw;
  }
  return number;
}

Status destroy_surface(uint64_t handle) {
  RT_TRY_ASSIGN(const auto found, find_object(surfaces(), "surface", handle, true));
  return found.device->images()->destroy_surface(handle);
}

void destroy_all_textures(Device& device) noexcept {
  backend::Images* const images = device.images();
  if (!images) return;
  for (const auto& [number, texture] : textures().take_all(device)) static_cast<void>(images->destroy_texture(number));
  for (const auto& [number, image] : surfaces().take_all(device)) static_cast<void>(images->destroy_surface(number));
}

} // namespace hip::core
