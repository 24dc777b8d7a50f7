// runtime/engine/tools/instruction_class.h - the classes by which tools count wave-instructions. An instruction's class
// follows from its row's unit (isa/opcode.h), whether the engine executes it or not.
#pragma once

#include "runtime/engine/isa/opcode.h"

namespace hip::engine {

enum class InstructionClass : uint8_t {
  VectorAlu,
  ScalarAlu,
  Matrix,
  VectorMemory, // global, flat, scratch and buffer instructions, images
  Lds,          // its crossbar and global data share included
  ScalarMemory,
  Branch, // calls included
  Barrier,
  Other, // waits, messages, cache control, the end of a wave
};
inline constexpr size_t kInstructionClasses = size_t(InstructionClass::Other) + 1;

constexpr InstructionClass class_of(Unit unit) noexcept {
  switch (unit) {
  case Unit::VectorAlu:
  case Unit::VectorIndexed:
  case Unit::ReadLane:
  case Unit::WriteLane:
  case Unit::ExchangeLanes:
    return InstructionClass::VectorAlu;
  case Unit::ScalarAlu:
  case Unit::ScalarIndexed:
  case Unit::ProgramCounter:
  case Unit::HardwareRegister:
    return InstructionClass::ScalarAlu;
  case Unit::Matrix:
    return InstructionClass::Matrix;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::TypedBuffer:
  case Unit::Image:
    return InstructionClass::VectorMemory;
  case Unit::Lds:
  case Unit::LanePermute:
  case Unit::GlobalDataShare:
  case Unit::WaveSync:
    return InstructionClass::Lds;
  case Unit::ScalarMemory:
  case Unit::ScalarBuffer:
    return InstructionClass::ScalarMemory;
  case Unit::Branch:
  case Unit::ConditionalBranch:
  case Unit::Jump:
    return InstructionClass::Branch;
  case Unit::Barrier:
    return InstructionClass::Barrier;
  case Unit::Unknown:
  case Unit::Clock:
  case Unit::Message:
  case Unit::NoEffect:
  case Unit::Yield:
  case Unit::Trap:
  case Unit::EndWave:
  case Unit::CacheControl:
  case Unit::Graphics:
  case Unit::Other:
    return InstructionClass::Other;
  }
  return InstructionClass::Other;
}

} // namespace hip::engine
