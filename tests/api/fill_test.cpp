#include "testing.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

// Keeps a stream busy until it is opened, or for five seconds at most: a call that waits fails then, and does not hang.
struct Gate {
  std::atomic<bool> open{false};
  static void wait(void* gate) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!static_cast<Gate*>(gate)->open && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

} // namespace

TEST_CASE("Fills of bytes, half words and words") {
  uint32_t* device = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&device), 1000));
  std::vector<uint8_t> host(1000);
  auto fetch = [&] { OK(hipMemcpy(host.data(), device, 1000, hipMemcpyDeviceToHost)); };
  OK(hipMemset(device, 0x1ab, 1000)); // only the low byte counts
  fetch();
  CHECK(host == std::vector<uint8_t>(1000, 0xab));
  OK(hipMemsetD8(reinterpret_cast<char*>(device) + 1, 5, 3));
  fetch();
  CHECK(host[0] == 0xab);
  CHECK(host[1] == 5);
  CHECK(host[3] == 5);
  CHECK(host[4] == 0xab);
  OK(hipMemsetD16(device, 0x1234, 500));
  fetch();
  CHECK(host[998] == 0x34);
  CHECK(host[999] == 0x12);
  OK(hipMemsetD32(device, 0x01020304, 250));
  fetch();
  CHECK(host[996] == 4);
  CHECK(host[999] == 1);
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMemsetAsync(device, 1, 1000, stream));
  OK(hipMemsetD8Async(device, 2, 10, stream));
  OK(hipMemsetD16Async(device, 0x0303, 2, stream));
  OK(hipMemsetD32Async(device, 0x04040404, 1, stream));
  OK(hipStreamSynchronize(stream));
  fetch();
  CHECK(host[0] == 4);
  CHECK(host[9] == 2);
  CHECK(host[10] == 1);
  OK(hipStreamDestroy(stream));
  OK(hipMemset(device, 1, 0));
  OK(hipFree(device));
}

TEST_CASE("Asynchronous fills of host memory do not wait for the stream") {
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  uint8_t* pinned = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), 64, 0));
  std::vector<uint8_t> registered(64);
  OK(hipHostRegister(registered.data(), 64, 0));
  uint8_t* managed = nullptr;
  OK(hipMallocManaged(reinterpret_cast<void**>(&managed), 64));
  OK(hipMemset(pinned, 0, 64)); // waits, as fills of host memory do
  CHECK(pinned[63] == 0);

  Gate gate;
  OK(hipLaunchHostFunc(stream, Gate::wait, &gate));
  OK(hipMemsetAsync(pinned, 1, 64, stream));
  OK(hipMemsetD8Async(registered.data(), 2, 64, stream));
  OK(hipMemsetD32Async(managed, 0x03030303, 16, stream));
  OK(hipMemset2DAsync(pinned, 8, 4, 4, 2, stream));
  if (kernels_run()) { // the null back end does everything at once
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    CHECK(pinned[63] == 0);
  }
  gate.open = true;
  OK(hipStreamSynchronize(stream));
  CHECK(pinned[63] == 1);
  CHECK(pinned[8] == 4);
  CHECK(registered[63] == 2);
  CHECK(managed[63] == 3);

  OK(hipHostUnregister(registered.data()));
  OK(hipFree(managed));
  OK(hipHostFree(pinned));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Fills that cannot be") {
  char* device = nullptr;
  char host[100];
  OK(hipMalloc(reinterpret_cast<void**>(&device), 100));
  FAILS(hipMemset(nullptr, 0, 10), hipErrorInvalidValue);
  FAILS(hipMemset(host, 0, 10), hipErrorInvalidValue); // pageable memory is the host's
  FAILS(hipMemset(device, 0, 101), hipErrorInvalidValue);
  FAILS(hipMemset(device + 101, 0, 1), hipErrorInvalidValue);
  FAILS(hipMemsetD32(device, 0, 26), hipErrorInvalidValue);
  FAILS(hipMemsetD32(device, 0, SIZE_MAX / 2), hipErrorInvalidValue);
  FAILS(hipMemsetD16(device + 1, 0, 1), hipErrorInvalidValue);
  FAILS(hipMemsetAsync(device, 0, 10, garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
  FAILS(hipMemset2D(device, 5, 0, 10, 2), hipErrorInvalidValue);
  FAILS(hipMemset2D(device, 50, 0, 10, 4), hipErrorInvalidValue);
  FAILS(hipMemset3D(hipPitchedPtr{}, 0, make_hipExtent(1, 1, 1)), hipErrorInvalidValue);
  FAILS(hipMemset3D(make_hipPitchedPtr(device, 10, 10, 2), 0, make_hipExtent(10, 3, 2)), hipErrorInvalidValue);
  OK(hipMemset3D(make_hipPitchedPtr(device, 10, 10, 2), 0, make_hipExtent(0, 0, 0)));
  OK(hipFree(device));
}

TEST_CASE("Fills of rows and boxes leave the rest alone") {
  constexpr size_t kX = 10, kY = 4, kZ = 3;
  hipPitchedPtr box;
  OK(hipMalloc3D(&box, make_hipExtent(kX, kY, kZ)));
  const size_t bytes = box.pitch * kY * kZ;
  OK(hipMemset(box.ptr, 1, bytes));
  OK(hipMemset3D(box, 2, make_hipExtent(kX, kY - 1, kZ)));
  OK(hipMemset2D(box.ptr, box.pitch, 3, 2, 2));
  OK(hipMemset2DAsync(box.ptr, box.pitch, 4, 1, 1, nullptr));
  OK(hipMemset3DAsync(box, 5, make_hipExtent(1, 1, 1), nullptr));
  std::vector<uint8_t> host(bytes);
  OK(hipMemcpy(host.data(), box.ptr, bytes, hipMemcpyDeviceToHost));
  for (size_t z = 0; z < kZ; ++z)
    for (size_t y = 0; y < kY; ++y)
      for (size_t x = 0; x < box.pitch; ++x) {
        int expected = x < kX && y < kY - 1 ? 2 : 1;
        if (z == 0 && y < 2 && x < 2) expected = 3;
        if (z == 0 && y == 0 && x == 0) expected = 5;
        REQUIRE(host[(z * kY + y) * box.pitch + x] == expected);
      }
  OK(hipFree(box.ptr));
}
