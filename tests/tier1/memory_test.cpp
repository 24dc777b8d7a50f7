// Loads, stores and atomics, with addresses of which tier 1 knows that they are consecutive, equal, or nothing; in device
// memory, in the host's, in LDS and private segments through flat addresses, and where nothing is.
#include "machine.h"

#include "runtime/engine/compile/library/library.h"

#include <llvm/IR/LLVMContext.h>
#include <cstring>
#include <map>
#include <vector>

using namespace tier1_test;

namespace {

// s[0:1]: base of global addresses, s[2:3]: the first word of flat ones, s4 a small uniform offset, s5 a scalar offset.
// v0: work-item ids. v1, v2 (v[2:3]): random offsets. v[4:5]: random flat addresses.
// v6: 4 * id, v7: 8 * id, v8: 16 * id, v9: id, v10: 2 * id, v11: 12 * id, v12: uniform, v13: 63 - id, v14: id + 1000.
// v[16:17] = s[0:1] + v6, v[18:19] = s[0:1] + v8, v[20:21] uniform, v[22:23] = s[0:1] + v1, v[24:25] = s[0:1] + v7,
// v27: rows of 80 bytes, two strips to a row's halves; v28: 36 * (id % 64). v80: small whole numbers.
// Tiles in LDS: v82, v83: columns 144 bytes apart, of which each strip has an element of 8 or 4 bytes; v84: four lanes have 64 of a
// row's 80 bytes; v85: 96 * (id % 16). v26: what set_windows makes of it.
std::string addresses(const Dialect& dialect) {
  const std::string numbers = R"(v_lshlrev_b32 v6, 2, v0
v_lshlrev_b32 v7, 3, v0
v_lshlrev_b32 v8, 4, v0
v_mov_b32 v9, v0
v_lshlrev_b32 v10, 1, v0
v_mul_lo_u32 v11, v0, 12
v_mov_b32 v12, s4
v_sub_u32 v13, 0x3ff, v0
v_add_u32 v14, 0x3e8, v0
v_mov_b32 v3, 0
v_mov_b32 v15, 3
v_mov_b32 v20, s0
v_mov_b32 v21, s1
v_and_b32 v27, 31, v0
v_mul_u32_u24 v27, 0x50, v27
v_lshrrev_b32 v30, 2, v0
v_and_b32 v30, 32, v30
s_movk_i32 s6, 0x50
v_mad_u32_u24 v27, v30, s6, v27
v_lshrrev_b32 v30, 3, v0
v_and_b32 v30, 4, v30
v_lshlrev_b32 v30, 1, v30
v_or_b32 v27, v27, v30
v_and_b32 v28, 63, v0
v_mul_u32_u24 v28, v28, 36
v_and_b32 v85, 15, v0
s_movk_i32 s6, 0x90
v_mul_u32_u24 v83, v85, s6
v_mul_u32_u24 v85, 0x60, v85
v_lshrrev_b32 v82, 4, v0
v_and_b32 v82, 3, v82
v_lshlrev_b32 v84, 2, v82
v_lshlrev_b32 v82, 3, v82
v_add_u32 v82, v82, v83
v_add_u32 v83, v84, v83
v_lshrrev_b32 v84, 2, v0
v_and_b32 v84, 15, v84
s_movk_i32 s6, 0x50
v_mul_u32_u24 v84, v84, s6
v_and_b32 v30, 3, v0
v_lshlrev_b32 v30, 4, v30
v_add_u32 v84, v84, v30
v_cvt_f32_ubyte0 v80, v1
v_mov_b32 v81, 0
)";
  std::string text = dialect.respelled(numbers);
  for (const auto& [pair, offset] : {std::pair(16u, 6u), std::pair(18u, 8u), std::pair(24u, 7u), std::pair(22u, 1u)})
    text += fmt::format("v_mov_b32 v2, v{}\n", offset) + dialect.wide_sum(pair, 2, 0, 0);
  return text;
}

struct Op {
  std::string name; // "load_dword", "read_b32"
  uint32_t dwords;
  bool stores, lds;
};

std::vector<Op> table() {
  llvm::LLVMContext context;
  auto library = compile::Library::load(context, host_level().isa);
  REQUIRE(library.ok());
  std::map<std::string, Op> ops;
  for (const auto& [opcode, op] : library.value()->memory_ops()) {
    if (row_of(opcode).unit == Unit::Flat) continue; // named like its global form
    const std::string_view spelling = name_of(opcode);
    const std::string name(spelling.substr(spelling.find('_') + 1));
    ops[name] = {name, op.dwords, op.stores, op.space == library::Space::Lds};
  }
  std::vector<Op> out;
  for (const auto& [name, op] : ops) out.push_back(op);
  return out;
}

