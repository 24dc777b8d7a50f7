// hip/nvidia_detail/occupancy.h - how many blocks fit, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_OCCUPANCY_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_OCCUPANCY_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CU(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,
    (int* numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk),
    (numBlocks, f, blockSize, dynSharedMemPerBlk))
HIP_TO_CU(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
    (int* numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags),
    (numBlocks, f, blockSize, dynSharedMemPerBlk, flags))
HIP_TO_CUDA(hipOccupancyMaxActiveBlocksPerMultiprocessor, cudaOccupancyMaxActiveBlocksPerMultiprocessor,
    (int* numBlocks, const void* f, int blockSize, size_t dynSharedMemPerBlk),
    (numBlocks, f, blockSize, dynSharedMemPerBlk))
HIP_TO_CUDA(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
    (int* numBlocks, const void* f, int blockSize, size_t dynSharedMemPerBlk,
     unsigned int flags __dparm(hipOccupancyDefault)), (numBlocks, f, blockSize, dynSharedMemPerBlk, flags))
HIP_TO_CUDA(hipOccupancyAvailableDynamicSMemPerBlock, cudaOccupancyAvailableDynamicSMemPerBlock,
            (size_t* dynamicSmemSize, const void* f, int numBlocks, int blockSize),
            (dynamicSmemSize, f, numBlocks, blockSize))

HIP_TO_CUDA(hipOccupancyMaxPotentialClusterSize, cudaOccupancyMaxPotentialClusterSize,
            (int* clusterSize, const void* f, const hipLaunchConfig_t* config), (clusterSize, f, config))
HIP_TO_CUDA(hipOccupancyMaxActiveClusters, cudaOccupancyMaxActiveClusters,
            (int* numClusters, const void* f, const hipLaunchConfig_t* config), (numClusters, f, config))

HIP_TO_CU(hipModuleOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize,
    (int* gridSize, int* blockSize, hipFunction_t f, size_t dynSharedMemPerBlk, int blockSizeLimit),
    (gridSize, blockSize, f, NULL, dynSharedMemPerBlk, blockSizeLimit))
HIP_TO_CU(hipModuleOccupancyMaxPotentialBlockSizeWithFlags, cuOccupancyMaxPotentialBlockSizeWithFlags,
    (int* gridSize, int* blockSize, hipFunction_t f, size_t dynSharedMemPerBlk, int blockSizeLimit,
     unsigned int flags), (gridSize, blockSize, f, NULL, dynSharedMemPerBlk, blockSizeLimit, flags))

// CUDA's runtime has this in C++ only; the driver has it for C.
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* f,
                                                           size_t dynSharedMemPerBlk, int blockSizeLimit) {
  cudaFunction_t function = NULL;
  cudaError_t error = cudaGetFuncBySymbol(&function, f);
  if (error != cudaSuccess) return hipCUDAErrorTohipError(error);
  return hipModuleOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, dynSharedMemPerBlk, blockSizeLimit);
}

#endif
