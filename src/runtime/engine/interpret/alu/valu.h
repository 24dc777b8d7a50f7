// runtime/engine/interpret/alu/valu.h - turns a VALU definition into handlers: fetches operands by the types of its parameters,
// applies modifiers, EXEC and the rules of its result type. Four variants per definition: anything with any modifier;
// all operands in VGPRs; the first one scalar and the rest in VGPRs; any mixture without modifiers.
// Include inside the level's namespace, after definitions and isa/body_shape.inl.
#pragma once

// --- operands in the general form
struct Source {
  const char* p;     // strip 0
  uint32_t stride;   // bytes to the next strip: 0 for a scalar, which is staged as one strip
  uint32_t hi;       // bytes to the next register's strip
  uint32_t keep;     // abs and neg: the operand is and-ed with keep, then xor-ed with flip
  uint32_t flip;
  uint32_t keep_hi, flip_hi; // the same for the second half or register (packed math)
  uint32_t shift, shift_hi;  // op_sel: bits to shift right, for the low and the high result
  uint64_t mask;     // the value of a lane-mask operand
};
#define STRIP_INLINE [[gnu::always_inline]] static inline

// These are templates because `if constexpr` discards code that does not compile (here: for scalars) only in templates.
template <class V = U32> STRIP_INLINE V lane_numbers(int q) {
  if constexpr (kLanes == 1) {
    return V(q);
  } else {
    V r;
    for (int l = 0; l < kLanes; ++l) r[l] = uint32_t(l);
    return r + uint32_t(q * kLanes);
  }
}
// Strip q of a 64-bit lane mask.
template <class V = U32> STRIP_INLINE M strip_mask(uint64_t lanes, int q) {
  if constexpr (kLanes == 1) {
    return M{(lanes >> q & 1) != 0};
#ifdef __AVX512F__ // a mask register takes the bits as they are
  } else {
    return __builtin_bit_cast(M, uint16_t(lanes >> (q * kLanes)));
  }
#else
  } else {
    V bit;
    for (int l = 0; l < kLanes; ++l) bit[l] = 1u << l;
    return mask_of<M>((V(uint32_t(lanes >> (q * kLanes))) & bit) != splat<V>(0));
  }
#endif
}
template <class V = M> STRIP_INLINE uint64_t mask_bits(V m, int q) {
  if constexpr (kLanes == 1)
    return uint64_t(bool(m)) << q;
  else
    return uint64_t(__builtin_bit_cast(uint16_t, m)) << (q * kLanes);
}
// Strips of the wave that have lanes.
STRIP_INLINE int strips(const Wave* w) { return int(w->lanes) / kLanes; }
STRIP_INLINE U32 load_strip(const char* p) { return *reinterpret_cast<const U32*>(p); }

