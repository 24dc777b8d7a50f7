// runtime/engine/interpret/by_mode.cpp - see by_mode.h.
#include "runtime/engine/interpret/by_mode.h"

#include "runtime/engine/wave/run.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace hip::engine {
namespace {

constexpr uint32_t kOperands = 3, kRegisters = 2; // of one operand or result
// The value with denormals replaced by zeros of their sign.
uint32_t flushed_single(uint32_t v) noexcept { return v & (v & 0x7f800000u ? ~0u : 0x80000000u); }
uint32_t flushed_halves(uint32_t v, uint32_t halves) noexcept {
  const uint32_t low = halves & 1 && !(v & 0x7c00u) ? 0xffff8000u : ~0u,
                 high = halves & 2 && !(v & 0x7c000000u) ? 0x8000ffffu : ~0u;
  return v & low & high;
}
bool is_denormal_high(uint32_t high) noexcept { return !(high & 0x7ff00000u); } // of an f64
uint64_t flushed_double(uint64_t v) noexcept { return is_denormal_high(uint32_t(v >> 32)) ? v & (1ull << 63) : v; }
// `kind` in both dwords of a constant or of a pair of scalar registers.
uint64_t flushed(uint64_t v, FloatKind kind) noexcept {
  switch (kind) {
  case FloatKind::Single:
    return flushed_single(uint32_t(v)) | uint64_t(flushed_single(uint32_t(v >> 32))) << 32;
  case FloatKind::Double:
    return flushed_double(v);
  case FloatKind::Half:
    return flushed_halves(uint32_t(v), 3) | (v & 0xffffffff00000000ull);
  case FloatKind::None:
    break;
  }
  return v;
}

void RT_HANDLER_CC return_here(Wave*, const Inst*) {}
// A function with variables that AddressSanitizer watches can neither call a handler nor be one: so this and execute()
// are out of line.
[[gnu::noinline]] void call(Wave& wave, const Inst* i) { i->run(&wave, i); }

// Executes an instruction, or some element in front of one that returns, with the host's rounding set.
void run_rounding(Wave& wave, const Inst* i, ModeRounding rounding) noexcept {
  if (rounding != kRoundNearest) __builtin_ia32_ldmxcsr(host_control(rounding));
  call(wave, i);
  if (rounding != kRoundNearest) __builtin_ia32_ldmxcsr(kGuestControl);
}

// MODE.FP16_OVFL: the halves that overflowed are the largest number. Rounding towards zero makes no infinities of
// numbers.
uint32_t limited_halves(uint32_t rounded, uint32_t towards_zero) noexcept {
  uint32_t mask = 0;
  if ((rounded & 0x7fffu) == 0x7c00u && (towards_zero & 0x7fffu) == 0x7bffu) mask |= 0xffffu;
  if ((rounded >> 16 & 0x7fffu) == 0x7c00u && (towards_zero >> 16 & 0x7fffu) == 0x7bffu) mask |= 0xffff0000u;
  return (rounded & ~mask) | (towards_zero & mask);
}

// Rows behind the guest's registers, for copies of operands: two for each.
uint32_t spare_row(uint32_t k) noexcept { return kMaxVgprs + kRegisters * k; }
static_assert(kOperands * kRegisters <= kWidestOperand);

// One execution of an instruction: the element that is run, with its operands changed, and what it has stored.
class Execution {
public:
  Execution(Wave& wave, const InstByMode& by) noexcept
      : wave_(wave), by_(by), mode_(wave.mode), result_(by.shape.float_result()) {
    pair_[0] = takes_other(by, mode_) ? by.other : by.inst;
    pair_[1].run = return_here;
    if (!(mode_ & kModeDx10Clamp)) pair_[0].flags |= kClampKeepsNan;
    flushes_ = result_ != FloatKind::None && !(denormals_of(mode_, result_) & kGivesDenormals);
    limits_ = result_ == FloatKind::Half && mode_ & kModeFp16Overflow;
    partial_ = (pair_[0].flags & (kDpp | kSdwa)) != 0;
    repeats_ = limits_ || (flushes_ && partial_);
  }
  void run() noexcept {
    for (uint32_t k = 0; k < std::min(by_.shape.parameters(), kOperands); ++k) prepare(k);
    if (flushes_ || limits_) copy(old_, rows());
    run_once(by_.rounds ? rounding_of(mode_, result_) : kRoundNearest);
    if (limits_) limit();
    if (flushes_) flush_result();
  }

private:
  using Row = uint32_t[kMaxLanes];
  uint32_t registers() const noexcept { return std::min(by_.shape.rows(), kRegisters); }
  Row* rows() noexcept { return &at<Row>(&wave_, pair_[0].dst); }
  void copy(Row* to, const Row* from) const noexcept { std::memcpy(to, from, registers() * kRowBytes); }

