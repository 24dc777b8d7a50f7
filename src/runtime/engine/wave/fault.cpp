// runtime/engine/wave/fault.cpp - see fault.h. The thread-local pointer uses the initial-exec model, so that reading it
// in a signal handler never allocates. The handlers run on the thread's alternate stack when it has one. Entering a
// grid does not save the signal mask, which would be a system call; the handler restores the mask of the fault before
// it leaves by siglongjmp.
#include "runtime/engine/wave/fault.h"

#include "runtime/base/signal_pass_on.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/program.h"
#include "runtime/engine/tiering/precompiled.h"
#include "runtime/engine/wave/group.h"

#include <csignal>
#include <mutex>
#include <set>
#include <tuple>
#include <ucontext.h>

namespace hip::engine {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local GuestContext* armed = nullptr;
struct sigaction previous_segv, previous_bus;

const char interrupt_mark = 0; // its address marks interrupt_guest()'s signals

[[noreturn]] void leave(GuestContext* guest, const ucontext_t* context) {
  armed = nullptr;
  guest->host_pc = reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RIP]);
  // Our handler blocks no signal, but another handler that called it may (ThreadSanitizer's blocks every signal).
  pthread_sigmask(SIG_SETMASK, &context->uc_sigmask, nullptr);
  siglongjmp(guest->jump, 1);
}

// The fault was a page fault, of a read.
bool is_read(const ucontext_t* context) noexcept {
  constexpr greg_t kPageFault = 14, kWrite = 1 << 1,
                   kFetch = 1 << 4; // Intel's manual, volume 3, "Page-Fault Exception"
  const greg_t* const registers = context->uc_mcontext.gregs;
  return registers[REG_TRAPNO] == kPageFault && (registers[REG_ERR] & (kWrite | kFetch)) == 0;
}

void note_read_of_lent(const GuestContext& context) noexcept;

void on_fault(int number, siginfo_t* info, void* raw_context) {
  const auto* context = static_cast<const ucontext_t*>(raw_context);
  GuestContext* guest = armed;
  if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &interrupt_mark) [[unlikely]] {
    // The grid may be another one by now, which is not late.
    const auto* pc = reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RIP]);
    if (!guest || !guest->late || !guest->late->load(std::memory_order_acquire) || !guest->directory->is_translated(pc))
      return;
    guest->interrupted = true;
    leave(guest, context);
  }
  bool raised_by_access = info->si_code > 0; // not kill() or raise()
  if (guest && raised_by_access) {
    guest->fault_address = reinterpret_cast<uint64_t>(info->si_addr);
    // Kernel code, and what it calls for an access, holds no lock, so all may be done here that may be done between two
    // instructions.
    const Wave* const wave = guest->wave ? guest->wave->current : nullptr;
    if (number == SIGSEGV && wave && wave->space && is_read(context) && wave->space->lend(guest->fault_address)) {
      guest->host_pc = reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RIP]);
      note_read_of_lent(*guest);
      return;
    }
    leave(guest, context);
  }
  pass_on_signal(number == SIGSEGV ? previous_segv : previous_bus, number, info, raw_context);
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
    return fmt::format("byte {} of private memory, of which each work-item has {}", place.address, wave.scratch_bytes);
  if (place.space == MemorySpace::Lds)
    return fmt::format("byte {} of LDS, of which the work-group has {}", place.address, wave.lds_bytes);
  return wave.space->describe(wave.fault_address);
}

// A place in a launch's code, as reports name it.
struct CodePlace {
  std::string text; // the instruction
  std::string where;
};
class Launch {
public:
  Launch(ProgramDirectory& directory, uint64_t kernel_object, uint64_t entry_pc) : directory_(directory) {
    if (Program* program = directory.program_at(entry_pc)) {
      kernel = program->kernel_name(kernel_object);
      if (kernel.empty()) kernel = program->describe(entry_pc).function;
    }
  }
  explicit Launch(const WorkGroup& group) : Launch(*group.directory, group.kernel_object, group.entry_pc) {}

  CodePlace place(uint64_t pc) const {
    Program* program = directory_.program_at(pc);
    if (!program) return {"", fmt::format("address {:#x}", pc)};
    Program::CodeLocation at = program->describe(pc);
    std::string where = at.is_behind            ? fmt::format("address {:#x}, behind the end of {}", pc, at.function)
                        : at.function == kernel ? fmt::format("offset {:#x}", at.offset)
                                                : fmt::format("{}+{:#x}", at.function, at.offset);
    if (!at.source.empty()) where += ", " + at.source;
    return {std::move(at.text), std::move(where)};
  }
  std::string unsupported_reason(uint64_t pc) const {
    Program* program = directory_.program_at(pc);
    return program ? program->unsupported_reason(pc) : std::string();
  }

