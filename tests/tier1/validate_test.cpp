// tests/tier1/validate_test.cpp - the validators that debug builds run between the translator's passes: what the passes make
// passes, and what is damaged is found.
#include "read_code.h"

#include "runtime/engine/compile/analysis/validate.h"

using namespace tier1_test;
using namespace compile;

namespace {

// A branch, a loop, a pair of registers as an address, an access by a temporary, and a barrier.
const std::string kProgram = R"(
v_mov_b32 v7, 0
v_lshlrev_b32 v6, 2, v0
v_lshl_add_u64 v[2:3], v[6:7], 0, s[4:5]
global_load_dword v4, v[2:3], off
s_cmp_eq_u32 s6, 0
s_cbranch_scc1 .Lskip
.Lloop:
v_add_u32 v5, v4, v0
v_lshlrev_b32 v8, 2, v5
ds_read_b32 v9, v8
v_mov_b32 v8, v9
v_add_u32 v4, v4, v8
s_sub_u32 s6, s6, 1
s_cmp_lg_u32 s6, 0
s_cbranch_scc1 .Lloop
.Lskip:
s_barrier
global_store_dword v[2:3], v4, off
)";

Start start_of_kernel() {
  Start start;
  start.item_ids = 0x3ff;
  start.items = {256, 1, 1};
  return start;
}

// Damages the code that is read, and says whether validate_code finds it.
template<class F> bool is_found(F damage) {
  const Assembler assembler("gfx942");
  return with_code(assembler, kProgram, [&](Code& code, const Library&) {
    REQUIRE(validate_code(code).ok());
    damage(code);
    return !validate_code(code).ok();
  });
}

uint32_t first_of(const Code& code, Kind kind) {
  for (uint32_t k = 0; k < code.instrs.size(); ++k)
    if (code.instrs[k].kind == kind) return k;
  FAIL("The program has no such instruction.");
  return 0;
}

} // namespace

TEST_CASE("What the passes make is valid") {
  const Assembler assembler("gfx942");
  with_code(assembler, kProgram, [](Code& code, const Library&) {
    CHECK(!code.renames.empty());
    CHECK(validate_code(code).ok());
    const Start start = start_of_kernel();
    const Facts facts(code, start);
    CHECK(validate_facts(code, facts).ok());
    const Liveness liveness(code);
    CHECK(validate_liveness(code, liveness).ok());
    CHECK(validate_regions(code, find_regions(code, true, 384)).ok());
  });
}

TEST_CASE("Damaged code is found") {
  CHECK(is_found([](Code& code) { code.nodes[0].taken = uint32_t(code.nodes.size()); }));
  CHECK(is_found([](Code& code) { code.nodes[0].from.push_back(2); }));
  CHECK(is_found([](Code& code) { code.nodes[1].from.pop_back(); }));
  CHECK(is_found([](Code& code) { code.nodes[1].first += 1; }));
  CHECK(is_found([](Code& code) { code.nodes.pop_back(); }));
  CHECK(is_found([](Code& code) { code.instrs[first_of(code, Kind::Valu)].valu = nullptr; }));
  CHECK(is_found([](Code& code) { code.instrs[first_of(code, Kind::Valu)].writes.v.reset(); }));
  CHECK(is_found([](Code& code) { code.instrs[first_of(code, Kind::Memory)].reads.v.reset(); }));
  CHECK(is_found([](Code& code) { code.renames[0].last = code.renames[0].first; }));
  CHECK(is_found([](Code& code) { code.renames[0].instead = code.renames[0].guest + 1; }));
}

TEST_CASE("Results of analyses that are not those of the code are found") {
  const Assembler assembler("gfx942");
  with_code(assembler, kProgram, [](Code& code, const Library&) {
    const Start start = start_of_kernel();
    const Facts facts(code, start);
    const Liveness liveness(code);
    Regions regions = find_regions(code, true, 384);
    SECTION("facts of registers that the code changes in another way") {
      Instr& load = code.instrs[first_of(code, Kind::Memory)]; // its address is a pair of which there are facts behind it
      load.raw.vdst = load.raw.vaddr;
      load.writes.v.reset(), load.writes.v.set(vgpr_of(load.raw.vaddr)), load.writes.v.set(vgpr_of(load.raw.vaddr, 1));
      CHECK(!validate_facts(code, facts).ok());
    }
    SECTION("liveness without a register that is read") {
      code.instrs[first_of(code, Kind::Memory)].reads.v.set(100);
      CHECK(!validate_liveness(code, liveness).ok());
    }
    SECTION("a node in no region") {
      regions.regions[0].nodes.pop_back();
      CHECK(!validate_regions(code, regions).ok());
    }
    SECTION("a region without its header") {
      regions.headed[0] = kNoNode;
      CHECK(!validate_regions(code, regions).ok());
    }
  });
}

TEST_CASE("Every function of the library has the type that its entry says") {
  for (const HostIsa isa : {HostIsa::Avx2, HostIsa::Avx512}) {
    llvm::LLVMContext context;
    auto library = Library::load(context, isa);
    REQUIRE(library.ok());
    library.value()->use_features("+avx512bf16,+avx512vnni");
    const hip::Status status = library.value()->check_signatures();
    INFO(status.message());
    CHECK(status.ok());
  }
}
