// The system and its agents: every attribute of the specification, and what is no agent.
#include "testing.h"

#include <thread>

using namespace hip::test;

TEST_CASE("Nothing works outside of hsa_init and hsa_shut_down", "[hsa][agent]") {
  uint64_t word = 0;
  hsa_signal_t signal;
  CHECK(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED);
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &word) == HSA_STATUS_ERROR_NOT_INITIALIZED);
  CHECK(hsa_signal_create(0, 0, nullptr, &signal) == HSA_STATUS_ERROR_NOT_INITIALIZED);
  CHECK(hsa_ext_image_destroy({0}, {0}) == HSA_STATUS_ERROR_NOT_INITIALIZED);
  REQUIRE_HSA(hsa_init());
  REQUIRE_HSA(hsa_init());
  REQUIRE_HSA(hsa_shut_down());
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &word) == HSA_STATUS_SUCCESS);
  REQUIRE_HSA(hsa_shut_down());
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &word) == HSA_STATUS_ERROR_NOT_INITIALIZED);
}

TEST_CASE("Threads initialise and shut down at once", "[hsa][agent]") {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        failures += hsa_init() != HSA_STATUS_SUCCESS;
        hsa_signal_t signal;
        failures += hsa_signal_create(1, 0, nullptr, &signal) != HSA_STATUS_SUCCESS;
        failures += hsa_signal_destroy(signal) != HSA_STATUS_SUCCESS;
        failures += hsa_shut_down() != HSA_STATUS_SUCCESS;
      }
    });
  for (std::thread& each : threads) each.join();
  CHECK(failures == 0);
  CHECK(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED);
}

TEST_CASE("What is left when the last reference goes is given back", "[hsa][agent]") {
  REQUIRE_HSA(hsa_init());
  {
    Hsa hsa;
    hsa.queue();
    hsa.allocate<char>(hsa.device, 100);
    hsa.signal(1);
    hsa_executable_t executable;
    REQUIRE_HSA(
        hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
  }
  REQUIRE_HSA(hsa_shut_down());
  REQUIRE_HSA(hsa_init());
  REQUIRE_HSA(hsa_shut_down());
}

TEST_CASE("The system has a clock that goes forward", "[hsa][agent]") {
  Hsa hsa;
  uint64_t first = 0, second = 0, frequency = 0;
  REQUIRE_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &first));
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &second));
  REQUIRE_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
  const double seconds = static_cast<double>(second - first) / static_cast<double>(frequency);
  CHECK(seconds > 0.009);
  CHECK(seconds < 10);
  uint8_t extensions[128] = {};
  REQUIRE_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, extensions));
  CHECK((extensions[HSA_EXTENSION_AMD_LOADER / 8] >> HSA_EXTENSION_AMD_LOADER % 8 & 1) == 1);
  CHECK(hsa_system_get_info(static_cast<hsa_system_info_t>(77), &first) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("Images are told as of a GPU without image hardware: with functions and a pitch, and no image",
          "[hsa][agent]") {
  Hsa hsa;
  uint8_t system[128] = {}, gpu[128] = {}, host[128] = {};
  REQUIRE_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, system));
  REQUIRE_HSA(hsa_agent_get_info(hsa.gpu, HSA_AGENT_INFO_EXTENSIONS, gpu));
  REQUIRE_HSA(hsa_agent_get_info(hsa.host, HSA_AGENT_INFO_EXTENSIONS, host));
  CHECK((system[0] & 1 << HSA_EXTENSION_IMAGES) != 0);
  CHECK((gpu[0] & 1 << HSA_EXTENSION_IMAGES) != 0);
  CHECK((host[0] & 1 << HSA_EXTENSION_IMAGES) == 0);
  const auto info = [&](int attribute, void* value) {
    return hsa_agent_get_info(hsa.gpu, static_cast<hsa_agent_info_t>(attribute), value);
  };
  uint32_t one = 7, three[4] = {7, 7, 7, 7}; // as many numbers of 32 bits as dimensions, and no more
  REQUIRE_HSA(info(HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES, &one));
  CHECK(one == 0);
  REQUIRE_HSA(info(HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS, three));
  CHECK((three[0] == 0 && three[1] == 0 && three[2] == 7));
  REQUIRE_HSA(info(HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS, three));
  CHECK((three[0] == 0 && three[1] == 0 && three[2] == 0 && three[3] == 7));
  REQUIRE_HSA(info(HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT, &one));
  CHECK(one == 256);
  bool supported = false;
  REQUIRE_HSA(hsa_agent_extension_supported(HSA_EXTENSION_IMAGES, hsa.gpu, 1, 0, &supported));
  CHECK(supported);
  hsa_ext_images_1_pfn_t table{};
  REQUIRE_HSA(hsa_system_get_extension_table(HSA_EXTENSION_IMAGES, 1, 0, &table));
  CHECK(table.hsa_ext_sampler_destroy != nullptr);
  CHECK(table.hsa_ext_image_get_capability_with_layout == nullptr); // of a later version
  REQUIRE_HSA(hsa_system_get_major_extension_table(HSA_EXTENSION_IMAGES, 1, sizeof table, &table));
  REQUIRE(table.hsa_ext_sampler_create_v2 != nullptr);
  CHECK(table.hsa_ext_image_destroy(hsa.gpu, {0}) == static_cast<hsa_status_t>(HSA_STATUS_ERROR_NOT_SUPPORTED));
}

