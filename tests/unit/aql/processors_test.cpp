// Devices of many processors: which there are, what they offer, and how many work-groups of a kernel fit.
#include "fake_engine.h"

#include "runtime/codeobject/processor.h"

using namespace hip;
using namespace hip::aql;
using namespace hip::test;

namespace {

std::shared_ptr<soft::System> small_system() {
  soft::SystemOptions options;
  options.threads = 1;
  options.memory_bytes = uint64_t(1) << 30;
  options.open_engine = [](const engine::AddressSpace&) -> Result<std::unique_ptr<engine::Engine>> {
    return std::unique_ptr<engine::Engine>(std::make_unique<FakeEngine>());
  };
  return good(soft::System::create(options));
}

} // namespace

TEST_CASE("There is a device of every processor that is not generic", "[aql][target]") {
  const auto system = small_system();
  for (const codeobject::Processor& processor : codeobject::processors()) {
    INFO(processor.name);
    Result<std::unique_ptr<Agent>> agent = soft::SoftAgent::create(system, processor.name, 0);
    REQUIRE(agent.ok() != processor.is_generic());
    if (!agent.ok()) {
      CHECK(agent.status().message().find("generic") != std::string::npos);
      continue;
    }
    const backend::DeviceProperties& p = agent.value()->properties();
    CHECK(p.target.substr(0, p.target.find(':')) == processor.name);
    CHECK((p.target.find(":xnack-") != std::string::npos) == processor.has_xnack());
    CHECK(p.name.ends_with(" (software)"));
    CHECK(p.lds_bytes_per_cu >= p.lds_bytes_per_group);
    CHECK(p.max_waves_per_cu * p.wave_lanes >= p.max_group_items);
    CHECK(p.vgprs_per_simd % p.vgpr_granule == 0);
  }
  for (const char* name : {"", "gfx803", "gfx942:xnack-", "sm_90"}) {
    const auto agent = soft::SoftAgent::create(system, name, 0);
    REQUIRE_FALSE(agent.ok());
    CHECK(agent.status().message().find("gfx942") != std::string::npos); // those that there are
  }
}

TEST_CASE("Occupancy is what llc says of the same number of VGPRs", "[aql][target]") {
  struct Row {
    const char* processor;
    uint32_t lanes, vgprs, waves_per_simd; // "; Occupancy:" of a kernel with so many VGPRs
  };
  constexpr Row kRows[] = {
      {"gfx906", 64, 24, 10},  {"gfx906", 64, 25, 9},   {"gfx906", 64, 129, 1},   {"gfx942", 64, 64, 8},
      {"gfx942", 64, 65, 7},   {"gfx942", 64, 169, 2},  {"gfx1012", 32, 48, 20},  {"gfx1012", 32, 49, 18},
      {"gfx1012", 64, 25, 18}, {"gfx1030", 32, 64, 16}, {"gfx1030", 32, 65, 12},  {"gfx1030", 64, 33, 12},
      {"gfx1100", 32, 96, 16}, {"gfx1100", 32, 97, 12}, {"gfx1100", 32, 241, 5},  {"gfx1100", 64, 49, 12},
      {"gfx1100", 64, 253, 2}, {"gfx1102", 32, 97, 9},  {"gfx1201", 32, 121, 10}, {"gfx1201", 64, 61, 10},
  };
  const auto system = small_system();
  for (const Row& row : kRows) {
    INFO(row.processor << ", waves of " << row.lanes << ", " << row.vgprs << " VGPRs");
    Device device(good(soft::SoftAgent::create(system, row.processor, 0)));
    AqlKernel kernel;
    kernel.attributes.vgprs = row.vgprs;
    kernel.attributes.wave_lanes = row.lanes;
    constexpr uint32_t kSimds = 4;
    CHECK(device.max_groups_per_cu(kernel, row.lanes, 0) == row.waves_per_simd * kSimds);
    CHECK(device.max_groups_per_cu(kernel, row.lanes + 1, 0) == row.waves_per_simd * kSimds / 2);
  }
}

TEST_CASE("LDS limits work-groups in granules of the processor", "[aql][target]") {
  const auto system = small_system();
  AqlKernel kernel;
  kernel.attributes.vgprs = 8;
  const auto groups = [&](const char* processor, uint32_t lds_bytes) {
    Device device(good(soft::SoftAgent::create(system, processor, 0)));
    kernel.attributes.wave_lanes = device.properties().wave_lanes;
    return device.max_groups_per_cu(kernel, 32, lds_bytes);
  };
  CHECK(groups("gfx942", 32768) == 2);
  CHECK(groups("gfx942", 32769) == 1);
  CHECK(groups("gfx1100", 32768) == 4); // a work-group processor has the LDS of two compute units
  CHECK(groups("gfx1100", 65537) == 0); // but one work-group has half of it
  CHECK(groups("gfx950", 81920) == 2);
  CHECK(groups("gfx950", 81921) == 1);
  CHECK(groups("gfx950", 12801) == 11); // 11 granules of 1280 bytes each
}
