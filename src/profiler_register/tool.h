// profiler_register/tool.h - the profiler of this process, if it has one.
#pragma once

#include <cstdint>

namespace hip::profiler_register {

// rocprofiler's entry for tables: name, version, how many of the name came before, the tables and their number; 0 is
// good.
using SetApiTable = int(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count);

// Null: nobody wants tables. Loads rocprofiler's library when a tool asks for it and it is not loaded yet; a line on
// standard error tells, once, when that fails. Runs the constructors of what it loads, so the caller holds no lock that
// these, or a thread that waits for the loader, may want. One thread at a time.
SetApiTable* find_tool() noexcept;

} // namespace hip::profiler_register