std::string wide_address(Random& random) {
  static const uint32_t first[] = {16, 16, 18, 18, 20, 20, 22, 24, 24};
  return range('v', random.of(first), 2);
}
std::string narrow_address(Random& random) {
  static const char* const regs[] = {"v1", "v6", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v12", "v13", "v14", "v26", "v26", "v26", "v27", "v27", "v28", "v28", "v82", "v82", "v83", "v84", "v84", "v85"};
  return random.of(regs);
}

// A random form of the instruction; data registers from v32 on.
std::string random_form(const Dialect& dialect, const Op& op, Random& random, bool flat_anywhere) {
  uint32_t dwords = op.dwords;
  std::string name = op.name, text;
  const char file = random.one_in(6) ? 'a' : 'v';
  // Numbers where floats are combined: which of two NaNs comes out is not said.
  const bool numbers = op.name.ends_with("_f32") || op.name.ends_with("_f64") || op.name.ends_with("f16");
  auto data = [&](uint32_t count) {
    if (numbers && op.stores) return range('v', 80, count);
    const uint32_t first = file == 'a' ? random.below(6) * 2 : 32 + 2 * random.below(20);
    return range(file, first, count);
  };
  if (op.lds) {
    const bool two = (name.ends_with("_b32") || name.ends_with("_b64")) && random.one_in(3);
    const std::string address = narrow_address(random);
    if (!two) {
      const std::string offset = random.one_in(3) ? "" : fmt::format(" offset:{}", random.below(random.one_in(4) ? 65536 : 512));
      return op.stores ? fmt::format("ds_{} {}, {}{}", name, address, data(dwords), offset)
                       : fmt::format("ds_{} {}, {}{}", name, data(dwords), address, offset);
    }
    const size_t at = name.find('_');
    name = name.substr(0, at) + (random.one_in(4) ? "2st64" : "2") + name.substr(at);
    const std::string offsets = fmt::format(" offset0:{} offset1:{}", random.below(random.one_in(4) ? 256 : 16), random.below(32));
    return op.stores ? fmt::format("ds_{} {}, {}, {}{}", name, address, data(dwords), data(dwords), offsets)
                     : fmt::format("ds_{} {}, {}{}", name, data(2 * dwords), address, offsets);
  }
  const std::string sc = random.one_in(8) ? dialect.coherent() : random.one_in(8) ? " nt" : "";
  if (flat_anywhere || random.one_in(5)) {
    const std::string address = flat_anywhere ? "v[4:5]" : wide_address(random);
    const std::string offset = random.one_in(2) ? "" : fmt::format(" offset:{}", random.below(40));
    return op.stores ? fmt::format("flat_{} {}, {}{}{}", name, address, data(dwords), offset, sc)
                     : fmt::format("flat_{} {}, {}{}{}", name, data(dwords), address, offset, sc);
  }
  const bool scalar = random.one_in(2);
  const std::string address = scalar ? narrow_address(random) : wide_address(random);
  const std::string base = scalar ? "s[0:1]" : "off";
  const std::string offset = random.one_in(3) ? "" : fmt::format(" offset:{}", int(random.below(1024)) - (random.one_in(3) ? 512 : 0));
  return op.stores ? fmt::format("global_{} {}, {}, {}{}{}", name, address, data(dwords), base, offset, sc)
                   : fmt::format("global_{} {}, {}, {}{}{}", name, data(dwords), address, base, offset, sc);
}

std::string random_atomic(const Dialect& dialect, Random& random) {
  static const char* const ops[] = {"add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "swap", "inc", "dec", "cmpswap"};
  static const char* const lds_ops[] = {"add_u32", "sub_u32", "min_i32", "max_u32", "and_b32", "or_b32", "xor_b32", "add_u64", "add_f32", "inc_u32"};
  if (random.one_in(2)) {
    const std::string op = random.of(lds_ops);
    const uint32_t width = op.ends_with("64") ? 2 : 1;
    // One value for all lanes, known when it is translated or not, or any.
    const std::string data = op == "add_f32"                    ? "v80"
                             : width == 1 && random.one_in(3) ? random.one_in(2) ? "v12" : "v15"
                                                              : range('v', 32 + 2 * random.below(20), width);
    const std::string offset = fmt::format(" offset:{}", 8 * random.below(16));
    static const char* const aligned[] = {"v6", "v7", "v8", "v12"};
    const std::string address = width == 2 ? (random.one_in(2) ? "v7" : "v8") : random.of(aligned);
    if (random.one_in(2)) return fmt::format("ds_{} {}, {}{}", op, address, data, offset);
    const size_t at = op.find('_');
    return fmt::format("ds_{}_rtn{} {}, {}, {}{}", op.substr(0, at), op.substr(at), range('v', 32 + 2 * random.below(20), width), address, data, offset);
  }
  const std::string op = random.of(ops);
  const bool wide = random.one_in(3);
  const uint32_t width = (wide ? 2 : 1) * (op == "cmpswap" ? 2 : 1);
  const std::string data = range('v', 32 + 4 * random.below(10), width);
  const bool returns = random.one_in(2);
  static const char* const narrow[] = {"v6", "v7", "v8", "v12"};
  const bool scalar = random.one_in(2);
  const std::string address = scalar ? (wide ? "v7" : random.of(narrow)) : (wide ? "v[24:25]" : random.one_in(2) ? "v[16:17]" : "v[20:21]");
  return fmt::format("global_atomic_{}{} {}{}, {}, {} offset:{}{}", op, wide ? "_x2" : "",
                     returns ? range('v', 32 + 2 * random.below(20), wide ? 2 : 1) + ", " : "", address, data, scalar ? "s[0:1]" : "off",
                     8 * random.below(32), returns ? dialect.returning() : "");
}

// What has no translation of its own: handlers that regions call. s[8:11] is a buffer.
std::string random_called(Random& random) {
  auto data = [&](uint32_t count = 1) { return range('v', 32 + 2 * random.below(20), count); };
  static const char* const aligned[] = {"v6", "v7", "v8", "v12"};
  const std::string address = random.of(aligned);
  const uint32_t offset = 8 * random.below(16);
  static const char* const formats[] = {"8_8_8_8,BUF_NUM_FORMAT_UINT", "16_16,BUF_NUM_FORMAT_SNORM", "2_10_10_10,BUF_NUM_FORMAT_UNORM", "32_32,BUF_NUM_FORMAT_SINT", "10_11_11,BUF_NUM_FORMAT_FLOAT"};
  static const char* const policies[] = {"", " sc0", " glc"};
  switch (random.below(22)) {
  case 8: return fmt::format("global_load_lds_{} {}, s[0:1] offset:{}", random.one_in(2) ? "dword" : random.one_in(2) ? "sbyte" : "dwordx4", address, offset);
  case 9: return fmt::format("buffer_load_{} {}, s[8:11], s5 offen offset:{} lds", random.one_in(2) ? "dword" : "ushort", address, offset);
  case 10: return fmt::format("buffer_atomic_add {}, {}, s[8:11], 0 offen offset:{}{}", data(), address, offset, random.of(policies));
  case 11: return fmt::format("buffer_atomic_cmpswap_x2 {}, {}, s[8:11], 0 offen offset:{}{}", data(4), address, offset, random.of(policies));
  case 12: return fmt::format("buffer_atomic_swap {}, off, s[8:11], s5 offset:{}{}", data(), offset, random.of(policies));
  case 13: return fmt::format("tbuffer_load_format_xyzw {}, {}, s[8:11], 0 format:[BUF_DATA_FORMAT_{}] offen offset:{}", data(4), address, random.of(formats), offset);
  case 14: return fmt::format("tbuffer_store_format_xy {}, {}, s[8:11], 0 format:[BUF_DATA_FORMAT_{}] offen offset:{}", data(2), address, random.of(formats), offset);
  case 15: return fmt::format("ds_read_addtid_b32 {} offset:{}", data(), offset);
  case 16: return fmt::format("ds_write_addtid_b32 {} offset:{}", data(), offset);
  case 17: return fmt::format("ds_read_b64_tr_b8 {}, v7 offset:{}", data(2), offset);
  case 18: return fmt::format("s_buffer_store_dwordx2 s[16:17], s[8:11], {:#x}", offset);
  case 19: return fmt::format("s_atomic_add s18, s[0:1], {:#x} glc", offset);
  case 20: return fmt::format("ds_wrxchg2_rtn_b32 {}, v7, {}, {} offset0:3 offset1:{}", data(2), data(), data(), offset);
  case 21: return fmt::format("ds_wrap_rtn_b32 {}, {}, {}, {} offset:{}", data(), address, data(), data(), offset);
  case 0: return fmt::format("ds_permute_b32 {}, v1, {} offset:{}", data(), data(), offset);
  case 1: return fmt::format("ds_cmpst_rtn_b32 {}, {}, {}, {} offset:{}", data(), address, data(), data(), offset);
  case 2: return fmt::format("ds_wrxchg_rtn_b64 {}, v7, {} offset:{}", data(2), data(2), offset);
  case 3: return fmt::format("ds_append {} offset:{}", data(), offset);
  case 4: return fmt::format("buffer_load_dwordx2 {}, {}, s[8:11], 0 offen offset:{}", data(2), address, offset);
  case 5: return fmt::format("buffer_load_short_d16_hi {}, v1, s[8:11], s4 offen offset:{}", data(), offset);
  case 6: return fmt::format("buffer_store_dwordx3 {}, {}, s[8:11], s5 offen offset:{}", data(3), address, offset);
  default: return fmt::format("s_buffer_load_dwordx4 s[{}:{}], s[8:11], {:#x}", 16 + 4 * (offset / 8), 19 + 4 * (offset / 8), offset);
  }
}

std::string random_scalar_load(Random& random) {
  static const uint32_t widths[] = {1, 2, 4, 8, 16};
  const uint32_t width = random.of(widths);
  const uint32_t first = 16 + (random.below(5) * 16 & ~(width - 1));
  const std::string offset = random.one_in(3) ? "s5" : fmt::format("{:#x}", 4 * random.below(200));
  return fmt::format("s_load_dword{} {}, s[0:1], {}", width == 1 ? "" : fmt::format("x{}", width), range('s', first, width), offset);
}

// Addresses of which those of a strip lie within 32 dwords, in one order for all strips or not, with or without two lanes
// at one place; some strips elsewhere, some windows across the end of LDS.
void set_windows(uint32_t* row, Random& random) {
  const uint32_t kind = random.below(6), by = random.below(32), j = 1u << random.below(6);
  std::array<uint32_t, 16> places;
  for (uint32_t& p : places) p = random.below(32);
  for (uint32_t strip = 0; strip < 4; ++strip) {
    const uint32_t far = random.below(Machine::kLdsBytes + (random.one_in(4) ? 256 : 0)) & ~(random.one_in(4) ? 0u : 3u);
    const bool other = random.one_in(8);
    for (uint32_t l = 0; l < 16; ++l) {
      const uint32_t id = strip * 16 + l;
      const uint32_t dword = other       ? random.below(32)
                             : kind == 0 ? 2 * id - (id & (j - 1)) // as a bitonic sort does
                             : kind == 1 ? id ^ by
                             : kind == 2 ? (5 * l + by) % 32
                             : kind == 3 ? 15 - l
                                         : places[l];
      row[id] = 4 * dword + (kind < 2 && !other ? 0 : far);
    }
  }
}

// What differs, or an empty string. `where` the global base lies: 0 in the arena, 1 across its end, 2 in the host's memory,
// 3 anywhere.
std::string run(const Dialect& dialect, const std::string& text, uint32_t where, uint64_t seed, uint32_t& faults, bool must_end) {
  Random random(seed);
  Guest guest(dialect, text);
  compile::Start start;
  start.item_ids = kAllItemIds;
  start.items = {256, 1, 1};
  const Inst* tier1 = guest.tier1(start);
  Machine machine(dialect.lanes());
  for (uint32_t trial = 0; trial < 2 * kExecKinds; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    const uint32_t wave_index = random.below(4);
    for (uint32_t l = 0; l < w.lanes; ++l) {
      w.row(0)[l] = wave_index * w.lanes + l;
      w.row(1)[l] = random.below(random.one_in(2) ? 2000 : 64) & ~(random.one_in(2) ? 3u : 0u);
      // Mostly device memory, else LDS, private segments, the host's memory, rarely nothing.
      const uint32_t kind = random.below(16);
      const uint64_t flat = kind < 4    ? machine.wave().shared_aperture + random.below(Machine::kLdsBytes + 32)
                            : kind < 6  ? machine.wave().private_aperture + random.below(8)
                            : kind < 7  ? machine.host() + random.below(2000)
                                        : machine.arena() + random.below(20000);
      w.row(4)[l] = uint32_t(flat), w.row(5)[l] = uint32_t(flat >> 32);
    }
    set_windows(w.row(26), random);
    uint64_t base = machine.arena() + 1024 + random.below(64) * (random.one_in(2) ? 4 : 1);
    if (where == 1) base = machine.arena() + Machine::kArenaBytes - random.below(5000);
    if (where == 2) base = machine.host();
    if (where == 3) base = random.one_in(2) ? machine.arena() - 512 : machine.host() + random.below(Machine::kHostBytes + 512);
    w.set_sgpr64(0, base);
    w.sgpr[4] = random.below(256) & ~(random.one_in(2) ? 3u : 0u);
    w.sgpr[5] = 4 * random.below(100);
    w.set_sgpr64(8, machine.arena() + 4 * random.below(256)); // no stride
    constexpr uint32_t kSelectXyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    w.sgpr[10] = random.below(3000), w.sgpr[11] = random.one_in(2) ? 0 : kSelectXyzw;
    w.sgpr[kM0] = 4 * random.below(64);
    w.set_sgpr64(94, any_exec(trial, random, w.lanes));
    Stop stop;
    const std::string wrong = machine.compare(guest, guest.tier0(), tier1, {}, &stop);
    faults += stop == Stop::Fault;
    if (must_end && stop != Stop::Ended) continue;
    if (!wrong.empty()) return fmt::format("wave {}: {}", wave_index, wrong);
  }
  return {};
}

// One program of random accesses.
void check(const Dialect& dialect, const std::vector<Op>& ops, Random& random, uint32_t where, uint32_t& faults) {
  std::vector<std::string> lines;
  for (uint32_t k = 0; k < 60; ++k) {
    const uint32_t kind = random.below(20);
    lines.push_back(kind < 2 ? random_scalar_load(random) : kind < 4 ? random_atomic(dialect, random) : kind == 5 ? random_called(random)
                                                                       : random_form(dialect, ops[random.below(uint32_t(ops.size()))], random, kind == 4));
    if (lines.back().find(" a") == std::string::npos && random.one_in(10))
      lines.push_back(fmt::format("v_add_u32 v{}, v{}, v{}", 32 + random.below(40), 32 + random.below(40), random.below(16)));
  }
  for (std::string& line : lines) {
    line = dialect.respelled(line);
    if (!line.empty()) line.pop_back();
  }
  const std::vector<bool> good = dialect.assembler().accepted(lines);
  std::string text = addresses(dialect);
  uint32_t count = 0;
  const uint32_t change_at = 4 + random.below(20); // EXEC becomes what the trial says
  for (size_t k = 0; k < lines.size() && count < 24; ++k) {
    if (!good[k] || lines[k].empty()) continue;
    if (count++ == change_at) text += dialect.respelled(fmt::format("{} exec, {}", dialect.mask_op("s_mov"), dialect.mask(94)));
    text += lines[k] + "\n";
  }
  const uint64_t seed = random();
  const std::string wrong = run(dialect, text, where, seed, faults, false);
  if (wrong.empty()) return;
  FAIL_CHECK(wrong); // reducing it may take a while
  const std::string shorter = reduced(text, [&](const std::string& some) {
    uint32_t uncounted = 0;
    return dialect.assembler().accepts(some) && !run(dialect, some, where, seed, uncounted, true).empty();
  });
  FAIL_CHECK(dialect.processor() << ", waves of " << dialect.lanes() << ", base " << where << ", reduced: "
                                 << run(dialect, shorter, where, seed, faults, true) << "\n" << shorter);
}

} // namespace

TEST_CASE("Translated memory accesses do what tier 0 does") {
  const std::vector<Op> ops = table();
  for (const DialectName& name : kDialects) {
    const Dialect dialect(name.processor, name.lanes);
    const uint32_t programs = name.processor == std::string_view("gfx942") ? 32 : 8;
    Random random(3);
    uint32_t faults = 0;
    for (uint32_t k = 0; k < tries(programs); ++k)
      check(dialect, ops, random, k % 8 == 7 ? 3 : k % 4 == 3 ? 2 : k % 4 == 2 ? 1 : 0, faults);
    CHECK(faults > 0);
  }
}

TEST_CASE("Global accesses by addresses of LDS and private memory fault in both tiers, flat ones do not") {
  const Assembler assembler("gfx942");
  Random random(5);
  Machine machine;
  for (const char* access : {"load_dword v32, v[4:5]", "load_dwordx4 v[32:35], v[4:5]", "load_ubyte v32, v[4:5]", "store_dword v[4:5], v32",
                             "store_dwordx2 v[4:5], v[32:33]", "store_short v[4:5], v32", "atomic_add v[4:5], v32"})
    for (bool flat : {false, true}) {
      const std::string text = fmt::format("s_mov_b64 exec, s[94:95]\n{}_{}{}\n", flat ? "flat" : "global", access, flat ? "" : ", off");
      Guest guest(assembler, "gfx942", text);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < 2 * kExecKinds; ++trial) {
        machine.randomize(random);
        Wave& w = machine.wave();
        const uint64_t exec = any_exec(trial, random);
        w.set_sgpr64(94, exec);
        const uint64_t base = trial % 2 ? w.shared_aperture : w.private_aperture;
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          const uint64_t address = base + 16 * random.below(3);
          w.row(4)[l] = uint32_t(address), w.row(5)[l] = uint32_t(address >> 32);
        }
        INFO(text << fmt::format("EXEC {:#x}, addresses from {:#x}", exec, base));
        Stop stop;
        REQUIRE(machine.compare(guest, guest.tier0(), tier1, {}, &stop) == "");
        REQUIRE((stop == Stop::Fault) == (!flat && exec != 0));
      }
    }
}