// --- how each parameter type is fetched: load() from plain rows, general() with modifiers
template <class T> struct Operand { // 32 bits
  static_assert(sizeof(T) == 4 * kLanes);
  static constexpr uint32_t kRegisters = 1;
  static constexpr bool kFast = true;
  STRIP_INLINE T load(const char* p, uint32_t) { return bits<T>(load_strip(p)); }
  STRIP_INLINE T scalar(const char* p) { return bits<T>(splat<U32>(*reinterpret_cast<const uint32_t*>(p))); }
  STRIP_INLINE T general(const Source& s, int q) {
    return bits<T>(U32((load_strip(s.p + q * s.stride) & s.keep) ^ s.flip));
  }
};
template <class T> struct Operand64 {
  static constexpr uint32_t kRegisters = 2;
  static constexpr bool kFast = true;
  STRIP_INLINE T load(const char* p, uint32_t hi) { return bits<T>(join(load_strip(p), load_strip(p + hi))); }
  STRIP_INLINE T scalar(const char* p) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    return bits<T>(splat<U64>(v));
  }
  STRIP_INLINE T general(const Source& s, int q) {
    const char* p = s.p + q * s.stride;
    return bits<T>(join(load_strip(p), U32((load_strip(p + s.hi) & s.keep) ^ s.flip)));
  }
};
template <> struct Operand<F64> : Operand64<F64> {};
template <> struct Operand<U64> : Operand64<U64> {};
template <> struct Operand<I64> : Operand64<I64> {};
template <class T> struct Operand16 {
  static constexpr uint32_t kRegisters = 1;
  static constexpr bool kFast = true;
  STRIP_INLINE T load(const char* p, uint32_t) { return bits<T>(to<U16>(load_strip(p))); }
  STRIP_INLINE T scalar(const char* p) { return bits<T>(splat<U16>(*reinterpret_cast<const uint16_t*>(p))); }
  STRIP_INLINE T general(const Source& s, int q) {
    return bits<T>(to<U16>(((load_strip(s.p + q * s.stride) >> s.shift) & s.keep) ^ s.flip));
  }
};
template <> struct Operand<F16> : Operand16<F16> {};
template <> struct Operand<U16> : Operand16<U16> {};
template <> struct Operand<I16> : Operand16<I16> {};
template <class V> struct Operand<Pack<V>> {
  static constexpr uint32_t kRegisters = 1;
  static constexpr bool kFast = true;
  STRIP_INLINE Pack<V> split(U32 lo, U32 hi) { return {bits<V>(to<U16>(lo)), bits<V>(to<U16>(hi))}; }
  STRIP_INLINE Pack<V> load(const char* p, uint32_t) {
    const U32 u = load_strip(p);
    return split(u, u >> 16);
  }
  STRIP_INLINE Pack<V> scalar(const char* p) {
    const uint32_t u = *reinterpret_cast<const uint32_t*>(p);
    return split(splat<U32>(u), splat<U32>(u >> 16));
  }
  STRIP_INLINE Pack<V> general(const Source& s, int q) {
    const U32 u = load_strip(s.p + q * s.stride);
    return split(((u >> s.shift) & s.keep) ^ s.flip, ((u >> s.shift_hi) & s.keep_hi) ^ s.flip_hi);
  }
};
template <class V> struct Operand<Halves<V>> {
  static constexpr uint32_t kRegisters = 1;
  static constexpr bool kFast = true;
  STRIP_INLINE Halves<V> load(const char* p, uint32_t) { return {bits<V>(load_strip(p))}; }
  STRIP_INLINE Halves<V> scalar(const char* p) { return {bits<V>(splat<U32>(*reinterpret_cast<const uint32_t*>(p)))}; }
  STRIP_INLINE Halves<V> general(const Source& s, int q) {
    const U32 u = load_strip(s.p + q * s.stride);
    const U32 lo = ((u >> s.shift) & s.keep) ^ s.flip, hi = ((u >> s.shift_hi) & s.keep_hi) ^ s.flip_hi;
    return {bits<V>(U32((lo & 0xffffu) | hi << 16))};
  }
};
template <class V> struct Operand<Pair<V>> {
  static constexpr uint32_t kRegisters = 2;
  static constexpr bool kFast = true;
  STRIP_INLINE Pair<V> load(const char* p, uint32_t hi) {
    return {bits<V>(load_strip(p)), bits<V>(load_strip(p + hi))};
  }
  STRIP_INLINE Pair<V> scalar(const char* p) {
    const uint32_t* u = reinterpret_cast<const uint32_t*>(p);
    return {bits<V>(splat<U32>(u[0])), bits<V>(splat<U32>(u[1]))};
  }
  STRIP_INLINE Pair<V> general(const Source& s, int q) {
    const char* p = s.p + q * s.stride;
    const U32 lo = load_strip(p + (s.shift ? s.hi : 0)), hi = load_strip(p + (s.shift_hi ? s.hi : 0));
    return {bits<V>(U32((lo & s.keep) ^ s.flip)), bits<V>(U32((hi & s.keep_hi) ^ s.flip_hi))};
  }
};
template <class V> struct Operand<Wide<V>> {
  static constexpr uint32_t kRegisters = 2;
  static constexpr bool kFast = true;
  STRIP_INLINE Wide<V> load(const char* p, uint32_t hi) { return {load_strip(p), load_strip(p + hi)}; }
  STRIP_INLINE Wide<V> scalar(const char* p) {
    const uint32_t* u = reinterpret_cast<const uint32_t*>(p);
    return {splat<U32>(u[0]), splat<U32>(u[1])};
  }
  STRIP_INLINE Wide<V> general(const Source& s, int q) {
    const char* p = s.p + q * s.stride;
    return {load_strip(p), U32((load_strip(p + s.hi) & s.keep) ^ s.flip)};
  }
};
template <> struct Operand<Mix<F32>> {
  static constexpr uint32_t kRegisters = 1;
  static constexpr bool kFast = false;
  STRIP_INLINE Mix<F32> general(const Source& s, int q) {
    const U32 u = load_strip(s.p + q * s.stride);
    const F32 v = s.shift_hi ? to<F32>(bits<F16>(to<U16>(u >> s.shift))) : bits<F32>(u); // shift_hi is set: the operand is an f16
    return {bits<F32>(U32((ubits(v) & s.keep) ^ s.flip))};
  }
};
template <> struct Operand<Quad<U32>> {
  static constexpr uint32_t kRegisters = 4;
  static constexpr bool kFast = true;
  STRIP_INLINE Quad<U32> general(const Source& s, int q) { return load(s.p + q * s.stride, s.hi); }
  STRIP_INLINE Quad<U32> load(const char* p, uint32_t hi) {
    return {load_strip(p), load_strip(p + hi), load_strip(p + 2 * hi), load_strip(p + 3 * hi)};
  }
};
// Lane masks and lane numbers are not fetched as data.
template <> struct Operand<M> {
  static constexpr uint32_t kRegisters = 0;
  static constexpr bool kFast = true;
};
template <> struct Operand<LaneIndex> {
  static constexpr uint32_t kRegisters = 0;
  static constexpr bool kFast = true;
};
template <> struct Operand<Field> {
  static constexpr uint32_t kRegisters = 0;
  static constexpr bool kFast = true;
};
template <> struct Operand<Old> { // always rows
  static constexpr uint32_t kRegisters = 0;
  static constexpr bool kFast = true;
  STRIP_INLINE Old load(const char* p, uint32_t) { return {load_strip(p)}; }
};

