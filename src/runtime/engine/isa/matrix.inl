// runtime/engine/isa/matrix.inl - matrix instructions, D = A * B + C, as both tiers execute them: on strips of 16 lanes,
// kLanes = 16 whatever the host level. The text is included behind types.inl, helpers.inl and vop_fp8.inl.
//
// A register is four strips, as it lies in a wave's block. In D a strip is a row of 16 columns (16x16 and 32x32). So a step adds
// rows of B, each times an element of A, to rows of C. First prepare() turns A and B into *units*: a unit is what one step
// takes from an operand, and units are stored in the order of the steps. Products are accumulated in ascending k with one fma
// each (i8: wrapping 32-bit sums, in any order); for bf16 and 8-bit floats in pairs of ascending k, the odd one of each pair
// first, as hosts' dot products do it (ERRATA 38).
//
// Layouts: AMD's CDNA3 ISA manual, "Matrix arithmetic instructions", and AMD's matrix instruction calculator.
inline constexpr uint32_t kQuarters = kMaxLanes / kLanes; // strips of a register
using Register = U32[kQuarters];

// Stands in front of a loop over an operand's strips. Code for AVX-512, which the translator's library is compiled as, unrolls it: LLVM
// sees each strip by itself. Other hosts' handlers keep the loop: unrolled, they are two to four times the code, and take as long to compile.
#ifdef __AVX512F__
#define FOR_STRIPS _Pragma("clang loop unroll(full)")
#else
#define FOR_STRIPS
#endif

