// What tools are told of a launch (runtime/engine/tools): counts of instructions and accesses, written down here by
// hand for each program, must be those of tier 0 and of translated code, to the last unit.
#include "writer.h"

#include "runtime/engine/tools/launch_counts.h"

#include <cstring>

using namespace tier1_test;

namespace {

using Class = InstructionClass;

// What a program is expected to do, besides the end that Guest adds: s_branch and s_endpgm.
struct Expected {
  LaunchCounts counts;

  Expected& instructions(Class c, uint64_t n, uint64_t lanes_each) {
    counts.executed.add(c, n, lanes_each);
    return *this;
  }
  Expected& ends(uint64_t lanes) { return instructions(Class::Branch, 1, lanes).instructions(Class::Other, 1, lanes); }
  Expected& loads(MemorySpace space, uint64_t lanes, uint64_t bytes_each) {
    return add(counts.by_space[size_t(space)].loads, lanes, bytes_each);
  }
  Expected& stores(MemorySpace space, uint64_t lanes, uint64_t bytes_each) {
    return add(counts.by_space[size_t(space)].stores, lanes, bytes_each);
  }
  Expected& atomics(MemorySpace space, uint64_t lanes, uint64_t bytes_each) {
    return add(counts.by_space[size_t(space)].atomics, lanes, bytes_each);
  }

private:
  Expected& add(LaunchCounts::Traffic& traffic, uint64_t lanes, uint64_t bytes_each) {
    traffic.accesses += 1, traffic.lanes += lanes, traffic.bytes += lanes * bytes_each;
    return *this;
  }
};

std::string text_of(const LaunchCounts& counts) {
  std::string out;
  for (size_t k = 0; k < kInstructionClasses; ++k) {
    const auto& [instructions, lanes] = counts.executed.by_class[k];
    if (instructions) out += fmt::format("class {}: {} with {} lanes\n", k, instructions, lanes);
  }
  for (size_t k = 0; k < kMemorySpaces; ++k) {
    const LaunchCounts::OfSpace& space = counts.by_space[k];
    for (const auto& [name, t] :
         {std::pair("loads", space.loads), {"stores", space.stores}, {"atomics", space.atomics}})
      if (t.accesses)
        out += fmt::format("space {}: {} {}, {} lanes, {} bytes\n", k, t.accesses, name, t.lanes, t.bytes);
  }
  return out;
}

// An instrumented program, and the machine that runs it. Programs start with all lanes active, v0 the lane's number,
// s[0:1] where the arena begins and s[2:3] where its second half does; every other register is undefined.
class Watched {
public:
  explicit Watched(const std::string& text) : Watched(gfx942(), text) {}
  Watched(const Dialect& dialect, const std::string& text)
      : machine(dialect.lanes()), guest_(dialect, text, true, CodeForm::Instrumented) {
    Random random(7);
    start(random);
  }
  // All state that is not said above is random.
  void start(Random& random) {
    machine.randomize(random);
    Wave& w = machine.wave();
    for (uint32_t l = 0; l < kMaxLanes; ++l) w.row(0)[l] = l;
    for (uint32_t r = 1; r < kMaxVgprs; ++r) std::fill_n(w.row(r), kMaxLanes, 0);
    w.set_sgpr64(0, machine.arena());
    w.set_sgpr64(2, machine.arena() + Machine::kArenaBytes / 2);
  }

  struct Result {
    LaunchCounts counts;
    Stop stop;
    uint64_t fault_address, fault_lanes;
  };
  // From the state that the machine is in; leaves it as it ends.
  Result run(const Inst* entry, Tool& tool, LaunchCounter& counter) {
    AccessListener& listener = tool.begin_thread();
    Probe probe{{}, &listener};
    machine.watch(probe);
    machine.run(guest_, entry);
    tool.end_thread(listener, probe.executed);
    const Wave& w = machine.wave();
    return {counter.counts(), w.stop, w.fault_address, w.fault_lanes};
  }
  Result run(const Inst* entry) {
    LaunchCounter counter;
    return run(entry, counter, counter);
  }
  const Inst* tier0() { return guest_.tier0(); }
  const Inst* tier1(compile::Optimise optimise = compile::Optimise::Everything) {
    compile::Start start;
    start.items = {machine.wave().lanes, 1, 1};
    start.item_ids = 0x3ff;
    return guest_.tier1(start, optimise);
  }
  const compile::Translation& translation() const { return guest_.translation(); }

