// The driver's interface beside the runtime's: contexts, memory with integer addresses, errors by name, streams that both share.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <vector>

static const char* kind_of(cudaError_t) { return "runtime"; }
static const char* kind_of(CUresult) { return "driver"; }

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  CHECK(cuInit(0) == CUDA_SUCCESS);
  CHECK(std::strcmp(kind_of(CUDA_SUCCESS), "driver") == 0 && std::strcmp(kind_of(cudaSuccess), "runtime") == 0);
  const char* text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && !std::strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY"));
  CHECK(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text) == CUDA_SUCCESS && !std::strcmp(text, "named symbol not found"));
  CHECK(cuGetErrorName(static_cast<CUresult>(77777), &text) == CUDA_ERROR_INVALID_VALUE && text == nullptr);
  CHECK(cuGetErrorName(CUDA_SUCCESS, nullptr) == CUDA_ERROR_INVALID_VALUE);

  int count = 0, version = 0, warp = 0;
  CUdevice device = -1;
  CUcontext context = nullptr;
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 0);
  CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS && version == CUDA_VERSION);
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CHECK(cuDeviceGet(&device, 1000) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS && warp == 32);
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS && cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);

  CUdeviceptr memory = 0;
  std::vector<int> host = {1, 2, 3, 4};
  CHECK(cuMemAlloc(&memory, host.size() * sizeof(int)) == CUDA_SUCCESS && memory != 0);
  CHECK(cuMemcpyHtoD(memory, host.data(), host.size() * sizeof(int)) == CUDA_SUCCESS);
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  cudaStream_t same = stream;
  twice<<<1, 4, 0, same>>>(reinterpret_cast<int*>(memory));
  CHECK(cuMemcpyDtoHAsync(host.data(), memory, host.size() * sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(host == std::vector<int>{2, 4, 6, 8});
  CUdeviceptr base = 0;
  size_t size = 0;
  CHECK(cuMemGetAddressRange(&base, &size, memory + 4) == CUDA_SUCCESS && base == memory);
  CHECK(cuMemsetD32(memory, 7, 4) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(host.data(), memory, host.size() * sizeof(int)) == CUDA_SUCCESS);
  CHECK(host == std::vector<int>(4, 7));
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);

  CUmodule module;
  CHECK(cuModuleLoad(&module, "/nonexistent.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuModuleLoadData(&module, ".version 7.0\n.target sm_70\n") != CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  return checks_failed() != 0;
}
