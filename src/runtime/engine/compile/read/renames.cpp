// runtime/engine/compile/read/renames.cpp - see renames.h.
#include "runtime/engine/compile/read/renames.h"

#include <optional>

namespace hip::engine::compile {
namespace {

// The operands of an instruction that may name a VGPR.
template<class F> void for_operands(RawInst& raw, F f) {
  for (Operand* o : {&raw.vaddr, &raw.vdata, &raw.data1, &raw.vdst}) f(*o);
  for (uint32_t k = 0; k < raw.source_count; ++k) f(raw.src[k]);
}

// Instructions that work lane by lane, on what their operands name. (Halves of a pair have to stay beside each other.)
bool plain(const Instr& i) {
  if (i.kind == Kind::Valu)
    return !i.extends_sign && i.raw.variant != Variant::Dpp && i.raw.variant != Variant::Sdwa && !i.valu->keep &&
           !(i.raw.op_sel & 8);
  return i.kind == Kind::Memory && !i.memory->atomic() && !i.memory->merges;
}
bool reads_destination(const Instr& i) {
  return i.raw.vdst.bank == Bank::Vgpr && i.kind == Kind::Valu && i.valu->parameters() > i.raw.named_count;
}
// Writes one VGPR, v, in all active lanes.
bool writes_only(const Instr& i, uint32_t v) {
  return i.writes.v.count() == 1 && i.writes.v[v] && i.raw.vdst.bank == Bank::Vgpr && !reads_destination(i);
}
// Whether each operand that holds v is v alone.
bool names_alone(const Instr& i, uint32_t v) {
  RawInst raw = i.raw;
  bool alone = true;
  for_operands(raw, [&](Operand& o) {
    const bool address_pair = &o == &raw.vaddr && i.kind == Kind::Memory && raw.format != Format::Ds && !raw.saddr;
    const uint32_t dwords = address_pair ? 2 : std::max<uint32_t>(1, o.dwords);
    if (o.bank == Bank::Vgpr && o.index <= v && v < o.index + dwords && dwords != 1) alone = false;
  });
  return alone;
}
void replace(Registers& set, uint32_t v, uint32_t by) {
  if (set.v[v]) set.v.reset(v), set.v.set(by);
}

struct Use {
  uint32_t last = 0;      // who writes the register anew
  bool addresses = false; // of memory
};

// What becomes of register v behind instruction `first` of a node, if it can be renamed.
std::optional<Use> use_of(const Code& code, const Node& node, uint32_t first, uint32_t v) {
  Use use;
  for (uint32_t k = first + 1; k <= node.last; ++k) {
    const Instr& i = code.instrs[k];
    if (!i.reads.v[v] && !i.writes.v[v] && !i.crosses.v[v]) continue;
    if (!plain(i) || i.crosses.v[v] || !names_alone(i, v)) return std::nullopt;
    use.addresses |= i.kind == Kind::Memory && i.address.v[v];
    if (!i.writes.v[v]) continue;
    if (!writes_only(i, v)) return std::nullopt;
    use.last = k;
    return use;
  }
  return std::nullopt;
}

} // namespace

void rename_temporaries(Code& code) {
  Registers used;
  used.v.set(0);
  for (const Instr& i : code.instrs) {
    used.add(i.reads), used.add(i.writes);
    if (i.anything) return;
  }
  uint32_t free = kFirstAccVgpr; // from the end of the file, of which kernels use the beginning
  for (const Node& node : code.nodes)
    for (uint32_t first = node.first; first <= node.last; ++first) {
      Instr& i = code.instrs[first];
      if (i.kind != Kind::Valu || !plain(i) || i.writes.v.count() != 1 || i.raw.vdst.bank != Bank::Vgpr ||
          !writes_only(i, vgpr_of(i.raw.vdst)))
        continue;
      const uint32_t v = vgpr_of(i.raw.vdst);
      const std::optional<Use> use = use_of(code, node, first, v);
      if (!use || !use->addresses) continue;
      do {
        if (free == 0) return;
      } while (used.v[--free]);
      i.raw.vdst.index = uint16_t(free);
      replace(i.writes, v, free);
      for (uint32_t k = first + 1; k <= use->last; ++k) {
        Instr& reader = code.instrs[k];
        if (!reader.reads.v[v]) continue;
        for_operands(reader.raw, [&](Operand& o) {
          if (o.bank == Bank::Vgpr && o.index == v && (&o != &reader.raw.vdst || k != use->last))
            o.index = uint16_t(free);
        });
        replace(reader.reads, v, free), replace(reader.address, v, free);
      }
      code.renames.push_back({first, use->last, v, free});
    }
}

} // namespace hip::engine::compile
