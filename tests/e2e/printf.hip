// printf of kernels: every conversion, long texts, many threads, the value returned, stdout's order with the host's
// output. Compiled once for each way in which clang can lower printf (hostcall, buffered).
#include "e2e.h"

#include <algorithm>
#include <unistd.h>

namespace {

// What is written to file descriptor 1 while it lives.
class Capture {
public:
  Capture() {
    std::fflush(stdout);
    saved_ = dup(1);
    file_ = std::tmpfile();
    dup2(fileno(file_), 1);
  }
  std::string stop() {
    std::fflush(stdout);
    dup2(saved_, 1);
    close(saved_);
    std::string text;
    std::rewind(file_);
    char part[4096];
    while (const size_t n = std::fread(part, 1, sizeof(part), file_)) text.append(part, n);
    std::fclose(file_);
    return text;
  }

private:
  int saved_ = -1;
  std::FILE* file_ = nullptr;
};

template<class F> std::string captured(F launch) {
  Capture capture;
  launch();
  const hipError_t status = e2e::finish();
  const std::string text = capture.stop();
  CHECK_EQ(status, hipSuccess);
  return text;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

__global__ void conversions(const char* inline_text, int i, long long l, double d, float f, unsigned char c, void* p) {
  printf("no arguments\n");
  printf("%d|%5d|%-5d|%05d|%+d|%i\n", i, i, i, i, i, -i);
  printf("%u %o %x %X %#x %#o\n", 4000000000u, 511, 0xbeef, 0xbeef, 255, 8);
  printf("%lld %llu %lx %ld\n", l, static_cast<unsigned long long>(l), static_cast<unsigned long>(l),
         static_cast<long>(-l));
#if defined(__CUDACC__) // NVIDIA's driver knows neither hh nor .*; hipcc writes other formats, nvcc does not
  printf("%hd %d %hu\n", static_cast<short>(-2), -3, static_cast<unsigned short>(65535));
#else
  printf("%hd %hhd %hu\n", static_cast<short>(-2), static_cast<signed char>(-3), static_cast<unsigned short>(65535));
#endif
  printf("%f %.2f %10.3e %g %G %a\n", d, d, d, d, 1e-10, 1.0);
  printf("%f %c%c %5c|\n", f, c, 'z', 'q');
  printf("%s|%10s|%-10s|%.3s|\n", inline_text, "right", "left", "truncated");
#if defined(__CUDACC__)
  printf("%6d|%.3f|%-8s|\n", 42, 3.14159, "pad");
#else
  printf("%*d|%.*f|%-*s|\n", 6, 42, 3, 3.14159, 8, "pad");
#endif
  printf("%p\n", p);
  printf("100%% done, %s\n", "ok");
}

__global__ void from_many_threads(int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit && i % 3 != 1) printf("line %d with %s and %f\n", i, i % 2 ? "odd" : "even", i * 0.5);
}

#ifndef E2E_PRINTF_BUFFERED // there the value only tells whether the record found room
__global__ void returned(int* out) { out[threadIdx.x] = printf("value %d\n", static_cast<int>(threadIdx.x) * 100); }
#endif

__global__ void in_a_loop() {
  for (int k = 0; k < 5; ++k) printf("%d", k);
  printf("\n");
}

__device__ __attribute__((noinline)) void print_deep(int depth) {
  if (depth == 0)
    printf("bottom\n");
  else
    print_deep(depth - 1);
}
__global__ void in_a_function() { print_deep(6); }

#ifdef E2E_PRINTF_BUFFERED
#define FIXED_TEXT "A line of fifty-five bytes that lanes of a grid print\n"
__global__ void fixed_text(int* result) { result[blockIdx.x * blockDim.x + threadIdx.x] = printf("%s", FIXED_TEXT); }
#endif

__global__ void long_text(const char* text) { printf("<%s>\n", text); }

} // namespace

