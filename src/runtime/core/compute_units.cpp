#include "runtime/core/compute_units.h"

#include "runtime/core/runtime.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace hip::core {
namespace {

constexpr uint32_t kMark = 0x554e4954; // of a resource that was made here

// ComputeUnits::which of devices with masks: the division that a part came of, 0 for a whole device, and a bit for each
// unit.
uint32_t& division(ComputeUnits& units) noexcept { return units.which[0]; }
uint32_t division(const ComputeUnits& units) noexcept { return units.which[0]; }
std::span<uint32_t> words(ComputeUnits& units) noexcept { return std::span(units.which).subspan(1); }
std::span<const uint32_t> words(const ComputeUnits& units) noexcept { return std::span(units.which).subspan(1); }

constexpr uint32_t kMostUnits = 22 * 32;

uint32_t next_division() noexcept {
  static constinit std::atomic<uint32_t> last{0};
  uint32_t next = 0;
  while (next == 0) next = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return next;
}

uint32_t count_of(std::span<const uint32_t> mask) noexcept {
  uint32_t count = 0;
  for (const uint32_t word : mask) count += static_cast<uint32_t>(std::popcount(word));
  return count;
}

bool has(std::span<const uint32_t> mask, uint32_t unit) noexcept {
  return unit / 32 < mask.size() && (mask[unit / 32] >> unit % 32 & 1) != 0;
}

void mark(ComputeUnits& units, const Device& device) noexcept {
  units.mark = kMark;
  units.device = device.ordinal();
}

// As a driver has it.
ComputeUnits unmarked(const ComputeUnits& units) noexcept {
  ComputeUnits plain = units;
  plain.mark = 0;
  plain.device = 0;
  return plain;
}

// The device of a resource, which is as it was made.
Result<Device*> device_of(const ComputeUnits& units) {
  if (units.mark != kMark)
    return error(ErrorCode::InvalidDevice, "The resource was not made by hipDeviceGetDevResource, or by dividing one.");
  RT_TRY_ASSIGN(Device* const device, find_device(units.device));
  if (device->hal().unit_partitions()) return device; // the driver checks it
  const std::span<const uint32_t> mask = words(units);
  for (uint32_t unit = std::min(device->properties().compute_units, kMostUnits); unit < kMostUnits; ++unit)
    if (has(mask, unit))
      return error(ErrorCode::InvalidResourceConfiguration, "Device {} has no compute unit {}.", device->ordinal(),
                   unit);
  if (units.count != count_of(mask) || units.alignment == 0)
    return error(ErrorCode::InvalidResourceConfiguration, "The resource says {} compute units and has {}.", units.count,
                 count_of(mask));
  return device;
}

// Takes groups of units out of a resource, the first ones first.
class Divider {
public:
  explicit Divider(const ComputeUnits& input) noexcept : input_(input), division_(next_division()) {}

  ComputeUnits take(uint32_t count, uint32_t alignment, uint32_t flags) noexcept {
    ComputeUnits group = input_;
    division(group) = division_;
    std::ranges::fill(words(group), 0u);
    for (uint32_t taken = 0; taken < count && next_ < kMostUnits; ++next_) {
      if (!has(words(input_), next_)) continue;
      words(group)[next_ / 32] |= 1u << next_ % 32;
      ++taken;
    }
    group.count = count;
    group.least = group.alignment = alignment;
    group.flags = flags;
    group.next = nullptr;
    return group;
  }

private:
  const ComputeUnits input_; // a copy: a result may take its place
  const uint32_t division_;
  uint32_t next_ = 0;
};

ComputeUnits rest_of(Divider& divider, uint32_t count, uint32_t alignment) noexcept {
  if (count != 0) return divider.take(count, alignment, 0);
  ComputeUnits none;
  none.type = 0;
  return none;
}

} // namespace

ComputeUnits units_of_mask(Device& device, std::span<const uint32_t> mask) {
  ComputeUnits units;
  const uint32_t count = std::min(device.properties().compute_units, kMostUnits);
  for (uint32_t unit = 0; unit < count; ++unit)
    if (mask.empty() || has(mask, unit)) words(units)[unit / 32] |= 1u << unit % 32;
  units.count = count_of(words(units));
  units.least = units.alignment = device.properties().compute_unit_alignment;
  mark(units, device);
  return units;
}

Result<ComputeUnits> all_compute_units(Device& device) {
  backend::UnitPartitions* const partitions = device.hal().unit_partitions();
  if (!partitions) return units_of_mask(device, {});
  RT_TRY_ASSIGN(ComputeUnits units, partitions->all());
  mark(units, device);
  return units;
}

