// runtime/engine/compile/quick/select_intrinsics.cpp - see select.h: LLVM's intrinsics on vectors.
#include "runtime/engine/compile/quick/select.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace hip::engine::compile::quick {
namespace {

bool is_number(const llvm::Value& v, int64_t number) {
  auto* c = llvm::dyn_cast<llvm::ConstantInt>(&v);
  return c && c->getSExtValue() == number;
}

} // namespace

// Rotations and funnel shifts to the left (fshl) or right (fshr).
void Selector::select_funnel(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  const uint32_t bits = shape.element_bits;
  if (bits != 32 && bits != 64) refuse(i);
  const bool is_left = i.getIntrinsicID() == llvm::Intrinsic::fshl;
  const llvm::Value &high = *i.getArgOperand(0), &low = *i.getArgOperand(1), &amount = *i.getArgOperand(2);
  auto* vector = llvm::dyn_cast<llvm::Constant>(&amount);
  auto* splat = vector ? llvm::dyn_cast_or_null<llvm::ConstantInt>(vector->getSplatValue()) : nullptr;
  const uint32_t size = bits / 8;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg def = defined(i, part);
    if (&high == &low) {
      if (splat) {
        const uint64_t by = splat->getZExtValue() % bits;
        add(bits == 32 ? Op::VproldImm : Op::VprolqImm, shape.bytes, def, vector_source(high, part, size)).imm =
            int64_t(is_left ? by : (bits - by) % bits);
      } else {
        const Op op = bits == 32 ? (is_left ? Op::Vprolvd : Op::Vprorvd) : (is_left ? Op::Vprolvq : Op::Vprorvq);
        const Reg a = reg(high, part);
        add(op, shape.bytes, def, a, vector_source(amount, part, size));
      }
      continue;
    }
    if (bits != 32) refuse(i);
    if (splat) {
      uint64_t by = splat->getZExtValue() % 32;
      if (!is_left) by = (32 - by) % 32;
      if (by == 0) {
        copy(def, reg(is_left ? high : low, part));
      } else if (features_.vbmi2) {
        const Reg a = reg(high, part);
        add(Op::VpshlddImm, shape.bytes, def, a, vector_source(low, part, size)).imm = int64_t(by);
      } else {
        const Reg up = make(RegClass::Vector), down = make(RegClass::Vector);
        add(Op::VpslldImm, shape.bytes, up, reg(high, part)).imm = int64_t(by);
        add(Op::VpsrldImm, shape.bytes, down, reg(low, part)).imm = int64_t(32 - by);
        add(Op::Vpord, shape.bytes, def, up, down);
      }
      continue;
    }
    const Reg a = reg(high, part), b = reg(low, part), by = reg(amount, part);
    if (features_.vbmi2) {
      copy(def, is_left ? a : b);
      add(is_left ? Op::Vpshldvd : Op::Vpshrdvd, shape.bytes, def, is_left ? b : a, by);
      continue;
    }
    // Shifts by 32 and more give 0, so the other half is shifted by one and by 31 less the amount.
    const Source thirty_one = everywhere(31, 4);
    const Reg n = make(RegClass::Vector), rest = make(RegClass::Vector), once = make(RegClass::Vector),
              x = make(RegClass::Vector), y = make(RegClass::Vector);
    add(Op::Vpandd, shape.bytes, n, by, thirty_one);
    add(Op::Vpxord, shape.bytes, rest, n, thirty_one);
    add(is_left ? Op::VpsrldImm : Op::VpslldImm, shape.bytes, once, is_left ? b : a).imm = 1;
    add(is_left ? Op::Vpsllvd : Op::Vpsrlvd, shape.bytes, x, is_left ? a : b, n);
    add(is_left ? Op::Vpsrlvd : Op::Vpsllvd, shape.bytes, y, once, rest);
    add(Op::Vpord, shape.bytes, def, x, y);
  }
}

