// runtime/engine/compile/emit/emit.h - one region as one LLVM function: void region(Wave*, const Inst*), in the handlers'
// calling convention, so that regions and handlers follow each other by tail calls. On entry the region loads what it needs
// from the wave's block; on each way out it stores what it changed and somebody may read.
//
// Where all waves of a group may arrive together (Region::batches) the function is a loop over them: a wave that reaches a
// barrier or its end makes room for the next one, and when all have reached the same barrier they go on together, too. A wave
// that leaves by another way is run by itself, until it stops. Between waves that arrive together nothing is decided, counted
// or called.
//
// A VGPR is four strips of 16 lanes, each an SSA value (through allocas that SROA removes); a register whose lanes follow
// from lane 0 (facts.h) is only a scalar per strip. All strips advance together, one instruction after the other as seen by
// memory, so the order of accesses is that of the hardware.
#pragma once

#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/compile/analysis/regions.h"

#include <array>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <map>
#include <optional>
#include <string>

namespace llvm {
class DISubprogram;
}

namespace hip::engine::compile {

// Encodings of special sources.
inline constexpr uint32_t kSharedBaseSource = 235, kSccSource = 253;

// Where a region may continue, by index in the array that its element's imm[0] points to: counted from the function's first
// byte, and with Translation::kTierZero where tier 0 goes on.
using Exits = std::vector<uint64_t>;

// Whether some way leads from a node back to it.
bool comes_back(const Code& code, uint32_t start);

// When memory of later work-groups is fetched, for all regions of a function (emit_prefetch.cpp): where the access is, or
// spread over the pauses of a group, which are the segments behind barriers that are in no loop.
class PrefetchPlan {
public:
  PrefetchPlan(const Code& code, const Regions& regions);
  enum class When { Now, InThisGroup, InTheNext };
  // For accesses in the region with this header.
  When when(uint32_t header) const;
  // An access there leaves in `note` where `bytes` are to be fetched.
  void add(uint32_t header, uint32_t note, uint32_t bytes);
  // Waves run through `block` when they come to the region.
  void begins(uint32_t header, llvm::BasicBlock* block, llvm::Value* wave);
  // When all regions are there.
  void emit(llvm::IRBuilder<>& builder) const;

private:
  struct Pause {
    uint32_t header;
    llvm::BasicBlock* block = nullptr;
    llvm::Value* wave = nullptr;
  };
  struct Noted {
    uint32_t header = 0, bytes = 0;
  };
  size_t first_behind(uint32_t header) const;
  std::vector<Pause> pauses_; // ascending; none: all is fetched where it is accessed
  std::map<uint32_t, Noted> notes_;
};

class RegionEmitter {
public:
  RegionEmitter(const Code& code, const Facts& facts, const Liveness& liveness, const Regions& regions, Library& library,
                PrefetchPlan& prefetches, llvm::DISubprogram* scope, bool is_kernel);
  // Emits region `number` as function `name`; returns its exits.
  Exits emit(uint32_t number, const std::string& name);
  // Whether waves start with it whose blocks hold nothing yet.
  bool starts() const { return starts_; }
  // The instructions whose handlers the region calls, in the order in which its element's imm[2] points to them.
  const std::vector<uint64_t>& calls() const { return calls_; }

private:
  using Value = llvm::Value;
  // How an access's addresses lie.
  enum class Lie { Linear, Uniform, Strided, Any };
  struct Layout {
    Lie lie = Lie::Any;
    bool same = false;              // in all strips
    bool may_wrap = false;          // a 32-bit offset
    uint32_t run = 1;               // strips in a part of the wave (facts.h)
    uint32_t lanes = 1, stride = 0; // so many lanes of a part are at places of their own, at that distance
    uint32_t covers = kStripCount;  // one check speaks for so many strips
  };
  void find_initial();
  std::bitset<kMaxVgprs> short_rows(const Place& behind) const;
  // Registers that may have changed between the region's entry and a place's start, by place index.
  std::map<uint32_t, Registers> find_changes(const Registers& before) const;
  static void add_writes(const Instr& i, Version version, Registers& changed);
  void touch_pairs();
  void split_pairs(const Instr& i, const State& before, const State& after);
  llvm::BasicBlock* block_of(const Place& place);
  llvm::BasicBlock* new_block(const char* name);
  void choose_version(Value* exec, llvm::function_ref<bool(Version)> possible, llvm::function_ref<void(Version)> emit);
  // emit_batch.cpp: ways in and out
  void emit_entry();
  void load_place(const Place& place);
  void begin_batch();
  void end_batch();
  void stop_wave(Stop why, Value* next, uint32_t how);
  void end_wave();
  void arrive(const Place& place, const State& state); // at a barrier
  bool always_full(uint32_t node) const;
  void store_changes(const Registers& live, const State& state, const Registers& changed);
  Value* exit_element(uint64_t address);
  void jump(Value* next);
  void emit_place(const Place& place);
  void emit_end(const Place& place, const State& state, const Registers& changed);
  bool holds(uint32_t node) const { return inside_[node]; }
  // Goes to `to` from the current block: inside the region, or out of it.
  void go(const Place& to, const State& state, const Registers& changed, uint32_t from_node);
  void join(const Place& to, const State& state); // inside the region
  Registers wanted(const Place& to) const;
  // Unless `ok`, the wave goes on in tier 0 before instruction k of the place.
  void bail_unless(Value* ok, const Place& place, uint32_t k, const State& state, const Registers& changed);
  void leave(uint64_t address, const Registers& live, const State& state, const Registers& changed, bool backward);

