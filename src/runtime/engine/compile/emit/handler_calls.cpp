// runtime/engine/compile/emit/handler_calls.cpp - see handler_calls.h.
#include "runtime/engine/compile/emit/handler_calls.h"

#include "runtime/engine/compile/library/line_notes.h"
#include "runtime/engine/compile/translator.h"
#include "runtime/engine/interpret/inst.h"

#include <algorithm>

namespace hip::engine::compile {

void HandlerCalls::emit(const Instr& i, Version version, const State& before) {
  const Unit unit = row_of(i.raw.opcode).unit;
  const bool lanes =
      i.raw.format != Format::Smem && unit != Unit::HardwareRegister && unit != Unit::ScalarAlu && !i.ignores_exec();
  if (lanes && version == Version::Empty && i.writes.s.none()) return; // (compares write a mask of no lanes)
  Registers in = i.reads;
  if (!facts_.whole(i, version)) in.v |= i.writes.v; // inactive lanes stay
  if (i.buffer) {
    access_buffer(i, in, before);
  } else {
    vectors_.store(in.v, before);
    scalars_.store(in);
    call(i.raw.address);
  }
  vectors_.reload(i.writes.v);
  scalars_.reload(i.writes);
}

// Which of the function's accesses to buffers it is.
uint64_t HandlerCalls::number_of_buffer(const Instr& i) {
  if (buffers_.empty())
    for (const Instr& each : code_.instrs)
      if (each.buffer) buffers_.push_back(each.number);
  return uint64_t(std::ranges::lower_bound(buffers_, i.number) - buffers_.begin());
}

// The library makes the access where it can, without what only the handler needs in the wave.
void HandlerCalls::access_buffer(const Instr& i, const Registers& in, const State& before) {
  const ResolvedInst& raw = i.raw;
  const Operand& data = raw.vdst ? raw.vdst : raw.vdata;
  std::array<Value*, kMaxStrips> offsets;
  offsets.fill(llvm::Constant::getNullValue(ir_.strip_type()));
  std::bitset<kMaxVgprs> rows = in.v, offset;
  if (raw.offen) {
    const uint32_t v = vgpr_of(raw.vaddr), first = vgpr_of(data);
    for (uint32_t q = 0; q < ir_.strips(); ++q) offsets[q] = vectors_.strip(v, q, before);
    offset.set(v);
    if (v < first || v >= first + data.dwords) rows.reset(v); // nobody but the handler looks for it there
  }
  vectors_.store(rows, before);
  const uint32_t base = raw.sbase.index;
  Value* fixed = builder_.CreateAdd(builder_.CreateZExt(scalars_.operand(raw.soffset, 0), ir_.i64()), builder_.getInt64(uint32_t(raw.offset)));
  uint64_t number = number_of_buffer(i);
  number |= raw.address << 16 | uint64_t(raw.buffer_generation) << kBufferGenerationShift |
            (tiles_.notes_lines(i) ? kNotesLines : 0);
  Value* done = ir_.call(*i.buffer, wave_.pointer(), scalars_.sgpr64(base), scalars_.sgpr64(base + 2), fixed,
                         offsets[0], offsets[1], offsets[2], offsets[3], scalars_.exec(), builder_.getInt64(number),
                         wave_.vgpr(vgpr_of(data), 0));
  llvm::BasicBlock *by_handler = ir_.new_block("buffer_by_handler"), *on = ir_.new_block("buffer_accessed");
  builder_.CreateCondBr(done, on, by_handler);
  builder_.SetInsertPoint(by_handler);
  vectors_.store(offset, before);
  scalars_.store(in);
  call(raw.address);
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
}

void HandlerCalls::offer(const Instr& i, Version version, const State& before) {
  const bool lanes = i.raw.format != Format::Smem;
  if (lanes && version == Version::Empty) return;
  Registers in = i.reads;
  if (i.kind == Kind::Memory) in = i.address;
  in.s.reset(kScc); // instructions of this kind do not read SCC
  vectors_.store(in.v, before);
  scalars_.store(in);
  call(i.raw.address | Translation::kOffers);
}

// Calls the elements for `offset` (Translation::calls). The wave's block holds what they read, but for EXEC.
void HandlerCalls::call(uint64_t offset) {
  builder_.CreateStore(scalars_.exec(), wave_.field(Wave::sgpr_offset(kExecLo)));
  uint32_t number = 0;
  while (number < calls_.size() && calls_[number] != offset) ++number;
  if (number == calls_.size()) calls_.push_back(offset);
  constexpr uint32_t kCalls = offsetof(Inst, imm) + 2 * sizeof(uint64_t);
  llvm::Type* pointer = builder_.getPtrTy();
  Value* calls = builder_.CreateLoad(pointer, ir_.byte_at(wave_.element(), kCalls));
  Value* called = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), calls, uint64_t(number) * 2 * sizeof(Inst));
  Value* run = builder_.CreateLoad(pointer, ir_.byte_at(called, offsetof(Inst, run)));
  llvm::CallInst* call = builder_.CreateCall(ir_.function()->getFunctionType(), run, {wave_.pointer(), called});
  call->setCallingConv(llvm::CallingConv::PreserveNone);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  Value* stop = builder_.CreateLoad(ir_.i32(), wave_.field(offsetof(Wave, stop)));
  ir_.must_hold(builder_.CreateICmpEQ(stop, ir_.constant(uint32_t(Stop::None))));
  builder_.CreateStore(wave_.element(), wave_.field(offsetof(Wave, pc)));
}

} // namespace hip::engine::compile
