// Launches whose grid, blocks or shared memory the device or the kernel does not take: all entry points that launch
// give the same error for the same wrong shape, the one that HIP documents. (Cooperative launches have errors of their
// own for two, and three entry points have one of their own for an empty grid, as AMD's HIP 7.2.)
#include "registered.h"

#include <functional>
#include <string>

namespace {

struct Shape {
  dim3 grid{1, 1, 1}, block{1, 1, 1};
  size_t shared_bytes = 0;
};

// A kernel by its handle and by the host address that it is registered with.
struct Kernel {
  hipFunction_t function;
  const void* host;
};

enum class Kind { Plain, Cooperative, Deprecated };
enum class Grid { Blocks, Items };

struct EntryPoint {
  const char* name;
  Kind kind;
  Grid grid;
  size_t most_shared_bytes; // that its parameter can say
  std::function<hipError_t(const Kernel&, const Shape&, void** arguments)> launch;
};

hipLaunchAttribute cooperative_attribute() {
  hipLaunchAttribute attribute{};
  attribute.id = hipLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return attribute;
}

hipError_t launch_with_config(const Kernel& k, const Shape& s, void** arguments, hipLaunchAttribute* attribute) {
  hipLaunchConfig_t config{};
  config.gridDim = s.grid;
  config.blockDim = s.block;
  config.dynamicSmemBytes = s.shared_bytes;
  config.attrs = attribute;
  config.numAttrs = attribute ? 1 : 0;
  return hipLaunchKernelExC(&config, k.host, arguments);
}

hipError_t launch_with_driver_config(const Kernel& k, const Shape& s, void** arguments, hipLaunchAttribute* attribute) {
  HIP_LAUNCH_CONFIG config{};
  config.gridDimX = s.grid.x, config.gridDimY = s.grid.y, config.gridDimZ = s.grid.z;
  config.blockDimX = s.block.x, config.blockDimY = s.block.y, config.blockDimZ = s.block.z;
  config.sharedMemBytes = static_cast<unsigned>(s.shared_bytes);
  config.attrs = attribute;
  config.numAttrs = attribute ? 1 : 0;
  return hipDrvLaunchKernelEx(&config, k.function, arguments, nullptr);
}

hipError_t launch_by_configured_call(const Kernel& k, const Shape& s, void** arguments) {
  hipError_t result = hipConfigureCall(s.grid, s.block, s.shared_bytes, nullptr);
  if (result == hipSuccess) result = hipSetupArgument(arguments[0], sizeof(void*), 0);
  return result == hipSuccess ? hipLaunchByPtr(k.host) : result;
}

const std::vector<EntryPoint>& entry_points() {
  constexpr size_t kAny = SIZE_MAX, kWord = UINT32_MAX;
  static const std::vector<EntryPoint> all{
      {"hipLaunchKernel", Kind::Plain, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipLaunchKernel(k.host, s.grid, s.block, a, s.shared_bytes, nullptr);
       }},
      {"hipLaunchKernel_spt", Kind::Plain, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipLaunchKernel_spt(k.host, s.grid, s.block, a, s.shared_bytes, nullptr);
       }},
      {"hipLaunchKernelBundledArgs", Kind::Plain, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipLaunchKernelBundledArgs(k.host, s.grid, s.block, a[0], sizeof(void*), s.shared_bytes, nullptr);
       }},
      {"hipLaunchKernelBundledArgs of a function", Kind::Plain, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipLaunchKernelBundledArgs(k.function, s.grid, s.block, a[0], sizeof(void*), s.shared_bytes, nullptr);
       }},
      {"hipLaunchKernelExC", Kind::Plain, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) { return launch_with_config(k, s, a, nullptr); }},
      {"hipExtLaunchKernel", Kind::Plain, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipExtLaunchKernel(k.host, s.grid, s.block, a, s.shared_bytes, nullptr, nullptr, nullptr, 0);
       }},
      {"hipLaunchByPtr", Kind::Plain, Grid::Blocks, kAny, launch_by_configured_call},
      {"hipModuleLaunchKernel", Kind::Plain, Grid::Blocks, kWord,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipModuleLaunchKernel(k.function, s.grid.x, s.grid.y, s.grid.z, s.block.x, s.block.y, s.block.z,
                                      static_cast<unsigned>(s.shared_bytes), nullptr, a, nullptr);
       }},
      {"hipDrvLaunchKernelEx", Kind::Plain, Grid::Blocks, kWord,
       [](const Kernel& k, const Shape& s, void** a) { return launch_with_driver_config(k, s, a, nullptr); }},
      {"hipExtModuleLaunchKernel", Kind::Plain, Grid::Items, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipExtModuleLaunchKernel(k.function, s.grid.x * s.block.x, s.grid.y * s.block.y, s.grid.z * s.block.z,
                                         s.block.x, s.block.y, s.block.z, s.shared_bytes, nullptr, a, nullptr, nullptr,
                                         nullptr, 0);
       }},
      {"hipHccModuleLaunchKernel", Kind::Deprecated, Grid::Items, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipHccModuleLaunchKernel(k.function, s.grid.x * s.block.x, s.grid.y * s.block.y, s.grid.z * s.block.z,
                                         s.block.x, s.block.y, s.block.z, s.shared_bytes, nullptr, a, nullptr, nullptr,
                                         nullptr);
       }},
      {"hipLaunchCooperativeKernel", Kind::Cooperative, Grid::Blocks, kWord,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipLaunchCooperativeKernel(k.host, s.grid, s.block, a, static_cast<unsigned>(s.shared_bytes), nullptr);
       }},
      {"hipLaunchCooperativeKernel_spt", Kind::Cooperative, Grid::Blocks, kWord,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipLaunchCooperativeKernel_spt(k.host, s.grid, s.block, a, static_cast<unsigned>(s.shared_bytes),
                                               nullptr);
       }},
      {"hipModuleLaunchCooperativeKernel", Kind::Cooperative, Grid::Blocks, kWord,
       [](const Kernel& k, const Shape& s, void** a) {
         return hipModuleLaunchCooperativeKernel(k.function, s.grid.x, s.grid.y, s.grid.z, s.block.x, s.block.y,
                                                 s.block.z, static_cast<unsigned>(s.shared_bytes), nullptr, a);
       }},
      {"hipLaunchKernelExC, cooperative", Kind::Cooperative, Grid::Blocks, kAny,
       [](const Kernel& k, const Shape& s, void** a) {
         hipLaunchAttribute attribute = cooperative_attribute();
         return launch_with_config(k, s, a, &attribute);
       }},
      {"hipDrvLaunchKernelEx, cooperative", Kind::Cooperative, Grid::Blocks, kWord,
       [](const Kernel& k, const Shape& s, void** a) {
         hipLaunchAttribute attribute = cooperative_attribute();
         return launch_with_driver_config(k, s, a, &attribute);
       }},
  };
  return all;
}

