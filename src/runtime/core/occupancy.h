// runtime/core/occupancy.h - how many work-groups of a kernel fit a compute unit, and which group size fills it best.
#pragma once

#include "runtime/core/module.h"

namespace hip::core {

// 0 when not even one fits.
uint32_t active_groups_per_cu(const Function& function, uint32_t group_items, uint32_t dynamic_lds_bytes);

struct BestGroup {
  uint32_t group_items = 0;
  uint32_t min_grid_groups = 0; // that fill the device
};
// The largest group size, of at most `limit_items` when that is not 0, with the most work-items per compute unit.
BestGroup best_group(const Function& function, uint32_t dynamic_lds_bytes, uint32_t limit_items);

// Dynamic LDS bytes that each of `groups` groups on one compute unit can have. 0 when they do not fit at all.
uint32_t available_dynamic_lds(const Function& function, uint32_t groups, uint32_t group_items);

} // namespace hip::core
