// A program that compiles its kernel through comgr, step by step, and runs it with HIP.
#include "fixture.h"

#include <hip/hip_runtime_api.h>

#include <cmath>

#include <vector>

using namespace comgr_test;

TEST_CASE("A kernel that comgr makes runs") {
  hipDeviceProp_t properties;
  REQUIRE(hipGetDeviceProperties(&properties, 0) == hipSuccess);
  const std::string isa = std::string("amdgcn-amd-amdhsa--") + properties.gcnArchName;
  const Info hip(AMD_COMGR_LANGUAGE_HIP, isa.c_str()), code(AMD_COMGR_LANGUAGE_NONE, isa.c_str());
  // With the SDK's headers and device library.
  const Data source(
      AMD_COMGR_DATA_KIND_SOURCE, "waves.hip",
      "#include <hip/hip_runtime.h>\n"
      "extern \"C\" __global__ void waves(float* p) { p[threadIdx.x] = sinf(p[threadIdx.x]) + blockDim.x; }");
  const Data bitcode =
      make(AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC, hip, {&source}, AMD_COMGR_DATA_KIND_BC);
  const Data object =
      make(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, code, {&bitcode}, AMD_COMGR_DATA_KIND_RELOCATABLE);
  const Data file =
      make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, code, {&object}, AMD_COMGR_DATA_KIND_EXECUTABLE);

  const std::string image = file.bytes();
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  REQUIRE(hipModuleLoadData(&module, image.data()) == hipSuccess);
  REQUIRE(hipModuleGetFunction(&function, module, "waves") == hipSuccess);
  float* values = nullptr;
  REQUIRE(hipMalloc(reinterpret_cast<void**>(&values), 64 * sizeof(float)) == hipSuccess);
  std::vector<float> host(64);
  for (size_t i = 0; i < host.size(); ++i) host[i] = 0.1f * float(i);
  REQUIRE(hipMemcpy(values, host.data(), 64 * sizeof(float), hipMemcpyHostToDevice) == hipSuccess);
  void* arguments[] = {&values};
  REQUIRE(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) == hipSuccess);
  std::vector<float> out(64);
  REQUIRE(hipMemcpy(out.data(), values, 64 * sizeof(float), hipMemcpyDeviceToHost) == hipSuccess);
  for (size_t i = 0; i < host.size(); ++i) CHECK(out[i] == Approx(std::sin(host[i]) + 64).epsilon(1e-6));
  CHECK(hipFree(values) == hipSuccess);
  CHECK(hipModuleUnload(module) == hipSuccess);
}
