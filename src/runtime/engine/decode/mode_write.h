// runtime/engine/decode/mode_write.h - what instructions do to the MODE register. Thread safety: pure functions.
#pragma once

#include "runtime/engine/decode/resolve.h"

#include <optional>

namespace hip::engine {

inline constexpr uint32_t kModeNumber = 1; // of MODE among the hardware registers, on every processor

// The bits of a hardware register that the 16-bit field of s_getreg and s_setreg names.
struct HwField {
  uint32_t id, shift, mask; // mask: of the value, in front of the shift
  explicit constexpr HwField(uint64_t simm16) noexcept
      : id(simm16 & 63), shift(simm16 >> 6 & 31),
        mask((simm16 >> 11 & 31) == 31 ? ~0u : (2u << (simm16 >> 11 & 31)) - 1) {}
};

struct ModeWrite {
  uint32_t bits = 0;             // of MODE that are written
  std::optional<uint32_t> value; // what they become; nothing: a register says it
};
// Nothing: the instruction leaves MODE alone.
inline std::optional<ModeWrite> mode_write(const ResolvedInst& inst) noexcept {
  if (!row_of(inst.opcode).sets_mode) return std::nullopt;
  const auto constant = [](uint32_t bits, uint32_t shift, uint64_t value) {
    return ModeWrite{bits << shift, (uint32_t(value) & bits) << shift};
  };
  // The constant holds the four bits for rounding, or those for denormals.
  if (inst.opcode == Opcode::s_round_mode) return constant(15, 0, uint32_t(inst.simm16));
  if (inst.opcode == Opcode::s_denorm_mode) return constant(15, 4, uint32_t(inst.simm16));
  const HwField field(uint64_t(uint32_t(inst.simm16)));
  if (field.id != kModeNumber) return std::nullopt;
  if (inst.source_count > 0 && inst.src[0].is_constant()) return constant(field.mask, field.shift, inst.src[0].imm);
  return ModeWrite{field.mask << field.shift, std::nullopt};
}

} // namespace hip::engine
