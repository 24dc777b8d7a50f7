// runtime/backend/cuda/driver_types.h - the types and numbers of NVIDIA's driver API that this folder uses, under the
// names of its documentation ("CUDA Driver API", data types). Our own declarations: nothing of NVIDIA's is needed to
// build.
#pragma once

#include "runtime/backend/compute_units.h"

#include <cstddef>
#include <cstdint>

namespace hip::cuda {

using CUresult = int; // rows of results.def
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUarray = struct CUarray_st*;
using CUmipmappedArray = struct CUmipmappedArray_st*;
using CUtexObject = unsigned long long;
using CUsurfObject = unsigned long long;
using CUmemoryPool = struct CUmemPoolHandle_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphNode = struct CUgraphNode_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUexternalMemory = struct CUextMemory_st*;
using CUexternalSemaphore = struct CUextSemaphore_st*;
using CUgreenCtx = struct CUgreenCtx_st*;
using CUdevResourceDesc = struct CUdevResourceDesc_st*;
using CUdevResource = backend::ComputeUnits;
using CU_DEV_SM_RESOURCE_GROUP_PARAMS = backend::UnitGroup;
using CUhostFn = void (*)(void* user_data);

struct CUuuid {
  char bytes[16];
};

inline constexpr CUresult kSuccess = 0, kErrorInvalidValue = 1, kErrorOutOfMemory = 2, kErrorDeinitialized = 4,
                          kErrorNoDevice = 100, kErrorInvalidContext = 201, kErrorNotFound = 500, kErrorNotReady = 600,
                          kErrorPeerAccessAlreadyEnabled = 704, kErrorPeerAccessNotEnabled = 705, kErrorUnknown = 999;

// Flags.
inline constexpr unsigned kEventBlockingSync = 1, kEventDisableTiming = 2;
inline constexpr unsigned kStreamDefault = 0, kStreamNonBlocking = 1;
inline constexpr unsigned kHostAllocPortable = 1, kHostAllocDeviceMap = 2;
inline constexpr unsigned kHostRegisterPortable = 1, kHostRegisterDeviceMap = 2;
inline constexpr unsigned kMemAttachGlobal = 1;
inline constexpr unsigned kScheduleAuto = 0, kScheduleSpin = 1, kScheduleYield = 2, kScheduleBlockingSync = 4,
                          kScheduleMask = 7;
inline constexpr int kCaptureRelaxed = 2; // CUstreamCaptureMode
inline constexpr unsigned kSetCaptureDependencies = 1;
inline constexpr uint64_t kProcAddressLegacyStream = 1;
// The legacy default stream, whatever the meaning of null is.
inline const CUstream kStreamLegacy = reinterpret_cast<CUstream>(uintptr_t{1});

enum CUjit_option : int { kJitInfoLog = 3, kJitInfoLogBytes = 4, kJitErrorLog = 5, kJitErrorLogBytes = 6 };
enum CUfunction_attribute : int {
  kFunctionMaxThreads = 0,
  kFunctionSharedBytes = 1,
  kFunctionConstBytes = 2,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionMaxDynamicShared = 8,
};
enum CUlimit : int { kLimitStack = 0, kLimitPrintf = 1, kLimitHeap = 2, kLimitPersistingL2 = 6 };
using CUmem_advise = int; // CU_MEM_ADVISE_*
enum CUdevice_P2PAttribute : int { kP2PRank = 1, kP2PAccess = 2, kP2PAtomics = 3, kP2PArrays = 4, kP2PSomeAtomics = 5 };
enum CUmemorytype : int { kMemoryDevice = 2, kMemoryArray = 3, kMemoryUnified = 4 };
enum CUpointer_attribute : int { kPointerMemoryType = 2, kPointerIsManaged = 8, kPointerDevice = 9 };
using CUdevice_attribute = int; // rows of attributes.def

// Keys of cuLaunchKernel's `extra`.
inline void* const kLaunchEnd = nullptr;
inline void* const kLaunchBuffer = reinterpret_cast<void*>(uintptr_t{1});
inline void* const kLaunchBufferBytes = reinterpret_cast<void*>(uintptr_t{2});

// A launch that occupancy is asked for.
struct CUlaunchAttribute {
  int id;
  char pad[4];
  unsigned value[16];
};
inline constexpr int kLaunchCluster = 4; // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: x, y, z
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned numAttrs;
};
static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56);

struct CUkernelNodeParams { // CUDA_KERNEL_NODE_PARAMS_v2
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void** kernelParams;
  void** extra;
  void* kern; // these two mean nothing with a function
  CUcontext ctx;
};
static_assert(sizeof(CUkernelNodeParams) == 72);

struct CUDA_ARRAY_MEMORY_REQUIREMENTS {
  size_t size, alignment;
  unsigned reserved[4];
};

struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  CUcontext srcContext; // of cuMemcpy3DPeerAsync; else null
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  CUcontext dstContext;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
};
static_assert(sizeof(CUDA_MEMCPY3D) == 200);

