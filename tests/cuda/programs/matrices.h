// matrices.h - multiplies matrices by the fragments of nvcuda::wmma and compares with sums of the host. The values are
// small whole numbers, so that every sum is exact in every format. A block has three warps, each with matrices of its
// own: two share a wave where waves have 64 lanes, the third is alone. Each product is computed by all warps, and once
// more by the odd one alone.
#pragma once

#include <cstdio>
#include <cuda_runtime.h>
#include <mma.h>
#include <type_traits>
#include <vector>

using namespace nvcuda;

constexpr int kMatrixWarps = 3;
constexpr int kStride = 32; // of all matrices in memory, whose size is kStride * kStride
constexpr int kMatrix = kStride * kStride;

template<class T> __host__ __device__ T number(int i) { return static_cast<T>(static_cast<float>(i)); }

template<int m, int n, int k, class T, class Element, class LayoutA, class LayoutB, class C, class D>
__global__ void multiply(const Element* a, const Element* b, const C* c, D* d, wmma::layout_t layout, int only_odd) {
  const int warp = threadIdx.x / 32;
  if (only_odd && warp % 2 == 0) return;
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> x;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> y;
  wmma::fragment<wmma::accumulator, m, n, k, C> before;
  wmma::fragment<wmma::accumulator, m, n, k, D> sum;
  wmma::load_matrix_sync(x, a + warp * kMatrix, kStride);
  wmma::load_matrix_sync(y, b + warp * kMatrix, kStride);
  wmma::load_matrix_sync(before, c + warp * kMatrix, kStride, layout);
  wmma::mma_sync(sum, x, y, before);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * number<D>(2) + number<D>(1);
  wmma::store_matrix_sync(d + warp * kMatrix, sum, kStride, layout);
}

// The place of an element in a matrix whose rows, or whose columns, are contiguous.
inline int place(bool rows, int row, int column) { return rows ? row * kStride + column : column * kStride + row; }

template<class T> T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  if (cudaMalloc(&memory, values.size() * sizeof(T)) != cudaSuccess) return nullptr;
  return cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess ? memory
                                                                                                             : nullptr;
}

// The number of elements that are wrong.
template<int m, int n, int k, class T, class Element, class C, class D, class LayoutA, class LayoutB>
int wrong_products(bool rows, bool only_odd) {
  const bool rows_a = std::is_same<LayoutA, wmma::row_major>::value,
             rows_b = std::is_same<LayoutB, wmma::row_major>::value;
  const bool negative = !std::is_same<Element, unsigned char>::value;
  std::vector<int> whole_a(kMatrixWarps * kMatrix), whole_b(whole_a), whole_c(whole_a);
  std::vector<Element> a(whole_a.size(), number<Element>(0)), b(a);
  std::vector<C> c(a.size(), number<C>(0));
  std::vector<D> d(a.size(), number<D>(-7));
  for (size_t i = 0; i < a.size(); ++i) {
    whole_a[i] = static_cast<int>((i * 7 + i / 31) % 8) - 3 * negative;
    whole_b[i] = static_cast<int>((i * 5 + i / 29) % 7) - 2 * negative;
    whole_c[i] = static_cast<int>(i * 11 % 61) - 30;
    a[i] = number<Element>(whole_a[i]);
    b[i] = number<Element>(whole_b[i]);
    c[i] = number<C>(whole_c[i]);
  }
  Element *device_a = on_device(a), *device_b = on_device(b);
  C* device_c = on_device(c);
  D* device_d = on_device(d);
  multiply<m, n, k, T, Element, LayoutA, LayoutB, C, D><<<1, kMatrixWarps * 32>>>(
      device_a, device_b, device_c, device_d, rows ? wmma::mem_row_major : wmma::mem_col_major, only_odd);
  int wrong = cudaMemcpy(d.data(), device_d, d.size() * sizeof(D), cudaMemcpyDeviceToHost) != cudaSuccess;
  std::vector<int> expected(d.size(), -7);
  for (int warp = only_odd; warp < kMatrixWarps; warp += 1 + only_odd)
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        const int at = warp * kMatrix + place(rows, row, column);
        int sum = whole_c[at];
        for (int i = 0; i < k; ++i)
          sum += whole_a[warp * kMatrix + place(rows_a, row, i)] * whole_b[warp * kMatrix + place(rows_b, i, column)];
        expected[at] = 2 * sum + 1;
      }
  for (size_t i = 0; i < d.size(); ++i)
    if (static_cast<double>(static_cast<float>(d[i])) != expected[i]) ++wrong;
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  cudaFree(device_d);
  if (wrong)
    std::printf("%d x %d x %d, layouts %d %d %d, only odd warps %d: %d are wrong\n", m, n, k, rows_a, rows_b, rows,
                only_odd, wrong);
  return wrong;
}

// All layouts of one size.
template<int m, int n, int k, class T, class Element, class C, class D> int wrong_in_layouts() {
  using wmma::col_major;
  using wmma::row_major;
  int wrong = 0;
  for (const bool only_odd : {false, true})
    for (const bool rows : {false, true}) {
      wrong += wrong_products<m, n, k, T, Element, C, D, row_major, row_major>(rows, only_odd);
      wrong += wrong_products<m, n, k, T, Element, C, D, row_major, col_major>(rows, only_odd);
      wrong += wrong_products<m, n, k, T, Element, C, D, col_major, row_major>(rows, only_odd);
      wrong += wrong_products<m, n, k, T, Element, C, D, col_major, col_major>(rows, only_odd);
    }
  return wrong;
}
template<class T, class C, class D> int wrong_in_sizes() {
  return wrong_in_layouts<16, 16, 16, T, T, C, D>() + wrong_in_layouts<32, 8, 16, T, T, C, D>() +
         wrong_in_layouts<8, 32, 16, T, T, C, D>();
}
