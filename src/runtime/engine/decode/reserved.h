// runtime/engine/decode/reserved.h - encodings that the ISA documents reserve and that LLVM's disassembler decodes, prints or
// crashes on all the same (ERRATA 1 to 3). The decoder calls them undecodable, as it does every other reserved encoding.
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

// Asked after LLVM has decoded `inst` and before anything prints it: whether there is a literal where the encoding has none
// or a reserved value in an SDWA field.
bool has_reserved_field(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc, const Layout& layout, uint32_t size_bytes,
                        unsigned generation);

} // namespace hip::engine
