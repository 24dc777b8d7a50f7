// runtime/codeobject/bundle.h - offload bundles: the container in which clang stores one binary per target inside a fat
// binary. Accepts plain bundles, compressed ones (CCOB, zstd), those as text (text_bundle.h) and what is bare: an
// AMDGPU code object, a cubin, PTX text.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"
#include "runtime/codeobject/sm_target.h"
#include "runtime/codeobject/target_id.h"

#include <memory>
#include <string>
#include <vector>

namespace hip::codeobject {

struct BundleEntry {
  std::string id;   // as in the file: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-"; made from the ELF flags for a bare one
  std::string kind; // "hipv4", "hip" (device binaries), "host", ...
  std::string arch; // first component of the triple: "amdgcn", "nvptx64", "spirv64", "x86_64"
  std::string target; // target id or processor behind the triple: "gfx90a:xnack-", "sm_90"; empty for the host
  Bytes image;        // points into the parsed bytes or into the bundle's own storage
  uint64_t image_offset = 0, image_bytes = 0; // in the plain bundle, although the image was not kept

  // A binary for a device of `triple_arch` ("amdgcn", "nvptx64").
  bool is_device(std::string_view triple_arch) const noexcept {
    return (kind == "hip" || kind == "hipv4") && arch == triple_arch && image_bytes != 0;
  }
};

// What a bundle holds. Entries borrow from the parsed bytes, which must outlive this object, unless the bundle was
// compressed or text: then they borrow from storage that this object owns. Moving keeps entries valid.
class Bundle {
public:
  const std::vector<BundleEntry>& entries() const noexcept { return entries_; }
  // Compressed, or text: entries do not lie in the bytes that were parsed.
  bool was_compressed() const noexcept { return storage_ != nullptr; }

private:
  friend Result<Bundle> parse_bundle(Bytes data, std::string_view device);
  std::unique_ptr<std::byte[]> storage_;
  std::vector<BundleEntry> entries_;
};

// Never reads outside `data`. Of a compressed bundle the images that `device` (as for choose_entry) cannot run are not
// kept: these entries have image_bytes and an empty image. Without a device all are. Errors: InvalidImage, with what is
// wrong and where, also for more than 65536 entries and for a compressed bundle whose table takes more than 4 MiB;
// OutOfMemory.
Result<Bundle> parse_bundle(Bytes data, std::string_view device = {});
// What the header of a plain bundle tells whose beginning `data` is. An entry that does not lie in `data` has no image.
struct BundleHeader {
  std::vector<BundleEntry> entries;
  Status end; // success: these are all; InvalidImage: what could not be read, behind them
};
// Errors: InvalidImage where not even the number of entries is there, or is more than parse_bundle takes, and for
// bundles that are compressed or text.
Result<BundleHeader> parse_bundle_header(Bytes data);

// The extent of the bundle, compressed bundle, ELF file, PTX or bundle as text (which end in a zero byte) that starts
// at `data`, found from its own headers: for callers such as __hipRegisterFatBinary that have nothing but a pointer.
// The headers are trusted to lie in readable memory and the sizes in them to be true; parse_bundle checks all else.
Result<Bytes> bundle_extent(const void* data);

// The entry that suits `device` best (match_score in target_id.h). Error: NoBinaryForGpu, listing what the bundle holds
// and what the device is.
Result<const BundleEntry*> choose_entry(const Bundle& bundle, const TargetId& device);
// The same for an NVIDIA device (match_score in sm_target.h): a cubin or PTX.
Result<const BundleEntry*> choose_entry(const Bundle& bundle, const SmTarget& device);
// The same for a device that is known by its target's text: "gfx942:sramecc+:xnack-" or "sm_90". Error also:
// InvalidValue.
Result<const BundleEntry*> choose_entry(const Bundle& bundle, std::string_view device);

} // namespace hip::codeobject
