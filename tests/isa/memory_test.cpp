// Memory instructions that tests/tier1 compares only between tiers: loads straight into LDS, scalar stores and atomics,
// and what is special about LDS.
#include "memory.h"

using namespace isa_test;
using namespace isa_test::memory;

namespace {

// --- loads straight into LDS
struct Loaded {
  const char* name;
  u32 bytes;
  bool is_signed;
};
const Loaded kLoaded[] = {
    {"ubyte", 1, false}, {"sbyte", 1, true}, {"ushort", 2, false}, {"sshort", 2, true}, {"dword", 4, false}};
void to_lds(const Loaded& what, const State& b, State& a, u32 lane, u64 from, u32 offset, bool inside = true) {
  uint8_t data[16] = {};
  if (inside) std::memcpy(data, &b.memory[from], what.bytes);
  if (what.bytes < 4 && what.is_signed && data[what.bytes - 1] & 0x80)
    std::memset(data + what.bytes, 0xff, 4 - what.bytes);
  const u32 bytes = std::max(4u, what.bytes);
  a.set_lds((b.s[124] & 0xffff) + offset + u64(lane) * bytes, data, bytes);
}
std::vector<Case> global_to_lds(const char* spelling, const char* suffix, bool wide) {
  std::vector<Case> c;
  std::vector<Loaded> all(std::begin(kLoaded), std::end(kLoaded));
  if (wide) all.push_back({"dwordx3", 12, false}), all.push_back({"dwordx4", 16, false});
  for (const Loaded& what : all) {
    // M0 beyond LDS drops some lanes.
    const auto m0 = [](State& s) { s.s[124] = (s.s[124] & 0xffff0000) | s.s[8] % 4096 / 4 * 4; };
    c.push_back(
        {fmt::format("global_load_{}{} v0, s[0:1] offset:20{}", spelling, what.name, suffix), m0,
         [what](const State& b, State& a) { b.each([&](u32 l) { to_lds(what, b, a, l, b.v[0][l] + 20, 20); }); }});
    c.push_back({fmt::format("v_mov_b32 v3, s1\nv_mov_b32 v2, s0\nv_add_u32 v2, v2, v0\nglobal_load_{}{} v[2:3], off{}",
                             spelling, what.name, suffix),
                 [m0](State& s) { m0(s), s.s[0] &= ~0u; },
                 [what](const State& b, State& a) {
                   b.each([&](u32 l) {
                     a.v[2][l] = b.s[0] + b.v[0][l], a.v[3][l] = b.s[1];
                     to_lds(what, b, a, l, b.v[0][l], 0);
                   });
                 }});
  }
  return c;
}
std::vector<Case> buffer_to_lds(bool wide) {
  std::vector<Case> c;
  std::vector<Loaded> all(std::begin(kLoaded), std::end(kLoaded));
  if (wide) all.push_back({"dwordx3", 12, false}), all.push_back({"dwordx4", 16, false});
  for (const Loaded& what : all)
    c.push_back({fmt::format("buffer_load_{} v0, s[4:7], s9 offen offset:8 lds", what.name),
                 [](State& s) {
                   s.s[124] = s.s[8] % 4096 / 4 * 4, s.s[9] = s.s[9] % 64 * 4;
                   set_descriptor(s, {.records = 1200});
                 },
                 [what](const State& b, State& a) {
                   b.each([&](u32 l) {
                     const u64 offset = u64(b.v[0][l]) + 8 + b.s[9];
                     to_lds(what, b, a, l, offset, 8, offset + what.bytes <= 1200);
                   });
                 }});
  return c;
}

// --- LDS
std::vector<Case> lds_cases() {
  std::vector<Case> c;
  const auto addresses = [](State& s) {
    s.s[124] = s.s[124] % 8192;
    for (u32 l = 0; l < 64; ++l) s.v[0][l] = s.v[0][l] % 1100 * 4 / 4 * 4;
  };
  const auto dwords = [](const State& b, State& a, u32 row, u32 lane, u64 at, u32 count) {
    for (u32 k = 0; k < count; ++k) a.v[row + k][lane] = at + 4 * count <= kLds ? b.lds_dword(at + 4 * k) : 0;
  };
  c.push_back({"ds_read_addtid_b32 v8 offset:24", addresses, [=](const State& b, State& a) {
                 b.each([&](u32 l) { dwords(b, a, 8, l, (b.s[124] & 0xffff) + 24 + 4 * l, 1); });
               }});
  c.push_back({"ds_write_addtid_b32 v8 offset:12", addresses, [](const State& b, State& a) {
                 b.each([&](u32 l) { a.set_lds((b.s[124] & 0xffff) + 12 + 4 * l, &b.v[8][l], 4); });
               }});
  for (u32 st64 = 0; st64 < 2; ++st64)
    for (u32 count = 1; count <= 2; ++count) {
      const u32 unit = 4 * count * (st64 ? 64 : 1);
      c.push_back({fmt::format("ds_wrxchg2{}_rtn_b{} {}, v0, {}, {} offset0:1 offset1:3", st64 ? "st64" : "",
                               32 * count, count == 1 ? "v[8:9]" : "v[8:11]", count == 1 ? "v12" : "v[12:13]",
                               count == 1 ? "v14" : "v[14:15]"),
                   addresses, [=](const State& b, State& a) {
                     b.each([&](u32 l) {
                       for (u32 k = 0; k < 2; ++k) {
                         const u64 at = u64(b.v[0][l]) + unit * (k ? 3 : 1);
                         dwords(a, a, 8 + k * count, l, at, count);
                         u32 data[2];
                         for (u32 n = 0; n < count; ++n) data[n] = b.v[12 + 2 * k + n][l];
                         a.set_lds(at, data, 4 * count);
                       }
                     });
                   }});
    }
  c.push_back({"ds_wrap_rtn_b32 v8, v0, v9, v10 offset:4", addresses, [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   const u64 at = u64(b.v[0][l]) + 4;
                   const u32 old = a.lds_dword(at), next = old >= b.v[9][l] ? old - b.v[9][l] : old + b.v[10][l];
                   a.v[8][l] = old;
                   a.set_lds(at, &next, 4);
                 });
               }});
  c.push_back({"ds_condxchg32_rtn_b64 v[8:9], v0, v[10:11]",
               [=](State& s) {
                 addresses(s);
                 for (u32& v : s.v[0]) v &= ~7u;
               },
               [](const State& b, State& a) {
                 b.each([&](u32 l) {
                   for (u32 k = 0; k < 2; ++k) {
                     const u64 at = u64(b.v[0][l]) + 4 * k;
                     const u32 data = b.v[10 + k][l] & 0x7fffffff;
                     a.v[8 + k][l] = b.v[0][l] + 8 <= kLds ? a.lds_dword(at) : 0;
                     if (b.v[10 + k][l] >> 31 && b.v[0][l] + 8 <= kLds) a.set_lds(at, &data, 4);
                   }
                 });
               }});
  return c;
}

