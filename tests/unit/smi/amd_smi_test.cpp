// Run with OMNIHIP_SOFT_DEVICES=2.
#include "smi/amd_smi.h"

#include <hip/hip_runtime_api.h>

#include <catch2/catch.hpp>

#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

constexpr auto kSuccess = AMDSMI_STATUS_SUCCESS;

struct Row {
  const char* name;
  enum { Done, Device, Plain } kind;
};
constexpr Row kRows[] = {
#define SMI_DONE(name) {#name, Row::Done},
#define SMI_DEVICE(name) {#name, Row::Device},
#define SMI_PLAIN(name) {#name, Row::Plain},
#include "smi/amd_smi.def"
#undef SMI_DONE
#undef SMI_DEVICE
#undef SMI_PLAIN
};

struct Initialised {
  Initialised() { REQUIRE(amdsmi_init(AMDSMI_INIT_AMD_GPUS) == kSuccess); }
  ~Initialised() { CHECK(amdsmi_shut_down() == kSuccess); }
};

std::vector<amdsmi_processor_handle> processors() {
  uint32_t count = 0;
  REQUIRE(amdsmi_get_socket_handles(&count, nullptr) == kSuccess);
  std::vector<amdsmi_socket_handle> sockets(count);
  REQUIRE(amdsmi_get_socket_handles(&count, sockets.data()) == kSuccess);
  std::vector<amdsmi_processor_handle> all;
  for (amdsmi_socket_handle socket : sockets) {
    uint32_t found = 0;
    REQUIRE(amdsmi_get_processor_handles(socket, &found, nullptr) == kSuccess);
    REQUIRE(found == 1);
    amdsmi_processor_handle processor = nullptr;
    REQUIRE(amdsmi_get_processor_handles(socket, &found, &processor) == kSuccess);
    all.push_back(processor);
  }
  return all;
}

} // namespace

TEST_CASE("Sockets, processors and their handles") {
  uint32_t count = 77;
  CHECK(amdsmi_get_socket_handles(&count, nullptr) == AMDSMI_STATUS_NOT_INIT);
  CHECK(amdsmi_shut_down() == AMDSMI_STATUS_NOT_INIT);
  amdsmi_processor_handle none = nullptr;
  uint32_t of_kind[3] = {}, no_handles = 0;
  CHECK(amdsmi_get_processor_count_from_handles(&none, &no_handles, &of_kind[0], &of_kind[1], &of_kind[2]) ==
        AMDSMI_STATUS_NOT_INIT);
  CHECK(amdsmi_init(1) == AMDSMI_STATUS_NOT_SUPPORTED); // processors of the host alone
  const Initialised initialised;
  const auto all = processors();
  REQUIRE(all.size() == 2);
  CHECK(all[0] != all[1]);
  amdsmi_socket_handle one[2] = {};
  count = 1; // room for one
  REQUIRE(amdsmi_get_socket_handles(&count, one) == kSuccess);
  CHECK(count == 1);
  CHECK(one[1] == nullptr);
  CHECK(amdsmi_get_socket_handles(nullptr, nullptr) == AMDSMI_STATUS_INVAL);
  char name[64];
  REQUIRE(amdsmi_get_socket_info(one[0], sizeof name, name) == kSuccess);
  CHECK(std::string(name) == "ffff:00:00.0");
  CHECK(amdsmi_get_socket_info(all[0], sizeof name, name) == AMDSMI_STATUS_INVAL); // a processor's handle
  CHECK(amdsmi_get_socket_info(nullptr, sizeof name, name) == AMDSMI_STATUS_INVAL);
  REQUIRE(amdsmi_get_processor_info(all[1], sizeof name, name) == kSuccess);
  CHECK(std::string(name) == "ffff:01:00.0");

  amdsmi_processor_type_t type{};
  for (amdsmi_processor_handle processor : all) {
    REQUIRE(amdsmi_get_processor_type(processor, &type) == kSuccess);
    CHECK(type == AMDSMI_PROCESSOR_TYPE_AMD_GPU);
    amdsmi_bdf_t bdf{};
    REQUIRE(amdsmi_get_gpu_device_bdf(processor, &bdf) == kSuccess);
    amdsmi_processor_handle again = nullptr;
    REQUIRE(amdsmi_get_processor_handle_from_bdf(bdf, &again) == kSuccess);
    CHECK(again == processor);
    bdf.bdf.bus_number = 99;
    CHECK(amdsmi_get_processor_handle_from_bdf(bdf, &again) == AMDSMI_STATUS_NOT_FOUND);
  }
  CHECK(amdsmi_get_processor_type(one[0], &type) == AMDSMI_STATUS_INVAL);
  CHECK(amdsmi_get_processor_type(all[0], nullptr) == AMDSMI_STATUS_INVAL);
  count = 0;
  REQUIRE(amdsmi_get_processor_handles_by_type(one[0], static_cast<amdsmi_processor_type_t>(2), nullptr, &count) ==
          kSuccess);
  CHECK(count == 0);
  REQUIRE(amdsmi_get_processor_handles_by_type(one[0], AMDSMI_PROCESSOR_TYPE_AMD_GPU, nullptr, &count) == kSuccess);
  CHECK(count == 1);
  auto list = all;
  uint32_t cpu_sockets = 7, cores = 7, gpus = 7;
  count = 2;
  REQUIRE(amdsmi_get_processor_count_from_handles(list.data(), &count, &cpu_sockets, &cores, &gpus) == kSuccess);
  CHECK(cpu_sockets == 0);
  CHECK(cores == 0);
  CHECK(gpus == 2);
}

