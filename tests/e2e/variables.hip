// Variables of the device: __device__, __constant__, __managed__, static locals, templates and their initial values,
// reached by kernels and, by symbol, by the host.
#include "e2e.h"

__device__ int plain = 17;
__device__ int zero;
__device__ double array[100] = {1.5, 2.5, 3.5};
__constant__ float coefficients[8] = {1, 2, 3, 4};
__constant__ int one_constant = 99;
__device__ const char* text = "device text";
__device__ int* pointer_to_plain = &plain;
struct Pair {
  int first;
  double second;
};
__device__ Pair pairs[2] = {{1, 2.0}, {3, 4.0}};
__managed__ int managed = 5;
__managed__ double managed_array[10] = {0.5, 1.5};
template<class T> __device__ T per_type = T(3);
static __device__ int file_static = 8;
namespace inner {
__device__ long long big = 1LL << 40;
}

namespace {

__global__ void read_all(double* out) {
  int n = 0;
  out[n++] = plain;
  out[n++] = zero;
  out[n++] = array[0] + array[2] + array[99];
  out[n++] = coefficients[3] + coefficients[7];
  out[n++] = one_constant;
  out[n++] = text[7];
  out[n++] = *pointer_to_plain;
  out[n++] = pairs[1].first + pairs[1].second;
  out[n++] = managed;
  out[n++] = managed_array[1];
  out[n++] = per_type<float> + per_type<int>;
  out[n++] = file_static;
  out[n++] = static_cast<double>(inner::big);
}

__global__ void write_all() {
  plain += 1;
  zero = 4;
  array[99] = 9.25;
  *pointer_to_plain += 10;
  managed *= 3;
  managed_array[9] = 7.5;
  pairs[0].second = -1;
}

__global__ void index_constant(float* out) { out[threadIdx.x] = coefficients[threadIdx.x % 8]; }

__global__ void static_local(int* out) {
  static __device__ int calls = 100; // one for all threads and launches
  __shared__ int shared;
  if (threadIdx.x == 0) shared = atomicAdd(&calls, 1);
  __syncthreads();
  out[threadIdx.x] = shared;
}

} // namespace

E2E_CASE(initial_values) {
  e2e::Device<double> out(16);
  read_all<<<1, 1>>>(out);
  RUN_OK();
  const double wanted[] = {17, 0, 5, 4, 99, 't', 17, 7, 5, 1.5, 6, 8, double(1LL << 40)};
  const auto got = out.download();
  for (size_t i = 0; i < std::size(wanted); ++i) CHECK_AT(i, got[i], wanted[i]);
}

E2E_CASE(written_by_kernels) {
  write_all<<<1, 1>>>();
  RUN_OK();
  int value = 0;
  HIP_OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(plain), sizeof(value)));
  CHECK_EQ(value, 28);
  HIP_OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(zero), sizeof(value)));
  CHECK_EQ(value, 4);
  double element = 0;
  HIP_OK(hipMemcpyFromSymbol(&element, HIP_SYMBOL(array), sizeof(element), 99 * sizeof(double)));
  CHECK_EQ(element, 9.25);
  Pair pair{};
  HIP_OK(hipMemcpyFromSymbol(&pair, HIP_SYMBOL(pairs), sizeof(pair)));
  CHECK_EQ(pair.second, -1.0);
  CHECK_EQ(managed, 15); // the host reads managed variables directly
  CHECK_EQ(managed_array[9], 7.5);
}

E2E_CASE(written_by_the_host) {
  const float fresh[8] = {8, 7, 6, 5, 4, 3, 2, 1};
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), fresh, sizeof(fresh)));
  e2e::Device<float> out(64);
  index_constant<<<1, 64>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], fresh[i % 8]);

  managed = 1000;
  const int value = -1;
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(file_static), &value, sizeof(value)));
  e2e::Device<double> all(16);
  read_all<<<1, 1>>>(all);
  RUN_OK();
  CHECK_EQ(all.download()[8], 1000.0);
  CHECK_EQ(all.download()[11], -1.0);
}

E2E_CASE(addresses_and_sizes) {
  void* address = nullptr;
  size_t bytes = 0;
  HIP_OK(hipGetSymbolAddress(&address, HIP_SYMBOL(array)));
  HIP_OK(hipGetSymbolSize(&bytes, HIP_SYMBOL(array)));
  CHECK_EQ(bytes, 100 * sizeof(double));
  double value = 0;
  HIP_OK(hipMemcpy(&value, static_cast<double*>(address) + 1, sizeof(value), hipMemcpyDeviceToHost));
  CHECK_EQ(value, 2.5);
  int small = 0;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(one_constant), &small, 8) == hipErrorInvalidValue); // larger than the variable
  int not_a_symbol = 0;
  CHECK(hipGetSymbolAddress(&address, &not_a_symbol) == hipErrorInvalidSymbol);
}

E2E_CASE(static_locals) {
  e2e::Device<int> out(64);
  for (int launch = 0; launch < 3; ++launch) {
    static_local<<<1, 64>>>(out);
    RUN_OK();
    for (const int x : out.download()) CHECK_EQ(x, 100 + launch);
  }
}