  Machine machine;

private:
  static const Dialect& gfx942() {
    static const Dialect dialect("gfx942", kMaxLanes);
    return dialect;
  }
  Guest guest_;
};

// A machine's state can be taken up again: `prepare` sets what a program needs besides the usual.
void check(const std::string& text, const Expected& expected, Stop stop = Stop::Ended,
           const std::function<void(Machine&)>& prepare = {}) {
  INFO(text);
  for (uint32_t form = 0; form < 3; ++form) {
    Watched watched(text);
    if (prepare) prepare(watched.machine);
    const Inst* entry = form == 0   ? watched.tier0()
                        : form == 1 ? watched.tier1()
                                    : watched.tier1(compile::Optimise::Nothing);
    const Watched::Result found = watched.run(entry);
    CAPTURE(form);
    CHECK(found.stop == stop);
    CHECK(text_of(found.counts) == text_of(expected.counts));
    CHECK(found.counts == expected.counts);
  }
}

} // namespace

TEST_CASE("Instructions are counted each time, by class, with the lanes of EXEC") {
  // Twelve lanes go five times through the loop. EXEC is written in two halves.
  Expected e;
  e.instructions(Class::ScalarAlu, 2, 64).instructions(Class::ScalarAlu, 1, 32 + 12);
  for (int turn = 0; turn < 5; ++turn)
    e.instructions(Class::VectorAlu, 2, 12).instructions(Class::ScalarAlu, 2, 12).instructions(Class::Branch, 1, 12);
  e.instructions(Class::Other, 2, 12).ends(12);
  check("s_mov_b32 s4, 5\ns_mov_b32 exec_lo, 0xfff\ns_mov_b32 exec_hi, 0\n"
        "again:\nv_add_u32 v1, v0, v0\nv_mul_lo_u32 v2, v1, v0\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\n"
        "s_cbranch_scc1 again\ns_nop 0\ns_waitcnt vmcnt(0)\n",
        e);
}

TEST_CASE("Each way of a divergent branch is counted with its own lanes") {
  Expected e;
  e.instructions(Class::VectorAlu, 2, 64).instructions(Class::ScalarAlu, 1, 64);
  e.instructions(Class::VectorMemory, 2, 20).stores(MemorySpace::Global, 20, 4).loads(MemorySpace::Global, 20, 16);
  e.instructions(Class::ScalarAlu, 1, 20).instructions(Class::Branch, 1, 44);
  e.instructions(Class::VectorMemory, 1, 44).stores(MemorySpace::Global, 44, 2);
  e.instructions(Class::ScalarAlu, 1, 44).ends(64);
  check("v_lshlrev_b32 v1, 2, v0\nv_cmp_gt_u32 vcc, 20, v0\ns_and_saveexec_b64 s[4:5], vcc\n"
        "global_store_dword v1, v0, s[2:3]\nglobal_load_dwordx4 v[4:7], v1, s[2:3]\n"
        "s_andn2_b64 exec, s[4:5], exec\ns_cbranch_execz none\n"
        "global_store_short v1, v0, s[2:3] offset:512\nnone:\ns_mov_b64 exec, s[4:5]\n",
        e);
}

