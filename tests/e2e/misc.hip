// What fits nowhere else: clocks, assert that holds, templates, inline assembly, loops that the compiler may unroll,
// kernels in several streams with dependencies, a matrix product over many tiles as a longer run, complex numbers.
#include "e2e.h"

#include <hip/hip_complex.h>

#include <cassert>

namespace {

// What passed between two values of clock64. The counter of gfx11 has 20 bits and begins again at 0.
__device__ long long cycles_between(long long begin, long long end) {
#if defined(__GFX11__)
  return (end - begin) & 0xfffff;
#else
  return end - begin;
#endif
}

__global__ void clocks(long long* out) {
  const long long begin = clock64(), wall_begin = wall_clock64();
  int x = threadIdx.x;
  for (int k = 0; k < 1000; ++k) x = x * 3 + k;
  out[0] = cycles_between(begin, clock64());
  out[1] = wall_clock64() - wall_begin;
  out[2] = x;
}

__global__ void assertion_holds(int* out) {
  assert(threadIdx.x < 1000);
  out[threadIdx.x] = 1;
}

constexpr int kComplexResults = 6;
__host__ __device__ void complex_operations(hipDoubleComplex a, hipDoubleComplex b, hipDoubleComplex* out) {
  out[0] = hipCmul(a, b);
  out[1] = hipCdiv(a, b);
  out[2] = hipCfma(a, b, b);
  out[3] = make_hipDoubleComplex(hipCabs(a), hipCsqabs(a));
  out[4] = hipComplexFloatToDouble(hipCdivf(hipComplexDoubleToFloat(a), hipComplexDoubleToFloat(b)));
  out[5] = make_hipDoubleComplex(hipCabsf(make_hipFloatComplex(3e20f, 4e20f)), hipCabs(make_hipDoubleComplex(3e20, 4e20)));
}
__global__ void complex_numbers_of(hipDoubleComplex a, hipDoubleComplex b, hipDoubleComplex* out) {
  complex_operations(a, b, out);
}

template<int N> struct Power {
  template<class T> __device__ static T of(T x) { return x * Power<N - 1>::of(x); }
};
template<> struct Power<0> {
  template<class T> __device__ static T of(T) { return T(1); }
};
__global__ void templates(double* out) { out[threadIdx.x] = Power<7>::of(static_cast<double>(threadIdx.x)); }

__global__ void inline_assembly(int* out) {
#if defined(__AMDGCN__)
  int x = threadIdx.x, y;
#if defined(__GFX9__)
  asm volatile("v_add_u32 %0, %1, %2" : "=v"(y) : "v"(x), "v"(100));
#else
  asm volatile("v_add_nc_u32 %0, %1, %2" : "=v"(y) : "v"(x), "v"(100));
#endif
  out[threadIdx.x] = y;
#elif defined(__NVPTX__)
  int x = threadIdx.x, y;
  asm volatile("add.s32 %0, %1, %2;" : "=r"(y) : "r"(x), "r"(100));
  out[threadIdx.x] = y;
#endif
}

__global__ void crc(const unsigned char* data, int bytes, unsigned* out) {
  unsigned c = ~0u;
  for (int i = 0; i < bytes; ++i) {
    c ^= data[threadIdx.x * bytes + i];
#pragma unroll
    for (int k = 0; k < 8; ++k) c = c >> 1 ^ (0xedb88320u & (0u - (c & 1)));
  }
  out[threadIdx.x] = ~c;
}

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][17];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += ta[y][i] * tb[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void bitonic_step(int* data, int size, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ stride;
  if (partner <= i) return;
  const bool ascending = (i & size) == 0;
  if ((data[i] > data[partner]) == ascending) {
    const int t = data[i];
    data[i] = data[partner];
    data[partner] = t;
  }
}

__global__ void mandelbrot(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / height;
  double zr = 0, zi = 0;
  int n = 0;
  while (n < 100 && zr * zr + zi * zi < 4) {
    const double t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++n;
  }
  out[y * width + x] = n;
}

} // namespace

E2E_CASE(clocks_run) {
  e2e::Device<long long> out(3);
  clocks<<<1, 1>>>(out);
  RUN_OK();
  const auto got = out.download();
  CHECK(got[0] > 0);
  CHECK(got[1] >= 0 && got[1] < 100'000'000'000);
}

E2E_CASE(assert_that_holds) {
  e2e::Device<int> out(64);
  assertion_holds<<<1, 64>>>(out);
  RUN_OK();
  CHECK_EQ(out.download()[63], 1);
}

E2E_CASE(template_recursion) {
  e2e::Device<double> out(64);
  templates<<<1, 64>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], double(i) * i * i * i * i * i * i);
}

E2E_CASE(assembly) {
  hipDeviceProp_t properties{};
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  if (std::strncmp(properties.gcnArchName, "gfx9", 4) != 0) return;
  e2e::Device<int> out(64);
  inline_assembly<<<1, 64>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], i + 100);
}

