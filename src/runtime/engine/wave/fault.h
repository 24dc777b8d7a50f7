// runtime/engine/wave/fault.h - turns a wave's fault into a report. Kernel code runs on host threads, so a bad access inside the
// arena arrives as SIGSEGV or SIGBUS. When the thread was executing a wave, the handler jumps back to the worker; every other
// signal it passes on to the handler that was installed before.
// Thread safety: install() and the handler may race; the guard belongs to one thread.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/wave/wave.h"

#include <csetjmp>
#include <cstdint>

namespace hip::engine {

class ProgramDirectory;
class Program;
struct WorkGroup;

// Installs the handlers of SIGSEGV and SIGBUS, once per process. They are never removed, since a later handler may chain to ours.
void install_fault_handlers() noexcept;

// While armed, a memory fault of this thread resumes at sigsetjmp(jump, 0) with the address in fault_address.
struct GuestContext {
  sigjmp_buf jump;
  volatile uint64_t fault_address = 0;
  const void* volatile host_pc = nullptr; // of the host instruction that faulted
  Wave* volatile wave = nullptr; // being executed
};
// Arms `context` for the calling thread; null disarms. Returns the context that was armed before.
GuestContext* arm_guest_context(GuestContext* context) noexcept;

// The report of a stopped wave: which kernel, work-group, wave and lanes, which instruction, what it did wrong.
Status fault_report(const Wave& wave, const WorkGroup& group);

} // namespace hip::engine