  void run_once(ModeRounding rounding) noexcept { run_rounding(wave_, pair_, rounding); }

  // Puts a copy of operand k into spare rows or a constant, with its denormals flushed where MODE says so. An
  // instruction that is executed twice must not read what it has written.
  void prepare(uint32_t k) noexcept {
    Inst& inst = pair_[0];
    if (!is_number(by_, k) || by_.shape.dwords(k) > kRegisters) return;
    const FloatKind kind = float_kind(by_, k, inst.flags & (kOpSelHi << k));
    const bool flush = kind != FloatKind::None && !(denormals_of(mode_, kind) & kTakesDenormals);
    if (!(inst.flags & (kSrcVector << k))) {
      if (flush) flush_scalar(k, kind);
      return;
    }
    if (!flush && !repeats_) return;
    const Row* const from = &at<Row>(&wave_, inst.src[k]);
    Row* const to = &at<Row>(&wave_, Wave::vgpr_offset(spare_row(k)));
    std::memcpy(to, from, by_.shape.dwords(k) * kRowBytes);
    inst.src[k] = Wave::vgpr_offset(spare_row(k));
    if (!flush) return;
    flush_lanes(to, by_.shape.dwords(k), kind, 3);
  }

  // Of all lanes of an operand or a result.
  static void flush_lanes(Row* to, uint32_t registers, FloatKind kind, uint32_t halves) noexcept {
    switch (kind) {
    case FloatKind::Double:
      for (uint32_t l = 0; l < kMaxLanes; ++l) {
        const uint32_t high = to[1][l], kept = is_denormal_high(high) ? 0 : ~0u;
        to[0][l] &= kept;
        to[1][l] = high & (kept | 0x80000000u);
      }
      return;
    case FloatKind::Half:
      for (uint32_t l = 0; l < kMaxLanes; ++l) to[0][l] = flushed_halves(to[0][l], halves);
      return;
    default:
      for (uint32_t r = 0; r < registers; ++r)
        for (uint32_t l = 0; l < kMaxLanes; ++l) to[r][l] = flushed_single(to[r][l]);
    }
  }

  void flush_scalar(uint32_t k, FloatKind kind) noexcept {
    Inst& inst = pair_[0];
    uint64_t value = inst.imm[k];
    if (!(inst.flags & (kSrcConst << k))) {
      value = 0;
      std::memcpy(&value, &at<uint32_t>(&wave_, inst.src[k]), by_.shape.dwords(k) * sizeof(uint32_t));
    }
    const uint64_t wanted = flushed(value, kind);
    if (wanted == value) return;
    if (k == 2 && partial_) { // the constant's place is taken
      for (uint32_t r = 0; r < by_.shape.dwords(k); ++r)
        std::fill_n(wave_.row(spare_row(k) + r), kMaxLanes, uint32_t(wanted >> (32 * r)));
      inst.src[k] = Wave::vgpr_offset(spare_row(k));
      inst.flags = (inst.flags & ~(kSrcConst << k)) | kSrcVector << k;
      return;
    }
    inst.imm[k] = wanted;
    inst.src[k] = uint32_t(offsetof(Inst, imm)) + 8 * k;
    inst.flags |= kSrcConst << k;
  }

  void limit() noexcept {
    Row first;
    copy(&first, rows());
    copy(rows(), old_);
    run_once(kRoundTowardsZero);
    for (uint32_t l = 0; l < kMaxLanes; ++l) rows()[0][l] = limited_halves(first[l], rows()[0][l]);
  }

  void flush_active() noexcept {
    Row flushed[kRegisters];
    copy(flushed, rows());
    flush_lanes(flushed, registers(), result_, by_.halves);
    const uint64_t exec = wave_.exec();
    if (exec == ~0ull) return copy(rows(), flushed);
    Row active;
    for (uint32_t l = 0; l < kMaxLanes; ++l) active[l] = 0 - uint32_t(exec >> l & 1);
    for (uint32_t r = 0; r < registers(); ++r)
      for (uint32_t l = 0; l < kMaxLanes; ++l) rows()[r][l] = (flushed[r][l] & active[l]) | (rows()[r][l] & ~active[l]);
  }

