// runtime/backend/images.h - what devices with image instructions have beyond linear memory: images in the device's own
// layout, and the texture and surface objects through which kernels read and write them. A device without them returns
// no Images (Device::images), and core answers with hipErrorNotSupported, or has images in linear memory
// (core/software_images.h).
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/backend/backend.h"

namespace hip::backend {

enum class ChannelKind : uint8_t { Unsigned, Signed, Float };

// One element of an image: 1, 2 or 4 channels of 8, 16 or 32 bits; floats have 16 or 32.
struct ElementFormat {
  ChannelKind kind = ChannelKind::Unsigned;
  uint8_t channel_bits = 0, channels = 0;

  uint32_t bytes() const noexcept { return uint32_t{channel_bits} / 8 * channels; }
  bool operator==(const ElementFormat&) const = default;
};

// Extents are in elements; a dimension that is absent is 0. Depth counts layers and faces where there are any.
struct ImageShape {
  size_t width = 0, height = 0, depth = 0;
  ElementFormat format{};
  uint32_t levels = 0; // 0: not mipmapped
  bool layered = false, cubemap = false, surface = false, gather = false;

  size_t row_bytes() const noexcept { return width * format.bytes(); }
  size_t rows() const noexcept { return height ? height : 1; }
  size_t slices() const noexcept { return depth ? depth : 1; }
};

// What an image takes.
struct ImageMemory {
  size_t bytes = 0, alignment = 0;
};

// An image, or one level of a mipmapped one, which keeps the whole alive. Given back with the last reference, when no
// work that uses it is outstanding.
class Image : public RefCounted {
public:
  explicit Image(const ImageShape& shape) noexcept : shape_(shape) {}
  const ImageShape& shape() const noexcept { return shape_; }
  // Of a mipmapped image; `level` is less than shape().levels.
  virtual Result<Ref<Image>> level(uint32_t level) = 0;
  // Of a mipmapped image.
  virtual Result<ImageMemory> memory() {
    return error(ErrorCode::NotSupported, "Where this image lies, and how, is not known.");
  }
  // Where its rows lie, one after another; no base: in a layout of the device's own.
  virtual Region linear() const noexcept { return {}; }

private:
  const ImageShape shape_;
};

// What a texture reads: an image, or linear memory of one row (height 0) or of rows with a pitch.
struct TextureSource {
  Ref<Image> image{};
  void* memory = nullptr; // when there is no image
  ElementFormat format{};
  size_t bytes = 0;                              // of one row
  size_t width = 0, height = 0, pitch_bytes = 0; // of rows; width in elements
};

enum class AddressMode : uint8_t { Wrap, Clamp, Mirror, Border };
enum class FilterMode : uint8_t { Point, Linear };

struct Sampling {
  std::array<AddressMode, 3> address{};
  FilterMode filter = FilterMode::Point, level_filter = FilterMode::Point;
  bool elements_as_they_are = true; // else integers of 8 and 16 bits are read as floats in [0, 1] or [-1, 1]
  bool normalized_coordinates = false, srgb = false;
  uint32_t max_anisotropy = 0;
  float level_bias = 0, least_level = 0, greatest_level = 0;
  std::array<float, 4> border{};
};

// A part of an image, read as another format of the same size.
struct ImageView {
  uint32_t format = 0; // hipResourceViewFormat's numbers; 0: the image's own
  size_t width = 0, height = 0, depth = 0;
  uint32_t first_level = 0, last_level = 0, first_layer = 0, last_layer = 0;
};

class Images {
public:
  virtual ~Images() = default;
  // Shapes have been checked against TextureLimits. Error: OutOfMemory.
  virtual Result<Ref<Image>> create(const ImageShape& shape) = 0;
  // The value that kernels are given. The caller keeps the source alive. `view` may be null.
  virtual Result<uint64_t> create_texture(const TextureSource& source, const Sampling& sampling,
                                          const ImageView* view) = 0;
  virtual Status destroy_texture(uint64_t texture) = 0;
  // Of an image whose shape says `surface`.
  virtual Result<uint64_t> create_surface(const Ref<Image>& image) = 0;
  virtual Status destroy_surface(uint64_t surface) = 0;
  // The widest texture of one row of linear memory, in elements.
  virtual Result<size_t> widest_row(ElementFormat format) = 0;
  // Whether textures of linear memory must keep the alignments of DeviceProperties.
  virtual bool wants_alignment() const noexcept { return true; }
};

// One end of a copy of boxes: a position in an image, or a region of memory.
struct BoxEnd {
  Image* image = nullptr;
  size_t x_bytes = 0, y = 0, z = 0; // in the image
  Region memory;
};

} // namespace hip::backend
