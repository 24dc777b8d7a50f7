// runtime/engine/compile/emit/memory.h - vector loads, stores and atomics of global memory and LDS. Where it is known
// how the addresses lie (address.h), an access is vector or scalar instructions of the host, behind a check that
// access_checks.h has made; what is known of no address calls the library, which looks when it runs.
#pragma once

#include "runtime/engine/compile/emit/block_rows.h"
#include "runtime/engine/compile/emit/pattern_access.h"
#include "runtime/engine/compile/emit/stream.h"
#include "runtime/engine/compile/emit/tile_prefetch.h"
#include "runtime/engine/compile/emit/wide_patterns.h"

namespace hip::engine::compile {

// What memory accesses are made with.
struct MemoryParts {
  AddressEmitter& addresses;
  BlockRows& rows;
  StreamEmitter& streams;
  Prefetcher& prefetcher;
  TilePrefetcher& tiles;
  PatternAccessEmitter& patterns;
  WidePatternEmitter& wide_patterns;
};

class MemoryEmitter : InstructionEmitter {
public:
  MemoryEmitter(const EmitContext& context, const MemoryParts& parts)
      : InstructionEmitter(context), liveness_(context.function.liveness), parts_(parts) {}

  void emit(const Instr& i, const FlowPoint& point, const State& before, const State& after);

private:
  enum class Known { Shape, Nothing }; // what an access goes by
  struct Plan;
  Plan plan(const MemoryAccess& access, const AddressShape& shape);
  void access(const MemoryAccess& access, Known known, std::vector<LoadedStrip>& loaded);
  void access_wave(const MemoryAccess& access, std::vector<LoadedStrip>& loaded);
  // Ways to access strip q; those that load leave dwords in the plan's slots, or in `direct`.
  void access_any(const Plan& plan, uint32_t q, Value* lanes);
  void load_near(const Plan& plan);
  std::pair<Value*, Value*> address_strips(const Plan& plan, uint32_t q);
  Value* base_of(const Plan& plan);
  void find_places(const Plan& plan);
  void access_atomic(const Plan& plan);
  void store_uniform(const Plan& plan, uint32_t q, Value* pointer, Value* lanes);
  void load_uniform(const Plan& plan, uint32_t q, Value* pointer, Value* (&direct)[4]);
  Value* merged_uniform(const Plan& plan, uint32_t q, Value* loaded);
  Value* access_dword(const Plan& plan, uint32_t q, Value* pointer, Value* lanes);
  void access_elements(const Plan& plan, uint32_t q, Value* pointer);
  Value* pointer_to(const Plan& plan, uint32_t q);
  Value* slot(const Plan& plan, uint32_t q, uint32_t k);
  void store_data(const Plan& plan, uint32_t q);
  void store_merged(const Plan& plan, uint32_t q);
  bool lies_in_block(const Operand& data, uint32_t dwords, const State& state) const;
  bool lies_there(const MemoryAccess& access, uint32_t vdst) const;
  bool stays_in_block(const MemoryAccess& access, uint32_t vdst) const;

  // Of an atomic on LDS that is still to be emitted (AtomicPlaces).
  struct Places {
    std::array<Value*, kMaxStrips> at{};
    Value *slot = nullptr, *good = nullptr;
  };
  static constexpr size_t kMostPlaces = 4;

  std::map<const Instr*, Places> places_;
  const Liveness& liveness_;
  MemoryParts parts_;
};

} // namespace hip::engine::compile
