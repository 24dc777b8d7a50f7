// runtime/engine/decode/float_rules.h - what MODE means for a floating-point instruction of the vector and the scalar
// ALU: which operands and results may have their denormals flushed, whether it rounds, and what else a field of MODE
// changes. Both tiers ask here, tier 0 for waves with an unusual MODE (interpret/by_mode.h), tier 1 for code that is
// translated for one. Facts: ERRATA 10, 11, 14. Thread safety: pure functions.
#pragma once

#include "runtime/engine/decode/resolve.h"

#include <optional>

namespace hip::engine {

// A field of two bits for each of f32 (Single) and f64 and f16 (Double, Half).
enum ModeDenormals : uint32_t { kTakesDenormals = 1, kGivesDenormals = 2 };
constexpr uint32_t denormals_of(uint32_t mode, FloatKind kind) noexcept {
  return mode >> (kind == FloatKind::Single ? 4 : 6) & 3;
}
enum ModeRounding : uint32_t { kRoundNearest, kRoundUp, kRoundDown, kRoundTowardsZero };
constexpr ModeRounding rounding_of(uint32_t mode, FloatKind kind) noexcept {
  return ModeRounding(mode >> (kind == FloatKind::Single ? 0 : 2) & 3);
}

// The host's control word (MXCSR) for it: all exceptions masked, denormals stay.
constexpr uint32_t host_control(ModeRounding rounding) noexcept {
  constexpr uint32_t kHost[] = {0, 2, 1, 3}; // its order is nearest, down, up, towards zero
  return 0x1f80 | kHost[rounding] << 13;
}

struct FloatRules {
  BodyShape shape;
  bool rounds = false;            // as MODE says
  uint8_t halves = 0;             // a 16-bit result: 1 in the low half of the register, 2 in the high one, 3 in both
  Opcode other = Opcode::unknown; // whose body computes it where takes_other(); unknown: its own does always
  bool other_limits = false;      // that is while MODE.FP16_OVFL is 1; else while MODE.IEEE is 0
};
// Nothing: what the instruction computes does not depend on MODE.
std::optional<FloatRules> float_rules(const ResolvedInst& inst) noexcept;
// Whether waves with this MODE compute it by `other`.
constexpr bool takes_other(const FloatRules& rules, uint32_t mode) noexcept {
  return rules.other != Opcode::unknown && (rules.other_limits ? (mode & kModeFp16Overflow) != 0 : !(mode & kModeIeee));
}
// What parameter k is; `is_half`: where it may be either (v_fma_mix), it is an f16.
constexpr FloatKind float_kind(const FloatRules& rules, uint32_t k, bool is_half) noexcept {
  if (rules.shape.kind(k) == kKindMix) return is_half ? FloatKind::Half : FloatKind::Single;
  return rules.shape.float_kind(k);
}
// Whether parameter k is a number, not a mask, nor a register's old value.
constexpr bool is_number(const FloatRules& rules, uint32_t k) noexcept {
  const uint32_t kind = rules.shape.kind(k);
  return kind != kKindMask && kind != kKindLane && kind != kKindField && kind != kKindOld;
}

// How waves with this MODE have to depart from what the instruction's body computes.
struct FloatDepartures {
  uint8_t operands = 0; // bit k: parameter k's denormals are flushed
  bool result = false;  // the result's are
  ModeRounding rounding = kRoundNearest;
  Opcode body = Opcode::unknown; // the opcode whose body computes it, limiting overflows; unknown: its own
  bool others = false;           // it has other rules for NaNs, or limits overflows in ways of its own
};
FloatDepartures departures(const ResolvedInst& inst, const FloatRules& rules, uint32_t mode) noexcept;

} // namespace hip::engine