// The ones of each element, where the host does not count them: those of halves of bytes are looked up, and a product's
// highest byte is the sum of all bytes.
void Selector::select_ones(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  if (shape.element_bits != 32 && shape.element_bits != 64) refuse(i);
  const bool is_wide = shape.element_bits == 64;
  std::array<uint8_t, 64> ones;
  for (uint32_t k = 0; k < 64; ++k) ones[k] = uint8_t(std::popcount(k % 16));
  const Reg table = make(RegClass::Vector);
  add(Op::Vmovdqu32, shape.bytes, table).memory = in_pool(ones.data(), shape.bytes);
  const uint64_t kHalf = 0x0f0f0f0f, kEach = 0x0101010101010101;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg from = reg(*i.getArgOperand(0), part), low = make(RegClass::Vector), down = make(RegClass::Vector),
              high = make(RegClass::Vector), a = make(RegClass::Vector), b = make(RegClass::Vector),
              bytes = make(RegClass::Vector), sum = make(RegClass::Vector);
    add(Op::Vpandd, shape.bytes, low, from, everywhere(kHalf, 4));
    add(Op::VpsrldImm, shape.bytes, down, from).imm = 4;
    add(Op::Vpandd, shape.bytes, high, down, everywhere(kHalf, 4));
    add(Op::Vpshufb, shape.bytes, a, table, low);
    add(Op::Vpshufb, shape.bytes, b, table, high);
    add(Op::Vpaddb, shape.bytes, bytes, a, b);
    add(is_wide ? Op::Vpmullq : Op::Vpmulld, shape.bytes, sum, bytes, everywhere(kEach, is_wide ? 8 : 4));
    add(is_wide ? Op::VpsrlqImm : Op::VpsrldImm, shape.bytes, defined(i, part), sum).imm = shape.element_bits - 8;
  }
}

// Each element's bits from the last to the first: its bytes change places, and halves of bytes are looked up.
void Selector::select_bit_reverse(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  if (shape.element_bits != 32 && shape.element_bits != 64) refuse(i);
  const auto table = [&](const auto& byte_at) {
    std::array<uint8_t, 64> bytes;
    for (uint32_t k = 0; k < 64; ++k) bytes[k] = uint8_t(byte_at(k % 16));
    return in_pool(bytes.data(), shape.bytes);
  };
  const auto reversed = [](uint32_t n) { return (n & 1) << 3 | (n & 2) << 1 | (n & 4) >> 1 | (n & 8) >> 3; };
  const Reg upper = make(RegClass::Vector), lower = make(RegClass::Vector);
  add(Op::Vmovdqu32, shape.bytes, upper).memory = table([&](uint32_t n) { return reversed(n) << 4; });
  add(Op::Vmovdqu32, shape.bytes, lower).memory = table(reversed);
  Source order;
  order.memory = table([&](uint32_t k) { return k ^ (shape.element_bits / 8 - 1); });
  const uint64_t kHalf = 0x0f0f0f0f;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg swapped = make(RegClass::Vector), low = make(RegClass::Vector), down = make(RegClass::Vector),
              high = make(RegClass::Vector), a = make(RegClass::Vector), b = make(RegClass::Vector);
    add(Op::Vpshufb, shape.bytes, swapped, reg(*i.getArgOperand(0), part), order);
    add(Op::Vpandd, shape.bytes, low, swapped, everywhere(kHalf, 4));
    add(Op::VpsrldImm, shape.bytes, down, swapped).imm = 4;
    add(Op::Vpandd, shape.bytes, high, down, everywhere(kHalf, 4));
    add(Op::Vpshufb, shape.bytes, a, upper, low);
    add(Op::Vpshufb, shape.bytes, b, lower, high);
    add(Op::Vpord, shape.bytes, defined(i, part), a, b);
  }
}

