#include "comgr/isa.h"

namespace hip::comgr {
namespace {

using codeobject::Family;
using codeobject::Feature;

constexpr uint32_t kSimds = 4; // of a compute unit or work-group processor

const char* text_of(Feature feature) {
  switch (feature) {
  case Feature::On:
    return "on";
  case Feature::Off:
    return "off";
  default:
    return "any";
  }
}

} // namespace

Result<codeobject::TargetId> parse_isa_name(std::string_view name) {
  if (!name.starts_with(kIsaPrefix))
    return error(ErrorCode::InvalidValue, "\"{}\" is no ISA name: it does not begin with \"{}\".", name, kIsaPrefix);
  return codeobject::parse_target_id(name.substr(kIsaPrefix.size()));
}

std::string isa_name(const codeobject::TargetId& target) { return std::string(kIsaPrefix) + target.to_string(); }

Metadata isa_metadata(const codeobject::TargetId& target) {
  const codeobject::Processor& processor = *target.processor;
  const codeobject::FamilyFacts& facts = processor.facts();
  const bool is_gfx9 = processor.version().major == 9;
  // Only these have no image instructions.
  const bool has_images = processor.family != Family::Gfx94 && processor.family != Family::Gfx950;

  auto features = std::make_shared<MetadataNode>();
  features->kind = MetadataNode::Kind::Map;
  if (target.sramecc != Feature::Unsupported) features->map["sramecc"] = metadata_text(text_of(target.sramecc));
  if (target.xnack != Feature::Unsupported) features->map["xnack"] = metadata_text(text_of(target.xnack));

  auto node = std::make_shared<MetadataNode>();
  node->kind = MetadataNode::Kind::Map;
  const auto text = [&](const char* key, std::string value) { node->map[key] = metadata_text(std::move(value)); };
  const auto number = [&](const char* key, uint64_t value) { text(key, std::to_string(value)); };
  text("Name", isa_name(target));
  text("Architecture", "amdgcn");
  text("Vendor", "amd");
  text("OS", "amdhsa");
  text("Environment", "");
  text("Processor", processor.name);
  text("Version", "1.0.0");
  node->map["Features"] = std::move(features);
  text("TrapHandlerEnabled", "1");
  text("ImageSupport", has_images ? "1" : "0");
  number("LocalMemorySize", uint64_t{processor.capacity.lds_kib} * 1024);
  number("LDSBankCount", 32);
  number("EUsPerCU", kSimds);
  number("MaxWavesPerCU", kSimds * facts.waves_per_simd);
  number("MaxFlatWorkGroupSize", 1024);
  number("AddressableNumSGPRs", facts.sgprs);
  number("AddressableNumVGPRs", facts.vgprs_per_item);
  // From gfx10 on every wave has all SGPRs that code can name.
  number("SGPRAllocGranule", is_gfx9 ? 16 : facts.sgprs);
  number("TotalNumSGPRs", 800);
  number("VGPRAllocGranule", processor.capacity.vgpr_granule);
  number("TotalNumVGPRs", processor.capacity.vgprs_per_lane);
  return node;
}

} // namespace hip::comgr
