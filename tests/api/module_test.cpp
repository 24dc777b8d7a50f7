#include "environment_variable.h"
#include "registered.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

TEST_CASE("Modules from files and from memory") {
  const std::string dir = CODE_DIR;
  hipModule_t module = nullptr;
  hipFunction_t f = nullptr;
  for (const std::string name : {"kernels.hipfb", bare_code()}) {
    CAPTURE(name);
    OK(hipModuleLoad(&module, (dir + "/" + name).c_str()));
    OK(hipModuleGetFunction(&f, module, "scale"));
    CHECK(std::string(hipKernelNameRef(f)) == "scale");
    unsigned count = 0;
    OK(hipModuleGetFunctionCount(&count, module));
    CHECK(count == (on_nvidia() ? 7 : 8));
    OK(hipModuleUnload(module));
    FAILS(hipModuleUnload(module), hipErrorNotFound);
    FAILS(hipModuleGetFunction(&f, module, "scale"), hipErrorInvalidResourceHandle);
  }
  const auto image = read_file("kernels.hipfb");
  OK(hipModuleLoadData(&module, image.data()));
  OK(hipModuleUnload(module));
  OK(hipModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr));
  {
    hipModule_t again = nullptr;
    char info[8] = "unknown", errors[8] = "unknown";
    hipJitOption options[] = {hipJitOptionInfoLogBuffer, hipJitOptionInfoLogBufferSizeBytes, hipJitOptionErrorLogBuffer,
                              hipJitOptionErrorLogBufferSizeBytes};
    void* values[] = {info, reinterpret_cast<void*>(sizeof info), errors, nullptr};
    OK(hipModuleLoadDataEx(&again, image.data(), 4, options, values));
    CHECK(std::string(info).empty());
    CHECK(values[1] == nullptr);
    CHECK(std::string(errors) == "unknown"); // a buffer of no bytes
    OK(hipModuleUnload(again));
  }
  OK(hipModuleUnload(module));
  OK(hipModuleLoadFatBinary(&module, image.data()));
  OK(hipModuleUnload(module));
}

TEST_CASE("Modules that cannot be") {
  const std::string dir = CODE_DIR;
  hipModule_t module = garbage_handle<hipModule_t>();
  FAILS(hipModuleLoad(nullptr, "x"), hipErrorInvalidValue);
  FAILS(hipModuleLoad(&module, nullptr), hipErrorInvalidValue);
  FAILS(hipModuleLoad(&module, ""), hipErrorInvalidValue);
  FAILS(hipModuleLoad(&module, "no such file"), hipErrorFileNotFound);
  CHECK(module == nullptr);
  const std::string bad = dir + "/bad." + std::to_string(getpid()) + ".co";
  auto write = [&](const void* bytes, size_t n) {
    std::ofstream(bad, std::ios::binary).write(static_cast<const char*>(bytes), static_cast<std::streamsize>(n));
  };
  write("", 0);
  FAILS(hipModuleLoad(&module, bad.c_str()), hipErrorInvalidImage);
  write("this is no code object, whatever else it is", 43);
  FAILS(hipModuleLoad(&module, bad.c_str()), hipErrorInvalidImage);
  const auto image = read_file(bare_code());
  write(image.data(), image.size() / 3);
  FAILS(hipModuleLoad(&module, bad.c_str()), hipErrorInvalidImage);
  std::remove(bad.c_str());
  FAILS(hipModuleLoadData(nullptr, image.data()), hipErrorInvalidValue);
  FAILS(hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
  FAILS(hipModuleLoadData(&module, ""), hipErrorInvalidImage);
  FAILS(hipModuleLoad(&module, (dir + "/kernels.other.hipfb").c_str()), hipErrorNoBinaryForGpu);
  FAILS(hipModuleUnload(nullptr), hipErrorInvalidHandle);
  FAILS(hipModuleUnload(garbage_handle<hipModule_t>()), hipErrorNotFound);
}

TEST_CASE("A module file without code for the device is told of once") {
  for (const char* variable : {"OMNIHIP_LOG", "AMD_LOG_LEVEL", "OMNIHIP_TRACE"})
    if (std::getenv(variable)) return; // somebody else decides what is told
  const std::string name = std::string(CODE_DIR) + "/other." + std::to_string(getpid()) + ".hipfb";
  const auto image = read_file("kernels.other.hipfb");
  std::ofstream(name, std::ios::binary).write(image.data(), static_cast<std::streamsize>(image.size()));
  std::FILE* const log = std::tmpfile();
  REQUIRE(log != nullptr);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(log), STDERR_FILENO);
  hipModule_t module = nullptr;
  std::array<hipError_t, 3> errors{};
  for (hipError_t& error : errors) error = hipModuleLoad(&module, name.c_str());
  dup2(before, STDERR_FILENO);
  close(before);
  std::remove(name.c_str());
  for (const hipError_t error : errors) CHECK(error == hipErrorNoBinaryForGpu);
  std::string text;
  std::rewind(log);
  for (int c; (c = std::fgetc(log)) != EOF;) text += static_cast<char>(c);
  std::fclose(log);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  CHECK(text.find("hipModuleLoad") != std::string::npos);
  CHECK(text.find("The file holds: gfx90a, gfx1100") != std::string::npos);
  CHECK(text.find(name) != std::string::npos);
  (void)hipGetLastError();
}

