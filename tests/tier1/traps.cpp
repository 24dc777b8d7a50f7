// tests/tier1/traps.cpp - see traps.h.
#include "traps.h"

#include <cstring>

namespace tier1_test {
namespace {

State state_of(const Wave& wave) {
  State state;
  for (uint32_t r = 0; r < State::kRows; ++r) std::memcpy(state.v[r], wave.row(r), kRowBytes);
  std::memcpy(state.s, wave.sgpr, sizeof(state.s));
  state.vcc = wave.vcc(), state.exec = wave.exec(), state.scc = wave.scc, state.mode = wave.mode;
  return state;
}

std::string difference(const State& wanted, const State& got) {
  for (uint32_t r = 0; r < State::kRows; ++r)
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      if (wanted.v[r][l] != got.v[r][l])
        return fmt::format("v{} of lane {} is {:#x}, not {:#x}", r, l, got.v[r][l], wanted.v[r][l]);
  for (uint32_t n = 0; n < State::kScalars; ++n)
    if (wanted.s[n] != got.s[n]) return fmt::format("s{} is {:#x}, not {:#x}", n, got.s[n], wanted.s[n]);
  if (wanted.vcc != got.vcc) return fmt::format("VCC is {:#x}, not {:#x}", got.vcc, wanted.vcc);
  if (wanted.exec != got.exec) return fmt::format("EXEC is {:#x}, not {:#x}", got.exec, wanted.exec);
  if (wanted.scc != got.scc) return fmt::format("SCC is {}, not {}", got.scc, wanted.scc);
  if (wanted.mode != got.mode) return fmt::format("MODE is {:#x}, not {:#x}", got.mode, wanted.mode);
  return {};
}

} // namespace

void check(const std::string& text, const Model& model, const Fill& fill, const std::string& processor) {
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

void check_stops_as_unsupported(const std::string& text, uint64_t offset) {
  INFO(text);
  const Assembler assembler("gfx942");
  Guest guest(assembler, "gfx942", text + "\n");
  Machine machine;
  for (const Inst* entry : {guest.tier0(), guest.tier1({})}) {
    Random random(1);
    machine.randomize(random);
    machine.run(guest, entry);
    REQUIRE(machine.wave().stop == Stop::Fault);
    CHECK(machine.wave().fault == FaultKind::Unsupported);
    CHECK(machine.wave().fault_inst->pc - guest.begin() == offset);
  }
}

Fill combinations(std::vector<uint32_t> values) {
  return [=](Wave& wave) {
    Random random(wave.row(0)[0]);
    for (uint32_t l = 0; l < kMaxLanes; ++l)
      for (uint32_t r = 0; r < 3; ++r) wave.row(r)[l] = values[random.below(uint32_t(values.size()))];
  };
}

} // namespace tier1_test
