// NVIDIA's device and a software GPU in one process: which comes first, copies and waits between them. The NVIDIA
// driver is the tests' own, so its kernels have no effect, but its memory is real.
#include "testing.h"

#include <algorithm>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {
// Skipped where the two are not there.
bool two_vendors() {
  int count = 0;
  hipDeviceProp_t first, second;
  if (hipGetDeviceCount(&count) != hipSuccess || count != 2) return false;
  OK(hipGetDeviceProperties(&first, 0));
  OK(hipGetDeviceProperties(&second, 1));
  return std::string(first.gcnArchName).rfind("sm_", 0) == 0 && std::string(second.gcnArchName).rfind("gfx", 0) == 0;
}

struct Sides {
  int* memory[2] = {};
  Sides() {
    for (int d = 0; d < 2; ++d) {
      OK(hipSetDevice(d));
      OK(hipMalloc(reinterpret_cast<void**>(&memory[d]), 4096));
      OK(hipMemset(memory[d], 0, 4096));
      OK(hipDeviceSynchronize());
    }
    OK(hipSetDevice(0));
  }
  ~Sides() {
    (void)hipFree(memory[0]);
    (void)hipFree(memory[1]);
    (void)hipSetDevice(0);
  }
  int first_of(int d) {
    int value = -1;
    OK(hipMemcpy(&value, memory[d], sizeof value, hipMemcpyDeviceToHost));
    return value;
  }
};
} // namespace

TEST_CASE("Copies between devices of two vendors", "[vendors]") {
  if (!two_vendors()) return;
  Sides s;
  for (int from = 0; from < 2; ++from)
    for (int current = 0; current < 2; ++current) {
      CAPTURE(from, current);
      const int to = 1 - from, value = 10 + from * 2 + current;
      OK(hipSetDevice(current));
      OK(hipMemsetD32(s.memory[from], value, 1024));
      OK(hipMemcpy(s.memory[to], s.memory[from], 4096, hipMemcpyDeviceToDevice));
      CHECK(s.first_of(to) == value);
      OK(hipMemsetD32(s.memory[from], value + 100, 1024));
      OK(hipMemcpyPeer(s.memory[to], to, s.memory[from], from, 4096));
      CHECK(s.first_of(to) == value + 100);
      hipStream_t stream; // of either device
      OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
      OK(hipMemsetD32(s.memory[from], value + 200, 1024));
      OK(hipDeviceSynchronize());
      OK(hipMemcpyAsync(s.memory[to], s.memory[from], 4096, hipMemcpyDefault, stream));
      OK(hipStreamSynchronize(stream));
      CHECK(s.first_of(to) == value + 200);
      OK(hipMemcpy2DAsync(s.memory[to], 128, s.memory[from] + 4, 256, 64, 8, hipMemcpyDefault, stream));
      OK(hipStreamDestroy(stream));
      CHECK(s.first_of(to) == value + 200);
    }
}

