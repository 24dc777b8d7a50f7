// runtime/engine/tiering/unfinished.h - translations that a process has requested and that are not finished when it
// ends, or that would have cost it more than they win in one run. Another process (lib/omnihip-translate) then makes
// them and puts them into the cache for the next run. OMNIHIP_TIER_FINISH=0 switches that off (env.def).
#pragma once

#include "runtime/engine/compile/translator.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hip::engine {

// Requests as the process that finishes them reads them (compile::pack).
using PackedRequests = std::vector<std::vector<std::byte>>;

// When the process exits, `unfinished` is called, and the requests that it returns are handed to `program`, the path of
// omnihip-translate. Only the first call in a process has an effect.
void finish_elsewhere(std::string program, std::function<PackedRequests()> unfinished);

} // namespace hip::engine