std::vector<Case> scalar_cases() {
  std::vector<Case> c;
  const auto prepare = [](State& s) {
    set_descriptor(s, {.records = 1000});
    s.s[9] = s.s[9] % 1100;
  };
  struct Atomic {
    const char* name;
    u32 (*next)(u32 old, u32 data, u32 compare);
  };
  static const Atomic atomics[] = {{"add", [](u32 m, u32 d, u32) { return m + d; }},
                                   {"smin", [](u32 m, u32 d, u32) { return int32_t(d) < int32_t(m) ? d : m; }},
                                   {"umax", [](u32 m, u32 d, u32) { return std::max(m, d); }},
                                   {"inc", [](u32 m, u32 d, u32) { return m >= d ? 0 : m + 1; }},
                                   {"dec", [](u32 m, u32 d, u32) { return m == 0 || m > d ? d : m - 1; }},
                                   {"xor", [](u32 m, u32 d, u32) { return m ^ d; }},
                                   {"swap", [](u32, u32 d, u32) { return d; }}};
  for (const Atomic& op : atomics) {
    c.push_back({fmt::format("s_atomic_{} s12, s[0:1], 0x24 glc", op.name), prepare, [op](const State& b, State& a) {
                   a.s[12] = b.load<u32>(0x24);
                   a.store<u32>(0x24, op.next(b.load<u32>(0x24), b.s[12], 0));
                 }});
    c.push_back({fmt::format("s_buffer_atomic_{} s12, s[4:7], s9", op.name), prepare, [op](const State& b, State& a) {
                   const u32 at = b.s[9] & ~3u;
                   if (at + 4 <= 1000) a.store<u32>(at, op.next(b.load<u32>(at), b.s[12], 0));
                 }});
  }
  c.push_back({"s_atomic_cmpswap s[12:13], s[0:1], 0x40 glc",
               [](State& s) {
                 if (s.s[13] & 1) s.s[13] = s.load<u32>(0x40);
               },
               [](const State& b, State& a) {
                 const u32 old = b.load<u32>(0x40);
                 if (old == b.s[13]) a.store<u32>(0x40, b.s[12]);
                 a.s[12] = old;
               }});
  c.push_back({"s_atomic_add_x2 s[12:13], s[0:1], 0x48 glc", {}, [](const State& b, State& a) {
                 const u64 old = b.load<u64>(0x48);
                 a.store<u64>(0x48, old + (b.s[12] | u64(b.s[13]) << 32));
                 a.s[12] = u32(old), a.s[13] = u32(old >> 32);
               }});
  c.push_back({"s_buffer_store_dwordx4 s[12:15], s[4:7], s9", prepare, [](const State& b, State& a) {
                 for (u32 k = 0; k < 4; ++k)
                   if ((b.s[9] & ~3u) + 4 * k + 4 <= 1000) a.store<u32>((b.s[9] & ~3u) + 4 * k, b.s[12 + k]);
               }});
  c.push_back({"s_store_dwordx2 s[12:13], s[0:1], 0x30", {}, [](const State& b, State& a) {
                 a.store<u32>(0x30, b.s[12]), a.store<u32>(0x34, b.s[13]);
               }});
  c.push_back(
      {"s_scratch_load_dwordx2 s[12:13], s[0:1], s9", [](State& s) { s.s[9] %= 64; },
       [](const State& b, State& a) { a.s[12] = b.load<u32>(b.s[9] * 64), a.s[13] = b.load<u32>(b.s[9] * 64 + 4); }});
  c.push_back(
      {"s_scratch_store_dword s12, s[0:1], 0x50", {}, [](const State& b, State& a) { a.store<u32>(0x50, b.s[12]); }});
  c.push_back(
      {"s_atc_probe 0, s[0:1], 0x10\ns_dcache_discard s[0:1], 0x10\ns_icache_inv", {}, [](const State&, State&) {}});
  return c;
}

