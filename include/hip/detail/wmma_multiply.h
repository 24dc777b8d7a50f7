// hip/detail/wmma_multiply.h - products of fragments whose elements lie as wmma_fragment.h says: by matrix instructions
// where the processor has them and all lanes of the wave take part (MFMA), else by dot products or multiplications.
#ifndef HIP_DETAIL_WMMA_MULTIPLY_H
#define HIP_DETAIL_WMMA_MULTIPLY_H

#include <hip/detail/dot.h>
#include <hip/detail/wmma_fragment.h>

// Processors with dot products of halves (v_dot2_f32_f16) and of bytes (v_dot4_*).
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__) || \
    defined(__gfx1030__) || defined(__gfx1031__) || defined(__gfx1032__) || defined(__gfx1034__) ||                    \
    defined(__gfx1035__) || defined(__gfx1036__) || defined(__GFX11__) || defined(__GFX12__)
#define __HIP_WMMA_DOTS 1
#endif

namespace __hip_internal {

// Elements that one step multiplies and sums up: `count` of them, as one value of type `type`.
template<class T> struct wmma_step;
template<> struct wmma_step<__half> {
  static constexpr int count = 2;
  typedef _Float16_2 type;
  static __HIP_DEVICE_MEMBER float sum(type a, type b, float c) {
#if defined(__HIP_WMMA_DOTS)
    typedef __fp16 pair __attribute__((ext_vector_type(2)));
    return __builtin_amdgcn_fdot2(__builtin_bit_cast(pair, a), __builtin_bit_cast(pair, b), c, false);
#else
    c = __builtin_fmaf(static_cast<float>(a.x), static_cast<float>(b.x), c);
    return __builtin_fmaf(static_cast<float>(a.y), static_cast<float>(b.y), c);
#endif
  }
};
template<> struct wmma_step<__hip_bfloat16> {
  static constexpr int count = 2;
  typedef unsigned int type;
  static __HIP_DEVICE_MEMBER float sum(type a, type b, float c) {
    c = __builtin_fmaf(__builtin_bit_cast(float, a << 16), __builtin_bit_cast(float, b << 16), c);
    return __builtin_fmaf(__builtin_bit_cast(float, a & 0xffff0000u), __builtin_bit_cast(float, b & 0xffff0000u), c);
  }
};
template<> struct wmma_step<signed char> {
  static constexpr int count = 4;
  typedef unsigned int type;
  static __HIP_DEVICE_MEMBER int sum(type a, type b, int c) {
#if defined(__HIP_WMMA_DOTS) && (defined(__GFX11__) || defined(__GFX12__))
    return __builtin_amdgcn_sudot4(true, static_cast<int>(a), true, static_cast<int>(b), c, false);
#elif defined(__HIP_WMMA_DOTS)
    return __builtin_amdgcn_sdot4(static_cast<int>(a), static_cast<int>(b), c, false);
#else
    return amd_mixed_dot(__builtin_bit_cast(char4, a), __builtin_bit_cast(char4, b), c, false);
#endif
  }
};
template<> struct wmma_step<unsigned char> {
  static constexpr int count = 4;
  typedef unsigned int type;
  static __HIP_DEVICE_MEMBER int sum(type a, type b, int c) {
#if defined(__HIP_WMMA_DOTS)
    return static_cast<int>(__builtin_amdgcn_udot4(a, b, static_cast<unsigned int>(c), false));
#else
    return static_cast<int>(amd_mixed_dot(__builtin_bit_cast(uchar4, a), __builtin_bit_cast(uchar4, b),
                                          static_cast<unsigned int>(c), false));
#endif
  }
};
template<> struct wmma_step<nvcuda::wmma::precision::tf32> {
  static constexpr int count = 1;
  typedef float type;
  static __HIP_DEVICE_MEMBER float sum(type a, type b, float c) { return __builtin_fmaf(a, b, c); }
};
template<> struct wmma_step<double> {
  static constexpr int count = 1;
  typedef double type;
  static __HIP_DEVICE_MEMBER double sum(type a, type b, double c) { return __builtin_fma(a, b, c); }
};

// The word of lane `lane` of the caller's four.
template<int lane> __HIP_WAVE_FN unsigned int wmma_of_four(unsigned int word) {
#if defined(__NVPTX__)
  return __nvvm_shfl_sync_idx_i32(0xffffffffu, word, lane, 0x1c1f);
#else
  return static_cast<unsigned int>(__builtin_amdgcn_mov_dpp(static_cast<int>(word), lane * 0x55, 0xf, 0xf, true));
#endif
}
// The same of a value, from the lanes 0 to rows - 1.
template<int rows, class T> __HIP_WAVE_FN void wmma_rows(T value, T* row) {
  value_words<T> words(value), moved(value);
#define __HIP_WMMA_ROW(i)                                                                                              \
  if (i < rows) {                                                                                                      \
    for (unsigned int w = 0; w < words.count; ++w) moved.word[w] = wmma_of_four<i>(words.word[w]);                     \
    moved.store(row[i < rows ? i : 0]);                                                                                \
  }
  __HIP_WMMA_ROW(0)
  __HIP_WMMA_ROW(1)
  __HIP_WMMA_ROW(2)
  __HIP_WMMA_ROW(3)
#undef __HIP_WMMA_ROW
}

template<int m, int n, int k, class T, class Element, class Sum>
__HIP_WAVE_FN void wmma_sum_by_steps(const Element* a, const Element* b, Sum* sums) {
  typedef wmma_block<m, n> block;
  typedef wmma_step<T> step;
  for (int i = 0; i < k; i += step::count) {
    typename step::type mine, row[block::kRows], other;
    __builtin_memcpy(&mine, a + i, sizeof(mine));
    wmma_rows<block::kRows>(mine, row);
    for (int c = 0; c < block::kColumns; ++c) {
      __builtin_memcpy(&other, b + c * k + i, sizeof(other));
      for (int r = 0; r < block::kRows; ++r)
        sums[c * block::kRows + r] = step::sum(row[r], other, sums[c * block::kRows + r]);
    }
  }
}

// The same by the instruction that multiplies 16 pairs of blocks of four by four. It ignores EXEC and writes to all
// lanes of the wave, so they all have to take part.
#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define __HIP_WMMA_MATRIX 1
#endif
template<class T> struct wmma_matrix_step {
  static constexpr bool there = false;
};
#if defined(__HIP_WMMA_MATRIX)
typedef float wmma_float4 __attribute__((ext_vector_type(4)));
typedef int wmma_int4 __attribute__((ext_vector_type(4)));
template<> struct wmma_matrix_step<__half> {
  static constexpr bool there = true;
  static constexpr int count = 4;
  typedef _Float16 type __attribute__((ext_vector_type(4)));
  typedef wmma_float4 sums;
  static __HIP_DEVICE_MEMBER sums sum(type a, type b, sums c) {
    return __builtin_amdgcn_mfma_f32_4x4x4f16(a, b, c, 0, 0, 0);
  }
};
#if !defined(__gfx908__)
template<> struct wmma_matrix_step<__hip_bfloat16> {
  static constexpr bool there = true;
  static constexpr int count = 4;
  typedef short type __attribute__((ext_vector_type(4)));
  typedef wmma_float4 sums;
  static __HIP_DEVICE_MEMBER sums sum(type a, type b, sums c) {
    return __builtin_amdgcn_mfma_f32_4x4x4bf16_1k(a, b, c, 0, 0, 0);
  }
};
#endif
template<> struct wmma_matrix_step<signed char> {
  static constexpr bool there = true;
  static constexpr int count = 4;
  typedef int type;
  typedef wmma_int4 sums;
  static __HIP_DEVICE_MEMBER sums sum(type a, type b, sums c) {
    return __builtin_amdgcn_mfma_i32_4x4x4i8(a, b, c, 0, 0, 0);
  }
};
template<> struct wmma_matrix_step<nvcuda::wmma::precision::tf32> {
  static constexpr bool there = true;
  static constexpr int count = 1;
  typedef float type;
  typedef wmma_float4 sums;
  static __HIP_DEVICE_MEMBER sums sum(type a, type b, sums c) {
    return __builtin_amdgcn_mfma_f32_4x4x1f32(a, b, c, 0, 0, 0);
  }
};
#endif

template<int m, int n, int k, class T, class Element, class Sum>
__HIP_WAVE_FN void wmma_sum_by_matrices(const Element* a, const Element* b, Sum* sums) {
  typedef wmma_block<m, n> block;
  typedef wmma_matrix_step<T> step;
  for (int c = 0; c < block::kColumns; ++c) {
    typename step::sums sum;
    __builtin_memcpy(&sum, sums + c * block::kRows, sizeof(sum));
    for (int i = 0; i < k; i += step::count) {
      typename step::type mine, other;
      __builtin_memcpy(&mine, a + i, sizeof(mine));
      __builtin_memcpy(&other, b + c * k + i, sizeof(other));
      sum = step::sum(mine, other, sum);
    }
    __builtin_memcpy(sums + c * block::kRows, &sum, sizeof(sum));
  }
}
template<int m, int n, int k, class T, bool there = wmma_matrix_step<T>::there> struct wmma_sum {
  template<class Element, class Sum>
  static __HIP_DEVICE_MEMBER void add(const Element* a, const Element* b, Sum* sums) {
    wmma_sum_by_steps<m, n, k, T>(a, b, sums);
  }
};
template<int m, int n, int k, class T> struct wmma_sum<m, n, k, T, true> {
  template<class Element, class Sum>
  static __HIP_DEVICE_MEMBER void add(const Element* a, const Element* b, Sum* sums) {
    if (active_lanes() == ~0ull)
      wmma_sum_by_matrices<m, n, k, T>(a, b, sums);
    else
      wmma_sum_by_steps<m, n, k, T>(a, b, sums);
  }
};

// An element of a sum in another type, also where a program has taken half's conversions away.
template<class To> struct wmma_convert {
  template<class From> static __HIP_DEVICE_MEMBER To from(From v) { return static_cast<To>(v); }
  static __HIP_DEVICE_MEMBER To from(__half v) { return static_cast<To>(v.data); }
};
template<> struct wmma_convert<__half> {
  static __HIP_DEVICE_MEMBER __half from(float v) { return __float2half(v); }
};

// Saturated sums are of ints: what the products add is far from their ends.
__HIP_DEVICE_INLINE int wmma_add_saturated(int a, int b) { return __builtin_elementwise_add_sat(a, b); }
template<class T> __HIP_DEVICE_INLINE T wmma_add_saturated(T a, T b) { return a + b; }

template<int m, int n, int k, class T, class LayoutA, class LayoutB, class D, class C>
__HIP_WAVE_FN void wmma_multiply(nvcuda::wmma::fragment<accumulator, m, n, k, D>& d,
                                 const nvcuda::wmma::fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                 const nvcuda::wmma::fragment<matrix_b, m, n, k, T, LayoutB>& b,
                                 const nvcuda::wmma::fragment<accumulator, m, n, k, C>& c, bool saturate) {
  typedef typename wmma_format<T>::sum sum;
  static_assert(is_same<sum, typename wmma_format<C>::sum>::value && is_same<sum, typename wmma_format<D>::sum>::value,
                "The sums are of the type that products of the factors have.");
  static_assert(wmma_by_instruction<m, n, k, T>::value == wmma_by_instruction<m, n, k, D>::value,
                "NVIDIA's GPUs multiply matrices of bfloat16 since sm_80.");
  sum sums[m * n / 32];
  for (int i = 0; i < m * n / 32; ++i) sums[i] = saturate ? sum(0) : wmma_convert<sum>::from(c.x[i]);
  wmma_sum<m, n, k, T>::add(a.x, b.x, sums);
  for (int i = 0; i < m * n / 32; ++i)
    d.x[i] = wmma_convert<D>::from(saturate ? wmma_add_saturated(wmma_convert<sum>::from(c.x[i]), sums[i]) : sums[i]);
}

} // namespace __hip_internal

#undef __HIP_WMMA_DOTS
#undef __HIP_WMMA_MATRIX

#endif
