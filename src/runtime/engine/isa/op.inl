// runtime/engine/isa/op.inl - OP: registers a definition under its opcode and opens its body. types.inl includes it; a file that
// takes some bodies without registering them defines OP by itself meanwhile (scalar_bodies.inl).
#define OP(name, R, params)                                                                                            \
  inline R name params;                                                                                                \
  template <> struct Definition<__COUNTER__ - kFirstCounter> {                                                         \
    static constexpr Opcode kOpcode = Opcode::name;                                                                    \
    static constexpr auto kBody = &name;                                                                               \
  };                                                                                                                   \
  [[gnu::always_inline]] inline R name params
