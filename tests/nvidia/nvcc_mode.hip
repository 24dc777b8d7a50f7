// nvcc_mode.hip - what HIP_PLATFORM=nvidia adds to CUDA, on the GPU: errors both ways, overloads, launches by name and with
// events, wave functions without a mask, HIP's atomics, vector operators, and the headers that forward to CUDA's.
#include "../e2e/e2e.h"

#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

namespace {

__device__ int scale = 3;
__constant__ int offset;

__global__ void affine(const int* in, int* out, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) out[i] = in[i] * scale + offset;
}
template<class T, class U> __global__ void convert(const T* in, U* out) { out[threadIdx.x] = static_cast<U>(in[threadIdx.x]); }

__global__ void waves(unsigned long long* votes, int* shuffled) {
  const int lane = static_cast<int>(__lane_id());
  if (lane < 24) { // a part of the wave
    const unsigned long long odd = __ballot(lane & 1);
    const int any = __any(lane == 23), all = __all(lane < 23);
    if (lane == 0) {
      votes[0] = odd;
      votes[1] = static_cast<unsigned long long>(any);
      votes[2] = static_cast<unsigned long long>(all);
      votes[3] = __lanemask_lt() | __lanemask_ge();
    }
  }
  __syncwarp();
  shuffled[lane] = __shfl(lane * 10, 5);
  shuffled[32 + lane] = __shfl_xor(lane, 1);
  shuffled[64 + lane] = __shfl_up(lane, 2);
  shuffled[96 + lane] = __shfl_down(lane, 2, 16);
}

__global__ void hip_atomics(unsigned long* sum, float* smallest, double* total, int* flag) {
  atomicAdd(sum, 2ul);
  atomicMin(smallest, static_cast<float>(threadIdx.x) - 5.f);
  unsafeAtomicAdd(total, 0.5);
  __hip_atomic_fetch_add(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void vectors(float4* out) {
  float4 v = make_float4(1, 2, 3, 4);
  v += v * 2.f;
  out[0] = v - make_float4(1, 1, 1, 1);
  const int2 i = make_int2(6, 9) / 3 << make_int2(1, 2);
  out[1] = make_float4(static_cast<float>(i.x), static_cast<float>(i.y), v == v, -v.x);
}

__global__ void library_functions(char* text, const int* stop) {
  if (*stop != 0) abort();
  memmove(text + 1, text, 4);
  memmove(text + 6, text + 7, 4);
}

__global__ void numbers(float* out) {
  out[0] = __half2float(__hadd(__float2half(1.5f), __float2half(2.25f)));
  out[1] = __bfloat162float(__float2bfloat16(3.0f));
  out[2] = static_cast<float>(__hip_fp8_e4m3(1.75f));
  out[3] = hipCabsf(make_hipFloatComplex(3.f, 4.f));
  out[4] = static_cast<float>(cooperative_groups::this_thread_block().size());
}

void note(hipStream_t, hipError_t status, void* data) { *static_cast<hipError_t*>(data) = status; }

} // namespace

E2E_CASE(errors_go_both_ways) {
#define SAME(hip, cuda, cu)                                                                                            \
  CHECK_EQ(hipCUDAErrorTohipError(cudaError##cuda), hipError##hip);                                                    \
  CHECK_EQ(hipErrorToCudaError(hipError##hip), cudaError##cuda);                                                       \
  CHECK_EQ(hipCUResultTohipError(CUDA_ERROR_##cu), hipError##hip);                                                     \
  CHECK_EQ(hipErrorToCUResult(hipError##hip), CUDA_ERROR_##cu);
  HIP_NV_ERRORS(SAME)
  CHECK_EQ(hipCUDAErrorTohipError(cudaSuccess), hipSuccess);
  CHECK_EQ(hipErrorToCUResult(hipSuccess), CUDA_SUCCESS);
  CHECK_EQ(hipCUDAErrorTohipError(cudaErrorIllegalInstruction), hipErrorLaunchFailure);
  CHECK_EQ(hipCUDAErrorTohipError(static_cast<cudaError_t>(12345)), hipErrorUnknown);
  CHECK_EQ(std::string(hipGetErrorName(hipErrorNotReady)), "hipErrorNotReady");
}

E2E_CASE(launches_and_symbols) {
  std::vector<int> in(1000);
  for (int i = 0; i < 1000; ++i) in[i] = i;
  e2e::Device<int> a(in), b(1000);
  const int plus = 4, times = 5;
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(offset), &plus, sizeof plus));
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(scale), &times, sizeof times));
  hipLaunchKernelGGL(affine, dim3(4), dim3(256), 0, 0, a.data(), b.data(), 1000);
  RUN_OK();
  CHECK_EQ(b.download()[999], 999 * 5 + 4);

  hipEvent_t start, stop;
  HIP_OK(hipEventCreate(&start));
  HIP_OK(hipEventCreate(&stop));
  hipExtLaunchKernelGGL(affine, dim3(4), dim3(256), 0, hipStreamPerThread, start, stop, 0, b.data(), a.data(), 1000);
  HIP_OK(hipEventSynchronize(stop));
  float ms = -1;
  HIP_OK(hipEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 0);
  CHECK_EQ(a.download()[1], 9 * 5 + 4);

  void* address = nullptr;
  size_t size = 0;
  HIP_OK(hipGetSymbolAddress(&address, HIP_SYMBOL(scale)));
  HIP_OK(hipGetSymbolSize(&size, HIP_SYMBOL(scale)));
  CHECK_EQ(size, sizeof(int));
  int grid = 0, block = 0, blocks = 0;
  HIP_OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, affine, 0, 0));
  CHECK(grid > 0 && block > 0);
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, affine, 256, 0));
  CHECK(blocks > 0);
  hipFuncAttributes attributes;
  HIP_OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(affine)));
  CHECK(attributes.maxThreadsPerBlock > 0);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(convert<int, double>), dim3(1), dim3(32), 0, 0, a.data(),
                     reinterpret_cast<double*>(b.data()));
  RUN_OK();
  affine<<<1, 4096>>>(a, b, 1);
  const hipError_t refused = hipGetLastError(); // CUDA's number, by the version of its runtime
  CHECK(refused == hipErrorInvalidConfiguration || refused == hipErrorInvalidValue);
}

