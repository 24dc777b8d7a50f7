// The driver's interface beside the runtime's: contexts, memory with integer addresses, errors by name, streams that
// both share.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <vector>

static const char* kind_of(cudaError_t) { return "runtime"; }
static const char* kind_of(CUresult) { return "driver"; }

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

static size_t sixteen_bytes_a_thread(int size) { return static_cast<size_t>(size) * 16; }

// The best block size is no worse than any other's, with shared memory that grows with the block.
static void test_occupancy() {
  CUfunction function = nullptr;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(twice)) == cudaSuccess);
  int grid = 0, block = 0, processors = 0, blocks = 0, other = 0;
  CHECK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0) == CUDA_SUCCESS);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, sixteen_bytes_a_thread, 0, 0) == CUDA_SUCCESS);
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, block, sixteen_bytes_a_thread(block)) ==
        CUDA_SUCCESS);
  CHECK(block > 0 && block <= 1024 && blocks > 0 && grid == blocks * processors);
  for (int size = 32; size <= 1024; size += 32) {
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&other, function, size, sixteen_bytes_a_thread(size)) ==
          CUDA_SUCCESS);
    CHECK(other * size <= blocks * block);
  }
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, sixteen_bytes_a_thread, 0, 100) == CUDA_SUCCESS &&
        block <= 100);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 128) == CUDA_SUCCESS && block > 0 &&
        block <= 128);
  CHECK(cuOccupancyMaxPotentialBlockSize(nullptr, &block, function, nullptr, 0, 0) == CUDA_ERROR_INVALID_VALUE);
}

// Functions that are known by their handles alone.
static void test_function_attributes() {
  CUfunction function = nullptr;
  int bytes = -1;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(twice)) == cudaSuccess);
  CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000) == CUDA_SUCCESS);
  CHECK(cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS);
  CHECK(bytes == 1000);
  CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 8) == CUDA_ERROR_INVALID_VALUE);
  CUmoduleLoadingMode mode;
  CHECK(cuModuleGetLoadingMode(&mode) == CUDA_SUCCESS);
  CHECK(mode == CU_MODULE_LAZY_LOADING || mode == CU_MODULE_EAGER_LOADING);
}

// Attributes that HIP has under another name say what calls then do.
static void test_attributes() {
  int older = -1, newer = -1, posix = -1, types = -1, persisting = -1;
  CHECK(cuDeviceGetAttribute(&older, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0) == CUDA_SUCCESS);
  CHECK(cuDeviceGetAttribute(&newer, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) == CUDA_SUCCESS);
  CHECK(older == newer);
  CHECK(cuDeviceGetAttribute(&posix, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0) ==
        CUDA_SUCCESS);
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  prop.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  size_t size = 0;
  CHECK(cuMemGetAllocationGranularity(&size, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS);
  CUmemGenericAllocationHandle handle;
  const bool made = cuMemCreate(&handle, size, &prop, 0) == CUDA_SUCCESS;
  CHECK(made == (posix != 0));
  if (made) {
    CUmemAllocationProp given = prop;
    CHECK(cuMemGetAllocationPropertiesFromHandle(&given, handle) == CUDA_SUCCESS);
    int compressed = -1; // what a device without compression does not give; others may, too, for small memory
    CHECK(cuDeviceGetAttribute(&compressed, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0) == CUDA_SUCCESS);
    CHECK(given.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_NONE || compressed == 1);
    CHECK(cuMemRelease(handle) == CUDA_SUCCESS);
  }

  CHECK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0) == cudaSuccess);
  cudaMemPoolProps pool_prop = {};
  pool_prop.allocType = cudaMemAllocationTypePinned;
  pool_prop.location.type = cudaMemLocationTypeDevice;
  pool_prop.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool;
  const bool pooled = cudaMemPoolCreate(&pool, &pool_prop) == cudaSuccess;
  CHECK(pooled == ((types & cudaMemHandleTypePosixFileDescriptor) != 0));
  if (pooled) CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);

  CHECK(cudaDeviceGetAttribute(&persisting, cudaDevAttrMaxPersistingL2CacheSize, 0) == cudaSuccess);
  CHECK(cudaCtxResetPersistingL2Cache() == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) ==
        (persisting == 0 ? cudaErrorUnsupportedLimit : cudaSuccess));
}

