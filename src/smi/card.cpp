#include "smi/card.h"

#include <charconv>
#include <filesystem>
#include <fstream>

namespace hip::smi {

namespace {

constexpr const char* kLabels[] = {"edge", "junction", "mem"};                   // of Sensor, as the driver names them
constexpr const char* kClocks[] = {"sclk", "fclk", "dcefclk", "socclk", "mclk"}; // of Clock, likewise
constexpr const char* kMemories[] = {"vram", "vis_vram", "gtt"};                 // of Memory, likewise
constexpr int kMostSensors = 8;

// "1: 1500Mhz *" and "S: 19Mhz" (deep sleep): Hz.
std::optional<uint64_t> hertz_of(const std::string& line) {
  const size_t colon = line.find(": ");
  if (colon == line.npos) return std::nullopt;
  uint64_t value = 0;
  const char* const begin = line.data() + colon + 2;
  const auto [end, failure] = std::from_chars(begin, line.data() + line.size(), value);
  if (failure != std::errc() || end == begin) return std::nullopt;
  constexpr std::pair<char, uint64_t> kUnits[] = {{'K', 1'000}, {'M', 1'000'000}, {'G', 1'000'000'000}};
  for (const auto& [letter, factor] : kUnits)
    if (end != line.data() + line.size() && *end == letter) return value * factor;
  return std::nullopt;
}

} // namespace

Card::Card(const std::string& place, const std::string& root) : folder_(root + "/bus/pci/devices/" + place + "/") {}

std::optional<std::string> Card::read(const std::string& file) const {
  std::ifstream in(folder_ + file);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  return line;
}

std::optional<uint64_t> Card::number(const std::string& file) const {
  const auto text = read(file);
  uint64_t value = 0;
  if (!text || text->empty()) return std::nullopt;
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (failure != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

bool Card::exists() const {
  std::error_code failure;
  return std::filesystem::read_symlink(folder_ + "driver", failure).filename() == "amdgpu";
}

std::optional<std::string> Card::monitor() const {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "hwmon", failure))
    return "hwmon/" + entry.path().filename().string() + "/";
  return std::nullopt;
}

std::optional<uint64_t> Card::monitored(const char* file) const {
  const auto where = monitor();
  return where ? number(*where + file) : std::nullopt;
}

std::optional<uint64_t> Card::memory_bytes(Memory memory) const {
  return number(std::string("mem_info_") + kMemories[static_cast<int>(memory)] + "_total");
}
std::optional<uint64_t> Card::used_memory_bytes(Memory memory) const {
  return number(std::string("mem_info_") + kMemories[static_cast<int>(memory)] + "_used");
}

std::optional<uint64_t> Card::pcie_replays() const { return number("pcie_replay_count"); }

std::optional<uint32_t> Card::busy_percent() const {
  const auto value = number("gpu_busy_percent");
  if (!value || *value > 100) return std::nullopt;
  return static_cast<uint32_t>(*value);
}

std::optional<int64_t> Card::temperature_millidegrees(Sensor sensor) const {
  const auto where = monitor();
  if (!where) return std::nullopt;
  for (int i = 1; i <= kMostSensors; ++i) {
    const std::string name = *where + "temp" + std::to_string(i);
    if (read(name + "_label") != std::optional<std::string>(kLabels[static_cast<int>(sensor)])) continue;
    const auto text = read(name + "_input");
    int64_t value = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
      return std::nullopt;
    return value; // may be below zero
  }
  return std::nullopt;
}

std::optional<uint64_t> Card::average_power_microwatts() const { return monitored("power1_average"); }
std::optional<uint64_t> Card::present_power_microwatts() const { return monitored("power1_input"); }
std::optional<uint64_t> Card::power_limit_microwatts() const { return monitored("power1_cap"); }
std::optional<uint64_t> Card::power_microwatts() const {
  const auto average = average_power_microwatts();
  return average ? average : present_power_microwatts();
}

std::optional<Card::Levels> Card::levels(Clock clock) const {
  std::ifstream in(folder_ + "pp_dpm_" + kClocks[static_cast<int>(clock)]);
  Levels levels;
  for (std::string line; std::getline(in, line);) {
    const auto hertz = hertz_of(line);
    if (!hertz) return std::nullopt;
    if (levels.hertz.empty()) levels.deep_sleep = line.starts_with("S:");
    if (line.find('*') != line.npos) levels.current = levels.hertz.size();
    levels.hertz.push_back(*hertz);
  }
  return levels.hertz.empty() ? std::nullopt : std::optional(std::move(levels));
}

std::optional<uint64_t> Card::hertz_now(Clock clock) const {
  if (const auto where = monitor())
    for (int i = 1; i <= kMostSensors; ++i) {
      const std::string name = *where + "freq" + std::to_string(i);
      if (read(name + "_label") == std::optional<std::string>(kClocks[static_cast<int>(clock)]))
        if (const auto hertz = number(name + "_input")) return hertz;
    }
  const auto all = levels(clock);
  return all && all->current ? std::optional(all->hertz[*all->current]) : std::nullopt;
}

} // namespace hip::smi