// Over the SDK's own HSA runtime, whose software GPU is a card to HIP.
TEST_CASE("Cards of AMD come before NVIDIA's GPUs, and software GPUs last; memory goes between all", "[.][three]") {
  constexpr int kDevices = 3;
  constexpr size_t kWords = 1024;
  int count = 0;
  OK(hipGetDeviceCount(&count));
  REQUIRE(count == kDevices);
  std::string names;
  int* memory[kDevices];
  hipStream_t streams[kDevices];
  for (int d = 0; d < kDevices; ++d) {
    hipDeviceProp_t p;
    OK(hipGetDeviceProperties(&p, d));
    names += std::string(p.gcnArchName).substr(0, 2) + " ";
    OK(hipSetDevice(d));
    OK(hipMalloc(reinterpret_cast<void**>(&memory[d]), kWords * sizeof(int)));
    OK(hipStreamCreateWithFlags(&streams[d], hipStreamNonBlocking));
  }
  CHECK(names == "gf sm gf ");
  for (int from = 0; from < kDevices; ++from)
    for (int to = 0; to < kDevices; ++to) {
      if (from == to) continue;
      CAPTURE(from, to);
      const int value = 100 + 10 * from + to;
      OK(hipSetDevice(to));
      OK(hipMemsetD32(memory[to], 0, kWords));
      OK(hipDeviceSynchronize()); // the streams do not wait for the default one
      OK(hipSetDevice(from));
      OK(hipMemsetD32Async(memory[from], value, kWords, streams[from]));
      hipEvent_t filled;
      OK(hipEventCreate(&filled));
      OK(hipEventRecord(filled, streams[from]));
      OK(hipSetDevice(to));
      OK(hipStreamWaitEvent(streams[to], filled, 0));
      OK(hipMemcpyPeerAsync(memory[to], to, memory[from], from, kWords * sizeof(int), streams[to]));
      std::vector<int> got(kWords);
      OK(hipMemcpyAsync(got.data(), memory[to], kWords * sizeof(int), hipMemcpyDeviceToHost, streams[to]));
      OK(hipStreamSynchronize(streams[to]));
      CHECK(std::count(got.begin(), got.end(), value) == static_cast<long>(kWords));
      OK(hipEventDestroy(filled));

      // Rows of a box, in default streams: nothing else of the memory changes.
      OK(hipMemset2D(memory[from], 64, from + 1, 64, 64));
      OK(hipMemcpy2D(memory[to] + 16, 256, memory[from] + 1, 64, 20, 5, hipMemcpyDeviceToDevice));
      OK(hipMemcpy(got.data(), memory[to], kWords * sizeof(int), hipMemcpyDeviceToHost));
      for (size_t i = 0; i < kWords; ++i) {
        const size_t row = i / 64, column = i % 64;
        CHECK(got[i] == (row < 5 && column >= 16 && column < 21 ? 0x01010101 * (from + 1) : value));
      }
    }
  // More than one piece of the buffer in between, and what cannot be made later.
  constexpr size_t kBytes = (16 << 20) * 2 + 4096 + 12;
  std::vector<unsigned char> bytes(kBytes), back(kBytes);
  for (size_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<unsigned char>(i * 31 + (i >> 16));
  void* large[2];
  for (int d = 0; d < 2; ++d) {
    OK(hipSetDevice(d));
    OK(hipMalloc(&large[d], kBytes));
  }
  OK(hipMemcpy(large[0], bytes.data(), kBytes, hipMemcpyHostToDevice));
  OK(hipMemcpy(large[1], large[0], kBytes, hipMemcpyDeviceToDevice));
  OK(hipMemcpy(back.data(), large[1], kBytes, hipMemcpyDeviceToHost));
  CHECK(back == bytes);
  OK(hipMemset(large[0], 0, kBytes));
  OK(hipMemcpy2D(large[0], (16 << 20) + 100, large[1], (16 << 20) + 64, (16 << 20) + 50, 2, hipMemcpyDefault));
  OK(hipMemcpy(back.data(), large[0], kBytes, hipMemcpyDeviceToHost));
  for (size_t row = 0; row < 2; ++row)
    CHECK(std::equal(&bytes[row * ((16 << 20) + 64)], &bytes[row * ((16 << 20) + 64)] + (16 << 20) + 50,
                     &back[row * ((16 << 20) + 100)]));
  hipGraph_t graph;
  OK(hipSetDevice(0));
  OK(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
  FAILS(hipMemcpyAsync(large[1], large[0], kBytes, hipMemcpyDefault, streams[0]), hipErrorNotSupported);
  (void)hipStreamEndCapture(streams[0], &graph);
  (void)hipGetLastError();
  for (void* each : large) OK(hipFree(each));
  for (int d = 0; d < kDevices; ++d) {
    OK(hipSetDevice(d));
    OK(hipStreamDestroy(streams[d]));
    OK(hipFree(memory[d]));
  }
}

TEST_CASE("Streams wait for events of another vendor's device", "[vendors]") {
  if (!two_vendors()) return;
  Sides s;
  hipStream_t streams[2];
  hipEvent_t events[2];
  for (int d = 0; d < 2; ++d) {
    OK(hipSetDevice(d));
    OK(hipStreamCreate(&streams[d]));
    OK(hipEventCreate(&events[d]));
  }
  for (int round = 0; round < 20; ++round) {
    const int from = round % 2, to = 1 - from;
    OK(hipSetDevice(from));
    OK(hipMemsetD32Async(s.memory[from], round, 1024, streams[from]));
    OK(hipEventRecord(events[from], streams[from]));
    OK(hipSetDevice(to));
    OK(hipStreamWaitEvent(streams[to], events[from], 0));
    OK(hipMemcpyAsync(s.memory[to], s.memory[from], 4096, hipMemcpyDefault, streams[to]));
    OK(hipStreamSynchronize(streams[to]));
    CHECK(s.first_of(to) == round);
  }
  for (int d = 0; d < 2; ++d) {
    OK(hipStreamDestroy(streams[d]));
    OK(hipEventDestroy(events[d]));
  }
}

TEST_CASE("No peers across vendors, but host memory for both", "[vendors]") {
  if (!two_vendors()) return;
  int can = 1;
  OK(hipDeviceCanAccessPeer(&can, 0, 1));
  CHECK(can == 0);
  OK(hipDeviceCanAccessPeer(&can, 1, 0));
  CHECK(can == 0);
  FAILS(hipDeviceEnablePeerAccess(1, 0), hipErrorInvalidDevice);
  TestModule on_first;
  OK(hipSetDevice(1));
  TestModule on_second; // the other code object of the same file
  int* host = nullptr;
  OK(hipSetDevice(0));
  OK(hipHostMalloc(reinterpret_cast<void**>(&host), 256));
  host[0] = 0;
  OK(hipSetDevice(1));
  void* params[] = {&host};
  OK(hipModuleLaunchKernel(on_second.function("bounded"), 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
  OK(hipDeviceSynchronize());
  CHECK(host[0] == 1);
  OK(hipHostFree(host));
  OK(hipSetDevice(0));
}

TEST_CASE("Arrays of one vendor's device, streams and memory of the other's", "[vendors][images]") {
  if (!two_vendors()) return;
  const hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindSigned};
  hipArray_t array = nullptr;
  OK(hipSetDevice(1));
  FAILS(hipMallocArray(&array, &format, 8, 4, 0), hipErrorNotSupported);
  OK(hipSetDevice(0));
  OK(hipMallocArray(&array, &format, 8, 4, 0));
  Sides s;
  std::vector<int> values(32), got(32);
  for (int i = 0; i < 32; ++i) values[static_cast<size_t>(i)] = i * 3 + 1;
  for (int d = 0; d < 2; ++d) {
    CAPTURE(d);
    OK(hipSetDevice(d));
    hipStream_t stream = nullptr;
    OK(hipStreamCreate(&stream));
    OK(hipMemcpy(s.memory[d], values.data(), 128, hipMemcpyHostToDevice));
    OK(hipMemcpy2DToArrayAsync(array, 0, 0, s.memory[d], 32, 32, 4, hipMemcpyDeviceToDevice, stream));
    OK(hipStreamSynchronize(stream));
    OK(hipMemset(s.memory[d], 0, 128));
    OK(hipDeviceSynchronize());
    OK(hipMemcpy2DFromArray(s.memory[1 - d], 32, array, 0, 0, 32, 4, hipMemcpyDeviceToDevice));
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(got.data(), s.memory[1 - d], 128, hipMemcpyDeviceToHost));
    CHECK(got == values);
    for (int& value : values) value += 1000;
    OK(hipStreamDestroy(stream));
  }
  OK(hipSetDevice(1));
  OK(hipFreeArray(array)); // whatever the current device
  OK(hipSetDevice(0));
}

TEST_CASE("External semaphores and memory belong to one vendor's devices", "[vendors]") {
  if (!two_vendors()) return;
  hipExternalSemaphore_t semaphores[2] = {};
  hipStream_t streams[2] = {};
  for (int d = 0; d < 2; ++d) {
    OK(hipSetDevice(d));
    hipExternalSemaphoreHandleDesc desc{};
    desc.type = hipExternalSemaphoreHandleTypeOpaqueFd;
    desc.handle.fd = ::eventfd(1, EFD_CLOEXEC);
    OK(hipImportExternalSemaphore(&semaphores[d], &desc));
    OK(hipStreamCreateWithFlags(&streams[d], hipStreamNonBlocking));
  }
  hipExternalSemaphoreWaitParams waits[2] = {};
  hipExternalSemaphoreSignalParams signals[2] = {};
  hipExternalSemaphoreSignalNodeParams node_params{semaphores, signals, 2};
  hipGraph_t graph;
  hipGraphNode_t node;
  OK(hipGraphCreate(&graph, 0));
  FAILS(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &node_params), hipErrorInvalidValue);
  node_params.numExtSems = 1; // device 0's
  OK(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &node_params));
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  for (int d = 0; d < 2; ++d) {
    FAILS(hipWaitExternalSemaphoresAsync(&semaphores[1 - d], waits, 1, streams[d]), hipErrorInvalidValue);
    FAILS(hipSignalExternalSemaphoresAsync(semaphores, signals, 2, streams[d]), hipErrorInvalidValue);
    OK(hipWaitExternalSemaphoresAsync(&semaphores[d], waits, 1, streams[d])); // it begins with a signal
    OK(hipStreamSynchronize(streams[d]));
  }
  OK(hipGraphLaunch(exec, streams[0]));
  OK(hipWaitExternalSemaphoresAsync(&semaphores[0], waits, 1, streams[0]));
  OK(hipStreamSynchronize(streams[0]));
  FAILS(hipGraphLaunch(exec, streams[1]), hipErrorInvalidValue);
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  for (int d = 0; d < 2; ++d) {
    OK(hipStreamDestroy(streams[d]));
    OK(hipDestroyExternalSemaphore(semaphores[d]));
  }
  OK(hipSetDevice(0));
}