// hipModuleLaunchKernel, and hipLaunchByPtr, which ends in it, in AMD's HIP 7.2.
bool looks_at_blocks_first(const EntryPoint& entry) {
  return entry.name == std::string("hipModuleLaunchKernel") || entry.name == std::string("hipLaunchByPtr");
}

struct Bench {
  explicit Bench(const char* file) : code(file) {
    OK(hipModuleLoadData(&module, code.image.data()));
    OK(hipMalloc(&memory, 1024 * sizeof(int)));
    OK(hipGetDeviceProperties(&properties, 0));
  }
  ~Bench() {
    (void)hipDeviceSynchronize();
    (void)hipFree(memory);
    (void)hipModuleUnload(module);
  }
  // One that takes a pointer, or nothing.
  Kernel kernel(const char* name, const void* host) {
    code.add(name, host);
    hipFunction_t function = nullptr;
    OK(hipModuleGetFunction(&function, module, name));
    return {function, host};
  }
  // Every entry point gives `plain` or `cooperative`; deprecated ones give `deprecated`.
  void expect(const Kernel& kernel, const Shape& shape, hipError_t plain, hipError_t cooperative,
              hipError_t deprecated) {
    expect_each(kernel, shape, [&](const EntryPoint& entry) {
      return entry.kind == Kind::Plain ? plain : entry.kind == Kind::Cooperative ? cooperative : deprecated;
    });
  }
  void expect_each(const Kernel& kernel, const Shape& shape, const std::function<hipError_t(const EntryPoint&)>& of) {
    const auto fits = [](unsigned blocks, unsigned items) { return uint64_t{blocks} * items <= UINT32_MAX; };
    const bool in_items =
        fits(shape.grid.x, shape.block.x) && fits(shape.grid.y, shape.block.y) && fits(shape.grid.z, shape.block.z);
    for (const EntryPoint& entry : entry_points()) {
      if ((entry.grid == Grid::Items && !in_items) || shape.shared_bytes > entry.most_shared_bytes) continue;
      INFO(entry.name << ": " << shape.grid.x << " x " << shape.grid.y << " x " << shape.grid.z << " blocks of "
                      << shape.block.x << " x " << shape.block.y << " x " << shape.block.z << ", " << shape.shared_bytes
                      << " bytes");
      (void)hipGetLastError();
      void* arguments[] = {&memory};
      const hipError_t wanted = of(entry);
      CHECK(entry.launch(kernel, shape, arguments) == wanted);
      CHECK(hipGetLastError() == wanted);
    }
    OK(hipDeviceSynchronize());
  }
  void expect(const Kernel& kernel, const Shape& shape, hipError_t plain, hipError_t cooperative) {
    expect(kernel, shape, plain, cooperative, plain);
  }
  void expect(const Kernel& kernel, const Shape& shape, hipError_t result) { expect(kernel, shape, result, result); }

