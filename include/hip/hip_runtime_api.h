// hip/hip_runtime_api.h - the HIP host interface, C and C++. One header per area under hip/api; this one includes them
// all and adds the C++ overloads.
//
// Rules that hold unless a function says otherwise. Functions return hipSuccess or an error; a null output pointer is
// hipErrorInvalidValue. Sizes are in bytes. The first call initialises HIP. All functions may be called from any thread
// at any time. Calls that queue work return before it is done, and a failure of that work is returned by a later call.
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_runtime_api.h>
#else
#include <hip/hip_version.h>

#ifndef __cplusplus
#include <stdbool.h> // C programs written for HIP rely on it
#endif

#define GENERIC_GRID_LAUNCH 1

#include <hip/driver_types.h>
#include <hip/linker_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

#include <hip/api/array.h>
#include <hip/api/capture.h>
#include <hip/api/context.h>
#include <hip/api/copy.h>
#include <hip/api/device.h>
#include <hip/api/dim3.h>
#include <hip/api/error.h>
#include <hip/api/event.h>
#include <hip/api/execution_context.h>
#include <hip/api/external.h>
#include <hip/api/graph.h>
#include <hip/api/graph_node.h>
#include <hip/api/handles.h>
#include <hip/api/init.h>
#include <hip/api/ipc.h>
#include <hip/api/launch.h>
#include <hip/api/managed.h>
#include <hip/api/memory.h>
#include <hip/api/mempool.h>
#include <hip/api/module.h>
#include <hip/api/occupancy.h>
#include <hip/api/peer.h>
#include <hip/api/stream.h>
#include <hip/api/texture.h>
#include <hip/api/texture_ref.h>
#include <hip/api/vmm.h>

// From here on the usual names may mean the per-thread forms.
#include <hip/api/per_thread.h>

#include <hip/channel_descriptor.h>
#include <hip/detail/persisting_lines.h>
#include <hip/hip_deprecated.h>

#ifdef __cplusplus
#include <hip/api/overloads.h>
#if !defined(__OMNIHIP_CUDA__) // a CUDA source has its own texture<>
#include <hip/hip_texture_types.h>
#endif
#endif

#if defined(__HIP_SOFTWARE_TEXTURES__) && !defined(__HIP_DEVICE_COMPILE__)
#include <hip/detail/use_software_textures.h>
#endif

#endif

#endif