// Sums and differences of 32 bits that stop at the ends of the range.
void Selector::select_signed_saturating(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  if (shape.element_bits != 32) refuse(i);
  const bool is_sum = i.getIntrinsicID() == llvm::Intrinsic::sadd_sat;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg a = reg(*i.getArgOperand(0), part), b = reg(*i.getArgOperand(1), part);
    const Reg result = make(RegClass::Vector), leaves = make(RegClass::Vector), sign = make(RegClass::Vector),
              limit = make(RegClass::Vector), lanes = make(RegClass::Mask);
    add(is_sum ? Op::Vpaddd : Op::Vpsubd, shape.bytes, result, a, b);
    // A sum leaves the range where its sign is neither operand's: (sum ^ a) & (sum ^ b). A difference does where its
    // sign and b's are not a's: (a ^ b) & (a ^ difference). Both are the same function of three values.
    constexpr int64_t kOthersDiffer = 0x18;
    copy(leaves, is_sum ? result : a);
    add(Op::Vpternlogd, shape.bytes, leaves, is_sum ? a : b, is_sum ? b : result).imm = kOthersDiffer;
    add(Op::Vpmovd2m, shape.bytes, lanes, leaves);
    add(Op::VpsradImm, shape.bytes, sign, a).imm = 31;
    add(Op::Vpxord, shape.bytes, limit, sign, everywhere(0x7fffffff, 4));
    add(Op::Vpblendmd, shape.bytes, defined(i, part), result, limit).mask = lanes;
  }
}

// The zeros below the lowest one are the ones of ~x & (x - 1).
void Selector::select_trailing_zeros(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  const uint32_t bits = shape.element_bits, size = bits / 8;
  if (bits != 32 && bits != 64) refuse(i);
  const bool is_wide = bits == 64;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg from = reg(*i.getArgOperand(0), part), less = make(RegClass::Vector), below = make(RegClass::Vector);
    add(is_wide ? Op::Vpaddq : Op::Vpaddd, shape.bytes, less, from, everywhere(~uint64_t{0}, size));
    add(Op::Vpandnd, shape.bytes, below, from, less);
    const Reg def = defined(i, part);
    if (features_.popcnt) {
      add(is_wide ? Op::Vpopcntq : Op::Vpopcntd, shape.bytes, def, below);
      continue;
    }
    const Reg above = make(RegClass::Vector), all = make(RegClass::Vector);
    add(is_wide ? Op::Vplzcntq : Op::Vplzcntd, shape.bytes, above, below);
    Inst& load = add(is_wide ? Op::Vpbroadcastq : Op::Vpbroadcastd, shape.bytes, all);
    load.memory = everywhere(bits, size).memory;
    load.memory.broadcast = false; // the instruction's own
    add(is_wide ? Op::Vpsubq : Op::Vpsubd, shape.bytes, def, all, above);
  }
}

// What is one instruction of one operand; false: it is not.
bool Selector::select_unary_intrinsic(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  const llvm::Type& element = *i.getType()->getScalarType();
  const bool is_double = element.isDoubleTy(), is_float = element.isFloatTy();
  const bool is_dword = element.isIntegerTy(32), is_qword = element.isIntegerTy(64);
  const uint32_t size = element.isHalfTy() ? 0 : shape.element_bits / 8;
  Op op = Op::Copy;
  int64_t imm = 0;
  switch (i.getIntrinsicID()) {
  case llvm::Intrinsic::sqrt:
    op = is_float ? Op::Vsqrtps : is_double ? Op::Vsqrtpd : Op::Copy;
    break;
  case llvm::Intrinsic::ctlz:
    op = is_dword ? Op::Vplzcntd : is_qword ? Op::Vplzcntq : Op::Copy;
    break;
  case llvm::Intrinsic::ctpop:
    op = !features_.popcnt ? Op::Copy : is_dword ? Op::Vpopcntd : is_qword ? Op::Vpopcntq : Op::Copy;
    break;
  case llvm::Intrinsic::abs:
    op = is_dword ? Op::Vpabsd : Op::Copy;
    break;
  case llvm::Intrinsic::roundeven:
    imm = 8;
    break;
  case llvm::Intrinsic::floor:
    imm = 9;
    break;
  case llvm::Intrinsic::ceil:
    imm = 10;
    break;
  case llvm::Intrinsic::trunc:
    imm = 11;
    break;
  case llvm::Intrinsic::rint:
    imm = 4;
    break;
  case llvm::Intrinsic::nearbyint:
    imm = 12;
    break;
  case llvm::Intrinsic::x86_avx512_rsqrt14_ps_512:
  case llvm::Intrinsic::x86_avx512_rcp14_ps_512:
    if (!is_number(*i.getArgOperand(2), -1)) return false;
    op = i.getIntrinsicID() == llvm::Intrinsic::x86_avx512_rsqrt14_ps_512 ? Op::Vrsqrt14ps : Op::Vrcp14ps;
    break;
  default:
    return false;
  }
  if (imm && select_half_rounding(i, imm)) return true;
  if (imm)
    op = is_float                               ? Op::VrndscalepsImm
         : is_double                            ? Op::VrndscalepdImm
         : element.isHalfTy() && features_.fp16 ? Op::VrndscalephImm
                                                : Op::Copy;
  if (op == Op::Copy) return false;
  for (uint32_t part = 0; part < shape.parts; ++part)
    add(op, shape.bytes, defined(i, part), vector_source(*i.getArgOperand(0), part, size)).imm = imm;
  return true;
}

