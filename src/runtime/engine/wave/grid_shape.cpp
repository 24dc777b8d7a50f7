// runtime/engine/wave/grid_shape.cpp - see grid_shape.h.
#include "runtime/engine/wave/grid_shape.h"

#include "runtime/codeobject/kernel_descriptor.h"

#include <algorithm>
#include <cstring>

namespace hip::engine {
namespace {

using codeobject::KernelDescriptor;

// The user SGPRs in the order that kernel_code_properties fixes, then the preloaded kernel arguments.
Status set_user_sgprs(const KernelDescriptor& kd, const Dispatch& dispatch, Wave& wave, uint32_t& next, int& kernarg_sgpr) {
  next = 0;
  auto put = [&](uint64_t value) {
    wave.set_sgpr64(next, value);
    next += 2;
  };
  if (kd.enable_sgpr_private_segment_buffer()) { // a raw buffer over the private segments, which flat scratch replaces
    put(0);
    put(0);
  }
  if (kd.enable_sgpr_dispatch_ptr()) put(dispatch.packet_address);
  if (kd.enable_sgpr_queue_ptr()) put(dispatch.queue_address);
  if (kd.enable_sgpr_kernarg_segment_ptr()) {
    kernarg_sgpr = int(next);
    put(dispatch.kernarg_address);
  }
  if (kd.enable_sgpr_dispatch_id()) put(dispatch.dispatch_id);
  if (kd.enable_sgpr_flat_scratch_init()) put(0); // architected flat scratch needs none
  if (kd.enable_sgpr_private_segment_size()) wave.sgpr[next++] = dispatch.private_segment_bytes;
  uint32_t preload = kd.kernarg_preload_dwords();
  if (next + preload > 32)
    return error(ErrorCode::InvalidKernelFile, "The kernel descriptor asks for {} user SGPRs; there are at most 32.",
                 next + preload);
  if (preload) {
    auto first = dispatch.kernarg_address + uint64_t(kd.kernarg_preload_offset_dwords()) * 4;
    std::memcpy(&wave.sgpr[next], reinterpret_cast<const void*>(first), preload * 4);
    next += preload;
  }
  return {};
}

// The size of the last-level cache that one core uses, as most hosts have it. (It is not asked for: virtual machines report the sum
// of all caches, 320 MiB where a core has 32.)
constexpr uint64_t kCacheBytes = 32ull << 20;

} // namespace

void set_item_ids(ItemIds& ids, std::array<uint32_t, 3> items, uint32_t mask) {
  ids.items = items;
  ids.mask = mask;
  uint64_t count = uint64_t(items[0]) * items[1] * items[2];
  ids.packed.resize((count + kMaxLanes - 1) / kMaxLanes * kMaxLanes);
  uint32_t* out = ids.packed.data();
  for (uint32_t z = 0; z < items[2]; ++z)
    for (uint32_t y = 0; y < items[1]; ++y)
      for (uint32_t x = 0; x < items[0]; ++x) *out++ = (x | y << 10 | z << 20) & mask;
}

// Checks the packet as an agent has to, since a program may write packets itself. Launches through HIP have passed
// core/launch_shape.h before.
Status make_grid_shape(const Dispatch& dispatch, const TargetLimits& limits, GridShape& out) {
  const auto& kd = *reinterpret_cast<const KernelDescriptor*>(dispatch.kernel_object);
  uint64_t group_items = 1;
  out.group_count = 1;
  for (int d = 0; d < 3; ++d) {
    uint32_t grid = dispatch.grid_items[d], group = dispatch.group_items[d];
    if (grid == 0 || group == 0)
      return error(ErrorCode::InvalidConfiguration, "The grid has {} work-items and the work-group {} in dimension {}.", grid,
                   group, d);
    group_items *= group;
    out.items[d] = std::min(group, grid);
    out.groups[d] = uint32_t((uint64_t(grid) + group - 1) / group);
    out.tail[d] = grid - (out.groups[d] - 1) * group;
    out.items[d] = group;
    out.group_count *= out.groups[d];
  }
  if (group_items > limits.group_items)
    return error(ErrorCode::InvalidConfiguration, "A work-group of {} x {} x {} work-items is larger than {}.",
                 dispatch.group_items[0], dispatch.group_items[1], dispatch.group_items[2], limits.group_items);
  constexpr uint32_t kIdMasks[] = {0x3ff, 0xfffff, kAllItemIds, kAllItemIds}; // by the descriptor's number of dimensions
  out.item_id_mask = kIdMasks[kd.vgpr_workitem_id_dims()];
  out.one_dimension = out.items[1] == 1 && out.items[2] == 1;
  uint32_t lds = std::max(dispatch.group_segment_bytes, kd.group_segment_fixed_size);
  if (lds > limits.lds_bytes)
    return error(ErrorCode::LaunchOutOfResources, "The work-group needs {} bytes of LDS; there are {}.", lds,
                 limits.lds_bytes);
  if (kd.enable_wavefront_size32())
    return error(ErrorCode::InvalidKernelFile, "The kernel descriptor asks for waves of 32 lanes, which the target has not.");
  uint32_t scratch = std::max(dispatch.private_segment_bytes, kd.private_segment_fixed_size);
  if (!limits.architected_scratch && (scratch > 0 || kd.uses_dynamic_stack()))
    return error(ErrorCode::NotSupported,
                 "The kernel needs {} bytes of private memory per work-item; the software GPU executes private memory only for "
                 "targets with architected flat scratch (gfx942, gfx950).", scratch);

  Wave& wave = out.initial;
  wave = Wave{};
  uint32_t next = 0;
  out.kernarg_sgpr = -1;
  RT_TRY(set_user_sgprs(kd, dispatch, wave, next, out.kernarg_sgpr));
  // System SGPRs follow the user SGPRs that the descriptor counts.
  next = std::max(next, kd.user_sgpr_count());
  const bool wanted[3] = {kd.enable_sgpr_workgroup_id_x(), kd.enable_sgpr_workgroup_id_y(), kd.enable_sgpr_workgroup_id_z()};
  for (int d = 0; d < 3; ++d) out.group_id_sgpr[d] = wanted[d] ? int(next++) : -1;
  out.group_info_sgpr = kd.enable_sgpr_workgroup_info() ? int(next++) : -1;
  out.initial_sgprs = next;
  out.whole_waves = group_items % kMaxLanes == 0 && out.group_info_sgpr < 0;

  wave.mode = kd.float_mode() | (kd.dx10_clamp() ? kModeDx10Clamp : 0) | (kd.ieee_mode() ? kModeIeee : 0) |
              (kd.fp16_ovfl() ? 1u << 23 : 0);
  uint32_t vgprs = kd.unified_vgprs(), accumulation = 0;
  if (kd.accum_offset_vgprs() < vgprs) accumulation = vgprs - kd.accum_offset_vgprs();
  wave.vgpr_rows = accumulation ? kFirstAccVgpr + accumulation : vgprs;
  wave.vgpr_rows = std::min(wave.vgpr_rows, kMaxVgprs);
  wave.lanes = kMaxLanes;
  wave.streams = out.group_count * group_items >= kCacheBytes / sizeof(uint32_t); // if each work-item writes a dword
  out.waves_per_group = uint32_t((group_items + kMaxLanes - 1) / kMaxLanes);
  out.lds_bytes = (lds + limits.lds_granule_bytes - 1) / limits.lds_granule_bytes * limits.lds_granule_bytes;
  wave.lds_bytes = out.lds_bytes;
  wave.scratch_bytes = (scratch + 15) / 16 * 16;
  out.scratch_wave_bytes = wave.scratch_bytes * kMaxLanes;
  out.entry_pc = dispatch.kernel_object + uint64_t(kd.kernel_code_entry_byte_offset);
  return {};
}

} // namespace hip::engine
