// runtime/engine/compile/quick/assemble.cpp - see assemble.h: one function.
#include "runtime/engine/compile/quick/assemble.h"

#include <algorithm>

namespace hip::engine::compile::quick {
namespace {

// Where a value is or goes: a register, a slot (bytes above rsp), or memory above the stack pointer of the function's
// caller.
struct Location {
  RegClass reg_class;
  bool in_register;
  int32_t number;
  bool operator==(const Location&) const = default;
};

struct Transfer {
  Location to, from;
};

} // namespace

class FunctionAssembler {
public:
  FunctionAssembler(Assembler& out, const Function& f, const Allocation& a)
      : out_(out), e_(out.encoder_), f_(f), a_(a) {}
  void run();

private:
  void plan_frame();
  void find_empty_blocks();
  void enter_frame();
  void leave_frame();
  void assemble(const Inst& inst);
  void ordinary(Inst inst);
  void call(const Inst& inst);
  void tail_call(const Inst& inst);
  void enter(const Inst& inst);
  void leave(const Inst& inst);
  void transfer(const Location& to, const Location& from);
  void transfer_all(std::vector<Transfer> transfers);
  Location of(Reg r) const {
    const Place& place = a_.places[r];
    return {f_.classes[r], place.in_register, place.in_register ? int32_t(place.number) : slot(place)};
  }
  int32_t slot(const Place& place) const { return int32_t(slots_at_) + place.slot; }
  bool does_nothing(const Inst& inst) const;
  uint32_t target(uint32_t block) const {
    while (goes_to_[block] != block) block = goes_to_[block];
    return block;
  }

  Assembler& out_;
  Encoder& e_;
  const Function& f_;
  const Allocation& a_;
  uint32_t frame_ = 0, slots_at_ = 0, allocas_at_ = 0;
  std::vector<uint32_t> pushed_;
  std::vector<uint32_t> goes_to_; // blocks that only jump, and to where
};

// From rsp upwards: arguments of calls, slots, allocas, the caller's stack pointer. Nothing of it where nothing is
// needed.
void FunctionAssembler::plan_frame() {
  uint32_t arguments = 0;
  bool calls = false;
  for (const Block& b : f_.blocks)
    for (uint32_t n = b.first; n < b.end; ++n) {
      const Inst& inst = f_.insts[n];
      if (inst.op == Op::Call) calls = true, arguments = std::max(arguments, f_.calls[size_t(inst.imm)].stack_bytes);
      if (inst.op == Op::Enter)
        for (const auto& argument : f_.calls[size_t(inst.imm)].arguments) calls |= argument.on_stack;
    }
  if (f_.saves_registers)
    for (uint32_t k = 0; k < 16; ++k)
      if (a_.general_used >> k & 1 && is_callee_saved(k)) pushed_.push_back(k);
  if (!calls && !a_.slot_bytes && !f_.frame_bytes) return;
  slots_at_ = arguments;
  allocas_at_ = (slots_at_ + a_.slot_bytes + 63) & ~63u;
  frame_ = (allocas_at_ + f_.frame_bytes + 8 + 63) & ~63u;
}

bool FunctionAssembler::does_nothing(const Inst& inst) const {
  if (inst.op == Op::Copy) return of(inst.def) == of(inst.source[0]);
  if (inst.op == Op::ParallelCopy)
    return std::ranges::all_of(f_.moves[size_t(inst.imm)],
                               [&](const Move& move) { return of(move.to) == of(move.from); });
  return false;
}

void FunctionAssembler::find_empty_blocks() {
  goes_to_.resize(f_.blocks.size());
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    goes_to_[b] = b;
    const Block& block = f_.blocks[b];
    if (b == 0 || block.first == block.end || f_.insts[block.end - 1].op != Op::Jump) continue;
    const auto to = uint32_t(f_.insts[block.end - 1].imm);
    bool is_empty = to != b;
    for (uint32_t n = block.first; is_empty && n + 1 < block.end; ++n) is_empty = does_nothing(f_.insts[n]);
    if (!is_empty) continue;
    goes_to_[b] = to;
    uint32_t at = to; // an endless loop of empty blocks keeps one
    while (goes_to_.size() > at && at <= b && goes_to_[at] != at && at != b) at = goes_to_[at];
    if (at == b) goes_to_[b] = b;
  }
}

