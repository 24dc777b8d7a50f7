// Known traps of this instruction set: where emulators of it have been wrong. Each case states what AMD's "CDNA 3
// Instruction Set Architecture" says as a model of its own, and both tiers, and handlers that compute one lane after
// the other, have to agree with it bit for bit: all registers that the programs may touch, SCC, VCC and EXEC are
// compared.
#include "machine.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tier1_test;

namespace {

constexpr uint32_t kRows = 16, kScalars = 16;
struct State {
  uint32_t v[kRows][kMaxLanes];
  uint32_t s[kScalars];
  uint64_t vcc, exec;
  uint32_t scc;
  uint64_t v64(uint32_t n, uint32_t lane) const { return v[n][lane] | uint64_t(v[n + 1][lane]) << 32; }
  void set_v64(uint32_t n, uint32_t lane, uint64_t value) {
    v[n][lane] = uint32_t(value), v[n + 1][lane] = uint32_t(value >> 32);
  }
};
using Fill = std::function<void(Wave&)>;
using Model = std::function<void(const State& before, State& after)>;

State state_of(const Wave& wave) {
  State state;
  for (uint32_t r = 0; r < kRows; ++r) std::memcpy(state.v[r], wave.row(r), kRowBytes);
  std::memcpy(state.s, wave.sgpr, sizeof(state.s));
  state.vcc = wave.vcc(), state.exec = wave.exec(), state.scc = wave.scc;
  return state;
}

std::string difference(const State& wanted, const State& got) {
  for (uint32_t r = 0; r < kRows; ++r)
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      if (wanted.v[r][l] != got.v[r][l])
        return fmt::format("v{} of lane {} is {:#x}, not {:#x}", r, l, got.v[r][l], wanted.v[r][l]);
  for (uint32_t n = 0; n < kScalars; ++n)
    if (wanted.s[n] != got.s[n]) return fmt::format("s{} is {:#x}, not {:#x}", n, got.s[n], wanted.s[n]);
  if (wanted.vcc != got.vcc) return fmt::format("VCC is {:#x}, not {:#x}", got.vcc, wanted.vcc);
  if (wanted.exec != got.exec) return fmt::format("EXEC is {:#x}, not {:#x}", got.exec, wanted.exec);
  if (wanted.scc != got.scc) return fmt::format("SCC is {}, not {}", got.scc, wanted.scc);
  return {};
}

// Runs the text in all three forms, with every kind of EXEC.
void check(const std::string& text, const Model& model, const Fill& fill = {},
           const std::string& processor = "gfx942") {
  INFO(processor << ": " << text);
  const Assembler assembler(processor);
  Guest guest(assembler, processor, "s_mov_b64 exec, s[94:95]\n" + text + "\n");
  const Inst* const tier1 = guest.tier1({});
  Machine machine;
  for (uint32_t round = 0; round < 2 * kExecKinds; ++round) {
    for (const char* form : {"one lane at a time", "tier 0", "tier 1"}) {
      Random random(round + 1);
      machine.randomize(random);
      Wave& wave = machine.wave();
      wave.set_sgpr64(94, any_exec(round, random));
      if (fill) fill(wave);
      State wanted = state_of(wave);
      wanted.exec = wave.sgpr64(94);
      const State before = wanted;
      model(before, wanted);
      if (form[0] == 'o')
        machine.run(guest.reference(), guest.reference().resolve(guest.begin()));
      else
        machine.run(guest, form[5] == '0' ? guest.tier0() : tier1);
      REQUIRE(wave.stop == Stop::Ended);
      const std::string wrong = difference(wanted, state_of(wave));
      INFO(form << ", EXEC " << fmt::format("{:#x}", before.exec));
      if (!wrong.empty()) FAIL_CHECK(wrong);
      if (!wrong.empty()) return;
    }
  }
}

// A model of what each active lane does.
template<class F> Model each(F lane_model) {
  return [=](const State& before, State& after) {
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      if (before.exec >> l & 1) lane_model(before, after, l);
  };
}
// v4 = f(v0, v1, v2) of each active lane.
template<class F> Model result(F f) {
  return each([=](const State& b, State& a, uint32_t l) { a.v[4][l] = uint32_t(f(b.v[0][l], b.v[1][l], b.v[2][l])); });
}
// Each lane's v0, v1, v2 are one combination of the values.
Fill combinations(std::vector<uint32_t> values) {
  return [=](Wave& wave) {
    Random random(wave.row(0)[0]);
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (uint32_t r = 0; r < 3; ++r) wave.row(r)[l] = values[random.below(uint32_t(values.size()))];
  };
}

// --- floating point by its bits: one description of a format serves all widths
template<class Bits> struct Format {
  Bits sign, infinity, quiet;
  bool nan(Bits a) const { return (a & ~sign) > infinity; }
  bool signalling(Bits a) const { return nan(a) && !(a & quiet); }
  bool zero(Bits a) const { return (a & ~sign) == 0; }
  // Order as integers: -0 is below +0, which only min and max see.
  int64_t order(Bits a) const { return a & sign ? -int64_t(a & ~sign) - 1 : int64_t(a); }
  Bits minmax(Bits a, Bits b, bool maximum) const {
    if (signalling(a)) return a | quiet;
    if (signalling(b)) return b | quiet;
    if (nan(a)) return b;
    if (nan(b)) return a;
    return (order(a) < order(b)) != maximum ? a : b;
  }
  Bits med3(Bits a, Bits b, Bits c) const {
    if (nan(a) || nan(b) || nan(c)) return minmax(minmax(a, b, false), c, false);
    const Bits low = minmax(minmax(a, b, false), c, false), high = minmax(minmax(a, b, true), c, true);
    // What is neither the lowest nor the highest: of equal numbers any.
    return Bits(a ^ b ^ c ^ low ^ high);
  }
};
constexpr Format<uint32_t> kSingle{0x80000000, 0x7f800000, 0x00400000};
constexpr Format<uint16_t> kHalf{0x8000, 0x7c00, 0x0200};
const std::vector<uint32_t> kSingles = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                        0xff800000, 0x7fc00001, 0xffc00002, 0x7f800003, 0xff800004,
                                        0x00000001, 0x80000001, 0x7f7fffff, 0x40490fdb, 0x7fa12345};
