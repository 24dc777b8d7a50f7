// Vector types: constructors, elements by name and by index, the compiler's own vector in the same memory, element-wise
// operators between vectors and with scalars, comparisons, for every element type. What a kernel computes with vectors is
// computed again on the host with single elements.
#include "e2e.h"

// A library's own bases, as rocWMMA has them: a class for elements, and eight elements in the compiler's vector or in an array. `data` is
// all that they have.
struct Fixed { // a number with eight binary places
  int scaled;
  __host__ __device__ constexpr explicit Fixed(float f = 0) : scaled(int(f * 256)) {}
  friend __host__ __device__ constexpr Fixed operator+(Fixed a, Fixed b) { return of(a.scaled + b.scaled); }
  friend __host__ __device__ constexpr Fixed operator-(Fixed a, Fixed b) { return of(a.scaled - b.scaled); }
  friend __host__ __device__ constexpr bool operator==(Fixed a, Fixed b) { return a.scaled == b.scaled; }
  static __host__ __device__ constexpr Fixed of(int scaled) {
    Fixed out;
    out.scaled = scaled;
    return out;
  }
};
struct FixedArray {
  Fixed elements[2];
  __host__ __device__ Fixed& operator[](int i) { return elements[i]; }
  __host__ __device__ const Fixed& operator[](int i) const { return elements[i]; }
  friend __host__ __device__ FixedArray operator+(FixedArray a, const FixedArray& b) { return {{a[0] + b[0], a[1] + b[1]}}; }
  friend __host__ __device__ FixedArray operator-(FixedArray a, const FixedArray& b) { return {{a[0] - b[0], a[1] - b[1]}}; }
};
template<> struct HIP_vector_base<Fixed, 2> {
  using Native_vec_ = FixedArray;
  Native_vec_ data;
  HIP_vector_base() = default;
  __host__ __device__ HIP_vector_base(Fixed a, Fixed b) : data{{a, b}} {}
};
template<> struct HIP_vector_base<float, 8> {
  using Native_vec_ = float __attribute__((ext_vector_type(8)));
  Native_vec_ data;
};
template<> __host__ __device__ inline HIP_vector_type<Fixed, 2>& HIP_vector_type<Fixed, 2>::operator++() noexcept {
  return *this += HIP_vector_type<Fixed, 2>(Fixed(1), Fixed(1));
}

namespace {

constexpr int kCount = 256;
constexpr int kIntegerResults = 20, kResults = 16;

// Elements are stored through pointers to the element type, so that the test does not rest on the vectors' own layout.
template<class V, class T, int n> __device__ V load(const T* from) {
  V v;
  for (int i = 0; i < n; ++i) v[i] = from[i];
  return v;
}
template<class V, class T, int n> __device__ void store(T*& to, V v) {
  for (int i = 0; i < n; ++i) *to++ = v[i];
}

template<class V, class T, int n> __global__ void compute(const T* in, T* out, int* relations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const V a = load<V, T, n>(in + (2 * i) * n), b = load<V, T, n>(in + (2 * i + 1) * n);
  const T s = in[2 * i * n];
  constexpr bool is_integer = std::is_integral_v<T>;
  T* to = out + i * n * (is_integer ? kResults + kIntegerResults : kResults);
  const auto result = [&](V v) { store<V, T, n>(to, v); };
  result(a + b);
  result(a - b);
  result(a * b);
  result(a + s);
  result(s - a);
  result(a * s);
  V v = a;
  result(v += b);
  result(v -= s);
  result(v *= b);
  result(++v);
  result(v--);
  result(v);
  result(V(s));
  v = a;
  v[n - 1] = b.x;
  result(v);
  if constexpr (n != 3) get_native_vector(v)[0] = s;
  result(v);
  v = a;
  v.data[n - 1] = v.data[0] + s; // as AMD's libraries write it
  result(v);
  if constexpr (is_integer) {
    result(a & b);
    result(a | b);
    result(a ^ b);
    result(a & s);
    result(~a);
    const V shift = b & T(7), divisor = b | T(1);
    result(a << shift);
    result(a >> shift);
    result(a / divisor);
    result(a % divisor);
    v = a;
    result(v &= b);
    result(v |= s == T(0) ? V(b) : a);
    result(v ^= b);
    result(v <<= shift);
    result(v >>= shift);
    result(v %= divisor);
    result(v /= divisor);
    result(v++);
    result(--v);
    result(s & a);
    result(V(a) + T(1));
  }
  relations[i] = (a == b) | (a != b) << 1 | (a == a) << 2 | (a == s) << 3 | (V(s) != s) << 4;
}

// x * y and x << y modulo the element's range: int, to which short elements are promoted, is too small for the product of
// two unsigned short, and before C++20 takes no shift of a negative number.
template<class T> T product(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<unsigned long long>(x) * static_cast<unsigned long long>(y));
  else return x * y;
}
template<class T> T shifted_left(T x, T by) { return static_cast<T>(static_cast<unsigned long long>(x) << by); }

