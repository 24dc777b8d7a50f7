// Calls: functions that are not inlined, recursion, function pointers that differ between lanes, virtual functions,
// structs by value in and out, many arguments.
#include "e2e.h"

namespace {

#define NOINLINE __attribute__((noinline))

struct Matrix {
  double m[4];
  int tag;
};
__host__ __device__ NOINLINE Matrix multiply(Matrix a, Matrix b) {
  Matrix r{};
  r.m[0] = a.m[0] * b.m[0] + a.m[1] * b.m[2];
  r.m[1] = a.m[0] * b.m[1] + a.m[1] * b.m[3];
  r.m[2] = a.m[2] * b.m[0] + a.m[3] * b.m[2];
  r.m[3] = a.m[2] * b.m[1] + a.m[3] * b.m[3];
  r.tag = a.tag ^ b.tag;
  return r;
}

__host__ __device__ NOINLINE long long many(char a, short b, int c, long long d, float e, double f, unsigned char g,
                                            const int* h, int i0, int i1, int i2, int i3, int i4, int i5, int i6,
                                            int i7, int i8, int i9, int j0, int j1, int j2, int j3, int j4, int j5,
                                            int j6, int j7, int j8, int j9, int k0, int k1, int k2, int k3) {
  return a + b * 2 + c * 3 + d * 4 + static_cast<long long>(e) * 5 + static_cast<long long>(f) * 6 + g * 7 + *h * 8 +
         i0 + i1 * 2 + i2 * 3 + i3 * 4 + i4 * 5 + i5 * 6 + i6 * 7 + i7 * 8 + i8 * 9 + i9 * 10 + j0 + j1 * 2 + j2 * 3 +
         j3 * 4 + j4 * 5 + j5 * 6 + j6 * 7 + j7 * 8 + j8 * 9 + j9 * 10 + k0 + k1 * 2 + k2 * 3 + k3 * 4;
}

__host__ __device__ NOINLINE unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__host__ __device__ NOINLINE unsigned odd(unsigned n);
__host__ __device__ NOINLINE unsigned even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
__host__ __device__ NOINLINE unsigned odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

__host__ __device__ NOINLINE unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void call_kernel(double* matrices, long long* sums, unsigned* recursive) {
  const int i = threadIdx.x;
  const Matrix a{{1.0 + i, 2, 3, 4.0 - i}, i}, b{{0.5, i * 2.0, 1, -1}, 77};
  const Matrix c = multiply(multiply(a, b), a);
  for (int k = 0; k < 4; ++k) matrices[i * 5 + k] = c.m[k];
  matrices[i * 5 + 4] = c.tag;
  const int h = i * 3;
  sums[i] = many(static_cast<char>(i), -2, 3, 1LL << 33, 5.5f, 6.5, 200, &h, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, i, 12, 13,
                 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, i * 2);
  recursive[i * 4 + 0] = fibonacci(i % 12);
  recursive[i * 4 + 1] = even(i);
  recursive[i * 4 + 2] = odd(i);
  recursive[i * 4 + 3] = ackermann(2, i % 6);
}

using Operation = int (*)(int, int);
__host__ __device__ NOINLINE int op_add(int a, int b) { return a + b; }
__host__ __device__ NOINLINE int op_sub(int a, int b) { return a - b; }
__host__ __device__ NOINLINE int op_mul(int a, int b) { return a * b; }
__host__ __device__ NOINLINE int op_mix(int a, int b) { return op_add(a, b) ^ op_mul(a, b); }
__device__ Operation device_table[4] = {op_add, op_sub, op_mul, op_mix};

__global__ void pointer_kernel(int* out) {
  const int i = threadIdx.x;
  Operation local[4] = {op_mix, op_mul, op_sub, op_add};
  out[i * 2] = device_table[i % 4](i, 7);     // every lane another function
  out[i * 2 + 1] = local[(i / 16) % 4](i, 3); // the same for groups of lanes
}

__global__ void get_function(Operation* out) { *out = op_sub; }
__global__ void call_through_argument(Operation f, int* out) { out[threadIdx.x] = f(threadIdx.x, 100); }

struct Shape {
  __host__ __device__ virtual double area() const = 0;
  __host__ __device__ virtual int sides() const { return 0; }
  __host__ __device__ virtual ~Shape() {}
};
struct Square : Shape {
  double a;
  __host__ __device__ explicit Square(double a) : a(a) {}
  __host__ __device__ double area() const override { return a * a; }
  __host__ __device__ int sides() const override { return 4; }
};
struct Circle : Shape {
  double r;
  __host__ __device__ explicit Circle(double r) : r(r) {}
  __host__ __device__ double area() const override { return r * r * 3.0; }
};
struct Triangle : Square {
  __host__ __device__ explicit Triangle(double a) : Square(a) {}
  __host__ __device__ double area() const override { return Square::area() * 0.5; }
  __host__ __device__ int sides() const override { return 3; }
};
union Storage {
  __device__ Storage() {}
  __device__ ~Storage() {}
  Square square;
  Circle circle;
  Triangle triangle;
};

__global__ void virtual_kernel(double* out) {
  const int i = threadIdx.x;
  Storage storage;
  Shape* shape;
  if (i % 3 == 0)
    shape = new (&storage) Square(i);
  else if (i % 3 == 1)
    shape = new (&storage) Circle(i);
  else
    shape = new (&storage) Triangle(i);
  out[i] = shape->area() + shape->sides();
}

template<class F> __device__ NOINLINE int apply(F f, int x) { return f(x) + f(x + 1); }
__global__ void lambda_kernel(int* out, int base) {
  const int i = threadIdx.x;
  const auto captures = [base, i](int x) { return base * x + i; };
  out[i] = apply(captures, i);
}

} // namespace