TEST_CASE("Where no lane is active instructions count and access nothing") {
  Expected e;
  e.instructions(Class::ScalarAlu, 1, 64).instructions(Class::VectorAlu, 1, 0);
  e.instructions(Class::VectorMemory, 1, 0).instructions(Class::Lds, 1, 0);
  e.instructions(Class::ScalarMemory, 1, 0).loads(MemorySpace::Scalar, 1, 16).instructions(Class::ScalarAlu, 1, 0);
  e.ends(64);
  check("s_mov_b64 exec, 0\nv_lshlrev_b32 v1, 2, v0\nglobal_store_dword v1, v0, s[2:3]\nds_write_b32 v1, v0\n"
        "s_load_dwordx4 s[8:11], s[0:1], 0x10\ns_mov_b64 exec, -1\n",
        e);
}

TEST_CASE("Accesses of LDS are counted by element, without those that are dropped") {
  static_assert(Machine::kLdsBytes == 4096);
  Expected e;
  e.instructions(Class::VectorAlu, 1, 64).instructions(Class::Lds, 5, 64).instructions(Class::ScalarAlu, 1, 64);
  e.stores(MemorySpace::Lds, 64, 4).stores(MemorySpace::Lds, 64, 4);  // ds_write2
  e.loads(MemorySpace::Lds, 62, 8);                                   // 3600 + 8 * lane + 8 bytes fit up to lane 61
  e.atomics(MemorySpace::Lds, 64, 4).atomics(MemorySpace::Lds, 1, 4); // ds_append is one for all lanes
  e.ends(64);
  check("v_lshlrev_b32 v1, 3, v0\nds_write2_b32 v1, v0, v0 offset1:1\nds_read_b64 v[2:3], v1 offset:3600\n"
        "ds_add_u32 v1, v0\ns_mov_b32 m0, 16\nds_append v5\nds_bpermute_b32 v6, v1, v0\n",
        e);
}

TEST_CASE("An address that takes the place of another value is told as it is") {
  Expected e;
  e.instructions(Class::VectorAlu, 2, 64).instructions(Class::ScalarAlu, 1, 64).instructions(Class::VectorAlu, 1, 16);
  e.instructions(Class::Lds, 1, 16).loads(MemorySpace::Lds, 14, 4); // 256 * lane + 512 + 4 bytes fit up to lane 13
  e.instructions(Class::ScalarAlu, 1, 16)
      .instructions(Class::VectorMemory, 1, 64)
      .stores(MemorySpace::Global, 64, 4)
      .ends(64);
  check("v_lshlrev_b32 v5, 8, v0\nv_lshlrev_b32 v9, 2, v0\ns_mov_b64 exec, 0xffff\nv_add_u32 v9, 0x200, v5\n"
        "ds_read_b32 v9, v9\ns_mov_b64 exec, -1\nglobal_store_dword v5, v9, s[2:3]\n",
        e);
}

TEST_CASE("Accesses of private memory, of buffers and of scalars are counted") {
  const auto prepare = [](Machine& machine) { // s[12:15]: 100 bytes of the arena as a raw buffer
    Wave& w = machine.wave();
    w.set_sgpr64(12, machine.arena()), w.sgpr[14] = 100, w.sgpr[15] = 0x00020000;
  };
  Expected e;
  e.instructions(Class::VectorAlu, 2, 64).instructions(Class::VectorMemory, 4, 64);
  e.stores(MemorySpace::Scratch, 64, 4).loads(MemorySpace::Scratch, 64, 8);
  e.loads(MemorySpace::Global, 25, 4).stores(MemorySpace::Global, 25, 1 * 4); // 4 * lane + 4 <= 100
  e.instructions(Class::ScalarMemory, 2, 64).loads(MemorySpace::Scalar, 1, 64).loads(MemorySpace::Scalar, 1, 12);
  e.ends(64);
  check("v_lshlrev_b32 v1, 2, v0\nv_and_b32 v2, 28, v1\nscratch_store_dword off, v0, off offset:8\n"
        "scratch_load_dwordx2 v[4:5], v2, off\nbuffer_load_dword v6, v1, s[12:15], 0 offen\n"
        "buffer_store_dword v0, v1, s[12:15], 0 offen\ns_load_dwordx16 s[16:31], s[0:1], 0x40\n"
        "s_buffer_load_dwordx4 s[32:35], s[12:15], 0x58\n", // 12 bytes are left of the buffer
        e, Stop::Ended, prepare);
}

