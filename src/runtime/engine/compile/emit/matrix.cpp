// runtime/engine/compile/emit/matrix.cpp - matrix instructions as calls of the library's functions. Sums stay in the
// wave's block, where the functions take a tile of them into host registers for all steps of the instructions that add
// to the same sums; so these wait for each other, until somebody wants the sums. A and B become arrays in the region's
// frame as soon as they are loaded, and an operand that several instructions share (a row of tiles) is prepared once.
#include "runtime/engine/interpret/alu/matrix_lanes.h"
#include "runtime/engine/compile/emit/emit.h"

#include <algorithm>

namespace hip::engine::compile {
namespace {

// A register whose lanes come from where `from` says.
template<class F> std::array<llvm::Value*, kStripCount>
permuted(llvm::IRBuilder<>& builder, const std::array<llvm::Value*, kStripCount>& strips, F from) {
  std::array<llvm::Value*, kStripCount> out;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    out[q] = llvm::PoisonValue::get(strips[0]->getType());
    for (uint32_t s = 0; s < kStripCount; ++s) {
      std::vector<int> shuffle(kStripLanes);
      bool used = false;
      for (uint32_t l = 0; l < kStripLanes; ++l) {
        const uint32_t lane = from(q * kStripLanes + l);
        const bool here = lane / kStripLanes == s;
        shuffle[l] = here ? int(kStripLanes + lane % kStripLanes) : int(l);
        used |= here;
      }
      if (used) out[q] = builder.CreateShuffleVector(out[q], strips[s], shuffle);
    }
  }
  return out;
}

} // namespace

void RegionEmitter::drop_prepared(const Registers& written) {
  for (Prepared& p : prepared_)
    for (uint32_t k = 0; k < p.count; ++k) p.current &= !written.v[p.first + k];
  for (Prepared& p : prepared_) p.current &= !p.index || !written.v[p.index];
}
void RegionEmitter::drop_all_prepared() {
  for (Prepared& p : prepared_) p.current = false;
}

// Units of A (operand 0) or B (1).
llvm::Value* RegionEmitter::prepared(const Instr& i, uint32_t operand, const State& state) {
  const RawInst& raw = i.raw;
  const MatrixOp& op = *i.matrix;
  const bool is_a = operand == 0, sparse = op.index_bits;
  const uint32_t bytes = is_a ? op.unit_bytes_a : op.unit_bytes_b;
  Prepared wanted;
  wanted.by = is_a ? op.prepare_a : op.prepare_b;
  wanted.modifiers = is_a ? raw.cbsz | raw.abid << 8 | (op.wide ? raw.blgp << 16 : 0) : raw.blgp;
  wanted.first = vgpr_of(raw.src[operand]), wanted.count = is_a ? op.registers_a : op.registers_b;
  wanted.index = is_a && sparse ? vgpr_of(raw.src[2]) : 0;
  Prepared* room = nullptr;
  for (Prepared& p : prepared_) {
    if (p.current && p.by == wanted.by && p.modifiers == wanted.modifiers && p.first == wanted.first &&
        p.index == wanted.index)
      return p.units;
    if (!p.current && !p.waits && p.bytes >= bytes && (!room || p.bytes < room->bytes)) room = &p;
  }
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  if (!room) {
    room = &prepared_.emplace_back();
    room->units = place_for(llvm::ArrayType::get(strip, bytes / (4 * kStripLanes)));
    room->bytes = bytes;
  }
  wanted.units = room->units, wanted.bytes = room->bytes, wanted.current = true;
  *room = wanted;

  llvm::Type* type = llvm::ArrayType::get(strip, wanted.count * kStripCount);
  llvm::AllocaInst* rows = op.in_place ? wanted.units : place_for(type);
  for (uint32_t k = 0; k < wanted.count; ++k) {
    std::array<Value*, kStripCount> strips;
    for (uint32_t q = 0; q < kStripCount; ++q) strips[q] = strip_value(wanted.first + k, q, state);
    if (is_a && !sparse && raw.cbsz)
      strips = permuted(builder_, strips,
                        [&](uint32_t lane) { return matrix_lane_a(op.rows, op.blocks, raw.cbsz, raw.abid, lane); });
    if (!is_a && raw.blgp && !op.wide)
      strips = permuted(builder_, strips, [&](uint32_t lane) { return matrix_lane_b(raw.blgp, lane); });
    for (uint32_t q = 0; q < kStripCount; ++q) {
      if (op.wide && k % 2 && raw.blgp >> operand & 1)
        strips[q] = builder_.CreateXor(strips[q], llvm::ConstantInt::get(strip, 0x80000000u));
      builder_.CreateStore(strips[q], builder_.CreateConstInBoundsGEP2_32(type, rows, 0, k * kStripCount + q));
    }
  }
  if (!is_a) {
    builder_.CreateCall(wanted.by, {rows, wanted.units});
    return wanted.units;
  }
  llvm::Type* index_type = llvm::ArrayType::get(strip, kStripCount);
  Value* index = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (sparse) {
    index = place_for(index_type);
    Value* shift = llvm::ConstantInt::get(strip, matrix_index_shift(op.index_bits, raw.cbsz, raw.abid));
    for (uint32_t q = 0; q < kStripCount; ++q)
      builder_.CreateStore(builder_.CreateLShr(strip_value(wanted.index, q, state), shift),
                           builder_.CreateConstInBoundsGEP2_32(index_type, index, 0, q));
  }
  builder_.CreateCall(wanted.by, {rows, index, wanted.units});
  return wanted.units;
}

