// smi/busy.h - how busy the software GPUs of this machine are: the processor time of the threads that execute their
// kernels (thread names, backend/aql/soft/scheduler.cpp), of all processes that the kernel lets this one see, as a
// share of what the processors offer.
//
// All software GPUs share the processors, so there is one number. Thread safety: any thread.
#pragma once

#include <cstdint>

namespace hip::smi {

// Percent since the last call, when that is 20 ms ago; else of the next 20 ms, which this call waits for.
uint32_t busy_percent();

} // namespace hip::smi
