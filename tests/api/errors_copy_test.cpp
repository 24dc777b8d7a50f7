// What every form of a copy or a fill answers when it succeeds, and when a pointer, a size, a pitch or a direction is
// wrong: one table per kind of form, one row per function.
#include "testing.h"

#include <functional>
#include <numeric>

namespace {

constexpr hipMemcpyKind kNoKind = static_cast<hipMemcpyKind>(77);
constexpr size_t kBytes = 4096;

// Device memory of kBytes, zero, and a host buffer with bytes that all differ from their neighbours.
struct Blocks {
  Blocks() : host(kBytes) {
    std::iota(host.begin(), host.end(), static_cast<unsigned char>(1));
    OK(hipMalloc(&device, kBytes));
    OK(hipMalloc(&other, kBytes));
    OK(hipMemset(device, 0, kBytes));
    OK(hipMemset(other, 0, kBytes));
  }
  ~Blocks() {
    (void)hipFree(device);
    (void)hipFree(other);
  }
  std::vector<unsigned char> read(const void* memory, size_t bytes) {
    std::vector<unsigned char> copy(bytes);
    OK(hipDeviceSynchronize());
    OK(hipStreamSynchronize(hipStreamPerThread));
    OK(hipMemcpy(copy.data(), memory, bytes, hipMemcpyDefault));
    return copy;
  }
  std::vector<unsigned char> host;
  unsigned char *device = nullptr, *other = nullptr;
};

struct LinearForm {
  const char* name;
  hipMemcpyKind kind; // the one that it has, hipMemcpyDefault where the caller chooses
  std::function<hipError_t(void* dst, const void* src, size_t bytes, hipMemcpyKind kind)> copy;
};

const LinearForm kLinearForms[] = {
    {"hipMemcpy", hipMemcpyDefault, [](auto... a) { return hipMemcpy(a...); }},
    {"hipMemcpy_spt", hipMemcpyDefault, [](auto... a) { return hipMemcpy_spt(a...); }},
    {"hipMemcpyAsync", hipMemcpyDefault, [](auto... a) { return hipMemcpyAsync(a..., nullptr); }},
    {"hipMemcpyAsync_spt", hipMemcpyDefault, [](auto... a) { return hipMemcpyAsync_spt(a..., nullptr); }},
    {"hipMemcpyWithStream", hipMemcpyDefault, [](auto... a) { return hipMemcpyWithStream(a..., nullptr); }},
    {"hipMemcpyHtoD", hipMemcpyHostToDevice, [](auto d, auto s, auto n, auto) { return hipMemcpyHtoD(d, s, n); }},
    {"hipMemcpyHtoDAsync", hipMemcpyHostToDevice,
     [](auto d, auto s, auto n, auto) { return hipMemcpyHtoDAsync(d, s, n, nullptr); }},
    {"hipMemcpyDtoH", hipMemcpyDeviceToHost,
     [](auto d, auto s, auto n, auto) { return hipMemcpyDtoH(d, const_cast<void*>(s), n); }},
    {"hipMemcpyDtoHAsync", hipMemcpyDeviceToHost,
     [](auto d, auto s, auto n, auto) { return hipMemcpyDtoHAsync(d, const_cast<void*>(s), n, nullptr); }},
    {"hipMemcpyDtoD", hipMemcpyDeviceToDevice,
     [](auto d, auto s, auto n, auto) { return hipMemcpyDtoD(d, const_cast<void*>(s), n); }},
    {"hipMemcpyDtoDAsync", hipMemcpyDeviceToDevice,
     [](auto d, auto s, auto n, auto) { return hipMemcpyDtoDAsync(d, const_cast<void*>(s), n, nullptr); }},
    {"hipMemcpyPeer", hipMemcpyDeviceToDevice,
     [](auto d, auto s, auto n, auto) { return hipMemcpyPeer(d, 0, s, 0, n); }},
    {"hipMemcpyPeerAsync", hipMemcpyDeviceToDevice,
     [](auto d, auto s, auto n, auto) { return hipMemcpyPeerAsync(d, 0, s, 0, n, nullptr); }},
};

struct RowsForm {
  const char* name;
  bool has_kind;
  std::function<hipError_t(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                           hipMemcpyKind kind)>
      copy;
};

hip_Memcpy2D driver_rows(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height) {
  hip_Memcpy2D p{};
  p.dstMemoryType = p.srcMemoryType = hipMemoryTypeUnified;
  p.dstDevice = dst;
  p.dstPitch = dpitch;
  p.srcDevice = const_cast<void*>(src);
  p.srcPitch = spitch;
  p.WidthInBytes = width;
  p.Height = height;
  return p;
}
HIP_MEMCPY3D driver_box(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height) {
  HIP_MEMCPY3D p{};
  p.dstMemoryType = p.srcMemoryType = hipMemoryTypeUnified;
  p.dstDevice = dst;
  p.dstPitch = dpitch;
  p.srcDevice = const_cast<void*>(src);
  p.srcPitch = spitch;
  p.WidthInBytes = width;
  p.Height = height;
  p.Depth = 1;
  return p;
}
hipMemcpy3DParms box(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                     hipMemcpyKind kind) {
  hipMemcpy3DParms p{};
  p.dstPtr = make_hipPitchedPtr(dst, dpitch, width, height);
  p.srcPtr = make_hipPitchedPtr(const_cast<void*>(src), spitch, width, height);
  p.extent = make_hipExtent(width, height, 1);
  p.kind = kind;
  return p;
}

#define ROWS auto d, auto dp, auto s, auto sp, auto w, auto h, auto k
#define DRIVER_ROWS auto d, auto dp, auto s, auto sp, auto w, auto h, auto
const RowsForm kRowsForms[] = {
    {"hipMemcpy2D", true, [](auto... a) { return hipMemcpy2D(a...); }},
    {"hipMemcpy2D_spt", true, [](auto... a) { return hipMemcpy2D_spt(a...); }},
    {"hipMemcpy2DAsync", true, [](auto... a) { return hipMemcpy2DAsync(a..., nullptr); }},
    {"hipMemcpy2DAsync_spt", true, [](auto... a) { return hipMemcpy2DAsync_spt(a..., nullptr); }},
    {"hipMemcpy3D", true,
     [](ROWS) {
       const auto p = box(d, dp, s, sp, w, h, k);
       return hipMemcpy3D(&p);
     }},
    {"hipMemcpy3D_spt", true,
     [](ROWS) {
       const auto p = box(d, dp, s, sp, w, h, k);
       return hipMemcpy3D_spt(&p);
     }},
    {"hipMemcpy3DAsync", true,
     [](ROWS) {
       const auto p = box(d, dp, s, sp, w, h, k);
       return hipMemcpy3DAsync(&p, nullptr);
     }},
    {"hipMemcpy3DAsync_spt", true,
     [](ROWS) {
       const auto p = box(d, dp, s, sp, w, h, k);
       return hipMemcpy3DAsync_spt(&p, nullptr);
     }},
    {"hipMemcpyParam2D", false,
     [](DRIVER_ROWS) {
       const auto p = driver_rows(d, dp, s, sp, w, h);
       return hipMemcpyParam2D(&p);
     }},
    {"hipMemcpyParam2DAsync", false,
     [](DRIVER_ROWS) {
       const auto p = driver_rows(d, dp, s, sp, w, h);
       return hipMemcpyParam2DAsync(&p, nullptr);
     }},
    {"hipDrvMemcpy2DUnaligned", false,
     [](DRIVER_ROWS) {
       const auto p = driver_rows(d, dp, s, sp, w, h);
       return hipDrvMemcpy2DUnaligned(&p);
     }},
    {"hipDrvMemcpy3D", false,
     [](DRIVER_ROWS) {
       const auto p = driver_box(d, dp, s, sp, w, h);
       return hipDrvMemcpy3D(&p);
     }},
    {"hipDrvMemcpy3DAsync", false,
     [](DRIVER_ROWS) {
       const auto p = driver_box(d, dp, s, sp, w, h);
       return hipDrvMemcpy3DAsync(&p, nullptr);
     }},
};
#undef ROWS
#undef DRIVER_ROWS

struct FillForm {
  const char* name;
  size_t element_bytes;
  std::function<hipError_t(void* memory, size_t count)> fill; // with elements whose bytes are all 0x5a
};

const FillForm kFillForms[] = {
    {"hipMemset", 1, [](auto m, auto n) { return hipMemset(m, 0x5a, n); }},
    {"hipMemset_spt", 1, [](auto m, auto n) { return hipMemset_spt(m, 0x5a, n); }},
    {"hipMemsetAsync", 1, [](auto m, auto n) { return hipMemsetAsync(m, 0x5a, n, nullptr); }},
    {"hipMemsetAsync_spt", 1, [](auto m, auto n) { return hipMemsetAsync_spt(m, 0x5a, n, nullptr); }},
    {"hipMemsetD8", 1, [](auto m, auto n) { return hipMemsetD8(m, 0x5a, n); }},
    {"hipMemsetD8Async", 1, [](auto m, auto n) { return hipMemsetD8Async(m, 0x5a, n, nullptr); }},
    {"hipMemsetD16", 2, [](auto m, auto n) { return hipMemsetD16(m, 0x5a5a, n); }},
    {"hipMemsetD16Async", 2, [](auto m, auto n) { return hipMemsetD16Async(m, 0x5a5a, n, nullptr); }},
    {"hipMemsetD32", 4, [](auto m, auto n) { return hipMemsetD32(m, 0x5a5a5a5a, n); }},
    {"hipMemsetD32Async", 4, [](auto m, auto n) { return hipMemsetD32Async(m, 0x5a5a5a5a, n, nullptr); }},
};

struct FillRowsForm {
  const char* name;
  size_t element_bytes;
  std::function<hipError_t(void* memory, size_t pitch, size_t width, size_t height)> fill;
};

hipPitchedPtr pitched(void* memory, size_t pitch, size_t width, size_t height) {
  return make_hipPitchedPtr(memory, pitch, width, height);
}

const FillRowsForm kFillRowsForms[] = {
    {"hipMemset2D", 1, [](auto m, auto p, auto w, auto h) { return hipMemset2D(m, p, 0x5a, w, h); }},
    {"hipMemset2D_spt", 1, [](auto m, auto p, auto w, auto h) { return hipMemset2D_spt(m, p, 0x5a, w, h); }},
    {"hipMemset2DAsync", 1, [](auto m, auto p, auto w, auto h) { return hipMemset2DAsync(m, p, 0x5a, w, h, nullptr); }},
    {"hipMemset2DAsync_spt", 1,
     [](auto m, auto p, auto w, auto h) { return hipMemset2DAsync_spt(m, p, 0x5a, w, h, nullptr); }},
    {"hipMemset3D", 1,
     [](auto m, auto p, auto w, auto h) { return hipMemset3D(pitched(m, p, w, h), 0x5a, make_hipExtent(w, h, 1)); }},
    {"hipMemset3D_spt", 1,
     [](auto m, auto p, auto w, auto h) {
       return hipMemset3D_spt(pitched(m, p, w, h), 0x5a, make_hipExtent(w, h, 1));
     }},
    {"hipMemset3DAsync", 1,
     [](auto m, auto p, auto w, auto h) {
       return hipMemset3DAsync(pitched(m, p, w, h), 0x5a, make_hipExtent(w, h, 1), nullptr);
     }},
    {"hipMemset3DAsync_spt", 1,
     [](auto m, auto p, auto w, auto h) {
       return hipMemset3DAsync_spt(pitched(m, p, w, h), 0x5a, make_hipExtent(w, h, 1), nullptr);
     }},
    {"hipMemsetD2D8", 1, [](auto m, auto p, auto w, auto h) { return hipMemsetD2D8(m, p, 0x5a, w, h); }},
    {"hipMemsetD2D8Async", 1,
     [](auto m, auto p, auto w, auto h) { return hipMemsetD2D8Async(m, p, 0x5a, w, h, nullptr); }},
    {"hipMemsetD2D16", 2, [](auto m, auto p, auto w, auto h) { return hipMemsetD2D16(m, p, 0x5a5a, w, h); }},
    {"hipMemsetD2D16Async", 2,
     [](auto m, auto p, auto w, auto h) { return hipMemsetD2D16Async(m, p, 0x5a5a, w, h, nullptr); }},
    {"hipMemsetD2D32", 4, [](auto m, auto p, auto w, auto h) { return hipMemsetD2D32(m, p, 0x5a5a5a5a, w, h); }},
    {"hipMemsetD2D32Async", 4,
     [](auto m, auto p, auto w, auto h) { return hipMemsetD2D32Async(m, p, 0x5a5a5a5a, w, h, nullptr); }},
};

} // namespace

