#include "comgr/unbundle.h"

#include "runtime/codeobject/bundle.h"
#include "runtime/rtc/archive.h"

#include <algorithm>

namespace hip::comgr {
namespace {

// "hip-amdgcn-amd-amdhsa--gfx942:xnack-" in its parts; vendor, system and environment are the same for all of AMD's.
struct EntryId {
  std::string_view kind, arch, target;
};

// What an ISA is called, "amdgcn-amd-amdhsa--gfx942:xnack-", has no kind.
EntryId parse_isa(std::string_view name) {
  EntryId out;
  out.arch = name.substr(0, name.find('-'));
  // The target is behind the triple's four parts, and may have hyphens of its own.
  size_t at = 0;
  for (int part = 0; part < 4 && at != std::string_view::npos; ++part) {
    at = name.find('-', at);
    if (at != std::string_view::npos) ++at;
  }
  if (at != std::string_view::npos) out.target = name.substr(at);
  return out;
}

EntryId parse_entry_id(std::string_view id) {
  const size_t kind_end = std::min(id.find('-'), id.size());
  EntryId out = parse_isa(id.substr(std::min(kind_end + 1, id.size())));
  out.kind = id.substr(0, kind_end);
  return out;
}

bool same_kind(std::string_view a, std::string_view b) {
  const auto is_hip = [](std::string_view kind) { return kind == "hip" || kind == "hipv4" || kind == "openmp"; };
  return a == b || (is_hip(a) && is_hip(b));
}

// "gfx942:sramecc+:xnack-" in its processor and features.
std::vector<std::string_view> parts_of(std::string_view target) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= target.size();) {
    const size_t end = std::min(target.find(':', at), target.size());
    parts.push_back(target.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Code for `code` runs where the ISA is `isa`: the same processor, and no feature that the ISA has not.
bool runs_on(std::string_view code, std::string_view isa) {
  const std::vector<std::string_view> wanted = parts_of(isa), has = parts_of(code);
  return wanted[0] == has[0] && std::all_of(has.begin() + 1, has.end(), [&](std::string_view feature) {
           return std::find(wanted.begin() + 1, wanted.end(), feature) != wanted.end();
         });
}

} // namespace

Result<std::vector<std::optional<EntryPlace>>> find_entries(std::string_view beginning,
                                                            std::span<const std::string_view> isas) {
  constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
  if (beginning.size() >= kMagic.size() && !beginning.starts_with(kMagic))
    return error(ErrorCode::InvalidValue, "The {} bytes do not begin as a plain offload bundle.", beginning.size());
  RT_TRY_ASSIGN(const codeobject::BundleHeader header,
                codeobject::parse_bundle_header(std::as_bytes(std::span(beginning))));
  std::vector<std::optional<EntryPlace>> places(isas.size());
  for (const codeobject::BundleEntry& entry : header.entries)
    for (size_t i = 0; i < isas.size(); ++i) {
      const EntryId wanted = parse_isa(isas[i]);
      if (!places[i] && entry.kind != "host" && entry.arch == wanted.arch && runs_on(entry.target, wanted.target))
        places[i] = {entry.image_offset, entry.image_bytes};
    }
  if (std::any_of(places.begin(), places.end(), [](const auto& place) { return !place; })) RT_TRY(header.end);
  return places;
}

Result<std::string> unbundle(std::string_view bundle, std::string_view entry_id) {
  RT_TRY_ASSIGN(const codeobject::Bundle parsed, codeobject::parse_bundle(std::as_bytes(std::span(bundle))));
  const EntryId wanted = parse_entry_id(entry_id);
  for (const codeobject::BundleEntry& entry : parsed.entries())
    if (entry.id == entry_id ||
        (same_kind(entry.kind, wanted.kind) && entry.arch == wanted.arch && entry.target == wanted.target))
      return std::string(codeobject::as_text(entry.image));
  return std::string();
}

Result<std::string> unbundle_archive(std::string_view archive, std::string_view entry_id) {
  RT_TRY_ASSIGN(const std::vector<std::string_view> files, rtc::files_of_archive(archive));
  std::vector<std::string> found;
  for (const std::string_view file : files) {
    RT_TRY_ASSIGN(std::string image, unbundle(file, entry_id));
    if (!image.empty()) found.push_back(std::move(image));
  }
  return rtc::make_archive(found);
}

} // namespace hip::comgr
