// runtime/engine/isa/types.inl - included inside the namespace of one instantiation, after kLanes: short names for its
// value types, and OP, which registers a definition and opens its body.
//
//   OP(v_fma_f32, F32, (F32 a, F32 b, F32 c)) { return fma(a, b, c); }
//
// The parameter types say how operands are fetched. Scalars and strips are fetched as named. Pack and Halves are the two 16-bit
// halves of a register, Pair is a register pair. M is a lane mask from an SGPR pair, or VCC when the instruction names none.
// LaneIndex is the lane's number. A parameter beyond the operands that the instruction names is the destination's old value
// (v_fmac); Old is that, too, wherever it stands. Field is a field of the instruction: the truth table of v_bitop3, op_sel of
// conversions that choose bytes by it. The name is a row of isa/opcodes.def; "x_clamp" is instruction x with its clamp bit set, where clamping is not
// saturation to [0, 1]; "x_dx10" is instruction x while MODE.IEEE is 0, "x_ovfl" while MODE.FP16_OVFL is 1.
using F32 = Lane<kLanes>::F32;
using F64 = Lane<kLanes>::F64;
using F16 = Lane<kLanes>::F16;
using U8 = Lane<kLanes>::U8;
using I8 = Lane<kLanes>::I8;
using U16 = Lane<kLanes>::U16;
using I16 = Lane<kLanes>::I16;
using U32 = Lane<kLanes>::U32;
using I32 = Lane<kLanes>::I32;
using U64 = Lane<kLanes>::U64;
using I64 = Lane<kLanes>::I64;
using M = Lane<kLanes>::M;
using PF16 = Pack<F16>;
using HalvesF16 = Halves<Lane<2 * kLanes>::F16>;
using PU16 = Pack<U16>;
using PI16 = Pack<I16>;
using PF32 = Pair<F32>;
using PU32 = Pair<U32>;
using W64 = Wide<U32>;
using U32C = Carry<U32, M>;
using F32C = Carry<F32, M>;
using F64C = Carry<F64, M>;
using W64C = Carry<W64, M>;
using HF16 = Half<F16>;
using HU16 = Half<U16>;
using MixF32 = Mix<F32>;
struct LaneIndex {
  U32 value;
};
struct Old {
  U32 value;
};
struct Field {
  U32 value;
};

// Results and parameters of scalar bodies. Scc as a result type writes only SCC, WithScc<T> both, Maybe<T> writes the
// destination when `write` holds; SaveExec<T> writes the destination, EXEC (all of it, or its low half) and SCC = EXEC is not
// zero. SccIn reads SCC, ExecIn reads EXEC.
template <class T> struct WithScc {
  T value;
  bool scc;
};
struct Scc {
  bool scc;
};
struct SccIn {
  bool scc;
};
template <class T> struct Maybe {
  T value;
  bool write;
};
struct ExecIn { // before the instruction
  uint64_t value;
};
template <class T> struct SaveExec {
  T value, exec;
};

template <int I> struct Definition;
inline constexpr int kFirstCounter = __COUNTER__ + 1;

#include "runtime/engine/isa/op.inl"
