#include "testing.h"

#include <numeric>

namespace {

// A device allocation that is freed at the end.
struct DeviceMemory {
  explicit DeviceMemory(size_t bytes) { OK(hipMalloc(&address, bytes)); }
  ~DeviceMemory() { (void)hipFree(address); }
  void* address = nullptr;
};

std::vector<unsigned char> ramp(size_t n) {
  std::vector<unsigned char> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<unsigned char>(i * 7 + 1);
  return v;
}

} // namespace

TEST_CASE("Copies in all directions") {
  const auto source = ramp(10000);
  std::vector<unsigned char> back(source.size());
  DeviceMemory a(source.size()), b(source.size());
  const bool by_kind = GENERATE(true, false);
  auto kind = [&](hipMemcpyKind k) { return by_kind ? k : hipMemcpyDefault; };
  OK(hipMemcpy(a.address, source.data(), source.size(), kind(hipMemcpyHostToDevice)));
  OK(hipMemcpy(b.address, a.address, source.size(), kind(hipMemcpyDeviceToDevice)));
  OK(hipMemcpy(back.data(), b.address, source.size(), kind(hipMemcpyDeviceToHost)));
  CHECK(back == source);
  std::vector<unsigned char> host(source.size());
  OK(hipMemcpy(host.data(), source.data(), source.size(), kind(hipMemcpyHostToHost)));
  CHECK(host == source);
}

