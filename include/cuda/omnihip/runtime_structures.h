// omnihip/runtime_structures.h - structures of the runtime's interface whose members CUDA has in another order than
// HIP, and their conversions. Included by runtime_types.h, behind its enumerations and before the structures that have
// these as members.
#ifndef OMNIHIP_CUDA_RUNTIME_STRUCTURES_H
#define OMNIHIP_CUDA_RUNTIME_STRUCTURES_H

#include <stddef.h>
#include <stdlib.h>

typedef struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp;
  enum cudaAccessProperty missProp;
} cudaAccessPolicyWindow;
#define OMNIHIP_CUDA_WINDOW_MEMBERS(each) \
  each(base_ptr, base_ptr) each(num_bytes, num_bytes) each(hitRatio, hitRatio) each(hitProp, hitProp) \
      each(missProp, missProp)
OMNIHIP_CUDA_CONVERSIONS(cudaAccessPolicyWindow, hipAccessPolicyWindow, OMNIHIP_CUDA_WINDOW_MEMBERS)

// What HIP does not know of a kernel, its clusters, is 0.
typedef struct cudaFuncAttributes {
  size_t sharedSizeBytes;
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
  int reserved[16];
} cudaFuncAttributes;
#define OMNIHIP_CUDA_FUNCTION_MEMBERS(each) \
  each(sharedSizeBytes, sharedSizeBytes) each(constSizeBytes, constSizeBytes) each(localSizeBytes, localSizeBytes) \
      each(maxThreadsPerBlock, maxThreadsPerBlock) each(numRegs, numRegs) each(ptxVersion, ptxVersion) \
          each(binaryVersion, binaryVersion) each(cacheModeCA, cacheModeCA) \
              each(maxDynamicSharedSizeBytes, maxDynamicSharedSizeBytes) \
                  each(preferredShmemCarveout, preferredShmemCarveout)
OMNIHIP_CUDA_CONVERSIONS(cudaFuncAttributes, hipFuncAttributes, OMNIHIP_CUDA_FUNCTION_MEMBERS)

typedef struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
} cudaKernelNodeParams;
#define OMNIHIP_CUDA_KERNEL_NODE_MEMBERS(each) \
  each(func, func) each(gridDim, gridDim) each(blockDim, blockDim) each(sharedMemBytes, sharedMemBytes) \
      each(kernelParams, kernelParams) each(extra, extra)
OMNIHIP_CUDA_CONVERSIONS(cudaKernelNodeParams, hipKernelNodeParams, OMNIHIP_CUDA_KERNEL_NODE_MEMBERS)

typedef struct cudaMemsetParams {
  void* dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
} cudaMemsetParams;
// The driver's structures have the same names.
#define OMNIHIP_CUDA_MEMSET_MEMBERS(each) \
  each(dst, dst) each(pitch, pitch) each(value, value) each(elementSize, elementSize) each(width, width) \
      each(height, height)
OMNIHIP_CUDA_CONVERSIONS(cudaMemsetParams, hipMemsetParams, OMNIHIP_CUDA_MEMSET_MEMBERS)

typedef struct cudaGraphInstantiateParams_st {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  enum cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
#define OMNIHIP_CUDA_INSTANTIATE_MEMBERS(each) \
  each(flags, flags) each(uploadStream, uploadStream) each(errNode_out, errNode_out) each(result_out, result_out)
OMNIHIP_CUDA_CONVERSIONS(cudaGraphInstantiateParams, hipGraphInstantiateParams, OMNIHIP_CUDA_INSTANTIATE_MEMBERS)

// HIP's structure is the beginning of this one.
typedef struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
} cudaTextureDesc;

// Functions take lists of these: __omnihip_edges_to_hip converts them.
typedef struct cudaGraphEdgeData_st {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
} cudaGraphEdgeData;

// The edges as HIP's, for the caller to free; null for no list and where memory is short.
static inline hipGraphEdgeData* __omnihip_edges_to_hip(const cudaGraphEdgeData* edges, size_t count) {
  hipGraphEdgeData* const hip = edges ? (hipGraphEdgeData*)calloc(count, sizeof(hipGraphEdgeData)) : NULL;
  for (size_t i = 0; hip && i < count; ++i) {
    hip[i].from_port = edges[i].from_port;
    hip[i].to_port = edges[i].to_port;
    hip[i].type = edges[i].type;
    __builtin_memcpy(hip[i].reserved, edges[i].reserved, sizeof(hip[i].reserved));
  }
  return hip;
}

#endif