  Value* turn_is_over(); // i1
  void count_turn(const Place& to, const State& state, const Registers& changed);
  void fence(); // the compiler moves no access across

  struct Loaded {
    uint32_t v, strip;
    Value* value;
  };
  // emit_prefetch.cpp
  void plan_prefetches();
  void prefetch_next(const Instr& i, uint32_t q, Value* address, uint32_t bytes);
  void plan_lines();
  bool leave_lines(const Instr& i, uint32_t q, Version version, Value* base, Value* low, Value* high);
  void fetch_lines(uint32_t part, uint32_t parts);
  std::map<const Instr*, uint32_t> lines_of_; // loads that leave lines to be fetched with products: number of the first
  uint32_t lines_ = 0;                        // of all
  uint32_t sums_here_ = 0, fetched_parts_ = 0; // in the place that is emitted: matrix instructions' sums, and calls for them so far
  // emit_stream.cpp
  void plan_streams();
  bool emit_stream(const Instr& i, const Layout& layout, Version version, const State& before);
  // emit_scratch.cpp
  Value* scratch_offset(const Instr& i, uint32_t q, const State& state);
  Value* scratch_fits(const Instr& i, Version version, const State& state);
  void emit_scratch(const Instr& i, Version version, const State& before);
  // emit_patterns.cpp
  struct Patterned { // the number of a register with a pattern
    std::array<Value*, kStripCount> first{}; // lane 0s
    Value* pattern = nullptr;                // <16 x i32>
  };
  Value* strip_pattern(const Fact& fact, uint32_t v);
  Value* pattern_of(const Operand& o, const State& state);
  void set_pattern(uint32_t v, const Patterned& number);
  void load_pattern(uint32_t v, const Fact& fact); // from the wave's block
  Patterned compute_pattern(const Instr& i, const State& before);
  bool by_pattern(const Instr& i, Version version, const State& state) const;
  struct PatternAccess {
    const Instr* instr = nullptr;
    uint32_t which = 0;
  };
  PatternAccess next_by_pattern(const Instr& i, uint32_t which, Version version, const State& state) const;
  void emit_pattern_access(const Instr& i, uint32_t which, Version version, const State& before, std::vector<Loaded>& loaded);
  // emit_permute.cpp
  void emit_permute(const Instr& i, Version version, const State& before);
  // emit_called.cpp
  void emit_called(const Instr& i, Version version, const State& before);
  // emit_lanes.cpp: what crosses lanes
  void emit_read_lane(const Instr& i, const State& state);
  void emit_write_lane(const Instr& i, const State& state);
  struct Permuted {
    std::array<std::vector<Value*>, kStripCount> dwords; // of operand 0
    std::array<Value*, kStripCount> writable{};          // <16 x i1>: lanes that DPP lets write; null: all
  };
  Value* gather_lanes(const std::array<int, kStripLanes>& from, llvm::function_ref<Value*(uint32_t)> strip_of, llvm::Type* type);
  Permuted permute(const Instr& i, Version version, uint32_t dwords, const State& state);
  // emit_matrix.cpp
  void emit_matrix(const Instr& i, const State& state);
  void prepare_ahead(const Place& place, uint32_t k, const State& state);
  struct Prepared { // an operand of matrix instructions as prepare_a or prepare_b has made it
    llvm::Function* by = nullptr;
    uint32_t modifiers = 0, index = 0;
    uint32_t first = 0, count = 0; // its registers
    llvm::AllocaInst* units = nullptr;
    uint32_t bytes = 0;            // room in `units`
    bool current = false;          // its registers have not changed since
    bool waits = false;            // for products of waiting_
  };
  // Products that are added when somebody wants the sums: those of several instructions are one call.
  struct Waiting {
    const MatrixOp* op;
    uint32_t d; // first register of the sums
    std::vector<std::pair<Value*, Value*>> factors;
  };
  void add_products(const Waiting& waiting);
  void add_products_of(const std::bitset<kMaxVgprs>& sums); // those that have some of these registers
  void add_all_products();
  Value* prepared(const Instr& i, uint32_t operand, const State& state);
  void drop_prepared(const Registers& written);
  void drop_all_prepared();
  // Sums of which code knows while it runs whether they are coarse (library/entries.h).
  struct Sums {
    uint32_t first, count;
    llvm::AllocaInst* coarse; // i32, 0 or 1
  };
  void find_sums();
  void count_sums(uint32_t node);
  void drop_sums(uint32_t first, uint32_t count); // they are changed
  // emit_alu.cpp
  void emit_valu(const Instr& i, Version version, const State& before, const State& after);
  void emit_salu(const Instr& i);
  Value* selected(const RawInst& raw, uint32_t k, Value* v);               // SDWA, operand k
  Value* placed(const RawInst& raw, Value* v, Value* old);                 // SDWA, the result
  Value* modified(const ValuOp& op, const RawInst& raw, uint32_t k, uint32_t dword, Value* lo, Value* hi);
  void append_arguments(const Instr& i, const State& state, uint32_t strip, bool lane, const Permuted* permuted,
                        std::vector<Value*>& arguments);
  struct Outcome {
    std::vector<Value*> rows;
    Value* mask = nullptr; // i16
  };
  Outcome call(llvm::Function* function, std::vector<Value*> arguments, uint32_t rows, bool mask, bool lane);
  Value* joined(Value* lo, Value* hi);
  Value* half_of(Value* joined, uint32_t dword);
  Outcome quotient(const std::vector<Value*>& arguments, uint32_t rows);
  // In the place that is emitted: what has changed since the region was entered; of these, VGPRs that the wave's block holds, too.
  const Registers* changed_ = nullptr;
  std::bitset<kMaxVgprs> stored_, stored_next_;
  std::bitset<kMaxVgprs> loaded_to_block_; // VGPRs whose rows loads in front of a barrier may write (stays_in_block)
  // Source 0 of instructions that Instr::instead_from names, strip by strip, while their place is emitted.
  std::map<uint32_t, std::array<Value*, kStripCount>> remembered_;
  void remember(uint32_t k, const State& before);
  Outcome instead(const Instr& i, uint32_t strip, bool lane);
  void write_mask(const Instr& i, Value* lanes);
  // emit_compare.cpp
  Value* compare_lanes(const Instr& i, const State& before);
  Value* compare_ends(const Instr& i, const State& before);
  // What lanes of a register lie between.
  struct Range {
    bool is_signed = true;
    bool same = true;          // in all lanes of a part of the wave
    uint32_t run = kStripCount; // strips in a part
    std::array<Value*, kStripCount> low{}, high{}; // of a part's first strip
    Value* sound = nullptr;     // i1: nothing wraps around, so it does lie there
    Value* low_of(uint32_t q) const { return low[q - q % run]; }
    Value* high_of(uint32_t q) const { return high[q - q % run]; }
  };
  std::optional<Range> range_of(const Operand& o, bool is_signed, bool wide, const State& state);
  std::optional<Range> range_of_result(const Instr& i, const State& before);

