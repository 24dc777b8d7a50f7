// HIP and HSA in one process: both have the same software GPUs, so memory of one is memory of the other, whichever was
// there first. The CMake file runs the cases in processes of their own.
#include "testing.h"

#include <hip/hip_runtime_api.h>

using namespace hip::test;

namespace {

#define REQUIRE_HIP(...) REQUIRE((__VA_ARGS__) == hipSuccess)

struct HipSide {
  hipModule_t module{};
  hipFunction_t add{};
  HipSide() {
    int devices = 0;
    REQUIRE_HIP(hipGetDeviceCount(&devices));
    REQUIRE(devices == 1);
  }
  void load() {
    REQUIRE_HIP(hipModuleLoadData(&module, read_file(OMNIHIP_TEST_DATA "/hip_kernels.co").data()));
    REQUIRE_HIP(hipModuleGetFunction(&add, module, "add"));
  }
  void run(uint32_t* data, uint32_t amount, unsigned groups) {
    void* arguments[] = {&data, &amount};
    REQUIRE_HIP(hipModuleLaunchKernel(add, groups, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    REQUIRE_HIP(hipDeviceSynchronize());
  }
};

void share(Hsa& hsa, HipSide& hip) {
  hip.load();
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 1);
  const hsa_signal_t done = hsa.signal(1);

  // A kernel of HIP in memory of HSA, then one of HSA.
  auto* const of_hsa = hsa.allocate<uint32_t>(hsa.device, 256);
  std::fill_n(of_hsa, 256, 5u);
  hip.run(of_hsa, 30, 4);
  *arguments = {of_hsa, 7};
  dispatch(queue, kernels.kernel("add"), arguments, 4, done);
  REQUIRE(wait_below(done, 1) == 0);
  for (int i = 0; i < 256; ++i) REQUIRE(of_hsa[i] == 42);

  // The other way round.
  uint32_t* of_hip = nullptr;
  std::vector<uint32_t> host(70'000, 1);
  REQUIRE_HIP(hipMalloc(reinterpret_cast<void**>(&of_hip), host.size() * 4));
  REQUIRE_HIP(hipMemcpy(of_hip, host.data(), host.size() * 4, hipMemcpyHostToDevice));
  *arguments = {of_hip, 9};
  hsa_signal_store_relaxed(done, 1);
  dispatch(queue, kernels.kernel("add"), arguments, 4, done);
  REQUIRE(wait_below(done, 1) == 0);
  hip.run(of_hip, 1, 2);
  REQUIRE_HIP(hipMemcpy(host.data(), of_hip, host.size() * 4, hipMemcpyDeviceToHost));
  for (int i = 0; i < 400; ++i) REQUIRE(host[i] == (i < 128 ? 11u : i < 256 ? 10u : 1u));

  // HSA knows what HIP allocated, as far as it goes, and not what HIP has freed.
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(of_hip + 17, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA);
  CHECK(info.agentBaseAddress == of_hip);
  CHECK(info.sizeInBytes == host.size() * 4);
  CHECK(info.agentOwner.handle == hsa.gpu.handle);
  void* pinned = nullptr;
  REQUIRE_HIP(hipHostMalloc(&pinned, 1000, hipHostMallocDefault));
  REQUIRE_HSA(hsa_amd_pointer_info(pinned, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA);
  CHECK(info.agentOwner.handle == hsa.host.handle);
  hsa_signal_store_relaxed(done, 1);
  REQUIRE_HSA(hsa_amd_memory_async_copy(of_hip, hsa.gpu, pinned, hsa.host, 1000, 0, nullptr, done));
  REQUIRE(wait_below(done, 1) == 0);
  CHECK(hsa_amd_memory_pool_free(of_hip) == HSA_STATUS_ERROR_INVALID_ALLOCATION); // HIP's to free
  REQUIRE_HIP(hipHostFree(pinned));
  REQUIRE_HIP(hipFree(of_hip));
  REQUIRE_HSA(hsa_amd_pointer_info(of_hip, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

} // namespace

TEST_CASE("HSA first", "[both]") {
  Hsa hsa;
  HipSide hip;
  share(hsa, hip);
}

TEST_CASE("HIP first", "[both]") {
  HipSide hip;
  Hsa hsa;
  share(hsa, hip);
}

TEST_CASE("HIP goes on when HSA has ended", "[both]") {
  HipSide hip;
  uint32_t* data = nullptr;
  {
    Hsa hsa;
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void**>(&data), 256));
    REQUIRE_HIP(hipMemset(data, 0, 256));
  }
  hip.load();
  hip.run(data, 6, 1);
  uint32_t first = 0;
  REQUIRE_HIP(hipMemcpy(&first, data, 4, hipMemcpyDeviceToHost));
  CHECK(first == 6);
  Hsa again;
  Kernels kernels(again);
}
