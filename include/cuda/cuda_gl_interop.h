// cuda_gl_interop.h - for programs that include it without sharing anything with OpenGL. No device here does that: its
// functions are as cuda_runtime_api.h has them, an error of the compiler that says so.
#ifndef OMNIHIP_CUDA_CUDA_GL_INTEROP_H
#define OMNIHIP_CUDA_CUDA_GL_INTEROP_H

#include <cuda_runtime_api.h>

#endif
