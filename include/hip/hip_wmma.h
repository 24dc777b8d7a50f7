// hip/hip_wmma.h - matrices that the lanes of a warp hold together and multiply: the interface of CUDA's mma.h, in its
// namespace nvcuda::wmma. Not part of HIP: an addition of this SDK for programs that come from CUDA.
//
// A fragment belongs to 32 lanes on every target, as in CUDA. Where the processor's waves have 64, each half of a wave
// holds fragments of its own: a program that counts warps as threadIdx.x / 32 is right, and so is one that counts them
// by warpSize, whose two halves then compute the same twice. All 32 lanes take part in every call. Which elements a
// lane holds differs between targets and from CUDA; loops over x[0] to x[num_elements - 1] are right on all of them.
// Formats of less than a byte (wmma::experimental) are not there.
#ifndef HIP_HIP_WMMA_H
#define HIP_HIP_WMMA_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <mma.h>
#elif defined(__cplusplus) && defined(__clang__) && defined(__HIP__)

#include <hip/detail/wmma_fragment.h>
#if defined(__NVPTX__)
#include <hip/detail/wmma_nvptx.h>
#endif
#include <hip/detail/wmma_multiply.h>
#if __AMDGCN_WAVEFRONT_SIZE == 32 &&                                                                                   \
    (defined(__GFX11__) || defined(__gfx1200__) || defined(__gfx1201__) || defined(__gfx12_generic__))
#include <hip/detail/wmma_rdna.h>
#endif

namespace nvcuda {
namespace wmma {

template<class Use, int m, int n, int k, class T, class Layout>
__HIP_WAVE_FN void fill_fragment(fragment<Use, m, n, k, T, Layout>& f,
                                 const typename fragment<Use, m, n, k, T, Layout>::element_type& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

// `stride` is the number of elements from one row to the next, or from one column to the next, by the layout.
template<class Use, int m, int n, int k, class T, class Layout>
__HIP_WAVE_FN void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f,
                                    const typename fragment<Use, m, n, k, T, Layout>::element_type* from,
                                    unsigned int stride) {
  __hip_internal::wmma_load(f, from, stride);
}
template<int m, int n, int k, class T>
__HIP_WAVE_FN void load_matrix_sync(fragment<accumulator, m, n, k, T>& f,
                                    const typename fragment<accumulator, m, n, k, T>::element_type* from,
                                    unsigned int stride, layout_t layout) {
  __hip_internal::wmma_load(f, from, stride, layout);
}
template<int m, int n, int k, class T>
__HIP_WAVE_FN void store_matrix_sync(typename fragment<accumulator, m, n, k, T>::element_type* to,
                                     const fragment<accumulator, m, n, k, T>& f, unsigned int stride, layout_t layout) {
  __hip_internal::wmma_store(to, f, stride, layout);
}

// d = a * b + c. Products of halves and bfloat16 are summed in float and rounded once to d. With `saturate`, sums of
// integers stop at the ends of int.
template<int m, int n, int k, class T, class LayoutA, class LayoutB, class D, class C>
__HIP_WAVE_FN void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                            const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                            const fragment<accumulator, m, n, k, C>& c, bool saturate = false) {
  __hip_internal::wmma_multiply(d, a, b, c, saturate);
}

} // namespace wmma
} // namespace nvcuda

#endif

#endif