// What is expected is copied here, lane after lane, so that the last one stays where several write.
TEST_CASE("Elements of 16 bytes go from rows of a matrix to LDS in any arrangement, across a barrier, too") {
  const Assembler assembler("gfx942");
  Random random(17);
  constexpr uint32_t kPiece = 16;
  for (const char* between : {"", "s_barrier\n", "v_mov_b32 v34, v35\ns_barrier\n"})
    for (uint32_t arrangement = 0; arrangement < 6; ++arrangement) {
      const std::string text = fmt::format("global_load_dwordx4 v[32:35], v[4:5], off\ns_waitcnt vmcnt(0)\n{}ds_write_b128 v2, v[32:35]\n"
                                           "ds_read_b128 v[36:39], v2\n",
                                           between);
      INFO(arrangement << "\n" << text);
      Guest guest(assembler, "gfx942", text);
      const Inst* entry = guest.tier1({});
      for (uint32_t trial = 0; trial < 8; ++trial) {
        Machine machine;
        machine.randomize(random);
        Wave& w = machine.wave();
        const uint32_t pitch = 64 + 16 * random.below(20), column = 64 * 4 + kPiece * random.below(3);
        const uint64_t first = machine.arena() + 4 * random.below(1000);
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          const uint32_t row = l / 4, piece = l % 4;
          // Rows of four pieces, one piece apart from the others, or any.
          uint64_t from = first + uint64_t(row) * pitch + piece * kPiece;
          if (arrangement == 4 && l == trial * 7) from += 4;
          if (arrangement == 5) from = first + 4 * random.below(1000);
          // Columns that lie apart, in the other order, overlap, or lie side by side; rows; any.
          uint32_t to = piece * column + row * kPiece;
          if (arrangement == 1) to = (3 - piece) * column + row * kPiece;
          if (arrangement == 2) to = piece * (16 * (trial + 1)) + row * kPiece;
          if (arrangement == 3) to = l * kPiece;
          if (arrangement == 5) to = 16 * random.below(64);
          w.row(4)[l] = uint32_t(from), w.row(5)[l] = uint32_t(from >> 32), w.row(2)[l] = to;
        }
        std::vector<uint8_t> lds(w.lds, w.lds + Machine::kLdsBytes);
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          uint32_t dwords[4];
          std::memcpy(dwords, reinterpret_cast<const void*>(w.row(4)[l] | uint64_t(w.row(5)[l]) << 32), kPiece);
          if (std::strstr(between, "v_mov")) dwords[2] = dwords[3];
          std::memcpy(lds.data() + w.row(2)[l], dwords, kPiece);
        }
        machine.run(guest, entry);
        REQUIRE(w.stop == Stop::Ended);
        REQUIRE(std::memcmp(lds.data(), w.lds, lds.size()) == 0);
        for (uint32_t l = 0; l < kMaxLanes; ++l)
          for (uint32_t k = 0; k < 4; ++k) {
            uint32_t wanted;
            std::memcpy(&wanted, lds.data() + w.row(2)[l] + 4 * k, 4);
            REQUIRE(w.row(36 + k)[l] == wanted);
          }
      }
    }
}
