// tests/isa/cases.cpp - see cases.h.
#include "cases.h"
#include "test_seed.h"

#include <cmath>
#include <random>

namespace isa_test {
namespace {

u32 any_bits(std::mt19937_64& random) {
  static const u32 special[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 1, 0xffffffff, 0x7fffffff,
                                0x00010001, 0x3c00bc00, 0x7c00fc00, 17, 64, 0x3f000000, 0x3effffff};
  const u32 bits = u32(random());
  switch (random() % 4) {
  case 0: return special[bits % std::size(special)];
  case 1: return raw(std::ldexp(float(int32_t(bits)), -31 - int(random() % 8) + 6));
  case 2: return bits & 0xff00ff;
  default: return bits;
  }
}
bool same_bits(u32 a, u32 b) { // NaNs of any payload are equal
  auto nan = [](u32 v) { return (v & 0x7fffffff) > 0x7f800000; };
  auto half_nan = [](u32 v) { return (v & 0x7fff) > 0x7c00; };
  auto same_half = [&](u32 x, u32 y) { return x == y || (half_nan(x) && half_nan(y)); };
  return a == b || (nan(a) && nan(b)) || (same_half(a & 0xffff, b & 0xffff) && same_half(a >> 16, b >> 16));
}

bool wide_nan(u32 high) { return (high & 0x7ff80000) == 0x7ff80000; }

std::string run_case(const HostLevel& level, Code& code, size_t row, const Case& test, std::mt19937_64& random, u64 exec) {
  auto wave = make_wave();
  Wave& w = *wave;
  State before{};
  for (u32 r = 0; r < 16; ++r)
    for (u32 l = 0; l < 64; ++l) before.v[r][l] = w.row(r)[l] = any_bits(random);
  for (u32 i = 0; i < 32; ++i) before.s[i] = w.sgpr[i] = any_bits(random);
  before.vcc = random(), before.exec = exec, before.scc = random() & 1;
  w.set_sgpr64(kVccLo, before.vcc), w.set_sgpr64(kExecLo, exec), w.scc = before.scc;
  State expected = before;
  test.expected(before, expected);
  alignas(64) uint8_t lds[kLdsBytes + 64];
  for (u32 n = 0; n < sizeof lds; ++n) lds[n] = n < kLdsBytes ? lds_byte(n) : 0xee;
  w.lds = lds, w.lds_bytes = kLdsBytes;
  w.shared_aperture = kSharedAperture;
  start(w, code, row);
  level.run(w);
  if (w.stop != Stop::Ended)
    return fmt::format("stopped with reason {} (fault {}): {}", int(w.stop), int(w.fault),
                       w.fault_inst ? code.program().unsupported_reason(w.fault_inst->pc) : "");
  for (u32 n = 0; n < sizeof lds; ++n)
    if (lds[n] != (n < kLdsBytes ? lds_byte(n) : 0xee)) return fmt::format("byte {} of LDS has changed", n);
  for (u32 r = 0; r < 16; ++r)
    for (u32 l = 0; l < 64; ++l)
      if (w.row(r)[l] != expected.v[r][l] && (test.exact || !same_bits(w.row(r)[l], expected.v[r][l])) &&
          !(!test.exact && r == 6 && wide_nan(w.row(7)[l]) && wide_nan(expected.v[7][l])))
        return fmt::format("exec {:#x}: v{} of lane {} is {:#x}, expected {:#x} (v0 {:#x}, v2 {:#x}, v4 {:#x}, v6 {:#x}, s8 {:#x})",
                           exec, r, l, w.row(r)[l], expected.v[r][l], before.v[0][l], before.v[2][l], before.v[4][l],
                           before.v[6][l], before.s[8]);
  for (u32 i = 0; i < 32; ++i)
    if (w.sgpr[i] != expected.s[i]) return fmt::format("s{} is {:#x}, expected {:#x}", i, w.sgpr[i], expected.s[i]);
  if (w.vcc() != expected.vcc) return fmt::format("VCC is {:#x}, expected {:#x} (EXEC {:#x})", w.vcc(), expected.vcc, exec);
  if (w.exec() != expected.exec) return fmt::format("EXEC is {:#x}, expected {:#x}", w.exec(), expected.exec);
  if ((w.scc != 0) != (expected.scc != 0)) return fmt::format("SCC is {}", w.scc);
  return {};
}

} // namespace

void check_cases(const std::vector<Case>& all, const char* target, uint32_t lanes) {
  std::vector<Row> rows;
  for (const Case& c : all) rows.push_back({nullptr, c.text});
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, target, lanes);
    for (size_t i = 0; i < all.size(); ++i) {
      std::mt19937_64 random(hip::testing::seeded(i * 31 + 7));
      for (int trial = 0; trial < 60; ++trial) {
        const u64 exec = trial % 3 == 0 ? ~0ull : trial % 3 == 1 ? random() : random() & random() & random();
        std::string wrong = run_case(*level, code, i, all[i], random, exec);
        if (wrong.empty()) continue;
        FAIL_CHECK(level->name << ": " << all[i].text << ": " << wrong);
        break;
      }
    }
  }
}

} // namespace isa_test
