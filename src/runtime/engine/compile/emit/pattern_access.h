// runtime/engine/compile/emit/pattern_access.h - accesses to LDS by addresses with a pattern (patterns.h). The library
// looks at the pattern alone; two accesses in a row with the same one are one call, which finds them in one window more
// often than not.
#pragma once

#include "runtime/engine/compile/emit/address.h"

namespace hip::engine::compile {

class PatternAccessEmitter : InstructionEmitter {
public:
  explicit PatternAccessEmitter(const EmitContext& context) : InstructionEmitter(context) {}

  void begin_point() { ahead_ = {}; }
  // Whether the instruction's accesses are made here.
  bool applies(const Instr& i, Version version, const State& state) const;
  // Makes the access, and the next one with it if that is possible.
  void emit(const MemoryAccess& access, std::vector<LoadedStrip>& loaded);

private:
  struct Which {
    const Instr* instr = nullptr;
    uint32_t which = 0;
  };
  Which next_to(const MemoryAccess& access) const;

  struct {
    Which at; // made with the access before it
    std::array<Value*, kMaxStrips> loaded{};
  } ahead_;
};

} // namespace hip::engine::compile
