// runtime/engine/decode/catch_up.h - where a wave lets the other waves of its work-group catch up before it goes on.
// Some kernels (rocPRIM's numbers of tiles) have every wave read one word of LDS behind a barrier, load from memory,
// and write other data over that word without another barrier. On a card all waves have read the word before the first
// one's loads return. Here a wave runs to the next barrier before the next wave runs at all, so that the others would
// read what the first one wrote: behind such a read it stops once, and the others read, too (Stop::CatchUp).
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
  const std::vector<uint32_t>& places() const noexcept { return places_; }

private:
  static constexpr uint32_t kNone = ~0u;
  struct Event {
    uint64_t address;
    bool stores; // to LDS; else it is a barrier
  };
  void found_store();
  bool stores_first(uint64_t address) const;

  uint32_t count_ = 0;
  std::vector<Event> events_;   // by ascending address
  bool behind_barrier_ = false; // no branch since the last barrier
  uint32_t last_read_ = kNone;  // the last read of one word by all lanes while that was so
  std::bitset<kMaxVgprs> same_; // the VGPRs that were last written with one number for all lanes
  std::vector<uint32_t> places_;
};

} // namespace hip::engine