TEST_CASE("External memory of two vendors' devices is copied like any other", "[vendors]") {
  if (!two_vendors()) return;
  void* memory[2] = {};
  for (int d = 0; d < 2; ++d) {
    OK(hipSetDevice(d));
    const int file = ::memfd_create("external", MFD_CLOEXEC);
    REQUIRE(::ftruncate(file, 4096) == 0);
    hipExternalMemoryHandleDesc desc{};
    desc.type = hipExternalMemoryHandleTypeOpaqueFd;
    desc.handle.fd = file;
    desc.size = 4096;
    hipExternalMemory_t imported = nullptr;
    OK(hipImportExternalMemory(&imported, &desc));
    hipExternalMemoryBufferDesc part{};
    part.size = 4096;
    OK(hipExternalMemoryGetMappedBuffer(&memory[d], imported, &part));
    OK(hipDestroyExternalMemory(imported));
    hipPointerAttribute_t attributes{};
    OK(hipPointerGetAttributes(&attributes, memory[d]));
    CHECK(attributes.device == d);
  }
  for (int from = 0; from < 2; ++from) {
    OK(hipMemset(memory[from], 0x40 + from, 4096));
    OK(hipMemcpy(memory[1 - from], memory[from], 4096, hipMemcpyDeviceToDevice));
    std::vector<unsigned char> host(4096);
    OK(hipMemcpy(host.data(), memory[1 - from], 4096, hipMemcpyDeviceToHost));
    CHECK((host == std::vector<unsigned char>(4096, static_cast<unsigned char>(0x40 + from))));
  }
  for (void* each : memory) OK(hipFree(each));
  OK(hipSetDevice(0));
}