  Registered code;
  hipModule_t module = nullptr;
  void* memory = nullptr;
  hipDeviceProp_t properties{};
};

} // namespace

TEST_CASE("The same wrong shape has the same error from every entry point that launches") {
  Bench t("kernels.hipfb");
  char host = 0;
  const Kernel bounded = t.kernel("bounded", &host);
  const hipDeviceProp_t& p = t.properties;

  t.expect(bounded, {{1, 1, 1}, {64, 1, 1}}, hipSuccess);
  t.expect(bounded, {{2, 1, 1}, {32, 1, 1}, 1000}, hipSuccess);

  const auto of_nothing = [](const EntryPoint& entry) {
    const std::string name = entry.name;
    return name == "hipModuleLaunchKernel" || name == "hipModuleLaunchCooperativeKernel" || name == "hipLaunchByPtr"
               ? hipErrorInvalidValue
               : hipErrorInvalidConfiguration;
  };
  for (const dim3 zero : {dim3(0, 1, 1), dim3(1, 0, 1), dim3(1, 1, 0), dim3(0, 0, 0)}) {
    t.expect_each(bounded, {zero, {64, 1, 1}}, of_nothing);
    t.expect_each(bounded, {{1, 1, 1}, zero}, of_nothing);
  }
  t.expect_each(bounded, {{0, 1, 1}, {1025, 1, 1}}, of_nothing); // and a block that is too large

  // 2^32 work-items and more, in each dimension. The number of blocks is what two entry points look at before that.
  const auto of_too_many = [](const EntryPoint& entry) {
    return looks_at_blocks_first(entry) ? hipErrorInvalidValue : hipErrorInvalidConfiguration;
  };
  t.expect(bounded, {{1u << 30, 1, 1}, {4, 1, 1}}, hipErrorInvalidConfiguration);
  t.expect_each(bounded, {{~0u, 1, 1}, {64, 1, 1}}, of_too_many);
  t.expect_each(bounded, {{1, 1u << 31, 1}, {1, 2, 1}}, of_too_many);
  t.expect_each(bounded, {{1, 1, 1u << 31}, {1, 1, 2}}, of_too_many);
  if (!on_nvidia())
    t.expect_each(bounded, {{1u << 22, 1u << 22, 1u << 20}, {1, 1, 1}}, [&](const EntryPoint& entry) { // 2^64 blocks
      return entry.kind == Kind::Deprecated ? hipErrorInvalidValue : of_too_many(entry);
    });

  for (int d = 0; d < 3; ++d) {
    const unsigned grid = static_cast<unsigned>(p.maxGridSize[d]) + 1;
    if (on_nvidia())
      t.expect(bounded, {{d == 0 ? grid : 1, d == 1 ? grid : 1, d == 2 ? grid : 1}, {1, 1, 1}}, hipErrorInvalidValue,
               hipErrorInvalidConfiguration);
    const unsigned block = static_cast<unsigned>(p.maxThreadsDim[d]) + 1;
    t.expect(bounded, {{1, 1, 1}, {d == 0 ? block : 1, d == 1 ? block : 1, d == 2 ? block : 1}},
             hipErrorInvalidConfiguration, hipErrorInvalidConfiguration, hipErrorInvalidValue);
  }
  t.expect(bounded, {{1, 1, 1}, {static_cast<unsigned>(p.maxThreadsPerBlock) / 2, 3, 1}}, hipErrorInvalidConfiguration,
           hipErrorInvalidConfiguration, hipErrorInvalidValue);
  t.expect(bounded, {{1, 1, 1}, {~0u, 1, 1}}, hipErrorInvalidConfiguration, hipErrorInvalidConfiguration,
           hipErrorInvalidValue);

  for (const size_t bytes :
       {p.sharedMemPerBlockOptin + 1, size_t{UINT32_MAX}, size_t{1} << 32, (size_t{1} << 32) + 16, SIZE_MAX})
    t.expect(bounded, {{1, 1, 1}, {64, 1, 1}, bytes}, hipErrorInvalidValue, hipErrorCooperativeLaunchTooLarge);
  t.expect(bounded, {{1, 1, 1}, {64, 1, 1}, p.sharedMemPerBlockOptin}, hipSuccess);

  t.expect(bounded, {{1, 1, 1}, {65, 1, 1}}, hipErrorLaunchFailure);
  t.expect(bounded, {{1, 1, 1}, {8, 3, 3}}, hipErrorLaunchFailure);
}

