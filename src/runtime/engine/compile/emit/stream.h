// runtime/engine/compile/emit/stream.h - stores past the host's caches. What a grid writes that is more than the caches
// hold is out of them when somebody reads it, and a store through them reads each line first, a quarter of vector_add's
// traffic. So in such a grid (Wave::streams) whole lines that a wave writes once go straight to memory. The host orders
// these stores only by fences; one stands where a thread is done with the grid (wave/grid.cpp), and kernels that tell
// others before then what they have written store as usual.
#pragma once

#include "runtime/engine/compile/emit/address.h"
#include "runtime/engine/compile/emit/prefetch.h"

namespace hip::engine::compile {

class StreamEmitter : InstructionEmitter {
public:
  StreamEmitter(const EmitContext& context, AddressEmitter& addresses, Prefetcher& prefetcher);
  // Whether the store was made here.
  bool emit(const Instr& i, const AddressShape& shape, Version version, const State& before);

private:
  AddressEmitter& addresses_;
  Prefetcher& prefetcher_;
  std::vector<bool> streams_; // by instruction
};

} // namespace hip::engine::compile
