// Atomics on device memory, host memory and, through flat addresses, LDS and private memory: tier 1 against tier 0, and both
// against lanes that come one after the other.
#include "machine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

using namespace tier1_test;

namespace {

using Model = uint64_t (*)(uint64_t memory, uint64_t data, uint64_t compare);
struct Op {
  const char* name;
  uint32_t dwords;
  bool compares; // a second operand
  Model after;
  uint64_t (*number)(Random&) = nullptr; // what its operands are; else anything
};

template <class T> T as(uint64_t v) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(uint32_t(v));
  else
    return std::bit_cast<T>(v);
}
template <class T> uint64_t bits(T v) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(v);
  else
    return std::bit_cast<uint64_t>(v);
}
#define MODEL(T, expression)                                                                                           \
  [](uint64_t memory, uint64_t data, uint64_t compare) {                                                               \
    [[maybe_unused]] const T m = as<T>(memory), d = as<T>(data), c = as<T>(compare);                                   \
    return bits<T>(expression);                                                                                        \
  }
template <class T> uint64_t small_number(Random& random) { return bits<T>(T(int(random.below(2000)) - 1000) / 8); }
// Whole numbers that halves and bfloats hold, and whose sums they hold.
uint64_t two_halves(Random& random) {
  auto one = [&] { return uint32_t(std::bit_cast<uint16_t>(_Float16(int(random.below(9)) - 4))); };
  return one() | one() << 16;
}
uint64_t two_bfloats(Random& random) {
  auto one = [&] { return std::bit_cast<uint32_t>(float(int(random.below(5)) - 2)); };
  return one() >> 16 | (one() & 0xffff0000);
}
uint64_t half_sums(uint64_t memory, uint64_t data, uint64_t) {
  auto sum = [&](uint32_t shift) {
    const float s = float(std::bit_cast<_Float16>(uint16_t(memory >> shift))) + float(std::bit_cast<_Float16>(uint16_t(data >> shift)));
    return uint64_t(std::bit_cast<uint16_t>(_Float16(s))) << shift;
  };
  return sum(0) | sum(16);
}
uint64_t bfloat_sums(uint64_t memory, uint64_t data, uint64_t) {
  auto sum = [&](uint32_t shift) {
    const float s = std::bit_cast<float>(uint32_t(memory >> shift << 16)) + std::bit_cast<float>(uint32_t(data >> shift << 16));
    return uint64_t(std::bit_cast<uint32_t>(s) >> 16) << shift;
  };
  return sum(0) | sum(16);
}
#define INTEGERS(suffix, n, U, S)                                                                                      \
  {"swap" suffix, n, false, MODEL(U, d)}, {"add" suffix, n, false, MODEL(U, m + d)}, {"sub" suffix, n, false, MODEL(U, m - d)}, \
      {"smin" suffix, n, false, MODEL(S, m < d ? m : d)}, {"umin" suffix, n, false, MODEL(U, m < d ? m : d)},           \
      {"smax" suffix, n, false, MODEL(S, m > d ? m : d)}, {"umax" suffix, n, false, MODEL(U, m > d ? m : d)},           \
      {"and" suffix, n, false, MODEL(U, m & d)}, {"or" suffix, n, false, MODEL(U, m | d)}, {"xor" suffix, n, false, MODEL(U, m ^ d)}, \
      {"inc" suffix, n, false, MODEL(U, m >= d ? U(0) : U(m + 1))},                                                     \
      {"dec" suffix, n, false, MODEL(U, m == 0 || m > d ? d : U(m - 1))}, {"cmpswap" suffix, n, true, MODEL(U, m == c ? d : m)}
const Op kOps[] = {
    INTEGERS("", 1, uint32_t, int32_t),
    INTEGERS("_x2", 2, uint64_t, int64_t),
    {"add_f32", 1, false, MODEL(float, m + d), small_number<float>},
    {"add_f64", 2, false, MODEL(double, m + d), small_number<double>},
    {"min_f64", 2, false, MODEL(double, m < d ? m : d), small_number<double>},
    {"max_f64", 2, false, MODEL(double, m > d ? m : d), small_number<double>},
    {"pk_add_f16", 1, false, half_sums, two_halves},
    {"pk_add_bf16", 1, false, bfloat_sums, two_bfloats},
};

constexpr uint32_t kRounds = 8; // the same instruction, so many times

std::string program(const Op& op, bool flat, bool returns) {
  const std::string data = op.dwords * (op.compares ? 2 : 1) == 1 ? "v8" : fmt::format("v[8:{}]", 7 + op.dwords * (op.compares ? 2 : 1));
  const std::string result = !returns ? "" : op.dwords == 1 ? "v4, " : "v[4:5], ";
  const std::string one = fmt::format("{}_atomic_{} {}v[2:3], {}{}{}\n", flat ? "flat" : "global", op.name, result, data, flat ? "" : ", off",
                                      returns ? " sc0" : "");
  // Where lanes go next changes from round to round.
  std::string text = "s_mov_b64 exec, s[94:95]\n";
  for (uint32_t k = 0; k < kRounds; ++k)
    text += one + (returns ? fmt::format("v_mov_b32 v{}, v4\nv_mov_b32 v{}, v5\n", 20 + 2 * k, 21 + 2 * k) : "") + "v_mov_b32 v2, v7\n";
  return text;
}