TEST_CASE("A block of nothing, where the grid is given in work-items, and nodes of kernels of nothing") {
  Bench t("kernels.hipfb");
  char host = 0;
  const Kernel bounded = t.kernel("bounded", &host);
  void* arguments[] = {&t.memory};
  FAILS(hipExtModuleLaunchKernel(bounded.function, 64, 1, 1, 0, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr,
                                 0),
        hipErrorInvalidConfiguration);
  FAILS(
      hipHccModuleLaunchKernel(bounded.function, 64, 1, 1, 64, 1, 0, 0, nullptr, arguments, nullptr, nullptr, nullptr),
      hipErrorInvalidConfiguration);

  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr, none = nullptr;
  hipGraphExec_t exec = nullptr;
  OK(hipGraphCreate(&graph, 0));
  hipKernelNodeParams params{};
  params.func = const_cast<void*>(bounded.host);
  params.gridDim = dim3(1), params.blockDim = dim3(64);
  params.kernelParams = arguments;
  OK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (const bool of_block : {false, true}) {
    hipKernelNodeParams empty = params;
    (of_block ? empty.blockDim.y : empty.gridDim.z) = 0;
    FAILS(hipGraphAddKernelNode(&none, graph, nullptr, 0, &empty), hipErrorInvalidConfiguration);
    FAILS(hipGraphKernelNodeSetParams(node, &empty), hipErrorInvalidConfiguration);
    FAILS(hipGraphExecKernelNodeSetParams(exec, node, &empty), hipErrorInvalidConfiguration);
  }
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipDeviceSynchronize());
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
}

