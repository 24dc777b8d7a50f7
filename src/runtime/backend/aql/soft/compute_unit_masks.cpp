#include "runtime/backend/aql/soft/compute_unit_masks.h"

#include <algorithm>

namespace hip::aql::soft {

ComputeUnitMasks::ComputeUnitMasks(unsigned units, std::span<const uint32_t> mask)
    : units_(units), masks_{Mask(mask.begin(), mask.end())} {
  most_threads_ = threads_on(masks_.front());
}

unsigned ComputeUnitMasks::threads_on(const Mask& mask) const noexcept {
  unsigned in_mask = 0;
  for (unsigned unit = 0; unit < units_ && unit / 32 < mask.size(); ++unit) in_mask += mask[unit / 32] >> unit % 32 & 1;
  return mask.empty() || in_mask == units_ ? Job::kAnyNumber : std::max(in_mask, 1u);
}

void ComputeUnitMasks::set_next(std::span<const uint32_t> mask) {
  std::list<Mask> next{Mask(mask.begin(), mask.end())};
  std::lock_guard guard(next_mutex_);
  next_.swap(next);
  has_next_.store(true, std::memory_order_release);
}

void ComputeUnitMasks::take_next(Kernels kernels) noexcept {
  std::lock_guard guard(next_mutex_);
  if (kernels == Kernels::NoneUnderWay) masks_.clear();
  masks_.splice(masks_.begin(), next_);
  most_threads_ = threads_on(masks_.front());
  has_next_.store(false, std::memory_order_relaxed);
}

} // namespace hip::aql::soft
