// runtime/engine/isa/opcode.h - the identity of an instruction, and what the table isa/opcodes.def says of it. Decoding
// yields an Opcode; lifting, both tiers, every analysis, reports and tests ask the table, never a name. Thread safety:
// constants, and one map that is built on first use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace hip::engine {

enum class Opcode : uint16_t {
  unknown, // a name that the table has not
#define OPCODE(name, ...) name,
#include "runtime/engine/isa/opcodes.def"
#undef OPCODE
};

// Which part of the engine executes an instruction.
enum class Unit : uint8_t {
  Unknown,
  ScalarAlu,
  ScalarIndexed, // SGPRs selected by M0
  VectorAlu,
  VectorIndexed, // VGPRs selected by M0
  Matrix,
  ReadLane,
  WriteLane,
  ExchangeLanes,
  LanePermute, // the LDS crossbar, without memory
  ProgramCounter,
  HardwareRegister,
  Clock,
  Message,
  NoEffect,
  Branch,
  ConditionalBranch,
  Jump, // to an address in registers, or a call: control leaves the function
  Barrier,
  Yield,
  Trap,
  EndWave,
  ScalarMemory,
  ScalarBuffer, // scalar loads and stores through buffer resources
  CacheControl,
  Global,
  Flat,
  Scratch,
  Buffer,
  TypedBuffer,
  Lds,
  GlobalDataShare,
  WaveSync, // barriers of waves of the whole grid
  Image,
  Graphics,
  Other,
};

// What an instruction computes of its operands, as far as analyses follow it: up to two steps, each of two values.
// Facts about lanes (compile/analysis/facts.h), lane patterns and values of SGPRs read the same steps.
enum class LaneStep : uint8_t {
  None,
  Copy,
  Add,
  Sub,
  And,
  AndNot, // a & ~b
  Or,
  OrNot, // a | ~b
  Xor,
  Not,
  Shl,
  Shr,
  Ashr,
  Extract, // bits of a from b on, as many as the third operand says
  Mul,
  MulU24, // of the low 24 bits of both
  MulI24,
  MinI,
  MaxI,
  MinU,
  MaxU,
};
inline constexpr int8_t kPrevious = -1; // an operand of a step: the result of the step before
inline constexpr int8_t kExec = -2;     // EXEC before the instruction
struct Step {
  LaneStep op = LaneStep::None;
  int8_t a = 0, b = 0; // source operands, kPrevious or kExec; Copy and Not have no b
  int8_t c = 0;        // Extract
};
struct Steps {
  std::array<Step, 2> each{};
  constexpr Steps() = default;
  constexpr Steps(Step first, Step second = {}) : each{first, second} {}
  constexpr uint32_t count() const noexcept {
    return each[0].op == LaneStep::None ? 0 : each[1].op == LaneStep::None ? 1 : 2;
  }
  constexpr const Step* begin() const noexcept { return each.data(); }
  constexpr const Step* end() const noexcept { return each.data() + count(); }
};

enum class Relation : uint8_t {
  None,
  Never,
  Less,
  Equal,
  LessEqual,
  Greater,
  LessGreater,
  NotEqual,
  GreaterEqual,
  Ordered,
  Unordered,
  NotGreaterEqual,
  NotLessGreater,
  NotGreater,
  NotLessEqual,
  NotLess,
  Always,
  IsOfClass, // the first operand is of the classes of numbers that the second one has bits for
};
enum class NumberKind : uint8_t { Float, Signed, Unsigned };
// A vector compare: relation between source 0 and source 1.
struct Compare {
  Relation relation = Relation::None;
  NumberKind kind = NumberKind::Float;
  uint8_t bits = 0;
};

// What an instruction that writes EXEC makes of it. (Any instruction whose scalar destination is EXEC writes it; this
// is said of those that always do.)
enum class ExecEffect : uint8_t { None, Any, Shrinks, Grows };

// What an instruction on caches asks of a host whose caches are coherent: that later accesses are made behind it, or
// that earlier stores are made in front of them.
enum class CacheEffect : uint8_t { None, Invalidates, WritesBack };

enum class BranchCondition : uint8_t { None, Scc0, Scc1, Vccz, Vccnz, Execz, Execnz };