// --- how each result type is stored: as rows of 32 bits; kKeep are the bits of the register that keep their value
template <class R> struct Outcome {
  static constexpr uint32_t kRows = sizeof(R) / (4 * kLanes), kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(R r, U32* out) {
    if constexpr (kRows == 1) {
      out[0] = bits<U32>(r);
    } else {
      const U64 u = bits<U64>(r);
      out[0] = low_half(u), out[1] = high_half(u);
    }
  }
};
template <class V> struct Outcome16 {
  static constexpr uint32_t kRows = 1, kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(V r, U32* out) { out[0] = to<U32>(bits<U16>(r)); }
};
template <> struct Outcome<F16> : Outcome16<F16> {};
template <> struct Outcome<U16> : Outcome16<U16> {};
template <> struct Outcome<I16> : Outcome16<I16> {};
template <class V> struct Outcome<Half<V>> {
  static constexpr uint32_t kRows = 1, kKeep = 0xffff0000u;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(Half<V> r, U32* out) { out[0] = to<U32>(bits<U16>(r.value)); }
};
template <class V> struct Outcome<High<V>> {
  static constexpr uint32_t kRows = 1, kKeep = 0x0000ffffu;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(High<V> r, U32* out) { out[0] = to<U32>(bits<U16>(r.value)) << 16; }
};
template <class V> struct Outcome<Pack<V>> {
  static constexpr uint32_t kRows = 1, kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(Pack<V> r, U32* out) {
    out[0] = to<U32>(bits<U16>(r.lo)) | (to<U32>(bits<U16>(r.hi)) << 16);
  }
};
template <class V> struct Outcome<Halves<V>> {
  static constexpr uint32_t kRows = 1, kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(Halves<V> r, U32* out) { out[0] = bits<U32>(r.value); }
};
template <class V> struct Outcome<Pair<V>> {
  static constexpr uint32_t kRows = 2, kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(Pair<V> r, U32* out) { out[0] = bits<U32>(r.lo), out[1] = bits<U32>(r.hi); }
};
template <class V> struct Outcome<Wide<V>> {
  static constexpr uint32_t kRows = 2, kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(Wide<V> r, U32* out) { out[0] = r.lo, out[1] = r.hi; }
};
template <> struct Outcome<Quad<U32>> {
  static constexpr uint32_t kRows = 4, kKeep = 0;
  static constexpr bool kCarry = false, kMask = false;
  STRIP_INLINE void rows(Quad<U32> r, U32* out) { out[0] = r.x, out[1] = r.y, out[2] = r.z, out[3] = r.w; }
};
template <class V> struct Outcome<Carry<V, M>> {
  static constexpr uint32_t kRows = Outcome<V>::kRows, kKeep = 0;
  static constexpr bool kCarry = true, kMask = false;
  STRIP_INLINE void rows(Carry<V, M> r, U32* out) { Outcome<V>::rows(r.value, out); }
};
template <> struct Outcome<M> {
  static constexpr uint32_t kRows = 0, kKeep = 0;
  static constexpr bool kCarry = false, kMask = true;
  STRIP_INLINE void rows(M, U32*) {}
};