TEST_CASE("Every form of a linear copy") {
  for (const LinearForm& form : kLinearForms) {
    INFO(form.name);
    Blocks b;
    OK(hipMemcpy(b.other, b.host.data(), kBytes, hipMemcpyHostToDevice)); // what forms between devices copy
    const bool to_host = form.kind == hipMemcpyDeviceToHost, from_device = form.kind == hipMemcpyDeviceToDevice;
    std::vector<unsigned char> back(kBytes);
    void* const dst = to_host ? back.data() : static_cast<void*>(b.device);
    const void* const src = to_host || from_device ? static_cast<const void*>(b.other) : b.host.data();
    OK(form.copy(dst, src, 1000, hipMemcpyDefault));
    std::vector<unsigned char> expected(b.host.begin(), b.host.begin() + 1000);
    expected.resize(1001); // what lies behind it stays
    CHECK(b.read(dst, 1001) == expected);
    OK(form.copy(dst, src, 0, hipMemcpyDefault));
    FAILS(form.copy(nullptr, src, 16, hipMemcpyDefault), hipErrorInvalidValue);
    FAILS(form.copy(dst, nullptr, 16, hipMemcpyDefault), hipErrorInvalidValue);
    if (!to_host) FAILS(form.copy(b.device + 1, src, kBytes, hipMemcpyDefault), hipErrorInvalidValue);
    if (to_host || from_device) FAILS(form.copy(dst, b.other + 1, kBytes, hipMemcpyDefault), hipErrorInvalidValue);
    if (form.kind == hipMemcpyDefault) FAILS(form.copy(dst, src, 16, kNoKind), hipErrorInvalidMemcpyDirection);
  }
}