// --- Elements of A or B. unit(rows, q, u) gives unit u of the lanes of strip q; a register holds kUnits units (f64: two
// registers hold one). Where a unit is one element, unit u is element u ^ kSwapped. kAsIs: units are the registers as they are.
// step(c, a, b) adds a product to c.
template <class T> struct FloatSteps {
  using Unit = T;
  using Sum = T;
  static constexpr uint32_t kDwords = sizeof(T) / sizeof(U32); // of one lane of a sum
  static constexpr uint32_t kSwapped = 0;
  static constexpr bool kInPlace = false, kAsIs = false;
  [[gnu::always_inline]] static Sum step(Sum c, Unit a, Unit b) { return __builtin_elementwise_fma(a, b, c); }
};
struct ElementF32 : FloatSteps<F32> {
  static constexpr uint32_t kBits = 32, kUnits = 1;
  static constexpr bool kInPlace = true, kAsIs = true;
  [[gnu::always_inline]] static F32 unit(const Register* rows, uint32_t q, uint32_t u) { return bits<F32>(rows[u][q]); }
};
struct ElementXf32 : ElementF32 { // 10 bits of mantissa, to nearest even (ERRATA 40)
  static constexpr bool kAsIs = false;
  [[gnu::always_inline]] static F32 unit(const Register* rows, uint32_t q, uint32_t u) {
    const U32 v = rows[u][q];
    const U32 rounded = (v + 0xfffu + ((v >> 13) & 1u)) & ~0x1fffu;
    return bits<F32>(sel(is_nan(bits<F32>(v)), U32(v | 0x400000u), rounded));
  }
};
struct ElementF16 : FloatSteps<F32> {
  static constexpr uint32_t kBits = 16, kUnits = 2;
  [[gnu::always_inline]] static F32 unit(const Register* rows, uint32_t q, uint32_t u) {
    return to<F32>(bits<F16>(to<U16>(rows[u / 2][q] >> (u % 2 * 16))));
  }
};
struct ElementBf16 : FloatSteps<F32> {
  static constexpr uint32_t kBits = 16, kUnits = 2, kSwapped = 1;
  [[gnu::always_inline]] static F32 unit(const Register* rows, uint32_t q, uint32_t u) {
    const U32 v = rows[u / 2][q];
    return bits<F32>((u ^ kSwapped) % 2 ? U32(v & 0xffff0000u) : U32(v << 16));
  }
};
template <class Format> struct ElementFp8 : FloatSteps<F32> {
  static constexpr uint32_t kBits = 8, kUnits = 4, kSwapped = 1;
  [[gnu::always_inline]] static F32 unit(const Register* rows, uint32_t q, uint32_t u) {
    return from_small<Format>((rows[u / 4][q] >> ((u ^ kSwapped) % 4 * 8)) & 0xffu);
  }
};
using ElementE4m3Fnuz = ElementFp8<E4m3Fnuz>;
using ElementE5m2Fnuz = ElementFp8<E5m2Fnuz>;
using ElementE4m3 = ElementFp8<E4m3>;
using ElementE5m2 = ElementFp8<E5m2>;
struct ElementI8 { // four at a time
  using Unit = U32;
  using Sum = U32;
  static constexpr uint32_t kBits = 8, kUnits = 1, kDwords = 1;
  static constexpr bool kInPlace = true, kAsIs = true;
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) { return rows[u][q]; }
  [[gnu::always_inline]] static U32 step(U32 c, U32 a, U32 b) {
    for (uint32_t k = 0; k < 32; k += 8) c += bits<U32>((bits<I32>(a << k) >> 24) * (bits<I32>(b << k) >> 24));
    return c;
  }
};
struct ElementI8Single { // one at a time
  using Unit = I32;
  using Sum = U32;
  static constexpr uint32_t kBits = 8, kUnits = 4, kDwords = 1, kSwapped = 0;
  static constexpr bool kInPlace = false, kAsIs = false;
  [[gnu::always_inline]] static I32 unit(const Register* rows, uint32_t q, uint32_t u) {
    return bits<I32>(rows[u / 4][q] << (24 - u % 4 * 8)) >> 24;
  }
  [[gnu::always_inline]] static U32 step(U32 c, I32 a, I32 b) { return c + bits<U32>(a * b); }
};
// Integers of kBits_ bits, as floats: sums of 256 products are exact. Their sum is not that of the instruction (multiply_placed()).
template <int kBits_, bool kSigned> struct ElementInteger : FloatSteps<F32> {
  static constexpr uint32_t kBits = kBits_, kUnits = 32 / kBits_;
  [[gnu::always_inline]] static F32 unit(const Register* rows, uint32_t q, uint32_t u) {
    const U32 left = rows[u / kUnits][q] << (32 - kBits - u % kUnits * kBits);
    return to<F32>(kSigned ? bits<I32>(left) >> (32 - kBits) : bits<I32>(left >> (32 - kBits)));
  }
};
template <int kBits> using ElementU = ElementInteger<kBits, false>;
template <int kBits> using ElementS = ElementInteger<kBits, true>;
// The lanes of doubles come in two halves, lanes 4n and 4n + 1 first, then 4n + 2 and 4n + 3: in this order one interleaving
// operation of the host makes eight doubles of two registers' strips, and one more parts them. Every strip of an instruction
// has it, so lanes meet their own. Lane n is element f64_place(n).
constexpr uint32_t f64_place(uint32_t lane) { return lane / 4 * 2 + lane % 2 + lane % 4 / 2 * 8; }
[[gnu::always_inline]] inline F64 join_f64(U32 low, U32 high) {
  return bits<F64>(__builtin_shufflevector(low, high, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29, //
                                           2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31));
}
[[gnu::always_inline]] inline void part_f64(F64 v, U32& low, U32& high) {
  using Words = uint32_t __attribute__((ext_vector_type(2 * kLanes)));
  const Words w = bits<Words>(v);
  low = __builtin_shufflevector(w, w, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30);
  high = __builtin_shufflevector(w, w, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31);
}
struct ElementF64 : FloatSteps<F64> {
  static constexpr uint32_t kBits = 64, kUnits = 1;
  [[gnu::always_inline]] static F64 unit(const Register* rows, uint32_t q, uint32_t u) {
    return join_f64(rows[2 * u][q], rows[2 * u + 1][q]);
  }
};

template <class Unit> using LaneOf = std::remove_cvref_t<decltype(Unit{}[0])>;
// The element of a unit that lane `lane` has.
template <class Unit> constexpr uint32_t place_of(uint32_t lane) { return sizeof(LaneOf<Unit>) == 8 ? f64_place(lane) : lane; }
// Strip q of a sum, which lies in the register (f64: the two registers) at `rows`.
template <class Sum> [[gnu::always_inline]] inline Sum load_sum(const Register* rows, uint32_t q) {
  if constexpr (sizeof(Sum) == sizeof(U32))
    return bits<Sum>(rows[0][q]);
  else
    return join_f64(rows[0][q], rows[1][q]);
}
template <class Sum> [[gnu::always_inline]] inline void store_sum(Register* rows, uint32_t q, Sum sum) {
  if constexpr (sizeof(Sum) == sizeof(U32))
    rows[0][q] = bits<U32>(sum);
  else
    part_f64(sum, rows[0][q], rows[1][q]);
}
// Gives every lane of a quad the value of the quad's lane `kFrom`.
template <uint32_t kFrom, class V> [[gnu::always_inline]] inline V from_lane_of_quad(V v) {
  if constexpr (sizeof(LaneOf<V>) == 8) { // a quad is elements 2n, 2n + 1, 2n + 8 and 2n + 9
    constexpr uint32_t n = f64_place(kFrom);
    return __builtin_shufflevector(v, v, n, n, n + 2, n + 2, n + 4, n + 4, n + 6, n + 6, //
                                   n, n, n + 2, n + 2, n + 4, n + 4, n + 6, n + 6);
  } else {
    constexpr uint32_t n = kFrom;
    return __builtin_shufflevector(v, v, n, n, n, n, n + 4, n + 4, n + 4, n + 4, n + 8, n + 8, n + 8, n + 8, //
                                   n + 12, n + 12, n + 12, n + 12);
  }
}
template <class V> [[gnu::always_inline]] inline V from_quad(V v, uint32_t from) {
  switch (from) {
  case 0: return from_lane_of_quad<0>(v);
  case 1: return from_lane_of_quad<1>(v);
  case 2: return from_lane_of_quad<2>(v);
  default: return from_lane_of_quad<3>(v);
  }
}

