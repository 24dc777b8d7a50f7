// Processors and their families as data, and kernel descriptors of every family: by hand, with the counts that the
// assembler's documentation prescribes, and as clang writes them.
#include "runtime/codeobject/code_object.h"
#include "test_data.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::codeobject;

namespace {

const FamilyFacts& family_of(const char* processor) {
  const Processor* row = find_processor(processor);
  REQUIRE(row);
  return row->facts();
}

KernelDescriptor descriptor(uint32_t rsrc1, uint32_t rsrc2, uint32_t rsrc3, uint32_t properties) {
  KernelDescriptor kd{};
  kd.compute_pgm_rsrc1 = rsrc1;
  kd.compute_pgm_rsrc2 = rsrc2;
  kd.compute_pgm_rsrc3 = rsrc3;
  kd.kernel_code_properties = uint16_t(properties);
  return kd;
}
constexpr uint32_t kWave32 = 1 << 10; // of the properties

} // namespace

TEST_CASE("a processor's version is in its name", "[codeobject][target]") {
  struct Row {
    const char* name;
    uint32_t major, minor, stepping;
  };
  const Row row =
      GENERATE(Row{"gfx942", 9, 4, 2}, Row{"gfx90a", 9, 0, 10}, Row{"gfx90c", 9, 0, 12}, Row{"gfx1030", 10, 3, 0},
               Row{"gfx1151", 11, 5, 1}, Row{"gfx1250", 12, 5, 0}, Row{"gfx9-generic", 9, 0, 0},
               Row{"gfx9-4-generic", 9, 4, 0}, Row{"gfx10-3-generic", 10, 3, 0}, Row{"gfx12-generic", 12, 0, 0});
  INFO(row.name);
  const GfxVersion version = find_processor(row.name)->version();
  CHECK(version.major == row.major);
  CHECK(version.minor == row.minor);
  CHECK(version.stepping == row.stepping);
}

TEST_CASE("which sizes of waves a family has", "[codeobject][target]") {
  CHECK(family_of("gfx942").has_waves_of(64));
  CHECK_FALSE(family_of("gfx942").has_waves_of(32));
  CHECK(family_of("gfx1100").has_waves_of(32));
  CHECK(family_of("gfx1100").has_waves_of(64));
  CHECK_FALSE(family_of("gfx1250").has_waves_of(64));
  CHECK_FALSE(family_of("gfx1100").has_waves_of(16));
}

TEST_CASE("descriptors count VGPRs in the granules of their processor and wave", "[codeobject][descriptor]") {
  struct Row {
    const char* processor;
    uint32_t rsrc1, rsrc3, properties, vgprs, accumulation, shared;
  };
  // rsrc1 as llvm-mc writes it for .amdhsa_next_free_vgpr 100.
  const Row row =
      GENERATE(Row{"gfx900", 0x00ac0158, 0, 0, 100, 0, 0}, Row{"gfx908", 0x00ac0158, 0, 0, 200, 100, 0},
               Row{"gfx90a", 0x00ac014c, 24, 0, 104, 4, 0}, Row{"gfx942", 0x00ac014c, 0, 0, 104, 100, 0},
               Row{"gfx942", 0x00ac014c, 63, 0, 104, 0, 0}, Row{"gfx1010", 0xe0ac000c, 0, kWave32, 104, 0, 0},
               Row{"gfx1010", 0xe0ac0018, 3, 0, 100, 0, 24}, Row{"gfx1030", 0xe0ac000c, 0, kWave32, 104, 0, 0},
               Row{"gfx1100", 0xe0ac0018, 15, 0, 100, 0, 120}, Row{"gfx1100", 0xe0ac000c, 15, kWave32, 104, 0, 0},
               Row{"gfx1201", 0xe00c000c, 0, kWave32, 104, 0, 0}, Row{"gfx1201", 0xe00c0018, 15, 0, 100, 0, 0},
               Row{"gfx1250", 0xc00c0006, 0, kWave32, 112, 0, 0});
  INFO(row.processor << " " << row.properties);
  const KernelDescriptor kd = descriptor(row.rsrc1, 0x80, row.rsrc3, row.properties);
  const FamilyFacts& family = family_of(row.processor);
  CHECK(kd.wave_lanes() == (row.properties & kWave32 ? 32 : 64));
  CHECK(kd.vgprs(family) == row.vgprs);
  CHECK(kd.accumulation_vgprs(family) == row.accumulation);
  CHECK(kd.shared_vgprs(family) == row.shared);
}

