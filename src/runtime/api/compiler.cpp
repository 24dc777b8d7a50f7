// What clang-generated code calls: registration of fat binaries before main(), and half conversions of old objects.
// Registration only takes notes (core/fat_binary.h); nothing is initialised here, except for managed variables.
#include "runtime/api/api.h"
#include "runtime/base/log.h"
#include "runtime/core/fat_binary.h"

#include <bit>

namespace hip::api {
namespace {

struct Wrapper {
  uint32_t magic; // "FPIH" in memory
  uint32_t version;
  const void* bundle;
  void* unused;
};
static_assert(sizeof(Wrapper) == 24);
constexpr uint32_t kWrapperMagic = 0x48495046;

// The handle that generated code keeps is the address of a pointer.
struct Registration {
  core::FatBinary* binary;
};

core::FatBinary* binary_of(void** modules) {
  return modules ? reinterpret_cast<Registration*>(modules)->binary : nullptr;
}

} // namespace

void** __hipRegisterFatBinary(const void* wrapper) {
  const Wrapper* w = static_cast<const Wrapper*>(wrapper);
  if (!w || w->magic != kWrapperMagic || w->version != 1 || !w->bundle) {
    log(LogLevel::Error, "The fat binary at {} has no known wrapper; its kernels are not registered.",
        const_cast<void*>(wrapper));
    return nullptr;
  }
  auto binary = std::make_unique<core::FatBinary>(w->bundle);
  return reinterpret_cast<void**>(new Registration{binary.release()});
}

void __hipUnregisterFatBinary(void** modules) {
  if (!modules || core::is_forked_child()) return; // the child keeps what its parent's threads may be using
  const std::unique_ptr<Registration> registration(reinterpret_cast<Registration*>(modules));
  delete registration->binary;
}

void __hipRegisterFunction(void** modules, const void* hostFunction, char* deviceFunction, const char* deviceName,
                           unsigned int threadLimit, uint3* tid, uint3* bid, dim3* blockDim, dim3* gridDim, int* wSize) {
  if (core::FatBinary* binary = binary_of(modules)) binary->add_function(hostFunction, deviceName);
}

void __hipRegisterVar(void** modules, void* var, char* hostVar, char* deviceVar, int ext, size_t size, int constant,
                      int global) {
  if (core::FatBinary* binary = binary_of(modules)) binary->add_variable(var, hostVar, size);
}

void __hipRegisterManagedVar(void* hipModule, void** pointer, void* init_value, const char* name, size_t size,
                             unsigned int align) {
  if (core::FatBinary* binary = binary_of(static_cast<void**>(hipModule)))
    binary->add_managed_variable(pointer, init_value, name, size, align);
}

// Texture and surface references: known by name only, until textures exist.
void __hipRegisterSurface(void** modules, void* var, char* hostVar, char* deviceVar, int type, int ext) {
  if (core::FatBinary* binary = binary_of(modules)) binary->add_variable(var, hostVar, 0);
}

void __hipRegisterTexture(void** modules, void* var, char* hostVar, char* deviceVar, int type, int norm, int ext) {
  if (core::FatBinary* binary = binary_of(modules)) binary->add_variable(var, hostVar, 0);
}

float __gnu_h2f_ieee(unsigned short half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31;
  const uint32_t exponent = half >> 10 & 31, mantissa = half & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  // Subnormal or zero: mantissa * 2^-24, exact in a float.
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

unsigned short __gnu_f2h_ieee(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 31 << 15, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<unsigned short>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
  if (magnitude >= 0x47800000u) return static_cast<unsigned short>(sign | 0x7c00u); // 65536 and more, infinity
  // The bits below the half's last place are rounded to nearest even; a carry runs into the exponent as it should.
  const uint32_t exponent = magnitude >> 23;
  if (exponent < 102) return static_cast<unsigned short>(sign); // below half of the smallest subnormal
  const uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  const uint32_t drop = exponent < 113 ? 126 - exponent : 13;
  const uint32_t kept = significand >> drop, rest = significand & ((1u << drop) - 1), tie = 1u << (drop - 1);
  uint32_t half = kept + (rest > tie || (rest == tie && (kept & 1) != 0) ? 1 : 0);
  if (exponent >= 113) half += (exponent - 113) << 10;
  return static_cast<unsigned short>(sign | half);
}

} // namespace hip::api
