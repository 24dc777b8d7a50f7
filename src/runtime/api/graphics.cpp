// Graphics interoperation. A resource is registered from a GL context that the driver of the GPU made and shares with
// the runtime. No device here has one: a software GPU has no GL driver, and NVIDIA GPUs are reached through the compute
// half of their driver. So the arguments are checked as HIP documents, and then the answer is NotSupported, never a
// success; since nothing can be registered, no handle of a resource is one.
#include "runtime/api/api.h"

#include <algorithm>
#include <array>

namespace hip::api {
namespace {

Status no_shared_context(const char* what) {
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  return error(ErrorCode::NotSupported,
               "{}: no GL context can be shared with device {} ({}). Copy through host memory instead.", what,
               device->ordinal(), device->properties().name);
}

Status check_flags(unsigned flags, unsigned known) {
  if ((flags & ~known) == 0) return {};
  return error(ErrorCode::InvalidValue, "The flags of a graphics resource are {:#x}; known are {:#x}.", flags, known);
}

Status check_name(const char* what, GLuint name) {
  if (name != 0) return {};
  return error(ErrorCode::InvalidValue, "0 names no GL {}.", what);
}

// The textures and renderbuffers of OpenGL's registry that can be registered.
constexpr std::array<GLenum, 9> kImageTargets{
    0x0de0, // GL_TEXTURE_1D
    0x0de1, // GL_TEXTURE_2D
    0x806f, // GL_TEXTURE_3D
    0x84f5, // GL_TEXTURE_RECTANGLE
    0x8513, // GL_TEXTURE_CUBE_MAP
    0x8c18, // GL_TEXTURE_1D_ARRAY
    0x8c1a, // GL_TEXTURE_2D_ARRAY
    0x8c2a, // GL_TEXTURE_BUFFER
    0x8d41, // GL_RENDERBUFFER
};

Status check_resources(int count, const hipGraphicsResource_t* resources, hipStream_t stream) {
  if (count <= 0) return error(ErrorCode::InvalidValue, "A list of {} graphics resources.", count);
  if (const auto* const end = resources + count; std::find(resources, end, nullptr) != end)
    return error(ErrorCode::InvalidValue, "One of {} graphics resources is null.", count);
  return core::find_stream(stream).status();
}

} // namespace

Status hipGLGetDevices(unsigned int* pHipDeviceCount, int* pHipDevices, unsigned int hipDeviceCount,
                       hipGLDeviceList deviceList) {
  if (hipDeviceCount == 0) return error(ErrorCode::InvalidValue, "A list of 0 devices has no room.");
  if (deviceList < hipGLDeviceListAll || deviceList > hipGLDeviceListNextFrame)
    return error(ErrorCode::InvalidValue, "{} is no hipGLDeviceList.", static_cast<int>(deviceList));
  return no_shared_context("Devices of the current GL context");
}

Status hipGraphicsGLRegisterBuffer(hipGraphicsResource** resource, GLuint buffer, unsigned int flags) {
  RT_TRY(check_flags(flags, hipGraphicsRegisterFlagsReadOnly | hipGraphicsRegisterFlagsWriteDiscard));
  RT_TRY(check_name("buffer", buffer));
  return no_shared_context("A GL buffer");
}

Status hipGraphicsGLRegisterImage(hipGraphicsResource** resource, GLuint image, GLenum target, unsigned int flags) {
  RT_TRY(check_flags(flags, hipGraphicsRegisterFlagsReadOnly | hipGraphicsRegisterFlagsWriteDiscard |
                                hipGraphicsRegisterFlagsSurfaceLoadStore | hipGraphicsRegisterFlagsTextureGather));
  RT_TRY(check_name("texture or renderbuffer", image));
  if (std::find(kImageTargets.begin(), kImageTargets.end(), target) == kImageTargets.end())
    return error(ErrorCode::InvalidValue, "{:#x} is no target of a GL texture or renderbuffer.", target);
  return no_shared_context("A GL image");
}

Status hipGraphicsMapResources(int count, hipGraphicsResource_t* resources, hipStream_t stream) {
  RT_TRY(check_resources(count, resources, stream));
  return no_shared_context("Mapping graphics resources");
}

Status hipGraphicsUnmapResources(int count, hipGraphicsResource_t* resources, hipStream_t stream) {
  RT_TRY(check_resources(count, resources, stream));
  return no_shared_context("Unmapping graphics resources");
}

Status hipGraphicsResourceGetMappedPointer(void** devPtr, size_t* size, hipGraphicsResource_t resource) {
  return no_shared_context("The address of a graphics resource");
}

Status hipGraphicsSubResourceGetMappedArray(hipArray_t* array, hipGraphicsResource_t resource, unsigned int arrayIndex,
                                            unsigned int mipLevel) {
  return no_shared_context("The array of a graphics resource");
}

Status hipGraphicsUnregisterResource(hipGraphicsResource_t resource) {
  return no_shared_context("The registration of a graphics resource");
}

} // namespace hip::api