// Prepares what instruction k has loaded for matrix instructions behind it: what is kept until these come would have to
// be stored and loaded once more.
void RegionEmitter::prepare_ahead(const Place& place, uint32_t k, const State& state) {
  std::bitset<kMaxVgprs> fresh = code_.instrs[k].writes.v;
  for (uint32_t n = k + 1; n <= code_.nodes[place.node].last && fresh.any(); ++n) {
    const Instr& i = code_.instrs[n];
    for (uint32_t operand = 0; i.kind == Kind::Matrix && !i.matrix->index_bits && operand < 2; ++operand) {
      const uint32_t count = operand == 0 ? i.matrix->registers_a : i.matrix->registers_b;
      uint32_t held = 0;
      while (held < count && fresh[vgpr_of(i.raw.src[operand], held)]) ++held;
      if (held == count) prepared(i, operand, state);
    }
    fresh &= ~i.writes.v;
  }
}

void RegionEmitter::emit_matrix(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  const MatrixOp& op = *i.matrix;
  const Operand& c = op.index_bits ? raw.vdst : raw.src[2];
  const uint32_t d = vgpr_of(raw.vdst);
  const bool moves = c.is_constant() || vgpr_of(c) != d, flips = op.wide && raw.blgp & 4;
  // Sums that others add to, if this is no such instruction, and those that are factors of this one.
  Registers factors;
  for (uint32_t k = 0; k < op.registers_a; ++k) factors.v.set(vgpr_of(raw.src[0], k));
  for (uint32_t k = 0; k < op.registers_b; ++k) factors.v.set(vgpr_of(raw.src[1], k));
  if (op.index_bits) factors.v.set(vgpr_of(raw.src[2]));
  add_products_of(factors.v);
  const bool continues = !moves && !flips && std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& w) {
    return w.d == d && w.op == &op;
  });
  if (!continues) add_products_of(i.reads.v | i.writes.v);
  Value *a = prepared(i, 0, state), *b = prepared(i, 1, state);
  for (Prepared& p : prepared_) p.waits |= p.units == a || p.units == b;
  // C, where it does not lie there yet.
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  std::vector<std::pair<Value*, Value*>> stores; // after all are read, for C may overlap D
  for (uint32_t k = 0; k < op.registers_d; ++k) {
    const bool flipped = flips && k % 2;
    for (uint32_t q = 0; q < kStripCount && (moves || flipped || !state.v[d + k].any()); ++q) {
      Value* v = operand_strip(c, c.is_constant() ? (op.wide ? k % 2 : 0) : k, q, state);
      if (flipped) v = builder_.CreateXor(v, llvm::ConstantInt::get(strip, 0x80000000u));
      stores.push_back({v, strips_[d + k][q]});
    }
  }
  for (auto [value, place] : stores) builder_.CreateStore(value, place);
  if (moves || !stores.empty()) drop_sums(d, op.registers_d);
  if (!continues) waiting_.push_back({&op, d, {}});
  Waiting& waiting = *std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& w) { return w.d == d; });
  waiting.factors.push_back({a, b});
  constexpr size_t kMost = 8; // so that their units stay in the host's first cache
  if (waiting.factors.size() == kMost) add_products_of(i.writes.v);
}