// One instruction: elements EA and EB, kBlocks products of kM x kK and kK x kM.
template <class EA, class EB, uint32_t kM, uint32_t kK, uint32_t kBlocks> struct Matrix {
  using Unit = typename EA::Unit;
  using Sum = typename EA::Sum;
  static constexpr uint32_t kElementBits = EA::kBits;
  static constexpr uint32_t kGroupLanes = kM * kBlocks, kGroups = kMaxLanes / kGroupLanes; // lanes that hold the same k
  static constexpr uint32_t kGroupStrips = (kGroupLanes + kLanes - 1) / kLanes;
  static constexpr uint32_t kLaneBits = kK / kGroups * EA::kBits; // of A, and of B, in one lane
  static constexpr uint32_t kSourceRegisters = (kLaneBits + 31) / 32;
  static constexpr uint32_t kLaneUnits = kSourceRegisters * EA::kUnits / (EA::kBits == 64 ? 2 : 1);
  static constexpr uint32_t kSteps = kGroups * kLaneUnits;
  static constexpr uint32_t kSumRegisters = kM * kM * kBlocks / kMaxLanes * EA::kDwords;
  static constexpr uint32_t kUnitStrips = kQuarters * kLaneUnits; // the strips that prepare() writes
  // Distances in strips: between two units of a lane, and between two groups' units.
  static constexpr bool kInPlace = EA::kInPlace && EB::kInPlace, kAsIs = EA::kAsIs && EB::kAsIs;
  static constexpr uint32_t kUnitStride = kInPlace ? kQuarters : kGroupStrips,
                            kGroupStride = kInPlace ? kGroupStrips : kLaneUnits * kGroupStrips;
  static_assert(sizeof(Unit) == sizeof(typename EB::Unit) && EA::kUnits == EB::kUnits && EA::kBits == EB::kBits);

  static constexpr uint32_t kRows = kM, kBlockCount = kBlocks, kUnitBytesA = kUnitStrips * sizeof(Unit), kUnitBytesB = kUnitBytesA;
  static constexpr uint32_t kSourceRegistersB = kSourceRegisters, kIndexBits = 0; // only sparse instructions have index bits

  // Step s is unit u of group g, s = g * kLaneUnits + u. `units` may be `rows` where kInPlace.
  template <class E> [[gnu::always_inline]] static void prepare(const Register* rows, Unit* units) {
    FOR_STRIPS
    for (uint32_t n = 0; n < kUnitStrips; ++n) {
      const uint32_t q = n % kQuarters, u = n / kQuarters;
      units[q / kGroupStrips * kGroupStride + u * kUnitStride + q % kGroupStrips] = E::unit(rows, q, u);
    }
  }
  [[gnu::always_inline]] static void prepare_a(const Register* rows, const Register*, Unit* units) { prepare<EA>(rows, units); }
  [[gnu::always_inline]] static void prepare_b(const Register* rows, Unit* units) { prepare<EB>(rows, units); }

  // Units of both operands.
  struct Factors {
    const Unit *a, *b;
  };
  // `count` instructions with the same sums, one after the other; `sums` holds C and then D.
  [[gnu::always_inline]] static void multiply(const Factors* all, uint32_t count, Register* sums) {
    if constexpr (kM == 4) {
      for (uint32_t n = 0; n < count; ++n)
        if constexpr (EA::kBits == 64)
          quads_by_strip(all[n].a, all[n].b, sums);
        else
          quads_by_register(all[n].a, all[n].b, sums);
    } else {
      multiply_tiles(all, count, sums, [](auto&, uint32_t) { return true; });
    }
  }
  // The same, tile by tile. A tile that `begin` refuses is left out, and its bit in the result is set.
  static constexpr uint32_t kTiles = kSumRegisters / 4;
  template <class F>
  [[gnu::always_inline]] static uint32_t multiply_tiles(const Factors* all, uint32_t count, Register* sums, F begin) requires(kM > 4) {
    return [&]<size_t... kTile>(std::index_sequence<kTile...>) {
      return ((tile(all, count, sums, kTile, begin) ? 0u : 1u << kTile) | ...);
    }(std::make_index_sequence<kTiles>());
  }
  // One tile: four registers of sums, 16 rows of 16, or 8 rows of 32 (f64: 8 rows of 16). `begin` gets the tile's sums and the
  // number of its block before the first step, and may change the sums. When it gives false, the tile is not computed.
  template <class F>
  [[gnu::always_inline]] static bool tile(const Factors* all, uint32_t count, Register* sums, uint32_t number, F begin) {
    constexpr uint32_t kRegisters = 4 / EA::kDwords, kColumnStrips = kM / kLanes, kBlockTiles = kTiles / kBlocks;
    const uint32_t block = number / kBlockTiles, first = number % kBlockTiles;
    // (f64: a register pair holds four rows, else each register holds one row of each quad.)
    auto row = [&](uint32_t r, uint32_t q) {
      return EA::kDwords == 2 ? 8 * first + 4 * r + q : kM == 16 ? 4 * q + r : 8 * first + q / 2 * 4 + r;
    };
    Sum c[kRegisters][kQuarters];
    for (uint32_t r = 0; r < kRegisters; ++r)
      for (uint32_t q = 0; q < kQuarters; ++q) c[r][q] = load_sum<Sum>(sums + 4 * number + r * EA::kDwords, q);
    if (!begin(c, block)) return false;
#pragma clang loop unroll(disable)
    for (uint32_t n = 0; n < count; ++n) {
      const LaneOf<Unit>* a = reinterpret_cast<const LaneOf<Unit>*>(all[n].a) + block * kM;
      const Unit* b = all[n].b + block * kColumnStrips;
      // (One instruction of few steps is often alone: then its steps are better without a loop.)
      constexpr bool kFewSteps = kSteps <= 4 && sizeof(Sum) == sizeof(U32);
      const auto group = [&]() __attribute__((always_inline)) {
        _Pragma("clang loop unroll_count(2)") for (uint32_t u = 0; u < kLaneUnits; ++u)
          for (uint32_t r = 0; r < kRegisters; ++r)
            for (uint32_t q = 0; q < kQuarters; ++q)
              c[r][q] = EA::step(c[r][q], Unit(a[u * kUnitStride * kLanes + place_of<Unit>(row(r, q))]),
                                 b[u * kUnitStride + q % kColumnStrips]);
        a += kGroupStride * kLanes;
        b += kGroupStride;
      };
      if constexpr (kFewSteps) {
#pragma clang loop unroll(full)
        for (uint32_t g = 0; g < kGroups; ++g) group();
      } else {
#pragma clang loop unroll(disable)
        for (uint32_t g = 0; g < kGroups; ++g) group();
      }
    }
    for (uint32_t r = 0; r < kRegisters; ++r)
      for (uint32_t q = 0; q < kQuarters; ++q) store_sum<Sum>(sums + 4 * number + r * EA::kDwords, q, c[r][q]);
    return true;
  }

private:
  // 4x4 of 16 blocks: a register is a row, a strip four blocks.
  [[gnu::always_inline]] static void quads_by_register(const Unit* a, const Unit* b, Register* sums) {
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t q = 0; q < kQuarters; ++q) {
        Sum c = load_sum<Sum>(sums + r, q);
        for (uint32_t s = 0; s < kSteps; ++s) c = EA::step(c, from_quad(a[s * kQuarters + q], r), b[s * kQuarters + q]);
        store_sum<Sum>(sums + r, q, c);
      }
  }
  // 4x4 of 4 blocks: a strip is a row of all blocks.
  [[gnu::always_inline]] static void quads_by_strip(const Unit* a, const Unit* b, Register* sums) {
    for (uint32_t q = 0; q < kQuarters; ++q) {
      Sum c = load_sum<Sum>(sums, q);
      for (uint32_t s = 0; s < kSteps; ++s) c = EA::step(c, from_quad(a[s], q), b[s]);
      store_sum<Sum>(sums, q, c);
    }
  }
};

