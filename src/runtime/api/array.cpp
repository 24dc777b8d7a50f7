// Arrays. None can be made yet (hipMallocArray and its kin are TODO rows), so the functions here know that every handle that
// they are given is wrong; they answer as they will when arrays exist.
#include "runtime/api/api.h"

namespace hip::api {

Status hipFreeArray(hipArray_t array) {
  if (!array) return error(ErrorCode::InvalidValue, "The array is null.");
  return error(ErrorCode::ContextIsDestroyed, "{} is not an array, or it was freed.", static_cast<void*>(array));
}

Status hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray) {
  if (!mipmappedArray) return error(ErrorCode::InvalidValue, "The mipmapped array is null.");
  return error(ErrorCode::ContextIsDestroyed, "{} is not a mipmapped array, or it was freed.",
               static_cast<void*>(mipmappedArray));
}

Status hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* pArrayDescriptor, hipArray_t array) {
  if (!pArrayDescriptor) return error(ErrorCode::InvalidValue, "The place for the descriptor is null.");
  if (!array) return error(ErrorCode::InvalidHandle, "The array is null.");
  return error(ErrorCode::InvalidHandle, "{} is not an array, or it was freed.", static_cast<void*>(array));
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) { return {x, y, z, w, f}; }

} // namespace hip::api