void RegionEmitter::add_products(const Waiting& waiting) {
  const MatrixOp& op = *waiting.op;
  Sums* sums = nullptr;
  for (Sums& s : sums_)
    if (op.coarse && s.first == waiting.d && s.count == op.registers_d) sums = &s;
  Value* coarse = sums ? static_cast<Value*>(builder_.CreateLoad(i32(), sums->coarse)) : constant(0);
  const uint32_t count = uint32_t(waiting.factors.size());
  llvm::Type* type = llvm::ArrayType::get(builder_.getPtrTy(), 2 * count);
  llvm::AllocaInst* all = place_for(type);
  for (uint32_t k = 0; k < count; ++k) {
    builder_.CreateStore(waiting.factors[k].first, builder_.CreateConstInBoundsGEP2_32(type, all, 0, 2 * k));
    builder_.CreateStore(waiting.factors[k].second, builder_.CreateConstInBoundsGEP2_32(type, all, 0, 2 * k + 1));
  }
  fetch_lines(fetched_parts_++, std::max(sums_here_, 1u));
  coarse = builder_.CreateCall(op.multiply, {all, constant(count), wave_field(Wave::vgpr_offset(waiting.d)), coarse});
  drop_sums(waiting.d, op.registers_d);
  if (sums) builder_.CreateStore(coarse, sums->coarse);
}
void RegionEmitter::add_products_of(const std::bitset<kMaxVgprs>& sums) {
  if (waiting_.empty()) return;
  std::erase_if(waiting_, [&](const Waiting& w) {
    bool wanted = false;
    for (uint32_t k = 0; k < w.op->registers_d; ++k) wanted |= sums[w.d + k];
    if (wanted) add_products(w);
    return wanted;
  });
  // Units that nobody waits for may be overwritten.
  for (Prepared& p : prepared_) {
    p.waits = false;
    for (const Waiting& w : waiting_)
      for (auto [a, b] : w.factors) p.waits |= p.units == a || p.units == b;
  }
}
void RegionEmitter::add_all_products() { add_products_of(std::bitset<kMaxVgprs>().set()); }

// How many sums matrix instructions of a node add to, each by one call or more.
void RegionEmitter::count_sums(uint32_t node) {
  std::bitset<kMaxVgprs> firsts;
  for (uint32_t k = code_.nodes[node].first; k <= code_.nodes[node].last; ++k)
    if (code_.instrs[k].kind == Kind::Matrix) firsts.set(vgpr_of(code_.instrs[k].raw.vdst));
  sums_here_ = uint32_t(firsts.count()), fetched_parts_ = 0;
}

void RegionEmitter::find_sums() {
  for (uint32_t n : regions_.regions[number_].nodes)
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      if (i.kind != Kind::Matrix || !i.matrix->coarse) continue;
      const uint32_t first = vgpr_of(i.raw.vdst), count = i.matrix->registers_d;
      if (std::any_of(sums_.begin(), sums_.end(), [&](const Sums& s) { return s.first == first && s.count == count; }))
        continue;
      sums_.push_back({first, count, place_for(i32())});
      builder_.CreateStore(constant(0), sums_.back().coarse);
    }
}
void RegionEmitter::drop_sums(uint32_t first, uint32_t count) {
  for (Sums& s : sums_)
    if (s.first < first + count && first < s.first + s.count) builder_.CreateStore(constant(0), s.coarse);
}

} // namespace hip::engine::compile
