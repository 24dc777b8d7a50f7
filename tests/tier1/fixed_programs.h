// tests/tier1/fixed_programs.h - guest programs that tests of tier 1 spell out: what their tests run, and of which
// tests/golden counts the host code.
#pragma once

#include <string>
#include <vector>

namespace tier1_test {

struct FixedProgram {
  std::string name, text; // without s_endpgm
};

// v[2:3] points to the word at s[0:1].
inline const char* const kWaitingSetup = R"(v_mov_b32 v2, s0
v_mov_b32 v3, s1
v_mov_b32 v4, 1
v_mov_b32 v5, 0
v_mov_b32 v9, 0
v_mov_b32 v6, 7
)";

// Loops that wait until that word (the last: a word of LDS) is 0, and then leave 7 in v6 + 1; behind kWaitingSetup.
inline const FixedProgram kWaitingLoops[] = {
    {"a_volatile_load",
     "again:\nglobal_load_dword v8, v[2:3], off sc0 sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
     "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
    {"a_load_whose_address_stays",
     "again:\nglobal_load_dword v8, v9, s[0:1]\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
     "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
    {"compare_and_swap",
     "again:\nglobal_atomic_cmpswap v8, v9, v[4:5], s[0:1] sc0\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
     "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
    {"compare_and_swap_beside_stores",
     "again:\nglobal_atomic_cmpswap v8, v9, v[4:5], s[0:1] sc0\nglobal_store_dword v9, v6, s[0:1] offset:64\n"
     "s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v8\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\n"
     "v_add_u32 v6, 1, v6\n"},
    {"lanes_that_leave_one_by_one",
     "s_mov_b64 s[10:11], exec\nagain:\nglobal_load_dword v8, v9, s[0:1] sc1\ns_waitcnt vmcnt(0)\n"
     "v_cmp_ne_u32 vcc, 0, v8\ns_and_b64 exec, exec, vcc\ns_cbranch_execnz again\n"
     "s_mov_b64 exec, s[10:11]\nv_add_u32 v6, 1, v6\n"},
    {"a_word_of_lds", "v_mov_b32 v9, 16\nagain:\nds_read_b32 v8, v9\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s6, v8\n"
                      "s_cmp_lg_u32 s6, 0\ns_cbranch_scc1 again\nv_add_u32 v6, 1, v6\n"},
};

// Consecutive dwords at s[0:1], which the program computes of v0, the lane's number.
inline const char* const kStreamSetup = "v_lshlrev_b32 v1, 2, v0\nv_mul_u32_u24 v2, 0x1357, v0\n";
// Stores of them; behind kStreamSetup.
inline const FixedProgram kStreamingStores[] = {
    {"a_store", "global_store_dword v1, v2, s[0:1] offset:128\n"},
    {"a_store_beside_what_was_loaded", "global_load_dword v3, v1, s[0:1] offset:256\nv_add_u32 v3, v3, v2\n"
                                       "global_store_dword v1, v3, s[0:1] offset:512\n"},
};
// Likewise, but what was loaded from there, what others may wait for, and what is behind an atomic stays in the caches.
inline const FixedProgram kCachedStores[] = {
    {"a_store_where_was_loaded",
     "global_load_dword v3, v1, s[0:1]\nv_add_u32 v3, v3, v2\nglobal_store_dword v1, v3, s[0:1]\n"},
    {"a_volatile_store", "global_store_dword v1, v2, s[0:1] sc0 sc1\n"},
    {"a_store_behind_an_atomic", "global_store_dword v1, v2, s[0:1]\nglobal_atomic_add v0, v2, s[0:1] offset:1024\n"},
};

// All of the above as whole programs.
inline std::vector<FixedProgram> fixed_programs() {
  std::vector<FixedProgram> all;
  for (const FixedProgram& loop : kWaitingLoops) all.push_back({loop.name, kWaitingSetup + loop.text});
  for (const FixedProgram& store : kStreamingStores) all.push_back({store.name, kStreamSetup + store.text});
  for (const FixedProgram& store : kCachedStores) all.push_back({store.name, kStreamSetup + store.text});
  return all;
}

} // namespace tier1_test
