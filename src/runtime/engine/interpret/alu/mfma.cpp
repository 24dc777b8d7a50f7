// runtime/engine/interpret/alu/mfma.cpp - matrix instructions of one host ISA level, made from the definitions in
// isa/matrix.inl. EXEC is ignored (ERRATA 41).
#include "runtime/engine/isa/matrix_shape.h"
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/interpret/lift.h"
#include "runtime/engine/interpret/alu/matrix_lanes.h"

#include <cstddef>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {
namespace matrix {

constexpr int kLanes = 16; // of a strip, at every level
// clang-format off: each of these files needs those in front of it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/matrix.inl"
#include "runtime/engine/isa/end.inl"
// clang-format on

// The registers at a byte offset of the wave.
const Register* registers(Wave* w, uint32_t offset) { return &at<Register>(w, offset); }

// Copies `count` registers; lane l of each comes from lane from(l).
template<class F> void permute(const Register* rows, uint32_t count, Register* out, F from) {
  const uint32_t* lanes = reinterpret_cast<const uint32_t*>(rows);
  uint32_t* to = reinterpret_cast<uint32_t*>(out);
  for (uint32_t k = 0; k < count * kMaxLanes; k += kMaxLanes)
    for (uint32_t lane = 0; lane < kMaxLanes; ++lane) to[k + lane] = lanes[k + from(lane)];
}
// Flips the signs of doubles, whose upper halves are every second register.
void negate(Register* rows, uint32_t count) {
  for (uint32_t k = 1; k < count; k += 2)
    for (U32& strip : rows[k]) strip ^= 0x80000000u;
}

template<class X> void RT_HANDLER_CC execute(Wave* w, const Inst* i) {
  if (w->products_ahead) [[unlikely]] { // translated code has computed it
    --w->products_ahead;
    RT_NEXT(w, i);
  }
  constexpr bool kSparse = X::kIndexBits != 0, kWide = sizeof(typename X::Sum) == 8 * kLanes;
  const uint32_t cbsz = uint32_t(i->imm[1]) & 7, abid = uint32_t(i->imm[1]) >> kMatrixAbidShift & 15,
                 blgp = uint32_t(i->imm[1]) >> kMatrixBlgpShift & 7;
  const Register *a = registers(w, i->src[0]), *b = registers(w, i->src[1]);
  Register moved_a[X::kSourceRegisters], moved_b[X::kSourceRegistersB], index, sums[X::kSumRegisters];
  if ((cbsz || (kWide && blgp & 1)) && !kSparse) {
    permute(a, X::kSourceRegisters, moved_a,
            [&](uint32_t l) { return matrix_lane_a(X::kRows, X::kBlockCount, cbsz, abid, l); });
    if (kWide && blgp & 1) negate(moved_a, X::kSourceRegisters);
    a = moved_a;
  }
  if (blgp) {
    permute(b, X::kSourceRegistersB, moved_b, [&](uint32_t l) { return kWide ? l : matrix_lane_b(blgp, l); });
    if (kWide && blgp & 2) negate(moved_b, X::kSourceRegistersB);
    b = moved_b;
  }
  if constexpr (kSparse) {
    const uint32_t shift = matrix_index_shift(X::kIndexBits, cbsz, abid);
    for (uint32_t q = 0; q < kQuarters; ++q) index[q] = (*registers(w, i->src[2]))[q] >> shift;
    std::memcpy(sums, registers(w, i->dst), sizeof sums);
  } else if (i->flags & (kSrcConst << 2)) {
    for (uint32_t k = 0; k < X::kSumRegisters; ++k)
      for (U32& strip : sums[k]) strip = U32(uint32_t(i->imm[2] >> (kWide && k % 2 ? 32 : 0)));
  } else {
    std::memcpy(sums, registers(w, i->src[2]), sizeof sums);
  }
  if (kWide && blgp & 4) negate(sums, X::kSumRegisters);
  typename X::Unit units_a[X::kUnitBytesA / sizeof(typename X::Unit)],
      units_b[X::kUnitBytesB / sizeof(typename X::Unit)];
  X::prepare_a(a, &index, units_a);
  X::prepare_b(b, units_b);
  const typename X::Factors factors{units_a, units_b};
  X::multiply(&factors, 1, sums);
  std::memcpy(&at<Register>(w, i->dst), sums, sizeof sums);
  RT_NEXT(w, i);
}

#include "runtime/engine/interpret/alu/scaled_matrix.h"

template<class X> constexpr OpRow row(Opcode opcode) { return {opcode, lift_matrix, {execute<X>}}; }
constexpr OpRow kRows[] = {
#define MATRIX(name, blgp, ...) row<__VA_ARGS__>(Opcode::name),
#include "runtime/engine/isa/matrix.def"
#undef MATRIX
    {Opcode::v_mfma_f32_16x16x128_f8f6f4, lift_scaled_matrix, {execute_scaled<16, 128>}},
    {Opcode::v_mfma_f32_32x32x64_f8f6f4, lift_scaled_matrix, {execute_scaled<32, 64>}},
    {Opcode::v_mfma_scale_f32_16x16x128_f8f6f4, lift_scaled_matrix, {execute_scaled<16, 128>}},
    {Opcode::v_mfma_scale_f32_32x32x64_f8f6f4, lift_scaled_matrix, {execute_scaled<32, 64>}},
};

} // namespace matrix
} // namespace

std::span<const OpRow> mfma_rows() noexcept { return matrix::kRows; }

} // namespace hip::engine::OMNIHIP_LEVEL
