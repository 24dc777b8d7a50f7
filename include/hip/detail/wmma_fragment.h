// hip/detail/wmma_fragment.h - fragments of matrices: their types, and which elements a lane holds where no instruction
// has a say. Loads and stores of these.
//
// The 32 lanes are eight groups of four. Each group computes a block of the result, kRows rows by 4 * kColumns columns;
// lane j of the group has the columns j, 4 + j, ... of it. It holds row j of the group's rows of A and its own columns
// of B, with all of k. So a product needs nothing of other lanes but A's rows from the group's, which a move within
// four lanes brings, and the groups of a wave of 64 lanes are the 16 blocks of a 4x4 matrix instruction
// (V_MFMA_*_4X4X*).
#ifndef HIP_DETAIL_WMMA_FRAGMENT_H
#define HIP_DETAIL_WMMA_FRAGMENT_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include <hip/detail/warp.h>

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {}; // floats of which ten bits of the mantissa count: __float_to_tf32 makes them
} // namespace precision

} // namespace wmma
} // namespace nvcuda

namespace __hip_internal {

using nvcuda::wmma::accumulator;
using nvcuda::wmma::col_major;
using nvcuda::wmma::layout_t;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::row_major;

template<int m, int n> struct wmma_block {
  static constexpr int kRows = m * n == 64 ? 2 : 4;
  static constexpr int kColumns = m * n / (32 * kRows);
  static constexpr int kBlocksDown = m / kRows;
  // The first row of the lane's group, and the lane's first column.
  static __HIP_DEVICE_MEMBER int row() { return static_cast<int>(lane_id() % 32 / 4) % kBlocksDown * kRows; }
  static __HIP_DEVICE_MEMBER int column() {
    return static_cast<int>(lane_id() % 32 / 4) / kBlocksDown * 4 * kColumns + static_cast<int>(lane_id() % 4);
  }
};

// How elements of T lie in memory, what their products are summed in, and the sizes that there are: m, n, k.
template<class T> struct wmma_format {
  static constexpr bool has(int, int, int) { return false; }
};
#define __HIP_WMMA_FORMAT(T, Element, Sum, sizes)                                                                      \
  template<> struct wmma_format<T> {                                                                                   \
    typedef Element element;                                                                                           \
    typedef Sum sum;                                                                                                   \
    static constexpr bool has(int m, int n, int k) { return sizes; }                                                   \
  };
#define __HIP_WMMA_16 (k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32)))
__HIP_WMMA_FORMAT(__half, __half, float, __HIP_WMMA_16)
__HIP_WMMA_FORMAT(__hip_bfloat16, __hip_bfloat16, float, __HIP_WMMA_16)
__HIP_WMMA_FORMAT(signed char, signed char, int, __HIP_WMMA_16)
__HIP_WMMA_FORMAT(unsigned char, unsigned char, int, __HIP_WMMA_16)
__HIP_WMMA_FORMAT(nvcuda::wmma::precision::tf32, float, float, m == 16 && n == 16 && k == 8)
__HIP_WMMA_FORMAT(double, double, double, m == 8 && n == 8 && k == 4)
// Sums alone.
__HIP_WMMA_FORMAT(float, float, float, __HIP_WMMA_16 || (m == 16 && n == 16 && k == 8))
__HIP_WMMA_FORMAT(int, int, int, __HIP_WMMA_16)
#undef __HIP_WMMA_16
#undef __HIP_WMMA_FORMAT

// Who distributes the elements of matrices with these sizes: an instruction of the target, or the block above.
template<int m, int n, int k, class T> struct wmma_by_instruction {
  static constexpr bool value = false;
};

// The number of elements of a lane.
template<class Use, int m, int n, int k, class T, bool by_instruction> struct wmma_count;
template<int m, int n, int k, class T> struct wmma_count<matrix_a, m, n, k, T, false> {
  static constexpr int value = k;
};
template<int m, int n, int k, class T> struct wmma_count<matrix_b, m, n, k, T, false> {
  static constexpr int value = k * wmma_block<m, n>::kColumns;
};
template<int m, int n, int k, class T, bool by_instruction> struct wmma_count<accumulator, m, n, k, T, by_instruction> {
  static constexpr int value = m * n / 32;
};

template<class Use, class T, class Layout> struct wmma_is_fragment {
  static constexpr bool value =
      is_same<Use, accumulator>::value
          ? is_same<Layout, void>::value && (is_same<T, float>::value || is_same<T, __half>::value ||
                                             is_same<T, int>::value || is_same<T, double>::value)
          : !is_same<T, float>::value && !is_same<T, int>::value &&
                (is_same<Layout, row_major>::value || is_same<Layout, col_major>::value);
};

} // namespace __hip_internal

