// What is known about an address: errors of HIP 5 and 6, and the memory types of HIP 5.
#include "runtime/compat/compat.h"
#include "runtime/compat/older_types.h"

#include <cstring>

namespace hip::compat {
namespace {

// In HIP 5 as in HIP 7 the place takes a type of 32 bits.
void translate_type(void* place) noexcept {
  uint32_t type;
  std::memcpy(&type, place, sizeof type);
  const Hip5MemoryType older = to_hip5(static_cast<hipMemoryType>(type));
  std::memcpy(place, &older, sizeof older);
}

} // namespace
} // namespace hip::compat

RT_SHIM hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  if (!ptr) return __omnihipAnswer("hipPointerGetAttributes", hipErrorInvalidValue, "The address is null.");
  const hipError_t result = RT_CORE(hipPointerGetAttributes)(attributes, ptr);
  if (result != hipSuccess || hip::compat::kLibrary == 6) return result;
  if (attributes->type == hipMemoryTypeUnregistered) {
    *attributes = {};
    return __omnihipAnswer("hipPointerGetAttributes", hipErrorInvalidValue,
                           "The address is not memory that HIP knows.");
  }
  hip::compat::translate_type(&attributes->type);
  return result;
}

RT_SHIM hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  const hipError_t result = RT_CORE(hipPointerGetAttribute)(data, attribute, ptr);
  if (result == hipSuccess && attribute == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE) hip::compat::translate_type(data);
  return result;
}

RT_SHIM hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute* attributes, void** data,
                                              hipDeviceptr_t ptr) {
  const hipError_t result = RT_CORE(hipDrvPointerGetAttributes)(numAttributes, attributes, data, ptr);
  if (result != hipSuccess) return result;
  for (unsigned i = 0; i < numAttributes; ++i)
    if (attributes[i] == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE) hip::compat::translate_type(data[i]);
  return result;
}
