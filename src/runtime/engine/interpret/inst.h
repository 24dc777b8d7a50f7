// runtime/engine/interpret/inst.h - one element of a wave program: the handler that executes it and its operands, resolved to
// byte offsets from the wave's block, in one cache line. Handlers are threaded: each ends in a tail call of the next.
#pragma once

#include "runtime/engine/wave/wave.h"

#include <cstdint>

namespace hip::engine {

// A handler executes one instruction and tail-calls the next one's handler (RT_NEXT), or sets wave.pc and wave.stop and returns
// to run_wave.
#define RT_HANDLER_CC __attribute__((preserve_none))
using Handler = void RT_HANDLER_CC (*)(Wave*, const Inst*);

// Inst::flags
enum InstFlag : uint32_t {
  kSrcVector = 1u << 0,  // << k: operand k is a VGPR row (else one scalar for all lanes)
  kSrcConst = 1u << 3,   // << k: operand k is imm[k] (src[k] is then an offset from the Inst, not from the wave)
  kNeg = 1u << 6,        // << k
  kAbs = 1u << 9,        // << k (packed math: neg_hi)
  kOpSel = 1u << 12,     // << k, bit 3: destination
  kOpSelHi = 1u << 16,   // << k
  kClamp = 1u << 19,
  kOmodShift = 20,       // 2 bits: 0 none, 1 *2, 2 *4, 3 /2
  kDpp = 1u << 22,       // control word in imm[2]
  kSdwa = 1u << 23,      // selects in imm[2]
  kHasSdst = 1u << 24,   // dst2 is an SGPR (pair) that is written
  kWriteExec = 1u << 25, // v_cmpx: the mask also goes to EXEC
  kMask32 = 1u << 28,    // lane masks are one SGPR: the wave has 32 lanes
  kKeepHigh = 1u << 29,  // a 16-bit result leaves the upper half of its register alone
  kClampKeepsNan = 1u << 30, // of an f32, f64 or f16: clamp leaves a NaN as it is
  // A region of translated code that can be a loop over the waves of a batch (Wave::batch).
  kRunsBatch = 1u << 26,
  kStartsBatch = 1u << 27, // likewise, at a kernel's start: only the batch's first wave has to be initialised (WorkGroup::start)
};

struct alignas(64) Inst {
  Handler run;
  uint32_t src[3]; // byte offsets of the source operands
  uint32_t dst;    // byte offset of the destination register in the wave's block
  uint32_t dst2;   // the lane mask destination (compares, carry out); else a fourth source, or a field of the format
  uint32_t flags;  // InstFlag; in elements of memory instructions the bits have other meanings (memory/lift.h)
  uint64_t imm[3]; // constants of the operands; branch targets (const Inst*); offsets of memory instructions
  uint64_t pc;     // address of the instruction in device memory
};
static_assert(sizeof(Inst) == 64);

// A register of this wave at a byte offset.
template <class T> inline T& at(Wave* w, uint32_t offset) noexcept {
  return *reinterpret_cast<T*>(reinterpret_cast<char*>(w) + offset);
}

// Ends the wave's run at instruction `i` with a fault. The caller must return right after it.
inline void stop_with_fault(Wave* w, const Inst* i, FaultKind kind, uint64_t value = 0) noexcept {
  w->stop = Stop::Fault;
  w->fault = kind;
  w->fault_inst = i;
  w->fault_value = value;
  w->pc = i;
}

} // namespace hip::engine

#define RT_JUMP(wave, target)                                                                                          \
  do {                                                                                                                 \
    const ::hip::engine::Inst* rt_target_ = (target);                                                                  \
    [[clang::musttail]] return rt_target_->run((wave), rt_target_);                                                    \
  } while (0)
#define RT_NEXT(wave, inst) RT_JUMP(wave, (inst) + 1)
