// runtime/engine/wave/fault.cpp - see fault.h. The thread-local pointer uses the initial-exec model, so that reading it in a
// signal handler never allocates. The handlers run on the thread's alternate stack when it has one. Entering a grid does not
// save the signal mask, which would be a system call; the handler restores the mask of the fault before it leaves by siglongjmp.
#include "runtime/engine/wave/fault.h"

#include "runtime/engine/wave/group.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/program.h"

#include <csignal>
#include <ucontext.h>
#include <mutex>

namespace hip::engine {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local GuestContext* armed = nullptr;
struct sigaction previous_segv, previous_bus;

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& previous = number == SIGSEGV ? previous_segv : previous_bus;
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
    // The faulting instruction runs again and takes the default action.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
  } else {
    previous.sa_handler(number);
  }
}

void on_fault(int number, siginfo_t* info, void* context) {
  GuestContext* guest = armed;
  bool raised_by_access = info->si_code > 0; // not kill() or raise()
  if (guest && raised_by_access) {
    armed = nullptr;
    guest->fault_address = reinterpret_cast<uint64_t>(info->si_addr);
    guest->host_pc = reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    // Our handler blocks no signal, but another handler that called it may (ThreadSanitizer's blocks every signal).
    pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(context)->uc_sigmask, nullptr);
    siglongjmp(guest->jump, 1);
  }
  pass_on(number, info, context);
}

std::string lanes_text(uint64_t lanes) {
  if (lanes == 0) return "no lane known";
  std::string out = (lanes & (lanes - 1)) ? "lanes " : "lane ";
  bool first = true;
  for (unsigned l = 0; l < 64;) {
    if (!(lanes >> l & 1)) {
      ++l;
      continue;
    }
    unsigned end = l;
    while (end + 1 < 64 && (lanes >> (end + 1) & 1)) ++end;
    if (!first) out += ", ";
    out += end == l ? fmt::format("{}", l) : fmt::format("{}-{}", l, end);
    first = false;
    l = end + 1;
  }
  return out;
}

// What lies at the address that the wave has accessed.
std::string describe_address(const Wave& wave) {
  const FlatPlace place = flat_place(&wave, wave.fault_address);
  if (place.space == MemorySpace::Scratch)
    return fmt::format("byte {} of private memory, of which each work-item has {}; a stack that is too small is made larger with "
                       "hipDeviceSetLimit(hipLimitStackSize, bytes)", place.address, wave.scratch_bytes);
  if (place.space == MemorySpace::Lds) return fmt::format("byte {} of LDS, of which the work-group has {}", place.address, wave.lds_bytes);
  return wave.space->describe(wave.fault_address);
}

} // namespace

void install_fault_handlers() noexcept {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
  });
}

GuestContext* arm_guest_context(GuestContext* context) noexcept {
  GuestContext* before = armed;
  armed = context;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return before;
}

Status fault_report(const Wave& wave, const WorkGroup& group) {
  const Inst* inst = wave.fault_inst ? wave.fault_inst : wave.pc;
  uint64_t pc = inst ? inst->pc : 0;
  Program::CodeLocation location;
  std::string reason;
  if (Program* program = group.directory->program_at(pc)) {
    location = program->describe(pc);
    reason = program->unsupported_reason(pc);
  }
  std::string kernel = "?";
  if (Program* program = group.directory->program_at(group.entry_pc)) {
    kernel = program->kernel_name(group.kernel_object);
    if (kernel.empty()) kernel = program->describe(group.entry_pc).function;
  }
  std::string where = fmt::format("work-group ({}, {}, {}), wave {}", group.id[0], group.id[1], group.id[2],
                                  wave.index_in_group);
  std::string at = location.function == kernel ? fmt::format("offset {:#x}", location.offset)
                                                : fmt::format("{}+{:#x}", location.function, location.offset);
  auto report = [&](ErrorCode code, std::string what) {
    return Status(code, fmt::format("Kernel {}: {} ({}, {}).", kernel, what, at, where));
  };
  switch (wave.fault) {
  case FaultKind::Memory:
    return Status(ErrorCode::IllegalAddress,
                  fmt::format("Kernel {}: '{}' accesses the address {:#x}, which is not accessible: {} ({}, {}, {}).", kernel,
                              location.text, wave.fault_address, describe_address(wave), at, where, lanes_text(wave.fault_lanes)));
  case FaultKind::Lds:
    return report(ErrorCode::IllegalAddress,
                  fmt::format("'{}' accesses LDS at {:#x}, outside the work-group's {} bytes", location.text,
                              wave.fault_address, wave.lds_bytes));
  case FaultKind::Undecodable:
    return report(ErrorCode::InvalidKernelFile, fmt::format("there is no instruction at {:#x}: '{}'", pc, location.text));
  case FaultKind::Unimplemented:
    return report(ErrorCode::InvalidKernelFile,
                  fmt::format("the instruction '{}' is not implemented by the software GPU", location.text));
  case FaultKind::Unsupported:
    return report(ErrorCode::InvalidKernelFile,
                  fmt::format("the software GPU does not execute this form of '{}'{}{}", location.text,
                              reason.empty() ? "" : ": ", reason));
  case FaultKind::BadJump:
    return report(ErrorCode::LaunchFailure,
                  fmt::format("control reaches the address {:#x}, where no code object has an instruction", pc));
  case FaultKind::Trap:
    return report(ErrorCode::LaunchFailure, fmt::format("'{}' stops the kernel (trap {})", location.text, wave.fault_value));
  case FaultKind::None: break;
  }
  return report(ErrorCode::LaunchFailure, "the wave stops without a reason");
}

} // namespace hip::engine