TEST_CASE("Every form of a copy of rows") {
  constexpr size_t kPitch = 64, kSourcePitch = 48, kWidth = 40, kHeight = 7;
  for (const RowsForm& form : kRowsForms) {
    INFO(form.name);
    Blocks b;
    OK(form.copy(b.device, kPitch, b.host.data(), kSourcePitch, kWidth, kHeight, hipMemcpyHostToDevice));
    std::vector<unsigned char> expected(kPitch * kHeight);
    for (size_t y = 0; y < kHeight; ++y)
      std::copy_n(b.host.begin() + y * kSourcePitch, kWidth, expected.begin() + y * kPitch);
    CHECK(b.read(b.device, expected.size()) == expected);
    FAILS(form.copy(nullptr, kPitch, b.host.data(), kPitch, kWidth, kHeight, hipMemcpyHostToDevice),
          hipErrorInvalidValue);
    FAILS(form.copy(b.device, kPitch, nullptr, kPitch, kWidth, kHeight, hipMemcpyHostToDevice), hipErrorInvalidValue);
    FAILS(form.copy(b.device, kWidth - 1, b.host.data(), kPitch, kWidth, kHeight, hipMemcpyHostToDevice),
          hipErrorInvalidPitchValue);
    FAILS(form.copy(b.device, kPitch, b.host.data(), kWidth - 1, kWidth, kHeight, hipMemcpyHostToDevice),
          hipErrorInvalidPitchValue);
    FAILS(form.copy(b.device + 1, kPitch, b.host.data(), kPitch, kPitch, kBytes / kPitch, hipMemcpyHostToDevice),
          hipErrorInvalidValue);
    if (!form.has_kind) continue;
    FAILS(form.copy(b.device, kPitch, b.host.data(), kPitch, kWidth, kHeight, kNoKind), hipErrorInvalidMemcpyDirection);
  }
}