  std::string kernel = "?";

private:
  ProgramDirectory& directory_;
};

std::string group_text(const WorkGroup& group) {
  return fmt::format("work-group ({}, {}, {})", group.id[0], group.id[1], group.id[2]);
}

// An access that the wave may not make.
Status access_report(const Wave& wave, const Launch& launch, const CodePlace& at, std::string_view where) {
  const bool is_private = flat_place(&wave, wave.fault_address).space == MemorySpace::Scratch;
  std::string what;
  if (const uint64_t bytes = wave.fault_value) // an atomic (access.h)
    what = fmt::format("accesses the address {:#x}, which is not a multiple of the atomic's {} bytes: {}",
                       wave.fault_address, bytes, describe_address(wave));
  else if (is_private)
    what = fmt::format("overflows the stack: it accesses {}. Recursion and large local variables need more, which "
                       "hipDeviceSetLimit(hipLimitStackSize, bytes) gives; else an index lies outside a local array",
                       describe_address(wave));
  else
    what = fmt::format("accesses the address {:#x}, which is not accessible: {}", wave.fault_address,
                       describe_address(wave));
  return Status(ErrorCode::IllegalAddress, fmt::format("Kernel {}: '{}' {} ({}, {}, {}).", launch.kernel, at.text, what,
                                                       at.where, where, lanes_text(wave.fault_lanes)));
}

// One note for each instruction: kernels that read so do it in every launch.
void note_read_of_lent(const GuestContext& context) noexcept try {
  Wave& wave = *context.wave->current;
  const auto before = std::tuple(wave.fault_inst, wave.fault_address, wave.fault_lanes);
  wave_with_access(context);
  const WorkGroup& group = *wave.group;
  const Launch launch(group);
  const CodePlace at = launch.place(wave.fault_inst ? wave.fault_inst->pc : 0);
  const std::string what = describe_address(wave);
  const std::string lanes = lanes_text(wave.fault_lanes);
  std::tie(wave.fault_inst, wave.fault_address, wave.fault_lanes) = before;

  static std::mutex mutex;
  static std::set<std::string> told;
  {
    std::lock_guard lock(mutex);
    if (!told.insert(fmt::format("{} {}", launch.kernel, at.where)).second) return;
  }
  wave.space->note(
      fmt::format("Kernel {}: '{}' reads behind an allocation, and gets zeros: {} ({}, {}, wave {}, {}). With "
                  "OMNIHIP_SOFT_STRICT_READS=1 this is an error.",
                  launch.kernel, at.text, what, at.where, group_text(group), wave.index_in_group, lanes));
} catch (const std::exception&) {
  // No memory for the note; the read itself needs none.
}

} // namespace

Wave& wave_with_access(const GuestContext& context) noexcept {
  Wave& wave = *context.wave->current;
  const ProgramDirectory& directory = *wave.group->directory;
  wave.fault_address = context.fault_address;
  wave.fault_inst = wave.pc;
  // Wave::pc is the element of the region that translated code runs in; it knows where the function begins.
  const uint64_t pc = is_precompiled_code(context.host_pc) ? wave.pc->imm[1] + wave.guest_pc
                                                           : directory.guest_pc_of(context.host_pc, wave.guest_pc);
  if (pc) wave.fault_inst = wave.program->resolve(pc);
  // Where translated code has its registers is not known; what it calls says which lane it is at.
  if (pc)
    wave.fault_lanes = 0;
  else if (!wave.fault_lanes)
    wave.fault_lanes = wave.program->lanes_that_access(wave, wave.fault_inst->pc, wave.fault_address);
  return wave;
}

