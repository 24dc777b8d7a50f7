// runtime/engine/compile/emit/tile_prefetch.h - the next lines of a matrix's tiles. Tiles are loaded row by row, 64
// bytes of each, and the next time round it is the rows' next lines. To fetch those while these are loaded makes the
// loads wait, for a core has room for some 24 lines on their way; while products are computed nobody else needs it. So
// loads in a loop with matrix instructions leave in the wave's block where the next lines lie, and products that follow
// fetch them. Loads from buffers leave what they will read when the buffer has moved on, as many lines as there are.
#pragma once

#include "runtime/engine/compile/emit/instruction_emitter.h"

#include <map>
#include <set>

namespace hip::engine::compile {

class TilePrefetcher : InstructionEmitter {
public:
  explicit TilePrefetcher(const EmitContext& context);
  void begin_point(const FlowPoint& point);
  // Strip q of load i reads at base + low + high * 2^32. Notes, for each four lanes, the line behind that of the first.
  // Whether it did.
  bool note_lines(const Instr& i, uint32_t q, Version version, Value* base, Value* low, Value* high);
  // Whether load i, from a buffer, is to leave lines.
  bool notes_lines(const Instr& i) const { return buffer_loads_.contains(&i); }
  // Fetches some of the lines that loads have noted: one part for each of the point's sums.
  void fetch_part();
  // The point comes to a matrix instruction that has been computed in front of a barrier: a part for the first one of its sums.
  void pass_over(const Instr& i);

private:
  std::map<const Instr*, uint32_t> lines_of_; // loads that leave lines: number of the first
  uint32_t lines_ = 0;                        // of all
  void find_buffer_loads();
  void fetch_of_buffers();
  std::set<const Instr*> buffer_loads_;
  uint32_t part_of_buffers_ = 0; // how many lines of theirs are fetched at a time
  // In the point that is emitted: to how many sums matrix instructions add, and how many parts have been fetched.
  uint32_t sums_ = 0, fetched_parts_ = 0;
  std::bitset<kMaxVgprs> passed_; // sums, by first register
};

} // namespace hip::engine::compile
