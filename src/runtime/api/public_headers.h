// runtime/api/public_headers.h - the public interface as the runtime itself sees it: declarations only.
#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
// Functions that upstream deprecates are implemented like all others.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <hip/amd_detail/hip_profiler_ext.h>
#include <hip/hip_deprecated.h>
#include <hip/hip_ext.h>
#include <hip/hip_gl_interop.h>
#include <hip/hip_runtime_api.h>
#pragma clang diagnostic pop