// A header says that 16 bytes lie a terabyte behind the others. (Everything else of the file is as it was.)
TEST_CASE("A segment far away is refused, and takes no memory") {
  if (on_nvidia()) return; // whose driver reads its own files
  std::vector<char> image = read_file("kernels.gfx942.co");
  constexpr uint32_t kLoad = 1, kReadable = 4, kStack = 0x6474e551; // PT_GNU_STACK, which says nothing here
  constexpr size_t kHeadersAt = 64, kHeaderBytes = 56;
  const auto put = [&](size_t at, auto value) { std::memcpy(image.data() + at, &value, sizeof value); };
  uint16_t count = 0;
  std::memcpy(&count, image.data() + 56, sizeof count);
  bool changed = false;
  for (size_t at = kHeadersAt; at < kHeadersAt + count * kHeaderBytes; at += kHeaderBytes) {
    uint32_t type = 0;
    std::memcpy(&type, image.data() + at, sizeof type);
    if (type != kStack) continue;
    put(at, kLoad);
    put(at + 4, kReadable);
    put(at + 8, uint64_t{0});        // in the file
    put(at + 16, uint64_t{1} << 40); // its address
    put(at + 32, uint64_t{16});      // bytes in the file
    put(at + 40, uint64_t{16});      // in memory
    put(at + 48, uint64_t{4096});    // alignment
    changed = true;
  }
  REQUIRE(changed);
  size_t before = 0, after = 0, total = 0;
  OK(hipMemGetInfo(&before, &total));
  hipModule_t module = nullptr;
  FAILS(hipModuleLoadData(&module, image.data()), hipErrorOutOfMemory);
  OK(hipMemGetInfo(&after, &total));
  CHECK(after == before);
}

TEST_CASE("Functions and variables of a module") {
  TestModule m;
  hipFunction_t f = nullptr, again = nullptr;
  OK(hipModuleGetFunction(&f, m.module, "scale"));
  OK(hipModuleGetFunction(&again, m.module, "scale"));
  CHECK(f == again);
  FAILS(hipModuleGetFunction(nullptr, m.module, "scale"), hipErrorInvalidValue);
  FAILS(hipModuleGetFunction(&f, nullptr, "scale"), hipErrorInvalidResourceHandle);
  FAILS(hipModuleGetFunction(&f, m.module, nullptr), hipErrorInvalidValue);
  FAILS(hipModuleGetFunction(&f, m.module, ""), hipErrorInvalidValue);
  FAILS(hipModuleGetFunction(&f, m.module, "nope"), hipErrorNotFound);
  FAILS(hipModuleGetFunction(&f, m.module, "counter"), hipErrorNotFound);
  void* address = nullptr;
  size_t bytes = 0;
  OK(hipModuleGetGlobal(&address, &bytes, m.module, "factors"));
  CHECK(bytes == 16);
  int values[4] = {};
  OK(hipMemcpy(values, address, sizeof values, hipMemcpyDeviceToHost));
  CHECK(values[3] == 4);
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, address));
  CHECK(a.type == hipMemoryTypeDevice);
  FAILS(hipFree(address), hipErrorInvalidValue);
  FAILS(hipMemcpy(values, address, 17, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  OK(hipModuleGetGlobal(&address, nullptr, m.module, "counter"));
  FAILS(hipModuleGetGlobal(nullptr, nullptr, m.module, "counter"), hipErrorInvalidValue);
  FAILS(hipModuleGetGlobal(&address, &bytes, m.module, "nope"), hipErrorNotFound);
  FAILS(hipModuleGetGlobal(&address, &bytes, m.module, ""), hipErrorInvalidValue);
  FAILS(hipModuleGetGlobal(&address, &bytes, m.module, nullptr), hipErrorInvalidValue);
  FAILS(hipModuleGetGlobal(&address, &bytes, nullptr, "counter"), hipErrorInvalidResourceHandle);
}

TEST_CASE("Attributes and occupancy of a function") {
  TestModule m;
  const hipFunction_t f = m.function("bounded");
  int value = -1;
  OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
  CHECK(value == 64);
  OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
  CHECK(value == 0);
  OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, f));
  CHECK(value > 0);
  FAILS(hipFuncGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, f), hipErrorInvalidValue);
  FAILS(hipFuncGetAttribute(&value, static_cast<hipFunction_attribute>(-1), f), hipErrorInvalidValue);
  FAILS(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr), hipErrorInvalidResourceHandle);
  const hipFunction_t scale = m.function("scale");
  int blocks = 0, grid = 0, block = 0;
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  CHECK(blocks >= 1);
  int fewer = 0;
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, scale, 256, p.sharedMemPerBlockOptin));
  CHECK(fewer <= 1);
  OK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
  CHECK(block >= 64);
  CHECK(block <= 1024);
  CHECK(grid >= 1);
  OK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 128));
  CHECK(block <= 128);
  FAILS(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 0, 0), hipErrorInvalidValue);
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 2000, 0));
  CHECK(blocks == 0);
  FAILS(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, scale, 64, 0), hipErrorInvalidValue);
  FAILS(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 64, 0), hipErrorInvalidValue);
  FAILS(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, scale, 0, 0, 99), hipErrorInvalidValue);
}

