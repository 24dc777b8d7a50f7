// What a card's files in sysfs say, over a tree of files as the driver amdgpu makes one.
#include "smi/amd_smi.h"
#include "smi/clocks.h"
#include "smi/devices.h"
#include "smi/rocm_smi.h"
#include "smi/sensors.h"

#include <catch2/catch.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using hip::smi::Card;

namespace {

struct Tree {
  std::filesystem::path root = std::filesystem::temp_directory_path() / ("omnihip_card_" + std::to_string(::getpid()));
  std::filesystem::path card = root / "bus/pci/devices/0000:03:00.0";
  Tree() {
    std::filesystem::create_directories(card / "hwmon/hwmon7");
    std::filesystem::create_directories(root / "bus/pci/drivers/amdgpu");
    std::filesystem::create_symlink("../../drivers/amdgpu", card / "driver");
  }
  ~Tree() { std::filesystem::remove_all(root); }
  void put(const std::string& file, const std::string& text) const { std::ofstream(card / file) << text << "\n"; }
};

} // namespace

TEST_CASE("A card tells what its driver's files say", "[smi][card]") {
  const Tree tree;
  tree.put("mem_info_vram_total", "25753026560");
  tree.put("mem_info_vram_used", "1234567168");
  tree.put("gpu_busy_percent", "97");
  tree.put("pcie_replay_count", "3");
  tree.put("hwmon/hwmon7/temp1_label", "edge");
  tree.put("hwmon/hwmon7/temp1_input", "-4000");
  tree.put("hwmon/hwmon7/temp2_label", "junction");
  tree.put("hwmon/hwmon7/temp2_input", "71000");
  tree.put("hwmon/hwmon7/power1_input", "55000000");
  const Card card("0000:03:00.0", tree.root.string());
  CHECK(card.exists());
  CHECK(card.memory_bytes(Card::Memory::Vram) == 25753026560u);
  CHECK(card.used_memory_bytes(Card::Memory::Vram) == 1234567168u);
  CHECK(card.busy_percent() == 97u);
  CHECK(card.pcie_replays() == 3u);
  CHECK(card.temperature_millidegrees(Card::Sensor::Edge) == -4000);
  CHECK(card.temperature_millidegrees(Card::Sensor::Junction) == 71000);
  CHECK(card.temperature_millidegrees(Card::Sensor::Memory) == std::nullopt); // there is no such sensor
  CHECK(card.power_microwatts() == 55000000u);
  tree.put("hwmon/hwmon7/power1_average", "50000000");
  CHECK(card.power_microwatts() == 50000000u);
}

TEST_CASE("Memory of a card is what its driver counts, of each kind", "[smi][card]") {
  using Memory = Card::Memory;
  const Tree tree;
  hip::smi::Device device;
  device.pci_bus = 3;
  device.memory_bytes = 1000; // HIP's, which may be less than what all processes use
  device.sysfs_root = tree.root.string();
  CHECK(hip::smi::total_memory(device, Memory::Vram) == 1000u); // the files are not there
  CHECK(hip::smi::total_memory(device, Memory::Gtt) == std::nullopt);
  CHECK(hip::smi::used_memory(device, Memory::Gtt) == std::nullopt);
  tree.put("mem_info_vram_total", "2000");
  tree.put("mem_info_vram_used", "1500");
  tree.put("mem_info_vis_vram_total", "256");
  tree.put("mem_info_vis_vram_used", "12");
  tree.put("mem_info_gtt_total", "4000");
  tree.put("mem_info_gtt_used", "7");
  CHECK(hip::smi::total_memory(device, Memory::Vram) == 2000u);
  CHECK(hip::smi::used_memory(device, Memory::Vram) == 1500u);
  CHECK(hip::smi::total_memory(device, Memory::VisibleVram) == 256u);
  CHECK(hip::smi::used_memory(device, Memory::VisibleVram) == 12u);
  CHECK(hip::smi::total_memory(device, Memory::Gtt) == 4000u);
  CHECK(hip::smi::used_memory(device, Memory::Gtt) == 7u);
  CHECK(hip::smi::memory_of(AMDSMI_MEM_TYPE_VIS_VRAM) == Memory::VisibleVram);
  CHECK(hip::smi::memory_of(RSMI_MEM_TYPE_GTT) == Memory::Gtt);
  CHECK(hip::smi::memory_of(-1) == std::nullopt);
  CHECK(hip::smi::memory_of(3) == std::nullopt);
}