E2E_CASE(arguments_and_recursion) {
  e2e::Device<double> matrices(64 * 5);
  e2e::Device<long long> sums(64);
  e2e::Device<unsigned> recursive(64 * 4);
  // How deep the recursion goes no compiler can tell.
  HIP_OK(hipDeviceSetLimit(hipLimitStackSize, 16384));
  call_kernel<<<1, 64>>>(matrices, sums, recursive);
  RUN_OK();
  const auto m = matrices.download();
  const auto s = sums.download();
  const auto r = recursive.download();
  for (int i = 0; i < 64; ++i) {
    const Matrix a{{1.0 + i, 2, 3, 4.0 - i}, i}, b{{0.5, i * 2.0, 1, -1}, 77};
    const Matrix c = multiply(multiply(a, b), a); // small integers and halves: exact with any contraction
    for (int k = 0; k < 4; ++k) CHECK_AT(i, m[i * 5 + k], c.m[k]);
    CHECK_AT(i, m[i * 5 + 4], double(c.tag));
    const int h = i * 3;
    CHECK_AT(i, s[i],
             many(static_cast<char>(i), -2, 3, 1LL << 33, 5.5f, 6.5, 200, &h, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, i, 12, 13,
                  14, 15, 16, 17, 18, 19, 20, 21, 22, 23, i * 2));
    CHECK_AT(i, r[i * 4 + 0], fibonacci(i % 12));
    CHECK_AT(i, r[i * 4 + 1], even(i));
    CHECK_AT(i, r[i * 4 + 2], odd(i));
    CHECK_AT(i, r[i * 4 + 3], ackermann(2, i % 6));
  }
}

E2E_CASE(function_pointers) {
  e2e::Device<int> out(256 * 2);
  pointer_kernel<<<1, 256>>>(out);
  RUN_OK();
  const auto got = out.download();
  const Operation table[4] = {op_add, op_sub, op_mul, op_mix};
  for (int i = 0; i < 256; ++i) {
    CHECK_AT(i, got[i * 2], table[i % 4](i, 7));
    CHECK_AT(i, got[i * 2 + 1], table[3 - (i / 16) % 4](i, 3));
  }
}

E2E_CASE(function_pointer_as_argument) {
  e2e::Device<Operation> pointer(1);
  e2e::Device<int> out(64);
  get_function<<<1, 1>>>(pointer);
  RUN_OK();
  call_through_argument<<<1, 64>>>(pointer.download()[0], out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], i - 100);
}

E2E_CASE(virtual_functions) {
  e2e::Device<double> out(192);
  virtual_kernel<<<1, 192>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 192; ++i) {
    const double square = double(i) * i;
    CHECK_AT(i, got[i], i % 3 == 0 ? square + 4 : i % 3 == 1 ? square * 3.0 : square * 0.5 + 3);
  }
}

E2E_CASE(lambdas) {
  e2e::Device<int> out(64);
  lambda_kernel<<<1, 64>>>(out, 5);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], 5 * i + i + 5 * (i + 1) + i);
}
