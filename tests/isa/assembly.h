// tests/isa/assembly.h - the reference table's instructions as machine code: every row becomes one little function,
// assembled in this process.
#pragma once

#include "reference.h"

#include <cstdint>
#include <string>
#include <vector>

namespace isa_test {

inline constexpr uint32_t kSlotBytes = 64; // one function per slot: the instruction, then s_endpgm

// Registers of the operands: sources start at v0, v2, v4 (s0, s2, s4 for scalar instructions), the destination at v6/s6.
inline constexpr uint32_t kSourceRegister[3] = {0, 2, 4};
inline constexpr uint32_t kDestinationRegister = 6;

struct Row {
  const Op* op;
  std::string text; // as assembled
};

// How the vector instruction's sources are written.
enum class Form {
  Plain,       // all VGPRs
  ScalarFirst, // source 0 is an SGPR (s8, s[8:9])
};

// The instruction of waves of `lanes` lanes, by the name `mnemonic`.
std::string assembly_of(const Op& op, Form form, const std::string& mnemonic, uint32_t lanes);
inline std::string assembly_of(const Op& op, Form form) { return assembly_of(op, form, op.mnemonic, 64); }
bool is_scalar(const Op& op);

// Machine code of all rows, row i at i * kSlotBytes, for waves of `lanes` lanes; 0: the processor's default. Rows that
// the processor lacks fail the test.
std::vector<uint8_t> assemble(const std::vector<Row>& rows, const std::string& processor, uint32_t lanes = 0);

// The instructions of the table that the processor has, under one of the names that the table of opcodes gives them.
std::vector<Row> rows_for(std::span<const Op> ops, Form form, const std::string& processor, uint32_t lanes);

} // namespace isa_test
