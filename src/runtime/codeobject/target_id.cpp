#include "runtime/codeobject/target_id.h"

namespace hip::codeobject {
namespace {

// e_flags of code object v4 and later (AMDGPUUsage, "ELF Header e_flags").
constexpr uint32_t kMachMask = 0x0ff;
constexpr uint32_t kXnackShift = 8;
constexpr uint32_t kSrameccShift = 10;
constexpr uint32_t kGenericVersionShift = 24;

Feature feature_from_flags(uint32_t flags, uint32_t shift) noexcept {
  switch ((flags >> shift) & 3) {
  case 1:
    return Feature::Any;
  case 2:
    return Feature::Off;
  case 3:
    return Feature::On;
  default:
    return Feature::Unsupported;
  }
}

// Version 3 has one bit for each feature of the processor. Code that was compiled for either mode of xnack has the bit set, as code for
// xnack alone has, and runs in both: it can be replayed and need not be. Code for memory with ECC cannot do without it.
constexpr uint32_t kXnackOfVersion3 = 0x100;
constexpr uint32_t kSrameccOfVersion3 = 0x200;

void put_features_of_version_3(TargetId& id, uint32_t flags) noexcept {
  if (id.processor->has_xnack()) id.xnack = flags & kXnackOfVersion3 ? Feature::Any : Feature::Off;
  if (id.processor->has_sramecc()) id.sramecc = flags & kSrameccOfVersion3 ? Feature::On : Feature::Off;
}

// Whether code with `code` may run on a device with `device`; adds to `score` when the code names the mode.
bool feature_fits(Feature code, Feature device, int& score) noexcept {
  if (code == Feature::Any || code == Feature::Unsupported) return true;
  if (code != device) return false;
  ++score;
  return true;
}

} // namespace

std::string TargetId::to_string() const {
  std::string text = processor ? processor->name : "unknown";
  if (sramecc == Feature::On) text += ":sramecc+";
  if (sramecc == Feature::Off) text += ":sramecc-";
  if (xnack == Feature::On) text += ":xnack+";
  if (xnack == Feature::Off) text += ":xnack-";
  return text;
}

Result<TargetId> parse_target_id(std::string_view text) {
  const size_t name_end = text.find(':');
  TargetId id;
  id.processor = find_processor(text.substr(0, name_end));
  if (!id.processor) return error(ErrorCode::InvalidValue, "Target id '{}' names a processor that is not known.", text);
  id.xnack = id.processor->has_xnack() ? Feature::Any : Feature::Unsupported;
  id.sramecc = id.processor->has_sramecc() ? Feature::Any : Feature::Unsupported;

  std::string_view rest = name_end == std::string_view::npos ? std::string_view() : text.substr(name_end);
  while (!rest.empty()) {
    rest.remove_prefix(1); // the colon
    const size_t end = std::min(rest.find(':'), rest.size());
    std::string_view feature = rest.substr(0, end);
    rest.remove_prefix(end);
    if (feature.empty() || (feature.back() != '+' && feature.back() != '-'))
      return error(ErrorCode::InvalidValue, "Target id '{}' has the feature '{}', which does not end in + or -.", text,
                   feature);
    const Feature mode = feature.back() == '+' ? Feature::On : Feature::Off;
    feature.remove_suffix(1);
    Feature* slot = feature == "xnack" ? &id.xnack : feature == "sramecc" ? &id.sramecc : nullptr;
    if (!slot || *slot == Feature::Unsupported)
      return error(ErrorCode::InvalidValue, "Target id '{}' names the feature '{}', which {} does not have.", text,
                   feature, id.processor->name);
    if (*slot != Feature::Any)
      return error(ErrorCode::InvalidValue, "Target id '{}' names the feature '{}' twice.", text, feature);
    *slot = mode;
  }
  return id;
}

Result<TargetId> target_id_from_elf_flags(uint32_t e_flags, unsigned version) {
  TargetId id;
  id.processor = find_processor_by_mach(e_flags & kMachMask);
  if (!id.processor)
    return error(ErrorCode::InvalidImage,
                 "The code object's e_flags {:#x} name the processor number {:#x}, which is not known.", e_flags,
                 e_flags & kMachMask);
  if (version == 3) {
    put_features_of_version_3(id, e_flags);
    return id;
  }
  id.xnack = feature_from_flags(e_flags, kXnackShift);
  id.sramecc = feature_from_flags(e_flags, kSrameccShift);
  if (id.processor->is_generic()) id.generic_version = e_flags >> kGenericVersionShift;
  return id;
}

std::optional<int> match_score(const TargetId& code, const TargetId& device) noexcept {
  if (!code.processor || !device.processor) return std::nullopt;
  int score = 0;
  if (code.processor == device.processor) {
    score = 10;
  } else if (code.processor->name != std::string_view(device.processor->generic)) {
    return std::nullopt;
  }
  if (!feature_fits(code.xnack, device.xnack, score) || !feature_fits(code.sramecc, device.sramecc, score))
    return std::nullopt;
  return score;
}

} // namespace hip::codeobject
