// Peer-to-peer: access between devices and copies between their memories.
#include "runtime/api/api.h"
#include "runtime/api/atomics.h"
#include "runtime/core/copy.h"

#include <algorithm>
#include <vector>

namespace hip::api {

namespace {

Result<backend::PeerLink> link_between(int device_id, int peer_id) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(device_id));
  RT_TRY_ASSIGN(core::Device * peer, core::find_device(peer_id));
  // No device has access to memory of another back end's devices; copies between them work.
  if (device == peer || !device->same_backend(*peer)) return backend::PeerLink{};
  return device->hal().peer_link(peer->hal());
}

} // namespace

Status hipDeviceCanAccessPeer(int* canAccessPeer, int deviceId, int peerDeviceId) {
  RT_TRY_ASSIGN(const backend::PeerLink link, link_between(deviceId, peerDeviceId));
  *canAccessPeer = link.access ? 1 : 0;
  return {};
}

Status hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags are {:#x}; they must be 0.", flags);
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY_ASSIGN(core::Device * peer, core::find_device(peerDeviceId));
  int can = 0;
  RT_TRY(api::hipDeviceCanAccessPeer(&can, device->ordinal(), peerDeviceId));
  if (!can)
    return error(ErrorCode::InvalidDevice, "Device {} cannot access memory of device {}.", device->ordinal(),
                 peerDeviceId);
  if (!device->set_peer_access(*peer, true))
    return error(ErrorCode::PeerAccessAlreadyEnabled, "Device {} has access to memory of device {} already.",
                 device->ordinal(), peerDeviceId);
  Status status = device->hal().enable_peer(peer->hal());
  if (!status.ok()) device->set_peer_access(*peer, false);
  return status;
}

Status hipDeviceDisablePeerAccess(int peerDeviceId) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY_ASSIGN(core::Device * peer, core::find_device(peerDeviceId));
  int can = 0;
  RT_TRY(api::hipDeviceCanAccessPeer(&can, device->ordinal(), peerDeviceId));
  if (!can)
    return error(ErrorCode::InvalidDevice, "Device {} cannot access memory of device {}.", device->ordinal(),
                 peerDeviceId);
  if (!device->set_peer_access(*peer, false))
    return error(ErrorCode::PeerAccessNotEnabled, "Device {} has no access to memory of device {}.", device->ordinal(),
                 peerDeviceId);
  return device->hal().disable_peer(peer->hal());
}

Status hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  if (srcDevice == dstDevice) return error(ErrorCode::InvalidDevice, "Device {} is not its own peer.", srcDevice);
  RT_TRY_ASSIGN(const backend::PeerLink link, link_between(srcDevice, dstDevice));
  switch (attr) {
  case hipDevP2PAttrPerformanceRank:
    *value = link.performance_rank;
    return {};
  case hipDevP2PAttrAccessSupported:
    *value = link.access ? 1 : 0;
    return {};
  case hipDevP2PAttrNativeAtomicSupported:
    *value = link.native_atomics ? 1 : 0;
    return {};
  case hipDevP2PAttrHipArrayAccessSupported:
    *value = link.array_access ? 1 : 0;
    return {};
  }
  return error(ErrorCode::InvalidValue, "{} is no peer-to-peer attribute.", static_cast<int>(attr));
}

Status atomic_capabilities(core::Device& device, core::Device* peer, std::span<const hipAtomicOperation> operations,
                           unsigned* capabilities) {
  if (operations.empty()) return error(ErrorCode::InvalidValue, "No operations are listed.");
  std::vector<unsigned> found;
  for (const hipAtomicOperation operation : operations) {
    if (static_cast<unsigned>(operation) >= static_cast<unsigned>(hipAtomicOperationMax))
      return error(ErrorCode::InvalidValue, "{} is no atomic operation.", static_cast<int>(operation));
    RT_TRY_ASSIGN(const uint32_t bits,
                  device.hal().atomic_capabilities(static_cast<backend::AtomicOperation>(operation),
                                                   peer ? &peer->hal() : nullptr));
    found.push_back(bits);
  }
  std::copy(found.begin(), found.end(), capabilities);
  return {};
}

Status hipDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const hipAtomicOperation* operations,
                                         unsigned int count, int srcDevice, int dstDevice) {
  if (srcDevice == dstDevice) return error(ErrorCode::InvalidDevice, "Device {} is not its own peer.", srcDevice);
  RT_TRY_ASSIGN(core::Device* const device, core::find_device(srcDevice));
  RT_TRY_ASSIGN(core::Device* const peer, core::find_device(dstDevice));
  RT_TRY_ASSIGN(const backend::PeerLink link, link_between(srcDevice, dstDevice));
  std::vector<unsigned> found(count);
  RT_TRY(atomic_capabilities(*device, link.access ? peer : nullptr, {operations, count}, found.data()));
  if (!link.native_atomics) std::ranges::fill(found, 0u); // no device reaches the other's memory so
  std::ranges::copy(found, capabilities);
  return {};
}

Status hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t* linktype, uint32_t* hopcount) {
  if (device1 < 0 || device2 < 0)
    return error(ErrorCode::InvalidValue, "There are no devices {} and {}.", device1, device2);
  RT_TRY_ASSIGN(core::Device * first, core::find_device(device1));
  RT_TRY_ASSIGN(core::Device * second, core::find_device(device2));
  if (first == second) return error(ErrorCode::InvalidValue, "Device {} has no link to itself.", device1);
  // HSA's number for a link over PCI Express: what software GPUs, which share the host's memory, come closest to.
  constexpr uint32_t kPciExpress = 2;
  *linktype = kPciExpress;
  *hopcount = 1;
  return {};
}

namespace {

Status copy_peer(hipStream_t stream, core::CopyWait wait, void* dst, int dst_device, const void* src, int src_device,
                 size_t bytes) {
  RT_TRY(core::find_device(dst_device).status());
  RT_TRY(core::find_device(src_device).status());
  RT_TRY_ASSIGN(auto pin, core::find_stream(stream));
  return core::copy({pin.get(), wait}, dst, src, bytes, core::CopyKind::DeviceToDevice);
}

} // namespace

Status hipMemcpyPeer(void* dst, int dstDeviceId, const void* src, int srcDeviceId, size_t sizeBytes) {
  return copy_peer(nullptr, core::CopyWait::Blocking, dst, dstDeviceId, src, srcDeviceId, sizeBytes);
}

Status hipMemcpyPeerAsync(void* dst, int dstDeviceId, const void* src, int srcDevice, size_t sizeBytes,
                          hipStream_t stream) {
  return copy_peer(stream, core::CopyWait::Async, dst, dstDeviceId, src, srcDevice, sizeBytes);
}

} // namespace hip::api
