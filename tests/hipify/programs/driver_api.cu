// The driver interface and compilation at run time: modules, launches with an array of arguments, memory, an event.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static const char* source = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
})";

#define CU(call) \
  if (CUresult result_ = call; result_ != CUDA_SUCCESS) { \
    const char* text_ = "?"; \
    cuGetErrorString(result_, &text_); \
    std::printf("line %d: %s\n", __LINE__, text_); \
    return 1; \
  }

int main() {
  CU(cuInit(0));
  CUdevice device;
  CUcontext context;
  CU(cuDeviceGet(&device, 0));
  CU(cuDevicePrimaryCtxRetain(&context, device));
  CU(cuCtxSetCurrent(context));
  char name[256];
  CU(cuDeviceGetName(name, sizeof name, device));
  int warp = 0;
  CU(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));

  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source, "saxpy.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return 1;
  const nvrtcResult compiled = nvrtcCompileProgram(program, 0, nullptr);
  size_t log_size = 0;
  nvrtcGetProgramLogSize(program, &log_size);
  std::string log(log_size, '\0');
  nvrtcGetProgramLog(program, log.data());
  if (compiled != NVRTC_SUCCESS) {
    std::printf("%s: %s\n", nvrtcGetErrorString(compiled), log.c_str());
    return 1;
  }
  size_t size = 0;
  if (nvrtcGetPTXSize(program, &size) != NVRTC_SUCCESS) return 1;
  std::vector<char> code(size);
  if (nvrtcGetPTX(program, code.data()) != NVRTC_SUCCESS) return 1;
  nvrtcDestroyProgram(&program);

  CUmodule module;
  CUfunction function;
  CU(cuModuleLoadData(&module, code.data()));
  CU(cuModuleGetFunction(&function, module, "saxpy"));
  const int n = 300;
  std::vector<float> x(n, 2.0f), y(n, 1.0f);
  CUdeviceptr dx, dy;
  CU(cuMemAlloc(&dx, n * sizeof(float)));
  CU(cuMemAlloc(&dy, n * sizeof(float)));
  CU(cuMemcpyHtoD(dx, x.data(), n * sizeof(float)));
  CU(cuMemcpyHtoD(dy, y.data(), n * sizeof(float)));
  float a = 3.0f;
  int count = n;
  void* arguments[] = {&a, &dx, &dy, &count};
  CU(cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CUevent done;
  CU(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  CU(cuEventRecord(done, nullptr));
  CU(cuEventSynchronize(done));
  CU(cuMemcpyDtoH(y.data(), dy, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    if (y[i] != 7.0f) {
      std::printf("element %d is %f on %s\n", i, y[i], name);
      return 1;
    }
  }
  CU(cuEventDestroy(done));
  CU(cuMemFree(dx));
  CU(cuMemFree(dy));
  CU(cuModuleUnload(module));
  CU(cuDevicePrimaryCtxRelease(device));
  return warp < 1;
}
