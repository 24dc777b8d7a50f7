// comgr/unbundle.h - the entries of offload bundles, and archives of bundles.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::comgr {

// The bundle's binary for an entry id ("hip-amdgcn-amd-amdhsa--gfx942"); empty when it has none. Error: InvalidImage.
Result<std::string> unbundle(std::string_view bundle, std::string_view entry_id);
// The archive whose files are the binaries for the entry id in an archive of bundles. Error: InvalidImage.
Result<std::string> unbundle_archive(std::string_view archive, std::string_view entry_id);

// Where the binary for an ISA lies in a bundle. Nothing: the bundle has none, which an unknown ISA's name gives, too.
struct EntryPlace {
  uint64_t offset = 0, bytes = 0;
};
// The places for each of `isas` in the plain bundle that begins with `beginning`. No more of the header is wanted than
// it takes to find them. Errors: InvalidImage; InvalidValue where the bytes begin as something else.
Result<std::vector<std::optional<EntryPlace>>> find_entries(std::string_view beginning,
                                                            std::span<const std::string_view> isas);

} // namespace hip::comgr
