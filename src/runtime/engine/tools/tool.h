// runtime/engine/tools/tool.h - how a tool watches a launch (Dispatch::tool). The launch's code is then executed in its
// instrumented form: every machine instruction is counted once, by class, and every access to memory is offered to the
// tool before it happens, with the addresses of all lanes that access. Both tiers tell a tool the same. Thread safety:
// a listener belongs to the thread that has begun with it; begin_thread and end_thread may be called by several threads
// at once.
#pragma once

#include "runtime/engine/tools/instruction_class.h"

#include <array>
#include <cstdint>

namespace hip::engine {

struct Wave;       // wave/wave.h
struct WaveAccess; // interpret/memory/access.h

// Wave-instructions that have been executed, and the lanes that were active in them, summed. Of an instruction that
// EXEC does not concern (scalar ones, branches) these are the lanes of EXEC all the same.
struct InstructionCounts {
  struct OfClass {
    uint64_t instructions = 0, active_lanes = 0;
    bool operator==(const OfClass&) const = default;
  };
  std::array<OfClass, kInstructionClasses> by_class{};

  const OfClass& of(InstructionClass c) const noexcept { return by_class[size_t(c)]; }
  void add(InstructionClass c, uint64_t instructions, uint64_t active) noexcept {
    by_class[size_t(c)].instructions += instructions, by_class[size_t(c)].active_lanes += instructions * active;
  }
  void add(const InstructionCounts& more) noexcept {
    for (size_t k = 0; k < kInstructionClasses; ++k) {
      by_class[k].instructions += more.by_class[k].instructions;
      by_class[k].active_lanes += more.by_class[k].active_lanes;
    }
  }
  bool operator==(const InstructionCounts&) const = default;
};

class AccessListener {
public:
  virtual ~AccessListener() = default;
  // Called before the lanes of an access touch memory, access by access as the wave makes them: an instruction that
  // accesses two elements or several spaces makes one for each. Lanes whose access LDS or a buffer drops are not among
  // them. Returns the lanes that the tool refuses, 0 for none; then the wave ends with the report of a memory fault
  // that names them.
  virtual uint64_t before(const Wave& wave, const WaveAccess& access) noexcept = 0;
};

// What instrumented code tells, of one thread; WorkGroup::probe.
struct Probe {
  InstructionCounts executed;
  AccessListener* listener = nullptr;
};

class Tool {
public:
  virtual ~Tool() = default;
  // A thread begins to run the launch: who listens to its accesses, until end_thread. Called once per call of
  // Grid::run.
  virtual AccessListener& begin_thread() = 0;
  // It has left the launch, and has executed so much. All threads have when Grid::finished() is true.
  virtual void end_thread(AccessListener& listener, const InstructionCounts& executed) noexcept = 0;
};

} // namespace hip::engine