void FunctionAssembler::run() {
  plan_frame();
  find_empty_blocks();
  while (e_.size() % 16) e_.byte(0xcc);
  const uint32_t begin = e_.size();
  const size_t first_distance = e_.distances.size();
  std::vector<uint32_t> blocks;
  for (uint32_t b = 0; b < f_.blocks.size(); ++b)
    if (goes_to_[b] == b) blocks.push_back(b);
  std::vector<uint32_t> offsets(f_.blocks.size());
  uint32_t line = 0;
  for (size_t k = 0; k < blocks.size(); ++k) {
    const Block& block = f_.blocks[blocks[k]];
    const uint32_t next = k + 1 < blocks.size() ? blocks[k + 1] : ~0u;
    offsets[blocks[k]] = e_.size();
    for (uint32_t n = block.first; n < block.end; ++n) {
      const Inst& inst = f_.insts[n];
      if (does_nothing(inst)) continue;
      if (inst.line != line || e_.size() == begin) out_.rows_.push_back({e_.size(), line = inst.line});
      if (inst.op == Op::Jump) {
        const uint32_t to = target(uint32_t(inst.imm));
        if (to != next) e_.jump(to);
        break;
      }
      if (inst.op == Op::JumpIf) {
        const uint32_t yes = target(uint32_t(inst.imm));
        if (yes == next && n + 1 < block.end && f_.insts[n + 1].op == Op::Jump) {
          const uint32_t no = target(uint32_t(f_.insts[n + 1].imm));
          if (no != next) e_.jump_if(inverse(inst.condition), no);
          break;
        }
        e_.jump_if(inst.condition, yes);
        continue;
      }
      assemble(inst);
    }
  }
  for (size_t k = first_distance; k < e_.distances.size(); ++k) {
    const Encoder::Distance& d = e_.distances[k];
    if (d.to_block) e_.patch(d.at, offsets[d.target] - d.end);
  }
  std::erase_if(e_.distances, [](const Encoder::Distance& d) { return d.to_block; });
  out_.functions_.push_back({f_.name, f_.is_global, begin, e_.size()});
}

void FunctionAssembler::enter_frame() {
  for (const uint32_t reg : pushed_) e_.push(reg);
  if (!frame_) return;
  e_.move_general(phys::r10, phys::rsp);
  e_.add_to_general(phys::rsp, -int32_t(frame_));
  e_.align_general(phys::rsp, -64);
  e_.store_general(phys::rsp, int32_t(frame_) - 8, phys::r10);
}

void FunctionAssembler::leave_frame() {
  if (frame_) e_.load_general(phys::rsp, phys::rsp, int32_t(frame_) - 8);
  for (auto at = pushed_.rbegin(); at != pushed_.rend(); ++at) e_.pop(*at);
}

void FunctionAssembler::transfer(const Location& to, const Location& from) {
  if (to == from) return;
  const auto t = uint32_t(to.number), s = uint32_t(from.number);
  switch (to.reg_class) {
  case RegClass::General: {
    if (to.in_register && from.in_register) return e_.move_general(t, s);
    if (to.in_register) return e_.load_general(t, phys::rsp, from.number);
    if (from.in_register) return e_.store_general(phys::rsp, to.number, s);
    break;
  }
  case RegClass::Vector: {
    if (to.in_register && from.in_register) return e_.move_vector(t, s);
    if (to.in_register) return e_.load_vector(t, phys::rsp, from.number);
    if (from.in_register) return e_.store_vector(phys::rsp, to.number, s);
    e_.load_vector(kScratchVector[0], phys::rsp, from.number);
    return e_.store_vector(phys::rsp, to.number, kScratchVector[0]);
  }
  case RegClass::Mask: {
    if (to.in_register && from.in_register) return e_.move_mask(t, s);
    if (to.in_register) return e_.load_mask(t, phys::rsp, from.number);
    if (from.in_register) return e_.store_mask(phys::rsp, to.number, s);
    break;
  }
  }
  e_.load_general(phys::r10, phys::rsp, from.number);
  e_.store_general(phys::rsp, to.number, phys::r10);
}

// All sources are read before any place is written. What is in a cycle goes through a register that nobody has.
void FunctionAssembler::transfer_all(std::vector<Transfer> transfers) {
  std::erase_if(transfers, [](const Transfer& t) { return t.to == t.from; });
  while (!transfers.empty()) {
    bool moved = false;
    for (size_t k = 0; k < transfers.size();) {
      const Location to = transfers[k].to;
      const bool is_read = std::ranges::any_of(
          transfers, [&](const Transfer& other) { return &other != &transfers[k] && other.from == to; });
      if (is_read) {
        ++k;
        continue;
      }
      transfer(to, transfers[k].from);
      transfers.erase(transfers.begin() + std::ptrdiff_t(k));
      moved = true;
    }
    if (moved) continue;
    const Location from = transfers.front().from;
    const Location spare{from.reg_class, true,
                         int32_t(from.reg_class == RegClass::General  ? kScratchGeneral[1]
                                 : from.reg_class == RegClass::Vector ? kScratchVector[2]
                                                                      : kScratchMask[1])};
    transfer(spare, from);
    for (Transfer& t : transfers)
      if (t.from == from) t.from = spare;
  }
}