E2E_CASE(every_conversion) {
  char expected[4096];
  int n = 0;
  const int i = 42;
  const long long l = 123456789012345LL;
  const double d = 3.14159265358979;
  n += std::snprintf(expected + n, sizeof(expected) - n, "no arguments\n");
  n += std::snprintf(expected + n, sizeof(expected) - n, "%d|%5d|%-5d|%05d|%+d|%i\n", i, i, i, i, i, -i);
  n += std::snprintf(expected + n, sizeof(expected) - n, "%u %o %x %X %#x %#o\n", 4000000000u, 511, 0xbeef, 0xbeef, 255,
                     8);
  n += std::snprintf(expected + n, sizeof(expected) - n, "%lld %llu %lx %ld\n", l, static_cast<unsigned long long>(l),
                     static_cast<unsigned long>(l), static_cast<long>(-l));
  n += std::snprintf(expected + n, sizeof(expected) - n, "-2 -3 65535\n");
  n += std::snprintf(expected + n, sizeof(expected) - n, "%f %.2f %10.3e %g %G %a\n", d, d, d, d, 1e-10, 1.0);
  n += std::snprintf(expected + n, sizeof(expected) - n, "%f %c%c %5c|\n", 2.5, 'y', 'z', 'q');
  n += std::snprintf(expected + n, sizeof(expected) - n, "device memory text|     right|left      |tru|\n");
  n += std::snprintf(expected + n, sizeof(expected) - n, "    42|3.142|pad     |\n");
  n += std::snprintf(expected + n, sizeof(expected) - n, "0x1234\n100%% done, ok\n");
  e2e::Device<char> text(64);
  HIP_OK(hipMemcpy(text, "device memory text", 19, hipMemcpyHostToDevice));
  const std::string got =
      captured([&] { conversions<<<1, 1>>>(text, i, l, d, 2.5f, 'y', reinterpret_cast<void*>(0x1234)); });
  CHECK_EQ(got, std::string(expected, n));
}

E2E_CASE(many_threads) {
  constexpr int kLimit = 500;
  const std::string got = captured([] { from_many_threads<<<5, 128>>>(kLimit); });
  std::string expected;
  for (int i = 0; i < kLimit; ++i)
    if (i % 3 != 1)
      expected +=
          "line " + std::to_string(i) + " with " + (i % 2 ? "odd" : "even") + " and " + std::to_string(i * 0.5) + "\n";
  CHECK(sorted_lines(got) == sorted_lines(expected));
}

#ifdef E2E_PRINTF_BUFFERED
// 40,000 records of 68 bytes each, which lie in the buffer until the kernel ends.
E2E_CASE(output_of_a_large_launch) {
  constexpr int kThreads = 40000, kBlock = 64;
  e2e::Device<int> result(kThreads);
  const std::string got = captured([&] { fixed_text<<<kThreads / kBlock, kBlock>>>(result); });
  int lost = 0;
  for (const int value : result.download()) lost += value < 0;
  CHECK_EQ(lost, 0);
  if (!e2e::on_nvidia()) CHECK_EQ(got.size(), kThreads * (sizeof(FIXED_TEXT) - 1)); // NVIDIA's driver keeps the newest text alone
}
#else
E2E_CASE(value_of_printf) {
  e2e::Device<int> out(64);
  captured([&] { returned<<<1, 64>>>(out); });
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) // NVIDIA's driver counts arguments
    CHECK_AT(i, got[i], e2e::on_nvidia() ? 1 : static_cast<int>(("value " + std::to_string(i * 100) + "\n").size()));
}
#endif

E2E_CASE(order_within_a_thread) {
  CHECK_EQ(captured([] { in_a_loop<<<1, 1>>>(); }), std::string("01234\n"));
}

E2E_CASE(deep_in_functions) {
  CHECK_EQ(captured([] { in_a_function<<<1, 1>>>(); }), std::string("bottom\n"));
}

E2E_CASE(order_of_launches_and_host_output) {
  e2e::Device<char> text(64);
  HIP_OK(hipMemcpy(text, "x", 2, hipMemcpyHostToDevice));
  const std::string got = captured([&] {
    std::printf("before\n");
    std::fflush(stdout);
    long_text<<<1, 1>>>(text);
    in_a_loop<<<1, 1>>>();
    (void)hipDeviceSynchronize();
    std::printf("after\n");
  });
  CHECK_EQ(got, std::string("before\n<x>\n01234\nafter\n"));
}

E2E_CASE(long_texts) {
  for (const size_t size : {0u, 1u, 6u, 7u, 8u, 55u, 56u, 57u, 500u, 3000u}) {
    std::string host(size, 'a');
    for (size_t i = 0; i < size; ++i) host[i] = static_cast<char>('a' + i % 26);
    e2e::Device<char> text(size + 1);
    HIP_OK(hipMemcpy(text, host.c_str(), size + 1, hipMemcpyHostToDevice));
    CHECK_EQ(captured([&] { long_text<<<1, 1>>>(text); }), "<" + host + ">\n");
  }
}
