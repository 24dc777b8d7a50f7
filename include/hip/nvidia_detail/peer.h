// hip/nvidia_detail/peer.h - access between devices and copies between their memories, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_PEER_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_PEER_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipDeviceCanAccessPeer, cudaDeviceCanAccessPeer,
    (int* canAccessPeer, int deviceId, int peerDeviceId), (canAccessPeer, deviceId, peerDeviceId))
HIP_TO_CUDA(hipDeviceDisablePeerAccess, cudaDeviceDisablePeerAccess, (int peerDeviceId), (peerDeviceId))
HIP_TO_CUDA(hipDeviceEnablePeerAccess, cudaDeviceEnablePeerAccess,
    (int peerDeviceId, unsigned int flags), (peerDeviceId, flags))
HIP_TO_CUDA(hipDeviceGetP2PAttribute, cudaDeviceGetP2PAttribute,
    (int* value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice), (value, attr, srcDevice, dstDevice))
HIP_TO_CUDA(hipMemcpyPeer, cudaMemcpyPeer,
    (void* dst, int dstDeviceId, const void* src, int srcDeviceId, size_t sizeBytes),
    (dst, dstDeviceId, src, srcDeviceId, sizeBytes))
HIP_TO_CUDA(hipMemcpyPeerAsync, cudaMemcpyPeerAsync,
    (void* dst, int dstDeviceId, const void* src, int srcDevice, size_t sizeBytes, hipStream_t stream __dparm(0)),
    (dst, dstDeviceId, src, srcDevice, sizeBytes, stream))
HIP_TO_CUDA(hipMemcpy3DPeer, cudaMemcpy3DPeer, (hipMemcpy3DPeerParms* p), (p))
HIP_TO_CUDA(hipMemcpy3DPeerAsync, cudaMemcpy3DPeerAsync, (hipMemcpy3DPeerParms* p, hipStream_t stream), (p, stream))

#endif
