#include "runtime/api/array_format.h"

namespace hip::api {
namespace {

using backend::ChannelKind;
using backend::ElementFormat;

struct FormatRow {
  hipArray_Format number;
  ChannelKind kind;
  uint8_t bits;
};
constexpr FormatRow kFormats[] = {
    {HIP_AD_FORMAT_UNSIGNED_INT8, ChannelKind::Unsigned, 8},
    {HIP_AD_FORMAT_UNSIGNED_INT16, ChannelKind::Unsigned, 16},
    {HIP_AD_FORMAT_UNSIGNED_INT32, ChannelKind::Unsigned, 32},
    {HIP_AD_FORMAT_SIGNED_INT8, ChannelKind::Signed, 8},
    {HIP_AD_FORMAT_SIGNED_INT16, ChannelKind::Signed, 16},
    {HIP_AD_FORMAT_SIGNED_INT32, ChannelKind::Signed, 32},
    {HIP_AD_FORMAT_HALF, ChannelKind::Float, 16},
    {HIP_AD_FORMAT_FLOAT, ChannelKind::Float, 32},
};

Result<ElementFormat> checked(ChannelKind kind, int bits, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4)
    return error(ErrorCode::InvalidValue, "An element of {} channels; it takes 1, 2 or 4.", channels);
  for (const FormatRow& row : kFormats)
    if (row.kind == kind && row.bits == bits) return ElementFormat{kind, row.bits, static_cast<uint8_t>(channels)};
  return error(ErrorCode::InvalidValue, "Channels of {} bits; integers have 8, 16 or 32, floats 16 or 32.", bits);
}

} // namespace

Result<ElementFormat> element_format(const hipChannelFormatDesc& d) {
  ChannelKind kind;
  switch (d.f) {
  case hipChannelFormatKindSigned:
    kind = ChannelKind::Signed;
    break;
  case hipChannelFormatKindUnsigned:
    kind = ChannelKind::Unsigned;
    break;
  case hipChannelFormatKindFloat:
    kind = ChannelKind::Float;
    break;
  default:
    return error(ErrorCode::InvalidValue, "The kind {} of a channel is not known.", static_cast<int>(d.f));
  }
  const int bits[] = {d.x, d.y, d.z, d.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (unsigned i = 0; i < 4; ++i)
    if (bits[i] != (i < channels ? d.x : 0))
      return error(ErrorCode::InvalidValue,
                   "The channels have {}, {}, {} and {} bits; those that are there come first and "
                   "are of one size.",
                   d.x, d.y, d.z, d.w);
  return checked(kind, d.x, channels);
}

Result<ElementFormat> element_format(hipArray_Format format, unsigned channels) {
  for (const FormatRow& row : kFormats)
    if (row.number == format) return checked(row.kind, row.bits, channels);
  return error(ErrorCode::InvalidValue, "The format {:#x} of an array is not known.", static_cast<unsigned>(format));
}

hipChannelFormatDesc channel_desc(const ElementFormat& f) noexcept {
  const auto bits = [&f](unsigned channel) { return channel < f.channels ? int{f.channel_bits} : 0; };
  const hipChannelFormatKind kind = f.kind == ChannelKind::Float    ? hipChannelFormatKindFloat
                                    : f.kind == ChannelKind::Signed ? hipChannelFormatKindSigned
                                                                    : hipChannelFormatKindUnsigned;
  return {bits(0), bits(1), bits(2), bits(3), kind};
}

hipArray_Format array_format(const ElementFormat& f) noexcept {
  for (const FormatRow& row : kFormats)
    if (row.kind == f.kind && row.bits == f.channel_bits) return row.number;
  return HIP_AD_FORMAT_FLOAT; // element_format makes no other
}

Status put_flags(backend::ImageShape& shape, unsigned flags, unsigned known) {
  if ((flags & ~known) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} are none of this array's.", flags & ~known);
  shape.layered = (flags & hipArrayLayered) != 0;
  shape.cubemap = (flags & hipArrayCubemap) != 0;
  shape.surface = (flags & hipArraySurfaceLoadStore) != 0;
  shape.gather = (flags & hipArrayTextureGather) != 0;
  return {};
}

unsigned array_flags(const backend::ImageShape& s) noexcept {
  return static_cast<unsigned>((s.layered ? hipArrayLayered : 0) | (s.cubemap ? hipArrayCubemap : 0) |
                               (s.surface ? hipArraySurfaceLoadStore : 0) | (s.gather ? hipArrayTextureGather : 0));
}

} // namespace hip::api