void install_fault_handlers() noexcept {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
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

void interrupt_guest(const GuestContext& context) noexcept {
  sigval value{};
  value.sival_ptr = const_cast<char*>(&interrupt_mark);
  pthread_sigqueue(context.thread, SIGSEGV, value);
}

Status fault_report(const Wave& wave, const WorkGroup& group) {
  const Inst* inst = wave.fault_inst ? wave.fault_inst : wave.pc;
  const uint64_t pc = inst ? inst->pc : 0;
  const Launch launch(group);
  const CodePlace at = launch.place(pc);
  const std::string where = fmt::format("{}, wave {}", group_text(group), wave.index_in_group);
  const auto report = [&](ErrorCode code, std::string what) {
    return Status(code, fmt::format("Kernel {}: {} ({}, {}).", launch.kernel, what, at.where, where));
  };
  switch (wave.fault) {
  case FaultKind::Memory:
    return access_report(wave, launch, at, where);
  case FaultKind::Lds:
    return report(ErrorCode::IllegalAddress,
                  fmt::format("'{}' accesses LDS at {:#x}, outside the work-group's {} bytes", at.text,
                              wave.fault_address, wave.lds_bytes));
  case FaultKind::Undecodable:
    return report(ErrorCode::InvalidKernelFile, fmt::format("there is no instruction at {:#x}: '{}'", pc, at.text));
  case FaultKind::Unimplemented:
    return report(ErrorCode::InvalidKernelFile,
                  fmt::format("the instruction '{}' is not implemented by the software GPU", at.text));
  case FaultKind::Unsupported: {
    const std::string reason = launch.unsupported_reason(pc);
    return report(ErrorCode::InvalidKernelFile, fmt::format("the software GPU does not execute this form of '{}'{}{}",
                                                            at.text, reason.empty() ? "" : ": ", reason));
  }
  case FaultKind::BadJump: {
    std::string what = fmt::format("control reaches the address {:#x}, where no code object has an instruction", pc);
    if (wave.fault_address == pc) return report(ErrorCode::LaunchFailure, what);
    const CodePlace from = launch.place(wave.fault_address);
    return Status(ErrorCode::LaunchFailure,
                  fmt::format("Kernel {}: {}: {}. It comes from '{}' ({}, {}).", launch.kernel, what,
                              wave.space->describe(pc), from.text, from.where, where));
  }
  case FaultKind::NoMemory:
    return Status(
        ErrorCode::OutOfMemory,
        fmt::format("Kernel {}: the host has no memory for the decoded form of its code ({}).", launch.kernel, where));
  case FaultKind::Trap: {
    constexpr uint64_t kNopBytes = 4; // which the device library has before an assertion's trap
    if (launch.place(pc - kNopBytes).text == "s_nop 13") return report(ErrorCode::Assert, "an assertion fails");
    return report(ErrorCode::LaunchFailure, fmt::format("'{}' stops the kernel (trap {})", at.text, wave.fault_value));
  }
  case FaultKind::None:
    break;
  }
  return report(ErrorCode::LaunchFailure, "the wave stops without a reason");
}

Status time_out_report(const GridShape& shape, const WorkGroup* group, std::string_view limit, const Wave* interrupted,
                       uint64_t pc) {
  const Launch launch(*shape.directory, shape.kernel_object, shape.entry_pc);
  std::string where = group ? group_text(*group) : std::string("between two work-groups");
  const char* separator = ": ";
  const auto add = [&](uint32_t first, uint32_t end, std::string_view how, uint64_t at_pc) {
    const CodePlace at = launch.place(at_pc);
    where += separator;
    where += end == first + 1 ? fmt::format("wave {}", first) : fmt::format("waves {}-{}", first, end - 1);
    where += fmt::format(" {} '{}' ({})", how, at.text, at.where);
    separator = "; ";
  };
  if (interrupted && pc) {
    add(interrupted->index_in_group, interrupted->index_in_group + 1, "at", pc);
  }
  // Of a batch in translated code only the wave in execution is known.
  if (group && (!interrupted || group->waves[0]->batch == 0)) {
    // Waves side by side at the same place are named together.
    for (uint32_t k = 0, end; k < group->wave_count; k = end) {
      end = k + 1;
      const WorkGroup::WaveState state = group->state[k];
      const uint64_t at_pc = group->waves[k]->pc->pc;
      if (state == WorkGroup::WaveState::Ended || group->waves[k] == interrupted) continue;
      while (end < group->wave_count && group->state[end] == state && group->waves[end]->pc->pc == at_pc &&
             group->waves[end] != interrupted)
        ++end;
      add(k, end, state == WorkGroup::WaveState::AtBarrier ? "at the barrier in front of" : "at", at_pc);
    }
  }
  return Status(ErrorCode::LaunchTimeOut,
                fmt::format("Kernel {}: it has executed for longer than {}, and is ended. It was in {}.", launch.kernel,
                            limit, where));
}

} // namespace hip::engine