namespace {
// A module with an int __managed__ variable `shared_total`, 5 at first; on NVIDIA GPUs one without kernels.
hipModule_t load_managed() {
  constexpr const char* kPtx = ".version 6.3\n.target sm_70\n.address_size 64\n"
                               ".visible .global .align 4 .u32 shared_total$managed = 5;\n"
                               ".visible .global .align 8 .u64 shared_total;\n";
  hipModule_t module = nullptr;
  if (on_nvidia()) {
    OK(hipModuleLoadData(&module, kPtx));
  } else {
    const std::vector<char> image = read_file("kernels.hipfb");
    OK(hipModuleLoadData(&module, image.data()));
  }
  return module;
}
} // namespace

TEST_CASE("The managed variable of a module lies where the host reads it, and belongs to the module") {
  const hipModule_t first = load_managed(), second = load_managed();
  hipDeviceptr_t address = nullptr, other = nullptr;
  size_t bytes = 0;
  OK(hipModuleGetGlobal(&address, &bytes, first, "shared_total"));
  CHECK(bytes == sizeof(int));
  OK(hipModuleGetGlobal(&other, &bytes, second, "shared_total"));
  CHECK(address != other);
  int* const value = static_cast<int*>(address);
  CHECK(*value == 5);
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, address));
  CHECK(a.isManaged == 1);
  FAILS(hipFree(address), hipErrorInvalidValue);
  if (kernels_run()) {
    hipFunction_t add = nullptr;
    OK(hipModuleGetFunction(&add, first, "add_to_shared"));
    int by = 10;
    void* arguments[] = {&by};
    OK(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(*value == 15);
    *value = 100;
    OK(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(*value == 110);
  }
  CHECK(*static_cast<int*>(other) == 5);
  OK(hipModuleUnload(first));
  OK(hipPointerGetAttributes(&a, address));
  CHECK(a.type == hipMemoryTypeUnregistered);
  OK(hipModuleUnload(second));
}

TEST_CASE("A registered managed variable has one storage, and all code of its fat binary uses it") {
  if (!kernels_run()) return;
  Registered r("kernels.hipfb");
  int initial = 7, *shadow = nullptr;
  __hipRegisterManagedVar(r.modules, reinterpret_cast<void**>(&shadow), &initial, "shared_total", sizeof initial, 4);
  REQUIRE(shadow);
  char add = 0;
  r.add("add_to_shared", &add);
  int by = 10;
  void* arguments[] = {&by};
  OK(hipLaunchKernel(&add, dim3(1), dim3(64), arguments, 0, nullptr));
  OK(hipDeviceSynchronize());
  CHECK(*shadow == 17);
  OK(hipMemcpyFromSymbol(&by, static_cast<const void*>(shadow), sizeof by, 0, hipMemcpyDeviceToHost));
  CHECK(by == 17);
}

namespace {
// A blocking stream whose work waits for the host; all work given to the null stream later waits for it.
struct WaitingStream {
  WaitingStream() {
    OK(hipHostMalloc(reinterpret_cast<void**>(&word), 64, hipHostMallocDefault));
    *word = 0;
    OK(hipStreamCreate(&stream));
    OK(hipStreamWaitValue32(stream, word, 1, hipStreamWaitValueEq, ~0u));
  }
  ~WaitingStream() {
    __atomic_store_n(word, 1u, __ATOMIC_RELEASE);
    (void)hipStreamDestroy(stream);
    (void)hipHostFree(word);
  }
  bool waits() const { return hipStreamQuery(stream) == hipErrorNotReady; }
  unsigned* word = nullptr;
  hipStream_t stream = nullptr;
};
} // namespace

// It would not end otherwise. Not for NVIDIA's driver, which waits for the device itself when it loads code.
TEST_CASE("Loading code with a managed variable waits for no stream") {
  if (!kernels_run() || on_nvidia()) return;
  Registered r("kernels.hipfb");
  int initial = 7, *shadow = nullptr;
  __hipRegisterManagedVar(r.modules, reinterpret_cast<void**>(&shadow), &initial, "shared_total", sizeof initial, 4);
  REQUIRE(shadow);
  char add = 0;
  r.add("add_to_shared", &add);
  hipStream_t beside = nullptr;
  OK(hipStreamCreateWithFlags(&beside, hipStreamNonBlocking));
  hipModule_t module = nullptr;
  {
    const WaitingStream stream;
    module = load_managed();
    hipDeviceptr_t address = nullptr;
    size_t bytes = 0;
    OK(hipModuleGetGlobal(&address, &bytes, module, "shared_total"));
    CHECK(*static_cast<int*>(address) == 5);
    int by = 10;
    void* arguments[] = {&by};
    OK(hipLaunchKernel(&add, dim3(1), dim3(64), arguments, 0, beside)); // which loads the code
    OK(hipStreamSynchronize(beside));
    CHECK(*shadow == 17);
    CHECK(stream.waits());
  }
  OK(hipModuleUnload(module));
  OK(hipStreamDestroy(beside));
}

TEST_CASE("The functions of a module, one by one") {
  TestModule module;
  unsigned count = 0;
  OK(hipModuleGetFunctionCount(&count, module.module));
  std::vector<hipFunction_t> all(count + 1, nullptr);
  OK(hipModuleEnumerateFunctions(all.data(), count + 1, module.module));
  CHECK(all.back() == nullptr);
  all.pop_back();
  CHECK(std::count(all.begin(), all.end(), module.function("scale")) == 1);
  CHECK(std::count(all.begin(), all.end(), module.function("nothing")) == 1);
  hipFunction_t one[2] = {nullptr, nullptr};
  OK(hipModuleEnumerateFunctions(one, 1, module.module));
  CHECK((one[0] == all[0] && one[1] == nullptr));
  OK(hipModuleEnumerateFunctions(one, 0, module.module));
  FAILS(hipModuleEnumerateFunctions(nullptr, 1, module.module), hipErrorInvalidValue);
  FAILS(hipModuleEnumerateFunctions(one, 1, garbage_handle<hipModule_t>()), hipErrorInvalidHandle);
}

// Registered as api_loads_eagerly with HIP_MODULE_LOADING=eager, too.
TEST_CASE("When code is loaded", "[loading]") {
  const char* const asked = std::getenv("HIP_MODULE_LOADING");
  hipModuleLoadingMode_t mode = static_cast<hipModuleLoadingMode_t>(0);
  OK(hipModuleGetLoadingMode(&mode));
  CHECK(mode == (asked && *asked ? HIP_MODULE_EAGER_LOADING : HIP_MODULE_LAZY_LOADING));
  const hip::EnvironmentVariable later("HIP_MODULE_LOADING",
                                       asked && *asked ? "LAZY" : "EAGER"); // for the next process
  hipModuleLoadingMode_t again = static_cast<hipModuleLoadingMode_t>(0);
  OK(hipModuleGetLoadingMode(&again));
  CHECK(again == mode);
  FAILS(hipModuleGetLoadingMode(nullptr), hipErrorInvalidValue);

  Registered r("kernels.hipfb");
  const char nothing = 0;
  r.add("nothing", &nothing);
  void* memory = nullptr;
  OK(hipMalloc(&memory, 64));
  OK(hipMemset(memory, 1, 64));
  OK(hipDeviceSynchronize());
  size_t before = 0, after = 0, all = 0;
  OK(hipMemGetInfo(&before, &all));
  OK(hipLaunchKernel(&nothing, dim3(1), dim3(64), nullptr, 0, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipMemGetInfo(&after, &all));
  if (!on_nvidia())                                               // where the driver has its own way
    CHECK((before > after) == (mode == HIP_MODULE_LAZY_LOADING)); // what the launch has loaded
  OK(hipFree(memory));
  TestModule module;
  CHECK(module.function("scale"));
}

TEST_CASE("Attributes of functions that are set by their handles") {
  TestModule module;
  const hipFunction_t scale = module.function("scale");
  int value = -1;
  OK(hipDrvFuncSetAttribute(scale, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2000));
  OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, scale));
  CHECK(value == 2000);
  OK(hipDrvFuncSetAttribute(scale, HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 40));
  OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, scale));
  CHECK(value == 40);
  FAILS(hipDrvFuncSetAttribute(scale, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 28), hipErrorInvalidValue);
  FAILS(hipDrvFuncSetAttribute(scale, HIP_FUNC_ATTRIBUTE_NUM_REGS, 8), hipErrorInvalidValue);
  FAILS(hipDrvFuncSetAttribute(garbage_handle<hipFunction_t>(), HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1),
        hipErrorInvalidHandle);

  // Programs cast functions to symbols.
  const void* const symbol = scale;
  OK(hipFuncSetAttribute(symbol, hipFuncAttributeMaxDynamicSharedMemorySize, 3000));
  hipFuncAttributes attributes{};
  OK(hipFuncGetAttributes(&attributes, symbol));
  CHECK(attributes.maxDynamicSharedSizeBytes == 3000);
  hipFunction_t same = nullptr;
  OK(hipGetFuncBySymbol(&same, symbol));
  CHECK(same == scale);
  OK(hipModuleUnload(module.module));
  module.module = nullptr;
  FAILS(hipFuncSetAttribute(symbol, hipFuncAttributeMaxDynamicSharedMemorySize, 1), hipErrorInvalidDeviceFunction);
}