// All elements of a vector of dwords or qwords as one number: halves are put together until one element is left.
void Selector::select_reduction(const llvm::IntrinsicInst& i) {
  const llvm::Value& vector = *i.getArgOperand(0);
  const Shape shape = shape_of(*vector.getType());
  const bool is_wide = shape.element_bits == 64;
  if ((shape.element_bits != 32 && !is_wide) || shape.parts != 1 || shape.reg_class != RegClass::Vector ||
      !fills_registers(*vector.getType()))
    refuse(i);
  Op op = Op::Copy;
  switch (i.getIntrinsicID()) {
  case llvm::Intrinsic::vector_reduce_or:
    op = Op::Vpord;
    break;
  case llvm::Intrinsic::vector_reduce_and:
    op = Op::Vpandd;
    break;
  case llvm::Intrinsic::vector_reduce_xor:
    op = Op::Vpxord;
    break;
  case llvm::Intrinsic::vector_reduce_add:
    op = is_wide ? Op::Vpaddq : Op::Vpaddd;
    break;
  case llvm::Intrinsic::vector_reduce_umax:
    op = is_wide ? Op::Vpmaxuq : Op::Vpmaxud;
    break;
  case llvm::Intrinsic::vector_reduce_umin:
    op = is_wide ? Op::Vpminuq : Op::Vpminud;
    break;
  case llvm::Intrinsic::vector_reduce_smax:
    op = is_wide ? Op::Vpmaxsq : Op::Vpmaxsd;
    break;
  case llvm::Intrinsic::vector_reduce_smin:
    op = is_wide ? Op::Vpminsq : Op::Vpminsd;
    break;
  default:
    refuse(i);
  }
  Reg at = reg(vector);
  const auto fold = [&](uint32_t bytes, Reg other) {
    const Reg both = make(RegClass::Vector);
    add(op, bytes, both, at, other);
    at = both;
  };
  for (uint32_t bytes = shape.bytes; bytes > 16; bytes /= 2) {
    const Reg high = make(RegClass::Vector);
    add(bytes == 64 ? Op::Vextracti64x4 : Op::Vextracti32x4, bytes, high, at).imm = 1;
    fold(bytes / 2, high);
  }
  for (const int64_t order : {0xee, 0x55}) {
    if (is_wide && order == 0x55) break;
    const Reg moved = make(RegClass::Vector);
    add(Op::VpshufdImm, 16, moved, at).imm = order;
    fold(16, moved);
  }
  add(is_wide ? Op::VmovqTo : Op::VmovdTo, 16, defined(i), at);
}