// --- memory
enum class MemoryKind : uint8_t { None, Load, Store, Atomic, LoadToLds };
// How loaded bytes become a dword; stores and atomics: Zero.
enum class Extend : uint8_t {
  Zero,
  Sign,
  // Half of the register, and the other half stays;
  Low16,
  High16,
  SignLow16,
  SignHigh16,
  // or becomes 0 (OpcodeRow::clearing).
  High16Clearing,
  SignLow16Clearing,
  SignHigh16Clearing,
};
enum class AtomicOp : uint8_t {
  None,
  Swap,
  CompareSwap,
  Add,
  Sub,
  ReverseSub,
  MinSigned,
  MinUnsigned,
  MaxSigned,
  MaxUnsigned,
  And,
  Or,
  Xor,
  Increment,
  Decrement,
  AddFloat,
  MinFloat,
  MaxFloat,
  AddHalfPair,
  AddBfloatPair,
  MaskOr,
  CompareSwapFloat,
  SubClamp,
  ConditionalSub,
  CompareStore,
  Wrap,                // DS: minus the first operand where that is possible, else plus the second
  ConditionalExchange, // DS: of each dword, where its data's highest bit is set
  CompareStoreFloat,   // as CompareSwap, with the operands exchanged
};
// How an instruction finds a lane's element, beside what its operands say.
enum class ElementPlace : uint8_t {
  Address,
  LaneNumber, // DS: M0 + the offset + the lane's number times a dword
  Transposed, // DS and GLOBAL: by address, and then elements change places among lanes
};
struct MemoryAccess {
  MemoryKind kind = MemoryKind::None;
  uint8_t bytes = 0; // of one lane's element, in memory
  Extend extend = Extend::Zero;
  AtomicOp atomic = AtomicOp::None;
  bool from_high_half = false; // stores: bits 31:16 of the register
  bool returns = false;        // atomics whose opcode says that the old value comes back
  uint8_t elements = 1;        // 2: two elements, each at an offset of its own in units of unit_bytes
  uint16_t unit_bytes = 0;
  uint8_t components = 0; // typed buffers: of the data; how many bytes these take in memory, their format says
  bool halves = false;    // typed buffers: two components in a register
  ElementPlace place = ElementPlace::Address;

  constexpr uint32_t dwords() const noexcept { // registers of one element
    return components ? (halves ? (components + 1u) / 2 : components) : (bytes + 3u) / 4;
  }
  // The destination's old value takes part.
  constexpr bool merges() const noexcept { return extend >= Extend::Low16 && extend <= Extend::SignHigh16; }
  constexpr explicit operator bool() const noexcept { return kind != MemoryKind::None; }
};
// Columns of rows.
constexpr MemoryAccess load(uint8_t bytes, Extend extend = Extend::Zero) { return {MemoryKind::Load, bytes, extend}; }
constexpr MemoryAccess load_to_lds(uint8_t bytes, Extend extend = Extend::Zero) {
  return {MemoryKind::LoadToLds, bytes, extend};
}
constexpr MemoryAccess store(uint8_t bytes) { return {MemoryKind::Store, bytes}; }
constexpr MemoryAccess store_high(uint8_t bytes) {
  return {.kind = MemoryKind::Store, .bytes = bytes, .from_high_half = true};
}
constexpr MemoryAccess load_two(uint8_t bytes, uint16_t units) {
  return {.kind = MemoryKind::Load, .bytes = bytes, .elements = 2, .unit_bytes = uint16_t(bytes * units)};
}
constexpr MemoryAccess store_two(uint8_t bytes, uint16_t units) {
  return {.kind = MemoryKind::Store, .bytes = bytes, .elements = 2, .unit_bytes = uint16_t(bytes * units)};
}
constexpr MemoryAccess load_format(uint8_t components) { return {.kind = MemoryKind::Load, .components = components}; }
constexpr MemoryAccess store_format(uint8_t components) { return {.kind = MemoryKind::Store, .components = components}; }
constexpr MemoryAccess load_format_d16(uint8_t components, Extend extend = Extend::Zero) {
  return {.kind = MemoryKind::Load, .extend = extend, .components = components, .halves = true};
}
constexpr MemoryAccess store_format_d16(uint8_t components) {
  return {.kind = MemoryKind::Store, .components = components, .halves = true};
}
constexpr MemoryAccess store_format_d16_high() {
  return {.kind = MemoryKind::Store, .from_high_half = true, .components = 1, .halves = true};
}
constexpr MemoryAccess by_lane_number(MemoryKind kind) {
  return {.kind = kind, .bytes = 4, .place = ElementPlace::LaneNumber};
}
constexpr MemoryAccess load_transposed(uint8_t bytes) {
  return {.kind = MemoryKind::Load, .bytes = bytes, .place = ElementPlace::Transposed};
}
constexpr MemoryAccess exchange_two(uint8_t bytes, uint16_t units) {
  return {.kind = MemoryKind::Atomic, .bytes = bytes, .atomic = AtomicOp::Swap, .returns = true, .elements = 2, .unit_bytes = uint16_t(bytes * units)};
}
constexpr MemoryAccess atomic(AtomicOp op, uint8_t bytes) {
  return {.kind = MemoryKind::Atomic, .bytes = bytes, .atomic = op};
}
constexpr MemoryAccess atomic_returning(AtomicOp op, uint8_t bytes) {
  return {.kind = MemoryKind::Atomic, .bytes = bytes, .atomic = op, .returns = true};
}

