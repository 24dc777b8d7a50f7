// runtime/core/software_images.h - arrays, textures and surfaces on devices without image instructions, for programs
// that were compiled with -fsoftware-textures: arrays are linear memory, an object is the address of a description in
// device memory, and kernels read and filter by that. Without the option such devices have none, as HIP documents.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/backend/images.h"

namespace hip::core {

class Device;

// Whether the process has textures in software; use_software_textures() says so once and for all.
bool software_textures() noexcept;
void use_software_textures() noexcept;

class SoftwareImages final : public backend::Images {
public:
  explicit SoftwareImages(Device& device) noexcept : device_(device) {}
  static const backend::TextureLimits& limits() noexcept;

  Result<Ref<backend::Image>> create(const backend::ImageShape& shape) override;
  // Errors also: NotSupported for a view of compressed blocks or of other extents than the array's.
  Result<uint64_t> create_texture(const backend::TextureSource& source, const backend::Sampling& sampling,
                                  const backend::ImageView* view) override;
  Status destroy_texture(uint64_t texture) override;
  Result<uint64_t> create_surface(const Ref<backend::Image>& image) override;
  Status destroy_surface(uint64_t surface) override { return destroy_texture(surface); }
  Result<size_t> widest_row(backend::ElementFormat format) override;
  bool wants_alignment() const noexcept override { return false; }

private:
  Device& device_;
};

} // namespace hip::core