TEST_CASE("Flat accesses are counted in the space that each lane's address leads to") {
  const auto prepare = [](Machine& machine) {
    Wave& w = machine.wave();
    for (uint32_t l = 0; l < kMaxLanes; ++l) {
      const uint64_t address[] = {machine.arena() + 4 * l, w.shared_aperture + 4 * l, w.private_aperture + 4 * (l % 8),
                                  w.shared_aperture + Machine::kLdsBytes};
      std::memcpy(reinterpret_cast<void*>(machine.arena() + 0x1000 + 8 * l), &address[l % 4], 8);
    }
  };
  Expected e;
  e.instructions(Class::VectorAlu, 1, 64).instructions(Class::VectorMemory, 3, 64);
  e.loads(MemorySpace::Global, 64, 8); // the addresses
  e.loads(MemorySpace::Global, 16, 4).loads(MemorySpace::Lds, 16, 4).loads(MemorySpace::Scratch, 16, 4);
  e.atomics(MemorySpace::Global, 64, 4).ends(64);
  check("v_lshlrev_b32 v1, 3, v0\nglobal_load_dwordx2 v[2:3], v1, s[0:1] offset:2048\n"
        "flat_load_dword v4, v[2:3]\nglobal_atomic_add v1, v0, s[2:3]\n",
        e, Stop::Ended, [&](Machine& machine) {
          machine.wave().set_sgpr64(0, machine.arena() + 0x800);
          prepare(machine);
        });
}

TEST_CASE("A wave that goes on in tier 0 in the middle of a node counts what it executes once") {
  const std::string text = "v_lshlrev_b32 v1, 2, v0\nv_add_u32 v2, v0, v0\nglobal_load_dword v3, v1, s[2:3]\n"
                           "v_add_u32 v2, v2, v3\nv_add_u32 v2, 1, v2\nglobal_store_dword v1, v2, s[0:1]\n";
  Expected e;
  e.instructions(Class::VectorAlu, 4, 64).instructions(Class::VectorMemory, 2, 64);
  e.loads(MemorySpace::Global, 64, 4).stores(MemorySpace::Global, 64, 4).ends(64);
  SECTION("no side exit is taken") { check(text, e); }
  SECTION("memory of the host is not in the arena, so translated code leaves the load to tier 0") {
    const auto of_host = [](Machine& machine) { machine.wave().set_sgpr64(2, machine.host()); };
    check(text, e, Stop::Ended, of_host);
    // It has such an exit indeed.
    Watched watched(text);
    watched.tier1();
    bool any = false;
    for (const auto& exits : watched.translation().exits)
      for (const uint64_t exit : exits) any |= (exit & compile::Translation::kTierZero) != 0;
    CHECK(any);
  }
}

TEST_CASE("What is counted of a wave that faults ends with the instruction that faults") {
  Expected e;
  e.instructions(Class::VectorAlu, 1, 64).instructions(Class::VectorMemory, 2, 64);
  e.stores(MemorySpace::Global, 64, 4).loads(MemorySpace::Global, 64, 8);
  SECTION("at a regular address") {
    check("v_lshlrev_b32 v1, 3, v0\nglobal_store_dword v1, v0, s[2:3]\nglobal_load_dwordx2 v[4:5], v1, s[6:7]\n"
          "v_add_u32 v6, v4, v5\nglobal_store_dword v1, v6, s[2:3]\n",
          e, Stop::Fault, [](Machine& machine) { machine.wave().set_sgpr64(6, 0x1000); });
  }
  SECTION("at an address that the library looks at") {
    e.instructions(Class::VectorAlu, 1, 64);
    check("v_lshlrev_b32 v1, 3, v0\nglobal_store_dword v1, v0, s[2:3]\nv_mul_lo_u32 v2, v0, v0\n"
          "global_load_dwordx2 v[4:5], v2, s[6:7]\nv_add_u32 v6, v4, v5\nglobal_store_dword v1, v6, s[2:3]\n",
          e, Stop::Fault, [](Machine& machine) { machine.wave().set_sgpr64(6, 0x1000); });
  }
}

