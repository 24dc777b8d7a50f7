#include "runtime/core/software_images.h"

#include "hip/detail/software_texture.h"
#include "runtime/base/own.h"
#include "runtime/core/device.h"

#include <algorithm>
#include <atomic>

namespace hip::core {
namespace {

using backend::ChannelKind;
using backend::ElementFormat;
using backend::ImageShape;

constinit std::atomic<bool> in_use{false};

constexpr size_t kImageAlignment = 256; // what backend::Device::allocate keeps to

size_t bytes_of(const ImageShape& s) noexcept { return s.row_bytes() * s.rows() * s.slices(); }

// The shape of one level of a mipmapped image.
ImageShape level_of(const ImageShape& whole, uint32_t level) noexcept {
  ImageShape part = whole;
  const auto halved = [level](size_t extent) { return extent ? std::max<size_t>(extent >> level, 1) : 0; };
  part.levels = 0;
  part.width = halved(whole.width);
  part.height = halved(whole.height);
  if (!whole.layered && !whole.cubemap) part.depth = halved(whole.depth);
  return part;
}

// Levels lie one behind the other.
size_t level_offset(const ImageShape& whole, uint32_t level) noexcept {
  size_t offset = 0;
  for (uint32_t i = 0; i < level; ++i) offset += bytes_of(level_of(whole, i));
  return offset;
}

class LinearImage final : public backend::Image {
public:
  // The memory is the image's; a level has that of the whole, which it keeps.
  LinearImage(const ImageShape& shape, backend::Device& device, void* memory, Ref<backend::Image> whole = {}) noexcept
      : backend::Image(shape), device_(device), memory_(memory), whole_(std::move(whole)) {}
  ~LinearImage() override {
    if (!whole_) static_cast<void>(device_.free(memory_)); // nobody is there to be told
  }