// Loads of a half from global memory, LDS and buffers; `clears`: the other half of the register becomes 0, else it stays.
std::vector<Case> half_cases(bool clears, bool buffers) {
  struct Half {
    const char *name, *lds_name;
    u32 bytes;
    bool is_signed;
  };
  std::vector<Case> c;
  for (const Half& what : {Half{"ubyte_d16", "u8_d16", 1, false}, Half{"sbyte_d16", "i8_d16", 1, true}, Half{"short_d16", "u16_d16", 2, false}})
    for (const bool high : {false, true}) {
      const auto result = [=](const uint8_t* from, u32 old) {
        u32 v = from[0];
        if (what.bytes == 2) v |= u32(from[1]) << 8;
        if (what.is_signed && v & 0x80) v |= 0xff00;
        const u32 kept = clears ? 0 : old;
        return high ? v << 16 | (kept & 0xffff) : v | (kept & 0xffff0000);
      };
      const char* suffix = high ? "_hi" : "";
      const auto from_memory = [=](u32 offset) {
        return [=](const State& b, State& a) {
          b.each([&](u32 l) { a.v[8][l] = result(&b.memory[b.v[0][l] + offset], b.v[8][l]); });
        };
      };
      c.push_back({fmt::format("global_load_{}{} v8, v0, s[0:1] offset:6", what.name, suffix), {}, from_memory(6)});
      c.push_back({fmt::format("v_mov_b32 v0, 0x40\nglobal_load_{}{} v8, v0, s[0:1]", what.name, suffix), {},
                   [=](const State& b, State& a) {
                     b.each([&](u32 l) { a.v[0][l] = 0x40, a.v[8][l] = result(&b.memory[0x40], b.v[8][l]); });
                   }});
      if (buffers)
        c.push_back({fmt::format("buffer_load_{}{} v8, v0, s[4:7], 0 offen offset:2", what.name, suffix),
                     [](State& s) { set_descriptor(s, {}); }, from_memory(2)});
      c.push_back({fmt::format("ds_read_{}{} v8, v0 offset:4", what.lds_name, suffix),
                   [](State& s) {
                     for (u32 l = 0; l < 64; ++l) s.v[0][l] %= 2048;
                   },
                   [=](const State& b, State& a) {
                     b.each([&](u32 l) { a.v[8][l] = result(&b.lds[b.v[0][l] + 4], b.v[8][l]); });
                   }});
    }
  return c;
}

} // namespace

