// tests/tier1/writer.cpp - see writer.h: statements. Control flow around them is in writer_flow.cpp.
#include "writer.h"

namespace tier1_test {
namespace {

// For addresses.
constexpr const char *kOffset = "v32", *kZero = "v33", *kAddress = "v[34:35]";

std::string pair_text(char file, uint32_t first) { return fmt::format("{}[{}:{}]", file, first, first + 1); }

} // namespace

std::string Writer::pair() { return pair_text('v', recent_[random_.below(4)] & ~1u); }
std::string Writer::new_vgpr() {
  const uint32_t r = random_.one_in(16) ? 0 : random_.between(1, 15);
  recent_[random_.below(4)] = r;
  return fmt::format("v{}", r);
}
std::string Writer::new_pair() {
  const uint32_t r = 2 * random_.between(1, 7);
  recent_[random_.below(4)] = r;
  return pair_text('v', r);
}

std::string Writer::constant(bool literals) {
  static const int small[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 20, 24, 31, 32, 48, 60, 63, 64, -1, -2, -4, -16};
  static const uint32_t large[] = {0x3ff, 0xff, 0x3c0, 0x3f0, 0xffc00, 0xfffffff0, 0xffff, 0x3fff0, 0x7fffffff, 0x80000000, 0xf0f0f0f0, 1000, 0x10000,
                                   0x100000, 0x1000000, 0x8000000, 0xffffffc0, 0x3fe, 0x3fffff0};
  if (literals && random_.one_in(3)) return fmt::format("{:#x}", random_.of(large));
  return fmt::format("{}", random_.of(small));
}
std::string Writer::shift() {
  static const int by[] = {0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 10, 12, 16, 20, 24, 26, 27, 28, 31};
  return random_.one_in(20) ? fmt::format("{}", random_.below(65)) : fmt::format("{}", random_.of(by));
}
std::string Writer::vop3_source(bool& scalar_used) {
  const uint32_t choice = random_.below(8);
  if (choice < 5) return vgpr();
  if (choice == 5 && !scalar_used) return scalar_used = true, sgpr();
  return constant(false);
}

void Writer::short_vector() {
  static const char* const any[] = {"v_add_u32", "v_add_u32", "v_add_u32", "v_sub_u32", "v_subrev_u32", "v_and_b32", "v_and_b32", "v_and_b32", "v_or_b32", "v_or_b32",
                                    "v_xor_b32", "v_mul_u32_u24", "v_min_u32", "v_max_i32"};
  static const char* const shifts[] = {"v_lshlrev_b32", "v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32"};
  const std::string x = vgpr(), y = random_.one_in(3) ? vgpr() : scalar_or_constant(true);
  switch (random_.below(4)) {
  case 0: return line(fmt::format("v_mov_b32 {}, {}", new_vgpr(), random_.one_in(3) ? y : x));
  case 1: return line(fmt::format("{} {}, {}, {}", random_.of(shifts), new_vgpr(), random_.one_in(8) ? vgpr() : shift(), x));
  default: return line(fmt::format("{} {}, {}, {}", random_.of(any), new_vgpr(), y, x));
  }
}

void Writer::long_vector() {
  bool scalar_used = false;
  auto source = [&] { return vop3_source(scalar_used); };
  auto by = [&] { return random_.one_in(8) ? vgpr() : shift(); };
  const std::string a = source(), b = source(), c = source(), s = by();
  switch (random_.below(15)) {
  case 0: return line(fmt::format("v_lshl_add_u32 {}, {}, {}, {}", new_vgpr(), a, s, b));
  case 1: return line(fmt::format("v_lshl_or_b32 {}, {}, {}, {}", new_vgpr(), a, s, b));
  case 2: return line(fmt::format("v_add_lshl_u32 {}, {}, {}, {}", new_vgpr(), a, b, s));
  case 3: return line(fmt::format("v_add3_u32 {}, {}, {}, {}", new_vgpr(), a, b, c));
  case 4:
  case 5: return line(fmt::format("v_bfe_u32 {}, {}, {}, {}", new_vgpr(), a, s, random_.one_in(3) ? "10" : shift()));
  case 6: return line(fmt::format("v_mul_lo_u32 {}, {}, {}", new_vgpr(), a, b));
  case 7: return line(fmt::format("v_mad_u32_u24 {}, {}, {}, {}", new_vgpr(), a, b, c));
  case 8: return line(fmt::format("v_and_or_b32 {}, {}, {}, {}", new_vgpr(), a, b, c));
  case 9: return line(fmt::format("v_or3_b32 {}, {}, {}, {}", new_vgpr(), a, b, c));
  case 10: return line(fmt::format("v_bfe_i32 {}, {}, {}, {}", new_vgpr(), a, s, shift()));
  case 11: return line(fmt::format("v_mul_hi_u32 {}, {}, {}", new_vgpr(), a, b));
  case 12: return line(fmt::format("v_cndmask_b32 {}, {}, {}, vcc", new_vgpr(), vgpr(), random_.one_in(2) ? vgpr() : constant(false)));
  case 13: return line(fmt::format("v_xad_u32 {}, {}, {}, {}", new_vgpr(), a, b, c));
  default: return line(fmt::format("v_mbcnt_lo_u32_b32 {}, {}, {}", new_vgpr(), random_.one_in(2) ? "-1" : vgpr(), vgpr()));
  }
}

void Writer::wide_vector() {
  const std::string from = random_.one_in(6) ? "s[0:1]" : pair();
  switch (random_.below(7)) {
  case 0:
  case 1:
    return line(fmt::format("v_lshl_add_u64 {}, {}, {}, {}", new_pair(), pair(), random_.below(5), random_.one_in(3) ? "s[0:1]" : random_.one_in(3) ? constant(false) : pair()));
  case 2: return line(fmt::format("v_lshlrev_b64 {}, {}, {}", new_pair(), shift(), from));
  case 3: return line(fmt::format("v_mov_b64 {}, {}", new_pair(), from));
  case 4: return line(fmt::format("v_mad_u64_u32 {}, vcc, {}, {}, {}", new_pair(), vgpr(), random_.one_in(2) ? vgpr() : constant(false), pair()));
  case 5: return line(fmt::format("v_ashrrev_i64 {}, {}, {}", new_pair(), shift(), from));
  default: // as compilers write 64-bit sums, and an index that becomes one
    line(fmt::format("v_ashrrev_i32 v{}, 31, v{}", 5, 4));
    line(fmt::format("v_add_co_u32 v{}, vcc, {}, v{}", 6, random_.one_in(2) ? "s4" : vgpr(), 4));
    line(fmt::format("v_addc_co_u32 v{}, vcc, 0, v{}, vcc", 7, 5));
    recent_[random_.below(4)] = 6;
  }
}

void Writer::lanes() {
  static const char* const controls[] = {"quad_perm:[1,0,3,2]", "row_shr:1", "row_shl:4", "row_ror:8", "row_mirror", "row_bcast:15", "row_bcast:31", "wave_shr:1",
                                         "row_newbcast:3", "row_share:5", "row_xmask:6"};
  static const char* const selects[] = {"BYTE_0", "BYTE_1", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
  switch (random_.below(7)) {
  case 0: return line(fmt::format("v_readfirstlane_b32 {}, {}", sgpr(), vgpr()));
  case 1: return line(fmt::format("v_readlane_b32 {}, {}, {}", sgpr(), vgpr(), random_.one_in(2) ? sgpr() : fmt::format("{}", random_.below(64))));
  case 2: return line(fmt::format("v_writelane_b32 {}, {}, {}", vgpr(), sgpr(), random_.one_in(2) ? "m0" : fmt::format("{}", random_.below(64))));
  case 3: return form(fmt::format("v_add_u32_dpp {}, {}, {} {} row_mask:{:#x} bank_mask:0xf{}", new_vgpr(), vgpr(), vgpr(), random_.of(controls),
                                  random_.one_in(3) ? random_.below(16) : 15, random_.one_in(2) ? " bound_ctrl:0" : ""));
  case 4: return form(fmt::format("v_mov_b32_dpp {}, {} {} row_mask:0xf bank_mask:{:#x}", new_vgpr(), vgpr(), random_.of(controls), random_.one_in(3) ? random_.below(16) : 15));
  case 5: return form(fmt::format("v_and_b32_sdwa {}, {}, {} dst_sel:{} dst_unused:UNUSED_{} src0_sel:{} src1_sel:DWORD", new_vgpr(), vgpr(), vgpr(), random_.of(selects),
                                  random_.one_in(2) ? "PRESERVE" : "PAD", random_.of(selects)));
  default: return line(fmt::format("ds_bpermute_b32 {}, {}, {}", new_vgpr(), vgpr(), vgpr()));
  }
}

// What gfx9 has not: two operations in one instruction, halves of registers, lanes that choose among eight or in other rows.
void Writer::later_families() {
  static const char* const first[] = {"v_dual_mov_b32", "v_dual_cndmask_b32"};
  static const char* const second[] = {"v_dual_mov_b32", "v_dual_cndmask_b32", "v_dual_add_nc_u32", "v_dual_lshlrev_b32", "v_dual_and_b32"};
  static const char* const halves[] = {"v_add_nc_u16", "v_sub_nc_u16", "v_mul_lo_u16", "v_and_b16", "v_lshlrev_b16", "v_max_u16", "v_xor_b16"};
  auto half = [&] { return vgpr() + (random_.one_in(2) ? ".l" : ".h"); };
  auto half_result = [&] { return new_vgpr() + (random_.one_in(2) ? ".l" : ".h"); };
  auto dual = [&](const std::string& name) {
    const std::string one = fmt::format("{} {}, {}", name, new_vgpr(), random_.one_in(3) ? scalar_or_constant(true) : vgpr());
    return name == "v_dual_mov_b32" ? one : one + ", " + vgpr();
  };
  switch (random_.below(8)) {
  case 0:
  case 1:
  case 2: // which registers fit together the assembler says
    for (uint32_t k = 0; k < 4; ++k) form(dual(random_.of(first)) + " :: " + dual(random_.of(second)));
    return;
  case 3: return form(fmt::format("{} {}, {}, {}", random_.of(halves), half_result(), half(), random_.one_in(4) ? constant(false) : half()));
  case 4: return form(fmt::format("v_mov_b16 {}, {}", half_result(), half()));
  case 5: {
    std::string order;
    for (uint32_t k = 0; k < 8; ++k) order += fmt::format("{}{}", k ? "," : "", random_.below(8));
    return form(fmt::format("v_add_u32_dpp {}, {}, {} dpp8:[{}]{}", new_vgpr(), vgpr(), vgpr(), order, random_.one_in(3) ? " fi:1" : ""));
  }
  case 6:
    return form(fmt::format("{} {}, {}, {}, {} op_sel:[{},{}]", random_.one_in(2) ? "v_permlane16_b32" : "v_permlanex16_b32", vgpr(), vgpr(),
                            scalar_or_constant(false), scalar_or_constant(false), random_.below(2), random_.below(2)));
  default: return form(fmt::format("v_permlane64_b32 {}, {}", new_vgpr(), vgpr()));
  }
}

void Writer::scalar() {
  static const char* const ops[] = {"s_and_b32", "s_or_b32", "s_add_i32", "s_add_u32", "s_sub_u32", "s_mul_i32", "s_xor_b32", "s_min_u32"};
  switch (random_.below(8)) {
  case 0: return line(fmt::format("s_mov_b32 {}, {}", sgpr(), constant(true)));
  case 1: return line(fmt::format("s_movk_i32 {}, {:#x}", sgpr(), random_.below(0x8000)));
  case 2: return line(fmt::format("s_lshl_b32 {}, {}, {}", sgpr(), scalar_or_constant(false), random_.below(32)));
  case 3: return line(fmt::format("s_lshr_b32 {}, {}, {}", sgpr(), scalar_or_constant(false), random_.below(32)));
  case 4: {
    const uint32_t first = 4 + 2 * random_.below(6);
    return line(fmt::format("s_mov_b64 {}, {}", pair_text('s', first), random_.one_in(2) ? "s[0:1]" : constant(false)));
  }
  case 5: return line(fmt::format("s_load_dword {}, s[0:1], {:#x}", sgpr(), random_.one_in(2) ? kKnownArgument : 4 * random_.below(64)));
  case 6: return line(fmt::format("s_load_dwordx4 s[{}:{}], s[0:1], {:#x}", 8, 11, random_.one_in(2) ? kKnownArgument - 8 : 4 * random_.below(64)));
  default: return line(fmt::format("{} {}, {}, {}", random_.of(ops), sgpr(), sgpr(), random_.one_in(2) ? sgpr() : constant(true)));
  }
}

void Writer::compare() {
  static const char* const ops[] = {"lt_u32", "gt_i32", "eq_u32", "ne_u32", "le_u32", "ge_i32", "lt_i32"};
  line(fmt::format("v_cmp_{} vcc, {}, {}", random_.of(ops), random_.one_in(2) ? scalar_or_constant(true) : vgpr(), vgpr()));
}

// Lane masks in scalar registers: made, computed with and used, as lanes and as numbers.
void Writer::masks() {
  const std::string held[] = {"vcc", mask(16), mask(18)};
  static const char* const compares[] = {"lt_u32", "gt_i32", "eq_u32", "ne_u32", "le_i32"};
  static const char* const logic[] = {"s_and", "s_or", "s_xor", "s_andn2", "s_orn2", "s_nand", "s_xnor"};
  auto any = [&] { return random_.one_in(4) ? "exec" : random_.of(held); };
  const uint32_t lanes = dialect_.lanes();
  switch (random_.below(8)) {
  case 0:
  case 1: return line(fmt::format("v_cmp_{} {}, {}, {}", random_.of(compares), random_.of(held), vgpr(), vgpr()));
  case 2: return line(fmt::format("{} {}, {}, {}", mask_op(random_.of(logic)), random_.of(held), any(), any()));
  case 3: return line(fmt::format("v_cndmask_b32 {}, {}, {}, {}", new_vgpr(), vgpr(), vgpr(), random_.of(held)));
  case 4:
    return line(fmt::format("v_addc_co_u32 {}, {}, {}, {}, {}", new_vgpr(), random_.of(held), vgpr(), vgpr(), random_.of(held)));
  case 5: return line(fmt::format("{} {}, {}, {}", mask_op(random_.one_in(2) ? "s_lshr" : "s_lshl"), random_.of(held), any(), random_.one_in(2) ? 16 * random_.below(lanes / 16) : random_.below(lanes)));
  case 6: return line(fmt::format("{} {}, {}", mask_op(random_.one_in(2) ? "s_bcnt1_i32" : "s_ff1_i32"), sgpr(), any()));
  default: return line(fmt::format("{} {}, {}", mask_op("s_not"), random_.of(held), any()));
  }
}

// Floating-point numbers from integers and back, in v40 to v47, which count only here: all of them are written first, so
// that a NaN is the one that operations make.
void Writer::floats() {
  auto number = [&] { return fmt::format("v{}", random_.between(40, 43)); };
  auto wide = [&] { return pair_text('v', 44 + 2 * random_.below(2)); };
  auto packed = [&] { return pair_text('v', 40 + 2 * random_.below(2)); };
  for (uint32_t r = 40; r < 44; ++r)
    line(fmt::format("{} v{}, {}", random_.one_in(2) ? "v_cvt_f32_i32" : random_.one_in(2) ? "v_cvt_f32_u32" : "v_cvt_f32_ubyte1", r, vgpr()));
  for (uint32_t r = 44; r < 48; r += 2)
    line(fmt::format("{} {}, {}", random_.one_in(2) ? "v_cvt_f64_i32" : "v_cvt_f64_u32", pair_text('v', r), vgpr()));
  for (uint32_t k = random_.between(2, 6); k > 0; --k) switch (random_.below(12)) {
    case 0: line(fmt::format("v_add_f32 {}, {}, {}", number(), number(), number())); break;
    case 1: line(fmt::format("v_mul_f32 {}, {}, {}", number(), random_.one_in(2) ? "0.5" : number(), number())); break;
    case 2: line(fmt::format("v_fma_f32 {}, {}, {}, {}{}", number(), number(), number(), number(), random_.one_in(4) ? " clamp" : "")); break;
    case 3: line(fmt::format("v_pk_fma_f32 {}, {}, {}, {}", packed(), packed(), packed(), packed())); break;
    case 4: line(fmt::format("v_pk_add_f32 {}, {}, {} op_sel_hi:[1,0]", packed(), packed(), packed())); break;
    case 5: line(fmt::format("v_max_f32 {}, {}, {}", number(), number(), number())); break;
    case 6: line(fmt::format("v_floor_f32 {}, {}", number(), number())); break;
    case 7: line(fmt::format("v_fma_f64 {}, {}, {}, {}", wide(), wide(), wide(), wide())); break;
    case 8: line(fmt::format("v_add_f64 {}, {}, {}", wide(), wide(), wide())); break;
    case 9: line(fmt::format("v_cmp_{}_f32 {}, {}, {}", random_.one_in(2) ? "lt" : "nge", random_.one_in(2) ? "vcc" : mask(16), number(), number())); break;
    case 10: line(fmt::format("v_cmp_gt_f64 vcc, {}, {}", wide(), wide())); break;
    default: line(fmt::format("v_cndmask_b32 {}, {}, {}, vcc", number(), number(), number())); break;
    }
  switch (random_.below(4)) {
  case 0: return line(fmt::format("v_cvt_i32_f32 {}, {}", new_vgpr(), number()));
  case 1: return line(fmt::format("v_cvt_u32_f64 {}, {}", new_vgpr(), wide()));
  case 2: return line(fmt::format("v_mov_b32 {}, {}", new_vgpr(), number()));
  default: return line(fmt::format("v_cvt_u32_f32 {}, {}", new_vgpr(), number()));
  }
}

void Writer::memory() {
  static const char* const masks[] = {"0x1ffc", "0xffc", "0x1ff8", "0x1ff0", "0x1fff", "0xff0", "0x3ffc"};
  static const char* const loads[] = {"dword",  "dword",        "dword",     "ubyte",   "sshort",
                                      "ushort", "short_d16_hi", "ubyte_d16", "dwordx2", "dwordx4"};
  static const char* const stores[] = {"dword", "dword", "dword", "byte", "short", "dwordx2", "dwordx4"};
  static const char* const lds[] = {"read_b32", "read_u8", "read_b64", "write_b32", "write_b32", "write_b64", "write_b8", "read2_b32", "add_u32", "read_b128"};
  static const uint32_t scales[] = {0, 2, 2, 2, 3, 4};
  const uint32_t scale = random_.of(scales);
  if (scale == 0)
    line(fmt::format("v_mov_b32 {}, {}", kOffset, vgpr()));
  else
    line(fmt::format("v_lshlrev_b32 {}, {}, {}", kOffset, scale, vgpr()));
  auto width = [](const std::string& name) { return name.ends_with("x4") || name.ends_with("b128") ? 4u : name.ends_with("x2") || name.ends_with("b64") || name.find("read2") != name.npos ? 2u : 1u; };
  auto data = [&](uint32_t count) {
    const uint32_t first = count == 1 ? random_.between(1, 15) : 4 * random_.between(0, 2) + 4;
    return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
  };
  if (random_.one_in(4)) {
    const std::string name = random_.of(lds);
    line(fmt::format("v_and_b32 {}, {}, {}", kOffset, random_.one_in(4) ? "0x1ffc" : "0xffc", kOffset));
    if (name.starts_with("read2")) return line(fmt::format("ds_{} {}, {} offset0:{} offset1:{}", name, data(2), kOffset, random_.below(8), random_.below(64)));
    const std::string values = data(width(name)), offset = random_.one_in(2) ? "" : fmt::format(" offset:{}", 4 * random_.below(32));
    if (name.starts_with("read") && width(name) == 1 && random_.one_in(2)) { // into the register that held the address
      line(fmt::format("v_add_u32 {}, {}, {}", values, 4 * random_.below(16), kOffset));
      if (random_.one_in(3)) line(fmt::format("v_mov_b32 v{}, {}", random_.between(1, 15), vgpr()));
      return line(fmt::format("ds_{} {}, {}{}", name, values, values, offset));
    }
    return line(name.starts_with("read") ? fmt::format("ds_{} {}, {}{}", name, values, kOffset, offset) : fmt::format("ds_{} {}, {}{}", name, kOffset, values, offset));
  }
  const bool store = random_.one_in(3), wide = random_.one_in(2);
  const std::string name = store ? random_.of(stores) : random_.of(loads), base = store ? "s[2:3]" : "s[0:1]";
  const std::string values = data(width(name)), offset = random_.one_in(2) ? "" : fmt::format(" offset:{}", 4 * random_.below(32));
  line(fmt::format("v_and_b32 {}, {}, {}", kOffset, random_.of(masks), kOffset));
  std::string address = kOffset, rest = base + offset;
  if (wide) {
    line(fmt::format("v_mov_b32 {}, 0", kZero));
    wide_sum(34, 32, 0, store ? 2 : 0);
    address = kAddress, rest = "off" + offset;
  }
  if (store && random_.one_in(6)) return line(fmt::format("global_atomic_add {}, {}, {}", address, data(1), rest));
  const std::string space = wide && random_.one_in(4) ? "flat" : "global";
  if (space == "flat") rest = offset;
  const std::string comma = space == "flat" ? "" : ", ";
  line(store ? fmt::format("{}_store_{} {}, {}{}{}", space, name, address, values, comma, rest) : fmt::format("{}_load_{} {}, {}{}{}", space, name, values, address, comma, rest));
}

// What kernels with blocks of two dimensions begin with: where a work-item's element lies in a matrix, and whether that is
// inside, which is often asked of the smaller or the larger coordinate.
void Writer::matrix() {
  static const char* const ends[] = {"v_min_i32", "v_max_i32", "v_min_u32", "v_max_u32"};
  static const char* const compares[] = {"lt_i32", "gt_i32", "le_u32", "ge_u32", "ne_u32", "gt_u32"};
  const std::string x = new_vgpr(), y = new_vgpr(), index = new_vgpr();
  line(fmt::format("v_and_b32 {}, 0x3ff, v36\nv_bfe_u32 {}, v36, 10, 10", x, y));
  if (random_.one_in(2)) line(fmt::format("v_add_u32 {0}, {1}, {0}", x, scalar_or_constant(true)));
  if (random_.one_in(2)) line(fmt::format("v_add_u32 {0}, {1}, {0}", y, scalar_or_constant(true)));
  if (random_.one_in(2)) {
    const std::string end = new_vgpr();
    line(fmt::format("{} {}, {}, {}", random_.of(ends), end, random_.one_in(3) ? scalar_or_constant(true) : x, y));
    if (random_.one_in(3)) line(fmt::format("{} {}, {}, {}", random_.of(ends), end, scalar_or_constant(true), end));
    line(fmt::format("v_cmp_{} vcc, {}, {}", random_.of(compares), scalar_or_constant(true), end));
  }
  switch (random_.below(5)) {
  case 0: line(fmt::format("v_mul_lo_u32 {}, {}, {}\nv_add_u32 {}, {}, {}", y, scalar_or_constant(false), y, index, x, y)); break;
  case 1: line(fmt::format("v_mad_u32_u24 {}, {}, {}, {}", index, y, scalar_or_constant(false), x)); break;
  case 2: line(fmt::format("v_lshl_add_u32 {}, {}, {}, {}", index, y, shift(), x)); break;
  case 3: line(fmt::format("v_lshl_or_b32 {}, {}, {}, {}", index, y, shift(), x)); break;
  default:
    line(fmt::format("v_mov_b32 v4, {}\nv_mad_u64_u32 v[6:7], vcc, {}, {}, v[4:5]\nv_mov_b32 {}, v6", x, y, sgpr(), index));
    if (random_.one_in(2)) line(fmt::format("v_ashrrev_i32 v7, 31, v6\nv_lshl_add_u64 v[8:9], v[6:7], {}, v[10:11]", random_.below(5)));
  }
  if (random_.one_in(2)) memory();
}

// Two places per lane, in v38 and v39, that follow from the lane's number by operations on bits with uniform numbers.
void Writer::places() {
  line(fmt::format("v_and_b32 v37, {}, {}", random_.one_in(3) ? "0x7f" : "0x3ff", random_.one_in(4) ? vgpr() : "v36"));
  line(fmt::format("s_and_b32 s66, {}, {}", sgpr(), random_.one_in(2) ? 3 : 7));
  line("s_lshl_b32 s66, 1, s66");
  if (random_.one_in(8)) line(fmt::format("s_mov_b32 s66, {}", constant(false)));
  line(fmt::format("s_add_i32 s67, s66, {}", random_.one_in(4) ? "0" : "-1"));
  switch (random_.below(5)) {
  case 0: // pairs that a bitonic step compares
    line("v_and_b32 v38, s67, v37\nv_lshlrev_b32 v39, 1, v37\nv_sub_u32 v38, v39, v38\nv_add_u32 v39, s66, v38");
    break;
  case 1: line("v_mov_b32 v38, v37\nv_xor_b32 v39, s66, v37"); break;
  case 2: line("v_xor_b32 v38, s67, v37\nv_add_u32 v39, s66, v38"); break;
  case 3: line("s_not_b32 s67, s66\nv_and_b32 v38, s67, v37\nv_or_b32 v39, s66, v38"); break;
  default: {
    static const char* const ops[] = {"v_and_b32", "v_or_b32", "v_xor_b32", "v_lshlrev_b32", "v_lshrrev_b32", "v_add_u32", "v_subrev_u32", "v_sub_u32"};
    line("v_mov_b32 v38, v37");
    for (uint32_t k = random_.between(1, 4); k > 0; --k) {
      const std::string with = random_.one_in(4) ? "v37" : random_.one_in(3) ? constant(false) : random_.one_in(2) ? "s66" : "s67";
      line(fmt::format("{} v38, {}, v38", random_.of(ops), with));
      if (random_.one_in(4)) line(fmt::format("v_mul_lo_u32 v38, v38, {}", random_.one_in(2) ? "s66" : "3"));
      if (random_.one_in(6)) line("v_xad_u32 v38, v38, s66, v37");
    }
    line(random_.one_in(2) ? "v_add_u32 v39, s66, v38" : "v_mov_b32 v39, v38");
  }
  }
  if (random_.one_in(6)) { // the number of one pattern goes on while it is made again
    const std::string end = label();
    line("s_cmp_lg_u32 s66, 1\ns_cbranch_scc1 " + end + "\nv_add_u32 v38, v38, s67\n" + end + ":");
  }
}

// Two dwords of LDS per lane; where a comparison says so, they change places. In v37 to v39 and v50 to v52.
void Writer::exchange() {
  static const char* const low[] = {"v38", "v39"};
  places();
  line(fmt::format("v_lshlrev_b32 v38, {}, v38", random_.one_in(16) ? 1 : 2));
  line(random_.one_in(2) ? "v_lshlrev_b32 v39, 2, v39" : "v_lshl_add_u32 v39, s66, 2, v38");
  const std::string first = random_.of(low), second = random_.one_in(8) ? first : first == "v38" ? "v39" : "v38";
  const std::string offset = random_.one_in(2) ? "" : fmt::format(" offset:{}", random_.one_in(8) ? random_.below(64) : 4 * random_.below(64));
  switch (random_.below(4)) {
  case 0: line(fmt::format("ds_read2_b32 v[50:51], {} offset0:{} offset1:{}", first, random_.below(8), random_.below(64))); break;
  case 1: line(fmt::format("ds_read_b32 v50, {}{}\nds_read_b32 {}, {}", first, offset, second, second) + fmt::format("\nv_mov_b32 v51, {}", second)); break;
  default: line(fmt::format("ds_read_b32 v50, {}{}\nds_read_b32 v51, {}{}", first, offset, second, random_.one_in(2) ? offset : "")); break;
  }
  line(fmt::format("v_cmp_{}_u32 vcc, v50, v51\n{} {}, {}", random_.one_in(2) ? "gt" : "ne", mask_op("s_and_saveexec"), mask(64), random_.one_in(4) ? "exec" : "vcc"));
  switch (random_.below(4)) {
  case 0: line(fmt::format("ds_write2_b32 {}, v51, v50 offset0:{} offset1:{}", first, random_.below(8), random_.below(64))); break;
  case 1: line(fmt::format("ds_write_b32 {}, v51{}", first, offset)); break;
  default: line(fmt::format("ds_write_b32 {}, v51{}\nds_write_b32 {}, v50", first, offset, second)); break;
  }
  line(fmt::format("{} exec, exec, {}\nv_mov_b32 {}, v50", mask_op("s_or"), mask(64), new_vgpr()));
}

// The same in memory, with indices that are widened. In v37 to v39 and v48 to v59.
void Writer::global_exchange() {
  places();
  if (random_.one_in(4)) line(fmt::format("v_subrev_u32 v38, {}, v38", random_.one_in(2) ? "5" : "s67")); // some wrap around
  const bool widens = !random_.one_in(4), stores = random_.one_in(2);
  const std::string base = stores ? "s[2:3]" : "s[0:1]", offset = random_.one_in(2) ? "" : fmt::format(" offset:{}", 4 * random_.below(64));
  if (widens) {
    line("v_mov_b32 v49, 0\nv_mov_b32 v59, v49\nv_mov_b32 v48, v38\nv_mov_b32 v58, v39");
    wide_sum(54, 48, 2, stores ? 2 : 0);
    wide_sum(56, 58, 2, stores ? 2 : 0);
    if (random_.one_in(4)) line(fmt::format("v_lshl_add_u64 v[54:55], v[54:55], 0, {}", random_.below(64)));
    if (random_.one_in(8)) line("v_mov_b32 v57, v55");
  } else {
    line("v_lshlrev_b32 v54, 2, v38\nv_lshlrev_b32 v56, 2, v39");
  }
  // Indices beyond the memory are of lanes that do not count.
  line(fmt::format("{0} {1}, exec\nv_cmp_gt_u32 vcc, 0x800, v38\n{2} exec, exec, vcc\nv_cmp_gt_u32 vcc, 0x800, v39\n{2} exec, exec, vcc", mask_op("s_mov"), mask(64), mask_op("s_and")));
  const std::string first = widens ? "v[54:55]" : "v54", second = widens ? "v[56:57]" : "v56", rest = widens ? "off" : base;
  if (stores) {
    line(fmt::format("global_store_dword {}, {}, {}{}\nglobal_store_dword {}, {}, {}", first, vgpr(), rest, offset, second, vgpr(), rest));
  } else {
    line(fmt::format("global_load_dword v50, {}, {}{}\nglobal_load_dword v51, {}, {}", first, rest, offset, second, rest));
    line(fmt::format("v_mov_b32 {}, v50\nv_mov_b32 {}, v51", new_vgpr(), new_vgpr()));
  }
  line(fmt::format("{} exec, {}", mask_op("s_mov"), mask(64)));
}

void Writer::statement() {
  if (dialect_.has("v_permlane16_b32") && random_.one_in(10)) return later_families();
  const uint32_t choice = random_.below(40);
  if (choice < 9) return short_vector();
  if (choice < 16) return long_vector();
  if (choice < 20) return wide_vector();
  if (choice < 24) return scalar();
  if (choice < 28) return memory();
  if (choice < 29) return lanes();
  if (choice < 30) return compare();
  if (choice < 31) return line(random_.one_in(4) ? "s_barrier" : random_.one_in(3) ? "s_sleep 0" : "s_waitcnt vmcnt(0)");
  if (choice < 34) return masks();
  if (choice < 35) return floats();
  if (choice < 37) return matrix();
  if (choice < 38) return exchange();
  if (choice < 39) return global_exchange();
  return line("v_mov_b32 v0, v36"); // the ids
}

void Writer::straight(uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) statement();
}

} // namespace tier1_test