// One row. Operand kinds and widths of ALU instructions are the parameter types of their bodies (isa/types.inl), which
// handlers, the translator's library and analyses read; a second statement of them here could only differ.
struct OpcodeRow {
  std::string_view name;
  Unit unit = Unit::Unknown;
  std::string_view aliases = {}; // other spellings, separated by spaces
  Steps steps = {};
  Compare compare = {};
  ExecEffect exec = ExecEffect::None;
  bool saves_exec = false; // the destination is EXEC before the instruction
  BranchCondition condition = BranchCondition::None;
  CacheEffect cache = CacheEffect::None;
  MemoryAccess memory = {};
  Opcode element = Opcode::unknown;    // accesses of two elements: the opcode that accesses one
  Opcode body = Opcode::unknown;       // whose body computes it; unknown: its own
  Opcode saturating = Opcode::unknown; // what the instruction is when its clamp bit is set; unknown: itself
  Opcode without_ieee = Opcode::unknown; // what the instruction is while MODE.IEEE is 0; unknown: itself
  // Sources are integers whose neg_lo says that they are signed, and `body` is for none of them: whose body it is when the
  // first one is signed, the second one, both.
  std::array<Opcode, 3> signed_bodies{};
  Opcode to_lds = Opcode::unknown;     // what the instruction is when its LDS bit is set
  uint8_t soffset_bytes = 1;           // scalar memory: what the offset in a register counts
  bool sets_mode = false;              // it can write the MODE register
  bool waits_for_stores = false;       // and for nothing but stores: what a release is made of
  bool zero_extends_constant = false;  // SOPK: the 16-bit constant has no sign
  bool mixes_widths = false;           // packed: each operand is an f32 or an f16, as its modifiers say
  bool op_sel_is_number = false;       // op_sel names a byte of an operand or of the destination
  bool has_truth_table = false;        // v_bitop3
  Opcode ocp = Opcode::unknown;        // what the instruction is where 8-bit floats are OCP's; unknown: itself (ERRATA 20)
  Opcode limited = Opcode::unknown;    // what the instruction is while MODE.FP16_OVFL is 1; unknown: itself (ERRATA 58)
  Opcode clearing = Opcode::unknown;   // what it is where loads of 16 bits clear the register's other half; unknown: itself (ERRATA 59)
  bool sign_extends_literal = false;   // 32-bit literals of 64-bit operands are signed
  std::string_view own_refusal = {};   // refusal_of(), where the unit does not say it
};

inline constexpr OpcodeRow kOpcodeRows[] = {
    {.name = "unknown"},
#define OPCODE(name_, unit_, ...) {.name = #name_, .unit = Unit::unit_ __VA_OPT__(, ) __VA_ARGS__},
#include "runtime/engine/isa/opcodes.def"
#undef OPCODE
};
inline constexpr size_t kOpcodeCount = std::size(kOpcodeRows);

constexpr const OpcodeRow& row_of(Opcode opcode) noexcept { return kOpcodeRows[size_t(opcode)]; }
constexpr std::string_view name_of(Opcode opcode) noexcept { return row_of(opcode).name; }
// A DS instruction on what all waves of a launch share (global data share, semaphores and barriers of waves) instead of
// LDS.
constexpr bool bypasses_lds(Opcode opcode) noexcept {
  return row_of(opcode).unit == Unit::GlobalDataShare || row_of(opcode).unit == Unit::WaveSync;
}
// Why no part of the engine executes it, and none shall, as a clause; empty: it is executed, or a gap.
constexpr std::string_view refusal_of(Opcode opcode) noexcept {
  switch (row_of(opcode).unit) {
  case Unit::Image:
    return "it is an image instruction, and the software GPU has no image hardware, as processors for compute alone";
  case Unit::GlobalDataShare:
    return "it is an instruction on global data share or on semaphores of waves, and the software GPU has neither";
  case Unit::Graphics:
    return "it is an instruction of graphics shaders";
  default:
    return row_of(opcode).own_refusal;
  }
}
// The opcode whose body computes `opcode`.
constexpr Opcode body_of(Opcode opcode) noexcept {
  const Opcode body = row_of(opcode).body;
  return body == Opcode::unknown ? opcode : body;
}

// The opcodes whose rows fulfil a predicate, in the table's order; and a table of what f.operator()<opcode>() makes of
// each.
template<auto kPredicate> inline constexpr auto kOpcodesWhere = [] {
  constexpr size_t kCount = [] {
    size_t count = 0;
    for (const OpcodeRow& row : kOpcodeRows) count += kPredicate(row);
    return count;
  }();
  std::array<Opcode, kCount> out{};
  for (size_t k = 0, n = 0; k < kOpcodeCount; ++k)
    if (kPredicate(kOpcodeRows[k])) out[n++] = Opcode(k);
  return out;
}();
template<auto kPredicate, class F> constexpr auto map_opcodes(F f) {
  constexpr auto& kList = kOpcodesWhere<kPredicate>;
  return [&]<size_t... I>(std::index_sequence<I...>) {
    return std::array{f.template operator()<kList[I]>()...};
  }(std::make_index_sequence<kList.size()>());
}

// The opcode that a generation spells so, without encoding suffix ("v_add_nc_u32"); Opcode::unknown: the table has
// none.
Opcode find_opcode(std::string_view spelling);

} // namespace hip::engine
