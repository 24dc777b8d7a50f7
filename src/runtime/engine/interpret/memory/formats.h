// runtime/engine/interpret/memory/formats.h - the formats of typed buffers: what four components lie in memory as, and
// their conversion to and from the 32 bits of a register each. Pure functions. Numbers of formats: AMD's Vega, RDNA 2
// and RDNA 3 ISA documents, "Buffer resource descriptor" and "Buffer formats".
#pragma once

#include "runtime/engine/target/target.h"

#include <array>
#include <cstdint>

namespace hip::engine {

enum class NumberFormat : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Reserved, Float };

// How components are packed: bits of each, the first one lowest. No component: the format is reserved.
struct DataFormat {
  std::array<uint8_t, 4> bits{};
  constexpr uint32_t components() const noexcept {
    uint32_t count = 0;
    while (count < 4 && bits[count]) ++count;
    return count;
  }
  constexpr uint32_t bytes() const noexcept { return uint32_t(bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
};
struct BufferFormat {
  DataFormat data;
  NumberFormat number = NumberFormat::Uint;
};
// The format with a number, as processors number them. Of BufferGeneration::Gfx9 it is the data format's, and the
// number format's in bits 6:4. A number that is none has no component.
BufferFormat buffer_format(BufferGeneration generation, uint32_t number) noexcept;

constexpr bool is_integer(NumberFormat format) noexcept { return format == NumberFormat::Uint || format == NumberFormat::Sint; }

// Of components that lie in `memory`: bits of an f32 or an integer of 32 bits.
std::array<uint32_t, 4> unpack(const DataFormat& format, NumberFormat number, const void* memory) noexcept;
// Writes the first `count` components; the rest of memory stays (ERRATA 54).
void pack(const DataFormat& format, NumberFormat number, const std::array<uint32_t, 4>& values, uint32_t count, void* memory) noexcept;

} // namespace hip::engine