TEST_CASE("Each agent answers each attribute of the specification and of AMD's extension", "[hsa][agent]") {
  Hsa hsa;
  constexpr int kUnused = 0x5a;
  for (const hsa_agent_t agent : {hsa.host, hsa.gpu}) {
    const auto answers = [&](int attribute) {
      char value[256];
      std::memset(value, kUnused, sizeof value);
      const hsa_status_t status = hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), value);
      return status == HSA_STATUS_SUCCESS && value[128] == kUnused; // no attribute is longer
    };
    for (int attribute = HSA_AGENT_INFO_NAME; attribute <= HSA_AGENT_INFO_FAST_F16_OPERATION; ++attribute) {
      INFO(attribute);
      CHECK(answers(attribute));
    }
    for (int attribute = HSA_AMD_AGENT_INFO_CHIP_ID; attribute <= HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT;
         ++attribute) {
      INFO(std::hex << attribute);
      CHECK(answers(attribute));
    }
    CHECK_FALSE(answers(0x7000));
    CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  }
  int word = 0;
  CHECK(hsa_agent_get_info({0}, HSA_AGENT_INFO_NODE, &word) == HSA_STATUS_ERROR_INVALID_AGENT);
  CHECK(hsa_agent_get_info({reinterpret_cast<uint64_t>(&word)}, HSA_AGENT_INFO_NODE, &word) ==
        HSA_STATUS_ERROR_INVALID_AGENT);
}

TEST_CASE("A GPU has an instruction set whose name is its target", "[hsa][agent]") {
  Hsa hsa;
  char name[64] = {};
  REQUIRE_HSA(hsa_agent_get_info(hsa.gpu, HSA_AGENT_INFO_NAME, name));
  hsa_isa_t isa{};
  REQUIRE_HSA(hsa_agent_get_info(hsa.gpu, HSA_AGENT_INFO_ISA, &isa));
  uint32_t length = 0;
  REQUIRE_HSA(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
  std::string full(length, '\0');
  REQUIRE_HSA(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, full.data()));
  CHECK(full.starts_with(std::string("amdgcn-amd-amdhsa--") + name));
  hsa_isa_t again{};
  REQUIRE_HSA(hsa_isa_from_name(full.c_str(), &again));
  bool compatible = false;
  REQUIRE_HSA(hsa_isa_compatible(again, isa, &compatible));
  CHECK(compatible);
  uint32_t lanes = 0;
  REQUIRE_HSA(hsa_isa_iterate_wavefronts(
      isa, [](hsa_wavefront_t wave, void* data) { return hsa_wavefront_get_info(wave, HSA_WAVEFRONT_INFO_SIZE, data); },
      &lanes));
  CHECK(lanes == 64);
  CHECK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx1", &again) == HSA_STATUS_ERROR_INVALID_ISA_NAME);
  CHECK(hsa_isa_get_info_alt({0}, HSA_ISA_INFO_NAME_LENGTH, &length) == HSA_STATUS_ERROR_INVALID_ISA);
}

TEST_CASE("Every status has a text that begins with its name", "[hsa][agent]") {
  const char* text = nullptr;
  REQUIRE_HSA(hsa_status_string(HSA_STATUS_ERROR_INVALID_QUEUE, &text));
  CHECK(std::string(text).starts_with("HSA_STATUS_ERROR_INVALID_QUEUE: "));
  REQUIRE_HSA(hsa_status_string(kMemoryFault, &text));
  CHECK(std::string(text).starts_with("HSA_STATUS_ERROR_MEMORY_FAULT: "));
  CHECK(hsa_status_string(static_cast<hsa_status_t>(12345), &text) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_status_string(HSA_STATUS_SUCCESS, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("The driver's number of an agent is of 32 bits, and nothing is written behind it", "[hsa][agent]") {
  Hsa hsa;
  for (const hsa_agent_t agent : {hsa.gpu, hsa.host}) {
    uint32_t words[2] = {0x12345678, 0x9abcdef0}, node = 0;
    REQUIRE_HSA(hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_DRIVER_UID), words));
    REQUIRE_HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_NODE, &node));
    CHECK(words[0] == node); // the host's is 0
    CHECK(words[1] == 0x9abcdef0);
  }
}