E2E_CASE(streams_memory_and_pointers) {
  hipStream_t stream;
  HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  hipError_t seen = hipErrorUnknown;
  HIP_OK(hipStreamAddCallback(stream, note, &seen, 0));
  HIP_OK(hipStreamSynchronize(stream));
  CHECK_EQ(seen, hipSuccess);
  int* pinned = nullptr;
  HIP_OK(hipHostMalloc(&pinned, 64, hipHostMallocMapped | hipHostMallocCoherent));
  hipPointerAttribute_t what = {};
  HIP_OK(hipPointerGetAttributes(&what, pinned));
  CHECK_EQ(what.type, hipMemoryTypeHost);
  int* memory = nullptr;
  HIP_OK(hipMallocAsync(&memory, 4096, stream));
  HIP_OK(hipMemsetD32Async(memory, 9, 1024, stream)); // a pointer where HIP has a hipDeviceptr_t
  HIP_OK(hipMemcpyWithStream(pinned, memory, 64, hipMemcpyDefault, stream));
  CHECK_EQ(pinned[15], 9);
  HIP_OK(hipFreeAsync(memory, stream));
  hip_Memcpy2D copy = {};
  e2e::Device<int> rows(64);
  copy.srcMemoryType = hipMemoryTypeHost;
  copy.srcHost = pinned;
  copy.srcPitch = 16;
  copy.dstMemoryType = hipMemoryTypeDevice;
  copy.dstDevice = reinterpret_cast<hipDeviceptr_t>(rows.data());
  copy.dstPitch = 32;
  copy.WidthInBytes = 16;
  copy.Height = 4;
  HIP_OK(hipMemcpyParam2D(&copy));
  CHECK_EQ(rows.download()[8], 9);
  CHECK_EQ(rows.download()[4], 0);
  HIP_OK(hipHostFree(pinned));
  int* managed = nullptr;
  HIP_OK(hipMallocManaged(&managed, 4096));
  HIP_OK(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 0));
  HIP_OK(hipMemPrefetchAsync(managed, 4096, 0, stream));
  HIP_OK(hipMemPrefetchAsync(managed, 4096, hipCpuDeviceId, stream));
  HIP_OK(hipStreamSynchronize(stream));
  HIP_OK(hipPointerGetAttributes(&what, managed));
  CHECK(what.isManaged);
  HIP_OK(hipFree(managed));
  HIP_OK(hipStreamDestroy(stream));
}