TEST_CASE("Loads go straight into LDS") {
  check(global_to_lds("lds_", "", false), "gfx942");
  check(global_to_lds("lds_", "", true), "gfx950");
  check(global_to_lds("", " lds", false), "gfx90a");
  check(buffer_to_lds(false), "gfx90a");
  check(buffer_to_lds(true), "gfx950");
  check({{"buffer_store_lds_dword s[4:7], s9 offset:8 lds",
          [](State& s) {
            set_descriptor(s, {.stride = 4, .add_lane = true, .data_format = 0});
            s.s[124] = s.s[8] % 4096 / 4 * 4, s.s[9] = s.s[9] % 64 * 4;
          },
          [](const State& b, State& a) {
            b.each([&](u32 l) { a.store<u32>(u64(l) * 4 + 8 + b.s[9], b.lds_dword((b.s[124] & 0xffff) + 8 + 4 * l)); });
          }}},
        "gfx90a");
}
TEST_CASE("Loads of 16 bits keep the register's other half, or clear it where memory has ECC") {
  for (const char* target : {"gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"}) check(half_cases(true, true), target);
  check(half_cases(false, true), "gfx900");
  check(half_cases(false, false), "gfx1030");
}

TEST_CASE("Special instructions of LDS do what the ISA says") { check(lds_cases(), "gfx942"); }
TEST_CASE("Scalar stores and atomics change memory") { check(scalar_cases(), "gfx90a"); }

TEST_CASE("Atomics subtract down to 0, or not at all") {
  struct Subtraction {
    const char* name;
    u32 (*next)(u32 old, u32 data);
  };
  for (const Subtraction& op : {Subtraction{"sub_clamp", [](u32 m, u32 d) { return m >= d ? m - d : 0; }},
                                Subtraction{"cond_sub", [](u32 m, u32 d) { return m >= d ? m - d : m; }}}) {
    const auto lane_by_lane = [](State& s) {
      for (u32 l = 0; l < 64; ++l) s.v[0][l] = 4 * l;
    };
    const auto in_memory = [op](const State& b, State& a) {
      b.each([&](u32 l) {
        const u32 old = b.load<u32>(b.v[0][l]);
        a.v[8][l] = old, a.store<u32>(b.v[0][l], op.next(old, b.v[9][l]));
      });
    };
    check({{fmt::format("global_atomic_{}_u32 v8, v0, v9, s[0:1] th:TH_ATOMIC_RETURN\ns_wait_loadcnt 0", op.name),
            lane_by_lane, in_memory},
           {fmt::format("buffer_atomic_{}_u32 v9, v0, s[4:7], null offen", op.name),
            [=](State& s) { lane_by_lane(s), set_descriptor(s, {}); },
            [op](const State& b, State& a) {
              b.each([&](u32 l) { a.store<u32>(b.v[0][l], op.next(b.load<u32>(b.v[0][l]), b.v[9][l])); });
            }},
           {fmt::format("ds_{}_rtn_u32 v8, v0, v9 offset:4\ns_wait_dscnt 0", op.name), lane_by_lane,
            [op](const State& b, State& a) {
              b.each([&](u32 l) {
                const u32 old = b.lds_dword(b.v[0][l] + 4), next = op.next(old, b.v[9][l]);
                a.v[8][l] = old, a.set_lds(b.v[0][l] + 4, &next, 4);
              });
            }}},
          "gfx1201");
  }
}

