// Floating-point arithmetic and conversions in single and double precision: bit for bit what IEEE 754 says. Contraction
// is off, so host and device round at the same places.
#include "e2e.h"

#pragma clang fp contract(off)

namespace {

constexpr int kResults = 22;

template<class T> __host__ __device__ void operations(T a, T b, T c, T* out) {
  int n = 0;
  out[n++] = a + b;
  out[n++] = a - b;
  out[n++] = a * b;
  out[n++] = a / b;
  out[n++] = __builtin_fma(a, b, c);
  out[n++] = -a;
  out[n++] = a < 0 ? -a : a;
  out[n++] = a < b ? a : b;
  out[n++] = a > b ? a : b;
  out[n++] = static_cast<T>((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
                            (a != a) << 6);
  out[n++] = floor(a);
  out[n++] = ceil(a);
  out[n++] = trunc(a);
  out[n++] = rint(a);
  out[n++] = copysign(a, b);
  out[n++] = static_cast<T>(static_cast<float>(a));
  out[n++] = a * T(0.5) + b * T(0.25);
  out[n++] = (a + b) * (a - c);
  out[n++] = static_cast<T>(std::isinf(a) | std::isnan(a) << 1 | std::isfinite(a) << 2 | std::signbit(a) << 3);
  out[n++] = a * a * T(1.0625);
  out[n++] = T(1) / b;
  out[n++] = a == b ? c : a + c;
}
template<> __host__ __device__ void operations<float>(float a, float b, float c, float* out) {
  int n = 0;
  out[n++] = a + b;
  out[n++] = a - b;
  out[n++] = a * b;
  out[n++] = a / b;
  out[n++] = __builtin_fmaf(a, b, c);
  out[n++] = -a;
  out[n++] = a < 0 ? -a : a;
  out[n++] = a < b ? a : b;
  out[n++] = a > b ? a : b;
  out[n++] = static_cast<float>((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
                                (a != a) << 6);
  out[n++] = floorf(a);
  out[n++] = ceilf(a);
  out[n++] = truncf(a);
  out[n++] = rintf(a);
  out[n++] = copysignf(a, b);
  out[n++] = static_cast<float>(static_cast<double>(a) * 3.0);
  out[n++] = a * 0.5f + b * 0.25f;
  out[n++] = (a + b) * (a - c);
  out[n++] = static_cast<float>(std::isinf(a) | std::isnan(a) << 1 | std::isfinite(a) << 2 | std::signbit(a) << 3);
  out[n++] = a * a * 1.0625f;
  out[n++] = 1.0f / b;
  out[n++] = a == b ? c : a + c;
}

template<class T> __global__ void float_kernel(const T* a, const T* b, const T* c, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) operations<T>(a[i], b[i], c[i], out + i * kResults);
}

template<class T> void run_all() {
  constexpr int kSide = 36;
  const auto x = e2e::interesting<T>(kSide), y = e2e::interesting<T>(kSide, 7),
             z = e2e::interesting<T>(kSide * kSide, 2);
  std::vector<T> a, b;
  for (const T p : x)
    for (const T q : y) a.push_back(p), b.push_back(q);
  const int count = static_cast<int>(a.size());
  e2e::Device<T> da(a), db(b), dc(z), out(a.size() * kResults);
  float_kernel<T><<<(count + 127) / 128, 128>>>(da, db, dc, out, count);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < count; ++i) {
    T wanted[kResults];
    operations<T>(a[i], b[i], z[i], wanted);
    for (int k = 0; k < kResults; ++k)
      if (!e2e::same(got[i * kResults + k], wanted[k]))
        e2e::fail(__FILE__, __LINE__,
                  "operation " + std::to_string(k) + " of " + e2e::text_of(a[i]) + ", " + e2e::text_of(b[i]) + ", " +
                      e2e::text_of(z[i]) + " is " + e2e::text_of(got[i * kResults + k]) + ", expected " +
                      e2e::text_of(wanted[k]));
  }
}

// Conversions between integers and floating point. Only values that the target type holds: all else is undefined in
// C++.
struct Converted {
  float f_from_i, f_from_u, f_from_l, f_from_ul, f_from_d;
  double d_from_i, d_from_u, d_from_l, d_from_ul, d_from_f;
  int i_from_f, i_from_d;
  unsigned u_from_f, u_from_d;
  long long l_from_f, l_from_d;
  unsigned long long ul_from_f, ul_from_d;
  signed char c_from_f;
  unsigned short us_from_d;
};
__host__ __device__ void convert(long long l, double d, Converted& r) {
  const unsigned long long ul = static_cast<unsigned long long>(l);
  const int i = static_cast<int>(l);
  const unsigned u = static_cast<unsigned>(l);
  const float f = static_cast<float>(d);
  r.f_from_i = static_cast<float>(i);
  r.f_from_u = static_cast<float>(u);
  r.f_from_l = static_cast<float>(l);
  r.f_from_ul = static_cast<float>(ul);
  r.f_from_d = f;
  r.d_from_i = i;
  r.d_from_u = u;
  r.d_from_l = static_cast<double>(l);
  r.d_from_ul = static_cast<double>(ul);
  r.d_from_f = f;
  r.i_from_f = static_cast<int>(f);
  r.i_from_d = static_cast<int>(d);
  r.u_from_f = static_cast<unsigned>(f < 0 ? -f : f);
  r.u_from_d = static_cast<unsigned>(d < 0 ? -d : d);
  r.l_from_f = static_cast<long long>(f * 1e9f);
  r.l_from_d = static_cast<long long>(d * 1e9);
  r.ul_from_f = static_cast<unsigned long long>((f < 0 ? -f : f) * 1e9f);
  r.ul_from_d = static_cast<unsigned long long>((d < 0 ? -d : d) * 1e9);
  r.c_from_f = static_cast<signed char>(f * 5e-8f);
  r.us_from_d = static_cast<unsigned short>((d < 0 ? -d : d) * 2e-5);
}
__global__ void convert_kernel(const long long* l, const double* d, Converted* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) convert(l[i], d[i], out[i]);
}

} // namespace

