// hip/nvidia_detail/nvidia_hip_runtime_api.h - HIP's host interface on NVIDIA GPUs: inline functions that call CUDA.
// <hip/hip_runtime_api.h> includes it where __HIP_PLATFORM_NVIDIA__ is defined. It needs CUDA's headers, 12 or later, and no
// CUDA compiler: C and C++ programs that only call the interface take any compiler. One header per area beside it, under
// the names of hip/api; forward.h says how a function is forwarded, error.h and types.h what the types are.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_RUNTIME_API_H

#include <hip/hip_version.h>

#include <hip/hip_common.h>

#ifndef __cplusplus
#include <stdbool.h> // C programs written for HIP rely on it
#endif

// Some functions of HIP forward to functions that CUDA deprecates. The warnings are off here: otherwise every program
// that includes these headers would get them.
#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1444, 1215
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

#include <hip/nvidia_detail/array.h>
#include <hip/nvidia_detail/capture.h>
#include <hip/nvidia_detail/context.h>
#include <hip/nvidia_detail/copy.h>
#include <hip/nvidia_detail/device.h>
#include <hip/nvidia_detail/event.h>
#include <hip/nvidia_detail/external.h>
#include <hip/nvidia_detail/graph.h>
#include <hip/nvidia_detail/graph_driver.h>
#include <hip/nvidia_detail/graph_node.h>
#include <hip/nvidia_detail/init.h>
#include <hip/nvidia_detail/ipc.h>
#include <hip/nvidia_detail/launch.h>
#include <hip/nvidia_detail/managed.h>
#include <hip/nvidia_detail/memory.h>
#include <hip/nvidia_detail/mempool.h>
#include <hip/nvidia_detail/module.h>
#include <hip/nvidia_detail/occupancy.h>
#include <hip/nvidia_detail/peer.h>
#include <hip/nvidia_detail/stream.h>
#include <hip/nvidia_detail/texture.h>
#include <hip/nvidia_detail/vmm.h>

#ifdef __cplusplus
#include <hip/api/overloads.h>
#include <hip/nvidia_detail/pointer_overloads.h>
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif

#endif
