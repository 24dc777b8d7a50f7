// runtime/base/processors.h - how many of the host's processors this process may use.
#pragma once

namespace hip {

// At least 1. Counts the processors that the calling thread may run on, but no more than the processor time that the
// process's control group allows it (cgroup v2, cpu.max), rounded up. Reads a file: callers keep the result. Thread
// safety: any thread.
unsigned usable_processors();

} // namespace hip
