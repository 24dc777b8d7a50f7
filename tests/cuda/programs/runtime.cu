// The runtime's interface as CUDA sources write it: no #include of it, elaborated types, errors by CUDA's names and
// texts, properties, symbols, managed memory, streams, events, kernels by address, and vector types with operators of
// the program's own.
#include "check.h"

#include <cmath>
#include <cstring>
#include <vector>

// Thrust takes qualifiers away where this guard does not say that the headers have defined them.
#ifndef __HOST_DEFINES_H__
#error "The include guard of CUDA's host_defines.h is missing."
#endif

// Types that programs overload on.
static const char* kind_of(cudaError_t) { return "runtime"; }
static const char* kind_of(cudaMemcpyKind) { return "copy"; }
static const char* kind_of(cudaStreamAttrID) { return "attribute"; }

// nvcc's programs bring operators of their own; a second set would make these ambiguous.
inline __host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ void operator+=(float4& a, float4 b) { a = a + b; }
inline __host__ __device__ float4 operator*(float4 a, float s) {
  return make_float4(a.x * s, a.y * s, a.z * s, a.w * s);
}

struct alignas(16) Pair {
  float4 a;
  union {
    int2 i;
    float2 f;
  };
};

__constant__ float factor;
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter = 5;
__managed__ int managed_sum;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "Code for AMD GPUs has the compute capability of -arch, 7.5 by default."
#endif
#if !defined(__CUDACC__) || !defined(__NVCC__) || CUDART_VERSION < 12000
#error "The source is told that a CUDA compiler compiles it."
#endif

__global__ void __launch_bounds__(256, 2) scale(float4* data, int n) {
  const dim3 block(blockDim), place = blockIdx;
  const uint3 thread = threadIdx;
  const int i = place.x * block.x + thread.x;
  if (i >= n) return;
  float4 v = __ldg(&data[i]) * factor;
  v += make_float4(table[0], table[1], table[2], table[3]);
  data[i] = v;
  if (i == 0) counter += warpSize;
  atomicAdd(&managed_sum, 1);
}

__global__ void capability(int* out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#else
  *out = -1;
#endif
}

template<class T> __global__ void fill(T* out, T value) { out[threadIdx.x] = value; }

static void test_errors() {
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  CHECK(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(77777)), "unrecognized error code") == 0);
  CHECK(std::strcmp(kind_of(cudaSuccess), "runtime") == 0 && std::strcmp(kind_of(cudaMemcpyDefault), "copy") == 0);
  CHECK(std::strcmp(kind_of(cudaStreamAttributePriority), "attribute") == 0);
  CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  float* none = nullptr;
  CHECK(cudaMalloc(&none, size_t(1) << 60) == cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  fill<<<1, dim3(4096)>>>(none, 1.0f);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK(cudaErrorInvalidConfiguration == 9 && cudaErrorNoDevice == 100 && cudaErrorUnknown == 999);
}

static void test_properties() {
  struct cudaDeviceProp prop;
  CHECK_CUDA(cudaGetDeviceProperties(&prop, 0));
  CHECK(prop.name[0] != 0 && prop.multiProcessorCount > 0 && prop.totalGlobalMem > 0);
  CHECK(prop.warpSize == 32 && prop.maxThreadsPerBlock >= 256 && prop.clockRate >= 0);
  int value = 0, *arch = nullptr;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  CHECK(value == 32);
  CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(value == prop.major);
  CHECK_CUDA(cudaMallocManaged(&arch, sizeof(int)));
  capability<<<1, 1>>>(arch);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(*arch == prop.major * 100 + prop.minor * 10 || prop.major * 10 + prop.minor > *arch / 10);
  CHECK_CUDA(cudaFree(arch));
  int runtime = 0, driver = 0;
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK(runtime == CUDART_VERSION && driver >= runtime);
}