TEST_CASE("A cooperative launch without an argument that the kernel takes") {
  Bench t("kernels.hipfb");
  char host = 0;
  const Kernel bounded = t.kernel("bounded", &host);
  void* none[] = {nullptr};
  FAILS(hipLaunchCooperativeKernel(bounded.host, dim3(1), dim3(64), none, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipLaunchCooperativeKernel_spt(bounded.host, dim3(1), dim3(64), none, 0, nullptr), hipErrorInvalidValue);
}

TEST_CASE("A kernel that requires one size of blocks is launched with no other") {
  if (on_nvidia()) return; // its attributes do not tell what a kernel requires
  Bench t("required.gfx942.co");
  char host = 0;
  const Kernel needs_64 = t.kernel("needs_64", &host);
  t.expect(needs_64, {{2, 1, 1}, {64, 1, 1}}, hipSuccess);
  for (const dim3 block : {dim3(32, 1, 1), dim3(32, 2, 1), dim3(1, 64, 1), dim3(63, 1, 1), dim3(65, 1, 1)})
    t.expect(needs_64, {{1, 1, 1}, block}, hipErrorLaunchFailure);
}

TEST_CASE("Partial blocks, where the grid is given in work-items") {
  Bench t("kernels.hipfb");
  char host = 0;
  const Kernel bounded = t.kernel("bounded", &host);
  void* arguments[] = {&t.memory};
  const auto launch = [&](unsigned items, unsigned block) {
    return hipExtModuleLaunchKernel(bounded.function, items, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr, nullptr,
                                    nullptr, 0);
  };
  OK(launch(128, 64));
  for (const unsigned items : {1u, 63u, 65u, 100u}) {
    if (on_nvidia())
      FAILS(launch(items, 64), hipErrorInvalidConfiguration);
    else
      OK(launch(items, 64));
  }
  // Blocks count, whole or not.
  if (on_nvidia()) {
    const unsigned most = static_cast<unsigned>(t.properties.maxGridSize[1]);
    FAILS(hipExtModuleLaunchKernel(bounded.function, 1, most * 2 + 2, 1, 1, 2, 1, 0, nullptr, arguments, nullptr,
                                   nullptr, nullptr, 0),
          hipErrorInvalidValue);
  }
  OK(hipDeviceSynchronize());
}

// AMD's HIP tells 65535 for y and z, and all its entry points but one take what a packet can say; rocBLAS counts on it.
TEST_CASE("More blocks in y and z than the device tells") {
  Bench t("kernels.hipfb");
  if (on_nvidia()) return; // its limit is what it tells
  char host = 0;
  const Kernel nothing = t.kernel("nothing", &host);
  for (const unsigned blocks : {65536u, 65537u, 70000u})
    for (const bool in_z : {false, true}) {
      const dim3 grid = in_z ? dim3(1, 1, blocks) : dim3(1, blocks, 1);
      t.expect_each(nothing, {grid, {1, 1, 1}}, [&](const EntryPoint& entry) {
        if (entry.kind == Kind::Cooperative) return hipErrorCooperativeLaunchTooLarge;
        return looks_at_blocks_first(entry) && blocks > 65536 ? hipErrorInvalidValue : hipSuccess;
      });
    }
}

TEST_CASE("A cooperative grid is no larger than what the device holds at once") {
  Bench t("kernels.hipfb");
  char host = 0;
  const Kernel nothing = t.kernel("nothing", &host);
  int per_unit = 0;
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, nothing.function, 256, 1000));
  const unsigned most = static_cast<unsigned>(per_unit * t.properties.multiProcessorCount);
  t.expect(nothing, {{most, 1, 1}, {256, 1, 1}, 1000}, hipSuccess);
  t.expect(nothing, {{1, most, 1}, {1, 256, 1}, 1000}, hipSuccess);
  t.expect(nothing, {{most + 1, 1, 1}, {256, 1, 1}, 1000}, hipSuccess, hipErrorCooperativeLaunchTooLarge);
  t.expect(nothing, {{1000, 1000, 1}, {256, 1, 1}, 1000}, hipSuccess, hipErrorCooperativeLaunchTooLarge);
}