void FunctionAssembler::enter(const Inst& inst) {
  const CallInfo& info = f_.calls[size_t(inst.imm)];
  enter_frame();
  std::vector<Transfer> transfers;
  for (const auto& argument : info.arguments)
    if (!argument.on_stack)
      transfers.push_back({of(argument.reg), {f_.classes[argument.reg], true, int32_t(argument.number)}});
  transfer_all(std::move(transfers));
  bool has_base = false;
  for (const auto& argument : info.arguments) {
    if (!argument.on_stack) continue;
    if (!has_base) e_.load_general(phys::r11, phys::rsp, int32_t(frame_) - 8);
    has_base = true;
    const Location to = of(argument.reg);
    const uint32_t by = to.in_register ? uint32_t(to.number) : uint32_t(phys::r10);
    e_.load_general(by, phys::r11, int32_t(8 * pushed_.size() + 8 + argument.number));
    if (!to.in_register) e_.store_general(phys::rsp, to.number, by);
  }
}

void FunctionAssembler::call(const Inst& inst) {
  const CallInfo& info = f_.calls[size_t(inst.imm)];
  const auto saved_place = [&](Reg r) { return Location{f_.classes[r], false, slot(a_.places[r])}; };
  for (const Reg r : a_.saved[size_t(inst.imm)]) transfer(saved_place(r), of(r));
  std::vector<Transfer> transfers;
  for (const auto& argument : info.arguments) {
    const RegClass c = f_.classes[argument.reg];
    if (argument.on_stack)
      transfer({c, false, int32_t(argument.number)}, of(argument.reg));
    else
      transfers.push_back({{c, true, int32_t(argument.number)}, of(argument.reg)});
  }
  if (info.target) transfer({RegClass::General, true, int32_t(phys::r10)}, of(info.target));
  transfer_all(std::move(transfers)); // with the other scratch register
  if (info.target) {
    e_.call_general(phys::r10);
  } else {
    out_.calls_.push_back({e_.call(), info.symbol});
  }
  if (info.result.reg) transfer(of(info.result.reg), {f_.classes[info.result.reg], true, int32_t(info.result.number)});
  for (const Reg r : a_.saved[size_t(inst.imm)]) transfer(of(r), saved_place(r));
}

void FunctionAssembler::tail_call(const Inst& inst) {
  const CallInfo& info = f_.calls[size_t(inst.imm)];
  std::vector<Transfer> transfers;
  for (const auto& argument : info.arguments)
    transfers.push_back({{f_.classes[argument.reg], true, int32_t(argument.number)}, of(argument.reg)});
  if (info.target) transfer({RegClass::General, true, int32_t(phys::r10)}, of(info.target));
  transfer_all(std::move(transfers));
  leave_frame();
  if (info.target) return e_.jump_general(phys::r10);
  e_.byte(0xe9);
  out_.calls_.push_back({e_.size(), info.symbol});
  for (int k = 0; k < 4; ++k) e_.byte(0);
}

void FunctionAssembler::leave(const Inst& inst) {
  const CallInfo& info = f_.calls[size_t(inst.imm)];
  for (const auto& result : info.arguments) transfer({f_.classes[result.reg], true, 0}, of(result.reg));
  leave_frame();
  e_.ret();
}

void FunctionAssembler::assemble(const Inst& inst) {
  switch (inst.op) {
  case Op::Copy:
    return transfer(of(inst.def), of(inst.source[0]));
  case Op::ParallelCopy: {
    std::vector<Transfer> transfers;
    for (const Move& move : f_.moves[size_t(inst.imm)]) transfers.push_back({of(move.to), of(move.from)});
    return transfer_all(std::move(transfers));
  }
  case Op::Call:
    return call(inst);
  case Op::TailCall:
    return tail_call(inst);
  case Op::Enter:
    return enter(inst);
  case Op::Return:
    return leave(inst);
  case Op::Unreachable:
    return e_.trap();
  default:
    return ordinary(inst);
  }
}

namespace {

// Which source an instruction can have in memory as well: 0 or 1; -1: none.
int source_in_memory(const Inst& inst) {
  if (inst.rounding || inst.memory.kind != Memory::Kind::None) return -1;
  switch (row_of(inst.op).form) {
  case Form::Load:
  case Form::LoadImm:
  case Form::Extend:
  case Form::Alu:
  case Form::VecShift:
    return 0;
  case Form::VecLoad:
  case Form::VecLoadImm:
    return row_of(inst.op).tuple == Tuple::None ? -1 : 0; // the broadcasts of general registers
  case Form::Compare:
  case Form::Vec:
  case Form::Blend:
  case Form::VecImm:
  case Form::VecTied:
  case Form::MaskCompare:
    return 1;
  default:
    return -1;
  }
}

} // namespace

