// runtime/backend/cuda/images.h - CUDA arrays, mipmapped arrays, texture and surface objects of one GPU.
// Thread safety: any thread.
#pragma once

#include "runtime/backend/cuda/context.h"
#include "runtime/backend/images.h"

namespace hip::cuda {

// A CUDA array, a mipmapped array, or one level of a mipmapped array, which owns the level.
class Image final : public backend::Image {
public:
  Image(Context& context, const backend::ImageShape& shape, CUarray array, CUmipmappedArray mipmapped,
        Ref<backend::Image> whole = {})
      : backend::Image(shape), context_(context), array_(array), mipmapped_(mipmapped), whole_(std::move(whole)) {}
  ~Image() override;

  Result<Ref<backend::Image>> level(uint32_t level) override;
  // The driver tells it of arrays that are mapped later, which HIP does not make: else InvalidValue.
  Result<backend::ImageMemory> memory() override;
  Context& context() const noexcept { return context_; }
  CUarray array() const noexcept { return array_; }
  // The description by which a texture or a surface refers to it.
  CUDA_RESOURCE_DESC resource() const noexcept;

private:
  Context& context_;
  const CUarray array_;              // null: mipmapped
  const CUmipmappedArray mipmapped_; // null: one level
  const Ref<backend::Image> whole_;  // the mipmapped array of a level
};

// A shape as the driver describes arrays.
CUDA_ARRAY3D_DESCRIPTOR array_descriptor(const backend::ImageShape& shape) noexcept;

class Images final : public backend::Images {
public:
  Images(Context& context, CUdevice device) noexcept : context_(context), device_(device) {}

  Result<Ref<backend::Image>> create(const backend::ImageShape& shape) override;
  Result<uint64_t> create_texture(const backend::TextureSource& source, const backend::Sampling& sampling,
                                  const backend::ImageView* view) override;
  Status destroy_texture(uint64_t texture) override;
  Result<uint64_t> create_surface(const Ref<backend::Image>& image) override;
  Status destroy_surface(uint64_t surface) override;
  Result<size_t> widest_row(backend::ElementFormat format) override;

private:
  Context& context_;
  const CUdevice device_;
};

} // namespace hip::cuda
