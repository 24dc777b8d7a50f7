// hipify/knowledge.h - what a compiler found out about the files of a program, for the exact form: whose name an
// identifier is, and what no compilation reads. The quick form has none of it and decides by the table and the tokens
// around a name; whatever is not known here is decided the same way.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hip::hipify {

// Bits of what is known about the token at an offset. A token in the body of a macro may have several meanings.
using TokenBits = uint16_t;
constexpr TokenBits kCudaName = 1;      // a declaration or macro of CUDA's headers
constexpr TokenBits kProgramName = 2;   // one of the program's own, or of a header of its own for an #include
constexpr TokenBits kWideMask = 4;      // a call of __shfl_sync and its kin whose mask has 64 bits
constexpr TokenBits kNarrowMask = 8;    // ... whose mask has 32 bits and is not known
constexpr TokenBits kAllLanesMask = 16; // ... whose mask is 32 ones
constexpr TokenBits kLocation = 32;     // a call that has the form with a place in memory (cudaMemLocation)
constexpr TokenBits kSecondError = 64;  // the first token of a function that is overloaded for CUresult and cudaError_t
constexpr TokenBits kAddressSum = 128;  // the first token of an address of the driver's that is counted with
constexpr TokenBits kAddressValue = 256; // the first token of a number that becomes such an address

// A shift in device code by an amount that is not known, or the macro that has it.
constexpr TokenBits kUnknownShift = 512;

// A half-open range of bytes.
using ByteRange = std::pair<uint32_t, uint32_t>;

class FileKnowledge {
public:
  void add(uint32_t offset, TokenBits bits) { tokens_[offset] = static_cast<TokenBits>(tokens_[offset] | bits); }
  // What one compilation skipped, in order. A byte is dead if no compilation of the file read it.
  void add_reading(const std::vector<ByteRange>& skipped);
  void merge(const FileKnowledge& other);

  TokenBits at(uint32_t offset) const {
    const auto found = tokens_.find(offset);
    return found == tokens_.end() ? TokenBits(0) : found->second;
  }
  bool is_dead(uint32_t offset) const;

  const std::map<uint32_t, TokenBits>& tokens() const { return tokens_; }
  const std::vector<ByteRange>& dead() const { return dead_; }
  bool was_read() const { return was_read_; }

private:
  std::map<uint32_t, TokenBits> tokens_;
  std::vector<ByteRange> dead_; // sorted, apart
  bool was_read_ = false;
};

struct ParseError {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string message;
};

// What the compilations of one source said.
struct ProgramKnowledge {
  std::map<std::string, FileKnowledge> files; // by canonical path
  std::set<std::string> missing_headers;
  std::vector<ParseError> errors; // the first ones
  uint64_t error_count = 0;
  bool complete = false; // the parser came to its end

  void merge_files(const ProgramKnowledge& other);
};

// As text, between the process that compiles and the one that converts. A text without its end is not complete.
std::string to_text(const ProgramKnowledge& knowledge);
ProgramKnowledge from_text(std::string_view text);

} // namespace hip::hipify
