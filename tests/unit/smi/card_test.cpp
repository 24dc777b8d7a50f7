// What a card's files in sysfs say, over a tree of files as the driver amdgpu makes one.
#include "smi/card.h"

#include <catch2/catch.hpp>

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
  CHECK(card.memory_bytes() == 25753026560u);
  CHECK(card.used_memory_bytes() == 1234567168u);
  CHECK(card.busy_percent() == 97u);
  CHECK(card.pcie_replays() == 3u);
  CHECK(card.temperature_millidegrees(Card::Sensor::Edge) == -4000);
  CHECK(card.temperature_millidegrees(Card::Sensor::Junction) == 71000);
  CHECK(card.temperature_millidegrees(Card::Sensor::Memory) == std::nullopt); // there is no such sensor
  CHECK(card.power_microwatts() == 55000000u);
  tree.put("hwmon/hwmon7/power1_average", "50000000");
  CHECK(card.power_microwatts() == 50000000u);
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
  CHECK(card.used_memory_bytes() == std::nullopt);
  CHECK(card.memory_bytes() == std::nullopt);
  CHECK(card.temperature_millidegrees(Card::Sensor::Edge) == std::nullopt);
  CHECK(card.power_microwatts() == std::nullopt);
  const Card other("0000:04:00.0", tree.root.string());
  CHECK_FALSE(other.exists());
  CHECK(other.busy_percent() == std::nullopt);
  std::filesystem::remove(tree.card / "driver");
  CHECK_FALSE(card.exists());
}
