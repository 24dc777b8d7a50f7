// Copies and fills of whole structures, of many sizes and alignments: every byte arrives, none beside is touched, and a
// copy onto itself changes nothing.
#include "e2e.h"

namespace {

constexpr int kThreads = 64, kGuard = 1; // structures in front and behind that nobody writes

template<int size, int align> struct alignas(align) Block { unsigned char bytes[size]; };

template<class T> __global__ void copy(T* to, const T* from) { to[threadIdx.x + kGuard] = from[threadIdx.x + kGuard]; }
template<class T> __global__ void clear(T* to) { to[threadIdx.x + kGuard] = T(); }
template<class T> __global__ void fill(T* to, int value) {
  __builtin_memset(to + threadIdx.x + kGuard, value + static_cast<int>(threadIdx.x), sizeof(T));
}
// Through shared memory, to the neighbour's place.
template<class T> __global__ void exchange(T* to, const T* from) {
  __shared__ T line[8];
  for (int first = 0; first < kThreads; first += 8) {
    const int i = static_cast<int>(threadIdx.x) - first;
    if (i >= 0 && i < 8) line[i] = from[threadIdx.x + kGuard];
    __syncthreads();
    if (i >= 0 && i < 8) to[threadIdx.x + kGuard] = line[i ^ 1];
    __syncthreads();
  }
}

template<class T>
void check(const e2e::Device<unsigned char>& memory, const std::vector<unsigned char>& expected, const char* what) {
  const std::vector<unsigned char> found = memory.download();
  size_t wrong = 0;
  for (size_t i = 0; i < expected.size(); ++i) wrong += found[i] != expected[i];
  if (wrong)
    e2e::fail(__FILE__, __LINE__,
              std::string(what) + " of " + std::to_string(sizeof(T)) + " bytes aligned to " +
                  std::to_string(alignof(T)) + ": " + std::to_string(wrong) + " bytes are wrong");
}

template<class T> void try_structure() {
  constexpr size_t kBytes = sizeof(T) * (kThreads + 2 * kGuard), kFirst = sizeof(T) * kGuard;
  std::vector<unsigned char> source(kBytes), target(kBytes);
  for (size_t i = 0; i < kBytes; ++i) {
    source[i] = static_cast<unsigned char>(i * 7 + i / 251);
    target[i] = static_cast<unsigned char>(i * 13 + 1);
  }
  const e2e::Device<unsigned char> from(source), to(target);
  T* const t = reinterpret_cast<T*>(to.data());
  const T* const f = reinterpret_cast<const T*>(from.data());
  std::vector<unsigned char> expected = target;
  std::copy(source.begin() + kFirst, source.end() - kFirst, expected.begin() + kFirst);
  copy<<<1, kThreads>>>(t, f);
  check<T>(to, expected, "a copy");
  copy<<<1, kThreads>>>(t, static_cast<const T*>(t));
  check<T>(to, expected, "a copy onto itself");
  exchange<<<1, kThreads>>>(t, f);
  for (size_t i = 0; i < kThreads; ++i)
    std::copy_n(source.begin() + (kGuard + i) * sizeof(T), sizeof(T),
                expected.begin() + (kGuard + (i ^ 1)) * sizeof(T));
  check<T>(to, expected, "an exchange");
  fill<<<1, kThreads>>>(t, 250);
  for (size_t i = 0; i < kThreads; ++i)
    std::fill_n(expected.begin() + (kGuard + i) * sizeof(T), sizeof(T), static_cast<unsigned char>(250 + i));
  check<T>(to, expected, "a fill");
  clear<<<1, kThreads>>>(t);
  std::fill(expected.begin() + kFirst, expected.end() - kFirst, 0);
  check<T>(to, expected, "zeros");
}

template<int size, int align> void try_alignment() {
  if constexpr (size % align == 0) try_structure<Block<size, align>>(); // without padding, which need not be copied
}
template<int... sizes> void try_sizes() {
  (try_alignment<sizes, 1>(), ...);
  (try_alignment<sizes, 2>(), ...);
  (try_alignment<sizes, 4>(), ...);
  (try_alignment<sizes, 8>(), ...);
  (try_alignment<sizes, 16>(), ...);
  (try_alignment<sizes, 32>(), ...);
}

} // namespace

E2E_CASE(small) { try_sizes<1, 3, 4, 8, 12, 16, 24, 32>(); }
E2E_CASE(middle) { try_sizes<48, 65, 96, 126, 128, 136>(); }
E2E_CASE(large) { try_sizes<257, 512, 516, 608, 1024, 1600>(); }