  // emit_memory.cpp
  void emit_memory(const Instr& i, Version version, const State& before, const State& after);
  Layout layout_of(const Instr& i, const MemoryOp& op, Version version, const State& state);
  bool lies_in_block(const Operand& data, uint32_t dwords, const State& state) const;
  bool stays_in_block(const Instr& i, uint32_t vdst, uint32_t dwords, Version version, const State& after) const;
  const MemoryOp& element_of(const Instr& i, Version version, const State& state, uint32_t& parts);
  Value* active_in(uint32_t q, uint32_t strips);
  Value* first_address(const Instr& i, uint32_t q, const Layout& layout, const State& state);
  Value* reachable(const Instr& i, const Layout& layout, int64_t low, int64_t high, Version version, const State& state);
  Value* index_fits(const Instr& i, const State& state);
  void check_ahead(const Place& place, uint32_t k, const State& state, const Registers& changed);
  void emit_access(const Instr& i, const MemoryOp& op, uint32_t offset, uint32_t row, uint32_t which, Version version,
                   const State& before, const State& after, std::vector<Loaded>& loaded);
  void emit_wave_access(const Instr& i, const MemoryOp& op, uint32_t offset, uint32_t row, const Operand& data, Version version,
                        const State& before, std::vector<Loaded>& loaded);
  // emit_wide_patterns.cpp
  void set_wide_pattern(const Instr& i, const State& before);
  Value* index_stays(Value* pattern, const std::array<Value*, kStripCount>& first);
  bool by_wide_pattern(const Instr& i, const MemoryOp& op, const Layout& layout, Version version, const State& state) const;
  struct Access {
    const Instr& i;
    const MemoryOp& op;
    uint32_t offset, row, which;
    Version version;
    const State &before, &after;
  };
  void emit_wide_pattern_access(const Access& access, std::vector<Loaded>& loaded);
  Value* scalar_address(const Instr& i, int64_t offset);
  void emit_scalar_load(const Instr& i, const State& before);
  void must_hold(Value* ok); // else the wave has stopped with a fault

