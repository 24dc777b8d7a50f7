#include "runtime/core/copy_between.h"

#include "runtime/core/device.h"

#include <algorithm>
#include <memory>

namespace hip::core {
namespace {

constexpr size_t kPieceBytes = 16 << 20;

void* at(const backend::Region& region, size_t slice, size_t row, size_t column) noexcept {
  return static_cast<char*>(region.base) + slice * region.slice_bytes + row * region.pitch_bytes + column;
}

// Copies pieces from one device to the other.
class Courier {
public:
  Courier(Device& to, Device& from, size_t buffer_bytes)
      : to_(to, Stream::Kind::NonBlocking, 0, 0), from_(from, Stream::Kind::NonBlocking, 0, 0),
        buffer_(std::make_unique_for_overwrite<std::byte[]>(buffer_bytes)) {}

  // `rows` rows of `width` bytes.
  Status carry(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t rows) {
    const backend::Region packed{buffer_.get(), width, width * rows};
    const backend::Region source{const_cast<void*>(src), src_pitch, src_pitch * rows};
    const backend::Region destination{dst, dst_pitch, dst_pitch * rows};
    RT_TRY(move(from_, packed, source, {width, rows, 1}));
    return move(to_, destination, packed, {width, rows, 1});
  }

private:
  static Status move(Stream& stream, const backend::Region& dst, const backend::Region& src,
                     const backend::Extent3& extent) {
    const auto submit = [&](backend::Queue& queue) {
      return extent.height == 1 ? queue.copy(dst.base, src.base, extent.width_bytes) : queue.copy_3d(dst, src, extent);
    };
    RT_TRY(stream.submit(submit));
    return stream.synchronize();
  }

  Stream to_, from_;
  std::unique_ptr<std::byte[]> buffer_;
};

} // namespace

Status copy_between(Stream& given, Device& to, const backend::Region& dst, Device& from, const backend::Region& src,
                    const backend::Extent3& extent) {
  RT_TRY(given.synchronize());
  if (given.kind() == Stream::Kind::Null)
    for (Device* const device : {&to, &from})
      if (device != &given.device()) RT_TRY(device->null_stream().synchronize());
  const size_t width = std::min(extent.width_bytes, kPieceBytes);
  const size_t rows_at_once = std::min(extent.height, std::max<size_t>(kPieceBytes / width, 1));
  Courier courier(to, from, width * rows_at_once);
  for (size_t slice = 0; slice < extent.depth; ++slice)
    for (size_t row = 0; row < extent.height; row += rows_at_once)
      for (size_t column = 0; column < extent.width_bytes; column += width)
        RT_TRY(courier.carry(at(dst, slice, row, column), dst.pitch_bytes, at(src, slice, row, column), src.pitch_bytes,
                             std::min(width, extent.width_bytes - column),
                             std::min(rows_at_once, extent.height - row)));
  return {};
}

} // namespace hip::core