static void test_kernel() {
  const int n = 1000;
  std::vector<float4> host(n);
  for (int i = 0; i < n; ++i) host[i] = make_float4(i, i + 1, i + 2, i + 3);
  float4* device = nullptr;
  CHECK_CUDA(cudaMalloc((void**)&device, n * sizeof(float4)));
  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy(device, host.data(), n * sizeof(float4), kind));
  const float two = 2;
  CHECK_CUDA(cudaMemcpyToSymbol(factor, &two, sizeof(float)));
  const int before = 10;
  CHECK_CUDA(cudaMemcpyToSymbol(counter, &before, sizeof(int), 0, cudaMemcpyHostToDevice));
  managed_sum = 0;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  CHECK_CUDA(cudaEventRecord(start, stream));
  scale<<<(n + 255) / 256, 256, 0, stream>>>(device, n);
  CHECK_CUDA(cudaEventRecord(stop, stream));
  CHECK_CUDA(cudaMemcpyAsync(host.data(), device, n * sizeof(float4), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  float ms = -1;
  CHECK_CUDA(cudaEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 0 && managed_sum == n);
  for (int i = 0; i < n; ++i)
    CHECK(host[i].x == 2 * i + 1 && host[i].y == 2 * i + 4 && host[i].z == 2 * i + 7 && host[i].w == 2 * i + 10);
  int after = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&after, counter, sizeof(int)));
  CHECK(after == 42);
  void* address = nullptr;
  size_t size = 0;
  CHECK_CUDA(cudaGetSymbolAddress(&address, table));
  CHECK_CUDA(cudaGetSymbolSize(&size, table));
  CHECK(address != nullptr && size == sizeof(table));

  // The same kernel by its address.
  int count = 100;
  void* arguments[] = {&device, &count};
  CHECK_CUDA(cudaLaunchKernel(scale, dim3(1), dim3(128), arguments, 0, stream));
  CHECK_CUDA(cudaLaunchKernel((const void*)scale, dim3(1), dim3(128), arguments, 0, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK(managed_sum == n + 200);
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, scale));
  CHECK(attributes.maxThreadsPerBlock >= 256);
  int blocks = 0, grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
  CHECK(blocks > 0 && grid > 0 && block > 0 && block <= 1024);
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(device));
}

// An event is done when what came after it in its stream is.
static void test_event_order() {
  int* data = nullptr;
  int host = 0;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaMalloc(&data, 1024 * sizeof(int)));
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  for (int i = 0; i < 500; ++i) {
    CHECK_CUDA(cudaEventRecord(start, stream));
    fill<<<4, 256, 0, stream>>>(data, i);
    CHECK_CUDA(cudaEventRecord(stop, stream));
    CHECK_CUDA(cudaMemcpyAsync(&host, data, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    float ms = -1;
    CHECK_CUDA(cudaEventElapsedTime(&ms, start, stop));
    CHECK(ms >= 0 && host == i);
  }
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(data));
}

static void test_memory() {
  CHECK(sizeof(Pair) == 32 && alignof(float4) == 16 && alignof(float3) == 4 && alignof(double4) == 16);
  int* pinned = nullptr;
  CHECK_CUDA(cudaMallocHost(&pinned, 64));
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, pinned));
  CHECK(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);
  int plain = 0;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, &plain));
  CHECK(attributes.type == cudaMemoryTypeUnregistered && attributes.device == -2 &&
        attributes.devicePointer == nullptr);
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, nullptr));
  CHECK(attributes.type == cudaMemoryTypeUnregistered && attributes.device == -2 &&
        attributes.hostPointer == nullptr);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK_CUDA(cudaFreeHost(pinned));

  float* rows = nullptr;
  size_t pitch = 0;
  CHECK_CUDA(cudaMallocPitch(&rows, &pitch, 100, 10));
  CHECK(pitch >= 100);
  CHECK_CUDA(cudaMemset2D(rows, pitch, 0, 100, 10));
  CHECK_CUDA(cudaFree(rows));

  struct cudaExtent extent = make_cudaExtent(16, 4, 2);
  cudaPitchedPtr box;
  CHECK_CUDA(cudaMalloc3D(&box, extent));
  CHECK(box.ptr != nullptr && box.pitch >= 16 && box.ysize == 4);
  std::vector<char> in(16 * 4 * 2), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<char>(i);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), 16, 16, 4);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(out.data(), 16, 16, 4);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  CHECK(in == out);
  CHECK_CUDA(cudaFree(box.ptr));

  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float2>();
  CHECK(desc.x == 32 && desc.y == 32 && desc.z == 0 && desc.f == cudaChannelFormatKindFloat);
}

