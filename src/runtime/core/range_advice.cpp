#include "runtime/core/range_advice.h"

#include <map>
#include <mutex>

namespace hip::core {
namespace {

constexpr size_t kPage = 4096;

// By allocation: where a state begins, up to where the next one begins. Offset 0 is always there.
using States = std::map<size_t, RangeState>;
struct Advice {
  Mutex mutex;
  std::map<uint64_t, States> allocations;

  static Advice& get() {
    static Advice* const advice = new Advice; // never destroyed
    return *advice;
  }
};

// Makes a state begin at `offset` and returns it.
States::iterator split(States& states, size_t offset) {
  const auto after = states.upper_bound(offset);
  const auto before = std::prev(after);
  return before->first == offset ? before : states.emplace_hint(after, offset, before->second);
}

size_t offset_of(const Allocation& allocation, const void* address) {
  return static_cast<size_t>(static_cast<const char*>(address) - static_cast<const char*>(allocation.base));
}

} // namespace

void advise_range(const Allocation& allocation, const void* address, size_t bytes, void (*change)(RangeState&, int),
                  int device) {
  const size_t offset = offset_of(allocation, address);
  const size_t begin = offset / kPage * kPage, end = (offset + bytes + kPage - 1) / kPage * kPage;
  std::lock_guard lock(Advice::get().mutex);
  States& states = Advice::get().allocations.try_emplace(allocation.id, States{{0, RangeState{}}}).first->second;
  const auto last = split(states, end);
  for (auto it = split(states, begin); it != last; ++it) change(it->second, device);
}

RangeState range_state(const Allocation& allocation, const void* address, size_t bytes, bool& mixed_grain) {
  mixed_grain = false;
  const size_t begin = offset_of(allocation, address);
  std::lock_guard lock(Advice::get().mutex);
  const auto found = Advice::get().allocations.find(allocation.id);
  if (found == Advice::get().allocations.end()) return {};
  auto it = std::prev(found->second.upper_bound(begin));
  RangeState all = it->second;
  for (++it; it != found->second.end() && it->first < begin + bytes; ++it) {
    const RangeState& state = it->second;
    all.read_mostly &= state.read_mostly;
    all.accessed_by &= state.accessed_by;
    all.accessed_by_cpu &= state.accessed_by_cpu;
    mixed_grain |= all.coarse_grain != state.coarse_grain;
    if (all.preferred != state.preferred) all.preferred = kNowhere;
    if (all.prefetched != state.prefetched) all.prefetched = kNowhere;
  }
  return all;
}

void forget_advice(const Allocation& allocation) {
  std::lock_guard lock(Advice::get().mutex);
  Advice::get().allocations.erase(allocation.id);
}

} // namespace hip::core