TEST_CASE("GPUs are HIP's") {
  const Initialised initialised;
  const auto all = processors();
  for (size_t i = 0; i < all.size(); ++i) {
    hipDeviceProp_t properties;
    REQUIRE(hipGetDeviceProperties(&properties, static_cast<int>(i)) == hipSuccess);
    amdsmi_asic_info_t asic;
    REQUIRE(amdsmi_get_gpu_asic_info(all[i], &asic) == kSuccess);
    CHECK(std::string(asic.market_name) == properties.name);
    CHECK(asic.vendor_id == 0x1002);
    CHECK(asic.num_of_compute_units == static_cast<uint32_t>(properties.multiProcessorCount));
    CHECK(asic.target_graphics_version == 0x942);
    CHECK(asic.device_id == UINT64_MAX);
    amdsmi_board_info_t board;
    REQUIRE(amdsmi_get_gpu_board_info(all[i], &board) == kSuccess);
    CHECK(std::string(board.product_name) == properties.name);
    CHECK(std::string(board.product_serial).empty());
    amdsmi_vram_info_t vram;
    REQUIRE(amdsmi_get_gpu_vram_info(all[i], &vram) == kSuccess);
    CHECK(vram.vram_size == properties.totalGlobalMem >> 20);
    CHECK(vram.vram_bit_width == static_cast<uint32_t>(properties.memoryBusWidth));
    uint64_t bytes = 0, id = 0;
    REQUIRE(amdsmi_get_gpu_memory_total(all[i], AMDSMI_MEM_TYPE_VRAM, &bytes) == kSuccess);
    CHECK(bytes == properties.totalGlobalMem);
    CHECK(amdsmi_get_gpu_memory_total(all[i], AMDSMI_MEM_TYPE_GTT, &bytes) == AMDSMI_STATUS_NOT_SUPPORTED);
    REQUIRE(amdsmi_get_gpu_bdf_id(all[i], &id) == kSuccess);
    CHECK(id == (uint64_t(properties.pciDomainID) << 32 | uint64_t(properties.pciBusID) << 8));
    amdsmi_kfd_info_t kfd;
    REQUIRE(amdsmi_get_gpu_kfd_info(all[i], &kfd) == kSuccess);
    CHECK(kfd.node_id == i + 1);
    amdsmi_enumeration_info_t enumeration;
    REQUIRE(amdsmi_get_gpu_enumeration_info(all[i], &enumeration) == kSuccess);
    CHECK(enumeration.hip_id == i);
    char uuid[38];
    unsigned length = sizeof uuid;
    REQUIRE(amdsmi_get_gpu_device_uuid(all[i], &length, uuid) == kSuccess);
    CHECK(length == 21);
    CHECK(std::string(uuid) == enumeration.hip_uuid);
    length = 4;
    CHECK(amdsmi_get_gpu_device_uuid(all[i], &length, uuid) == AMDSMI_STATUS_INSUFFICIENT_SIZE);
    CHECK(length == 21);
    char vendor[64];
    REQUIRE(amdsmi_get_gpu_vendor_name(all[i], vendor, sizeof vendor) == kSuccess);
    amdsmi_driver_info_t driver;
    REQUIRE(amdsmi_get_gpu_driver_info(all[i], &driver) == kSuccess);
    CHECK(std::string(driver.driver_name) == "OmniHIP");
    bool enabled = true;
    REQUIRE(amdsmi_is_gpu_power_management_enabled(all[i], &enabled) == kSuccess);
    CHECK_FALSE(enabled);
    amdsmi_virtualization_mode_t mode{};
    REQUIRE(amdsmi_get_gpu_virtualization_mode(all[i], &mode) == kSuccess);
  }
  bool accessible = false;
  int can = 0;
  REQUIRE(amdsmi_is_P2P_accessible(all[0], all[1], &accessible) == kSuccess);
  REQUIRE(hipDeviceCanAccessPeer(&can, 0, 1) == hipSuccess);
  CHECK(accessible == (can != 0));
  accessible = false;
  REQUIRE(amdsmi_is_P2P_accessible(all[1], all[1], &accessible) == kSuccess);
  CHECK(accessible); // its own memory
}

