#include "runtime/backend/aql/processor_properties.h"

namespace hip::aql {

namespace {

// SIMDs of a multiprocessor in HIP's sense: a compute unit has four, a work-group processor two in each of its two
// units.
constexpr uint32_t kSimds = 4;

} // namespace

void describe_processor(const codeobject::Processor& processor, backend::DeviceProperties& p) noexcept {
  const codeobject::FamilyFacts& family = processor.facts();
  const codeobject::Capacity& capacity = processor.capacity;
  const codeobject::Product& product = processor.product;
  const codeobject::GfxVersion version = processor.version();
  p.major = int(version.major);
  p.minor = int(version.minor);
  p.wave_lanes = family.wave_lanes;
  p.simds_per_cu = kSimds;
  p.max_waves_per_cu = family.waves_per_simd * kSimds;
  p.lds_bytes_per_group = capacity.lds_kib * 1024;
  const bool two_units = family.group_domain == codeobject::GroupDomain::WorkGroupProcessor;
  p.lds_bytes_per_cu = p.lds_bytes_per_group * (two_units ? 2 : 1);
  p.lds_granule_bytes = capacity.lds_granule_bytes;
  p.vgprs_per_simd = capacity.vgprs_per_lane;
  p.vgpr_granule = capacity.vgpr_granule;
  p.vgprs_per_item = family.vgprs_per_item;
  p.sgprs_per_wave = family.sgprs;
  p.most_groups = {UINT32_MAX, family.most_groups_in_y_and_z(), family.most_groups_in_y_and_z()};
  p.l2_bytes = uint64_t(product.l2_kib) * 1024;
  p.core_clock_khz = product.core_mhz * 1000;
  p.memory_clock_khz = product.memory_mhz * 1000;
  p.memory_bus_bits = product.memory_bus_bits;
}

} // namespace hip::aql
