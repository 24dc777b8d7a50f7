// runtime/engine/compile/read/ahead.cpp - see ahead.h.
//
// A wave counts the matrix instructions that it has computed ahead (Wave::products_ahead), and whoever comes to them, translated
// code or tier 0, passes over as many. So it does not matter where a wave leaves translated code, or comes back to it. What may
// be passed over follows from instructions in the order of their addresses alone, not from how the code is reached. As a wave
// that has not computed them goes on in tier 0 there, nobody needs their factors behind the barrier.
#include "runtime/engine/compile/read/ahead.h"

namespace hip::engine::compile {
namespace {

// Adds to sums that lie where it leaves them. (WMMA's handlers do not look at what has been computed ahead.)
bool accumulates(const Instr& i) {
  if (i.matrix->is_wmma()) return false;
  if (i.matrix->index_bits || (i.matrix->wide && i.raw.blgp & 4)) return false; // (a negated addend)
  const Operand& addend = i.raw.src[2];
  return !addend.is_constant() && vgpr_of(addend) == vgpr_of(i.raw.vdst);
}
// Whether matrix instructions behind it may be computed before it, as far as registers allow.
bool lets_pass(const Instr& i) {
  switch (i.kind) {
  case Kind::Nothing:
  case Kind::Salu:
  case Kind::Valu:
  case Kind::Memory:
  case Kind::ScalarLoad: return !i.writes_exec;
  case Kind::Called: return i.buffer;
  case Kind::Barrier: return !i.catches_up;
  default: return false;
  }
}
// The matrix instructions from `first` on that can be computed in front of it.
std::vector<uint32_t> passing(const Code& code, uint32_t first, uint32_t end) {
  std::vector<uint32_t> out;
  std::bitset<kMaxVgprs> read, written;
  for (uint32_t k = first; k < end; ++k) {
    const Instr& i = code.instrs[k];
    if (i.is_ahead) break; // of a barrier in front, and counted already
    if (i.kind == Kind::Matrix) {
      if (!accumulates(i) || (i.reads.v & written).any() || (i.writes.v & read).any()) break;
      out.push_back(k);
      continue;
    }
    if (!lets_pass(i)) break;
    read |= i.reads.v | i.crosses.v, written |= i.writes.v;
  }
  return out;
}

} // namespace

void find_ahead(Code& code, Ahead ahead) {
  const uint32_t count = uint32_t(code.instrs.size());
  const auto mark = [&](uint32_t first) {
    for (uint32_t k : passing(code, first, count)) code.instrs[k].may_be_ahead = true;
  };
  if (!ahead.is_kernel) mark(0); // what is in front of it is unknown
  for (const Instr& i : code.instrs)
    if (i.kind == Kind::Barrier && !i.catches_up) mark(i.number + 1);
  if (!ahead.computes) return;
  for (Node& node : code.nodes) {
    Instr& barrier = code.instrs[node.last];
    if (barrier.kind != Kind::Barrier || barrier.catches_up) continue;
    uint32_t end = node.last + 1; // of what waves come to from here alone
    for (uint32_t n = node.next; n != kNoNode && code.nodes[n].from.size() == 1; n = code.nodes[n].next)
      end = code.nodes[n].last + 1;
    for (uint32_t k : passing(code, node.last + 1, end)) {
      Instr& i = code.instrs[k];
      node.ahead.push_back(i);
      barrier.reads.v |= i.reads.v, barrier.writes.v |= i.writes.v;
      i.is_ahead = true, i.kind = Kind::Nothing; // for another barrier behind this one, too
      i.reads = {}, i.writes = {};
    }
  }
}

} // namespace hip::engine::compile