TEST_CASE("Every form of a fill") {
  for (const FillForm& form : kFillForms) {
    INFO(form.name);
    Blocks b;
    OK(form.fill(b.device, 100));
    std::vector<unsigned char> expected(100 * form.element_bytes, 0x5a);
    expected.push_back(0);
    CHECK(b.read(b.device, expected.size()) == expected);
    OK(form.fill(b.device, 0));
    FAILS(form.fill(nullptr, 1), hipErrorInvalidValue);
    FAILS(form.fill(b.device, kBytes / form.element_bytes + 1), hipErrorInvalidValue);
    FAILS(form.fill(b.device, SIZE_MAX), hipErrorInvalidValue);
  }
}

TEST_CASE("Every form of a fill of rows") {
  constexpr size_t kPitch = 64, kWidth = 10, kHeight = 5;
  for (const FillRowsForm& form : kFillRowsForms) {
    INFO(form.name);
    Blocks b;
    OK(form.fill(b.device, kPitch, kWidth, kHeight));
    std::vector<unsigned char> expected(kPitch * kHeight);
    for (size_t y = 0; y < kHeight; ++y)
      std::fill_n(expected.begin() + y * kPitch, kWidth * form.element_bytes, static_cast<unsigned char>(0x5a));
    CHECK(b.read(b.device, expected.size()) == expected);
    OK(form.fill(b.device, kPitch, 0, kHeight));
    FAILS(form.fill(nullptr, kPitch, kWidth, kHeight), hipErrorInvalidValue);
    FAILS(form.fill(b.device, kWidth * form.element_bytes - 1, kWidth, kHeight), hipErrorInvalidValue);
    FAILS(form.fill(b.device, kPitch, kWidth, kBytes / kPitch + 1), hipErrorInvalidValue);
  }
}
