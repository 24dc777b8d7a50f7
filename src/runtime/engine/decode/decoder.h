// runtime/engine/decode/decoder.h - machine code to RawInst, through LLVM's AMDGPU disassembler: the engine has no bit
// decoder of its own. LLVM does not export the names of an instruction's operands, so they are derived once per opcode from
// what it does export: operand order and types, the format flags, and the registers that come out.
// LLVM's tables are kept when a decoder goes, for the next one of the same processor and wave width: making them takes a third of a
// module's load. All functions but second(), target() and lanes() may throw std::bad_alloc.
// Thread safety: one thread at a time.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/decode/raw_inst.h"
#include "runtime/engine/target/target.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hip::engine {

class Decoder {
public:
  // `target` is the name of a processor that has a row ("gfx942"); fails also when LLVM does not know it.
  // `lanes`: of the waves that execute the code; 0: the processor's default.
  static Result<std::unique_ptr<Decoder>> create(std::string_view target, uint32_t lanes = 0);
  ~Decoder();
  const Target& target() const noexcept;
  uint32_t lanes() const noexcept;
  // The second operation of the instruction that decode() has last seen, when that is dual.
  const RawInst& second() const noexcept;

  // Decodes the instruction at the start of `bytes`, which lies at `address`. Bytes that are no instruction give
  // Format::Invalid with size 4. An operand layout that cannot be named gives Format::Other.
  void decode(std::span<const uint8_t> bytes, uint64_t address, RawInst& out);
  // The instruction at the start of `bytes` as the assembler writes it, on one line with single spaces; for reports. Bytes
  // that are no instruction appear as ".long 0x…".
  std::string text(std::span<const uint8_t> bytes, uint64_t address);

private:
  struct Impl;
  class Idle;
  explicit Decoder(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

} // namespace hip::engine