// Sparse: A holds two of each four consecutive elements of a row. Two bits for each of these, in the lane's index (the third
// operand, shifted to its first bit), say which of the four it is. So every row of A is multiplied with other rows of B.
template <class EA, class EB, uint32_t kM, uint32_t kK> struct SparseMatrix {
  using Unit = typename EA::Unit;
  using Sum = typename EA::Sum;
  static constexpr uint32_t kElementBits = EA::kBits;
  static constexpr uint32_t kGroups = kMaxLanes / kM, kColumnStrips = kM / kLanes;
  static constexpr uint32_t kElementsB = kK / kGroups, kElements = kElementsB / 2; // in one lane
  static constexpr uint32_t kSourceRegisters = kElements / EA::kUnits, kSourceRegistersB = kElementsB / EB::kUnits;
  static constexpr uint32_t kSumRegisters = kM * kM / kMaxLanes;
  static constexpr uint32_t kUnitStrips = kQuarters * kElements; // of A; then come as many strips of places in B
  static constexpr uint32_t kUnitBytesA = 2 * kUnitStrips * sizeof(Unit), kUnitBytesB = kQuarters * kElementsB * sizeof(Unit);
  static constexpr uint32_t kRows = kM, kBlockCount = 1, kIndexBits = 2 * kElements;
  static constexpr bool kInPlace = false, kAsIs = false;
  static_assert(EA::kUnits * EA::kBits == 32 && EA::kSwapped == EB::kSwapped && sizeof(Unit) == sizeof(U32));

  [[gnu::always_inline]] static void prepare_a(const Register* rows, const Register* index, Unit* units) {
    FOR_STRIPS
    for (uint32_t n = 0; n < kUnitStrips; ++n) {
      const uint32_t q = n % kQuarters, u = n / kQuarters, e = u ^ EA::kSwapped, group = q / kColumnStrips;
      const uint32_t to = (group * kElements + u) * kColumnStrips + q % kColumnStrips;
      const U32 k = (((*index)[q] >> (2 * e)) & 3u) + e / 2 * 4;
      units[to] = EA::unit(rows, q, u);
      units[kUnitStrips + to] = bits<Unit>(U32(((k ^ EB::kSwapped) + group * kElementsB) * kColumnStrips));
    }
  }
  [[gnu::always_inline]] static void prepare_b(const Register* rows, Unit* units) {
    FOR_STRIPS
    for (uint32_t n = 0; n < kQuarters * kElementsB; ++n) {
      const uint32_t q = n % kQuarters, u = n / kQuarters;
      units[(q / kColumnStrips * kElementsB + u) * kColumnStrips + q % kColumnStrips] = EB::unit(rows, q, u);
    }
  }
  struct Factors {
    const Unit *a, *b;
  };
  [[gnu::always_inline]] static void multiply(const Factors* all, uint32_t count, Register* sums) {
    for (uint32_t n = 0; n < count; ++n)
      [&]<size_t... kTile>(std::index_sequence<kTile...>) {
        (tile(all[n].a, all[n].b, sums, kTile), ...);
      }(std::make_index_sequence<kSumRegisters / 4>());
  }

private:
  // Four registers of sums: 16 rows of 16, or 8 rows of 32.
  [[gnu::always_inline]] static void tile(const Unit* a, const Unit* b, Register* sums, uint32_t number) {
    auto row = [&](uint32_t r, uint32_t q) { return kM == 16 ? 4 * q + r : 8 * number + q / 2 * 4 + r; };
    const LaneOf<Unit>* factors = reinterpret_cast<const LaneOf<Unit>*>(a);
    const uint32_t* places = reinterpret_cast<const uint32_t*>(a + kUnitStrips);
    Sum c[4][kQuarters];
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t q = 0; q < kQuarters; ++q) c[r][q] = load_sum<Sum>(sums + 4 * number + r, q);
#pragma clang loop unroll(disable)
    for (uint32_t s = 0; s < kGroups * kElements; ++s) {
      for (uint32_t r = 0; r < 4; ++r)
        for (uint32_t q = 0; q < kQuarters; ++q)
          c[r][q] = EA::step(c[r][q], Unit(factors[row(r, q)]), b[places[row(r, q)] + q % kColumnStrips]);
      factors += kM;
      places += kM;
    }
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t q = 0; q < kQuarters; ++q) store_sum<Sum>(sums + 4 * number + r, q, c[r][q]);
  }
};
