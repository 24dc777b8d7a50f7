// See memory.h.
#include "memory.h"
#include "test_seed.h"

#include <cstring>
#include <random>

namespace isa_test::memory {
namespace {

class Memory : public AddressSpace {
public:
  explicit Memory(uint8_t* begin) {
    arena_base = reinterpret_cast<u64>(begin);
    arena_bytes = kMemoryBytes;
  }
  bool accessible(u64 address, u64 bytes, Access) const noexcept override {
    return address >= arena_base && address + bytes <= arena_base + arena_bytes;
  }
  std::string describe(u64) const override { return "nowhere"; }
};

// Fills an array of numbers, of a multiple of eight bytes, with random bits.
template<class T> void fill(T& array, std::mt19937_64& random) {
  static_assert(sizeof array % 8 == 0);
  for (size_t at = 0; at < sizeof array; at += 8) {
    const u64 bits = random();
    std::memcpy(reinterpret_cast<char*>(&array) + at, &bits, 8);
  }
}

} // namespace

void set_descriptor(State& s, const Descriptor& d) {
  s.s[4] = s.s[0];
  s.s[5] = (s.s[1] & 0xffff) | d.stride << 16 | d.swizzle << 30;
  s.s[6] = d.records;
  s.s[7] = d.select | d.number_format << 12 | d.data_format << 15 | d.index_stride << 21 | (d.add_lane ? 1u << 23 : 0) |
           d.rule << 28;
}

void check(const std::vector<Case>& all, const char* target) {
  std::vector<Row> rows;
  for (const Case& c : all) rows.push_back({nullptr, c.text});
  for (const HostLevel* level : host_levels()) {
    if (!can_execute(*level)) continue;
    Code code(rows, *level, target);
    for (size_t n = 0; n < all.size(); ++n)
      for (int trial = 0; trial < 24; ++trial) {
        INFO(level->name << ", " << target << ": " << all[n].text << ", trial " << trial);
        std::mt19937_64 random(hip::testing::seeded(n * 131 + u64(trial)));
        auto before = std::make_unique<State>();
        fill(before->v, random);
        fill(before->s, random);
        fill(before->memory, random);
        fill(before->lds, random);
        for (u32 l = 0; l < 64; ++l)
          before->v[0][l] = u32(random()) % 512 * 4, before->v[1][l] = 0, before->v[2][l] = u32(random()) % 64;
        before->exec = trial % 4 == 0   ? ~0ull
                       : trial % 4 == 1 ? random()
                       : trial % 4 == 2 ? random() & random()
                       : trial % 8 == 3 ? 0
                                        : 1ull << (random() % 64);
        alignas(64) static uint8_t memory[kMemoryBytes];
        alignas(64) static uint8_t lds[kLds + 256];
        Memory space(memory);
        before->s[0] = u32(space.arena_base), before->s[1] = u32(space.arena_base >> 32);
        if (all[n].prepare) all[n].prepare(*before);
        auto wave = make_wave(kWaveRows);
        Wave& w = *wave;
        for (u32 r = 0; r < kWaveRows; ++r) std::memcpy(w.row(r), before->v[r], sizeof before->v[r]);
        for (u32 k = 0; k < 100; ++k) w.sgpr[k] = before->s[k];
        w.sgpr[kM0] = before->s[124];
        w.set_sgpr64(kExecLo, before->exec);
        std::memcpy(memory, before->memory.data(), kMemoryBytes);
        std::memcpy(lds, before->lds.data(), kLds);
        w.space = &space, w.arena_base = space.arena_base, w.arena_bytes = space.arena_bytes;
        w.lds = lds, w.lds_bytes = kLds;
        auto after = std::make_unique<State>(*before);
        all[n].expected(*before, *after);
        start(w, code, n);
        level->run(w);
        INFO((w.fault_inst ? code.program().unsupported_reason(w.fault_inst->pc) : ""));
        REQUIRE(w.stop == Stop::Ended);
        for (u32 r = 0; r < kWaveRows; ++r)
          for (u32 l = 0; l < 64; ++l)
            if (w.row(r)[l] != after->v[r][l])
              FAIL(fmt::format("v{} of lane {} is {:#x}, expected {:#x}", r, l, w.row(r)[l], after->v[r][l]));
        for (u32 k = 0; k < 100; ++k)
          if (w.sgpr[k] != after->s[k]) FAIL(fmt::format("s{} is {:#x}, expected {:#x}", k, w.sgpr[k], after->s[k]));
        for (u32 k = 0; k < kMemoryBytes; ++k)
          if (memory[k] != after->memory[k])
            FAIL(fmt::format("byte {} of memory is {:#x}, expected {:#x}", k, memory[k], after->memory[k]));
        for (u32 k = 0; k < kLds; ++k)
          if (lds[k] != after->lds[k])
            FAIL(fmt::format("byte {} of LDS is {:#x}, expected {:#x}", k, lds[k], after->lds[k]));
      }
  }
}

} // namespace isa_test::memory