TEST_CASE("Compare-and-swap of floats takes zeros of both signs for equal, and a NaN for equal to nothing") {
  struct Spelled {
    const char *target, *global, *buffer, *wide;
  };
  for (const Spelled& spelled : {Spelled{"gfx1030", "global_atomic_fcmpswap v8, v1, v[2:3], s[0:1] glc",
                                         "buffer_atomic_fcmpswap v[2:3], v1, s[4:7], 0 offen glc",
                                         "global_atomic_fcmpswap_x2 v[8:9], v1, v[4:7], s[0:1] glc"},
                                 Spelled{"gfx1100", "global_atomic_cmpswap_f32 v8, v1, v[2:3], s[0:1] glc",
                                         "buffer_atomic_cmpswap_f32 v[2:3], v1, s[4:7], 0 offen glc", nullptr}}) {
    // Lane l has element l / 2 for its own, so that some lanes share one: they come in ascending order.
    const auto prepare = [](u32 bytes) {
      return [bytes](State& s) {
        set_descriptor(s, {});
        static const float kValues[] = {0.0f, -0.0f, 1.0f, 2.0f, __builtin_nanf("")};
        for (u32 l = 0; l < 64; ++l) {
          s.v[1][l] = l / 2 * bytes;
          const float compare = kValues[s.v[2][l] % 5], value = kValues[s.v[3][l] % 4];
          s.v[2][l] = std::bit_cast<u32>(value), s.v[3][l] = std::bit_cast<u32>(compare);
          const float in_memory = kValues[s.v[8][l] % 5];
          s.store<float>(l / 2 * bytes, in_memory);
          if (bytes == 8) {
            s.store<double>(l / 2 * bytes, in_memory);
            const u64 wide_value = std::bit_cast<u64>(double(value)),
                      wide_compare = std::bit_cast<u64>(double(compare));
            s.v[4][l] = u32(wide_value), s.v[5][l] = u32(wide_value >> 32), s.v[6][l] = u32(wide_compare),
            s.v[7][l] = u32(wide_compare >> 32);
          }
        }
      };
    };
    const auto expected = [](u32 result) {
      return [result](const State& b, State& a) {
        b.each([&](u32 l) {
          const float old = a.load<float>(b.v[1][l]);
          a.v[result][l] = a.load<u32>(b.v[1][l]);
          if (old == std::bit_cast<float>(b.v[3][l])) a.store<u32>(b.v[1][l], b.v[2][l]);
        });
      };
    };
    std::vector<Case> all = {{spelled.global, prepare(4), expected(8)}, {spelled.buffer, prepare(4), expected(2)}};
    if (spelled.wide)
      all.push_back({spelled.wide, prepare(8), [](const State& b, State& a) {
                       b.each([&](u32 l) {
                         const u64 old = a.load<u64>(b.v[1][l]);
                         a.v[8][l] = u32(old), a.v[9][l] = u32(old >> 32);
                         if (std::bit_cast<double>(old) == std::bit_cast<double>(b.v[6][l] | u64(b.v[7][l]) << 32))
                           a.store<u64>(b.v[1][l], b.v[4][l] | u64(b.v[5][l]) << 32);
                       });
                     }});
    check(all, spelled.target);
  }
}

TEST_CASE("gfx12's scalar loads of bytes and shorts end where a buffer does") {
  std::vector<Case> all;
  for (const u32 bytes : {1u, 2u})
    for (const bool extends_sign : {false, true})
      for (const u32 offset : {0u, 5u, 98u, 99u, 100u})
        all.push_back(
            {fmt::format("s_buffer_load_{}{} s20, s[4:7], {:#x}\ns_wait_kmcnt 0", extends_sign ? "i" : "u", 8 * bytes,
                         offset),
             [](State& s) { set_descriptor(s, {.records = 100}); },
             [=](const State& b, State& a) {
               u32 v = offset + bytes > 100 ? 0 : bytes == 1 ? b.load<uint8_t>(offset) : b.load<uint16_t>(offset);
               if (extends_sign) v = bytes == 1 ? u32(int32_t(int8_t(v))) : u32(int32_t(int16_t(v)));
               a.s[20] = v;
             }});
  check(all, "gfx1201");
}

TEST_CASE("M0 does not clamp accesses of LDS") {
  check({{"s_mov_b32 m0, 0\nds_read_b32 v8, v0\nds_write_b32 v0, v9 offset:4",
          {},
          [](const State& b, State& a) {
            b.each([&](u32 l) { a.v[8][l] = b.lds_dword(b.v[0][l]); });
            b.each([&](u32 l) { a.set_lds(b.v[0][l] + 4, &b.v[9][l], 4); });
          }}},
        "gfx942");
}