// The driver's calls give numbers of its own type alone, whatever HIP's error.
static void test_errors() {
  const char* text = nullptr;
  for (int number = 0; number < 20000; ++number)
    CHECK(cuGetErrorName(__cu_result(static_cast<hipError_t>(number)), &text) == CUDA_SUCCESS && text);
  CHECK(__cu_result(hipErrorOutOfMemory) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(__cu_result(hipErrorInvalidChannelDescriptor) == CUDA_ERROR_INVALID_VALUE);
  CHECK(__cu_result(hipErrorInvalidTexture) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(__cu_result(hipErrorInvalidSymbol) == CUDA_ERROR_NOT_FOUND);
  CHECK(__cu_result(hipErrorInvalidDeviceFunction) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(__cu_result(hipErrorPriorLaunchFailure) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(__cu_result(hipErrorInvalidClusterSize) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(__cu_result(hipErrorRuntimeOther) == CUDA_ERROR_UNKNOWN);
  CUfunction function = nullptr;
  int* data = nullptr;
  void* arguments[] = {&data};
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(twice)) == cudaSuccess);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

// HIP has one attribute for sizes that CUDA asks for one by one; cudaDeviceProp has all of them.
static void test_sizes() {
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess);
  const auto runtime = [](cudaDeviceAttr attribute) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess);
    return value;
  };
  const auto driver = [](CUdevice_attribute attribute) {
    int value = -1;
    CHECK(cuDeviceGetAttribute(&value, attribute, 0) == CUDA_SUCCESS);
    return value;
  };
  CHECK(runtime(cudaDevAttrMaxTexture2DLinearWidth) == prop.maxTexture2DLinear[0]);
  CHECK(runtime(cudaDevAttrMaxTexture2DLinearHeight) == prop.maxTexture2DLinear[1]);
  CHECK(runtime(cudaDevAttrMaxTexture2DLinearPitch) == prop.maxTexture2DLinear[2]);
  CHECK(runtime(cudaDevAttrMaxTexture2DGatherHeight) == prop.maxTexture2DGather[1]);
  CHECK(runtime(cudaDevAttrMaxTexture2DLayeredHeight) == prop.maxTexture2DLayered[1]);
  CHECK(runtime(cudaDevAttrMaxTexture2DMipmappedHeight) == prop.maxTexture2DMipmap[1]);
  CHECK(runtime(cudaDevAttrMaxTexture2DHeight) == prop.maxTexture2D[1]);
  CHECK(runtime(cudaDevAttrMaxTexture3DDepth) == prop.maxTexture3D[2]);
  CHECK(runtime(cudaDevAttrMaxTexture3DHeightAlt) == prop.maxTexture3DAlt[1]);
  CHECK(runtime(cudaDevAttrMaxTexture3DDepthAlt) == prop.maxTexture3DAlt[2]);
  CHECK(runtime(cudaDevAttrMaxSurface2DWidth) == prop.maxSurface2D[0]);
  CHECK(runtime(cudaDevAttrMaxSurface2DHeight) == prop.maxSurface2D[1]);
  CHECK(runtime(cudaDevAttrMaxSurface2DLayeredHeight) == prop.maxSurface2DLayered[1]);
  CHECK(runtime(cudaDevAttrMaxSurface3DHeight) == prop.maxSurface3D[1]);
  CHECK(runtime(cudaDevAttrMaxSurface3DDepth) == prop.maxSurface3D[2]);
  CHECK(driver(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH) == prop.maxTexture2DLinear[2]);
  CHECK(driver(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE) == prop.maxTexture3DAlt[2]);
  CHECK(driver(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH) == prop.maxSurface3D[2]);
  // Where an emulated GPU has the same limit in all directions, the numbers alone show which one is asked for.
  CHECK(static_cast<int>(cudaDevAttrMaxSurface2DHeight) != static_cast<int>(cudaDevAttrMaxSurface2DWidth));
  CHECK(static_cast<int>(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH) !=
        static_cast<int>(CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT));
  CHECK(runtime(cudaDevAttrGpuOverlap) == prop.deviceOverlap);
  CHECK(driver(CU_DEVICE_ATTRIBUTE_GPU_OVERLAP) == (prop.asyncEngineCount != 0));
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSurface3DDepth, 1000) == cudaErrorInvalidDevice);
}

// Addresses that calls give are integers, as everywhere in the driver's interface.
static void test_addresses() {
  CUgraph graph;
  CUgraphNode allocation, release;
  CHECK(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUDA_MEM_ALLOC_NODE_PARAMS params = {};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  params.bytesize = 4096;
  CHECK(cuGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &params) == CUDA_SUCCESS);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(params.dptr);
  CHECK(cuGraphAddMemFreeNode(&release, graph, &allocation, 1, address) == CUDA_SUCCESS);
  CUdeviceptr freed = 0;
  CHECK(cuGraphMemFreeNodeGetParams(release, &freed) == CUDA_SUCCESS && freed == address && freed != 0);
  CHECK(cuGraphDestroy(graph) == CUDA_SUCCESS);
  size_t size = 0;
  CHECK(cuLibraryGetGlobal(&freed, &size, nullptr, "none") != CUDA_SUCCESS);
  CHECK(cuLibraryGetManaged(&freed, &size, nullptr, "none") != CUDA_SUCCESS);
}

int main() {
  CHECK(cuInit(0) == CUDA_SUCCESS);
  CHECK(std::strcmp(kind_of(CUDA_SUCCESS), "driver") == 0 && std::strcmp(kind_of(cudaSuccess), "runtime") == 0);
  const char* text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS &&
        !std::strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY"));
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

  test_occupancy();
  test_function_attributes();
  test_attributes();
  test_errors();
  test_sizes();
  test_addresses();

  CUmodule module;
  CHECK(cuModuleLoad(&module, "/nonexistent.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuModuleLoadData(&module, ".version 7.0\n.target no_such_gpu\n") != CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  return checks_failed() != 0;
}
