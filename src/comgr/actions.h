// comgr/actions.h - what amd_comgr_do_action does: data objects become files in a folder, the compiler (in this process
// or another: runtime/rtc/compiler_process.h) makes others of them, and these become data objects.
#pragma once

#include "comgr/objects.h"

namespace hip::comgr {

// Adds what the action makes to `result`, which is empty, and what there is to say to `log`.
amd_comgr_status_t run_action(amd_comgr_action_kind_t kind, const ActionInfo& info, const DataSet& input,
                              DataSet& result, std::string& log);

} // namespace hip::comgr