TEST_CASE("A software GPU has no sensors") {
  const Initialised initialised;
  amdsmi_power_info_t power{};
  int64_t degrees = 77;
  uint64_t replays = 77;
  for (const amdsmi_processor_handle each : processors()) {
    CHECK(amdsmi_get_temp_metric(each, AMDSMI_TEMPERATURE_TYPE_EDGE, AMDSMI_TEMP_CURRENT, &degrees) ==
          AMDSMI_STATUS_NOT_SUPPORTED);
    CHECK(amdsmi_get_temp_metric(each, AMDSMI_TEMPERATURE_TYPE_EDGE, AMDSMI_TEMP_CURRENT, nullptr) ==
          AMDSMI_STATUS_INVAL);
    CHECK(amdsmi_get_power_info(each, &power) == AMDSMI_STATUS_NOT_SUPPORTED);
    CHECK(amdsmi_get_power_info(each, nullptr) == AMDSMI_STATUS_INVAL);
    CHECK(amdsmi_get_gpu_pci_replay_counter(each, &replays) == AMDSMI_STATUS_NOT_SUPPORTED);
    CHECK(amdsmi_get_gpu_pci_replay_counter(each, nullptr) == AMDSMI_STATUS_INVAL);
  }
  CHECK(degrees == 77);
  CHECK(replays == 77);
  CHECK(amdsmi_get_power_info(nullptr, &power) == AMDSMI_STATUS_INVAL);
}

