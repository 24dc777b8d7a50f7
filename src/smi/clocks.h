// smi/clocks.h - a clock of a card in the structures of ROCm's two libraries, which have the same fields.
#pragma once

#include "smi/card.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace hip::smi {

// The kinds of clocks that both libraries number alike; nothing for what a card's files do not tell.
inline std::optional<Card::Clock> clock_of(int type) noexcept {
  return type >= 0 && type <= static_cast<int>(Card::Clock::Memory) ? std::optional(static_cast<Card::Clock>(type))
                                                                    : std::nullopt;
}

template<class Frequencies> Frequencies frequencies_of(const Card::Levels& levels) {
  Frequencies made{};
  const size_t count = std::min(levels.hertz.size(), std::size(made.frequency));
  made.has_deep_sleep = levels.deep_sleep;
  made.num_supported = static_cast<uint32_t>(count);
  made.current = levels.current && *levels.current < count ? static_cast<uint32_t>(*levels.current) : UINT32_MAX;
  std::copy_n(levels.hertz.begin(), count, made.frequency);
  return made;
}

// In MHz; a level of deep sleep is none that the card works with.
template<class Info> std::optional<Info> clock_info_of(const Card& card, Card::Clock clock) {
  constexpr uint64_t kMhz = 1'000'000;
  const auto levels = card.levels(clock);
  if (!levels) return std::nullopt;
  const size_t first = levels->deep_sleep && levels->hertz.size() > 1 ? 1 : 0;
  Info made{};
  const auto now = card.hertz_now(clock);
  made.clk = now ? static_cast<uint32_t>(*now / kMhz) : UINT32_MAX;
  made.min_clk = static_cast<uint32_t>(levels->hertz[first] / kMhz);
  made.max_clk = static_cast<uint32_t>(levels->hertz.back() / kMhz);
  made.clk_deep_sleep = levels->deep_sleep && levels->current == size_t{0};
  return made;
}

} // namespace hip::smi
