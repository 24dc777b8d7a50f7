// smi/sensors.h - a card's sensors in the units and structures of ROCm's two libraries.
#pragma once

#include "smi/card.h"

#include <cstdint>
#include <optional>

namespace hip::smi {

// The places of sensors that both libraries number alike; nothing for what a card's files do not tell.
inline std::optional<Card::Sensor> sensor_of(int64_t type) noexcept {
  return type >= 0 && type <= static_cast<int64_t>(Card::Sensor::Memory)
             ? std::optional(static_cast<Card::Sensor>(type))
             : std::nullopt;
}

// libamd_smi's whole degrees, rounded towards zero as AMD's library does.
inline std::optional<int64_t> degrees_of(const Card& card, Card::Sensor sensor) {
  const auto millidegrees = card.temperature_millidegrees(sensor);
  return millidegrees ? std::optional(*millidegrees / 1000) : std::nullopt;
}

// In watts; nothing for a card that tells no power. What else it does not tell is UINT32_MAX in every member, the wider
// ones included, as AMD's header says.
template<class Info> std::optional<Info> power_info_of(const Card& card) {
  const auto watts = [](std::optional<uint64_t> microwatts) {
    constexpr uint64_t kMicrowatts = 1'000'000;
    return microwatts && *microwatts / kMicrowatts < UINT32_MAX ? static_cast<uint32_t>(*microwatts / kMicrowatts)
                                                                : UINT32_MAX;
  };
  const auto power = card.power_microwatts();
  if (!power) return std::nullopt;
  Info made{};
  made.socket_power = watts(power);
  made.current_socket_power = watts(card.present_power_microwatts());
  made.average_socket_power = watts(card.average_power_microwatts());
  made.gfx_voltage = made.soc_voltage = made.mem_voltage = UINT32_MAX;
  made.power_limit = watts(card.power_limit_microwatts());
  return made;
}

} // namespace hip::smi