const std::vector<uint32_t> kHalves = {0x00000000, 0x80008000, 0x3c00bc00, 0x7c00fc00, 0x7e017e01, 0xfe02fe02,
                                       0x7c037c03, 0xfc04fc04, 0x00010001, 0x80018001, 0x7bff7bff, 0x42484248};
const std::vector<uint32_t> kIntegers = {0,          1,          2,      0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
                                         0x7fff,     0x8000,     0xffff, 0x7fff7fff, 0x80008000, 0xffffff,   0x800000,
                                         0x7f7f7f7f, 0x80808080, 0xff,   0x12345678, 0x00ff00ff};

uint32_t saturated(__int128 value, bool is_signed) {
  const __int128 low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : __int128(UINT32_MAX);
  return uint32_t(value < low ? low : value > high ? high : value);
}
} // namespace

TEST_CASE("Trap: min, max and med3 of NaNs and zeros") {
  for (const bool maximum : {false, true}) {
    const std::string name = maximum ? "v_max" : "v_min";
    check(name + "_f32 v4, v0, v1",
          result([=](uint32_t a, uint32_t b, uint32_t) { return kSingle.minmax(a, b, maximum); }),
          combinations(kSingles));
    check(name + "3_f32 v4, v0, v1, v2", result([=](uint32_t a, uint32_t b, uint32_t c) {
            return kSingle.minmax(kSingle.minmax(a, b, maximum), c, maximum);
          }),
          combinations(kSingles));
    check(name + "_f16 v4, v0, v1",
          result([=](uint32_t a, uint32_t b, uint32_t) { return kHalf.minmax(uint16_t(a), uint16_t(b), maximum); }),
          combinations(kHalves));
    check("v_pk" + name.substr(1) + "_f16 v4, v0, v1", result([=](uint32_t a, uint32_t b, uint32_t) {
            return kHalf.minmax(uint16_t(a), uint16_t(b), maximum) |
                   kHalf.minmax(uint16_t(a >> 16), uint16_t(b >> 16), maximum) << 16;
          }),
          combinations(kHalves));
  }
  check("v_med3_f32 v4, v0, v1, v2", result([](uint32_t a, uint32_t b, uint32_t c) { return kSingle.med3(a, b, c); }),
        combinations(kSingles));
}

