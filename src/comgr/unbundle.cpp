#include "comgr/unbundle.h"

#include "runtime/codeobject/bundle.h"
#include "runtime/rtc/archive.h"

#include <span>

namespace hip::comgr {
namespace {

// "hip-amdgcn-amd-amdhsa--gfx942:xnack-" in its parts; vendor, system and environment are the same for all of AMD's.
struct EntryId {
  std::string_view kind, arch, target;
};

EntryId parse_entry_id(std::string_view id) {
  EntryId out;
  const size_t kind_end = std::min(id.find('-'), id.size());
  out.kind = id.substr(0, kind_end);
  const std::string_view triple = id.substr(std::min(kind_end + 1, id.size()));
  out.arch = triple.substr(0, triple.find('-'));
  // The target is behind the triple's four parts, and may have hyphens of its own.
  size_t at = 0;
  for (int part = 0; part < 4 && at != std::string_view::npos; ++part) {
    at = triple.find('-', at);
    if (at != std::string_view::npos) ++at;
  }
  if (at != std::string_view::npos) out.target = triple.substr(at);
  return out;
}

bool same_kind(std::string_view a, std::string_view b) {
  const auto is_hip = [](std::string_view kind) { return kind == "hip" || kind == "hipv4" || kind == "openmp"; };
  return a == b || (is_hip(a) && is_hip(b));
}

} // namespace

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