E2E_CASE(graphs) {
  e2e::Device<int> data(256);
  hipStream_t stream;
  HIP_OK(hipStreamCreate(&stream));
  HIP_OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_OK(hipMemsetAsync(data.data(), 1, 1024, stream));
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  unsigned long long id = 0;
  HIP_OK(hipStreamGetCaptureInfo(stream, &status, &id));
  CHECK_EQ(status, hipStreamCaptureStatusActive);
  hipGraph_t graph;
  HIP_OK(hipStreamEndCapture(stream, &graph));
  size_t nodes = 0, edges = 7;
  HIP_OK(hipGraphGetNodes(graph, nullptr, &nodes));
  HIP_OK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  CHECK_EQ(nodes, 1u);
  CHECK_EQ(edges, 0u);
  hipGraphExec_t executable;
  HIP_OK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_OK(hipGraphLaunch(executable, stream));
  HIP_OK(hipStreamSynchronize(stream));
  CHECK_EQ(data.download()[255], 0x01010101);
  HIP_OK(hipGraphExecDestroy(executable));
  HIP_OK(hipGraphDestroy(graph));
  HIP_OK(hipStreamDestroy(stream));
}

E2E_CASE(kernel_language) {
  e2e::Device<unsigned long long> votes(4);
  e2e::Device<int> shuffled(128);
  waves<<<1, 32>>>(votes, shuffled);
  RUN_OK();
  CHECK_EQ(votes.download()[0], 0xaaaaaaull);
  CHECK_EQ(votes.download()[1], 1ull);
  CHECK_EQ(votes.download()[2], 0ull);
  CHECK_EQ(votes.download()[3], 0xffffffffull);
  const std::vector<int> s = shuffled.download();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK_AT(lane, s[lane], 50);
    CHECK_AT(lane, s[32 + lane], lane ^ 1);
    CHECK_AT(lane, s[64 + lane], lane < 2 ? lane : lane - 2);
    CHECK_AT(lane, s[96 + lane], lane % 16 >= 14 ? lane : lane + 2);
  }
  e2e::Device<unsigned long> sum(1);
  e2e::Device<float> smallest(1);
  e2e::Device<double> total(1);
  e2e::Device<int> flag(1);
  hip_atomics<<<2, 64>>>(sum, smallest, total, flag);
  RUN_OK();
  CHECK_EQ(sum.download()[0], 256ul);
  CHECK_EQ(smallest.download()[0], -5.f);
  CHECK_EQ(total.download()[0], 64.);
  CHECK_EQ(flag.download()[0], 128);
  e2e::Device<float4> out(2);
  vectors<<<1, 1>>>(out);
  RUN_OK();
  CHECK_EQ(out.download()[0].w, 11.f);
  CHECK_EQ(out.download()[1].x, 4.f);
  CHECK_EQ(out.download()[1].y, 12.f);
  CHECK_EQ(out.download()[1].z, 1.f);
  e2e::Device<char> text(std::vector<char>{'a', 'b', 'c', 'd', 'e', 'f', '0', '1', '2', '3', '4', '5'});
  e2e::Device<int> stop(std::vector<int>{0});
  library_functions<<<1, 1>>>(text, stop);
  RUN_OK();
  const std::vector<char> moved = text.download();
  CHECK_EQ(std::string(moved.begin(), moved.end()), std::string("aabcdf123445"));
  char same[] = "host";
  memmove(same + 1, same, 3);
  CHECK_EQ(std::string(same), std::string("hhos"));
  e2e::Device<float> values(5);
  numbers<<<1, 1>>>(values);
  RUN_OK();
  CHECK_EQ(values.download()[0], 3.75f);
  CHECK_EQ(values.download()[1], 3.f);
  CHECK_EQ(values.download()[2], 1.75f);
  CHECK_EQ(values.download()[3], 5.f);
  CHECK_EQ(values.download()[4], 1.f);
}
