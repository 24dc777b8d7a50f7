// runtime/engine/wave/grid_shape.cpp - see grid_shape.h.
#include "runtime/engine/wave/grid_shape.h"

#include "runtime/codeobject/kernel_descriptor.h"

#include <algorithm>
#include <cstring>

namespace hip::engine {
namespace {

using codeobject::KernelDescriptor;

// A buffer resource over private segments, without its base: swizzled (bit 31 of its second dword), as many bytes as
// there may be, and the lane's number as index (bit 23 of its last). Nothing is outside for gfx10 (bits 29:28).
constexpr uint64_t kPrivateBufferLow = 1ull << 63;
constexpr uint64_t kPrivateBufferHigh = 0xffff'ffffu | (1ull << 23 | 2ull << 28) << 32;

// The user SGPRs in the order that kernel_code_properties fixes, then the preloaded kernel arguments.
Status set_user_sgprs(const KernelDescriptor& kd, const Dispatch& dispatch, GridShape& shape, uint32_t& next) {
  Wave& wave = shape.initial;
  next = 0;
  shape.kernarg_sgpr = shape.private_buffer_sgpr = -1;
  auto put = [&](uint64_t value) {
    wave.set_sgpr64(next, value);
    next += 2;
  };
  if (kd.enable_sgpr_private_segment_buffer()) { // its base is the wave's (WorkGroup::start)
    shape.private_buffer_sgpr = int(next);
    put(kPrivateBufferLow);
    put(kPrivateBufferHigh);
  }
  if (kd.enable_sgpr_dispatch_ptr()) put(dispatch.packet_address);
  if (kd.enable_sgpr_queue_ptr()) put(dispatch.queue_address);
  if (kd.enable_sgpr_kernarg_segment_ptr()) {
    shape.kernarg_sgpr = int(next);
    put(dispatch.kernarg_address);
  }
  if (kd.enable_sgpr_dispatch_id()) put(dispatch.dispatch_id);
  if (kd.enable_sgpr_flat_scratch_init()) put(0); // flat addresses of private segments need none here
  if (kd.enable_sgpr_private_segment_size()) wave.sgpr[next++] = dispatch.private_segment_bytes;
  uint32_t preload = kd.kernarg_preload_dwords();
  if (next + preload > 32)
    return error(ErrorCode::InvalidKernelFile, "The kernel descriptor asks for {} user SGPRs; there are at most 32.",
                 next + preload);
  if (preload && dispatch.kernarg_address == 0)
    return error(ErrorCode::IllegalAddress, "The kernel has arguments, and the packet gives no address of them.");
  if (preload) {
    auto first = dispatch.kernarg_address + uint64_t(kd.kernarg_preload_offset_dwords()) * 4;
    std::memcpy(&wave.sgpr[next], reinterpret_cast<const void*>(first), preload * 4);
    next += preload;
  }
  return {};
}

// Which SGPRs take the work-group's id: system SGPRs from `next` on, or trap temporaries.
void set_group_id_sgprs(const KernelDescriptor& kd, const Target& target, uint32_t& next, GridShape& out) {
  if (target.family->group_ids == codeobject::GroupIdLocation::Ttmps) {
    out.group_id_sgpr[0] = kTtmp0 + 9;
    out.group_id_sgpr[1] = out.group_id_sgpr[2] = -1;
    out.group_id_yz_sgpr = kTtmp0 + 7;
    return;
  }
  const bool wanted[3] = {kd.enable_sgpr_workgroup_id_x(), kd.enable_sgpr_workgroup_id_y(), kd.enable_sgpr_workgroup_id_z()};
  for (int d = 0; d < 3; ++d) out.group_id_sgpr[d] = wanted[d] ? int(next++) : -1;
  out.group_id_yz_sgpr = -1;
}

// Whether the engine can make the waves that the descriptor describes.
Status check_wave(const KernelDescriptor& kd, const Target& target, uint32_t lanes) {
  if (!target.family->has_waves_of(kd.wave_lanes()))
    return error(ErrorCode::InvalidKernelFile, "The kernel descriptor asks for waves of {} lanes, which {} does not have.",
                 kd.wave_lanes(), target.name());
  if (kd.wave_lanes() != lanes)
    return error(ErrorCode::InvalidKernelFile,
                 "The kernel descriptor asks for waves of {} lanes, and the kernel's code object was loaded for waves of {}.",
                 kd.wave_lanes(), lanes);
  if (kd.dynamic_vgprs(*target.family))
    return error(ErrorCode::NotSupported, "The kernel allocates VGPRs dynamically, which the software GPU does not execute.");
  return {};
}

// Of a work-item: what the field WAVESIZE of COMPUTE_TMPRING_SIZE can say of a wave (LLVM's GCNSubtarget::getMaxWaveScratchSize).
uint64_t most_private_bytes(const Target& target, uint32_t lanes) {
  const uint32_t major = target.processor->version().major;
  const uint64_t granules = major >= 12 ? (1 << 18) - 1 : major == 11 ? (1 << 15) - 1 : (1 << 13) - 1;
  return granules * (major >= 11 ? 256 : 1024) / lanes / 16 * 16;
}

constexpr uint32_t kMostGroupItems = 1024; // of a work-group, on every processor

// The size of the last-level cache that one core uses, as most hosts have it. (It is not asked for: virtual machines report the sum
// of all caches, 320 MiB where a core has 32.)
constexpr uint64_t kCacheBytes = 32ull << 20;

} // namespace

void set_item_ids(ItemIds& ids, std::array<uint32_t, 3> items, uint32_t mask, uint32_t vgprs, uint32_t lanes) {
  ids.items = items;
  ids.mask = mask;
  ids.vgprs = vgprs;
  ids.lanes = lanes;
  const uint64_t count = uint64_t(items[0]) * items[1] * items[2];
  ids.rows.resize((count + lanes - 1) / lanes * kMaxLanes * vgprs);
  uint64_t item = 0;
  for (uint32_t z = 0; z < items[2]; ++z)
    for (uint32_t y = 0; y < items[1]; ++y)
      for (uint32_t x = 0; x < items[0]; ++x, ++item) {
        const uint32_t id[3] = {vgprs == 1 ? (x | y << 10 | z << 20) & mask : x, y, z};
        uint32_t* const first = &ids.rows[item / lanes * vgprs * kMaxLanes + item % lanes];
        for (uint32_t v = 0; v < vgprs; ++v) first[v * kMaxLanes] = id[v];
      }
}

// Checks the packet as an agent has to, since a program may write packets itself. Launches through HIP have passed
// core/launch_shape.h before.
Status make_grid_shape(const Dispatch& dispatch, const Target& target, uint32_t lanes, GridShape& out) {
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
    if (__builtin_mul_overflow(out.group_count, uint64_t{out.groups[d]}, &out.group_count))
      return error(ErrorCode::InvalidConfiguration, "A grid of {} x {} x {} work-items has 2^64 work-groups or more.",
                   dispatch.grid_items[0], dispatch.grid_items[1], dispatch.grid_items[2]);
  }
  const uint32_t most = target.family->most_groups_in_y_and_z();
  if (out.groups[1] > most || out.groups[2] > most)
    return error(ErrorCode::InvalidConfiguration, "{} x {} work-groups in dimensions 1 and 2; {} has room for {} each.",
                 out.groups[1], out.groups[2], target.name(), most);
  if (group_items > kMostGroupItems)
    return error(ErrorCode::InvalidConfiguration, "A work-group of {} x {} x {} work-items is larger than {}.",
                 dispatch.group_items[0], dispatch.group_items[1], dispatch.group_items[2], kMostGroupItems);
  const uint32_t dimensions = std::min(kd.vgpr_workitem_id_dims(), 2u) + 1;
  constexpr uint32_t kIdMasks[] = {0x3ff, 0xfffff, kAllItemIds}; // by number of dimensions
  const bool packed = target.family->item_ids == codeobject::ItemIdLayout::Packed;
  out.item_id_vgprs = packed ? 1 : dimensions;
  out.item_id_mask = kIdMasks[packed ? dimensions - 1 : 0];
  out.one_dimension = out.items[1] == 1 && out.items[2] == 1;
  uint32_t lds = std::max(dispatch.group_segment_bytes, kd.group_segment_fixed_size);
  if (lds > target.lds_bytes())
    return error(ErrorCode::LaunchOutOfResources, "The work-group needs {} bytes of LDS; there are {}.", lds,
                 target.lds_bytes());
  RT_TRY(check_wave(kd, target, lanes));
  const uint64_t scratch = (uint64_t(std::max(dispatch.private_segment_bytes, kd.private_segment_fixed_size)) + 15) / 16 * 16;
  if (const uint64_t most = most_private_bytes(target, lanes); scratch > most)
    return error(ErrorCode::OutOfMemory, "A work-item needs {} bytes of private memory; {} are the most.", scratch, most);