TEST_CASE("Trap: a signalling NaN is quieted and keeps its sign and payload") {
  // One operand is a NaN and the others are numbers.
  const Fill fill = [](Wave& wave) {
    Random random(wave.row(0)[0]);
    static const uint32_t nans[] = {0x7f800001, 0xff812345, 0x7fc00007, 0xffffffff},
                          numbers[] = {0, 0x3f800000, 0xc0490fdb, 0x00000001, 0x7f7fffff};
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (uint32_t r = 0, chosen = random.below(3); r < 3; ++r)
        wave.row(r)[l] = r == chosen ? random.of(nans) : random.of(numbers);
  };
  const auto first_nan = [](uint32_t a, uint32_t b, uint32_t c) {
    return (kSingle.nan(a) ? a : kSingle.nan(b) ? b : c) | kSingle.quiet;
  };
  check("v_fma_f32 v4, v0, v1, v2", result(first_nan), fill);
  for (const char* name : {"v_add_f32", "v_sub_f32", "v_mul_f32"})
    check(std::string(name) + " v4, v0, v1\nv_add_f32 v4, v4, v2", result(first_nan), fill);
  // Moves and modifiers of sign are no arithmetic.
  check("v_mov_b32 v4, v0", result([](uint32_t a, uint32_t, uint32_t) { return a; }), fill);
  check("v_cndmask_b32 v4, -v0, v1, vcc", each([](const State& b, State& a, uint32_t l) {
          a.v[4][l] = b.vcc >> l & 1 ? b.v[1][l] : b.v[0][l] ^ 0x80000000;
        }),
        fill);
}

TEST_CASE("Trap: integers saturate with clamp") {
  const auto clamped = [](const std::string& text, auto value, bool is_signed) {
    check(text + " clamp",
          result([=](uint32_t a, uint32_t b, uint32_t c) { return saturated(value(a, b, c), is_signed); }),
          combinations(kIntegers));
  };
  using U = uint32_t;
  const auto i = [](U a) { return __int128(int32_t(a)); };
  const auto u = [](U a) { return __int128(a); };
  clamped("v_add_u32 v4, v0, v1", [=](U a, U b, U) { return u(a) + b; }, false);
  clamped("v_sub_u32 v4, v0, v1", [=](U a, U b, U) { return u(a) - b; }, false);
  clamped("v_subrev_u32 v4, v0, v1", [=](U a, U b, U) { return u(b) - a; }, false);
  clamped("v_add_i32 v4, v0, v1", [=](U a, U b, U) { return i(a) + i(b); }, true);
  clamped("v_sub_i32 v4, v0, v1", [=](U a, U b, U) { return i(a) - i(b); }, true);
}

TEST_CASE("Trap: 16-bit integers saturate with clamp") {
  const auto sum16 = [](int64_t value, bool is_signed) {
    const int64_t low = is_signed ? -32768 : 0, high = is_signed ? 32767 : 65535;
    return uint32_t(value < low ? low : value > high ? high : value) & 0xffff;
  };
  const auto as = [](uint32_t a, bool is_signed) { return is_signed ? int64_t(int16_t(a)) : int64_t(a & 0xffff); };
  for (const bool is_signed : {false, true}) {
    const char* const type = is_signed ? "i16" : "u16";
    check(fmt::format("v_add_{} v4, v0, v1 clamp", type), result([=](uint32_t a, uint32_t b, uint32_t) {
            return sum16(as(a, is_signed) + as(b, is_signed), is_signed);
          }),
          combinations(kIntegers));
    check(fmt::format("v_sub_{} v4, v0, v1 clamp", type), result([=](uint32_t a, uint32_t b, uint32_t) {
            return sum16(as(a, is_signed) - as(b, is_signed), is_signed);
          }),
          combinations(kIntegers));
    const auto mad = [=](uint32_t a, uint32_t b, uint32_t c) {
      return sum16(as(a, is_signed) * as(b, is_signed) + as(c, is_signed), is_signed);
    };
    check(fmt::format("v_mad_{} v4, v0, v1, v2 op_sel:[1,0,0,1] clamp", type),
          each([=](const State& b, State& a, uint32_t l) {
            a.v[4][l] = (b.v[4][l] & 0xffff) | mad(b.v[0][l] >> 16, b.v[1][l], b.v[2][l]) << 16;
          }),
          combinations(kIntegers));
    check(fmt::format("v_mad_legacy_{} v4, v0, v1, v2 clamp", type),
          result([=](uint32_t a, uint32_t b, uint32_t c) { return mad(a, b, c); }), combinations(kIntegers));
    check(fmt::format("v_pk_mad_{} v4, v0, v1, v2 clamp", type), result([=](uint32_t a, uint32_t b, uint32_t c) {
            return mad(a, b, c) | mad(a >> 16, b >> 16, c >> 16) << 16;
          }),
          combinations(kIntegers));
  }
}

