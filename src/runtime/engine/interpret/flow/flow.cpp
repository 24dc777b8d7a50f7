// runtime/engine/interpret/flow/flow.cpp - branches, calls, barriers, waits, traps, hardware registers, clocks, and VGPR indexing.
// Compiled once for all host levels.
#include "runtime/engine/decode/mode_write.h"
#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/program.h"
#include "runtime/engine/interpret/rows.h"
#include "runtime/engine/shader_clock.h"
#include "runtime/engine/wave/group.h"
#include "runtime/engine/wave/run.h"

#include <bit>
#include <time.h>

namespace hip::engine {
namespace {

// --- stops
void stop(Wave* w, const Inst* continue_at, Stop why) noexcept {
  w->pc = continue_at;
  w->stop = why;
}
void RT_HANDLER_CC s_endpgm(Wave* w, const Inst* i) { stop(w, i, Stop::Ended); }
void RT_HANDLER_CC s_barrier(Wave* w, const Inst* i) { stop(w, i + 1, Stop::Barrier); }
void RT_HANDLER_CC s_sleep(Wave* w, const Inst* i) {
  w->waits = Waits::Still; // programs sleep where they wait
  stop(w, i + 1, Stop::Yield);
}
// A wave arrives once, and then comes here again, turn after turn, until as many have arrived as the register says,
// plus 1 (ERRATA 65). A wave of no grid waits for none.
void RT_HANDLER_CC ds_gws_barrier(Wave* w, const Inst* i) {
  WaveSync* const all = w->group && w->group->grid ? w->group->grid->sync : nullptr;
  if (!all) RT_NEXT(w, i);
  WaveSync& sync = all[(i->imm[0] + (w->sgpr[kM0] >> 16)) % kWaveSyncs];
  if (w->sync_ticket == 0) {
    const uint64_t exec = w->exec();
    const uint32_t lane = exec ? uint32_t(std::countr_zero(exec)) : 0;
    const uint64_t wanted = uint64_t{(&at<uint32_t>(w, i->src[0]))[lane]} + 1;
    const uint32_t generation = sync.generation.load(std::memory_order_acquire);
    if (sync.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 >= wanted) {
      sync.arrived.store(0, std::memory_order_relaxed);
      sync.generation.store(generation + 1, std::memory_order_release);
      RT_NEXT(w, i);
    }
    w->sync_ticket = uint64_t{generation} + 1;
    w->waits = Waits::Since;
  } else if (sync.generation.load(std::memory_order_acquire) != uint32_t(w->sync_ticket - 1)) {
    w->sync_ticket = 0;
    RT_NEXT(w, i);
  } else {
    w->waits = Waits::Still;
  }
  stop(w, i, Stop::Yield);
}
// Says how many waves the next barrier is for, which that says, too.
void RT_HANDLER_CC ds_gws_init(Wave* w, const Inst* i) { RT_NEXT(w, i); }
constexpr uint64_t kDebugTrap = 3;
void RT_HANDLER_CC s_trap(Wave* w, const Inst* i) {
  if (i->imm[0] == kDebugTrap) RT_NEXT(w, i); // a breakpoint without a debugger (ERRATA 31)
  stop_with_fault(w, i, FaultKind::Trap, i->imm[0]);
}

// --- branches: imm[0] is the target's element, imm[2] what the loop that the branch repeats can change when it may wait for other
// waves (Program fills them in)
[[gnu::noinline, gnu::cold]] bool turn_is_over(Wave* w, const Inst* branch) noexcept {
  const auto* changing = reinterpret_cast<const std::vector<StateRange>*>(branch->imm[2]);
  return changing ? turn_is_over(*w, changing->data(), uint32_t(changing->size())) : turn_is_over(*w, nullptr, 0);
}
#define BRANCH_TO(target)                                                                                              \
  do {                                                                                                                 \
    const Inst* branch_target = (target);                                                                              \
    if (--w->budget.left < 0 && turn_is_over(w, i)) [[unlikely]] return stop(w, branch_target, Stop::Yield);           \
    RT_JUMP(w, branch_target);                                                                                         \
  } while (0)
#define BRANCH(name, condition)                                                                                        \
  void RT_HANDLER_CC name(Wave* w, const Inst* i) {                                                                    \
    if (condition) BRANCH_TO(reinterpret_cast<const Inst*>(i->imm[0]));                                                \
    RT_NEXT(w, i);                                                                                                     \
  }
BRANCH(s_branch, true)
BRANCH(s_cbranch_scc0, w->scc == 0)
BRANCH(s_cbranch_scc1, w->scc != 0)
BRANCH(s_cbranch_vccz, w->vcc() == 0)
BRANCH(s_cbranch_vccnz, w->vcc() != 0)
BRANCH(s_cbranch_vccz_32, w->sgpr[kVccLo] == 0) // waves of 32 lanes: VCC_HI is an ordinary register
BRANCH(s_cbranch_vccnz_32, w->sgpr[kVccLo] != 0)
BRANCH(s_cbranch_execz, w->exec() == 0)
BRANCH(s_cbranch_execnz, w->exec() != 0)
#undef BRANCH

uint64_t scalar64(Wave* w, const Inst* i, int k) noexcept {
  return i->flags & (kSrcConst << k) ? i->imm[k] : at<uint64_t>(w, i->src[k]);
}
uint32_t scalar32(Wave* w, const Inst* i, int k) noexcept {
  return i->flags & (kSrcConst << k) ? uint32_t(i->imm[k]) : at<uint32_t>(w, i->src[k]);
}
// (Wave::pc says where control comes from, for the report of a jump to where there is no code.)
void RT_HANDLER_CC s_setpc_b64(Wave* w, const Inst* i) {
  w->pc = i;
  BRANCH_TO(w->program->enter(scalar64(w, i, 0), Program::Jump::Other, w->mode));
}
void RT_HANDLER_CC s_swappc_b64(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t target = scalar64(w, i, 0);
  at<uint64_t>(w, i->dst) = i->pc + 4;
  BRANCH_TO(w->program->enter(target, Program::Jump::Call, w->mode));
}
void RT_HANDLER_CC s_call_b64(Wave* w, const Inst* i) {
  at<uint64_t>(w, i->dst) = i->pc + 4;
  BRANCH_TO(w->program->enter(i->imm[1], Program::Jump::Call, w->mode));
}
void RT_HANDLER_CC s_getpc_b64(Wave* w, const Inst* i) {
  at<uint64_t>(w, i->dst) = i->pc + 4;
  RT_NEXT(w, i);
}
#undef BRANCH_TO

// --- hardware registers
constexpr uint32_t kModeIndexing = 3u << 27; // GPR_IDX_EN and VSKIP of gfx9: instructions of their own set them
uint32_t status(const Wave* w) noexcept {
  const uint64_t vcc = w->lanes == 32 ? w->sgpr[kVccLo] : w->vcc();
  const bool in_group = w->group->wave_count > 1 && w->program->target().family->descriptor < codeobject::DescriptorLayout::Gfx12;
  return w->scc | uint32_t(w->exec() == 0) << 9 | uint32_t(vcc == 0) << 10 | uint32_t(in_group) << 11 | 1u << 16; // valid
}
// Which wave of which SIMD of which compute unit it is: HW_ID of gfx9 (register 4), HW_ID1 since gfx10, where two compute
// units are a work-group processor (ERRATA 57).
uint32_t hardware_id(const Wave* w, uint32_t number) noexcept {
  constexpr uint32_t kSimds = 4;
  const uint32_t unit = w->group->grid->compute_unit_of(w->group->id);
  const uint32_t simd = w->index_in_group % kSimds, slot = w->index_in_group / kSimds;
  if (number == 4) return slot | simd << 4 | (unit & 15) << 8 | (unit >> 7 & 1) << 12 | (unit >> 4 & 7) << 13;
  return slot | (simd & 1) << 8 | (unit & 1) << 9 | (unit >> 1 & 15) << 10 | (unit >> 5 & 1) << 16 | (unit >> 6 & 7) << 18;
}
uint32_t read_hwreg(const Wave* w, uint32_t number) noexcept {
  switch (w->program->target().hardware_register(number)) {
  case HardwareRegister::Mode: return w->mode & ~w->program->target().fixed_mode();
  case HardwareRegister::Status: return status(w);
  case HardwareRegister::HardwareId: return hardware_id(w, number);
  case HardwareRegister::MemoryBases: return uint32_t(w->private_aperture >> 48) | uint32_t(w->shared_aperture >> 48) << 16;
  case HardwareRegister::ShaderCyclesLo: return uint32_t(shader_clock());
  case HardwareRegister::ShaderCyclesHi: return uint32_t(shader_clock() >> 32);
  default: return 0; // ERRATA 57
  }
}
void RT_HANDLER_CC s_getreg_b32(Wave* w, const Inst* i) {
  const HwField field(i->imm[1]);
  if (w->program->target().hardware_register(field.id) == HardwareRegister::Allocation) [[unlikely]]
    return stop_with_fault(w, i, FaultKind::Unsupported);
  at<uint32_t>(w, i->dst) = (read_hwreg(w, field.id) >> field.shift) & field.mask;
  RT_NEXT(w, i);
}
// Goes on behind the instruction in the program for the MODE, where imm[2] (Program) says what address that is. Translated code
// goes on in itself, for it knows what the instruction does to MODE.
#define SET_MODE(w, i, wanted)                                                                                                   \
  do {                                                                                                                           \
    (w)->mode = (wanted) | (w)->program->target().fixed_mode();                                                                  \
    if ((w)->group) (w)->group->untouched = false;                                                                               \
    Program* const program = (w)->program->try_for_mode((w)->mode);                                                              \
    if (program == (w)->program) [[likely]]                                                                                      \
      RT_NEXT(w, i);                                                                                                             \
    if (!program) return stop_with_fault(w, i, FaultKind::NoMemory);                                                             \
    (w)->program = program;                                                                                                      \
    if (!(i)->imm[2]) RT_NEXT(w, i);                                                                                             \
    RT_JUMP(w, program->resolve((i)->imm[2]));                                                                                   \
  } while (0)
void RT_HANDLER_CC s_setreg_b32(Wave* w, const Inst* i) {
  const HwField field(i->imm[1]);
  // User code cannot write the other registers, or they have no effect here.
  if (field.id != kModeNumber) RT_NEXT(w, i);
  const uint32_t mode = (w->mode & ~(field.mask << field.shift)) | (scalar32(w, i, 0) & field.mask) << field.shift;
  if (mode & kModeIndexing & field.mask << field.shift) return stop_with_fault(w, i, FaultKind::Unsupported);
  SET_MODE(w, i, mode);
}

// The constant holds MODE's four bits for rounding, or those for denormals.
template <uint32_t kShift> void RT_HANDLER_CC set_float_mode(Wave* w, const Inst* i) {
  SET_MODE(w, i, (w->mode & ~(15u << kShift)) | (uint32_t(i->imm[0]) & 15) << kShift);
}
#undef SET_MODE

// A constant 100 MHz.
uint64_t realtime_ticks() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 100000000u + uint64_t(now.tv_nsec) / 10;
}

// --- messages that return something: of those that compute code sends, the clock; nothing else is known here
constexpr uint64_t kMessageRealtime = 0x83;
template <class T> void RT_HANDLER_CC s_sendmsg_rtn(Wave* w, const Inst* i) {
  uint64_t answer = 0;
  if (i->imm[0] == kMessageRealtime) answer = realtime_ticks();
  at<T>(w, i->dst) = T(answer);
  RT_NEXT(w, i);
}

// --- clocks
void RT_HANDLER_CC s_memtime(Wave* w, const Inst* i) {
  at<uint64_t>(w, i->dst) = shader_clock();
  RT_NEXT(w, i);
}
void RT_HANDLER_CC s_memrealtime(Wave* w, const Inst* i) {
  at<uint64_t>(w, i->dst) = realtime_ticks();
  RT_NEXT(w, i);
}

// --- SGPR indexing by M0
bool in_sgpr_file(const Wave* w, uint32_t offset, uint32_t bytes) noexcept {
  return offset >= Wave::sgpr_offset(0) && offset + bytes <= Wave::sgpr_offset(kVccLo);
}
template <class T> void RT_HANDLER_CC s_movrels(Wave* w, const Inst* i) {
  const uint32_t from = i->src[0] + w->sgpr[kM0] * 4;
  if (!in_sgpr_file(w, from, sizeof(T))) return stop_with_fault(w, i, FaultKind::Unsupported);
  at<T>(w, i->dst) = at<T>(w, from);
  RT_NEXT(w, i);
}
template <class T> void RT_HANDLER_CC s_movreld(Wave* w, const Inst* i) {
  const uint32_t to = i->dst + w->sgpr[kM0] * 4;
  if (!in_sgpr_file(w, to, sizeof(T))) return stop_with_fault(w, i, FaultKind::Unsupported);
  at<T>(w, to) = T(sizeof(T) == 8 ? scalar64(w, i, 0) : scalar32(w, i, 0));
  RT_NEXT(w, i);
}
void RT_HANDLER_CC s_movrelsd_2_b32(Wave* w, const Inst* i) {
  const uint32_t from = i->src[0] + (w->sgpr[kM0] & 0x3ff) * 4, to = i->dst + (w->sgpr[kM0] >> 16 & 0x3ff) * 4;
  if (!in_sgpr_file(w, from, 4) || !in_sgpr_file(w, to, 4)) return stop_with_fault(w, i, FaultKind::Unsupported);
  at<uint32_t>(w, to) = at<uint32_t>(w, from);
  RT_NEXT(w, i);
}

// --- VGPR indexing: between s_set_gpr_idx_on and s_set_gpr_idx_off, M0[7:0] is added to the VGPR numbers of those VALU operands
// that M0[15:12] selects. Compilers put an instruction or two in between. Each is executed as a copy with shifted offsets,
// followed by an element that returns to this handler.
void RT_HANDLER_CC s_set_gpr_idx_off(Wave* w, const Inst* i) { RT_NEXT(w, i); }
void RT_HANDLER_CC return_here(Wave*, const Inst*) {}
void set_index(Wave* w, uint32_t index) noexcept { w->sgpr[kM0] = (w->sgpr[kM0] & ~0xffu) | (index & 0xff); }
void RT_HANDLER_CC s_set_gpr_idx_idx(Wave* w, const Inst* i) {
  set_index(w, scalar32(w, i, 0));
  RT_NEXT(w, i);
}
void RT_HANDLER_CC s_set_gpr_idx_mode(Wave* w, const Inst* i) {
  w->sgpr[kM0] = (w->sgpr[kM0] & ~0xf000u) | (uint32_t(i->imm[1]) & 15) << 12;
  RT_NEXT(w, i);
}
// Returns whether the element is to be executed: a destination behind the wave's registers is not written.
bool shift_registers(const Wave* w, Inst& inst) noexcept {
  const uint32_t limit = Wave::vgpr_offset(w->vgpr_rows), m0 = w->sgpr[kM0], shift = (m0 & 0xff) * kRowBytes;
  if (inst.dst < Wave::vgpr_offset(0) && (inst.flags & (7 * kSrcVector)) == 0) return true;
  for (int k = 0; k < 3; ++k)
    if ((m0 >> (12 + k) & 1) && (inst.flags & (kSrcVector << k))) {
      inst.src[k] += shift;
      if (inst.src[k] >= limit) inst.src[k] = Wave::vgpr_offset(0); // ERRATA 29
    }
  if (!(m0 >> 15 & 1) || inst.dst < Wave::vgpr_offset(0)) return true;
  inst.dst += shift;
  return inst.dst < limit;
}
void RT_HANDLER_CC s_set_gpr_idx_on(Wave* w, const Inst* i) {
  set_index(w, scalar32(w, i, 0));
  w->sgpr[kM0] = (w->sgpr[kM0] & ~0xf000u) | (uint32_t(i->imm[1]) & 15) << 12;
  const Inst* next = i + 1;
  for (; next->run != s_set_gpr_idx_off; ++next) {
    Inst pair[2] = {*next, {}};
    pair[1].run = return_here;
    bool write = true;
    if (const InstByMode* by = by_mode(*next)) {
      InstByMode shifted = *by;
      write = shift_registers(w, shifted.inst);
      if (shifted.other.run) shift_registers(w, shifted.other);
      pair[0].imm[0] = reinterpret_cast<uint64_t>(&shifted);
      if (write) pair[0].run(w, pair);
    } else {
      write = shift_registers(w, pair[0]);
      if (write) pair[0].run(w, pair);
    }
    if (w->stop != Stop::None) { // only a fault stops the wave in here: there are no branches in between
      w->fault_inst = next;
      w->pc = next;
      return;
    }
  }
  RT_JUMP(w, next);
}

// --- rows
std::string lift_plain(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  out.run = raw.lanes == 32 && row.run[1] ? row.run[1] : row.run[0];
  out.imm[0] = uint64_t(uint32_t(raw.simm16));
  return {};
}
// One scalar source, a scalar destination, the 16-bit field in imm[1].
std::string lift_scalar(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  out.run = row.run[0];
  if (raw.source_count > 0) {
    const Operand& source = raw.src[0];
    if (source.is_constant())
      out.imm[0] = source.imm, out.flags |= kSrcConst;
    else if (!operand_offset(source, out.src[0]))
      return "its source is a register that it cannot read";
  }
  if ((raw.sdst || raw.discards) && !scalar_destination(raw, out.dst)) return "its destination is not a register";
  out.imm[1] = uint64_t(uint32_t(raw.simm16));
  return {};
}
std::string lift_gpr_index(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  std::string problem = lift_scalar(row, raw, out);
  if (raw.source_count > 1 && raw.src[1].is_constant()) out.imm[1] = raw.src[1].imm;
  return problem;
}

std::string lift_mode_write(const OpRow& row, const ResolvedInst& raw, Inst& out) {
  const bool has_constant = raw.opcode == Opcode::s_round_mode || raw.opcode == Opcode::s_denorm_mode;
  return has_constant ? lift_plain(row, raw, out) : lift_scalar(row, raw, out);
}

#define PLAIN(name, handler) {Opcode::name, lift_plain, {handler, nullptr, nullptr, nullptr}}
#define SCALAR(name, handler) {Opcode::name, lift_scalar, {handler, nullptr, nullptr, nullptr}}
#define SETS_MODE(name, handler) {Opcode::name, lift_mode_write, {handler, nullptr, nullptr, nullptr}}
constexpr OpRow kRows[] = {
    PLAIN(s_endpgm, s_endpgm),
    PLAIN(s_endpgm_saved, s_endpgm),
    PLAIN(s_endpgm_ordered_ps_done, s_endpgm),
    PLAIN(s_barrier, s_barrier),
    PLAIN(s_sleep, s_sleep),
    {Opcode::ds_gws_barrier, lift_wave_sync, {ds_gws_barrier}},
    {Opcode::ds_gws_init, lift_wave_sync, {ds_gws_init}},
    PLAIN(s_trap, s_trap),
    PLAIN(s_branch, s_branch),
    PLAIN(s_cbranch_scc0, s_cbranch_scc0),
    PLAIN(s_cbranch_scc1, s_cbranch_scc1),
    {Opcode::s_cbranch_vccz, lift_plain, {s_cbranch_vccz, s_cbranch_vccz_32}},
    {Opcode::s_cbranch_vccnz, lift_plain, {s_cbranch_vccnz, s_cbranch_vccnz_32}},
    PLAIN(s_cbranch_execz, s_cbranch_execz),
    PLAIN(s_cbranch_execnz, s_cbranch_execnz),
    SCALAR(s_setpc_b64, s_setpc_b64),
    SCALAR(s_swappc_b64, s_swappc_b64),
    SCALAR(s_call_b64, s_call_b64),
    SCALAR(s_getpc_b64, s_getpc_b64),
    SCALAR(s_getreg_b32, s_getreg_b32),
    SETS_MODE(s_setreg_b32, s_setreg_b32),
    SETS_MODE(s_setreg_imm32_b32, s_setreg_b32),
    SCALAR(s_memtime, s_memtime),
    SCALAR(s_memrealtime, s_memrealtime),
    SCALAR(s_sendmsg_rtn_b32, s_sendmsg_rtn<uint32_t>),
    SCALAR(s_sendmsg_rtn_b64, s_sendmsg_rtn<uint64_t>),
    SCALAR(s_get_shader_cycles_u64, s_memtime),
    SETS_MODE(s_round_mode, set_float_mode<0>),
    SETS_MODE(s_denorm_mode, set_float_mode<4>),
    SCALAR(s_movrelsd_2_b32, s_movrelsd_2_b32),
    SCALAR(s_movrels_b32, s_movrels<uint32_t>),
    SCALAR(s_movrels_b64, s_movrels<uint64_t>),
    SCALAR(s_movreld_b32, s_movreld<uint32_t>),
    SCALAR(s_movreld_b64, s_movreld<uint64_t>),
    {Opcode::s_set_gpr_idx_on, lift_gpr_index, {s_set_gpr_idx_on, nullptr, nullptr, nullptr}},
    PLAIN(s_set_gpr_idx_off, s_set_gpr_idx_off),
    SCALAR(s_set_gpr_idx_idx, s_set_gpr_idx_idx),
    SCALAR(s_set_gpr_idx_mode, s_set_gpr_idx_mode),
};

} // namespace

std::span<const OpRow> flow_rows() noexcept { return kRows; }

void restore_host_state(uint32_t control) noexcept {
  clear_upper_halves();
  constexpr uint32_t kHappened = 0x3f; // the low six bits record exceptions and control nothing
  if ((__builtin_ia32_stmxcsr() ^ control) & ~kHappened) __builtin_ia32_ldmxcsr(control);
}

void run_wave(Wave& wave) noexcept {
  const uint32_t host = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(kGuestControl);
  wave.stop = Stop::None;
  wave.pc->run(&wave, wave.pc);
  restore_host_state(host);
}

} // namespace hip::engine
