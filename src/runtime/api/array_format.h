// runtime/api/array_format.h - element formats and array flags, between HIP's two spellings and core's one.
#pragma once

#include "runtime/api/api.h"
#include "runtime/core/array.h"

namespace hip::api {

// Errors: InvalidValue for what is no format: three channels, channels of different sizes, floats of 8 bits.
Result<backend::ElementFormat> element_format(const hipChannelFormatDesc& desc);
Result<backend::ElementFormat> element_format(hipArray_Format format, unsigned channels);

hipChannelFormatDesc channel_desc(const backend::ElementFormat& format) noexcept;
hipArray_Format array_format(const backend::ElementFormat& format) noexcept;

// Sets what the flags say. Error: InvalidValue for flags outside `known`.
Status put_flags(backend::ImageShape& shape, unsigned flags, unsigned known);
unsigned array_flags(const backend::ImageShape& shape) noexcept;

inline constexpr unsigned kArrayFlags =
    hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;

} // namespace hip::api