enum class Segment { Arena, Host, Lds, Private };

} // namespace

TEST_CASE("Translated atomics do what tier 0 does: lane after lane") {
  const Assembler assembler("gfx942");
  Random random(31);
  Machine machine;
  for (const Op& op : kOps)
    for (bool returns : {false, true}) {
      const bool flat = random.one_in(2);
      const std::string text = program(op, flat, returns);
      Guest guest(assembler, "gfx942", text);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < kExecKinds; ++trial) {
        machine.randomize(random);
        Wave& w = machine.wave();
        const uint64_t exec = any_exec(trial, random);
        w.set_sgpr64(94, exec);
        const Segment segment = !flat ? (random.one_in(3) ? Segment::Host : Segment::Arena)
                                    : random.one_in(4) ? Segment::Host : random.one_in(3) ? Segment::Arena
                                    : op.dwords == 1 && random.one_in(3) ? Segment::Private : Segment::Lds;
        static const uint32_t counts[] = {1, 1, 2, 5, 8};
        const uint32_t words = random.of(counts); // the lanes share so many
        const uint64_t base = segment == Segment::Arena  ? machine.arena() + 4096
                              : segment == Segment::Host ? machine.host() + 64
                              : segment == Segment::Lds  ? w.shared_aperture + 128
                                                       : w.private_aperture;
        char* memory = reinterpret_cast<char*>(segment == Segment::Lds ? reinterpret_cast<uint64_t>(w.lds) + 128 : base);
        auto draw = [&] { return op.number ? op.number(random) : random.one_in(2) ? random() : uint64_t(random.below(4)); };
        const uint32_t bytes = 4 * op.dwords;
        // Dword d of a lane's private memory lies 256 bytes behind the one before.
        auto word = [&](uint32_t n, uint32_t lane) {
          return segment == Segment::Private ? reinterpret_cast<char*>(w.scratch_base) + n * kRowBytes + 4 * lane : memory + n * bytes;
        };
        for (uint32_t n = 0; n < words; ++n)
          for (uint32_t l = 0; l < (segment == Segment::Private ? kMaxLanes : 1); ++l) {
            const uint64_t v = draw();
            std::memcpy(word(n, l), &v, bytes);
          }
        uint32_t at[2][kMaxLanes];
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          for (uint32_t k = 0; k < 2; ++k) at[k][l] = random.below(words);
          w.row(2)[l] = uint32_t(base) + at[0][l] * bytes, w.row(3)[l] = uint32_t(base >> 32), w.row(7)[l] = uint32_t(base) + at[1][l] * bytes;
          for (uint32_t k = 0; k < (op.compares ? 2 : 1); ++k) {
            const uint64_t v = draw();
            w.row(8 + k * op.dwords)[l] = uint32_t(v);
            if (op.dwords == 2) w.row(9 + k * op.dwords)[l] = uint32_t(v >> 32);
          }
        }
        // Lane after lane.
        std::vector<char> saved(memory, memory + (segment == Segment::Private ? 0 : words * bytes));
        std::vector<char> saved_private(reinterpret_cast<char*>(w.scratch_base), reinterpret_cast<char*>(w.scratch_base) + Machine::kScratchBytes * kMaxLanes);
        uint64_t old[kRounds][kMaxLanes] = {};
        auto value = [&](uint32_t first, uint32_t l) { return w.row(first)[l] | (op.dwords == 2 ? uint64_t(w.row(first + 1)[l]) << 32 : 0); };
        for (uint32_t k = 0; k < kRounds; ++k)
          for (uint32_t l = 0; l < kMaxLanes; ++l) {
            if (!(exec >> l & 1)) continue;
            char* p = word(at[k > 0][l], l);
            uint64_t m = 0;
            std::memcpy(&m, p, bytes);
            old[k][l] = m;
            m = op.after(m, value(8, l), op.compares ? value(8 + op.dwords, l) : 0);
            std::memcpy(p, &m, bytes);
          }
        auto contents = [&] {
          return std::pair(std::vector<char>(memory, memory + saved.size()),
                           std::vector<char>(reinterpret_cast<char*>(w.scratch_base), reinterpret_cast<char*>(w.scratch_base) + saved_private.size()));
        };
        const auto expected = contents();
        std::copy(saved.begin(), saved.end(), memory);
        std::copy(saved_private.begin(), saved_private.end(), reinterpret_cast<char*>(w.scratch_base));
        INFO(op.name << (returns ? " with a result, " : ", ") << words << " words, segment " << int(segment) << fmt::format(", EXEC {:#x}", exec));
        Stop stop;
        const std::string wrong = machine.compare(guest, guest.tier0(), tier1, {}, &stop);
        REQUIRE(wrong == "");
        REQUIRE(stop == Stop::Ended);
        REQUIRE(contents() == expected);
        for (uint32_t k = 0; returns && k < kRounds; ++k)
          for (uint32_t l = 0; l < kMaxLanes; ++l)
            if (exec >> l & 1) REQUIRE(value(20 + 2 * k, l) == old[k][l]);
      }
    }
}