TEST_CASE("MODE starts with what the descriptor's family has of it", "[codeobject][descriptor]") {
  // Round toward zero for 16 and 64 bits, denormals of all kept, bits 21 and 23 set, FP16_OVFL.
  const uint32_t rsrc1 = 0xfcu << 12 | 1u << 21 | 1u << 23 | 1u << 26;
  const KernelDescriptor kd = descriptor(rsrc1, 0, 0, 0);
  CHECK(kd.round_mode_16_64() == RoundMode::Zero);
  for (const char* processor : {"gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1151"}) {
    INFO(processor);
    CHECK(kd.initial_mode(family_of(processor)) == (0xfcu | 1u << 8 | 1u << 9 | 1u << 23));
  }
  for (const char* processor : {"gfx1200", "gfx1250"}) { // there the bits are WG_RR_EN and DISABLE_PERF
    INFO(processor);
    CHECK(kd.initial_mode(family_of(processor)) == (0xfcu | 1u << 23));
  }
}

TEST_CASE("fields that moved between families are read where they are", "[codeobject][descriptor]") {
  const KernelDescriptor kd = descriptor(0, 0x7f, 1u << 17, 0); // SCRATCH_EN, then bits 6:1
  CHECK(kd.enable_private_segment());
  CHECK(kd.user_sgpr_count(family_of("gfx942")) == 31);  // bit 6 is ENABLE_TRAP_HANDLER
  CHECK(kd.user_sgpr_count(family_of("gfx1201")) == 31); // bit 6 is ENABLE_DYNAMIC_VGPR
  CHECK(kd.user_sgpr_count(family_of("gfx1250")) == 63);
  CHECK_FALSE(kd.dynamic_vgprs(family_of("gfx1100")));
  CHECK(kd.dynamic_vgprs(family_of("gfx1201")));
  CHECK(kd.dynamic_vgprs(family_of("gfx1250")));
  CHECK_FALSE(descriptor(0, 0x40, 0, 0).dynamic_vgprs(family_of("gfx1250")));
  CHECK_FALSE(descriptor(0, 0, 1u << 17, 0).dynamic_vgprs(family_of("gfx1201")));
  const KernelDescriptor wgp = descriptor(5u << 29, 0, 0, 0);
  CHECK(wgp.wgp_mode());
  CHECK_FALSE(wgp.mem_ordered());
  CHECK(wgp.forward_progress());
}

TEST_CASE("what clang writes for each family is read as it was meant", "[codeobject][descriptor]") {
  struct Row {
    const char *file, *target;
    uint32_t lanes;
    bool wgp;
    uint32_t mode;
  };
  const Row row =
      GENERATE(Row{"gfx906.co", "gfx906", 64, false, 0x3f0}, Row{"gfx908.co", "gfx908", 64, false, 0x3f0},
               Row{"gfx90a.co", "gfx90a", 64, false, 0x3f0}, Row{"gfx1010.co", "gfx1010", 32, true, 0x3f0},
               Row{"gfx1030.co", "gfx1030", 32, true, 0x3f0}, Row{"gfx1030_wave64.co", "gfx1030", 64, true, 0x3f0},
               Row{"gfx1100.co", "gfx1100", 32, true, 0x3f0}, Row{"gfx1100_wave64_cu.co", "gfx1100", 64, false, 0x3f0},
               Row{"gfx1201.co", "gfx1201", 32, true, 0x0f0}, Row{"gfx1201_wave64.co", "gfx1201", 64, true, 0x0f0},
               Row{"gfx1250.co", "gfx1250", 32, false, 0x0f0});
  INFO(row.file);
  const auto data = test::load_data(row.file);
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  CHECK(code.value().target().to_string() == row.target);
  const FamilyFacts& family = code.value().target().processor->facts();
  CHECK(family.has_waves_of(row.lanes));
  for (const char* name : {"explicit_only", "with_hidden"}) {
    INFO(name);
    const Kernel* kernel = code.value().find_kernel(name);
    REQUIRE(kernel);
    const KernelDescriptor& kd = kernel->descriptor;
    CHECK(kernel->info.wavefront_size == row.lanes);
    CHECK(kd.wave_lanes() == row.lanes);
    CHECK(kd.wgp_mode() == row.wgp);
    CHECK(kd.mem_ordered() == (family.descriptor >= DescriptorLayout::Gfx10));
    CHECK(kd.initial_mode(family) == row.mode);
    CHECK(kd.vgprs(family) >= kernel->info.vgpr_count);
    CHECK(kd.vgprs(family) <= family.vgprs_per_item);
    CHECK(kd.accumulation_vgprs(family) <= kd.vgprs(family));
    // gfx1100 wants 16 user and system SGPRs at least, so there are some that no property names.
    CHECK(kd.user_sgpr_count(family) >= kd.property_user_sgprs() + kd.kernarg_preload_dwords());
    CHECK(kd.enable_sgpr_kernarg_segment_ptr());
    // Private memory in SGPRs is for families without architected flat scratch alone.
    if (family.private_memory == PrivateMemory::Architected) CHECK_FALSE(kd.enable_sgpr_flat_scratch_init());
    CHECK_FALSE(kd.dynamic_vgprs(family));
  }
  // with_hidden calls through a pointer, so it has a stack.
  CHECK(code.value().find_kernel("with_hidden")->descriptor.enable_private_segment());
}