namespace {

// Refuses the stores of one lane.
class Refusing final : public Tool {
public:
  explicit Refusing(uint32_t lane) : listener_{lane} {}
  AccessListener& begin_thread() override { return listener_; }
  void end_thread(AccessListener&, const InstructionCounts&) noexcept override {}

private:
  struct Listener final : AccessListener {
    explicit Listener(uint32_t lane) : lane(lane) {}
    uint32_t lane;
    uint64_t before(const Wave&, const WaveAccess& access) noexcept override {
      return access.kind == MemoryKind::Store ? 1ull << lane : 0;
    }
  };
  Listener listener_;
};

} // namespace

TEST_CASE("An access that a tool refuses does not happen, and is reported") {
  for (const char* store : {"global_store_dword v1, v0, s[2:3] offset:16\n", "scratch_store_dword v2, v0, off\n"}) {
    for (const bool translated : {false, true}) {
      CAPTURE(store, translated);
      Watched watched("v_lshlrev_b32 v1, 2, v0\nv_and_b32 v2, 4, v1\nglobal_load_dword v3, v1, s[0:1]\n" +
                      std::string(store));
      Machine& machine = watched.machine;
      const Inst* entry = translated ? watched.tier1() : watched.tier0();
      const std::vector<uint8_t> before(reinterpret_cast<uint8_t*>(machine.arena()),
                                        reinterpret_cast<uint8_t*>(machine.arena()) + Machine::kArenaBytes);
      Refusing tool(5);
      LaunchCounter none;
      const Watched::Result found = watched.run(entry, tool, none);
      CHECK(found.stop == Stop::Fault);
      CHECK(found.fault_lanes == 1ull << 5);
      const bool scratch = store[0] == 's';
      CHECK(found.fault_address ==
            (scratch ? machine.wave().private_aperture + 4 : machine.arena() + Machine::kArenaBytes / 2 + 16 + 4 * 5));
      CHECK(std::memcmp(before.data(), reinterpret_cast<void*>(machine.arena()), before.size()) == 0);
    }
  }
}

TEST_CASE("Both tiers count the same of random programs") {
  uint32_t faults = 0, runs = 0;
  for (const DialectName& name : kDialects) {
    const Dialect dialect(name.processor, name.lanes);
    Random random(23);
    const uint32_t programs = name.processor == std::string_view("gfx942") ? 10 : 3;
    for (uint32_t k = 0; k < tries(programs); ++k) {
      Writer writer(random, dialect);
      writer.line("v_mov_b32 v36, v0");
      writer.structured(6, 2);
      Watched watched(dialect, writer.text());
      const uint64_t seed = random();
      std::string first;
      for (const Inst* form : {watched.tier0(), watched.tier1(), watched.tier1(compile::Optimise::Nothing)}) {
        Random state(seed);
        watched.start(state);
        const Watched::Result found = watched.run(form);
        const std::string text = fmt::format("stops with {}\n{}", int(found.stop), text_of(found.counts));
        if (first.empty()) first = text;
        CAPTURE(name.processor, name.lanes, writer.text());
        CHECK(text == first);
        ++runs, faults += found.stop == Stop::Fault;
      }
    }
  }
  CHECK(faults * 4 < runs);
}

// The plain form of a program, in both tiers.
TEST_CASE("An instruction without effect between those that tier 0 executes as one is nothing in translations") {
  Guest guest(
      Dialect("gfx942", kMaxLanes),
      "s_mov_b32 s4, 2\ns_set_gpr_idx_on s4, gpr_idx(SRC0)\ns_nop 0\nv_add_u32 v1, v2, v1\ns_set_gpr_idx_off\n");
  Machine machine;
  Random random(11);
  machine.randomize(random);
  CHECK(machine.compare(guest, guest.tier0(), guest.tier1({})) == "");
}
