// runtime/engine/isa/body_shape.inl - BodyShape of a definition, from the types of its signature. Include inside an
// instantiation's namespace, after types.inl.
template <class T>
inline constexpr uint32_t kKindOf = sizeof(T) == 8 * kLanes ? kKind64 : sizeof(T) == 2 * kLanes ? kKind16 : kKind32;
template <class V> inline constexpr uint32_t kKindOf<Pack<V>> = kKindPack;
template <class V> inline constexpr uint32_t kKindOf<Halves<V>> = kKindPack;
template <class V> inline constexpr uint32_t kKindOf<Pair<V>> = kKindPair;
template <class V> inline constexpr uint32_t kKindOf<Wide<V>> = kKind64;
template <class V> inline constexpr uint32_t kKindOf<Mix<V>> = kKindMix;
template <class V> inline constexpr uint32_t kKindOf<Quad<V>> = kKindQuad;
template <> inline constexpr uint32_t kKindOf<M> = kKindMask;
template <> inline constexpr uint32_t kKindOf<LaneIndex> = kKindLane;
template <> inline constexpr uint32_t kKindOf<SccIn> = kKindScc;
template <> inline constexpr uint32_t kKindOf<ExecIn> = kKindExec;
template <> inline constexpr uint32_t kKindOf<Old> = kKindOld;
template <> inline constexpr uint32_t kKindOf<Field> = kKindField;

template <class T> inline constexpr FloatKind kFloatOf = FloatKind::None;
template <> inline constexpr FloatKind kFloatOf<F32> = FloatKind::Single;
template <> inline constexpr FloatKind kFloatOf<F64> = FloatKind::Double;
template <> inline constexpr FloatKind kFloatOf<F16> = FloatKind::Half;
template <class V> inline constexpr FloatKind kFloatOf<Half<V>> = kFloatOf<V>;
template <class V> inline constexpr FloatKind kFloatOf<High<V>> = kFloatOf<V>;
template <class V> inline constexpr FloatKind kFloatOf<Pack<V>> = kFloatOf<V>;
template <class V> inline constexpr FloatKind kFloatOf<Halves<V>> = FloatKind::Half;
template <class V> inline constexpr FloatKind kFloatOf<Pair<V>> = kFloatOf<V>;
template <class V> inline constexpr FloatKind kFloatOf<Mix<V>> = kFloatOf<V>;
template <class V> inline constexpr FloatKind kFloatOf<Carry<V, M>> = kFloatOf<V>;

template <class T> inline constexpr uint32_t kFloatBit = 0;
template <> inline constexpr uint32_t kFloatBit<F32> = kResultFloat;
template <> inline constexpr uint32_t kFloatBit<F64> = kResultFloat;
template <> inline constexpr uint32_t kFloatBit<F16> = kResultFloat;

// What a body returns: BodyResult but for the parameters, and which bits of the destination stay.
template <class R> struct ResultOf {
  static constexpr uint32_t kBits = (sizeof(R) == 8 * kLanes   ? 2
                                      : sizeof(R) == 2 * kLanes ? 1 | kResult16
                                                                : 1) |
                                    kFloatBit<R>,
                            kKeep = 0;
};
template <class V> struct ResultOf<Half<V>> {
  static constexpr uint32_t kBits = 1 | kFloatBit<V>, kKeep = 0xffff0000u;
};
template <class V> struct ResultOf<High<V>> {
  static constexpr uint32_t kBits = 1 | kFloatBit<V>, kKeep = 0x0000ffffu;
};
template <class V> struct ResultOf<Pack<V>> {
  static constexpr uint32_t kBits = 1 | kFloatBit<V>, kKeep = 0;
};
template <class V> struct ResultOf<Halves<V>> {
  static constexpr uint32_t kBits = 1 | kResultFloat, kKeep = 0;
};
template <class V> struct ResultOf<Pair<V>> {
  static constexpr uint32_t kBits = 2 | kFloatBit<V>, kKeep = 0;
};
template <class V> struct ResultOf<Wide<V>> {
  static constexpr uint32_t kBits = 2, kKeep = 0;
};
template <class V> struct ResultOf<Quad<V>> {
  static constexpr uint32_t kBits = 4, kKeep = 0;
};
template <class V> struct ResultOf<Carry<V, M>> {
  static constexpr uint32_t kBits = ResultOf<V>::kBits | kResultCarry, kKeep = 0;
};
template <> struct ResultOf<M> {
  static constexpr uint32_t kBits = kResultMask, kKeep = 0;
};
template <> struct ResultOf<Scc> {
  static constexpr uint32_t kBits = kResultScc, kKeep = 0;
};
template <class T> struct ResultOf<WithScc<T>> {
  static constexpr uint32_t kBits = sizeof(T) / 4 | kResultScc, kKeep = 0;
};
template <class T> struct ResultOf<Maybe<T>> {
  static constexpr uint32_t kBits = sizeof(T) / 4 | kResultMaybe, kKeep = 0;
};
template <class T> struct ResultOf<SaveExec<T>> {
  static constexpr uint32_t kBits = sizeof(T) / 4 | kResultScc | kResultExec, kKeep = 0;
};

template <auto Body, class Signature = decltype(Body)> struct ShapeOf;
template <auto Body, class R, class... A> struct ShapeOf<Body, R (*)(A...)> {
  static constexpr BodyShape kShape = [] {
    BodyShape shape;
    uint32_t k = 0;
    ((shape.floats |= uint32_t(kFloatOf<A>) << (2 * k), shape.kinds |= kKindOf<A> << (4 * k++)), ...);
    shape.floats |= uint32_t(kFloatOf<R>) << 30;
    shape.result = ResultOf<R>::kBits | k << kParameterShift;
    shape.keep = ResultOf<R>::kKeep;
    return shape;
  }();
};