// The same, element by element; e is the element's index.
template<class T> void model(const T* a, const T* b, T s, int n, int e, std::vector<T>& r) {
  const auto result = [&](auto x) { r.push_back(static_cast<T>(x)); };
  const T x = a[e], y = b[e];
  result(x + y);
  result(x - y);
  result(product(x, y));
  result(x + s);
  result(s - x);
  result(product(x, s));
  T v = static_cast<T>(x + y);
  result(v);
  v = static_cast<T>(v - s);
  result(v);
  v = product(v, y);
  result(v);
  v = static_cast<T>(v + T(1));
  result(v);
  result(v);
  v = static_cast<T>(v - T(1));
  result(v);
  result(e == 0 ? s : T(0));
  v = e == n - 1 ? b[0] : x;
  result(v);
  result(n != 3 && e == 0 ? s : v);
  result(e == n - 1 ? static_cast<T>(a[0] + s) : x);
  if constexpr (std::is_integral_v<T>) {
    result(x & y);
    result(x | y);
    result(x ^ y);
    result(x & s);
    result(~x);
    const T shift = y & T(7), divisor = y | T(1);
    result(shifted_left(x, shift));
    result(x >> shift);
    result(x / divisor);
    result(x % divisor);
    v = x & y;
    result(v);
    v = static_cast<T>(v | (s == T(0) ? y : x));
    result(v);
    v = static_cast<T>(v ^ y);
    result(v);
    v = shifted_left(v, shift);
    result(v);
    v = static_cast<T>(v >> shift);
    result(v);
    v = static_cast<T>(v % divisor);
    result(v);
    v = static_cast<T>(v / divisor);
    result(v);
    result(v);
    result(v);
    result(s & x);
    result(x + T(1));
  }
}

template<class V, class T, int n> void check_one() {
  static_assert(sizeof(V) == sizeof(T) * n);
  std::vector<T> in(2 * kCount * n);
  e2e::Random random;
  for (T& x : in) // products and sums of floating-point numbers are exact, those of signed integers do not overflow
    x = std::is_floating_point_v<T> ? static_cast<T>(static_cast<int>(random.bits() % 201) - 100) / 4
        : std::is_signed_v<T>       ? static_cast<T>(static_cast<int>(random.bits() % 21) - 10)
                                    : static_cast<T>(random.bits());
  for (int i = 0; i < kCount; i += 8)
    for (int e = 0; e < n; ++e) in[(2 * i + 1) * n + e] = in[2 * i * n + e]; // equal vectors
  const int results = std::is_integral_v<T> ? kResults + kIntegerResults : kResults;
  e2e::Device<T> device_in(in), out(kCount * n * results);
  e2e::Device<int> relations(kCount);
  compute<V, T, n><<<kCount / 128, 128>>>(device_in.data(), out.data(), relations);
  RUN_OK();
  const auto got = out.download();
  const auto got_relations = relations.download();
  for (int i = 0; i < kCount; ++i) {
    const T *a = &in[2 * i * n], *b = a + n, s = a[0];
    bool equal = true, equal_to_scalar = true;
    for (int e = 0; e < n; ++e) {
      std::vector<T> wanted;
      model(a, b, s, n, e, wanted);
      CHECK_EQ(static_cast<int>(wanted.size()), results);
      for (int k = 0; k < results; ++k) CHECK_AT(i * 100 + k, got[(i * results + k) * n + e], wanted[k]);
      equal = equal && a[e] == b[e];
      equal_to_scalar = equal_to_scalar && a[e] == s;
    }
    const bool splat_differs = n > 1 && s != T(0); // V(s) is s and zeros
    CHECK_AT(i, got_relations[i], equal | !equal << 1 | 1 << 2 | equal_to_scalar << 3 | splat_differs << 4);
  }
}
// A scalar becomes no vector unless asked for.
static_assert(!std::is_convertible_v<float, float4> && std::is_constructible_v<float4, float>);
static_assert(!std::is_convertible_v<int, int1> && std::is_constructible_v<int1, int>);
struct __align__(16) Row {
  float x[3];
};
static_assert(alignof(Row) == 16 && sizeof(Row) == 16);

