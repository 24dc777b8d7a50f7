// Loads and stores through buffer resources without an index: offsets that follow one another, are equal, equally far apart or anything;
// elements behind the buffer's end or partly there; lanes that are off; data in the offset's register; several resources that move from
// access to access. What must come out is computed from the bytes of memory.
#include "machine.h"

#include <cstring>

using namespace tier1_test;

namespace {

struct Element {
  const char* name;
  uint32_t bytes;
  bool is_signed, high; // high: 16 bits into the destination's upper half
  uint32_t dwords() const { return (bytes + 3) / 4; }
};
constexpr Element kLoads[] = {{"ubyte", 1, false, false},  {"sbyte", 1, true, false},   {"ushort", 2, false, false},  {"sshort", 2, true, false}, {"short_d16_hi", 2, false, true},
                              {"dword", 4, false, false}, {"dwordx2", 8, false, false}, {"dwordx3", 12, false, false}, {"dwordx4", 16, false, false}};
constexpr Element kStores[] = {{"byte", 1, false, false},    {"short", 2, false, false},    {"dword", 4, false, false},
                               {"dwordx2", 8, false, false}, {"dwordx3", 12, false, false}, {"dwordx4", 16, false, false}};
constexpr uint32_t kOffset = 12, kFirst = 20; // of the instructions; the data's first register

struct Resource {
  uint64_t base;
  uint32_t records, scalar_offset;
};

// How many bytes of a lane's element are inside: all, or whole dwords.
uint32_t bytes_inside(const Resource& r, uint32_t lane_offset, uint32_t bytes) {
  const uint64_t begin = uint64_t(lane_offset) + kOffset + r.scalar_offset;
  if (begin >= r.records) return 0;
  const uint64_t room = r.records - begin;
  return room >= bytes ? bytes : uint32_t(room) & ~3u;
}
char* place(const Resource& r, uint32_t lane_offset) {
  return reinterpret_cast<char*>(r.base + r.scalar_offset + lane_offset + kOffset);
}

constexpr uint32_t kArrangements = 7;
void arrange(Random& random, uint32_t kind, uint32_t bytes, uint32_t* offsets) {
  const uint32_t base = random.below(64) * 4 + (random.one_in(4) ? 1 : 0), pitch = 16 * random.between(1, 40);
  for (uint32_t l = 0; l < kMaxLanes; ++l)
    switch (kind) {
    case 0: offsets[l] = base + l * bytes; break;
    case 1: offsets[l] = base; break;
    case 2: offsets[l] = base + l * pitch; break;
    case 3: offsets[l] = base + l / 4 * pitch + l % 4 * bytes; break; // pieces of rows
    case 4: offsets[l] = base + l * 4; break;                         // elements that overlap
    case 5:
      offsets[l] = base + l / (64 / bytes) * pitch + l % (64 / bytes) * bytes;
      break; // lines of 64 bytes
    default: offsets[l] = random.below(8000); break;
    }
}

void set_resource(Wave& w, const Resource& r) {
  w.set_sgpr64(8, r.base); // no stride
  w.sgpr[10] = r.records, w.sgpr[11] = 0;
  w.sgpr[5] = r.scalar_offset;
}
// A random state of the machine with a resource of some size in the arena and EXEC of that kind.
Resource random_state(Machine& machine, Random& random, uint32_t exec_kind) {
  machine.randomize(random);
  const Resource r{machine.arena() + 4 * random.below(256), random.one_in(3) ? random.below(4000) : 16000, 4 * random.below(50)};
  set_resource(machine.wave(), r);
  machine.wave().set_sgpr64(94, any_exec(exec_kind, random));
  return r;
}

} // namespace

