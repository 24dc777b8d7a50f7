// runtime/engine/wave/fault.h - turns a wave's fault into a report. Kernel code runs on host threads, so a bad access inside the
// arena arrives as SIGSEGV or SIGBUS. When the thread was executing a wave, the handler jumps back to the worker, but for a read
// that the address space lets go on (AddressSpace::lend), which is told once for each instruction. Every other signal does what it
// did before: a handler that was there is called, a signal that was sent and is ignored stays so, and the default action ends the
// process.
// Thread safety: install() and the handler may race; the guard belongs to one thread.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/wave/wave.h"

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <pthread.h>
#include <string_view>

namespace hip::engine {

class ProgramDirectory;
class Program;
struct GridShape;
struct WorkGroup;

// Installs the handlers of SIGSEGV and SIGBUS, once per process. They are never removed, since a later handler may chain to ours.
void install_fault_handlers() noexcept;

// While armed, a memory fault of this thread resumes at sigsetjmp(jump, 0) with the address in fault_address.
struct GuestContext {
  sigjmp_buf jump;
  volatile uint64_t fault_address = 0;
  const void* volatile host_pc = nullptr; // of the host instruction that faulted
  Wave* volatile wave = nullptr; // being executed; of a batch the first one
  // Of a timed grid (Grid::time_out): who runs it, and whether it is late.
  pthread_t thread{};
  const std::atomic<bool>* late = nullptr;
  const ProgramDirectory* directory = nullptr;
  volatile bool interrupted = false; // by interrupt_guest(): there is no fault
};
// Arms `context` for the calling thread; null disarms. Returns the context that was armed before.
GuestContext* arm_guest_context(GuestContext* context) noexcept;

// Makes the thread that runs a late grid leave translated code, which holds no lock and asks nobody whether it may go on: the
// thread resumes at its sigsetjmp, as with a fault, with `interrupted` set. Does nothing where the thread executes anything else,
// and then or later comes to WorkGroup::is_late(); the caller repeats it until the thread has left the grid. The signal is SIGSEGV
// with a mark of ours, because its handler is there anyway, workers never block it, and no program uses it for itself.
void interrupt_guest(const GuestContext& context) noexcept;

// The wave that has made the access of `context`, with what the report needs: fault_address, fault_inst and fault_lanes.
Wave& wave_with_access(const GuestContext& context) noexcept;

// The report of a stopped wave: which kernel, work-group, wave and lanes, which instruction, what it did wrong.
Status fault_report(const Wave& wave, const WorkGroup& group);

// The report of a launch that has executed for longer than `limit`: where the waves of one of its groups have stopped (null: none
// was executing), or where the wave was that has been interrupted at `pc` (0: none has).
Status time_out_report(const GridShape& shape, const WorkGroup* group, std::string_view limit, const Wave* interrupted = nullptr,
                       uint64_t pc = 0);

} // namespace hip::engine
