// Run with OMNIHIP_SOFT_DEVICES=2.
#include "smi/rocm_smi.h"

#include <hip/hip_runtime_api.h>

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

struct Row {
  const char* name;
  enum { Done, Device, Plain } kind;
};
constexpr Row kRows[] = {
#define SMI_DONE(name) {#name, Row::Done},
#define SMI_DEVICE(name) {#name, Row::Device},
#define SMI_PLAIN(name) {#name, Row::Plain},
#include "smi/rocm_smi.def"
#undef SMI_DONE
#undef SMI_DEVICE
#undef SMI_PLAIN
};

struct Initialised {
  Initialised() { REQUIRE(rsmi_init(0) == RSMI_STATUS_SUCCESS); }
  ~Initialised() { CHECK(rsmi_shut_down() == RSMI_STATUS_SUCCESS); }
};

hipDeviceProp_t properties_of(int device) {
  hipDeviceProp_t properties;
  REQUIRE(hipGetDeviceProperties(&properties, device) == hipSuccess);
  return properties;
}

} // namespace

TEST_CASE("Outside of a session every function of a device says so") {
  uint32_t count = 77;
  uint64_t number = 0;
  CHECK(rsmi_num_monitor_devices(&count) == RSMI_STATUS_INIT_ERROR);
  CHECK(count == 77);
  CHECK(rsmi_dev_pci_id_get(0, &number) == RSMI_STATUS_INIT_ERROR);
  CHECK(rsmi_shut_down() == RSMI_STATUS_INIT_ERROR);
  const Initialised outer;
  {
    const Initialised inner;
  }
  CHECK(rsmi_num_monitor_devices(&count) == RSMI_STATUS_SUCCESS); // the outer one holds
  CHECK(count == 2);
}

TEST_CASE("Devices are HIP's, with their names and places") {
  const Initialised initialised;
  uint64_t unique[2] = {};
  for (uint32_t device = 0; device < 2; ++device) {
    const hipDeviceProp_t properties = properties_of(static_cast<int>(device));
    char text[256];
    REQUIRE(rsmi_dev_name_get(device, text, sizeof text) == RSMI_STATUS_SUCCESS);
    CHECK(std::string(text) == properties.name);
    REQUIRE(rsmi_dev_market_name_get(device, text, sizeof text) == RSMI_STATUS_SUCCESS);
    CHECK(std::string(text) == properties.name);
    REQUIRE(rsmi_dev_brand_get(device, text, sizeof text) == RSMI_STATUS_SUCCESS);
    REQUIRE(rsmi_dev_vendor_name_get(device, text, sizeof text) == RSMI_STATUS_SUCCESS);
    CHECK(std::string(text).find("AMD") != std::string::npos);
    char small[4];
    CHECK(rsmi_dev_name_get(device, small, sizeof small) == RSMI_STATUS_INSUFFICIENT_SIZE);
    CHECK(std::string(small) == std::string(properties.name).substr(0, 3));
    CHECK(rsmi_dev_name_get(device, text, 0) == RSMI_STATUS_INVALID_ARGS);
    CHECK(rsmi_dev_name_get(device, nullptr, 8) == RSMI_STATUS_INVALID_ARGS);

    uint64_t place = 0;
    REQUIRE(rsmi_dev_pci_id_get(device, &place) == RSMI_STATUS_SUCCESS);
    CHECK(place >> 32 == static_cast<uint64_t>(properties.pciDomainID));
    CHECK((place >> 8 & 0xff) == static_cast<uint64_t>(properties.pciBusID));
    CHECK((place >> 3 & 0x1f) == static_cast<uint64_t>(properties.pciDeviceID));
    uint16_t vendor = 0;
    REQUIRE(rsmi_dev_vendor_id_get(device, &vendor) == RSMI_STATUS_SUCCESS);
    CHECK(vendor == 0x1002);
    uint64_t version = 0;
    REQUIRE(rsmi_dev_target_graphics_version_get(device, &version) == RSMI_STATUS_SUCCESS);
    const std::string arch(properties.gcnArchName);
    std::snprintf(text, sizeof text, "gfx%llx", static_cast<unsigned long long>(version));
    CHECK(arch.substr(0, arch.find(':')) == text);
    uint32_t node = 0, partition = 77;
    REQUIRE(rsmi_dev_node_id_get(device, &node) == RSMI_STATUS_SUCCESS);
    CHECK(node == device + 1);
    REQUIRE(rsmi_dev_partition_id_get(device, &partition) == RSMI_STATUS_SUCCESS);
    CHECK(partition == 0);
    rsmi_device_identifiers_t identifiers;
    std::memset(&identifiers, 0xff, sizeof identifiers);
    REQUIRE(rsmi_dev_device_identifiers_get(device, &identifiers) == RSMI_STATUS_SUCCESS);
    CHECK(identifiers.bdfid == place);
    CHECK(identifiers.smi_device_id == device);
    REQUIRE(rsmi_dev_unique_id_get(device, &unique[device]) == RSMI_STATUS_SUCCESS);
  }
  CHECK(unique[0] != unique[1]);
  bool accessible = false;
  int can = 0;
  REQUIRE(rsmi_is_P2P_accessible(0, 1, &accessible) == RSMI_STATUS_SUCCESS);
  REQUIRE(hipDeviceCanAccessPeer(&can, 0, 1) == hipSuccess);
  CHECK(accessible == (can != 0));
  accessible = false;
  REQUIRE(rsmi_is_P2P_accessible(1, 1, &accessible) == RSMI_STATUS_SUCCESS);
  CHECK(accessible); // its own memory
  CHECK(rsmi_is_P2P_accessible(0, 2, &accessible) == RSMI_STATUS_INVALID_ARGS);
  CHECK(rsmi_is_P2P_accessible(0, 1, nullptr) == RSMI_STATUS_INVALID_ARGS);
  uint64_t hops = 0, weight = 0;
  uint32_t hip_type = 0, hip_hops = 0;
  RSMI_IO_LINK_TYPE type = RSMI_IOLINK_TYPE_UNDEFINED;
  REQUIRE(rsmi_topo_get_link_type(0, 1, &hops, &type) == RSMI_STATUS_SUCCESS);
  REQUIRE(hipExtGetLinkTypeAndHopCount(0, 1, &hip_type, &hip_hops) == hipSuccess);
  CHECK(type == RSMI_IOLINK_TYPE_PCIEXPRESS);
  CHECK(hip_type == 2); // HSA's number of the same
  CHECK(hops == hip_hops);
  REQUIRE(rsmi_topo_get_link_weight(1, 0, &weight) == RSMI_STATUS_SUCCESS);
  CHECK(weight > 0);
  CHECK(rsmi_topo_get_link_type(0, 0, &hops, &type) == RSMI_STATUS_INVALID_ARGS);
  CHECK(rsmi_topo_get_link_type(0, 2, &hops, &type) == RSMI_STATUS_INVALID_ARGS);
  CHECK(rsmi_topo_get_link_type(0, 1, nullptr, &type) == RSMI_STATUS_INVALID_ARGS);
  CHECK(rsmi_topo_get_link_weight(0, 1, nullptr) == RSMI_STATUS_INVALID_ARGS);
}

