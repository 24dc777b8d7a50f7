// runtime/engine/wave/turn.cpp - see turn.h.
#include "runtime/engine/wave/turn.h"

#include "runtime/engine/wave/group.h"

#include <algorithm>
#include <cstring>

namespace hip::engine {
namespace {

// Of private memory that much is looked at, from a stack's begin on; comparing all of it could take as long as a turn.
constexpr uint64_t kMostPrivateBytes = 64 << 10;

// How much a look sums up. A wave that works mostly shows it in its scalars and its first lanes, and everything it has takes some
// hundred times as long to read; so everything is looked at only when the sample has not changed.
enum class Extent { Sample, All };
// Of Wave::loop_state: whether it is a sum of everything.
constexpr uint64_t kOfAll = 1;
constexpr size_t kSampledRowBytes = 64; // a row's first strip

// Four sums side by side, so that a row takes a few nanoseconds. That two states of a loop have the same sums by accident, or differ
// in what is not looked at, costs the wave its turn, nothing else.
class Sum {
public:
  void add(const char* at, size_t bytes) noexcept {
    size_t k = 0;
    for (; k + sizeof(sums_) <= bytes; k += sizeof(sums_))
      for (size_t s = 0; s < 4; ++s) step(s, load<uint64_t>(at + k + s * sizeof(uint64_t)));
    for (; k < bytes; k += sizeof(uint32_t)) step(k / 4 % 4, load<uint32_t>(at + k));
    for (uint64_t& sum : sums_) sum ^= sum >> 32;
  }
  uint64_t result() const noexcept { return (sums_[0] * 3 + sums_[1]) * 5 + sums_[2] * 7 + sums_[3]; }

private:
  template <class T> static T load(const char* at) noexcept {
    T number;
    std::memcpy(&number, at, sizeof(number));
    return number;
  }
  void step(size_t s, uint64_t number) noexcept { sums_[s] = (sums_[s] ^ number) * 0x9e3779b97f4a7c15; }
  uint64_t sums_[4] = {1, 2, 3, 4};
};

uint64_t sum_of(const Wave& wave, const StateRange* ranges, uint32_t count, Extent extent) noexcept {
  Sum sum;
  const char* block = reinterpret_cast<const char*>(&wave);
  const size_t in_use = Wave::bytes_for(std::max(wave.vgpr_rows, 1u)); // calls may write any register, but there are no others
  for (const StateRange* range = ranges; range != ranges + count; ++range) {
    if (range->offset == StateRange::kPrivateMemory) {
      if (extent == Extent::All)
        sum.add(reinterpret_cast<const char*>(wave.scratch_base), std::min(wave.scratch_bytes * kMaxLanes, kMostPrivateBytes));
      continue;
    }
    const size_t end = std::min<size_t>(range->offset + range->bytes, in_use);
    if (range->offset >= end) continue;
    if (extent == Extent::All || range->offset < Wave::vgpr_offset(0))
      sum.add(block + range->offset, end - range->offset);
    else
      for (size_t row = range->offset; row < end; row += kRowBytes) sum.add(block + row, kSampledRowBytes);
  }
  return (sum.result() & ~kOfAll) | (extent == Extent::All ? kOfAll : 0);
}

} // namespace

bool turn_is_over(Wave& wave, const StateRange* changing, uint32_t count) noexcept {
  if (wave.group && wave.group->is_late()) [[unlikely]]
    return true; // Grid::time_out()
  BranchBudget& budget = wave.budget;
  const uint32_t base = budget.granted & ~BranchBudget::kLooks;
  bool decided = false; // this look has found that the wave does not wait
  if (count) {
    const bool compares_all = wave.loop_state & kOfAll;
    uint64_t sum = sum_of(wave, changing, count, compares_all ? Extent::All : Extent::Sample);
    const bool unchanged = sum == wave.loop_state;
    if (unchanged && compares_all) {
      const bool since_the_start = base == 0 && !(budget.granted & BranchBudget::kStateKnown);
      wave.waits = since_the_start ? Waits::Still : Waits::Since;
      return true;
    }
    if (unchanged)
      sum = sum_of(wave, changing, count, Extent::All); // which the next iteration is compared with
    else if (compares_all)
      sum = sum_of(wave, changing, count, Extent::Sample);
    wave.loop_state = sum;
    decided = !unchanged && (budget.granted & BranchBudget::kStateKnown);
    budget.granted |= BranchBudget::kStateKnown;
  }
  // A look is at several branches, for a loop may have more of them than the one that repeats it, and two iterations are compared.
  if (!decided && (budget.granted & BranchBudget::kCount) != BranchBudget::kCount) {
    ++budget.granted;
    budget.left = 0;
    return false;
  }
  if (base >= kTimeSliceBranches / 2) return true;
  budget.granted = std::max(kFirstGrant, base * 2);
  budget.left = int32_t(budget.granted);
  return false;
}

} // namespace hip::engine