  Value* guest_begin(); // i64
  // --- registers
  Value* wave_field(uint32_t offset);
  Value* strip_value(uint32_t v, uint32_t strip, const State& state); // <16 x i32>
  Value* lane_value(uint32_t v, uint32_t strip, const State& state);  // i32, lane 0
  Value* pair_base(uint32_t low, uint32_t strip, const State& state);   // i64, lane 0 of a pair with a fact
  Value* operand_strip(const Operand& o, uint32_t dword, uint32_t strip, const State& state);
  Value* operand_lane(const Operand& o, uint32_t dword, uint32_t strip, const State& state);
  Value* scalar(const Operand& o, uint32_t dword);
  Value* scalar64(const Operand& o);
  Value* sgpr(uint32_t n);
  void set_sgpr(uint32_t n, Value* v);
  Value* sgpr64(uint32_t n);
  void set_sgpr64(uint32_t n, Value* v);
  void set_exec(Value* v);
  Value* strip_mask(Value* mask64, uint32_t strip); // i16
  Value* bools(Value* mask16);                      // <16 x i1>
  void set_strip(uint32_t v, uint32_t strip, Value* value);
  void set_lane(uint32_t v, uint32_t strip, Value* value);
  Value* scc();

  llvm::Type* i32() { return builder_.getInt32Ty(); }
  llvm::Type* i64() { return builder_.getInt64Ty(); }
  Value* constant(uint64_t v) { return builder_.getInt32(uint32_t(v)); }
  Value* iota();
  llvm::AllocaInst* place_for(llvm::Type* type); // in the entry block, aligned to 64 bytes

