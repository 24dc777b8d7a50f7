// hip/api/peer.h - access between devices and copies between their memories.
#ifndef HIP_INCLUDE_HIP_API_PEER_H
#define HIP_INCLUDE_HIP_API_PEER_H

#include <hip/api/device.h>
#include <hip/api/error.h>
#include <hip/api/handles.h>

typedef enum hipDeviceP2PAttr {
  hipDevP2PAttrPerformanceRank = 0,
  hipDevP2PAttrAccessSupported = 1,
  hipDevP2PAttrNativeAtomicSupported = 2,
  hipDevP2PAttrHipArrayAccessSupported = 3
} hipDeviceP2PAttr;

// hipMemcpy3DPeer: hipMemcpy3DParms with a device for each side.
typedef struct hipMemcpy3DPeerParms {
  hipArray_t srcArray;
  struct hipPos srcPos;
  struct hipPitchedPtr srcPtr;
  int srcDevice;
  hipArray_t dstArray;
  struct hipPos dstPos;
  struct hipPitchedPtr dstPtr;
  int dstDevice;
  struct hipExtent extent;
} hipMemcpy3DPeerParms;

// Copies between devices need no enabling.
#define USE_PEER_NON_UNIFIED 1

HIP_C_BEGIN

// Sets `canAccessPeer` to 1 when kernels on `deviceId` can use memory of `peerDeviceId`, else to 0. A device is not
// its own peer.
hipError_t hipDeviceCanAccessPeer(int* canAccessPeer, int deviceId, int peerDeviceId);

// Lets the current device's kernels use memory of `peerDeviceId`. `flags` must be 0.
// hipErrorPeerAccessAlreadyEnabled.
hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags);

// Takes back hipDeviceEnablePeerAccess. hipErrorPeerAccessNotEnabled.
hipError_t hipDeviceDisablePeerAccess(int peerDeviceId);

// One fact about the link between two different devices.
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice);

// What kernels of one device can do atomically to memory of another: for each of `count` operations the bits of
// hipAtomicCapability.
hipError_t hipDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const hipAtomicOperation* operations,
                                             unsigned int count, int srcDevice, int dstDevice);

// Kind of the link between two devices (HSA's numbers) and how many hops it takes.
hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t* linktype, uint32_t* hopcount);

// Copies from one device's memory to another's.
hipError_t hipMemcpyPeer(void* dst, int dstDeviceId, const void* src, int srcDeviceId, size_t sizeBytes);

// Queues a copy from one device's memory to another's.
hipError_t hipMemcpyPeerAsync(void* dst, int dstDeviceId, const void* src, int srcDevice, size_t sizeBytes,
                              hipStream_t stream __dparm(0));

// Copies a box from one device's memory to another's.
hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms* p);

// Queues hipMemcpy3DPeer.
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* p, hipStream_t stream __dparm(0));

HIP_C_END

#endif
