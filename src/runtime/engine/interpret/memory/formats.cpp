// runtime/engine/interpret/memory/formats.cpp - see formats.h.
#include "runtime/engine/interpret/memory/formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace hip::engine {
namespace {

// Data formats as gfx9 numbers them; names begin with the highest component.
enum Packing : uint8_t {
  kNone,
  k8,
  k16,
  k8_8,
  k32,
  k16_16,
  k10_11_11,
  k11_11_10,
  k10_10_10_2,
  k2_10_10_10,
  k8_8_8_8,
  k32_32,
  k16_16_16_16,
  k32_32_32,
  k32_32_32_32,
  kReserved
};
constexpr DataFormat kFormats[] = {{},
                                   {{8}},
                                   {{16}},
                                   {{8, 8}},
                                   {{32}},
                                   {{16, 16}},
                                   {{11, 11, 10}},
                                   {{10, 11, 11}},
                                   {{2, 10, 10, 10}},
                                   {{10, 10, 10, 2}},
                                   {{8, 8, 8, 8}},
                                   {{32, 32}},
                                   {{16, 16, 16, 16}},
                                   {{32, 32, 32}},
                                   {{32, 32, 32, 32}},
                                   {}};

// gfx10 and later have one number for both: a run of numbers for each packing, in the order of NumberFormat.
constexpr uint8_t bit(NumberFormat format) { return uint8_t(1u << unsigned(format)); }
constexpr uint8_t kFloats = bit(NumberFormat::Float), kNumbers = bit(NumberFormat::Uint) | bit(NumberFormat::Sint),
                  kNormalized = bit(NumberFormat::Unorm) | bit(NumberFormat::Snorm),
                  kIntegers = kNormalized | kNumbers | bit(NumberFormat::Uscaled) | bit(NumberFormat::Sscaled);
struct Run {
  Packing packing;
  uint8_t gfx10, gfx11; // which number formats there are; bit n: NumberFormat n
};
constexpr Run kRuns[] = {{k8, kIntegers, kIntegers},
                         {k16, kIntegers | kFloats, kIntegers | kFloats},
                         {k8_8, kIntegers, kIntegers},
                         {k32, kNumbers | kFloats, kNumbers | kFloats},
                         {k16_16, kIntegers | kFloats, kIntegers | kFloats},
                         {k10_11_11, kIntegers | kFloats, kFloats},
                         {k11_11_10, kIntegers | kFloats, kFloats},
                         {k10_10_10_2, kIntegers, kNormalized | kNumbers},
                         {k2_10_10_10, kIntegers, kIntegers},
                         {k8_8_8_8, kIntegers, kIntegers},
                         {k32_32, kNumbers | kFloats, kNumbers | kFloats},
                         {k16_16_16_16, kIntegers | kFloats, kIntegers | kFloats},
                         {k32_32_32, kNumbers | kFloats, kNumbers | kFloats},
                         {k32_32_32_32, kNumbers | kFloats, kNumbers | kFloats}};
BufferFormat in_runs(bool is_gfx10, uint32_t number) noexcept {
  uint32_t next = 1; // 0 is none
  for (const Run& run : kRuns)
    for (uint32_t format = 0; format < 8; ++format)
      if ((is_gfx10 ? run.gfx10 : run.gfx11) >> format & 1 && next++ == number)
        return {kFormats[run.packing], NumberFormat(format)};
  return {};
}

uint32_t low_bits(uint32_t count) { return count == 32 ? ~0u : (1u << count) - 1; }
uint32_t field_at(const char* memory, uint32_t bit, uint32_t count) {
  uint64_t v = 0;
  std::memcpy(&v, memory + bit / 8, (bit % 8 + count + 7) / 8);
  return uint32_t(v >> (bit % 8)) & low_bits(count);
}
void put_field(char* memory, uint32_t bit, uint32_t count, uint32_t value) {
  uint64_t v = 0;
  const size_t bytes = (bit % 8 + count + 7) / 8;
  std::memcpy(&v, memory + bit / 8, bytes);
  v = (v & ~(uint64_t(low_bits(count)) << (bit % 8))) | uint64_t(value & low_bits(count)) << (bit % 8);
  std::memcpy(memory + bit / 8, &v, bytes);
}
int32_t signed_of(uint32_t v, uint32_t bits) { return int32_t(v << (32 - bits)) >> (32 - bits); }

// Floats of 10 and 11 bits have no sign and five bits of exponent, as f16 has.
float small_float(uint32_t v, uint32_t bits) {
  if (bits == 32) return std::bit_cast<float>(v);
  return float(std::bit_cast<_Float16>(uint16_t(bits == 16 ? v : v << (15 - bits))));
}
uint32_t to_small_float(float f, uint32_t bits) {
  if (bits == 32) return std::bit_cast<uint32_t>(f);
  if (bits == 16) return std::bit_cast<uint16_t>(_Float16(f));
  if (f < 0) f = 0; // there is no sign
  const uint32_t cut = 15 - bits, half = std::bit_cast<uint16_t>(_Float16(f)) & 0x7fff;
  if (half >= 0x7c00) return half > 0x7c00 ? low_bits(bits) : half >> cut;
  return (half + (1u << (cut - 1)) - 1 + (half >> cut & 1)) >> cut; // to nearest even
}

float as_float(NumberFormat number, uint32_t v, uint32_t bits) {
  switch (number) {
  case NumberFormat::Unorm:
    return float(double(v) / double(low_bits(bits)));
  case NumberFormat::Snorm:
    return float(std::max(-1.0, double(signed_of(v, bits)) / double(low_bits(bits - 1))));
  case NumberFormat::Uscaled:
    return float(v);
  case NumberFormat::Sscaled:
    return float(signed_of(v, bits));
  default:
    return small_float(v, bits);
  }
}
uint32_t from_float(NumberFormat number, float f, uint32_t bits) {
  const bool normalized = number == NumberFormat::Unorm || number == NumberFormat::Snorm;
  const bool is_signed = number == NumberFormat::Snorm || number == NumberFormat::Sscaled;
  const double most = double(low_bits(is_signed ? bits - 1 : bits)), least = !is_signed   ? 0
                                                                             : normalized ? -most
                                                                                          : -most - 1;
  double v = std::isnan(f) ? 0 : normalized ? double(f) * most : std::trunc(double(f));
  v = std::clamp(v, least, most);
  return uint32_t(int64_t(std::nearbyint(v)));
}

} // namespace

