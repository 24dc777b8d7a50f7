// tests/tier1/traps_test.cpp - known traps of this instruction set that are not of arithmetic: where emulators of it
// have been wrong with registers, lanes, parts of registers and LDS. Facts: AMD, "CDNA 3 Instruction Set Architecture".
#include "traps.h"

#include <bit>

using namespace tier1_test;

TEST_CASE("Trap: M0 limits no access of LDS") {
  for (const char* m0 : {"0", "16", "-1"})
    check(fmt::format("s_mov_b32 m0, {}\nv_lshlrev_b32 v4, 2, v5\nds_write_b32 v4, v0 offset:1024\nds_read_b32 v6, v4 "
                      "offset:1024\ns_waitcnt lgkmcnt(0)",
                      m0),
          each([](const State& b, State& a, uint32_t l) {
            a.v[4][l] = b.v[5][l] << 2;
            a.v[6][l] = b.v[0][l];
          }),
          [](Wave& wave) {
            for (uint32_t l = 0; l < kMaxLanes; ++l) wave.row(5)[l] = l;
          });
}

TEST_CASE("Trap: registers behind the last one do not exist") {
  // v_add_f64 v[255:256], v[0:1], v[2:3]; v_mov_b64 v[4:5], v[255:256]; flat_load_dwordx4
  // v[253:256], v[0:1]
  for (const char* words : {"0xd28000ff, 0x00020500", "0x7e0871ff", "0xdc5c0000, 0xfd000000"})
    check_stops_as_unsupported(fmt::format(".long {}", words));
}

TEST_CASE("Trap: DPP across rows and the whole wave, with masks and bound control") {
  struct Control {
    const char* text;
    int (*from)(int lane); // the lane that is read, or -1
  };
  static constexpr Control kControls[] = {
      {"wave_shl:1", [](int l) { return l == 63 ? -1 : l + 1; }},
      {"wave_shr:1", [](int l) { return l - 1; }},
      {"wave_rol:1", [](int l) { return (l + 1) & 63; }},
      {"wave_ror:1", [](int l) { return (l - 1) & 63; }},
      {"row_bcast:15", [](int l) { return l < 16 ? l : l / 16 * 16 - 1; }},
      {"row_bcast:31", [](int l) { return l < 32 ? l : 31; }},
      {"row_shl:3", [](int l) { return l % 16 > 12 ? -1 : l + 3; }},
      {"row_shr:7", [](int l) { return l % 16 < 7 ? -1 : l - 7; }},
      {"row_ror:5", [](int l) { return l / 16 * 16 + (l - 5 & 15); }},
      {"row_mirror", [](int l) { return l / 16 * 16 + 15 - l % 16; }},
      {"row_half_mirror", [](int l) { return l / 8 * 8 + 7 - l % 8; }},
      {"row_newbcast:6", [](int l) { return l / 16 * 16 + 6; }},
      {"quad_perm:[3,0,2,1]",
       [](int l) {
         return l / 4 * 4 + (l % 4 == 0 ? 3 : l % 4 == 1 ? 0 : l % 4 == 2 ? 2 : 1);
       }},
  };
  for (const Control& control : kControls)
    for (const auto& [row_mask, bank_mask, bound] : {std::tuple(15u, 15u, false), std::tuple(15u, 15u, true),
                                                     std::tuple(10u, 15u, false), std::tuple(5u, 6u, true)})
      check(fmt::format("v_sub_u32_dpp v4, v0, v1 {} row_mask:{:#x} bank_mask:{:#x}{}", control.text, row_mask,
                        bank_mask, bound ? " bound_ctrl:0" : ""),
            each([=](const State& b, State& a, uint32_t l) {
              if (!(row_mask >> (l / 16) & 1) || !(bank_mask >> (l / 4 % 4) & 1)) return;
              const int from = control.from(int(l));
              const bool valid = from >= 0 && (b.exec >> from & 1);
              if (valid || bound) a.v[4][l] = (valid ? b.v[0][from] : 0) - b.v[1][l];
            }));
}

namespace {

// The parts of a register that SDWA selects, and what becomes of the rest of its destination.
struct Part {
  const char* name;
  uint32_t shift, bits;
};
constexpr Part kParts[] = {{"BYTE_0", 0, 8},  {"BYTE_1", 8, 8},   {"BYTE_2", 16, 8}, {"BYTE_3", 24, 8},
                           {"WORD_0", 0, 16}, {"WORD_1", 16, 16}, {"DWORD", 0, 32}};
constexpr const char* kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};

uint32_t taken(uint32_t v, const Part& part, bool is_signed) {
  const uint32_t up = v >> part.shift << (32 - part.bits);
  return is_signed ? uint32_t(int32_t(up) >> (32 - part.bits)) : up >> (32 - part.bits);
}
uint32_t placed(uint32_t value, const Part& to, uint32_t unused, uint32_t old) {
  const uint32_t mask = to.bits == 32 ? ~0u : (1u << to.bits) - 1;
  uint32_t out = (value & mask) << to.shift;
  if (unused == 1 && to.bits < 32 && value >> (to.bits - 1) & 1) out |= ~0ull << (to.shift + to.bits) & 0xffffffff;
  if (unused == 2) out |= old & ~(mask << to.shift);
  return out;
}

} // namespace