TEST_CASE("Clusters of blocks") {
  const auto image = read_file(bare_code());
  hipLibrary_t library;
  hipKernel_t kernel;
  OK(hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(hipLibraryGetKernel(&kernel, library, "nothing"));
  hipLaunchAttribute attributes[2]{};
  attributes[0].id = hipLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 2;
  attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
  attributes[1].id = hipLaunchAttributeIgnore;
  hipLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(64);
  config.attrs = attributes;
  config.numAttrs = 2;
  int size = -1, clusters = -1;
  if (on_nvidia()) {
    OK(hipOccupancyMaxPotentialClusterSize(&size, kernel, &config));
    CHECK(size == 8); // the fake driver's
    OK(hipOccupancyMaxActiveClusters(&clusters, kernel, &config));
    CHECK(clusters == 66);
    attributes[0].val.clusterDim.x = 16;
    FAILS(hipOccupancyMaxActiveClusters(&clusters, kernel, &config), hipErrorInvalidClusterSize);
  } else { // AMD GPUs have none
    FAILS(hipOccupancyMaxPotentialClusterSize(&size, kernel, &config), hipErrorInvalidClusterSize);
    FAILS(hipOccupancyMaxActiveClusters(&clusters, kernel, &config), hipErrorInvalidClusterSize);
    CHECK(size == -1);
    FAILS(hipLaunchKernelExC(&config, kernel, nullptr), hipErrorInvalidClusterSize);
  }
  attributes[0].val.clusterDim.x = 0;
  FAILS(hipOccupancyMaxActiveClusters(&clusters, kernel, &config), hipErrorInvalidValue);
  attributes[0].val.clusterDim.x = 1;
  OK(hipLaunchKernelExC(&config, kernel, nullptr)); // one block is what every launch is made of
  OK(hipDeviceSynchronize());
  config.blockDim = dim3(0);
  FAILS(hipOccupancyMaxPotentialClusterSize(&size, kernel, &config), hipErrorInvalidValue);
  config.blockDim = dim3(64);
  config.attrs = nullptr;
  FAILS(hipOccupancyMaxPotentialClusterSize(&size, kernel, &config), hipErrorInvalidValue);
  config.numAttrs = 0;
  FAILS(hipOccupancyMaxPotentialClusterSize(nullptr, kernel, &config), hipErrorInvalidValue);
  FAILS(hipOccupancyMaxPotentialClusterSize(&size, kernel, nullptr), hipErrorInvalidValue);
  FAILS(hipOccupancyMaxActiveClusters(nullptr, kernel, &config), hipErrorInvalidValue);
  FAILS(hipOccupancyMaxPotentialClusterSize(&size, &config, &config), hipErrorInvalidDeviceFunction);
  FAILS(hipOccupancyMaxActiveClusters(&clusters, &config, &config), hipErrorInvalidDeviceFunction);
  OK(hipLibraryUnload(library));
}
