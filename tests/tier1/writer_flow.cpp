// tests/tier1/writer_flow.cpp - see writer.h: branches and loops, as compilers make them of structured programs.
#include "writer.h"

namespace tier1_test {
namespace {

// Registers of a nesting level.
std::string rounds_done(uint32_t level) { return fmt::format("s{}", 60 + level); }
std::string counter(uint32_t level) { return fmt::format("v{}", 16 + level); }
std::string limit(uint32_t level) { return fmt::format("v{}", 24 + level); }

} // namespace

void Writer::structured(uint32_t count, uint32_t depth) {
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t choice = depth ? random_.below(20) : 20;
    if (choice < 2)
      divergent_if(depth - 1);
    else if (choice < 3)
      masked_part(depth - 1);
    else if (choice < 4)
      uniform_if(depth - 1);
    else if (choice < 5)
      divergent_loop(depth - 1);
    else if (choice < 6)
      uniform_loop(depth - 1);
    else
      statement();
  }
}

void Writer::divergent_if(uint32_t depth) {
  const uint32_t level = level_++;
  const std::string save = saved(level), otherwise = label(), end = label();
  const bool has_else = random_.one_in(2);
  compare();
  if (!has_else) {
    line(fmt::format("{} {}, vcc", mask_op("s_and_saveexec"), save));
    if (!random_.one_in(4)) line("s_cbranch_execz " + end);
    structured(random_.between(1, 4), depth);
  } else {
    line(fmt::format("{} {}, vcc", mask_op("s_and_saveexec"), save));
    line(fmt::format("{1} {0}, exec, {0}", save, mask_op("s_xor")));
    if (!random_.one_in(4)) line("s_cbranch_execz " + otherwise);
    structured(random_.between(1, 4), depth);
    line(otherwise + ":");
    if (random_.one_in(2)) {
      line(fmt::format("{1} {0}, {0}", save, mask_op("s_andn2_saveexec")));
    } else {
      line(fmt::format("{1} {0}, {0}", save, mask_op("s_or_saveexec")));
      line(fmt::format("{1} exec, exec, {0}", save, mask_op("s_xor")));
    }
    if (!random_.one_in(4)) line("s_cbranch_execz " + end);
    structured(random_.between(1, 4), depth);
  }
  line(end + ":");
  line(fmt::format("{1} exec, exec, {0}", save, mask_op("s_or")));
  --level_;
}

// EXEC from somewhere else than a branch.
void Writer::masked_part(uint32_t depth) {
  const uint32_t level = level_++;
  const std::string masks[] = {"-1", "0", mask(4), mask(6), "0xffff", "vcc"};
  line(fmt::format("{} {}, exec", mask_op("s_mov"), saved(level)));
  switch (random_.below(3)) {
  case 0: line(fmt::format("{} exec, {}", mask_op("s_mov"), random_.of(masks))); break;
  case 1: {
    const std::string also = dialect_.cmpx_writes_exec_alone() ? "" : random_.one_in(2) ? "vcc, " : "s[8:9], ";
    line(fmt::format("v_cmpx_gt_u32 {}{}, {}", also, vgpr(), vgpr()));
    break;
  }
  default: line(fmt::format("{} exec, exec, {}", mask_op("s_and"), random_.of(masks))); break;
  }
  structured(random_.between(1, 4), depth);
  line(fmt::format("{} exec, {}", mask_op("s_mov"), saved(level)));
  --level_;
}

void Writer::uniform_if(uint32_t depth) {
  const std::string otherwise = label(), end = label();
  switch (random_.below(4)) {
  case 0:
    compare();
    line(mask_op("s_and") + " vcc, exec, vcc");
    line("s_cbranch_vccz " + otherwise);
    break;
  case 1:
    compare();
    line("s_cbranch_vccnz " + otherwise);
    break;
  default:
    line(fmt::format("s_cmp_{} {}, {}", random_.one_in(2) ? "lt_u32" : "eq_u32", sgpr(), scalar_or_constant(true)));
    line((random_.one_in(2) ? "s_cbranch_scc0 " : "s_cbranch_scc1 ") + otherwise);
  }
  structured(random_.between(1, 4), depth);
  if (random_.one_in(2)) {
    line("s_branch " + end);
    line(otherwise + ":");
    structured(random_.between(1, 4), depth);
  } else {
    line(otherwise + ":");
  }
  line(end + ":");
}

void Writer::divergent_loop(uint32_t depth) {
  const uint32_t level = level_++;
  const std::string begin = label(), done = left(level);
  line(fmt::format("v_mov_b32 {}, 0", counter(level)));
  line(fmt::format("v_and_b32 {}, 3, {}", limit(level), vgpr()));
  line(fmt::format("{} {}, 0", mask_op("s_mov"), done));
  line(begin + ":");
  structured(random_.between(1, 4), depth);
  line(fmt::format("v_add_u32 {0}, 1, {0}", counter(level)));
  line(fmt::format("v_cmp_gt_u32 vcc, {}, {}", counter(level), limit(level)));
  line(fmt::format("{1} {0}, vcc, {0}", done, mask_op("s_or")));
  line(fmt::format("{} exec, exec, {}", mask_op("s_andn2"), done));
  line("s_cbranch_execnz " + begin);
  line(fmt::format("{} exec, exec, {}", mask_op("s_or"), done));
  --level_;
}

void Writer::uniform_loop(uint32_t depth) {
  const uint32_t level = level_++;
  const std::string begin = label(), end = label(), done = rounds_done(level);
  line(fmt::format("s_mov_b32 {}, 0", done));
  line(begin + ":");
  structured(random_.between(1, 4), depth);
  if (random_.one_in(2)) { // leaves in the middle
    line(fmt::format("s_cmp_eq_u32 {}, {}", sgpr(), scalar_or_constant(true)));
    line("s_cbranch_scc1 " + end);
    structured(random_.between(1, 3), depth);
  }
  line(fmt::format("s_add_u32 {0}, {0}, 1", done));
  line(fmt::format("s_cmp_lt_u32 {}, {}", done, random_.between(1, 4)));
  line("s_cbranch_scc1 " + begin);
  line(end + ":");
  --level_;
}

} // namespace tier1_test