// --- output modifiers: clamp to [0, 1] (a NaN becomes 0, or stays without MODE.DX10_CLAMP, ERRATA 14) and omod (ERRATA 13)
template <class T> inline constexpr bool kIsFloat = false;
template <> inline constexpr bool kIsFloat<F32> = true;
template <> inline constexpr bool kIsFloat<F64> = true;
template <> inline constexpr bool kIsFloat<F16> = true;
template <class T> STRIP_INLINE T modify(T r, uint32_t flags) {
  const uint32_t omod = flags >> kOmodShift & 3;
  const T factor = to<T>(splat<F32>(omod == 0 ? 1.0f : omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f));
  if (omod) r = r * factor;
  if (flags & kClamp) {
    const T zero = to<T>(splat<F32>(0.0f)), one = to<T>(splat<F32>(1.0f));
    const T clamped = sel(CMP(r > zero), sel(CMP(r < one), r, one), zero);
    r = flags & kClampKeepsNan ? sel(is_nan(r), r, clamped) : clamped;
  }
  return r;
}
template <class R> struct Modify {
  static constexpr bool kFloat = kIsFloat<R>;
  STRIP_INLINE R apply(R r, uint32_t flags) {
    if constexpr (kIsFloat<R>) return modify(r, flags);
    return r;
  }
};
template <class V> struct Modify<Pack<V>> {
  static constexpr bool kFloat = kIsFloat<V>;
  STRIP_INLINE Pack<V> apply(Pack<V> r, uint32_t flags) {
    return {Modify<V>::apply(r.lo, flags), Modify<V>::apply(r.hi, flags)};
  }
};
template <class V> struct Modify<Halves<V>> {
  static constexpr bool kFloat = true;
  STRIP_INLINE Halves<V> apply(Halves<V> r, uint32_t flags) {
    if (!(flags & (kClamp | 3u << kOmodShift))) return r;
    const U32 u = bits<U32>(r.value);
    const Pack<F16> halves = Modify<Pack<F16>>::apply({bits<F16>(to<U16>(u)), bits<F16>(to<U16>(u >> 16))}, flags);
    U32 out;
    Outcome<Pack<F16>>::rows(halves, &out);
    return {bits<V>(out)};
  }
};
template <class V> struct Modify<Pair<V>> {
  static constexpr bool kFloat = kIsFloat<V>;
  STRIP_INLINE Pair<V> apply(Pair<V> r, uint32_t flags) {
    return {Modify<V>::apply(r.lo, flags), Modify<V>::apply(r.hi, flags)};
  }
};
template <class V> struct Modify<Carry<V, M>> {
  static constexpr bool kFloat = kIsFloat<V>;
  STRIP_INLINE Carry<V, M> apply(Carry<V, M> r, uint32_t flags) { return {Modify<V>::apply(r.value, flags), r.carry}; }
};
template <class V> struct Modify<Half<V>> {
  static constexpr bool kFloat = kIsFloat<V>;
  STRIP_INLINE Half<V> apply(Half<V> r, uint32_t flags) { return {Modify<V>::apply(r.value, flags)}; }
};
template <class V> struct Modify<High<V>> {
  static constexpr bool kFloat = kIsFloat<V>;
  STRIP_INLINE High<V> apply(High<V> r, uint32_t flags) { return {Modify<V>::apply(r.value, flags)}; }
};