  Result<Ref<backend::Image>> level(uint32_t level) override {
    char* const at = static_cast<char*>(memory_) + level_offset(shape(), level);
    return Ref<backend::Image>(make_ref<LinearImage>(level_of(shape(), level), device_, at, Ref<backend::Image>(this)));
  }
  Result<backend::ImageMemory> memory() override {
    return backend::ImageMemory{level_offset(shape(), shape().levels), kImageAlignment};
  }
  backend::Region linear() const noexcept override {
    return {memory_, shape().row_bytes(), shape().row_bytes() * shape().rows()};
  }

private:
  backend::Device& device_;
  void* const memory_;
  const Ref<backend::Image> whole_;
};

int kind_of(ChannelKind kind) noexcept {
  constexpr int kSigned = 0, kUnsigned = 1, kFloat = 2; // hipChannelFormatKind
  return kind == ChannelKind::Float ? kFloat : kind == ChannelKind::Signed ? kSigned : kUnsigned;
}

void put_format(__hip_software_texture& t, const ElementFormat& format) noexcept {
  t.element_bytes = format.bytes();
  t.channels = format.channels;
  t.channel_bits = format.channel_bits;
  t.kind = kind_of(format.kind);
}

// Arrays and what they are mapped to.
__hip_software_texture describe(backend::Image& image) noexcept {
  const ImageShape& s = image.shape();
  const backend::Region rows = image.linear();
  __hip_software_texture t{};
  t.data = static_cast<char*>(rows.base);
  t.row_bytes = rows.pitch_bytes;
  t.slice_bytes = rows.slice_bytes;
  t.width = static_cast<uint32_t>(s.width);
  t.height = static_cast<uint32_t>(s.rows());
  t.depth = static_cast<uint32_t>(s.slices());
  t.levels = std::max(s.levels, 1u);
  t.layered = s.layered || s.cubemap;
  put_format(t, s.format);
  return t;
}

// hipResourceViewFormat: 1 to 24 are 1, 2 and 4 channels of eight types; what follows is compressed.
Result<ElementFormat> view_format(uint32_t format) {
  struct Row {
    ChannelKind kind;
    uint8_t bits;
  };
  constexpr Row kRows[] = {{ChannelKind::Unsigned, 8}, {ChannelKind::Signed, 8},    {ChannelKind::Unsigned, 16},
                           {ChannelKind::Signed, 16},  {ChannelKind::Unsigned, 32}, {ChannelKind::Signed, 32},
                           {ChannelKind::Float, 16},   {ChannelKind::Float, 32}};
  if (format > 24)
    return error(ErrorCode::NotSupported, "The view's format {} is of compressed blocks; this device reads elements.",
                 format);
  const Row& row = kRows[(format - 1) / 3];
  constexpr uint8_t kChannels[] = {1, 2, 4};
  return ElementFormat{row.kind, row.bits, kChannels[(format - 1) % 3]};
}

Status apply(const backend::ImageView& view, const ImageShape& whole, __hip_software_texture& t) {
  if (view.format != 0) {
    RT_TRY_ASSIGN(const ElementFormat format, view_format(view.format));
    if (format.bytes() != whole.format.bytes())
      return error(ErrorCode::InvalidValue, "The view's elements have {} bytes, the array's {}.", format.bytes(),
                   whole.format.bytes());
    put_format(t, format);
  }
  const uint32_t layers = whole.layered || whole.cubemap ? t.depth : 1;
  if (view.first_level > view.last_level || view.last_level >= t.levels || view.first_layer > view.last_layer ||
      view.last_layer >= layers)
    return error(ErrorCode::InvalidValue, "The view has levels {} to {} of {} and layers {} to {} of {}.",
                 view.first_level, view.last_level, t.levels, view.first_layer, view.last_layer, layers);
  const ImageShape part = level_of(whole, view.first_level);
  const auto differs = [](size_t asked, size_t there) { return asked != 0 && asked != there; };
  if (differs(view.width, part.width) || differs(view.height, part.height))
    return error(ErrorCode::NotSupported, "The view has {} x {} elements; its first level has {} x {}.", view.width,
                 view.height, part.width, part.height);
  t.data += level_offset(whole, view.first_level);
  t.row_bytes = part.row_bytes();
  t.slice_bytes = part.row_bytes() * part.rows();
  t.width = static_cast<uint32_t>(part.width);
  t.height = static_cast<uint32_t>(part.rows());
  t.levels = view.last_level - view.first_level + 1;
  t.first_layer = view.first_layer;
  t.depth = static_cast<uint32_t>(part.slices());
  if (t.layered && view.last_layer != 0) t.depth = view.last_layer + 1;
  return {};
}

void put_sampling(__hip_software_texture& t, const backend::Sampling& s) noexcept {
  constexpr int kFloat = 2;
  t.filter = static_cast<int>(s.filter);
  for (size_t i = 0; i < 3; ++i) t.address[i] = static_cast<int>(s.address[i]);
  t.normalized = s.normalized_coordinates;
  t.reads_floats = !s.elements_as_they_are && t.kind != kFloat && t.channel_bits < 32;
  t.srgb = s.srgb && t.reads_floats && t.channel_bits == 8;
  t.level_filter = static_cast<int>(s.level_filter);
  t.level_bias = s.level_bias;
  t.least_level = s.least_level;
  t.greatest_level = s.greatest_level;
  std::copy(s.border.begin(), s.border.end(), t.border);
}

// A copy of the description in device memory. Its address is the object.
Result<uint64_t> make_object(Device& device, const __hip_software_texture& t) {
  RT_TRY_ASSIGN(void* const memory, device.hal().allocate(sizeof t, backend::MemoryKind::Device));
  Status status = device.copy_outside_streams(memory, &t, sizeof t);
  if (status.ok()) return reinterpret_cast<uint64_t>(memory);
  static_cast<void>(device.hal().free(memory));
  return status;
}

} // namespace

bool software_textures() noexcept { return in_use.load(std::memory_order_relaxed); }
void use_software_textures() noexcept { in_use.store(true, std::memory_order_relaxed); }

// Coordinates are 32-bit floats and indices 32-bit integers: numbers of the size that GPUs with images have.
const backend::TextureLimits& SoftwareImages::limits() noexcept {
  static constexpr backend::TextureLimits kLimits{.texture_1d = 131072,
                                                  .texture_1d_mipmapped = 32768,
                                                  .texture_1d_linear = 1u << 28,
                                                  .texture_1d_layered{32768, 2048},
                                                  .texture_2d{131072, 65536},
                                                  .texture_2d_mipmapped{32768, 32768},
                                                  .texture_2d_gather{32768, 32768},
                                                  .texture_2d_linear{131072, 65536, 1u << 21},
                                                  .texture_2d_layered{32768, 32768, 2048},
                                                  .texture_3d{16384, 16384, 16384},
                                                  .texture_3d_alternate{8192, 8192, 32768},
                                                  .texture_cubemap = 32768,
                                                  .texture_cubemap_layered{32768, 2046},
                                                  .surface_1d = 131072,
                                                  .surface_1d_layered{32768, 2048},
                                                  .surface_2d{131072, 65536},
                                                  .surface_2d_layered{32768, 32768, 2048},
                                                  .surface_3d{16384, 16384, 16384},
                                                  .surface_cubemap = 32768,
                                                  .surface_cubemap_layered{32768, 2046}};
  return kLimits;
}

Result<Ref<backend::Image>> SoftwareImages::create(const ImageShape& shape) {
  backend::Device& hal = device_.hal();
  const size_t bytes = shape.levels ? level_offset(shape, shape.levels) : bytes_of(shape);
  RT_TRY_ASSIGN(void* const memory, hal.allocate(bytes, backend::MemoryKind::Device));
  return own([&] { return Ref<backend::Image>(make_ref<LinearImage>(shape, hal, memory)); },
             [&] { static_cast<void>(hal.free(memory)); });
}

Result<uint64_t> SoftwareImages::create_texture(const backend::TextureSource& source, const backend::Sampling& sampling,
                                                const backend::ImageView* view) {
  __hip_software_texture t{};
  if (source.image) {
    t = describe(*source.image);
    if (view) RT_TRY(apply(*view, source.image->shape(), t));
  } else {
    t.data = static_cast<char*>(source.memory);
    t.width = static_cast<uint32_t>(source.height ? source.width : source.bytes / source.format.bytes());
    t.height = std::max(static_cast<uint32_t>(source.height), 1u);
    t.row_bytes = source.pitch_bytes;
    t.depth = t.levels = 1;
    put_format(t, source.format);
  }
  put_sampling(t, sampling);
  return make_object(device_, t);
}

Status SoftwareImages::destroy_texture(uint64_t texture) {
  device_.finish(); // kernels may read the description
  return device_.hal().free(reinterpret_cast<void*>(texture));
}

Result<uint64_t> SoftwareImages::create_surface(const Ref<backend::Image>& image) {
  return make_object(device_, describe(*image));
}

Result<size_t> SoftwareImages::widest_row(ElementFormat) { return size_t{limits().texture_1d_linear}; }

} // namespace hip::core
