// runtime/engine/compile/analysis/number_facts.h - what operations on numbers make of facts (fact.h): the rules that
// facts.cpp applies step by step to what instructions compute.
#pragma once

#include "runtime/engine/compile/analysis/fact.h"

#include <optional>

namespace hip::engine::compile {

inline constexpr uint8_t kFactorBits = 24; // of a factor of a 24-bit product

// x >> by, then all but the low `width` bits cleared.
Fact shifted_right(const Fact& x, uint32_t by, uint32_t width);
// x >> by, where bits of the sign come in from above.
Fact shifted_right_signed(const Fact& x, uint32_t by);
Fact shifted_left(const Fact& x, uint32_t by);
enum class Sign : int8_t { Plus = 1, Minus = -1 };
Fact sum(const Fact& a, const Fact& b, Sign sign = Sign::Plus);
// a | b where they have no bits in common that differ between lanes.
Fact united(const Fact& a, const Fact& b);
Fact masked(const Fact& x, uint32_t mask);
Fact times(const Fact& x, uint32_t factor);
// Of numbers that are both the same in all lanes of a part.
Fact product(const Fact& a, const Fact& b);
// Products of which only the low 24 bits of the factors count: whether these are the factors, as numbers without a sign
// or with one.
bool are_whole_factors(const Fact& x, const Fact& y, bool has_sign);

// 64-bit numbers.
std::optional<PairFact> pair_of(const Fact& low, const Fact& high);
std::optional<PairFact> shifted_left(const std::optional<PairFact>& x, uint32_t by);
std::optional<PairFact> sum(const std::optional<PairFact>& a, const std::optional<PairFact>& b);

} // namespace hip::engine::compile
