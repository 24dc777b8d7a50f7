// runtime/engine/wave/grid_shape.h - everything about a dispatch that its work-groups have in common, computed once: how
// many there are, what memory each needs, and the state in which each of its waves starts, read from the kernel descriptor
// (AMDGPUUsage, "Initial Kernel Execution State").
#pragma once

#include "runtime/engine/engine.h"
#include "runtime/engine/target/target.h"
#include "runtime/engine/wave/wave.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hip::engine {

class ProgramDirectory;
struct TieredFunction; // tiering/tier1.h

// The work-item ids with which the waves of a full work-group start. The kernel descriptor says which dimensions are
// set (ENABLE_VGPR_WORKITEM_ID); the bits of the others are zero, which compilers rely on.
struct ItemIds {
  std::array<uint32_t, 3> items{};
  uint32_t mask = 0;          // bits of v0 that hold ids: x | y << 10 | z << 20
  uint32_t vgprs = 1;         // more: x, y and z lie in v0, v1 and v2
  uint32_t lanes = kMaxLanes; // of a wave
  std::vector<uint32_t> rows; // of each wave, `vgprs` rows of 64 lanes
};
void set_item_ids(ItemIds& ids, std::array<uint32_t, 3> items, uint32_t mask, uint32_t vgprs, uint32_t lanes);

inline const std::atomic<bool> kNeverLate{false};

// A barrier of waves of the whole grid (global wave sync). Thread safety: any thread.
struct WaveSync {
  std::atomic<uint32_t> arrived{0};    // since it has opened last
  std::atomic<uint32_t> generation{0}; // how often it has opened
};
inline constexpr uint32_t kWaveSyncs = 64;

struct GridShape {
  Wave initial;                       // header that each wave starts with; ids, EXEC and pointers are filled in per wave
  std::array<uint32_t, 3> items{};    // of a full group
  std::array<uint32_t, 3> tail{};     // of the last group in each dimension (equal to items when it is full)
  std::array<uint32_t, 3> groups{};
  uint64_t group_count = 0;
  uint32_t waves_per_group = 0;
  uint32_t lds_bytes = 0;             // rounded to the target's granule
  uint64_t scratch_wave_bytes = 0;    // private segments of one wave
  uint64_t entry_pc = 0, kernel_object = 0;
  uint32_t item_id_mask = kAllItemIds; // bits of v0 that hold work-item ids
  uint32_t item_id_vgprs = 1;          // VGPRs that hold them (ItemIds::vgprs)
  int group_id_sgpr[3] = {-1, -1, -1}; // by dimension: the SGPR that holds the work-group's id; -1: none
  int group_id_yz_sgpr = -1;           // holds y in its low half and z in its high half; -1: none
  int group_info_sgpr = -1;
  int private_buffer_sgpr = -1;        // first of the pair with the base of a buffer over the wave's private segments
  uint32_t initial_sgprs = 0; // number of SGPRs, from s0 on, that have a value when a wave starts
  int kernarg_sgpr = -1;               // first of the pair with the kernarg segment's address; -1: none
  TieredFunction* tiered_full = nullptr;    // for waves that start with all lanes active; null: tier 0 only
  TieredFunction* tiered_partial = nullptr; // for the others
  bool whole_waves = false;            // all waves of a full group are full and start with the same SGPRs
  bool one_dimension = false;          // groups at the grid's edge have the same work-item ids as full ones
  const ItemIds* ids = nullptr;
  ProgramDirectory* directory = nullptr;
  const std::atomic<bool>* late = &kNeverLate; // set when the grid's time is over (Grid::time_out)
  WaveSync* sync = nullptr;                    // the grid's kWaveSyncs barriers
  uint32_t compute_units = 1;                  // Dispatch::compute_units
  std::span<const uint32_t> unit_mask;

  // The compute unit to which a work-group is dealt out.
  uint32_t compute_unit_of(const std::array<uint32_t, 3>& group_id) const noexcept {
    const uint64_t number = group_id[0] + uint64_t{groups[0]} * (group_id[1] + uint64_t{groups[1]} * group_id[2]);
    const auto has = [this](uint32_t unit) { return unit / 32 < unit_mask.size() && (unit_mask[unit / 32] >> unit % 32 & 1) != 0; };
    uint32_t count = 0;
    for (uint32_t unit = 0; unit < compute_units; ++unit) count += has(unit);
    if (count == 0) return uint32_t(number % compute_units); // all of them
    uint64_t before = number % count;
    uint32_t unit = 0;
    while (!has(unit) || before-- != 0) ++unit;
    return unit;
  }
};

// Fills everything but `ids`, `tiered_*`, `directory`, `late`, `sync` and `initial.program`/`pc`. Errors:
// InvalidConfiguration, LaunchOutOfResources.
Status make_grid_shape(const Dispatch& dispatch, const Target& target, uint32_t lanes, GridShape& out);

} // namespace hip::engine
