// runtime/engine/compile/library/parts.h - vectors of twice the size of the host's registers.
#pragma once

namespace hip::engine::library {

// each(a's part, b's part) of both parts, as one R: a and b have the size of two Part.
template<class Part, class R, class V, class Each>
[[gnu::always_inline]] inline R in_two_parts(V a, V b, Each each) {
  struct Parts {
    Part low, high;
  };
  const Parts x = __builtin_bit_cast(Parts, a), y = __builtin_bit_cast(Parts, b);
  return __builtin_bit_cast(R, Parts{each(x.low, y.low), each(x.high, y.high)});
}

} // namespace hip::engine::library
