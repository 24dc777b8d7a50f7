// tests/tier1/writer.h - random guest programs: integer arithmetic on work-item ids as compilers write it, loads and stores
// at the addresses that come out, and structured control flow, uniform and divergent.
// Registers: v0-v15 and s4-s15 hold numbers, v36 the work-item's ids, s[16:19] lane masks; s[0:1] is where loads begin, which is also the kernarg segment, s[2:3] where
// stores begin. The rest of what it uses is its own.
#pragma once

#include "machine.h"

#include <string>

namespace tier1_test {

class Writer {
public:
  static constexpr uint32_t kLoadBytes = 0x4000, kStoreOffset = 0x4000; // from the arena's begin
  static constexpr uint32_t kKnownArgument = 16;                        // offset in the kernarg segment

  // The program is for the dialect's processor and waves.
  Writer(Random& random, const Dialect& dialect) : random_(random), dialect_(dialect) {}
  // `count` statements in a row.
  void straight(uint32_t count);
  // The same with branches and loops, at most `depth` inside each other.
  void structured(uint32_t count, uint32_t depth);
  // Instructions by any generation's names; those that the processor lacks are left out.
  void line(const std::string& text) { text_ += dialect_.respelled(text); }
  // One instruction, if the processor has it in this form.
  void form(const std::string& text) { text_ += dialect_.respelled_form(text); }
  const std::string& text() const { return text_; }

private:
  std::string vgpr() { return fmt::format("v{}", recent_[random_.below(4)]); }
  std::string pair();
  std::string new_vgpr();
  std::string new_pair();
  std::string sgpr() { return fmt::format("s{}", random_.between(4, 15)); }
  std::string constant(bool literals);
  std::string shift();
  std::string scalar_or_constant(bool literals) { return random_.one_in(3) ? sgpr() : constant(literals); }
  std::string vop3_source(bool& scalar_used);
  void statement();
  void short_vector();
  void long_vector();
  void wide_vector();
  void lanes();
  void later_families();
  void scalar();
  void memory();
  void matrix();
  void compare();
  void masks();
  void floats();
  void places();
  void exchange();
  void global_exchange();
  void wide_sum(uint32_t to, uint32_t from, uint32_t by, uint32_t base) { text_ += dialect_.wide_sum(to, from, by, base); }
  std::string mask(uint32_t first) const { return dialect_.mask(first); }
  std::string mask_op(const std::string& name) const { return dialect_.mask_op(name); }
  // Registers of a nesting level.
  std::string saved(uint32_t level) const { return mask(20 + 2 * level); }
  std::string left(uint32_t level) const { return mask(40 + 2 * level); }
  void divergent_if(uint32_t depth);
  void masked_part(uint32_t depth);
  void uniform_if(uint32_t depth);
  void divergent_loop(uint32_t depth);
  void uniform_loop(uint32_t depth);
  std::string label() { return fmt::format("l{}", labels_++); }

  Random& random_;
  const Dialect& dialect_;
  std::string text_;
  uint32_t recent_[4] = {0, 0, 1, 2}; // VGPRs that are worth being read
  uint32_t labels_ = 0, level_ = 0;
};

} // namespace tier1_test
