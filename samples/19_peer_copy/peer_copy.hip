// 19_peer_copy - several devices in one program: each has its own current device, memory and stream; data moves between
// them with hipMemcpyPeerAsync, directly where the two are peers and through the host where they are not. A kernel can
// read a peer's memory after hipDeviceEnablePeerAccess. With one device the program copies within it.
#include "../common.h"

__global__ void stamp(int* data, int count, int device) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = device * 1'000'000 + i;
}

__global__ void add_from(const int* other, int* mine, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) mine[i] += other[i];
}

int main() {
  constexpr int kCount = 1 << 20;
  constexpr size_t kBytes = kCount * sizeof(int);
  int devices = 0;
  HIP_CHECK(hipGetDeviceCount(&devices));

  std::vector<int*> buffers(devices), inboxes(devices);
  std::vector<hipStream_t> streams(devices);
  std::vector<hipEvent_t> stamped(devices);
  for (int d = 0; d < devices; ++d) {
    HIP_CHECK(hipSetDevice(d));
    HIP_CHECK(hipMalloc(&buffers[d], kBytes));
    HIP_CHECK(hipMalloc(&inboxes[d], kBytes));
    HIP_CHECK(hipStreamCreateWithFlags(&streams[d], hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&stamped[d], hipEventDisableTiming));
    stamp<<<sample::blocks_for(kCount, 256), 256, 0, streams[d]>>>(buffers[d], kCount, d);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipEventRecord(stamped[d], streams[d]));
  }

  // Every device fetches its neighbour's data, once that is written: an event of one device, waited for on another.
  for (int d = 0; d < devices; ++d) {
    const int neighbour = (d + 1) % devices;
    HIP_CHECK(hipSetDevice(d));
    HIP_CHECK(hipStreamWaitEvent(streams[d], stamped[neighbour], 0));
    HIP_CHECK(hipMemcpyPeerAsync(inboxes[d], d, buffers[neighbour], neighbour, kBytes, streams[d]));
  }
  bool right = true;
  std::vector<int> host(kCount);
  for (int d = 0; d < devices; ++d) {
    HIP_CHECK(hipSetDevice(d));
    HIP_CHECK(hipStreamSynchronize(streams[d]));
    HIP_CHECK(hipMemcpy(host.data(), inboxes[d], kBytes, hipMemcpyDeviceToHost));
    for (int i = 0; i < kCount; ++i) right &= host[i] == (d + 1) % devices * 1'000'000 + i;
  }

  // A kernel that reads the other device's memory itself.
  int direct = 0;
  for (int d = 0; d < devices; ++d) {
    const int neighbour = (d + 1) % devices;
    int can_access = 0;
    if (neighbour != d) HIP_CHECK(hipDeviceCanAccessPeer(&can_access, d, neighbour));
    if (!can_access) continue;
    HIP_CHECK(hipSetDevice(d));
    HIP_CHECK(hipDeviceEnablePeerAccess(neighbour, 0));
    add_from<<<sample::blocks_for(kCount, 256), 256, 0, streams[d]>>>(buffers[neighbour], inboxes[d], kCount);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipMemcpyAsync(host.data(), inboxes[d], kBytes, hipMemcpyDeviceToHost, streams[d]));
    HIP_CHECK(hipStreamSynchronize(streams[d]));
    for (int i = 0; i < kCount; ++i) right &= host[i] == 2 * (neighbour * 1'000'000 + i);
    ++direct;
  }

  // How fast: the same copy, many times.
  HIP_CHECK(hipSetDevice(0));
  constexpr int kRounds = 20;
  const double ms = sample::time_ms([&] {
    for (int round = 0; round < kRounds; ++round)
      HIP_CHECK(hipMemcpyPeerAsync(inboxes[0], 0, buffers[1 % devices], 1 % devices, kBytes, streams[0]));
    HIP_CHECK(hipStreamSynchronize(streams[0]));
  });
  std::printf("%d devices, %d of them read a neighbour's memory directly; device %d to 0: %.2f GB/s\n", devices, direct,
              1 % devices, kRounds * 1e-6 * kBytes / ms);

  for (int d = 0; d < devices; ++d) {
    HIP_CHECK(hipSetDevice(d));
    HIP_CHECK(hipFree(buffers[d]));
    HIP_CHECK(hipFree(inboxes[d]));
    HIP_CHECK(hipStreamDestroy(streams[d]));
    HIP_CHECK(hipEventDestroy(stamped[d]));
  }
  HIP_CHECK(hipSetDevice(0));
  return sample::finish("peer_copy", right, ms / kRounds);
}