TEST_CASE("Loads through buffers find the elements that are inside, and zeros behind the end") {
  const Assembler assembler("gfx942");
  Random random(41);
  Machine machine;
  for (const Element& load : kLoads)
    for (uint32_t address : {2u, kFirst, kFirst + 1}) { // v20 and v21 may be data
      const std::string text = fmt::format("s_mov_b64 exec, s[94:95]\nbuffer_load_{} v[{}:{}], v{}, s[8:11], s5 offen offset:{}\ns_waitcnt vmcnt(0)\n", load.name,
                                           kFirst, kFirst + load.dwords() - 1, address, kOffset);
      Guest guest(assembler, "gfx942", text);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < kArrangements * kExecKinds; ++trial) {
        const Resource r = random_state(machine, random, trial % kExecKinds);
        Wave& w = machine.wave();
        const uint64_t exec = w.sgpr64(94);
        uint32_t offsets[kMaxLanes], want[4][kMaxLanes];
        arrange(random, trial / kExecKinds, load.bytes, offsets);
        std::memcpy(w.row(address), offsets, sizeof offsets);
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          uint32_t found[4] = {};
          std::memcpy(found, place(r, offsets[l]), bytes_inside(r, offsets[l], load.bytes));
          if (load.is_signed) found[0] = uint32_t(load.bytes == 1 ? int32_t(int8_t(found[0])) : int32_t(int16_t(found[0])));
          if (load.high) found[0] <<= 16; // (gfx942 clears the lower half)
          for (uint32_t k = 0; k < load.dwords(); ++k) want[k][l] = exec >> l & 1 ? found[k] : w.row(kFirst + k)[l];
        }
        machine.run(guest, tier1);
        INFO(text << "arrangement " << trial / kExecKinds << ", exec " << std::hex << exec);
        REQUIRE(w.stop == Stop::Ended);
        for (uint32_t k = 0; k < load.dwords(); ++k) REQUIRE(std::memcmp(w.row(kFirst + k), want[k], sizeof want[k]) == 0);
      }
    }
}

TEST_CASE("Stores through buffers write the elements that are inside, and nothing else") {
  const Assembler assembler("gfx942");
  Random random(42);
  Machine machine;
  for (const Element& store : kStores)
    for (uint32_t address : {2u, kFirst}) {
      const std::string text = fmt::format("s_mov_b64 exec, s[94:95]\nbuffer_store_{} v[{}:{}], v{}, s[8:11], s5 offen offset:{}\n", store.name, kFirst,
                                           kFirst + store.dwords() - 1, address, kOffset);
      Guest guest(assembler, "gfx942", text);
      const Inst* tier1 = guest.tier1({});
      for (uint32_t trial = 0; trial < kArrangements * kExecKinds; ++trial) {
        const Resource r = random_state(machine, random, trial % kExecKinds);
        Wave& w = machine.wave();
        const uint64_t exec = w.sgpr64(94);
        uint32_t offsets[kMaxLanes];
        const uint32_t kind = trial / kExecKinds;
        const bool shares = kind == 1 || kind == 4 || kind == 5; // (of lanes at one place anyone's value may stay)
        arrange(random, shares ? 0 : kind, store.bytes, offsets);
        if (kind == 6)
          for (uint32_t l = 0; l < kMaxLanes; ++l) offsets[l] = (l * 37 % kMaxLanes) * 24;
        std::memcpy(w.row(address), offsets, sizeof offsets);
        std::vector<char> want(Machine::kArenaBytes);
        char* arena = reinterpret_cast<char*>(machine.arena());
        std::memcpy(want.data(), arena, want.size());
        for (uint32_t l = 0; l < kMaxLanes; ++l) {
          if (!(exec >> l & 1)) continue;
          uint32_t data[4];
          for (uint32_t k = 0; k < store.dwords(); ++k) data[k] = w.row(kFirst + k)[l];
          std::memcpy(want.data() + (place(r, offsets[l]) - arena), data, bytes_inside(r, offsets[l], store.bytes));
        }
        machine.run(guest, tier1);
        INFO(text << "arrangement " << kind << ", exec " << std::hex << exec);
        REQUIRE(w.stop == Stop::Ended);
        REQUIRE(std::memcmp(arena, want.data(), want.size()) == 0);
      }
    }
}

