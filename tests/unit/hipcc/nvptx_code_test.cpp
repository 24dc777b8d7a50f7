// What the passes of hipcc make of code for NVIDIA GPUs: the PTX of small kernels.
#include "command.h"

#include <catch2/catch.hpp>

#include <string>

namespace test = hip::hipcc::test;

namespace {

// The PTX of a source.
std::string ptx_of(const std::string& source, const std::string& options = "-O3") {
  test::Folder folder;
  folder.write("k.hip", "#include <hip/hip_runtime.h>\n" + source);
  const test::Outcome made =
      test::hipcc(folder.path(), "k.hip --offload-arch=sm_75 --offload-device-only -S -Werror -o k.ptx " + options);
  INFO(made.output);
  REQUIRE(made.code == 0);
  return folder.read("k.ptx");
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Sums of vectors, block by block: a loop over loads, and one over shared memory, inside a loop over vectors.
std::string sums(const std::string& before_loads) {
  return R"(
__global__ void sums(float* to, const float* a, const float* b, int vectors, int length) {
  __shared__ float parts[1024];
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    const int begin = length * vector, end = begin + length;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
      float sum = 0;
)" + before_loads +
         R"(      for (int at = begin + i; at < end; at += 1024) sum += a[at] * b[at];
      parts[i] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) parts[i] += parts[i + 512];
    __syncthreads();
    if (threadIdx.x == 0) to[vector] = parts[0];
  }
}
)";
}

} // namespace

TEST_CASE("loops inside others are unrolled by four where that takes no division, and not where it does") {
  const std::string ptx = ptx_of(sums(""));
  INFO(ptx);
  CHECK(count(ptx, "div.u32") == 0);
  CHECK(count(ptx, "ld.global") == 2 * (4 + 1)); // four rounds at once, and what is left one by one
  CHECK(count(ptx, "ld.shared") == 2 + 1);
  CHECK(count(ptx, ".pragma \"nounroll\"") == 1); // what is left
}

TEST_CASE("what a program says of a loop inside another is obeyed") {
  const std::string rolled = ptx_of(sums("#pragma unroll 1\n"));
  INFO(rolled);
  CHECK(count(rolled, "ld.global") == 2);
  CHECK(count(rolled, ".pragma \"nounroll\"") == 1);
  const std::string by_two = ptx_of(sums("#pragma unroll 2\n"));
  INFO(by_two);
  CHECK(count(by_two, "ld.global") == 2 * (2 + 1));
}

TEST_CASE("a kernel's only loop is unrolled, with a division in front of it") {
  const std::string ptx = ptx_of(R"(
__global__ void scale(float* p) {
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) p[i] *= 2;
}
)");
  INFO(ptx);
  CHECK(count(ptx, "div.u32") == 1);
  CHECK(count(ptx, "ld.global") > 2);
}

TEST_CASE("a small loop of a constant number of rounds has a counter, and goes back on a condition") {
  const std::string ptx = ptx_of(R"(
struct Many { int number[1024]; };
__constant__ int more[2000];
__global__ void sum(__grid_constant__ const Many many, int* to) {
  int sum = 0;
  for (int i = 0; i < 1024; ++i) sum += many.number[i];
  for (int i = 0; i < 2000; ++i) sum += more[i];
  *to = sum;
}
)");
  INFO(ptx);
  CHECK(count(ptx, "setp.ne.b32") == 2);
  CHECK(count(ptx, "cvt.u32.u64") == 0);
  CHECK(count(ptx, "bra.uni") == 0);
}