void Selector::select_vector_intrinsic(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  const uint32_t bits = shape.element_bits, size = bits >= 32 ? bits / 8 : 0;
  if (select_unary_intrinsic(i)) return;
  const auto binary = [&](Op op, uint32_t broadcast) {
    if (op == Op::Copy) refuse(i);
    const llvm::Value *a = i.getArgOperand(0), *b = i.getArgOperand(1);
    for (uint32_t part = 0; part < shape.parts; ++part) {
      const Reg left = reg(*a, part);
      add(op, shape.bytes, defined(i, part), left, vector_source(*b, part, broadcast));
    }
  };
  const auto by_size = [&](Op word, Op dword, Op qword) {
    return bits == 16 ? word : bits == 32 ? dword : bits == 64 ? qword : Op::Copy;
  };
  switch (i.getIntrinsicID()) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::x86_avx512_vfmadd_ps_512:
  case llvm::Intrinsic::x86_avx512_vfmadd_pd_512:
    for (uint32_t part = 0; part < shape.parts; ++part) multiply_add(i, defined(i, part), part);
    return;
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    return select_funnel(i);
  case llvm::Intrinsic::umin:
    return binary(by_size(Op::Vpminuw, Op::Vpminud, Op::Vpminuq), size);
  case llvm::Intrinsic::umax:
    return binary(by_size(Op::Vpmaxuw, Op::Vpmaxud, Op::Vpmaxuq), size);
  case llvm::Intrinsic::smin:
    return binary(by_size(Op::Vpminsw, Op::Vpminsd, Op::Vpminsq), size);
  case llvm::Intrinsic::smax:
    return binary(by_size(Op::Vpmaxsw, Op::Vpmaxsd, Op::Vpmaxsq), size);
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::ssub_sat:
    if (bits != 16) return select_signed_saturating(i);
    return binary(i.getIntrinsicID() == llvm::Intrinsic::sadd_sat ? Op::Vpaddsw : Op::Vpsubsw, 0);
  case llvm::Intrinsic::cttz:
    return select_trailing_zeros(i);
  case llvm::Intrinsic::usub_sat:
  case llvm::Intrinsic::uadd_sat: {
    if (bits == 16) return binary(i.getIntrinsicID() == llvm::Intrinsic::uadd_sat ? Op::Vpaddusw : Op::Vpsubusw, 0);
    if (bits != 32) refuse(i);
    const bool is_sum = i.getIntrinsicID() == llvm::Intrinsic::uadd_sat;
    for (uint32_t part = 0; part < shape.parts; ++part) {
      const Reg a = reg(*i.getArgOperand(0), part), b = reg(*i.getArgOperand(1), part),
                limited = make(RegClass::Vector);
      if (is_sum) { // the smaller of a and what b leaves
        const Reg room = make(RegClass::Vector);
        add(Op::Vpxord, shape.bytes, room, b, everywhere(~0u, 4));
        add(Op::Vpminud, shape.bytes, limited, a, room);
        add(Op::Vpaddd, shape.bytes, defined(i, part), limited, b);
      } else {
        add(Op::Vpmaxud, shape.bytes, limited, a, b);
        add(Op::Vpsubd, shape.bytes, defined(i, part), limited, b);
      }
    }
    return;
  }
  case llvm::Intrinsic::fabs: {
    if (!shape.elements) {
      const uint64_t number = i.getType()->isDoubleTy()  ? ~uint64_t{0} >> 1
                              : i.getType()->isFloatTy() ? 0x7fffffffu
                                                         : 0x7fffu;
      return void(add(Op::Vpandq, 16, defined(i), reg(*i.getArgOperand(0)), everywhere(number, 8)));
    }
    const uint64_t number = bits == 64 ? ~uint64_t{0} >> 1 : bits == 32 ? 0x7fffffffu : 0x7fff7fffu;
    const bool is_wide = bits == 64;
    for (uint32_t part = 0; part < shape.parts; ++part)
      add(is_wide ? Op::Vpandq : Op::Vpandd, shape.bytes, defined(i, part), reg(*i.getArgOperand(0), part),
          everywhere(number, is_wide ? 8 : 4));
    return;
  }
  case llvm::Intrinsic::copysign: {
    const llvm::Type& element = *i.getType()->getScalarType();
    if (!element.isFloatTy() && !element.isDoubleTy()) refuse(i);
    const bool is_wide = element.isDoubleTy();
    const uint64_t sign = is_wide ? uint64_t{1} << 63 : 0x80000000u;
    for (uint32_t part = 0; part < shape.parts; ++part) {
      const Reg value = reg(*i.getArgOperand(0), part), def = defined(i, part);
      const Reg signs = reg(*i.getArgOperand(1), part), chosen = make(RegClass::Vector);
      Inst& load = add(is_wide ? Op::Vpbroadcastq : Op::Vpbroadcastd, shape.bytes, chosen);
      load.memory = everywhere(sign, is_wide ? 8 : 4).memory;
      load.memory.broadcast = false; // the instruction's own
      copy(def, chosen);
      add(Op::Vpternlogd, shape.bytes, def, signs, value).imm = 0xca; // def ? signs : value
    }
    return;
  }
  case llvm::Intrinsic::bswap: {
    if (bits != 32 && bits != 64 && bits != 16) refuse(i);
    std::array<uint8_t, 64> order;
    for (uint32_t k = 0; k < 64; ++k) order[k] = uint8_t((k ^ (bits / 8 - 1)) & 15);
    Source places;
    places.memory = in_pool(order.data(), shape.bytes);
    for (uint32_t part = 0; part < shape.parts; ++part)
      add(Op::Vpshufb, shape.bytes, defined(i, part), reg(*i.getArgOperand(0), part),
          places);
    return;
  }
  case llvm::Intrinsic::x86_avx512_mask_scalef_ps_512:
  case llvm::Intrinsic::x86_avx512_mask_scalef_pd_512:
    if (!is_number(*i.getArgOperand(3), -1) || !is_number(*i.getArgOperand(4), 4)) refuse(i);
    return binary(bits == 64 ? Op::Vscalefpd : Op::Vscalefps, size);
  case llvm::Intrinsic::x86_avx512_vpermi2var_d_512: {
    const Reg a = reg(*i.getArgOperand(0)), places = reg(*i.getArgOperand(1));
    const Source b = vector_source(*i.getArgOperand(2), 0, 4);
    copy(defined(i), places);
    add(Op::Vpermi2d, 64, defined(i), a, b);
    return;
  }
  case llvm::Intrinsic::x86_avx512_mask_expand: {
    if (bits != 32 || shape.parts != 1) refuse(i);
    const Reg from = reg(*i.getArgOperand(0)), old = reg(*i.getArgOperand(1)), mask = reg(*i.getArgOperand(2));
    copy(defined(i), old);
    add(Op::Vpexpandd, shape.bytes, defined(i), from).mask = mask;
    return;
  }
  case llvm::Intrinsic::x86_avx512_pmaddw_d_512:
    return binary(Op::Vpmaddwd, 0);
  case llvm::Intrinsic::x86_avx512_pshuf_b_512:
    return binary(Op::Vpshufb, 0);
  case llvm::Intrinsic::x86_avx512_mask_range_ps_512:
  case llvm::Intrinsic::x86_avx512_mask_range_pd_512: {
    if (!is_number(*i.getArgOperand(4), -1) || !is_number(*i.getArgOperand(5), 4)) refuse(i);
    const Reg a = reg(*i.getArgOperand(0));
    const Source b = vector_source(*i.getArgOperand(1), 0, size);
    add(bits == 64 ? Op::VrangepdImm : Op::VrangepsImm, 64, defined(i), a, b).imm =
        llvm::cast<llvm::ConstantInt>(i.getArgOperand(2))->getSExtValue();
    return;
  }
  case llvm::Intrinsic::x86_avx512bf16_dpbf16ps_512:
  case llvm::Intrinsic::x86_avx512_vpdpbusd_512: {
    const Reg sum = reg(*i.getArgOperand(0)), a = reg(*i.getArgOperand(1));
    const Source b = vector_source(*i.getArgOperand(2), 0, 0);
    copy(defined(i), sum);
    const bool is_bytes = i.getIntrinsicID() == llvm::Intrinsic::x86_avx512_vpdpbusd_512;
    add(is_bytes ? Op::Vpdpbusd : Op::Vdpbf16ps, 64, defined(i), a, b);
    return;
  }
  case llvm::Intrinsic::masked_load:
    return select_masked_load(i);
  case llvm::Intrinsic::masked_gather:
    return select_gather(i);
  case llvm::Intrinsic::x86_avx512_mask_gather_dpi_512:
    return select_masked_gather(i);
  case llvm::Intrinsic::bitreverse:
    return select_bit_reverse(i);
  case llvm::Intrinsic::ctpop:
    return select_ones(i);
  default:
    refuse(i);
  }
}

} // namespace hip::engine::compile::quick
