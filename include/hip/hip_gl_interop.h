// hip/hip_gl_interop.h - sharing buffers and images with OpenGL.
#ifndef HIP_INCLUDE_HIP_HIP_GL_INTEROP_H
#define HIP_INCLUDE_HIP_HIP_GL_INTEROP_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#error "hip/hip_gl_interop.h is not available with HIP_PLATFORM=nvidia: include cuda_gl_interop.h and call its functions."
#else
#include <hip/api/external.h>

typedef unsigned int GLuint;
typedef unsigned int GLenum;

// Which devices: all of the current context's, or those of its current or next frame.
typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,
  hipGLDeviceListCurrentFrame = 2,
  hipGLDeviceListNextFrame = 3
} hipGLDeviceList;

HIP_C_BEGIN

// No device shares a GL context with this runtime: software GPUs have no GL driver, and of NVIDIA's driver the runtime
// uses the half for computing. These functions check their arguments (hipErrorInvalidValue: null, no name, unknown
// flags or target) and answer hipErrorNotSupported.

// The devices that the current OpenGL context uses.
hipError_t hipGLGetDevices(unsigned int* pHipDeviceCount, int* pHipDevices, unsigned int hipDeviceCount,
                           hipGLDeviceList deviceList);

// Registers an OpenGL buffer.
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource** resource, GLuint buffer, unsigned int flags);

// Registers an OpenGL texture or renderbuffer.
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource** resource, GLuint image, GLenum target, unsigned int flags);

HIP_C_END

#endif

#endif
