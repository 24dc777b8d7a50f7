// Runs every row of the reference tables through decode, lift and each host level, for a processor of each family that has the
// instruction, in waves of both sizes, on random and special inputs with
// full, partial and empty EXEC, and compares lane by lane, bit for bit (NaNs of any payload are equal: the host's NaN
// payloads differ from the hardware's).
#include "assembly.h"
#include "code.h"
#include "reference.h"
#include "test_seed.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace isa_test;
using namespace hip::engine;

namespace {

std::vector<Op> vector_ops() {
  std::vector<Op> all;
  auto add = [&](auto&& ops) { all.insert(all.end(), ops.begin(), ops.end()); };
  add(integer_ops());
  add(float_ops());
  add(convert_ops());
  add(compare_ops());
  add(later_ops());
  return all;
}
std::vector<Op> all_scalar_ops() {
  std::vector<Op> all(scalar_ops().begin(), scalar_ops().end());
  all.insert(all.end(), later_scalar_ops().begin(), later_scalar_ops().end());
  return all;
}

// How often a vector instruction is tried: OMNIHIP_TEST_ROUNDS times 40.
const int kTrials = 40 * [] {
  const char* rounds = std::getenv("OMNIHIP_TEST_ROUNDS");
  return rounds ? std::max(1, std::atoi(rounds)) : 1;
}();

// A processor of each family, and the sizes of its waves.
struct Waves {
  const char* processor;
  uint32_t lanes;
};
constexpr Waves kWaves[] = {{"gfx942", 64},  {"gfx950", 64},  {"gfx1010", 32}, {"gfx1030", 32}, {"gfx1030", 64},
                            {"gfx1100", 32}, {"gfx1100", 64}, {"gfx1151", 32}, {"gfx1201", 32}, {"gfx1201", 64}};
// Results of 16 bits leave the other half of their register alone.
bool keeps_halves(const Waves& waves) { return !std::string_view(waves.processor).starts_with("gfx9"); }


uint64_t special(Type type, std::mt19937_64& random) {
  static const uint64_t f16s[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7d00, 0xfe01, 0x0001,
                                  0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0x4248, 0x3bff, 0x4100};
  static const uint64_t f32s[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                  0x7f800001, 0xffc12345, 1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                                  0xff7fffff, 0x3f000000, 0x40490fdb, 0x4f000000, 0xcf000000, 0x4f800000, 0x3effffff,
                                  0x3f7fffff, 0x33800000, 0x477fe000, 0x477ff000, 0x387fc000, 0x33000001, 0xbf7fffff};
  static const uint64_t f64s[] = {0,
                                  0x8000000000000000,
                                  0x3ff0000000000000,
                                  0xbff0000000000000,
                                  0x7ff0000000000000,
                                  0xfff0000000000000,
                                  0x7ff8000000000000,
                                  0x7ff0000000000001,
                                  1,
                                  0x8000000000000001,
                                  0x000fffffffffffff,
                                  0x0010000000000000,
                                  0x7fefffffffffffff,
                                  0x3fe0000000000000,
                                  0x41dfffffffc00000,
                                  0x41efffffffe00000,
                                  0xc1e0000000000000,
                                  0x47efffffe0000000,
                                  0x3810000000000000,
                                  0x36a0000000000000};
  static const uint64_t ints[] = {0, 1, 2, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffff, 0x800000,
                                  0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, ~0ull};
  auto pick = [&](auto& values) { return values[random() % std::size(values)]; };
  switch (type) {
  case Type::F16: return pick(f16s);
  case Type::F32: return pick(f32s);
  case Type::F64: return pick(f64s);
  default: return pick(ints);
  }
}

// A value of the type: special, any bits, or (floats) of moderate size, which makes sums and products interesting.
uint64_t any_value(const Op& op, Type type, std::mt19937_64& random) {
  if (op.flags & kHalves && type == Type::U32)
    return any_value(Op{}, Type::F16, random) | any_value(Op{}, Type::F16, random) << 16;
  if (op.flags & kFloats) return any_value(Op{}, Type::F32, random) | any_value(Op{}, Type::F32, random) << 32;
  uint64_t bits = random();
  switch (random() % 4) {
  case 0: bits = special(type, random); break;
  case 1:
    if (is_float(type)) {
      double v = std::ldexp(double(int64_t(bits)) / 9.3e18, int(random() % 24) - 8);
      if (type == Type::F16) bits = to_bits(static_cast<f16>(v));
      if (type == Type::F32) bits = to_bits(static_cast<float>(v));
      if (type == Type::F64) bits = to_bits(v);
    } else {
      bits &= 0xff; // small numbers, so that shifts and fields are exercised
    }
    break;
  default: break;
  }
  return bits_of(type) == 64 ? bits : bits & ((1ull << bits_of(type)) - 1);
}

template <class T> int64_t ordered(uint64_t raw) {
  constexpr uint64_t sign = 1ull << (sizeof(T) * 8 - 1);
  return raw & sign ? -int64_t(raw & (sign - 1)) : int64_t(raw);
}
bool same_float(Type type, uint64_t a, uint64_t b, uint32_t max_ulp) {
  auto nan = [&](uint64_t v) {
    switch (type) {
    case Type::F16: return (v & 0x7fff) > 0x7c00;
    case Type::F32: return (v & 0x7fffffff) > 0x7f800000;
    default: return (v & 0x7fffffffffffffff) > 0x7ff0000000000000;
    }
  };
  if (a == b || (nan(a) && nan(b))) return true;
  if (nan(a) || nan(b) || max_ulp == 0) return false;
  if (max_ulp == ~0u) // sine and cosine: absolute
    return std::fabs(from_bits<float>(a) - from_bits<float>(b)) < 1e-6f;
  int64_t x, y;
  switch (type) {
  case Type::F16: x = ordered<f16>(a), y = ordered<f16>(b); break;
  case Type::F32: x = ordered<float>(a), y = ordered<float>(b); break;
  default: x = ordered<double>(a), y = ordered<double>(b); break;
  }
  return std::llabs(x - y) <= int64_t(max_ulp);
}
bool denormal_or_tiny(uint64_t raw) { // f32
  uint32_t exponent = raw >> 23 & 0xff;
  return exponent <= 1 || (exponent >= 253 && exponent < 255);
}
bool same(const Op& op, uint64_t a, uint64_t b) {
  if (op.flags & kHalves)
    return same_float(Type::F16, a & 0xffff, b & 0xffff, op.max_ulp) && same_float(Type::F16, a >> 16, b >> 16, op.max_ulp);
  if (op.flags & kFloats)
    return same_float(Type::F32, uint32_t(a), uint32_t(b), op.max_ulp) &&
           same_float(Type::F32, a >> 32, b >> 32, op.max_ulp);
  return is_float(op.dst) ? same_float(op.dst, a, b, op.max_ulp) : a == b;
}

uint64_t read_row(Wave& w, uint32_t row, uint32_t lane, int bits) {
  uint64_t v = w.row(row)[lane];
  if (bits == 64) v |= uint64_t(w.row(row + 1)[lane]) << 32;
  return v;
}
void write_row(Wave& w, uint32_t row, uint32_t lane, int bits, uint64_t v) {
  w.row(row)[lane] = uint32_t(v);
  if (bits == 64) w.row(row + 1)[lane] = uint32_t(v >> 32);
}

uint64_t exec_mask(int trial, std::mt19937_64& random) {
  switch (trial % 5) {
  case 0: return ~0ull;
  case 1: return random();
  case 2: return 1ull << (random() % 64);
  case 3: return 0x00000000ffffffffull << (random() % 33);
  default: return trial % 10 == 4 ? 0 : random() & random();
  }
}

// One execution of a vector row; returns what is wrong, or an empty string.
std::string check_vector(const HostLevel& level, const Waves& waves, Code& code, size_t row, const Op& op, Form form, int trial,
                         std::mt19937_64& random) {
  auto wave = make_wave();
  Wave& w = *wave;
  for (uint32_t r = 0; r < kRows; ++r)
    for (uint32_t lane = 0; lane < 64; ++lane) w.row(r)[lane] = uint32_t(random());
  uint64_t sources[3][64], before[64];
  for (int i = 0; i < 3 && op.src[i] != Type::None; ++i) {
    uint64_t shared = any_value(op, op.src[i], random);
    for (uint32_t lane = 0; lane < 64; ++lane) {
      uint64_t v = form == Form::ScalarFirst && i == 0 ? shared : any_value(op, op.src[i], random);
      if (bits_of(op.src[i]) == 16 && form == Form::Plain) v |= random() << 16 & 0xffff0000; // upper half is ignored
      sources[i][lane] = v;
      write_row(w, kSourceRegister[i], lane, bits_of(op.src[i]), v);
    }
    if (form == Form::ScalarFirst && i == 0) w.set_sgpr64(8, shared);
  }
  const int dst_bits = bits_of(op.dst);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    uint64_t d = op.flags & kReadsDst ? any_value(op, op.dst, random) : random();
    write_row(w, kDestinationRegister, lane, dst_bits, d);
    before[lane] = read_row(w, kDestinationRegister, lane, dst_bits);
  }
  w.lanes = waves.lanes;
  const uint64_t all = ~0ull >> (64 - waves.lanes);
  const uint64_t exec = exec_mask(trial, random) & all, vcc = random() & all;
  w.set_sgpr64(kExecLo, exec);
  w.set_sgpr64(kVccLo, vcc);
  start(w, code, row);
  level.run(w);
  if (w.stop != Stop::Ended)
    return fmt::format("stopped with reason {} (fault {}): {}", int(w.stop), int(w.fault),
                       w.fault_inst ? code.program().unsupported_reason(w.fault_inst->pc) : "");
  if (w.exec() != exec) return "EXEC changed";
  for (uint32_t lane = 0; lane < waves.lanes; ++lane) {
    const bool active = exec >> lane & 1;
    uint64_t got = read_row(w, kDestinationRegister, lane, dst_bits);
    if (!active || op.dst == Type::None) {
      if (got != before[lane]) return fmt::format("lane {} is inactive, but its destination changed", lane);
      if ((op.flags & (kCompare | kWritesVcc)) && !active && (w.vcc() >> lane & 1))
        return fmt::format("lane {} is inactive, but its bit of VCC is set", lane);
      if (!active) continue;
    }
    Inputs in;
    for (int i = 0; i < 3 && op.src[i] != Type::None; ++i) in.s[i] = sources[i][lane];
    in.d = before[lane];
    in.vcc = vcc >> lane & 1;
    in.lane = lane;
    Outputs out;
    op.compute(in, out);
    if (op.flags & kNoDenormals) {
      bool skip = op.dst == Type::F32 && (denormal_or_tiny(out.d) || denormal_or_tiny(got));
      skip |= op.src[0] == Type::F32 && (in.s[0] & 0x7fffffff) != 0 && (in.s[0] >> 23 & 0xff) == 0;
      if (skip) continue;
    }
    std::string inputs;
    for (int i = 0; i < 3 && op.src[i] != Type::None; ++i) inputs += fmt::format(" {:#x}", in.s[i]);
    if (op.dst != Type::None) {
      const bool keeps = dst_bits == 16 && keeps_halves(waves);
      uint64_t mask = dst_bits == 64 ? ~0ull : dst_bits == 16 && (keeps || !(op.flags & kFullDst)) ? 0xffff : 0xffffffff;
      if (keeps && (got ^ before[lane]) >> 16) return fmt::format("lane {}: the upper half of the destination changed", lane);
      if (!same(op, got & mask, out.d & mask))
        return fmt::format("lane {}: sources{} old {:#x} vcc {} give {:#x}, expected {:#x}", lane, inputs, in.d, in.vcc,
                           got & mask, out.d & mask);
    }
    if ((op.flags & (kCompare | kWritesVcc)) && (w.vcc() >> lane & 1) != out.vcc)
      return fmt::format("lane {}: sources{} give VCC {}, expected {}", lane, inputs, w.vcc() >> lane & 1, out.vcc);
  }
  if (!(op.flags & (kCompare | kWritesVcc)) && w.vcc() != vcc) return "VCC changed";
  return {};
}

