#include "runtime/core/occupancy.h"

#include <algorithm>

namespace hip::core {

uint32_t active_groups_per_cu(const Function& function, uint32_t group_items, uint32_t dynamic_lds_bytes) {
  const backend::DeviceProperties& p = function.device().properties();
  if (group_items == 0 || group_items > std::min(p.max_group_items, function.kernel().attributes.max_group_items)) return 0;
  return function.device().hal().max_groups_per_cu(function.kernel(), group_items, dynamic_lds_bytes);
}

BestGroup best_group(const Function& function, uint32_t dynamic_lds_bytes, uint32_t limit_items) {
  const backend::DeviceProperties& p = function.device().properties();
  uint32_t largest = std::min(p.max_group_items, function.kernel().attributes.max_group_items);
  if (limit_items != 0) largest = std::min(largest, limit_items);
  BestGroup best;
  uint64_t best_items = 0;
  // From the largest down in whole waves, so that the larger of two equals wins; none beats one that fills the compute
  // unit.
  const uint64_t full_items =
      uint64_t{p.max_waves_per_cu} * std::max(p.wave_lanes, function.kernel().attributes.wave_lanes);
  for (uint32_t items = largest; items > 0; items = items > p.wave_lanes ? (items - 1) / p.wave_lanes * p.wave_lanes : 0) {
    const uint32_t groups = active_groups_per_cu(function, items, dynamic_lds_bytes);
    if (uint64_t{groups} * items <= best_items) continue;
    best_items = uint64_t{groups} * items;
    best = {items, groups * p.compute_units};
    if (best_items == full_items) break;
  }
  return best;
}

uint32_t available_dynamic_lds(const Function& function, uint32_t groups, uint32_t group_items) {
  const backend::DeviceProperties& p = function.device().properties();
  if (groups == 0 || active_groups_per_cu(function, group_items, 0) < groups) return 0;
  const uint32_t each = p.lds_bytes_per_cu / groups, reserved = p.lds_reserved_bytes_per_group;
  const uint32_t share = std::min(each > reserved ? each - reserved : 0, p.most_lds_bytes_per_group());
  const uint32_t used = function.kernel().attributes.static_lds_bytes;
  return share > used ? share - used : 0;
}

} // namespace hip::core
