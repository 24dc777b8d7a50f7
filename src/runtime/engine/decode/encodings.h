// runtime/engine/decode/encodings.h - what the decoder must know of encodings itself, because LLVM's disassembler gets it wrong:
// operands that the ISA documents reserve, which it decodes, prints or crashes on (ERRATA 1 to 3; the decoder calls them
// undecodable, as it does every other reserved encoding), and constants that it takes for operand codes (ERRATA 4).
#pragma once

#include <cstdint>
#include <span>

namespace llvm {
class MCInst;
class MCInstrDesc;
} // namespace llvm

namespace hip::engine {

struct Layout;

// Whether `value` may be an inline constant of some operand type; a constant that may not came from a literal.
bool is_inline_constant(int64_t value) noexcept;

// Asked before LLVM decodes `words`, of which there are at least four: whether they are an instruction with an operand code
// that LLVM's disassembler has no case for. `generation` is 9 for gfx9.., 10 for gfx10.., and so on.
bool has_reserved_operand(std::span<const uint32_t> words, unsigned generation) noexcept;

// The dword that holds the constant of v_madmk, v_madak, v_fmamk, v_fmaak or their like; 0 when `words` are none of these.
uint32_t mandatory_literal_dword(std::span<const uint32_t> words, unsigned generation) noexcept;

// Asked after LLVM has decoded `inst` and before anything prints it: whether there is a literal where the encoding has none
// or a reserved value in an SDWA field.
bool has_reserved_field(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, const Layout& layout, uint32_t size_bytes,
                        unsigned generation);

} // namespace hip::engine