TEST_CASE("From gfx10 on translated code, too, asks the descriptor by which rule a buffer ends") {
  constexpr uint32_t kStride = 480;
  struct Form {
    const char *processor, *mnemonic, *wait;
  };
  for (const Form& form : {Form{"gfx1030", "buffer_load_dword", "s_waitcnt vmcnt(0)"},
                           Form{"gfx1100", "buffer_load_b32", "s_waitcnt vmcnt(0)"},
                           Form{"gfx1201", "buffer_load_b32", "s_wait_loadcnt 0"}}) {
    const Dialect dialect(form.processor, kMaxLanes);
    Guest guest(dialect, fmt::format("s_mov_b64 exec, s[94:95]\n{} v20, v2, s[8:11], s5 offen offset:{}\n{}\n",
                                     form.mnemonic, kOffset, form.wait));
    const Inst* tier1 = guest.tier1({});
    Random random(44);
    Machine machine;
    for (uint32_t trial = 0; trial < 4 * kExecKinds; ++trial) {
      Resource r = random_state(machine, random, trial % kExecKinds);
      Wave& w = machine.wave();
      const uint32_t rule = trial / kExecKinds;
      r.records = random.one_in(4) ? 0 : 600; // of records or of bytes, as the rule says
      set_resource(w, r);
      w.sgpr[9] |= kStride << 16, w.sgpr[11] = rule << 28;
      const uint64_t exec = w.sgpr64(94);
      uint32_t want[kMaxLanes];
      for (uint32_t l = 0; l < kMaxLanes; ++l) {
        const uint32_t offset = w.row(2)[l] = 4 * random.below(200), own = offset + kOffset;
        const bool inside =
            r.records != 0 && (rule == 0 ? own + 4 <= kStride : rule != 3 || own + r.scalar_offset + 4 <= r.records);
        uint32_t found = 0;
        if (inside) std::memcpy(&found, place(r, offset), sizeof found);
        want[l] = exec >> l & 1 ? found : w.row(kFirst)[l];
      }
      machine.run(guest, tier1);
      INFO(form.processor << ", rule " << rule << ", exec " << std::hex << exec);
      REQUIRE(w.stop == Stop::Ended);
      REQUIRE(std::memcmp(w.row(kFirst), want, sizeof want) == 0);
    }
  }
}

TEST_CASE("Loads through a buffer that moves go on finding its elements") {
  const Assembler assembler("gfx942");
  // A column of tiles: each turn adds up a dword of each lane, and moves the buffer by a row.
  Guest guest(assembler, "gfx942", R"(
    v_mov_b32 v3, 0
    s_mov_b32 s20, 0
  again:
    buffer_load_dword v4, v2, s[8:11], 0 offen
    s_waitcnt vmcnt(0)
    v_add_u32 v3, v3, v4
    s_add_u32 s8, s8, 0x200
    s_addc_u32 s9, s9, 0
    s_sub_u32 s10, s10, 0x200
    s_max_i32 s10, s10, 0
    s_add_u32 s20, s20, 1
    s_cmp_lt_u32 s20, 20
    s_cbranch_scc1 again
  )");
  const Inst* tier1 = guest.tier1({});
  Random random(43);
  Machine machine;
  for (uint32_t trial = 0; trial < 8; ++trial) {
    machine.randomize(random);
    Wave& w = machine.wave();
    // The buffer ends after 16 of the 20 rows in every second trial.
    constexpr uint32_t kRow = 0x200, kTurns = 20;
    const uint32_t rows = trial % 2 ? kTurns : 16;
    set_resource(w, {machine.arena(), kRow * rows, 0});
    uint32_t want[kMaxLanes] = {};
    for (uint32_t l = 0; l < kMaxLanes; ++l) {
      w.row(2)[l] = 4 * (l ^ trial * 5 % kMaxLanes);
      for (uint32_t row = 0; row < rows; ++row) {
        uint32_t value;
        std::memcpy(&value, reinterpret_cast<const char*>(machine.arena()) + row * kRow + w.row(2)[l], sizeof value);
        want[l] += value;
      }
    }
    machine.run(guest, tier1);
    REQUIRE(w.stop == Stop::Ended);
    CHECK(std::memcmp(w.row(3), want, sizeof want) == 0);
  }
}