TEST_CASE("Copies that cannot be") {
  DeviceMemory a(100);
  char host[200] = {};
  FAILS(hipMemcpy(nullptr, host, 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy(a.address, nullptr, 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy(a.address, host, 101, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy(static_cast<char*>(a.address) + 50, host, 51, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy(host, a.address, 101, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  FAILS(hipMemcpy(a.address, host, 10, static_cast<hipMemcpyKind>(-1)), hipErrorInvalidMemcpyDirection);
  FAILS(hipMemcpy(a.address, host, 10, static_cast<hipMemcpyKind>(77)), hipErrorInvalidMemcpyDirection);
  FAILS(hipMemcpyAsync(a.address, host, 10, hipMemcpyHostToDevice, garbage_handle<hipStream_t>()),
        hipErrorContextIsDestroyed);
  if (int reaches = 0; hipDeviceGetAttribute(&reaches, hipDeviceAttributePageableMemoryAccess, 0) == hipSuccess && !reaches)
    for (const hipMemcpyKind kind : {hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice}) {
      FAILS(hipMemcpy(host, host, 10, kind), hipErrorInvalidValue);
      FAILS(hipMemcpyAsync(host, host + 100, 10, kind, nullptr), hipErrorInvalidValue);
      FAILS(hipMemcpy2D(host, 10, host + 100, 10, 5, 5, kind), hipErrorInvalidValue);
    }
  OK(hipMemcpy(host, host + 100, 10, hipMemcpyDefault));
  OK(hipMemcpy(a.address, host, 0, hipMemcpyHostToDevice));
  OK(hipMemcpy(nullptr, host, 0, hipMemcpyHostToDevice));
  OK(hipMemcpy(a.address, host, 100, hipMemcpyHostToDevice));
}

TEST_CASE("Driver-style and stream copies") {
  const auto source = ramp(1000);
  std::vector<unsigned char> back(1000);
  DeviceMemory a(1000), b(1000);
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMemcpyHtoD(a.address, source.data(), 1000));
  OK(hipMemcpyDtoD(b.address, a.address, 1000));
  OK(hipMemcpyDtoH(back.data(), b.address, 1000));
  CHECK(back == source);
  std::fill(back.begin(), back.end(), 0);
  OK(hipMemsetAsync(a.address, 0, 1000, stream));
  OK(hipMemcpyHtoDAsync(a.address, source.data(), 1000, stream));
  OK(hipMemcpyDtoDAsync(b.address, a.address, 1000, stream));
  OK(hipMemcpyDtoHAsync(back.data(), b.address, 1000, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(back == source);
  std::fill(back.begin(), back.end(), 0);
  OK(hipMemcpyWithStream(back.data(), b.address, 1000, hipMemcpyDeviceToHost, stream));
  CHECK(back == source);
  std::fill(back.begin(), back.end(), 0);
  OK(hipMemcpyAsync(back.data(), b.address, 1000, hipMemcpyDeviceToHost, hipStreamPerThread));
  OK(hipStreamSynchronize(hipStreamPerThread));
  CHECK(back == source);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Copies of rows") {
  constexpr size_t kWidth = 30, kHeight = 20, kHostPitch = 40;
  const auto source = ramp(kHostPitch * kHeight);
  std::vector<unsigned char> back(kHostPitch * kHeight, 0xee);
  void* device = nullptr;
  size_t pitch = 0;
  OK(hipMallocPitch(&device, &pitch, kWidth, kHeight));
  OK(hipMemcpy2D(device, pitch, source.data(), kHostPitch, kWidth, kHeight, hipMemcpyHostToDevice));
  OK(hipMemcpy2D(back.data(), kHostPitch, device, pitch, kWidth, kHeight, hipMemcpyDeviceToHost));
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kHostPitch; ++x)
      REQUIRE(back[y * kHostPitch + x] == (x < kWidth ? source[y * kHostPitch + x] : 0xee));
  FAILS(hipMemcpy2D(nullptr, pitch, source.data(), kHostPitch, kWidth, kHeight, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy2D(device, pitch, nullptr, kHostPitch, kWidth, kHeight, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpy2D(device, kWidth - 1, source.data(), kHostPitch, kWidth, kHeight, hipMemcpyHostToDevice),
        hipErrorInvalidPitchValue);
  FAILS(hipMemcpy2D(device, pitch, source.data(), kWidth - 1, kWidth, kHeight, hipMemcpyHostToDevice),
        hipErrorInvalidPitchValue);
  FAILS(hipMemcpy2D(device, size_t{INT32_MAX} + 1, source.data(), kHostPitch, kWidth, kHeight, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  FAILS(hipMemcpy2D(device, pitch, source.data(), kHostPitch, kWidth, kHeight + 1, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  FAILS(hipMemcpy2D(device, pitch, source.data(), kHostPitch, kWidth, kHeight, static_cast<hipMemcpyKind>(-1)),
        hipErrorInvalidMemcpyDirection);
  OK(hipMemcpy2D(device, pitch, source.data(), kHostPitch, 0, kHeight, hipMemcpyHostToDevice));
  OK(hipMemcpy2DAsync(device, pitch, source.data(), kHostPitch, kWidth, kHeight, hipMemcpyHostToDevice, nullptr));
  hip_Memcpy2D p{};
  p.srcMemoryType = hipMemoryTypeHost;
  p.srcHost = source.data();
  p.srcPitch = kHostPitch;
  p.srcXInBytes = 3;
  p.srcY = 2;
  p.dstMemoryType = hipMemoryTypeDevice;
  p.dstDevice = device;
  p.dstPitch = pitch;
  p.WidthInBytes = 10;
  p.Height = 4;
  OK(hipMemcpyParam2D(&p));
  unsigned char first = 0;
  OK(hipMemcpy(&first, device, 1, hipMemcpyDeviceToHost));
  CHECK(first == source[2 * kHostPitch + 3]);
  OK(hipDrvMemcpy2DUnaligned(&p));
  FAILS(hipMemcpyParam2D(nullptr), hipErrorInvalidValue);
  p.dstPitch = 9;
  FAILS(hipMemcpyParam2D(&p), hipErrorInvalidPitchValue);
  OK(hipFree(device));
}

TEST_CASE("Copies of boxes") {
  constexpr size_t kX = 13, kY = 7, kZ = 5;
  const auto source = ramp(kX * kY * kZ);
  std::vector<unsigned char> back(source.size());
  hipPitchedPtr device;
  OK(hipMalloc3D(&device, make_hipExtent(kX, kY, kZ)));
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(const_cast<unsigned char*>(source.data()), kX, kX, kY);
  p.dstPtr = device;
  p.extent = make_hipExtent(kX, kY, kZ);
  p.kind = hipMemcpyHostToDevice;
  OK(hipMemcpy3D(&p));
  hipMemcpy3DParms q{};
  q.srcPtr = device;
  q.dstPtr = make_hipPitchedPtr(back.data(), kX, kX, kY);
  q.extent = p.extent;
  q.kind = hipMemcpyDeviceToHost;
  OK(hipMemcpy3D(&q));
  CHECK(back == source);
  SECTION("from and to positions") {
    std::fill(back.begin(), back.end(), 0);
    q.srcPos = make_hipPos(1, 2, 3);
    q.extent = make_hipExtent(4, 3, 2);
    OK(hipMemcpy3DAsync(&q, nullptr));
    OK(hipDeviceSynchronize());
    for (size_t z = 0; z < 2; ++z)
      for (size_t y = 0; y < 3; ++y)
        for (size_t x = 0; x < 4; ++x)
          REQUIRE(back[(z * kY + y) * kX + x] == source[((z + 3) * kY + y + 2) * kX + x + 1]);
  }
  SECTION("errors") {
    FAILS(hipMemcpy3D(nullptr), hipErrorInvalidValue);
    auto bad = p;
    bad.dstPtr.ptr = nullptr;
    FAILS(hipMemcpy3D(&bad), hipErrorInvalidValue);
    bad = p;
    bad.srcPtr.ptr = nullptr;
    FAILS(hipMemcpy3D(&bad), hipErrorInvalidValue);
    bad = p;
    bad.dstPtr.pitch = kX - 1;
    FAILS(hipMemcpy3D(&bad), hipErrorInvalidPitchValue);
    bad = p;
    bad.dstPtr.pitch = INT32_MAX;
    FAILS(hipMemcpy3D(&bad), hipErrorInvalidValue);
    bad = p;
    bad.dstPos.z = 1;
    FAILS(hipMemcpy3D(&bad), hipErrorInvalidValue);
    bad = p;
    bad.extent.depth = SIZE_MAX;
    FAILS(hipMemcpy3D(&bad), hipErrorInvalidValue);
    bad = p;
    bad.extent.width = 0;
    OK(hipMemcpy3D(&bad));
  }
  SECTION("driver-style") {
    HIP_MEMCPY3D d{};
    d.srcMemoryType = hipMemoryTypeDevice;
    d.srcDevice = device.ptr;
    d.srcPitch = device.pitch;
    d.srcHeight = kY;
    d.dstMemoryType = hipMemoryTypeHost;
    d.dstHost = back.data();
    d.WidthInBytes = kX;
    d.Height = kY;
    d.Depth = kZ;
    std::fill(back.begin(), back.end(), 0);
    OK(hipDrvMemcpy3D(&d));
    CHECK(back == source);
    d.srcMemoryType = static_cast<hipMemoryType>(55);
    FAILS(hipDrvMemcpy3D(&d), hipErrorInvalidValue);
    FAILS(hipDrvMemcpy3D(nullptr), hipErrorInvalidValue);
  }
  OK(hipFree(device.ptr));
}
