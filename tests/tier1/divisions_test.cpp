// Divisions as compilers expand them: tier 1 makes one division of a whole sequence, with the bits that the sequence has in
// tier 0; a sequence in which one step is different keeps its own result.
#include "read_code.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tier1_test;

namespace {

// v0-v31 hold the numbers, s[94:95] EXEC, s[4:5] and vcc masks; from v32 on what is computed.
std::string vgpr(uint32_t first, uint32_t dwords) {
  return dwords == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + 1);
}

struct Sequence {
  std::vector<std::string> lines;
  std::string text() const {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }
};

// n / d into the register `to`; `mask` gets that of the scaled numerator. As LLVM orders the factors, or the other way round.
Sequence division(uint32_t bits, const std::string& n, const std::string& d, uint32_t to, bool other_way, bool through_copy) {
  const uint32_t w = bits / 32;
  const std::string t = fmt::format("_f{}", bits);
  auto r = [&](uint32_t k) { return vgpr(to + k * w, w); };
  auto fma = [&](uint32_t out, const std::string& a, const std::string& b, const std::string& c) {
    return fmt::format("v_fma{} {}, {}, {}, {}", t, r(out), other_way ? b : a, other_way ? a : b, c);
  };
  Sequence s;
  auto line = [&](const std::string& text) { s.lines.push_back(text); };
  line(fmt::format("v_div_scale{} {}, s[8:9], {}, {}, {}", t, r(1), d, d, n));
  line(fmt::format("v_div_scale{} {}, {}, {}, {}, {}", t, r(2), through_copy ? "s[4:5]" : "vcc", n, d, n));
  line(fmt::format("v_rcp{} {}, {}", t, r(3), r(1)));
  line(fma(4, "-" + r(1), r(3), "1.0"));
  line(fmt::format("v_fmac{} {}, {}, {}", t, r(3), r(4), r(3)));
  if (bits == 64) {
    line(fma(4, "-" + r(1), r(3), "1.0"));
    line(fma(3, r(3), r(4), r(3)));
  }
  line(fmt::format("v_mul{} {}, {}, {}", t, r(5), other_way ? r(3) : r(2), other_way ? r(2) : r(3)));
  if (bits == 32) {
    line(fma(4, "-" + r(1), r(5), r(2)));
    line(fmt::format("v_fmac{} {}, {}, {}", t, r(5), r(4), r(3)));
  }
  line(fma(4, "-" + r(1), r(5), r(2)));
  if (through_copy) line("s_mov_b64 vcc, s[4:5]");
  line(fmt::format("v_div_fmas{} {}, {}, {}, {}", t, r(4), r(4), r(3), r(5)));
  line(fmt::format("v_div_fixup{} {}, {}, {}, {}", t, r(0), r(4), d, n));
  return s;
}

uint32_t quotients(const Assembler& assembler, const std::string& text) {
  return with_code(assembler, text, [](const compile::Code& code, const compile::Library&) {
    return uint32_t(std::count_if(code.instrs.begin(), code.instrs.end(), [](const auto& i) { return i.is_quotient; }));
  });
}

// Pairs of numbers whose quotients are of every kind: moderate, about to overflow, denormal, ties of denormals.
template <class T> void set_numbers(Machine& machine, Random& random, uint32_t first) {
  constexpr uint32_t kDwords = sizeof(T) / 4;
  constexpr int kBits = sizeof(T) == 8 ? 52 : 23, kBias = sizeof(T) == 8 ? 1023 : 127;
  for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
    const int exponent = int(random.below(2 * kBias + 1)), fraction = int(random.below(4));
    auto number = [&](int biased) {
      uint64_t u = uint64_t(std::clamp(biased, 0, 2 * kBias + 1)) << kBits;
      if (fraction != 0) u |= (random() & ((1ull << kBits) - 1)) & (fraction == 1 ? ~((1ull << (kBits - 4)) - 1) : ~0ull);
      return u | uint64_t(random.below(2)) << (sizeof(T) * 8 - 1);
    };
    const int near[] = {exponent - kBias, exponent - kBias + 1, exponent + kBias, exponent - kBias - kBits + int(random.below(54)), exponent, int(random.below(2 * kBias))};
    const uint64_t d = number(exponent), n = number(near[random.below(6)]);
    for (uint32_t k = 0; k < kDwords; ++k) {
      machine.wave().row(first + k)[lane] = uint32_t(n >> 32 * k);
      machine.wave().row(first + kDwords + k)[lane] = uint32_t(d >> 32 * k);
    }
  }
}

// A step that meets two NaNs: hosts take the first operand's, and the compiler chooses which that is.
template <class T> bool both_nan(const uint32_t* a, const uint32_t* b, uint32_t lane) {
  auto nan = [&](const uint32_t* low) {
    if constexpr (sizeof(T) == 4)
      return std::isnan(std::bit_cast<float>(low[lane]));
    else
      return std::isnan(std::bit_cast<double>(low[lane] | uint64_t(low[kMaxLanes + lane]) << 32));
  };
  return nan(a) && nan(b);
}
// Whether registers count as equal. Quotients are exact, for v_div_fixup makes their NaNs.
bool is_close(uint32_t bits, bool exact_quotient, uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
  const uint32_t w = bits / 32;
  if (row >= 96 || (exact_quotient && (row < 32 || row % 32 < w))) return false; // quotients: rows 32 and 64
  if (bits == 32) return both_nan<float>(a, b, lane);
  const uint32_t back = row % 2 * kMaxLanes;
  return both_nan<double>(a - back, b - back, lane);
}

