// hip/detail/wmma_rdna.h - fragments by the matrix instructions of RDNA 3 and 4 (V_WMMA_*_16X16X16), which say what
// elements a lane holds: products of 16 by 16 by 16 in waves of 32 lanes. Other sizes and formats are multiplied as
// elsewhere.
//
// A lane has row lane % 16 of A and column lane % 16 of B: all of k on gfx11, whose upper lanes repeat what the lower
// ones have; on gfx12 the lower lanes have the first half of k, and the upper ones the second. Of a sum it has eight
// elements of column lane % 16: every other row on gfx11, eight rows on gfx12. Layouts: AMD, "RDNA 3" and "RDNA 4
// Instruction Set Architecture", "Wave Matrix Multiply Accumulate".
#ifndef HIP_DETAIL_WMMA_RDNA_H
#define HIP_DETAIL_WMMA_RDNA_H

#include <hip/detail/wmma_fragment.h>

namespace __hip_internal {

#if defined(__GFX11__)
constexpr int kWmmaFactorElements = 16;
__HIP_DEVICE_INLINE int wmma_first_k() { return 0; }
__HIP_DEVICE_INLINE int wmma_sum_row(int i) { return 2 * i + static_cast<int>(lane_id() % 32 / 16); }
#else
constexpr int kWmmaFactorElements = 8;
__HIP_DEVICE_INLINE int wmma_first_k() { return static_cast<int>(lane_id() % 32 / 16) * 8; }
__HIP_DEVICE_INLINE int wmma_sum_row(int i) { return static_cast<int>(lane_id() % 32 / 16) * 8 + i; }
#endif

template<int m, int n, int k, class T> struct wmma_count<matrix_a, m, n, k, T, true> {
  static constexpr int value = kWmmaFactorElements;
};
template<int m, int n, int k, class T> struct wmma_count<matrix_b, m, n, k, T, true> {
  static constexpr int value = kWmmaFactorElements;
};

// The lane's row or column: k's elements are neighbours in memory, or `stride` apart.
template<class Element>
__HIP_DEVICE_INLINE void wmma_load_line(Element* to, const Element* from, unsigned int stride, bool neighbours) {
  const unsigned int line = lane_id() % 16;
  const int first = wmma_first_k();
  if (neighbours) {
    constexpr size_t bytes = kWmmaFactorElements * sizeof(Element);
    __builtin_memcpy(
        to, __builtin_assume_aligned(from + line * static_cast<size_t>(stride) + first, bytes < 16 ? bytes : 16),
        bytes);
  } else {
    for (int i = 0; i < kWmmaFactorElements; ++i) to[i] = from[line + (first + i) * static_cast<size_t>(stride)];
  }
}
__HIP_DEVICE_INLINE size_t wmma_sum_place(int i, unsigned int stride, layout_t layout) {
  const size_t row = static_cast<size_t>(wmma_sum_row(i)), column = lane_id() % 16;
  return layout == nvcuda::wmma::mem_row_major ? row * stride + column : column * stride + row;
}

#define __HIP_WMMA_FACTOR(T)                                                                                           \
  template<> struct wmma_by_instruction<16, 16, 16, T> {                                                               \
    static constexpr bool value = true;                                                                                \
  };                                                                                                                   \
  template<class Layout> __HIP_WAVE_FN void wmma_load(nvcuda::wmma::fragment<matrix_a, 16, 16, 16, T, Layout>& f,      \
                                                      const T* from, unsigned int stride) {                            \
    wmma_load_line(f.x, from, stride, is_same<Layout, row_major>::value);                                              \
  }                                                                                                                    \
  template<class Layout> __HIP_WAVE_FN void wmma_load(nvcuda::wmma::fragment<matrix_b, 16, 16, 16, T, Layout>& f,      \
                                                      const T* from, unsigned int stride) {                            \
    wmma_load_line(f.x, from, stride, is_same<Layout, col_major>::value);                                              \
  }
__HIP_WMMA_FACTOR(__half)
__HIP_WMMA_FACTOR(__hip_bfloat16)
__HIP_WMMA_FACTOR(signed char)
__HIP_WMMA_FACTOR(unsigned char)
#undef __HIP_WMMA_FACTOR
template<> struct wmma_by_instruction<16, 16, 16, float> {
  static constexpr bool value = true;
};
template<> struct wmma_by_instruction<16, 16, 16, int> {
  static constexpr bool value = true;
};

#define __HIP_WMMA_SUM(T)                                                                                              \
  __HIP_WAVE_FN void wmma_load(nvcuda::wmma::fragment<accumulator, 16, 16, 16, T>& f, const T* from,                   \
                               unsigned int stride, layout_t layout) {                                                 \
    for (int i = 0; i < f.num_elements; ++i) f.x[i] = from[wmma_sum_place(i, stride, layout)];                         \
  }                                                                                                                    \
  __HIP_WAVE_FN void wmma_store(T* to, const nvcuda::wmma::fragment<accumulator, 16, 16, 16, T>& f,                    \
                                unsigned int stride, layout_t layout) {                                                \
    for (int i = 0; i < f.num_elements; ++i) to[wmma_sum_place(i, stride, layout)] = f.x[i];                           \
  }
__HIP_WMMA_SUM(float)
__HIP_WMMA_SUM(__half)
__HIP_WMMA_SUM(int)
#undef __HIP_WMMA_SUM

// Adds the product to the sums.
typedef float wmma_float8 __attribute__((ext_vector_type(8)));
typedef int wmma_int8 __attribute__((ext_vector_type(8)));
typedef _Float16 wmma_halves __attribute__((ext_vector_type(kWmmaFactorElements)));
typedef short wmma_shorts __attribute__((ext_vector_type(kWmmaFactorElements)));
typedef int wmma_bytes __attribute__((ext_vector_type(kWmmaFactorElements / 4)));
#if defined(__GFX11__)
#define __HIP_WMMA_BUILTIN(name) __builtin_amdgcn_wmma_##name##_w32
#else
#define __HIP_WMMA_BUILTIN(name) __builtin_amdgcn_wmma_##name##_w32_gfx12
#endif
#define __HIP_WMMA_ADD(T, Factor, Sums, ...)                                                                           \
  template<bool there> struct wmma_sum<16, 16, 16, T, there> {                                                         \
    template<class Element, class Sum>                                                                                 \
    static __HIP_DEVICE_MEMBER void add(const Element* a, const Element* b, Sum* sums) {                               \
      Factor fa, fb;                                                                                                   \
      Sums c;                                                                                                          \
      __builtin_memcpy(&fa, a, sizeof(fa));                                                                            \
      __builtin_memcpy(&fb, b, sizeof(fb));                                                                            \
      __builtin_memcpy(&c, sums, sizeof(c));                                                                           \
      c = __VA_ARGS__;                                                                                                 \
      __builtin_memcpy(sums, &c, sizeof(c));                                                                           \
    }                                                                                                                  \
  };
__HIP_WMMA_ADD(__half, wmma_halves, wmma_float8, __HIP_WMMA_BUILTIN(f32_16x16x16_f16)(fa, fb, c))
__HIP_WMMA_ADD(__hip_bfloat16, wmma_shorts, wmma_float8, __HIP_WMMA_BUILTIN(f32_16x16x16_bf16)(fa, fb, c))
__HIP_WMMA_ADD(signed char, wmma_bytes, wmma_int8, __HIP_WMMA_BUILTIN(i32_16x16x16_iu8)(true, fa, true, fb, c, false))
__HIP_WMMA_ADD(unsigned char, wmma_bytes, wmma_int8,
               __HIP_WMMA_BUILTIN(i32_16x16x16_iu8)(false, fa, false, fb, c, false))
#undef __HIP_WMMA_ADD
#undef __HIP_WMMA_BUILTIN

} // namespace __hip_internal

#endif