E2E_CASE(single_precision) { run_all<float>(); }
E2E_CASE(double_precision) { run_all<double>(); }

E2E_CASE(conversions) {
  constexpr int kCount = 1000;
  const auto l = e2e::interesting<long long>(kCount);
  std::vector<double> d(kCount);
  e2e::Random random;
  for (double& x : d) x = (random.unit() - 0.5) * 2 * 2.1e9;
  d[0] = 0.5, d[1] = -0.5, d[2] = 1.5, d[3] = -1.9999999, d[4] = 2147483000.0, d[5] = -2147483648.0;
  e2e::Device<long long> dl(l);
  e2e::Device<double> dd(d);
  e2e::Device<Converted> out(kCount);
  convert_kernel<<<8, 128>>>(dl, dd, out, kCount);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < kCount; ++i) {
    Converted w;
    convert(l[i], d[i], w);
    const Converted& g = got[i];
    CHECK_AT(i, g.f_from_i, w.f_from_i);
    CHECK_AT(i, g.f_from_u, w.f_from_u);
    CHECK_AT(i, g.f_from_l, w.f_from_l);
    CHECK_AT(i, g.f_from_ul, w.f_from_ul);
    CHECK_AT(i, g.f_from_d, w.f_from_d);
    CHECK_AT(i, g.d_from_i, w.d_from_i);
    CHECK_AT(i, g.d_from_u, w.d_from_u);
    CHECK_AT(i, g.d_from_l, w.d_from_l);
    CHECK_AT(i, g.d_from_ul, w.d_from_ul);
    CHECK_AT(i, g.d_from_f, w.d_from_f);
    CHECK_AT(i, g.i_from_f, w.i_from_f);
    CHECK_AT(i, g.i_from_d, w.i_from_d);
    CHECK_AT(i, g.u_from_f, w.u_from_f);
    CHECK_AT(i, g.u_from_d, w.u_from_d);
    CHECK_AT(i, g.l_from_f, w.l_from_f);
    CHECK_AT(i, g.l_from_d, w.l_from_d);
    CHECK_AT(i, g.ul_from_f, w.ul_from_f);
    CHECK_AT(i, g.ul_from_d, w.ul_from_d);
    CHECK_AT(i, static_cast<int>(g.c_from_f), w.c_from_f);
    CHECK_AT(i, static_cast<int>(g.us_from_d), w.us_from_d);
  }
}