E2E_CASE(checksums) {
  constexpr int kBytes = 50;
  const auto data = e2e::interesting<unsigned char>(kBytes * 128);
  e2e::Device<unsigned char> in(data);
  e2e::Device<unsigned> out(128);
  crc<<<1, 128>>>(in, kBytes, out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 128; ++i) {
    unsigned c = ~0u;
    for (int k = 0; k < kBytes; ++k) {
      c ^= data[i * kBytes + k];
      for (int b = 0; b < 8; ++b) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    CHECK_AT(i, got[i], ~c);
  }
}

E2E_CASE(matrix_product) {
  constexpr int kN = 128;
  std::vector<float> a(kN * kN), b(kN * kN);
  for (int i = 0; i < kN * kN; ++i) a[i] = static_cast<float>(i % 7 - 3), b[i] = static_cast<float>(i % 5 - 2);
  e2e::Device<float> da(a), db(b), dc(kN * kN);
  multiply<<<dim3(kN / 16, kN / 16), dim3(16, 16)>>>(da, db, dc, kN);
  RUN_OK();
  const auto got = dc.download();
  for (int row = 0; row < kN; ++row)
    for (int column = 0; column < kN; ++column) {
      float sum = 0; // whole numbers: exact
      for (int k = 0; k < kN; ++k) sum += a[row * kN + k] * b[k * kN + column];
      CHECK_AT(row * kN + column, got[row * kN + column], sum);
    }
}

E2E_CASE(bitonic_sort) {
  constexpr int kCount = 4096;
  auto host = e2e::interesting<int>(kCount);
  e2e::Device<int> data(host);
  for (int size = 2; size <= kCount; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) bitonic_step<<<kCount / 256, 256>>>(data, size, stride);
  RUN_OK();
  const auto got = data.download();
  unsigned long long before = 0, after = 0;
  for (int i = 0; i < kCount; ++i) {
    before += static_cast<unsigned>(host[i]) * 2654435761ull;
    after += static_cast<unsigned>(got[i]) * 2654435761ull;
    if (i) CHECK(got[i - 1] <= got[i]);
  }
  CHECK(before == after);
}

E2E_CASE(mandelbrot_set) {
  constexpr int kWidth = 100, kHeight = 70;
  e2e::Device<int> out(kWidth * kHeight);
  mandelbrot<<<dim3((kWidth + 15) / 16, (kHeight + 15) / 16), dim3(16, 16)>>>(out, kWidth, kHeight);
  RUN_OK();
  const auto got = out.download();
  int inside = 0, wanted_inside = 0, far_off = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const double cr = -2.0 + 3.0 * x / kWidth, ci = -1.5 + 3.0 * y / kHeight;
      double zr = 0, zi = 0;
      int n = 0;
      while (n < 100 && zr * zr + zi * zi < 4) {
        const double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        ++n;
      }
      inside += got[y * kWidth + x] == 100;
      wanted_inside += n == 100;
      far_off += std::abs(got[y * kWidth + x] - n) > 1; // contraction may move an orbit near the border
    }
  CHECK(std::abs(inside - wanted_inside) <= 3);
  CHECK(far_off <= 20);
}

// The formulas are HIP's: without scaling, so that the host's results agree with it in every bit. Devices contract.
E2E_CASE(complex_numbers) {
#pragma clang fp contract(off)
  for (double re : {-4.75, 1.75, 0.3}) {
    const hipDoubleComplex a = make_hipDoubleComplex(re, -2.6), b = make_hipDoubleComplex(1.1, re);
    const double norm = b.x * b.x + b.y * b.y;
    const float ax = float(a.x), ay = float(a.y), bx = float(b.x), by = float(b.y), normf = bx * bx + by * by;
    const double wanted[2 * kComplexResults] = {
        a.x * b.x - a.y * b.y,
        a.y * b.x + a.x * b.y,
        (a.x * b.x + a.y * b.y) / norm,
        (a.y * b.x - a.x * b.y) / norm,
        a.x * b.x + b.x - a.y * b.y,
        a.y * b.x + b.y + a.x * b.y,
        std::sqrt(a.x * a.x + a.y * a.y),
        a.x * a.x + a.y * a.y,
        double((ax * bx + ay * by) / normf),
        double((ay * bx - ax * by) / normf),
        std::numeric_limits<double>::infinity(),
        5e20,
    };
    hipDoubleComplex host[kComplexResults];
    complex_operations(a, b, host);
    e2e::Device<hipDoubleComplex> out(kComplexResults);
    complex_numbers_of<<<1, 1>>>(a, b, out);
    RUN_OK();
    const auto device = out.download();
    for (int i = 0; i < 2 * kComplexResults; ++i) {
      const hipDoubleComplex &h = host[i / 2], &d = device[i / 2];
      CHECK_AT(i, i % 2 ? h.y : h.x, wanted[i]);
      const double got = i % 2 ? d.y : d.x;
      CHECK(got == wanted[i] || std::abs(got - wanted[i]) <= 1e-6 * std::abs(wanted[i]));
    }
  }
}