// A machine instruction. What lies in slots is an operand in memory where the instruction allows, or goes through a
// register of those that allocation leaves free: addresses through r10, other general values through r11.
void FunctionAssembler::ordinary(Inst inst) {
  PhysicalOperands at;
  constexpr Reg kAny = 1; // a register of memory operands whose number is in `at`
  // The address.
  const auto general = [&](Reg r, uint32_t scratch) -> uint32_t {
    const Location place = of(r);
    if (place.in_register) return uint32_t(place.number);
    e_.load_general(scratch, phys::rsp, place.number);
    return scratch;
  };
  if (inst.memory.kind == Memory::Kind::Address || inst.memory.kind == Memory::Kind::Slot) {
    const bool base_in_slot = inst.memory.base && !of(inst.memory.base).in_register;
    const bool index_in_slot = inst.memory.index && !of(inst.memory.index).in_register;
    if (inst.memory.base) at.base = general(inst.memory.base, phys::r10);
    if (inst.memory.index) at.index = general(inst.memory.index, base_in_slot ? phys::r11 : phys::r10);
    if (base_in_slot && index_in_slot) {
      e_.address(phys::r10, inst.memory, at.base, at.index);
      inst.memory.index = kNoReg, inst.memory.displacement = 0, inst.memory.scale = 1;
      at.base = phys::r10, at.index = 0;
    }
  }
  const int folded = source_in_memory(inst);
  const auto number_of = [&](Reg r, int which) -> uint32_t {
    const Location place = of(r);
    if (place.in_register) return uint32_t(place.number);
    switch (place.reg_class) {
    case RegClass::General: {
      // r10 is free for a second one where no address is in it: such instructions have no memory operand.
      const uint32_t scratch = which == 1 && inst.memory.kind == Memory::Kind::None ? phys::r10 : phys::r11;
      e_.load_general(scratch, phys::rsp, place.number);
      return scratch;
    }
    case RegClass::Vector:
      e_.load_vector(kScratchVector[size_t(which)], phys::rsp, place.number);
      return kScratchVector[size_t(which)];
    case RegClass::Mask:
      e_.load_mask(kScratchMask[which == 1 ? 0 : 1], phys::rsp, place.number);
      return kScratchMask[which == 1 ? 0 : 1];
    }
    return 0;
  };
  const bool same = inst.source[0] == inst.source[1] && inst.source[0];
  for (int which = 0; which < 2; ++which) {
    const Reg r = inst.source[size_t(which)];
    if (!r) continue;
    uint32_t& number = which ? at.b : at.a;
    if (which == 1 && same) {
      number = at.a;
      continue;
    }
    if (which == folded && !of(r).in_register && !(which == 0 && same)) {
      inst.memory.kind = Memory::Kind::Address;
      inst.memory.base = kAny, inst.memory.index = kNoReg, inst.memory.displacement = of(r).number,
      inst.memory.broadcast = false;
      at.base = phys::rsp;
      continue;
    }
    number = number_of(r, which);
  }
  if (inst.mask) {
    const Location place = of(inst.mask);
    at.mask = place.in_register ? uint32_t(place.number) : kScratchMask[1];
    if (!place.in_register) e_.load_mask(at.mask, phys::rsp, place.number);
  }
  const bool def_in_slot = inst.def && !of(inst.def).in_register;
  if (inst.def) {
    const Location place = of(inst.def);
    if (place.in_register) {
      at.def = uint32_t(place.number);
    } else {
      at.def =
          place.reg_class == RegClass::General
              ? (inst.is_tied() && at.a == phys::r11 && inst.memory.kind == Memory::Kind::None ? phys::r10 : phys::r11)
          : place.reg_class == RegClass::Vector ? kScratchVector[2]
                                                : kScratchMask[0];
      if (inst.is_tied()) transfer({place.reg_class, true, int32_t(at.def)}, place);
    }
  }
  if (inst.op == Op::Address) {
    if (inst.memory.kind == Memory::Kind::Slot) inst.memory.displacement += int32_t(allocas_at_);
    e_.address(at.def, inst.memory, at.base, at.index);
  } else {
    e_.encode(inst, at, allocas_at_);
  }
  if (def_in_slot) transfer(of(inst.def), {of(inst.def).reg_class, true, int32_t(at.def)});
}

void Assembler::add(const Function& function, const Allocation& allocation) {
  FunctionAssembler(*this, function, allocation).run();
}

} // namespace hip::engine::compile::quick