Status split_evenly(ComputeUnits* result, unsigned& groups, const ComputeUnits& input, ComputeUnits* rest,
                    unsigned flags, unsigned least) {
  RT_TRY_ASSIGN(Device* const device, device_of(input));
  if (backend::UnitPartitions* const partitions = device->hal().unit_partitions()) {
    RT_TRY(partitions->split_evenly(result, groups, unmarked(input), rest, flags, least));
    for (unsigned i = 0; result && i < groups; ++i) mark(result[i], *device);
    if (rest && rest->type == ComputeUnits::kType) mark(*rest, *device);
    return {};
  }
  if ((flags & kIgnoreCoscheduling) != 0)
    return error(ErrorCode::NotSupported, "Groups keep to the alignment of {} compute units.", input.alignment);
  const uint32_t step = input.alignment;
  const uint64_t size = std::max<uint64_t>((uint64_t{least} + step - 1) / step * step, step);
  const uint32_t possible = static_cast<uint32_t>(input.count / size);
  if (!result) {
    groups = possible;
    return {};
  }
  groups = std::min(groups, possible);
  Divider divider(input);
  for (unsigned i = 0; i < groups; ++i) result[i] = divider.take(static_cast<uint32_t>(size), step, 0);
  if (rest) *rest = rest_of(divider, static_cast<uint32_t>(input.count - groups * size), step);
  return {};
}

Status split(ComputeUnits* result, std::span<UnitGroup> groups, const ComputeUnits& input, ComputeUnits* rest) {
  RT_TRY_ASSIGN(Device* const device, device_of(input));
  if (backend::UnitPartitions* const partitions = device->hal().unit_partitions()) {
    RT_TRY(partitions->split(result, groups, unmarked(input), rest));
    for (size_t i = 0; result && i < groups.size(); ++i) mark(result[i], *device);
    if (rest && rest->type == ComputeUnits::kType) mark(*rest, *device);
    return {};
  }
  std::vector<UnitGroup> chosen(groups.begin(), groups.end());
  uint32_t left = input.count;
  for (UnitGroup& group : chosen) {
    if (group.coscheduled == 0) group.coscheduled = input.alignment;
    if (group.preferred == 0) group.preferred = group.coscheduled;
    const bool backfill = (group.flags & UnitGroup::kBackfill) != 0;
    if (group.count == 0) group.count = backfill ? left : left / group.coscheduled * group.coscheduled;
    // Without results this only asks, and a group may be what no result could be: too small for its clusters, or
    // uneven.
    const bool fits = group.count <= left && (!result || (group.count != 0 && group.count >= group.coscheduled));
    const bool even = backfill || group.count % group.coscheduled == 0;
    if (!fits || (result && (!even || group.count % input.alignment != 0)))
      return error(ErrorCode::InvalidResourceConfiguration,
                   "A group of {} compute units, {} of them scheduled together, cannot be had of {}.", group.count,
                   group.coscheduled, left);
    left -= group.count;
  }
  Divider divider(input);
  const uint32_t alignment = input.alignment;
  for (size_t i = 0; result && i < chosen.size(); ++i)
    result[i] = divider.take(chosen[i].count, chosen[i].coscheduled, chosen[i].flags);
  if (rest) {
    if (!result) divider.take(input.count - left, alignment, 0);
    *rest = rest_of(divider, left, alignment);
  }
  std::ranges::copy(chosen, groups.begin());
  return {};
}

Result<Device*> check_together(std::span<const ComputeUnits> parts) {
  RT_TRY_ASSIGN(Device* const device, device_of(parts.front()));
  for (const ComputeUnits& part : parts) {
    RT_TRY(device_of(part).status());
    if (part.device != parts.front().device || part.count == 0 || part.alignment != parts.front().alignment)
      return error(ErrorCode::InvalidResourceConfiguration,
                   "The resources are of devices {} and {}, aligned to {} and {} compute units.", parts.front().device,
                   part.device, parts.front().alignment, part.alignment);
    if (!device->hal().unit_partitions() && division(part) != division(parts.front()))
      return error(ErrorCode::InvalidResourceConfiguration, "The resources come of different divisions.");
  }
  return device;
}

Result<UnitSet> take_together(Device& device, std::span<const ComputeUnits> parts) {
  UnitSet set;
  set.units = parts.front();
  set.units.next = nullptr;
  if (backend::UnitPartitions* const partitions = device.hal().unit_partitions()) {
    std::vector<ComputeUnits> plain;
    for (const ComputeUnits& part : parts) plain.push_back(unmarked(part));
    for (const ComputeUnits& part : parts.subspan(1)) set.units.count += part.count;
    RT_TRY_ASSIGN(set.partition, partitions->create(plain));
    return set;
  }
  for (const ComputeUnits& part : parts)
    for (size_t i = 0; i < words(part).size(); ++i) words(set.units)[i] |= words(part)[i];
  set.units.count = count_of(words(set.units));
  if (set.units.count == std::min(device.properties().compute_units, kMostUnits)) return set;
  if (!device.properties().compute_unit_masks)
    return error(ErrorCode::NotSupported, "Device {} cannot keep a stream to a part of its compute units.",
                 device.ordinal());
  set.mask.assign(words(set.units).begin(), words(set.units).end());
  set.mask.resize((device.properties().compute_units + 31) / 32);
  return set;
}

} // namespace hip::core
