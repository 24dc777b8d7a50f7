// Compiles programs at run time, for the device that is there and for an NVIDIA GPU, and runs one. Prints "right"; or
// "no compiler", when hiprtc says that there is none.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

const char* const kSource = R"(
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include "twice.h"
extern "C" __global__ void fill(float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = twice(__half2float(__float2half(float(i)))) + sinf(0.0f);
}
)";
const char* const kHeader = "template<class T> __device__ T twice(T x) { return x + x; }\n";

// Empty: it does not compile, and `log` says why.
std::vector<char> compile(std::vector<const char*> options, std::string& log) {
  const char* const name = "twice.h";
  hiprtcProgram program;
  if (hiprtcCreateProgram(&program, kSource, "fill.hip", 1, &kHeader, &name) != HIPRTC_SUCCESS) return {};
  const hiprtcResult result = hiprtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  size_t bytes = 0;
  hiprtcGetProgramLogSize(program, &bytes);
  log.resize(bytes);
  hiprtcGetProgramLog(program, log.data());
  std::vector<char> code;
  if (result == HIPRTC_SUCCESS && hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS) {
    code.resize(bytes);
    if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS) code.clear();
  }
  hiprtcDestroyProgram(&program);
  return code;
}

bool runs(const std::vector<char>& code) {
  constexpr int kCount = 100;
  hipModule_t module;
  hipFunction_t kernel;
  float* out = nullptr;
  int count = kCount;
  std::vector<float> host(kCount);
  void* arguments[] = {&out, &count};
  if (hipModuleLoadData(&module, code.data()) != hipSuccess ||
      hipModuleGetFunction(&kernel, module, "fill") != hipSuccess ||
      hipMalloc(reinterpret_cast<void**>(&out), sizeof(float) * kCount) != hipSuccess ||
      hipModuleLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) != hipSuccess ||
      hipMemcpy(host.data(), out, sizeof(float) * kCount, hipMemcpyDeviceToHost) != hipSuccess)
    return false;
  for (int i = 0; i < kCount; ++i)
    if (host[i] != 2.0f * float(i)) return false;
  return hipFree(out) == hipSuccess && hipModuleUnload(module) == hipSuccess;
}

} // namespace

int main() {
  std::string log;
  // The last two begin with headers that nobody has parsed before.
  for (const std::vector<const char*>& options :
       {std::vector<const char*>{}, {"-std=c++20"}, {"-O1", "-ffast-math", "-DX=1"}}) {
    const std::vector<char> code = compile(options, log);
    if (code.empty()) {
      std::printf("no compiler: %s\n", log.c_str());
      return 0;
    }
    if (!runs(code)) return 1;
  }
  if (compile({"--offload-arch=sm_75"}, log).empty()) {
    std::printf("sm_75: %s\n", log.c_str());
    return 1;
  }
  std::printf("right\n");
}
