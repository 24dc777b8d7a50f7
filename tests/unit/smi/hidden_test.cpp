// What librocm_smi64 and libamd_smi say of devices that HIP does not show. Run with three software GPUs, of which
// ROCR_VISIBLE_DEVICES=2,0 leaves two in the other order, and HIP_VISIBLE_DEVICES=1,0 turns these round once more:
// HIP's devices 0 and 1 are the GPUs 0 and 2 of the machine.
#include "smi/amd_smi.h"
#include "smi/rocm_smi.h"

#include <hip/hip_runtime_api.h>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

constexpr uint32_t kDevices = 3;
constexpr uint64_t kProcessors[kDevices] = {0x942, 0x1100, 0x90a}; // as OMNIHIP_SOFT_TARGET names them
constexpr int kHipDevices[kDevices] = {0, -1, 1};                  // HIP's number of each
constexpr const char* kArchitectures[] = {"gfx942", "gfx90a"};     // of HIP's devices

struct Initialised {
  Initialised() {
    REQUIRE(rsmi_init(0) == RSMI_STATUS_SUCCESS);
    REQUIRE(amdsmi_init(AMDSMI_INIT_AMD_GPUS) == AMDSMI_STATUS_SUCCESS);
  }
  ~Initialised() {
    CHECK(amdsmi_shut_down() == AMDSMI_STATUS_SUCCESS);
    CHECK(rsmi_shut_down() == RSMI_STATUS_SUCCESS);
  }
};

amdsmi_processor_handle processor_at(uint32_t bus) {
  amdsmi_bdf_t place{};
  place.bdf.domain_number = 0xffff;
  place.bdf.bus_number = bus;
  amdsmi_processor_handle found = nullptr;
  REQUIRE(amdsmi_get_processor_handle_from_bdf(place, &found) == AMDSMI_STATUS_SUCCESS);
  return found;
}

uint64_t used_bytes(uint32_t device) {
  uint64_t used = 0;
  REQUIRE(rsmi_dev_memory_usage_get(device, RSMI_MEM_TYPE_VRAM, &used) == RSMI_STATUS_SUCCESS);
  return used;
}

} // namespace

TEST_CASE("HIP shows two of the devices, the libraries for watching GPUs all") {
  int shown = 0;
  REQUIRE(hipGetDeviceCount(&shown) == hipSuccess);
  REQUIRE(shown == 2);
  for (int device = 0; device < shown; ++device) {
    hipDeviceProp_t properties;
    REQUIRE(hipGetDeviceProperties(&properties, device) == hipSuccess);
    CHECK(std::string(properties.gcnArchName).starts_with(kArchitectures[device]));
  }
  const Initialised initialised;
  uint32_t devices = 0, sockets = 0;
  REQUIRE(rsmi_num_monitor_devices(&devices) == RSMI_STATUS_SUCCESS);
  CHECK(devices == kDevices);
  REQUIRE(amdsmi_get_socket_handles(&sockets, nullptr) == AMDSMI_STATUS_SUCCESS);
  CHECK(sockets == kDevices);
}

TEST_CASE("Devices have the order and the numbers that they have where none is hidden") {
  const Initialised initialised;
  for (uint32_t device = 0; device < kDevices; ++device) {
    CAPTURE(device);
    uint64_t version = 0, place = 0, total = 0;
    REQUIRE(rsmi_dev_target_graphics_version_get(device, &version) == RSMI_STATUS_SUCCESS);
    CHECK(version == kProcessors[device]);
    REQUIRE(rsmi_dev_pci_id_get(device, &place) == RSMI_STATUS_SUCCESS);
    CHECK(place == (uint64_t{0xffff} << 32 | uint64_t{device} << 8));
    REQUIRE(rsmi_dev_memory_total_get(device, RSMI_MEM_TYPE_VRAM, &total) == RSMI_STATUS_SUCCESS);
    CHECK(total > 0);
    amdsmi_enumeration_info_t enumeration{};
    REQUIRE(amdsmi_get_gpu_enumeration_info(processor_at(device), &enumeration) == AMDSMI_STATUS_SUCCESS);
    CHECK(enumeration.hip_id == device); // as AMD's library, which does not know the variables
    amdsmi_asic_info_t asic{};
    REQUIRE(amdsmi_get_gpu_asic_info(processor_at(device), &asic) == AMDSMI_STATUS_SUCCESS);
    CHECK(asic.target_graphics_version == kProcessors[device]);
    CHECK(asic.num_of_compute_units > 0);
    if (kHipDevices[device] < 0) continue;
    hipDeviceProp_t properties;
    REQUIRE(hipGetDeviceProperties(&properties, kHipDevices[device]) == hipSuccess);
    CHECK(std::string(enumeration.hip_uuid) == "GPU-" + std::string(properties.uuid.bytes, 16));
    CHECK(total == properties.totalGlobalMem);
  }
}

// Software GPUs share one memory and reach all of it: what is used of it is the same number for each of them.
TEST_CASE("A hidden device has memory in use and peers, and the current device stays") {
  const Initialised initialised;
  REQUIRE(hipSetDevice(1) == hipSuccess);
  constexpr uint64_t kBytes = 64u << 20;
  void* memory = nullptr;
  const uint64_t before = used_bytes(1);
  REQUIRE(hipMalloc(&memory, kBytes) == hipSuccess);
  CHECK(used_bytes(1) >= before + kBytes);
  size_t free_bytes = 0, total_bytes = 0;
  REQUIRE(hipMemGetInfo(&free_bytes, &total_bytes) == hipSuccess);
  for (uint32_t device = 0; device < kDevices; ++device) CHECK(used_bytes(device) == total_bytes - free_bytes);
  CHECK(hipFree(memory) == hipSuccess);
  int current = 77;
  REQUIRE(hipGetDevice(&current) == hipSuccess);
  CHECK(current == 1);
  int can = 0; // of HIP's two: what holds of these holds of the hidden one
  REQUIRE(hipDeviceCanAccessPeer(&can, 0, 1) == hipSuccess);
  for (uint32_t from = 0; from < kDevices; ++from)
    for (uint32_t to = 0; to < kDevices; ++to) {
      bool accessible = false, also = false;
      REQUIRE(rsmi_is_P2P_accessible(from, to, &accessible) == RSMI_STATUS_SUCCESS);
      CHECK(accessible == (from == to || can != 0));
      REQUIRE(amdsmi_is_P2P_accessible(processor_at(from), processor_at(to), &also) == AMDSMI_STATUS_SUCCESS);
      CHECK(also == accessible);
    }
}
