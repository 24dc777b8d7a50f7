// hip/api/occupancy.h - how many blocks of a kernel fit on the device at once, by registers, shared memory and waves.
#ifndef HIP_INCLUDE_HIP_API_OCCUPANCY_H
#define HIP_INCLUDE_HIP_API_OCCUPANCY_H

#include <hip/api/error.h>
#include <hip/api/handles.h>
#include <hip/api/launch_types.h>

#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01

HIP_C_BEGIN

// Blocks of `blockSize` work-items that one compute unit runs at once.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* f, int blockSize,
                                                        size_t dynSharedMemPerBlk);

// The same with hipOccupancy* flags.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* f, int blockSize,
                                                                 size_t dynSharedMemPerBlk,
                                                                 unsigned int flags __dparm(hipOccupancyDefault));

// The block size with the most waves on the device, at most `blockSizeLimit` (0: no limit), and the least grid that
// fills it.
hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* f, size_t dynSharedMemPerBlk,
                                             int blockSizeLimit);

// Dynamic shared memory each block may use when `numBlocks` of them run on one compute unit.
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* f, int numBlocks,
                                                    int blockSize);

// The largest cluster of blocks that the launch can have; the cluster in `config` is not looked at.
// hipErrorInvalidClusterSize on devices that have no clusters.
hipError_t hipOccupancyMaxPotentialClusterSize(int* clusterSize, const void* f, const hipLaunchConfig_t* config);

// How many clusters as `config` has them run on the device at once. hipErrorInvalidClusterSize on devices that have no
// clusters.
hipError_t hipOccupancyMaxActiveClusters(int* numClusters, const void* f, const hipLaunchConfig_t* config);

// As hipOccupancyMaxActiveBlocksPerMultiprocessor for a function of a module.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f, int blockSize,
                                                              size_t dynSharedMemPerBlk);

// The same with hipOccupancy* flags.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, hipFunction_t f, int blockSize,
                                                                       size_t dynSharedMemPerBlk, unsigned int flags);

// As hipOccupancyMaxPotentialBlockSize for a function of a module.
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, hipFunction_t f,
                                                   size_t dynSharedMemPerBlk, int blockSizeLimit);

// The same with hipOccupancy* flags.
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, hipFunction_t f,
                                                            size_t dynSharedMemPerBlk, int blockSizeLimit,
                                                            unsigned int flags);

HIP_C_END

#endif
