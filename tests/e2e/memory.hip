// Global memory from kernels: accesses of 1 to 16 bytes, aligned and not, vectors, bytes next to each other, volatile,
// host memory mapped into the device, device-side copies.
#include "e2e.h"

namespace {

template<class T> __global__ void strided(const T* in, T* out, int count, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i * stride] = in[(count - 1 - i) * stride];
}
template<class T> void check_strided() {
  for (const int stride : {1, 2, 7}) {
    constexpr int kCount = 500;
    std::vector<T> host(kCount * stride);
    for (size_t i = 0; i < host.size(); ++i) {
      auto* bytes = reinterpret_cast<unsigned char*>(&host[i]);
      for (size_t b = 0; b < sizeof(T); ++b) bytes[b] = static_cast<unsigned char>(i * 13 + b * 5 + 1);
    }
    e2e::Device<T> in(host), out(host.size());
    strided<T><<<4, 128>>>(in, out, kCount, stride);
    RUN_OK();
    const auto got = out.download();
    const T zero{};
    for (int i = 0; i < kCount * stride; ++i)
      CHECK(std::memcmp(&got[i], i % stride == 0 ? &host[(kCount - 1 - i / stride) * stride] : &zero, sizeof(T)) == 0);
  }
}

struct Big {
  double d[5];
  char c[3];
};

// Neighbours write neighbouring bytes; none may be lost.
__global__ void neighbours(unsigned char* bytes, unsigned short* halves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[i] = static_cast<unsigned char>(i * 7);
  halves[i] = static_cast<unsigned short>(i * 77);
}

struct __attribute__((packed)) Unaligned {
  char a;
  int b;
  long long c;
  double d;
};
__global__ void unaligned(const Unaligned* in, Unaligned* out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  out[i].a = in[i].a;
  out[i].b = in[i].b + 1;
  out[i].c = in[i].c * 2;
  out[i].d = in[i].d * 0.5;
}

#if defined(__HIP_PLATFORM_NVIDIA__)
using Half = float; // nvcc has no _Float16
#else
using Half = _Float16;
#endif
struct __attribute__((packed)) UnalignedReals {
  char a;
  double d;
  float f;
  char b;
  Half h;
};

__global__ void unaligned_reals(const UnalignedReals* in, UnalignedReals* out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  out[i].a = in[i].a;
  out[i].d = in[i].d / 3;
  out[i].f = in[i].f / 3;
  out[i].b = in[i].b;
  out[i].h = in[i].h * in[i].h;
}

// The low bytes of what was computed, which are no conversions to integers.
__global__ void low_parts(const double* in, unsigned char* bytes, unsigned short* shorts, unsigned* words, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const double third = in[i] / 3;
  bytes[i] = static_cast<unsigned char>(__double_as_longlong(third));
  shorts[i] = static_cast<unsigned short>(__float_as_uint(static_cast<float>(third)));
  words[i] = static_cast<unsigned>(__double_as_longlong(third * third));
}

__global__ void scattered(const int* where, const int* values, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[where[i]] = values[where[(i * 31) % count]];
}

__global__ void device_copies(char* to, const char* from) {
  __builtin_memcpy(to, from, 100);
  __builtin_memset(to + 100, 0x5a, 77);
#if defined(__HIP_PLATFORM_NVIDIA__) // nvcc knows no such builtin
  memmove(to + 203, to + 1, 90);
#else
  __builtin_memmove(to + 203, to + 1, 90);
#endif
}

__global__ void pointer_chase(const long long* next, int steps, long long* out) {
  long long at = threadIdx.x;
  for (int s = 0; s < steps; ++s) at = next[at];
  out[threadIdx.x] = at;
}

__global__ void linked(int** rows, int count, int* sum) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += rows[i][threadIdx.x];
  sum[threadIdx.x] = total;
}

__global__ void use_mapped(int* mapped) { mapped[threadIdx.x] = mapped[threadIdx.x] * 2 + 1; }

__global__ void vectors(const float4* a, const int2* b, float4* out) {
  const int i = threadIdx.x;
  const float4 v = a[i];
  const int2 w = b[i];
  out[i] = make_float4(v.w + w.x, v.z - w.y, v.y * 2, v.x + v.y + v.z + v.w);
}

} // namespace

E2E_CASE(accesses_of_every_size) {
  check_strided<unsigned char>();
  check_strided<short>();
  check_strided<int>();
  check_strided<double>();
  check_strided<int2>();
  check_strided<char3>();
  check_strided<int3>();
  check_strided<float4>();
  check_strided<double2>();
  check_strided<Big>();
}

E2E_CASE(neighbouring_bytes) {
  constexpr int kCount = 2048;
  e2e::Device<unsigned char> bytes(kCount);
  e2e::Device<unsigned short> halves(kCount);
  neighbours<<<kCount / 256, 256>>>(bytes, halves);
  RUN_OK();
  const auto b = bytes.download();
  const auto h = halves.download();
  for (int i = 0; i < kCount; ++i) {
    CHECK_AT(i, int(b[i]), static_cast<unsigned char>(i * 7));
    CHECK_AT(i, int(h[i]), static_cast<unsigned short>(i * 77));
  }
}

E2E_CASE(unaligned_members) {
  std::vector<Unaligned> host(50);
  for (int i = 0; i < 50; ++i) host[i] = {static_cast<char>(i), i * 1000, i * 1000000007LL, i * 1.5};
  e2e::Device<Unaligned> in(host), out(50);
  unaligned<<<1, 64>>>(in, out, 50);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 50; ++i) {
    CHECK(got[i].a == i && got[i].b == i * 1000 + 1 && got[i].c == i * 2000000014LL && got[i].d == i * 0.75);
  }
}