// CUDA's functions beside the C library's, within the bounds that CUDA's programming guide has for them. The expected
// values were computed with 300 bits.
static void test_host_math() {
  struct Row {
    double (*function)(double);
    int units; // in the last place
    double x, expected;
  };
  const Row rows[] = {
      {erfcx, 4, -26.5, 1.924553162418569e+305},
      {erfcx, 4, -3.7, 1764092.7560908962},
      {erfcx, 4, 0.3, 0.7345993345676551},
      {erfcx, 4, 2.99, 0.17954646671027155},
      {erfcx, 4, 3.01, 0.17845901255120125},
      {erfcx, 4, 9.7, 0.05785958945081372},
      {erfcx, 4, 26.9, 0.02095912807445141},
      {erfcx, 4, 30.0, 0.01879588886141675},
      {erfcx, 4, 10000000000.0, 5.641895835477563e-11},
      {normcdf, 5, -37.1, 1.4047119663106221e-301},
      {normcdf, 5, -11.3, 6.560899940904157e-30},
      {normcdf, 5, -1.01, 0.1562476450212546},
      {normcdf, 5, 0.7, 0.758036347776927},
      {sinpi, 2, 0.1, 0.30901699437494745},
      {sinpi, 2, -0.3, -0.8090169943749475},
      {sinpi, 2, 0.9999, 0.00031415926019123195},
      {sinpi, 2, -1.6, 0.9510565162951535},
      {sinpi, 2, 1000001.2, -0.5877852521741206},
      {cospi, 2, 0.1, 0.9510565162951535},
      {cospi, 2, 0.4999, 0.00031415926019123195},
      {cospi, 2, -0.6, -0.30901699437494734},
      {cospi, 2, 0.8, -0.8090169943749475},
      {cospi, 2, 1000001.2, -0.8090169944609356},
  };
  for (const Row& row : rows) {
    const double unit = std::nextafter(std::fabs(row.expected), INFINITY) - std::fabs(row.expected);
    CHECK(std::fabs(row.function(row.x) - row.expected) <= row.units * unit);
  }
  CHECK(erfcx(INFINITY) == 0 && erfcx(-INFINITY) == INFINITY && erfcx(-30.0) == INFINITY && std::isnan(erfcx(NAN)));
  CHECK(erfcx(-26.63) == INFINITY && erfcx(-26.64) == INFINITY && erfcx(-26.645) == INFINITY);
  CHECK(erfcx(0.0) == 1 && erfcxf(30.0f) == 0.018795889f && normcdf(-INFINITY) == 0 && normcdf(INFINITY) == 1);
  for (int i = -8; i <= 8; ++i) {
    const double odd = i % 2 ? -1 : 1; // cos(pi i)
    CHECK(sinpi(1.0 * i) == 0 && std::signbit(sinpi(1.0 * i)) == (i < 0) && cospi(1.0 * i) == odd);
    CHECK(sinpi(i + 0.5) == odd && cospi(i + 0.5) == 0 && sinpif(i + 0.5f) == odd && cospif(i + 0.5f) == 0);
  }
  CHECK(std::signbit(sinpi(-0.0)) && std::isnan(sinpi(INFINITY)) && std::isnan(cospi(INFINITY)));
  CHECK(sinpi(0x1p60) == 0 && cospi(0x1p60) == 1);
}

int main() {
  test_errors();
  test_properties();
  test_kernel();
  test_event_order();
  test_memory();
  test_host_math();
  return checks_failed() != 0;
}