TEST_CASE("What is not there, or no number, is nothing", "[smi][card]") {
  const Tree tree;
  tree.put("gpu_busy_percent", "101");
  tree.put("mem_info_vram_used", "12 apples");
  tree.put("mem_info_vram_total", "");
  tree.put("hwmon/hwmon7/temp1_label", "edge");
  tree.put("hwmon/hwmon7/temp1_input", "hot");
  const Card card("0000:03:00.0", tree.root.string());
  CHECK(card.busy_percent() == std::nullopt);
  CHECK(card.used_memory_bytes(Card::Memory::Vram) == std::nullopt);
  CHECK(card.memory_bytes(Card::Memory::Vram) == std::nullopt);
  CHECK(card.temperature_millidegrees(Card::Sensor::Edge) == std::nullopt);
  CHECK(card.power_microwatts() == std::nullopt);
  const Card other("0000:04:00.0", tree.root.string());
  CHECK_FALSE(other.exists());
  CHECK(other.busy_percent() == std::nullopt);
  std::filesystem::remove(tree.card / "driver");
  CHECK_FALSE(card.exists());
}

TEST_CASE("Clocks of a card", "[smi][card]") {
  const Tree tree;
  tree.put("pp_dpm_sclk", "0: 500Mhz\n1: 1250Mhz *\n2: 2105Mhz");
  tree.put("pp_dpm_mclk", "S: 19Mhz *\n0: 900Mhz\n1: 1300Mhz");
  tree.put("pp_dpm_fclk", "0: 1Ghz\n1: 2000000Khz");
  tree.put("pp_dpm_socclk", "0: fast");
  tree.put("hwmon/hwmon7/freq1_label", "sclk");
  tree.put("hwmon/hwmon7/freq1_input", "1187000000");
  const Card card("0000:03:00.0", tree.root.string());
  using Clock = Card::Clock;
  const auto core = hip::smi::frequencies_of<rsmi_frequencies_t>(card.levels(Clock::Core).value());
  CHECK_FALSE(core.has_deep_sleep);
  CHECK(core.num_supported == 3);
  CHECK(core.current == 1);
  CHECK(core.frequency[0] == 500'000'000);
  CHECK(core.frequency[2] == 2'105'000'000);
  CHECK(core.frequency[3] == 0);
  const auto memory = hip::smi::frequencies_of<amdsmi_frequencies_t>(card.levels(Clock::Memory).value());
  CHECK(memory.has_deep_sleep);
  CHECK(memory.num_supported == 3);
  CHECK(memory.current == 0);
  const auto fabric = card.levels(Clock::Fabric).value();
  CHECK(fabric.hertz == std::vector<uint64_t>{1'000'000'000, 2'000'000'000});
  CHECK(hip::smi::frequencies_of<rsmi_frequencies_t>(fabric).current == UINT32_MAX);
  CHECK_FALSE(card.levels(Clock::Soc));
  CHECK_FALSE(card.levels(Clock::Display));
  CHECK(card.hertz_now(Clock::Core) == 1'187'000'000u); // measured
  CHECK(card.hertz_now(Clock::Memory) == 19'000'000u);
  CHECK(card.hertz_now(Clock::Fabric) == std::nullopt);

  const auto info = hip::smi::clock_info_of<amdsmi_clk_info_t>(card, Clock::Core).value();
  CHECK((info.clk == 1187 && info.min_clk == 500 && info.max_clk == 2105 && info.clk_deep_sleep == 0));
  const auto asleep = hip::smi::clock_info_of<amdsmi_clk_info_t>(card, Clock::Memory).value();
  CHECK((asleep.clk == 19 && asleep.min_clk == 900 && asleep.max_clk == 1300 && asleep.clk_deep_sleep == 1));
  const auto unknown = hip::smi::clock_info_of<amdsmi_clk_info_t>(card, Clock::Fabric).value();
  CHECK((unknown.clk == UINT32_MAX && unknown.min_clk == 1000 && unknown.max_clk == 2000));
  CHECK_FALSE(hip::smi::clock_info_of<amdsmi_clk_info_t>(card, Clock::Soc));

  Card::Levels many; // more than the structure has room for
  many.hertz.assign(40, 7);
  many.current = 39;
  const auto cut = hip::smi::frequencies_of<rsmi_frequencies_t>(many);
  CHECK((cut.num_supported == 33 && cut.current == UINT32_MAX));
  CHECK(hip::smi::clock_of(4) == Clock::Memory);
  CHECK_FALSE(hip::smi::clock_of(5)); // PCIe's is no clock
  CHECK_FALSE(hip::smi::clock_of(-1));
}

TEST_CASE("Sensors of a card as libamd_smi tells them", "[smi][card]") {
  const Tree tree;
  const Card card("0000:03:00.0", tree.root.string());
  const auto power = [&] { return hip::smi::power_info_of<amdsmi_power_info_t>(card); };
  CHECK_FALSE(power()); // there are no files
  tree.put("hwmon/hwmon7/power1_cap", "300000000");
  CHECK_FALSE(power()); // a limit is no power
  tree.put("hwmon/hwmon7/power1_input", "55999999");
  const auto newer = power().value();
  CHECK((newer.socket_power == 55 && newer.current_socket_power == 55 && newer.average_socket_power == UINT32_MAX));
  CHECK((newer.gfx_voltage == UINT32_MAX && newer.soc_voltage == UINT32_MAX && newer.mem_voltage == UINT32_MAX));
  CHECK(newer.power_limit == 300);
  tree.put("hwmon/hwmon7/power1_average", "50000000");
  std::filesystem::remove(tree.card / "hwmon/hwmon7/power1_cap");
  const auto both = power().value();
  CHECK((both.socket_power == 50 && both.current_socket_power == 55 && both.average_socket_power == 50));
  CHECK(both.power_limit == UINT32_MAX);
  std::filesystem::remove(tree.card / "hwmon/hwmon7/power1_input");
  const auto older = power().value();
  CHECK((older.socket_power == 50 && older.current_socket_power == UINT32_MAX && older.average_socket_power == 50));

  tree.put("hwmon/hwmon7/temp1_label", "edge");
  tree.put("hwmon/hwmon7/temp1_input", "-4700");
  tree.put("hwmon/hwmon7/temp2_label", "junction");
  tree.put("hwmon/hwmon7/temp2_input", "71999");
  const auto degrees = [&](amdsmi_temperature_type_t type) {
    return hip::smi::degrees_of(card, hip::smi::sensor_of(type).value());
  };
  CHECK(degrees(AMDSMI_TEMPERATURE_TYPE_EDGE) == -4);
  CHECK(degrees(AMDSMI_TEMPERATURE_TYPE_HOTSPOT) == 71);
  CHECK(degrees(AMDSMI_TEMPERATURE_TYPE_VRAM) == std::nullopt);
  CHECK(hip::smi::sensor_of(RSMI_TEMP_TYPE_MEMORY) == Card::Sensor::Memory);
  CHECK_FALSE(hip::smi::sensor_of(3)); // a stack of memory
  CHECK_FALSE(hip::smi::sensor_of(-1));
  CHECK_FALSE(hip::smi::sensor_of(UINT32_MAX));
}

TEST_CASE("Structures of clocks are those of ROCm 7", "[smi][card]") {
  static_assert(sizeof(rsmi_frequencies_t) == 280 && offsetof(rsmi_frequencies_t, num_supported) == 4 &&
                offsetof(rsmi_frequencies_t, frequency) == 16);
  static_assert(sizeof(amdsmi_frequencies_t) == 280 && sizeof(amdsmi_clk_info_t) == 32 &&
                offsetof(amdsmi_clk_info_t, reserved) == 16);
}
