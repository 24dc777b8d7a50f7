// tests/tier1/held_lanes_test.cpp - which VGPRs may be written in inactive lanes, too, where EXEC is partial: those that no lane
// reads which becomes active again, or across lanes.
#include "read_code.h"

#include "runtime/engine/compile/analysis/regions.h"

using namespace tier1_test;
using namespace compile;

namespace {

// Whether each instruction that writes `vgpr` alone may write all of its lanes, in their order.
std::vector<bool> spreads_of(const std::string& text, uint32_t vgpr) {
  const Assembler assembler("gfx942");
  std::vector<bool> out;
  with_code(assembler, text, [&](Code& code, const Library&) {
    const Liveness liveness(code);
    for (const Instr& i : code.instrs)
      if (i.kind == Kind::Valu && i.raw.vdst && vgpr_of(i.raw.vdst) == vgpr) out.push_back(i.spreads);
    return true;
  });
  return out;
}

const std::string kEnd = "s_endpgm\n";

} // namespace

TEST_CASE("An if inside an if does not hold what lanes outside of both had") {
  const std::string text = R"(
s_and_saveexec_b64 s[2:3], vcc
v_add_u32 v1, v0, v0
s_and_saveexec_b64 s[0:1], s[4:5]
v_add_u32 v2, v0, v0
s_or_b64 exec, exec, s[0:1]
v_add_u32 v3, v1, v2
global_store_dword v[4:5], v3, off
)" + kEnd;
  CHECK(spreads_of(text, 1) == std::vector{true}); // the lanes that become active again were active here
  CHECK(spreads_of(text, 2) == std::vector{false});
  CHECK(spreads_of(text, 3) == std::vector{true});
}

TEST_CASE("What lanes read that the end of an if makes active is held") {
  const std::string text = R"(
v_mov_b32 v1, 0
s_and_saveexec_b64 s[2:3], vcc
v_add_u32 v1, v0, v0
s_and_saveexec_b64 s[0:1], s[4:5]
v_add_u32 v2, v0, v0
v_add_u32 v1, v1, v2
s_or_b64 exec, exec, s[0:1]
s_or_b64 exec, exec, s[2:3]
global_store_dword v[4:5], v1, off
)" + kEnd;
  CHECK(spreads_of(text, 1) == std::vector{true, false, false});
  CHECK(spreads_of(text, 2) == std::vector{true});
}

TEST_CASE("Masks of lanes are followed through if and else, and through loops") {
  const std::string if_else = R"(
s_and_saveexec_b64 s[2:3], vcc
v_add_u32 v1, v0, v0
s_and_saveexec_b64 s[0:1], s[4:5]
s_xor_b64 s[0:1], exec, s[0:1]
v_add_u32 v2, v1, v0
s_or_saveexec_b64 s[0:1], s[0:1]
s_xor_b64 exec, exec, s[0:1]
v_sub_u32 v2, v1, v0
s_or_b64 exec, exec, s[0:1]
global_store_dword v[4:5], v2, off
)" + kEnd;
  CHECK(spreads_of(if_else, 1) == std::vector{true});
  CHECK(spreads_of(if_else, 2) == std::vector{false, false});
  const std::string loop = R"(
s_and_saveexec_b64 s[2:3], vcc
v_add_u32 v1, v0, v0
s_mov_b64 s[0:1], 0
.Lloop:
v_add_u32 v2, v1, v0
v_add_u32 v3, v2, v0
v_cmp_gt_u32 vcc, v3, v0
s_or_b64 s[0:1], vcc, s[0:1]
s_andn2_b64 exec, exec, s[0:1]
s_cbranch_execnz .Lloop
s_or_b64 exec, exec, s[0:1]
v_add_u32 v2, v1, v2
global_store_dword v[4:5], v2, off
)" + kEnd;
  CHECK(spreads_of(loop, 1) == std::vector{true});
  CHECK(spreads_of(loop, 2) == std::vector{false, true}); // lanes that have left the loop keep theirs
  CHECK(spreads_of(loop, 3) == std::vector{true});
}

TEST_CASE("Masks of unknown origin hold everything") {
  const std::string text = R"(
v_add_u32 v1, v0, v0
s_or_b64 exec, exec, s[0:1]
global_store_dword v[4:5], v1, off
)" + kEnd;
  CHECK(spreads_of(text, 1) == std::vector{false});
  for (const char* makes_mask : {"s_mov_b64 s[0:1], -1", "s_not_b64 s[0:1], vcc", "s_mov_b32 s0, 5", "s_load_dwordx2 s[0:1], s[8:9], 0x0",
                                 "s_orn2_b64 s[0:1], exec, vcc", "s_or_b64 s[0:1], exec, s[6:7]", "v_readlane_b32 s1, v9, 3"}) {
    INFO(makes_mask);
    const std::string made = std::string("s_and_saveexec_b64 s[2:3], vcc\nv_add_u32 v1, v0, v0\n") + makes_mask +
                             "\ns_or_b64 exec, exec, s[0:1]\nglobal_store_dword v[4:5], v1, off\n" + kEnd;
    CHECK(spreads_of(made, 1) == std::vector{false});
  }
  // Nobody makes lanes active again that were not.
  for (const char* makes_mask : {"s_mov_b64 s[0:1], exec", "s_and_b64 s[0:1], s[6:7], exec", "s_andn2_b64 s[0:1], exec, s[6:7]", "s_mov_b64 s[0:1], 0",
                                 "v_cmp_eq_u32 s[0:1], v0, v7"}) {
    INFO(makes_mask);
    const std::string made = std::string("s_and_saveexec_b64 s[2:3], vcc\nv_add_u32 v1, v0, v0\n") + makes_mask +
                             "\ns_or_b64 exec, exec, s[0:1]\nglobal_store_dword v[4:5], v1, off\n" + kEnd;
    CHECK(spreads_of(made, 1) == std::vector{true});
  }
}

TEST_CASE("What is read across lanes is held") {
  CHECK(spreads_of("s_and_saveexec_b64 s[2:3], vcc\nv_add_u32 v1, v0, v0\nv_readlane_b32 s0, v1, 5\n" + kEnd, 1) == std::vector{false});
}