TEST_CASE("Transposing reads give each lane a column") {
  struct Read {
    const char* text;
    u32 bits, elements;
  };
  std::vector<Case> all;
  for (const Read& read :
       {Read{"ds_read_b64_tr_b16 v[8:9], v0 offset:8", 16, 4}, Read{"ds_read_b64_tr_b8 v[8:9], v0 offset:8", 8, 8},
        Read{"ds_read_b64_tr_b4 v[8:9], v0 offset:8", 4, 16}, Read{"ds_read_b96_tr_b6 v[8:10], v0 offset:8", 6, 16}})
    all.push_back({read.text, [](State& s) { s.exec = ~0ull; },
                   [read](const State& b, State& a) {
                     const u32 dwords = read.bits * read.elements / 32, lanes_per_row = 16 / read.elements;
                     for (u32 l = 0; l < 64; ++l)
                       for (u32 k = 0; k < dwords; ++k) a.v[8 + k][l] = 0;
                     // Element (row, column) of the matrix that 16 lanes read.
                     for (u32 block = 0; block < 64; block += 16)
                       for (u32 row = 0; row < read.elements; ++row)
                         for (u32 column = 0; column < 16; ++column)
                           for (u32 bit = 0; bit < read.bits; ++bit) {
                             const u32 from = column % read.elements * read.bits + bit, to = row * read.bits + bit;
                             const u64 address = b.v[0][block + row * lanes_per_row + column / read.elements] + 8u;
                             const u32 value =
                                 address + 4 * dwords <= kLds ? b.lds[address + from / 8] >> (from % 8) & 1 : 0;
                             a.v[8 + to / 32][block + column] |= value << (to % 32);
                           }
                   }});
  check(all, "gfx950");
}

TEST_CASE("gfx12's transposing loads exchange halves in each 8 lanes") {
  const auto expected = [](u32 offset, bool through_vgprs) {
    return [=](const State& b, State& a) {
      for (u32 l = 0; l < 32; ++l)
        for (u32 j = 0; j < 8 && (b.exec >> l & 1); ++j) {
          const u32 from = 8 * (l / 8) + j, half = l % 8;
          const u64 at = (through_vgprs ? from * 16 : b.v[0][from]) + offset + 2 * half;
          const u32 v = b.exec >> from & 1 ? b.load<uint16_t>(at) : 0;
          a.v[8 + j / 2][l] = j % 2 ? (a.v[8 + j / 2][l] & 0xffff) | v << 16 : v;
        }
    };
  };
  // EXEC's upper half is set, too, as code may leave it, and says nothing in waves of 32 lanes, which are gfx1201's default.
  check({{"global_load_tr_b128 v[8:11], v0, s[0:1] offset:16\ns_wait_loadcnt 0", {}, expected(16, false)},
         {"global_load_tr_b128 v[8:11], v[2:3], off\ns_wait_loadcnt 0",
          [](State& s) {
            for (u32 l = 0; l < 64; ++l) {
              const u64 address = (s.s[0] | u64(s.s[1]) << 32) + 16 * l;
              s.v[2][l] = u32(address), s.v[3][l] = u32(address >> 32);
            }
          },
          expected(0, true)}},
        "gfx1201");
}

TEST_CASE("Instructions that the software GPU has nothing for say so") {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"s_setvskip s0, s1", "skipped"},
      {"s_cbranch_join s0", "forks"},
      {"s_rfe_b64 s[0:1]", "trap handler"},
      {"ds_gws_sema_v gds", "semaphores of waves"},
      {"image_load v0, v[2:3], s[0:7] dmask:0x1 unorm", "image"},
      {"buffer_load_format_x v0, s[4:7], 0 offen lds", "LDS"}};
  std::vector<Row> rows;
  for (const auto& [text, reason] : all) rows.push_back({nullptr, text});
  Code code(rows, *host_levels().back(), "gfx90a");
  for (size_t n = 0; n < all.size(); ++n) {
    INFO(all[n].first);
    auto wave = make_wave(kWaveRows);
    start(*wave, code, n);
    host_levels().back()->run(*wave);
    REQUIRE(wave->stop == Stop::Fault);
    CHECK(wave->fault == FaultKind::Unsupported);
    CHECK_THAT(code.program().unsupported_reason(wave->fault_inst->pc), Catch::Matchers::Contains(all[n].second));
  }
}
