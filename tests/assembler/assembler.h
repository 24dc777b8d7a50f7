// tests/assembler/assembler.h - AMDGPU assembly to machine code in this process: thousands of little programs, and
// candidates for instructions that may turn out not to exist.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hip::testing {

class Assembler {
public:
  // `lanes`: of the processor's waves; 0: its default.
  explicit Assembler(const std::string& processor, uint32_t lanes = 0);
  ~Assembler();
  // The text's machine code; text that is no program fails the test.
  std::vector<uint8_t> assemble(const std::string& text) const;
  bool accepts(const std::string& text) const;
  // Whether the processor has an instruction of this spelling, with or without an encoding's suffix.
  bool knows(const std::string& mnemonic) const;
  // Which of the lines are instructions of the processor.
  std::vector<bool> accepted(const std::vector<std::string>& lines) const;

private:
  struct Parts;
  struct Outcome;
  Outcome run(const std::string& text) const;
  std::unique_ptr<Parts> parts_;
};

// Registers as an operand names them: v4, v[4:7]. `file`: v, a or s.
std::string range(char file, uint32_t first, uint32_t count);

} // namespace hip::testing
