// Every processor's row against what LLVM's subtarget says: which features it has, how wide its waves are, how much
// LDS.
#include "runtime/engine/target/target.h"

#include <catch2/catch.hpp>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <set>

extern "C" { // declared by headers of all targets of LLVM's build
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
}

using namespace hip::codeobject;
using namespace hip::engine;

namespace {

std::set<std::string> llvm_features(const char* processor) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  const llvm::Triple triple{"amdgcn-amd-amdhsa"};
  std::string why;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
  REQUIRE(target);
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, processor, ""));
  REQUIRE(subtarget);
  std::set<std::string> names;
  for (const llvm::SubtargetFeatureKV& feature : subtarget->getAllProcessorFeatures())
    if (subtarget->getFeatureBits().test(feature.Value)) names.insert(feature.Key);
  return names;
}

constexpr std::pair<IsaFeature, const char*> kFeatures[] = {
    {IsaFeature::Sdwa, "sdwa"},
    {IsaFeature::Dpp8, "dpp8"},
    {IsaFeature::Vopd, "vopd"},
    {IsaFeature::True16, "true16"},
    {IsaFeature::Vop3Literals, "vop3-literal"},
    {IsaFeature::Images, "image-insts"},
    {IsaFeature::Mai, "mai-insts"},
    {IsaFeature::PackedFp32, "packed-fp32-ops"},
    {IsaFeature::VgprIndexMode, "vgpr-index-mode"},
    {IsaFeature::Movrel, "movrel"},
    {IsaFeature::ScalarFloat, "salu-float"},
};

} // namespace

TEST_CASE("a row has the features that LLVM's subtarget has", "[target]") {
  for (const Processor& p : processors()) {
    INFO(p.name);
    const std::set<std::string> llvm = llvm_features(p.name);
    const Target* target = find_target(p.name);
    REQUIRE(target);
    CHECK(target->processor == &p);
    for (const auto& [feature, name] : kFeatures) {
      INFO(name);
      CHECK(target->has(feature) == llvm.contains(name));
    }
    CHECK(target->has(IsaFeature::OcpFloats) == (llvm.contains("gfx950-insts") || llvm.contains("gfx12-insts")));
    const FamilyFacts& family = p.facts();
    CHECK(p.has_xnack() == llvm.contains("xnack-support"));
    CHECK(p.has_sramecc() == llvm.contains("sramecc-support"));
    CHECK((family.wave_lanes == 32) == llvm.contains("wavefrontsize32"));
    CHECK((family.wave_lanes == 64) == llvm.contains("wavefrontsize64"));
    CHECK((family.item_ids == ItemIdLayout::Packed) == llvm.contains("packed-tid"));
    CHECK((family.private_memory == PrivateMemory::Architected) == llvm.contains("architected-flat-scratch"));
    CHECK((family.group_ids == GroupIdLocation::Ttmps) == llvm.contains("architected-sgprs"));
    CHECK((target->isa->wait_counters != WaitCounters::Joint) == llvm.contains("vscnt"));
    CHECK((target->isa->wait_counters == WaitCounters::EachApart) == llvm.contains("gfx12-insts"));
    CHECK((family.vgprs_per_item > 512) == llvm.contains("1024-addressable-vgprs"));
    CHECK((family.accumulation_vgprs == AccumulationVgprs::Unified) == llvm.contains("gfx90a-insts"));
    CHECK((family.accumulation_vgprs != AccumulationVgprs::None) == llvm.contains("mai-insts"));
    CHECK((p.capacity.vgprs_per_lane == 1536) == llvm.contains("allocate1_5xvgprs"));
    CHECK(llvm.contains("addressablelocalmemorysize" + std::to_string(target->lds_bytes())));
  }
}

TEST_CASE("every processor of a generic one has its features and room for what its code needs", "[target]") {
  for (const Processor& p : processors()) {
    const Processor* generic = find_processor(p.generic);
    if (!generic) continue;
    INFO(p.name << " of " << generic->name);
    CHECK(p.facts().wave_lanes == generic->facts().wave_lanes);
    CHECK(p.facts().descriptor == generic->facts().descriptor);
    CHECK(p.facts().vgpr_granule == generic->facts().vgpr_granule);
    CHECK(p.capacity.lds_kib >= generic->capacity.lds_kib);
    CHECK(p.capacity.vgprs_per_lane >= generic->capacity.vgprs_per_lane);
    for (const auto& [feature, name] : kFeatures) {
      INFO(name);
      CHECK(find_target(p.name)->has(feature) >= find_target(generic->name)->has(feature));
    }
  }
}

TEST_CASE("what no row names is no target", "[target]") {
  CHECK(find_target("") == nullptr);
  CHECK(find_target("gfx803") == nullptr);
  CHECK(find_target("gfx942:xnack-") == nullptr);
  CHECK(executed_targets().find("gfx942") != std::string::npos);
}