  // Of DPP and SDWA the bits that are written are those on which the old value has no influence.
  void flush_result() noexcept {
    Row written[kRegisters];
    if (partial_) {
      Row first[kRegisters];
      copy(first, rows());
      for (uint32_t r = 0; r < registers(); ++r)
        for (uint32_t l = 0; l < kMaxLanes; ++l) rows()[r][l] = ~old_[r][l];
      run_once(by_.rounds ? rounding_of(mode_, result_) : kRoundNearest);
      for (uint32_t r = 0; r < registers(); ++r)
        for (uint32_t l = 0; l < kMaxLanes; ++l) written[r][l] = ~(first[r][l] ^ rows()[r][l]);
      copy(rows(), first);
    } else {
      return flush_active();
    }
    const uint32_t halves = pair_[0].flags & kSdwa ? 3 : by_.halves;
    for (uint32_t l = 0; l < kMaxLanes; ++l) switch (result_) {
      case FloatKind::Double:
        if (written[1][l] && is_denormal_high(rows()[1][l])) rows()[0][l] = 0, rows()[1][l] &= 0x80000000u;
        break;
      case FloatKind::Half: {
        const uint32_t whole =
            ((written[0][l] & 0xffffu) == 0xffffu ? 1u : 0u) | (written[0][l] >> 16 == 0xffffu ? 2u : 0u);
        rows()[0][l] = flushed_halves(rows()[0][l], halves & whole);
        break;
      }
      default:
        for (uint32_t r = 0; r < registers(); ++r)
          if (written[r][l] == ~0u) rows()[r][l] = flushed_single(rows()[r][l]);
      }
  }

  Wave& wave_;
  const InstByMode& by_;
  Inst pair_[2]{};
  const uint32_t mode_;
  const FloatKind result_;
  bool flushes_, limits_, partial_, repeats_;
  alignas(64) Row old_[kRegisters];
};

[[gnu::noinline]] void execute(Wave& wave, const InstByMode& by) noexcept { Execution(wave, by).run(); }

// Of an instruction of the scalar ALU. Its numbers have one dword each.
[[gnu::noinline]] void execute_scalar(Wave& wave, const InstByMode& by) noexcept {
  const FloatKind result = by.shape.float_result();
  Inst pair[2] = {by.inst, {}};
  pair[1].run = return_here;
  for (uint32_t k = 0; k < std::min(by.shape.parameters(), kOperands); ++k) {
    const FloatKind kind = by.shape.float_kind(k);
    if (kind == FloatKind::None || denormals_of(wave.mode, kind) & kTakesDenormals) continue;
    const uint32_t value =
        pair[0].flags & (kSrcConst << k) ? uint32_t(pair[0].imm[k]) : at<uint32_t>(&wave, pair[0].src[k]);
    pair[0].imm[k] = uint32_t(flushed(value, kind));
    pair[0].src[k] = uint32_t(offsetof(Inst, imm)) + 8 * k;
    pair[0].flags |= kSrcConst << k;
  }
  const bool limits = result == FloatKind::Half && wave.mode & kModeFp16Overflow;
  const uint32_t old = limits ? at<uint32_t>(&wave, pair[0].dst) : 0; // which v_fmac and its like read
  run_rounding(wave, pair, by.rounds ? rounding_of(wave.mode, result) : kRoundNearest);
  if (result == FloatKind::None) return;
  uint32_t& value = at<uint32_t>(&wave, pair[0].dst);
  if (limits) {
    const uint32_t rounded = value;
    value = old;
    run_rounding(wave, pair, kRoundTowardsZero);
    value = limited_halves(rounded, value);
  }
  if (!(denormals_of(wave.mode, result) & kGivesDenormals)) value = uint32_t(flushed(value, result));
}

} // namespace

void RT_HANDLER_CC run_by_mode(Wave* w, const Inst* i) {
  execute(*w, *by_mode(*i));
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_scalar_by_mode(Wave* w, const Inst* i) {
  execute_scalar(*w, *by_mode(*i));
  RT_NEXT(w, i);
}

} // namespace hip::engine