BufferFormat buffer_format(BufferGeneration generation, uint32_t number) noexcept {
  switch (generation) {
  case BufferGeneration::Gfx10:
  case BufferGeneration::Gfx11:
    return in_runs(generation == BufferGeneration::Gfx10, number);
  default:
    return {kFormats[number & 15], NumberFormat(number >> 4 & 7)};
  }
}

std::array<uint32_t, 4> unpack(const DataFormat& format, NumberFormat number, const void* memory) noexcept {
  const uint32_t one = is_integer(number) ? 1 : std::bit_cast<uint32_t>(1.0f);
  std::array<uint32_t, 4> out{0, 0, 0, one}; // what a format lacks
  uint32_t bit = 0;
  for (uint32_t k = 0; k < format.components(); bit += format.bits[k++]) {
    const uint32_t bits = format.bits[k], v = field_at(static_cast<const char*>(memory), bit, bits);
    out[k] = number == NumberFormat::Uint   ? v
             : number == NumberFormat::Sint ? uint32_t(signed_of(v, bits))
                                            : std::bit_cast<uint32_t>(as_float(number, v, bits));
  }
  return out;
}

void pack(const DataFormat& format, NumberFormat number, const std::array<uint32_t, 4>& values, uint32_t count,
          void* memory) noexcept {
  uint32_t bit = 0;
  for (uint32_t k = 0; k < std::min(count, format.components()); bit += format.bits[k++]) {
    const uint32_t bits = format.bits[k];
    uint32_t v = values[k];
    if (number == NumberFormat::Uint)
      v = std::min(v, low_bits(bits));
    else if (number == NumberFormat::Sint)
      v = uint32_t(std::clamp(int32_t(v), -int32_t(low_bits(bits - 1)) - 1, int32_t(low_bits(bits - 1))));
    else if (number == NumberFormat::Float)
      v = to_small_float(std::bit_cast<float>(v), bits);
    else
      v = from_float(number, std::bit_cast<float>(v), bits);
    put_field(static_cast<char*>(memory), bit, bits, v);
  }
}

} // namespace hip::engine