namespace nvcuda {
namespace wmma {

template<class Use, int m, int n, int k, class T, class Layout = void> class fragment {
  static_assert(__hip_internal::wmma_format<T>::has(m, n, k), "These sizes are not there for this type of elements.");
  static_assert(__hip_internal::wmma_is_fragment<Use, T, Layout>::value,
                "matrix_a and matrix_b have a layout, row_major or col_major; an accumulator has none, and elements of "
                "type float, __half, int or double.");

public:
  typedef typename __hip_internal::wmma_format<T>::element element_type;
  typedef element_type storage_element_type;
  enum {
    num_elements =
        __hip_internal::wmma_count<Use, m, n, k, T, __hip_internal::wmma_by_instruction<m, n, k, T>::value>::value,
    num_storage_elements = num_elements
  };
  alignas(sizeof(element_type) < 4 ? 4 : sizeof(element_type)) element_type x[num_elements];
};

// The float with ten bits of mantissa that is nearest; the greater one of two.
__HIP_DEVICE_INLINE float __float_to_tf32(float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return __builtin_bit_cast(float, 0x7fffffffu);
  return __builtin_bit_cast(float, (bits + 0x1000u) & ~0x1fffu);
}

} // namespace wmma
} // namespace nvcuda

namespace __hip_internal {

// `count` neighbours in memory. Rows and columns begin at multiples of 16 bytes, by the rules of the interface.
template<int count, class T> __HIP_DEVICE_INLINE void wmma_copy_line(T* to, const T* from) {
  __builtin_memcpy(to, __builtin_assume_aligned(from, 16), count * sizeof(T));
}

template<int m, int n, int k, class T, class Layout, class Element> __HIP_WAVE_FN void
wmma_load(nvcuda::wmma::fragment<matrix_a, m, n, k, T, Layout>& f, const Element* from, unsigned int stride) {
  typedef wmma_block<m, n> block;
  const unsigned int row = block::row() + lane_id() % block::kRows;
  if (is_same<Layout, row_major>::value) {
    wmma_copy_line<k>(f.x, from + row * static_cast<size_t>(stride));
  } else {
    for (int i = 0; i < k; ++i) f.x[i] = from[row + i * static_cast<size_t>(stride)];
  }
}
template<int m, int n, int k, class T, class Layout, class Element> __HIP_WAVE_FN void
wmma_load(nvcuda::wmma::fragment<matrix_b, m, n, k, T, Layout>& f, const Element* from, unsigned int stride) {
  typedef wmma_block<m, n> block;
  for (int c = 0; c < block::kColumns; ++c) {
    const unsigned int column = block::column() + 4 * c;
    if (is_same<Layout, col_major>::value) {
      wmma_copy_line<k>(f.x + c * k, from + column * static_cast<size_t>(stride));
    } else {
      for (int i = 0; i < k; ++i) f.x[c * k + i] = from[column + i * static_cast<size_t>(stride)];
    }
  }
}

// The place in memory of element i of the lane's part of a sum.
template<int m, int n> __HIP_DEVICE_INLINE size_t wmma_place(int i, unsigned int stride, layout_t layout) {
  typedef wmma_block<m, n> block;
  const size_t row = block::row() + i % block::kRows, column = block::column() + i / block::kRows * 4;
  return layout == nvcuda::wmma::mem_row_major ? row * stride + column : column * stride + row;
}
template<int m, int n, int k, class T> __HIP_WAVE_FN void
wmma_load(nvcuda::wmma::fragment<accumulator, m, n, k, T>& f, const T* from, unsigned int stride, layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = from[wmma_place<m, n>(i, stride, layout)];
}
template<int m, int n, int k, class T> __HIP_WAVE_FN void
wmma_store(T* to, const nvcuda::wmma::fragment<accumulator, m, n, k, T>& f, unsigned int stride, layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i) to[wmma_place<m, n>(i, stride, layout)] = f.x[i];
}

} // namespace __hip_internal

#endif