TEST_CASE("Trap: a clamp bit whose meaning is not known is reported and never ignored") {
  for (const char* text :
       {"v_add_co_u32 v4, vcc, v0, v1", "v_subb_co_u32 v4, vcc, v0, v1, vcc",
        "v_mad_u64_u32 v[4:5], vcc, v0, v1, v[2:3]", "v_mad_i32_i24 v4, v0, v1, v2", "v_sad_u8 v4, v0, v1, v2",
        "v_dot4_i32_i8 v4, v0, v1, v2", "v_mqsad_u32_u8 v[4:7], v[0:1], v2, v[8:11]"}) {
    INFO(text);
    const Assembler assembler("gfx942");
    Guest guest(assembler, "gfx942", std::string(text) + " clamp\n");
    Machine machine;
    for (const Inst* entry : {guest.tier0(), guest.tier1({})}) {
      Random random(1);
      machine.randomize(random);
      machine.run(guest, entry);
      CHECK(machine.wave().stop == Stop::Fault);
      CHECK(machine.wave().fault == FaultKind::Unsupported);
    }
  }
}

TEST_CASE("Trap: SCC of s_min and s_max says whether the first operand is taken, of equal ones by max alone") {
  for (const bool equal : {false, true})
    for (const bool maximum : {false, true})
      for (const bool is_signed : {false, true})
        check(
            fmt::format("s_{}_{}32 s4, s0, s1", maximum ? "max" : "min", is_signed ? "i" : "u"),
            [=](const State& b, State& a) {
              const int64_t x = is_signed ? int32_t(b.s[0]) : int64_t(b.s[0]),
                            y = is_signed ? int32_t(b.s[1]) : int64_t(b.s[1]);
              a.scc = maximum ? x >= y : x < y;
              a.s[4] = a.scc ? b.s[0] : b.s[1];
            },
            [=](Wave& wave) {
              if (equal) wave.sgpr[1] = wave.sgpr[0];
            });
}

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
  for (const char* words : {"0xd28000ff, 0x00020500", "0x7e0871ff", "0xdc5c0000, 0xfd000000"}) {
    INFO(words);
    const Assembler assembler("gfx942");
    Guest guest(assembler, "gfx942", fmt::format(".long {}\n", words));
    Machine machine;
    for (const Inst* entry : {guest.tier0(), guest.tier1({})}) {
      Random random(1);
      machine.randomize(random);
      machine.run(guest, entry);
      CHECK(machine.wave().stop == Stop::Fault);
      CHECK(machine.wave().fault == FaultKind::Unsupported);
      CHECK(machine.wave().fault_inst->pc - guest.begin() == 4);
    }
  }
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
      {"row_bcast:15", [](int l) { return l / 16 * 16 - 1; }},
      {"row_bcast:31", [](int l) { return l < 32 ? -1 : 31; }},
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

TEST_CASE("Trap: SDWA extends signs of its operands, and its result keeps, extends or clears the rest") {
  struct Part {
    const char* name;
    uint32_t shift, bits;
  };
  static constexpr Part kParts[] = {{"BYTE_0", 0, 8},  {"BYTE_1", 8, 8},   {"BYTE_2", 16, 8}, {"BYTE_3", 24, 8},
                                    {"WORD_0", 0, 16}, {"WORD_1", 16, 16}, {"DWORD", 0, 32}};
  static constexpr const char* kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  const auto taken = [](uint32_t v, const Part& part, bool is_signed) {
    const uint32_t up = v >> part.shift << (32 - part.bits);
    return is_signed ? uint32_t(int32_t(up) >> (32 - part.bits)) : up >> (32 - part.bits);
  };
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
              const uint32_t mask = to.bits == 32 ? ~0u : (1u << to.bits) - 1;
              uint32_t out = (value & mask) << to.shift;
              if (unused == 1 && to.bits < 32 && value >> (to.bits - 1) & 1)
                out |= ~0ull << (to.shift + to.bits) & 0xffffffff;
              if (unused == 2) out |= before.v[4][l] & ~(mask << to.shift);
              after.v[4][l] = out;
            }));
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