  const Code& code_;
  const Facts& facts_;
  const Liveness& liveness_;
  const Regions& regions_;
  Library& library_;
  PrefetchPlan& prefetches_;
  llvm::DISubprogram* scope_;
  bool is_kernel_; // at node 0 only v0 has a defined value
  llvm::IRBuilder<> builder_;

  uint32_t number_ = 0;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* entry_ = nullptr; // allocas
  std::vector<bool> inside_;          // by node
  // Of a batch: the first wave, how many there are, where each begins and ends its part of the function.
  bool batches_ = false;
  Value *first_ = nullptr, *count_ = nullptr, *item_ids_ = nullptr;
  Value* alone_ = nullptr; // i1: there is no batch, this is one wave
  llvm::BasicBlock *begin_ = nullptr, *end_ = nullptr, *enters_alone_ = nullptr;
  llvm::AllocaInst* stops_ = nullptr; // i32: how waves have stopped; bit 0: ended, bit k: at barriers_[k - 1], bit 31: else
  std::vector<uint64_t> barriers_;    // where waves go on behind barriers, as in exits_
  bool counts_turns_ = false, calls_handlers_ = false;
  bool starts_ = false;               // waves start here: what they start with is not in their blocks
  std::vector<bool> runs_once_;       // by node
  std::vector<bool> streams_;         // by instruction
  uint64_t groups_ahead_ = 1;         // whose memory is fetched
  Value* step_ahead_ = nullptr;       // from where the present access lies to where theirs do (i64)
  uint32_t node_ = 0;                 // being emitted
  Value *wave_ = nullptr, *inst_ = nullptr;
  Version version_ = Version::Full; // of the place being emitted
  std::array<std::array<Value*, kStripCount>, kMaxVgprs> strips_{}, lanes_{}; // where they are kept
  std::array<Value*, kMaxVgprs> patterns_{}; // beside these, where a fact has a pattern
  std::array<Value*, kMaxVgprs> fits_{};     // i1: whether a wide one is what its fact says
  bool lane_by_lane_ = false;                // an access is emitted as if nothing were known of its addresses
  struct {
    PatternAccess at; // made with the access before it
    std::array<Value*, kStripCount> loaded{};
  } ahead_;
  // VGPRs that the region keeps in the wave's block, but for facts: sums of matrix instructions, more than a host has
  // registers for. All others are allocas.
  std::bitset<kMaxVgprs> in_block_;
  std::array<llvm::AllocaInst*, kSgprCount> sgprs_{};
  llvm::AllocaInst *exec_ = nullptr, *scc_ = nullptr, *salu_out_ = nullptr;
  Value *arena_base_ = nullptr, *arena_bytes_ = nullptr, *lds_base_ = nullptr, *lds_bytes_ = nullptr; // i64
  Value *scratch_base_ = nullptr, *scratch_bytes_ = nullptr;                                                             // i64
  llvm::BasicBlock* failed_ = nullptr;
  std::map<uint32_t, llvm::BasicBlock*> blocks_;  // by place index
  std::vector<Place> todo_;
  std::map<uint32_t, Registers> changes_, writes_; // find_changes(): with what is initially not in the block, and without
  Registers touched_;
  Registers initial_; // what the waves' blocks do not hold when the region is entered
  std::map<uint32_t, Range> ranges_; // by VGPR, in the place being emitted: of active lanes, where facts say nothing
  std::vector<bool> checked_; // by instruction, in the place being emitted: its accesses are known to be inside
  Exits exits_;
  std::vector<Prepared> prepared_;
  std::vector<Waiting> waiting_;
  std::vector<Sums> sums_;
  std::vector<uint64_t> calls_;
};

} // namespace hip::engine::compile