TEST_CASE("Trap: SDWA extends signs of its operands, and its result keeps, extends or clears the rest") {
  Random random(5);
  for (const Part& to : kParts)
    for (uint32_t unused = 0; unused < 3; ++unused) {
      const Part &a = random.of(kParts), &b = random.of(kParts);
      const bool a_signed = random.one_in(2), b_signed = random.one_in(2);
      check(fmt::format("v_sub_u32_sdwa v4, {}, {} dst_sel:{} dst_unused:{} src0_sel:{} src1_sel:{}",
                        a_signed ? "sext(v0)" : "v0", b_signed ? "sext(v1)" : "v1", to.name, kUnused[unused], a.name,
                        b.name),
            each([=](const State& before, State& after, uint32_t l) {
              const uint32_t value = taken(before.v[0][l], a, a_signed) - taken(before.v[1][l], b, b_signed);
              after.v[4][l] = placed(value, to, unused, before.v[4][l]);
            }));
    }
}

TEST_CASE("Trap: SDWA places sums that have a carry, which is that of 32 bits") {
  struct Sum {
    const char* name;
    const char* carry_in;
    int64_t (*of)(int64_t a, int64_t b, int64_t carry); // carries where 32 bits do not hold it
  };
  static constexpr Sum kSums[] = {
      {"v_add_co_u32_sdwa", "", [](int64_t a, int64_t b, int64_t) { return a + b; }},
      {"v_sub_co_u32_sdwa", "", [](int64_t a, int64_t b, int64_t) { return a - b; }},
      {"v_subrev_co_u32_sdwa", "", [](int64_t a, int64_t b, int64_t) { return b - a; }},
      {"v_addc_co_u32_sdwa", ", vcc", [](int64_t a, int64_t b, int64_t carry) { return a + b + carry; }},
      {"v_subb_co_u32_sdwa", ", vcc", [](int64_t a, int64_t b, int64_t carry) { return a - b - carry; }},
      {"v_subbrev_co_u32_sdwa", ", vcc", [](int64_t a, int64_t b, int64_t carry) { return b - a - carry; }}};
  Random random(6);
  for (const Sum& sum : kSums)
    for (const Part& to : kParts) {
      const uint32_t unused = random.below(3);
      const Part &a = random.of(kParts), &b = random.of(kParts);
      const bool a_signed = random.one_in(2);
      check(fmt::format("{} v4, vcc, {}, v1{} dst_sel:{} dst_unused:{} src0_sel:{} src1_sel:{}", sum.name,
                        a_signed ? "sext(v0)" : "v0", sum.carry_in, to.name, kUnused[unused], a.name, b.name),
            [=](const State& before, State& after) {
              after.vcc = 0;
              for (uint32_t l = 0; l < kMaxLanes; ++l) {
                if (!(before.exec >> l & 1)) continue;
                const int64_t value = sum.of(taken(before.v[0][l], a, a_signed), taken(before.v[1][l], b, false),
                                             before.vcc >> l & 1);
                after.v[4][l] = placed(uint32_t(value), to, unused, before.v[4][l]);
                after.vcc |= uint64_t(value >> 32 != 0) << l;
              }
            });
    }
}

TEST_CASE("Trap: op_sel of packed operands that are constants") {
  // Integers have 32 bits, floats lie in the low half.
  struct Constant {
    const char* text;
    uint32_t bits;
  };
  for (const Constant& k : {Constant{"5", 5}, Constant{"-3", 0xfffffffd}, Constant{"64", 64}})
    for (uint32_t low = 0; low < 2; ++low)
      for (uint32_t high = 0; high < 2; ++high)
        check(fmt::format("v_pk_sub_u16 v4, v0, {} op_sel:[0,{}] op_sel_hi:[1,{}]", k.text, low, high),
              result([=](uint32_t a, uint32_t, uint32_t) {
                return ((a - (k.bits >> (16 * low))) & 0xffff) | ((a >> 16) - (k.bits >> (16 * high))) << 16;
              }));
}

TEST_CASE("Trap: matrix instructions work on all lanes whatever EXEC says") {
  check(
      "v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v1, v[8:11]\ns_nop 7\ns_nop 7",
      [](const State& b, State& a) {
        for (uint32_t l = 0; l < kMaxLanes; ++l)
          for (uint32_t row = 0; row < 4; ++row) {
            const auto number = [&](uint32_t r, uint32_t lane) { return std::bit_cast<float>(b.v[r][lane]); };
            a.v[4 + row][l] = std::bit_cast<uint32_t>(number(0, l / 4 * 4 + row) * number(1, l) + number(8 + row, l));
          }
      },
      [](Wave& wave) {
        for (uint32_t r : {0u, 1u, 8u, 9u, 10u, 11u})
          for (uint32_t l = 0; l < kMaxLanes; ++l)
            wave.row(r)[l] = std::bit_cast<uint32_t>(float(wave.row(r)[l] % 100)); // all results are exact
      });
}