TEST_CASE("Memory is counted, and the current device stays") {
  const Initialised initialised;
  REQUIRE(hipSetDevice(0) == hipSuccess);
  constexpr uint64_t kBytes = 64u << 20;
  uint64_t total = 0, before = 0, after = 0;
  REQUIRE(rsmi_dev_memory_total_get(1, RSMI_MEM_TYPE_VRAM, &total) == RSMI_STATUS_SUCCESS);
  CHECK(total == properties_of(1).totalGlobalMem);
  REQUIRE(rsmi_dev_memory_usage_get(1, RSMI_MEM_TYPE_VRAM, &before) == RSMI_STATUS_SUCCESS);
  REQUIRE(hipSetDevice(1) == hipSuccess);
  void* memory = nullptr;
  REQUIRE(hipMalloc(&memory, kBytes) == hipSuccess);
  REQUIRE(hipSetDevice(0) == hipSuccess);
  REQUIRE(rsmi_dev_memory_usage_get(1, RSMI_MEM_TYPE_VRAM, &after) == RSMI_STATUS_SUCCESS);
  CHECK(after >= before + kBytes);
  int current = 77;
  REQUIRE(hipGetDevice(&current) == hipSuccess);
  CHECK(current == 0);
  CHECK(hipFree(memory) == hipSuccess);
  CHECK(rsmi_dev_memory_total_get(0, RSMI_MEM_TYPE_GTT, &total) == RSMI_STATUS_NOT_SUPPORTED);
  CHECK(rsmi_dev_memory_usage_get(0, RSMI_MEM_TYPE_GTT, &total) == RSMI_STATUS_NOT_SUPPORTED);
  CHECK(rsmi_dev_memory_total_get(0, static_cast<rsmi_memory_type_t>(7), &total) == RSMI_STATUS_NOT_SUPPORTED);
  CHECK(rsmi_dev_memory_usage_get(0, RSMI_MEM_TYPE_VRAM, nullptr) == RSMI_STATUS_INVALID_ARGS);
  uint32_t percent = 777;
  REQUIRE(rsmi_dev_busy_percent_get(0, &percent) == RSMI_STATUS_SUCCESS);
  CHECK(percent <= 100);
}