std::string check_scalar(const HostLevel& level, const Waves& waves, Code& code, size_t row, const Op& op, std::mt19937_64& random) {
  auto wave = make_wave();
  Wave& w = *wave;
  for (uint32_t i = 0; i < 100; ++i) w.sgpr[i] = uint32_t(random());
  Inputs in;
  for (int i = 0; i < 3 && op.src[i] != Type::None; ++i) {
    in.s[i] = any_value(op, op.src[i], random);
    if (bits_of(op.src[i]) == 64) w.set_sgpr64(kSourceRegister[i], in.s[i]);
    else w.sgpr[kSourceRegister[i]] = uint32_t(in.s[i]);
  }
  in.d = bits_of(op.dst) == 64 ? w.sgpr64(kDestinationRegister) : w.sgpr[kDestinationRegister];
  in.vcc = random() & 1;
  w.scc = in.vcc;
  w.lanes = waves.lanes;
  w.set_sgpr64(kExecLo, ~0ull >> (64 - waves.lanes));
  start(w, code, row);
  level.run(w);
  if (w.stop != Stop::Ended)
    return fmt::format("stopped with reason {} (fault {}): {}", int(w.stop), int(w.fault),
                       w.fault_inst ? code.program().unsupported_reason(w.fault_inst->pc) : "");
  Outputs out;
  out.vcc = in.vcc;
  op.compute(in, out);
  uint64_t got = bits_of(op.dst) == 64 ? w.sgpr64(kDestinationRegister) : w.sgpr[kDestinationRegister];
  if (op.dst != Type::None && !same(op, got, out.d))
    return fmt::format("sources {:#x} {:#x} old {:#x} scc {} give {:#x}, expected {:#x}", in.s[0], in.s[1], in.d, in.vcc,
                       got, out.d);
  bool expected_scc = op.flags & (kWritesVcc | kCompare) ? out.vcc : in.vcc;
  if ((w.scc != 0) != expected_scc)
    return fmt::format("sources {:#x} {:#x} scc {} give SCC {}, expected {}", in.s[0], in.s[1], in.vcc, w.scc,
                       expected_scc);
  return {};
}

