// Host code in C that the system's own compiler compiles: the runtime's and the driver's interface without kernels.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

static int failed;
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%d: %s\n", __LINE__, #condition);                                                                        \
      failed = 1;                                                                                                      \
    }                                                                                                                  \
  } while (0)

// Other names of an enumerator are constants of its type.
static const char* name_of(enum cudaLaunchAttributeID id) {
  switch (id) {
  case cudaStreamAttributePriority:
    return "priority";
  case cudaStreamAttributeAccessPolicyWindow:
    return "window";
  default:
    return "other";
  }
}

int main(void) {
  struct cudaDeviceProp properties;
  int data[4] = {1, 2, 3, 4}, back[4] = {0, 0, 0, 0}, size = 0;
  CUdeviceptr address = 0;
  void* memory = NULL;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32);
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGetAttribute(&size, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS);
  CHECK(size == 32);
  CHECK(cudaMalloc(&memory, sizeof data) == cudaSuccess);
  CHECK(cudaMemcpy(memory, data, sizeof data, cudaMemcpyHostToDevice) == cudaSuccess);
  address = (CUdeviceptr)memory;
  CHECK(cuMemcpyDtoH(back, address + sizeof(int), 3 * sizeof(int)) == CUDA_SUCCESS);
  CHECK(back[0] == 2 && back[1] == 3 && back[2] == 4);
  CHECK(cuStreamWriteValue32(NULL, address, 41, 0) == CUDA_SUCCESS);
  CHECK(cuStreamWaitValue32(NULL, address, 41, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  CHECK(cuStreamWriteValue64(NULL, address + 8, 1ull << 40, 0) == CUDA_SUCCESS);
  CHECK(cuStreamWaitValue64(NULL, address + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);

  // Structures by position, in CUDA's order of members.
  const cudaMemsetParams fill = {memory, 0, 0x1234, 2, 8, 1};
  cudaMemsetParams given;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  CHECK(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill) == cudaSuccess);
  CHECK(cudaGraphMemsetNodeGetParams(node, &given) == cudaSuccess);
  CHECK(given.dst == memory && given.value == 0x1234 && given.elementSize == 2 && given.width == 8 &&
        given.height == 1);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
  CHECK(!strcmp(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidDevice"));
  CHECK(!strcmp(name_of(cudaStreamAttributePriority), "priority"));
  CHECK(!strcmp(name_of(cudaStreamAttributeAccessPolicyWindow), "window"));
  return failed;
}
