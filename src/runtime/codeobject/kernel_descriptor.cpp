#include "runtime/codeobject/kernel_descriptor.h"

#include <algorithm>

namespace hip::codeobject {

uint32_t KernelDescriptor::initial_mode(const FamilyFacts& family) const noexcept {
  uint32_t mode = float_mode() | uint32_t(fp16_ovfl()) << 23;
  // Bits 21 and 23 of compute_pgm_rsrc1 mean something else from gfx12 on, whose MODE has neither field.
  if (family.descriptor < DescriptorLayout::Gfx12)
    mode |= bits(compute_pgm_rsrc1, 21, 1) << 8 | bits(compute_pgm_rsrc1, 23, 1) << 9;
  return mode;
}

uint32_t KernelDescriptor::user_sgpr_count(const FamilyFacts& family) const noexcept {
  return bits(compute_pgm_rsrc2, 1, family.descriptor == DescriptorLayout::Gfx125 ? 6 : 5);
}

bool KernelDescriptor::dynamic_vgprs(const FamilyFacts& family) const noexcept {
  if (family.descriptor == DescriptorLayout::Gfx12) return bits(compute_pgm_rsrc2, 6, 1) != 0;
  return family.descriptor == DescriptorLayout::Gfx125 && bits(compute_pgm_rsrc3, 17, 1) != 0;
}

uint32_t KernelDescriptor::vgprs(const FamilyFacts& family) const noexcept {
  const uint32_t granule = family.vgpr_granule * family.wave_lanes / wave_lanes();
  const uint32_t count = (granulated_vgpr_count() + 1) * granule;
  // A separate file of accumulation VGPRs is as large as the other one.
  return family.accumulation_vgprs == AccumulationVgprs::Separate ? count * 2 : count;
}

uint32_t KernelDescriptor::accumulation_vgprs(const FamilyFacts& family) const noexcept {
  if (family.accumulation_vgprs == AccumulationVgprs::None) return 0;
  const uint32_t count = vgprs(family);
  if (family.accumulation_vgprs == AccumulationVgprs::Separate) return count / 2;
  const uint32_t offset = (bits(compute_pgm_rsrc3, 0, 6) + 1) * 4;
  return count - std::min(offset, count);
}

uint32_t KernelDescriptor::shared_vgprs(const FamilyFacts& family) const noexcept {
  const bool has_field = family.descriptor == DescriptorLayout::Gfx10 || family.descriptor == DescriptorLayout::Gfx11;
  return has_field && wave_lanes() == 64 ? bits(compute_pgm_rsrc3, 0, 4) * 8 : 0;
}

uint32_t KernelDescriptor::property_user_sgprs() const noexcept {
  return (enable_sgpr_private_segment_buffer() ? 4u : 0u) + (enable_sgpr_dispatch_ptr() ? 2u : 0u) +
         (enable_sgpr_queue_ptr() ? 2u : 0u) + (enable_sgpr_kernarg_segment_ptr() ? 2u : 0u) +
         (enable_sgpr_dispatch_id() ? 2u : 0u) + (enable_sgpr_flat_scratch_init() ? 2u : 0u) +
         (enable_sgpr_private_segment_size() ? 1u : 0u);
}

} // namespace hip::codeobject
