// runtime/engine/wave/turn.h - when a wave lets others run: when it has taken enough branches, or at once when it waits in a loop
// for memory that another wave will write. Both tiers count taken branches in Wave::budget and ask here when none is left. A wave
// waits when an iteration of its loop has left its registers and its private memory as the one before did (decode/waiting_loop.h).
// Thread safety: a wave belongs to the one thread that runs its work-group.
#pragma once

#include "runtime/engine/decode/waiting_loop.h"
#include "runtime/engine/wave/wave.h"

namespace hip::engine {

inline constexpr uint32_t kTimeSliceBranches = 1 << 16; // taken branches before a wave lets others run
// Taken branches before a turn is looked at for the first time. Each further look comes after twice as many.
inline constexpr uint32_t kFirstGrant = 32;
static_assert(kFirstGrant == BranchBudget::kLooks + 1);

// With what a turn begins. A wave that has waited is looked at when it first goes back to its loop's start.
inline BranchBudget budget_of_turn(const Wave& wave) noexcept {
  return wave.waits == Waits::No ? BranchBudget{int32_t(kFirstGrant), kFirstGrant} : BranchBudget{};
}

// Whether the wave lets others run, asked at a taken branch when Wave::budget is used up; if not, Wave::budget is new. `changing`:
// what the loop that the branch repeats can change, as the next iteration finds it; none where that loop does not
// wait.
bool turn_is_over(Wave& wave, const StateRange* changing, uint32_t count) noexcept;

} // namespace hip::engine