// Each row of the table that a processor has, on each processor. `check(level, waves, code, index, row)` says what is wrong, or
// returns an empty string.
template <class Check> void check_rows(const std::vector<Op>& ops, Form form, Check check) {
  std::set<std::string> tried;
  for (const Waves& waves : kWaves) {
    const std::vector<Row> rows = rows_for(ops, form, waves.processor, waves.lanes);
    for (const Row& row : rows) tried.insert(row.op->mnemonic);
    for (const HostLevel* level : host_levels()) {
      if (!can_execute(*level)) continue;
      Code code(rows, *level, waves.processor, waves.lanes);
      for (size_t i = 0; i < rows.size(); ++i)
        if (const std::string wrong = check(*level, waves, code, i, rows[i]); !wrong.empty())
          FAIL_CHECK(level->name << ", " << waves.processor << ", waves of " << waves.lanes << ": " << rows[i].text << ": " << wrong);
    }
  }
  for (const Op& op : ops) {
    INFO(op.mnemonic << " exists on no processor");
    CHECK(tried.contains(op.mnemonic));
  }
}

void check_vector_ops(Form form) {
  std::vector<Op> ops = vector_ops();
  // VCC as an operand takes the one scalar read that an instruction of gfx9 may make.
  if (form == Form::ScalarFirst) std::erase_if(ops, [](const Op& op) { return (op.flags & kReadsVcc) != 0; });
  check_rows(
      ops, form, [&](const HostLevel& level, const Waves& waves, Code& code, size_t i, const Row& row) -> std::string {
        std::mt19937_64 random(hip::testing::seeded(i * 7919 + 1));
        for (int trial = 0; trial < kTrials; ++trial)
          if (std::string wrong = check_vector(level, waves, code, i, *row.op, form, trial, random); !wrong.empty())
            return wrong;
        return {};
      });
}

} // namespace

TEST_CASE("Vector instructions compute what the ISA says, operands in VGPRs") { check_vector_ops(Form::Plain); }
TEST_CASE("Vector instructions compute what the ISA says, first operand scalar") { check_vector_ops(Form::ScalarFirst); }

TEST_CASE("Scalar instructions compute what the ISA says") {
  const std::vector<Op> ops = all_scalar_ops();
  check_rows(ops, Form::Plain,
             [](const HostLevel& level, const Waves& waves, Code& code, size_t i, const Row& row) -> std::string {
               std::mt19937_64 random(hip::testing::seeded(i * 104729 + 5));
               for (int trial = 0; trial < 400; ++trial)
                 if (std::string wrong = check_scalar(level, waves, code, i, *row.op, random); !wrong.empty())
                   return wrong;
               return {};
             });
}
