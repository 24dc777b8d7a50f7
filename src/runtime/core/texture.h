// runtime/core/texture.h - texture and surface objects. Their handles are the numbers that kernels use, so they mean
// something on one device alone and are looked up there: on the current device first.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/core/array.h"

#include <optional>

namespace hip::core {

// What a texture object was made of.
struct Texture {
  backend::TextureSource source; // keeps the image alive
  Handle array = nullptr;        // of the image
  backend::Sampling sampling;
  std::optional<backend::ImageView> view;
};

// Errors: NotSupported; InvalidValue for what HIP documents or the device lacks.
Result<uint64_t> create_texture(Device& device, const Texture& texture);
// Error: InvalidValue for what is no texture object; NotSupported where the current device has none.
Status destroy_texture(uint64_t handle);
Result<Texture> find_texture(uint64_t handle);

// Error: InvalidValue for an array without hipArraySurfaceLoadStore.
Result<uint64_t> create_surface(const Array& array);
Status destroy_surface(uint64_t handle);

// The end of all texture and surface objects of the device (hipDeviceReset).
void destroy_all_textures(Device& device) noexcept;

} // namespace hip::core