TEST_CASE("A software GPU has no clocks") {
  const Initialised initialised;
  amdsmi_frequencies_t frequencies{};
  amdsmi_clk_info_t info{};
  for (const amdsmi_processor_handle each : processors()) {
    CHECK(amdsmi_get_clk_freq(each, AMDSMI_CLK_TYPE_SYS, &frequencies) == AMDSMI_STATUS_NOT_SUPPORTED);
    CHECK(amdsmi_get_clock_info(each, AMDSMI_CLK_TYPE_MEM, &info) == AMDSMI_STATUS_NOT_SUPPORTED);
    CHECK(amdsmi_get_clk_freq(each, AMDSMI_CLK_TYPE_SYS, nullptr) == AMDSMI_STATUS_INVAL);
    CHECK(amdsmi_get_clock_info(each, AMDSMI_CLK_TYPE_SYS, nullptr) == AMDSMI_STATUS_INVAL);
  }
  CHECK(amdsmi_get_clk_freq(nullptr, AMDSMI_CLK_TYPE_SYS, &frequencies) == AMDSMI_STATUS_INVAL);
}

TEST_CASE("Use of memory and of threads") {
  const Initialised initialised;
  const auto all = processors();
  constexpr uint64_t kBytes = 64u << 20;
  uint64_t before = 0, after = 0;
  REQUIRE(amdsmi_get_gpu_memory_usage(all[0], AMDSMI_MEM_TYPE_VRAM, &before) == kSuccess);
  void* memory = nullptr;
  REQUIRE(hipMalloc(&memory, kBytes) == hipSuccess);
  REQUIRE(amdsmi_get_gpu_memory_usage(all[0], AMDSMI_MEM_TYPE_VRAM, &after) == kSuccess);
  CHECK(after >= before + kBytes);
  amdsmi_vram_usage_t usage{};
  REQUIRE(amdsmi_get_gpu_vram_usage(all[0], &usage) == kSuccess);
  CHECK(usage.vram_used == after >> 20);
  CHECK(hipFree(memory) == hipSuccess);
  amdsmi_engine_usage_t activity{};
  REQUIRE(amdsmi_get_gpu_activity(all[0], &activity) == kSuccess);
  CHECK(activity.gfx_activity <= 100);
  CHECK(activity.umc_activity == UINT16_MAX);
  uint32_t percent = 777;
  REQUIRE(amdsmi_get_gpu_busy_percent(all[0], &percent) == kSuccess);
  CHECK(percent <= 100);
  CHECK(amdsmi_get_gpu_busy_percent(all[0], nullptr) == AMDSMI_STATUS_INVAL);
}

TEST_CASE("What a software GPU does not have is not supported, in every function of the table") {
  void* const library = dlopen("libamd_smi.so.27", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library);
  using Function = amdsmi_status_t (*)(void*, void*, void*, void*, void*);
  const auto call = [&](const char* name, void* first) {
    auto* const function = reinterpret_cast<Function>(dlvsym(library, name, "AMDSMI_1"));
    REQUIRE(function);
    uint64_t out[64] = {};
    return function(first, out, out, out, out);
  };
  {
    const Initialised initialised;
    const auto all = processors();
    size_t rows = 0;
    for (const Row& row : kRows) {
      CAPTURE(row.name);
      CHECK(dlvsym(library, row.name, "AMDSMI_1"));
      ++rows;
      if (row.kind == Row::Done) continue;
      CHECK(call(row.name, all[0]) == AMDSMI_STATUS_NOT_SUPPORTED);
      if (row.kind == Row::Device) CHECK(call(row.name, &rows) == AMDSMI_STATUS_INVAL);
    }
    CHECK(rows == 248); // of AMD SMI 27.1
  }
  CHECK(call("amdsmi_get_temp_metric", nullptr) == AMDSMI_STATUS_NOT_INIT);
  amdsmi_version_t version{};
  REQUIRE(amdsmi_get_lib_version(&version) == kSuccess);
  CHECK(version.major == 27);
  const char* text = nullptr;
  REQUIRE(amdsmi_status_code_to_string(AMDSMI_STATUS_NOT_SUPPORTED, &text) == kSuccess);
  CHECK(std::string(text).starts_with("AMDSMI_STATUS_NOT_SUPPORTED"));
  CHECK(amdsmi_status_code_to_string(AMDSMI_STATUS_SUCCESS, nullptr) == AMDSMI_STATUS_INVAL);
  dlclose(library);
}