enum class Quotients { Exact, AnyNan };
void compare(const Assembler& assembler, const std::string& text, uint32_t bits, uint32_t states, uint64_t seed,
             Quotients quotients = Quotients::Exact) {
  Guest guest(assembler, "gfx942", "s_mov_b64 exec, s[94:95]\n" + text);
  const Inst* tier1 = guest.tier1(compile::Start());
  Machine machine;
  Random random(seed);
  for (uint32_t k = 0; k < states; ++k) {
    machine.randomize(random); // special values
    if (k % 4) bits == 64 ? set_numbers<double>(machine, random, 0) : set_numbers<float>(machine, random, 0);
    machine.wave().set_sgpr64(94, any_exec(k % kExecKinds, random));
    const std::string wrong = machine.compare(
        guest, guest.tier0(), tier1, [&](uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane) {
          return is_close(bits, quotients == Quotients::Exact, row, a, b, lane);
        });
    INFO(text << "state " << k);
    REQUIRE(wrong == "");
  }
}

} // namespace

TEST_CASE("a division is one division") {
  const Assembler assembler("gfx942");
  for (uint32_t bits : {32u, 64u})
    for (bool other_way : {false, true})
      for (bool through_copy : {false, true}) {
        const uint32_t w = bits / 32;
        const std::string text = division(bits, vgpr(0, w), vgpr(w, w), 32, other_way, through_copy).text();
        INFO(text);
        CHECK(quotients(assembler, text) == 1);
        compare(assembler, text, bits, tries(200), 7 * bits + other_way);
      }
}

TEST_CASE("divisions with constants, modifiers, scalars, and two at a time") {
  const Assembler assembler("gfx942");
  for (uint32_t bits : {32u, 64u}) {
    const uint32_t w = bits / 32;
    for (const std::string& n : {std::string("1.0"), "-" + vgpr(0, w), std::string(bits == 64 ? "s[10:11]" : "s10")}) {
      const std::string text = division(bits, n, vgpr(w, w), 32, false, false).text();
      INFO(text);
      CHECK(quotients(assembler, text) == 1);
      compare(assembler, text, bits, 60, bits);
    }
    const Sequence a = division(bits, vgpr(0, w), vgpr(w, w), 32, false, true);
    const Sequence b = division(bits, vgpr(w, w), vgpr(0, w), 64, true, false);
    std::string text;
    for (size_t k = 0; k < a.lines.size(); ++k) // b follows a, four lines later, with vcc used by both in turn
      text += (k < 4 ? "" : b.lines[k - 4] + "\n") + a.lines[k] + "\n";
    for (size_t k = b.lines.size() - 4; k < b.lines.size(); ++k) text += b.lines[k] + "\n";
    compare(assembler, text, bits, 60, 3 * bits);
  }
}

TEST_CASE("what is almost a division keeps its own result") {
  const Assembler assembler("gfx942");
  for (uint32_t bits : {32u, 64u}) {
    const uint32_t w = bits / 32;
    const std::string n = vgpr(0, w), d = vgpr(w, w), other = vgpr(2 * w, w);
    const Sequence whole = division(bits, n, d, 32, false, false);
    auto check = [&](const std::string& text) {
      INFO(text);
      CHECK(quotients(assembler, text) == 0);
      compare(assembler, text, bits, 20, bits + 1, Quotients::AnyNan);
    };
    // Any line left out.
    for (size_t k = 0; k + 1 < whole.lines.size(); ++k) {
      Sequence s = whole;
      s.lines.erase(s.lines.begin() + long(k));
      check(s.text());
    }
    // An operand that is another value: of each line, by a change of the register before it.
    for (size_t k = 1; k < whole.lines.size(); ++k)
      for (const std::string& changed : {n, d}) {
        if (whole.lines[k].find(changed + ",") == std::string::npos && !whole.lines[k].ends_with(changed)) continue;
        Sequence s = whole;
        s.lines.insert(s.lines.begin() + long(k), fmt::format("v_add_f{} {}, {}, {}", bits, changed, changed, other));
        check(s.text());
      }
    // Another mask, a step under other lanes, a result that is doubled.
    Sequence s = whole;
    s.lines.insert(s.lines.end() - 2, "s_mov_b64 vcc, s[8:9]");
    check(s.text());
    s = whole;
    s.lines.insert(s.lines.end() - 2, "s_mov_b32 vcc_hi, s9");
    check(s.text());
    s = whole;
    s.lines.insert(s.lines.begin() + 3, "s_mov_b64 exec, s[8:9]");
    check(s.text());
    s = whole;
    s.lines.back() += " mul:2";
    check(s.text());
  }
}
