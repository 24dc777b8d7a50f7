// runtime/engine/compile/emit/handler_calls.h - instructions that tier 0's handlers execute inside a region: what they
// read goes into the wave's block, what they write comes back from there. A handler goes on to the element behind its
// own, and that one returns to the region (tiering/translated.h). Most accesses to buffers are made by the library instead.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"
#include "runtime/engine/compile/emit/tile_prefetch.h"

namespace hip::engine::compile {

class HandlerCalls : InstructionEmitter {
public:
  HandlerCalls(const EmitContext& context, const TilePrefetcher& tiles) : InstructionEmitter(context), tiles_(tiles) {}

  void emit(const Instr& i, Version version, const State& before);
  // Offers the instruction's accesses to the tool of an instrumented launch; nothing in the wave but its block changes.
  void offer(const Instr& i, Version version, const State& before);
  // Translation::calls of the region, in the order in which its element's imm[2] points to their elements.
  std::vector<uint64_t> take_calls() { return std::move(calls_); }

private:
  void call(uint64_t offset);
  uint64_t number_of_buffer(const Instr& i);
  void access_buffer(const Instr& i, const Registers& in, const State& before);

  const TilePrefetcher& tiles_;
  std::vector<uint64_t> calls_;
  std::vector<uint32_t> buffers_; // the function's accesses to buffers, by Instr::number
};

} // namespace hip::engine::compile
