// 10_module_api - load kernels from a file at run time: for programs that choose, generate or update their kernels. The
// file kernels.co lies next to this program; it was made by `hipcc --genco kernels.hip -o kernels.co`.
#include "../common.h"

#include <string>

int main(int argc, char** argv) {
  std::string path = argc > 1 ? argv[1] : argv[0];
  if (argc < 2) {
    const size_t slash = path.find_last_of('/');
    path = (slash == std::string::npos ? "." : path.substr(0, slash)) + "/kernels.co";
  }

  hipModule_t module = nullptr;
  hipFunction_t scale = nullptr, add = nullptr;
  HIP_CHECK(hipModuleLoad(&module, path.c_str()));
  HIP_CHECK(hipModuleGetFunction(&scale, module, "scale"));
  HIP_CHECK(hipModuleGetFunction(&add, module, "add"));

  hipDeviceptr_t factor = 0;
  size_t factor_bytes = 0;
  HIP_CHECK(hipModuleGetGlobal(&factor, &factor_bytes, module, "factor"));
  const int three = 3;
  HIP_CHECK(hipMemcpyHtoD(factor, const_cast<int*>(&three), sizeof(three)));

  int count = 10'000, value = 7;
  std::vector<int> host(count);
  for (int i = 0; i < count; ++i) host[i] = i;
  sample::DeviceArray<int> data(host);
  int* pointer = data.data();
  const unsigned blocks = sample::blocks_for(count, 256);

  const double ms = sample::time_ms([&] {
    // Arguments as an array of pointers, one per argument ...
    void* scale_arguments[] = {&pointer, &count};
    HIP_CHECK(hipModuleLaunchKernel(scale, blocks, 1, 1, 256, 1, 1, 0, nullptr, scale_arguments, nullptr));
    // ... or as one packed block, laid out as the kernel's parameters are.
    struct {
      int* data;
      int count, value;
    } packed = {pointer, count, value};
    size_t packed_bytes = sizeof(packed);
    void* config[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                      HIP_LAUNCH_PARAM_END};
    HIP_CHECK(hipModuleLaunchKernel(add, blocks, 1, 1, 256, 1, 1, 0, nullptr, nullptr, config));
  });

  bool passed = factor_bytes == sizeof(int);
  const std::vector<int> result = data.download();
  for (int i = 0; i < count; ++i) passed &= result[i] == i * 3 + 7;

  hipFunction_t missing = nullptr;
  passed &= hipModuleGetFunction(&missing, module, "no_such_kernel") == hipErrorNotFound;
  HIP_CHECK(hipModuleUnload(module));
  std::printf("loaded %s\n", path.c_str());
  return sample::finish("module_api", passed, ms);
}