  Wave& wave = out.initial;
  wave = Wave{};
  uint32_t next = 0;
  RT_TRY(set_user_sgprs(kd, dispatch, out, next));
  // System SGPRs follow the user SGPRs that the descriptor counts.
  next = std::max(next, kd.user_sgpr_count(*target.family));
  set_group_id_sgprs(kd, target, next, out);
  out.group_info_sgpr = kd.enable_sgpr_workgroup_info() ? int(next++) : -1;
  // Where the wave's private segments begin in the buffer over them: at once, for each wave has a buffer of its own.
  if (target.family->private_memory == codeobject::PrivateMemory::Buffer && kd.enable_private_segment()) wave.sgpr[next++] = 0;
  out.initial_sgprs = next;
  out.whole_waves = group_items % lanes == 0 && out.group_info_sgpr < 0 && out.private_buffer_sgpr < 0;

  wave.mode = kd.initial_mode(*target.family) | target.fixed_mode();
  const uint32_t vgprs = kd.vgprs(*target.family), accumulation = kd.accumulation_vgprs(*target.family);
  wave.vgpr_rows = accumulation ? kFirstAccVgpr + accumulation : vgprs;
  wave.vgpr_rows = std::min(wave.vgpr_rows, kMaxVgprs);
  wave.lanes = lanes;
  if (out.groups[0] > 1 && out.groups[0] <= kMostColumns && out.groups[0] < out.group_count) wave.columns = out.groups[0];
  wave.streams = out.group_count * group_items >= kCacheBytes / sizeof(uint32_t); // if each work-item writes a dword
  out.waves_per_group = uint32_t((group_items + lanes - 1) / lanes);
  const uint32_t lds_granule = target.processor->capacity.lds_granule_bytes;
  out.lds_bytes = (lds + lds_granule - 1) / lds_granule * lds_granule;
  wave.lds_bytes = out.lds_bytes;
  wave.scratch_bytes = scratch;
  out.scratch_wave_bytes = wave.scratch_bytes * kMaxLanes;
  out.compute_units = dispatch.compute_units;
  out.unit_mask = dispatch.unit_mask;
  out.kernel_object = dispatch.kernel_object;
  out.entry_pc = dispatch.kernel_object + uint64_t(kd.kernel_code_entry_byte_offset);
  return {};
}

} // namespace hip::engine