// --- handlers
template <auto Body, class Signature = decltype(Body)> struct Valu;

template <auto Body, class R, class... A> struct Valu<Body, R (*)(A...)> {
  using Out = Outcome<R>;
  static constexpr uint32_t kCount = sizeof...(A);
  static constexpr bool kHasFast = (Operand<A>::kFast && ...);
  // A fourth operand (v_div_fmas reads VCC) has its offset in dst2; a Field is there itself.
  static constexpr uint32_t kKinds[kCount + 1] = {kKindOf<A>...};
  STRIP_INLINE uint32_t offset(const Inst* i, uint32_t k) {
    return kKinds[k] == kKindOld ? i->dst : k < 3 ? i->src[k] : i->dst2;
  }
  STRIP_INLINE Field field_of(uint64_t value) { return {splat<U32>(uint32_t(value))}; }

  // An operand of the fast handlers: the address of its row or scalar and, for a lane mask, its value.
  struct OperandAddress {
    const char* p;
    uint64_t mask;
  };
  template <class T, bool kScalar> STRIP_INLINE T fetch(const OperandAddress& operand, int q) {
    if constexpr (std::is_same_v<T, M>)
      return strip_mask(operand.mask, q);
    else if constexpr (std::is_same_v<T, LaneIndex>)
      return {lane_numbers(q)};
    else if constexpr (std::is_same_v<T, Field>)
      return field_of(operand.mask);
    else if constexpr (kScalar)
      return Operand<T>::scalar(operand.p);
    else
      return Operand<T>::load(operand.p + q * kStripBytes, kRowBytes);
  }
  template <bool kScalar0, size_t... K>
  STRIP_INLINE R compute(const OperandAddress* operands, int q, std::index_sequence<K...>) {
    return Body(fetch<A, kScalar0 && K == 0>(operands[K], q)...);
  }
  // Stores strip q of a result; lanes outside `exec` keep their value.
  template <bool kFull> STRIP_INLINE void store(char* dst, R r, int q, uint64_t exec, uint64_t& bits_out) {
    if constexpr (Out::kMask) bits_out |= mask_bits(r, q);
    if constexpr (Out::kCarry) bits_out |= mask_bits(r.carry, q);
    if constexpr (Out::kRows != 0) {
      U32 rows[Out::kRows];
      Out::rows(r, rows);
      char* d = dst + q * kStripBytes;
      for (uint32_t n = 0; n < Out::kRows; ++n) {
        U32& at = *reinterpret_cast<U32*>(d + n * kRowBytes);
        U32 v = rows[n];
        if constexpr (Out::kKeep != 0) v = v | (at & Out::kKeep);
        // Volatile: otherwise the compiler makes a masked store of it, and later loads cannot forward from that.
        if constexpr (kFull)
          at = v;
        else
          *const_cast<volatile U32*>(&at) = sel(strip_mask(exec, q), v, at);
      }
    }
  }
  // The lane mask that a compare or a carry leaves: a bit per lane of the wave; those of inactive lanes are 0.
  STRIP_INLINE void store_mask(Wave* w, const Inst* i, uint64_t lanes) {
    if constexpr (Out::kMask || Out::kCarry) {
      if (i->flags & kMask32) [[unlikely]]
        at<uint32_t>(w, i->dst2) = uint32_t(lanes);
      else
        at<uint64_t>(w, i->dst2) = lanes;
      if constexpr (Out::kMask) {
        if (i->flags & kWriteExec) [[unlikely]] at<uint64_t>(w, Wave::sgpr_offset(kExecLo)) = lanes;
      }
    }
  }
  template <bool kScalar0> static void RT_HANDLER_CC fast(Wave* w, const Inst* i) {
    OperandAddress operands[kCount + 1];
    for (uint32_t k = 0; k < kCount; ++k) {
      const bool constant = kScalar0 && k == 0 && (i->flags & kSrcConst) != 0;
      operands[k].p = (constant ? reinterpret_cast<const char*>(i) : reinterpret_cast<const char*>(w)) + offset(i, k);
      if (kKinds[k] == kKindMask) std::memcpy(&operands[k].mask, operands[k].p, 8);
      if (kKinds[k] == kKindField) operands[k].mask = i->dst2;
    }
    char* const dst = reinterpret_cast<char*>(w) + i->dst;
    const uint64_t exec = w->exec();
    uint64_t lanes = 0;
    constexpr std::make_index_sequence<kCount> all;
    if (Out::kRows == 0 || exec == ~uint64_t(0)) [[likely]] {
      for (int q = 0; q < kStrips; ++q) store<true>(dst, compute<kScalar0>(operands, q, all), q, exec, lanes);
    } else {
      _Pragma("clang loop unroll(disable)") for (int q = 0, count = strips(w); q < count; ++q)
          store<false>(dst, compute<kScalar0>(operands, q, all), q, exec, lanes);
    }
    store_mask(w, i, lanes & exec);
    RT_NEXT(w, i);
  }

  // The handler for any mixture of rows and scalars without modifiers. A scalar is staged as one strip that all strips read.
  template <class T>
  STRIP_INLINE void place(Wave* w, const Inst* i, int k, const char*& p, uint32_t& stride, uint32_t& hi, char* stage) {
    const bool constant = k < 3 && (i->flags & (kSrcConst << k)) != 0;
    p = (constant ? reinterpret_cast<const char*>(i) : reinterpret_cast<const char*>(w)) + offset(i, uint32_t(k));
    stride = kStripBytes, hi = kRowBytes;
    if constexpr (std::is_same_v<T, Field>) p = reinterpret_cast<const char*>(&i->dst2);
    if constexpr (Operand<T>::kRegisters != 0) {
      if (!(i->flags & (kSrcVector << k))) {
        const uint32_t* u = reinterpret_cast<const uint32_t*>(p);
        for (uint32_t n = 0; n < Operand<T>::kRegisters; ++n)
          *reinterpret_cast<U32*>(stage + n * kStripBytes) = splat<U32>(u[n]);
        p = stage, stride = 0, hi = kStripBytes;
      }
    }
  }
  template <class T> STRIP_INLINE T mixed_operand(const char* p, uint32_t stride, uint32_t hi, int q) {
    if constexpr (std::is_same_v<T, M>) {
      uint64_t lanes; // in any SGPR, or two that follow each other
      __builtin_memcpy(&lanes, p, sizeof lanes);
      return strip_mask(lanes, q);
    } else if constexpr (std::is_same_v<T, LaneIndex>)
      return {lane_numbers(q)};
    else if constexpr (std::is_same_v<T, Field>)
      return field_of(*reinterpret_cast<const uint32_t*>(p));
    else
      return Operand<T>::load(p + uint32_t(q) * stride, hi);
  }
  template <size_t... K> STRIP_INLINE void run_mixed(Wave* w, const Inst* i, std::index_sequence<K...>) {
    alignas(64) char stage[kCount + 1][4 * kStripBytes];
    const char* p[kCount + 1];
    uint32_t stride[kCount + 1], hi[kCount + 1];
    (place<A>(w, i, int(K), p[K], stride[K], hi[K], stage[K]), ...);
    char* const dst = reinterpret_cast<char*>(w) + i->dst;
    const uint64_t exec = w->exec();
    uint64_t lanes = 0;
    _Pragma("clang loop unroll(disable)") for (int q = 0, count = strips(w); q < count; ++q) {
      const R r = Body(mixed_operand<A>(p[K], stride[K], hi[K], q)...);
      if (exec == ~uint64_t(0))
        store<true>(dst, r, q, exec, lanes);
      else
        store<false>(dst, r, q, exec, lanes);
    }
    store_mask(w, i, lanes & exec);
  }
  static void RT_HANDLER_CC mixed(Wave* w, const Inst* i) {
    run_mixed(w, i, std::make_index_sequence<kCount>());
    RT_NEXT(w, i);
  }

  // One operand of the general form.
  template <class T> STRIP_INLINE void prepare(Wave* w, const Inst* i, int k, Source& s, char* stage) {
    const uint32_t f = i->flags;
    const bool constant = k < 3 && (f & (kSrcConst << k)) != 0;
    const char* p = (constant ? reinterpret_cast<const char*>(i) : reinterpret_cast<const char*>(w)) + offset(i, k);
    constexpr uint32_t kind = kKindOf<T>;
    if constexpr (kind == kKindMask) {
      std::memcpy(&s.mask, p, 8);
      return;
    } else if constexpr (kind == kKindLane) {
      return;
    } else if constexpr (kind == kKindField) {
      s.mask = i->dst2;
      return;
    } else if constexpr (kind == kKindOld) {
      s.p = p;
      return;
    } else {
      constexpr bool half = kind == kKind16 || kind == kKindPack;
      constexpr uint32_t sign = half ? 0x8000u : 0x80000000u;
      s.hi = kRowBytes, s.stride = kStripBytes, s.p = p;
      s.keep = s.keep_hi = ~0u;
      s.flip = f & (kNeg << k) ? sign : 0;
      s.shift = f & (kOpSel << k) ? 16 : 0;
      s.shift_hi = f & (kOpSelHi << k) ? 16 : 0;
      if constexpr (kind == kKindPack || kind == kKindPair)
        s.flip_hi = f & (kAbs << k) ? sign : 0;
      else
        s.keep = f & (kAbs << k) ? ~sign : ~0u;
      if (!(f & (kSrcVector << k))) {
        const uint32_t* u = reinterpret_cast<const uint32_t*>(p);
        for (uint32_t n = 0; n < Operand<T>::kRegisters; ++n)
          *reinterpret_cast<U32*>(stage + n * kStripBytes) = splat<U32>(u[n]);
        s.p = stage, s.stride = 0, s.hi = kStripBytes;
      }
    }
  }
  template <class T> STRIP_INLINE T general_operand(const Source& s, int q) {
    if constexpr (std::is_same_v<T, M>)
      return strip_mask(s.mask, q);
    else if constexpr (std::is_same_v<T, LaneIndex>)
      return {lane_numbers(q)};
    else if constexpr (std::is_same_v<T, Field>)
      return field_of(s.mask);
    else if constexpr (std::is_same_v<T, Old>)
      return Operand<T>::load(s.p + q * kStripBytes, kRowBytes);
    else
      return Operand<T>::general(s, q);
  }
  // kSpecial: the instruction has DPP or SDWA, output modifiers, or a result in the upper half.
  static constexpr uint32_t kSpecialFlags = kDpp | kSdwa | kKeepHigh | kClamp | 3u << kOmodShift | kOpSel << 3;
  template <bool kSpecial, size_t... K>
  STRIP_INLINE void run_general(Wave* w, const Inst* i, std::index_sequence<K...>) {
    alignas(64) char stage[kCount + 1][4 * kStripBytes];
    Source s[kCount + 1];
    (prepare<A>(w, i, int(K), s[K], stage[K]), ...);
    const uint32_t f = i->flags;
    char* const dst = reinterpret_cast<char*>(w) + i->dst;
    const uint64_t exec = w->exec();
    uint64_t writable = exec, lanes = 0;
    Staged staged;
    if constexpr (kSpecial) {
      if (f & (kDpp | kSdwa)) {
        constexpr uint32_t kRegisters[kCount + 1] = {Operand<A>::kRegisters...};
        const int operands = f & kDpp || kCount < 2 ? 1 : 2;
        if (f & kDpp)
          stage_dpp(w, i, kRegisters[0], staged);
        else
          stage_sdwa(w, i, uint32_t(operands), staged);
        writable &= staged.write_mask;
        for (int k = 0; k < operands; ++k) {
          if (kRegisters[k] == 0) continue;
          s[k].p = reinterpret_cast<const char*>(staged.rows[k][0]), s[k].stride = kStripBytes, s[k].hi = kRowBytes;
        }
      }
    }
    alignas(64) uint32_t sdwa_result[kMaxLanes];
    _Pragma("clang loop unroll(disable)") for (int q = 0, count = strips(w); q < count; ++q) {
      R r = Body(general_operand<A>(s[K], q)...);
      if constexpr (kSpecial) {
        if (f & (kClamp | 3u << kOmodShift)) r = Modify<R>::apply(r, f);
        if constexpr (Out::kRows == 1) {
          if (f & kSdwa) {
            Out::rows(r, reinterpret_cast<U32*>(sdwa_result) + q);
            if constexpr (Out::kCarry) lanes |= mask_bits(r.carry, q);
            continue;
          }
        }
        if constexpr (Out::kRows == 1 && !Out::kCarry) {
          if ((f & (kKeepHigh | kOpSel << 3)) == kKeepHigh) {
            U32 v;
            Out::rows(r, &v);
            U32& d = *reinterpret_cast<U32*>(dst + q * kStripBytes);
            d = sel(strip_mask(writable, q), U32((v & 0xffffu) | (d & 0xffff0000u)), d);
            continue;
          }
          if (f & (kOpSel << 3)) { // 16-bit result into the upper half
            U32 v;
            Out::rows(r, &v);
            U32& d = *reinterpret_cast<U32*>(dst + q * kStripBytes);
            d = sel(strip_mask(writable, q), U32((v << 16) | (d & 0xffffu)), d);
            continue;
          }
        }
      }
      if (writable == ~uint64_t(0))
        store<true>(dst, r, q, writable, lanes);
      else
        store<false>(dst, r, q, writable, lanes);
    }
    if constexpr (kSpecial && Out::kRows == 1) {
      if (f & kSdwa) store_sdwa(w, i, sdwa_result, writable);
    }
    store_mask(w, i, lanes & writable);
  }
  static void RT_HANDLER_CC special(Wave* w, const Inst* i) {
    run_general<true>(w, i, std::make_index_sequence<kCount>());
    RT_NEXT(w, i);
  }
  static void RT_HANDLER_CC general(Wave* w, const Inst* i) {
    if (i->flags & kSpecialFlags) [[unlikely]] {
      [[clang::musttail]] return special(w, i);
    }
    run_general<false>(w, i, std::make_index_sequence<kCount>());
    RT_NEXT(w, i);
  }
};

// One row per definition of the including namespace.
template <class D> constexpr OpRow valu_row() {
  using V = Valu<D::kBody>;
  if constexpr (V::kHasFast)
    return {D::kOpcode, lift_valu, {&V::general, &V::template fast<false>, &V::template fast<true>, &V::mixed}};
  else
    return {D::kOpcode, lift_valu, {&V::general}};
}
