// hip/detail/wmma_nvptx.h - fragments by the instructions of NVIDIA's GPUs (wmma.load, wmma.mma, wmma.store of PTX),
// which distribute the elements as they like: halves since sm_70, bytes since sm_72, all other formats since sm_80.
// What has none is multiplied as elsewhere, but for bfloat16, whose sums are in fragments of the same type as those of
// halves.
#ifndef HIP_DETAIL_WMMA_NVPTX_H
#define HIP_DETAIL_WMMA_NVPTX_H

#include <hip/detail/wmma_fragment.h>

namespace __hip_internal {

// The registers of a fragment, which the instructions' builtins take as an array of their own type.
template<class Register, class Fragment> struct wmma_registers {
  static constexpr int count = sizeof(Fragment::x) / sizeof(Register);
  Register value[count];
  __HIP_DEVICE_MEMBER wmma_registers() {}
  __HIP_DEVICE_MEMBER explicit wmma_registers(const Fragment& f) { __builtin_memcpy(value, f.x, sizeof(value)); }
  __HIP_DEVICE_MEMBER void store(Fragment& f) const { __builtin_memcpy(f.x, value, sizeof(value)); }
};
#define __HIP_WMMA_FRAGMENT(use, m, n, k, ...) nvcuda::wmma::fragment<use, m, n, k, __VA_ARGS__>

// A load of a factor.
#define __HIP_WMMA_LOAD(use, m, n, k, T, Element, Register, builtin)                                                   \
  template<class Layout> __HIP_WAVE_FN void wmma_load(__HIP_WMMA_FRAGMENT(use, m, n, k, T, Layout) & f,                \
                                                      const Element* from, unsigned int stride) {                      \
    wmma_registers<Register, __HIP_WMMA_FRAGMENT(use, m, n, k, T, Layout)> r;                                          \
    builtin(r.value, reinterpret_cast<const Register*>(from), stride, is_same<Layout, col_major>::value);              \
    r.store(f);                                                                                                        \
  }
// Load and store of a sum.
#define __HIP_WMMA_SUM(m, n, k, T, Register, load, put)                                                                \
  __HIP_WAVE_FN void wmma_load(__HIP_WMMA_FRAGMENT(accumulator, m, n, k, T) & f, const T* from, unsigned int stride,   \
                               layout_t layout) {                                                                      \
    wmma_registers<Register, __HIP_WMMA_FRAGMENT(accumulator, m, n, k, T)> r;                                          \
    if (layout == nvcuda::wmma::mem_row_major)                                                                         \
      load(r.value, reinterpret_cast<const Register*>(from), stride, 0);                                               \
    else                                                                                                               \
      load(r.value, reinterpret_cast<const Register*>(from), stride, 1);                                               \
    r.store(f);                                                                                                        \
  }                                                                                                                    \
  __HIP_WAVE_FN void wmma_store(T* to, const __HIP_WMMA_FRAGMENT(accumulator, m, n, k, T) & f, unsigned int stride,    \
                                layout_t layout) {                                                                     \
    const wmma_registers<Register, __HIP_WMMA_FRAGMENT(accumulator, m, n, k, T)> r(f);                                 \
    if (layout == nvcuda::wmma::mem_row_major)                                                                         \
      put(reinterpret_cast<Register*>(to), r.value, stride, 0);                                                        \
    else                                                                                                               \
      put(reinterpret_cast<Register*>(to), r.value, stride, 1);                                                        \
  }
// A product; `saturated` is what `saturate` has the builtin do, which takes constants alone.
#define __HIP_WMMA_MULTIPLY(m, n, k, T, Factor, D, RegisterD, C, RegisterC, builtin, saturated)                        \
  template<class LayoutA, class LayoutB> __HIP_WAVE_FN void wmma_multiply(                                             \
      __HIP_WMMA_FRAGMENT(accumulator, m, n, k, D) & d, const __HIP_WMMA_FRAGMENT(matrix_a, m, n, k, T, LayoutA) & a,  \
      const __HIP_WMMA_FRAGMENT(matrix_b, m, n, k, T, LayoutB) & b,                                                    \
      const __HIP_WMMA_FRAGMENT(accumulator, m, n, k, C) & c, bool saturate) {                                         \
    constexpr int layout = is_same<LayoutA, col_major>::value * 2 + is_same<LayoutB, col_major>::value;                \
    const wmma_registers<Factor, __HIP_WMMA_FRAGMENT(matrix_a, m, n, k, T, LayoutA)> ra(a);                            \
    const wmma_registers<Factor, __HIP_WMMA_FRAGMENT(matrix_b, m, n, k, T, LayoutB)> rb(b);                            \
    const wmma_registers<RegisterC, __HIP_WMMA_FRAGMENT(accumulator, m, n, k, C)> rc(c);                               \
    wmma_registers<RegisterD, __HIP_WMMA_FRAGMENT(accumulator, m, n, k, D)> rd;                                        \
    if (saturate)                                                                                                      \
      builtin(rd.value, ra.value, rb.value, rc.value, layout, saturated);                                              \
    else                                                                                                               \
      builtin(rd.value, ra.value, rb.value, rc.value, layout, 0);                                                      \
    rd.store(d);                                                                                                       \
  }
#define __HIP_WMMA_THERE(m, n, k, T)                                                                                   \
  template<> struct wmma_by_instruction<m, n, k, T> {                                                                  \
    static constexpr bool value = true;                                                                                \
  };

template<int m, int n, int k, class T> struct wmma_count<matrix_a, m, n, k, T, true> {
  static constexpr int value = is_same<T, __half>::value ? 16 : m * k / 32;
};
template<int m, int n, int k, class T> struct wmma_count<matrix_b, m, n, k, T, true> {
  static constexpr int value = is_same<T, __half>::value ? 16 : n * k / 32;
};

#define __HIP_WMMA_SIZES(each) each(16, 16, 16) each(32, 8, 16) each(8, 32, 16)

#if __CUDA_ARCH__ >= 700
#define __HIP_WMMA_HALF(M, N, K)                                                                                       \
  __HIP_WMMA_THERE(M, N, K, __half)                                                                                    \
  __HIP_WMMA_THERE(M, N, K, float)                                                                                     \
  __HIP_WMMA_LOAD(matrix_a, M, N, K, __half, __half, int, __hmma_m##M##n##N##k##K##_ld_a)                              \
  __HIP_WMMA_LOAD(matrix_b, M, N, K, __half, __half, int, __hmma_m##M##n##N##k##K##_ld_b)                              \
  __HIP_WMMA_SUM(M, N, K, float, float, __hmma_m##M##n##N##k##K##_ld_c_f32, __hmma_m##M##n##N##k##K##_st_c_f32)        \
  __HIP_WMMA_SUM(M, N, K, __half, int, __hmma_m##M##n##N##k##K##_ld_c_f16, __hmma_m##M##n##N##k##K##_st_c_f16)         \
  __HIP_WMMA_MULTIPLY(M, N, K, __half, int, float, float, float, float, __hmma_m##M##n##N##k##K##_mma_f32f32, 0)       \
  __HIP_WMMA_MULTIPLY(M, N, K, __half, int, float, float, __half, int, __hmma_m##M##n##N##k##K##_mma_f32f16, 0)        \
  __HIP_WMMA_MULTIPLY(M, N, K, __half, int, __half, int, float, float, __hmma_m##M##n##N##k##K##_mma_f16f32, 0)        \
  __HIP_WMMA_MULTIPLY(M, N, K, __half, int, __half, int, __half, int, __hmma_m##M##n##N##k##K##_mma_f16f16, 0)
__HIP_WMMA_SIZES(__HIP_WMMA_HALF)
#undef __HIP_WMMA_HALF
#endif

#if __CUDA_ARCH__ >= 720
#define __HIP_WMMA_BYTES(M, N, K)                                                                                      \
  __HIP_WMMA_THERE(M, N, K, signed char)                                                                               \
  __HIP_WMMA_THERE(M, N, K, unsigned char)                                                                             \
  __HIP_WMMA_THERE(M, N, K, int)                                                                                       \
  __HIP_WMMA_LOAD(matrix_a, M, N, K, signed char, signed char, int, __imma_m##M##n##N##k##K##_ld_a_s8)                 \
  __HIP_WMMA_LOAD(matrix_b, M, N, K, signed char, signed char, int, __imma_m##M##n##N##k##K##_ld_b_s8)                 \
  __HIP_WMMA_LOAD(matrix_a, M, N, K, unsigned char, unsigned char, int, __imma_m##M##n##N##k##K##_ld_a_u8)             \
  __HIP_WMMA_LOAD(matrix_b, M, N, K, unsigned char, unsigned char, int, __imma_m##M##n##N##k##K##_ld_b_u8)             \
  __HIP_WMMA_SUM(M, N, K, int, int, __imma_m##M##n##N##k##K##_ld_c, __imma_m##M##n##N##k##K##_st_c_i32)                \
  __HIP_WMMA_MULTIPLY(M, N, K, signed char, int, int, int, int, int, __imma_m##M##n##N##k##K##_mma_s8, 1)              \
  __HIP_WMMA_MULTIPLY(M, N, K, unsigned char, int, int, int, int, int, __imma_m##M##n##N##k##K##_mma_u8, 1)
__HIP_WMMA_SIZES(__HIP_WMMA_BYTES)
#undef __HIP_WMMA_BYTES
#endif

#if __CUDA_ARCH__ >= 800
#define __HIP_WMMA_BF16(M, N, K)                                                                                       \
  __HIP_WMMA_THERE(M, N, K, __hip_bfloat16)                                                                            \
  __HIP_WMMA_LOAD(matrix_a, M, N, K, __hip_bfloat16, __hip_bfloat16, int, __mma_bf16_m##M##n##N##k##K##_ld_a)          \
  __HIP_WMMA_LOAD(matrix_b, M, N, K, __hip_bfloat16, __hip_bfloat16, int, __mma_bf16_m##M##n##N##k##K##_ld_b)          \
  __HIP_WMMA_MULTIPLY(M, N, K, __hip_bfloat16, int, float, float, float, float, __mma_bf16_m##M##n##N##k##K##_mma_f32, \
                      0)
__HIP_WMMA_SIZES(__HIP_WMMA_BF16)
#undef __HIP_WMMA_BF16

__HIP_WMMA_THERE(16, 16, 8, nvcuda::wmma::precision::tf32)
__HIP_WMMA_THERE(16, 16, 8, float)
__HIP_WMMA_LOAD(matrix_a, 16, 16, 8, nvcuda::wmma::precision::tf32, float, int, __mma_tf32_m16n16k8_ld_a)
__HIP_WMMA_LOAD(matrix_b, 16, 16, 8, nvcuda::wmma::precision::tf32, float, int, __mma_tf32_m16n16k8_ld_b)
__HIP_WMMA_SUM(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__HIP_WMMA_MULTIPLY(16, 16, 8, nvcuda::wmma::precision::tf32, int, float, float, float, float,
                    __mma_tf32_m16n16k8_mma_f32, 0)

__HIP_WMMA_THERE(8, 8, 4, double)
__HIP_WMMA_LOAD(matrix_a, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_a)
__HIP_WMMA_LOAD(matrix_b, 8, 8, 4, double, double, double, __dmma_m8n8k4_ld_b)
__HIP_WMMA_SUM(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__HIP_WMMA_MULTIPLY(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64, 0)
#endif

#undef __HIP_WMMA_FRAGMENT
#undef __HIP_WMMA_LOAD
#undef __HIP_WMMA_SUM
#undef __HIP_WMMA_MULTIPLY
#undef __HIP_WMMA_THERE
#undef __HIP_WMMA_SIZES

} // namespace __hip_internal

#endif
