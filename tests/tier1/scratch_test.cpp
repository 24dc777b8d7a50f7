// Loads and stores of private memory: tier 1 against tier 0, and both against bytes that each lane has for itself.
#include "machine.h"

using namespace tier1_test;

namespace {

struct Op {
  const char* name;
  uint32_t bytes;
  bool stores, is_signed, high; // high: of d16_hi
  bool half;                    // the other half of the register stays, or is cleared (ERRATA 59)
};
const Op kOps[] = {
    {"load_ubyte", 1, false, false, false, false},       {"load_sbyte", 1, false, true, false, false},
    {"load_ushort", 2, false, false, false, false},      {"load_sshort", 2, false, true, false, false},
    {"load_ubyte_d16", 1, false, false, false, true},    {"load_ubyte_d16_hi", 1, false, false, true, true},
    {"load_sbyte_d16", 1, false, true, false, true},     {"load_sbyte_d16_hi", 1, false, true, true, true},
    {"load_short_d16", 2, false, false, false, true},    {"load_short_d16_hi", 2, false, false, true, true},
    {"load_dword", 4, false, false, false, false},       {"load_dwordx2", 8, false, false, false, false},
    {"load_dwordx3", 12, false, false, false, false},    {"load_dwordx4", 16, false, false, false, false},
    {"store_byte", 1, true, false, false, false},        {"store_byte_d16_hi", 1, true, false, true, false},
    {"store_short", 2, true, false, false, false},       {"store_short_d16_hi", 2, true, false, true, false},
    {"store_dword", 4, true, false, false, false},       {"store_dwordx2", 8, true, false, false, false},
    {"store_dwordx3", 12, true, false, false, false},    {"store_dwordx4", 16, true, false, false, false},
};
struct Form {
  const Op* op;
  uint32_t vaddr; // 0: none
  bool saddr;
  int offset;
  uint32_t data; // first register
};
constexpr uint32_t kUniform = 4, kSame = 5, kLanes = 6, kAligned = 7, kAny = 8; // registers with offsets
constexpr uint32_t kSaddr = 6;

std::string text_of(const Dialect& dialect, const Form& a) {
  const uint32_t dwords = (a.op->bytes + 3) / 4;
  const std::string data = dwords == 1 ? fmt::format("v{}", a.data) : fmt::format("v[{}:{}]", a.data, a.data + dwords - 1);
  const std::string vaddr = a.vaddr ? fmt::format("v{}", a.vaddr) : "off", saddr = a.saddr ? fmt::format("s{}", kSaddr) : "off";
  return dialect.respelled(a.op->stores ? fmt::format("scratch_{} {}, {}, {} offset:{}\n", a.op->name, vaddr, data, saddr, a.offset)
                                        : fmt::format("scratch_{} {}, {}, {} offset:{}\n", a.op->name, data, vaddr, saddr, a.offset));
}

// How waves ended.
struct Count {
  uint32_t faults = 0, ends = 0;
};

// `programs` random programs, each in waves of all kinds of EXEC.
void check(const Dialect& dialect, uint32_t programs, Count& count) {
  const uint32_t lanes = dialect.lanes();
  const bool clears = dialect.processor() == "gfx942"; // the others have no ECC
  Random random(41);
  Machine machine(lanes);
  for (uint32_t round = 0; round < programs; ++round) {
    std::vector<Form> all;
    // v4: uniform, as tier 1 knows; v5 the same everywhere; v6: 4 * (lane % 8); v7: multiples of 4; v8: anything.
    std::string text = dialect.respelled(fmt::format("v_mov_b32 v{}, s4\n{} exec, {}\n", kUniform, dialect.mask_op("s_mov"), dialect.mask(94)));
    const bool aligned = random.one_in(2), leaves = random.one_in(6);
    for (uint32_t k = 0; k < 16;) {
      Form a{&random.of(kOps), random.one_in(3) ? 0 : kUniform + random.below(5), random.one_in(3), 0, 32 + random.below(8)};
      a.offset = int(random.below(12)) & (aligned ? ~3 : ~0);
      if (leaves && random.one_in(16)) a.offset = int(random.below(128)) - 64;
      const std::string line = text_of(dialect, a);
      if (line.empty() || !dialect.assembler().accepts(line)) continue;
      all.push_back(a);
      text += line;
      ++k;
    }
    Guest guest(dialect, text);
    const Inst* tier1 = guest.tier1({});
    for (uint32_t trial = 0; trial < 2 * kExecKinds; ++trial) {
      machine.randomize(random);
      Wave& w = machine.wave();
      const uint64_t exec = any_exec(trial, random, lanes);
      w.set_sgpr64(94, exec);
      w.sgpr[4] = random.below(24) & (aligned ? ~3u : ~0u);
      w.sgpr[kSaddr] = random.below(16) & (aligned ? ~3u : ~0u);
      const uint32_t same = 4 * random.below(6);
      for (uint32_t l = 0; l < lanes; ++l) {
        w.row(kSame)[l] = same, w.row(kLanes)[l] = l % 8 * 4, w.row(kAligned)[l] = 4 * random.below(6);
        w.row(kAny)[l] = random.below(24) & (aligned ? ~3u : ~0u);
      }
      // Each lane for itself.
      std::vector<std::array<uint8_t, Machine::kScratchBytes>> memory(kMaxLanes);
      uint32_t registers[64][kMaxLanes];
      auto byte = [&](uint32_t l, uint32_t b) { return reinterpret_cast<uint8_t*>(w.scratch_base) + b / 4 * kRowBytes + 4 * l + b % 4; };
      bool outside = false;
      for (uint32_t l = 0; l < lanes; ++l) {
        for (uint32_t b = 0; b < Machine::kScratchBytes; ++b) memory[l][b] = *byte(l, b);
        for (uint32_t r = 0; r < 64; ++r) registers[r][l] = r == kUniform ? w.sgpr[4] : w.row(r)[l];
        for (const Form& a : all) {
          if (!(exec >> l & 1)) continue;
          const uint32_t at = (a.vaddr ? registers[a.vaddr][l] : 0) + (a.saddr ? w.sgpr[kSaddr] : 0) + uint32_t(a.offset);
          if (uint64_t(at) + a.op->bytes > Machine::kScratchBytes) {
            outside = true;
            break;
          }
          if (a.op->stores) {
            for (uint32_t b = 0; b < a.op->bytes; ++b)
              memory[l][at + b] = uint8_t(registers[a.data + b / 4][l] >> (b % 4 * 8 + (a.op->high ? 16 : 0)));
            continue;
          }
          for (uint32_t b = 0; b < a.op->bytes; b += 4) {
            uint32_t v = 0;
            for (uint32_t k = 0; k < 4 && b + k < a.op->bytes; ++k) v |= uint32_t(memory[l][at + b + k]) << (8 * k);
            if (a.op->is_signed && a.op->bytes == 1) v = uint32_t(int32_t(int8_t(v)));
            if (a.op->is_signed && a.op->bytes == 2) v = uint32_t(int32_t(int16_t(v)));
            uint32_t& r = registers[a.data + b / 4][l];
            const uint32_t kept = clears ? 0 : r;
            r = !a.op->half ? v : a.op->high ? (kept & 0xffff) | v << 16 : (kept & 0xffff0000) | (v & 0xffff);
          }
        }
      }
      Stop stop;
      INFO(fmt::format("{}, waves of {} lanes, EXEC {:#x}\n{}", dialect.processor(), lanes, exec, text));
      const std::string wrong = machine.compare(guest, guest.tier0(), tier1, {}, &stop);
      REQUIRE(wrong == "");
      REQUIRE((stop == Stop::Fault) == outside);
      ++(outside ? count.faults : count.ends);
      if (outside) continue;
      for (uint32_t l = 0; l < lanes; ++l) {
        for (uint32_t r = 32; r < 48; ++r) REQUIRE(w.row(r)[l] == registers[r][l]);
        for (uint32_t b = 0; b < Machine::kScratchBytes; ++b) REQUIRE(*byte(l, b) == memory[l][b]);
      }
    }
  }
}

} // namespace

TEST_CASE("Translated accesses of private memory do what tier 0 does: each lane has its own bytes") {
  Count count;
  for (const DialectName& name : kDialects)
    check(Dialect(name.processor, name.lanes), tries(name.processor == std::string_view("gfx942") ? 24 : 6), count);
  if (rounds() >= 1) CHECK(count.faults > 0);
  CHECK(count.ends > 0);
}
