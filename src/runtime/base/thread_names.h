// runtime/base/thread_names.h - names of threads that another process looks for in /proc.
#pragma once

namespace hip {

// Threads that execute kernels of software GPUs. (The kernel keeps 15 characters.)
inline constexpr const char* kWorkerThreadName = "omnihip-worker";

} // namespace hip
