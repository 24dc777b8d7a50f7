// runtime/engine/decode/encodings.cpp - see reserved.h. Field positions are those of the CDNA3 ISA document's chapter on
// microcode formats; operand types are LLVM's, as in layout.cpp.
#include "runtime/engine/decode/encodings.h"

#include "runtime/engine/decode/layout.h"

#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrDesc.h>

namespace hip::engine {
namespace {

constexpr uint32_t bits(uint32_t word, uint32_t first, uint32_t count) { return word >> first & ((1u << count) - 1); }

// Opcodes of gfx9's VOP3P encoding.
constexpr uint32_t kMfmaScalePrefix = 0x2c; // the first half of a scaled MFMA; the second is the MFMA itself
constexpr uint32_t kMfma16F8f6f4 = 0x2d, kMfma32F8f6f4 = 0x2e;
constexpr uint32_t kFirstOtherMatrix = 0x35, kAccvgprRead = 0x58, kAccvgprWrite = 0x59;

bool is_vop3p(uint32_t word) { return bits(word, 23, 9) == 0x1a7; }
bool is_f8f6f4(uint32_t opcode) { return opcode == kMfma16F8f6f4 || opcode == kMfma32F8f6f4; }
bool is_matrix(uint32_t opcode) {
  return is_f8f6f4(opcode) || (opcode >= kFirstOtherMatrix && opcode != kAccvgprRead && opcode != kAccvgprWrite);
}
bool is_vector_code(uint32_t source) { return source >= 256; }
bool is_inline_code(uint32_t source) { return (source >= 128 && source <= 208) || (source >= 240 && source <= 248); }

bool has_reserved_matrix_operand(std::span<const uint32_t> words) {
  if (!is_vop3p(words[0])) return false;
  if (bits(words[0], 16, 7) == kMfmaScalePrefix) {
    if (!is_vop3p(words[2])) return false;
    words = words.subspan(2);
  }
  const uint32_t opcode = bits(words[0], 16, 7);
  if (!is_matrix(opcode)) return false;
  // The two matrices that are multiplied are registers; the one that is added is registers or an inline constant.
  const uint32_t added = bits(words[1], 18, 9);
  if (!is_vector_code(bits(words[1], 0, 9)) || !is_vector_code(bits(words[1], 9, 9))) return true;
  if (!is_vector_code(added) && !is_inline_code(added)) return true;
  // Element formats: 0 and 1 are 8-bit, 2 and 3 6-bit, 4 is 4-bit; cbsz names the first matrix's, blgp the second's.
  return is_f8f6f4(opcode) && (bits(words[0], 8, 3) > 4 || bits(words[1], 29, 3) > 4);
}

// gfx950's conversions of 16 and 32 packed elements: these are in registers, in two operands of some.
bool has_reserved_block_operand(std::span<const uint32_t> words) {
  constexpr uint32_t kVop3 = 0x34, kFirstOfTwo = 0x252, kLastOfTwo = 0x253, kLast = 0x263;
  const uint32_t opcode = bits(words[0], 16, 10);
  if (bits(words[0], 26, 6) != kVop3 || opcode < kFirstOfTwo || opcode > kLast) return false;
  return !is_vector_code(bits(words[1], 0, 9)) || (opcode <= kLastOfTwo && !is_vector_code(bits(words[1], 9, 9)));
}

// gfx12 has no three registers of a trap handler that s_load_b96 and s_buffer_load_b96 could load.
bool has_reserved_destination(std::span<const uint32_t> words) {
  constexpr uint32_t kSmem = 0x3d, kLoadB96 = 0x05, kBufferLoadB96 = 0x15, kFirstTtmp = 108, kLastTtmp = 123;
  const uint32_t opcode = bits(words[0], 13, 6), destination = bits(words[0], 6, 7);
  return bits(words[0], 26, 6) == kSmem && (opcode == kLoadB96 || opcode == kBufferLoadB96) && destination >= kFirstTtmp &&
         destination <= kLastTtmp;
}

// The operand of gfx12's split barriers is an inline constant or M0.
bool has_reserved_barrier(std::span<const uint32_t> words) {
  constexpr uint32_t kSop1 = 0x17d, kBarrierSignal = 0x4e, kBarrierJoin = 0x52, kLiteralCode = 255;
  const uint32_t opcode = bits(words[0], 8, 8);
  return bits(words[0], 23, 9) == kSop1 && opcode >= kBarrierSignal && opcode <= kBarrierJoin &&
         bits(words[0], 0, 8) == kLiteralCode;
}

// LLVM's operand types that take registers and inline constants, and no literal.
bool takes_no_literal(unsigned type) { return (type >= 27 && type <= 37) || (type >= 41 && type <= 43); }

// Encodings whose sources may be the literal's code.
bool has_literal_form(const Layout& layout, unsigned generation) {
  if (layout.variant == Variant::Dpp || layout.variant == Variant::Sdwa) return false;
  switch (layout.format) {
  case Format::Vop3: case Format::Vop3p: return generation != 9;
  case Format::Mai: case Format::Smem: case Format::Ds: case Format::Flat: case Format::Global: case Format::Scratch:
  case Format::Mubuf: case Format::Mtbuf: return false;
  default: return true;
  }
}

} // namespace

bool is_inline_constant(int64_t value) noexcept {
  if (value >= -16 && value <= 64) return true;
  switch (uint64_t(value)) { // which type the bits belong to does not matter
  case 0x3800: case 0xb800: case 0x3c00: case 0xbc00: case 0x4000: case 0xc000: case 0x4400: case 0xc400: case 0x3118:
  case 0x3f000000: case 0xbf000000: case 0x3f800000: case 0xbf800000: case 0x40000000: case 0xc0000000:
  case 0x40800000: case 0xc0800000: case 0x3e22f983:
  case 0x3fe0000000000000: case 0xbfe0000000000000: case 0x3ff0000000000000: case 0xbff0000000000000:
  case 0x4000000000000000: case 0xc000000000000000: case 0x4010000000000000: case 0xc010000000000000:
  case 0x3fc45f306dc9c882:
    return true;
  default:
    return false;
  }
}

bool has_reserved_operand(std::span<const uint32_t> words, unsigned generation) noexcept {
  if (generation == 9) return has_reserved_matrix_operand(words) || has_reserved_block_operand(words);
  return generation == 12 && (has_reserved_barrier(words) || has_reserved_destination(words));
}

uint32_t mandatory_literal_dword(std::span<const uint32_t> words, unsigned generation) noexcept {
  const uint32_t word = words[0];
  if (bits(word, 31, 1) == 0) { // VOP2
    const uint32_t opcode = bits(word, 25, 6);
    const bool found = generation == 9 ? opcode == 0x17 || opcode == 0x18 || opcode == 0x24 || opcode == 0x25
                                       : opcode == 0x2c || opcode == 0x2d || opcode == 0x37 || opcode == 0x38;
    return found ? 1 : 0;
  }
  if (generation >= 11 && bits(word, 30, 2) == 2) { // SOP2: s_fmaak_f32, s_fmamk_f32
    const uint32_t opcode = bits(word, 23, 7);
    return opcode == 0x45 || opcode == 0x46 ? 1 : 0;
  }
  if (generation >= 11 && bits(word, 26, 6) == 0x32) { // VOPD: one of the two is v_dual_fmaak_f32 or v_dual_fmamk_f32
    const uint32_t x = bits(word, 22, 4), y = bits(word, 17, 5);
    return x == 1 || x == 2 || y == 1 || y == 2 ? 2 : 0;
  }
  return 0;
}

bool has_reserved_field(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, const Layout& layout, uint32_t size_bytes,
                        unsigned generation) {
  const bool has_literal = size_bytes > desc.getSize();
  // gfx9 has literals behind encodings of one dword only.
  if (has_literal && (!has_literal_form(layout, generation) || (generation == 9 && desc.getSize() > 4))) return true;
  for (unsigned k = 0; k < inst.getNumOperands() && k < layout.roles.size(); ++k) {
    const llvm::MCOperand& op = inst.getOperand(k);
    // A literal whose value is an inline constant's comes as an expression.
    if (has_literal && k < desc.getNumOperands() && takes_no_literal(desc.operands()[k].OperandType) &&
        (op.isExpr() || (op.isImm() && !is_inline_constant(op.getImm()))))
      return true;
    if (!op.isImm()) continue;
    switch (layout.roles[k]) {
    case Role::DstSel: case Role::Src0Sel: case Role::Src1Sel:
      if (op.getImm() > 6) return true;
      break;
    case Role::DstUnused:
      if (op.getImm() > 2) return true;
      break;
    default: break;
    }
  }
  return false;
}

} // namespace hip::engine