// Memory that is made in two steps, and pools.
inline constexpr int kAllocationPinned = 1, kHandleNone = 0, kHandlePosixDescriptor = 1, kLocationDevice = 1;
struct CUmemLocation {
  int type, id;
};
struct CUmemAccessDesc {
  CUmemLocation location;
  int flags; // numbers as in backend/memory_pool.h
};
static_assert(sizeof(CUmemAccessDesc) == 12);
struct CUmemPoolProps {
  int allocType, handleTypes;
  CUmemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize; // from CUDA 12.2 on; before, reserved and 0
  unsigned char reserved[56];
};
static_assert(sizeof(CUmemPoolProps) == 88);
struct CUmemPoolPtrExportData {
  unsigned char reserved[64];
};

using CUmemGenericAllocationHandle = unsigned long long;
struct CUmemAllocationProp {
  int type, requestedHandleTypes;
  CUmemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
};
static_assert(sizeof(CUmemAllocationProp) == 32);
struct CUipcMemHandle {
  char reserved[64];
};
inline constexpr unsigned kIpcLazyPeerAccess = 1;

inline constexpr unsigned char kCompressionNone = 0, kCompressionGeneric = 1;

// Attributes of streams.
inline constexpr int kStreamAccessPolicyWindow = 1;
struct CUaccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  int hitProp, missProp;
};
union CUstreamAttrValue {
  char pad[64];
  CUaccessPolicyWindow accessPolicyWindow;
};
static_assert(sizeof(CUaccessPolicyWindow) == 32 && sizeof(CUstreamAttrValue) == 64);

// Arrays, textures and surfaces.
enum CUarray_format : int {
  kFormatUnsigned8 = 0x01,
  kFormatUnsigned16 = 0x02,
  kFormatUnsigned32 = 0x03,
  kFormatSigned8 = 0x08,
  kFormatSigned16 = 0x09,
  kFormatSigned32 = 0x0a,
  kFormatHalf = 0x10,
  kFormatFloat = 0x20,
};
inline constexpr unsigned kArrayLayered = 1, kArraySurface = 2, kArrayCubemap = 4, kArrayGather = 8;
inline constexpr unsigned kReadAsInteger = 1, kNormalizedCoordinates = 2, kSrgb = 16;
enum CUresourcetype : int { kResourceArray = 0, kResourceMipmapped = 1, kResourceLinear = 2, kResourcePitch2D = 3 };

struct CUDA_ARRAY3D_DESCRIPTOR {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned NumChannels, Flags;
};
static_assert(sizeof(CUDA_ARRAY3D_DESCRIPTOR) == 40);

struct CUDA_RESOURCE_DESC {
  CUresourcetype resType;
  union {
    CUarray array;
    CUmipmappedArray mipmap;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned flags;
};
static_assert(sizeof(CUDA_RESOURCE_DESC) == 144);

struct CUDA_TEXTURE_DESC {
  int addressMode[3], filterMode; // numbers as in backend/images.h
  unsigned flags, maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
  int reserved[12];
};
static_assert(sizeof(CUDA_TEXTURE_DESC) == 104);

struct CUDA_RESOURCE_VIEW_DESC {
  int format;
  size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
  unsigned reserved[16];
};
static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == 112);

// Memory and semaphores of other interfaces.
inline constexpr int kExternalMemoryOpaqueFd = 1, kExternalSemaphoreOpaqueFd = 1, kExternalSemaphoreTimelineFd = 9;
inline constexpr unsigned kExternalMemoryDedicated = 1;
union ExternalHandle {
  int fd;
  struct {
    void* handle;
    const void* name;
  } win32;
};
struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC {
  int type;
  ExternalHandle handle;
  unsigned long long size;
  unsigned flags, reserved[16];
};
static_assert(sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC) == 104);
struct CUDA_EXTERNAL_MEMORY_BUFFER_DESC {
  unsigned long long offset, size;
  unsigned flags, reserved[16];
};
static_assert(sizeof(CUDA_EXTERNAL_MEMORY_BUFFER_DESC) == 88);
struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC {
  unsigned long long offset;
  CUDA_ARRAY3D_DESCRIPTOR arrayDesc;
  unsigned numLevels, reserved[16];
};
static_assert(sizeof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC) == 120);
struct CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC {
  int type;
  ExternalHandle handle;
  unsigned flags, reserved[16];
};
static_assert(sizeof(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC) == 96);
struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS {
  struct {
    struct {
      unsigned long long value;
    } fence;
    unsigned long long nvSciSync, keyedMutexKey;
    unsigned reserved[12];
  } params;
  unsigned flags, reserved[16];
};
static_assert(sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS) == 144);
struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS {
  struct {
    struct {
      unsigned long long value;
    } fence;
    unsigned long long nvSciSync, keyedMutexKey;
    unsigned keyedMutexTimeout, reserved[11];
  } params;
  unsigned flags, reserved[16];
};
static_assert(sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS) == 144);

inline CUdeviceptr to_cuda(const void* address) noexcept { return reinterpret_cast<CUdeviceptr>(address); }
inline void* from_cuda(CUdeviceptr address) noexcept { return reinterpret_cast<void*>(address); }

} // namespace hip::cuda
