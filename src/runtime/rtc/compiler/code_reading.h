// runtime/rtc/compiler/code_reading.h - the parts of code_tools.h that use LLVM; they run guarded (code_tools.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hip::rtc {

// Initialises LLVM's targets, once.
void initialise_llvm();

struct Instruction {
  size_t bytes = 0; // of what is no instruction, too
  bool valid = false;
  std::string text;
  std::optional<uint64_t> target; // of a branch
};

class Disassembler {
public:
  static std::unique_ptr<Disassembler> open(const std::string& target);
  virtual ~Disassembler();
  virtual Instruction at(uint64_t address, const uint8_t* bytes, size_t count) = 0;
};

class Symbolizer {
public:
  static std::unique_ptr<Symbolizer> open(std::string file);
  virtual ~Symbolizer();
  virtual std::string text_of(uint64_t address, bool is_code) = 0;
};

// Nothing: no LLVM bitcode.
std::optional<std::vector<std::string>> bitcode_names(std::string_view bitcode);
std::optional<std::vector<std::pair<std::string, std::string>>> bitcode_name_pairs(std::string_view bitcode,
                                                                                   std::string_view prefix);
std::optional<std::vector<std::pair<std::string, std::string>>> bitcode_pointers(std::string_view bitcode,
                                                                                 std::string_view prefix);

} // namespace hip::rtc
