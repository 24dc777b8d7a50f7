// runtime/engine/tiering/unfinished.h - translations that a process asked for and did not live to see: when it ends, a
// process of its own (lib/omnihip-translate) takes them over and leaves them in the cache, so that the next run has
// them. OMNIHIP_TIER_FINISH=0 leaves that out (env.def).
#pragma once

#include "runtime/engine/compile/translator.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hip::engine {

// Requests as the process that finishes them reads them (compile::pack).
using PackedRequests = std::vector<std::vector<std::byte>>;

// Once per process: calls `unfinished` when the process ends in the usual way, and hands over what it returns.
// `program` is the path of omnihip-translate.
void finish_elsewhere(std::string program, std::function<PackedRequests()> unfinished);

} // namespace hip::engine