__global__ void compute_with_own_bases(int* fixed, float* eight, int* equal) {
  const HIP_vector_type<Fixed, 2> a(Fixed(1.5f), Fixed(float(threadIdx.x))), b(Fixed(0.25f), Fixed(2));
  HIP_vector_type<Fixed, 2> v = a + b;
  ++v;
  v -= b;
  for (int i = 0; i < 2; ++i) fixed[2 * threadIdx.x + i] = v.data[i].scaled;
  HIP_vector_type<float, 8> c;
  for (int i = 0; i < 8; ++i) c.data[i] = float(i);
  HIP_vector_type<float, 8> d = c * 2.0f;
  d += c;
  for (int i = 0; i < 8; ++i) eight[8 * threadIdx.x + i] = d.data[i];
  equal[2 * threadIdx.x] = d == c + c + c, equal[2 * threadIdx.x + 1] = v == a;
}

} // namespace

E2E_CASE(own_bases) {
  constexpr int kThreads = 64;
  e2e::Device<int> fixed(2 * kThreads);
  e2e::Device<float> eight(8 * kThreads);
  e2e::Device<int> equal(2 * kThreads);
  compute_with_own_bases<<<1, kThreads>>>(fixed.data(), eight.data(), equal.data());
  RUN_OK();
  const auto got_fixed = fixed.download();
  const auto got_eight = eight.download();
  const auto got_equal = equal.download();
  for (int t = 0; t < kThreads; ++t) {
    CHECK_AT(t, got_fixed[2 * t], 640); // 1.5 + 1
    CHECK_AT(t, got_fixed[2 * t + 1], (t + 1) * 256);
    for (int i = 0; i < 8; ++i) CHECK_AT(i, got_eight[8 * t + i], 3.0f * static_cast<float>(i));
    CHECK_AT(t, got_equal[2 * t], 1);
    CHECK_AT(t, got_equal[2 * t + 1], 0);
  }
}
E2E_CASE(small_integers) {
  check_one<char2, char, 2>();
  check_one<char3, char, 3>();
  check_one<uchar4, unsigned char, 4>();
  check_one<short3, short, 3>();
  check_one<ushort2, unsigned short, 2>();
}
E2E_CASE(integers) {
  check_one<int1, int, 1>();
  check_one<int2, int, 2>();
  check_one<int3, int, 3>();
  check_one<int4, int, 4>();
  check_one<uint4, unsigned int, 4>();
}
E2E_CASE(long_integers) {
  check_one<long2, long, 2>();
  check_one<ulong3, unsigned long, 3>();
  check_one<longlong1, long long, 1>();
  check_one<ulonglong4, unsigned long long, 4>();
}
E2E_CASE(floating_point) {
  check_one<float1, float, 1>();
  check_one<float2, float, 2>();
  check_one<float3, float, 3>();
  check_one<float4, float, 4>();
  check_one<double2, double, 2>();
  check_one<double4, double, 4>();
}
