// runtime/engine/decode/catch_up.h - where a wave lets the other waves of its work-group catch up before it goes on.
// Some kernels (rocPRIM's numbers of tiles) have every wave read one word of LDS behind a barrier, load from memory,
// and write other data over that word without another barrier. On a card all waves have read the word before the first
// one's loads return. Here a wave runs to the next barrier before the next wave runs at all, so that the others would
// read what the first one wrote: behind such a read it stops once, and the others read, too (Stop::CatchUp). Where
// branches lie between (rocSOLVER's Cholesky and Jacobi: all lanes read a pivot or sum up words of LDS, and the next
// round writes over them), the stop is in front of the store. It is none that a wave may come to again without a
// barrier between: a loop that reads a table in LDS and stores elsewhere would stop in each round.
// A stop changes the order of waves, which the program may not rely on, and nothing else: where the search finds a
// place that needs none, only time is lost. Both tiers search. Thread safety: pure functions.
#pragma once

#include "runtime/engine/decode/resolve.h"

#include <bitset>
#include <cstdint>
#include <vector>

namespace hip::engine {

// Looks at the operations of a function in the order of their addresses.
class CatchUpSearch {
public:
  void add(const ResolvedInst& inst);
  // The operations behind which a wave stops, numbered from 0 as they were added, ascending.
  std::vector<uint32_t> places() const;

private:
  static constexpr uint32_t kNone = ~0u;
  enum class What : uint8_t { Barrier, Read, Store, Branch, ConditionalBranch, End };
  struct Event {
    uint64_t address;
    uint64_t target; // of a branch
    uint32_t operation;
    What what;     // Read: of one word by all lanes; Store: to LDS
    bool may_stop; // Store: a wave can stop behind the operation before it
  };
  // What has happened in a wave since its last barrier. Start: there was none, or the wave has stopped since.
  enum class Since : uint8_t { Start, Barrier, Read };

  void note(const ResolvedInst& inst, uint32_t number, What what);
  void found_store();
  bool stores_first(uint64_t address) const;
  uint32_t event_at(uint64_t address) const;
  // The events that may follow event `at`; kNone where there is none.
  struct Next {
    uint32_t behind, taken;
  };
  Next next_of(uint32_t at) const;
  bool comes_again(uint32_t store) const;
  std::vector<uint32_t> stores_behind_reads() const;

  uint32_t count_ = 0;
  std::vector<Event> events_;   // by ascending address
  bool behind_barrier_ = false; // no branch since the last barrier
  bool is_indexing_ = false;    // up to s_set_gpr_idx_off, which tier 0 executes as one
  bool may_stop_ = false;       // behind the last operation
  uint32_t last_read_ = kNone;  // the last read of one word by all lanes while behind_barrier_ was true
  std::bitset<kMaxVgprs> same_; // the VGPRs that were last written with one number for all lanes
  std::vector<uint32_t> places_; // behind reads
};

} // namespace hip::engine
