// comgr/unbundle.h - the entries of offload bundles, and archives of bundles.
#pragma once

#include "runtime/base/status.h"

#include <string>
#include <string_view>

namespace hip::comgr {

// The bundle's binary for an entry id ("hip-amdgcn-amd-amdhsa--gfx942"); empty when it has none. Error: InvalidImage.
Result<std::string> unbundle(std::string_view bundle, std::string_view entry_id);
// The archive whose files are the binaries for the entry id in an archive of bundles. Error: InvalidImage.
Result<std::string> unbundle_archive(std::string_view archive, std::string_view entry_id);

} // namespace hip::comgr
