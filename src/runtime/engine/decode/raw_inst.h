// runtime/engine/decode/raw_inst.h - one decoded machine instruction, before anything is said about its meaning: its opcode,
// its format, its operands under the names that AMD's ISA documents use, and its modifiers. Plain data, no LLVM types.
#pragma once

#include "runtime/engine/isa/opcode.h"

#include <cstdint>

namespace hip::engine {

enum class Format : uint8_t {
  Invalid, // the bytes are no instruction of the target
  Sop1, Sop2, Sopc, Sopk, Sopp, Smem,
  Vop1, Vop2, Vopc, Vop3, Vop3p, Mai,
  Ds, Flat, Global, Scratch, Mubuf, Mtbuf,
  Other, // decodes, but belongs to no format that compute kernels use (export, image, interpolation, …)
};

// How a VALU instruction is encoded; the opcode does not say it.
enum class Variant : uint8_t { Base, E64, Dpp, Sdwa };

enum class Bank : uint8_t {
  None,
  Vgpr,
  Agpr,
  Sgpr,    // index is the operand encoding 0-127: s0-s101, flat_scratch, xnack_mask, vcc, ttmp, m0, exec included
  Special, // index is the operand encoding above 127: src_shared_base 235 … src_private_limit 238, vccz 251, execz 252, scc 253
  Imm,     // inline constant
  Literal, // 32-bit constant that follows the instruction, or the constant of v_madmk/v_madak and s_setreg_imm32
};

struct Operand {
  Bank bank = Bank::None;
  uint8_t dwords = 0;  // width: registers from `index` on; of a constant, the width that the instruction reads
  uint16_t index = 0;  // first register
  // Constants: the value as the operand's type sees it. Inline integers are sign-extended to 64 bits; floating-point
  // constants are bits of the operand's own type (f16 and packed f16: the low 16 bits; f64: all 64). Literals of 64-bit
  // operands are zero-extended, sign-extended (…_i64) or the high half (f64); of 32-bit operands look at the low half only.
  uint64_t imm = 0;
  bool high_half = false; // bits 31:16 of it: 16-bit operands of gfx11 and later name halves

  explicit operator bool() const noexcept { return bank != Bank::None; }
  bool is_register() const noexcept { return bank >= Bank::Vgpr && bank <= Bank::Special; }
  bool is_constant() const noexcept { return bank >= Bank::Imm; }
};

// Special sources, as Operand::index.
inline constexpr uint16_t kSharedBaseSource = 235, kPrivateBaseSource = 237, kSccSource = 253;

inline constexpr uint32_t kMaxSources = 5; // scaled MFMA has five, everything else at most three

struct RawInst {
  uint64_t address = 0;
  Opcode opcode = Opcode::unknown;
  Format format = Format::Invalid;
  Variant variant = Variant::Base;
  uint8_t size_bytes = 0; // with the literal; 4 for Invalid
  bool is_dual = false;   // VOPD: this is its first operation, Decoder::second() its other one
  uint8_t source_count = 0;
  uint8_t named_count = 0; // of a resolved instruction: sources that its encoding names; the rest follow from its opcode

  // Destinations. VOPC and carry-out instructions in their short forms get sdst = vcc here, as their long forms spell it.
  Operand vdst; // VGPR or AGPR: VALU results, loaded data, the returned value of atomics
  Operand sdst; // SGPR: SALU and SMEM results, compare masks, carry out, v_readlane; s_setreg: none
  // Sources of SALU and VALU in the document's order. Carry-in and v_cndmask's select of the short forms appear as
  // src[2] = vcc. The accumulator of v_mac/v_fmac (same register as vdst) is not a source here.
  Operand src[kMaxSources];
  // Memory.
  Operand vaddr; // FLAT/GLOBAL/SCRATCH/MUBUF address or offset; DS address
  Operand saddr; // GLOBAL/SCRATCH scalar base
  Operand vdata; // stored or combined data; DS: data0
  Operand data1; // DS: second data
  Operand sbase; // SMEM base; MUBUF/MTBUF resource
  Operand soffset; // SMEM, MUBUF: scalar offset
  Operand sdata; // SMEM stores and scalar atomics: data

  // Source modifiers: bit k belongs to src[k].
  uint8_t neg = 0; // packed: neg_lo
  uint8_t abs = 0;
  uint8_t neg_hi = 0;
  uint8_t sext = 0;      // SDWA
  uint8_t op_sel = 0;    // bit 3: the destination (VOP3)
  uint8_t op_sel_hi = 0; // packed
  bool clamp = false;
  uint8_t omod = 0; // 0 none, 1 *2, 2 *4, 3 /2
  // DPP
  uint16_t dpp_ctrl = 0; // 9 bits as encoded
  uint8_t row_mask = 0xf, bank_mask = 0xf;
  bool bound_ctrl = false; // as encoded: true means that invalid lanes read 0
  bool fetch_inactive = false; // inactive lanes are read, too
  bool has_dpp8 = false;       // a lane number for each of 8 lanes in place of dpp_ctrl
  uint32_t dpp8 = 0;           // 3 bits each
  // SDWA: 0-3 byte, 4-5 word, 6 dword
  uint8_t dst_sel = 6, src0_sel = 6, src1_sel = 6;
  uint8_t dst_unused = 0; // 0 pad with zeros, 1 sign-extend, 2 preserve
  // MAI; abid is also SWMMAC's index_key
  uint8_t cbsz = 0, abid = 0, blgp = 0;
  // Truth table of v_bitop3
  uint8_t bitop3 = 0;

  int32_t simm16 = 0;  // SOPP, SOPK: sign-extended
  int32_t offset = 0;  // FLAT/GLOBAL/SCRATCH signed; MUBUF, SMEM, DS with one offset
  uint8_t offset0 = 0, offset1 = 0; // DS with two
  bool gds = false;
  // Cache policy as encoded: on gfx940 sc0 = bit 0, nt = bit 1, sc1 = bit 4; before: glc, slc, scc.
  uint8_t cpol = 0;
  uint8_t buffer_format = 0;                      // MTBUF: the number of its format, as the BufferGeneration has it
  bool offen = false, idxen = false, lds = false; // MUBUF

  bool sc0() const noexcept { return cpol & 1; }
  bool nt() const noexcept { return cpol & 2; }
  bool sc1() const noexcept { return cpol & 16; }
};

const char* format_name(Format format) noexcept;

} // namespace hip::engine
