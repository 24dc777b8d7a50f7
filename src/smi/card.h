// smi/card.h - what Linux's amdgpu driver says of a card in sysfs: facts that neither HIP nor HSA tells. Each is read
// when it is asked for, and nothing where the driver does not have it (or the device is no card of AMD's). Thread
// safety: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hip::smi {

class Card {
public:
  enum class Sensor { Edge, Junction, Memory };
  enum class Clock { Core, Fabric, Display, Soc, Memory };
  enum class Memory { Vram, VisibleVram, Gtt }; // visible: to the host's processors; GTT: of the host, for the card

  // What a clock can be, from slow to fast.
  struct Levels {
    std::vector<uint64_t> hertz;
    std::optional<size_t> current; // nothing while the clock is off
    bool deep_sleep = false;       // the first level is that of a card that sleeps
  };

  // The card at "0000:03:00.0". `root` is where sysfs is mounted.
  explicit Card(const std::string& place, const std::string& root = "/sys");

  bool exists() const; // with the driver amdgpu
  std::optional<uint64_t> memory_bytes(Memory memory) const;
  std::optional<uint64_t> used_memory_bytes(Memory memory) const; // of all processes
  std::optional<uint32_t> busy_percent() const;
  std::optional<int64_t> temperature_millidegrees(Sensor sensor) const;
  // Of the whole board. Older cards tell the average of a moment, newer ones the present power; power_microwatts() is
  // what there is.
  std::optional<uint64_t> average_power_microwatts() const;
  std::optional<uint64_t> present_power_microwatts() const;
  std::optional<uint64_t> power_microwatts() const;
  std::optional<uint64_t> power_limit_microwatts() const;
  std::optional<uint64_t> pcie_replays() const;
  std::optional<Levels> levels(Clock clock) const;
  std::optional<uint64_t> hertz_now(Clock clock) const; // measured, where the driver does; else the present level

private:
  std::optional<std::string> read(const std::string& file) const;
  std::optional<uint64_t> number(const std::string& file) const;
  std::optional<std::string> monitor() const;                // "hwmon/hwmon3/"
  std::optional<uint64_t> monitored(const char* file) const; // a number in that folder

  const std::string folder_;
};

} // namespace hip::smi
