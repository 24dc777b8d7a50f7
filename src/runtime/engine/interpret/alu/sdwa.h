// runtime/engine/interpret/alu/sdwa.h - which bits of a register an SDWA select names (gfx9 ISA, "Sub-Dword Addressing").
#pragma once

#include <cstdint>

namespace hip::engine {

struct SdwaPart {
  constexpr explicit SdwaPart(uint32_t sel) noexcept
      : shift(sel < 4 ? 8 * sel : sel == 5 ? 16 : 0), width(sel < 4 ? 8 : sel < 6 ? 16 : 32) {}
  uint32_t shift, width;
};

} // namespace hip::engine
