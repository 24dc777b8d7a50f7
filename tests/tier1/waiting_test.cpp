// Loops that wait for other waves: translated code, too, gives them their turn, and goes on where the loop begins.
#include "machine.h"

using namespace tier1_test;

namespace {

// v[2:3] points to the word at s[0:1].
const char* const kSetup = R"(v_mov_b32 v2, s0
v_mov_b32 v3, s1
v_mov_b32 v4, 1
v_mov_b32 v5, 0
v_mov_b32 v9, 0
v_mov_b32 v6, 7
)";

// Which loops wait until the word is 0, and then leave 7 in v6 + 1.
struct Loop {
  const char *name, *text;
};
const Loop kLoops[] = {
    {"a volatile load", "again:\nglobal_load_dword v8, v[2:3], off sc0 sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
                        "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
    {"a load whose address stays", "again:\nglobal_load_dword v8, v9, s[0:1]\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
                                   "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
    {"compare and swap", "again:\nglobal_atomic_cmpswap v8, v9, v[4:5], s[0:1] sc0\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
                         "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
    {"compare and swap beside stores", "again:\nglobal_atomic_cmpswap v8, v9, v[4:5], s[0:1] sc0\nglobal_store_dword v9, v6, s[0:1] offset:64\n"
                                       "s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\n"
                                       "v_add_u32 v6, 1, v6\n"},
    {"lanes that leave one by one", "s_mov_b64 s[10:11], exec\nagain:\nglobal_load_dword v8, v9, s[0:1] sc1\ns_waitcnt vmcnt(0)\n"
                                    "v_cmp_ne_u32 vcc, 0, v8\ns_and_b64 exec, exec, vcc\ns_cbranch_execnz again\n"
                                    "s_mov_b64 exec, s[10:11]\nv_add_u32 v6, 1, v6\n"},
    {"a word of LDS", "v_mov_b32 v9, 16\nagain:\nds_read_b32 v8, v9\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
                      "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
};

} // namespace

TEST_CASE("A translated loop that waits gives other waves their turn") {
  const Assembler assembler("gfx942");
  Random random(11);
  for (const Loop& loop : kLoops) {
    INFO(loop.name);
    Guest guest(assembler, "gfx942", std::string(kSetup) + loop.text);
    const Inst* entry = guest.tier1({});
    uint32_t left = 0; // to tier 0, of the loop's instructions
    for (const auto& element : guest.translation().elements) left += element.region == compile::Translation::kNoRegion;
    CHECK(left == 2); // s_sleep, which the text begins with, and the way to the function's end
    Machine machine;
    machine.randomize(random);
    Wave& w = machine.wave();
    w.set_sgpr64(0, machine.arena() + 256);
    auto* global = reinterpret_cast<uint32_t*>(machine.arena() + 256);
    auto* local = reinterpret_cast<uint32_t*>(w.lds + 16);
    *global = *local = 5;
    machine.run(guest, entry); // many turns
    REQUIRE(w.stop == Stop::Yield);
    *global = *local = 0;
    machine.run(guest, w.pc);
    REQUIRE(w.stop == Stop::Ended);
    for (uint32_t l = 0; l < kMaxLanes; ++l) CHECK(w.row(6)[l] == 8);
  }
}