E2E_CASE(unaligned_reals) {
  std::vector<UnalignedReals> host(50);
  for (int i = 0; i < 50; ++i)
    host[i] = {static_cast<char>(i), i + 0.25, i * 1.7f, static_cast<char>(-i), static_cast<Half>(i)};
  e2e::Device<UnalignedReals> in(host), out(50);
  unaligned_reals<<<1, 64>>>(in, out, 50);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 50; ++i) {
    CHECK(got[i].a == i && got[i].b == -i && got[i].d == (i + 0.25) / 3);
    CHECK(got[i].f == i * 1.7f / 3 && got[i].h == static_cast<Half>(i * i));
  }
}

E2E_CASE(low_parts_of_reals) {
  std::vector<double> host(50);
  for (int i = 0; i < 50; ++i) host[i] = i * 77.7 + 1;
  e2e::Device<double> in(host);
  e2e::Device<unsigned char> bytes(50);
  e2e::Device<unsigned short> shorts(50);
  e2e::Device<unsigned> words(50);
  low_parts<<<1, 64>>>(in, bytes, shorts, words, 50);
  RUN_OK();
  const auto b = bytes.download();
  const auto s = shorts.download();
  const auto w = words.download();
  const auto low = [](auto real) { // little endian
    uint64_t bits = 0;
    std::memcpy(&bits, &real, sizeof real);
    return bits;
  };
  for (int i = 0; i < 50; ++i) {
    const double third = host[i] / 3;
    CHECK_AT(i, b[i], static_cast<unsigned char>(low(third)));
    CHECK_AT(i, s[i], static_cast<unsigned short>(low(static_cast<float>(third))));
    CHECK_AT(i, w[i], static_cast<unsigned>(low(third * third)));
  }
}

E2E_CASE(scattered_accesses) {
  constexpr int kCount = 1024;
  std::vector<int> where(kCount), values(kCount);
  for (int i = 0; i < kCount; ++i) where[i] = (i * 389 + 17) % kCount, values[i] = i * 3;
  e2e::Device<int> dw(where), dv(values), out(kCount);
  scattered<<<4, 256>>>(dw, dv, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) CHECK_AT(i, got[where[i]], values[where[(i * 31) % kCount]]);
}

E2E_CASE(copies_in_kernels) {
  std::vector<char> host(300);
  for (int i = 0; i < 300; ++i) host[i] = static_cast<char>(i * 3);
  e2e::Device<char> from(host), to(300);
  device_copies<<<1, 1>>>(to, from);
  RUN_OK();
  const auto got = to.download();
  for (int i = 0; i < 100; ++i) CHECK_AT(i, int(got[i]), host[i]);
  for (int i = 100; i < 177; ++i) CHECK_AT(i, int(got[i]), 0x5a);
  for (int i = 203; i < 293; ++i) CHECK_AT(i, int(got[i]), got[i - 202]);
}

E2E_CASE(pointers_in_memory) {
  std::vector<long long> next(1000);
  for (int i = 0; i < 1000; ++i) next[i] = (i * 7 + 3) % 1000;
  e2e::Device<long long> dn(next), out(64);
  pointer_chase<<<1, 64>>>(dn, 50, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) {
    long long at = i;
    for (int s = 0; s < 50; ++s) at = next[at];
    CHECK_AT(i, got[i], at);
  }
  e2e::Device<int> a(std::vector<int>(64, 1)), b(std::vector<int>(64, 20)), c(std::vector<int>(64, 300)), sum(64);
  e2e::Device<int*> rows(std::vector<int*>{a, b, c});
  linked<<<1, 64>>>(rows, 3, sum);
  RUN_OK();
  for (const int x : sum.download()) CHECK_EQ(x, 321);
}

E2E_CASE(host_memory) {
  int* pinned = nullptr;
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), 64 * sizeof(int), hipHostMallocMapped));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  int* on_device = nullptr;
  HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&on_device), pinned, 0));
  use_mapped<<<1, 64>>>(on_device);
  RUN_OK();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, pinned[i], i * 2 + 1);
  HIP_OK(hipHostFree(pinned));

  std::vector<int> registered(64, 5);
  HIP_OK(hipHostRegister(registered.data(), 64 * sizeof(int), hipHostRegisterDefault));
  HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&on_device), registered.data(), 0));
  use_mapped<<<1, 64>>>(on_device);
  RUN_OK();
  for (const int x : registered) CHECK_EQ(x, 11);
  HIP_OK(hipHostUnregister(registered.data()));

  int* managed = nullptr;
  HIP_OK(hipMallocManaged(reinterpret_cast<void**>(&managed), 64 * sizeof(int), hipMemAttachGlobal));
  for (int i = 0; i < 64; ++i) managed[i] = i;
  use_mapped<<<1, 64>>>(managed);
  RUN_OK();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, managed[i], i * 2 + 1);
  HIP_OK(hipFree(managed));
}

E2E_CASE(vector_types) {
  std::vector<float4> a(64);
  std::vector<int2> b(64);
  for (int i = 0; i < 64; ++i) a[i] = make_float4(i, i + 1, i + 2, i + 3), b[i] = make_int2(i * 2, i * 3);
  e2e::Device<float4> da(a), out(64);
  e2e::Device<int2> db(b);
  vectors<<<1, 64>>>(da, db, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) {
    CHECK_AT(i, got[i].x, float(i + 3 + i * 2));
    CHECK_AT(i, got[i].y, float(i + 2 - i * 3));
    CHECK_AT(i, got[i].z, float((i + 1) * 2));
    CHECK_AT(i, got[i].w, float(4 * i + 6));
  }
}
