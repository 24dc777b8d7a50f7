// runtime/engine/interpret/alu/blocks.cpp - gfx950's conversions of 32 elements at once between formats of 6 bits and wider ones,
// with a scale. They take up to 32 registers, more than a body of isa/ can. Compiled once for all host levels.
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/rows.h"

#include "runtime/engine/isa/value.h"

#include <bit>

namespace hip::engine {
namespace {

using namespace hip::engine::isa;
constexpr int kLanes = 1;
// clang-format off: each needs those before it
namespace scalar {
#include "runtime/engine/isa/types.inl"
#undef OP
#define OP(name, R, params) [[gnu::always_inline, maybe_unused]] inline R name params
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/vop_scaled.inl"
#undef OP
} // namespace scalar
// clang-format on

constexpr uint32_t kElements = 32, kSmallBits = 6, kSmallRegisters = kElements * kSmallBits / 32;

// What the wider side of a conversion holds; two elements of 16 bits lie in a register.
enum class WideFormat { F32, F16, Bf16 };
template <WideFormat kFormat> inline constexpr uint32_t kWideRegisters = kFormat == WideFormat::F32 ? kElements : kElements / 2;

// Element n of a lane, as it lies in registers from `row` on.
template <WideFormat kFormat> float wide_element(const uint32_t* row, uint32_t lane, uint32_t n) {
  if constexpr (kFormat == WideFormat::F32) return std::bit_cast<float>(row[n * kMaxLanes + lane]);
  const uint16_t half = uint16_t(row[n / 2 * kMaxLanes + lane] >> (n % 2 * 16));
  return kFormat == WideFormat::F16 ? float(std::bit_cast<_Float16>(half)) : scalar::from_bf16(half);
}
template <WideFormat kFormat> void put_wide_element(uint32_t* registers, uint32_t n, float v) {
  if constexpr (kFormat == WideFormat::F32) {
    registers[n] = std::bit_cast<uint32_t>(v);
  } else {
    const uint32_t half = kFormat == WideFormat::F16 ? std::bit_cast<uint16_t>(_Float16(v)) : scalar::to_bf16(v);
    registers[n / 2] |= half << (n % 2 * 16);
  }
}
void put_small_element(uint32_t* registers, uint32_t n, uint32_t code) {
  const uint32_t bit = n * kSmallBits, shift = bit % 32;
  registers[bit / 32] |= code << shift;
  if (shift + kSmallBits > 32) registers[bit / 32 + 1] |= code >> (32 - shift);
}
uint32_t small_element(const uint32_t* row, uint32_t lane, uint32_t n) {
  const uint32_t bit = n * kSmallBits, shift = bit % 32;
  uint32_t code = row[bit / 32 * kMaxLanes + lane] >> shift;
  if (shift + kSmallBits > 32) code |= row[(bit / 32 + 1) * kMaxLanes + lane] << (32 - shift);
  return code & ((1u << kSmallBits) - 1);
}

// Source k of a lane, a dword.
uint32_t lane_source(Wave* w, const Inst* i, uint32_t k, uint32_t lane) {
  if (i->flags & (kSrcConst << k)) return uint32_t(i->imm[k]);
  return i->flags & (kSrcVector << k) ? (&at<uint32_t>(w, i->src[k]))[lane] : at<uint32_t>(w, i->src[k]);
}
// Calls f(lane, registers), which fills in kRegisters registers of the destination, for each active lane. A lane reads no other
// lane's sources, so the destination may be one of them.
template <uint32_t kRegisters, class F> void for_active_lanes(Wave* w, const Inst* i, F f) {
  for (uint64_t rest = w->exec(); rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    uint32_t registers[kRegisters] = {};
    f(lane, registers);
    for (uint32_t k = 0; k < kRegisters; ++k) (&at<uint32_t>(w, i->dst))[k * kMaxLanes + lane] = registers[k];
  }
}

template <class Small, WideFormat kFormat> void RT_HANDLER_CC to_small_block(Wave* w, const Inst* i) {
  for_active_lanes<kSmallRegisters>(w, i, [&](uint32_t lane, uint32_t* out) {
    const float scale = std::bit_cast<float>(lane_source(w, i, 1, lane));
    for (uint32_t n = 0; n < kElements; ++n)
      put_small_element(out, n, scalar::to_small<Small>(scalar::by_scale(wide_element<kFormat>(&at<uint32_t>(w, i->src[0]), lane, n), scale)));
  });
  RT_NEXT(w, i);
}
// Elements of two blocks of 16, by turns.
template <class Small> void RT_HANDLER_CC to_small_two_blocks(Wave* w, const Inst* i) {
  for_active_lanes<kSmallRegisters>(w, i, [&](uint32_t lane, uint32_t* out) {
    const float scale = std::bit_cast<float>(lane_source(w, i, 2, lane));
    for (uint32_t n = 0; n < kElements; ++n) {
      const float v = wide_element<WideFormat::F32>(&at<uint32_t>(w, i->src[n % 2]), lane, n / 2);
      put_small_element(out, n, scalar::to_small<Small>(scalar::by_scale(v, scale)));
    }
  });
  RT_NEXT(w, i);
}
template <class Small, WideFormat kFormat> void RT_HANDLER_CC to_small_block_stochastic(Wave* w, const Inst* i) {
  for_active_lanes<kSmallRegisters>(w, i, [&](uint32_t lane, uint32_t* out) {
    uint32_t seed = lane_source(w, i, 1, lane);
    const float scale = std::bit_cast<float>(lane_source(w, i, 2, lane));
    for (uint32_t n = 0; n < kElements; ++n, seed = scalar::next_random(seed))
      put_small_element(out, n, scalar::small_stochastic<Small>(wide_element<kFormat>(&at<uint32_t>(w, i->src[0]), lane, n), seed, scale));
  });
  RT_NEXT(w, i);
}
template <class Small, WideFormat kFormat> void RT_HANDLER_CC from_small_block(Wave* w, const Inst* i) {
  for_active_lanes<kWideRegisters<kFormat>>(w, i, [&](uint32_t lane, uint32_t* out) {
    const float scale = std::bit_cast<float>(lane_source(w, i, 1, lane));
    for (uint32_t n = 0; n < kElements; ++n)
      put_wide_element<kFormat>(out, n, scalar::times_scale(scalar::from_small<Small>(small_element(&at<uint32_t>(w, i->src[0]), lane, n)), scale));
  });
  RT_NEXT(w, i);
}

#define ROW(name, handler) {Opcode::name, lift_lanes, {handler}}
#define ROWS_OF(small, Small)                                                                                          \
  ROW(v_cvt_scalef32_2xpk16_##small##_f32, to_small_two_blocks<Small>),                                                \
      ROW(v_cvt_scalef32_pk32_##small##_f16, (to_small_block<Small, WideFormat::F16>)),                                \
      ROW(v_cvt_scalef32_pk32_##small##_bf16, (to_small_block<Small, WideFormat::Bf16>)),                              \
      ROW(v_cvt_scalef32_sr_pk32_##small##_f32, (to_small_block_stochastic<Small, WideFormat::F32>)),                  \
      ROW(v_cvt_scalef32_sr_pk32_##small##_f16, (to_small_block_stochastic<Small, WideFormat::F16>)),                  \
      ROW(v_cvt_scalef32_sr_pk32_##small##_bf16, (to_small_block_stochastic<Small, WideFormat::Bf16>)),                \
      ROW(v_cvt_scalef32_pk32_f32_##small, (from_small_block<Small, WideFormat::F32>)),                                \
      ROW(v_cvt_scalef32_pk32_f16_##small, (from_small_block<Small, WideFormat::F16>)),                                \
      ROW(v_cvt_scalef32_pk32_bf16_##small, (from_small_block<Small, WideFormat::Bf16>))
constexpr OpRow kRows[] = {ROWS_OF(fp6, scalar::E2m3), ROWS_OF(bf6, scalar::E3m2)};

} // namespace

std::span<const OpRow> block_rows() noexcept { return kRows; }

} // namespace hip::engine