TEST_CASE("What a software GPU does not have is not supported, in every function of the table") {
  using Function = rsmi_status_t (*)(uint32_t, void*, void*, void*, void*);
  for (const char* path : {"librocm_smi64.so.7", ROCM6_LIBRARY}) {
    CAPTURE(path);
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library);
    const auto call = [&](const char* name, uint32_t device) {
      auto* const function = reinterpret_cast<Function>(dlsym(library, name));
      CAPTURE(name);
      REQUIRE(function);
      uint64_t out[64] = {};
      return function(device, out, out, out, out);
    };
    const auto plain = [&](const char* name) {
      return reinterpret_cast<rsmi_status_t (*)(uint64_t)>(dlsym(library, name))(0);
    };
    REQUIRE(plain("rsmi_init") == RSMI_STATUS_SUCCESS);
    size_t rows = 0;
    for (const Row& row : kRows) {
      CAPTURE(row.name);
      CHECK(dlsym(library, row.name));
      ++rows;
      if (row.kind == Row::Done) continue;
      CHECK(call(row.name, 0) == RSMI_STATUS_NOT_SUPPORTED);
      if (row.kind == Row::Device) CHECK(call(row.name, 2) == RSMI_STATUS_INVALID_ARGS);
    }
    CHECK(rows == 118); // of ROCm's library
    CHECK(plain("rsmi_shut_down") == RSMI_STATUS_SUCCESS);
    CHECK(call("rsmi_dev_temp_metric_get", 0) == RSMI_STATUS_INIT_ERROR);
    dlclose(library);
  }
}

TEST_CASE("A software GPU has no clocks, and librocm_smi64.so.1 tells none") {
  const Initialised initialised;
  rsmi_frequencies_t levels{};
  levels.num_supported = 77;
  CHECK(rsmi_dev_gpu_clk_freq_get(0, RSMI_CLK_TYPE_SYS, &levels) == RSMI_STATUS_NOT_SUPPORTED);
  CHECK(rsmi_dev_gpu_clk_freq_get(2, RSMI_CLK_TYPE_SYS, &levels) == RSMI_STATUS_INVALID_ARGS);
  void* const library = dlopen(ROCM6_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  const auto older =
      reinterpret_cast<decltype(&rsmi_dev_gpu_clk_freq_get)>(dlsym(library, "rsmi_dev_gpu_clk_freq_get"));
  const auto begin = reinterpret_cast<decltype(&rsmi_init)>(dlsym(library, "rsmi_init"));
  const auto end = reinterpret_cast<decltype(&rsmi_shut_down)>(dlsym(library, "rsmi_shut_down"));
  REQUIRE((older && begin && end));
  REQUIRE(begin(0) == RSMI_STATUS_SUCCESS);
  CHECK(older(0, RSMI_CLK_TYPE_SYS, &levels) == RSMI_STATUS_NOT_SUPPORTED);
  CHECK(end() == RSMI_STATUS_SUCCESS);
  CHECK(levels.num_supported == 77);
  dlclose(library);
}

TEST_CASE("Versions and states have texts") {
  rsmi_version_t version{};
  REQUIRE(rsmi_version_get(&version) == RSMI_STATUS_SUCCESS);
  CHECK(version.major == 7);
  CHECK(std::string(version.build).starts_with("OmniHIP"));
  CHECK(rsmi_version_get(nullptr) == RSMI_STATUS_INVALID_ARGS);
  char text[64];
  REQUIRE(rsmi_version_str_get(RSMI_SW_COMP_DRIVER, text, sizeof text) == RSMI_STATUS_SUCCESS);
  CHECK(std::string(text).starts_with("OmniHIP"));
  CHECK(rsmi_version_str_get(static_cast<rsmi_sw_component_t>(7), text, sizeof text) == RSMI_STATUS_INVALID_ARGS);
  const char* state = nullptr;
  REQUIRE(rsmi_status_string(RSMI_STATUS_NOT_SUPPORTED, &state) == RSMI_STATUS_SUCCESS);
  CHECK(std::string(state).starts_with("RSMI_STATUS_NOT_SUPPORTED"));
  CHECK(rsmi_status_string(static_cast<rsmi_status_t>(500), &state) == RSMI_STATUS_SUCCESS);
  CHECK(rsmi_status_string(RSMI_STATUS_SUCCESS, nullptr) == RSMI_STATUS_INVALID_ARGS);
}
